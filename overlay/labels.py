"""A legend of pieces where colours are close: their labels, written on the balls themselves.

A list beside the board would need room that not every picture has, cover pixels that no mark covers, and ask the eye to
travel. So a piece whose colour is close to that of another ball, drawn or seen in the picture, carries its label on
each of the balls that are drawn; all others stay plain. Given balls are left as they are.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from overlay.inks import Inks, Rgb, contrasting
from solvers.board import Cell
from solvers.marks import Ball, Ink, Mark, Text
from vision.pictures.lab import lab

CLOSE = 24.0
"""Distance of two colours (CIELAB, lightness shortened) below which they are told apart with effort: blue and purple of
a boxed set are 23 apart, white and grey 20, orange and yellow 60."""

LIGHTNESS = 0.6
"""Weight of a step in lightness: shaded balls run through many."""

SIZE = 0.4
"""Height of a label, of a cell's side."""


def labels(marks: Sequence[Mark], inks: Inks, colours: Mapping[Cell, Rgb]) -> Iterator[Text]:
    """The labels to write on the balls among the marks.

    Args:
        marks: what is drawn.
        inks: their colours.
        colours: the colours that the picture shows, by cell.
    """
    balls = [mark for mark in marks if isinstance(mark, Ball)]
    own = [inks.colour(mark.ink) for mark in balls]
    for k, mark in enumerate(balls):
        others = own[:k] + own[k + 1 :] + [rgb for cell, rgb in colours.items() if cell not in mark.cells]
        if mark.label and others and _nearest(own[k], others) < CLOSE:
            for cell in mark.cells:
                yield Text(cell, mark.label, Ink(rgb=contrasting(own[k])), SIZE)


def _nearest(rgb: Rgb, others: Sequence[Rgb]) -> float:
    colours: npt.NDArray[np.float64] = _lab([rgb, *others]) * (LIGHTNESS, 1, 1)
    return float(np.linalg.norm(colours[1:] - colours[0], axis=1).min())


def _lab(rgb: Sequence[Rgb]) -> npt.NDArray[np.float64]:
    return lab(np.array(rgb, np.uint8)[:, ::-1]).astype(np.float64)
