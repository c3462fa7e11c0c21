"""What each stage of reading a Stitch photo achieves: ``python -m benchmarks.stages [--count N] [--seed S]``.

Drawn photos of pages and screens, with their truth. Each stage is given what the one before should have handed it, so
that its figure is its own:

- *find*: the board's rows and columns are right and its corners lie within a third of a cell;
- *mesh*: how far the corners of cells lie from the truth there, in cells;
- *digits*: clues read right, of those on the board, and read wrong with a confidence of 0.9 or more;
- *repair*: boards put right when a clue or two are planted wrong or left out, and boards put wrong; those doubted are
  *left open* where other clues would give the board one answer as well, which no rule tells apart;
- *whole*: pictures solved right and wrong, and the processor time of each.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, islice

import numpy as np
import numpy.typing as npt

from samples import phone, stitch
from samples.camera import photograph, random_shot
from samples.sample import Sample
from solvepic.outcome import Status
from solvepic.pipeline import solve
from solvers.board import Cell
from solvers.budget import Budget
from solvers.stitch import UNKNOWN, Stitch, answers_among, areas_possible, numbers
from vision.boards.phases import lattices
from vision.clues.beliefs import NO_CLUE, Belief
from vision.clues.ink import crops
from vision.clues.repair import settle
from vision.numbers.digits import digit_reader
from vision.pictures.bending import rotated
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement, box_corners

Points = npt.NDArray[np.float64]

Clues = Sequence[Sequence[int | None]]
"""Rows of a board as in :class:`solvers.stitch.Stitch`."""

NEAR = 1 / 3
"""A corner is found when it is no further off, in cells."""

SURE = 0.9
"""A number that is wrong with this confidence counts as misread."""

PAGES = ("light", "light", "tiles", "patches", "linen")
"""Looks of boards on paper; screens show any."""

PHOTO_WH = (1600, 1200)

MOST_ANSWERS = 1000
"""Answers looked at for each choice of which planted cells carry a clue; few boards have as many."""


def a_board(seed: int) -> Sample:
    """A page or a screen with a board, as it is drawn; ``truth["mesh"]["all"]`` are the crossings of its lines, row by
    row.
    """
    return _drawn(np.random.default_rng([4, seed]))[0]


def photo_of_a_board(seed: int, photo_wh: tuple[int, int] = PHOTO_WH) -> Sample:
    """A photo of such a page or screen as people take them."""
    return random_photo(np.random.default_rng([4, seed]), photo_wh)


def random_photo(rng: np.random.Generator, photo_wh: tuple[int, int] = PHOTO_WH) -> Sample:
    """The same from any source of chance."""
    drawn, screen = _drawn(rng)
    return photograph(drawn, random_shot(rng, photo_wh, screen=screen), rng)


def _drawn(rng: np.random.Generator) -> tuple[Sample, bool]:
    """A board on a page or a screen, and whether it is a screen."""
    screen = bool(rng.random() < 0.5)
    devices = [name for name in phone.DEVICES if name != "bare"]
    if screen:
        board = stitch.draw(rng, device=str(rng.choice(devices)))
    else:
        board = stitch.draw(rng, style=str(rng.choice(PAGES)), device="bare")
    rows, cols = board.truth["rows"], board.truth["cols"]
    crossings = FlatPlacement.from_corners(board.truth["corners"], (cols, rows)).to_photo(_lattice(rows, cols))
    return Sample(board.picture, {**board.truth, "mesh": {"all": crossings.tolist()}}), screen


def _lattice(rows: int, cols: int) -> Points:
    """The crossings of a board's lines in board units."""
    y, x = np.indices((rows + 1, cols + 1))
    return np.column_stack([x.ravel(), y.ravel()]).astype(np.float64)


def _side(truth: dict[str, object]) -> float:
    """A cell's side in pixels, about."""
    corners = np.array(truth["corners"])
    around = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).sum()
    return float(around) / 2 / (int(str(truth["rows"])) + int(str(truth["cols"])))


def found(sample: Sample) -> Placement | None:
    """The lattice that is seen best where it is the board's, laid as the board lies; else None. Which side is up, a
    finder does not know.
    """
    corners, size = np.array(sample.truth["corners"]), (sample.truth["cols"], sample.truth["rows"])
    for grid in lattices(Photo(sample.picture))[:1]:
        for placed in (rotated(grid, quarters) for quarters in range(4)):
            if placed.size == size and np.abs(box_corners(placed) - corners).max() <= NEAR * _side(sample.truth):
                return placed
    return None


def mesh_error(sample: Sample, placement: Placement) -> float:
    """The mean distance of the crossings from the truth, in cells."""
    places = placement.to_photo(_lattice(sample.truth["rows"], sample.truth["cols"]))
    off = np.linalg.norm(places - np.array(sample.truth["mesh"]["all"]), axis=1).mean()
    return float(off / _side(sample.truth))


