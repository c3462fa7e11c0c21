"""Cells between threads: the game's cloth, on which a board is drawn by thin light threads and a coloured outline.

Cells and background are the same woven cloth, so nothing can be told by colour inside a cell; but nothing on bare cloth
is as light as a thread and nothing as colourful as the outline, a filled patch or a clue. What is neither is open
cloth; it falls apart into cells where threads run. Narrow leaks through gaps of a thread are cut by growing the cells
again from their middles.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.boards.quads import SEARCH_PX
from vision.clues.numerals import ISLAND, SHADE, beneath, by_dye, disc, islands, numerals
from vision.pictures.medians import median, percentile
from vision.pictures.photo import Photo, Picture

LONGEST_PX = 1400
"""Threads are looked for at this size: on a capture of a tablet they are still two pixels wide."""

THREAD_PART = 0.011
"""The width of what still counts as thin, as a part of the picture's longer side: three times a thread's."""

COLOURFUL = 0.27
"""Chroma, as a part of the full range, from which something is dyed: cloth and threads have less than half of it."""

OVER_TEXTURE = 2.0
"""How much more a thread stands out than the weave of the cloth does at its lightest tenth."""

LEAST_RISE = 0.15
"""How much a thread stands out at least, as a part of the full range."""

BRIGHT = 0.3
"""What is lighter than most of the picture by this part of the full range covers cloth; cloth varies by half of it."""

SPECK = 1.0
"""What is shorter than this many thread widths is weave, not thread."""

GAP = 0.6
"""The gaps of a thread that are closed at once, in thread widths."""

BROAD, BROAD_IN_CELL = 1.5, 0.28
"""What is wider than this many thread widths, or than this part of a cell's side, is no thread: outlines and the
strokes of clues are half as wide."""

ROPE = 0.1
"""How much a filled patch differs from cloth in some colour once all that is thin is gone, as a part of the full range:
the darkest rope twice as much, cloth a third of it."""

SEAM, SEAM_IN_CELL = 0.5, 0.08
"""How far a cell reaches onto the threads round it, in what still counts as the width of a thread, and as a part of the
cell's side, whichever is less: half of an outline's width."""

MIDDLE = 0.55
"""The middle of a cell: what is farther from any thread than this part of the usual cell's farthest point."""

LEAST_CELL, MOST_CELL = 0.12, 4.0
"""The area of a cell, compared with the usual one; beyond lie specks and the ground."""

LEAST_PART, MOST_PART = 0.0003, 0.1
"""The area of a cell, as a part of the picture."""

DARK, GREY = 0.3, 0.1
"""How light in every colour, and how colourful, cloth is at most, as a part of the full range: the game's own has half
of the one and two thirds of the other."""

BARE = 0.4
"""So much of a picture must be bare cloth: of one cut to a board with most of its patches filled hardly more may be."""

LEAST_CLUE = 0.006
"""The area of a clue's ink, as a part of its cell: a thin 1 has two thirds more."""

OWN_DYE = 0.3
"""The part of a number that is of its own dye: along its strokes it blends with the cloth."""

FILLS_BOX = 0.9
"""The part of its upright box that a straight cell fills at least: nearly all of it, a bent one 0.85 at most."""


LIGHTEST = 99.9
"""Percentile of the strongest colours that stands for the lightest of them: a glint or a dead pixel is none."""

DIM = 0.9
"""Less of the full range in the lightest colour is too dark: of lit screens and paper all had 0.93 and more."""


Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Cloth:
    """The open cells of a board of threads.

    Attributes:
        labels: ``int32 (H, W)`` at reduced size: the number of the cell that a pixel belongs to, counted from 1,
            threads shared out to the nearest cell; 0 elsewhere.
        count: how many cells.
        dyed: ``bool (H, W)``: outline, filled patches, clues.
        rope: ``bool (H, W)``: filled patches, and all else that is broad and no cloth.
        clues: ``uint8 (H, W)``: 255 on clues: what is dyed and small, or stands alone.
        side_px: the side of the usual cell, in pixels at reduced size.
        scale: pixels at reduced size per pixel of the photo.
    """

    labels: npt.NDArray[np.int32]
    count: int
    dyed: npt.NDArray[np.bool_]
    rope: npt.NDArray[np.bool_]
    clues: Picture
    side_px: float
    scale: float


