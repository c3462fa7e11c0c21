"""The knight's tour: over every square of the board once, in knight's moves.

The board is a rectangle, which may have holes. The tour starts on a given square; a *closed* one ends a knight's move
from where it started, an open one anywhere. A knight changes the colour of its square with every move, and from that
alone many boards have no tour: this module says so, and why, before anything is searched. Schwenk [1]_ settled which
rectangles have a closed tour.

Told as text, a board is its rows from the top with slashes between them: a number stands for so many plain squares,
``N`` for the knight's start and ``#`` for a hole; the word ``closed`` may follow: ``N7/8/8/8/8/8/8/8 closed``.

References:
    .. [1] A. J. Schwenk, "Which rectangular chessboards have a knight's tour?", Mathematics Magazine 64 (1991).
    .. [2] P. Cull, J. De Curtins, "Knight's tour revisited", Fibonacci Quarterly 16 (1978): open tours.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise, repeat

from solvers.board import Cell, Layout, grid_layout
from solvers.budget import Budget
from solvers.kind import Choices, Frame, Record
from solvers.marks import Fence, Ink, Mark, Path, Text
from solvers.message import Message, joined, square
from solvers.narrow_tours import four_row_tour, frontier_tour
from solvers.ranks import parse_ranks, write_ranks
from solvers.tours import SMALLEST, far_first, knight_graph, tour
from solvers.warnsdorff import first_tour, tours


@dataclass(frozen=True)
class Puzzle:
    """A board to be toured.

    Attributes:
        rows: rows of the board.
        cols: columns of the board.
        start: the square ``(row, col)`` on which the knight stands.
        closed: the tour has to end a knight's move from its start.
        holes: squares that are not there, sorted.
    """

    rows: int
    cols: int
    start: Cell
    closed: bool = False
    holes: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Answer:
    """A tour: the squares in the order of the visit, the start first; ``closed`` when it ends a move from there."""

    path: tuple[Cell, ...]
    closed: bool


def parse(text: str) -> Puzzle:
    """The board that ``text`` tells; the module's docstring shows how. Raises ValueError with a sentence."""
    board, *words = text.split() or [""]
    if words not in ([], ["closed"]):
        raise ValueError(f"after the knight's board only the word 'closed' may stand, not {' '.join(words)!r}")
    rows, cols, standing = parse_ranks(board, "N#", "knight's board")
    starts = [cell for cell, sign in standing.items() if sign == "N"]
    if len(starts) != 1:
        raise ValueError(f"the knight's board needs exactly one N for the start, not {len(starts)}")
    holes = sorted(cell for cell, sign in standing.items() if sign == "#")
    return Puzzle(rows, cols, starts[0], bool(words), tuple(holes))


def write(puzzle: Puzzle) -> str:
    """The board as text."""
    standing = dict.fromkeys(puzzle.holes, "#") | {puzzle.start: "N"}
    return write_ranks(puzzle.rows, puzzle.cols, standing) + (" closed" if puzzle.closed else "")


def put(puzzle: Puzzle, cell: Cell, text: str) -> Puzzle:
    """The board with ``N``, the knight, on another square, or with a hole, ``#``, or a plain square in its place; see
    :class:`solvers.kind.Rules`.
    """
    if not (len(cell) == 2 and _on_board(puzzle, cell)):
        size = f"{puzzle.rows} x {puzzle.cols}"
        raise ValueError(Message("there is no square {cell} on a board of {size}", cell=square(cell), size=size))
    word = text.strip()
    holes = tuple(hole for hole in puzzle.holes if hole != cell)
    if word in ("N", "n", "knight"):
        return replace(puzzle, start=cell, holes=holes)
    if word not in ("", ".", "#"):
        why = "{text!r} cannot stand in {cell}: give N for the knight, # for a hole or nothing"
        raise ValueError(Message(why, text=text, cell=square(cell)))
    if cell == puzzle.start:
        raise ValueError(Message("the knight stands in {cell}: say with N where it stands instead", cell=square(cell)))
    return replace(puzzle, holes=tuple(sorted([*holes, cell])) if word == "#" else holes)


