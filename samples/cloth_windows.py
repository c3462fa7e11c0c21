"""Drawn pictures as the network of :mod:`vision.clues.cloth` sees them: windows with the part that each pixel shows.

Boards are bent a little or much, of any outline, open to filled, in the game's look and others; their cloth, threads,
outlines and ropes have other dyes than the game's as well. Some lie in a picture that is laid with rope, some are
photographed, and a few pictures show no board.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from samples import nothing
from samples.bent_boards import board
from samples.camera import random_shot, take
from samples.sample import INK, Sample
from vision.clues.cloth import SURFACES
from vision.network import ground_of
from vision.pictures.photo import Picture

SIDE_PX = 256
"""Side of a window."""

NOTHING, PHOTOS = 0.03, 0.55
"""Parts of the pictures without a board and taken by a camera."""

CELL_PX, OWN_PX = (22.0, 105.0), (14.0, 60.0)
"""Sides of cells in windows; and in pictures that are small themselves, before they are enlarged to that."""

SMALL = 0.3
"""Part of the pictures that are small themselves."""

SMALL_PX = 60.0
"""Cells smaller than this have three windows a picture, larger ones four."""

ANYWHERE, ASIDE_PX = 0.1, 60
"""Part of the windows that lie anywhere, and how far others are off a point of the board, at most."""

WALLS, INKED = 1.7, 1.3
"""How many times the pixels of threads and outlines, and of numbers, count where a picture is reduced."""


@dataclass(frozen=True, eq=False)
class Window:
    """A window of a picture.

    Attributes:
        shown: ``uint8 (SIDE_PX, SIDE_PX, 3)`` BGR.
        parts: ``uint8 (SIDE_PX, SIDE_PX)``, what each pixel shows, as of :class:`samples.sample.Sample`.
        ground: ``float64 (3,)``, the median colour of the whole picture.
    """

    shown: Picture
    parts: Picture
    ground: npt.NDArray[np.float64]


def windows(rng: np.random.Generator) -> list[Window]:
    """Windows of a drawn picture."""
    if rng.random() < NOTHING:
        picture = list(nothing.SCENES.values())[int(rng.integers(len(nothing.SCENES)))](rng).picture
        parts, side = np.zeros(picture.shape[:2], np.uint8), max(picture.shape[:2]) / float(rng.uniform(8, 25))
    else:
        sample = board(rng)
        assert sample.parts is not None
        picture, parts, side = sample.picture, sample.parts, _side(sample)
    if rng.random() < PHOTOS:
        picture, parts, scale = _photographed(rng, picture, parts)
        side *= scale
    own_px = _between(rng, OWN_PX) if rng.random() < SMALL else side
    if own_px < side:
        picture = _resized(picture, _scaled(picture, own_px / side))
    shown_px = _between(rng, CELL_PX)
    size_wh = _scaled(parts, shown_px / side)
    picture, parts = _resized(picture, size_wh), reduced(parts, size_wh)
    ground = ground_of(picture)
    count = 3 if shown_px < SMALL_PX else 4
    boxes = [_box(rng, parts) for _ in range(count)]
    return [Window(picture[box].copy(), parts[box].copy(), ground) for box in boxes]


def _between(rng: np.random.Generator, bounds: tuple[float, float]) -> float:
    """A number from one to the other, all ratios alike."""
    return float(np.exp(rng.uniform(*np.log(bounds))))


def _scaled(picture: Picture, factor: float) -> tuple[int, int]:
    """Width and height of a picture at another size, at least those of a window."""
    width, height = (max(SIDE_PX, round(length * factor)) for length in picture.shape[1::-1])
    return width, height


def _resized(picture: Picture, size_wh: tuple[int, int]) -> Picture:
    """The picture at another size."""
    kind = cv2.INTER_AREA if size_wh[0] < picture.shape[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size_wh, interpolation=kind), np.uint8)


def reduced(parts: Picture, size_wh: tuple[int, ...]) -> Picture:
    """Parts at another size; thin ones stay."""
    smaller = size_wh[0] < parts.shape[1]
    kind = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR

    def share(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
        return np.asarray(cv2.resize(mask.astype(np.float32), size_wh, interpolation=kind), np.float32)

    shares = np.array([share(parts % INK == k) for k in range(len(SURFACES))])
    shares[[SURFACES.index("thread"), SURFACES.index("outline")]] *= WALLS
    return np.asarray(shares.argmax(axis=0) + np.where(INKED * share(parts >= INK) > 0.5, INK, 0), np.uint8)


def _side(sample: Sample) -> float:
    """The side of the usual cell, in pixels."""
    if "mesh" in sample.truth:
        areas = [cv2.contourArea(np.array(cell, np.float32)) for cell in sample.truth["mesh"].values()]
        return float(np.sqrt(np.median(areas)))
    (left, top), _, (right, bottom), _ = sample.truth["corners"]
    return float(max((right - left) / sample.truth["cols"], (bottom - top) / sample.truth["rows"]))


def _photographed(rng: np.random.Generator, picture: Picture, parts: Picture) -> tuple[Picture, Picture, float]:
    """A photo of a picture on a flat sheet, its parts, and how many times as large it is there."""
    size_wh = ((1600, 1200), (1200, 900), (2000, 1500))[int(rng.integers(3))]
    photo, to_photo = take(picture, replace(random_shot(rng, size_wh, screen=bool(rng.random() < 0.8)), bend=0.0), rng)
    high, wide = parts.shape
    rim = np.array([(0, 0), (wide - 1, 0), (wide - 1, high - 1), (0, high - 1)], np.float32)
    taken = to_photo(rim).astype(np.float32)
    scale = float(np.sqrt(cv2.contourArea(taken) / (wide * high)))
    if scale < 1:  # thin lines would be lost between the pixels of the photo
        parts = reduced(parts, (max(1, round(wide * scale)), max(1, round(high * scale))))
    shrunk = rim * ((np.array(parts.shape[::-1]) - 1) / (wide - 1, high - 1)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(shrunk, taken)
    warped = cv2.warpPerspective(parts, matrix, photo.shape[1::-1], flags=cv2.INTER_NEAREST)
    return photo, np.asarray(warped, np.uint8), scale


def _box(rng: np.random.Generator, parts: Picture) -> tuple[slice, slice]:
    """Where a window lies: mostly on the board."""
    board = np.argwhere(parts > 0)
    if len(board) and rng.random() >= ANYWHERE:
        middle = board[rng.integers(len(board))] + rng.integers(-ASIDE_PX, ASIDE_PX + 1, 2)
    else:
        middle = rng.integers((0, 0), parts.shape)
    top, left = (int(v) for v in np.clip(middle - SIDE_PX // 2, 0, np.array(parts.shape) - SIDE_PX))
    return slice(top, top + SIDE_PX), slice(left, left + SIDE_PX)
