"""What takes long to draw is kept in files, so that a run that was stopped goes on."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = Mapping[str, npt.ArrayLike]


def cached(file: Path, make: Callable[[], Arrays]) -> Path:
    """The file ``.npz``, with what ``make`` makes in it where it is not there yet; never half of it."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        begun = file.with_suffix(".part.npz")
        np.savez_compressed(begun, allow_pickle=False, **make())
        begun.replace(file)
    return file


def chunks(folder: Path, draw: Callable[[int], Arrays], firsts: Sequence[int]) -> Iterator[dict[str, npt.NDArray[Any]]]:
    """What ``draw``, a function of a module, draws of each first seed, in their order; what ``folder`` does not hold
    yet is drawn by as many processes as there are processors.
    """
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        for file in pool.map(partial(_chunk, folder, draw), firsts):
            with np.load(file) as found:
                yield dict(found)


def _chunk(folder: Path, draw: Callable[[int], Arrays], first: int) -> Path:
    return cached(folder / f"{first}.npz", partial(draw, first))
