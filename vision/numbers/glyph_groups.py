"""The shapes in a cell that may be a number.

A cell is looked at in the directions of colour in which it varies most, cut at a few levels in both polarities, and
each cut's connected shapes are weighed: digits are one to three shapes side by side, of like height, clear of the rim,
and evenly coloured against an even surround. Which of the groups found is the number is for
:mod:`vision.numbers.glyphs`.

All sizes are fractions of the crop's shorter side, or of a digit's height.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.numbers.judge import Box
from vision.pictures.medians import median
from vision.pictures.photo import Picture

Plane = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Cuts = npt.NDArray[np.intp] | np.intp
Labels = npt.NDArray[np.int32]
Rows = list[list[int]]
"""What :func:`shapes_of` says of each label, as plain numbers."""

WORK_SIDE_PX = 72
"""Crops are worked on at this size of their shorter side: a digit of 0.3 to 0.6 cells then has strokes of 3 to 6 px,
enough for thresholds to keep its holes open, and large cells cost no more than small ones."""

LEAST_CONTRAST = 14.0
"""Grey levels of 255 between ink and surround. JPEG blocks and paper reach 10; the palest clue seen has 30."""

LEAST_HEIGHT = 0.16
"""Of the crop: below it, dots, dashes of lines and debris. The smallest clues seen have 0.25 of a cell."""

MOST_HEIGHT = 0.92
"""Of the crop: above it, frames and fills."""

RIM = 0.10
"""Of the crop: a shape that lies wholly within this of a side is a piece of a grid line."""

LIKE_HEIGHT = 0.72
"""Digits of one number have at least this ratio of heights (old-style figures and slanted shadows included)."""

DIGIT_GAP = 0.65
"""Most space between neighbouring digits, of their height."""

MOST_DIGITS = 3

MOST_ASPECT = 0.95
"""Width over height of a digit, of the widest faces; wider shapes are several digits that touch."""

BADGE_SOLIDITY = 0.93
"""Area of a filled outline over that of its hull: discs, rings and rounded boxes lie above, digits save 0 below."""


BAR_ASPECT = 0.35
"""Width over height of a 1 drawn as a bar: the only digit that is convex and has no hole. Wider, it is a blob."""

SLENDER = 0.85
"""Width over height up to which a shape with a smooth outline may be a 0 or an 8; discs and boxes are wider."""

LINE_ASPECT = 0.09
"""Width over height of a piece of a line; the thinnest 1 drawn as a bar has 0.1."""

OFF_CENTRE = 0.36
"""How far the number's middle may lie from the crop's, of the crop's width and height."""


@dataclass(frozen=True)
class Group:
    """Shapes side by side that may be one number, in one cut of one plane.

    Attributes:
        plane: the view that was cut.
        mask: the shapes' pixels in it.
        boxes: of each shape.
        ink: the shapes' level in the plane (median).
        surround: the level round them.
        score: how much they stand out as a number would: contrast over unrest, size, place, width.
        solidity: area within the outline over the area of its hull, the least of the shapes.
        clarity: contrast over contrast and unrest, 0..1.
        host: the box of the ring or badge that they were taken out of, if they were.
    """

    plane: Plane
    mask: Mask
    boxes: tuple[Box, ...]
    ink: float
    surround: float
    score: float
    solidity: float
    clarity: float
    host: Box | None = None

    @cached_property
    def box(self) -> Box:
        """The box round all shapes."""
        lefts, tops, rights, bottoms = zip(*self.boxes, strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)

    @property
    def height(self) -> int:
        """Of the box, in pixels."""
        return self.box[3] - self.box[1]

    @property
    def width(self) -> int:
        """Of the box, in pixels."""
        return self.box[2] - self.box[0]

    @property
    def aspect(self) -> float:
        """Width over height of the box."""
        return self.width / self.height


# --- where to look ----------------------------------------------------------------------------------------------------


