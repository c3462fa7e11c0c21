"""The grid finder on drawn boards of many looks, and on the labelled pictures."""

import json
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from benchmarks.sets import sample_of
from vision.boards.cell_sides import enclosed
from vision.boards.fitting import GridGuess
from vision.boards.frontal import frontal_views, turn_deg, turned_back
from vision.boards.grids import CLEAR, SURE, find_grids, is_plain
from vision.boards.states import board_at
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


def page(height: int, width: int, colour: tuple[int, int, int] = (250, 248, 245)) -> Picture:
    picture = np.empty((height, width, 3), dtype=np.uint8)
    picture[:] = colour
    return picture


Spot = tuple[int, int, int]
"""Left, top and cell side in pixels."""


def ruled(picture: Picture, spot: Spot, size: tuple[int, int], shade: int, dash: int = 0) -> None:
    """Thin lines; with ``dash``, strokes of that length with gaps of the same."""
    x, y, cell = spot
    rows, cols = size
    for k in range(cols + 1):
        upright = picture[y : y + rows * cell + 1, x + k * cell : x + k * cell + 1]
        upright[np.arange(len(upright)) // (dash or 9999) % 2 == 0] = shade
    for k in range(rows + 1):
        level = picture[y + k * cell : y + k * cell + 1, x : x + cols * cell + 1]
        level[:, np.arange(level.shape[1]) // (dash or 9999) % 2 == 0] = shade


def tiled(picture: Picture, spot: Spot, size: tuple[int, int], gap: int, shade: int) -> None:
    x, y, cell = spot
    rows, cols = size
    for r in range(rows):
        for c in range(cols):
            picture[y + r * cell + gap : y + (r + 1) * cell, x + c * cell + gap : x + (c + 1) * cell] = shade


def best(picture: Picture) -> GridGuess:
    guesses = find_grids(Photo(picture))
    assert guesses, "no grid found"
    return guesses[0]


def assert_at(guess: GridGuess, spot: tuple[float, float, float], rows: int, cols: int) -> None:
    x, y, cell = spot
    assert (guess.rows, guess.cols) == (rows, cols)
    expected = np.array([(x, y), (x + cols * cell, y), (x + cols * cell, y + rows * cell), (x, y + rows * cell)])
    assert np.abs(guess.corners_px - expected).max() < 0.1 * cell


@pytest.mark.parametrize(("rows", "cols", "cell"), [(14, 8, 61), (5, 5, 90), (20, 20, 27), (50, 40, 15), (4, 9, 40)])
def test_thin_lines_on_a_page(rows: int, cols: int, cell: int) -> None:
    picture = page(rows * cell + 300, cols * cell + 80)
    ruled(picture, (40, 200, cell), (rows, cols), 120)
    assert_at(best(picture), (40, 200, cell), rows, cols)


@pytest.mark.parametrize("dash", [2, 4, 6])
def test_dashed_lines(dash: int) -> None:
    picture = page(700, 500)
    ruled(picture, (50, 150, 52), (9, 7), 190, dash)
    assert_at(best(picture), (50, 150, 52), 9, 7)


def test_faint_lines_under_strong_badges() -> None:
    picture = page(600, 600)
    ruled(picture, (60, 60, 60), (8, 8), 236)
    for r, c in ((0, 0), (1, 5), (3, 2), (4, 7), (6, 1), (7, 6)):
        cv2.rectangle(picture, (75 + 60 * c, 75 + 60 * r), (105 + 60 * c, 105 + 60 * r), (40, 60, 200), -1)
    assert_at(best(picture), (60, 60, 60), 8, 8)


@pytest.mark.parametrize("gap", [3, 8])
def test_tiles_with_gaps_on_a_dark_page(gap: int) -> None:
    picture = page(1200, 600, (20, 24, 28))
    tiled(picture, (30, 300, 76), (8, 7), gap, 52)
    assert_at(best(picture), (30 + gap / 2, 300 + gap / 2, 76), 8, 7)


def test_coloured_regions_that_only_meet() -> None:
    rng = np.random.default_rng(3)
    picture = page(700, 700)
    for r in range(8):
        for c in range(8):
            colour = (60, 120, 220) if (r // 2 + c) % 2 else (220, 60, 120)
            picture[50 + 70 * r : 120 + 70 * r, 60 + 70 * c : 130 + 70 * c] = np.add(colour, rng.integers(0, 25, 3))
    assert_at(best(picture), (60, 50, 70), 8, 8)


def test_placed_patches_hide_inner_lines() -> None:
    picture = page(700, 700)
    cell, x, y = 60, 80, 90
    patches = [(0, 0, 2, 3), (0, 3, 3, 2), (2, 0, 1, 3), (3, 0, 3, 1), (3, 1, 1, 4), (4, 1, 2, 2), (4, 3, 2, 2)]
    patches += [(0, 5, 1, 3), (1, 5, 4, 1), (1, 6, 4, 2), (5, 5, 1, 3), (6, 0, 2, 4), (6, 4, 1, 4), (7, 4, 1, 4)]
    for top, left, height, width in patches:
        corner = (x + left * cell, y + top * cell)
        cv2.rectangle(picture, corner, (corner[0] + width * cell, corner[1] + height * cell), (90, 90, 90), 2)
    assert_at(best(picture), (x, y, cell), 8, 8)


def test_a_board_on_a_striped_background() -> None:
    picture = page(1000, 600)
    for y in range(0, 1000, 37):
        picture[y : y + 37] = (140 - y // 10, 60, 60 + y // 8)
    ruled(picture, (60, 300, 60), (8, 8), 255)
    assert_at(best(picture), (60, 300, 60), 8, 8)


def test_an_irregular_board_has_the_outline_of_its_cells() -> None:
    picture = page(700, 700)
    cells = [(r, c) for r in range(7) for c in range(8) if not (r < 2 and c < 3) and not (r > 4 and c > 5)]
    for r, c in cells:
        cv2.rectangle(picture, (60 + 70 * c, 70 + 70 * r), (130 + 70 * c, 140 + 70 * r), (80, 80, 80), 2)
    guess = best(picture)
    assert_at(guess, (60, 70, 70), 7, 8)
    board = board_at(Photo(picture), guess.placement)
    assert board is not None
    assert sorted(zip(*np.nonzero(board.inside), strict=True)) == sorted(cells)


def test_a_board_cut_off_by_the_picture_still_counts_its_cells() -> None:
    picture = page(301, 401)
    ruled(picture, (0, 0, 50), (6, 8), 60)
    assert_at(best(picture[2:298, 2:398].copy()), (-2, -2, 50), 6, 8)


def test_a_page_of_text_and_an_empty_page_have_no_good_grid() -> None:
    assert find_grids(Photo(page(400, 400))) == []
    rng = np.random.default_rng(5)
    picture = page(600, 800)
    for y in range(40, 560, 24):
        x = 40
        while x < 740:
            wide = int(rng.integers(2, 12))
            picture[y : y + 14, x : x + wide] = 40
            x += wide + int(rng.integers(2, 9))
    assert all(guess.score < CLEAR for guess in find_grids(Photo(picture)))


def test_a_picture_is_searched_once() -> None:
    picture = page(700, 500)
    ruled(picture, (50, 150, 52), (9, 7), 190)
    photo = Photo(picture)
    assert find_grids(photo)[0] is find_grids(photo)[0]


def test_cells_that_can_be_reached_are_not_inside() -> None:
    upright = np.ones((3, 4), dtype=bool)
    level = np.ones((4, 3), dtype=bool)
    assert enclosed(upright, level).all()
    level[0, 1] = False
    assert enclosed(upright, level).tolist() == [[True, False, True], [True, True, True], [True, True, True]]


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize(("folder", "missed"), [("stitch", 2), ("patches", 0), ("queens_regions", 1)])
def test_labelled_screenshots(folder: str, missed: int) -> None:
    truths = sorted((SHARED / "corpus" / folder).glob("*.json"))
    if not truths:
        pytest.skip("the labelled pictures are not beside the project")
    wrong, seconds = [], []
    for path in truths:
        truth = json.loads(path.read_text())
        if "hoop" in path.name:
            continue
        with Image.open(path.with_name(truth["image"])) as file:
            rgba = file.convert("RGBA")
        white = Image.new("RGBA", rgba.size, "white")
        white.alpha_composite(rgba)
        photo = Photo(np.ascontiguousarray(np.asarray(white.convert("RGB"))[:, :, ::-1]))
        started = time.perf_counter()
        guesses = find_grids(photo)
        seconds.append(time.perf_counter() - started)
        size = truth.get("rows", truth.get("n")), truth.get("cols", truth.get("n"))
        corners = np.array(truth["corners"])
        cell = np.ptp(corners[:, 1]) / size[0]
        box = np.array([corners.min(axis=0), corners.max(axis=0)])
        if not any(
            (g.rows, g.cols) == size and np.abs(g.corners_px[[0, 2]] - box).max() < 0.2 * cell for g in guesses[:2]
        ):
            wrong.append(path.name)
    assert len(wrong) <= missed, wrong


def turned(picture: Picture, degrees: float) -> tuple[Picture, np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """The picture as a scanner draws it in askew, and where its pixels went."""
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -degrees, 1)
    return np.asarray(cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)), matrix


@pytest.mark.parametrize("degrees", [-6.0, 0.5, 2.0])
def test_a_page_that_was_scanned_askew_has_its_grid_where_the_lines_are(degrees: float) -> None:
    picture = page(900, 700)
    ruled(picture, (110, 160, 24), (20, 20), 120)
    askew, matrix = turned(picture, degrees)
    assert turn_deg(Photo(askew)) == pytest.approx(degrees, abs=0.1)
    found = best(askew)
    assert (found.rows, found.cols) == (20, 20)
    corners = np.array([(110, 160), (590, 160), (590, 640), (110, 640)]) @ matrix[:, :2].T + matrix[:, 2]
    assert np.abs(found.corners_px - corners).max() < 0.05 * 24


def test_a_picture_that_was_not_turned_stays_as_it_is() -> None:
    picture = page(900, 700)
    ruled(picture, (110, 160, 24), (20, 20), 120)
    assert turn_deg(Photo(picture)) == 0
    assert turn_deg(Photo(page(300, 400))) == 0


def test_sides_of_tiles_with_round_corners_do_not_tell_that_a_screen_was_turned() -> None:
    """Of some hundred sides of one length the few that were longest by a hair leaned one way."""
    assert turn_deg(Photo(sample_of("stitch-screens", 91682).picture)) == 0


def test_what_is_turned_back_shows_all_of_the_picture() -> None:
    marked = page(300, 500, (0, 0, 0))
    marked[10:14, 490:494] = 255
    back, to_photo = turned_back(Photo(marked), 20)
    y, x = np.argwhere(back[..., 0] > 127).mean(axis=0)
    assert to_photo @ (x, y, 1) == pytest.approx((491.5, 11.5, 1), abs=0.5)


def test_the_grain_of_a_table_makes_no_view_likelier_than_the_one_in_which_a_board_is_upright() -> None:
    table = page(900, 1200, (70, 100, 120))
    for k in range(400):
        x, y = (k * 397) % 1150, 6 + (k * 211) % 888
        cv2.line(table, (x, y), (x + 60 + k % 30, y), (40, 60, 75), 1, cv2.LINE_AA)
    sheet = page(900, 1200)
    ruled(sheet, (360, 220, 50), (9, 9), 90)
    turn = cv2.getRotationMatrix2D((600, 450), -14, 1)
    on_sheet = np.zeros((900, 1200), np.uint8)
    on_sheet[190:710, 330:840] = 1
    turned, there = (cv2.warpAffine(each, turn, (1200, 900)) for each in (sheet, on_sheet))
    photo = Photo(np.where(there[..., None] > 0, turned, table))
    likeliest, *others = frontal_views(photo)
    assert likeliest.share < max(view.share for view in others)
    along = likeliest.matrix[:2, 0] - likeliest.matrix[2, 0] * likeliest.matrix[:2, 2]
    assert np.degrees(np.arctan2(along[1], along[0])) == pytest.approx(14, abs=1)


@pytest.mark.parametrize(("evidence", "plain"), [(111.0, True), (47.0, False)])
def test_all_of_a_small_board_is_worth_less_than_a_part_of_a_large_one(evidence: float, plain: bool) -> None:
    """What lies on the cells of a bent board shows as many sides, but not where they should be."""
    place = FlatPlacement.from_corners([(0, 0), (200, 0), (200, 200), (0, 200)], (4, 4), 0.8)
    sides = np.ones((4, 5)), np.ones((5, 4))
    assert evidence < SURE
    assert is_plain(GridGuess(place, 4, 4, 0.8, 0.87, *sides, evidence=evidence)) == plain
