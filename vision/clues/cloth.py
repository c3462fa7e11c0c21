"""A bent board pixel by pixel: open cells between threads, filled patches, numbers, the outline, and what is none.

A small fully convolutional network [1]_ tells which of :data:`SURFACES` is seen where, and where numbers stand. It was
taught on drawn boards (:mod:`samples.train_cloth`): cloth, rope and the light on them are of any colour there, and
threads are faint. What it calls the middle of a cell is grown to the threads round it, and each pixel between is shared
out to the nearest cell.

References:
    .. [1] O. Ronneberger, P. Fischer, T. Brox, "U-Net: Convolutional Networks for Biomedical Image Segmentation",
       MICCAI 2015.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import Convolutional, Floats, ground_of, picture_input
from vision.pictures.masks import disc
from vision.pictures.medians import median, weighted_median
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import Points

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]

Surface = Literal["ground", "cell", "thread", "outline", "patch"]
"""What a pixel shows, or what lies there under a number."""

SURFACES: tuple[Surface, ...] = get_args(Surface)
"""In the order of the network's outputs; the last output is the log odds that a number stands there."""

WALLS = {SURFACES.index("thread"), SURFACES.index("outline")}
"""What parts cells, patches and ground."""

NETWORK = Path(__file__).with_name("cloth.onnx")

SMALL_PX, ENLARGED_PX, LARGE_PX = 700, 1000, 1400
"""Longest side of the picture that the network is given first, at most where it is enlarged, and at most."""

ENOUGH_PX, AS_LARGE = 70.0, 1.2
"""The side of a cell that is enough, and how many times as large it has to become to be looked at again."""

NEAR, AROUND = 0.4, 2.0
"""What lies no farther from a part of the board, in cells, hangs together with it; and what is looked at round it."""

COARSE = 2
"""Pixels, each way, that the network tells at a time."""

STRIDE = 16
"""The sides of what the network is given are multiples of this."""

BORDER = 30.0
"""What a border between two surfaces without a wall costs, in nats for each pixel that the network tells."""

SEAM = 0.08
"""How far a cell reaches onto the threads round it, as a part of its side: half of an outline's width."""

NECK = 0.55
"""Middles of cells between which nothing is nearer to a thread than this part of the lower one's distance are one."""

STEP = 0.75
"""Depths of a flood from one to the next."""

SIDES = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
"""A pixel and those that have a side in common with it."""

LEAST_CELL, MOST_CELL = 0.12, 4.0
"""The area of a cell, compared with the usual one; beyond lie specks and holes."""

LEAST_PX = 8
"""The side of a cell, in pixels that the network is given, below which nothing is told of it."""

LEAST_CLUE = 0.006
"""The area of a clue's ink, as a part of its cell: a thin 1 has two thirds more."""

FILLS_BOX = 0.9
"""The part of its upright box that a straight cell fills at least: nearly all of it, a bent one 0.85 at most."""

MOST_DIGITS, CELLS_A_DIGIT, FEWEST_CELLS = 2, 2, 12
"""Digits on a cell at most; cells of a board for each digit on it, about; and cells of a board, at least."""

BETWEEN_DIGITS = 0.16
"""Between the digits of a number, in cells, at most."""

_network = Convolutional(NETWORK)


