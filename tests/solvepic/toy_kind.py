"""A kind made up for tests: a picture of one colour is a puzzle of two cells; its brightness says how it goes."""

import os
import signal
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from solvepic.jobs import Job
from solvepic.registry import Kind
from solvers.board import Cell, Layout, grid_layout
from solvers.budget import Budget, BudgetSpentError
from solvers.kind import Choices, Frame, Record
from solvers.marks import Fill, Ink, Mark, Text
from solvers.steps.step import CHOICE, TRYING, Placed, Standing, Step
from vision.kind import Aids
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, Placement
from vision.reading import Doubt, NotFound, Reading, Repair

# Brightness of the picture -> what the toy makes of it.
UNIQUE, SEVERAL, NONE, ENDLESS, FAULTY, DOUBTFUL, MISREAD, NOTHING, CRASH, REPAIRED, HALF = range(10, 230, 20)


def level_of(photo: Photo) -> int:
    """Which of the above a picture is, also after JPEG changed it a little."""
    return int(photo.gray.mean() // 20) * 20 + 10


class Rules:
    def parse(self, text: str) -> int:
        return int(text)

    def write(self, puzzle: int) -> str:
        return str(puzzle)

    def put(self, puzzle: int, cell: Cell, text: str) -> int:
        if not text.isdecimal():
            raise ValueError(f"{text!r} is no level")
        return int(text)

    def word(self, puzzle: int, cell: Cell) -> str:
        return str(puzzle)

    def choices(self, puzzle: int) -> Choices:
        return Choices((), 230)

    def title(self, puzzle: int) -> str:
        return "1 x 2 board"

    def layout(self, puzzle: int) -> Layout:
        return grid_layout(1, 2)

    def faults(self, puzzle: int) -> list[str]:
        return ["two queens attack each other"] if puzzle == FAULTY else []

    def answers(self, puzzle: int, budget: Budget) -> Iterator[int]:
        if puzzle in (UNIQUE, SEVERAL, REPAIRED, HALF):
            yield 1
        if puzzle == SEVERAL:
            yield 2
        if puzzle in (ENDLESS, HALF):
            raise BudgetSpentError("time is up")

    def explain(self, puzzle: int, budget: Budget) -> list[str]:
        return ["the pocket at row 1 is too small"]

    def holds(self, puzzle: int, answer: int) -> bool:
        return answer > 0

    def contents(self, puzzle: int, answer: int) -> Mapping[Cell, Hashable]:
        return {(0, 0): 0, (0, 1): answer}

    def marks(self, puzzle: int, answer: int) -> Sequence[Mark]:
        return [Fill(((0, 0), (0, 1)))]

    def given(self, puzzle: int) -> Sequence[Mark]:
        return [Text((0, 0), "8")]

    def rehearse(self, puzzle: int, budget: Budget, show: Callable[[Frame], None]) -> None:
        for step in range(40):
            show(lambda step=step: [Fill(((0, 0),), Ink(tone=step))])  # type: ignore[misc]

    def puzzle_record(self, puzzle: int) -> Record:
        return {"level": puzzle}

    def answer_record(self, puzzle: int, answer: int) -> Record:
        return {"answer": answer}


class Reader:
    def find(self, photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
        if level_of(photo) == NOTHING:
            return NotFound("it is all one shade")
        corners = [(10, 10), (90, 10), (90, 50), (10, 50)]
        return [FlatPlacement.from_corners(corners, (2, 1), 0.9)]

    def read(self, photo: Photo, placement: Placement, aids: Aids) -> Reading[int] | NotFound:
        level = level_of(photo)
        if level == MISREAD:
            return NotFound("the clues are blurred", board_found=True)
        if level == CRASH:
            raise RuntimeError("a fault of ours")
        doubts = [Doubt((0, 1), "8", 0.4, "could be 3", instead=("3",))] if level == DOUBTFUL else []
        repairs = [Repair((0, 0), "8", "3")] if level == REPAIRED else []
        return Reading(level, placement, 0.9, doubts, repairs)


class Guide:
    RULES = ("it is plain to see", TRYING, CHOICE)

    def begun(self, puzzle: int) -> tuple[int, Standing]:
        return puzzle, ()

    def placings(self, puzzle: int, answer: int) -> Standing:
        return (Placed(((0, 0),)), Placed(((0, 1),), str(answer)))

    def completions(self, puzzle: int, standing: Collection[Placed], budget: Budget) -> Iterator[int]:
        for answer in Rules().answers(puzzle, budget):
            if set(standing) <= set(self.placings(puzzle, answer)):
                yield answer

    def steps(self, puzzle: int, standing: Collection[Placed], budget: Budget) -> Iterator[Step]:
        answer = next(self.completions(puzzle, standing, budget), None)
        for placed in self.placings(puzzle, answer) if answer else ():
            if placed not in standing:
                yield Step(placed, (Fill(placed.cells),), placed.cells, self.RULES[0], "only one is left")


class Toy(Kind):
    rules = Rules()  # type: ignore[assignment]
    guide = Guide()  # type: ignore[assignment]
    reader = Reader()  # type: ignore[assignment]


TOY = Toy("toy", shows_rivals=True)


def picture(level: int) -> Picture:
    return np.full((60, 100, 3), level, np.uint8)


Run = Callable[..., tuple[int, str, str]]
"""Calls the command: exit status, standard output, standard error."""


def shot(path: Path, level: int = UNIQUE) -> Path:
    """A picture of the toy at ``path``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(cv2.imencode(path.suffix, picture(level))[1].tobytes())
    return path


# Work for a pool: how a picture's name says it should go.


def task(job: Job) -> Record:
    if "kill" in job.image:
        os.kill(os.getpid(), signal.SIGKILL)
    if "hang" in job.image:
        sum(range(10**12))  # in C, as what decodes a picture: Python runs no handler of a signal meanwhile
    return {"image": job.image, "status": "solved", "message": "", "overlay": None}
