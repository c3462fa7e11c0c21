"""Windows of drawn boards, which networks of places are taught on."""

import numpy as np

from samples import lattice_windows
from samples.lattice_windows import part


def test_a_part_of_a_window_has_all_of_the_board_where_that_fits() -> None:
    places = np.zeros((24, 24), np.uint8)
    places[5:12, 8:15] = lattice_windows.CELL
    places[:, 20:] = lattice_windows.OUT_OF_VIEW
    shown = np.arange(24 * 24, dtype=np.uint8).reshape(24, 24).repeat(2, 0).repeat(2, 1)[..., None].repeat(3, 2)
    for seed in range(20):
        cut, what = part(np.random.default_rng(seed), (shown, places), lattice_windows.OUT_OF_VIEW, 11, anywhere=0.0)
        assert cut.shape == (22, 22, 3)
        assert (what == lattice_windows.CELL).sum() == 49
    some = [part(np.random.default_rng(seed), (shown, places), 2, 11, anywhere=1.0)[1] for seed in range(20)]
    assert len({(what == lattice_windows.CELL).sum() for what in some}) > 1
    assert all((what != lattice_windows.OUT_OF_VIEW).any() for what in some)
