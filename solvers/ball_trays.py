"""The pieces of joined balls, the tray they are laid into, and every way to lay one.

A piece is three to five balls glued together on the square lattice; it may be turned and flipped. There are two sets of
twelve: ``standard`` (Lonpos, Kanoodle) and ``iq`` (IQ Puzzler Pro), which share nine shapes. A letter names a shape,
whatever its colour. The pits of a tray are bits of a mask, so that moving a piece over the lattice is a shift.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from solvers.board import Cell, Layout, Point

EMPTY = "."

Shape = frozenset[tuple[int, int]]
"""Lattice points ``(x, y)`` with the least x and the least y 0."""

_STANDARD = {
    "A": "..A AAA",
    "B": "BBB BB.",
    "C": "C... CCCC",
    "D": "DDDD .D..",
    "E": "EEE. ..EE",
    "F": "FF F.",
    "G": "G.. G.. GGG",
    "H": "HH. .HH ..H",
    "I": "II .I II",
    "J": "JJJJ",
    "K": "KK KK",
    "L": ".L. LLL .L.",
}
_DRAWINGS = {"standard": _STANDARD, "iq": _STANDARD | {"J": "JJJ .J.", "K": "KK. .KK", "L": ".LL LL. .L."}}

SETS = tuple(_DRAWINGS)
LETTERS = "".join(_STANDARD)


def normal(points: Sequence[tuple[int, int]] | Shape) -> Shape:
    """The points moved so that the least x and the least y are 0."""
    left, top = min(x for x, _ in points), min(y for _, y in points)
    return frozenset((x - left, y - top) for x, y in points)


def orientations(shape: Shape) -> tuple[Shape, ...]:
    """The different ways to turn and flip a shape, one to eight, in a fixed order."""
    found = set()
    for turned in (shape, normal([(-x, y) for x, y in shape])):
        for _ in range(4):
            turned = normal([(-y, x) for x, y in turned])  # noqa: PLW2901
            found.add(turned)
    return tuple(sorted(found, key=sorted))


@cache
def shapes(pieces: str) -> dict[str, Shape]:
    """The shape of each letter in the set ``pieces``."""
    return {
        letter: normal([(x, y) for y, row in enumerate(drawn.split()) for x, ball in enumerate(row) if ball != EMPTY])
        for letter, drawn in _DRAWINGS[pieces].items()
    }


@dataclass(frozen=True)
class Tray:
    """Where pieces are laid: pits on a square lattice.

    Attributes:
        name: for people.
        widths: the number of pits in each row.
        layout: the outlines and neighbours of the pits. The lattice is read from it: right is +x, bottom is +y.
        slanted: whether a row runs diagonally through the lattice, so that pit ``(i, j)`` is the point ``(j, i - j)``.
    """

    name: str
    widths: tuple[int, ...]
    layout: Layout = field(compare=False)  # the name stands for it: trays are keys of what is worked out once
    slanted: bool = False

    def point(self, cell: Cell) -> tuple[int, int]:
        """The lattice point of a pit."""
        row, place = cell
        return (place, row - place) if self.slanted else (place, row)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All pits, row by row."""
        return tuple((row, place) for row, width in enumerate(self.widths) for place in range(width))

    @cached_property
    def centres(self) -> tuple[Point, ...]:
        """The middle of each pit in board units, in the order of ``cells``."""
        return tuple(self.layout.centre(cell) for cell in self.cells)

    @cached_property
    def index(self) -> dict[Cell, int]:
        """The bit of each pit in a mask: ``y * stride + x``, so that shifting a mask moves it over the lattice."""
        return {cell: y * self.stride + x for cell in self.cells for x, y in [self.point(cell)]}

    @cached_property
    def stride(self) -> int:
        """From one lattice row to the next; one more than there are columns, so that nothing shifts round the edge."""
        return max(x for x, _ in map(self.point, self.cells)) + 2

    @cached_property
    def everything(self) -> int:
        """The mask of all pits."""
        return self.mask(self.cells)

    def mask(self, cells: Iterable[Cell]) -> int:
        """The pits as one-bits."""
        return sum(1 << self.index[cell] for cell in cells)

    def cells_in(self, mask: int) -> list[Cell]:
        """The pits of a mask, row by row."""
        return [cell for cell in self.cells if mask >> self.index[cell] & 1]

    def cramped(self, free: int) -> bool:
        """Whether some of the ``free`` pits form a pocket of one or two, too small for any piece."""
        once = twice = 0
        for shifted in (free << 1, free >> 1, free << self.stride, free >> self.stride):
            twice |= once & shifted
            once |= shifted
        if free & ~once:
            return True
        # Two pits with one free neighbour each that are each other's neighbour.
        ends = free & once & ~twice
        return bool(ends & (ends << 1 | ends << self.stride))


Lay = tuple[str, int]
"""One way to lay a piece: its letter and the mask of the pits that it fills."""


def lays(tray: Tray, shape: Shape) -> list[int]:
    """All ways to lay a piece into an empty tray, as masks."""
    blocked, stride = ~tray.everything, tray.stride
    length = tray.everything.bit_length()
    found = []
    for turned in orientations(shape):
        pattern = sum(1 << y * stride + x for x, y in turned)
        for shift in range(length - pattern.bit_length() + 1):
            # A pattern that runs over the edge meets the empty column and is dropped.
            lay = pattern << shift
            if not lay & blocked:
                found.append(lay)
    return found


@cache
def all_lays(tray: Tray, pieces: str) -> dict[str, list[int]]:
    """For each letter of a set all ways to lay it into an empty tray; worked out once."""
    return {letter: lays(tray, shape) for letter, shape in shapes(pieces).items()}


def forget_lays() -> None:
    """Work everything out anew at the next call, as in a fresh process (for measuring)."""
    all_lays.cache_clear()
    shapes.cache_clear()


def bits(mask: int) -> tuple[int, ...]:
    """The numbers of the one-bits, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)
