"""How many drawn pictures are read: ``python -m benchmarks.readings SET… [--seeds 0-199] [--log FILE] [--save DIR]``.

A *set* is pictures of one sort, drawn from seeds by :mod:`samples`, with their truth. Each picture is solved as the
command does it, the kind found out by itself, and counts as *right* when it is called solved and is what was drawn,
as *refused* when it is not called solved, and as *wrong* when it is called solved and is something else. Where only the
open part of a bent board was solved it counts as *part* when all of that is right and each filled patch that was left
alone is named, else as *wrong*. The figures of ``docs/measured.md`` come from here. Seeds that anyone has looked at are
no longer fresh: choose new ones.

``--log`` keeps a line for each picture; pictures that are in it already are not solved again.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import solvepic
from benchmarks.open_parts import open_part_is_right
from benchmarks.stages import photo_of_a_board
from samples import balls, chess, pages, region_phones, regions, standing, stitch, triazzle
from samples.camera import photograph, random_shot
from samples.captures import cut_off
from samples.puzzles.outlines import FORMS
from samples.sample import Sample
from solvepic.outcome import Outcome, Status
from solvers import triazzle as rules
from solvers.ball_trays import EMPTY
from vision.clues.upside_down import upside_down
from vision.trays.slots import CORNERS

PHOTO_WH = (1600, 1200)

SECONDS = 120.0
"""The time limit: wide, so that a busy machine does not count against the reading."""


def _rng(name: str, seed: int) -> np.random.Generator:
    return np.random.default_rng([seed, *name.encode()])


def _stitch(name: str, **given: Any) -> Callable[[int], Sample]:
    return lambda seed: stitch.draw(_rng(name, seed), **given)


def _hoop(name: str, filled: float) -> Callable[[int], Sample]:
    def drawn(seed: int) -> Sample:
        rng = _rng(name, seed)
        rows, cols = (int(side) for side in rng.integers(6, 10, 2))
        holes = int(rng.integers(rows * cols // 8, rows * cols // 3))
        return stitch.draw(rng, look="game", rows=rows, cols=cols, filled=filled, holes=holes, bend=1.0)

    return drawn


Draw = Callable[[np.random.Generator], Sample]


def _irregular(name: str, draw: Draw, *, photo: bool = False, cut: bool = False) -> Callable[[int], Sample]:
    """Straight boards with stepped outlines and holes: as they are, photographed, cut off by the picture's edge."""

    def drawn(seed: int) -> Sample:
        rng = _rng(name, seed)
        sample = draw(rng)
        if photo:
            sample = photograph(sample, random_shot(rng, PHOTO_WH), rng)
        return cut_off(rng, sample) if cut else sample

    return drawn


def _outlined(rng: np.random.Generator, **given: Any) -> Sample:
    """One of any look by :mod:`samples.stitch`."""
    rows, cols = int(rng.integers(5, 15)), int(rng.integers(5, 11))
    holes = round(rows * cols * rng.uniform(0.05, 0.4))
    form = FORMS[int(rng.integers(1, len(FORMS)))]
    look = "dotted" if rng.random() < 0.06 else None
    beside = bool(rng.random() < 0.3)
    return stitch.draw(rng, look=look, rows=rows, cols=cols, holes=holes, form=form, beside=beside, **given)


def _paged(rng: np.random.Generator, **given: Any) -> Sample:
    """One of any look by :mod:`samples.pages`."""
    return pages.draw(rng, **given)


def _beside(rng: np.random.Generator) -> Sample:
    """A whole or irregular board with things as large as cells near it, by either generator."""
    whole = bool(rng.random() < 0.5)
    if rng.random() < 0.5:
        return pages.draw(rng, missing=0.0 if whole else None, furnished=1.0)
    return stitch.draw(rng, form="stepped", holes=0 if whole else int(rng.integers(1, 6)), beside=True)


