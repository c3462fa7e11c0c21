"""Drawn pictures of begun boards: whether hints go on from what stands there, and whether checks name what is wrong."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any

import numpy as np

from benchmarks.begun import drawn, is_named, plantings
from samples import balls as ball_boards
from samples import chess, looks, triazzle
from samples import regions as region_screens
from samples import stitch as stitch_screens
from samples.fonts import families
from samples.phone import DEVICES
from samples.region_marks import QUEENS, State
from solvepic import solve
from solvepic.outcome import Outcome
from solvepic.registry import Kind
from solvers import triazzle as triangles
from solvers.ball_trays import EMPTY
from solvers.balls import Balls
from solvers.blocks import Block
from solvers.board import Cell
from solvers.budget import Budget
from solvers.knight import Puzzle as Tour
from solvers.queens import Puzzle as Level
from solvers.steps.step import Placed
from solvers.stitch import Patch, Stitch
from solvers.triazzle import SLOTS, slot_cell
from solvers.triazzle import Puzzle as Tray
from vision.pictures.photo import Picture

PATIENTLY = 120.0
"""Seconds a picture: what is told must not depend on what else the machine does."""


def pictured(kind: Kind, puzzle: Any, lying: Sequence[Placed], seed: int) -> Picture:
    """A drawn picture of a board on which these things are placed, rightly or wrongly."""
    drawings: dict[str, Callable[[np.random.Generator, Kind, Any, Sequence[Placed]], Picture]] = {
        "stitch": _stitch_screen,
        "queens": _queens_screen,
        "pyramid": _tray_of_balls,
        "kanoodle": _tray_of_balls,
        "triazzle": _tray_of_triangles,
        "knight": _knight_screen,
    }
    return drawings[kind.name](np.random.default_rng(seed), kind, puzzle, lying)


def _answer(kind: Kind, puzzle: Any) -> Any:
    return next(kind.guide.completions(puzzle, (), Budget()))


def _stitch_screen(rng: np.random.Generator, kind: Kind, puzzle: Stitch, lying: Sequence[Placed]) -> Picture:
    clues = set(puzzle.clue_cells)
    there = [Patch(min(clues.intersection(placed.cells)), _block(placed.cells)) for placed in lying]
    taken, found = {cell for placed in lying for cell in placed.cells}, {patch.clue for patch in there}
    # What a wrong patch leaves of others is open, in whatever pieces.
    still = [
        patch if taken.isdisjoint(patch.block.cells) else patch._replace(block=_block((patch.clue,)))
        for patch in _answer(kind, puzzle)
        if patch.clue not in found
    ]
    style = looks.FAMILIES[str(rng.choice(looks.COMMON))](rng, str(rng.choice(families())))
    device = str(rng.choice(list(DEVICES)))
    return stitch_screens.picture(rng, puzzle, (*there, *still), found=found, style=style, device=device).picture


def _block(cells: Iterable[Cell]) -> Block:
    rows, cols = (len(set(along)) for along in zip(*cells, strict=True))
    return Block(tuple(sorted(cells)), rows, cols)


def _queens_screen(rng: np.random.Generator, kind: Kind, puzzle: Level, lying: Sequence[Placed]) -> Picture:
    queens = [cell for placed in lying for cell in placed.cells]
    if puzzle.regions is None:
        scene = replace(
            chess.random_scene(rng, "queens"), rows=puzzle.n, cols=puzzle.n, pieces=dict.fromkeys(queens, "queen")
        )
        return chess.draw(rng, scene).picture
    state = State(queens, [], str(rng.choice(QUEENS)), "x", 0.6)
    return region_screens.draw(rng, level=(puzzle, _answer(kind, puzzle)), state=state).picture


def _tray_of_balls(rng: np.random.Generator, kind: Kind, puzzle: Balls, lying: Sequence[Placed]) -> Picture:
    there = {cell: placed.name for placed in lying for cell in placed.cells}
    rows = tuple("".join(there.get((r, c), EMPTY) for c in range(len(row))) for r, row in enumerate(puzzle.rows))
    style = replace(ball_boards.random_style(rng), square=False)  # nobody draws squares on their corners' lattice
    return ball_boards.picture(rng, kind.name, replace(puzzle, rows=rows), style).picture


def _tray_of_triangles(rng: np.random.Generator, kind: Kind, puzzle: Tray, lying: Sequence[Placed]) -> Picture:
    symbols = 1 + max(code for tile in puzzle.tiles for code in tile) // (2 if puzzle.match == "halves" else 1)
    style = replace(triazzle.random_style(rng, puzzle.match), symbols=symbols)
    return triazzle.render(puzzle, style, rng).picture


def _knight_screen(rng: np.random.Generator, kind: Kind, puzzle: Tour, lying: Sequence[Placed]) -> Picture:
    scene = chess.random_scene(rng, "knight")
    scene = replace(scene, rows=puzzle.rows, cols=puzzle.cols, pieces={puzzle.start: "knight"})
    return chess.draw(rng, scene).picture


@dataclass(frozen=True)
class Led:
    """What hints of drawn begun boards led to.

    Attributes:
        well: boards on which every hint is open and forced, and the last one ends at the answer.
        unread: boards that were refused; nothing was hinted.
        count: of all boards.
    """

    well: int
    unread: int
    count: int


def led(kind: Kind, count: int, make: Callable[[Kind, int], Any] = drawn) -> Led:
    """Hints of drawn boards of which a third is placed, asked for one after the other until there is none."""
    well = unread = 0
    for seed in range(count):
        puzzle, lying = begun_board(kind, make(kind, seed), seed)
        outcome = solve(pictured(kind, puzzle, lying, seed), kind=kind.name, hint=1, time_limit=PATIENTLY)
        if outcome.puzzle is None or outcome.reading is None or outcome.reading.doubts:
            unread += 1
            continue
        well += is_led(kind, puzzle, lying, outcome)
    return Led(well, unread, count)


def begun_board(kind: Kind, puzzle: Any, seed: int) -> tuple[Any, list[Placed]]:
    """The board with what was given left out, and that with a third of what is to be placed."""
    bare, given = kind.guide.begun(puzzle)
    whole = [step.placed for step in kind.guide.steps(bare, given, Budget())]
    if kind.name == "triazzle":
        return _laid_in_part(puzzle, seed)
    if not kind.asks_unique:
        return bare, []  # a picture shows where the knight stands, and no moves
    return bare, [*given, *Random(seed).sample(whole, len(whole) // 3)]


def is_led(kind: Kind, puzzle: Any, lying: Sequence[Placed], outcome: Outcome) -> bool:
    """Whether the hints go from what lies there to the answer, and each is open and forced."""
    there = list(lying)
    while outcome.hints:
        [step] = outcome.hints
        placed = step.placed if kind.name != "triazzle" else _in_codes_of(puzzle, step.placed, outcome.puzzle)
        if placed in there or next(kind.guide.completions(puzzle, [*there, placed], Budget()), None) is None:
            return False
        there.append(placed)
        outcome = outcome.asked(hint=1, shown=outcome.shown)
    answer = next(kind.guide.completions(puzzle, there, Budget()), None)
    return answer is not None and set(kind.guide.placings(puzzle, answer)) == set(there)


def _laid_in_part(puzzle: Tray, seed: int) -> tuple[Tray, list[Placed]]:
    """The tray with a third of its pieces where they belong, the others in the order in which they lay; and what lies
    right there, some of it by chance.
    """
    [answer] = islice(triangles.answers(puzzle, Budget()), 1)
    right = [tuple(puzzle.tiles[piece][(edge - turn) % 3] for edge in range(3)) for piece, turn in answer.placed]
    chosen = Random(seed).sample(range(SLOTS), SLOTS // 3)
    pieces = {answer.placed[slot][0] for slot in chosen}
    others = iter([tile for piece, tile in enumerate(puzzle.tiles) if piece not in pieces])
    tiles = tuple(right[slot] if slot in chosen else next(others) for slot in range(SLOTS))
    lying = [slot for slot in range(SLOTS) if tiles[slot] == right[slot]]
    return replace(puzzle, tiles=tiles), [Placed((slot_cell(slot),), ",".join(map(str, right[slot]))) for slot in lying]


def _in_codes_of(truth: Tray, placed: Placed, read: Tray) -> Placed:
    """The same slot in the codes of the tray as it was drawn: a reader numbers its halves as it finds them."""
    codes = {
        one: other for tiles in zip(read.tiles, truth.tiles, strict=True) for one, other in zip(*tiles, strict=True)
    }
    return replace(placed, name=",".join(str(codes[int(code)]) for code in placed.name.split(",")))


def named_in_pictures(kind: Kind, count: int) -> tuple[int, int, int]:
    """Of how many drawn pictures with one wrong placement a check names just that, how many are not read, and how many
    there are; on the others something right is called wrong.
    """
    named = unread = 0
    for seed, (puzzle, right, wrong) in enumerate(plantings(kind, count)):
        picture = pictured(kind, puzzle, [*right, wrong], seed)
        check = solve(picture, kind=kind.name, check=True, time_limit=PATIENTLY).checked
        unread += check is None
        named += check is not None and is_named(wrong, check)
    return named, unread, count


AGREEMENTS = ("all", "less", "more", "complete", "miscalled", "refused")
"""How the placed patches of a screen are told: just these; without some, so that hints repaint these; with some that
are open; as complete, which they are not; one that is right as wrong."""


def read_from_screens(part: float | tuple[float, float], count: int, seed: int) -> Counter[str]:
    """How what stands on drawn Stitch screens is told.

    Args:
        part: of the patches is placed; a range to choose from.
        count: of screens.
        seed: with the screen's number decides what is drawn.
    """
    counts: Counter[str] = Counter()
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        sample = stitch_screens.draw(rng, filled=part if isinstance(part, float) else float(rng.uniform(*part)))
        laid = sample.truth["solution"]["rectangles"]
        placed = {Placed(_rectangle(one)) for one in laid if one["clue"] in sample.truth["filled_clues"]}
        counts[_compared(solve(sample.picture, kind="stitch", time_limit=PATIENTLY), placed, len(laid))] += 1
    return counts


def _compared(outcome: Outcome, placed: set[Placed], patches: int) -> str:
    if outcome.answer is None:
        return "refused"
    if not placed.isdisjoint(outcome.check().wrong):
        return "miscalled"
    standing = set(outcome.standing)
    if standing == placed:
        return "all"
    if standing - placed:
        return "complete" if len(standing) == patches else "more"
    return "less"


def _rectangle(one: dict[str, int]) -> tuple[Cell, ...]:
    rows, cols = range(one["top"], one["top"] + one["height"]), range(one["left"], one["left"] + one["width"])
    return tuple((row, col) for row in rows for col in cols)
