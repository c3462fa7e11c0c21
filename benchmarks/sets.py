"""How many drawn pictures are read, set by set: ``python -m benchmarks.sets [SET…] [--count N] [--seed S] [--jobs J]``.

A *set* is pictures of one sort, drawn from seeds by :mod:`samples`, with their truth. Each picture is solved as the
command does it, the kind found out by itself, and counts as *right* when it is called solved and is what was drawn,
as *refused* when it is not called solved, and as *wrong* when it is called solved and is something else. Where only the
open part of a bent board was solved it counts as *part* when all of that is right and each filled patch that was left
alone is named, else as *wrong*. Of pictures that are no puzzle, or not all of one, to refuse is right.

Each set says how many must be right and how many may be wrong; where one falls short, its line says so and the command
exits with 1. Seeds that anyone has looked at are no longer fresh: without ``--seed`` new ones are taken, and told.

``--log`` keeps a line for each picture; pictures that are in it already are not solved again. ``--markdown`` prints the
rows of a table, as ``docs/measured.md`` has it.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import drawn
from benchmarks.judging import judged
from benchmarks.solving import solved
from benchmarks.stages import random_photo
from samples import other_games, region_phones, regions
from samples.sample import Sample

COUNT = 15
"""Pictures of each set where no count is given: all sets take ten minutes on two quiet processors."""


@dataclass(frozen=True)
class Set:
    """Pictures of one sort.

    Attributes:
        paint: what draws one.
        least: the share of pictures that must be right, 0..1.
        most_wrong: the share that may be wrong, 0..1.
    """

    paint: drawn.Draw
    least: float
    most_wrong: float = 0.0


SETS: dict[str, Set] = {
    "stitch-screens": Set(drawn.any_stitch(), 0.95),
    "stitch-game": Set(drawn.any_stitch(style="game", rows=14, cols=8), 0.95),
    "stitch-dotted": Set(drawn.any_stitch(style="dotted"), 0.95),
    "stitch-photos": Set(random_photo, 0.9),
    "stitch-sent": Set(drawn.sent_on(drawn.any_stitch()), 0.9),
    "stitch-hoop-open": Set(drawn.hoop(0.0), 0.85),
    "stitch-hoop-half": Set(drawn.hoop(0.5), 0.75),
    "stitch-hoop-photos": Set(drawn.photos_of(drawn.hoop(0.0)), 0.75),
    "stitch-hoop-half-photos": Set(drawn.photos_of(drawn.hoop(0.5)), 0.3),
    "outlined-screens": Set(drawn.outlined, 0.97),
    "outlined-photos": Set(drawn.photos_of(drawn.outlined), 0.92),
    "outlined-sent": Set(drawn.sent_on(drawn.irregular), 0.9),
    "pages-screens": Set(drawn.paged(), 0.97),
    "pages-photos": Set(drawn.photos_of(drawn.paged()), 0.92),
    "pages-whole": Set(drawn.paged(0.0), 0.95),
    "pages-whole-photos": Set(drawn.photos_of(drawn.paged(0.0)), 0.9),
    "holes-lined": Set(drawn.lined, 0.3),
    "holes-outlined": Set(drawn.pierced, 0.97),
    "holes-outlined-photos": Set(drawn.photos_of(drawn.pierced), 0.9),
    "beside": Set(drawn.beside, 0.9),
    "beside-photos": Set(drawn.photos_of(drawn.beside), 0.85),
    "cut-off": Set(drawn.cut(drawn.either), 1.0),
    "cut-along": Set(drawn.cut_along, 1.0),
    "cut-off-photos": Set(drawn.cut(drawn.photos_of(drawn.either)), 1.0),
    "wiped": Set(drawn.wiped, 1.0),
    "wiped-photos": Set(drawn.photos_of(drawn.wiped), 1.0),
    "regions-screens": Set(regions.draw, 0.95),
    "regions-captures": Set(regions.capture, 0.95),
    "regions-phones": Set(region_phones.sent, 0.95),
    "regions-photos": Set(drawn.photos_of(regions.draw), 0.85),
    "regions-cut-off": Set(drawn.cut(regions.draw), 1.0),
    "queens-screens": Set(drawn.chequered("queens"), 0.95),
    "knight-screens": Set(drawn.chequered("knight"), 0.95),
    "queens-photos": Set(drawn.chequered_photo("queens"), 0.6),
    "knight-photos": Set(drawn.chequered_photo("knight"), 0.6),
    "standing-photos": Set(drawn.standing_photo("queen", "knight"), 0.8, 0.05),
    "standing-others": Set(drawn.standing_photo("king", "bishop", "rook", "pawn"), 0.8, 0.2),
    "pyramid-photos": Set(drawn.ball_photo("pyramid"), 0.9),
    "kanoodle-photos": Set(drawn.ball_photo("kanoodle"), 0.9),
    "triazzle-flat": Set(drawn.tray, 0.95),
    "triazzle-photos": Set(drawn.tray_photo, 0.9),
    "no-board": Set(drawn.no_board, 1.0),
    "other-games": Set(other_games.random_sample, 1.0),
}
"""By name. What is right of boards that are wiped, cut off or none is that they are refused."""


def sample_of(name: str, seed: int) -> Sample:
    """The picture of a set that a seed draws, with its truth."""
    return SETS[name].paint(drawn.rng_of(name, seed))


def became(name: str, seed: int, save: Path | None = None) -> dict[str, Any]:
    """What became of a picture: the judgement, the message, seconds of processor time; kept where it is not right."""
    sample = sample_of(name, seed)
    record = solved(sample.picture)
    judgement = judged(record, sample.truth)
    if save and judgement != "right":
        sample.save(save, f"{name}-{seed}")
    return {
        "set": name,
        "seed": seed,
        "is": judgement,
        "seconds": round(record["spent"], 2),
        "message": record["message"],
    }


def measured(name: str, seeds: Sequence[int], pool: ProcessPoolExecutor, log: Path | None, save: Path | None) -> Any:
    """What became of each, as it comes to an end; what the log knows already first."""
    lines = log.read_text().splitlines() if log and log.exists() else []
    known = {record["seed"]: record for record in map(json.loads, lines) if record["set"] == name}
    yield from (known[seed] for seed in seeds if seed in known)
    left = [seed for seed in seeds if seed not in known]
    for record in pool.map(became, [name] * len(left), left, [save] * len(left)):
        if log:
            with log.open("a") as file:
                file.write(json.dumps(record) + "\n")
        yield record


def asked_sets(parser: argparse.ArgumentParser) -> None:
    """Add what every command asks that runs over sets: which, how many, from which seed."""
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)} (default: all)")
    parser.add_argument("--count", type=int, default=COUNT, help=f"pictures of each set (default: {COUNT})")
    parser.add_argument("--seed", type=int, help="of the first picture (default: fresh ones)")
    parser.add_argument("--save", type=Path, help="folder for the pictures that are not right, or differ")


def asked_jobs(parser: argparse.ArgumentParser) -> None:
    """Add how many pictures to work on at a time."""
    parser.add_argument("--jobs", type=int, default=2, help="pictures at a time (default: 2)")


def seeds_of(asked: argparse.Namespace) -> range:
    """The seeds that are asked for; fresh ones are those of this minute."""
    unknown = sorted(set(asked.sets) - set(SETS))
    if unknown:
        raise SystemExit(f"there is no set called {', '.join(unknown)}; there are {', '.join(SETS)}")
    first = int(time.time()) // 60 * 1000 % 10**9 if asked.seed is None else asked.seed
    print(f"seeds {first} to {first + asked.count - 1}", flush=True)
    return range(first, first + asked.count)


def workers(jobs: int) -> ProcessPoolExecutor:
    """Processes that share nothing with this one."""
    return ProcessPoolExecutor(jobs, get_context("spawn"))


def main() -> None:
    """Print what failed, and a line for each set."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sets", description=(__doc__ or "").splitlines()[0])
    asked_sets(parser)
    asked_jobs(parser)
    parser.add_argument("--log", type=Path, help="keep a line for each picture here, and skip what is there already")
    parser.add_argument("--markdown", action="store_true", help="print a table's rows")
    asked = parser.parse_args()
    seeds, began = seeds_of(asked), time.perf_counter()
    short = []
    if asked.markdown:
        print("| set | pictures | right | refused | wrong |\n|---|---|---|---|---|")
    with workers(asked.jobs) as pool:
        for name in asked.sets or SETS:
            records = list(_reported(measured(name, seeds, pool, asked.log, asked.save)))
            line, enough = _summary(name, records)
            print(_row(name, records) if asked.markdown else line, flush=True)
            short += [] if enough else [name]
    print(
        f"{time.perf_counter() - began:.0f} s; " + (f"below the bar: {', '.join(short)}" if short else "all bars held")
    )
    raise SystemExit(1 if short else 0)


