"""The lines of a lattice onto which the faces of a bent board are laid: smooth where they are not seen.

What column and what row lies at a pixel are two smooth fields. All lines that are seen say what they are; how well a
layout suits these lines is its likelihood.
"""

import numpy as np

from vision.clues.jigsaw import Layout
from vision.pictures.placement import Points
from vision.pictures.smooth_field import Field, fitted

SIDE_SAMPLES = 3
"""Points of each cell's side that say where a line runs."""

INDEPENDENT = 0.125
"""Part of these points that err independently of each other."""


def lines(layout: Layout, unit_px: float) -> tuple[Field, Field]:
    """The column and the row of any pixel, by where the lines between faces are seen; lengths are in cells."""
    known: tuple[list[Points], list[Points]] = ([], [])
    values: tuple[list[float], list[float]] = ([], [])
    for place in layout.values():
        for d, line in enumerate((place.row, place.col + place.width, place.row + place.height, place.col)):
            curve = place.pose.curves[(place.top + d) % 4]
            count = round(SIDE_SAMPLES * len(curve) / unit_px) + 1  # as many however many cells it is divided into
            axis = 1 - d % 2
            known[axis].append(curve[np.linspace(0, len(curve) - 1, count).astype(int)] / unit_px)
            values[axis].extend([line] * count)
    column, row = (
        fitted(np.concatenate(points), np.array(ends, np.float64)) for points, ends in zip(known, values, strict=True)
    )
    return column, row


def log_likelihood(layout: Layout, unit_px: float) -> float:
    """How well the lines that are seen suit a layout: the marginal likelihood of both fields, as a logarithm."""
    return INDEPENDENT * sum(field.log_likelihood for field in lines(layout, unit_px))
