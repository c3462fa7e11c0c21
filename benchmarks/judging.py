"""Whether what came of a picture is what was drawn there.

Records are those of :func:`benchmarks.solving.record_of`, truths those of :class:`samples.sample.Sample`.
"""

from typing import Any

import numpy as np

from benchmarks.open_parts import open_part_is_right
from benchmarks.solving import Record
from samples import triazzle
from solvers import triazzle as rules
from solvers.ball_trays import EMPTY
from vision.clues.beliefs import upside_down

Truth = dict[str, Any]


def judged(record: Record, truth: Truth) -> str:
    """``right``, ``part``, ``refused``, ``wrong`` or ``failed``; an unsolvable board read rightly is right as well.

    Of what is no puzzle that we know, to refuse is right.
    """
    status = record["status"]
    if status == "failed":
        return "failed"
    if truth["kind"] == "other":
        return "wrong" if status == "solved" else "right"
    read = record["kind"] == truth["kind"] and _same(record, truth)
    if status == "solved":
        return "right" if read else "wrong"
    if record["solution"] is not None:  # drawn, though not called solved
        return "part" if open_part_is_right(record, truth) else "wrong"
    return "right" if status == "unsolvable" and read else "refused"


def _same(record: Record, truth: Truth) -> bool:
    """Whether the reading is the truth; boards that have no top of their own may be read from any side."""
    puzzle = record["puzzle"]
    if puzzle is None:
        return False
    if truth["kind"] == "triazzle":
        return _keeps_the_rules(record, truth)
    if truth["kind"] == "knight" or truth.get("turned") or truth.get("regions"):
        truth = _as_found(record, truth)
    truth = _without_rows_of_holes(truth)
    fields = (set(puzzle) & set(truth)) - _unseen(truth)
    versions = [truth]
    if truth["kind"] == "kanoodle" or _has_no_top(truth):
        versions.append({field: _turned(truth[field]) for field in fields})
    return any(all(_plain(puzzle[field]) == _plain(one[field]) for field in fields) for one in versions)


def _without_rows_of_holes(truth: Truth) -> Truth:
    """The truth without outermost rows and columns that have no cell: nobody sees them in the picture."""
    if truth["kind"] != "stitch":
        return truth
    clues = np.array(truth["clues"], dtype=object)
    rows, cols = (np.flatnonzero((clues != None).any(axis=axis)) for axis in (1, 0))  # noqa: E711  (element by element)
    within = clues[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    return {**truth, "rows": within.shape[0], "cols": within.shape[1], "clues": within.tolist()}


def _has_no_top(truth: Truth) -> bool:
    """Whether all that stands on a board are numbers that are the same upside down: two 8 on a bare page."""
    numbers = "".join(str(clue) for row in truth.get("clues", []) for clue in row if clue)
    return bool(numbers) and all(upside_down(digit) == digit for digit in numbers)


def _unseen(truth: Truth) -> set[str]:
    """The fields of a truth that its picture cannot show: an empty tray is that of either set of pieces."""
    empty = "set" in truth and not "".join(truth["rows"]).strip(EMPTY)
    return {"set"} if empty else set()


def _as_found(record: Record, truth: Truth) -> Truth:
    """The truth of a board with its first row where the reading has it: nothing tells the top of one knight, of a board
    of colours, nor of a real board."""
    found, corners = np.array(record["board"]["corners"]), np.array(truth["corners"])
    turns = min(range(4), key=lambda k: float(np.abs(np.roll(corners, -k, axis=0) - found).max()))
    field = "start" if "start" in truth else "queens"
    cells = np.array(truth[field]).reshape(-1, 2)
    rows, cols = truth.get("n") or truth["rows"], truth.get("n") or truth["cols"]
    for _ in range(turns):
        cells = np.stack([cols - 1 - cells[:, 1], cells[:, 0]], axis=1)
        rows, cols = cols, rows
    found_cells = sorted(cells.tolist())
    size = {} if "n" in truth else {"rows": rows, "cols": cols}
    regions = {"regions": np.rot90(truth["regions"], turns).tolist()} if truth.get("regions") else {}
    return {**truth, **size, **regions, field: found_cells[0] if field == "start" else found_cells}


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


def _keeps_the_rules(record: Record, truth: Truth) -> bool:
    """Whether the answer of a tray fits the true codes: those that are read have names of their own."""
    if record["solution"] is None:
        return False
    found, corners = np.array(record["board"]["corners"]), np.array(truth["corners"])
    apex = min(range(3), key=lambda k: float(np.abs(np.roll(corners, -k, axis=0) - found).max()))
    turned = triazzle.with_apex(truth, apex)
    puzzle = rules.Puzzle(tuple(map(tuple, turned["tiles"])), tuple(turned["border"]), turned["match"])
    placed = tuple((slot["piece"], slot["rotation"]) for slot in record["solution"]["tiles"])
    return rules.holds(puzzle, rules.Answer(placed))
