"""Pieces that are none: what parts them from empty pits that light, haze, stripes or blur make look like balls."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw

import solvepic
from samples import balls as drawn
from samples import chess
from samples.balls import TRAYS, Style
from samples.camera import photograph, random_shot
from samples.puzzles.balls import make
from samples.sample import Sample
from solvers.ball_trays import EMPTY
from solvers.balls import Balls
from solvers.board import Cell
from solvers.kanoodle import RULES, TRAY
from vision import kanoodle, pyramid
from vision.balls import reader
from vision.balls.doubts import doubts
from vision.balls.empties import Side, hidden
from vision.balls.evidence import strongest
from vision.balls.features import LIGHTNESS, Features, lights
from vision.balls.lattice import fits, likeness
from vision.balls.numbers import are_plainly_numbers
from vision.balls.palette import set_distances
from vision.balls.pieces import Board, Division, divisions
from vision.balls.pits import DARKNESS, Floats, bare_costs, empty_candidates
from vision.kind import Aids
from vision.pictures.lab import lab
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement
from vision.reading import NotFound

BARE = Balls((EMPTY * 11,) * 5)
PRINTED = Style("booklet", (84, 62, 80), (232, 228, 229), 0.45, hue_shift=0)


def draw(puzzle: Balls, style: Style) -> Sample:
    return drawn.picture(np.random.default_rng(1), "kanoodle", puzzle, style, loose=False)


def seen(sample: Sample, picture: Picture | None = None) -> Features:
    placement = FlatPlacement.from_corners(sample.truth["corners"], TRAY.layout.size)
    return lights(Photo((sample.picture if picture is None else picture).copy()), placement, TRAY)[0]


def test_a_bent_pit_in_a_corner_makes_no_piece_of_those_beside_it() -> None:
    features = seen(draw(BARE, PRINTED))
    shading = features.shading.copy()
    shading[0] += (3.5, 0, 0, 0)
    shading[1] += (2.7, 0, 0, 0)
    assert {one.rows for one in divisions(replace(features, shading=shading), TRAY)} == {EMPTY * 55}


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
    features = seen(sample, np.clip(sample.picture * 0.8 + haze, 0, 255).astype(np.uint8))
    pits = np.array(list("".join(puzzle.rows))) == EMPTY
    assert features.colours[pits, 0].max() > 8
    empty = empty_candidates(features, TRAY)[0].empty
    assert empty is not None
    assert bare_costs(features, empty)[pits].max() < 5
    assert divisions(features, TRAY)[0].rows == "".join(puzzle.rows)


def test_pits_that_stripes_tint_are_in_doubt_where_they_are_shaded_as_pits_are() -> None:
    """The light that is on the left of balls is on the right of pits, whatever their hue."""
    sample = draw(
        Balls((BARE.rows[0], "...H.III.KK", "..HH.I.I.KK", ".HH........", BARE.rows[0])),
        Style("toy", (150, 149, 148), (105, 104, 103), hue_shift=0),
    )
    features = seen(sample)
    rows = "".join(sample.truth["rows"])
    empty = next(candidate.empty for candidate in empty_candidates(features, TRAY) if candidate.empty is not None)
    piece = [26, 36, 37, 38, 48]
    assert {rows[k] for k in piece} == {EMPTY}
    colours = features.colours.copy()
    colours[piece] += (0, 3.5, -4)
    with_piece = "".join("L" if k in piece else letter for k, letter in enumerate(rows))
    division = Division(with_piece, 100.0, "standard", empty)
    board = Board(
        Photo(sample.picture), TRAY, replace(features, colours=colours), division, list(with_piece), np.ones(len(rows))
    )
    assert {TRAY.cells[k] for k in piece} <= {doubt.cell for doubt in doubts(board, [division], [])}


def test_an_overexposed_yellow_is_no_lime_in_twice_the_light() -> None:
    bleached = lab(np.array([[(66, 255, 255)]], np.uint8))[0, 0] * (LIGHTNESS, 1, 1)
    apart = set_distances({"I": np.asarray(bleached, np.float64)})
    assert apart["iq"] > apart["standard"] + 3


@pytest.mark.slow
def test_a_pocket_of_striped_pits_edged_as_pits_is_no_piece_and_names_no_set() -> None:
    """Only one of the sets has a piece of that shape: with it the other set was lost."""
    puzzle = Balls(("EEAAA......", ".EEEA...G..", "........G..", "......GGG..", BARE.rows[0]), "iq")
    sample = draw(puzzle, replace(PRINTED, rim=0.03, necks=0.0))
    features = seen(sample)
    shading = features.shading.copy()
    shading[:, :2] += np.random.default_rng(1).normal(0, 2.5, (len(shading), 2))
    shading[[36, 37, 26], :2] = (-6, -6)
    features = replace(features, shading=shading)
    found = divisions(features, TRAY)
    assert found[0].rows == "".join(puzzle.rows)
    assert {one.pieces for one in found} == {"standard", "iq"}
    board = Board(Photo(sample.picture), TRAY, features, found[0], list(found[0].rows), np.ones(len(found[0].rows)))
    assert not doubts(board, found, [])


def test_a_tell_by_which_a_piece_of_another_hue_is_a_pit_tells_nothing() -> None:
    """The last five balls, grey on a grey tray, were taken for pits, and their belts for those of pits."""
    puzzle = make(Random(3), RULES, pieces="standard", given=12)[0]
    rows = "".join(puzzle.rows)
    features = seen(draw(puzzle, replace(PRINTED, rim=0.03)))
    is_pit = np.array([letter == "L" for letter in rows])
    belts = features.belts.copy()
    belts[is_pit, 0] += 6
    pits = rows.replace("L", EMPTY)
    assert strongest(pits, replace(features, belts=belts)).decisive
    belts[np.array([letter == "A" for letter in rows]), 0] += 6
    assert not strongest(pits, replace(features, belts=belts)).decisive


def test_cells_of_a_board_are_alike_and_not_like_what_lies_beside_them() -> None:
    sample = draw(BARE, Style("toy", TRAYS["black"], (22, 21, 20)))
    placement = FlatPlacement.from_corners(sample.truth["corners"], TRAY.layout.size)
    alike, inside = likeness(Photo(sample.picture.copy()), placement, TRAY)
    assert np.count_nonzero(inside) == 55
    assert alike[inside].mean() > 0.9
    assert alike[0].mean() < 0.3


@pytest.mark.slow
def test_a_board_whose_pits_show_hardly_a_rim_is_found_by_their_being_alike() -> None:
    """Black pits of a black tray under the stripes of a screen."""
    rng = np.random.default_rng([69058, *b"kanoodle-photos"])
    photo = photograph(drawn.random_sample(rng, "kanoodle"), random_shot(rng, (1600, 1200)), rng)
    found = fits(Photo(photo.picture.copy()), TRAY, faint=True)
    assert len(found) == 1
    assert np.abs(np.sort(found[0].to_photo(TRAY.layout.corners), 0) - np.sort(photo.truth["corners"], 0)).max() < 12


def decided(sample: Sample, features: Features) -> tuple[str, set[Cell]]:
    """The division of a board with these looks, and the cells that are in doubt."""
    found = divisions(features, TRAY)
    rows = found[0].rows
    board = Board(Photo(sample.picture), TRAY, features, found[0], list(rows), np.ones(len(rows)))
    return rows, {doubt.cell for doubt in doubts(board, found, [])}


@pytest.mark.parametrize("rows", [(".L", "LLL", ".L"), ("..L", ".LLL", "..L")])
@pytest.mark.parametrize("tint", [(0, 2, -3), (0, 4, -5)])
def test_a_piece_nearly_of_the_pits_colour_is_in_doubt(rows: tuple[str, ...], tint: tuple[float, ...]) -> None:
    """A pocket of pits that something tints is no piece; with the first one the board has no solution."""
    sample = draw(BARE, PRINTED)
    features = seen(sample)
    piece = [k for k, letter in enumerate("".join(row.ljust(11, EMPTY) for row in rows)) if letter != EMPTY]
    colours = features.colours.copy()
    colours[piece] += tint
    _, doubtful = decided(sample, replace(features, colours=colours))
    assert {TRAY.cells[k] for k in piece} <= doubtful


@pytest.mark.slow
def test_a_board_is_not_moved_to_where_its_cells_look_less_like_pits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under a lamp a column of pits was less like the others than the plain tray beyond the board."""
    puzzle = Balls(("...EEED....", "..EEADD....", "..AAA.D....", "......D....", BARE.rows[0]))
    sample = draw(puzzle, Style("screen", (110, 80, 50), (70, 50, 30), 0.49, 0.0, hue_shift=0, square=True))
    placement = replace(FlatPlacement.from_corners(sample.truth["corners"], TRAY.layout.size), score=0.7)
    farther = replace(placement, matrix=placement.matrix @ np.array([(1, 0, 1), (0, 1, 0), (0, 0, 1)], np.float64))
    left = [k for k, cell in enumerate(TRAY.cells) if cell[1] == 0]
    monkeypatch.setattr(reader, "blank_sides", lambda *_: [Side(left, 0.0, 0.6, farther)])
    reading = kanoodle.read(Photo(sample.picture.copy()), placement, Aids())
    assert not isinstance(reading, NotFound), reading
    assert reading.puzzle == puzzle
    assert not reading.doubts


