"""The one place that talks: outcomes become sentences (what, where, why, what to do next) and exit statuses."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from solvepic.outcome import Status
from solvepic.registry import Kind
from solvers.board import Cell
from solvers.kind import Record
from solvers.message import Message, joined
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


APART, OF_BOARD = "{one}; {other}", "{board}: {words}"
"""How clauses are put together, and what is said of a board."""

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


def no_board(kinds: Sequence[Kind], reasons: Sequence[str]) -> Message:
    """Nothing was recognised."""
    what = "no puzzle board that solvepic knows was found"
    if len(kinds) == 1:
        what = Message("no {kind} board was found", kind=kinds[0].name)
    if len(set(reasons)) == 1:
        what = Message("{what} ({why})", what=what, why=reasons[0])
    return Message("{what}; take the whole board, straight on, as large as it gets", what=what)


def no_board_of_size(kinds: Sequence[Kind], size: tuple[int, int]) -> Message:
    """Nothing was recognised that has the size asked for."""
    what = "no {kind} board of {size} cells was found; leave --size out to have the board measured"
    if len(kinds) > 1:
        what = "no puzzle board of {size} cells was found; leave --size out to have the board measured"
    return Message(what, kind=kinds[0].name, size=f"{size[0]} x {size[1]}")


def unreadable(kind: Kind, why: NotFound) -> Message:
    """A board is there but was not read."""
    return Message("a {kind} board is there but could not be read: {reason}", kind=kind.name, reason=why.reason)


def another_game(why: NotFound) -> Message:
    """The board is none of those that are solved."""
    game = Message("{game}: {reason}", game=why.game, reason=why.reason) if why.reason else why.game
    return Message("this looks like {game}; solvepic does not solve those", game=game)


def doubtful(kind: Kind, reading: Reading[Any]) -> Message:
    """A board was read, but not with certainty."""
    doubts = _least_sure_first(reading.doubts)
    whys: dict[str, list[str]] = {}
    for doubt in doubts[:NAMED]:
        cell = Message("{cell} (looks like {likely})", cell=place(doubt.cell), likely=_likely_readings(doubt))
        whys.setdefault(doubt.why, []).append(cell)
    named = [Message("{cells}: {why}", cells=joined(cells), why=why) for why, cells in whys.items()]
    return Message(
        "{board}: not sure of {cells}; if you can tell, say so with {remedy}",
        board=_board(kind, reading.puzzle),
        cells=_listed(named, len(named) + max(len(doubts) - NAMED, 0)),
        remedy=remedy(doubts),
    )


def remedy(doubts: Sequence[Doubt]) -> str:
    """The option with which the least certain cell is settled: never with what was read already."""
    first = _least_sure_first(doubts)[0]
    return first.settle or f"--set {place(first.cell)}={first.instead[0] if first.instead else ANYTHING}"


def _least_sure_first(doubts: Sequence[Doubt]) -> list[Doubt]:
    return sorted(doubts, key=lambda doubt: doubt.confidence)


def _likely_readings(doubt: Doubt) -> str:
    return joined([NOTHING.get(one, one) for one in (doubt.read, *doubt.instead[:2])], "{one} or {other}")


def faulty(faults: Sequence[str]) -> Message:
    """What was read cannot be a puzzle."""
    why = _listed(faults[:NAMED], len(faults))
    return Message("cannot be solved: {why}; check that the whole board is in the picture", why=why)


def impossible(reasons: Sequence[str]) -> Message:
    """What was read has no answer."""
    why = _listed(reasons[:NAMED], len(reasons)) if reasons else "every possibility was tried"
    return Message("has no solution: {why}; check what was read, and correct it with --set if it is wrong", why=why)


def timeout(seconds: float, doing: str) -> Message:
    """The time was up."""
    return Message("gave up {doing} after {seconds:g} s; allow more with --time-limit", doing=doing, seconds=seconds)


def solved(kind: Kind, reading: Reading[Any], found: Search[Any]) -> Message:
    """There is an answer."""
    several = "at least {count:,} solutions, the first is drawn"
    if found.complete:
        several = "{count:,} solutions, the first is drawn"
    words: str = {
        Verdict.UNIQUE: "one solution",
        Verdict.SEVERAL: Message(several, count=len(found.answers)),
        Verdict.GAVE_UP: "a solution; whether it is the only one was not settled in time",
    }.get(found.verdict, "solved")
    if reading.partial:
        words = Message("the open part has {words}; {partial}", words=words, partial=reading.partial)
    if reading.repairs:
        read = "{cell} {read} -> {used}"
        repairs = [
            Message(read, cell=place(repair.cell), read=repair.read or "nothing", used=repair.used or "nothing")
            for repair in reading.repairs
        ]
        words = Message("{words}; corrected by reasoning: {repairs}", words=words, repairs=joined(repairs, APART))
    return Message(OF_BOARD, board=_board(kind, reading.puzzle), words=words)


def hinted(kind: Kind, puzzle: Any, steps: "Sequence[Step]") -> Message:
    """What comes next, and why."""
    said = [step.because for step in steps]
    if len(said) > 1:
        said = [Message("{number}. {because}", number=number, because=one) for number, one in enumerate(said, 1)]
    return Message("{board}: next, {steps}", board=_board(kind, puzzle), steps=joined(said, APART))


def misplaced(kind: Kind, puzzle: Any, check: "Check") -> Message:
    """Something that was placed cannot be in the answer."""
    from solvepic.checking import described  # noqa: PLC0415  (who calls has checked)

    names, *others = [joined([described(placed) for placed in wrong], APART) for wrong in (check.wrong, *check.rivals)]
    words = Message("{names} cannot be in the answer", names=names)
    if others:
        either = "not all that is placed can stay; without {names} it could be solved, or as well without {others}"
        words = Message(either, names=names, others=joined(others, APART))
    return Message(OF_BOARD, board=_board(kind, puzzle), words=words)


def well_placed(kind: Kind, puzzle: Any, check: "Check") -> Message:
    """Nothing that was placed is wrong."""
    count = len(check.standing)
    words = Message("{count} placed, none of them wrong", count=count) if count else "nothing is placed"
    return Message(OF_BOARD, board=_board(kind, puzzle), words="complete" if check.complete else words)


def _board(kind: Kind, puzzle: Any) -> Message:
    return Message("{kind}, {board}", kind=kind.name, board=kind.rules.title(puzzle))


def line(record: Record) -> str:
    """The line that the command prints for a picture."""
    total = f"{record['seconds']['total']:.2f} s"
    name = "standard input" if record["image"] == "-" else record["image"]
    message = "; ".join([record["message"], *record.get("notes", ())])
    if record["status"] == Status.SOLVED:
        return f"{name}: {message}, {total}" + _written(record)
    return f"{name}: {record['status']}: {message} ({total}){_written(record)}"


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
    return joined([*items, Message("and {count} more", count=more)] if more > 0 else items, APART)
