"""Combs: the pitch and the phase of what recurs along a line, complete, with gaps, between other things."""

import numpy as np
import numpy.typing as npt
import pytest

from vision.boards.combs import Comb, Floats, lattices, sharpened, spectrum


def teeth(places: npt.NDArray[np.floating], length: int = 700) -> Floats:
    """A profile with a tooth of three pixels at each place."""
    profile = np.zeros(length)
    for place in places:
        at = round(float(place))
        profile[max(0, at - 1) : at + 2] += (0.5, 1.0, 0.5)[: len(profile[max(0, at - 1) : at + 2])]
    return profile


def strongest(profile: Floats, low_px: float = 15) -> Comb:
    found = spectrum(profile)
    assert found is not None
    usable = found.weight[: int(16384 / low_px)].copy()
    usable[: int(16384 / 400)] = 0
    return found.comb(int(np.argmax(usable)))


def off(comb: Comb, place: float) -> float:
    """How far a place is from the comb, in pitches."""
    steps = (place - comb.start) / comb.pitch
    return float(abs(steps - round(steps)))


@pytest.mark.parametrize("pitch", [23.0, 41.7, 86.4])
def test_pitch_and_phase_of_a_whole_comb(pitch: float) -> None:
    found = strongest(teeth(37 + pitch * np.arange(int(600 / pitch))))
    assert found.pitch == pytest.approx(pitch, rel=0.01) or found.pitch == pytest.approx(pitch / 2, rel=0.01)
    assert off(found, 37) < 0.06


def test_missing_teeth_do_not_change_the_pitch() -> None:
    pairs = lattices(
        teeth(50 + 60.0 * np.array([0, 1, 3, 4, 7, 9])), teeth(80 + 60.0 * np.array([0, 2, 3, 6, 8])), 15, 4
    )
    best = [(round(across.pitch), round(down.pitch)) for across, down in pairs]
    assert (60, 60) in best[:3]
    across, down = pairs[best.index((60, 60))]
    assert off(across, 50) < 0.06
    assert off(down, 80) < 0.06


def test_cells_that_are_a_little_oblong_are_found() -> None:
    pairs = lattices(teeth(30 + 60.0 * np.arange(10)), teeth(30 + 54.0 * np.arange(12)), 15, 4)
    assert any(abs(a.pitch - 60) < 1 and abs(d.pitch - 54) < 1 for a, d in pairs)


def test_an_even_profile_has_no_comb() -> None:
    assert spectrum(np.full(300, 0.4)) is None
    assert lattices(np.full(300, 0.4), teeth(50.0 * np.arange(6), 300), 15, 4) == []


def test_a_comb_is_sharpened_on_its_own_part_of_the_line() -> None:
    profile = teeth(200 + 50.0 * np.arange(9))
    rough = Comb(51.5, 200.0, 0.5)
    better = sharpened(rough, profile[190:], 190)
    assert better.pitch == pytest.approx(50, rel=0.005)
    assert off(better, 400) < 0.05


def test_places_reach_a_little_beyond_the_line() -> None:
    assert Comb(10.0, 2.0, 1.0).places(33, 0.0).tolist() == [2, 12, 22, 32]
    assert Comb(10.0, 9.0, 1.0).places(33, 0.2).tolist() == [-1, 9, 19, 29]
