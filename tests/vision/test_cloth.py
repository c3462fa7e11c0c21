"""The parts of bent boards: what is seen pixel by pixel, cells between threads with gaps, floods that stop at walls."""

import cv2
import numpy as np
import pytest

from samples import stitch
from samples.cloth_windows import SIDE_PX, reduced, windows
from samples.sample import INK
from vision.clues.cloth import SURFACES, Cloth, Surface, flood, open_cells, surface_and_ink
from vision.clues.cloth import _cells as cells_of
from vision.clues.cloth import _coherent as coherent
from vision.clues.cloth import _log_odds_of_outline as log_odds_of_outline
from vision.pictures.medians import weighted_median
from vision.pictures.photo import Photo


def depth_of(bare: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.distanceTransform(bare.astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE), np.float32)


def room(gap: int) -> np.ndarray:
    """Two cells of 40 x 40 and 40 x 16 pixels, in whose common wall there is a gap."""
    bare = np.zeros((60, 80), np.bool_)
    bare[10:50, 10:50] = bare[10:50, 53:69] = True
    bare[30 - gap // 2 : 30 + (gap + 1) // 2, 50:53] = True
    return bare


@pytest.mark.parametrize("gap", [0, 4, 8])
def test_cells_are_parted_where_a_thread_has_a_gap(gap: int) -> None:
    labels = cells_of(room(gap))
    assert labels.max() == 2
    assert labels[30, 30] != labels[30, 60]
    assert (labels[12:48, 12:48] == labels[30, 30]).all()
    assert (labels[12:48, 55:67] == labels[30, 60]).all()


def test_a_cell_that_is_hardly_narrowed_is_one() -> None:
    labels = cells_of(room(36))
    assert labels.max() == 1


def test_what_reaches_the_rim_of_the_picture_is_no_cell() -> None:
    bare = room(0)
    bare[:10, 10:50] = True
    assert cells_of(bare).max() == 1


def test_a_flood_does_not_pass_a_wall_of_one_pixel() -> None:
    dry = np.zeros((30, 60), np.bool_)
    dry[:, 30] = dry[[0, -1]] = True
    springs = np.zeros((30, 60), np.int32)
    springs[2, 2], springs[27, 57] = 1, 2
    labels = flood(depth_of(~dry), springs)
    assert (labels[1:-1, 1:30] == 1).all()
    assert (labels[1:-1, 31:] == 2).all()


def test_two_waters_meet_half_way_and_no_third_one_behind_a_wall_takes_part() -> None:
    dry = np.zeros((40, 61), np.bool_)
    dry[20] = dry[[0, -1]] = True
    springs = np.zeros((40, 61), np.int32)
    springs[10, 2], springs[10, 58], springs[30, 30] = 1, 2, 3
    labels = flood(depth_of(~dry), springs)
    assert set(np.unique(labels[1:20])) == {1, 2}
    assert (labels[10, :28] == 1).all()
    assert (labels[10, 33:] == 2).all()


def test_neither_a_large_hole_nor_specks_are_the_usual_cell() -> None:
    areas = np.array([60**2] * 12 + [250**2] + [20**2] * 25)
    assert weighted_median(areas, np.sqrt(areas)) == 60**2


def test_places_of_a_part_of_a_photo_are_found_back() -> None:
    cloth = Cloth(
        *(np.zeros((4, 4), np.int32), 0, np.zeros((4, 4), np.uint8), np.zeros((4, 4), np.bool_)),
        *(9.0, np.zeros((4, 4, 3), np.uint8), 0.4, (7, 3)),
    )
    points = np.array([(7.0, 3.0), (20.5, 11.0)])
    assert cloth.from_photo(cloth.to_photo(points)) == pytest.approx(points)
    assert cloth.to_photo(np.array([(-0.5, -0.5)])) == pytest.approx(np.array([(6.5, 2.5)]))


@pytest.mark.parametrize("filled", [0.0, 0.6])
def test_each_pixel_of_a_drawn_board_is_named(filled: float) -> None:
    sample = stitch.draw(
        np.random.default_rng(7), style="game", filled=filled, rows=4, cols=5, holes=3, bend=0.8, device="tablet"
    )
    assert sample.parts is not None
    small = Photo(sample.picture).reduced(700).bgr
    told, ink = surface_and_ink(small, np.median(small.reshape(-1, 3), axis=0))
    truth = reduced(sample.parts, small.shape[1::-1])
    surfaces: tuple[Surface, ...] = ("ground", "cell", "patch") if filled else ("ground", "cell")
    for surface in surfaces:
        here = truth % INK == SURFACES.index(surface)
        inner = cv2.erode(here.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        assert (told[inner] == SURFACES.index(surface)).mean() > 0.97, surface
    assert (ink & (truth >= INK)).sum() > 0.7 * (truth >= INK).sum()
    assert (ink & (truth < INK)).sum() < 0.5 * ink.sum()


def test_a_small_board_is_looked_at_from_near() -> None:
    sample = stitch.draw(np.random.default_rng(5), style="game", filled=0.0, rows=4, cols=5, bend=0.6, device="phone")
    far = np.ascontiguousarray(np.tile(sample.picture[:8, :8], (450, 450, 1))[:3600, :3600])
    far[1000 : 1000 + len(sample.picture), 1000 : 1000 + len(sample.picture[0])] = sample.picture
    cloth = open_cells(Photo(far))
    assert cloth is not None
    assert cloth.count == len(sample.truth["cell_centers"])
    assert cloth.origin_px != (0, 0)
    centres = cloth.from_photo(np.array(list(sample.truth["cell_centers"].values())) + 1000)
    numbers = {int(cloth.labels[round(y), round(x)]) for x, y in centres}
    assert numbers == set(range(1, cloth.count + 1))


@pytest.mark.parametrize("cell_px", [18, 22])
def test_cells_that_run_together_are_enlarged_until_each_is_seen(cell_px: int) -> None:
    sample = stitch.draw(np.random.default_rng(5), style="game", filled=0.0, rows=7, cols=6, bend=0.6, device="phone")
    areas = [cv2.contourArea(np.array(cell, np.float32)) for cell in sample.truth["mesh"].values()]
    factor = cell_px / np.sqrt(np.median(areas))
    cloth = open_cells(Photo(cv2.resize(sample.picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)))
    assert cloth is not None
    assert cloth.count == len(sample.truth["cell_centers"])


def scores_of(surface: np.ndarray, sure: float) -> np.ndarray:
    """Scores by which each pixel's surface is the likeliest, by so many nats."""
    return np.stack([np.where(surface == k, sure, 0) for k in range(len(SURFACES))]).astype(np.float32)


def test_scraps_of_another_surface_are_of_what_lies_round_them_unless_a_wall_does() -> None:
    cell, thread, patch = (SURFACES.index(name) for name in ("cell", "thread", "patch"))
    surface = np.full((60, 90), cell, np.uint8)
    surface[:, 45] = thread
    surface[:, 46:] = patch
    true = surface.copy()
    surface[40:, 30:45] = patch  # up to the thread
    surface[5:20, 60:75] = SURFACES.index("ground")
    assert (coherent(scores_of(surface, 1.0)).argmax(axis=0) == true).all()
    assert (coherent(scores_of(surface, 50.0)).argmax(axis=0) == surface).all()  # each pixel is sure


def test_walls_are_told_by_the_colours_of_a_board_where_the_network_errs() -> None:
    rng = np.random.default_rng(3)
    walls, odds = np.zeros((200, 200), np.bool_), np.full((200, 200), -3.0, np.float32)
    walls[20:180, [20, 21, 178, 179]] = walls[20:180, 100:102] = True
    odds[:, [20, 21, 178, 179]] = 3.0
    odds[20:70, [20, 21]] = -1.0  # a stretch of the outline that it calls thread
    colours = np.where((np.arange(200) == 100) | (np.arange(200) == 101), 220, 60)[None, :, None]
    bgr = np.asarray((colours + rng.normal(0, 12, (200, 200, 3))).clip(0, 255), np.uint8)
    outlined = log_odds_of_outline(bgr, odds, walls) > 0
    assert outlined[20:180, [20, 21, 178, 179]].all()
    assert not outlined[20:180, 100:102].any()


def test_windows_show_what_their_parts_say() -> None:
    for seed in range(3):
        for window in windows(np.random.default_rng([seed, 99])):
            assert window.shown.shape == (SIDE_PX, SIDE_PX, 3)
            assert window.parts.shape == (SIDE_PX, SIDE_PX)
            assert (window.parts % INK).max() < len(SURFACES)
