"""Badges beside the part of a board that was made out."""

import cv2
import numpy as np

from solvers.board import Cell
from vision.clues.badges import Badge, badge
from vision.clues.badges_beyond import badges_beyond, is_cut
from vision.clues.ink import crops
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement

SIDE_PX, ROWS, COLS = 40, 4, 5
BADGED: list[Cell] = [(0, 1), (2, 0), (3, 2), (1, 4)]


def drawn(*, off_px: int = 0, hollow: bool = False) -> Photo:
    """White paper with red badges in the middle of some cells; the one of the last column may be off, or hollow."""
    picture = np.full(((ROWS + 2) * SIDE_PX, (COLS + 2) * SIDE_PX, 3), 255, np.uint8)
    for row, col in BADGED:
        middle = np.array([(col + 1.5) * SIDE_PX, (row + 1.5) * SIDE_PX]).astype(int)
        middle[1] += off_px * (col == COLS - 1)
        far, near = (tuple((middle + sign * SIDE_PX // 3).tolist()) for sign in (1, -1))
        cv2.rectangle(picture, near, far, (40, 40, 200), cv2.FILLED)
        if hollow and col == COLS - 1:
            cv2.circle(picture, tuple(middle.tolist()), SIDE_PX // 6, (255, 255, 255), cv2.FILLED)
    return Photo(picture)


def board(cols: int) -> FlatPlacement:
    """The board of so many columns."""
    left, top, right, bottom = SIDE_PX, SIDE_PX, (cols + 1) * SIDE_PX, (ROWS + 1) * SIDE_PX
    return FlatPlacement.from_corners([(left, top), (right, top), (right, bottom), (left, bottom)], (cols, ROWS))


def made_out(photo: Photo, cols: int) -> list[Badge]:
    return [badge(crop, "square") for crop in crops(photo, board(cols), BADGED[:3])]


def beyond(photo: Photo, cols: int) -> list[Cell]:
    return badges_beyond(photo, board(cols), made_out(photo, cols))


def test_a_badge_beside_a_part_of_a_board_is_seen() -> None:
    assert beyond(drawn(), COLS - 1) == [(1, COLS - 1)]
    assert beyond(drawn(hollow=True), COLS - 1) == [(1, COLS - 1)]


def test_there_is_none_beside_a_whole_board() -> None:
    assert beyond(drawn(), COLS) == []


def test_what_does_not_stand_where_a_cell_would_is_no_clue() -> None:
    assert beyond(drawn(off_px=SIDE_PX // 3), COLS - 1) == []


def test_a_badge_is_cut_by_the_side_of_its_cell_where_the_grid_was_laid_askew() -> None:
    def cut(photo: Photo) -> bool:
        return is_cut(crops(photo, board(COLS), [BADGED[3]])[0], made_out(photo, COLS))

    assert cut(drawn(off_px=SIDE_PX // 3))
    assert not cut(drawn())
    assert not cut(drawn(off_px=2 * SIDE_PX))  # nothing is left of it


def test_the_border_of_a_patch_and_the_edge_of_a_shadow_are_no_badge_that_is_cut() -> None:
    badges = made_out(drawn(), COLS)
    cell = np.full((SIDE_PX, SIDE_PX, 3), 255, np.uint8)
    border, shadow = cell.copy(), cell.copy()
    border[-4:, 6:-6] = (40, 40, 200)
    shadow[SIDE_PX // 2 :] = (90, 90, 90)
    assert not is_cut(border, badges)
    assert not is_cut(shadow, badges)
