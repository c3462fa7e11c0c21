"""Queens: one in every row and every column, and none attacks another.

Two games share this module. In the classic one the queens also mind the diagonals, and some may stand already [1]_.
In the game of coloured regions (LinkedIn's Queens, Star Battle with one star) every region holds exactly one queen and
no two queens touch, not even diagonally; longer diagonals do not matter.

Told as text, a board is its rows from top to bottom with slashes between them. Classic: a number stands for so many
empty squares and ``Q`` for a queen, as in ``1Q2/3Q/4/4``. Coloured: a letter per square names its region (``<52>``
and so on beyond ``Z``), and a star after it is a queen: ``aab/a*cb/ccb``.

References:
    .. [1] M. Bezzel, Berliner Schachzeitung 3 (1848), p. 363; I. Gent, C. Jefferson, P. Nightingale, "Complexity of
       n-queens completion", Journal of Artificial Intelligence Research 59 (2017).
"""

import random
import re
import string
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from solvers.board import Cell, Layout, grid_layout
from solvers.budget import Budget, BudgetSpentError
from solvers.kind import Choices, Frame, Record
from solvers.marks import Fence, Ink, Mark, Piece, Text
from solvers.message import Message, counted, square
from solvers.queens_bits import Columns, Lines, explicit, placements, placements_by_row
from solvers.queens_count import LARGEST, count_placements
from solvers.ranks import parse_ranks, write_ranks
from solvers.rehearsal import rehearse_cover
from solvers.tones import tones

_LETTERS = string.ascii_letters
_SQUARE = re.compile(r"([a-zA-Z]|<-?\d+>)(\*?)")
_RESTARTS = 8
"""Shuffled tries before the systematic search. On boards with few queens given each finds an answer more often than
not; the systematic search can be caught for ages in one bad corner."""
_NODES_PER_TRY = 3
"""Nodes of a shuffled try, as a multiple of the board's side; a try that goes well needs hardly more than one."""

_LARGEST_AS_SQUARES = 40
"""Rows up to which a set of squares is handier than a set of columns per row; the times cross near here."""


@dataclass(frozen=True)
class Puzzle:
    """A board of queens.

    Attributes:
        n: rows and columns.
        queens: squares ``(row, col)`` of the queens that stand already, sorted by row.
        regions: the number of the region of each square, row by row; None for the classic game.
    """

    n: int
    queens: tuple[Cell, ...] = ()
    regions: tuple[tuple[int, ...], ...] | None = None


@dataclass(frozen=True)
class Answer:
    """A full board: the column of the queen of each row."""

    columns: Columns

    def cells(self) -> tuple[Cell, ...]:
        """The squares ``(row, col)`` of all queens, by row."""
        return tuple(enumerate(self.columns))


def parse(text: str) -> Puzzle:
    """The board that ``text`` tells; the module's docstring shows how. Raises ValueError with a sentence."""
    text = text.strip()
    if re.search(r"[a-z<]", text):
        return _parse_coloured(text.split("/"))
    rows, cols, queens = parse_ranks(text, "Q", "queens board")
    if rows != cols:
        raise ValueError(f"a queens board is square, but this one has {rows} rows and {cols} columns")
    return Puzzle(rows, tuple(sorted(queens)))


def _parse_coloured(rows: Sequence[str]) -> Puzzle:
    """The board whose squares name their regions."""
    regions, queens = [], []
    for r, row in enumerate(rows):
        if not re.fullmatch(f"({_SQUARE.pattern})+", row):
            raise ValueError(f"row {r + 1} of the queens board, {row!r}, is not a row of region letters")
        squares = _SQUARE.findall(row)
        if len(squares) != len(rows):
            raise ValueError(f"row {r + 1} of the queens board has {len(squares)} squares for {len(rows)} rows")
        regions.append(tuple(_LETTERS.index(name) if len(name) == 1 else int(name[1:-1]) for name, _ in squares))
        queens += [(r, c) for c, (_, star) in enumerate(squares) if star]
    return Puzzle(len(rows), tuple(queens), tuple(regions))


def write(puzzle: Puzzle) -> str:
    """The board as text."""
    queens = set(puzzle.queens)
    if puzzle.regions is None:
        return write_ranks(puzzle.n, puzzle.n, dict.fromkeys(queens, "Q"))
    return "/".join(
        "".join(region_name(region) + "*" * ((r, c) in queens) for c, region in enumerate(row))
        for r, row in enumerate(puzzle.regions)
    )


