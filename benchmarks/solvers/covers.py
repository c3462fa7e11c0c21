"""Races of Stitch boards, ball trays and pentominoes."""

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from itertools import islice
from random import Random

from benchmarks.solvers.peers import SEARCHES
from benchmarks.solvers.race import Race
from samples.puzzles.stitch import make
from solvers import ball_trays, kanoodle, pyramid, stitch
from solvers.ball_trays import Tray, bits, lays, normal
from solvers.balls import BallRules, Balls
from solvers.board import grid_layout
from solvers.budget import Budget
from solvers.counting import count
from solvers.stitch import Stitch

ALL = 10**9

P355 = "B BB BB. HH.. HHH.. ...... ....... ........ ......... .........."

PENTOMINOES = [".XX XX. .X.", "XXXXX", "X... XXXX", "XX.. .XXX", "XXX XX.", "XXX .X. .X.", "X.X XXX", "X.. X.. XXX"]
PENTOMINOES += ["X.. XX. .XX", ".X. XXX .X.", ".X.. XXXX", "XX. .X. .XX"]

Cover = tuple[list[Hashable], list[tuple[Hashable, ...]]]
"""Items and options."""


def stitch_cover(puzzle: Stitch) -> Cover:
    """A Stitch board as exact cover: clues and cells are the items, rectangles the options."""
    board = puzzle.board
    wants = {cell: puzzle.want(cell) for cell in puzzle.clue_cells}
    options: list[tuple[Hashable, ...]] = []
    for cell, masks in zip(wants, board.candidates(wants), strict=True):
        options += [(("clue", cell), *board.block(mask).cells) for mask in masks]
    return [*(("clue", cell) for cell in puzzle.clue_cells), *puzzle.cells], options


def plain_cut(puzzle: Stitch, at_most: int = 2) -> int:
    """How many answers a plain search finds: the first open cell, every rectangle that starts there, and so on."""
    rows, cols = puzzle.rows, puzzle.cols
    clue = {cell: puzzle.clue(cell) for cell in puzzle.clue_cells}

    def ways(free: frozenset[tuple[int, ...]]) -> int:
        if not free:
            return 1
        top, left = min(free)
        found = 0
        for bottom in range(top, rows):
            for right in range(left, cols):
                block = {(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1)}
                inside = [cell for cell in block if cell in clue]
                if not block <= free or len(inside) > 1:
                    break
                if inside and clue[inside[0]] == len(block):
                    found += ways(free - block)
                    if found >= at_most:
                        return found
        return found

    return ways(frozenset(puzzle.cells))


def _ours(puzzle: Stitch) -> int:
    fresh = Stitch(puzzle.clues)  # nothing remembered from the turn before
    return len(list(islice(stitch.answers(fresh, Budget()), 2)))


def _by(search: Callable[..., int], build: Callable[[], Cover], at_most: int) -> int:
    items, options = build()
    return search(items, options, at_most)


def stitch_race(rows: int, cols: int, bar_ms: float, peers: Sequence[str], seed: int = 1) -> Race:
    """A made board with one answer: built, solved and proven unique."""
    puzzle, _ = make(Random(seed), rows, cols, unique=True)
    runners = {name: partial(_by, SEARCHES[name], lambda: stitch_cover(Stitch(puzzle.clues)), 2) for name in peers}
    if rows * cols < 200:
        runners["plain search"] = partial(plain_cut, puzzle)
    title = f"Stitch {rows} x {cols}, {len(puzzle.clue_cells)} clues: built, solved, proven unique"
    return Race(title, partial(_ours, puzzle), runners, bar_ms)


def balls_cover(rules: BallRules, puzzle: Balls) -> Cover:
    """A ball tray as exact cover, with every way to lay a piece."""
    letters = [letter for letter in ball_trays.LETTERS if letter not in puzzle.cells_of(ball_trays.LETTERS)]
    filled = rules.tray.mask(cell for cells in puzzle.cells_of(ball_trays.LETTERS).values() for cell in cells)
    ways = ball_trays.all_lays(rules.tray, puzzle.pieces)
    options = [(letter, *bits(lay)) for letter in letters for lay in ways[letter] if not lay & filled]
    return [*letters, *bits(rules.tray.everything & ~filled)], [*options]


def _forgetful(puzzle: Balls) -> int:
    ball_trays.forget_lays()
    return len(list(pyramid.answers(puzzle, Budget())))


def pyramid_race() -> Race:
    """The article's problem 355, all answers."""
    puzzle = pyramid.parse(P355)
    peers = {
        name: partial(_by, search, lambda: balls_cover(pyramid.RULES, puzzle), ALL if name != "exact-cover" else 1000)
        for name, search in SEARCHES.items()
    }
    return Race("Pyramid 355: built, all answers", partial(_forgetful, puzzle), peers, 8)


def counting_race(title: str, ours: Callable[[], int], build: Callable[[], Cover], bar_ms: float) -> Race:
    """Count all answers; of the peers only the quickest, as the others take minutes."""
    return Race(title, ours, {"xcover": partial(_by, SEARCHES["xcover"], build, ALL)}, bar_ms)


def empty_tray(rules: BallRules) -> Balls:
    """A tray with nothing in it."""
    return Balls(tuple("." * width for width in rules.tray.widths))


def pentominoes(rows: int, cols: int) -> Cover:
    """The twelve pentominoes on a board, its cells in the order of columns."""
    tray = Tray("board", (cols,) * rows, grid_layout(rows, cols))
    options: list[tuple[Hashable, ...]] = []
    for name, drawn in enumerate(PENTOMINOES):
        points = [(x, y) for y, row in enumerate(drawn.split()) for x, ball in enumerate(row) if ball == "X"]
        options += [(f"piece {name}", *bits(lay)) for lay in lays(tray, normal(points))]
    pits = [tray.index[cell] for cell in sorted(tray.cells, key=lambda cell: cell[::-1])]
    return [*pits, *(f"piece {name}" for name in range(12))], options


def _count_tray(rules: BallRules) -> int:
    return rules.count(empty_tray(rules), Budget())


def _count_pentominoes() -> int:
    return count(*pentominoes(6, 10))


def races() -> list[Race]:
    """All races of this module."""
    everyone = [*SEARCHES]
    return [
        stitch_race(8, 14, 0.40, everyone),
        stitch_race(40, 40, 10, [name for name in everyone if name != "dancing links, Python"]),
        stitch_race(100, 100, 100, ["OR-tools CP-SAT"]),
        pyramid_race(),
        counting_race(
            "Count 5 x 11",
            partial(_count_tray, kanoodle.RULES),
            lambda: balls_cover(kanoodle.RULES, empty_tray(kanoodle.RULES)),
            500,
        ),
        counting_race(
            "Count the triangle",
            partial(_count_tray, pyramid.RULES),
            lambda: balls_cover(pyramid.RULES, empty_tray(pyramid.RULES)),
            1000,
        ),
        counting_race("Count pentominoes 6 x 10", _count_pentominoes, lambda: pentominoes(6, 10), 1000),
    ]