def open_cells(photo: Photo) -> Cloth | None:
    """The cells of bare cloth between threads, or None when there are none."""
    small = photo.reduced(LONGEST_PX)
    width_px = _width_px(small.bgr)
    dyed, ink, specks = _ink(small.bgr, width_px)
    gaps = _gaps(width_px)
    closed = np.asarray(cv2.morphologyEx(ink, cv2.MORPH_CLOSE, gaps), dtype=np.uint8)
    broad_px = BROAD * width_px
    rope = _rope(small.bgr, broad_px)
    usual = _usual_area(np.where(rope, 255, closed).astype(np.uint8))
    if usual is None:
        return None
    side_px = float(np.sqrt(usual))
    if BROAD_IN_CELL * side_px < broad_px:  # patches of small cells are not much wider themselves
        rope = _rope(small.bgr, BROAD_IN_CELL * side_px)
    longest_px = ISLAND * side_px
    rope &= ~islands(rope.astype(np.uint8), longest_px)  # those were the broad strokes of large clues
    covered = (ink > 0) | dyed
    layers = [covered & ~rope, *by_dye(small.bgr, dyed & ~rope)]
    photo.budget.spend(0)
    numbers = numerals(np.where(covered | rope, 255, 0).astype(np.uint8), layers, specks & ~rope, gaps, side_px)
    foreign = layers[-1] if len(layers) > 2 else np.zeros_like(numbers)
    outline = _cut_off(numbers, foreign, side_px)
    numbers &= ~outline
    lines = np.where(numbers, 0, ink).astype(np.uint8)
    lines[beneath(lines, numbers & ~rope, side_px, photo.budget)] = 255
    closed = np.asarray(cv2.morphologyEx(lines, cv2.MORPH_CLOSE, gaps), dtype=np.uint8)
    closed[rope] = 255
    loose = islands(closed, longest_px) & ~outline
    closed[loose] = 0
    clues = np.where(numbers, 255, np.where(loose, ink, 0)).astype(np.uint8)  # a small number is as short as a speck
    seeds = _middles(closed)
    if seeds is None:
        return None
    labels = _without_seams(_grown(seeds, closed), seam_px(small.bgr, side_px))
    count = int(labels.max())
    areas = np.bincount(labels.ravel(), minlength=count + 1)[1:]
    side_px = float(np.sqrt(median(areas)))
    return Cloth(labels, count, dyed, rope, clues, side_px, small.scale / photo.scale)


def _cut_off(numbers: Bools, foreign: Bools, side_px: float) -> Bools:
    """Pieces of the outline beside numbers of another dye: these and their shadows cut them off."""
    count, pieces, _, _ = cv2.connectedComponentsWithStats(numbers.astype(np.uint8), connectivity=8)
    sizes = np.maximum(1, np.bincount(pieces.ravel(), minlength=count))
    other = np.bincount(pieces.ravel(), foreign.ravel(), count) > OWN_DYE * sizes
    other[0] = False
    near = cv2.dilate(other[pieces].astype(np.uint8), disc(round(2 * SHADE * side_px) | 1)) > 0
    beside = np.unique(pieces[near & ~other[pieces]])
    return np.isin(pieces, beside[beside > 0])


def fully_lit(photo: Photo) -> Photo:
    """The picture with its lightest colour at full range; itself where that is so already, or all of it is black."""
    lightest = photo.derive(_lightest)
    return photo if lightest >= DIM or lightest <= 0 else photo.derive(_lit)


def _lightest(photo: Photo) -> float:
    """The lightest colour, as a part of the full range."""
    return percentile(photo.reduced(SEARCH_PX).bgr.max(axis=2), LIGHTEST) / 255


def _lit(photo: Photo) -> Photo:
    gain = 1 / photo.derive(_lightest)
    return Photo(
        np.asarray(cv2.convertScaleAbs(photo.bgr, alpha=gain), np.uint8), photo.path, photo.scale, photo.budget
    )


