"""Boards that were read without a picture of them."""

import numpy as np

from solvepic.answering import Work, answered
from solvepic.options import Options
from solvepic.original import Original
from solvepic.outcome import Outcome
from solvepic.registry import by_name
from solvers.budget import Budget
from solvers.steps.step import Placed
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement
from vision.reading import Reading
from vision.trace import Trace

SIDE = 20


def read(
    name: str, text: str, placed: tuple[Placed, ...] = (), options: Options | None = None, **told: object
) -> Outcome:
    """The outcome of a board that was read without a picture of it."""
    kind = by_name(name)
    puzzle = kind.rules.parse(text)
    width, height = kind.rules.layout(puzzle).size
    corners = [(0, 0), (SIDE * width, 0), (SIDE * width, SIDE * height), (0, SIDE * height)]
    place = FlatPlacement.from_corners(corners, (width, height))
    photo = Photo(np.full((int(SIDE * height) + 9, int(SIDE * width) + 9, 3), 255, np.uint8))
    reading = Reading(puzzle, place, placed=placed, **told)  # type: ignore[arg-type]
    work = Work("shot.png", options or Options(), Original(photo), Budget(), Trace())
    return work.finished(answered(work, kind, reading, work.budget))


BOARD = "4 . 2 / . . . / . 3 ."  # 2 x 2, 2 tall, 1 x 3
