"""Triazzle: sixteen triangles in a triangular tray, each edge a half of a creature that must meet its other half.

The tray has four rows of one, three, five and seven slots, numbered row by row from the left; the frame shows twelve
halves, told clockwise from the apex. A piece may lie in any of its three turns, but not upside down.

Two manners of matching occur. With ``halves`` a creature has a front and a back: code ``k`` fits code ``k ^ 1``. With
``equal`` (coloured dots) a code fits itself.

Told as text: the manner, the three codes of each piece clockwise in the order of the slots, a slash and the frame, a
question mark where it is not known: ``halves 0,0,2 11,7,2 ... / 1 1 1 2 ? 7 ...``.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from math import sqrt
from typing import Literal, get_args

from solvers.board import Cell, Layout, Point
from solvers.budget import Budget
from solvers.edge_matching import Placed, arrangements, lookalikes, triangle_tray
from solvers.kind import Choices, Frame, Record
from solvers.marks import Ink, Mark, Move, Text
from solvers.message import Message, listed, pit

Match = Literal["halves", "equal"]

TRAY = triangle_tray(4)
"""Sixteen slots, eighteen joints inside and twelve at the frame."""

SLOTS = TRAY.slots
FRAME = len(TRAY.outer)


@dataclass(frozen=True)
class Puzzle:
    """A tray as the picture shows it.

    Attributes:
        tiles: the codes (0 or more) of the piece on each slot, numbered as the slot's edges are: clockwise, pointing up
            left, right, bottom; pointing down right, left, top.
        border: the codes of the frame, clockwise from the apex; None where it was not seen, and anything goes.
        match: which codes fit each other.
    """

    tiles: tuple[tuple[int, ...], ...]
    border: tuple[int | None, ...]
    match: Match = "halves"

    def mate(self, code: int) -> int:
        """The code that fits ``code``."""
        return code ^ 1 if self.match == "halves" else code


@dataclass(frozen=True)
class Answer:
    """For each slot ``(piece, turn)``: edge ``e`` of the piece comes to lie on edge ``(e + turn) % 3`` of the slot."""

    placed: Placed


def parse(text: str) -> Puzzle:
    """The tray that ``text`` tells; the module's docstring shows how. Raises ValueError with a sentence."""
    pieces, slash, frame = text.partition("/")
    match, *tiles = pieces.split() or [""]
    if match not in get_args(Match) or not slash:
        raise ValueError("a triazzle starts with 'halves' or 'equal', then come its pieces, a slash and the frame")
    try:
        return Puzzle(
            tuple(tuple(int(code) for code in tile.split(",")) for tile in tiles),
            tuple(None if code == "?" else int(code) for code in frame.split()),
            "halves" if match == "halves" else "equal",
        )
    except ValueError as error:
        raise ValueError(f"a triazzle's codes are whole numbers with commas between a piece's three: {error}") from None


def write(puzzle: Puzzle) -> str:
    """The tray as text."""
    tiles = [",".join(map(str, tile)) for tile in puzzle.tiles]
    frame = ["?" if code is None else str(code) for code in puzzle.border]
    return " ".join([puzzle.match, *tiles, "/", *frame])


def put(puzzle: Puzzle, cell: Cell, text: str) -> Puzzle:
    """The tray with another piece on a slot, told by its three codes such as ``0,0,2``; see
    :class:`solvers.kind.Rules`.
    """
    slots = [slot for slot in range(len(puzzle.tiles)) if slot_cell(slot) == cell]
    if not slots:
        raise ValueError(Message("there is no slot at {cell}", cell=pit(cell)))
    codes = text.replace(" ", "").split(",")
    if len(codes) != 3 or not all(code.isdecimal() for code in codes):
        why = "{text!r} is no piece: give the codes of its three edges clockwise, such as 0,0,2"
        raise ValueError(Message(why, text=text))
    tiles = list(puzzle.tiles)
    tiles[slots[0]] = tuple(map(int, codes))
    return replace(puzzle, tiles=tuple(tiles))


def word(puzzle: Puzzle, cell: Cell) -> str:
    """The codes of the piece on a slot."""
    return next(",".join(map(str, tile)) for slot, tile in enumerate(puzzle.tiles) if slot_cell(slot) == cell)


def choices(puzzle: Puzzle) -> Choices:
    """The codes of the piece's three edges."""
    return Choices((), max(code for tile in puzzle.tiles for code in tile), parts=3)