def _wiped(rng: np.random.Generator) -> Sample:
    """A board one of whose clues is not there, by either generator, whole or irregular."""
    whole = bool(rng.random() < 0.5)
    if rng.random() < 0.5:
        return pages.draw(rng, missing=0.0 if whole else None, wiped=True)
    return stitch.draw(rng, rows=9, cols=8, form="mixed", holes=0 if whole else 12, wiped=True)


def _either(rng: np.random.Generator) -> Sample:
    """An irregular or whole board by either generator."""
    if rng.random() < 0.5:
        return pages.draw(rng, missing=0.0 if rng.random() < 0.5 else None)
    return _outlined(rng) if rng.random() < 0.5 else stitch.draw(rng)


def _chequered(name: str, kind: str) -> Callable[[int], Sample]:
    def drawn(seed: int) -> Sample:
        rng = _rng(name, seed)
        return chess.draw(rng, chess.random_scene(rng, kind))

    return drawn


def _chequered_photo(name: str, kind: str) -> Callable[[int], Sample]:
    """Photos of diagrams, half of them on paper and half on screens."""

    def drawn(seed: int) -> Sample:
        rng = _rng(name, seed)
        screen = bool(rng.random() < 0.5)
        scene = chess.random_scene(rng, kind)
        if not screen:
            scene = replace(scene, theme=str(rng.choice(["print", "blue", "brown"])), device="bare")
        return photograph(chess.draw(rng, scene), random_shot(rng, PHOTO_WH, screen=screen), rng)

    return drawn


def _balls(name: str, board: str) -> Callable[[int], Sample]:
    def drawn(seed: int) -> Sample:
        rng = _rng(name, seed)
        return photograph(balls.random_sample(rng, board), random_shot(rng, PHOTO_WH), rng)

    return drawn


def _tray(name: str, photo: bool) -> Callable[[int], Sample]:
    def drawn(seed: int) -> Sample:
        rng = _rng(name, seed)
        style = triazzle.random_style(rng)
        sample = triazzle.render(triazzle.random_puzzle(rng, style.match, style.symbols), style, rng)
        return photograph(sample, random_shot(rng, PHOTO_WH, hardness=0.7), rng) if photo else sample

    return drawn


def _standing(name: str, *pieces: str) -> Callable[[int], Sample]:
    return lambda seed: standing.random_sample(_rng(name, seed), pieces)


SETS: dict[str, Callable[[int], Sample]] = {
    "stitch-screens": _stitch("stitch-screens"),
    "stitch-game": _stitch("stitch-game", look="game", rows=14, cols=8),
    "stitch-dotted": _stitch("stitch-dotted", look="dotted"),
    "stitch-photos": photo_of_a_board,
    "stitch-hoop-open": _hoop("stitch-hoop-open", 0.0),
    "stitch-hoop-half": _hoop("stitch-hoop-half", 0.5),
    "outlined-screens": _irregular("outlined-screens", _outlined),
    "outlined-photos": _irregular("outlined-photos", _outlined, photo=True),
    "pages-screens": _irregular("pages-screens", _paged),
    "pages-photos": _irregular("pages-photos", _paged, photo=True),
    "pages-whole": _irregular("pages-whole", lambda rng: pages.draw(rng, missing=0.0)),
    "pages-whole-photos": _irregular("pages-whole-photos", lambda rng: pages.draw(rng, missing=0.0), photo=True),
    "beside": _irregular("beside", _beside),
    "beside-photos": _irregular("beside-photos", _beside, photo=True),
    "cut-off": _irregular("cut-off", _either, cut=True),
    "cut-off-photos": _irregular("cut-off-photos", _either, photo=True, cut=True),
    "wiped": _irregular("wiped", _wiped),
    "wiped-photos": _irregular("wiped-photos", _wiped, photo=True),
    "regions-screens": lambda seed: regions.draw(_rng("regions-screens", seed)),
    "regions-captures": lambda seed: regions.capture(_rng("regions-captures", seed)),
    "regions-phones": lambda seed: region_phones.sent(_rng("regions-phones", seed)),
    "queens-screens": _chequered("queens-screens", "queens"),
    "knight-screens": _chequered("knight-screens", "knight"),
    "queens-photos": _chequered_photo("queens-photos", "queens"),
    "knight-photos": _chequered_photo("knight-photos", "knight"),
    "standing-photos": _standing("standing-photos", "queen", "knight"),
    "standing-others": _standing("standing-others", "king", "bishop", "rook", "pawn"),
    "pyramid-photos": _balls("pyramid-photos", "pyramid"),
    "kanoodle-photos": _balls("kanoodle-photos", "kanoodle"),
    "triazzle-flat": _tray("triazzle-flat", photo=False),
    "triazzle-photos": _tray("triazzle-photos", photo=True),
}
"""By name, what draws the picture of a seed."""


