"""What came of a picture: for programs, for people, and as the JSON record that ``--json`` prints."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import numpy as np

from solvepic.registry import Kind
from solvers.kind import Record
from solvers.verdict import Verdict
from vision.pictures.photo import Photo, Picture
from vision.reading import Reading

STAGES = ("load", "find", "read", "solve", "draw")


class Status(StrEnum):
    """How it ended."""

    SOLVED = "solved"
    NO_BOARD = "no_board"
    UNREADABLE = "unreadable"
    UNSOLVABLE = "unsolvable"
    TIMEOUT = "timeout"
    BAD_INPUT = "bad_input"


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of one picture.

    Attributes:
        image: the path as it was given; empty for an array.
        status: how it ended.
        message: one sentence for a person: what happened and what to do next.
        kind: the kind of puzzle recognised, None when no board was.
        reading: what was read and where it lies, None when nothing was.
        verdict: how many answers there are, None when it was not solved.
        answer: the first answer, of the kind's own type, None when there is none.
        rivals: other answers, where there are some: as many as were cheaply had.
        complete: whether the answer and its rivals are all there are.
        picture: the picture with the answer drawn on it, ``uint8 (H, W, 3)`` blue, green, red; None when there is none.
        scale: pixels of ``reading.placement`` per pixel of the file.
        nodes: search nodes spent on reading and solving.
        seconds: time of each stage and the total.
        overlay: where the picture was written, None when it was not.
        photo: the picture as it was.
        notes: further sentences for people.
        seen: how much the place where the board was looked for looks like one of its kind, 0..1.
    """

    image: str
    status: Status
    message: str
    kind: Kind | None = None
    reading: Reading[Any] | None = None
    verdict: Verdict | None = None
    answer: Any = None
    rivals: tuple[Any, ...] = ()
    complete: bool = False
    picture: Picture | None = None
    scale: float = 1.0
    nodes: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    overlay: str | None = None
    photo: Photo | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    seen: float = 0.0

    @property
    def puzzle(self) -> Any:
        """What was read, of the kind's own type; None when nothing was."""
        return self.reading.puzzle if self.reading is not None else None

    @property
    def unique(self) -> bool | None:
        """Whether the answer is the only one; None when that was not found out or is not asked of the kind."""
        if self.answer is None:
            return None
        return {Verdict.UNIQUE: True, Verdict.SEVERAL: False}.get(self.verdict) if self.verdict else None

    def written_to(self, overlay: str) -> "Outcome":
        """The same outcome, its picture written to ``overlay``."""
        return replace(self, overlay=overlay)

    def record(self) -> Record:
        """The JSON object of this picture, as the JSON contract fixes it."""
        reading, kind = self.reading, self.kind
        return {
            "image": self.image,
            "status": str(self.status),
            "kind": kind.name if kind else None,
            "puzzle": kind.rules.puzzle_record(reading.puzzle) if kind and reading else None,
            "solution": kind.rules.answer_record(reading.puzzle, self.answer)
            if kind and reading and self.answer is not None
            else None,
            "unique": self.unique,
            "solutions": None if self.unique is None else {"found": 1 + len(self.rivals), "all": self.complete},
            "confidence": round(float(reading.confidence), 4) if reading else 0.0,
            "repairs": [{"cell": list(r.cell), "read": r.read, "used": r.used} for r in reading.repairs]
            if reading
            else [],
            "doubts": [
                {"cell": list(d.cell), "read": d.seen, "confidence": round(float(d.confidence), 4), "why": d.why}
                for d in reading.doubts
            ]
            if reading
            else [],
            "left_alone": list(reading.left_alone) if reading else [],
            "board": self._board(),
            "overlay": self.overlay,
            "seconds": {name: round(self.seconds.get(name, 0.0), 4) for name in (*STAGES, "total")},
            "nodes": self.nodes,
            "message": self.message,
        }

    def _board(self) -> Record | None:
        if self.reading is None or self.kind is None:
            return None
        corners = self.kind.rules.layout(self.reading.puzzle).corners
        pixels = (self.reading.placement.to_photo(corners) + 0.5) / self.scale - 0.5
        return {"corners": np.round(pixels, 2).tolist()}
