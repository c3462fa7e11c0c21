"""Pieces that are none: what parts them from empty pits that light, haze, stripes or blur make look like balls."""

from dataclasses import replace

import numpy as np
import pytest

from samples import balls as drawn
from samples.balls import Style
from samples.sample import Sample
from solvers.balls import EMPTY, Balls
from solvers.kanoodle import TRAY
from vision import kanoodle
from vision.balls.board import Board
from vision.balls.doubts import doubts
from vision.balls.looks import LIGHTNESS, Looks, look
from vision.balls.palette import makers, set_distances, strangeness
from vision.balls.pieces import Division, divisions
from vision.balls.pits import bare_costs, empty_looks
from vision.kind import Aids
from vision.pictures.lab import lab
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement
from vision.reading import NotFound

BARE = Balls((EMPTY * 11,) * 5)
PRINTED = Style("booklet", (84, 62, 80), (232, 228, 229), 0.45, hue_shift=0)


def draw(puzzle: Balls, style: Style) -> Sample:
    return drawn.picture(np.random.default_rng(1), "kanoodle", puzzle, style, loose=False)


def seen(sample: Sample, picture: Picture | None = None) -> Looks:
    placement = FlatPlacement.from_corners(sample.truth["corners"], TRAY.layout.size)
    return look(Photo((sample.picture if picture is None else picture).copy()), placement, TRAY)


def test_a_bent_pit_in_a_corner_makes_no_piece_of_those_beside_it() -> None:
    looks = seen(draw(BARE, PRINTED))
    shading = looks.shading.copy()
    shading[0] += (3.5, 0, 0, 0)
    shading[1] += (2.7, 0, 0, 0)
    assert {one.rows for one in divisions(replace(looks, shading=shading), TRAY)} == {EMPTY * 55}


@pytest.mark.slow
def test_pits_under_stripes_are_alike_where_they_are_far_from_their_tray() -> None:
    sample = draw(BARE, PRINTED)
    y, x = np.mgrid[: sample.picture.shape[0], : sample.picture.shape[1]] / sample.picture.shape[1]
    stripes = 5 * np.sin(40 * x[..., None] + 17 * y[..., None] + np.array((0, 2, 4)))
    striped = np.clip(sample.picture - 12 + stripes, 0, 255).astype(np.uint8)
    placement = replace(FlatPlacement.from_corners(sample.truth["corners"], TRAY.layout.size), score=0.62)
    reading = kanoodle.read(Photo(striped), placement, Aids())
    assert not isinstance(reading, NotFound), reading
    assert reading.puzzle == BARE


def test_haze_over_black_pits_makes_no_piece_of_them() -> None:
    puzzle = Balls((*BARE.rows[:4], "JJJJ......."))
    sample = draw(puzzle, Style("screen", (235, 235, 235), (4, 4, 4), 0.45, 0.0, hue_shift=0))
    y, x = np.mgrid[: sample.picture.shape[0], : sample.picture.shape[1]] / sample.picture.shape[1]
    haze = 55 * np.exp(-np.hypot(x - 0.85, y - 0.24)[..., None] / 0.1)
    looks = seen(sample, np.clip(sample.picture * 0.8 + haze, 0, 255).astype(np.uint8))
    pits = np.array(list("".join(puzzle.rows))) == EMPTY
    assert looks.colours[pits, 0].max() > 8
    empty = empty_looks(looks, TRAY)[0].empty
    assert empty is not None
    assert bare_costs(looks, empty)[pits].max() < 5
    assert divisions(looks, TRAY)[0].rows == "".join(puzzle.rows)


def test_pits_that_stripes_tint_are_in_doubt_where_they_are_shaded_as_pits_are() -> None:
    """The light that is on the left of balls is on the right of pits, whatever their hue."""
    sample = draw(
        Balls((BARE.rows[0], "...H.III.KK", "..HH.I.I.KK", ".HH........", BARE.rows[0])),
        Style("toy", (150, 149, 148), (105, 104, 103), hue_shift=0),
    )
    looks = seen(sample)
    rows = "".join(sample.truth["rows"])
    empty = next(guess.empty for guess in empty_looks(looks, TRAY) if guess.empty is not None)
    piece = [26, 36, 37, 38, 48]
    assert {rows[k] for k in piece} == {EMPTY}
    colours = looks.colours.copy()
    colours[piece] += (0, 3.5, -4)
    with_piece = "".join("L" if k in piece else letter for k, letter in enumerate(rows))
    division = Division(with_piece, 100.0, "standard", empty)
    board = Board(
        Photo(sample.picture), TRAY, replace(looks, colours=colours), division, list(with_piece), np.ones(len(rows))
    )
    assert {TRAY.cells[k] for k in piece} <= {doubt.cell for doubt in doubts(board, [division], [])}


def test_a_light_piece_that_alone_is_dark_is_strange() -> None:
    own = makers("standard")
    dark = own | {"D": own["D"] * (0.4, 0.1, 0.1)}
    assert [letter for letter, cost in strangeness(dark, "standard").items() if cost > 5] == ["D"]
    shaded = own | {"D": own["D"] * 0.7, "J": own["J"] * 0.45}
    assert not any(cost > 5 for cost in strangeness(shaded, "standard").values()), "in a shadow, and dark anyway"


def test_an_overexposed_yellow_is_no_lime_in_twice_the_light() -> None:
    bleached = lab(np.array([[(66, 255, 255)]], np.uint8))[0, 0] * (LIGHTNESS, 1, 1)
    apart = set_distances({"I": np.asarray(bleached, np.float64)})
    assert apart["iq"] > apart["standard"] + 3
