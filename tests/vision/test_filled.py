"""Sizes that an outline allows on boards whose patches hide nearly all lines."""

import numpy as np
import pytest

from samples import looks
from samples import stitch as drawn
from samples.fonts import BUILTIN
from samples.sample import Sample
from solvers.blocks import Block
from solvers.stitch import Patch, Stitch
from vision.boards.filled import MOST_SIZES, UNPROVED, filled_grids
from vision.pictures.bending import rotated
from vision.pictures.photo import Photo, Picture


def halves(look: str) -> Sample:
    """A board of 4 x 6 cells with two patches of 12, both placed: one line is left inside it."""
    clues = [[0] * 6 for _ in range(4)]
    clues[2][1] = clues[3][4] = 12
    puzzle = Stitch(tuple(map(tuple, clues)))
    blocks = [Block(tuple((r, c) for r in range(4) for c in range(left, left + 3)), 4, 3) for left in (0, 3)]
    answer = (Patch((2, 1), blocks[0]), Patch((3, 4), blocks[1]))
    rng = np.random.default_rng(3)
    chosen = looks.FAMILIES[look](rng, BUILTIN)
    return drawn.picture(rng, puzzle, answer, found=puzzle.clue_cells, look=chosen, device="bare")


@pytest.mark.parametrize("look", ["game", "linen"])
def test_the_size_is_among_those_that_two_patches_allow(look: str) -> None:
    sample = halves(look)
    found = filled_grids(Photo(sample.picture))
    assert 1 <= len(found) <= 2 * MOST_SIZES
    right = [guess for guess in found if (guess.rows, guess.cols) == (4, 6)]
    cell = np.ptp(np.array(sample.truth["corners"])[:, 0]) / 6
    assert any(np.abs(guess.corners_px - sample.truth["corners"]).max() < 0.15 * cell for guess in right)
    # Nothing but their clues can prove them, also once they are turned.
    assert all(rotated(guess.placement, 1).score <= UNPROVED for guess in found)
    # Cells are square, whatever is offered.
    assert all(guess.rows * 6 == pytest.approx(guess.cols * 4, rel=0.05) for guess in found)


def test_a_page_without_an_outline_offers_nothing() -> None:
    page: Picture = np.full((400, 300, 3), 240, np.uint8)
    page[100:108:2, 40:260] = 30
    assert filled_grids(Photo(page)) == []
