"""Steps on Triazzle trays: each puts a piece where it belongs.

Rules, easiest first: halves at the border that only one edge of the pieces left matches; a slot that only one piece
fits; a piece that only one slot takes; a piece that would leave a slot or another piece without a place.

A picture does not tell which pieces the player has put down for good, so nothing stands on a tray unless all of it is
right. Pieces that look alike are not told apart.
"""

from collections.abc import Collection, Iterator, Sequence

from solvers.budget import Budget
from solvers.marks import Mark, Move, Text
from solvers.message import Message, listed
from solvers.steps.reasoning import Clause, Cover, Item, explained_steps
from solvers.steps.step import CHOICE, TRYING, Placed, Standing, Step
from solvers.triazzle import NUMBER_SIZE, SLOTS, TRAY, WHITE, Answer, Puzzle, answers, holds, slot_cell

RULES = (
    "border halves only one edge matches",
    "only one piece fits this slot",
    "only one slot takes this piece",
    "a piece here would leave a slot or a piece without a place",
    TRYING,
    CHOICE,
)
BORDER, SLOT, PIECE, LEAVES = range(4)

Codes = tuple[int, ...]
"""What a slot shows on its edges 0, 1 and 2."""

_AT_BORDER = {slot for slot, _ in TRAY.outer}


def begun(puzzle: Puzzle) -> tuple[Puzzle, Standing]:
    """The tray; all of its pieces stand when they are right as they lie, else none."""
    whole = Answer(tuple((slot, 0) for slot in range(SLOTS)))
    return puzzle, placings(puzzle, whole) if holds(puzzle, whole) else ()


def placings(puzzle: Puzzle, answer: Answer) -> Standing:
    """What each slot shows."""
    return tuple(_placed(slot, _turned(puzzle.tiles[piece], turn)) for slot, (piece, turn) in enumerate(answer.placed))


def _placed(slot: int, codes: Codes) -> Placed:
    return Placed((slot_cell(slot),), ",".join(map(str, codes)))


def _turned(tile: Codes, turn: int) -> Codes:
    return tuple(tile[(edge - turn) % 3] for edge in range(3))


def _canonical(codes: Codes) -> Codes:
    """The same for all turns of a piece."""
    return min(_turned(codes, turn) for turn in range(3))


def completions(puzzle: Puzzle, standing: Collection[Placed], budget: Budget) -> Iterator[Answer]:
    """All arrangements that keep what stands."""
    kept = set(standing)
    return (answer for answer in answers(puzzle, budget) if kept.issubset(placings(puzzle, answer)))


class _Words:
    """Deductions about a tray in words. An item is ``("slot", 0)`` or ``("piece", 0)``, by where it lies."""

    rules = 4

    def __init__(self, puzzle: Puzzle, options: Sequence[tuple[int, Codes]], copies: dict[Codes, list[int]]) -> None:
        self.puzzle, self.options, self.copies = puzzle, options, copies

    def piece(self, option: int) -> int:
        """The piece that an option lays: of several that look alike the one that lies there already, or the first."""
        slot, codes = self.options[option]
        # An exclusion may name what was possible before the last of these was laid.
        alike = self.copies[_canonical(codes)] or [
            k for k, t in enumerate(self.puzzle.tiles) if _canonical(t) == _canonical(codes)
        ]
        return slot if slot in alike and self.puzzle.tiles[slot] == codes else alike[0]

    def item(self, item: Item) -> Clause:
        assert isinstance(item, tuple)
        what, number = item
        return _slot(number) if what == "slot" else _piece(number), (slot_cell(number),)

    def option(self, option: int) -> str:
        slot = self.options[option][0]
        return Message("{piece} in {slot}", piece=_piece(self.piece(option)), slot=_slot(slot))

    def last(self, item: Item) -> int:
        return self._of_slot(item) if _is_slot(item) else PIECE

    def sharing(self, item: Item, other: Item) -> int | None:
        if _is_slot(item) == _is_slot(other):
            return None
        return self._of_slot(item) if _is_slot(item) else PIECE

    def clashing(self, item: Item) -> int:
        return LEAVES

    def subset(self, count: int) -> int:
        return LEAVES

    def say_last(self, item: Item, option: int) -> Clause:
        name, cells = self.item(item)
        slot, piece = self.options[option][0], self.piece(option)
        if not _is_slot(item):
            takes = "only {slot} takes {piece}, and in one turn only"
            return Message(takes, slot=_slot(slot), piece=name), (*cells, slot_cell(slot))
        fits = (
            "only {piece} matches the border and what lies beside {slot}, and in one turn only"
            if slot in _AT_BORDER
            else "only {piece} fits between what lies beside {slot}, and in one turn only"
        )
        return Message(fits, piece=_piece(piece), slot=name), (*cells, slot_cell(piece))

    def say_sharing(self, item: Item, other: Item) -> Clause:
        (name, cells), (second, more) = self.item(item), self.item(other)
        if _is_slot(item):
            return Message("only {piece} fits {slot}", piece=second, slot=name), (*cells, *more)
        return Message("only {slot} takes {piece}", slot=second, piece=name), (*cells, *more)

    def say_clashing(self, item: Item, options: Sequence[int]) -> Clause:
        name, cells = self.item(item)
        what = listed([self.option(option) for option in options], 3)
        left = Message("{what} without a piece" if _is_slot(item) else "{what} without a slot", what=name)
        return Message("{what} would leave {left}", what=what, left=left), cells

    def say_subset(self, items: Sequence[Item], lines: Sequence[Item]) -> Clause:
        raise NotImplementedError  # the cover names no lines

    @staticmethod
    def _of_slot(item: Item) -> int:
        return BORDER if isinstance(item, tuple) and item[1] in _AT_BORDER else SLOT


