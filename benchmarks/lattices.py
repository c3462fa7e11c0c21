"""How lattices of cells are found: ``python -m benchmarks.lattices [SET…] [--count N] [--seed S]``.

For each set of drawn pictures with a board: on how many one of the lattices is the board's, and among those how far the
middles of its cells are off, in cells, at the worst of a board; what part of the phases of a region its lattice
explains, of boards' own and of others, from which ``vision.boards.phases.EXPLAINED`` is chosen; how far the phases of a
board's cells are off it, the median, in cells, for sets of straight boards and of bent ones, whose part on a sheet this
is, from which ``vision.boards.states.STRAIGHT`` is chosen; and the time.
"""

import argparse
import time
from collections.abc import Sequence

import numpy as np

from benchmarks.sets import sample_of
from samples.lattice_windows import cells_of
from samples.sample import Sample
from vision.boards.phases import EXPLAINED, Grid, all_lattices, residual
from vision.boards.states import board_at, boards_on
from vision.pictures.bending import rotated
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement

DEFAULT = (
    "outlined-screens", "outlined-photos", "pages-screens", "pages-photos", "stitch-screens", "stitch-game",
    "stitch-dotted", "stitch-photos", "stitch-sent", "regions-screens", "regions-captures", "regions-phones",
    "stitch-hoop-open", "stitch-hoop-half", "stitch-hoop-photos", "stitch-hoop-half-photos",
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
    residuals: list[float] = []
    seconds = 0.0
    for seed in seeds:
        sample = sample_of(name, seed)
        photo = Photo(sample.picture)
        began = time.process_time()
        found = all_lattices(photo)
        seconds += time.process_time() - began
        bent = sample.truth.get("bent", False)
        each = [(np.inf if bent else off(grid, sample), grid.score) for grid in found]
        offs.append(min((away for away, score in each if score >= EXPLAINED), default=np.inf))
        for away, score in each:
            explained[away <= OFF].append(score)
        own = [grid for grid, (away, _) in zip(found, each, strict=True) if bent or away <= OFF]
        boards = [board for grid in boards_on(photo, own) if (board := board_at(photo, grid)) is not None]
        residuals += [residual(photo, board.placement, board.inside) for board in boards]
    right = [away for away in offs if away <= OFF] or [np.nan]
    return (
        f"{np.isfinite(right).sum()} of {len(seeds)} found, off by {np.median(right):.3f} (at most {max(right):.3f}); "
        f"explained {_range(explained[True])}, of others {_range(explained[False])}; "
        f"phases off by {_range(residuals)}; "
        f"{seconds / len(seeds):.2f} s of processor time each"
    )


def _range(scores: list[float]) -> str:
    least, middle, most = np.percentile(scores or [np.nan], (0, 50, 100))
    return f"{least:.3f} to {most:.3f} ({len(scores)}, median {middle:.3f})"


if __name__ == "__main__":
    main()
