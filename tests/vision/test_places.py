"""Which lattices are read: those on which boards lie."""

from pathlib import Path

import cv2
import numpy as np

import solvepic
from samples import pages, stitch
from samples.lattice_windows import cells_of
from vision.boards.states import boards_on
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement


def test_of_lattices_at_a_place_that_is_read_on_which_a_board_lies() -> None:
    sample = stitch.draw(np.random.default_rng(3), style="light", rows=7, cols=6)
    photo, corners = Photo(sample.picture), sample.truth["corners"]
    right, finer = (FlatPlacement.from_corners(corners, size) for size in ((6, 7), (12, 14)))
    assert [place.size for place in boards_on(photo, [finer, right])] == [(6, 7)]
    assert boards_on(photo, [finer]) == []


def test_debug_shows_the_phases_and_the_states_of_the_lattice(tmp_path: Path) -> None:
    sample = pages.draw(np.random.default_rng(5), rows=6, cols=7, missing=0.2, form="bitten", filled=0.0)
    assert solvepic.solve(sample.picture, kind="stitch", debug=tmp_path).status == "solved"
    shown = [path.name for path in sorted(tmp_path.glob("*.png"))]
    assert shown[:3] == ["01-photo.png", "02-phases.png", "03-lattice.png"]
    flat = cv2.imread(str(tmp_path / shown[2])).astype(float)
    places = flat.reshape(6, flat.shape[0] // 6, 7, flat.shape[1] // 7, 3).mean(axis=(1, 3))
    assert np.array_equal(places[..., 1] > places[..., 2], cells_of(sample))  # green, red
