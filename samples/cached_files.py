"""What takes long to draw is kept in files, so that a run that was stopped goes on."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy.typing as npt
from numpy import savez_compressed


def cached(file: Path, make: Callable[[], Mapping[str, npt.ArrayLike]]) -> Path:
    """The file ``.npz``, with what ``make`` makes in it where it is not there yet; never half of it."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        begun = file.with_suffix(".part.npz")
        savez_compressed(begun, allow_pickle=False, **make())
        begun.replace(file)
    return file