def title(puzzle: Puzzle) -> str:
    """Such as ``tray of 16 triangles, 6 creatures``."""
    codes = {code for tile in puzzle.tiles for code in tile}
    if puzzle.match == "equal":
        return Message("tray of {count} triangles, {codes} symbols", count=len(puzzle.tiles), codes=len(codes))
    creatures = {code // 2 for code in codes}
    return Message("tray of {count} triangles, {codes} creatures", count=len(puzzle.tiles), codes=len(creatures))


def layout(puzzle: Puzzle) -> Layout:
    """Sixteen triangles of side 1, apex up; a cell is ``(row, place in the row)``.

    Side ``e`` of a cell, from corner ``e`` to corner ``e + 1`` of its outline, is the slot's edge ``e``.
    """
    height = sqrt(3) / 2
    cells: dict[Cell, tuple[Point, ...]] = {}
    for slot in range(SLOTS):
        row, i = slot_cell(slot)
        x, top, bottom = 2 + (i - row - 1) / 2, row * height, (row + 1) * height
        # As the slot's edges are numbered, clockwise: bottom left, apex, bottom right; or top right, foot, top left.
        up = ((x, bottom), (x + 0.5, top), (x + 1, bottom))
        down = ((x + 1, top), (x + 0.5, bottom), (x, top))
        cells[row, i] = down if i % 2 else up
    across: dict[tuple[int, int], int] = {}
    for one, other in TRAY.inner:
        across[one], across[other] = other[0], one[0]
    neighbours: dict[Cell, tuple[Cell | None, ...]] = {
        slot_cell(slot): tuple(slot_cell(across[slot, e]) if (slot, e) in across else None for e in range(3))
        for slot in range(SLOTS)
    }
    foot = 4 * height
    return Layout(cells, neighbours, size=(4, foot), corners=((2, 0), (4, foot), (0, foot)))


def slot_cell(slot: int) -> Cell:
    """The cell ``(row, place in the row)`` of a slot."""
    row = int(sqrt(slot))
    return row, slot - row * row


def faults(puzzle: Puzzle) -> list[str]:
    """What is wrong with the tray: pieces or codes missing, and creatures whose halves cannot all meet."""
    found: list[str] = []
    if len(puzzle.tiles) != SLOTS:
        found.append(Message("the tray has {slots} slots, but {count} pieces", slots=SLOTS, count=len(puzzle.tiles)))
    if len(puzzle.border) != FRAME:
        found.append(Message("the frame has {edges} edges, but {count} codes", edges=FRAME, count=len(puzzle.border)))
    for slot, tile in enumerate(puzzle.tiles):
        if len(tile) != 3:
            why = "piece {number} is a triangle, but has {count} codes"
            found.append(Message(why, number=slot + 1, count=len(tile)))
    if min(chain(*puzzle.tiles, [code for code in puzzle.border if code is not None]), default=0) < 0:
        found.append("codes count from 0, but some are negative")
    return found or _count_faults(puzzle)


def _count_faults(puzzle: Puzzle) -> list[str]:
    """Codes whose numbers prove that no arrangement exists; silent where an unknown frame could make up for it."""
    unknown = puzzle.border.count(None)
    inside = Counter(chain.from_iterable(puzzle.tiles))
    for code in puzzle.border:
        if code is not None:
            inside[puzzle.mate(code)] -= 1
    found: list[str] = []
    for code in sorted(inside):
        mate = puzzle.mate(code)
        if inside[code] < 0:
            why = "the frame asks for {count} more of code {code} than the pieces have"
            found.append(Message(why, count=-inside[code], code=code))
        elif mate == code:
            if inside[code] % 2 and not unknown:
                why = "an odd number of edges with code {code} is left to meet each other inside the tray"
                found.append(Message(why, code=code))
        elif inside[code] > max(inside[mate], 0) + unknown:
            why = (
                "{count} edges with code {code} are left for the inside of the tray, "
                "but only {few} with code {mate} to meet them"
            )
            found.append(Message(why, count=inside[code], code=code, few=max(inside[mate], 0), mate=mate))
    return found


def answers(puzzle: Puzzle, budget: Budget) -> Iterator[Answer]:
    """All arrangements that look different; :func:`count_arrangements` counts equal pieces as different ones.

    Raises:
        BudgetSpentError: from the iterator, when the budget is used up.
    """
    if faults(puzzle):
        return
    mates = {code: puzzle.mate(code) for code in {*chain(puzzle.border, *puzzle.tiles)} if code is not None}
    for placed in arrangements(TRAY, puzzle.tiles, puzzle.border, mates, budget):
        yield Answer(placed)


def explain(puzzle: Puzzle, budget: Budget) -> list[str]:
    """The slots at the frame that no piece fits, however it is turned."""
    asked: dict[int, dict[int, int]] = {}
    for (slot, edge), code in zip(TRAY.outer, puzzle.border, strict=True):
        if code is not None:
            asked.setdefault(slot, {})[edge] = puzzle.mate(code)
    budget.spend(len(asked))
    why = "no piece fits slot {number}, where the frame asks for {codes}"
    return [
        Message(why, number=slot + 1, codes=listed([str(code) for code in wanted.values()]))
        for slot, wanted in sorted(asked.items())
        if not any(
            all(tile[(edge - turn) % 3] == code for edge, code in wanted.items())
            for tile in puzzle.tiles
            for turn in range(3)
        )
    ]


def count_arrangements(puzzle: Puzzle, budget: Budget | None = None) -> int:
    """How many arrangements there are when equal pieces and the turns of a symmetric one count as different.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    return sum(1 for _ in answers(puzzle, budget or Budget())) * lookalikes(puzzle.tiles)


def holds(puzzle: Puzzle, answer: Answer) -> bool:
    """Whether every piece lies on one slot, and every edge meets its mate."""
    if sorted(piece for piece, _ in answer.placed) != list(range(SLOTS)):
        return False
    shown = [[puzzle.tiles[piece][(e - turn) % 3] for e in range(3)] for piece, turn in answer.placed]
    inside = all(shown[a][i] == puzzle.mate(shown[b][j]) for (a, i), (b, j) in TRAY.inner)
    frame = zip(TRAY.outer, puzzle.border, strict=True)
    return inside and all(code is None or shown[slot][e] == puzzle.mate(code) for (slot, e), code in frame)


def contents(puzzle: Puzzle, answer: Answer) -> Mapping[Cell, Hashable]:
    """The codes that each slot shows, by edge: equal pieces are equal."""
    return {
        slot_cell(slot): tuple(puzzle.tiles[piece][(e - turn) % 3] for e in range(3))
        for slot, (piece, turn) in enumerate(answer.placed)
    }


def marks(puzzle: Puzzle, answer: Answer) -> Sequence[Mark]:
    """Every piece moved to its place, with the number of the slot (from 1) where the picture shows it."""
    moved: list[Mark] = []
    for slot, (piece, turn) in enumerate(answer.placed):
        # The outline of a cell starts where its edge 0 does, so edges and corners turn alike.
        moved.append(Move(slot_cell(piece), slot_cell(slot), turn))
        moved.append(Text(slot_cell(slot), str(piece + 1), WHITE, size=NUMBER_SIZE))
    return moved


WHITE = Ink(rgb=(255, 255, 255))
"""Pieces have all colours."""

NUMBER_SIZE = 0.22
"""Height of a piece's number: the circle in a triangle of side 1 is 0.58 across, and two digits must fit well in."""


def given(puzzle: Puzzle) -> Sequence[Mark]:
    """The number of each piece, by which messages name it."""
    return [Text(slot_cell(slot), str(slot + 1)) for slot in range(SLOTS)]


def rehearse(puzzle: Puzzle, budget: Budget, show: Callable[[Frame], None]) -> None:
    """Fill the slots one by one, without an index, until all fit, and show every step.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    meets = {joint: other for pair in TRAY.inner for joint, other in (pair, pair[::-1])}
    frame = dict(zip(TRAY.outer, puzzle.border, strict=True))
    placed: list[tuple[int, int]] = []

    def fits(slot: int, piece: int, turn: int) -> bool:
        for edge in range(3):
            code = puzzle.tiles[piece][(edge - turn) % 3]
            wanted = frame.get((slot, edge))
            if (slot, edge) in meets and meets[slot, edge][0] < slot:
                beside, its_edge = meets[slot, edge]
                wanted = puzzle.tiles[placed[beside][0]][(its_edge - placed[beside][1]) % 3]
            if wanted is not None and code != puzzle.mate(wanted):
                return False
        return True

    def fill(slot: int) -> bool:
        if slot == SLOTS:
            return True
        for piece in set(range(SLOTS)).difference(piece for piece, _ in placed):
            for turn in range(3):
                budget.spend()
                if fits(slot, piece, turn):
                    placed.append((piece, turn))
                    show(partial(_moves, tuple(placed)))
                    if fill(slot + 1):
                        return True
                    placed.pop()
        return False

    fill(0)


def _moves(lying: Sequence[tuple[int, int]]) -> list[Mark]:
    return [Move(slot_cell(piece), slot_cell(slot), turn) for slot, (piece, turn) in enumerate(lying)]


def puzzle_record(puzzle: Puzzle) -> Record:
    """Pieces, frame and the manner of matching."""
    return {"tiles": [list(tile) for tile in puzzle.tiles], "border": list(puzzle.border), "match": puzzle.match}


def answer_record(puzzle: Puzzle, answer: Answer) -> Record:
    """For each slot which piece, and how it is turned."""
    return {"tiles": [{"piece": piece, "rotation": turn} for piece, turn in answer.placed]}
