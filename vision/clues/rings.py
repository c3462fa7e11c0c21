"""Cells and patches of a bent board as figures of four curves.

The corners of a face are told by its rim: they lie where what is beyond it changes, or where the outline bends. There
are often more such places than four, and on bent cloth no angle tells for sure: each choice of four that is not out of
the question is a *pose*, and how the faces fit together decides.
"""

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.clues.faces import Faces
from vision.pictures.masks import opened
from vision.pictures.placement import Points

Floats = npt.NDArray[np.float64]

SIDE_POINTS = 9
"""Points along each side of a cell."""

OUTLINE, NOT_THREAD = 0.35, 0.5
"""The outline runs where so much of a border is dyed like it, less this part of what is thread: beside a patch of a
like dye much of a thread is dyed as well. Open cells side by side have -0.1 at most, 0.4 is least where a hole lies."""

SHARED = 0.3
"""Of a cell's side, what two faces share at least; faces that meet at a corner share hardly anything."""

SURE = 0.5
"""Of a cell's side, what faces that have a side in common share at least; those that meet at a corner share less, and
where cells are pulled askew up to a third is seen."""

SPIKE = 0.12
"""What of a face or cell is thinner than this part of its cell's side ran along a thread and is cut off."""

GAP = 0.25
"""Interruptions of a border that are shorter than this part of a cell's side are none."""

BEND = 0.07
"""A rim bends where it leaves a straight line by this part of a cell's side."""

BESIDE = 0.04
"""The seam between two faces lies on a thread or the outline, to within this part of a cell's side and two pixels of
the coarse flood at least: cells may reach behind the dashes of the outline, so that hardly any of their rim is dyed."""

APART, CORNERS_APART = 0.22, 0.25
"""Places where corners may be are at least so far apart, in cells, and corners so far: a strip may
end half as narrow as a cell that is three times as long as wide."""

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

EPSILON = 1e-3
"""Of a side: what a cell has at least."""


class Touch(NamedTuple):
    """Along which side another face is touched, and from where to where, clockwise, in 0..1; and whether that is one
    cell for certain.
    """

    side: int
    part: tuple[float, float]
    single: bool


