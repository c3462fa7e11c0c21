"""What borders add to what is told of places: ``python -m benchmarks.borders [SET…] [--count N] [--seed S]``.

The places on and round drawn boards are told cells or holes on their true lattices, by ``vision.boards.states`` alone
(exponent 0) and with their borders weighed at several exponents, from which ``vision.boards.borders.DEPENDENT`` is
chosen: how many places are told wrongly, of how many boards any, the log loss of the places of all boards but the
worst twentieth (where the light hides most of a board no exponent helps), and the mean time.
"""

import argparse
import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.sets import sample_of
from samples.lattice_windows import cells_of, lattice_of
from vision.boards.borders import DEPENDENT, SURE, weighed_by_borders
from vision.boards.states import BEYOND, SIDE_PX, log_odds
from vision.pictures.bending import regrown
from vision.pictures.flatten import flatten
from vision.pictures.photo import Photo, Picture

DEFAULT = (
    "holes-outlined", "holes-outlined-photos", "outlined-screens", "outlined-photos", "pages-screens", "pages-photos",
    "pages-whole", "stitch-game", "stitch-screens", "stitch-photos", "stitch-dotted",
)  # fmt: skip

EXPONENTS = tuple(sorted({0.0, 0.25, 0.4, 0.5, 0.6, 0.75, 1.0, DEPENDENT}))

WORST = 1 / 20


@dataclass(frozen=True, eq=False)
class Places:
    """The places on and round a board: their log odds ``(rows, cols)``, how they look, and which are cells."""

    odds: npt.NDArray[np.float64]
    flat: Picture
    cells: npt.NDArray[np.bool_]


def places(name: str, seed: int) -> Places:
    """Those of a drawn board, on its true lattice."""
    sample = sample_of(name, seed)
    photo, around = Photo(np.ascontiguousarray(sample.picture)), regrown(lattice_of(sample), (BEYOND,) * 4)
    return Places(log_odds(photo, around), flatten(photo, around, SIDE_PX), np.pad(cells_of(sample), BEYOND))


def main() -> None:
    """A line for each exponent."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", metavar="SET", default=DEFAULT)
    parser.add_argument("--count", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    seeds = range(asked.seed, asked.seed + asked.count)
    boards = [places(name, seed) for name in asked.sets for seed in seeds]
    print(f"{sum(np.isfinite(board.odds).sum() for board in boards)} places of {len(boards)} boards")
    for exponent in EXPONENTS:
        print(f"{exponent:.2f}: {report(boards, exponent)}")


def report(boards: list[Places], exponent: float) -> str:
    """What an exponent comes to, in words."""
    wrong, losses, began = [], [], time.perf_counter()
    weighed = [weighed_by_borders(board.odds, board.flat, exponent) for board in boards]
    seconds = (time.perf_counter() - began) / len(boards)
    for board, odds in zip(boards, weighed, strict=True):
        in_view = np.isfinite(board.odds)
        wrong.append(np.count_nonzero(((odds > 0) != board.cells) & in_view))
        rightly = np.where(board.cells, odds, -odds)[in_view]
        losses.append(float(np.logaddexp(0, -np.clip(rightly, -2 * SURE, 2 * SURE)).sum()))
    loss = sum(sorted(losses)[: round(len(losses) * (1 - WORST))])
    return (
        f"{sum(wrong)} places of {np.count_nonzero(wrong)} boards are wrong, log loss {loss:.0f} nats,"
        f" {1000 * seconds:.1f} ms"
    )


if __name__ == "__main__":
    main()
