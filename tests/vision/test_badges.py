"""Badges on drawn cells: their shapes, on light, dark and tinted grounds, and the cells that carry none."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from samples.canvas import Canvas, Type
from samples.fonts import BUILTIN
from solvers.stitch import UNKNOWN
from vision.cells import reader
from vision.cells.reader import Floats
from vision.clues.badges import Badge, Shape, badges_on, number_on
from vision.clues.beliefs import NO_CLUE
from vision.clues.observation import ODD, Observation, _of_one_kind, beliefs_of, blank_board, observe
from vision.kind import Aids
from vision.numbers.digits import DigitGuess
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement

Box = tuple[float, float, float, float]
BOXES: dict[str, list[Box]] = {
    "square": [(0.22, 0.22, 0.78, 0.78)],
    "tall": [(0.28, 0.15, 0.72, 0.85)],
    "wide": [(0.15, 0.28, 0.85, 0.72)],
    "any": [(0.28, 0.15, 0.72, 0.85), (0.15, 0.28, 0.85, 0.72)],
}


def likely_on(picture: Picture) -> Floats:
    """What the network of all kinds says of the picture of a cell."""
    height, width = picture.shape[:2]
    corners = [(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)]
    return reader.read(Photo(np.ascontiguousarray(picture)), FlatPlacement.from_corners(corners, (1, 1))).likely[0, 0]


def made_out(picture: Picture) -> Badge | None:
    """The badge in the picture of a cell."""
    return badges_on([picture], [likely_on(picture)])[0]


def cell(shape: str, side: int = 80, ground: int = 250, fill: tuple[int, int, int] = (40, 90, 220)) -> Picture:
    canvas = Canvas(np.full((side, side, 3), ground, np.uint8))
    for x0, y0, x1, y1 in BOXES.get(shape, []):
        canvas.rounded((x0 * side, y0 * side, x1 * side, y1 * side), 0.08 * side, fill, 0.72 if shape == "any" else 1)
    return canvas.picture


@pytest.mark.parametrize("shape", BOXES)
@pytest.mark.parametrize("side", [32, 80, 160])
@pytest.mark.parametrize("ground", [250, 25])
def test_shapes(shape: str, side: int, ground: int) -> None:
    found = made_out(cell(shape, side, ground))
    assert found is not None
    assert found.shape == shape
    assert shape == "any" or np.abs(np.array(found.fill_bgr) - (40, 90, 220)).max() < 12


def test_grid_lines_and_a_number_do_not_change_the_shape() -> None:
    picture = cell("tall", 80)
    picture[:3] = picture[:, :3] = 120
    cv2.rectangle(picture, (34, 28), (46, 52), (255, 255, 255), -1)
    found = made_out(picture)
    assert found is not None
    assert found.shape == "tall"


def with_number(picture: Picture, text: str, height: float, colour: tuple[int, int, int]) -> Picture:
    canvas = Canvas(picture)
    side = picture.shape[0]
    canvas.digits((side / 2, side / 2), text, Type(BUILTIN, height * side, 0.05), colour)
    return canvas.picture


def test_in_noise_a_badge_is_told_from_the_bold_number_that_covers_most_of_it() -> None:
    picture = with_number(cell("any", 64, 25), "12", 0.42, (235, 240, 245))
    noise = np.random.default_rng(5).normal(0, 14, picture.shape)
    # Where it is white a sensor has reached its limit.
    found = made_out(np.where(picture > 200, picture, np.clip(picture + noise, 0, 255)).astype(np.uint8))
    assert found is not None
    assert found.shape == "any"


def test_moire_on_all_of_a_cell_is_not_the_colour_of_its_badge() -> None:
    picture = with_number(cell("any", 48, 30), "7", 0.4, (235, 240, 245)).astype(np.float64)
    y, x = np.indices(picture.shape[:2])
    waves = [16 * np.sin((x + slant * y) / 5 + phase) for slant, phase in ((0.3, 0), (0.5, 2), (0.4, 4))]
    striped = np.clip(picture + np.stack(waves, axis=2), 0, 255).astype(np.uint8)
    found = made_out(striped)
    assert found is not None
    assert found.shape == "any"
    assert found.contrast > 100


def test_a_blurred_number_that_fills_its_badge_is_not_taken_for_it() -> None:
    picture = cell("none", 56, 25)
    cv2.rectangle(picture, (14, 8), (41, 48), (160, 45, 80), -1)
    picture = with_number(picture, "12", 0.42, (235, 225, 230))
    found = made_out(np.asarray(cv2.GaussianBlur(picture, (0, 0), 2.0), np.uint8))
    assert found is not None
    assert found.shape == "tall"


def test_no_badge_in_an_empty_cell_or_behind_a_bare_number() -> None:
    assert made_out(cell("none")) is None
    picture = cell("none")
    cv2.rectangle(picture, (36, 28), (44, 52), (20, 20, 20), -1)
    assert made_out(picture) is None
    ring = cell("none")
    cv2.circle(ring, (40, 40), 28, (20, 20, 20), 3)
    assert made_out(ring) is None


def digit_cell(digit: str, side: int = 96) -> Picture:
    """A cell that a bold digit nearly fills, as on placed patches."""
    canvas = Canvas(np.full((side, side, 3), (30, 140, 250), np.uint8))
    canvas.digits(np.array([side / 2, side / 2]), digit, Type(BUILTIN, 0.55 * side, 0.08), (255, 255, 255))
    return canvas.picture


def test_a_number_stands_free_on_a_plain_of_the_badges_colour() -> None:
    picture = cell("tall", 80)
    found = made_out(picture)
    assert found is not None
    plain = number_on(picture, found)
    assert plain.shape == picture.shape
    assert (plain[2, 2] == found.fill_bgr).all()


def test_a_number_that_sticks_out_of_its_badge_does_not_change_the_shape() -> None:
    picture = with_number(cell("tall", 80, ground=40), "12", 0.45, (255, 255, 255))
    found = made_out(picture)
    assert found is not None
    assert (found.shape, found.overrun) == ("tall", True)
    assert number_on(picture, found) is picture


def test_a_number_in_the_grounds_colour_does_not_hide_its_badge() -> None:
    found = made_out(with_number(cell("tall", 80), "12", 0.4, (250, 250, 250)))
    assert found is not None
    assert found.shape == "tall"


def test_bold_digits_are_no_badges() -> None:
    picture = np.hstack([digit_cell(digit) for digit in "3456789123"])
    photo, place = Photo(picture), FlatPlacement.from_corners([(0, 0), (960, 0), (960, 96), (0, 96)], (10, 1))
    assert not observe(photo, place, [(0, c) for c in range(10)], Aids()).made_out


def test_a_badge_of_which_a_number_leaves_but_a_thin_rim_is_one() -> None:
    found = made_out(with_number(cell("wide", 64), "8", 0.42, (255, 255, 255)))
    assert found is not None
    assert found.shape == "wide"


def test_a_badge_that_its_number_cuts_in_pieces_is_known_by_its_looks() -> None:
    canvas = Canvas(np.full((64, 64, 3), (190, 190, 245), np.uint8))
    canvas.rounded((10, 17, 54, 47), 5, (60, 60, 230))
    canvas.digits((32, 32), "5", Type(BUILTIN, 28, 0.06), (248, 250, 246))
    found = made_out(np.asarray(cv2.GaussianBlur(canvas.picture, (0, 0), 2), np.uint8))
    assert found is not None
    assert found.shape == "wide"


def test_a_square_whose_corners_blur_took_is_plainly_one_by_its_looks() -> None:
    canvas = Canvas(np.full((64, 64, 3), 12, np.uint8))
    canvas.rounded((13, 13, 51, 51), 8, (40, 45, 70))
    found = made_out(np.asarray(cv2.GaussianBlur(canvas.picture, (0, 0), 2.5), np.uint8))
    assert found is not None
    assert found.shape == "square"


def numbered(height: float) -> Picture:
    canvas = Canvas(np.full((60, 60, 3), 250, np.uint8))
    canvas.digits((30, 30), "4", Type(BUILTIN, height), (20, 20, 20))
    return canvas.picture


def test_what_is_lower_or_higher_than_the_other_numbers_of_a_board_is_hardly_one() -> None:
    """Strokes over a number looked like a lower 4, and with it another clue that could not be read made an answer."""
    heights = [26.0, 27.0, 25.0, 26.0, 17.0, 38.0]
    guesses = [DigitGuess("4", 0.9, (("9", 0.04),)) for _ in heights]
    sure = [guess.confidence for guess in _of_one_kind([numbered(height) for height in heights], guesses)]
    assert sure == pytest.approx([0.9] * 4 + [0.9 * ODD] * 2)


def test_three_numbers_do_not_tell_how_high_numbers_are() -> None:
    guesses = [DigitGuess("4", 0.9) for _ in range(3)]
    assert _of_one_kind([numbered(height) for height in (26, 26, 17)], guesses) == guesses


def test_what_is_left_of_a_number_stands_elsewhere_in_its_cell() -> None:
    # A 12 without its 1 is no 2.
    whole = numbered(26)
    shown = [whole] * 4 + [np.roll(whole, round(0.1 * whole.shape[1]), axis=1)]
    sure = [guess.confidence for guess in _of_one_kind(shown, [DigitGuess("8", 0.9)] * 5)]
    assert sure == pytest.approx([0.9] * 4 + [0.9 * ODD])


@pytest.mark.parametrize("shape", BOXES)
def test_a_dim_badge_is_told_from_the_number_on_it(shape: str) -> None:
    found = made_out(with_number(cell(shape, 96, 40, (54, 63, 79)), "10", 0.34, (211, 213, 191)))
    assert found is not None
    assert found.shape == shape


def marks(mark: reader.Mark) -> Floats:
    """What the network says where it is sure."""
    return np.asarray([float(one == mark) for one in reader.MARKS], np.float32)


def on_badges(shapes: str, numbers: list[int], bare: Picture) -> Observation:
    """Cells with badges of these shapes and numbers, and a last one without badge."""
    named: dict[str, Shape] = {"s": "square", "t": "tall", "w": "wide"}
    badges = [Badge(named[letter], (0.2, 0.2, 0.8, 0.8), (40, 90, 220), 150.0, 1.0) for letter in shapes]
    guesses = [DigitGuess(str(number), 0.98) for number in numbers]
    cells = [(0, c) for c in range(len(numbers))]
    return Observation(
        cells,
        [*[cell(b.shape) for b in badges], bare],
        guesses,
        [*badges, None],
        [*[marks(b.shape) for b in badges], marks("number")],
    )


@pytest.mark.parametrize(("mark", "is_clue"), [("square", True), ("note", False)])
def test_a_number_where_the_network_sees_a_badge_is_a_clue(mark: reader.Mark, *, is_clue: bool) -> None:
    """It was read with half the usual confidence."""
    observed = on_badges("ssss", [2, 3, 4, 8, 6], cell("none"))
    observed = replace(
        observed, guesses=[*observed.guesses[:-1], DigitGuess("6", 0.5)], likely=[*observed.likely[:-1], marks(mark)]
    )
    options = dict(beliefs_of(observed, badged=True)[-1].options)
    assert (options[6] > options.get(NO_CLUE, 0.0)) is is_clue


def test_a_plain_number_may_have_lost_its_badge_and_what_cannot_be_read_on_one_may_be_any() -> None:
    observed = on_badges("ssss", [2, 3, 4, 8, 6], cell("none"))
    plain = dict(beliefs_of(observed, badged=True)[-1].options)
    assert plain[6] == pytest.approx(0.5, abs=0.02)
    assert plain[NO_CLUE] == pytest.approx(0.5, abs=0.02)
    nothing = replace(observed, guesses=[*observed.guesses[:3], DigitGuess("", 0.0), observed.guesses[4]])
    assert beliefs_of(nothing, badged=True)[3].unread > 0.9
    blank = replace(nothing, likely=[*observed.likely[:3], marks("blank"), observed.likely[4]])
    assert beliefs_of(blank, badged=True)[3].value == UNKNOWN


def test_shapes_that_no_patch_of_the_number_has_say_nothing() -> None:
    board, empty = np.ones((1, 9), dtype=bool), cell("none")
    for shapes, numbers, speak in (("sssstw", [4, 9, 1, 4, 2, 6], True), ("sssstw", [3, 8, 1, 12, 2, 6], False)):
        observed = on_badges(shapes, [*numbers, 5], empty)
        assert bool(blank_board(board, observed, beliefs_of(observed, badged=True)).shapes) is speak
