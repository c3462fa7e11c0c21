"""The one place that talks: outcomes become sentences (what, where, why, what to do next) and exit statuses."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from solvepic.outcome import Status
from solvepic.registry import Kind
from solvers.board import Cell
from solvers.kind import Record
from solvers.verdict import Search, Verdict
from vision.reading import Doubt, NotFound, Reading

if TYPE_CHECKING:
    from solvepic.checking import Check
    from solvers.steps.step import Step

OK, UNEXPECTED, USAGE, NOT_SOLVED = 0, 1, 2, 3
"""Exit statuses, as the JSON contract fixes them."""

NAMED = 6
"""How many doubtful cells or faults a sentence names before it says how many more there are."""


NOTHING = {"": "empty", ".": "empty"}
"""How people call what readers write for a cell on which nothing stands."""

ANYTHING = "..."
"""What stands for the value in an option that is shown where nothing is known of it."""


_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What makes a terminal do something, begin a line or turn the order of letters."""


def printable(text: str, keep: str = "") -> str:
    """The text as a terminal may show it: a file's name must neither clear the screen nor pretend to be a line."""
    return _UNPRINTABLE.sub(lambda found: found[0] if found[0] in keep else f"\\u{ord(found[0]):04x}", text)


def place(cell: Cell) -> str:
    """A cell as people and ``--set`` name it, 1-based: ``r3c4``."""
    if len(cell) == 2:
        return f"r{cell[0] + 1}c{cell[1] + 1}"
    return ".".join(str(part + 1) for part in cell)


def no_board(kinds: Sequence[Kind], reasons: Sequence[str]) -> str:
    """Nothing was recognised."""
    what = f"no {kinds[0].name} board" if len(kinds) == 1 else "no puzzle board that solvepic knows"
    why = f" ({reasons[0]})" if len(set(reasons)) == 1 else ""
    return f"{what} was found{why}; take the whole board, straight on, as large as it gets"


def no_board_of_size(kinds: Sequence[Kind], size: tuple[int, int]) -> str:
    """Nothing was recognised that has the size asked for."""
    what = f"no {kinds[0].name} board" if len(kinds) == 1 else "no puzzle board"
    return f"{what} of {size[0]} x {size[1]} cells was found; leave --size out to have the board measured"


def unreadable(kind: Kind, why: NotFound) -> str:
    """A board is there but was not read."""
    advice = f"; {why.advice}" if why.advice else ""
    return f"a {kind.name} board is there but could not be read: {why.reason}{advice}"


def another_game(why: NotFound) -> str:
    """The board is none of those that are solved."""
    reason = f": {why.reason}" if why.reason else ""
    return f"this looks like {why.game}{reason}; solvepic does not solve those"


def doubtful(kind: Kind, reading: Reading[Any]) -> str:
    """A board was read, but not with certainty."""
    doubts = _least_sure_first(reading.doubts)
    whys: dict[str, list[str]] = {}
    for doubt in doubts[:NAMED]:
        whys.setdefault(doubt.why, []).append(f"{place(doubt.cell)} (looks like {_looks_like(doubt)})")
    named = [f"{', '.join(cells)}: {why}" for why, cells in whys.items()]
    more = f"; and {len(doubts) - NAMED} more" if len(doubts) > NAMED else ""
    return (
        f"{kind.name}, {kind.rules.title(reading.puzzle)}: not sure of {'; '.join(named)}{more}; if you can tell,"
        f" say so with {remedy(doubts)}"
    )


def remedy(doubts: Sequence[Doubt]) -> str:
    """The option with which the least certain cell is settled: never with what was read already."""
    first = _least_sure_first(doubts)[0]
    return first.settle or f"--set {place(first.cell)}={first.instead[0] if first.instead else ANYTHING}"


def _least_sure_first(doubts: Sequence[Doubt]) -> list[Doubt]:
    return sorted(doubts, key=lambda doubt: doubt.confidence)


def _looks_like(doubt: Doubt) -> str:
    return " or ".join(NOTHING.get(one, one) for one in (doubt.seen, *doubt.instead[:2]))


def faulty(faults: Sequence[str]) -> str:
    """What was read cannot be a puzzle."""
    return (
        f"cannot be solved: {_listed(list(faults[:NAMED]), len(faults))}; check that the whole board is in the picture"
    )