@dataclass(frozen=True, eq=False)
class Cloth:
    """The parts of a bent board.

    Attributes:
        labels: ``int32 (H, W)`` at reduced size: the number of the open cell that a pixel belongs to, counted from 1,
            threads shared out to the nearest cell; 0 elsewhere.
        count: how many open cells.
        surface: ``uint8 (H, W)``: the likeliest of :data:`SURFACES`, by its place there.
        ink: ``bool (H, W)``: where numbers stand.
        side_px: the side of the usual cell, in these pixels.
        shown: ``uint8 (H, W, 3)``: the part of the photo that was looked at, at this size.
        scale: pixels of it per pixel of the photo.
        origin_px: ``(x, y)``, the pixel of the photo at which it begins.
    """

    labels: Ints
    count: int
    surface: Picture
    ink: Bools
    side_px: float
    shown: Picture
    scale: float = 1.0
    origin_px: tuple[int, int] = (0, 0)

    def to_photo(self, points: Points) -> Points:
        """Pixels of the photo, of points in these pixels, ``(N, 2)``."""
        return np.asarray((points + 0.5) / self.scale - 0.5 + self.origin_px)

    def from_photo(self, points: Points) -> Points:
        """The inverse of :meth:`to_photo`."""
        return np.asarray((points - self.origin_px + 0.5) * self.scale - 0.5)

    def shows(self, surface: Surface) -> Bools:
        """``bool (H, W)``: where a surface is seen, or lies under a number."""
        return np.asarray(self.surface == SURFACES.index(surface))

    @cached_property
    def clues(self) -> Bools:
        """``bool (H, W)``: where numbers beside filled patches are seen."""
        return np.asarray(self.ink & ~self.rope)

    @cached_property
    def walls(self) -> Bools:
        """``bool (H, W)``: where threads and the outline are seen."""
        return self.shows("thread") | self.shows("outline")

    @cached_property
    def rope(self) -> Bools:
        """``bool (H, W)``: where filled patches are seen."""
        return self.shows("patch")

    @cached_property
    def numbers(self) -> list[Bools]:
        """The numbers on filled patches, ``bool (H, W)`` each."""
        ink = self.ink & self.rope
        joined = cv2.dilate(ink.astype(np.uint8), disc(max(3, round(BETWEEN_DIGITS * self.side_px) | 1)))
        count, groups = cv2.connectedComponents(joined, connectivity=8)
        sizes = np.bincount(np.asarray(groups)[ink], minlength=count)
        least = LEAST_CLUE * self.side_px**2
        return [np.asarray((groups == i) & ink) for i in range(1, count) if sizes[i] >= least]


def open_cells(photo: Photo) -> Cloth | None:
    """The parts of a bent board, or None where no open cells are seen.

    Where they lie, the picture tells at a small size; then the board is looked at as large as it is seen best.
    """
    found = _at_size(photo, SMALL_PX) or _at_size(photo, LARGE_PX)
    # At a small size cells may run together: how large they are is seen better each time.
    while found is not None:
        photo.budget.spend(0)
        left, top, right, bottom = _box(found, photo)
        part = photo.bgr[top:bottom, left:right]
        longest_px = max(part.shape[:2])
        most = min(LARGE_PX / longest_px, max(1.0, ENLARGED_PX / longest_px))
        scale = min(ENOUGH_PX / found.side_px * found.scale, most)
        if scale <= AS_LARGE * found.scale:
            break
        kind = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        shown = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=kind), np.uint8)
        found = _segmented(photo, shown, ground_of(photo.reduced(SMALL_PX).bgr), scale, (left, top))
    return found


def is_bent(cloth: Cloth) -> bool:
    """Whether the open cells are no upright boxes."""
    areas, boxes = _areas(cloth.labels), boxes_of(cloth.labels)
    filled = areas / np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    return bool(weighted_median(filled, np.sqrt(areas)) < FILLS_BOX)


def _at_size(photo: Photo, longest_px: int) -> Cloth | None:
    photo.budget.spend(0)
    small = photo.reduced(longest_px)
    return _segmented(photo, small.bgr, ground_of(small.bgr), small.scale / photo.scale, (0, 0))


def _box(cloth: Cloth, photo: Photo) -> tuple[int, int, int, int]:
    """``left, top, right, bottom`` of what hangs together with most of the open cells, and of what lies round it."""
    reach = disc(2 * round(NEAR * cloth.side_px) + 1)
    _, pieces = cv2.connectedComponents(cv2.dilate(cloth.surface, reach).clip(0, 1), connectivity=8)
    board = np.bincount(np.asarray(pieces)[cloth.labels > 0]).argmax()
    rows, cols = np.nonzero(pieces == board)
    more = AROUND * cloth.side_px
    low, high = np.array([cols.min(), rows.min()]) - more, np.array([cols.max(), rows.max()]) + more
    corners = cloth.to_photo(np.array([low, high]))
    (left, top), (right, bottom) = np.clip(np.rint(corners), 0, (photo.width, photo.height)).astype(int).tolist()
    return left, top, right, bottom


