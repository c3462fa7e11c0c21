"""Old and new code on the same pictures: ``python -m benchmarks.paired --old CHECKOUT [SET…] [--count N] [--seed S]``.

Each picture is drawn once, by the code here, and handed to both, each in a process of its own with its own checkout on
its path. Only the packages beside them are shared. Pairs that came out differently are printed, and saved with
``--save``; then a line for each set and the sum. See :mod:`benchmarks.sets` for what the sets are and what the words
mean.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks import solving
from benchmarks.judging import judged
from benchmarks.sets import SETS, asked_jobs, asked_sets, sample_of, seeds_of, workers

NEW = Path(__file__).resolve().parents[1]
"""The checkout that this file belongs to."""


class Pair(NamedTuple):
    """What became of a picture with the old code and with the new: judgements, messages, seconds of processor time."""

    seed: int
    judgements: tuple[str, str]
    messages: tuple[str, str]
    seconds: tuple[float, float]


class Solver:
    """A process that solves pictures with the code of a checkout."""

    def __init__(self, checkout: Path) -> None:
        """Start it; raises SystemExit where other code than that would answer."""
        # -P keeps the folder of the script off the path: it has modules called like those of the checkout.
        self._process = subprocess.Popen(
            [sys.executable, "-P", solving.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(checkout)},
        )
        answering = Path(self._answer())
        if not answering.is_relative_to(checkout):
            self.close()
            raise SystemExit(f"{checkout} holds no solvepic: {answering} would answer in its place")

    def __call__(self, picture: Path) -> solving.Record:
        """The record of a picture that was saved as an array."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{picture}\n")
        self._process.stdin.flush()
        record: solving.Record = self._answer()
        return record

    def close(self) -> None:
        """End the process."""
        self._process.communicate()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"the solver ended with status {self._process.wait()}")
        return json.loads(line)


@cache
def solvers(old: Path) -> tuple[Solver, Solver]:
    """The old and the new solver of this process."""
    return Solver(old), Solver(NEW)


def paired(name: str, seed: int, old: Path, save: Path | None) -> Pair:
    """Both on the picture of a seed."""
    sample = sample_of(name, seed)
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "picture.npy"
        np.save(picture, sample.picture)
        was, now = (solver(picture) for solver in solvers(old))
    judgements = judged(was, sample.truth), judged(now, sample.truth)
    if save and len(set(judgements)) > 1:
        sample.save(save, f"{name}-{seed}-{judgements[0]}-{judgements[1]}")
    return Pair(seed, judgements, (was["message"], now["message"]), (was["spent"], now["spent"]))


def summary(name: str, pairs: Sequence[Pair]) -> str:
    """A line on the pairs of a set."""
    counts = [Counter(pair.judgements[k] for pair in pairs) for k in (0, 1)]
    changes = Counter(f"{was} -> {now}" for was, now in (pair.judgements for pair in pairs) if was != now)
    changed = ", ".join(f"{count} {change}" for change, count in changes.most_common()) or "no pair differs"
    right, wrong = ([count[what] for count in counts] for what in ("right", "wrong"))
    old, new = np.median([pair.seconds for pair in pairs], axis=0)
    return (
        f"{name:<20} {len(pairs)} pictures: right {right[0]} -> {right[1]}, wrong {wrong[0]} -> {wrong[1]}; {changed};"
        f" processor time {old:.2f} -> {new:.2f} s"
    )


def main() -> None:
    """Print the pairs that differ and a line for each set."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paired", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--old", type=Path, required=True, help="the checkout of the old code")
    asked_sets(parser)
    asked_jobs(parser)
    asked = parser.parse_args()
    seeds, everything = seeds_of(asked), []
    with workers(asked.jobs) as pool:
        for name in asked.sets or SETS:
            n, pairs = len(seeds), []
            for pair in pool.map(paired, [name] * n, seeds, [asked.old.resolve()] * n, [asked.save] * n):
                pairs.append(pair)
                if pair.judgements[0] != pair.judgements[1]:
                    print(f"  {name} {pair.seed}: {' -> '.join(pair.judgements)}: {' -> '.join(pair.messages)}")
            print(summary(name, pairs), flush=True)
            everything += pairs
    print(summary("all", everything))


if __name__ == "__main__":
    main()