def word(puzzle: Puzzle, cell: Cell) -> str:
    """``N`` where the knight stands, else nothing."""
    return "N" if cell == puzzle.start else ""


def choices(puzzle: Puzzle) -> Choices:
    """The knight, or a plain square."""
    del puzzle
    return Choices(("", "N"))


def title(puzzle: Puzzle) -> str:
    """Such as ``8 x 8 board, closed knight's tour from row 1, column 2``."""
    template = (
        "{size} board, closed knight's tour from {cell}" if puzzle.closed else "{size} board, knight's tour from {cell}"
    )
    return Message(template, size=f"{puzzle.rows} x {puzzle.cols}", cell=square(puzzle.start))


def layout(puzzle: Puzzle) -> Layout:
    """A grid with the holes left out."""
    return grid_layout(puzzle.rows, puzzle.cols, puzzle.holes)


def faults(puzzle: Puzzle) -> list[str]:
    """What is wrong with the board, and if nothing is, why it can have no tour as far as that is known beforehand."""
    if puzzle.rows < 1 or puzzle.cols < 1:
        why = "a board of {rows} rows and {cols} columns is no board"
        return [Message(why, rows=puzzle.rows, cols=puzzle.cols)]
    off, start = [cell for cell in puzzle.holes if not _on_board(puzzle, cell)], square(puzzle.start)
    found: list[str] = [Message("the hole in {cell} is off the board", cell=square(cell)) for cell in off]
    if not _on_board(puzzle, puzzle.start):
        size = f"{puzzle.rows} x {puzzle.cols}"
        found.append(Message("the knight's start, {cell}, is off the {size} board", cell=start, size=size))
    elif puzzle.start in puzzle.holes:
        found.append(Message("the knight's start, {cell}, is a hole", cell=start))
    return found or [reason for reason in [impossible(puzzle)] if reason]


def _on_board(puzzle: Puzzle, cell: Cell) -> bool:
    return 0 <= cell[0] < puzzle.rows and 0 <= cell[1] < puzzle.cols


def impossible(puzzle: Puzzle) -> str | None:
    """Why a board without other faults can have no tour, in a sentence; None when nothing speaks against one.

    The colours tell it at once, and for rectangles theorems do ([1]_, [2]_); a board for which None comes may still
    turn out to have no tour when it is searched.
    """
    squares = puzzle.rows * puzzle.cols - len(set(puzzle.holes))
    if squares == 1:
        return None
    return _colour_reason(puzzle, squares) or (_holes_reason if puzzle.holes else _rectangle_reason)(puzzle)


def _colour_reason(puzzle: Puzzle, squares: int) -> str | None:
    """Why the colours of a chessboard forbid a tour: every move changes from one to the other."""
    light = (puzzle.rows * puzzle.cols + 1) // 2 - sum((r + c) % 2 == 0 for r, c in set(puzzle.holes))
    if puzzle.closed and squares % 2:
        why = "no closed tour exists on a board with an odd number of squares ({squares}): each move changes colour"
        return Message(why, squares=squares)
    like_start = light if sum(puzzle.start) % 2 == 0 else squares - light
    # Start and end included, a path visits its start's colour as often as the other, or once more.
    if like_start - (squares - like_start) not in ({0} if puzzle.closed else {0, 1}):
        if squares % 2 and not puzzle.holes:
            why = (
                "no tour can start in {cell}: the board has an odd number of squares, so a tour has "
                "to start on the colour of the corners"
            )
            return Message(why, cell=square(puzzle.start))
        why = (
            "no tour exists: each move changes colour, but {count} squares have the colour of the start and "
            "{others} have the other"
        )
        return Message(why, count=like_start, others=squares - like_start)
    return None


def _holes_reason(puzzle: Puzzle) -> str | None:
    """Why a board with holes has no tour: squares that cannot be reached, or too many with a single way."""
    board = board_of(puzzle)
    start = board.number[puzzle.start]
    reached, queue = {start}, [start]
    while queue:
        onward = [u for u in board.graph[queue.pop()] if u not in reached]
        reached.update(onward)
        queue += onward
    cut_off = [cell for i, cell in enumerate(board.squares) if i not in reached]
    if cut_off:
        return Message("no tour exists: no moves lead to {cell}", cell=square(cut_off[0]))
    # A square with a single way can only be an end of the tour.
    ends = [cell for i, cell in enumerate(board.squares) if len(board.graph[i]) == 1 and i != start]
    if len(ends) > (0 if puzzle.closed else 1):
        places = joined([square(cell) for cell in ends], "{one} and one to {other}")
        return Message("no tour exists: only one move leads to {places}", places=places)
    return None