YELLOW = (".....HIII..", ".....HHI...", "......HI...", "...........", "...........")


def in_doubt(*rows: str, colours: Mapping[int, Floats], style: Style = PRINTED) -> set[str]:
    """Which pieces are in doubt on a board where divisions into ``rows`` are as cheap, if cells have other colours."""
    pictured = [tuple(one[k : k + 11] for k in range(0, 55, 11)) for one in rows]
    sample = draw(Balls(pictured[0]), style)
    features = seen(sample)
    changed = features.colours.copy()
    for k, colour in colours.items():
        changed[k] = colour
    empty = next((each.empty for each in empty_candidates(features, TRAY) if each.empty is not None), None)
    found = [Division(one, 60.0, "standard", empty if EMPTY in rows[0] else None) for one in rows]
    board = Board(Photo(sample.picture), TRAY, replace(features, colours=changed), found[0], list(rows[0]), np.ones(55))
    return {doubt.read for doubt in doubts(board, found, [])} - {EMPTY}


def in_light(colours: Floats, part: float) -> Floats:
    return DARKNESS[:3] + part * (colours - DARKNESS[:3])


def test_a_piece_in_a_shadow_that_a_black_tray_does_not_show_is_one_piece_unless_what_is_beside_it_may_be_its() -> None:
    rows = "".join(YELLOW)
    own = seen(draw(Balls(YELLOW), PRINTED)).of_pieces(rows)["I"]
    shaded = dict.fromkeys([18, 29], in_light(own, 0.65))
    assert not in_doubt(rows, colours=shaded)
    beside = {k: in_light(own, 0.8) for k, letter in enumerate(rows) if letter == "H"}
    assert in_doubt(rows, colours=shaded | beside) == {"I"}


