"""Drawn Stitch boards are what their truth says, in every look, straight, bent and photographed."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from samples import looks, stitch
from samples.camera import Shot, photograph, random_shot
from samples.sample import Sample
from solvers import stitch as rules
from vision.pictures.photo import Picture


def drawn(seed: int = 1, **options: object) -> Sample:
    return stitch.draw(np.random.default_rng(seed), rows=5, cols=4, family="builtin", device="bare", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("style", looks.FAMILIES)
def test_every_look_draws_a_board_with_its_truth(style: str) -> None:
    sample = drawn(style=style, filled=0.5)
    height, width = sample.picture.shape[:2]
    corners = np.array(sample.truth["corners"])
    assert corners.min() >= 0
    assert (corners <= (width, height)).all()
    assert (sample.truth["rows"], sample.truth["cols"]) == (5, 4)
    covered = sum(r["height"] * r["width"] for r in sample.truth["solution"]["rectangles"])
    assert covered == 20
    clues = sample.truth["clues"]
    assert all(clues[r][c] for r, c in sample.truth["filled_clues"])
    board = sample.picture[int(corners[0][1]) : int(corners[2][1]), int(corners[0][0]) : int(corners[2][0])]
    assert board.std() > 3


def test_the_same_seed_draws_the_same_picture() -> None:
    one, two, other = drawn(5, style="game"), drawn(5, style="game"), drawn(6, style="game")
    assert np.array_equal(one.picture, two.picture)
    assert one.truth == two.truth
    assert one.picture.shape != other.picture.shape or not np.array_equal(one.picture, other.picture)


def test_cells_of_a_bent_board_share_their_corners() -> None:
    sample = drawn(3, style="game", holes=3, bend=1.0)
    truth = sample.truth
    assert truth["bent"]
    assert len(truth["mesh"]) == 17
    for name, (_, right_top, right_bottom, _) in truth["mesh"].items():
        row, col = map(int, name.split(","))
        beside = truth["mesh"].get(f"{row},{col + 1}")
        if beside:
            assert beside[0] == right_top
            assert beside[3] == right_bottom
    outline = np.array([point for corners in truth["mesh"].values() for point in corners])
    straight = np.ptp(outline[:, 0]) / 4
    sides = [np.hypot(*np.subtract(c[1], c[0])) for c in truth["mesh"].values()]
    assert np.std(sides) > 0.02 * straight


def test_the_clues_of_a_drawn_board_have_one_answer() -> None:
    truth = drawn(9, style="light").truth
    puzzle = rules.Stitch(tuple(tuple(row) for row in truth["clues"]))
    assert rules.faults(puzzle) == []
    assert truth["unique"]


# --- the camera -------------------------------------------------------------------------------------------------------


def marked(corners: list[list[float]]) -> Sample:
    """A pale page with a dark dot at each of its corners."""
    page: Picture = np.full((600, 500, 3), 235, np.uint8)
    for x, y in corners:
        cv2.circle(page, (int(x), int(y)), 9, (20, 20, 20), -1)
    return Sample(page, {"corners": corners, "cell_centers": {"0,0": corners[0]}})


@pytest.mark.parametrize("seed", range(6))
def test_points_of_the_truth_stay_where_they_are_drawn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners = [[60.0, 80.0], [430.0, 70.0], [440.0, 520.0], [70.0, 500.0]]
    photo = photograph(marked(corners), random_shot(rng, (800, 600), hardness=0.7), rng)
    assert photo.picture.shape == (600, 800, 3)
    gray = cv2.cvtColor(photo.picture, cv2.COLOR_BGR2GRAY).astype(float)
    for x, y in photo.truth["corners"]:
        patch = gray[round(y) - 9 : round(y) + 10, round(x) - 9 : round(x) + 10]
        dark = np.argwhere(patch < (patch.min() + patch.max()) / 2)
        assert np.hypot(*(dark.mean(axis=0) - 9)) < 2.5
    assert photo.truth["cell_centers"]["0,0"] == photo.truth["corners"][0]


def test_a_plain_shot_turns_nothing() -> None:
    corners = [[0.0, 0.0], [499.0, 0.0], [499.0, 599.0], [0.0, 599.0]]
    photo = photograph(marked(corners), Shot((1000, 1200), fill=1.0), np.random.default_rng(0))
    assert photo.truth["corners"][0] == pytest.approx([0, 0], abs=1)
    assert photo.truth["corners"][2] == pytest.approx([998, 1198], abs=3)


def test_a_sample_is_saved_with_its_truth_beside_it(tmp_path: Path) -> None:
    target = marked([[1.0, 2.0]] * 4).save(tmp_path, "page")
    truth = json.loads((tmp_path / "page.json").read_text(encoding="utf-8"))
    assert target.name == truth["image"] == "page.png"
    assert truth["corners"][0] == [1.0, 2.0]
