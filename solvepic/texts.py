"""Puzzles as text, in and out: our own form, and those of other programs that a kind knows.

In our own form a puzzle is a line: the name of its kind, a colon, and its rows with slashes between them
(``stitch: 4 . 2 / . . . / . 3 .``). Where a text does not name its kind, it is the only one whose form it has.
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Unpack

from solvepic.answering import Work, answered
from solvepic.errors import OptionError
from solvepic.options import Changes, Options
from solvepic.outcome import Outcome
from solvepic.plain import PlainBoard, placed
from solvepic.registry import KINDS, TEXT, Kind, by_name, forms
from solvers.budget import Budget
from vision.reading import Reading
from vision.trace import Trace

MOST_CHARACTERS, MOST_ROWS = 100_000, 1000

FORMS = "a line such as 'stitch: 4 . 2 / . . . / . 3 .', a puzz.link or pzprv3 shikaku, a Rectangles game id, or a FEN"


def exported(kind: Kind, puzzle: Any, form: str = TEXT) -> str:
    """A puzzle in a text form.

    Raises:
        solvepic.errors.OptionError: there is no such form, or it cannot tell this puzzle.
    """
    if form == TEXT:
        return f"{kind.name}: " + " / ".join(kind.rules.write(puzzle).splitlines())
    if form not in forms():
        raise OptionError(f"no text form is called {form!r}; there are {', '.join(forms())}")
    if form not in kind.formats:
        there = ", ".join([TEXT, *kind.formats])
        raise OptionError(f"{form} has no form for {kind.name}; there are {there}")
    try:
        return kind.formats[form].write(puzzle)
    except ValueError as error:
        raise OptionError(str(error)) from None


def imported(text: str, kind: str | None = None) -> tuple[Kind, Any]:
    """The kind and the puzzle that a text tells.

    Args:
        text: in any form.
        kind: the name of the kind; None to find out.

    Raises:
        solvepic.errors.OptionError: it is not understood, or several kinds would understand it.
    """
    if len(text) > MOST_CHARACTERS:
        raise OptionError(f"a text of {len(text):,} characters: a puzzle has at most {MOST_CHARACTERS:,}")
    if text.count("/") + text.count("\n") > MOST_ROWS:
        raise OptionError(f"a text of more than {MOST_ROWS:,} rows is no puzzle")
    named, colon, rest = text.strip().partition(":")
    if colon and named.strip().lower() in [one.name for one in KINDS]:
        found = by_name(named.strip().lower())
        if kind is not None and by_name(kind) is not found:
            raise OptionError(f"the text tells a puzzle of the kind {found.name}, not {kind}")
        return found, _parsed(found, rest.strip())
    try:
        kinds = KINDS if kind is None else (by_name(kind),)
        if kind is not None:
            return kinds[0], _parsed(kinds[0], text.strip())
    except ValueError as error:
        raise OptionError(str(error)) from None
    understood = list(_understood(text.strip()))
    if len(understood) > 1:
        names = " or ".join(one.name for one, _ in understood)
        raise OptionError(f"the text could be {names}: write the kind and a colon before it")
    if not understood:
        raise OptionError(f"{_shortened(text)!r} is not understood as a puzzle: give {FORMS}")
    return understood[0]


def _parsed(kind: Kind, text: str) -> Any:
    """The puzzle of a kind that a text tells in any form."""
    try:
        puzzle = _foreign(kind, text)
        return kind.rules.parse(text) if puzzle is None else puzzle
    except ValueError as error:
        raise OptionError(f"not a puzzle of the kind {kind.name}: {error}") from None


def _foreign(kind: Kind, text: str) -> Any:
    """The puzzle in the form of another program; None where it has none."""
    forms = (form.parse(text) for form in kind.formats.values() if form.parse is not None)
    return next((puzzle for puzzle in forms if puzzle is not None), None)


def _understood(text: str) -> Iterator[tuple[Kind, Any]]:
    """The kinds that understand a text, and the puzzle each makes of it: one without faults, if any has none."""
    found = []
    for kind in KINDS:
        try:
            puzzle = _foreign(kind, text)
        except ValueError as error:
            raise OptionError(str(error)) from None
        try:
            found.append((kind, kind.rules.parse(text) if puzzle is None else puzzle))
        except ValueError:
            continue
    sound = [(kind, puzzle) for kind, puzzle in found if not kind.rules.faults(puzzle)]
    yield from sound or found


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 40 else words[:37] + "..."


def solve_text(text: str, options: Options | None = None, **changes: Unpack[Changes]) -> Outcome:
    """Solve a puzzle that is told as text.

    Args:
        text: our own form (``stitch: 4 . 2 / . . . / . 3 .``; the kind's name may be left out), a puzz.link or pzprv3
            ``shikaku``, a game id of Simon Tatham's Rectangles, or a FEN with queens or a knight.
        options: how; keyword arguments named like the fields of :class:`Options` change single ones.

    Returns:
        As :func:`solvepic.solve`; the picture is one of the board drawn plainly.

    Raises:
        ValueError: the text is not understood, or an option is wrong; with a sentence.
    """
    options = replace(options or Options(), **changes)
    began = time.perf_counter()
    kind, puzzle = imported(text, options.kind)
    budget = Budget(seconds=options.time_limit)
    reading = _reading(kind, puzzle)
    work = Work("", options, PlainBoard(kind, reading), budget, Trace(options.debug))
    work.seconds["read"] = time.perf_counter() - began
    outcome = answered(work, kind, reading, budget)
    if options.set:
        outcome = work.finished(outcome).corrected(options.set)
    with work.stage("draw"):
        _ = outcome.picture  # painted here, so that its time is measured
    work.seconds["total"] = time.perf_counter() - began
    return work.finished(outcome)


def _reading(kind: Kind, puzzle: Any) -> Reading[Any]:
    faults = kind.rules.faults(puzzle)
    try:
        size = kind.rules.layout(puzzle).size
    except (AssertionError, IndexError, KeyError, ValueError):
        raise OptionError(f"not a puzzle of the kind {kind.name}: {'; '.join(faults[:3])}") from None
    return Reading(puzzle, placed(size))