def judged(outcome: Outcome, truth: dict[str, Any]) -> str:
    """``right``, ``part``, ``refused`` or ``wrong``; an unsolvable board that was read rightly is right as well.

    Of what is no puzzle that we know, to refuse is right.
    """
    if truth["kind"] == "other":
        return "wrong" if outcome.status is Status.SOLVED else "right"
    read = outcome.kind is not None and outcome.kind.name == truth["kind"] and _same(outcome, truth)
    if outcome.status is Status.SOLVED:
        return "right" if read else "wrong"
    if outcome.answer is not None:  # drawn, though not called solved
        return "part" if open_part_is_right(outcome, truth) else "wrong"
    return "right" if outcome.status is Status.UNSOLVABLE and read else "refused"


def _same(outcome: Outcome, truth: dict[str, Any]) -> bool:
    """Whether the reading is the truth; boards that have no top of their own may be read from any side."""
    if outcome.reading is None:
        return False
    if truth["kind"] == "triazzle":
        return _keeps_the_rules(outcome, truth)
    if truth["kind"] == "knight" or truth.get("turned"):
        truth = _as_found(outcome, truth)
    truth = _without_rows_of_holes(truth)
    record = outcome.record()["puzzle"] or {}
    fields = (set(record) & set(truth)) - _unseen(truth)
    told = [truth]
    if truth["kind"] == "kanoodle" or _has_no_top(truth):
        told.append({field: _turned(truth[field]) for field in fields})
    return any(all(_plain(record[field]) == _plain(one[field]) for field in fields) for one in told)


