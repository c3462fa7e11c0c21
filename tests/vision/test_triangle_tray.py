"""Finding a tray of triangles: drawn flat, turned, slanted, pointed at, and not there at all."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from samples.camera import Shot, photograph
from samples.sample import Sample
from samples.triazzle import TrayStyle, random_puzzle, render
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement
from vision.trays.slots import CORNERS, JOINTS, find_tray, squeeze


def tray(seed: int, style: TrayStyle) -> tuple[Sample, np.random.Generator]:
    rng = np.random.default_rng(seed)
    return render(random_puzzle(rng, style.match, style.symbols), style, rng), rng


def error_in_slots(place: FlatPlacement, sample: Sample) -> float:
    """How far the corners are off, in slots' sides, whichever is taken for the apex."""
    truth = np.array(sample.truth["corners"])
    found = place.to_photo(CORNERS)
    side = np.linalg.norm(truth[0] - truth[1]) / 4
    return float(min(np.abs(np.roll(truth, k, axis=0) - found).max() for k in range(3)) / side)


@pytest.mark.slow
@pytest.mark.parametrize("turn", [0, 100])
def test_tray_in_photo_is_placed_within_a_tenth_of_a_slot(turn: int) -> None:
    sample, rng = tray(3, TrayStyle(ground="dappled"))
    shot = Shot(size_wh=(1200, 900), tilt_deg=25, tilt_towards_deg=40, turn_deg=turn, noise=3)
    photo = photograph(sample, shot, rng)
    place = find_tray(Photo(photo.picture))
    assert place
    assert error_in_slots(place, photo) < 0.1


@pytest.mark.slow
def test_apex_is_the_highest_corner() -> None:
    sample, rng = tray(4, TrayStyle())
    turned = photograph(sample, Shot(size_wh=(1200, 900), turn_deg=130), rng)
    place = find_tray(Photo(turned.picture))
    assert place
    corners = place.to_photo(CORNERS)
    assert corners[0, 1] == corners[:, 1].min()


@pytest.mark.slow
def test_pointing_at_the_frame_or_at_the_pieces_finds_the_pieces() -> None:
    sample, _ = tray(5, TrayStyle(match="equal", ground="wood", cut_corners=False))
    corners = np.array(sample.truth["corners"])
    middle = corners.mean(axis=0)
    for outset in (1.0, 1.33):
        hint = [(float(x), float(y)) for x, y in middle + (corners - middle) * outset]
        place = find_tray(Photo(sample.picture.copy()), hint)
        assert place
        assert error_in_slots(place, sample) < 0.1


def test_grid_of_squares_and_noise_are_no_trays() -> None:
    rng = np.random.default_rng(6)
    noise = rng.integers(0, 256, (400, 500, 3)).astype(np.uint8)
    grid = np.full((600, 600, 3), 255, np.uint8)
    for k in range(60, 541, 60):
        cv2.line(grid, (60, k), (540, k), (0, 0, 0), 2)
        cv2.line(grid, (k, 60), (k, 540), (0, 0, 0), 2)
    blank = np.full((300, 300, 3), 128, np.uint8)
    assert not any(find_tray(Photo(picture)) for picture in (noise, grid, blank))


def test_joints_are_thirty_unit_edges_in_three_directions() -> None:
    step = JOINTS[:, 1] - JOINTS[:, 0]
    assert len(JOINTS) == 30
    assert np.allclose(np.linalg.norm(step, axis=1), 1)
    assert len({round(float(np.arctan2(y, x) % np.pi), 6) % 3.14159 for x, y in step}) == 3


def test_squeeze_of_a_half_square_is_too_much() -> None:
    half_square = np.array([[(0.0, 0.0), (1.0, 1.0), (0.0, 1.0)]])
    assert squeeze(CORNERS[None])[0] == pytest.approx(1)
    assert squeeze(half_square)[0] == pytest.approx(3**0.5)


@pytest.mark.slow
def test_placement_is_scaled_back_to_the_photo() -> None:
    sample, _ = tray(7, replace(TrayStyle(), gap=0.03))
    large = cv2.resize(sample.picture, None, fx=1.5, fy=1.5)
    place = find_tray(Photo(np.asarray(large, np.uint8)))
    assert place
    bigger = Sample(large, {"corners": ((np.array(sample.truth["corners"]) + 0.5) * 1.5 - 0.5).tolist()})
    assert error_in_slots(place, bigger) < 0.1
