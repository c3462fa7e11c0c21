"""What is left of a clue is compared with the digits of the board's other clues."""

import cv2
import numpy as np
import pytest

from benchmarks.misreadings import erring, planted, result
from benchmarks.stages import a_board
from samples.mishaps import befall
from vision.clues.beliefs import NO_CLUE, Belief
from vision.clues.own_digits import OwnDigits, own_digits
from vision.numbers.digits import DigitGuess
from vision.pictures.photo import Picture

SIDE = 60


def cell(text: str, scale: float = 0.9) -> Picture:
    """A cell with a number in its middle."""
    crop = np.full((SIDE, SIDE, 3), (235, 240, 238), np.uint8)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 2)
    at = ((SIDE - width) // 2, (SIDE + height) // 2)
    written = cv2.putText(crop, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, (40, 30, 90), 2, cv2.LINE_AA)
    return np.asarray(written, np.uint8)


def struck(text: str) -> Picture:
    """The same with a stroke through it."""
    return np.asarray(cv2.line(cell(text), (14, 44), (46, 18), (40, 30, 90), 2, cv2.LINE_AA), np.uint8)


@pytest.fixture(scope="module")
def own() -> OwnDigits:
    clues = ["8", "3", "6", "4", "12", "15"]
    found = own_digits([cell(text) for text in clues], [DigitGuess(text, 0.97) for text in clues])
    assert found is not None
    return found


@pytest.mark.parametrize("value", [3, 4, 8, 12, 15])
def test_a_struck_number_fits_itself_best(own: OwnDigits, value: int) -> None:
    fits = own.fits(struck(str(value)), range(1, 20))
    assert max(fits, key=lambda number: fits[number]) == value


@pytest.mark.parametrize("text", ["9", "7"])
def test_a_nine_is_a_six_upside_down_and_other_digits_without_a_clue_are_borrowed(own: OwnDigits, text: str) -> None:
    assert own.borrowed == {"0", "7"}
    fits = own.fits(cell(text), range(1, 20))
    assert max(fits, key=lambda number: fits[number]) == int(text)


def test_an_unread_number_is_believed_as_it_fits(own: OwnDigits) -> None:
    closer = own.closer(struck("8"), Belief((0, 0), ((NO_CLUE, 0.5),), unread=0.5))
    chances = dict(closer.options)
    assert chances[8] > 3 * chances[6] > 0
    assert chances[8] > chances[NO_CLUE]


def test_what_was_read_for_certain_stays_the_likeliest(own: OwnDigits) -> None:
    belief = own.closer(cell("3"), Belief((0, 0), ((3, 0.97),)))
    assert belief.certain
    assert belief.cost(8) > Belief((0, 0), ((3, 0.97),)).cost(8)


def test_a_number_in_digits_that_no_clue_shows_is_likelier_where_it_fits_in_a_common_typeface_as_well(
    own: OwnDigits,
) -> None:
    def chance(shown: str, value: int) -> float:
        return dict(own.closer(cell(shown), Belief((0, 0), ((16, 0.6), (value, 0.25)))).options)[value]

    assert chance("7", 7) > 20 * chance("16", 7)
    assert chance("10", 10) > 0.1  # its 0 is nearly as much of a 6 there


def test_two_digits_may_be_drawn_smaller_than_one() -> None:
    clues = ["8", "3", "6", "4", "12", "15"]
    shown = [cell(text, 0.7 if len(text) > 1 else 1.0) for text in clues]
    own = own_digits(shown, [DigitGuess(text, 0.97) for text in clues])
    assert own is not None
    fits = own.fits(cell("14", 0.7), range(1, 20))
    assert fits[14] == max(fits.values()) > 0.9


def test_a_blurred_number_in_digits_that_no_clue_shows_is_not_taken_for_another_that_shares_the_blur() -> None:
    def blurred(text: str) -> Picture:
        return np.asarray(cv2.GaussianBlur(cell(text), (0, 0), 3.0), np.uint8)

    clues = ["8", "3", "6", "4", "12", "15"]
    own = own_digits([blurred(text) for text in clues], [DigitGuess(text, 0.97) for text in clues])
    assert own is not None
    assert "0" in own.borrowed
    closer = own.closer(blurred("10"), Belief((0, 0), ((10, 0.5), (16, 0.25))))
    assert closer.value == 10


def test_a_number_that_nothing_tells_from_what_was_read_is_what_an_unsure_reader_may_have_seen() -> None:
    unsure = dict(Belief((0, 0), ((4, 0.68), (6, 0.12))).sharper({1: 1.0, 3: 0.9}).options)
    assert unsure[4] == 0.68
    assert unsure[1] > 30 * unsure[3]
    sure = dict(Belief((0, 0), ((4, 0.95),)).sharper({1: 1.0}).options)
    assert sure[1] < 1e-3


@pytest.mark.slow
def test_a_spoilt_number_that_looks_like_one_in_borrowed_digits_is_doubted() -> None:
    board = planted(a_board(82384), np.random.default_rng([6, 82384]))
    assert board is not None
    assert result(board) == "refused"


def test_no_digits_are_known_where_no_clue_is_sure() -> None:
    assert own_digits([cell("8")], [DigitGuess("8", 0.5)]) is None


def test_a_mishap_changes_the_middle_of_its_cell_only() -> None:
    page = np.tile(cell("8"), (3, 3, 1))
    corners = [(SIDE, SIDE), (2 * SIDE, SIDE), (2 * SIDE, 2 * SIDE), (SIDE, 2 * SIDE)]
    rng = np.random.default_rng(4)
    for _ in range(8):
        changed = (befall(rng, page, corners) != page).any(axis=2)
        assert changed.any()
        changed[SIDE : 2 * SIDE, SIDE : 2 * SIDE] = False
        assert not changed.any()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [63083, 63145])
def test_where_the_reader_errs_the_picture_tells(seed: int) -> None:
    # Numbers that come to less than half of the board; and an 8 where no other clue shows one.
    board = erring(a_board(seed), np.random.default_rng([6, seed]))
    assert board is not None
    assert result(board) == "right"
