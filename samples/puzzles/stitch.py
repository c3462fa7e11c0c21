"""Stitch boards with a known answer: cut a board at random, then put a clue into each piece.

With ``unique=True`` the clues are moved until one answer is left: a second answer shows which clues leave room, and
only those move.
"""

from dataclasses import replace
from itertools import islice
from random import Random

from samples.puzzles.outlines import Form, outline
from solvers import stitch
from solvers.blocks import Block, shape_of
from solvers.board import Cell
from solvers.budget import Budget, BudgetSpentError
from solvers.stitch import UNKNOWN, Answer, Patch, Stitch

MOVES = 60
"""How often clues are moved before another cut is tried."""

CUTS = 50
"""How many cuts are tried."""

EFFORT = 300
"""Nodes for one test of uniqueness: a board that needs more is no board for people."""


def make(
    rng: Random,
    rows: int,
    cols: int,
    *,
    largest: int = 12,
    holes: int = 0,
    form: Form = "bitten",
    unique: bool = False,
    hints: bool = False,
) -> tuple[Stitch, Answer]:
    """A random board and an answer of it.

    Args:
        rng: the only source of chance.
        rows: height of the board in cells.
        cols: width of the board in cells.
        largest: the greatest area of a rectangle.
        holes: how many cells are missing; what is left hangs together.
        form: where they are missing, see :mod:`samples.puzzles.outlines`.
        unique: whether the answer must be the only one.
        hints: whether clues tell shapes and some no number, as in LinkedIn's Patches.

    Raises:
        ValueError: no board was found, for example because ``unique`` asks too much of it.
    """
    for _ in range(CUTS):
        cells = outline(rng, rows, cols, holes, form)
        blocks = cut(rng, cells, largest)
        clues = [rng.choice(block.cells) for block in blocks]
        for _ in range(MOVES):
            puzzle, answer = _board(rows, cols, cells, blocks, clues)
            loose = _loose(puzzle, answer) if unique else set()
            if not loose:
                return (_hinted(rng, puzzle, answer) if hints else puzzle), answer
            for index, block in enumerate(blocks):
                if clues[index] in loose:
                    clues[index] = rng.choice(block.cells)
    raise ValueError(f"no {rows} x {cols} board with one answer came up")


def cut(rng: Random, cells: list[Cell], largest: int) -> list[Block]:
    """The cells cut into blocks of at most ``largest`` cells, large ones preferred, single cells a last resort."""
    free, blocks = set(cells), []
    for cell in rng.sample(cells, len(cells)):
        if cell in free:
            around = _around(cell, free, largest)
            weights = [len(block.cells) ** 1.5 if len(block.cells) > 1 else 1e-6 for block in around]
            block = rng.choices(around, weights)[0]
            free.difference_update(block.cells)
            blocks.append(block)
    return blocks


def _around(cell: Cell, free: set[Cell], largest: int) -> list[Block]:
    """All blocks of free cells that hold ``cell``."""
    row, col = cell
    found = []
    for height in range(1, largest + 1):
        for width in range(1, largest // height + 1):
            for top in range(row - height + 1, row + 1):
                for left in range(col - width + 1, col + 1):
                    block = tuple((r, c) for r in range(top, top + height) for c in range(left, left + width))
                    if free.issuperset(block):
                        found.append(Block(block, height, width))
    return found


def _board(rows: int, cols: int, cells: list[Cell], blocks: list[Block], clues: list[Cell]) -> tuple[Stitch, Answer]:
    """The puzzle and its answer."""
    grid: list[list[int | None]] = [[None] * cols for _ in range(rows)]
    for r, c in cells:
        grid[r][c] = 0
    for (r, c), block in zip(clues, blocks, strict=True):
        grid[r][c] = len(block.cells)
    patches = sorted((Patch(clue, block) for clue, block in zip(clues, blocks, strict=True)), key=lambda p: p.clue)
    return Stitch(tuple(map(tuple, grid))), tuple(patches)


def _loose(puzzle: Stitch, answer: Answer) -> set[Cell]:
    """The clues whose rectangle differs in another answer; all of them when the search takes too long."""
    try:
        for other in islice(stitch.answers(puzzle, Budget(nodes=EFFORT)), 2):
            if other != answer:
                return {mine.clue for mine, theirs in zip(answer, other, strict=True) if mine != theirs}
    except BudgetSpentError:
        return set(puzzle.clue_cells)
    return set()


def _hinted(rng: Random, puzzle: Stitch, answer: Answer) -> Stitch:
    """Shapes for all clues, numbers for as few as leave the puzzle as clear as it was."""
    shapes = {patch.clue: rng.choice(["any", shape_of(patch.block.height, patch.block.width)]) for patch in answer}
    hinted = replace(puzzle, shapes=shapes)
    clear = not _loose(puzzle, answer)
    for row, col in rng.sample(puzzle.clue_cells, len(puzzle.clue_cells)):
        clues = [list(line) for line in hinted.clues]
        clues[row][col] = UNKNOWN
        fewer = replace(hinted, clues=tuple(map(tuple, clues)))
        if not clear or not _loose(fewer, answer):
            hinted = fewer
        if rng.random() < 0.1:
            break
    return hinted