def _rectangle_reason(puzzle: Puzzle) -> str | None:
    """Why a rectangle of more than one square has no (closed) tour, by the theorems of Schwenk and of Cull."""
    short, long = sorted((puzzle.rows, puzzle.cols))
    size = f"{puzzle.rows} x {puzzle.cols}"
    if short <= 2 or (short == 3 and long in {3, 5, 6}) or (short == 4 and long == 4):
        return Message("a {size} board is too small for a knight's tour", size=size)
    if puzzle.closed and (short == 4 or (short == 3 and long in {4, 8})):
        return Message("a {size} board has open knight's tours but no closed one (Schwenk's theorem)", size=size)
    # From a square of an outer line of four a move leads to an inner one only. As there are as many of both, a tour
    # either alternates between them, which the colours forbid, or makes one move inside and has both ends outside.
    if any(lines == 4 and at in {1, 2} for at, lines in zip(puzzle.start, (puzzle.rows, puzzle.cols), strict=True)):
        why = "on a {size} board a knight's tour starts and ends in the outer lines of four, not in {cell}"
        return Message(why, size=size, cell=square(puzzle.start))
    return None


def answers(puzzle: Puzzle, budget: Budget) -> Iterator[Answer]:
    """All tours from the start, both senses of a closed one; none when the board has faults.

    Raises:
        BudgetSpentError: from the iterator, when the budget is used up.
    """
    if faults(puzzle):
        return
    first = _first(puzzle, budget)
    if first is not None:
        yield first
        yield from (answer for answer in search_tours(puzzle, budget) if answer != first)


def explain(puzzle: Puzzle, budget: Budget) -> list[str]:
    """Nothing: what one can say of a board beforehand is among its :func:`faults`, and the search tells the rest."""
    return []


def _first(puzzle: Puzzle, budget: Budget) -> Answer | None:
    """One tour, or None when there is none, in the way that suits the board."""
    rows, cols, start = puzzle.rows, puzzle.cols, (puzzle.start[0], puzzle.start[1])
    if min(rows, cols) >= SMALLEST and not puzzle.holes:
        squares = tour(rows, cols, start)
        return None if squares is None else path_answer(tuple(map(divmod, squares, repeat(cols))))
    if rows == 4 and not puzzle.holes:
        cells = four_row_tour(cols, start, budget)
        return None if cells is None else path_answer(tuple(cells))
    if cols == 4 and not puzzle.holes:
        cells = four_row_tour(rows, start[::-1], budget)
        return None if cells is None else path_answer(tuple([(r, c) for c, r in cells]))
    board = board_of(puzzle)
    first = board.number[puzzle.start]
    if min(rows, cols) <= _NARROW and len(board.squares) > 1:
        along = sorted(range(len(board.squares)), key=lambda i: board.squares[i][:: -1 if rows < cols else 1])
        found = frontier_tour(board.graph, first, along, closed=puzzle.closed, budget=budget)
    else:
        found = first_tour(board.graph, first, board.rank, puzzle.closed, budget)
    return None if found is None else path_answer(tuple([board.squares[square] for square in found]))


_NARROW = 3
"""Width up to which the states of a frontier stay few: some hundred at a time, on four squares many thousand."""


def search_tours(puzzle: Puzzle, budget: Budget) -> Iterator[Answer]:
    """All tours by searching alone, whatever is known beforehand.

    Raises:
        BudgetSpentError: from the iterator, when the budget is used up.
    """
    board = board_of(puzzle)
    for found in tours(board.graph, board.number[puzzle.start], board.rank, puzzle.closed, budget):
        yield path_answer(tuple([board.squares[square] for square in found]))