def planes(crop: Picture) -> Iterator[Plane]:
    """Grey views of a crop in which a number may show: its brightness, and the directions in which its colours vary.

    Each ``float32 (h, w)`` in units of grey levels. A digit that differs from its ground in hue alone is invisible in
    grey and stands out along the first or second principal axis of the colours.
    """
    if crop.ndim == 2:
        yield from _if_contrast(crop.astype(np.float32))
        return
    yield from _if_contrast(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32))
    colours = crop.reshape(-1, 3).astype(np.float32)
    centred = colours - colours.mean(axis=0)
    # Where all colours lie on one line through grey, the principal axes only repeat the brightness.
    off_gray = centred - centred.mean(axis=1, keepdims=True)
    if float(off_gray.std()) >= LEAST_CONTRAST / 4:
        _, axes = np.linalg.eigh(centred.T @ centred / len(centred))
        for axis in (2, 1):
            yield from _if_contrast((centred @ axes[:, axis]).astype(np.float32).reshape(crop.shape[:2]))


def _if_contrast(view: Plane) -> Iterator[Plane]:
    """The view where its inner part spans enough grey levels to hold a number, else nothing."""
    height, width = view.shape
    dy, dx = int(height * RIM), int(width * RIM)
    inner = view[dy : height - dy, dx : width - dx]
    if float(inner.max() - inner.min()) >= LEAST_CONTRAST:
        yield view


LEVELS = 32
"""Steps of brightness between which a cut is looked for."""

_FIRST, _SECOND = (cut + 1 for cut in np.triu_indices(LEVELS - 1, 1))


def _levels(plane: Plane) -> list[float]:
    """Where to cut: Otsu's threshold for two classes and both thresholds for three (digit, badge, ground) [1].

    References:
        1. N. Otsu, "A Threshold Selection Method from Gray-Level Histograms", IEEE Trans. SMC 9(1), 1979.
    """
    low, high = float(plane.min()), float(plane.max())
    step = (high - low) / LEVELS
    counts = np.bincount(np.minimum((plane.ravel() - low) / step, LEVELS - 1).astype(np.int64), minlength=LEVELS)
    weight = np.concatenate([[0.0], np.cumsum(counts)])
    moment = np.concatenate([[0.0], np.cumsum(counts * np.arange(LEVELS))])

    def between(start: Cuts, end: Cuts) -> npt.NDArray[np.float64]:
        w = weight[end] - weight[start]
        return np.asarray((moment[end] - moment[start]) ** 2 / np.maximum(w, 1))

    cuts, start, end = np.arange(1, LEVELS), np.intp(0), np.intp(LEVELS)
    one = int(cuts[np.argmax(between(start, cuts) + between(cuts, end))])
    best = int(np.argmax(between(start, _FIRST) + between(_FIRST, _SECOND) + between(_SECOND, end)))
    return [low + step * cut for cut in dict.fromkeys((one, int(_FIRST[best]), int(_SECOND[best])))]


# --- what may be a number ---------------------------------------------------------------------------------------------


def groups_in(plane: Plane) -> Iterator[list[Group]]:
    """Everything in ``plane`` that may be a number, cut by cut, the most promising cut first."""
    for level in _levels(plane):
        groups: list[Group] = []
        for mask in (plane < level, plane >= level):
            labels, stats = shapes_of(mask)
            groups += _in_shapes(plane, labels, stats)
            for host, inner in _opened(labels, stats):
                groups += [replace(group, host=host) for group in _in_shapes(plane, *shapes_of(inner))]
        yield groups


