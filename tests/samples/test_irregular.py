"""Drawn boards of any outline, in both generators: cells hang together, the truth tells the holes, one answer."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from samples import page_styles, pages, stitch
from samples.puzzles.outlines import FORMS, Form, outline
from samples.sample import Sample
from solvers import stitch as rules
from solvers.budget import Budget
from solvers.stitch import Stitch


def linked(cells: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The cells that one can walk to from the first."""
    seen: set[tuple[int, int]] = set()
    todo = [min(cells)]
    while todo:
        r, c = todo.pop()
        if (r, c) in cells and (r, c) not in seen:
            seen.add((r, c))
            todo += [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
    return seen


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("holes", [2, 14, 29])
def test_an_outline_has_as_many_holes_as_asked_and_hangs_together(form: Form, holes: int) -> None:
    cells = set(outline(Random(3), 9, 8, holes, form))
    assert len(cells) == 72 - holes
    assert linked(cells) == cells
    if form != "bitten":
        assert {r for r, _ in cells} >= {0, 8}
        assert {c for _, c in cells} >= {0, 7}


def irregular(generator: str, seed: int, **options: object) -> Sample:
    rng = np.random.default_rng(seed)
    if generator == "pages":
        return pages.draw(rng, rows=6, cols=6, missing=0.25, **options)  # type: ignore[arg-type]
    return stitch.draw(rng, rows=6, cols=6, holes=9, form="mixed", beside=True, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("generator", ["stitch", "pages"])
@pytest.mark.parametrize("seed", range(4))
def test_an_irregular_board_is_drawn_with_its_truth(generator: str, seed: int) -> None:
    sample = irregular(generator, seed)
    clues = sample.truth["clues"]
    assert sum(clue is None for row in clues for clue in row) == 9
    shapes = {tuple(map(int, key.split(","))): shape for key, shape in sample.truth.get("shapes", {}).items()}
    puzzle = Stitch(tuple(map(tuple, clues)), shapes)  # type: ignore[arg-type]
    assert rules.parse(rules.write(puzzle)) == puzzle
    assert len(list(zip(range(2), rules.answers(puzzle, Budget()), strict=False))) == 1
    corners = np.array(sample.truth["corners"])
    assert corners.min() >= -1
    assert (corners <= sample.picture.shape[1::-1]).all()


@pytest.mark.parametrize("generator", ["stitch", "pages"])
def test_the_truth_of_a_wiped_board_is_that_it_must_not_be_solved(generator: str) -> None:
    assert irregular(generator, 5).truth["kind"] == "stitch"
    assert irregular(generator, 5, wiped=True).truth["kind"] == "other"


def test_the_lines_of_a_page_lie_where_its_truth_says() -> None:
    style = page_styles.random_style(np.random.default_rng(1))
    style = replace(
        style,
        paper=(255, 255, 255),
        cell=(),
        rule="lines",
        line=(0, 0, 0),
        line_width=0.03,
        dashes=None,
        outline=(0, 0, 0),
        outline_width=0.03,
        outline_at=0.0,
        hole="page",
        grain=0.0,
        shadow=False,
        double=False,
    )
    sample = pages.draw(np.random.default_rng(2), style=style, missing=0.2, filled=0.0, furnished=0.0)
    gray = sample.picture.mean(axis=2)
    (left, top), (right, _), _, _ = sample.truth["corners"]
    side = (right - left) / sample.truth["cols"]
    clues = sample.truth["clues"]
    for r, row in enumerate(clues):
        for c, clue in enumerate(row):
            x, y = round(left + (c + 0.9) * side), round(top + r * side)
            above = clues[r - 1][c] if r else None
            assert (gray[y - 1 : y + 2, x].min() < 160) == (clue is not None or above is not None)
