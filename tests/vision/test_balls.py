"""Ball boards stage by stage, on drawn boards: round things, the lattice, the looks of cells, pieces, the reading."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest

from samples import balls as drawn
from samples.balls import TRAYS, Style
from samples.camera import Shot, photograph, random_shot
from samples.puzzles.balls import make
from samples.sample import Sample
from solvers import kanoodle as kanoodle_rules
from solvers import pyramid as pyramid_rules
from solvers.ball_colours import COLOURS
from solvers.ball_trays import EMPTY, Tray
from solvers.balls import BallRules, Balls
from vision import kanoodle, pyramid
from vision.balls.evidence import belts, marks, shaded_like_pits
from vision.balls.features import LIGHTNESS, Features, lights, relit
from vision.balls.lattice import LEAST_GROWN, fits, lattices, many_round
from vision.balls.numbers import are_numbers
from vision.balls.palette import likely_set, makers, named_piece, strangeness
from vision.balls.pieces import divisions
from vision.balls.pits import bare_costs, beside_tray, empty_candidates
from vision.balls.spots import Spots, faint_spots, spots, unstriped
from vision.kind import Aids, Reader
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement
from vision.reading import NotFound, Reading

READERS: dict[str, Reader[Balls]] = {"pyramid": pyramid, "kanoodle": kanoodle}
RULES: dict[str, BallRules] = {"pyramid": pyramid_rules.RULES, "kanoodle": kanoodle_rules.RULES}
TOY = Style("toy", TRAYS["black"], (22, 21, 20))


def look(photo: Photo, placement: FlatPlacement, tray: Tray) -> Features:
    """The cells as they are lit."""
    return lights(photo, placement, tray)[0]


def a_board(board: str, given: int, seed: int = 5, pieces: str = "standard", singles: int = 0) -> Balls:
    return make(Random(seed), RULES[board], pieces=pieces, given=given, singles=singles)[0]


def draw(board: str, puzzle: Balls, style: Style = TOY, seed: int = 1) -> Sample:
    return drawn.picture(np.random.default_rng(seed), board, puzzle, style, loose=False)


def read(board: str, picture: Picture) -> Reading[Balls]:
    photo = Photo(picture.copy())
    reader = READERS[board]
    found = reader.find(photo, Aids())
    assert not isinstance(found, NotFound), found
    reading = reader.read(photo, found[0], Aids())
    assert not isinstance(reading, NotFound), reading
    return reading


@pytest.mark.parametrize("light_on_dark", [True, False])
def test_a_disc_is_a_spot_whatever_its_colour(light_on_dark: bool) -> None:
    picture = np.full((300, 400, 3), 60 if light_on_dark else 200, np.uint8)
    cv2.circle(picture, (150, 120), 20, (110, 110, 110), -1, cv2.LINE_AA)
    best = max((size.strength[0], tuple(size.points_px[0])) for size in spots(Photo(picture)) if len(size.strength))
    assert best[1] == pytest.approx((150, 120), abs=1)
    assert best[0] > 0.6


def test_straight_edges_make_no_spots() -> None:
    picture = np.full((300, 400, 3), 60, np.uint8)
    picture[:, 200:] = 180
    assert all(len(size.strength) == 0 for size in spots(Photo(picture)))


def test_a_keener_look_sees_a_faint_pit_beside_bright_balls() -> None:
    picture = np.full((300, 400, 3), 40, np.uint8)
    cv2.circle(picture, (150, 150), 20, (30, 30, 30), -1, cv2.LINE_AA)
    for x, y in ((105, 150), (195, 150), (150, 105), (150, 195)):
        cv2.circle(picture, (x, y), 20, (240, 240, 240), -1, cv2.LINE_AA)

    def at_the_pit(look: Callable[[Photo], list[Spots]]) -> float:
        return max(float(size.votes[round(150 * size.scale), round(150 * size.scale)]) for size in look(Photo(picture)))

    assert at_the_pit(spots) < 0.2
    assert at_the_pit(faint_spots) > 0.4


def test_nothing_finer_is_looked_for_than_a_board_that_is_plain_to_see() -> None:
    photo = Photo(np.asarray(cv2.resize(draw("kanoodle", AMONG_WHITE, WHITE_PITS).picture, (960, 480)), np.uint8))
    found = lattices(photo)
    assert found[0].grown >= 50
    finest, *_, coarsest = photo.derive(spots)
    assert "votes" in coarsest.__dict__
    assert "votes" not in finest.__dict__


@pytest.mark.parametrize(("pitch_px", "faint"), [(17, True), (20, False)])
def test_small_things_are_looked_at_in_the_finest_size(pitch_px: float, faint: bool) -> None:
    tray = RULES["kanoodle"].tray
    page = np.full((1200, 1600, 3), 245, np.uint8)
    centres = pitch_px * np.array(tray.centres) + (600.3, 500.7)
    for x, y in np.rint(16 * centres).astype(int).tolist():
        cv2.circle(page, (x, y), round(16 * 0.38 * pitch_px), (160, 165, 170), -1, cv2.LINE_AA, 4)
    best = fits(Photo(np.asarray(cv2.GaussianBlur(page, (0, 0), 1.0), np.uint8)), tray, faint=faint)[0]
    assert np.abs(best.to_photo(tray.centres) - centres).max() < 0.05 * pitch_px


@pytest.mark.parametrize("count", [LEAST_GROWN - 1, LEAST_GROWN])
def test_circles_of_one_size_are_many_wherever_they_stand(count: int) -> None:
    picture = np.full((300, 400, 3), 60, np.uint8)
    for k in range(count):
        cv2.circle(picture, (40 + 60 * (k % 6), 50 + 95 * (k // 6) + 7 * (k % 3)), 20, (200, 200, 200), -1, cv2.LINE_AA)
    assert many_round(Photo(picture)) == (count == LEAST_GROWN)


def test_a_lattice_grows_over_the_whole_board() -> None:
    photo = Photo(draw("kanoodle", a_board("kanoodle", 12)).picture)
    assert lattices(photo)[0].grown >= 50


@pytest.mark.parametrize("board", ["pyramid", "kanoodle"])
@pytest.mark.parametrize("given", [0, 12])
def test_the_board_is_found_empty_and_full(board: str, given: int) -> None:
    sample = draw(board, a_board(board, given), seed=given)
    layout = RULES[board].tray.layout
    best = fits(Photo(sample.picture), RULES[board].tray)[0]
    off = np.hypot(*(best.to_photo(layout.corners) - np.array(sample.truth["corners"])).T)
    assert off.max() < 0.2 * drawn.PITCH_PX


@pytest.mark.parametrize(("board", "other"), [("pyramid", "kanoodle"), ("kanoodle", "pyramid")])
def test_a_board_is_not_taken_for_the_other_one(board: str, other: str) -> None:
    photo = Photo(draw(board, a_board(board, 6)).picture)
    assert not READERS[other].find(photo, Aids())


def test_a_triangle_turned_any_way_is_read_from_its_apex() -> None:
    puzzle = a_board("pyramid", 5)
    upright = draw("pyramid", puzzle).picture
    for quarter in (1, 2):
        assert read("pyramid", np.rot90(upright, quarter)).puzzle == puzzle


def test_a_half_matrix_is_counted_from_its_upright_leg() -> None:
    """Rows of a triangle drawn with its legs along the axes begin at the upright leg, wherever the apex is."""
    unit = 30
    picture = np.full((13 * unit, 13 * unit, 3), 215, np.uint8)
    answer = make(Random(3), RULES["pyramid"], given=12)[0]
    colours = {letter: rgb[::-1] for letter, rgb in COLOURS["iq"].items()}
    for i, row in enumerate(answer.rows):
        for j, letter in enumerate(row):
            # Apex top right; j counts from the right column, which is the upright leg.
            x, y = (11 - j) * unit, (2 + i - j) * unit
            cv2.circle(picture, (x, y), round(0.48 * unit), (0, 0, 0), -1, cv2.LINE_AA)
            cv2.circle(picture, (x, y), round(0.44 * unit), colours[letter], -1, cv2.LINE_AA)
    assert read("pyramid", picture).puzzle.rows == answer.rows


def test_a_ball_and_a_pit_of_one_colour_are_shaded_differently() -> None:
    puzzle = a_board("kanoodle", 8)
    white = replace(TOY, tray=TRAYS["white"], pit=(205, 207, 209))
    photo = Photo(draw("kanoodle", puzzle, white).picture)
    tray = RULES["kanoodle"].tray
    features = look(photo, fits(photo, tray)[0], tray)
    rows = "".join(puzzle.rows)
    said = shaded_like_pits(rows, features)
    empty = np.array([letter == EMPTY for letter in rows])
    assert said[empty].min() > 0 > said[~empty].max()


def test_shapes_part_two_pieces_of_one_colour() -> None:
    """Two pieces are painted alike; only one way to divide their balls gives legal pieces."""
    puzzle = Balls(("JJJJKK.....", "....KK.....", *(EMPTY * 11,) * 3))
    photo = Photo(draw("kanoodle", puzzle, replace(TOY, necks=0.0)).picture)
    tray = RULES["kanoodle"].tray
    features = look(photo, fits(photo, tray)[0], tray)
    balls = [k for k, letter in enumerate("".join(puzzle.rows)) if letter != EMPTY]
    colours, shading = features.colours.copy(), features.shading.copy()
    colours[balls], shading[balls] = colours[balls[0]], shading[balls[0]]
    best = divisions(replace(features, colours=colours, shading=shading), tray, ("standard",))
    assert best[0].rows == "".join(puzzle.rows)


@pytest.mark.parametrize("board", ["pyramid", "kanoodle"])
@pytest.mark.parametrize(("pieces", "tray"), [("standard", "black"), ("iq", "blue"), ("standard", "white")])
def test_a_toy_is_read_with_its_set(board: str, pieces: str, tray: str) -> None:
    puzzle = a_board(board, 9, pieces=pieces)
    pit = tuple(round(0.85 * part) for part in TRAYS[tray])
    reading = read(board, draw(board, puzzle, replace(TOY, tray=TRAYS[tray], pit=(pit[0], pit[1], pit[2]))).picture)
    assert reading.puzzle == puzzle
    assert not reading.doubts


@pytest.mark.slow
def test_a_photo_under_warm_light_reads_the_same() -> None:
    puzzle = a_board("kanoodle", 7, pieces="iq")
    sample = draw("kanoodle", puzzle)
    shot = Shot((800, 600), tilt_deg=18, tilt_towards_deg=70, turn_deg=9, light=0.3, noise=2, blur=0.0005)
    for cast in ((1.0, 1.0, 1.0), (0.72, 0.93, 1.0), (1.0, 0.95, 0.8)):
        photo = photograph(sample, replace(shot, cast=cast), np.random.default_rng(2))
        reading = read("kanoodle", photo.picture)
        assert reading.puzzle == puzzle
        assert not reading.doubts


@pytest.mark.slow
def test_a_shadow_across_the_board_changes_nothing() -> None:
    puzzle = a_board("kanoodle", 8, pieces="iq")
    booklet = Style("booklet", (92, 66, 84), (236, 232, 232), 0.46, 0.24, 0.03)
    picture = draw("kanoodle", puzzle, booklet).picture
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    shade = 1 - 0.4 / (1 + np.exp(-(x - 0.5 * width + 0.4 * y) / 4))
    reading = read("kanoodle", (picture * shade[..., None]).astype(np.uint8))
    assert reading.puzzle == puzzle
    assert not reading.doubts


def test_light_is_not_learned_from_what_is_no_plain_tray() -> None:
    puzzle = a_board("kanoodle", 12)
    sample = draw("kanoodle", puzzle, replace(TOY, tray=TRAYS["grey"]))
    tray = RULES["kanoodle"].tray
    placement = fits(Photo(sample.picture), tray)[0]
    picture = sample.picture.copy()
    noise = np.random.default_rng(1).integers(20, 220, picture.shape[:2]).astype(np.float32)
    patches = cv2.resize(cv2.resize(noise, (60, 30)), picture.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    assert len(lights(Photo(np.repeat(patches[..., None], 3, 2).astype(np.uint8)), placement, tray)) == 1


@pytest.mark.parametrize(("pieces", "pit"), [("standard", (88, 82, 84)), ("iq", (88, 82, 84))])
def test_the_last_gap_is_no_piece(pieces: str, pit: tuple[int, int, int]) -> None:
    puzzle = a_board("pyramid", 11, seed=3, pieces=pieces)
    reading = read("pyramid", draw("pyramid", puzzle, Style("booklet", (24, 20, 20), pit, 0.47, hue_shift=2)).picture)
    assert reading.puzzle == puzzle
    assert not reading.doubts


def test_a_board_laid_one_cell_off_is_moved() -> None:
    puzzle = Balls(("...........", "..JJJJ.....", "....KK.....", "....KK.....", "..........."))
    photo = Photo(draw("kanoodle", puzzle, replace(TOY, tray=TRAYS["grey"], pit=(115, 113, 111))).picture)
    right = fits(photo, RULES["kanoodle"].tray)[0]
    off = replace(right, matrix=right.matrix @ np.array([(1, 0, 1), (0, 1, 0), (0, 0, 1)], np.float64))
    reading = kanoodle.read(photo, off, Aids())
    assert not isinstance(reading, NotFound)
    assert reading.puzzle == puzzle
    assert not reading.doubts


WHITE_PITS = Style("booklet", (92, 66, 84), COLOURS["standard"]["F"][::-1], 0.48, 0.24, 0.03, hue_shift=0)
AMONG_WHITE = Balls(("....KK...FF", "....KKH..LF", "......HHLLL", ".D..C..HHLA", "DDDDCCCCAAA"))


def without(puzzle: Balls, letter: str) -> Balls:
    return Balls(tuple(row.replace(letter, EMPTY) for row in puzzle.rows), puzzle.pieces)


@pytest.mark.parametrize("rim", [0.03, 0.0])
def test_a_white_piece_among_white_pits_is_at_least_in_doubt(rim: float) -> None:
    sample = draw("kanoodle", AMONG_WHITE, replace(WHITE_PITS, rim=rim))
    shot = Shot((800, 600), tilt_deg=18, tilt_towards_deg=70, turn_deg=9, light=0.2, noise=2, blur=0.0005)
    reading = read("kanoodle", photograph(sample, shot, np.random.default_rng(2)).picture)
    unseen = {(0, 9), (0, 10), (1, 10)} - {
        (r, c) for r, row in enumerate(reading.puzzle.rows) for c, letter in enumerate(row) if letter == "F"
    }
    assert unseen <= {doubt.cell for doubt in reading.doubts}


def test_white_pits_that_differ_from_the_balls_at_their_edges_are_no_hidden_piece() -> None:
    puzzle = without(AMONG_WHITE, "F")
    reading = read("kanoodle", draw("kanoodle", puzzle, WHITE_PITS).picture)
    assert reading.puzzle == puzzle
    assert not reading.doubts


LIGHT_GREY_PITS = Style("screen", (250, 250, 250), (222, 222, 222), 0.45, 0.0, hue_shift=0)


def test_pits_of_one_paint_that_is_not_white_hide_no_piece() -> None:
    puzzle = without(AMONG_WHITE, "F")
    reading = read("kanoodle", draw("kanoodle", puzzle, LIGHT_GREY_PITS).picture)
    assert reading.puzzle == puzzle
    assert not reading.doubts


BLACK_PITS_ON_WHITE = Style("screen", WHITE_PITS.pit, (8, 8, 8), 0.48, 0.0, letters=True, hue_shift=0, pit_radius=0.32)


def test_a_piece_of_the_pages_colour_is_read_or_in_doubt_among_black_pits() -> None:
    reading = read("kanoodle", draw("kanoodle", AMONG_WHITE, BLACK_PITS_ON_WHITE).picture)
    unread = {(r, c) for r, row in enumerate(AMONG_WHITE.rows) for c, letter in enumerate(row) if letter == "F"} - {
        (r, c) for r, row in enumerate(reading.puzzle.rows) for c, letter in enumerate(row) if letter == "F"
    }
    assert unread <= {doubt.cell for doubt in reading.doubts}


def test_a_white_piece_that_is_taken_for_light_on_grey_pits_is_in_doubt() -> None:
    reading = read("kanoodle", draw("kanoodle", AMONG_WHITE, LIGHT_GREY_PITS).picture)
    assert reading.puzzle == AMONG_WHITE or {(0, 9), (0, 10), (1, 10)} <= {doubt.cell for doubt in reading.doubts}


def test_belts_tell_outlined_balls_from_pits() -> None:
    photo = Photo(draw("kanoodle", AMONG_WHITE, WHITE_PITS).picture)
    tray = RULES["kanoodle"].tray
    features = look(photo, fits(photo, tray)[0], tray)
    said = belts("".join(without(AMONG_WHITE, "F").rows), features)
    empty = np.array([letter == EMPTY for row in AMONG_WHITE.rows for letter in row])
    assert said.decisive
    assert said.like_ball[empty].max() < 0.3
    assert said.like_ball[~empty].min() > 0.7


SMALL_PITS = Style("screen", (238, 238, 238), (8, 8, 8), 0.34, 0.0, letters=True, pit_radius=0.24, hue_shift=2)


def test_pits_smaller_than_the_ring_are_looked_at_within_their_rim() -> None:
    puzzle = a_board("kanoodle", 2)
    photo, tray = Photo(draw("kanoodle", puzzle, SMALL_PITS).picture), RULES["kanoodle"].tray
    right = fits(photo, tray)[0]
    beside = replace(right, matrix=right.matrix @ np.array([(1, 0, 0.04), (0, 1, 0), (0, 0, 1)], np.float64))
    pits = np.array([letter == EMPTY for row in puzzle.rows for letter in row])
    for placement in (right, beside):
        features = look(photo, placement, tray)
        assert features.colours[pits, 0].max() < 4
        assert np.abs(features.shading[pits, :2]).max() < 2


@pytest.mark.parametrize("off", [0.04, 0.07])
@pytest.mark.parametrize("soft", [0.035, 0.05])
def test_small_pits_are_alike_wherever_they_lie_in_their_cells(off: float, soft: float) -> None:
    rows = ("....JIII...", ".BBBJILI...", "KKBBJLLL...", "KK..J.L....", "...........")
    colours = {letter: rgb[::-1] for letter, rgb in COLOURS["standard"].items()} | {EMPTY: (68, 74, 60)}
    pitch, tray = 56, kanoodle.TRAY
    picture = np.full((6 * pitch, 12 * pitch, 3), (41, 45, 27), np.uint8)
    for row, letters in enumerate(rows):
        for col, letter in enumerate(letters):
            radius = round(16 * pitch * (0.22 if letter == EMPTY else 0.46))
            cv2.circle(
                picture, (16 * (col + 1) * pitch, 16 * (row + 1) * pitch), radius, colours[letter], -1, cv2.LINE_AA, 4
            )
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), soft * pitch), np.uint8)
    width, height = tray.layout.size
    corners = np.array([(0.5, 0.5), (0.5 + width, 0.5), (0.5 + width, 0.5 + height), (0.5, 0.5 + height)])
    corners[0] -= off
    corners[2] += off / 2
    found = kanoodle.read(Photo(picture), FlatPlacement.from_corners(pitch * corners - 0.5, tray.layout.size), Aids())
    assert isinstance(found, Reading)
    assert found.puzzle.rows == rows
    assert not found.doubts


IN_A_CORNER = Balls(("FFKK...DDDD", "FEKK.....DJ", "EEHH......J", "EHHBB.....J", "EHBBB.....J"))


def test_a_white_piece_in_a_corner_is_not_light_that_falls_there() -> None:
    tray = RULES["kanoodle"].tray
    photo = Photo(draw("kanoodle", IN_A_CORNER, LIGHT_GREY_PITS).picture)
    features = look(photo, fits(photo, tray)[0], tray)
    empty = empty_candidates(features, tray)[0].empty
    assert empty is not None
    costs = bare_costs(features, empty)
    rows = np.array(list("".join(IN_A_CORNER.rows)))
    assert costs[rows == EMPTY].max() < 2
    assert costs[rows == "F"].min() > 8


def test_a_lamp_mirrored_in_a_black_tray_falls_on_its_pits_as_well() -> None:
    tray = RULES["kanoodle"].tray
    picture = draw("kanoodle", Balls(("...........",) * 5), Style("booklet", (24, 20, 20), (88, 82, 84), 0.45)).picture
    placement = fits(Photo(picture), tray)[0]
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]] / picture.shape[1]
    glare = 60 * np.exp(-((x - 0.25) ** 2 + (y - 0.2) ** 2) / (2 * 0.06**2))
    photo = Photo(np.clip(picture + glare[..., None], 0, 255).astype(np.uint8))
    features = look(photo, placement, tray)
    empty = empty_candidates(features, tray)[0].empty
    assert empty is not None
    assert np.ptp(features.colours[:, 0]) > 10
    assert np.median(bare_costs(features, empty)) < 2
    assert np.abs(features.colours - empty.colours[:, :3])[:, 0].max() < 4


def test_a_lamp_mirrored_in_a_blue_tray_changes_its_hue_and_that_of_its_pits() -> None:
    tray = RULES["kanoodle"].tray
    picture = draw("kanoodle", Balls(("...........",) * 5), Style("toy", TRAYS["blue"], (110, 66, 30))).picture
    placement = fits(Photo(picture), tray)[0]
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    ((left, top), (right, _)) = placement.to_photo([tray.centres[44], tray.centres[54]])
    glare = 70 * np.exp(-((x - left) ** 2 + (y - top) ** 2) / (2 * (0.15 * (right - left)) ** 2))
    features = look(Photo(np.clip(picture + glare[..., None], 0, 255).astype(np.uint8)), placement, tray)
    assert np.ptp(features.colours[:, 0]) > 5
    assert [one.rows for one in divisions(features, tray)] == ["." * 55] * 2
    assert np.linalg.norm(features.colours - beside_tray(features, np.arange(55)), axis=1).max() < 2


@pytest.mark.slow
def test_a_cell_under_the_edge_of_a_shadow_may_be_in_any_light_between() -> None:
    tray, puzzle = RULES["kanoodle"].tray, a_board("kanoodle", 6, pieces="iq")
    picture = draw("kanoodle", puzzle, Style("booklet", (92, 66, 84), (236, 232, 232), 0.46, 0.24, 0.03)).picture
    placement = fits(Photo(picture), tray)[0]
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]] / picture.shape[1]
    light = 1 - 0.45 / (1 + np.exp((x + 0.7 * y - 0.7) / 0.006))
    features = lights(Photo((picture * light[..., None]).astype(np.uint8)), placement, tray)
    assert [np.count_nonzero(one.edges) for one in features] == [np.count_nonzero(features[0].edges)] * 2
    assert 5 < np.count_nonzero(features[0].edges) < 25
    assert [one.rows for one in divisions(features[1], tray)] == ["".join(puzzle.rows)]
    even = replace(features[1], edges=np.zeros(55))
    assert divisions(features[1], tray)[0].cost < 0.7 * min((one.cost for one in divisions(even, tray)), default=200)


@pytest.mark.slow
def test_a_letter_that_looks_like_a_digit_is_no_number_where_all_balls_of_its_piece_carry_it() -> None:
    tray, puzzle = RULES["kanoodle"].tray, Balls(("DDDD.......", ".D.........", *("...........",) * 3))
    style = Style("screen", (30, 28, 26), (70, 66, 62), 0.36, 0.0, letters=True, hollow=True, pit_radius=0.36)
    photo = Photo(draw("kanoodle", puzzle, style).picture)
    features = look(photo, fits(photo, tray)[0], tray)
    assert not are_numbers("".join(puzzle.rows), features, tray)
    # The same marks on cells of several pieces are numbers.
    assert are_numbers("DABC........E" + "." * 42, features, tray)


def test_letters_tell_that_a_full_board_has_no_pits() -> None:
    puzzle = a_board("pyramid", 12, pieces="iq")
    photo, tray = Photo(draw("pyramid", puzzle, replace(SMALL_PITS, radius=0.45)).picture), RULES["pyramid"].tray
    features = look(photo, fits(photo, tray)[0], tray)
    assert marks("".join(puzzle.rows), features).pitlike.max() < 0
    assert [one.rows for one in divisions(features, tray)] == ["".join(puzzle.rows)]


def test_letters_on_a_few_cells_taken_for_pits_tell_that_they_are_a_piece() -> None:
    puzzle = a_board("kanoodle", 12)
    photo, tray = Photo(draw("kanoodle", puzzle, replace(SMALL_PITS, radius=0.45)).picture), RULES["kanoodle"].tray
    features = look(photo, fits(photo, tray)[0], tray)
    taken = "".join(without(puzzle, "F").rows)
    assert marks(taken, features).like_ball[[k for k, letter in enumerate(taken) if letter == EMPTY]].min() > 0.5


def test_light_balls_and_dark_pits_on_a_tray_between_differ_at_their_edges() -> None:
    puzzle = without(a_board("kanoodle", 12), "F")
    screen = Style("screen", (58, 52, 48), (10, 10, 10), 0.49, 0.0, pit_radius=0.34, hue_shift=2)
    photo, tray = Photo(draw("kanoodle", puzzle, screen).picture), RULES["kanoodle"].tray
    features = look(photo, fits(photo, tray)[0], tray)
    said = belts("".join(puzzle.rows), features)
    pits = np.array([letter == EMPTY for row in puzzle.rows for letter in row])
    assert said.like_ball[pits].max() < 0.3
    assert said.like_ball[~pits].min() > 0.3


@pytest.mark.slow
def test_edges_tell_a_last_white_gap_from_the_white_piece() -> None:
    full = a_board("kanoodle", 12, seed=2)
    for puzzle in (full, without(full, "F")):
        photo, tray = Photo(draw("kanoodle", puzzle, WHITE_PITS).picture), RULES["kanoodle"].tray
        features = look(photo, fits(photo, tray)[0], tray)
        assert [one.rows for one in divisions(features, tray)] == ["".join(puzzle.rows)]


def a_photo(seed: int) -> Sample:
    """A drawn photo of a triangle that was once misread, or not read."""
    rng = np.random.default_rng([seed, *b"pyramid-photos"])
    return photograph(drawn.random_sample(rng, "pyramid"), random_shot(rng, (1600, 1200)), rng)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [32081, 32091])
def test_a_last_pocket_without_clear_edges_is_no_white_piece(seed: int) -> None:
    sample = a_photo(seed)
    reading = read("pyramid", sample.picture)
    assert list(reading.puzzle.rows) == sample.truth["rows"] or reading.doubts


@pytest.mark.slow
def test_stripes_of_a_screen_leave_nothing_in_doubt() -> None:
    # This one could not be divided at all before its stripes were taken away.
    sample = a_photo(9906)
    assert unstriped(Photo(sample.picture.copy())) is not None
    reading = read("pyramid", sample.picture)
    assert list(reading.puzzle.rows) == sample.truth["rows"]
    assert not reading.doubts


@pytest.mark.slow
@pytest.mark.parametrize("square", [False, True])
def test_pits_of_a_screen_may_be_darker_than_the_tray_and_square(square: bool) -> None:
    puzzle = a_board("kanoodle", 6)
    screen = Style("screen", (58, 52, 48), (30, 27, 25), 0.42, 0.0, pit_radius=0.3, square=square, hue_shift=2)
    assert read("kanoodle", draw("kanoodle", puzzle, screen).picture).puzzle == puzzle


def test_inks_are_the_colours_of_balls() -> None:
    puzzle = a_board("kanoodle", 3)
    reading = read("kanoodle", draw("kanoodle", puzzle, replace(TOY, hue_shift=0)).picture)
    cells = {(r, c) for r, row in enumerate(puzzle.rows) for c, letter in enumerate(row) if letter != EMPTY}
    assert set(reading.inks) == cells


ALL_BUT_THE_CROSS = Balls(("DDDD.IICCCC", "AAD...IGBBC", "AKKH.IIGBBB", "AKKHHGGGEEF", "JJJJHHEEEFF"))


@pytest.mark.parametrize(("letters", "pit"), [(True, COLOURS["standard"]["L"][::-1]), (False, (70, 66, 62))])
def test_a_last_gap_of_the_missing_pieces_shape_is_a_gap(letters: bool, pit: tuple[int, int, int]) -> None:
    """Its pits lack the letters that all balls have, or are too dark for a grey piece in this light."""
    screen = Style("screen", (30, 28, 26), pit, 0.45, 0.0, letters=letters, hue_shift=2)
    reading = read("kanoodle", draw("kanoodle", ALL_BUT_THE_CROSS, screen).picture)
    assert reading.puzzle == ALL_BUT_THE_CROSS
    assert not reading.doubts


@pytest.mark.slow
def test_a_grey_piece_that_completes_the_board_is_no_gap() -> None:
    full = Balls(tuple(row.replace(EMPTY, "L") for row in ALL_BUT_THE_CROSS.rows))
    screen = Style("screen", (30, 28, 26), (70, 66, 62), 0.45, 0.0, letters=True, hue_shift=2)
    reading = read("kanoodle", draw("kanoodle", full, screen).picture)
    assert reading.puzzle == full
    assert not reading.doubts


@pytest.mark.slow
@pytest.mark.parametrize("letters", [True, False])
def test_one_lettered_piece_tells_what_white_pits_lack(letters: bool) -> None:
    """Without letters a white piece might lie among pits of its colour; with them it would be seen."""
    white = Style("screen", (92, 66, 84), COLOURS["standard"]["F"][::-1], 0.45, 0.0, letters=letters, hue_shift=0)
    puzzle = Balls((*(EMPTY * 11,) * 3, "KK.........", "KK........."))
    reading = read("kanoodle", draw("kanoodle", puzzle, white).picture)
    assert reading.puzzle == puzzle
    assert bool(reading.doubts) != letters


def test_marks_are_letters_and_not_their_absence() -> None:
    tray = RULES["kanoodle"].tray
    screen = Style("screen", (30, 28, 26), (70, 66, 62), 0.45, 0.0, letters=True, hue_shift=2)
    photo = Photo(draw("kanoodle", ALL_BUT_THE_CROSS, screen).picture)
    features = look(photo, fits(photo, tray)[0], tray)
    rows = "".join(ALL_BUT_THE_CROSS.rows)
    pits = np.array([letter == EMPTY for letter in rows])
    said = marks(rows, features)
    assert said.decisive
    assert said.like_ball[pits].max() < 0.2
    assert said.like_ball[~pits].min() > 0.8
    unseen = marks(rows.replace(EMPTY, "L"), features)
    assert unseen.pitlike[pits].min() > 0.8
    assert unseen.pitlike[~pits].max() <= 0
    assert not marks(rows, replace(features, marks=np.zeros(len(rows)))).decisive
    shine = replace(features, marks=np.where(pits, -0.4, -0.1) * features.colours[:, 0])
    assert not marks(rows, shine).decisive, "what is lighter in the middle carries no letter"


@pytest.mark.slow
def test_rings_are_pits_whatever_is_in_them() -> None:
    """Within a ring the tray is seen, which is as white as a white piece."""
    white = Style("screen", (240, 240, 240), (200, 200, 200), 0.48, 0.0, hue_shift=0, pit_radius=0.33, hollow=True)
    puzzle = Balls(("KK..AAA....", "KK....A....", *(EMPTY * 11,) * 3))
    reading = read("kanoodle", draw("kanoodle", puzzle, white).picture)
    assert reading.puzzle == puzzle
    assert not reading.doubts


@pytest.mark.slow
def test_pieces_tell_the_light_where_the_tray_is_black() -> None:
    puzzle = a_board("kanoodle", 9)
    dark = Style("screen", (8, 8, 8), (16, 16, 16), 0.5, 0.0, hue_shift=0, square=True)
    picture = draw("kanoodle", puzzle, dark).picture
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    dimmed = (picture * (1 - 0.75 * (x / width + y / height) / 2)[..., None]).astype(np.uint8)
    tray, rows = RULES["kanoodle"].tray, "".join(puzzle.rows)
    placement = FlatPlacement.from_corners(draw("kanoodle", puzzle, dark).truth["corners"], (11, 5))

    def uneven(features: Features) -> float:
        own = features.of_pieces(rows)
        light = [seen[0] / own[letter][0] for letter, seen in zip(rows, features.colours, strict=True) if letter in own]
        return float(np.std(light))

    seen = look(Photo(dimmed), placement, tray)
    evener = relit(seen, rows, tray)
    assert evener is not None
    assert uneven(evener) < 0.3 * uneven(seen)
    assert relit(look(Photo(picture), placement, tray), rows, tray) is None
    reading = kanoodle.read(Photo(dimmed), placement, Aids())
    assert not isinstance(reading, NotFound)
    assert reading.puzzle == puzzle
    assert not reading.doubts


@pytest.mark.slow
def test_a_bare_board_that_is_hardly_round_must_have_pits_that_are_all_alike() -> None:
    squares = Style("screen", (211, 211, 211), (176, 176, 176), 0.42, 0.0, hue_shift=0, square=True)
    sample = draw("kanoodle", a_board("kanoodle", 0), squares)
    placement = replace(FlatPlacement.from_corners(sample.truth["corners"], (11, 5)), score=0.62)
    assert kanoodle.read(Photo(sample.picture), placement, Aids())
    noise = np.random.default_rng(4).normal(0, 25, (12, 24, 1)).astype(np.float32)
    cloudy = sample.picture + cv2.resize(noise, sample.picture.shape[1::-1])[..., None]
    assert not kanoodle.read(Photo(np.clip(cloudy, 0, 255).astype(np.uint8)), placement, Aids())


def test_cells_between_lines_are_no_bare_board() -> None:
    ruled = np.full((5 * 40 + 1, 11 * 40 + 1, 3), 250, np.uint8)
    ruled[::40] = ruled[:, ::40] = 120
    page = cv2.copyMakeBorder(ruled, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(250.0, 250.0, 250.0))
    placement = FlatPlacement.from_corners([(60, 60), (500, 60), (500, 260), (60, 260)], (11, 5), 0.9)
    assert isinstance(kanoodle.read(Photo(np.asarray(page)), placement, Aids()), NotFound)


def pegs(rows: int, cols: int) -> Picture:
    """A dark tray of alike balls, 40 pixels apart, on a light page that begins close to them."""
    picture = np.full((40 * rows + 140, 40 * cols + 140, 3), 240, np.uint8)
    picture[56:-56, 56:-56] = 38
    for x, y in np.ndindex(cols, rows):
        cv2.circle(picture, (90 + 40 * x, 90 + 40 * y), 15, (90, 160, 210), -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize(("rows", "cols", "found"), [(5, 11, True), (7, 13, False), (9, 15, False)])
def test_a_board_within_a_larger_lattice_of_balls_is_none(rows: int, cols: int, found: bool) -> None:
    assert bool(kanoodle.find(Photo(pegs(rows, cols)), Aids())) is found


def test_a_single_printed_ball_names_its_piece() -> None:
    booklet = Style("booklet", (24, 20, 20), (88, 82, 84), 0.47, hue_shift=0)
    puzzle = Balls(("KKJJJJ.....", "KK.......a.", *(EMPTY * 11,) * 3))
    assert read("kanoodle", draw("kanoodle", puzzle, booklet).picture).puzzle == puzzle


def test_corners_that_the_user_points_at_are_used() -> None:
    puzzle = a_board("pyramid", 4)
    sample = draw("pyramid", puzzle)
    corners = tuple((float(x), float(y)) for x, y in sample.truth["corners"])
    found = pyramid.find(Photo(sample.picture), Aids(corners_px=corners))
    assert not isinstance(found, NotFound)
    assert isinstance(found[0], FlatPlacement)
    assert np.abs(found[0].to_photo(pyramid_rules.TRAY.layout.corners) - corners).max() < 0.1


def test_what_the_user_says_stands_on_a_cell_is_taken() -> None:
    sample = draw("kanoodle", a_board("kanoodle", 0))
    photo = Photo(sample.picture)
    found = kanoodle.find(photo, Aids())
    assert not isinstance(found, NotFound)
    reading = kanoodle.read(photo, found[0], Aids(given={(0, 0): "a"}))
    assert not isinstance(reading, NotFound)
    assert reading.puzzle.rows[0][0] == "a"


def test_noise_and_stripes_are_no_board() -> None:
    noise = np.random.default_rng(3).integers(0, 255, (300, 400, 3)).astype(np.uint8)
    stripes = np.repeat(np.tile(np.array([[40], [200]], np.uint8).repeat(20, 0), (7, 1))[..., None], 3, 2)
    for picture in (cv2.GaussianBlur(noise, (0, 0), 3), np.tile(stripes, (1, 400, 1))):
        assert not pyramid.find(Photo(np.asarray(picture, np.uint8)), Aids())
        assert not kanoodle.find(Photo(np.asarray(picture, np.uint8)), Aids())


def test_squares_that_stand_upright_are_laid_on_their_side() -> None:
    squares = Style("screen", (250, 250, 250), (222, 222, 222), 0.42, 0.0, hue_shift=0, square=True)
    puzzle = a_board("kanoodle", 3)
    upright = np.rot90(draw("kanoodle", puzzle, squares).picture)
    turned = tuple(row[::-1] for row in reversed(puzzle.rows))
    assert read("kanoodle", upright).puzzle.rows in (puzzle.rows, turned)


@pytest.mark.slow
def test_a_grid_that_goes_on_to_the_rim_of_the_tray_is_cut_to_the_board() -> None:
    """The blocks have no gaps between them, and the tray ends a cell away: the grid that is seen is 7 x 13."""
    blocks = Style("screen", (120, 80, 50), (84, 54, 32), 0.5, 0.0, hue_shift=0, pit_radius=0.3, square=True)
    puzzle = a_board("kanoodle", 9, seed=1)
    sample = draw("kanoodle", puzzle, blocks, seed=1)
    photo = Photo(sample.picture)
    found = kanoodle.find(photo, Aids())
    assert not isinstance(found, NotFound)
    off = found[0].to_photo(RULES["kanoodle"].tray.layout.corners) - np.array(sample.truth["corners"])
    assert np.abs(off).max() < 0.1 * drawn.PITCH_PX
    reading = kanoodle.read(photo, found[0], Aids())
    assert not isinstance(reading, NotFound)
    assert reading.puzzle == puzzle


def test_balls_have_relief_and_prints_have_none() -> None:
    puzzle = a_board("kanoodle", 6)
    printed = Style("booklet", (24, 20, 20), (88, 82, 84), 0.47, hue_shift=0)
    for style, least, most in ((TOY, 4.0, np.inf), (printed, 0.0, 1.2)):
        sample = draw("kanoodle", puzzle, style)
        placement = FlatPlacement.from_corners(sample.truth["corners"], (11, 5))
        seen = look(Photo(sample.picture), placement, kanoodle_rules.TRAY)
        balls = [k for k, letter in enumerate("".join(puzzle.rows)) if letter != EMPTY]
        assert least <= np.median(seen.relief[balls]) <= most


def test_a_white_piece_that_only_its_outline_shows_is_read() -> None:
    rimmed = Style("booklet", (92, 66, 84), (236, 232, 232), 0.45, rim=0.03, hue_shift=0)
    rows = ("JJJJ.....BB", "CCCC.....BB", "C...FF....B", "....F......", "...........")
    puzzle = Balls(rows)
    assert read("kanoodle", draw("kanoodle", puzzle, rimmed).picture).puzzle == puzzle


def test_a_grey_piece_is_strange_among_the_makers_colours() -> None:
    own = makers("iq")
    grey = {letter: np.array([20.0, 0.0, 0.0]) if letter == "G" else colour for letter, colour in own.items()}
    assert not any(strangeness(own, "iq").values())
    assert [letter for letter, cost in strangeness(grey, "iq").items() if cost > 5] == ["G"]
    assert not any(strangeness({letter: grey[letter] for letter in "AG"}, "iq").values()), "two pieces tell nothing"
    own = makers("standard")
    dark = own | {"L": own["L"] * (0.5, 1, 1)}
    assert [letter for letter, cost in strangeness(dark, "standard").items() if cost > 5] == ["L"], "too dark a grey"


def test_colours_tell_the_set_and_the_piece() -> None:
    def lab(rgb: tuple[int, int, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        patch = np.array([[rgb]], np.float32) / 255
        return np.asarray(cv2.cvtColor(patch, cv2.COLOR_RGB2LAB)[0, 0] * (LIGHTNESS, 1, 1), np.float64)

    assert likely_set({"A": lab((240, 130, 40)), "E": lab((10, 110, 60))}) == "standard"
    assert likely_set({"A": lab((30, 50, 140)), "E": lab((235, 110, 170))}) == "iq"
    assert likely_set({"G": lab((3, 108, 129))}) == "iq", "a dim one without any red"
    assert likely_set({"F": lab((117, 172, 179))}) == "iq", "pale blue under a yellowish lamp"
    assert named_piece(lab((10, 100, 55)), "standard", "E") == "E"
    assert named_piece(lab((10, 100, 55)), "standard", "ABC") is None
    assert named_piece(lab((170, 60, 75)), "standard", "BH") is None, "half way between red and magenta"