def region_name(region: int) -> str:
    """A letter as far as they go, then the number in angle brackets."""
    return _LETTERS[region] if 0 <= region < len(_LETTERS) else f"<{region}>"


def put(puzzle: Puzzle, cell: Cell, text: str) -> Puzzle:
    """The board with ``Q`` or nothing on a square, or a square in another region, named by a small letter; see
    :class:`solvers.kind.Rules`.
    """
    if not (len(cell) == 2 and all(0 <= x < puzzle.n for x in cell)):
        size = f"{puzzle.n} x {puzzle.n}"
        raise ValueError(Message("there is no square {cell} on a board of {size}", cell=square(cell), size=size))
    word, others = text.strip(), tuple(queen for queen in puzzle.queens if queen != cell)
    queen = word in ("Q", "queen") or (word == "q" and puzzle.regions is None)  # else a region
    if queen or word in ("", "."):
        return replace(puzzle, queens=tuple(sorted([*others, cell])) if queen else others)
    if puzzle.regions is None or word not in tuple(string.ascii_lowercase):
        why = "{text!r} cannot stand in {cell}: give Q for a queen or nothing"
        if puzzle.regions is not None:
            why = "{text!r} cannot stand in {cell}: give Q for a queen or nothing, or a small letter for its region"
        raise ValueError(Message(why, text=text, cell=square(cell)))
    regions = [list(row) for row in puzzle.regions]
    regions[cell[0]][cell[1]] = _LETTERS.index(word)
    return replace(puzzle, regions=tuple(map(tuple, regions)))


def word(puzzle: Puzzle, cell: Cell) -> str:
    """``Q``, the letter of the region, or nothing."""
    if cell in puzzle.queens:
        return "Q"
    return region_name(puzzle.regions[cell[0]][cell[1]]) if puzzle.regions is not None else ""


def choices(puzzle: Puzzle) -> Choices:
    """A queen or none, and the regions that have a letter."""
    regions = {region for row in puzzle.regions or () for region in row}
    letters = [letter for region, letter in enumerate(string.ascii_lowercase) if region in regions]
    return Choices(("", "Q", *letters))


def title(puzzle: Puzzle) -> str:
    """Such as ``8 x 8 board, 2 queens given`` or ``9 x 9 board of coloured regions, no queens given``."""
    size, given = f"{puzzle.n} x {puzzle.n}", len(puzzle.queens)
    board = Message("{size} board" if puzzle.regions is None else "{size} board of coloured regions", size=size)
    queens = counted(given, "1 queen given", "{count} queens given") if given else "no queens given"
    return Message("{board}, {queens}", board=board, queens=queens)


def layout(puzzle: Puzzle) -> Layout:
    """A square grid."""
    return grid_layout(puzzle.n, puzzle.n)


def faults(puzzle: Puzzle) -> list[str]:
    """What is wrong with the board: its shape, its regions, queens off it, and each two queens that attack."""
    n = puzzle.n
    found: list[str] = []
    if n < 1:
        return [Message("a board of {rows} rows is no board", rows=n)]
    off = [cell for cell in puzzle.queens if not all(0 <= x < n for x in cell)]
    size = f"{n} x {n}"
    found += [Message("the queen in {cell} stands off the {size} board", cell=square(cell), size=size) for cell in off]
    doubled = [cell for cell, times in Counter(puzzle.queens).items() if times > 1]
    found += [Message("there is more than one queen in {cell}", cell=square(cell)) for cell in doubled]
    if puzzle.regions is not None:
        wrong = _region_faults(n, puzzle.regions)
        found += wrong
        if wrong:
            return found
    standing = sorted(set(puzzle.queens) - set(off))
    for why, first, second in _clashes(standing, puzzle.regions):
        found.append(Message(why, first=square(first), second=square(second)))
    return found


def _region_faults(n: int, regions: Sequence[Sequence[int]]) -> list[str]:
    """What is wrong with the colouring itself."""
    if len(regions) != n or any(len(row) != n for row in regions):
        return [Message("the regions do not cover the {size} board square by square", size=f"{n} x {n}")]
    count = len({region for row in regions for region in row})
    if count != n:
        why = "the board has {rows} rows but {count} regions, more than it needs: it is cut off or misread"
        if count < n:
            why = "the board has {rows} rows but {count} regions, fewer than it needs: it is cut off or misread"
        return [Message(why, rows=n, count=count)]
    return []


_ALONG_A_ROW = "the queens in {first} and {second} attack each other along a row"
_ALONG_A_COLUMN = "the queens in {first} and {second} attack each other along a column"
_ALONG_A_DIAGONAL = "the queens in {first} and {second} attack each other along a diagonal"


