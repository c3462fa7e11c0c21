"""Whether other light changes what is read: ``python -m benchmarks.shifted [SET…] [--count N] [--save DIR]``.

Each picture of a set of :mod:`benchmarks.sets` is solved as it is and as a phone might have taken it in another
light: by a warm lamp, in the shade, or with the white balance off. What is read and how it ended must be the same. The
kind of puzzle is named, since light is what matters here.
"""

import argparse
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import solvepic
from benchmarks import solving
from benchmarks.judging import judged
from benchmarks.sets import SETS, asked_sets, sample_of, seeds_of
from benchmarks.solving import SECONDS
from vision.pictures.photo import Picture

Light = Callable[[np.random.Generator], tuple[float, float, float]]

LIGHTS: dict[str, Light] = {
    "lamp": lambda rng: (rng.uniform(0.65, 0.9), rng.uniform(0.9, 1.0), rng.uniform(1.0, 1.1)),
    "shade": lambda rng: tuple(rng.uniform(0.55, 0.85) * np.array((rng.uniform(1.05, 1.2), 1.0, 0.95))),
    "balance": lambda rng: (rng.uniform(0.8, 1.15), rng.uniform(0.93, 1.05), rng.uniform(0.8, 1.15)),
}
"""By name, gains of blue, green and red: what a phone leaves of the colour of a lamp or the sky."""


def shifted(picture: Picture, light: str, rng: np.random.Generator) -> Picture:
    """The picture, ``uint8 (H, W, 3)`` BGR, in another light."""
    return np.asarray(np.clip(picture * np.array(LIGHTS[light](rng)), 0, 255), np.uint8)


def compared(name: str, seed: int, save: Path | None) -> tuple[str, str, str]:
    """The light, what became of the reading, and what was said in that light."""
    sample = sample_of(name, seed)
    rng = np.random.default_rng([seed, *b"light", *name.encode()])
    light = str(rng.choice(list(LIGHTS)))
    other = shifted(sample.picture, light, rng)
    outcomes = [
        solvepic.solve(picture, kind=sample.truth["kind"], time_limit=SECONDS) for picture in (sample.picture, other)
    ]
    before, after = (judged(solving.record_of(outcome), sample.truth) for outcome in outcomes)
    same = _result(outcomes[0]) == _result(outcomes[1])
    became = "same" if same else "wrong" if after == "wrong" else "lost" if before == "right" else "gained or other"
    if save and not same:
        replace(sample, picture=other).save(save, f"{name}-{seed}-{light}")
    return light, became, outcomes[1].message


def _result(outcome: Any) -> tuple[Any, ...]:
    """How it ended and, where it was solved, what had been read; the words of a refusal may differ."""
    solved = outcome.status is solvepic.Status.SOLVED
    return outcome.status, outcome.record()["puzzle"] if solved else None


def main() -> None:
    """Print what changed, and a line for each set."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shifted", description=(__doc__ or "").splitlines()[0])
    asked_sets(parser)
    asked = parser.parse_args()
    seeds = seeds_of(asked)
    for name in asked.sets or SETS:
        counts: Counter[str] = Counter()
        for seed in seeds:
            light, became, message = compared(name, seed, asked.save)
            counts[became] += 1
            if became != "same":
                print(f"  {name} {seed}, {light}: {became}: {message}", flush=True)
        changes = ", ".join(f"{became} {count}" for became, count in counts.most_common())
        print(f"{name}: {len(seeds)} pictures in another light: {changes}", flush=True)


if __name__ == "__main__":
    main()