def digits(sample: Sample) -> Counter[str]:
    """How the numbers of the clues are read where they stand."""
    clues = sample.truth["clues"]
    cells = [(r, c) for r, row in enumerate(clues) for c, clue in enumerate(row) if clue and clue > 0]
    size = (sample.truth["cols"], sample.truth["rows"])
    placement = FlatPlacement.from_corners(sample.truth["corners"], size)
    guesses = digit_reader()(crops(Photo(sample.picture), placement, cells))
    counts: Counter[str] = Counter()
    for (r, c), guess in zip(cells, guesses, strict=True):
        right = guess.text == str(clues[r][c])
        counts["right" if right else "misread" if guess.text and guess.confidence >= SURE else "doubtful"] += 1
    return counts


def repaired(sample: Sample, rng: np.random.Generator) -> str:
    """What becomes of the board's clues when a reader errs in one or two of them, and is not sure of those."""
    clues = sample.truth["clues"]
    planted = planted_errors(sample, rng)
    if not planted:
        return "left out"
    beliefs = [planted.get(cell) or Belief(cell, ((clue, 0.97),)) for cell, clue in _given(clues).items()]
    blank = Stitch(tuple(tuple(None if clue is None else 0 for clue in row) for row in clues))
    settled = settle(blank, beliefs, Budget(seconds=60))
    if settled.doubts:
        return "left open" if open_by_the_rules(clues, list(planted)) else "doubted"
    return "right" if [list(row) for row in settled.puzzle.clues] == clues else "wrong"


def planted_errors(sample: Sample, rng: np.random.Generator) -> dict[Cell, Belief]:
    """One or two clues of a board as a reader might misread or miss them; none on boards that are no measure."""
    given = _given(sample.truth["clues"])
    if not sample.truth["unique"] or UNKNOWN in given.values():
        return {}
    cells = sorted(given)
    planted: dict[Cell, Belief] = {}
    for index in rng.choice(len(cells), size=int(rng.integers(1, 3)), replace=False):
        cell, truth = cells[int(index)], given[cells[int(index)]]
        missed = rng.random() < 0.5
        other = int(rng.choice([number for number in range(1, 13) if number != truth]))
        planted[cell] = Belief(cell, ((NO_CLUE, 0.5),), 0.5) if missed else Belief(cell, ((other, 0.6), (truth, 0.25)))
    return planted


def _given(clues: Clues) -> dict[Cell, int]:
    """The clues of a board by their cells."""
    return {(r, c): clue for r, row in enumerate(clues) for c, clue in enumerate(row) if clue}


def open_by_the_rules(clues: Clues, cells: Sequence[Cell]) -> bool:
    """Whether other numbers on these cells, or none, would give the board exactly one answer as well: then the rules
    do not tell what stands there.
    """
    for count in range(len(cells) + 1):
        for carrying in combinations(cells, count):
            rows = [list(row) for row in clues]
            for row, col in cells:
                rows[row][col] = UNKNOWN if (row, col) in carrying else 0
            board = Stitch(tuple(map(tuple, rows)))
            if not board.clue_cells:
                continue
            areas = areas_possible(board)
            found = answers_among(board, {cell: areas[cell] for cell in carrying}, Budget())
            sets = Counter(tuple(numbers(answer)[cell] for cell in carrying) for answer in islice(found, MOST_ANSWERS))
            sets.pop(tuple(clues[row][col] or 0 for row, col in carrying) if count == len(cells) else (), None)
            if 1 in sets.values():
                return True
    return False


def whole(sample: Sample) -> tuple[str, float]:
    """How the picture as a whole comes out, and the seconds of processor time."""
    began = time.process_time()
    outcome = solve(sample.picture, kind="stitch", time_limit=60.0)
    spent = time.process_time() - began
    if outcome.status is not Status.SOLVED or outcome.reading is None:
        return "refused", spent
    same = [list(row) for row in outcome.reading.puzzle.clues] == sample.truth["clues"]
    return "right" if same else "wrong", spent


def main() -> None:
    """Print a line for each stage."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stages", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=20, help="photos")
    parser.add_argument("--seed", type=int, default=0, help="of the first one")
    asked = parser.parse_args()
    rng = np.random.default_rng(asked.seed)
    finds, clues, repairs, wholes = Counter[bool](), Counter[str](), Counter[str](), Counter[str]()
    errors, seconds = [], []
    for seed in range(asked.seed, asked.seed + asked.count):
        sample = photo_of_a_board(seed)
        placed = found(sample)
        finds[placed is not None] += 1
        errors.append(float("inf") if placed is None else mesh_error(sample, placed))
        clues += digits(sample)
        repairs[repaired(sample, rng)] += 1
        result, spent = whole(sample)
        wholes[result] += 1
        seconds.append(spent)
    print(f"{asked.count} photos of {PHOTO_WH[0]} x {PHOTO_WH[1]}, seeds {asked.seed} to {seed}")
    print(f"find     {finds[True]} right")
    lost = sum(np.isinf(errors))
    print(f"mesh     {np.median(errors):.3f} cells off in the median, {lost} boards with other rows or columns")
    print(f"digits   {dict(clues)}")
    print(f"repair   {dict(repairs)}")
    print(f"whole    {dict(wholes)}, {np.median(seconds):.2f} s of processor time in the median")


if __name__ == "__main__":
    main()
