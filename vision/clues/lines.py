"""The lines of a lattice onto which the faces of a bent board are laid: where they are seen, and smooth between.

Where cells of a side end is seen where the borders with other faces do. What column and what row lies at a pixel are
two smooth fields; all lines that are seen say what they are, and how well a layout suits them its likelihood.
"""

from collections.abc import Mapping

import numpy as np

from vision.clues.jigsaw import Layout, met
from vision.pictures.placement import Points
from vision.pictures.smooth_field import Field, fitted

KNOT_AWAY = 0.03
"""Knots lie at least so far apart along a side."""

SIDE_SAMPLES = 3
"""Points of each cell's side that say where a line runs."""

INDEPENDENT = 0.125
"""Part of these points that err independently of each other."""

Ends = tuple[list[int], list[float]]
"""After how many cells of a side one ends, and where, in 0..1."""


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
        fitted(np.concatenate(points), np.array(told, np.float64)) for points, told in zip(known, values, strict=True)
    )
    return column, row


def log_likelihood(layout: Layout, unit_px: float) -> float:
    """How well the lines that are seen suit a layout: the marginal likelihood of both fields, as a logarithm."""
    return INDEPENDENT * sum(field.log_likelihood for field in lines(layout, unit_px))


def _knots(layout: Layout, number: int, direction: int) -> dict[int, float]:
    """Where on a side whole cells end: where the borders with others do; clockwise, in 0..1."""
    place = layout[number]
    found: dict[int, list[float]] = {}
    for other, touch in place.pose.touches.items():
        if other in layout and place.direction(touch.side) == direction:
            for cell, at in zip(met(place, layout[other], direction), touch.part, strict=True):
                found.setdefault(cell, []).append(at)
    return {cell: float(np.mean(at)) for cell, at in found.items() if 0 < cell < place.along(direction)}


def ends_of(layout: Layout, number: int) -> list[Ends]:
    """The ends of cells that are known on the top, right, bottom and left side of a face, to the right and down."""
    knots = [_knots(layout, number, direction) for direction in range(4)]
    lengths = [layout[number].along(direction) for direction in range(4)]
    # The bottom and the left side run clockwise the other way.
    knots[2:] = [{lengths[d] - k: 1 - at for k, at in knots[d].items()} for d in (2, 3)]
    return [_with_corners(mine, cells) for mine, cells in zip(knots, lengths, strict=True)]


def _with_corners(knots: Mapping[int, float], cells: int) -> Ends:
    """The same with both ends of the side, without those too near to others."""
    cell, at = [0], [0.0]
    for k in sorted(knots):
        if knots[k] > at[-1] + KNOT_AWAY and knots[k] < 1 - KNOT_AWAY:
            cell.append(k)
            at.append(knots[k])
    return [*cell, cells], [*at, 1.0]
