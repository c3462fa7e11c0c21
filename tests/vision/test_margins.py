"""What a picture shows beyond a board, and boards that end where the picture does."""

from dataclasses import replace

import numpy as np
import pytest

from samples import stitch as drawn
from samples.sample import Sample
from vision import stitch as reader
from vision.kind import Aids
from vision.numbers.digits import digit_reader
from vision.pictures.margins import cut_off_at, margins
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement
from vision.reading import NotFound, Reading

PAGE = Photo(np.zeros((120, 150, 3), np.uint8))


def board(left: float, top: float, right: float, bottom: float) -> FlatPlacement:
    return FlatPlacement.from_corners([(left, top), (right, top), (right, bottom), (left, bottom)], (10, 10))


def test_margins_are_told_in_cells() -> None:
    found = margins(
        PAGE, board(-0.5, 2, 99.5, 102)
    )  # the right margin is 5 cells, and no more than half of one is told
    assert found == pytest.approx({"top": 0.24, "right": 0.5, "bottom": 0.5, "left": 0.0}, abs=0.021)


@pytest.mark.parametrize(
    ("corners", "side"),
    [
        ((20, 10, 120, 110), None),
        ((-0.5, 10, 99.5, 110), "left"),
        ((49.5, 10, 149.5, 110), "right"),
        ((20, -0.5, 120, 99.5), "top"),
        ((20, 19.5, 120, 119.5), "bottom"),
        ((-0.5, 10, 149.5, 110), None),  # cropped along its outline
        ((-1.5, 10, 150.5, 110), None),  # or just within it
        ((-0.5, 10, 153.5, 110), "right"),  # a quarter of the last cells is missing
        ((20, -4.5, 120, 119.5), "top"),
    ],
)
def test_a_picture_that_ends_with_one_side_of_a_board(corners: tuple[float, ...], side: str | None) -> None:
    assert cut_off_at(PAGE, board(*corners), np.ones((10, 10), bool)) == side


@pytest.mark.parametrize("missing", [False, True])
def test_a_hole_may_lie_beyond_the_picture(*, missing: bool) -> None:
    tilted = FlatPlacement.from_corners([(60, -14), (115, 49), (60, 112), (5, 49)], (5, 5))
    cells = np.ones((5, 5), bool)
    cells[0, 0] = not missing
    assert (cut_off_at(PAGE, tilted, cells) is None) == missing


def read(sample: Sample, aids: Aids) -> Reading[object] | NotFound:
    photo = Photo(np.ascontiguousarray(sample.picture))
    places = reader.find(photo, aids)
    return reader.read(photo, places[0], aids) if places else places


@pytest.mark.slow
def test_a_board_that_may_be_cut_off_is_read_only_when_said_to_be_whole() -> None:
    whole = drawn.draw(np.random.default_rng(6), style="light", rows=6, cols=6, filled=0.0, device="phone")
    corners = np.array(whole.truth["corners"])
    left, right = (round(x) for x in (corners[:, 0].min(), corners[:, 0].max()))
    cropped = replace(whole, picture=whole.picture[round(corners[:, 1].min()) :, left : right + 1])
    found = read(cropped, Aids(digits=digit_reader()))
    assert isinstance(found, NotFound)
    assert "the picture ends with the top" in found.reason
    assert "--size 6x6" in found.reason
    assert read(cropped, Aids(digits=digit_reader(), size=(6, 6)))


def test_a_strip_of_a_patch_beyond_a_board_is_no_page() -> None:
    picture = np.full((200, 150, 3), 240, np.uint8)
    whole = board(20, 20, 120, 120)
    assert cut_off_at(Photo(picture.copy()), whole, np.ones((10, 10), bool)) is None
    picture[:, 120:] = (90, 40, 120)
    assert cut_off_at(Photo(picture[:, :124].copy()), whole, np.ones((10, 10), bool)) == "right"
