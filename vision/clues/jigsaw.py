"""Lays the faces of a bent board onto whole rows and columns: open cells are 1 x 1, a patch has an area and two sides.

Which faces touch, along which of their sides, and where on those, is seen; how many cells each side has follows. A
patch of 6 may be 1 x 6, 2 x 3, 3 x 2 or 6 x 1; beside a row of three open cells, with a corner at the end of it, only
one of them fits. Faces are laid one after the other, each next to one that lies already, in every way that agrees with
all that was seen; of what is left at the end, one must be clearly the best, or nothing is certain.
"""

import cmath
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solvers.board import Cell
from solvers.budget import Budget, BudgetSpentError
from vision.clues.repair import MARGIN
from vision.clues.rings import SURE, Pose, Touch
from vision.graphs import components

PLACE, UNEVEN = 0.5, 0.2
"""How far from a whole cell the end of a border may lie: in cells, or as a part of the side, whichever is more, as
cells differ in width. With less room the true place may be ruled out, and a wrong one has no rival any more."""

LONG = 3.0
"""Cells of a patch are at most this many times as long as wide, or as wide as long; an open one that is longer is seen
to be, and its patch is not to be divided otherwise."""

UNLIKE = 3.2
"""Areas of a cell on the one and on the other of two faces that touch differ at most by this factor."""

USUAL_PLACE, USUAL_UNEVEN = 0.15, 0.05
"""How far they usually do: in cells, or as a part of the side."""

USUAL_SHAPE, INHERITED, OWN_SHAPE = 0.25, 0.7, 0.18
"""The logarithm of what cells usually are longer than wide; the part of it that cells have of those beside them, and
what they are usually more or less than that."""

USUAL_WIDTH = 0.25
"""The logarithm of how much wider than the mean one a cell at a patch's side usually is."""

USUAL_TURN = math.radians(12)
"""How much a face is usually turned against those beside it, in the mean: nine in ten less than 9 degrees, none 30."""

HOPELESS = 3 * MARGIN
"""How much less likely than the best layout of the same faces one is that is not grown any further (beam search)."""

NODES = 10_000
"""Faces laid, in all: boards that can be laid take 30 to 2000, most under 300, two in a hundred up to 9000."""


@dataclass(frozen=True)
class Laid:
    """A face on the grid: its top left cell, its sides in cells, the pose it has, and which side of that is the top."""

    row: int
    col: int
    height: int
    width: int
    pose: Pose
    top: int

    def span(self, direction: int) -> tuple[int, int]:
        """From where to where its side in a direction runs clockwise, on the axis along that side; signed."""
        return (
            (self.col, self.col + self.width),
            (self.row, self.row + self.height),
            (-self.col - self.width, -self.col),
            (-self.row - self.height, -self.row),
        )[direction]

    def along(self, direction: int) -> int:
        """How many cells that side has."""
        return self.height if direction % 2 else self.width

    def direction(self, side: int) -> int:
        """Where a side of the pose looks: 0 up, 1 right, 2 down, 3 left."""
        return (side - self.top) % 4

    @property
    def bearing(self) -> float:
        """In which direction of the picture its right lies, in radians, clockwise."""
        return self.pose.bearings[self.top]

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Its place without its pose."""
        return self.row, self.col, self.height, self.width

    @property
    def cells(self) -> list[Cell]:
        """All its cells."""
        return [(self.row + i, self.col + j) for i in range(self.height) for j in range(self.width)]


@dataclass(frozen=True)
class Face:
    """What is known of a face.

    Attributes:
        area: how many cells it must have.
        unit_px: the side of its cells.
        poses: where its corners may be.
        others: the faces that it seems to touch, and along how much, in sides of its cells.
    """

    area: int
    unit_px: float
    poses: Sequence[Pose]
    others: Mapping[int, float]


Layout = Mapping[int, Laid]


def lay(
    known: Mapping[int, Face],
    start: int,
    budget: Budget,
    log_likelihood: Callable[[Layout], float] = lambda _: 0.0,
) -> Layout | None:
    """The one layout of all faces that hang together with ``start``; None when it is not certain.

    Args:
        known: the faces.
        start: the number of the one that is laid first, its highest side up, at 0, 0.
        budget: for the search.
        log_likelihood: how well all lines that are seen suit a layout, in nats; by default all suit them alike.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    reached = next(part for part in components({n: face.others for n, face in known.items()}) if start in part)
    if any(not alike(known, number) for number in reached):
        return None
    first = (Laid(0, 0, *size, pose, pose.upright) for pose in known[start].poses for size in _sizes(known[start]))
    ways: list[_Way] = [(place.pose.cost + _shape_cost(place, {}), {start: place}) for place in first]
    waiting, purse = reached - {start}, Budget(NODES, budget.seconds_left())
    try:
        while (ways := _cheapest(ways, {n for n in reached if known[n].others.keys() & waiting})) and waiting:
            number = max(sorted(waiting), key=lambda n: _held(known[n], ways[0][1]))
            waiting.remove(number)
            ways = list(_grown(ways, known, number, purse))
    except BudgetSpentError:
        budget.spend(0)
        return None
    return _clearly_best(ways, log_likelihood)