def path_answer(path: tuple[Cell, ...]) -> Answer:
    """The answer that goes this way."""
    return Answer(path, len(path) == 1 or _is_move(path[-1], path[0]))


@dataclass(frozen=True)
class Board:
    """The squares of a board with numbers, their neighbours, and Roth's rank: those far from the centre go first."""

    squares: list[Cell]
    number: dict[Cell, int]
    graph: list[list[int]]
    rank: list[float]


def board_of(puzzle: Puzzle) -> Board:
    """The squares of a board and where the knight goes from each."""
    return _board(puzzle.rows, puzzle.cols, puzzle.holes)


@lru_cache(maxsize=8)
def _board(rows: int, cols: int, holes: tuple[Cell, ...]) -> Board:
    missing = {r * cols + c for r, c in holes}
    kept = [square for square in range(rows * cols) if square not in missing]
    new = {square: i for i, square in enumerate(kept)}
    whole, far = knight_graph(rows, cols), far_first(rows, cols)
    return Board(
        squares=[divmod(square, cols) for square in kept],
        number={divmod(square, cols): i for square, i in new.items()},
        graph=[[new[u] for u in whole[square] if u in new] for square in kept],
        rank=[far[square] for square in kept],
    )


def holds(puzzle: Puzzle, answer: Answer) -> bool:
    """Whether the path goes from the start over every square once in knight's moves, and is closed if it has to be."""
    board = {(r, c) for r in range(puzzle.rows) for c in range(puzzle.cols)} - set(puzzle.holes)
    path = answer.path
    if len(path) != len(board) or set(path) != board or path[0] != puzzle.start:
        return False
    returns = len(path) == 1 or _is_move(path[-1], path[0])
    return all(_is_move(a, b) for a, b in pairwise(path)) and answer.closed == returns >= puzzle.closed


def _is_move(a: Cell, b: Cell) -> bool:
    """Whether a knight goes from ``a`` to ``b``: one step one way and two the other."""
    return {abs(a[0] - b[0]), abs(a[1] - b[1])} == {1, 2}


def contents(puzzle: Puzzle, answer: Answer) -> Mapping[Cell, Hashable]:
    """The number of each square in the tour, from 1."""
    return {cell: number for number, cell in enumerate(answer.path, 1)}


def marks(puzzle: Puzzle, answer: Answer) -> Sequence[Mark]:
    """The way through all squares, the number of each, and a fence round the start."""
    path = Path(answer.path, Ink(tone=0), closed=answer.closed and len(answer.path) > 1)
    numbers = [Text(cell, str(number), WHITE, NUMBER_SIZE) for number, cell in enumerate(answer.path, 1)]
    return [path, Fence((answer.path[0],), Ink(tone=2)), *numbers]


WHITE = Ink(rgb=(255, 255, 255))
"""The line under the numbers takes all colours of the palette on its way."""

NUMBER_SIZE = 0.3
"""Height of a square's number: three digits still leave the line of the tour to be seen beside them."""


def given(puzzle: Puzzle) -> Sequence[Mark]:
    """An ``N`` where the knight stands, as chess players write it."""
    return [Text(puzzle.start, "N")]


def rehearse(puzzle: Puzzle, budget: Budget, show: Callable[[Frame], None]) -> None:
    """Show the tour grow: Warnsdorff's rule hardly ever takes a move back.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    answer = next(answers(puzzle, budget), None)
    if answer is None:
        return
    for length in range(2, len(answer.path)):
        show(partial(_begun, answer, length))


def _begun(answer: Answer, length: int) -> list[Mark]:
    return [Path(answer.path[:length], Ink(tone=0))]


def puzzle_record(puzzle: Puzzle) -> Record:
    """Rows, columns, start, whether the tour has to be closed, and holes where there are some."""
    record: Record = {
        "rows": puzzle.rows,
        "cols": puzzle.cols,
        "start": list(puzzle.start),
        "closed": puzzle.closed,
    }
    return record | ({"holes": [list(cell) for cell in puzzle.holes]} if puzzle.holes else {})


def answer_record(puzzle: Puzzle, answer: Answer) -> Record:
    """The squares in order, and whether the last is a move from the first."""
    return {"path": [list(cell) for cell in answer.path], "closed": answer.closed}
