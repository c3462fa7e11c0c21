"""``python -m benchmarks.solvers [WORD ...]``: the races whose title holds all the words, or all of them."""

import argparse
from importlib import import_module

from benchmarks.solvers.race import Race, run, table

MODULES = ("covers", "boards")
"""Modules of this package with a function ``races()``."""


def main() -> None:
    """Run and print."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.solvers", description=__doc__)
    options.add_argument("words", nargs="*", help="words of a race's title")
    options.add_argument("--turns", type=int, default=15, help="turns of each runner after the first (%(default)s)")
    options.add_argument("--patience", type=float, default=3.0, help="seconds for a runner (%(default)s)")
    given = options.parse_args()
    races: list[Race] = []
    for name in MODULES:
        races += import_module(f"benchmarks.solvers.{name}").races()
    print("processor time of a turn, median; 'first' is the first turn with all imports\n")
    for race in races:
        if all(word.lower() in race.title.lower() for word in given.words):
            print(table(race, run(race, turns=given.turns, patience=given.patience)), flush=True)
            print()


if __name__ == "__main__":
    main()