def _segmented(
    photo: Photo, shown: Picture, ground: npt.NDArray[np.float64], scale: float, origin_px: tuple[int, int]
) -> Cloth | None:
    """The parts of a bent board in a part of a photo whose median colour is ``ground``."""
    surface, ink = surface_and_ink(shown, ground)
    photo.budget.spend(0)
    labels = _cells(surface == SURFACES.index("cell"))
    count = int(labels.max())
    if not count:
        return None
    covered = (labels > 0) | (surface == SURFACES.index("patch"))
    side_px = _side_px(labels, ink, int(np.count_nonzero(covered)))
    nearest, away = nearest_label(labels)  # threads are shared out to the cell nearest to them
    owned = np.where(away <= SEAM * side_px, nearest, 0)
    return Cloth(owned, count, surface, ink, side_px, shown, scale, origin_px)


def _side_px(labels: Ints, ink: Bools, covered: int) -> float:
    """The side of the usual cell, of those that together with filled patches have ``covered`` pixels.

    A cell has one number at most, and a board some cells at least: else several ran together.
    """
    _, digits = cv2.connectedComponents((ink & (labels > 0)).astype(np.uint8), connectivity=8)
    counts = np.bincount(_pairs(labels, np.asarray(digits, np.int32))[:, 0])[1:] - 1  # bare cloth is a part as well
    cells = np.where(counts > MOST_DIGITS, CELLS_A_DIGIT * counts, 1)
    return float(np.sqrt(min(median(_areas(labels) / cells), covered / FEWEST_CELLS)))


def surface_and_ink(bgr: Picture, ground: npt.NDArray[np.float64]) -> tuple[Picture, Bools]:
    """The likeliest of :data:`SURFACES` for each pixel of a part of a picture whose median colour is ``ground``, and
    whether a number stands there: ``uint8 (H, W)``, ``bool (H, W)``.
    """
    height, width = bgr.shape[:2]
    output = _network(picture_input(bgr, ground, STRIDE))[0]
    *scores, inked = (
        np.asarray(cv2.resize(score, None, fx=COARSE, fy=COARSE, interpolation=cv2.INTER_LINEAR)[:height, :width])
        for score in (*_coherent(output[:-1]), output[-1])
    )
    surface, most = np.zeros((height, width), np.uint8), scores[0]
    for index, score in enumerate(scores):  # (several times as fast as the place of the largest over the first axis)
        surface = np.where(score > most, np.uint8(index), surface)
        most = np.maximum(most, score)
    thread, outline = SURFACES.index("thread"), SURFACES.index("outline")
    walls = (surface == thread) | (surface == outline)
    outlined = _log_odds_of_outline(bgr, scores[outline] - scores[thread], walls) > 0
    surface = np.where(walls, np.where(outlined, np.uint8(outline), np.uint8(thread)), surface)
    return surface, inked > 0


def _coherent(scores: Floats) -> Floats:
    """The scores ``(len(SURFACES), H, W)``, those of two surfaces exchanged where one of them is a scrap of the other.

    Between walls a change from one surface to another costs :data:`BORDER` a pixel, as in a Potts model [1]_. Connected
    components take the surface of one beside them where that costs less than it gains, the most first [2]_.

    References:
        .. [1] R. B. Potts, "Some generalized order-disorder transformations", Proceedings of the Cambridge
           Philosophical Society 48, 1952.
        .. [2] G. Koepfler, C. Lopez, J.-M. Morel, "A multiscale algorithm for image segmentation by variational
           method", SIAM Journal on Numerical Analysis 31, 1994.
    """
    kinds, scores = len(scores), scores.copy()
    while True:
        labels, of = _components(np.asarray(scores.argmax(axis=0), np.uint8))
        each = np.arange(len(of))
        totals = np.stack([np.bincount(labels.ravel(), score.ravel(), len(of)) for score in scores], axis=1)
        one, other = borders(labels)
        length = np.bincount(one * kinds + of[other], minlength=totals.size).reshape(totals.shape)
        gains = np.where(length > 0, BORDER * length - totals[each, of][:, None] + totals, 0)
        order = gains.max(axis=1).argsort().argsort()
        most = np.zeros_like(order)
        np.maximum.at(most, one, order[other])
        merged = (gains.max(axis=1) > 0) & (order > most)
        if not merged.any():
            return scores
        into = np.where(merged, gains.argmax(axis=1), of)[labels]
        rows, cols = np.nonzero(merged[labels])
        old, new = of[labels[rows, cols]], into[rows, cols]
        scores[old, rows, cols], scores[new, rows, cols] = scores[new, rows, cols], scores[old, rows, cols]