def impossible(reasons: Sequence[str]) -> str:
    """What was read has no answer."""
    why = _listed(reasons[:NAMED], len(reasons)) if reasons else "every possibility was tried"
    return f"has no solution: {why}; check what was read, and correct it with --set if it is wrong"


def timeout(seconds: float, doing: str) -> str:
    """The time was up."""
    return f"gave up {doing} after {seconds:g} s; allow more with --time-limit"


def solved(kind: Kind, reading: Reading[Any], found: Search[Any]) -> str:
    """There is an answer."""
    repairs = [f"{place(r.cell)} {r.read or 'nothing'} -> {r.used or 'nothing'}" for r in reading.repairs]
    words = {
        Verdict.UNIQUE: "one solution",
        Verdict.SEVERAL: f"{_counted(found)} solutions, the first is drawn",
        Verdict.GAVE_UP: "a solution; whether it is the only one was not settled in time",
    }.get(found.verdict, "solved")
    words = f"the open part has {words}; {reading.partial}" if reading.partial else words
    put_right = f"; corrected by reasoning: {_listed(repairs, len(repairs))}" if repairs else ""
    return f"{kind.name}, {kind.rules.title(reading.puzzle)}: {words}{put_right}"


def hinted(kind: Kind, puzzle: Any, steps: "Sequence[Step]") -> str:
    """What comes next, and why."""
    said = [step.because for step in steps]
    numbered = said[0] if len(said) == 1 else "; ".join(f"{number}. {one}" for number, one in enumerate(said, 1))
    return f"{kind.name}, {kind.rules.title(puzzle)}: next, {numbered}"


def misplaced(kind: Kind, puzzle: Any, check: "Check") -> str:
    """Something that was placed cannot be in the answer."""
    from solvepic.checking import described  # noqa: PLC0415  (who calls has checked)

    names = _listed([described(placed) for placed in check.wrong], len(check.wrong))
    board = f"{kind.name}, {kind.rules.title(puzzle)}"
    if not check.rivals:
        return f"{board}: {names} cannot be in the answer"
    others = [_listed([described(placed) for placed in rival], len(rival)) for rival in check.rivals]
    either = _listed(others, len(others))
    return f"{board}: not all that is placed can stay; without {names} it could be solved, or as well without {either}"


def well_placed(kind: Kind, puzzle: Any, check: "Check") -> str:
    """Nothing that was placed is wrong."""
    count = len(check.standing)
    some = f"{count} placed, none of them wrong" if count else "nothing is placed"
    return f"{kind.name}, {kind.rules.title(puzzle)}: {'complete' if check.complete else some}"


def _counted(found: Search[Any]) -> str:
    return f"{len(found.answers):,}" if found.complete else f"at least {len(found.answers):,}"


def line(record: Record) -> str:
    """The line that the command prints for a picture."""
    total = f"{record['seconds']['total']:.2f} s"
    name = "standard input" if record["image"] == "-" else record["image"]
    told = "; ".join([record["message"], *record.get("notes", ())])
    if record["status"] == Status.SOLVED:
        return f"{name}: {told}, {total}" + _written(record)
    return f"{name}: {record['status']}: {told} ({total}){_written(record)}"


def summary(records: Sequence[Record]) -> str:
    """The last line of a batch."""
    counts = Counter(str(record["status"]) for record in records)
    parts = ", ".join(f"{count} {status}" for status, count in counts.most_common())
    return f"{len(records)} pictures: {parts}"


def resumed(kept: int, waiting: int, again: Mapping[str, int]) -> str:
    """What a batch that goes on leaves out, and what it does again and why."""
    reasons = ", ".join(f"{count} {why}" for why, count in again.items())
    return f"{kept} done already, {waiting} to do" + (f" (again: {reasons})" if reasons else "")


def exit_status(records: Iterable[Record]) -> int:
    """The exit status for the pictures' records."""
    worst = OK
    for record in records:
        if "failure" in record:
            return UNEXPECTED
        if record["status"] != Status.SOLVED:
            worst = NOT_SOLVED
    return worst


def _written(record: Record) -> str:
    if record.get("read_picture"):
        return f"; what was read -> {record['read_picture']}"
    return f" -> {record['overlay']}" if record["overlay"] else ""


def _listed(items: Sequence[str], total: int) -> str:
    more = total - len(items)
    return "; ".join(items) + (f"; and {more} more" if more > 0 else "")
