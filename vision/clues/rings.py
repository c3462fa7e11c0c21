"""Cells and patches of a bent board as figures of four curves.

Of an open cell the corners are the four of its outline's main points that span the most; where two cells touch, the
border belongs to one curve of each. Of faces of any size the corners are told by their rims: they lie where what is
beyond a rim changes, or where the outline bends. There are often more such places than four, and on bent cloth no angle
tells for sure: each choice of four that is not out of the question is a *pose*, and how the faces fit together decides.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.clues.faces import Faces
from vision.pictures.placement import Points

SIDE_POINTS = 9
"""Points along each side of a cell."""

FINE_POINTS = 33
"""Points along a side where distances are measured from it."""

OUTLINE, NOT_THREAD = 0.5, 0.5
"""The outline runs where so much of a border is dyed like it, less this part of what is thread: beside a patch of a
like dye much of a thread is dyed as well."""

SHARED = 0.3
"""Of a cell's side, what two faces share at least; faces that meet at a corner share hardly anything."""

SPIKE = 0.12
"""What of a face or cell is thinner than this part of its cell's side ran along a thread and is cut off."""

GAP = 0.25
"""Interruptions of a border that are shorter than this part of a cell's side are none."""

BEND = 0.07
"""A rim bends where it leaves a straight line by this part of a cell's side."""

BESIDE = 5
"""The seam between two faces lies on a thread or the outline, to within two pixels of the coarse flood."""

APART, CORNERS_APART = 0.22, 0.33
"""Places where corners may be are at least so far apart, in cells, and corners so far: a cell three times as long as
wide is 0.58 wide, and looks somewhat narrower where its corners are rounded."""

ARM = 0.3
"""The turn at a corner is measured between what lies so far before and behind it, in cells."""

MOST_CORNERS = 11
"""Places with the sharpest turns that are considered."""

BEYOND = 0.3
"""How far a border may reach round a corner, in cells."""

CORNER, USUAL_TURN = 90.0, 35.0
"""By how many degrees the rim turns at a corner, and by how many it usually turns more or less, there and elsewhere."""

WORSE = 8.0
"""Poses so much more unlikely than the best, as a logarithm, are out of the question."""

MOST_POSES = 8
"""Poses of a face that are considered."""


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure of four curves.

    Attributes:
        curves: ``float64 (K, 2)`` each, evenly spaced, clockwise from any corner; curve ``s`` runs from corner ``s`` to
            corner ``s + 1``.
    """

    curves: tuple[Points, Points, Points, Points]

    @property
    def middles(self) -> Points:
        """The middle of each curve, ``(4, 2)``."""
        return np.array([curve[len(curve) // 2] for curve in self.curves])

    @property
    def upright(self) -> int:
        """The curve whose middle lies highest."""
        return int(self.middles[:, 1].argmin())


def turns_upright(figures: Iterable[tuple[Figure, int]]) -> int:
    """By how many curves further the top must be for most figures, each with the curve that was taken for its top, to
    stand as the picture does.
    """
    votes = np.zeros(4)
    for figure, top in figures:
        down = (np.roll(figure.middles, -2, axis=0) - figure.middles)[:, 1]
        votes += np.roll(down, -top)
    return int(votes.argmax())


class Touch(NamedTuple):
    """Along which side another face is touched, and from where to where, clockwise, in 0..1."""

    side: int
    part: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Pose(Figure):
    """A choice of four corners; there is a pixel between points of the curves.

    Attributes:
        touches: the faces that are touched.
        cost: how unlikely the turns at the corners are, as a logarithm.
    """

    touches: Mapping[int, Touch]
    cost: float

    @cached_property
    def bearings(self) -> tuple[float, ...]:
        """With each side for the top, in which direction of the picture lies the right, in radians, clockwise."""
        across = np.roll(self.middles, 2, axis=0) - self.middles  # from each side to the one opposite
        one, two, three, last = (across / np.linalg.norm(across, axis=1, keepdims=True)) @ (1, 1j)
        right = np.angle([last - one * 1j, one - two * 1j, two - three * 1j, three - last * 1j])
        return tuple(float(angle) for angle in right)

    def length_px(self, side: int) -> float:
        """Length of a side."""
        return float(len(self.curves[side]) - 1)


@dataclass(frozen=True, eq=False)
class Ring:
    """The rim of a face.

    Attributes:
        points: ``float64 (N, 2)``, clockwise, about a pixel apart.
        beyond: ``int32 (N,)``: the face beyond each; 0 for the ground, and where the outline lies between; less than 0
            for a face from which this one is not seen: they meet at a corner, or next to nothing is left of it.
        dyed: ``bool (N,)``: where the outline runs.
        threaded: ``bool (N,)``: where a thread runs.
        unit_px: the side of a cell of this face.
    """

    points: Points
    beyond: npt.NDArray[np.int32]
    dyed: npt.NDArray[np.bool_]
    threaded: npt.NDArray[np.bool_]
    unit_px: float

    def outlined(self, here: npt.NDArray[Any]) -> bool:
        """Whether the outline runs along these points, and no thread."""
        return bool(self.dyed[here].mean() - NOT_THREAD * self.threaded[here].mean() > OUTLINE)

    @property
    def others(self) -> list[int]:
        """The faces beyond."""
        return sorted({other for other in self.beyond.tolist() if other > 0})

    def shared(self, other: int) -> float:
        """How long the border with another face is, in sides of this one's cells."""
        return float((self.beyond == other).sum() / self.unit_px)

    def without(self, others: set[int]) -> "Ring":
        """The rim with some faces from which this one is not seen."""
        return replace(self, beyond=np.where(np.isin(self.beyond, list(others)), -self.beyond, self.beyond))