def righted(layout: Layout, quarters: int = 0) -> dict[int, Laid]:
    """The layout turned by quarters so that it stands as most of its faces do when the picture is turned clockwise by
    so many ``quarters``, its box beginning at 0, 0.
    """
    votes = np.zeros(4)
    for place in layout.values():
        down = (np.roll(place.pose.middles, -2, axis=0) - place.pose.middles)[:, 1]
        votes += np.roll(down, -place.top)
    turned = dict(layout)
    for _ in range(
        (int(votes.argmax()) - quarters) % 4
    ):  # a quarter: the right side becomes the top, columns count down as rows
        turned = {
            n: replace(p, row=-p.col - p.width, col=p.row, height=p.width, width=p.height, top=(p.top + 1) % 4)
            for n, p in turned.items()
        }
    top, left = min(p.row for p in turned.values()), min(p.col for p in turned.values())
    return {n: replace(p, row=p.row - top, col=p.col - left) for n, p in turned.items()}


_Way = tuple[float, Layout]
"""A layout of some of the faces, and how unlikely it is, as a logarithm."""


def _held(face: Face, laid: Layout) -> tuple[int, int, int]:
    """How many faces that lie already it surely touches, and seems to: in the fewest ways lies what touches most."""
    shared = [length for other, length in face.others.items() if other in laid]
    return sum(length >= SURE for length in shared), len(shared), -face.area


def _grown(ways: Sequence[_Way], known: Mapping[int, Face], number: int, purse: Budget) -> Iterator[_Way]:
    """All ways with one more face laid, in every way that agrees with what was seen."""
    for cost, laid in ways:
        for place in _places(known[number], laid, number):
            purse.spend(1)
            more = place.pose.cost + _shape_cost(place, laid) + _turn_cost(place, laid)
            more += _beside_cost(place, number, laid)
            yield cost + more, {**laid, number: place}


def _cheapest(ways: Iterable[_Way], matter: set[int]) -> list[_Way]:
    """Of the ways that lay all cells alike the likeliest: corners matter only to faces that are yet to be laid.

    Args:
        ways: layouts of the same faces.
        matter: the faces whose corners matter.
    """
    best: dict[frozenset[object], _Way] = {}
    for cost, laid in ways:
        key = frozenset((n, p if n in matter else p.box) for n, p in laid.items())
        if key not in best or cost < best[key][0]:
            best[key] = (cost, laid)
    ways = sorted(best.values(), key=lambda way: way[0])
    return [way for way in ways if way[0] <= ways[0][0] + HOPELESS and way[0] < math.inf]


def _clearly_best(ways: Sequence[_Way], log_likelihood: Callable[[Layout], float]) -> Layout | None:
    """The likeliest, when no other is nearly as likely."""
    if len(ways) < 2:
        return ways[0][1] if ways else None
    likely = sorted(((log_likelihood(layout) - cost, layout) for cost, layout in ways), key=lambda way: -way[0])
    return likely[0][1] if likely[0][0] - likely[1][0] >= MARGIN else None


def alike(faces: Mapping[int, Face], number: int) -> bool:
    """Whether the cells of a face are about as large as those of the faces round it: else its area was misread."""
    mine = faces[number].unit_px ** 2
    return all(1 / UNLIKE < mine / faces[other].unit_px ** 2 < UNLIKE for other in faces[number].others)


def _sizes(face: Face) -> Iterator[tuple[int, int]]:
    for height in range(1, face.area + 1):
        if face.area % height == 0:
            yield height, face.area // height


def _places(face: Face, laid: Mapping[int, Laid], number: int) -> Iterator[Laid]:
    """The ways a face can lie beside those that lie already."""
    beside = max((other for other in face.others if other in laid), key=lambda other: face.others[other])
    other = laid[beside]
    # The other's side faces us: ours looks the other way.
    direction = (other.direction(other.pose.touches[number].side) + 2) % 4
    for pose in face.poses:
        top = (pose.touches[beside].side - direction) % 4
        for height, width in _sizes(face):
            for slide in range(-max(height, width), max(other.height, other.width) + 1):
                row, col = _beside(other, direction, (height, width), slide)
                place = Laid(row, col, height, width, pose, top)
                if (face.area == 1 or abs(_slant(place)) <= math.log(LONG)) and _fits(place, number, laid):
                    yield place


