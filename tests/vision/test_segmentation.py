"""Placed patches told by the likeliest segmentation: all of them, none that is not there, wrong ones as well."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from shared_files import shared

import solvepic
from samples import looks, stitch
from samples.fonts import families
from samples.puzzles.stitch import make
from samples.sample import Sample
from solvepic.outcome import Outcome
from solvers.blocks import Block
from solvers.steps.step import Placed
from solvers.stitch import Answer, Patch, Stitch, parse
from vision.clues.placed import Sides
from vision.clues.segmentation import likeliest

Colour = tuple[float, float, float]


def placed(sample: Sample) -> set[Placed]:
    """The patches that are drawn as found."""
    found = [one for one in sample.truth["solution"]["rectangles"] if one["clue"] in sample.truth["filled_clues"]]
    return {Placed(cells_of(one)) for one in found}


def cells_of(one: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    rows, cols = range(one["top"], one["top"] + one["height"]), range(one["left"], one["left"] + one["width"])
    return tuple((row, col) for row in rows for col in cols)


def solved(sample: Sample, **options: Any) -> Outcome:
    return solvepic.solve(sample.picture, kind="stitch", **options)


@pytest.mark.parametrize(
    ("seed", "most"),
    [
        *(([7, seed], 0.6) for seed in (1, 4, 6, 11)),  # tinted, translucent, rope, solid; paper, green, cloth, tiles
        *(([2612, seed], 0.6) for seed in (37, 52, 56)),  # what is open makes patches of the answer, too
        *(([777, seed], 0.9) for seed in (1, 22, 23)),  # one or two patches are open, and lines show through the others
    ],
)
def test_all_patches_that_are_placed_are_told(seed: list[int], most: float) -> None:
    rng = np.random.default_rng(seed)
    some = float(rng.uniform(0.2, 0.6))
    sample = stitch.draw(rng, filled=some if most < 0.9 else most)
    check = solved(sample).check()
    assert set(check.standing) == placed(sample)
    assert check.wrong == ()
    assert not check.complete


ROWS = parse(" / ".join(" ".join("5" if c == r % 5 else "." for c in range(5)) for r in range(6)))
GREY, RED, GREEN = (60.0, 0.0, 0.0), (50.0, 60.0, 40.0), (50.0, -50.0, 30.0)
LINE, BORDER, HIDDEN = 0.5, 1.0, 0.0


def told(colours: Sequence[Colour], lines: Sequence[float], page: Colour) -> list[int]:
    """The rows that are told as placed, of a board whose rows have these colours and show so much of their sides."""
    shown = np.array(colours)[:, None, None].repeat(5, axis=1).repeat(2, axis=2)
    below = [LINE if one == other == page else BORDER for one, other in pairwise(colours)]
    across, down = (np.array(row)[:, None].repeat(count, axis=1) for row, count in ((lines, 4), (below, 5)))
    seen = Sides(across, down, np.ones((6, 5), bool))
    return [patch.cells[0][0] for patch in likeliest(ROWS, shown, np.array([page]), [seen])]


def test_patches_differ_from_the_ground_in_colour() -> None:
    assert told([RED, GREY, GREY, GREEN, GREY, GREY], [LINE] * 6, GREY) == [0, 3]
    assert told([GREY] * 6, [LINE] * 6, GREY) == []
    assert told([RED, GREEN] * 3, [HIDDEN] * 6, GREY) == [0, 1, 2, 3, 4, 5]


def test_which_of_two_colours_is_the_ground_the_page_tells() -> None:
    assert told([RED, RED, GREY, GREY, GREY, RED], [LINE] * 6, GREY) == [0, 1, 5]
    assert told([RED, RED, GREY, GREY, GREY, RED], [LINE] * 6, RED) == [2, 3, 4]


STYLES = ("light", "dark", "tiles", "linen", "patches")
DEVICE = "small phone"


def misplaced(rng: Random, puzzle: Stitch, answer: Answer, found: list[Patch]) -> Patch:
    """Another place for a clue's patch, on open cells."""
    taken = {cell for patch in found for cell in patch.block.cells}
    wants = {cell: puzzle.want(cell) for cell in puzzle.clue_cells}
    ways = zip(puzzle.clue_cells, puzzle.board.candidates(wants), strict=True)
    others = [Patch(clue, puzzle.board.block(mask)) for clue, masks in ways for mask in masks]
    open_ones = [one for one in others if one not in answer and taken.isdisjoint(one.block.cells)]
    return rng.choice([one for one in open_ones if len(one.block.cells) > 2])


def checked(seed: int) -> tuple[Placed, Outcome]:
    """A patch that was placed wrongly on a drawn screen beside three right ones, and what a check of it says."""
    chance, rng = Random(seed), np.random.default_rng(seed)
    puzzle, answer = make(chance, 8, 7, unique=True)
    right = chance.sample([patch for patch in answer if len(patch.block.cells) > 1], 3)
    wrong = misplaced(chance, puzzle, answer, right)
    # What the wrong one covers in part is open still.
    apart = [
        Patch(patch.clue, Block((patch.clue,), 1, 1)) if {*patch.block.cells} & {*wrong.block.cells} else patch
        for patch in answer
        if patch.clue != wrong.clue
    ]
    style = looks.FAMILIES[STYLES[seed % len(STYLES)]](rng, families()[0])
    found = {patch.clue for patch in [*right, wrong]}
    sample = stitch.picture(rng, puzzle, (wrong, *apart), found=found, style=style, device=DEVICE)
    return Placed(tuple(sorted(wrong.block.cells))), solved(sample, check=True)


@pytest.mark.parametrize("style", ["light", "dark", "tiles", "linen", "game"])
def test_a_board_with_its_last_patch_open_is_not_complete(style: str) -> None:
    puzzle, answer = make(Random(3), 6, 5, unique=True)
    largest = max(answer, key=lambda patch: len(patch.block.cells))
    for found in (set(puzzle.clue_cells), {*puzzle.clue_cells} - {largest.clue}):
        rng = np.random.default_rng(3)
        drawn = looks.FAMILIES[style](rng, families()[0])
        sample = stitch.picture(rng, puzzle, answer, found=found, style=drawn, device=DEVICE)
        check = solved(sample).check()
        assert check.complete is (largest.clue in found)
        assert check.wrong == ()


@pytest.mark.slow
def test_a_patch_that_was_placed_wrongly_is_named_or_nothing_is_said() -> None:
    named = 0
    for seed in range(1, 11):
        wrong, outcome = checked(seed)
        assert outcome.checked is not None
        assert outcome.checked.wrong in ((wrong,), ()), "what is right is never called wrong"
        named += outcome.checked.wrong == (wrong,)
    assert named >= 9


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "stands", "complete"),
    [
        ("stitch/paulosellos_half_filled.png", 4, False),
        pytest.param(
            *("stitch/rektangles_desktop_filled.png", 9, True),
            marks=pytest.mark.xfail(reason="the frame of a cursor parts a patch", strict=True),
        ),
        ("stitch/jupyter_20x20_filled.png", 45, True),
        ("patches/patches_rodrigo_dark_8x8_half.png", 8, False),
        ("patches/patches_santi_1_filled.png", 8, True),
        ("patches/patches_santi_2_filled.png", 8, True),
        ("patches/patches_santi_1.png", 0, False),
        ("stitch/sgtrect_7x7.png", 0, False),
    ],
)
def test_what_stands_on_labelled_pictures(name: str, stands: int, complete: bool) -> None:
    check = solvepic.solve(shared(f"corpus/{name}")).check()
    assert (len(check.standing), check.wrong, check.complete) == (stands, (), complete)