def ring(seen: Faces, number: int, area: int) -> Ring | None:
    """The rim of the face ``number``, which has ``area`` cells; None when there is next to nothing of it."""
    rows, cols = np.nonzero(seen.labels == number)
    if len(rows) < 2:
        return None
    top, left = max(0, int(rows.min()) - 2), max(0, int(cols.min()) - 2)
    window = np.s_[top : int(rows.max()) + 3, left : int(cols.max()) + 3]
    near, unit_px = seen.labels[window], float(np.sqrt(len(rows) / area))
    size = max(3, round(SPIKE * unit_px) | 1)
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    smooth = cv2.morphologyEx((near == number).astype(np.uint8), cv2.MORPH_OPEN, brush)
    contours, _ = cv2.findContours(smooth, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    rim = max(contours, key=cv2.contourArea).reshape(-1, 2)
    if cv2.contourArea(rim.astype(np.float32), oriented=True) < 0:
        rim = rim[::-1]
    points = _even(rim.astype(np.float64))
    beyond = _most_near(points, np.where(near == number, 0, near), max(2, size))
    beyond[beyond == seen.ground] = 0
    dyed, threaded = (_passes(points, mask[window]) for mask in (seen.outline, seen.threads))
    return _settled(Ring(points + np.array([left, top]), beyond, dyed, threaded, unit_px))


def _passes(points: Points, mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which points lie on a mask, or hardly beside it."""
    wide = cv2.dilate(mask.astype(np.uint8), np.ones((BESIDE, BESIDE), np.uint8))
    at = np.rint(points).astype(int)
    return np.asarray(wide[at[:, 1], at[:, 0]] > 0, dtype=np.bool_)


def _even(rim: Points) -> Points:
    """A closed line with a point for each pixel of its length."""
    closed = np.vstack([rim, rim[:1]])
    steps = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    at = np.arange(0, steps[-1] - 0.5, 1.0)
    return np.column_stack([np.interp(at, steps, closed[:, axis]) for axis in (0, 1)])


def _most_near(points: Points, outside: npt.NDArray[np.int32], reach: int) -> npt.NDArray[np.int32]:
    """For each point the number that is seen most often around it, 0 apart."""
    found = np.zeros(len(points), dtype=np.int32)
    at = np.rint(points).astype(int)
    for index, (x, y) in enumerate(at):
        seen = outside[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].ravel()
        counts = np.bincount(seen)
        counts[0] = 0
        found[index] = counts.argmax() if len(counts) > 1 else 0
    return found


def _settled(rim: Ring) -> Ring:
    """The rim without borders that are dyed, and each other face in one stretch only, the longest."""
    beyond = np.zeros_like(rim.beyond)
    gap = round(GAP * rim.unit_px)
    for other in rim.others:
        start, length = _longest(rim.beyond == other, gap)
        here = (start + np.arange(length)) % len(beyond)
        if length >= SHARED * rim.unit_px and not rim.outlined(here):
            beyond[here] = other
    return replace(rim, beyond=beyond)


def _longest(here: npt.NDArray[np.bool_], gap: int) -> tuple[int, int]:
    """Where the longest stretch round a ring begins and how long it is; gaps within are closed."""
    count = len(here)
    if here.all():
        return 0, count
    first = int(np.argmin(here))  # begin where there is none
    at = np.nonzero(np.roll(here, -first))[0]
    cuts = np.nonzero(np.diff(at) > gap + 1)[0]
    starts, ends = at[np.concatenate([[0], cuts + 1])], at[np.concatenate([cuts, [len(at) - 1]])]
    best = int((ends - starts).argmax())
    return (int(starts[best]) + first) % count, int(ends[best] - starts[best]) + 1


# --- corners ----------------------------------------------------------------------------------------------------------


def poses(rim: Ring) -> list[Pose]:
    """The choices of corners that are not out of the question, likeliest first."""
    places = _places(rim)
    turns = {place: _turn(rim, place) for place in places}
    ranked = sorted(places, key=lambda place: -turns[place])[:MOST_CORNERS]
    fours = (four for four in combinations(sorted(ranked), 4) if _far_apart(rim, four))
    choices = sorted((_unlikely(turns, four), four) for four in fours)
    found: list[Pose] = []
    for cost, four in choices:
        if cost > choices[0][0] + WORSE or len(found) >= MOST_POSES:
            break
        touches = _touches(rim, four)
        if touches is not None:
            found.append(Pose(_curves(rim, four), touches, cost - choices[0][0]))
    return found


def _unlikely(turns: Mapping[int, float], four: Sequence[int]) -> float:
    """How unlikely the turns are if four of the places are corners and the others are none, as a logarithm."""
    off = [turn - (CORNER if place in four else 0) for place, turn in turns.items()]
    return sum((degrees / USUAL_TURN) ** 2 / 2 for degrees in off)


def _far_apart(rim: Ring, four: Sequence[int]) -> bool:
    return all((b - a) % len(rim.points) >= CORNERS_APART * rim.unit_px for a, b in _round(four))


def _places(rim: Ring) -> list[int]:
    """Where corners may be: where borders begin and end, and where the rim bends."""
    count = len(rim.points)
    changes = np.nonzero(rim.beyond != np.roll(rim.beyond, 1))[0].tolist()
    line = cv2.approxPolyDP(rim.points.astype(np.float32), BEND * rim.unit_px, True).reshape(-1, 2)
    bends = [int(np.linalg.norm(rim.points - point, axis=1).argmin()) for point in line]
    kept: list[int] = []
    for place in [*bends, *changes]:
        if all(min((place - k) % count, (k - place) % count) >= APART * rim.unit_px for k in kept):
            kept.append(place)
    return kept


def _turn(rim: Ring, place: int) -> float:
    """By how many degrees the rim turns at a place, to the right."""
    count, arm = len(rim.points), max(2, round(ARM * rim.unit_px))
    before, here, after = (rim.points[(place + k) % count] for k in (-arm, 0, arm))
    one, two = here - before, after - here
    return float(np.degrees(np.arctan2(one[0] * two[1] - one[1] * two[0], one @ two)))


def _round(four: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(four, (*four[1:], four[0]), strict=True)


def _touches(rim: Ring, four: Sequence[int]) -> dict[int, Touch] | None:
    """Which side touches which face; None when one is touched round a corner: rectangles never are."""
    count, found = len(rim.points), {}
    for other in rim.others:
        start, length = _longest(rim.beyond == other, count)
        for side, (a, b) in enumerate(_round(four)):
            long, middle = (b - a) % count, (start + length / 2 - a) % count
            if middle <= long:
                low, high = middle - length / 2, middle + length / 2
                if min(low, long - high) < -BEYOND * rim.unit_px:
                    return None
                found[other] = Touch(side, (max(0.0, low / long), min(1.0, high / long)))
                break
    return found


def _curves(rim: Ring, four: Sequence[int]) -> tuple[Points, Points, Points, Points]:
    count = len(rim.points)
    one, two, three, last = (rim.points[(a + np.arange((b - a) % count + 1)) % count] for a, b in _round(four))
    return one, two, three, last


# --- open cells alone -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Quad(Figure):
    """An open cell.

    Attributes:
        area_px: within the middles of the pixels along its outline, as the corners are.
    """

    area_px: float

    def nearest(self, points: Points) -> int:
        """The curve that runs closest to a row of points."""
        fine = [_resampled(curve, FINE_POINTS) for curve in self.curves]
        away = [np.linalg.norm(points[:, None] - curve[None], axis=2).min(axis=1).mean() for curve in fine]
        return int(np.argmin(away))

    def length_px(self, side: int) -> float:
        """Length of a curve."""
        return float(np.linalg.norm(np.diff(self.curves[side], axis=0), axis=1).sum())

    @property
    def fit(self) -> float:
        """The area between the corners, as a part of the figure's own."""
        return abs(_area(np.array([curve[0] for curve in self.curves]))) / 2 / max(1.0, self.area_px)


class Tie(NamedTuple):
    """Where two figures touch, as seen from one of them.

    Attributes:
        other: the number of the other figure.
        mine: our curve.
        yours: the other's curve.
        shared: the part of their curves, in the mean, that they share: a slim one may meet another at its corner.
        dyed: the part of the border that is dyed.
    """

    other: int
    mine: int
    yours: int
    shared: float
    dyed: float


def quads(labels: npt.NDArray[np.int32], numbers: Collection[int], side_px: float) -> dict[int, Quad]:
    """The figures with these numbers; ``side_px`` is the usual cell's side."""
    size = max(3, round(SPIKE * side_px) | 1)
    brush = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), dtype=np.uint8)
    return {number: _quad((labels == number).astype(np.uint8), brush) for number in numbers}


