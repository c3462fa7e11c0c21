"""What came of a picture: for programs, for people, and as the JSON record that ``--json`` prints."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from overlay.paint import MoveStyle, paint
from solvepic.errors import OptionError
from solvepic.options import Options
from solvepic.original import Original
from solvepic.output import JPEG_SUFFIXES, OutputError, encoded, saved
from solvepic.record import Checked, Difficulty, Hint, Record, as_json, command_with
from solvepic.registry import Kind
from solvers.board import Cell, Layout, Point
from solvers.budget import Budget, BudgetSpentError
from solvers.kind import Choices
from solvers.marks import Fence, Ink, Mark
from solvers.verdict import Verdict
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import Placement
from vision.reading import Reading

if TYPE_CHECKING:
    from solvepic.checking import Check
    from solvers.steps.step import Standing, Step

STAGES = ("load", "find", "read", "solve", "draw")

RATING_NODES = 50_000
"""What finding out how hard a puzzle is may cost, in items looked at and search nodes: some 0.3 s."""


class Cause(StrEnum):
    """What a refusal comes from."""

    ANOTHER_GAME = "another_game"
    IMPOSSIBLE = "impossible"
    DOUBTFUL = "doubtful"
    UNREAD = "unread"
    NO_BOARD = "no_board"
    NO_TIME = "no_time"


class Status(StrEnum):
    """How it ended."""

    SOLVED = "solved"
    NO_BOARD = "no_board"
    UNREADABLE = "unreadable"
    UNSOLVABLE = "unsolvable"
    TIMEOUT = "timeout"
    BAD_INPUT = "bad_input"


@dataclass(eq=False)
class Drawing:
    """A picture with marks on it, painted when it is first asked for: who corrects a board may never look at it.

    It is kept as long as the picture beneath is.
    """

    original: Original
    reading: Reading[Any]
    layout: Layout
    marks: Sequence[Mark]
    style: MoveStyle
    _painted: Picture | None = field(default=None, init=False, repr=False)

    @property
    def picture(self) -> Picture:
        """``uint8 (H, W, 3)``, blue, green, red."""
        if self._painted is not None:
            return self._painted
        reading, beneath = self.reading, self.original.photo.bgr
        painted = paint(beneath, reading.placement, self.layout, self.marks, reading.inks, moves=self.style)
        self._painted = painted if self.original.is_kept else None
        return painted

    def let_go(self) -> None:
        """Drop the pixels, where they can be had again."""
        self.original.let_go()
        self._painted = self._painted if self.original.is_kept else None

    def __getstate__(self) -> dict[str, Any]:
        """What goes to other processes: all but the pixels."""
        return {**vars(self), "_painted": None}


@dataclass(frozen=True, eq=False, repr=False)
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
        drawing: what is drawn on the picture; None when nothing is.
        scale: pixels of ``reading.placement`` per pixel of the file.
        nodes: search nodes spent on reading and solving.
        seconds: time of each stage and the total.
        overlay: where the picture was written, None when it was not.
        original: the picture as it was, kept or to be opened again; None where it could not be opened.
        options: how it was solved.
        checked: what was found of that which stands, where a hint or a check was asked for.
        hints: the next steps, where a hint was asked for.
        shown: steps that are drawn, those that the picture showed before among them.
        notes: further sentences for people.
        failed: the cause where it failed for a reason outside the picture: ``input`` (the file is gone or cannot be
            read), ``output`` (the solved picture cannot be written), ``engine`` (no OCR engine), ``memory``, ``worker``
            (its process ended), ``internal`` (a fault of solvepic); None where what came of it is the picture's own.
        failure: where ``failed`` is ``worker`` or ``internal``: what happened, for whoever mends it.
        placement_score: how much the place where the board was looked for looks like one of its kind, 0..1.
        place: where a board was seen of which nothing could be read; None where there is a reading, or no board.
        cause: what a refusal comes from, for programs.
        remedy: the options with which the user may settle it, such as ``--set r3c4=12``; empty where none would.
        readback: where the picture of what was read was written, None when it was not.
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
    drawing: Drawing | None = None
    scale: float = 1.0
    nodes: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    overlay: str | None = None
    original: Original | None = None
    options: Options = field(default_factory=Options)
    checked: "Check | None" = None
    hints: "tuple[Step, ...]" = ()
    shown: int = 0
    notes: tuple[str, ...] = ()
    failed: str | None = None
    failure: str = ""
    placement_score: float = 0.0
    place: Placement | None = None
    cause: Cause | None = None
    remedy: str = ""
    readback: str | None = None

    @property
    def puzzle(self) -> Any:
        """What was read, of the kind's own type; None when nothing was."""
        return self.reading.puzzle if self.reading is not None else None

    @property
    def photo(self) -> Photo | None:
        """The picture as it was.

        Raises:
            vision.pictures.loading.BadPictureError: it is opened again, and its file is gone or shows something else.
        """
        return self.original.photo if self.original is not None else None

    @property
    def picture(self) -> Picture | None:
        """The picture with the answer drawn on it, ``uint8 (H, W, 3)`` blue, green, red; None when there is none.

        Raises:
            vision.pictures.loading.BadPictureError: as ``photo``.
        """
        return self.drawing.picture if self.drawing is not None else None

    @property
    def unique(self) -> bool | None:
        """Whether the answer is the only one; None when that was not found out or is not asked of the kind."""
        if self.answer is None:
            return None
        return {Verdict.UNIQUE: True, Verdict.SEVERAL: False}.get(self.verdict) if self.verdict else None

    @cached_property
    def _begun(self) -> "tuple[Any, Standing] | None":
        """The puzzle without what the player has placed, and what that is; None where nothing was read for certain."""
        if self.kind is None or self.reading is None or self.reading.doubts:
            return None
        puzzle, standing = self.kind.guide.begun(self.reading.puzzle)
        return puzzle, (*standing, *(placed for placed in self.reading.placed if placed not in standing))

    @property
    def standing(self) -> "Standing":
        """What the player has placed, rightly or wrongly: patches, pieces, queens."""
        return () if self._begun is None else self._begun[1]

    def check(self, budget: Budget | None = None) -> "Check":
        """Whether all that stands can be in the answer, and if not, what cannot.

        Args:
            budget: for the searches; the time limit of the options where none is given.
        """
        from solvepic.checking import Check, checked  # noqa: PLC0415  (a picture that is refused needs none)

        if self.kind is None or self._begun is None:
            return Check((), settled=False)
        puzzle, standing = self._begun
        return checked(self.kind, puzzle, standing, budget or Budget(seconds=self.options.time_limit))

    def steps(self, budget: Budget | None = None) -> "Iterator[Step]":
        """One step after the other from what stands to the answer, each with its reason, easiest first.

        What stands wrongly is left aside; nothing comes of a picture on which nothing was read for certain.

        Args:
            budget: for reasoning and searching; the time limit of the options where none is given.

        Raises:
            solvers.budget.BudgetSpentError: from the iterator, when the budget is used up.
        """
        budget = budget or Budget(seconds=self.options.time_limit)
        check = self.check(budget)
        if self.kind is not None and self._begun is not None and check.settled:
            yield from self.kind.guide.steps(self._begun[0], check.right, budget)

    @cached_property
    def difficulty(self) -> Difficulty | None:
        """How hard it is to go on from what stands; None where there is no answer, or it takes long to find out."""
        if self.kind is None or self.answer is None:
            return None
        from solvers.steps.step import TRYING  # noqa: PLC0415  (only answers are rated)

        rules = list(self.kind.guide.RULES)
        left = max(0.0, self.options.time_limit - self.seconds.get("total", 0.0))
        try:
            taken = [rules.index(step.rule) for step in self.steps(Budget(RATING_NODES, left))]
        except BudgetSpentError:
            return None
        trying = any(rank >= rules.index(TRYING) for rank in taken)
        return {"rule": rules[max(taken)] if taken else None, "steps": len(taken), "trying": trying}

    def corrected(self, given: Mapping[Cell, str]) -> "Outcome":
        """The outcome when something else stands on some cells: what was read is kept and solved again.

        Args:
            given: the words for cells ``(row, col)``, 0-based: ``"12"``, ``"Q"``, ``"F"``; empty where nothing stands.

        Raises:
            ValueError: nothing was read that could be corrected, or something cannot stand on a cell; with a sentence.
        """
        from solvepic.answering import corrected  # noqa: PLC0415  (solving makes outcomes)

        return corrected(self, given)

    def asked(self, *, hint: int = 0, check: bool = False, shown: int = 0) -> "Outcome":
        """The outcome had hints or a check been asked for: what was read is kept.

        Args:
            hint: so many steps, after those that are ``shown``.
            check: whether what stands is checked in place of that.
            shown: steps that are known already, and are drawn with the next ones.

        Raises:
            ValueError: hints and a check cannot be asked for at once.
        """
        from solvepic.answering import continued  # noqa: PLC0415  (solving makes outcomes)

        return continued(replace(self, options=replace(self.options, hint=hint, check=check)), shown)

    def text(self, form: str = "text") -> str:
        """What was read as text: ``text`` for our own form, ``puzzlink``, ``sgt``, ``fen`` or ``csv``.

        Raises:
            ValueError: nothing was read, or the form cannot tell it; with a sentence.
        """
        from solvepic.texts import exported  # noqa: PLC0415  (solving texts makes outcomes)

        if self.kind is None or self.reading is None:
            raise OptionError("nothing was read on this picture that could be told as text")
        return exported(self.kind, self.reading.puzzle, form)

    def outlines(self) -> dict[Cell, list[tuple[float, float]]]:
        """The outline of each cell as a polygon ``(x, y)`` in pixels of the file; empty where no board was read.

        Places are among them that are in doubt and may be cells.
        """
        return {cell: [(x, y) for x, y in self._pixels(outline)] for cell, outline in self._places().items()}

    def words(self) -> dict[Cell, str]:
        """What was read on each cell, in the words that ``corrected`` takes; empty where no board was read."""
        places = self._places()
        return {} if self.kind is None else {cell: self.kind.rules.word(self.puzzle, cell) for cell in places}

    def _places(self) -> Mapping[Cell, Sequence[Point]]:
        """The outlines in board units of the cells, and of places in doubt that may be some."""
        if self.kind is None or self.reading is None:
            return {}
        cells, unsure = self.kind.rules.layout(self.puzzle).cells, [doubt.cell for doubt in self.reading.doubts]
        if not self.kind.has_squares or cells.keys() >= set(unsure):
            return cells
        grid = self.kind.grid(self.reading.placement.size).cells
        return {**cells, **{cell: grid[cell] for cell in unsure if cell not in cells and cell in grid}}

    @property
    def choices(self) -> Choices | None:
        """What ``corrected`` may put onto a cell; None where no board was read."""
        return None if self.kind is None or self.reading is None else self.kind.rules.choices(self.puzzle)

    @property
    def corners(self) -> list[list[float]]:
        """The corners of the board ``[x, y]`` in pixels of the file, four or three; empty where no board was seen."""
        if self.kind is None:
            return []
        if self.reading is not None:
            return self._pixels(self.kind.rules.layout(self.puzzle).corners)
        return [] if self.place is None else self._pixels(self.kind.grid(self.place.size).corners)

    def _pixels(self, points: Any) -> list[list[float]]:
        """Pixels of the file at points in board units; pixel ``i`` covers ``i - 0.5 .. i + 0.5``."""
        placement = self.place if self.reading is None else self.reading.placement
        assert placement is not None
        pixels = (placement.to_photo(points) + 0.5) / self.scale - 0.5
        return [[float(x), float(y)] for x, y in np.round(pixels, 2)]

    def file(self, suffix: str = ".png") -> bytes:
        """The picture as a file whose name ends in ``suffix``; a PNG of hints keeps what lies beneath them.

        Raises:
            solvepic.output.OutputError: there is no picture.
        """
        picture, photo = self.picture, self.photo
        if picture is None:
            raise OutputError("there is no picture to be written: the puzzle was not solved")
        if photo is not None and self.options.hint and suffix.lower() not in JPEG_SUFFIXES:
            from solvepic.hinted import hinted_png  # noqa: PLC0415  (answers need none)

            return hinted_png(photo.bgr, picture, self.shown)
        return encoded(picture, suffix)

    def save(self, path: "str | Path", *, overwrite: bool = False) -> "Outcome":
        """Write the picture; its ending says how: ``.jpg`` or ``.png``.

        Returns:
            The same outcome with ``overlay`` saying where it was written.

        Raises:
            solvepic.output.OutputError: there is no picture, the file exists, is the input, or cannot be written.
        """
        saved(Path(path), self.file(Path(path).suffix), self.image, overwrite=overwrite)
        return self.written_to(str(path))

    def written_to(self, overlay: str) -> "Outcome":
        """The same outcome, its picture written to ``overlay``."""
        return replace(self, overlay=overlay)

    def read_picture(self) -> Picture | None:
        """What was read, laid over the picture, with the command below that puts it right; None where no board is."""
        photo = self.photo
        if photo is None or self.kind is None or (self.reading is None and self.place is None):
            return None
        from overlay.annotated import annotated  # noqa: PLC0415  (only refusals are annotated)

        command = command_with(self.image, self.remedy) if self.remedy and self.image else ""
        lines = [line for line in (self.message, command) if line]
        if self.reading is None:
            assert self.place is not None
            layout = self.kind.grid(self.place.size)
            fences = [Fence((cell,), Ink()) for cell in layout.cells]
            return annotated(photo.bgr, self.place, layout, fences, (), below=lines)
        layout = self.kind.rules.layout(self.puzzle)
        unsure = list(dict.fromkeys(doubt.cell for doubt in self.reading.doubts))
        given = self.kind.rules.given(self.puzzle)
        return annotated(photo.bgr, self.reading.placement, layout, given, unsure, below=lines)

    def __repr__(self) -> str:
        """One line: the picture, how it ended, what was found."""
        return f"<solvepic.Outcome {self.image or 'picture'}: {self.status}: {self.message}>"

    def _repr_png_(self) -> bytes | None:
        """The picture for notebooks."""
        picture = self.picture
        return None if picture is None else encoded(picture, ".png")

    def let_go(self) -> "Outcome":
        """The same outcome without its pixels: they are had from the file again whenever they are asked for."""
        if self.original is not None:
            self.original.let_go()
        if self.drawing is not None:
            self.drawing.let_go()
        return self

    def record(self) -> Record:
        """The JSON object of this picture, as the JSON contract fixes it."""
        reading, kind = self.reading, self.kind
        hints = [_hint(step) for step in self.hints] if self.options.hint else []
        return {
            "image": self.image,
            "status": str(self.status),
            "kind": kind.name if kind else None,
            "puzzle": kind.rules.puzzle_record(reading.puzzle) if kind and reading else None,
            "solution": kind.rules.answer_record(reading.puzzle, self.answer)
            if kind and reading and self.answer is not None and not (self.options.hint or self.options.check)
            else None,
            "unique": self.unique,
            "solutions": None if self.unique is None else {"found": 1 + len(self.rivals), "all": self.complete},
            "confidence": round(float(reading.confidence), 4) if reading else 0.0,
            "repairs": [{"cell": list(r.cell), "read": r.read, "used": r.used} for r in reading.repairs]
            if reading
            else [],
            "doubts": [
                {
                    "cell": list(d.cell),
                    "read": d.read,
                    "confidence": round(float(d.confidence), 4),
                    "why": d.why,
                    "instead": list(d.instead),
                    "settle": d.settle,
                }
                for d in reading.doubts
            ]
            if reading
            else [],
            "left_alone": list(reading.left_alone) if reading else [],
            "placed": [as_json(asdict(placed)) for placed in self.standing],
            "difficulty": self.difficulty,
            "hint": hints[0] if hints else None,
            "hints": hints,
            "check": _check(self.checked) if self.checked is not None and self.options.check else None,
            "board": {"corners": corners} if (corners := self.corners) else None,
            "overlay": self.overlay,
            "read_picture": self.readback,
            "cause": str(self.cause) if self.cause else None,
            "remedy": self.remedy,
            "seconds": {name: round(self.seconds.get(name, 0.0), 4) for name in (*STAGES, "total")},
            "nodes": self.nodes,
            "message": self.message,
            "notes": list(self.notes),
            "failed": self.failed,
        }


def _hint(step: "Step") -> Hint:
    return {
        "cells": as_json(step.cells),
        "rule": step.rule,
        "because": step.because,
        "marks": [{"type": type(mark).__name__.lower(), **as_json(asdict(mark))} for mark in step.marks],
        "placed": as_json(asdict(step.placed)),
    }


def _check(check: "Check") -> Checked:
    return {
        "wrong": [as_json(asdict(placed)) for placed in check.wrong],
        "rivals": [[as_json(asdict(placed)) for placed in rival] for rival in check.rivals],
        "complete": check.complete,
        "settled": check.settled,
    }
