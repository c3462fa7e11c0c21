"""Lays the faces of a bent board onto whole rows and columns: open cells are 1 x 1, a patch has an area and two sides.

Which faces touch, along which of their sides, and where on those, is seen; how many cells each side has follows. A
patch of 6 may be 1 x 6, 2 x 3, 3 x 2 or 6 x 1; beside a row of three open cells, with a corner at the end of it, only
one of them fits. Faces are laid one after the other, each next to one that lies already, in every way that agrees with
all that was seen; of what is left at the end, one must be clearly the best, or nothing is certain.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from solvers.board import Cell
from solvers.budget import Budget
from vision.clues.rings import Pose, Touch

PLACE, DRIFT = 0.34, 0.045
"""How far from a whole cell the end of a border may lie, in cells, and how much more for each cell of the side: cells
are not all of one width. Half a cell is where nothing can be told any more."""

LONG = 3.0
"""Cells of a patch are at most this many times as long as wide, or as wide as long."""

UNLIKE = 3.2
"""Areas of a cell on the one and on the other of two faces that touch differ at most by this factor."""

USUAL_PLACE, USUAL_SHAPE = 0.18, 0.25
"""By how much the ends of borders (in cells) and the logarithm of what cells are longer than wide usually differ from
what they should be."""

MARGIN = math.log(20)
"""How much likelier (20 times) the best layout must be than the next one."""

NODES = 5_000
"""Faces laid, in all: boards that can be laid take 30 to 900."""


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
        others: the faces that it touches.
    """

    area: int
    unit_px: float
    poses: Sequence[Pose]
    others: frozenset[int]


Layout = Mapping[int, Laid]