def test_a_piece_that_a_division_as_cheap_has_not_is_in_doubt() -> None:
    rows = "".join(YELLOW).replace("H", EMPTY)
    assert in_doubt(rows, EMPTY * 55, colours={}) == {"I"}


@pytest.mark.parametrize(("maker", "doubtful"), [("toy", False), ("booklet", True)])
def test_a_pale_piece_of_a_full_board_is_no_pocket_where_it_is_shaded_as_balls_are(maker: str, doubtful: bool) -> None:
    rows = "CCLEEAAABBBCLLLEEEABBDCILIKKGHHDDCIIIKKGFHHDJJJJGGGFFHD"
    full = Balls(tuple(rows[k : k + 11] for k in range(0, 55, 11)))
    style = Style(maker, (150, 149, 148), (105, 104, 103), hue_shift=0)
    own = seen(draw(full, style)).of_pieces(rows)["E"]
    pale = {k: own * (1, 0.45, 0.45) for k, letter in enumerate(rows) if letter == "E"}
    assert in_doubt(rows, colours=pale, style=style) == ({"E"} if doubtful else set())


@pytest.mark.parametrize("unframed", [[], [37, 38, 49]])
def test_pits_that_the_tray_frames_hide_no_piece_of_squares_that_cover_it(unframed: list[int]) -> None:
    squares = Style("screen", (205, 204, 203), (176, 176, 176), 0.5, 0.0, hue_shift=0, square=True, pit_radius=0.44)
    sample = draw(Balls(("....H....KK", "J...HH...KK", "J....HH....", "J..........", "J..........")), squares)
    rows = "".join(sample.truth["rows"])
    features = seen(sample)
    striped = features.colours + [(0, 0, 1.5 - 3 * (k % 2)) for k in range(55)]
    gaps = features.gaps.copy()
    gaps[unframed] = features.colours[unframed]
    empty = next(candidate.empty for candidate in empty_candidates(features, TRAY) if candidate.empty is not None)
    division = Division(rows, 60.0, "standard", empty)
    assert hidden(division, replace(features, colours=striped, gaps=gaps), TRAY) == (unframed, False)


