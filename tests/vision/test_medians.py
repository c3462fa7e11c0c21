import numpy as np
import pytest

from vision.pictures.medians import known_medians, median, medians, percentile, percentiles


@pytest.mark.parametrize("count", [1, 2, 3, 8, 101, 400])
@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.float64])
def test_they_are_those_of_numpy(count: int, dtype: type) -> None:
    values = (np.random.default_rng(count).random(count) * 255).astype(dtype)
    assert median(values) == np.median(values)
    for share in (0, 4, 25, 92, 96, 100):
        assert percentile(values, share) == pytest.approx(np.percentile(values.astype(np.float64), share), abs=1e-9)


@pytest.mark.parametrize("count", [1, 6, 7])
def test_colours_have_a_median_in_each_channel(count: int) -> None:
    colours = np.random.default_rng(count).random((count, 3)).astype(np.float32)
    assert medians(colours).tolist() == np.median(colours, axis=0).tolist()


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("count", [1, 4, 5])
def test_they_are_taken_along_an_axis(axis: int, count: int) -> None:
    values = np.random.default_rng(count).random((count, count + 1, count + 2))
    assert medians(values, axis).tolist() == np.median(values, axis=axis).tolist()
    assert np.allclose(percentiles(values, 90, axis), np.percentile(values, 90, axis=axis), rtol=1e-12)


def test_nothing_has_no_median() -> None:
    assert np.isnan(medians(np.zeros((0, 3)))).tolist() == [True] * 3


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_those_of_what_is_known_leave_out_the_rest(axis: int) -> None:
    rng = np.random.default_rng(axis + 1)
    values = np.where(rng.random((6, 7, 8)) < 0.2, np.nan, rng.random((6, 7, 8)))
    assert known_medians(values, axis).tolist() == np.nanmedian(values, axis=axis).tolist()


def test_nothing_known_has_no_median() -> None:
    assert np.isnan(known_medians(np.full((3, 2), np.nan))).all()
