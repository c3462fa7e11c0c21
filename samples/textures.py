"""Cloth and rope, made of formulas and noise.

The game's boards lie on dark woven cloth, and a finished patch is laid with twisted rope. Neither has an even colour
anywhere, which is what makes them hard to read and worth drawing.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.photo import Picture

Floats = npt.NDArray[np.float32]
Bgr = tuple[int, int, int]


def gradient(size_wh: tuple[int, int], first: Bgr, second: Bgr, angle_deg: float, steps: int = 0) -> Picture:
    """A slope of colour, ``uint8 (h, w, 3)``; in ``steps`` bands where that is not 0."""
    width, height = size_wh
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = np.deg2rad(angle_deg)
    along = x * np.cos(angle) + y * np.sin(angle)
    share = (along - along.min()) / max(1e-6, float(along.max() - along.min()))
    if steps:
        share = np.minimum(np.floor(share * steps), steps - 1) / max(1, steps - 1)
    mixed = np.array(first, np.float32) * (1 - share[..., None]) + np.array(second, np.float32) * share[..., None]
    return np.asarray(mixed.round(), np.uint8)


def cloth(
    size_wh: tuple[int, int], strand_px: float, colour: Bgr, rng: np.random.Generator, depth: float = 1.0
) -> Picture:
    """Cloth woven of strands that go over and under each other at 45 degrees, ``uint8 (h, w, 3)``.

    Args:
        size_wh: of the picture.
        strand_px: width of a strand.
        colour: of its lit side.
        rng: for the fibres.
        depth: how dark the gaps between strands are; 0 is a plain colour.
    """
    width, height = size_wh
    # The pattern repeats after two strands across and along, so one tile of a few repeats is enough.
    repeat = max(4, round(2 * np.sqrt(2) * strand_px))
    tile = repeat * max(1, round(480 / repeat))
    y, x = np.mgrid[0:tile, 0:tile].astype(np.float32) * (2 * np.sqrt(2) / repeat)
    u, v = (x + y) / np.sqrt(2), (x - y) / np.sqrt(2)
    over = (np.floor(u) + np.floor(v)) % 2 == 0
    along = np.where(over, u % 1, v % 1) - 0.5
    across = np.where(over, v % 1, u % 1) - 0.5
    round_shade = np.sqrt(np.clip(1 - (2 * across) ** 2 * 0.92, 0, 1)) * (0.62 + 0.38 * np.cos(np.pi * along))
    fibre = np.where(over, _brushed(tile, 45, strand_px, rng), _brushed(tile, -45, strand_px, rng))
    shade = 1 - depth * (1 - np.clip(round_shade * (0.8 + 0.28 * fibre), 0, 1.25))
    lit = np.clip(shade[..., None] * np.array(colour, np.float32), 0, 255).astype(np.uint8)
    rows, cols = -(-height // tile), -(-width // tile)
    return np.asarray(np.tile(lit, (rows, cols, 1))[:height, :width])


def rope(
    size_wh: tuple[int, int],
    repeat_px: float,
    angle_deg: float,
    colour: Bgr,
    rng: np.random.Generator,
    *,
    depth: float = 1.0,
) -> Picture:
    """Ropes laid side by side, twisted, dark between, ``uint8 (h, w, 3)``.

    Args:
        size_wh: of the picture.
        repeat_px: width of one rope.
        angle_deg: the direction in which they run, 0 along x, y down.
        colour: of the lit side.
        rng: for the fibres and each rope's twist.
        depth: how dark the gaps between ropes are; 0 is a plain colour.
    """
    width, height = size_wh
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = np.deg2rad(angle_deg)
    along = (x * np.cos(angle) + y * np.sin(angle)) / repeat_px
    across = (y * np.cos(angle) - x * np.sin(angle)) / repeat_px + 1000
    which = np.floor(across).astype(np.int64)
    across = (across - which - 0.5).astype(np.float32)
    twist = rng.uniform(0, 1, 4096).astype(np.float32)[which % 4096]
    strands = np.sin(2 * np.pi * (along * 0.55 + across * 0.8 + twist))
    round_shade = np.sqrt(np.clip(1 - (2 * across) ** 2 * 0.95, 0, 1))
    fibre = _brushed(max(width, height), angle_deg + 28, repeat_px, rng)[:height, :width]
    glint = np.clip(_brushed(max(width, height), angle_deg + 20, repeat_px, rng)[:height, :width] - 1.7, 0, 1)
    shade = 0.16 + 0.84 * round_shade * (0.82 + 0.14 * strands + 0.13 * fibre)
    shade = 1 - depth * (1 - shade)
    lit = shade[..., None] * np.array(colour, np.float32) + 110 * depth * (glint * round_shade)[..., None]
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def woven(
    size_wh: tuple[int, int],
    repeat_px: float,
    angle_deg: float,
    colour: Bgr,
    rng: np.random.Generator,
    *,
    depth: float = 1.0,
) -> Picture:
    """Any pattern that repeats, ``uint8 (h, w, 3)``: noise drawn out in a direction, or strokes.

    Args:
        size_wh: of the picture.
        repeat_px: after which the pattern repeats along its first side; along the other after half to twice as much.
        angle_deg: the direction of the first side, 0 along x, y down.
        colour: of its lit side.
        rng: for the pattern.
        depth: how dark it gets; 0 is a plain colour.
    """
    shade = _noise(rng) if rng.random() < 0.5 else _strokes(rng)
    other_px = repeat_px * float(np.exp(rng.uniform(np.log(0.5), np.log(2.0))))
    across = angle_deg + 90 + float(rng.normal(0, 15))
    y, x = np.mgrid[0 : size_wh[1], 0 : size_wh[0]].astype(np.float32)
    u, v = (
        np.asarray((x * np.cos(turn) + y * np.sin(turn)) / length * _TILE_PX % _TILE_PX, np.float32)
        for turn, length in ((np.deg2rad(angle_deg), repeat_px), (np.deg2rad(across), other_px))
    )
    tiled = cv2.remap(shade, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    lit = (1 - depth * (1 - tiled))[..., None] * np.array(colour, np.float32)
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


_TILE_PX = 48
"""Sides of the tile of a woven pattern."""

_WAYS = ((1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, -2))
"""Directions of strokes, in sides of the tile: they go on beyond it."""


def _noise(rng: np.random.Generator) -> Floats:
    """A tile of noise drawn out in a direction, with soft or hard edges: ``float32``, 0..1."""
    noise = rng.standard_normal((_TILE_PX, _TILE_PX)).astype(np.float32)
    wide, high = _TILE_PX * np.exp(rng.uniform(np.log(0.06), np.log(0.4), 2))
    tile = _blurred(noise, float(wide), float(high))
    steep = float(np.exp(rng.uniform(np.log(0.7), np.log(6.0))))
    level = (tile - np.quantile(tile, rng.uniform(0.1, 0.6))) / max(1e-6, float(tile.std()))
    return np.asarray(1 / (1 + np.exp(-steep * level)), np.float32)


def _strokes(rng: np.random.Generator) -> Floats:
    """A tile of stripes, dashes, bricks or crossing bundles, the later ones on the earlier: ``float32``, 0..1."""
    y, x = np.mgrid[0:_TILE_PX, 0:_TILE_PX] / _TILE_PX
    shade = np.full((_TILE_PX, _TILE_PX), rng.uniform(0.2, 0.8), np.float32)
    for _ in range(int(rng.integers(1, 6))):
        right, down = _WAYS[int(rng.integers(len(_WAYS)))]
        across = (right * y - down * x) * int(rng.integers(1, 5)) + rng.random()
        # Each stroke may begin half a dash later than the one beside it, as bricks do.
        along = (right * x + down * y) * int(rng.integers(1, 4)) + np.floor(across) * rng.choice([0.0, 0.5])
        stroke = (across % 1 < rng.uniform(0.1, 0.7)) & (along % 1 < rng.choice([1.0, rng.uniform(0.3, 0.95)]))
        shade[stroke] = rng.random()
    return _blurred(shade, 0.6, 0.6)


def _blurred(tile: Floats, wide: float, high: float) -> Floats:
    """A tile out of focus, that goes on beyond its sides; by how many pixels each way."""
    wrapped = cv2.copyMakeBorder(tile, _TILE_PX, _TILE_PX, _TILE_PX, _TILE_PX, cv2.BORDER_WRAP)
    smooth = cv2.GaussianBlur(wrapped, (0, 0), sigmaX=wide, sigmaY=high)
    return np.asarray(smooth[_TILE_PX : 2 * _TILE_PX, _TILE_PX : 2 * _TILE_PX], np.float32)


def _brushed(side: int, angle_deg: float, strand_px: float, rng: np.random.Generator) -> Floats:
    """Noise drawn out along a direction, mean 0 and spread 1, ``float32 (side, side)``."""
    length = max(3, round(1.1 * strand_px)) | 1
    kernel = np.zeros((length, length), np.float32)
    middle = length // 2
    reach = np.array([np.cos(np.deg2rad(angle_deg)), np.sin(np.deg2rad(angle_deg))]) * middle
    (x0, y0), (x1, y1) = ((middle + sign * reach).round().astype(int).tolist() for sign in (-1, 1))
    cv2.line(kernel, (x0, y0), (x1, y1), (1.0,))
    noise = rng.standard_normal((side, side), dtype=np.float32)
    # filter2D cannot wrap round by itself.
    wrapped = cv2.copyMakeBorder(noise, middle, middle, middle, middle, cv2.BORDER_WRAP)
    drawn = cv2.filter2D(wrapped, -1, kernel)[middle : middle + side, middle : middle + side]
    return np.asarray(drawn / max(1e-6, float(drawn.std())), np.float32)
