"""Straightening four-sided components of edges: corners, homographies, photos told from screenshots."""

import cv2
import numpy as np

from vision.boards.grids import find_grids
from vision.boards.quads import (
    four_sides,
    from_top_left,
    is_photo,
    is_surely_screenshot,
    line_homography,
    quads,
    straightened,
)
from vision.pictures.photo import Photo, Picture

CORNERS = np.array([(210, 150), (640, 120), (690, 560), (180, 520)], dtype=np.float64)


def photographed(rows: int, cols: int, side: int = 60) -> tuple[Photo, np.ndarray]:
    """A ruled sheet seen at an angle, on a noisy table."""
    sheet = np.full((rows * side + 81, cols * side + 81, 3), 235, np.uint8)
    for k in range(rows + 1):
        cv2.line(sheet, (40, 40 + k * side), (40 + cols * side, 40 + k * side), (60, 60, 60), 2)
    for k in range(cols + 1):
        cv2.line(sheet, (40 + k * side, 40), (40 + k * side, 40 + rows * side), (60, 60, 60), 2)
    height, width = sheet.shape[:2]
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(frame, CORNERS.astype(np.float32))
    view: Picture = np.full((700, 860, 3), 120, np.uint8)
    seen = cv2.warpPerspective(sheet, matrix, (860, 700), flags=cv2.INTER_AREA)
    cover = cv2.warpPerspective(np.full(sheet.shape, 255, np.uint8), matrix, (860, 700))
    view = np.where(cover > 127, seen, view).astype(np.int16)
    view += np.random.default_rng(4).normal(0, 5, view.shape).round().astype(np.int16)
    board = np.array([(40, 40), (40 + cols * side, 40), (40 + cols * side, 40 + rows * side), (40, 40 + rows * side)])
    moved = cv2.perspectiveTransform(board[None].astype(np.float32), matrix)[0]
    return Photo(np.clip(view, 0, 255).astype(np.uint8)), moved.astype(np.float64)


def test_a_sheet_at_an_angle_is_found_with_its_rows_and_columns() -> None:
    photo, corners = photographed(7, 8)
    assert is_photo(photo)
    guess = find_grids(photo)[0]
    assert (guess.rows, guess.cols) == (7, 8)
    assert np.abs(guess.corners_px - corners).max() < 6


def test_the_board_is_among_the_quads() -> None:
    photo, corners = photographed(7, 8)
    assert min(np.abs(found - corners).max() for found in quads(photo)) < 8


def test_straightening_maps_back() -> None:
    photo, corners = photographed(7, 8)
    flat, to_photo = straightened(photo, corners)
    inner = np.array([(0, 0, 1), (flat.shape[1], flat.shape[0], 1)], dtype=np.float64) @ to_photo.T
    back = inner[:, :2] / inner[:, 2:]
    # The margin lies outside of the corners.
    assert back[0, 0] < corners[0, 0]
    assert back[1, 0] > corners[2, 0]


def test_a_screenshot_is_no_photo() -> None:
    assert not is_photo(Photo(np.full((400, 300, 3), 240, np.uint8)))


def test_a_smooth_photo_is_no_screenshot() -> None:
    light = np.linspace(90, 190, 640)[None, :] + np.linspace(0, 60, 480)[:, None]
    smooth = Photo(np.repeat(light.astype(np.uint8)[..., None], 3, axis=2))
    assert is_photo(smooth)
    assert not is_surely_screenshot(smooth)
    stripes = np.where(np.arange(640) // 80 % 2, 90, 150).astype(np.uint8)
    assert is_surely_screenshot(Photo(np.broadcast_to(stripes[None, :, None], (480, 640, 3)).copy()))


def test_round_corners_do_not_pull_the_sides_in() -> None:
    mask = np.zeros((300, 400), np.uint8)
    cv2.rectangle(mask, (50, 60), (350, 240), 1, -1)
    for x, y in ((50, 60), (350, 60), (350, 240), (50, 240)):
        cv2.rectangle(mask, (x - 8, y - 8), (x + 8, y + 8), 0, -1)
    points = np.asarray(cv2.findNonZero(mask)).reshape(-1, 2)
    corners = four_sides(points)
    assert corners is not None
    assert np.abs(corners - [(50, 60), (350, 60), (350, 240), (50, 240)]).max() < 3


def test_corners_start_with_the_side_that_runs_right() -> None:
    square = np.array([(10, 10), (90, 10), (90, 90), (10, 90)], dtype=np.float64)
    for turn in range(4):
        assert np.array_equal(from_top_left(np.roll(square, turn, axis=0)), square)
    assert np.array_equal(from_top_left(square[::-1]), square)


def test_a_homography_is_recovered_from_points_on_lines() -> None:
    true = np.array([(50.0, 6, 100), (-4, 55, 80), (0.002, -0.003, 1)])
    rng = np.random.default_rng(1)

    def seen(board: np.ndarray) -> np.ndarray:
        mapped = np.column_stack([board, np.ones(len(board))]) @ true.T
        return np.asarray(mapped[:, :2] / mapped[:, 2:])

    across = np.array([(k, t) for k in range(6) for t in rng.uniform(0, 7, 5)])
    down = np.array([(k, t) for k in range(8) for t in rng.uniform(0, 5, 4)])
    on_across = np.column_stack([across[:, 0], seen(across)])
    on_down = np.column_stack([down[:, 0], seen(down[:, ::-1])])
    found = line_homography(on_across, on_down)
    assert found is not None
    assert np.allclose(found, true / true[2, 2], atol=1e-4)


def test_too_few_points_give_no_homography() -> None:
    assert line_homography(np.zeros((3, 3)), np.zeros((30, 3))) is None