def _without_rows_of_holes(truth: dict[str, Any]) -> dict[str, Any]:
    """The truth without outermost rows and columns that have no cell: nobody sees them in the picture."""
    if truth["kind"] != "stitch":
        return truth
    clues = np.array(truth["clues"], dtype=object)
    rows, cols = (np.flatnonzero((clues != None).any(axis=axis)) for axis in (1, 0))  # noqa: E711  (element by element)
    within = clues[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    return {**truth, "rows": within.shape[0], "cols": within.shape[1], "clues": within.tolist()}


def _has_no_top(truth: dict[str, Any]) -> bool:
    """Whether all that stands on a board are numbers that are the same upside down: two 8 on a bare page."""
    numbers = "".join(str(clue) for row in truth.get("clues", []) for clue in row if clue)
    return bool(numbers) and all(upside_down(digit) == digit for digit in numbers)


def _unseen(truth: dict[str, Any]) -> set[str]:
    """The fields of a truth that its picture cannot show: an empty tray is that of either set of pieces."""
    empty = "set" in truth and not "".join(truth["rows"]).strip(EMPTY)
    return {"set"} if empty else set()


def _as_found(outcome: Outcome, truth: dict[str, Any]) -> dict[str, Any]:
    """The truth of a square board with its first row where the reading has it: nothing tells the top of one knight, nor
    of a real board."""
    assert outcome.reading is not None
    placement, corners = outcome.reading.placement, np.array(truth["corners"])
    width, height = placement.size
    found = placement.to_photo([(0, 0), (width, 0), (width, height), (0, height)])
    turns = min(range(4), key=lambda k: float(np.abs(np.roll(corners, -k, axis=0) - found).max()))
    field = "start" if "start" in truth else "queens"
    cells = np.array(truth[field]).reshape(-1, 2)
    for _ in range(turns):
        cells = np.stack([round(width) - 1 - cells[:, 1], cells[:, 0]], axis=1)
    found_cells = sorted(cells.tolist())
    return {**truth, field: found_cells[0] if field == "start" else found_cells}


def _turned(value: Any) -> Any:
    """Rows seen from the other side of the table."""
    return [row[::-1] for row in reversed(value)] if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    """Tables of regions numbered in the order in which they are met; anything else as it is."""
    if not (isinstance(value, list) and value and isinstance(value[0], list) and all(_whole(row) for row in value)):
        return value
    numbers: dict[int, int] = {}
    return [[numbers.setdefault(number, len(numbers)) for number in row] for row in value]


def _whole(row: list[Any]) -> bool:
    return all(isinstance(number, int) for number in row)


def _keeps_the_rules(outcome: Outcome, truth: dict[str, Any]) -> bool:
    """Whether the answer of a tray fits the true codes: those that are read have names of their own."""
    assert outcome.reading is not None
    if outcome.answer is None:
        return False
    corners = np.array(truth["corners"])
    found = outcome.reading.placement.to_photo(CORNERS)
    apex = min(range(3), key=lambda k: float(np.abs(np.roll(corners, -k, axis=0) - found).max()))
    told = triazzle.with_apex(truth, apex)
    puzzle = rules.Puzzle(tuple(map(tuple, told["tiles"])), tuple(told["border"]), told["match"])
    return rules.holds(puzzle, rules.Answer(outcome.answer.placed))


def measured(name: str, seeds: Iterable[int], log: Path | None, save: Path | None) -> list[dict[str, Any]]:
    """A record for each seed: what became of it, the message and the seconds of processor time."""
    lines = log.read_text().splitlines() if log and log.exists() else []
    known = {record["seed"]: record for record in map(json.loads, lines) if record["set"] == name}
    records = []
    for seed in seeds:
        record = known.get(seed)
        if record is None:
            record = _record(name, seed, save)
            if log:
                with log.open("a") as file:
                    file.write(json.dumps(record) + "\n")
        records.append(record)
    return records


def _record(name: str, seed: int, save: Path | None) -> dict[str, Any]:
    sample = SETS[name](seed)
    began = time.process_time()
    outcome = solvepic.solve(sample.picture, time_limit=SECONDS)
    spent = time.process_time() - began
    judgement = judged(outcome, sample.truth)
    if save and judgement != "right":
        sample.save(save, f"{name}-{seed}")
    return {"set": name, "seed": seed, "is": judgement, "seconds": round(spent, 2), "message": outcome.message}


def asked_seeds(text: str) -> list[int]:
    """The seeds of ``first-last``, or of a single one."""
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def main() -> None:
    """Print what failed, and a line for each set."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readings", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="+", choices=SETS, metavar="SET", help=", ".join(SETS))
    parser.add_argument("--seeds", type=asked_seeds, default="0-49", help="first and last seed, as 100-299")
    parser.add_argument("--log", type=Path, help="keep a line for each picture here, and skip what is there already")
    parser.add_argument("--save", type=Path, help="put the pictures that are not right here")
    asked = parser.parse_args()
    for name in asked.sets:
        records = measured(name, asked.seeds, asked.log, asked.save)
        for record in records:
            if record["is"] != "right":
                print(f"  {name} {record['seed']}: {record['is']}: {record['message']}")
        counts = Counter(record["is"] for record in records)
        seconds = np.array([record["seconds"] for record in records])
        print(
            f"{name}: {len(records)} pictures, right {counts['right']}, part {counts['part']},"
            f" refused {counts['refused']}, wrong {counts['wrong']};"
            f" processor time {np.median(seconds):.2f} s each (at most {seconds.max():.2f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