def shapes_of(mask: Mask) -> tuple[Labels, Labels]:
    """Connected shapes: ``int32`` label of each pixel, and a row ``left, top, width, height, area`` for each label."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.view(np.uint8), connectivity=8)
    return np.asarray(labels, np.int32), np.asarray(stats, np.int32)


def _in_shapes(plane: Plane, labels: Labels, stats: Labels) -> Iterator[Group]:
    """The shapes of one cut that may be a number, singly or side by side."""
    rows = stats.tolist()  # of a few shapes: plain numbers are compared many times as fast
    for members in _side_by_side(rows, _digit_sized(rows, plane.shape)):
        group = _weigh(plane, labels, members, rows)
        if group is not None:
            yield group


def _opened(labels: Labels, stats: Labels) -> Iterator[tuple[Box, Mask]]:
    """What is inside rings and badges whose number touches their rim, as masks of their own.

    Each comes with the box of the ring or badge.
    A ring is peeled off as deep as it is thick. A badge that its number breaks open is filled to its hull, and the
    number is what fills it.
    """
    side = min(labels.shape)
    for label, (left, top, width, height, area) in enumerate(stats.tolist()):
        if not label or min(width, height) < FRAME_SIZE * side or max(width, height) > MOST_HEIGHT * side:
            continue
        box = np.s_[max(0, top - 1) : top + height + 1, max(0, left - 1) : left + width + 1]
        shape = labels[box] == label
        hull = _hull(shape)
        share = area / max(1, int(hull.sum()))
        insides = []
        if share >= LEAST_BADGE_SHARE:
            insides.append((cv2.erode(hull.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0) & ~shape)
        if share <= MOST_RING_SHARE:
            insides.append(shape & (_depth(hull) > _thickness(shape, hull) + 1))
        for inside in insides:
            whole = np.zeros(labels.shape, dtype=bool)
            whole[box] = inside
            yield (left, top, left + width, top + height), whole


FRAME_SIZE = 0.42
"""Of the crop: rings and badges are at least this wide and high; digits are narrower."""

LEAST_BADGE_SHARE = 0.38
"""Of its hull, a badge covers at least this, with two bold digits cut out of it."""

MOST_RING_SHARE = 0.6
"""Of its hull, a ring covers at most this, with two bold digits touching it."""


def _hull(shape: Mask) -> Mask:
    """The convex hull of a shape, filled."""
    points = np.argwhere(shape)[:, ::-1].astype(np.int32)
    filled = np.zeros(shape.shape, np.uint8)
    cv2.fillConvexPoly(filled, np.asarray(cv2.convexHull(points), np.int32), (1,))
    return filled > 0


def _depth(hull: Mask) -> npt.NDArray[np.float32]:
    """How far inside the hull each pixel lies."""
    padded = cv2.copyMakeBorder(hull.astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(0,))
    return np.asarray(cv2.distanceTransform(padded, cv2.DIST_L2, 3)[1:-1, 1:-1], np.float32)


def _thickness(ring: Mask, hull: Mask) -> int:
    """How deep a ring's ink goes all round: the first depth at which less than half of the way round is ink."""
    depth = _depth(hull).astype(np.int32)
    inked = np.bincount(depth[ring], minlength=2)
    around = np.bincount(depth[hull], minlength=2)[: len(inked)]
    thin = np.flatnonzero(inked[1:] < 0.5 * around[1:])
    return int(thin[0]) if len(thin) else len(inked)


def _digit_sized(rows: Rows, shape: tuple[int, ...]) -> list[int]:
    """The labels whose box could be that of a digit or of a few that touch."""
    height, width = shape
    side = min(height, width)
    low, high, edge = LEAST_HEIGHT * side, MOST_HEIGHT * side, RIM * side
    kept = []
    for label, (left, top, w, h, area) in enumerate(rows):
        if not label or not low <= h <= high or w > MOST_ASPECT * 2.2 * h:
            continue
        clear = left > 0 and top > 0 and left + w < width and top + h < height
        away = left + w > edge and top + h > edge and left < width - edge and top < height - edge
        # Ink covers between a thin diagonal's and a bar's share of its box.
        if clear and away and area >= 0.1 * w * h:
            kept.append(label)
    return kept


def _side_by_side(rows: Rows, shapes: list[int]) -> Iterator[list[int]]:
    """Runs of one to three shapes of like height next to each other on a line."""
    ordered = sorted(shapes, key=lambda label: rows[label][cv2.CC_STAT_LEFT])
    taken: set[int] = set()
    for place, seed in enumerate(ordered):
        if seed in taken:
            continue
        run = [seed]
        for other in ordered[place + 1 :]:
            if other not in taken and _next_digit(rows[run[-1]], rows[other]):
                run.append(other)
        taken.update(run)
        if len(run) <= MOST_DIGITS:
            yield run


