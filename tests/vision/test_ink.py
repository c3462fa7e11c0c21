"""What cells carry, on plain, sloping, woven and filled boards, and how they are cut out."""

import cv2
import numpy as np
import pytest

from samples import stitch as drawn
from samples.sample import Sample
from vision.clues.ink import CROP_PX, crops, ink_colour
from vision.clues.observation import carrying
from vision.pictures.bending import regrown
from vision.pictures.flatten import cut_into_cells
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, turned

SIDE = 50


def board(rows: int = 5, cols: int = 6, ground: tuple[int, int, int] = (240, 236, 230)) -> Picture:
    return np.full((rows * SIDE, cols * SIDE, 3), ground, np.uint8)


def put(
    picture: Picture, cell: tuple[int, int], part: float = 0.3, colour: tuple[int, int, int] = (40, 30, 160)
) -> None:
    """A bar in the middle of a cell, ``part`` of it high."""
    y, x = int((cell[0] + 0.5) * SIDE), int((cell[1] + 0.5) * SIDE)
    half = int(part * SIDE / 2)
    picture[y - half : y + half, x - 3 : x + 4] = colour


def place(rows: int = 5, cols: int = 6) -> FlatPlacement:
    right, bottom = cols * SIDE - 0.5, rows * SIDE - 0.5
    return FlatPlacement.from_corners([(-0.5, -0.5), (right, -0.5), (right, bottom), (-0.5, bottom)], (cols, rows))


def marked(picture: Picture, where: FlatPlacement) -> set[tuple[int, int]]:
    return {(int(r), int(c)) for r, c in np.argwhere(carrying(Photo(picture), where))}


def test_cells_with_a_clue_carry_something() -> None:
    picture = board()
    clues = {(0, 0), (2, 3), (4, 5)}
    for cell in clues:
        put(picture, cell)
    assert marked(picture, place()) == clues


def test_grid_lines_slopes_and_specks_are_nothing() -> None:
    picture = board()
    picture[::SIDE] = picture[:, ::SIDE] = 90
    picture[:] = np.clip(picture - np.arange(len(picture))[:, None, None] // 5, 0, 255)
    picture[75, 75:77] = 0
    put(picture, (3, 3))
    assert marked(picture, place()) == {(3, 3)}


def test_cloth_is_restless_itself() -> None:
    rng = np.random.default_rng(4)
    woven = np.clip(board(ground=(80, 70, 75)).astype(int) + rng.integers(-30, 31, (250, 300, 1)), 0, 255)
    picture = woven.astype(np.uint8)
    put(picture, (1, 4), colour=(240, 240, 240))
    assert marked(picture, place()) == {(1, 4)}


@pytest.mark.parametrize("style", ["dark", "tiles", "patches", "game"])
def test_all_clues_of_a_drawn_board_carry_something(style: str) -> None:
    sample: Sample = drawn.draw(np.random.default_rng(5), style=style, rows=7, cols=6, filled=0.3, device="bare")
    size = len(sample.truth["clues"][0]), len(sample.truth["clues"])
    found = marked(sample.picture, FlatPlacement.from_corners(sample.truth["corners"], size))
    clues = {(r, c) for r, row in enumerate(sample.truth["clues"]) for c, value in enumerate(row) if value}
    assert clues <= found
    assert len(found - clues) <= 2


def test_cells_of_a_flat_board() -> None:
    flat = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    cut = cut_into_cells(flat, 2)
    assert cut.shape == (2, 3, 2, 2, 3)
    assert (cut[1, 2] == flat[2:, 4:]).all()


def test_crops_are_upright_and_not_too_large() -> None:
    picture = board()
    put(picture, (2, 3))
    (upright,) = crops(Photo(picture), place(), [(2, 3)])
    assert upright.shape == (SIDE, SIDE, 3)
    # Upside down, the cell stands at the other end of the board.
    (over,) = crops(Photo(np.ascontiguousarray(picture[::-1, ::-1])), turned(place(), 2), [(2, 3)])
    assert np.abs(over.astype(int) - upright).mean() < 8
    large = Photo(np.repeat(np.repeat(picture, 3, axis=0), 3, axis=1))
    (reduced,) = crops(large, place().scaled(3), [(2, 3)])
    assert reduced.shape == (CROP_PX, CROP_PX, 3)


def test_cells_beyond_the_picture_show_its_rim() -> None:
    picture = board()
    around = regrown(place(), (1, 1, 1, 1))
    assert all(crop.size for crop in crops(Photo(picture), around, [(0, 0), (0, 7), (6, 0), (6, 7)]))


def test_the_colour_of_a_clue() -> None:
    picture = board()
    put(picture, (2, 3), part=0.5)
    (crop,) = crops(Photo(picture), place(), [(2, 3)])
    red, green, blue = ink_colour(crop)
    assert (abs(red - 160) < 12, abs(green - 30) < 12, abs(blue - 40) < 12) == (True, True, True)


def test_a_dot_in_the_middle_of_empty_cells_is_nothing() -> None:
    picture = np.full((240, 240, 3), 250, np.uint8)
    for r, c in np.ndindex(6, 6):
        cv2.circle(picture, (20 + 40 * c, 20 + 40 * r), 4, (40, 40, 40), -1)
    cv2.putText(picture, "7", (92, 112), cv2.FONT_HERSHEY_SIMPLEX, 1, (40, 40, 40), 2)
    where = FlatPlacement.from_corners([(0, 0), (240, 0), (240, 240), (0, 240)], (6, 6), 1)
    assert marked(picture, where) == {(2, 2)}
