"""Twelve pieces of joined balls and a tray to fill: the Lonpos pyramid's triangle and the Kanoodle board.

A piece is three to five balls glued together on the square lattice; it may be turned and flipped. Twelve of them hold
55 balls, which fill a triangle of ten rows (the lattice standing on its corner) and a board of 5 x 11. There are two
sets: ``standard`` (Lonpos, Kanoodle) and ``iq`` (IQ Puzzler Pro), which share nine shapes. A letter names a shape,
whatever its colour.

As text, a tray is its rows, ``.`` an empty pit and a capital a ball of a piece that lies there. A small letter is a
single ball that is given in advance: whichever way its piece comes to lie, it covers that pit. A first line ``iq``
names the set. ``/`` may stand for the end of a line.

Filling a tray is an exact cover: pieces and pits are the items, each way to lay a piece is an option.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations

from solvers.board import Cell, Layout
from solvers.budget import Budget
from solvers.exact_cover import Engine, covers
from solvers.kind import Record
from solvers.marks import Ball, Ink, Mark
from solvers.tones import tones

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
    layout: Layout
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
    def at(self) -> dict[tuple[int, int], Cell]:
        """The pit on each lattice point that has one."""
        return {self.point(cell): cell for cell in self.cells}

    @cached_property
    def index(self) -> dict[Cell, int]:
        """The number of each pit, row by row: its bit in a mask."""
        return {cell: number for number, cell in enumerate(self.cells)}

    def mask(self, cells: Sequence[Cell] | set[Cell]) -> int:
        """The pits as one-bits."""
        return sum(1 << self.index[cell] for cell in cells)


@dataclass(frozen=True)
class Lay:
    """One way to lay a piece.

    Attributes:
        letter: which piece.
        pits: the numbers of the pits that it fills (see :attr:`Tray.index`), in ascending order.
        mask: the same as one-bits.
    """

    letter: str
    pits: tuple[int, ...]
    mask: int


def lays(tray: Tray, shape: Shape, letter: str) -> list[Lay]:
    """All ways to lay a piece into an empty tray."""
    number = {point: tray.index[cell] for point, cell in tray.at.items()}
    far_x, far_y = max(x for x, _ in number), max(y for _, y in number)
    found = []
    for turned in orientations(shape):
        for down in range(far_y + 1):
            for right in range(far_x + 1):
                pits = [number.get((x + right, y + down), -1) for x, y in turned]
                if -1 not in pits:
                    found.append(Lay(letter, tuple(sorted(pits)), sum(1 << pit for pit in pits)))
    return found


_LAYS: dict[tuple[str, str], dict[str, list[Lay]]] = {}


def all_lays(tray: Tray, pieces: str) -> dict[str, list[Lay]]:
    """For each letter of a set all ways to lay it into an empty tray; worked out once."""
    key = (tray.name, pieces)
    if key not in _LAYS:
        _LAYS[key] = {letter: lays(tray, shape, letter) for letter, shape in shapes(pieces).items()}
    return _LAYS[key]


@dataclass(frozen=True)
class Balls:
    """A tray with what is given in advance.

    Attributes:
        rows: one string a row: ``.`` empty, a capital for a piece that lies there, a small letter for a single ball.
        pieces: the set, ``"standard"`` or ``"iq"``.
    """

    rows: tuple[str, ...]
    pieces: str = "standard"

    def cells_of(self, letters: str) -> dict[str, list[Cell]]:
        """The cells of each of ``letters`` that stands somewhere."""
        found: dict[str, list[Cell]] = {}
        for r, row in enumerate(self.rows):
            for c, letter in enumerate(row):
                if letter in letters:
                    found.setdefault(letter, []).append((r, c))
        return found


Answer = tuple[str, ...]
"""The rows with a capital everywhere."""


def _place(cell: Cell) -> str:
    return f"row {cell[0] + 1}, place {cell[1] + 1}"


def _listed(letters: Sequence[str]) -> str:
    return ", ".join(letters[:-1]) + " and " + letters[-1] if len(letters) > 1 else "".join(letters)


@dataclass(frozen=True)
class BallRules:
    """The functions of :class:`solvers.kind.Rules` for one tray; :mod:`solvers.pyramid` hands them on."""

    tray: Tray

    # --- as text -----------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Balls:
        """The puzzle that ``text`` tells; the inverse of :meth:`write`.

        Raises:
            ValueError: the rows do not fit the tray, or a letter names no piece.
        """
        words = text.replace("/", " ").split()
        pieces = words.pop(0) if words and words[0] in SETS else "standard"
        widths = tuple(map(len, words))
        if widths != self.tray.widths:
            raise ValueError(f"a {self.tray.name} has rows of {_many(self.tray.widths)} balls, not of {_many(widths)}")
        for r, row in enumerate(words):
            for c, letter in enumerate(row):
                if letter.upper() not in LETTERS + EMPTY:
                    raise ValueError(f"{letter!r} at {_place((r, c))} names no piece: use A to L, a to l, or '.'")
        return Balls(tuple(words), pieces)

    def write(self, puzzle: Balls) -> str:
        """The puzzle as text."""
        named = [] if puzzle.pieces == "standard" else [puzzle.pieces]
        return "\n".join([*named, *puzzle.rows])

    def title(self, puzzle: Balls) -> str:
        """Such as ``triangle of 55 balls, 4 pieces given``."""
        given, hinted = len(puzzle.cells_of(LETTERS)), sum(map(len, puzzle.cells_of(LETTERS.lower()).values()))
        told = [f"{given} piece{'' if given == 1 else 's'} given"]
        if hinted:
            told.append(f"{hinted} single ball{'' if hinted == 1 else 's'}")
        if puzzle.pieces != "standard":
            told.append(f"{puzzle.pieces} set")
        return f"{self.tray.name}, {', '.join(told)}"

    def layout(self, puzzle: Balls) -> Layout:
        """The pits of the tray."""
        assert len(puzzle.rows) == len(self.tray.widths)
        return self.tray.layout

    # --- what is wrong with it ---------------------------------------------------------------------------------------

    def faults(self, puzzle: Balls) -> list[str]:
        """Everything that is wrong with the given pieces and balls, each a sentence."""
        if tuple(map(len, puzzle.rows)) != self.tray.widths:
            widths = _many(self.tray.widths)
            return [f"A {self.tray.name} has rows of {widths} balls, not of {_many(tuple(map(len, puzzle.rows)))}."]
        if puzzle.pieces not in SETS:
            return [f"There is no set {puzzle.pieces!r}; known are {' and '.join(SETS)}."]
        found = [
            f"{letter!r} at {_place((r, c))} names no piece."
            for r, row in enumerate(puzzle.rows)
            for c, letter in enumerate(row)
            if letter.upper() not in LETTERS + EMPTY
        ]
        whole, single = puzzle.cells_of(LETTERS), puzzle.cells_of(LETTERS.lower())
        for letter in LETTERS:
            if letter in whole:
                found += self._bad_piece(puzzle, letter, whole[letter])
                if letter.lower() in single:
                    found.append(f"Piece {letter} lies there, and a single ball of it at another place.")
            elif letter.lower() in single and not self._open_lays(puzzle, letter):
                places = _listed([_place(cell) for cell in single[letter.lower()]])
                found.append(f"Piece {letter} cannot be laid over its ball at {places}.")
        return found

    def _bad_piece(self, puzzle: Balls, letter: str, cells: list[Cell]) -> Iterator[str]:
        """What is wrong with a piece that lies on ``cells``."""
        shape = shapes(puzzle.pieces)[letter]
        parts = self._regions(set(cells))
        forms = [normal([self.tray.point(cell) for cell in part]) for part in parts]
        if len(cells) == 2 * len(shape) and all(form in orientations(shape) for form in forms):
            yield f"Piece {letter} lies on the board twice, at {_place(min(parts[0]))} and at {_place(min(parts[1]))}."
        elif len(parts) > 1:
            yield f"The balls of {letter} fall into {len(parts)} parts, at {_listed([_place(min(p)) for p in parts])}."
        elif len(cells) != len(shape):
            yield f"Piece {letter} has {len(shape)} balls, but {len(cells)} are given, from {_place(cells[0])} on."
        elif forms[0] not in orientations(shape):
            other = next((name for name in SETS if forms[0] in orientations(shapes(name)[letter])), None)
            hint = f" (it is the {letter} of the {other} set)" if other else ""
            yield f"What lies from {_place(cells[0])} on has not the shape of {letter}{hint}."

    def _regions(self, cells: set[Cell]) -> list[set[Cell]]:
        """The cells in connected parts, in the order of their first cells."""
        left, parts = set(cells), []
        while left:
            part: set[Cell] = set()
            edge = [min(left)]
            while edge:
                cell = edge.pop()
                if cell in left:
                    left.remove(cell)
                    part.add(cell)
                    edge += [other for other in self.tray.layout.neighbours[cell] if other is not None]
            parts.append(part)
        return parts

    # --- solving -----------------------------------------------------------------------------------------------------

    def _open_lays(self, puzzle: Balls, letter: str) -> list[Lay]:
        """The ways to lay a piece that is not given whole: over its own single balls, and over nothing else given."""
        own = self.tray.mask(puzzle.cells_of(letter.lower()).get(letter.lower(), []))
        given = puzzle.cells_of(LETTERS + LETTERS.lower().replace(letter.lower(), ""))
        barred = self.tray.mask([cell for cells in given.values() for cell in cells])
        ways = all_lays(self.tray, puzzle.pieces)[letter]
        return [lay for lay in ways if not lay.mask & barred and lay.mask & own == own]

    def options(self, puzzle: Balls) -> tuple[list[Hashable], list[Lay]]:
        """The puzzle as an exact cover: the items (letters to be laid and pits to be filled) and the ways to lay."""
        whole = puzzle.cells_of(LETTERS)
        letters = [letter for letter in LETTERS if letter not in whole]
        filled = self.tray.mask([cell for cells in whole.values() for cell in cells])
        pits = [number for number in range(len(self.tray.cells)) if not filled >> number & 1]
        return [*letters, *pits], [lay for letter in letters for lay in self._open_lays(puzzle, letter)]

    def answers(self, puzzle: Balls, budget: Budget, engine: Engine = covers) -> Iterator[Answer]:
        """All answers, lazily, each once.

        Args:
            puzzle: without faults (else there may be answers that keep a misplaced piece where it is).
            budget: pays a node for each way to lay a piece that is tried.
            engine: the search for exact covers.

        Raises:
            BudgetSpentError: from the iterator, when the budget is used up.
        """
        items, ways = self.options(puzzle)
        for chosen in engine(items, [(lay.letter, *lay.pits) for lay in ways], (), budget):
            yield self._filled(puzzle, [ways[index] for index in chosen])

    def _filled(self, puzzle: Balls, laid: Sequence[Lay]) -> Answer:
        letters = list("".join(puzzle.rows))
        for lay in laid:
            for pit in lay.pits:
                letters[pit] = lay.letter
        rows, start = [], 0
        for width in self.tray.widths:
            rows.append("".join(letters[start : start + width]))
            start += width
        return tuple(rows)

    def explain(self, puzzle: Balls, budget: Budget) -> list[str]:
        """Why a puzzle without faults has no answer, as far as that can be seen in one place; each a sentence.

        The empty pits fall into pockets; each must be filled by some of the pieces left. Empty when no pocket alone is
        the reason (or there is an answer).

        Raises:
            BudgetSpentError: the budget is used up.
        """
        items, ways = self.options(puzzle)
        left = [item for item in items if isinstance(item, str)]
        found = [
            f"Piece {letter} has no place left." for letter in left if not any(lay.letter == letter for lay in ways)
        ]
        filled = puzzle.cells_of(LETTERS)
        empty = set(self.tray.cells).difference(cell for cells in filled.values() for cell in cells)
        for pocket in self._regions(empty):
            found += self._bad_pocket(puzzle, pocket, left, ways, budget)
        return found

    def _bad_pocket(
        self, puzzle: Balls, pocket: set[Cell], left: list[str], ways: list[Lay], budget: Budget
    ) -> Iterator[str]:
        """Why the pieces left cannot fill a pocket."""
        size = len(pocket)
        where = f"The pocket at row {min(pocket)[0] + 1} holds {size} ball{'' if size == 1 else 's'},"
        mask = self.tray.mask(pocket)
        inside = [lay for lay in ways if not lay.mask & ~mask]
        sizes = {letter: len(shapes(puzzle.pieces)[letter]) for letter in left}
        if not inside:
            yield f"{where} and no piece left fits."
        elif not _some_sum(list(sizes.values()), size):
            yield f"{where} and the sizes of no pieces left add up to that."
        elif size < sum(sizes.values()):
            pits = [self.tray.index[cell] for cell in sorted(pocket)]
            options = [(lay.letter, *lay.pits) for lay in inside]
            if next(covers(pits, options, left, budget), None) is None:
                yield f"{where} which no choice of the pieces left ({_listed(left)}) fills."

    # --- judging and showing an answer -------------------------------------------------------------------------------

    def holds(self, puzzle: Balls, answer: Answer) -> bool:
        """Whether the answer fills the tray with each piece once and keeps what is given."""
        if tuple(map(len, answer)) != self.tray.widths or tuple(map(len, puzzle.rows)) != self.tray.widths:
            return False
        points: dict[str, list[tuple[int, int]]] = {}
        for r, row in enumerate(answer):
            for c, letter in enumerate(row):
                if puzzle.rows[r][c].upper() not in (EMPTY, letter):
                    return False
                points.setdefault(letter, []).append(self.tray.point((r, c)))
        given = Counter("".join(puzzle.rows))
        if any(given[letter] not in (0, len(points.get(letter, ()))) for letter in LETTERS):
            return False
        wanted = shapes(puzzle.pieces)
        return set(points) == set(wanted) and all(normal(p) in orientations(wanted[k]) for k, p in points.items())

    def contents(self, puzzle: Balls, answer: Answer) -> Mapping[Cell, Hashable]:
        """The letter in each pit."""
        assert len(puzzle.rows) == len(answer)
        return {cell: answer[cell[0]][cell[1]] for cell in self.tray.cells}

    def marks(self, puzzle: Balls, answer: Answer) -> Sequence[Mark]:
        """Balls for each piece that was not given whole; pieces that touch get different tones."""
        laid = Balls(answer, puzzle.pieces).cells_of(LETTERS)
        palette = tones(list(laid.values()), self.tray.layout.neighbours)
        whole, single = puzzle.cells_of(LETTERS), puzzle.cells_of(LETTERS.lower())
        found = []
        for (letter, cells), tone in zip(laid.items(), palette, strict=True):
            if letter not in whole:
                hint = single.get(letter.lower())
                found.append(Ball(tuple(cells), Ink(tone=tone, like=hint[0] if hint else None)))
        return found

    def puzzle_record(self, puzzle: Balls) -> Record:
        """``rows`` (in capitals) and ``set``."""
        return {"rows": [row.upper() for row in puzzle.rows], "set": puzzle.pieces}

    def answer_record(self, puzzle: Balls, answer: Answer) -> Record:
        """``rows``."""
        assert len(puzzle.rows) == len(answer)
        return {"rows": list(answer)}


def _many(widths: tuple[int, ...]) -> str:
    """Widths in words: ``11, 11, 11`` is ``3 x 11``."""
    if len(widths) > 1 and len(set(widths)) == 1:
        return f"{len(widths)} x {widths[0]}"
    return ", ".join(map(str, widths)) or "0"


def _some_sum(sizes: list[int], total: int) -> bool:
    """Whether some of the sizes add up to the total."""
    return any(sum(some) == total for many in range(len(sizes) + 1) for some in combinations(sizes, many))