def _slot(number: int) -> str:
    return Message("slot {number}", number=number + 1)


def _piece(number: int) -> str:
    return Message("piece {name}", name=number + 1)


def _is_slot(item: Item) -> bool:
    return isinstance(item, tuple) and item[0] == "slot"


def steps(puzzle: Puzzle, standing: Collection[Placed], budget: Budget) -> Iterator[Step]:
    """One slot after the other; see :class:`solvers.steps.step.Guide`. A step that leaves a piece where it lies has no
    marks.

    Raises:
        BudgetSpentError: from the iterator, when the budget is used up.
    """
    answer = next(completions(puzzle, standing, budget), None)
    if answer is None:
        return
    copies: dict[Codes, list[int]] = {}
    shown = [_turned(puzzle.tiles[piece], turn) for piece, turn in answer.placed]
    # Of pieces that look alike those that lie right are moved last.
    for piece in sorted(range(SLOTS), key=lambda piece: puzzle.tiles[piece] == shown[piece]):
        copies.setdefault(_canonical(puzzle.tiles[piece]), []).append(piece)
    options = _options(puzzle, list(copies))
    # Of pieces that look alike each may lie in any of several slots, so that they are no items.
    single = {pattern: pieces[0] for pattern, pieces in copies.items() if len(pieces) == 1}
    cover = Cover(
        [*(("slot", slot) for slot in range(SLOTS)), *(("piece", piece) for piece in single.values())],
        [
            (("slot", slot), ("piece", single[_canonical(codes)])) if _canonical(codes) in single else (("slot", slot),)
            for slot, codes in options
        ],
        _mismatches(puzzle, options),
    )

    def complete(lying: Collection[Placed]) -> Iterator[Standing]:
        return (placings(puzzle, answer) for answer in completions(puzzle, lying, budget))

    placed = [_placed(slot, codes) for slot, codes in options]
    words = _Words(puzzle, options, copies)
    for step in explained_steps(cover, placed, words, standing, complete, budget=budget):
        (slot, codes), piece = options[step.option], words.piece(step.option)
        copies[_canonical(codes)].remove(piece)
        turn = next(turn for turn in range(3) if _turned(puzzle.tiles[piece], turn) == codes)
        marks = () if piece == slot and not turn else _marks(piece, slot, turn)
        yield Step(placed[step.option], marks, step.cells, RULES[step.rule], step.because)


def _options(puzzle: Puzzle, patterns: Sequence[Codes]) -> list[tuple[int, Codes]]:
    """What each slot may show so that it matches the border, each once."""
    asked: dict[int, dict[int, int]] = {slot: {} for slot in range(SLOTS)}
    for (slot, edge), code in zip(TRAY.outer, puzzle.border, strict=True):
        if code is not None:
            asked[slot][edge] = puzzle.mate(code)
    turned = [dict.fromkeys(_turned(pattern, turn) for turn in range(3)) for pattern in patterns]
    return [
        (slot, codes)
        for slot, edges in asked.items()
        for shown in turned
        for codes in shown
        if all(codes[edge] == code for edge, code in edges.items())
    ]


def _mismatches(puzzle: Puzzle, options: Sequence[tuple[int, Codes]]) -> dict[int, int]:
    """For each option the mask of those whose edge does not fit where the two meet."""
    at: dict[tuple[int, int], int] = {}  # those of a slot and an edge
    showing: dict[tuple[int, int, int], int] = {}  # those that show a code there
    for index, (slot, codes) in enumerate(options):
        for edge, code in enumerate(codes):
            at[slot, edge] = at.get((slot, edge), 0) | 1 << index
            showing[slot, edge, code] = showing.get((slot, edge, code), 0) | 1 << index
    meets = {joint: other for pair in TRAY.inner for joint, other in (pair, pair[::-1])}
    found: dict[int, int] = {}
    for index, (slot, codes) in enumerate(options):
        for edge, code in enumerate(codes):
            if (slot, edge) in meets:
                other = meets[slot, edge]
                misfits = at.get(other, 0) & ~showing.get((*other, puzzle.mate(code)), 0)
                found[index] = found.get(index, 0) | misfits
    return found


def _marks(piece: int, slot: int, turn: int) -> tuple[Mark, ...]:
    number = Text(slot_cell(slot), str(piece + 1), WHITE, NUMBER_SIZE)
    return Move(slot_cell(piece), slot_cell(slot), turn), number
