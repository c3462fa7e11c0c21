"""What takes long to draw is kept in files."""

from pathlib import Path

import numpy as np

from samples.cached_files import chunks, joined


def never(first: int) -> dict[str, np.ndarray]:
    raise AssertionError(f"{first} is there already")


def test_chunks_that_are_there_are_not_drawn_and_the_large_array_stays_in_a_file(tmp_path: Path) -> None:
    for first in (0, 2, 4):
        np.savez(tmp_path / f"{first}.npz", large=np.full((2, 3), first), small=np.array([first, first + 1]))
    assert [chunk["small"].tolist() for chunk in chunks(tmp_path, never, (4, 0))] == [[4, 5], [0, 1]]
    found = joined(tmp_path, never, (0, 2, 4), "large")
    assert found["small"].tolist() == [0, 1, 2, 3, 4, 5]
    assert found["large"].tolist() == [[0] * 3] * 2 + [[2] * 3] * 2 + [[4] * 3] * 2
    assert isinstance(found["large"], np.memmap)
