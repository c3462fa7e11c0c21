"""Badges on drawn cells: their shapes, on light, dark and tinted grounds, and the cells that carry none."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from samples.canvas import Canvas, Type
from samples.fonts import BUILTIN
from solvers.stitch import UNKNOWN
from vision.clues.badge_looks import looked_again
from vision.clues.badges import PLAIN_SHAPE, Badge, Shape, badge, centred, number_on
from vision.clues.beliefs import NO_CLUE
from vision.clues.seen import ODD, Seen, _of_one_kind, _unless_bare, beliefs_of
from vision.clues.shapes import blank_board
from vision.numbers.digits import DigitGuess
from vision.pictures.photo import Picture

Box = tuple[float, float, float, float]
BOXES: dict[str, list[Box]] = {
    "square": [(0.22, 0.22, 0.78, 0.78)],
    "tall": [(0.28, 0.15, 0.72, 0.85)],
    "wide": [(0.15, 0.28, 0.85, 0.72)],
    "any": [(0.28, 0.15, 0.72, 0.85), (0.15, 0.28, 0.85, 0.72)],
}


def cell(shape: str, side: int = 80, ground: int = 250, fill: tuple[int, int, int] = (40, 90, 220)) -> Picture:
    picture = np.full((side, side, 3), ground, np.uint8)
    for x0, y0, x1, y1 in BOXES.get(shape, []):
        cv2.rectangle(picture, (int(x0 * side), int(y0 * side)), (int(x1 * side), int(y1 * side)), fill, -1)
    return picture


@pytest.mark.parametrize("shape", BOXES)
@pytest.mark.parametrize("side", [32, 80, 160])
@pytest.mark.parametrize("ground", [250, 25])
def test_shapes(shape: str, side: int, ground: int) -> None:
    found = badge(cell(shape, side, ground))
    assert found is not None
    assert found.shape == shape
    assert found.fill_bgr == (40, 90, 220)


def test_grid_lines_and_a_number_do_not_change_the_shape() -> None:
    picture = cell("tall", 80)
    picture[:3] = picture[:, :3] = 120
    cv2.rectangle(picture, (34, 28), (46, 52), (255, 255, 255), -1)
    found = badge(picture)
    assert found is not None
    assert found.shape == "tall"


def test_in_noise_a_badge_is_told_from_the_bold_number_that_covers_most_of_it() -> None:
    picture = cell("any", 64, 25)
    for left in (19, 34):
        cv2.rectangle(picture, (left, 20), (left + 11, 44), (235, 240, 245), -1)
    noise = np.random.default_rng(5).normal(0, 14, picture.shape)
    # Where it is white a sensor has reached its limit.
    noisy = np.where(picture > 200, picture, np.clip(picture + noise, 0, 255)).astype(np.uint8)
    found = badge(noisy)
    assert found is not None
    assert found.shape == "any"
    assert np.abs(np.array(found.fill_bgr) - (40, 90, 220)).max() < 25


def test_moire_on_all_of_a_cell_is_not_the_colour_of_its_badge() -> None:
    picture = cell("any", 48, 30).astype(np.float64)
    y, x = np.indices(picture.shape[:2])
    waves = [16 * np.sin((x + slant * y) / 5 + phase) for slant, phase in ((0.3, 0), (0.5, 2), (0.4, 4))]
    striped = np.clip(picture + np.stack(waves, axis=2), 0, 255).astype(np.uint8)
    found = badge(striped)
    assert found is not None
    assert found.shape == "any"
    assert found.contrast > 150


def test_a_blurred_number_that_fills_its_badge_is_not_taken_for_it() -> None:
    picture = cell("none", 56, 25)
    cv2.rectangle(picture, (14, 8), (41, 48), (160, 45, 80), -1)
    for left, right in ((15, 21), (26, 31), (35, 40)):
        cv2.rectangle(picture, (left, 18), (right, 38), (235, 225, 230), -1)
    found = badge(np.asarray(cv2.GaussianBlur(picture, (0, 0), 2.0), np.uint8))
    assert found is not None
    assert found.shape == "tall"


def test_a_badge_that_was_not_made_out_is_thought_of_where_others_have_one() -> None:
    found = Badge("square", (0.2, 0.2, 0.8, 0.8), (40, 90, 220), 150.0, 1.0)
    stroke = cell("none")
    cv2.rectangle(stroke, (36, 28), (44, 52), (20, 20, 20), -1)
    numbers, nothing = [DigitGuess(text, 0.98) for text in "2346"], DigitGuess("", 0.0)
    seen = Seen(
        [(0, c) for c in range(7)],
        [*[cell("square")] * 4, stroke, cell("square"), cell("square")],
        [*numbers, *[nothing] * 3],
        [*[found] * 4, *[None] * 3],
        [*[150.0] * 6, 20.0],
    )
    bare, like_one, faint = (dict(belief.options) for belief in beliefs_of(seen, badged=True)[-3:])
    assert like_one[UNKNOWN] == like_one[NO_CLUE] == 0.5
    assert bare[UNKNOWN] > 0
    assert UNKNOWN not in faint
    assert min(bare[NO_CLUE], faint[NO_CLUE]) > 0.9


def test_no_badge_in_an_empty_cell_or_behind_a_bare_number() -> None:
    assert badge(cell("none")) is None
    picture = cell("none")
    cv2.rectangle(picture, (36, 28), (44, 52), (20, 20, 20), -1)
    assert badge(picture) is None
    ring = cell("none")
    cv2.circle(ring, (40, 40), 28, (20, 20, 20), 3)
    assert badge(ring) is None


@pytest.mark.parametrize("digit", "2456")
def test_a_bold_digit_is_no_rectangle(digit: str) -> None:
    found = badge(digit_cell(digit))
    assert found is None or found.shape == "any"  # which says nothing, and is read as the cell it is


def digit_cell(digit: str, side: int = 96) -> Picture:
    """A cell that a bold digit nearly fills, as on placed patches."""
    canvas = Canvas(np.full((side, side, 3), (30, 140, 250), np.uint8))
    canvas.digits(np.array([side / 2, side / 2]), digit, Type(BUILTIN, 0.55 * side, 0.08), (255, 255, 255))
    return canvas.picture


def test_a_number_stands_free_on_a_plain_of_the_badges_colour() -> None:
    picture = cell("tall", 80)
    found = badge(picture)
    assert found is not None
    plain = number_on(picture, found)
    assert plain.shape == picture.shape
    assert (plain[2, 2] == found.fill_bgr).all()


def test_a_number_that_sticks_out_of_its_badge_does_not_change_the_shape() -> None:
    picture = cell("tall", 80, ground=40)
    for left in (18, 44):  # two bold strokes of ink that cover more of the middle than the badge does
        cv2.rectangle(picture, (left, 26), (left + 18, 54), (255, 255, 255), -1)
    found = badge(picture)
    assert found is not None
    assert (found.shape, found.overrun) == ("tall", True)
    assert found.fill_bgr == (40, 90, 220)
    assert number_on(picture, found) is picture


def test_a_number_in_the_grounds_colour_that_cuts_its_badge_in_two_does_not_hide_it() -> None:
    picture = cell("tall", 80, ground=250)
    cv2.rectangle(picture, (16, 30), (64, 52), (240, 240, 240), -1)
    found = badge(picture)
    assert found is not None
    assert (found.shape, found.overrun) == ("tall", True)


@pytest.mark.parametrize("number", ["10", "12", "15", "20", "77"])
def test_a_bold_number_of_two_digits_is_no_badge(number: str) -> None:
    canvas = Canvas(np.full((96, 96, 3), (30, 140, 250), np.uint8))
    canvas.digits(np.array([48, 48]), number, Type(BUILTIN, 40, 0.12), (255, 255, 255))
    assert badge(canvas.picture) is None


def test_a_badge_of_which_a_bold_number_leaves_but_a_thin_rim_is_one() -> None:
    picture = cell("wide", 64)
    top, bottom = int(0.28 * 64), int(0.72 * 64)
    cv2.rectangle(picture, (22, top + 2), (42, bottom - 1), (255, 255, 255), -1)
    found = badge(picture)
    assert found is not None
    assert found.shape == "wide"


def test_a_badge_that_its_number_cuts_in_pieces_is_known_by_its_looks_where_a_number_was_read() -> None:
    canvas = Canvas(np.full((64, 64, 3), (190, 190, 245), np.uint8))
    canvas.rounded((10, 17, 54, 47), 5, (60, 60, 230))
    canvas.digits((32, 32), "5", Type(BUILTIN, 28, 0.06), (248, 250, 246))
    soft = np.asarray(cv2.GaussianBlur(canvas.picture, (0, 0), 2), np.uint8)
    assert badge(soft) is None
    found, unread = looked_again([soft, soft], [None, None], [True, False])
    assert found is not None
    assert (found.shape, unread) == ("wide", None)
    assert number_on(soft, found) is soft


def test_a_square_whose_corners_blur_took_is_plainly_one_by_its_looks() -> None:
    canvas = Canvas(np.full((64, 64, 3), 12, np.uint8))
    canvas.rounded((13, 13, 51, 51), 8, (40, 45, 70))
    soft = np.asarray(cv2.GaussianBlur(canvas.picture, (0, 0), 2.5), np.uint8)
    outlined = badge(soft)
    assert outlined is not None
    assert outlined.clear < PLAIN_SHAPE
    (found,) = looked_again([soft], [outlined], [False])
    assert found is not None
    assert (found.shape, found.clear) == ("square", PLAIN_SHAPE)


def test_what_is_plain_by_its_outline_is_not_asked_about() -> None:
    plain = badge(cell("tall"))
    assert plain is not None
    assert looked_again([cell("wide")], [plain], [True]) == [plain]


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
def test_a_dim_badge_is_told_from_the_bold_number_on_it(shape: str) -> None:
    picture = cell(shape, 96, 40, (54, 63, 79))
    for left in (26, 50):
        cv2.rectangle(picture, (left, 32), (left + 20, 62), (211, 213, 191), -1)
    found = badge(picture)
    assert found is not None
    assert (found.shape, found.fill_bgr) == (shape, (54, 63, 79))


def on_badges(shapes: str, numbers: list[int], bare: Picture) -> Seen:
    """Cells with badges of these shapes and numbers, and a last one without badge."""
    named: dict[str, Shape] = {"s": "square", "t": "tall", "w": "wide"}
    badges = [Badge(named[letter], (0.2, 0.2, 0.8, 0.8), (40, 90, 220), 150.0, 1.0) for letter in shapes]
    guesses = [DigitGuess(str(number), 0.98) for number in numbers]
    cells = [(0, c) for c in range(len(numbers))]
    return Seen(cells, [*[cell(b.shape) for b in badges], bare], guesses, [*badges, None], [150.0] * len(numbers))


def test_on_the_colour_of_badges_none_is_seen() -> None:
    same, other = (np.full((80, 80, 3), colour, np.uint8) for colour in ((44, 86, 216), (200, 90, 40)))
    hidden, bare = (beliefs_of(on_badges("ssss", [2, 3, 4, 6, 8], ground), badged=True)[-1] for ground in (same, other))
    assert (hidden.value, hidden.certain) == (8, True)
    assert not bare.certain


@pytest.mark.parametrize(("shape", "is_clue"), [("square", True), ("none", False)])
def test_a_number_where_the_network_sees_a_badge_is_a_clue(shape: str, *, is_clue: bool) -> None:
    """No badge was made out, it stands out less than the others, and was read with half the usual confidence."""
    seen = on_badges("ssss", [2, 3, 4, 8, 6], cell(shape))
    guesses, contrasts = [*seen.guesses[:-1], DigitGuess("6", 0.5)], [*seen.contrasts[:-1], 110.0]
    options = dict(beliefs_of(replace(seen, guesses=guesses, contrasts=contrasts), badged=True)[-1].options)
    assert (options[6] > options[NO_CLUE]) is is_clue
    assert sum(options.values()) == pytest.approx(1)


def test_shapes_that_no_patch_of_the_number_has_say_nothing() -> None:
    board, empty = np.ones((1, 9), dtype=bool), cell("none")
    for shapes, numbers, speak in (("sssstw", [4, 9, 1, 4, 2, 6], True), ("sssstw", [3, 8, 1, 12, 2, 6], False)):
        seen = on_badges(shapes, [*numbers, 5], empty)
        assert bool(blank_board(board, seen, beliefs_of(seen, badged=True)).shapes) is speak


def test_badges_that_look_bare_are_none() -> None:
    found = Badge("square", (0.1, 0.1, 0.9, 0.9), (40, 90, 220), 20.0, 1.0)
    ring = cell("none", 60, 120)
    cv2.circle(ring, (30, 30), 24, (170, 170, 170), 3, cv2.LINE_AA)
    assert _unless_bare([cell("square")] * 3 + [ring], [found] * 4) == [found] * 4
    assert _unless_bare([ring] * 3 + [cell("square")], [found] * 4) == [None] * 4


def test_a_badge_is_told_from_the_number_that_covers_its_middle() -> None:
    picture = cell("any", 96, 30, (23, 115, 130))
    cv2.rectangle(picture, (25, 27), (71, 69), (212, 246, 252), -1)
    found = badge(cv2.GaussianBlur(picture, (0, 0), 2))
    assert found is not None
    assert found.shape == "any"
    assert np.abs(np.array(found.fill_bgr) - (23, 115, 130)).max() < 25


@pytest.mark.parametrize("shape", BOXES)
def test_a_badge_a_bit_off_the_middle_is_moved_there(shape: str) -> None:
    picture = cell(shape)
    picture[:2] = 120
    moved = centred(np.roll(picture, (-9, 8), axis=(0, 1)), 200.0)
    assert moved is not None
    found, middle = badge(moved), badge(picture)
    assert found is not None
    assert middle is not None
    assert found.shape == shape
    assert found.box == pytest.approx(middle.box, abs=0.03)


def test_only_what_is_as_large_as_a_badge_is_moved_and_not_far() -> None:
    assert centred(cell("tall"), 200.0) is None, "in the middle"
    assert centred(np.roll(cell("tall"), 14, axis=1), 200.0) is None, "most likely cut by a side of its cell"
    number = np.full((80, 80, 3), 250, np.uint8)
    cv2.rectangle(number, (38, 22), (58, 52), (30, 30, 30), 6)
    assert centred(number, 200.0) is None


def test_the_halo_that_sharpening_leaves_round_a_badge_is_no_badge_with_it_for_a_number() -> None:
    picture = np.full((80, 80, 3), 236, np.uint8)
    cv2.rectangle(picture, (7, 16), (73, 64), (230, 230, 185), -1)
    cv2.rectangle(picture, (14, 23), (66, 57), (169, 152, 12), -1)
    found = badge(picture)
    assert found is not None
    assert found.fill_bgr == (169, 152, 12)