def _reported(records: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The records, those that are not right printed."""
    for record in records:
        if record["is"] != "right":
            print(f"  {record['set']} {record['seed']}: {record['is']}: {record['message']}", flush=True)
        yield record


def _row(name: str, records: Sequence[dict[str, Any]]) -> str:
    """A row of a table in Markdown on a set."""
    counts = Counter(record["is"] for record in records)
    cells = (f"`{name}`", len(records), counts["right"], counts["refused"] + counts["part"], counts["wrong"])
    return f"| {' | '.join(map(str, cells))} |"


def _summary(name: str, records: Sequence[dict[str, Any]]) -> tuple[str, bool]:
    """A line on a set, and whether its bar holds."""
    counts = Counter(record["is"] for record in records)
    seconds = np.array([record["seconds"] for record in records])
    least, most = int(SETS[name].least * len(records)), int(SETS[name].most_wrong * len(records))
    enough = counts["right"] >= least and counts["wrong"] + counts["failed"] <= most
    others = "".join(f", {count} {what}" for what in ("part", "failed") if (count := counts[what]))
    line = (
        f"{name:<20} {counts['right']:>3} of {len(records)} right (at least {least}), {counts['refused']} refused,"
        f" {counts['wrong']} wrong (at most {most}){others};"
        f" processor time {np.median(seconds):.2f} s each, at most {seconds.max():.2f}"
    )
    return line + ("" if enough else "  BELOW"), enough


if __name__ == "__main__":
    main()