def _components(surface: Picture) -> tuple[Ints, npt.NDArray[np.intp]]:
    """The connected components of what is no wall, numbered from 1, 0 elsewhere, and the surface of each number."""
    labels, of = np.zeros(surface.shape, np.int32), [SURFACES.index("thread")]
    for kind in set(range(len(SURFACES))) - WALLS:
        count, parts = cv2.connectedComponents((surface == kind).astype(np.uint8), connectivity=4)
        labels = np.where(parts > 0, np.asarray(parts, np.int32) + (len(of) - 1), labels)
        of += [kind] * (count - 1)
    return labels, np.array(of)


def borders(labels: Ints) -> tuple[Ints, Ints]:
    """The labels of each two pixels side by side that have different ones, both ways round."""
    pairs = [(labels[:, 1:], labels[:, :-1]), (labels[1:], labels[:-1])]
    apart = [(a[edge], b[edge]) for a, b in pairs for edge in [(a != b) & (a > 0) & (b > 0)]]
    one, other = (np.concatenate(each) for each in zip(*apart, strict=True))
    return np.concatenate([one, other]), np.concatenate([other, one])


def _log_odds_of_outline(bgr: Picture, odds: Floats, walls: Bools) -> Floats:
    """The log odds that walls are outline, not thread, ``(H, W)``: the network's ``odds`` and those by the colours that
    both have on this board, normal with one covariance [1]_, on average along the walls.

    References:
        .. [1] R. A. Fisher, "The use of multiple measurements in taxonomic problems", Annals of Eugenics 7, 1936.
    """
    colours, outlined = bgr[walls].astype(np.float64), odds[walls] > 0
    if min(np.count_nonzero(outlined), np.count_nonzero(~outlined)) < STRIDE**2:
        return odds
    one, other = colours[outlined], colours[~outlined]
    spread = (np.cov(one.T) + np.cov(other.T)) / 2 + np.eye(3)
    weights = np.linalg.solve(spread, one.mean(axis=0) - other.mean(axis=0))
    total = np.zeros(walls.shape, np.float32)
    total[walls] = odds[walls] + (colours - (one.mean(axis=0) + other.mean(axis=0)) / 2) @ weights
    along = (STRIDE + 1, STRIDE + 1)
    weight = cv2.boxFilter(walls.astype(np.float32), -1, along, normalize=False)
    return np.asarray(cv2.boxFilter(total, -1, along, normalize=False) / np.maximum(weight, 1), np.float32)


def _cells(bare: Bools) -> Ints:
    """The open cells, numbered from 1; 0 elsewhere. Threads may leave gaps between them."""
    depth = np.asarray(cv2.distanceTransform(bare.astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE), np.float32)
    labels = flood(depth, _middles(depth))
    if not labels.any():
        return labels
    areas, boxes = _areas(labels), boxes_of(labels)
    usual = weighted_median(areas, np.sqrt(areas))  # a hole, of which there are few cells to be seen, weighs as they do
    height, width = labels.shape
    inside = (boxes[:, :2] > 1).all(axis=1) & (boxes[:, 2:] < (width - 1, height - 1)).all(axis=1)
    good = inside & (areas >= max(LEAST_PX**2, LEAST_CELL * usual)) & (areas <= MOST_CELL * usual)
    return np.concatenate([[0], np.where(good, np.cumsum(good), 0)]).astype(np.int32)[labels]


def _middles(depth: Floats) -> Ints:
    """The middles of the cells, numbered from 1; 0 elsewhere: maxima of the distance from all threads.

    Two are one where a way between them is nowhere nearer to a thread than :data:`NECK` times the lower of them.
    """
    middles, peaks = np.zeros(depth.shape, np.int32), [np.inf]
    for level in _levels(float(depth.max())):
        _, parts = cv2.connectedComponents((depth >= level).astype(np.uint8), connectivity=4)
        named = middles > 0
        known = _pairs(np.asarray(parts, np.int32)[named], middles[named])
        fresh = np.ones(int(np.max(parts)) + 1, np.bool_)
        fresh[[0, *known[:, 0]]] = False
        names = np.zeros(len(fresh), np.int32)
        names[fresh] = len(peaks) + np.arange(fresh.sum())
        peaks += [level] * int(fresh.sum())
        one = np.arange(len(peaks), dtype=np.int32)
        _, first, count = np.unique(known[:, 0], return_index=True, return_counts=True)
        for start, several in zip(first[count > 1], count[count > 1], strict=True):
            highest, *others = sorted(known[start : start + several, 1].tolist(), key=lambda middle: -peaks[middle])
            for middle in others:
                if level >= NECK * peaks[middle]:
                    one[middle] = one[highest]
        middles = np.where(named, one[middles], names[parts])
    return middles