def _clashes(queens: Sequence[Cell], regions: Sequence[Sequence[int]] | None) -> Iterator[tuple[str, Cell, Cell]]:
    """Each two neighbouring queens of a line that may hold only one, with the template that says so."""
    lines: dict[tuple[str, int], list[Cell]] = {}
    for r, c in queens:
        keys = [(_ALONG_A_ROW, r), (_ALONG_A_COLUMN, c)]
        if regions is None:
            keys += [(_ALONG_A_DIAGONAL, r - c), (_ALONG_A_DIAGONAL + " ", r + c)]
        else:
            keys.append(("the queens in {first} and {second} stand in one region", regions[r][c]))
        for key in keys:
            lines.setdefault(key, []).append((r, c))
    for (why, _), line in lines.items():
        for first, second in pairwise(line):
            yield why.rstrip(), first, second
    if regions is not None:
        standing = set(queens)
        for r, c in queens:
            for diagonal in ((r + 1, c - 1), (r + 1, c + 1)):
                if diagonal in standing:
                    yield "the queens in {first} and {second} touch at a corner", (r, c), diagonal


def answers(puzzle: Puzzle, budget: Budget) -> Iterator[Answer]:
    """All full boards on which the given queens stand; none when the board has faults.

    The empty classic board of any size gives its first answers at once, by construction. On the others a few quick
    tries in random order (seeded) go ahead of the systematic search, which finds the rest or proves that there is none.

    Raises:
        BudgetSpentError: from the iterator, when the budget is used up.
    """
    if faults(puzzle):
        return
    yielded: set[Columns] = set()
    if puzzle.regions is None:
        for early in _lucky(puzzle, budget) if puzzle.queens else _constructed(puzzle.n):
            if early not in yielded:
                yielded.add(early)
                yield Answer(early)
        if not puzzle.queens and not yielded:
            return
    for columns in _search(puzzle, budget):
        if columns not in yielded:
            yield Answer(columns)


def _search(puzzle: Puzzle, budget: Budget, shuffle: random.Random | None = None) -> Iterator[Columns]:
    """The systematic search that suits the board."""
    given = [r * puzzle.n + c for r, c in puzzle.queens]
    if puzzle.regions is None and puzzle.n > _LARGEST_AS_SQUARES:
        return placements_by_row(puzzle.n, given, budget, shuffle)
    return placements(Lines(puzzle.n, puzzle.regions), given, budget, shuffle)


def _constructed(n: int) -> Iterator[Columns]:
    """The explicit solution of the empty board and its mirror images; nothing when the board has no solution."""
    first = explicit(n)
    if first is not None:
        yield first
        yield tuple(reversed(first))
        yield tuple(n - 1 - c for c in first)


def _lucky(puzzle: Puzzle, budget: Budget) -> Iterator[Columns]:
    """At most one completion, found by a few short tries in random order."""
    for seed in range(_RESTARTS):
        purse = Budget(nodes=_NODES_PER_TRY * puzzle.n, seconds=budget.seconds_left())
        try:
            # When a try ends empty-handed there is none, and the systematic search will say so as quickly.
            found = next(_search(puzzle, purse, random.Random(seed)), None)
        except BudgetSpentError:
            found = None
        else:
            yield from [] if found is None else [found]
            return
        finally:
            budget.spend(purse.spent)


def explain(puzzle: Puzzle, budget: Budget) -> list[str]:
    """The rows, columns and regions in which the standing queens leave no square for one more."""
    squares = [(r, c) for r in range(puzzle.n) for c in range(puzzle.n)]
    budget.spend(len(squares))
    alive = {*puzzle.queens, *(square for square in squares if not _attacked(puzzle, square))}
    lines: dict[str, list[Cell]] = {}
    firsts: dict[int, str] = {}
    for r, c in squares:
        names: list[str] = [Message("row {number}", number=r + 1), Message("column {number}", number=c + 1)]
        if puzzle.regions is not None:
            first = firsts.setdefault(puzzle.regions[r][c], square((r, c)))
            names.append(Message("the region of {cell}", cell=first))
        for name in names:
            lines.setdefault(name, []).append((r, c))
    why = "the queens leave no square in {line}"
    return [Message(why, line=name) for name, line in lines.items() if alive.isdisjoint(line)]


def _attacked(puzzle: Puzzle, square: Cell) -> bool:
    """Whether a standing queen forbids a queen on this square."""
    return any(True for _ in _clashes([*sorted(puzzle.queens), square], puzzle.regions))