def lay(known: Mapping[int, Face], start: int, budget: Budget) -> Layout | None:
    """The one layout of all faces that hang together with ``start``; None when it is not certain.

    Args:
        known: the faces.
        start: the number of the one that is laid first, its highest side up, at 0, 0.
        budget: for the search.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    reached = _reached(known, start)
    if any(not _alike(known, number) for number in reached):
        return None
    search = _Search(known, reached, Budget(NODES, budget.seconds_left()))
    for pose in known[start].poses:
        for height, width in _sizes(known[start]):
            first = Laid(0, 0, height, width, pose, pose.upright)
            search.go_on({start: first}, _own_cost(first))
    return search.clearly_best


@dataclass
class _Search:
    """A search for layouts.

    Attributes:
        faces: all faces.
        reached: the numbers of those that are to be laid.
        purse: for the search.
        found: for each way to place the cells the likeliest layout so far, with its cost.
    """

    faces: Mapping[int, Face]
    reached: Sequence[int]
    purse: Budget
    found: dict[frozenset[tuple[int, ...]], tuple[float, Layout]] = field(default_factory=dict)

    @property
    def clearly_best(self) -> Layout | None:
        """The likeliest, when no other is nearly as likely."""
        ranked = sorted(self.found.values(), key=lambda pair: pair[0])
        clear = len(ranked) == 1 or (len(ranked) > 1 and ranked[1][0] - ranked[0][0] >= MARGIN)
        return ranked[0][1] if clear else None

    def go_on(self, laid: Layout, cost: float) -> None:
        """Lay the rest in all ways that may compete with the best, the likeliest first."""
        waiting = [number for number in self.reached if number not in laid]
        if not waiting:
            self._note(laid, cost)
            return
        # The face that touches most of what lies can lie in the fewest ways.
        number = max(waiting, key=lambda n: (len(self.faces[n].others & laid.keys()), -self.faces[n].area))
        places = _places(self.faces[number], laid, number)
        ways = [(_own_cost(place) + _beside_cost(place, number, laid), place) for place in places]
        for more, place in sorted(ways, key=lambda way: way[0]):
            if cost + more > self._bound():
                return
            self.purse.spend(1)
            self.go_on({**laid, number: place}, cost + more)

    def _bound(self) -> float:
        """What costs more is of no interest."""
        return min((cost for cost, _ in self.found.values()), default=math.inf) + MARGIN

    def _note(self, layout: Layout, cost: float) -> None:
        key = frozenset((n, p.row, p.col, p.height, p.width) for n, p in layout.items())
        if key not in self.found or cost < self.found[key][0]:
            self.found[key] = (cost, layout)


def _reached(faces: Mapping[int, Face], start: int) -> list[int]:
    """All faces that hang together with one."""
    reached, todo = [start], [start]
    while todo:
        for other in sorted(faces[todo.pop()].others):
            if other not in reached:
                reached.append(other)
                todo.append(other)
    return reached


def _alike(faces: Mapping[int, Face], number: int) -> bool:
    """Whether the cells of a face are about as large as those of the faces round it: else its area was misread."""
    mine = faces[number].unit_px ** 2
    return all(1 / UNLIKE < mine / faces[other].unit_px ** 2 < UNLIKE for other in faces[number].others)


def _sizes(face: Face) -> Iterator[tuple[int, int]]:
    for height in range(1, face.area + 1):
        if face.area % height == 0:
            yield height, face.area // height


def _places(face: Face, laid: Mapping[int, Laid], number: int) -> Iterator[Laid]:
    """The ways a face can lie beside those that lie already."""
    beside = next(other for other in sorted(face.others) if other in laid)
    other = laid[beside]
    # The other's side faces us: ours looks the other way.
    direction = (other.direction(other.pose.touches[number].side) + 2) % 4
    for pose in face.poses:
        top = (pose.touches[beside].side - direction) % 4
        for height, width in _sizes(face):
            if abs(_slant(pose, top, height, width)) > math.log(LONG):
                continue
            for slide in range(-max(height, width), max(other.height, other.width)):
                row, col = _beside(other, direction, (height, width), slide)
                place = Laid(row, col, height, width, pose, top)
                if _fits(place, number, laid):
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
    """Whether a face there overlaps no other, and touches just those that it was seen to touch, where it was seen."""
    for other, theirs in laid.items():
        touching = _touching(place, theirs)
        if touching is None:
            return False
        mine, yours = place.pose.touches.get(other), theirs.pose.touches.get(number)
        if mine is None or yours is None:
            if touching >= 0:
                return False
        elif touching < 0 or not _as_seen(place, theirs, mine) or not _as_seen(theirs, place, yours):
            return False
    return True


def _touching(one: Laid, other: Laid) -> int | None:
    """In which direction one touches the other; -1 when they are apart, None when they overlap."""
    down = min(one.row + one.height, other.row + other.height) - max(one.row, other.row)
    right = min(one.col + one.width, other.col + other.width) - max(one.col, other.col)
    if down > 0 and right > 0:
        return None
    if down == 0 and right > 0:
        return 0 if other.row < one.row else 2
    if right == 0 and down > 0:
        return 3 if other.col < one.col else 1
    return -1


def _as_seen(mine: Laid, other: Laid, touch: Touch) -> bool:
    """Whether our side touches the other as it was seen."""
    direction = mine.direction(touch.side)
    may = PLACE + DRIFT * (mine.along(direction) - 1)
    return direction == _touching(mine, other) and max(_off(mine, other, touch)) <= may


def _off(mine: Laid, other: Laid, touch: Touch) -> tuple[float, float]:
    """How far both ends of a border lie from where they were seen on our side, in cells."""
    direction = mine.direction(touch.side)
    ends, cells = met(mine, other, direction), mine.along(direction)
    return abs(touch.part[0] * cells - ends[0]), abs(touch.part[1] * cells - ends[1])


def met(mine: Laid, other: Laid, direction: int) -> tuple[int, int]:
    """From which cell's begin to which cell's end another face takes our side in a direction, clockwise."""
    low, high = mine.span(direction)
    theirs = other.span(direction)
    return max(low, theirs[0]) - low, min(high, theirs[1]) - low


def _slant(pose: Pose, top: int, height: int, width: int) -> float:
    """The logarithm of how much wider than high the cells of a patch are."""
    across, down = (pose.length_px((top + k) % 4) + pose.length_px((top + k + 2) % 4) for k in (0, 1))
    return math.log((across / width) / (down / height))


def _own_cost(place: Laid) -> float:
    """How unlikely a face's corners and the shape of its cells are, as a logarithm."""
    slant = _slant(place.pose, place.top, place.height, place.width)
    return place.pose.cost + (slant / USUAL_SHAPE) ** 2 / 2


def _beside_cost(place: Laid, number: int, laid: Layout) -> float:
    """How unlikely it is to see the ends of its borders where they were seen."""
    pairs = [(place, other, place.pose.touches[n]) for n, other in laid.items() if n in place.pose.touches] + [
        (other, place, other.pose.touches[number]) for other in laid.values() if number in other.pose.touches
    ]
    return sum((off / USUAL_PLACE) ** 2 / 2 for mine, other, touch in pairs for off in _off(mine, other, touch))