@dataclass(frozen=True, eq=False)
class Pose:
    """A choice of four corners.

    Attributes:
        curves: ``float64 (K, 2)`` each, a pixel between points, clockwise from any corner; curve ``s`` runs from corner
            ``s`` to corner ``s + 1``.
        touches: the faces that are touched.
        cost: how unlikely the turns at the corners are, as a logarithm.
    """

    curves: tuple[Points, Points, Points, Points]
    touches: Mapping[int, Touch]
    cost: float
    _scales: dict[tuple[int, int], tuple[Floats, Floats]] = field(default_factory=dict, init=False, repr=False)

    def cells_to(self, side: int, cells: int, at: float) -> float:
        """How many cells of a side that has so many lie before a place on it, 0..1 clockwise: one for each that is
        seen there, and the others evenly on the rest.
        """
        if (side, cells) not in self._scales:
            spans = self._single(side)
            rest = (cells - len(spans)) / max(EPSILON, 1 - sum(end - start for start, end in spans))
            places, counts = [0.0], [0.0]
            for start, end in spans:
                counts.append(counts[-1] + rest * (start - places[-1]))
                counts.append(counts[-1] + 1)
                places += [start, end]
            scale = [*places, 1.0], [*counts, counts[-1] + rest * (1 - places[-1])]
            self._scales[side, cells] = np.array(scale[0]), np.array(scale[1])
        return float(np.interp(at, *self._scales[side, cells]))

    def unevenness(self, side: int, cells: int) -> float:
        """The sum of the squared logarithms of the widths of a side's cells, as parts of the mean one's; infinite where
        more cells are seen there than it has.
        """
        widths = [end - start for start, end in self._single(side)]
        others, left = cells - len(widths), max(EPSILON, 1 - sum(widths))
        if others < 0:
            return math.inf
        widths += [left / max(1, others)] * others
        return sum(math.log(max(EPSILON, width) * cells) ** 2 for width in widths)

    def _single(self, side: int) -> list[tuple[float, float]]:
        """From where to where single cells touch a side, in their order, none over another."""
        spans, last = [], 0.0
        for start, end in sorted(touch.part for touch in self.touches.values() if touch.side == side and touch.single):
            spans.append((max(start, last), max(end, start, last)))
            last = spans[-1][1]
        return spans

    @property
    def middles(self) -> Points:
        """The middle of each curve, ``(4, 2)``."""
        return np.array([curve[len(curve) // 2] for curve in self.curves])

    @property
    def upright(self) -> int:
        """The curve whose middle lies highest."""
        return int(self.middles[:, 1].argmin())

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


def ring(all_faces: Faces, number: int, area: int) -> Ring | None:
    """The rim of the face ``number``, which has ``area`` cells; None when there is next to nothing of it."""
    if number > len(all_faces.boxes):
        return None
    first_col, first_row, end_col, end_row = all_faces.boxes[number - 1].tolist()
    top, left = max(0, first_row - 2), max(0, first_col - 2)
    window = np.s_[top : end_row + 2, left : end_col + 2]
    near = all_faces.labels[window]
    count = int(np.count_nonzero(near == number))
    if count < 2:
        return None
    unit_px = float(np.sqrt(count / area))
    size = max(3, round(SPIKE * unit_px) | 1)
    smooth = opened(near == number, size)
    contours, _ = cv2.findContours(smooth.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    rim = max(contours, key=cv2.contourArea).reshape(-1, 2)
    if cv2.contourArea(rim.astype(np.float32), oriented=True) < 0:
        rim = rim[::-1]
    points = _even(rim.astype(np.float64))
    beyond = _most_near(points, np.where(near == number, 0, near), max(2, size))
    beyond[beyond == all_faces.ground] = 0
    beside = max(2, round(BESIDE * unit_px))
    dyed, threaded = (_passes(points, mask[window], beside) for mask in (all_faces.outline, all_faces.threads))
    return _settled(Ring(points + np.array([left, top]), beyond, dyed, threaded, unit_px))


def _passes(points: Points, mask: npt.NDArray[np.bool_], beside: int) -> npt.NDArray[np.bool_]:
    """Which points lie on a mask, or so many pixels beside it."""
    wide = cv2.dilate(mask.astype(np.uint8), np.ones((2 * beside + 1, 2 * beside + 1), np.uint8))
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
        nearby = outside[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].ravel()
        counts = np.bincount(nearby)
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


def poses(rim: Ring, single: Container[int]) -> list[Pose]:
    """The choices of corners that are not out of the question, likeliest first; some of the faces beyond are ``single``
    cells.
    """
    places = _places(rim)
    turns = {place: _turn(rim, place) for place in places}
    ranked = sorted(places, key=lambda place: -turns[place])[:MOST_CORNERS]
    fours = (four for four in combinations(sorted(ranked), 4) if _far_apart(rim, four))
    choices = sorted((_unlikely(turns, four), four) for four in fours)
    found: list[Pose] = []
    for cost, four in choices:
        if cost > choices[0][0] + WORSE or len(found) >= MOST_POSES:
            break
        touches = _touches(rim, four, single)
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


def _touches(rim: Ring, four: Sequence[int], single: Container[int]) -> dict[int, Touch] | None:
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
                whole = other in single and rim.shared(other) >= SURE
                found[other] = Touch(side, (max(0.0, low / long), min(1.0, high / long)), whole)
                break
    return found


def _curves(rim: Ring, four: Sequence[int]) -> tuple[Points, Points, Points, Points]:
    count = len(rim.points)
    one, two, three, last = (rim.points[(a + np.arange((b - a) % count + 1)) % count] for a, b in _round(four))
    return one, two, three, last
