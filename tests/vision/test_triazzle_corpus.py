"""Real trays: dots on wood, a complete tray of the makers, that tray shuffled, and triangles that are no Triazzle."""

from itertools import islice

import cv2
import numpy as np
import pytest
from shared_files import labelled, shared

from solvers import triazzle as rules
from solvers.budget import Budget
from solvers.triazzle import Answer, Puzzle
from vision import triazzle as reader
from vision.kind import Aids
from vision.pictures.loading import load
from vision.pictures.photo import Photo
from vision.reading import Reading

pytestmark = pytest.mark.corpus

PLACE_ERROR = 0.15
"""Of a slot's side."""


def read(photo: Photo) -> Reading[Puzzle] | None:
    places = reader.find(photo, Aids())
    reading = reader.read(photo, places[0], Aids()) if places else None
    return reading or None


def arrangements(reading: Reading[Puzzle]) -> list[Answer]:
    return list(islice(rules.answers(reading.puzzle, Budget()), 3))


@pytest.fixture(scope="module")
def product() -> tuple[Photo, Reading[Puzzle]]:
    photo = load(shared("corpus/triazzle/triazzle_two_products.jpg")).photo
    reading = read(photo)
    assert reading is not None
    return photo, reading


def test_wooden_dots_are_solved() -> None:
    for path, truth in labelled("triazzle"):
        if truth["kind"] != "triazzle":
            continue
        reading = read(load(path).photo)
        assert reading is not None
        assert reading.puzzle.match == truth["match"]
        assert not reading.doubts
        border = {tuple(edge): code for edge, code in zip(truth["outer"], truth["border"], strict=True)}
        true = Puzzle(
            tuple(map(tuple, truth["tiles"])), tuple(border[edge] for edge in rules.TRAY.outer), truth["match"]
        )
        answers = arrangements(reading)
        assert answers
        assert all(rules.holds(true, answer) for answer in answers)
        corners = reading.placement.to_photo(reader.LAYOUT.corners)[[0, 2, 1]]
        side = np.linalg.norm(corners[0] - corners[1]) / 4
        assert np.abs(corners - truth["corners"]).max() < PLACE_ERROR * side


def test_complete_tray_is_solved_as_it_stands(product: tuple[Photo, Reading[Puzzle]]) -> None:
    _, reading = product
    assert not reading.doubts
    assert arrangements(reading) == [Answer(tuple((slot, 0) for slot in range(16)))]


def shuffled(photo: Photo, outlines: list[np.ndarray], rng: np.random.Generator) -> tuple[Photo, Answer]:
    """The tray with its sixteen pieces cut out and laid back anyhow, and the way to lay them right."""
    order, turns = rng.permutation(16), rng.integers(3, size=16)
    canvas = photo.bgr.astype(np.float32)
    size_wh = (photo.width, photo.height)
    for slot, (piece, turn) in enumerate(zip(order, turns, strict=True)):
        goal = np.roll(outlines[slot], -turn, axis=0).astype(np.float32)  # corner i lies on corner i + turn
        matrix = cv2.getAffineTransform(outlines[piece].astype(np.float32), goal)
        moved = cv2.warpAffine(photo.bgr, matrix, size_wh, flags=cv2.INTER_CUBIC)
        cover = np.zeros(photo.gray.shape, np.uint8)
        cv2.fillPoly(cover, [np.round(goal * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        part = cover[..., None].astype(np.float32) / 255
        canvas = moved * part + canvas * (1 - part)
    home = {int(piece): (slot, int(-turn % 3)) for slot, (piece, turn) in enumerate(zip(order, turns, strict=True))}
    return Photo(canvas.astype(np.uint8)), Answer(tuple(home[slot] for slot in range(16)))


def test_nine_of_ten_shuffles_of_the_complete_tray_are_solved(product: tuple[Photo, Reading[Puzzle]]) -> None:
    photo, whole = product
    outlines = [whole.placement.to_photo(outline) for outline in reader.LAYOUT.cells.values()]
    right = 0
    for seed in range(10):
        picture, answer = shuffled(photo, outlines, np.random.default_rng(seed))
        reading = read(picture)
        if reading is not None and not reading.doubts:
            assert arrangements(reading) == [answer], f"shuffle {seed} was called solved but wrong"
            right += 1
    assert right >= 9


def test_pictures_of_nothing_are_refused() -> None:
    for path in sorted(shared("corpus/nothing").iterdir()):
        reading = read(load(path).photo)
        assert reading is None or reading.doubts, path.name