def holds(puzzle: Puzzle, answer: Answer) -> bool:
    """Whether every row and column has its queen, the given ones stand, and the game's third rule is kept."""
    n, columns = puzzle.n, answer.columns
    if len(columns) != n or sorted(columns) != list(range(n)):
        return False
    if any(columns[r] != c for r, c in puzzle.queens):
        return False
    if puzzle.regions is None:
        return len({r + c for r, c in answer.cells()}) == n and len({r - c for r, c in answer.cells()}) == n
    regions = {puzzle.regions[r][c] for r, c in answer.cells()}
    return len(regions) == n and all(abs(a - b) > 1 for a, b in pairwise(columns))


def contents(puzzle: Puzzle, answer: Answer) -> Mapping[Cell, Hashable]:
    """Whether a queen stands on each square."""
    return {(r, c): answer.columns[r] == c for r in range(puzzle.n) for c in range(puzzle.n)}


def marks(puzzle: Puzzle, answer: Answer) -> Sequence[Mark]:
    """A crown on every square that gets a new queen; those that stand already are left as they are."""
    given = set(puzzle.queens)
    return [Piece(cell, "queen", CROWN) for cell in answer.cells() if cell not in given]


CROWN = Ink(rgb=(255, 196, 37))


def given(puzzle: Puzzle) -> Sequence[Mark]:
    """A ``Q`` where a queen stands, and a fence round each region."""
    regions: dict[int, list[Cell]] = {}
    for r, row in enumerate(puzzle.regions or ()):
        for c, region in enumerate(row):
            regions.setdefault(region, []).append((r, c))
    palette = tones(list(regions.values()), layout(puzzle).neighbours)
    fences = [Fence(tuple(cells), Ink(tone)) for cells, tone in zip(regions.values(), palette, strict=True)]
    return [*fences, *(Text(cell, "Q") for cell in puzzle.queens)]


def rehearse(puzzle: Puzzle, budget: Budget, show: Callable[[Frame], None]) -> None:
    """Search for the first full board without looking ahead and show every step.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    n, given = puzzle.n, set(puzzle.queens)
    squares = [(r, c) for r in range(n) for c in range(n)]
    lines = [(("row", r), ("column", c), *_third_rule(puzzle, r, c)) for r, c in squares]
    standing = {line for square, held in zip(squares, lines, strict=True) if square in given for line in held}
    open_squares = [
        i for i, square in enumerate(squares) if square not in given and not standing.intersection(lines[i])
    ]
    items: list[Hashable] = [(side, k) for side in ("row", "column") for k in range(n) if (side, k) not in standing]
    if puzzle.regions is not None:
        regions = sorted({region for row in puzzle.regions for region in row})
        items += [line for region in regions if (line := ("region", region)) not in standing]
    others = {line for i in open_squares for line in lines[i]}.difference(items)

    def laid(chosen: tuple[int, ...]) -> Sequence[Mark]:
        return [Piece(squares[open_squares[index]], "queen", CROWN) for index in chosen]

    rehearse_cover(items, [lines[i] for i in open_squares], budget, show, laid, secondary=others)


def _third_rule(puzzle: Puzzle, r: int, c: int) -> list[tuple[str, object]]:
    """The other lines that a queen takes: its diagonals, or its region and the blocks of 2 x 2 that it is in."""
    if puzzle.regions is None:
        return [("rising", r + c), ("falling", r - c)]
    blocks = [("block", (r - i, c - j)) for i in (0, 1) for j in (0, 1)]
    return [("region", puzzle.regions[r][c]), *blocks]


def puzzle_record(puzzle: Puzzle) -> Record:
    """The side, the squares of the queens, and the regions or None."""
    regions = None if puzzle.regions is None else [list(row) for row in puzzle.regions]
    return {"n": puzzle.n, "queens": [list(cell) for cell in puzzle.queens], "regions": regions}


def answer_record(puzzle: Puzzle, answer: Answer) -> Record:
    """All queens, sorted by row."""
    return {"queens": [list(cell) for cell in answer.cells()]}


def count(puzzle: Puzzle, at_most: int | None = None, budget: Budget | None = None) -> int:
    """How many answers there are, or ``at_most`` when there are at least so many.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    if not puzzle.queens and puzzle.regions is None and at_most is None and 1 <= puzzle.n <= LARGEST:
        return count_placements(puzzle.n, budget)
    return sum(1 for _ in islice(answers(puzzle, budget or Budget()), at_most))
