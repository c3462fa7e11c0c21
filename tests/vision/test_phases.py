"""Lattices of cells by their phase: unwrapped by themselves, and seen on drawn boards of many looks."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from samples import looks, stitch
from samples.looks import NO_LINE, Dots, Line, Style
from samples.sample import Sample
from vision.boards.phases import EXPLAINED, Field, Grid, lattice_of, lattices
from vision.boards.states import board_at
from vision.clues.places import likely_places
from vision.kind import Aids
from vision.pictures.bending import BentPlacement
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, box_corners

SHARED = Path(__file__).resolve().parents[2].parent / "shared"

Floats = npt.NDArray[np.float64]


# --- unwrapping, of phases that are known -----------------------------------------------------------------------------


def field(place: FlatPlacement, bow: float = 0.0, holes: tuple[tuple[int, int], ...] = ()) -> Field:
    """The phases of a board, a little off; its lines bowed by so much of a cell."""
    ys, xs = np.mgrid[:150, :120]
    board = place.to_board(np.column_stack([xs.ravel(), ys.ravel()]))
    board = board + bow * np.sin(np.pi * board[:, ::-1] / place.size[::-1])
    cells = ((board >= 0) & (board < place.size)).all(axis=1)
    for row, col in holes:
        cells &= (np.floor(board) != (col, row)).any(axis=1)
    off = np.random.default_rng(3).normal(0, 0.06, board.shape)
    waves = np.exp(2j * np.pi * (board + off)).T.reshape(2, *xs.shape)
    return Field(waves.astype(np.complex64), cells.reshape(xs.shape), np.eye(3))


def placed(corners: list[tuple[float, float]], size: tuple[int, int]) -> FlatPlacement:
    return FlatPlacement.from_corners(corners, size)


UPRIGHT = [(10.0, 10.0), (90.0, 10.0), (90.0, 130.0), (10.0, 130.0)]
TILTED = [(10.0, 20.0), (95.0, 8.0), (88.0, 130.0), (20.0, 110.0)]


@pytest.mark.parametrize("place", [placed(UPRIGHT, (8, 12)), placed(TILTED, (8, 12)), placed(UPRIGHT, (2, 3))])
def test_a_sheet_is_recovered_from_its_phases(place: FlatPlacement) -> None:
    shown = field(place)
    found = lattice_of(shown, shown.cells)
    assert found is not None
    assert found.size == place.size
    assert np.abs(place.to_board(box_corners(found)) - place.to_board(box_corners(place))).max() < 0.05


def test_holes_of_a_board_leave_its_lattice_as_it_is() -> None:
    place = placed(TILTED, (8, 12))
    shown = field(place, holes=((0, 0), (0, 1), (5, 4), (11, 7)))
    found = lattice_of(shown, shown.cells)
    assert found is not None
    assert found.size == (8, 12)


def test_a_bent_sheet_is_followed() -> None:
    place = placed(TILTED, (8, 12))
    shown = field(place, bow=0.15)
    found = lattice_of(shown, shown.cells)
    assert isinstance(found, BentPlacement)
    middles = np.array([(c + 0.5, r + 0.5) for r in range(12) for c in range(8)])
    bowed = place.to_board(found.to_photo(middles))
    assert np.abs(bowed + 0.15 * np.sin(np.pi * bowed[:, ::-1] / (12, 8)) - middles).max() < 0.1


def test_phases_that_fit_no_sheet_are_no_lattice() -> None:
    shown = field(placed(UPRIGHT, (8, 12)))
    mixed = np.random.default_rng(1).permuted(shown.waves.reshape(2, -1), axis=1).reshape(shown.waves.shape)
    found = lattice_of(replace(shown, waves=mixed), shown.cells)
    assert found is None or found.score < EXPLAINED


# --- on pictures ------------------------------------------------------------------------------------------------------


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


def best(picture: Picture) -> Grid:
    found = lattices(Photo(picture))
    assert found, "no lattice found"
    return found[0]


def assert_at(grid: Grid, spot: tuple[float, float, float], rows: int, cols: int) -> None:
    x, y, cell = spot
    assert grid.size == (cols, rows)
    expected = np.array([(x, y), (x + cols * cell, y), (x + cols * cell, y + rows * cell), (x, y + rows * cell)])
    assert np.abs(box_corners(grid) - expected).max() < 0.15 * cell


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
    found = best(picture)
    assert_at(found, (60, 70, 70), 7, 8)
    board = board_at(Photo(picture), found)
    assert board is not None
    assert sorted(zip(*np.nonzero(board.inside), strict=True)) == sorted(cells)


def test_a_board_cut_off_by_the_picture_still_counts_its_cells() -> None:
    picture = page(301, 401)
    ruled(picture, (0, 0, 50), (6, 8), 60)
    assert_at(best(picture[2:298, 2:398].copy()), (-2, -2, 50), 6, 8)


def test_a_page_of_text_and_an_empty_page_have_no_lattice() -> None:
    assert lattices(Photo(page(400, 400))) == []
    rng = np.random.default_rng(5)
    picture = page(600, 800)
    for y in range(40, 560, 24):
        x = 40
        while x < 740:
            wide = int(rng.integers(2, 12))
            picture[y : y + 14, x : x + wide] = 40
            x += wide + int(rng.integers(2, 9))
    assert lattices(Photo(picture)) == []


def test_a_picture_is_searched_once() -> None:
    picture = page(700, 500)
    ruled(picture, (50, 150, 52), (9, 7), 190)
    photo = Photo(picture)
    assert lattices(photo)[0] is lattices(photo)[0]


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize(("folder", "missed"), [("stitch", 2), ("patches", 0), ("queens_regions", 1)])
def test_labelled_screenshots(folder: str, missed: int) -> None:
    truths = sorted((SHARED / "corpus" / folder).glob("*.json"))
    if not truths:
        pytest.skip("the labelled pictures are not beside the project")
    wrong = []
    for path in truths:
        truth = json.loads(path.read_text())
        if "hoop" in path.name:
            continue
        with Image.open(path.with_name(truth["image"])) as file:
            rgba = file.convert("RGBA")
        white = Image.new("RGBA", rgba.size, "white")
        white.alpha_composite(rgba)
        photo = Photo(np.ascontiguousarray(np.asarray(white.convert("RGB"))[:, :, ::-1]))
        size = truth.get("rows", truth.get("n")), truth.get("cols", truth.get("n"))
        corners = np.array(truth["corners"])
        cell = np.ptp(corners[:, 1]) / size[0]
        box = np.array([corners.min(axis=0), corners.max(axis=0)])
        grids = lattices(photo)
        boards = [board.placement for grid in grids if (board := board_at(photo, grid)) is not None]
        found = [box_corners(place)[[0, 2]] for place in (*grids, *boards) if place.size == size[::-1]]
        if not any(np.abs(corners - box).max() < 0.2 * cell for corners in found):
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
    found = best(askew)
    assert found.size == (20, 20)
    corners = np.array([(110, 160), (590, 160), (590, 640), (110, 640)]) @ matrix[:, :2].T + matrix[:, 2]
    assert np.abs(box_corners(found) - corners).max() < 0.1 * 24


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
    found = lattices(photo)[0]
    assert found.size == (8, 7)
    assert np.abs(box_corners(found) - corners).max() < 6


INK = (40, 40, 40)


def _style(where: str, outline: Line = NO_LINE) -> Style:
    plain = looks.light(np.random.default_rng(1), "builtin")
    dots = Dots("corners" if where == "corners" else "middles", INK, 0.1)
    clue = replace(plain.clue, frame="none", colour=INK, height=0.4)
    return replace(plain, panel=None, line=NO_LINE, outline=outline, clue=clue, dots=dots)


def _drawn(where: str, outline: Line = NO_LINE, device: str = "phone") -> Sample:
    style = _style(where, outline)
    return stitch.draw(
        np.random.default_rng(4), style=style, rows=7, cols=6, filled=0.0, device=device, family="builtin"
    )


@pytest.mark.parametrize("where", ["corners", "middles"])
def test_how_far_the_board_reaches_its_cells_tell(where: str) -> None:
    sample = _drawn(where)
    photo = Photo(sample.picture)
    boards = [board_at(photo, place).placement for place in likely_places(photo, Aids())]
    whole = np.array([(0, 0), (6, 0), (6, 7), (0, 7)])
    assert any(
        board.size == (6, 7) and np.abs(board.to_board(sample.truth["corners"]) - whole).max() < 0.05
        for board in boards
    )


@pytest.mark.parametrize("size", [(7, 6), (6, 7)])
def test_a_size_is_that_of_the_board_in_either_order_not_of_its_dots(size: tuple[int, int]) -> None:
    photo = Photo(_drawn("corners", Line("plain", INK, 0.04)).picture)
    assert [place.size for place in likely_places(photo, Aids(size=size))] == [(6, 7)]


def test_dots_anywhere_are_no_lattice() -> None:
    picture = np.full((300, 300, 3), 250, np.uint8)
    rng = np.random.default_rng(6)
    for x, y in rng.integers(10, 290, (150, 2)).tolist():
        cv2.circle(picture, (x, y), 3, INK, -1, cv2.LINE_AA)
    assert lattices(Photo(picture)) == []
