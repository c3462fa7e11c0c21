"""What refusals say and cost, and time limits: ``python -m benchmarks.refusals NOTHING… --boards PICTURES…``.

NOTHING are pictures, or folders of them, that show no board of ours; those of ``--boards`` show one. Each is solved in
this process. What is told of the first is counted; the seconds of processor time of those that are refused are compared
with those of the others that are solved. Then ``--count`` of both, and of drawn ones where there are not as many, are
given a second, two and five, and elapsed time is compared with that. A photo of 12 megapixels without a board is the
last. The bars are those that the lines name.
"""

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

import solvepic
from benchmarks.solving import LIMIT
from benchmarks.stages import random_photo
from samples import other_games
from samples.camera import photograph, random_shot
from solvepic.outcome import Cause, Outcome, Status
from vision.pictures.loading import SUFFIXES, load
from vision.pictures.photo import Picture

RECOGNISED, TIMES = 0.9, 3.0
"""The bars: the part of the pictures without a board of which that is told, and the median refusal in answers."""

LIMITS_S = (1.0, 2.0, 5.0)
"""Time limits that are tried."""

OVER, OVER_S = 1.2, 0.3
"""So many times the limit, or so many seconds more, whichever is later, is in time."""

PHOTO_WH, PHOTO_S, PHOTOS = (4000, 3000), 3.0, 4
"""Size of a photo of 12 megapixels, the seconds that refusing one may take, and how many are drawn."""


def spent(picture: Path | Picture, limit: float | None = None) -> tuple[Outcome, float, float]:
    """What comes of a picture, with the seconds of processor time and those that passed."""
    began = time.process_time(), time.perf_counter()
    outcome = solvepic.solve(picture, **(LIMIT if limit is None else {"time_limit": limit}))
    return outcome, time.process_time() - began[0], time.perf_counter() - began[1]


def is_recognised(outcome: Outcome) -> bool:
    """Whether it is said that there is no board, or one of another game."""
    return outcome.cause in (Cause.NO_BOARD, Cause.ANOTHER_GAME)


def pictures_in(places: Sequence[Path]) -> list[Path]:
    """The picture files among files and in folders."""
    files = [file for place in places for file in (sorted(place.rglob("*")) if place.is_dir() else [place])]
    return [file for file in files if file.suffix.lower() in SUFFIXES]


def _table(nothing: Sequence[Path], boards: Sequence[Path]) -> None:
    refusals, answers, causes = [], [], Counter[str]()
    for path in nothing:
        outcome, seconds, _ = spent(path)
        causes[outcome.cause.value if outcome.cause else outcome.status.value] += 1
        refusals += [seconds] * (outcome.status is not Status.SOLVED)
        if not is_recognised(outcome):
            print(f"  {path.name}: {outcome.message}", flush=True)
    for path in boards:
        outcome, seconds, _ = spent(path)
        answers += [seconds] * (outcome.status is Status.SOLVED)
    count = causes[Cause.NO_BOARD.value] + causes[Cause.ANOTHER_GAME.value]
    print(f"{len(nothing)} without a board: {dict(causes)}; solved {causes['solved']} (bar: 0)")
    print(f"told so: {count}, {count / len(nothing):.0%} (bar: {RECOGNISED:.0%})")
    if answers:
        refusal, answer = statistics.median(refusals), statistics.median(answers)
        print(f"median refusal {refusal:.2f} s, the slowest {max(refusals):.2f} s; median answer {answer:.2f} s of "
              f"{len(answers)}: {refusal / answer:.1f} times (bar: {TIMES:g})", flush=True)  # fmt: skip


def _in_time(name: str, pictures: Sequence[Path | Picture]) -> None:
    for limit in LIMITS_S:
        ends = [spent(picture, limit) for picture in pictures]
        most = max(elapsed for _, _, elapsed in ends)
        late = sum(elapsed > max(OVER * limit, limit + OVER_S) for _, _, elapsed in ends)
        out = sum(outcome.status is Status.TIMEOUT for outcome, _, _ in ends)
        print(f"{name}, {len(ends)} with {limit:g} s: {out} ran out of time, the longest took {most:.2f} s, "
              f"{late} too long (bar: 0)", flush=True)  # fmt: skip


def without_board(seed: int) -> Picture:
    """A photo of 12 megapixels of another game."""
    rng = np.random.default_rng([seed, 12])
    sample = other_games.draw(rng, str(rng.choice(list(other_games.GAMES))))
    taken = photograph(sample, random_shot(rng, (2000, 1500)), rng).picture
    return np.asarray(cv2.resize(taken, PHOTO_WH, interpolation=cv2.INTER_CUBIC), np.uint8)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.refusals", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("nothing", nargs="*", type=Path, metavar="NOTHING", help="pictures without a board, or folders")
    parser.add_argument("--boards", nargs="+", type=Path, default=[], help="pictures with one, or folders of them")
    parser.add_argument("--count", type=int, default=20, help="pictures of each sort that get a time limit")
    parser.add_argument("--seed", type=int, default=0, help="of the first that is drawn")
    asked = parser.parse_args()
    nothing, boards = pictures_in(asked.nothing), pictures_in(asked.boards)
    if nothing:
        _table(nothing, boards)
    seeds = range(asked.seed, asked.seed + asked.count)
    # Evenly from all that is there: the folders hold one sort each.
    chosen = nothing[:: max(1, len(nothing) // asked.count)][: asked.count] if asked.count else []
    drawn = [other_games.random_sample(np.random.default_rng(seed)).picture for seed in seeds[len(chosen) :]]
    _in_time("no board", [*(load(path).photo.bgr for path in chosen), *drawn])
    _in_time("photos", [random_photo(np.random.default_rng(seed)).picture for seed in seeds])
    large = [spent(without_board(seed))[1:] for seed in range(asked.seed, asked.seed + PHOTOS)]
    cpu, elapsed = np.max(large, axis=0)
    print(f"{PHOTOS} photos of 12 megapixels without a board: at most {cpu:.2f} s of processor time, {elapsed:.2f} s "
          f"elapsed (bar: {PHOTO_S:g} s)")  # fmt: skip


if __name__ == "__main__":
    main()
