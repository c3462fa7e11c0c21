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
    files = [folder / f"{first}.npz" for first in firsts]
    missing = [first for first, file in zip(firsts, files, strict=True) if not file.exists()]
    if missing:
        with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
            list(pool.map(partial(_chunk, folder, draw), missing))
    for file in files:
        with np.load(file) as found:
            yield dict(found)


def joined(
    folder: Path, draw: Callable[[int], Arrays], firsts: Sequence[int], large: str
) -> dict[str, npt.NDArray[Any]]:
    """The arrays of all chunks one after the other; of that named ``large`` memory may not hold all: it is a file.

    Args:
        folder: see :func:`chunks`.
        draw: the same.
        firsts: the same; each chunk has as many entries.
        large: the name of an array.
    """
    parts: list[dict[str, npt.NDArray[Any]]] = []
    for chunk in chunks(folder, draw, firsts):
        part = chunk.pop(large)
        if not parts:
            whole = (len(part) * len(firsts), *part.shape[1:])
            mapped = np.lib.format.open_memmap(folder / f"{large}.npy", "w+", part.dtype, whole)
        mapped[len(part) * len(parts) : len(part) * (len(parts) + 1)] = part
        parts.append(chunk)
    mapped.flush()
    return {large: mapped, **{name: np.concatenate([part[name] for part in parts]) for name in parts[0]}}


def fields_of(
    windows: Callable[[np.random.Generator], Sequence[Any]], fields: Sequence[str], count: int, first: int
) -> dict[str, npt.ArrayLike]:
    """The fields, by name, of the windows of so many pictures from a seed on, one after the other."""
    found = [one for seed in range(first, first + count) for one in windows(np.random.default_rng([seed, 4242]))]
    return {name: [getattr(one, name) for one in found] for name in fields}


def _chunk(folder: Path, draw: Callable[[int], Arrays], first: int) -> Path:
    return cached(folder / f"{first}.npz", partial(draw, first))