def plainly_bent(photo: Photo) -> bool:
    """Whether a small picture shows dark cloth already, and pieces of it that are no upright boxes; 30 milliseconds."""
    bgr = photo.reduced(SEARCH_PX).bgr
    lightness, chroma = lightness_and_chroma(bgr)
    if ((lightness <= DARK * 255) & (chroma <= GREY * 255)).mean() < BARE:
        return False
    width_px = _width_px(bgr)
    ink = _ink(bgr, width_px).ink
    parts = _cell_parts(np.asarray(cv2.morphologyEx(ink, cv2.MORPH_CLOSE, _gaps(width_px)), dtype=np.uint8))
    areas = parts[:, cv2.CC_STAT_AREA]
    boxes = parts[:, cv2.CC_STAT_WIDTH] * parts[:, cv2.CC_STAT_HEIGHT]
    return len(parts) > 1 and _usual(areas / boxes, areas) < FILLS_BOX


def lightness_and_chroma(bgr: Picture) -> tuple[Picture, Picture]:
    """How light each pixel is in all three colours, and how colourful; ``uint8 (H, W)`` each."""
    blue, green, red = cv2.split(bgr)  # many times faster than a minimum over the last axis
    low, high = cv2.min(cv2.min(blue, green), red), cv2.max(cv2.max(blue, green), red)
    return np.asarray(low, dtype=np.uint8), np.asarray(high - low, dtype=np.uint8)


def seam_px(bgr: Picture, side_px: float) -> float:
    """How far open cells with this side reach onto the threads round them, in a picture of reduced size."""
    return min(SEAM * _width_px(bgr), SEAM_IN_CELL * side_px)


def _width_px(bgr: Picture) -> int:
    """The width of what still counts as thin."""
    return max(5, int(THREAD_PART * max(bgr.shape[:2]) + 0.5) | 1)


def _gaps(width_px: int) -> Picture:
    """The brush that closes the gaps of a thread."""
    return disc(max(3, round(GAP * width_px) | 1))


class _Ink(NamedTuple):
    """What is dyed, all that covers the cloth: 255 there, and what may do so but is as short as a glint."""

    dyed: npt.NDArray[np.bool_]
    ink: Picture
    specks: npt.NDArray[np.bool_]


def _ink(bgr: Picture, width_px: int) -> _Ink:
    lightness, chroma = lightness_and_chroma(bgr)  # a thread is light in all three colours
    dyed = chroma > COLOURFUL * 255
    rise = cv2.morphologyEx(lightness, cv2.MORPH_TOPHAT, disc(width_px))
    weave = np.percentile(rise[chroma < COLOURFUL * 255 / 2][::7], 90) if (chroma < COLOURFUL * 255 / 2).any() else 0
    bright = lightness > median(lightness) + BRIGHT * 255  # strokes of large pale clues are too broad to stand out
    thread = ((rise > max(OVER_TEXTURE * weave, LEAST_RISE * 255)) | bright) & ~dyed
    every = np.where(dyed | thread, 255, 0).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(every, connectivity=8)
    long_enough = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]) > SPECK * width_px
    long_enough[0] = False
    ink = np.where(long_enough[labels], 255, 0).astype(np.uint8)
    return _Ink(dyed, ink, (every > 0) & (ink == 0))


def _rope(bgr: Picture, broad_px: float) -> npt.NDArray[np.bool_]:
    """Where filled patches lie: what is not as dark and grey as cloth once medians took all that is thin away."""
    broad = max(3, round(broad_px) | 1)
    plain = np.asarray(cv2.medianBlur(bgr, broad), dtype=np.uint8)
    grey = lightness_and_chroma(plain)[1] < COLOURFUL * 255 / 2
    other = np.zeros(grey.shape, dtype=np.uint8)
    for colour in cv2.split(plain):
        cloth = median(colour[grey]) if grey.any() else 0.0
        other[colour > cloth + ROPE * 255] = 255
    return np.asarray(cv2.morphologyEx(other, cv2.MORPH_OPEN, disc(broad)) > 0, dtype=np.bool_)


def _usual_area(closed: Picture) -> float | None:
    """The usual area of what may be a cell, in pixels."""
    areas = _cell_parts(closed)[:, cv2.CC_STAT_AREA].astype(np.float64)
    return _usual(areas, areas) if len(areas) > 1 else None


