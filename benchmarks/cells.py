"""How surely and how rightly the network reads single cells: ``python -m benchmarks.cells [PICTURES…] [--sets SET…]``.

The cells of labelled pictures (each with its truth in a JSON file beside it) and of drawn ones are cut out where the
truth says that they lie, and what the network says of each is compared with what stands there. Prints, for each
probability, of how many cells something is said at least so surely and how often rightly, and what is wrong of the
surest; boards that are bent, and pictures of other games, are left out.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.sets import SETS, sample_of
from vision.cells import reader
from vision.cells.reader import MARKS, Mark
from vision.pictures.loading import load
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement

SAID = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)

CERTAIN = 0.95
"""From here on a wrong cell is told one by one."""

BADGES: tuple[Mark, ...] = ("square", "tall", "wide", "any")

Truth = dict[str, Any]


class Cell(NamedTuple):
    """A cell of a picture: which board's, where, what is said of it and how surely, and whether that is right."""

    board: str
    place: tuple[int, int]
    said: Mark
    sure: float
    right: bool
    marked: bool


def expected(truth: Truth) -> dict[tuple[int, int], tuple[Mark, ...]]:
    """What may rightly be said of each cell of a board; nothing of what is no board here or no cell of it."""
    if truth.get("bent") or truth["kind"] not in {"stitch", "queens", "knight"}:
        return {}
    if truth["kind"] == "stitch":
        return {
            (r, c): reader.NOTHING if clue == 0 else ("blank", *BADGES) if clue < 0 else ("number", *BADGES)
            for r, row in enumerate(truth["clues"])
            for c, clue in enumerate(row)
            if clue is not None
        }
    queens, start = truth.get("queens") or [], [truth["start"]] if truth["kind"] == "knight" else []
    marked: dict[tuple[int, ...], Mark] = dict.fromkeys(map(tuple, queens), "queen")
    marked |= dict.fromkeys(map(tuple, start), "knight")
    return {cell: (marked[cell],) if cell in marked else reader.NOTHING for cell in np.ndindex(*_shape(truth))}


def _shape(truth: Truth) -> tuple[int, int]:
    """Rows and columns of a board."""
    return truth.get("n") or truth["rows"], truth.get("n") or truth["cols"]


def cells(board: str, photo: Photo, truth: Truth) -> Iterator[Cell]:
    """The cells of a picture."""
    wanted = expected(truth)
    if not wanted:
        return
    rows, cols = _shape(truth)
    likely = reader.read(photo, FlatPlacement.from_corners(np.array(truth["corners"]), (cols, rows))).likely
    for place, may_be in wanted.items():
        each = likely[place]
        said = MARKS[int(each.argmax())]
        # A cell without a mark of the puzzle is either bare or noted on, and a badge of one shape or another.
        alike = may_be if said in may_be else (said,)
        sure = sum(float(each[MARKS.index(mark)]) for mark in alike)
        yield Cell(board, place, said, sure, said in may_be, may_be != reader.NOTHING)


def report(found: list[Cell]) -> str:
    """The table, and what is wrong of the surest."""
    sure, right = np.array([cell.sure for cell in found]), np.array([cell.right for cell in found])
    lines = [f"{len(found)} cells of {len({cell.board for cell in found})} boards"]
    for least in SAID:
        said = sure >= least
        lines.append(f"  said with {least:.2f}: {said.mean():.4f} of them, {right[said].mean():.5f} right")
    wrong = [cell for cell in found if not cell.right and cell.sure >= CERTAIN]
    unseen = sum(cell.marked and cell.said == "empty" for cell in wrong)
    lines.append(f"  wrong at {CERTAIN}: on {len({cell.board for cell in wrong})} boards; marks called empty: {unseen}")
    lines += [f"    {cell.board} {cell.place}: {cell.said} {cell.sure:.3f}" for cell in wrong]
    return "\n".join(lines)


def main() -> None:
    """Read, compare, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cells", description="how cells are read")
    parser.add_argument("pictures", nargs="*", type=Path, metavar="PICTURE")
    parser.add_argument("--sets", nargs="*", default=[], choices=list(SETS), metavar="SET")
    parser.add_argument("--count", type=int, default=10, help="pictures of each set (default: 10)")
    parser.add_argument("--seed", type=int, default=0, help="of the first picture")
    asked = parser.parse_args()
    labelled = [
        cell
        for path in asked.pictures
        for cell in cells(path.name, load(path).photo, json.loads(path.with_suffix(".json").read_text()))
    ]
    if labelled:
        print("labelled:", report(labelled))
    for name in asked.sets:
        samples = [(seed, sample_of(name, seed)) for seed in range(asked.seed, asked.seed + asked.count)]
        drawn = [cell for k, one in samples for cell in cells(f"{name} {k}", Photo(one.picture), one.truth)]
        print(f"{name}:", report(drawn), flush=True)


if __name__ == "__main__":
    main()
