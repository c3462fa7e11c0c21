"""A puzzle that came as text, drawn plainly, black on white: the picture that its outcome is of."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from overlay import paint
from solvepic.original import Original
from solvepic.registry import Kind
from solvers.marks import Ink, Text
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement
from vision.reading import Reading

CELL_PX, MARGIN_PX, LINE_PX = 64, 32, 2
PAPER, LINE, PRINT = (255, 255, 255), (150, 150, 150), Ink(rgb=(20, 20, 20))


def placed(size: tuple[float, float]) -> FlatPlacement:
    """Where a board of this size, in board units, lies in its picture."""
    scale = np.array([(CELL_PX, 0, MARGIN_PX), (0, CELL_PX, MARGIN_PX), (0, 0, 1)], np.float64)
    return FlatPlacement(scale, size)


class PlainBoard(Original):
    """A picture of nothing but a puzzle."""

    def __init__(self, kind: Kind, reading: Reading[Any]) -> None:
        """The picture of what ``reading`` tells, at its placement."""
        super().__init__(_drawn(kind, reading))

    def showing(self, kind: Kind, reading: Reading[Any]) -> "PlainBoard":
        """The picture of another puzzle in its place."""
        return PlainBoard(kind, reading)


def _drawn(kind: Kind, reading: Reading[Any]) -> Photo:
    layout, place = kind.rules.layout(reading.puzzle), reading.placement
    width, height = (round(CELL_PX * side) + 2 * MARGIN_PX for side in layout.size)
    picture = np.full((height, width, 3), PAPER, np.uint8)
    outlines = [np.rint(place.to_photo(outline)).astype(np.int32) for outline in layout.cells.values()]
    cv2.polylines(picture, outlines, True, LINE, LINE_PX, cv2.LINE_AA)
    given = [replace(m, ink=PRINT) if isinstance(m, Text) else m for m in kind.rules.given(reading.puzzle)]
    return Photo(paint(picture, place, layout, given))
