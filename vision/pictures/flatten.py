"""A board laid flat: the picture of its cells as if each were a square of the same size.

The picture is first brought down to about the wanted size by averaging over areas, so that hairlines get fainter
instead of vanishing between two samples, and only then bent straight.
"""

from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.bending import BentPlacement, OnSheet, rotated
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, Placement, box_corners

T = TypeVar("T", bound=np.generic)


def cell_side_px(placement: Placement) -> float:
    """The mean side of a cell in pixels, measured along the frame of the board."""
    width, height = placement.size
    corners = box_corners(placement)
    around = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).sum()
    return float(around / (2 * (width + height)))


REMEMBERED = 4
"""Flat boards that are kept of a picture, the last ones: a board is asked about several times while it is read."""


def flatten(photo: Photo, placement: Placement, side_px: int) -> Picture:
    """The board as ``uint8 (rows * side_px, cols * side_px, 3)``, every cell ``side_px`` wide and high; not to be
    written into.

    What lies outside the picture repeats the pixels at its rim.
    """
    known = photo.derive(_flats)
    key = (placement, side_px)
    flat = known.pop(key) if key in known else _flattened(photo, placement, side_px)
    known[key] = flat
    if len(known) > REMEMBERED:
        del known[next(iter(known))]
    return flat


def cut_into_cells(flat: npt.NDArray[T], side: int) -> npt.NDArray[T]:
    """A flat board ``(rows * side, cols * side, ...)`` cut into its cells: ``(rows, cols, side, side, ...)``, a view
    where possible.
    """
    rows, cols = flat.shape[0] // side, flat.shape[1] // side
    return flat.reshape(rows, side, cols, side, *flat.shape[2:]).swapaxes(1, 2)


def quarter_turned(picture: Picture, quarters: int) -> Picture:
    """The picture turned clockwise by so many quarters, its pixels in memory row by row."""
    return np.ascontiguousarray(np.rot90(picture, -quarters))


def upended(photo: Photo, placement: OnSheet, quarters: int) -> OnSheet:
    """The same place turned clockwise by so many quarters; the flat pictures of it that are remembered are turned as
    well: what was made out there need not be made out again.
    """
    turned = rotated(placement, quarters)
    known = photo.derive(_flats)
    for (place, side_px), flat in list(known.items()):
        if place is placement:
            known[turned, side_px] = quarter_turned(flat, quarters)
            known[turned, side_px].flags.writeable = False
    return turned


def _flats(_: Photo) -> dict[tuple[Placement, int], Picture]:
    """The flat boards of a picture, by place and side of a cell; none at first."""
    return {}


def _flattened(photo: Photo, placement: Placement, side_px: int) -> Picture:
    cols, rows = (round(length) for length in placement.size)
    factor = side_px / cell_side_px(placement)
    if isinstance(placement, FlatPlacement):
        corners = placement.to_photo([(0, 0), (cols, 0), (cols, rows), (0, rows)])
        bgr, to_part = photo.part(corners, factor)
        flat = _flatten_flat(bgr, to_part @ placement.matrix, (cols * side_px, rows * side_px), side_px)
    else:
        # A mesh has a kink at each line; what is smooth is computed at a few places and interpolated.
        step = max(1, side_px // SMOOTH) if isinstance(placement, BentPlacement) else 1
        where = _places(placement, (cols, rows), side_px, step)
        x, y = cv2.split(where)  # least and most are found many times faster in one axis at a time
        bgr, to_part = photo.part(np.array([(x.min(), y.min()), (x.max(), y.max())], dtype=np.float64), factor)
        x, y = (at * np.float32(to_part[k, k]) + np.float32(to_part[k, 2]) for k, at in enumerate((x, y)))
        flat = np.asarray(cv2.remap(bgr, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
    flat.flags.writeable = False
    return flat


UNTILTED = 1e-6
"""A homography whose scale changes less than this from side to side is affine, as on screens; that is faster."""

SMOOTH = 3
"""Places in a cell, each way, at which a smooth bend is computed: between them it is straight to a thousandth."""


def _places(placement: Placement, size: tuple[int, int], side_px: int, step: int) -> npt.NDArray[np.float32]:
    """Where each pixel of the flat picture lies in the photo, ``float32 (H, W, 2)``, computed at every ``step``-th."""
    width, height = (cells * side_px for cells in size)
    # Pixel i of the flat picture covers i .. i + 1 in units of 1 / side_px.
    x, y = np.meshgrid(*((np.arange(0, length + step, step) + 0.5) / side_px for length in (width, height)))
    coarse = placement.to_photo(np.column_stack([x.ravel(), y.ravel()])).astype(np.float32).reshape(*x.shape, 2)
    if step == 1:
        return coarse[:height, :width]
    shrink = np.array([[1 / step, 0, 0], [0, 1 / step, 0]])
    fine = cv2.warpAffine(coarse, shrink, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return np.asarray(fine, dtype=np.float32)


def _flatten_flat(bgr: Picture, matrix: npt.NDArray[np.float64], size_wh: tuple[int, int], side_px: int) -> Picture:
    """The same for a homography from board units to pixels, which OpenCV applies by itself much faster."""
    step = 1 / side_px
    from_flat = matrix @ np.array([(step, 0, step / 2), (0, step, step / 2), (0, 0, 1)])
    how, beyond = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, cv2.BORDER_REPLICATE
    if np.abs(from_flat[2, :2]).max() * max(size_wh) < UNTILTED * abs(from_flat[2, 2]):
        flat = cv2.warpAffine(bgr, from_flat[:2] / from_flat[2, 2], size_wh, flags=how, borderMode=beyond)
    else:
        flat = cv2.warpPerspective(bgr, from_flat, size_wh, flags=how, borderMode=beyond)
    return np.asarray(flat, dtype=np.uint8)
