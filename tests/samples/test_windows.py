"""Windows of drawn boards, which networks of places are taught on."""

import numpy as np

from samples import lattice_windows, phase_windows
from samples.lattice_windows import part
from vision.boards.phases import Field, lattice_of
from vision.boards.states import SIDE_PX


def test_a_part_of_a_window_has_all_of_the_board_where_that_fits() -> None:
    places = np.zeros((24, 24), np.uint8)
    places[5:12, 8:15] = lattice_windows.CELL
    places[:, 20:] = lattice_windows.OUT_OF_VIEW
    shown = np.zeros((24 * SIDE_PX, 24 * SIDE_PX, 3), np.uint8)
    for seed in range(20):
        cut, what = part(np.random.default_rng(seed), (shown, places), 11, 0.0)
        assert cut.shape == (11 * SIDE_PX, 11 * SIDE_PX, 3)
        assert (what == lattice_windows.CELL).sum() == 49
    some = [part(np.random.default_rng(seed), (shown, places), 11, 1.0)[1] for seed in range(20)]
    assert len({(what == lattice_windows.CELL).sum() for what in some}) > 1
    assert all((what != lattice_windows.OUT_OF_VIEW).any() for what in some)


def test_phases_of_windows_are_those_of_a_lattice() -> None:
    explained = []
    for seed in range(12):
        for window in phase_windows.windows(np.random.default_rng([seed, 1])):
            *phases, cells = window.lattice.transpose(2, 0, 1)
            waves = np.exp(2j * np.pi * np.array(phases) / phase_windows.PHASES).astype(np.complex64)
            found = lattice_of(Field(waves, cells > 0, np.eye(3)), cells > 0)
            explained += [] if found is None else [found.score]
    assert len(explained) >= 12
    assert np.median(explained) > 0.95, "most boards are straight, and all of a board is one lattice"


def test_a_hole_between_four_cells_is_enclosed() -> None:
    places = np.full((3, 6, 6), lattice_windows.CELL, np.uint8)
    places[1:, 2, 3] = lattice_windows.HOLE
    places[2, 2, 4] = lattice_windows.HOLE
    assert lattice_windows.has_enclosed(places).tolist() == [False, True, False]