def flood(depth: Floats, springs: Ints) -> Ints:
    """The springs' numbers spread over all that has a depth, from what is far from walls to the near: a watershed
    [1]_.

    .. [1] S. Beucher and F. Meyer, "The Morphological Approach to Segmentation: The Watershed Transformation", in
       Mathematical Morphology in Image Processing (1993), with the distance from all walls as the height.
    """
    labels = springs
    for level in _levels(float(depth.max())):
        todo = (depth >= level) & (labels == 0)
        _, parts, stats, _ = cv2.connectedComponentsWithStats(todo.astype(np.uint8), connectivity=4)
        named = labels.astype(np.float32)
        highest = np.asarray(cv2.dilate(named, SIDES))
        lowest = np.asarray(-cv2.dilate(np.where(named > 0, -named, np.float32(-np.inf)), SIDES))
        wet = todo & (highest > 0)
        beside = np.concatenate([highest[wet], lowest[wet]]).astype(np.int32)
        met = _pairs(np.tile(np.asarray(parts, np.int32)[wet], 2), beside)
        shared, first, count = np.unique(met[:, 0], return_index=True, return_counts=True)
        reached = np.zeros(len(stats), dtype=np.int32)
        reached[shared] = met[first, 1]
        flooded = reached[parts]
        for part, start, several in zip(shared[count > 1], first[count > 1], count[count > 1], strict=True):
            left, top, width, height = stats[part, :4]
            box = np.s_[max(0, top - 1) : top + height + 1, max(0, left - 1) : left + width + 1]
            among = np.isin(labels[box], met[start : start + several, 1])
            here = np.asarray(parts)[box] == part
            flooded[box][here] = nearest_label(np.where(among, labels[box], 0))[0][here]
        labels = np.where(todo, flooded, labels)
    return np.asarray(labels, dtype=np.int32)


def _pairs(some: Ints, others: Ints) -> npt.NDArray[np.intp]:
    """The different pairs of numbers in two arrays of one shape, in their order: ``(M, 2)``."""
    there = np.zeros((int(some.max(initial=0)) + 1, int(others.max(initial=0)) + 1), np.bool_)
    there[some, others] = True
    return np.argwhere(there)


def _levels(highest: float) -> Iterator[float]:
    """Depths from the highest down to one pixel, in even ratios."""
    level = highest
    while level >= 1:
        level *= STEP
        yield max(level, 1.0)


def _areas(labels: Ints) -> Floats:
    """How many pixels each number from 1 on has, ``(N,)``."""
    return np.bincount(labels.ravel())[1:].astype(np.float32)


def boxes_of(labels: Ints) -> npt.NDArray[np.int64]:
    """``left, top, right, bottom`` of each number from 1 on, ends excluded, ``(N, 4)``; empty for those not seen."""
    rows, cols = np.nonzero(labels)
    count, at = int(labels.max()) + 1, labels[rows, cols]
    boxes = np.empty((count, 4), np.int64)
    for axis, places in enumerate((cols, rows)):
        first, last = np.full(count, max(labels.shape)), np.full(count, -1)
        np.minimum.at(first, at, places)
        np.maximum.at(last, at, places)
        boxes[:, axis], boxes[:, axis + 2] = first, last + 1
    return boxes[1:]


def nearest_label(labels: Ints) -> tuple[Ints, Floats]:
    """For each pixel the nearest label, and how far away it is in pixels."""
    away, index = cv2.distanceTransformWithLabels(
        (labels == 0).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_5, labelType=cv2.DIST_LABEL_PIXEL
    )
    owner = np.zeros(int(index.max()) + 1, dtype=np.int32)
    inside = labels > 0
    owner[index[inside]] = labels[inside]
    return owner[index], np.asarray(away, dtype=np.float32)