def _beside(other: Laid, direction: int, size: tuple[int, int], slide: int) -> Cell:
    """Row and column of a face whose side in ``direction`` touches another, moved along it."""
    height, width = size
    return (
        (other.row + other.height, other.col + slide),
        (other.row + slide, other.col - width),
        (other.row - height, other.col + slide),
        (other.row + slide, other.col + other.width),
    )[direction]


def _fits(place: Laid, number: int, laid: Mapping[int, Laid]) -> bool:
    """Whether a face there overlaps no other, and touches just those that it was seen to touch, where it was seen.

    Where two meet at a corner a short border may be seen, on either of the sides that end there, or none.
    """
    for other, theirs in laid.items():
        meeting = touching(place, theirs)
        if meeting is None:
            return False
        mine, yours = place.pose.touches.get(other), theirs.pose.touches.get(number)
        if mine is None or yours is None:
            if len(meeting) == 1:
                return False
        elif not _agrees(place, theirs, mine) or not _agrees(theirs, place, yours):
            return False
    return True


def touching(one: Laid, other: Laid) -> set[int] | None:
    """In which direction one touches the other, in two at a corner; none when apart, None when they overlap."""
    down = min(one.row + one.height, other.row + other.height) - max(one.row, other.row)
    right = min(one.col + one.width, other.col + other.width) - max(one.col, other.col)
    if down > 0 and right > 0:
        return None
    if down < 0 or right < 0:
        return set()
    upright = {0 if other.row < one.row else 2} if down == 0 else set[int]()
    return upright | ({3 if other.col < one.col else 1} if right == 0 else set())


def _agrees(mine: Laid, other: Laid, touch: Touch) -> bool:
    """Whether our side touches the other as it was seen."""
    direction = mine.direction(touch.side)
    may = max(PLACE, UNEVEN * mine.along(direction))
    return direction in (touching(mine, other) or ()) and max(_off(mine, other, touch)) <= may


def _off(mine: Laid, other: Laid, touch: Touch) -> tuple[float, float]:
    """How far both ends of a border lie from where they were seen on our side, in cells."""
    direction = mine.direction(touch.side)
    ends, cells = met(mine, other, direction), mine.along(direction)
    start, end = (mine.pose.cells_to(touch.side, cells, at) for at in touch.part)
    return abs(start - ends[0]), abs(end - ends[1])


def met(mine: Laid, other: Laid, direction: int) -> tuple[int, int]:
    """From which cell's begin to which cell's end another face takes our side in a direction, clockwise.

    Both are an end of the side when they only meet at a corner.
    """
    low, high = mine.span(direction)
    theirs = other.span(direction)
    return max(low, theirs[0]) - low, min(high, theirs[1]) - low


def _slant(place: Laid) -> float:
    """The logarithm of how much wider than high the cells of a patch are."""
    top, right, bottom, left = (place.pose.length_px((place.top + k) % 4) for k in range(4))
    across, down = top + bottom, left + right
    return math.log((across / place.width) / (down / place.height))


def _shape_cost(place: Laid, laid: Layout) -> float:
    """How unlikely the shape of a face's cells is beside those that lie already, as a logarithm."""
    uneven = sum(place.pose.unevenness(side, place.along(place.direction(side))) for side in range(4))
    cost = uneven / USUAL_WIDTH**2 / 2
    beside = [_slant(laid[n]) for n in place.pose.touches if n in laid]
    if not beside:
        return cost + (_slant(place) / USUAL_SHAPE) ** 2 / 2
    return cost + ((_slant(place) - INHERITED * sum(beside) / len(beside)) / OWN_SHAPE) ** 2 / 2


def _turn_cost(place: Laid, laid: Layout) -> float:
    """How unlikely it is that a face is turned so against those beside it, as a logarithm."""
    beside = sum(cmath.exp(1j * laid[n].bearing) for n in place.pose.touches if n in laid)
    return (cmath.phase(cmath.exp(1j * place.bearing) * beside.conjugate()) / USUAL_TURN) ** 2 / 2 if beside else 0.0


def _beside_cost(place: Laid, number: int, laid: Layout) -> float:
    """How unlikely it is to see the ends of its borders where they were seen, as a logarithm."""
    pairs = [(place, other, place.pose.touches[n]) for n, other in laid.items() if n in place.pose.touches] + [
        (other, place, other.pose.touches[number]) for other in laid.values() if number in other.pose.touches
    ]
    return sum(_place_cost(mine, other, touch) for mine, other, touch in pairs)


def _place_cost(mine: Laid, other: Laid, touch: Touch) -> float:
    usual = max(USUAL_PLACE, USUAL_UNEVEN * mine.along(mine.direction(touch.side)))
    return sum((off / usual) ** 2 / 2 for off in _off(mine, other, touch))