def test_balls_of_the_pits_colour_are_read_by_their_shading_or_in_doubt() -> None:
    toy = Style("toy", (150, 149, 148), (105, 104, 103), hue_shift=0)
    sample = draw(Balls(("AAAH.III.KK", "A.HH.I.I.KK", ".HH........", *BARE.rows[3:])), toy)
    rows = "".join(sample.truth["rows"])
    features = seen(sample)
    piece = [k for k, letter in enumerate(rows) if letter == "A"]
    empty = next(candidate.empty for candidate in empty_candidates(features, TRAY) if candidate.empty is not None)
    colours = features.colours.copy()
    colours[piece] = empty.colours[piece, :3]
    found, doubtful = decided(sample, replace(features, colours=colours))
    assert found == rows or {TRAY.cells[k] for k in piece} <= doubtful


@pytest.mark.slow
def test_the_squares_of_a_chequered_board_are_no_pits() -> None:
    """The faint ones of a printed board are round to a keen eye: a triangle of it was solved as an empty pyramid."""
    scene = chess.Scene(14, 14, {(3, 3): "queen"}, theme="print", device="bare", style="balls", size=0.75)
    photo = Photo(chess.draw(np.random.default_rng(1), scene).picture)
    assert fits(photo, pyramid.TRAY, faint=True)
    assert isinstance(reader.find(photo, Aids(thorough=True), pyramid.TRAY), NotFound)


@pytest.mark.slow
def test_the_page_beside_a_chequered_board_is_no_empty_tray() -> None:
    """A lattice that was seen on the squares goes on where all is alike."""
    scene = chess.Scene(16, 16, {(8, 15): "queen", (8, 6): "queen"}, theme="black and white", device="phone",
                        style="low", size=0.865, coordinates="inside")  # fmt: skip
    photo = Photo(chess.draw(np.random.default_rng(0), scene).picture)
    aids = Aids(thorough=True)
    assert isinstance(reader.find(photo, aids, pyramid.TRAY), NotFound)


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_numbers_on_single_tiles_are_none_before_anything_is_divided(quarters: int) -> None:
    board = np.full((5 * 40, 11 * 40, 3), 90, np.uint8)
    for k, digit in enumerate("2347256"):
        tile = np.full((40, 40, 3), 90, np.uint8)
        cv2.putText(tile, digit, (11, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (230, 230, 230), 2, cv2.LINE_AA)
        (top, left) = (40 * (k % 5), 40 * (3 * k % 11))
        board[top : top + 40, left : left + 40] = np.rot90(tile, quarters)
    placement = FlatPlacement.from_corners([(0, 0), (440, 0), (440, 200), (0, 200)], TRAY.layout.size)
    assert are_plainly_numbers(Photo(board), placement, TRAY)


def test_letters_that_all_balls_of_their_pieces_carry_are_no_numbers() -> None:
    puzzle = Balls(("DDDDJJJJ.II", ".D.BB...III", "...BBB.....", *("...........",) * 2))
    sample = draw(puzzle, Style("screen", (30, 28, 26), (70, 66, 62), 0.36, letters=True, pit_radius=0.36))
    placement = FlatPlacement.from_corners(sample.truth["corners"], TRAY.layout.size)
    assert not are_plainly_numbers(Photo(sample.picture), placement, TRAY)


def test_a_grid_of_ruled_cells_is_no_tray_with_a_piece_on_it() -> None:
    side, rim, ink = 60, 50, (238, 238, 238)
    end = rim + 9 * side
    page = Image.new("RGB", (end + rim, end + rim + side), (20, 22, 14))
    pen = ImageDraw.Draw(page)
    pen.rectangle((rim, rim, end, end), fill=(52, 52, 52))
    for at in range(rim, end + 1, side):
        pen.line([(rim, at), (end, at)], ink, 4)
        pen.line([(at, rim), (at, end)], ink, 4)
    assert solvepic.solve(page).status == "no_board"
