"""How lattices of cells are found: ``python -m benchmarks.lattices [SET…] [--count N] [--seed S]``.

For each set of drawn pictures with a board: on how many one of the lattices is the board's, and among those how far the
middles of its cells are off, in cells, at the worst of a board; what part of the phases of a region its lattice
explains, of boards' own and of others, from which ``vision.boards.phases.EXPLAINED`` is chosen; and the time.
"""

import argparse
import time
from collections.abc import Sequence

import numpy as np

from benchmarks.sets import sample_of
from samples.lattice_windows import cells_of
from samples.sample import Sample
from vision.boards.phases import EXPLAINED, Grid, all_lattices
from vision.pictures.bending import rotated
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement

DEFAULT = (
    "outlined-screens", "outlined-photos", "pages-screens", "pages-photos", "stitch-screens", "stitch-game",
    "stitch-dotted", "stitch-photos", "stitch-sent", "regions-screens", "regions-captures", "regions-phones",
)  # fmt: skip

OFF = 0.25
"""A lattice is the board's where the middle of no cell is further off, in cells."""


def off(grid: Grid, sample: Sample) -> float:
    """How far the middles of a board's cells are off those of a lattice, in cells, at most; whichever side is up."""
    cells = cells_of(sample)
    rows, cols = cells.shape
    true = FlatPlacement.from_corners(sample.truth["corners"], (cols, rows))
    r, c = np.nonzero(cells)
    middles = np.column_stack([c, r]) + 0.5
    found = []
    for quarters in range(4):
        away = rotated(grid, quarters).to_board(true.to_photo(middles)) - middles
        found.append(float(np.abs(away - np.rint(np.median(away, axis=0))).max()))
    return min(found)


def main() -> None:
    """A line for each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", metavar="SET", default=DEFAULT)
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for name in asked.sets:
        print(f"{name}: {report(name, range(asked.seed, asked.seed + asked.count))}", flush=True)


def report(name: str, seeds: Sequence[int]) -> str:
    """What a set comes to, in words."""
    offs: list[float] = []
    explained: dict[bool, list[float]] = {True: [], False: []}
    seconds = 0.0
    for seed in seeds:
        sample = sample_of(name, seed)
        photo = Photo(sample.picture)
        began = time.process_time()
        found = all_lattices(photo)
        seconds += time.process_time() - began
        each = [(off(grid, sample), grid.score) for grid in found]
        offs.append(min((away for away, score in each if score >= EXPLAINED), default=np.inf))
        for away, score in each:
            explained[away <= OFF].append(score)
    right = [away for away in offs if away <= OFF] or [np.nan]
    return (
        f"{np.isfinite(right).sum()} of {len(seeds)} found, off by {np.median(right):.3f} (at most {max(right):.3f}); "
        f"explained {_range(explained[True])}, of others {_range(explained[False])}; "
        f"{seconds / len(seeds):.2f} s of processor time each"
    )


def _range(scores: list[float]) -> str:
    least, most = (min(scores), max(scores)) if scores else (np.nan, np.nan)
    return f"{least:.2f} to {most:.2f} ({len(scores)})"


if __name__ == "__main__":
    main()
