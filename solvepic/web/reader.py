"""What a worker does: it reads pictures, keeps what it read, and answers questions about that.

A request is an object with ``verb``, mostly ``id``, and arguments; a reply has ``status``, as HTTP counts, and
``body``, or bytes of a picture.
"""

import contextlib
import io
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from multiprocessing.connection import Connection
from typing import Any

from solvepic import BadPictureError, OptionError, Options, Outcome, Step, solve, solve_text, written
from solvepic.errors import UsageError
from solvepic.outcome import Status
from solvepic.output import encoded
from solvepic.registry import KINDS
from solvepic.sentences import place
from solvepic.threads import share_processors
from solvepic.web.limits import Limits
from solvepic.web.strings import in_language, refusal
from solvepic.web.wire import Head, packed, unpacked
from solvers.message import Message

WARM_UP = "stitch: 4 . 2 / . . . / . 3 ."
"""A puzzle; its picture is read once before the first user's, so that the engines are loaded by then."""

MEGABYTE = 2**20

Reply = tuple[int, Any]
"""A status, and an object or the bytes of a picture."""


class RefusalError(Exception):
    """The request cannot be answered: a status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        """A refusal with this status."""
        super().__init__(sentence)
        self.status = status


def run(connection: Connection, limits: Limits, workers: int) -> None:
    """Answer requests until the server closes the connection.

    Args:
        connection: to the server.
        limits: of a picture; of memory only where the system can limit that.
        workers: processes that read pictures, this one among them.
    """
    _limit_memory(limits.memory_mb)
    share_processors(workers)
    reader = Reader(limits.seconds, limits.megapixels)
    solve(solve_text(WARM_UP).photo.bgr)  # type: ignore[union-attr]  # a text's outcome has a picture
    connection.send_bytes(packed({"kinds": {kind.name: kind.corners for kind in KINDS}}))
    with contextlib.suppress(EOFError, OSError):  # the server has gone
        while True:
            status, body = reader.answer(*unpacked(connection.recv_bytes()))
            head, data = ({}, body) if isinstance(body, bytes) else ({"body": body}, b"")
            connection.send_bytes(packed({"status": status, "rss_mb": resident_mb(), **head}, data))


def _limit_memory(megabytes: int) -> None:
    if sys.platform == "linux":
        import resource  # noqa: PLC0415  (not everywhere)

        resource.setrlimit(resource.RLIMIT_DATA, (megabytes * MEGABYTE,) * 2)


def resident_mb() -> int:
    """What this process holds in memory, 0 where the system does not tell."""
    with contextlib.suppress(OSError), open("/proc/self/statm") as pages:  # noqa: PTH123  (no file of anybody's)
        import resource  # noqa: PLC0415  (not everywhere)

        return int(pages.read().split()[1]) * resource.getpagesize() // MEGABYTE
    return 0


class Reader:
    """The pictures that one worker keeps, by the names that the server gave them."""

    def __init__(self, seconds: float, megapixels: float) -> None:
        """A reader that keeps nothing yet; each may take so many seconds, and be so large."""
        self._limits: dict[str, Any] = {"time_limit": seconds, "max_megapixels": megapixels}
        self._kept: dict[str, Outcome] = {}
        self._guided: dict[str, tuple[int, Outcome]] = {}
        self._verbs: dict[str, Callable[..., Reply]] = {
            **{"read": self._read, "solve": self._solve, "drop": self._drop, "record": self._record},
            **{"picture": self._picture, "step": self._step, "set": self._set, "check": self._check},
        }

    def answer(self, request: Head, body: bytes) -> Reply:
        """Answer one request, its sentences in the language that is asked for; faults are replies as well."""
        verb, lang, arguments = request.pop("verb"), request.pop("lang", "en"), request
        arguments |= {"data": body} if body else {}
        try:
            status, reply = self._verbs[verb](**arguments)
        except RefusalError as refused:
            status, reply = refused.status, {"error": refused.args[0]}
        except UsageError as error:
            said = error.args[0]
            status, reply = 400, {"error": said if isinstance(said, Message) else said.removeprefix("--")}
        except BadPictureError as error:
            status, reply = 415, {"error": error.args[0]}
        except MemoryError:
            why = "the picture needs more memory than one picture may have; send a smaller one"
            status, reply = 413, {"error": why}
        if isinstance(reply, dict) and "error" in reply:
            reply["error"] = refusal(lang, status, reply["error"])
        return status, in_language(lang, reply)

    def _solved(self, data: bytes, options: dict[str, str]) -> Outcome:
        size, corners = options.get("size") or None, options.get("corners") or None
        return solve(
            io.BytesIO(data),
            Options(
                kind=written.kind(options.get("kind") or None),
                size=written.size(size),
                corners=written.corners(corners),
                set=written.given(options.get("set", "").split()),
                closed="closed" in options,
                style="tray",  # the other ones widen the picture, and cells would not lie where they are tapped
                **self._limits,
            ),
        )

    def _read(self, id: str, data: bytes, options: dict[str, str], reveal: bool) -> Reply:  # noqa: A002
        outcome = self._solved(data, options)
        if outcome.status is Status.TIMEOUT and outcome.reading is None:
            return 504, {"error": outcome.message, **_record_of(outcome)}
        if outcome.reading is None:
            return 422, {"error": outcome.message, **_record_of(outcome)}
        self._kept[id] = outcome
        return 201, self._overview(id, reveal)

    def _solve(self, data: bytes, options: dict[str, str], suffix: str) -> Reply:
        outcome = self._solved(data, options)
        if outcome.picture is None:
            return 422, {"error": outcome.message, **_record_of(outcome)}
        return 200, encoded(outcome.picture, suffix)

    def _drop(self, id: str) -> Reply:  # noqa: A002
        self._kept.pop(id, None)
        self._guided.pop(id, None)
        return 204, {}

    def _outcome(self, id: str) -> Outcome:  # noqa: A002
        if id not in self._kept:
            raise RefusalError(404, "this picture is not here any more; send it again")
        return self._kept[id]

    def _overview(self, id: str, reveal: bool = False) -> Head:  # noqa: A002
        outcome = self._outcome(id)
        words, choices, photo = outcome.words(), outcome.choices, outcome.photo
        assert photo is not None
        difficulty = outcome.difficulty
        return {
            **_record_of(outcome, reveal),
            "id": id,
            "size": [round(photo.width / photo.scale), round(photo.height / photo.scale)],
            "bytes": photo.bgr.nbytes * 2,
            "answered": outcome.answer is not None,
            "steps": difficulty["steps"] if difficulty else None,
            "choices": asdict(choices) if choices else None,
            "cells": {
                place(cell): {"word": words[cell], "outline": outline} for cell, outline in outcome.outlines().items()
            },
        }

    def _record(self, id: str, reveal: bool) -> Reply:  # noqa: A002
        return 200, _record_of(self._outcome(id), reveal)

    def _picture(self, id: str, what: str, suffix: str, number: int = 0) -> Reply:  # noqa: A002
        outcome = self._outcome(id)
        if what == "picture":
            picture = None if outcome.photo is None else outcome.photo.bgr
        elif what == "read":
            picture = replace(outcome, message="").read_picture()  # the record tells it, in any language
        elif what == "step":
            picture = self._guide(id, number).picture
        elif what == "check":
            picture = outcome.asked(check=True).picture
        else:
            picture = outcome.picture
        if picture is None:
            raise RefusalError(404, Message("there is no such picture: {why}", why=outcome.message))
        return 200, encoded(picture, suffix)

    def _guide(self, id: str, number: int) -> Outcome:  # noqa: A002
        """The outcome that shows the steps up to ``number``, counted from 0."""
        known, guided = self._guided.get(id, (-1, None))
        if known != number or guided is None:
            guided = self._outcome(id).asked(hint=1, shown=number)
            self._guided[id] = (number, guided)
        return guided

    def _step(self, id: str, number: int) -> Reply:  # noqa: A002
        guided = self._guide(id, number)
        if guided.checked is not None and guided.checked.wrong:
            wrong = guided.hints
            step = wrong[number] if number < len(wrong) else None
        else:
            step = guided.hints[0] if guided.hints else None
        if step is None:
            raise RefusalError(404, guided.message)
        return 200, {"number": number, **_step(step)}

    def _set(self, id: str, cells: dict[str, str | None]) -> Reply:  # noqa: A002
        given = {}
        for name, word in cells.items():
            cell = written.cell(name)
            if cell is None or not (word is None or isinstance(word, str)):
                raise OptionError(f'{name}: name a cell by row and column and say what stands there: {{"r1c6": "12"}}')
            given[cell] = word or ""
        self._kept[id] = self._outcome(id).corrected(given)
        self._guided.pop(id, None)
        return 200, self._overview(id)

    def _check(self, id: str) -> Reply:  # noqa: A002
        checked = self._outcome(id).asked(check=True)
        found = checked.checked
        if found is None:
            return 200, {"wrong": [], "rivals": [], "complete": False, "settled": False, "message": checked.message}
        return 200, {
            "wrong": [_names(placed.cells) for placed in found.wrong],
            "rivals": [[_names(placed.cells) for placed in rival] for rival in found.rivals],
            "standing": len(found.standing),
            "complete": found.complete,
            "settled": found.settled,
            "message": checked.message,
        }


def _record_of(outcome: Outcome, reveal: bool = False) -> Head:
    """The record, without the answer unless that is wanted."""
    record: Any = outcome.record()
    return {**record, "image": ""} if reveal else {**record, "image": "", "solution": None}


def _step(step: Step) -> Head:
    marks = [{"type": type(mark).__name__.lower(), **asdict(mark)} for mark in step.marks]
    cells = _names(step.cells) or _names(step.placed.cells)
    return {"rule": step.rule, "because": step.because, "cells": cells, "marks": marks}


def _names(cells: Any) -> list[str]:
    return [place(cell) for cell in cells]