def ties(labels: npt.NDArray[np.int32], figures: dict[int, Quad], dyed: npt.NDArray[np.bool_]) -> dict[int, list[Tie]]:
    """For each figure those that it touches."""
    found: dict[int, list[Tie]] = {number: [] for number in figures}
    for (a, b), points in borders(labels).items():
        if a not in figures or b not in figures:
            continue
        sides = figures[a].nearest(points), figures[b].nearest(points)
        rows, cols = np.rint(points[:, 1]).astype(int), np.rint(points[:, 0]).astype(int)
        length, colour = float(np.hypot(*np.ptp(points, axis=0))), float(dyed[rows, cols].mean())
        shared = length / float(np.mean([figures[n].length_px(side) for n, side in zip((a, b), sides, strict=True)]))
        found[a].append(Tie(b, sides[0], sides[1], shared, colour))
        found[b].append(Tie(a, sides[1], sides[0], shared, colour))
    return found


def _resampled(curve: Points, count: int) -> Points:
    """The curve as so many points, evenly spaced."""
    steps = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=1))])
    at = np.linspace(0, steps[-1], count)
    return np.column_stack([np.interp(at, steps, curve[:, axis]) for axis in (0, 1)])


def _quad(mask: npt.NDArray[Any], brush: npt.NDArray[Any]) -> Quad:
    """The four curves round a figure: its outline cut at the corners of the quadrilateral that fits it best."""
    smooth = cv2.morphologyEx(mask, cv2.MORPH_OPEN, brush)
    contours, _ = cv2.findContours(smooth if smooth.any() else mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(contours, key=cv2.contourArea).reshape(-1, 2).astype(np.float64)
    if _area(outline) < 0:
        outline = outline[::-1]
    corners = sorted(_corners(outline))
    cuts = [*corners, corners[0] + len(outline)]
    around = np.concatenate([outline, outline])
    curves = [_resampled(around[a : b + 1], SIDE_POINTS) for a, b in pairwise(cuts)]
    return Quad((curves[0], curves[1], curves[2], curves[3]), abs(_area(outline)) / 2)


def _corners(outline: Points) -> list[int]:
    """Where on the outline the four corners lie: of the outline's main points, the four that span the most."""
    length = cv2.arcLength(outline.astype(np.float32), True)
    for part in (0.03, 0.02, 0.012):
        points = cv2.approxPolyDP(outline.astype(np.float32), part * length, True).reshape(-1, 2)
        if len(points) >= 4:
            break
    else:
        points = cv2.boxPoints(cv2.minAreaRect(outline.astype(np.float32)))
    hull = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2)
    points = hull if len(hull) >= 4 else points
    best = max(combinations(range(len(points)), 4), key=lambda four: abs(_area(points[list(four)])))
    nearest = [int(np.linalg.norm(outline - points[index], axis=1).argmin()) for index in best]
    return nearest if len(set(nearest)) == 4 else [k * len(outline) // 4 for k in range(4)]


def _area(points: npt.NDArray[Any]) -> float:
    """Twice the area inside a polygon, positive when it runs clockwise as seen (y down)."""
    x, y = points[:, 0], points[:, 1]
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def borders(labels: npt.NDArray[np.int32]) -> dict[tuple[int, int], Points]:
    """For each pair of figures that touch, the points of their border."""
    found: dict[tuple[int, int], list[Points]] = {}
    for ahead, offset in ((labels[:, 1:], (0.5, 0.0)), (labels[1:], (0.0, 0.5))):
        behind = labels[:, :-1] if offset[0] else labels[:-1]
        rows, cols = np.nonzero((behind != ahead) & (behind > 0) & (ahead > 0))
        low, high = np.minimum(behind, ahead)[rows, cols], np.maximum(behind, ahead)[rows, cols]
        points = np.column_stack([cols + offset[0], rows + offset[1]])
        for pair in np.unique(np.column_stack([low, high]), axis=0):
            here = (low == pair[0]) & (high == pair[1])
            found.setdefault((int(pair[0]), int(pair[1])), []).append(points[here])
    return {pair: np.concatenate(parts) for pair, parts in found.items()}