def _cell_parts(closed: Picture) -> npt.NDArray[np.int32]:
    """Box and area of each piece of bare cloth that may be a cell, ``int32 (N, 5)``."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(255 - closed, connectivity=4)
    kept = [part for part in stats[1:] if _may_be_cells(part, closed.shape)]
    return np.array(kept, dtype=np.int32).reshape(-1, stats.shape[1])


def _usual(values: npt.NDArray[Any], areas: npt.NDArray[Any]) -> float:
    """The median, weighted by what may be their sides: the many shadows between the strands of a rope count for little,
    and a large hole in a board, of which there are few cells to be seen, not for more than those.
    """
    order = np.argsort(values)
    cumulated = np.cumsum(np.sqrt(areas)[order])
    return float(values[order[np.searchsorted(cumulated, cumulated[-1] / 2)]])


def _middles(closed: Picture) -> npt.NDArray[np.int32] | None:
    """The middles of the cells, numbered from 1; 0 elsewhere."""
    depth = cv2.distanceTransform(255 - closed, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(255 - closed, connectivity=4)
    plausible = np.array([False, *(_may_be_cells(part, closed.shape) for part in stats[1:])])
    if plausible.sum() < 2:
        return None
    deepest = np.zeros(len(stats))
    for index in np.nonzero(plausible)[0]:
        left, top, width, height = stats[index, :4]
        box = np.s_[top : top + height, left : left + width]
        deepest[index] = depth[box][labels[box] == index].max()
    # A small cell is measured by itself; one that leaks into others is as deep as any, and held to the usual depth.
    usual_depth = _usual(deepest[plausible], stats[plausible, cv2.CC_STAT_AREA])
    enough = MIDDLE * np.minimum(deepest, usual_depth)
    kept = plausible[labels] & (depth > enough[labels])
    count, seeds, seed_stats, _ = cv2.connectedComponentsWithStats(kept.astype(np.uint8), connectivity=4)
    areas = seed_stats[:, cv2.CC_STAT_AREA].astype(np.float64)
    usual = _usual(areas[1:], areas[1:]) if count > 1 else 0.0
    good = (areas > LEAST_CELL * usual) & (areas < MOST_CELL * usual)
    good[0] = False
    numbers = np.where(good, np.cumsum(good), 0).astype(np.int32)
    return numbers[seeds] if good.sum() > 1 else None


def _may_be_cells(part: npt.NDArray[np.int32], shape: Sequence[int]) -> bool:
    """Whether a piece of bare cloth is as large as cells are, and does not reach the rim of the picture."""
    left, top, width, height, area = (int(v) for v in part)
    inside = left > 1 and top > 1 and left + width < shape[1] - 1 and top + height < shape[0] - 1
    return inside and LEAST_PART < area / (shape[0] * shape[1]) < MOST_PART


def _grown(seeds: npt.NDArray[np.int32], closed: Picture) -> npt.NDArray[np.int32]:
    """Cells grown from their middles over the cloth; where middles share a piece of it, each takes what is near."""
    cloth = (closed == 0).astype(np.uint8)
    count, parts = cv2.connectedComponents(cloth, connectivity=4)
    owned = np.zeros(count, dtype=bool)
    owned[np.unique(parts[seeds > 0])] = True
    nearest, _ = nearest_label(seeds)
    return np.where((cloth > 0) & owned[parts], nearest, 0).astype(np.int32)


def _without_seams(labels: npt.NDArray[np.int32], widest_px: float) -> npt.NDArray[np.int32]:
    """The threads between cells, shared out to the cell nearest to them."""
    nearest, away = nearest_label(labels)
    return np.where(away <= widest_px, nearest, 0).astype(np.int32)


def nearest_label(labels: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    """For each pixel the nearest label, and how far away it is in pixels."""
    away, index = cv2.distanceTransformWithLabels(
        (labels == 0).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_5, labelType=cv2.DIST_LABEL_PIXEL
    )
    owner = np.zeros(int(index.max()) + 1, dtype=np.int32)
    inside = labels > 0
    owner[index[inside]] = labels[inside]
    return owner[index], np.asarray(away, dtype=np.float32)