def _next_digit(one: list[int], two: list[int]) -> bool:
    """Whether ``two`` may be the digit after ``one``: as high, on the same line, close."""
    left1, top1, w1, h1 = one[:4]
    left2, top2, _, h2 = two[:4]
    tall = max(h1, h2)
    level = abs((top1 + h1 / 2) - (top2 + h2 / 2)) <= (1 - LIKE_HEIGHT) / 2 * tall + 1
    gap = left2 - (left1 + w1)
    return min(h1, h2) >= LIKE_HEIGHT * tall and level and -0.25 * tall <= gap <= DIGIT_GAP * tall


def _weigh(plane: Plane, labels: Labels, members: list[int], rows: Rows) -> Group | None:
    """The group of these shapes with its score, None when it does not stand out or is no number by its shape."""
    boxes = tuple((x, y, x + w, y + h) for x, y, w, h, _ in (rows[m] for m in members))
    left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
    right, bottom = max(b[2] for b in boxes), max(b[3] for b in boxes)
    off_x, off_y = abs((left + right) / 2 / plane.shape[1] - 0.5), abs((top + bottom) / 2 / plane.shape[0] - 0.5)
    if max(off_x, off_y) > OFF_CENTRE:
        return None
    tall = bottom - top
    reach = max(2, round(0.14 * tall))
    y0, y1 = max(0, top - reach), min(plane.shape[0], bottom + reach)
    x0, x1 = max(0, left - reach), min(plane.shape[1], right + reach)
    part, part_labels = plane[y0:y1, x0:x1], labels[y0:y1, x0:x1]
    mask = part_labels == members[0]
    for other in members[1:]:
        mask |= part_labels == other
    solidity = _solidity(mask)
    if solidity < 0:
        return None
    ink, surround = part[mask], part[_ring(mask, reach)]
    if not len(surround):
        return None
    ink_level, ground_level = median(ink), median(surround)
    contrast = abs(ink_level - ground_level)
    if contrast < LEAST_CONTRAST:
        return None
    # An even ink on an even ground; the half absolute deviation forgives antialiased rims.
    unrest = _mean_size(ink - ink_level) + _mean_size(surround - ground_level)
    side = min(plane.shape)
    size = min(1.0, tall / (0.3 * side))
    too_wide = max(1.0, max((b[2] - b[0]) / (b[3] - b[1]) for b in boxes) / MOST_ASPECT)
    score = contrast / (contrast * 0.1 + 6 + unrest) * size * (1 - 0.6 * (off_x + off_y)) / too_wide
    whole = np.zeros(plane.shape, dtype=bool)
    whole[y0:y1, x0:x1] = mask
    return Group(plane, whole, boxes, ink_level, ground_level, score, solidity, contrast / (contrast + unrest))


def _mean_size(values: Plane) -> float:
    """The mean of the absolute values."""
    return float(np.abs(values).sum() / len(values))


def _ring(mask: Mask, reach: int) -> Mask:
    """The pixels round a shape, leaving out its antialiased rim."""
    solid = mask.view(np.uint8)
    near = cv2.dilate(solid, np.ones((3, 3), np.uint8))
    far = cv2.dilate(solid, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    return np.asarray((far > 0) & (near == 0))


def _solidity(mask: Mask) -> float:
    """Area within the outline over the area of its hull, the least of several shapes.

    It is -1 where a shape cannot be a digit: a blob (convex, without a hole, no bar) or a line.
    """
    outlines, nesting = cv2.findContours(mask.view(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    least = 1.0
    for outline, (_, _, hole, parent) in zip(outlines, nesting.reshape(-1, 4), strict=True):
        if parent >= 0:
            continue
        _, _, width, height = cv2.boundingRect(outline)
        solidity = cv2.contourArea(outline) / max(1.0, cv2.contourArea(cv2.convexHull(outline)))
        blob = hole < 0 and solidity >= BADGE_SOLIDITY and width > BAR_ASPECT * height
        if blob or width < LINE_ASPECT * height:
            return -1.0
        least = min(least, solidity)
    return least
