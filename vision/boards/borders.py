"""What the borders of places say about them: those between cells look alike, and so do those round a board.

How they look is learned from the board itself. The colours of its borders, as its places are told so far, make three
densities: between two cells, between a cell and a hole, between two holes (kernel density estimation [1]). By Bayes'
rule a place is a hole sooner where its borders to cells look like those round the board. A network that sees the places
near by knows what is usual, and hardly which of two colours is this board's outline.

References:
    1. E. Parzen, "On Estimation of a Probability Density Function and Mode", The Annals of Mathematical Statistics
       33(3), 1962.
"""

import numpy as np
import numpy.typing as npt

from vision.pictures.lab import lab
from vision.pictures.medians import medians
from vision.pictures.photo import Picture

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

REACH, GROUND = 1 / 6, 1 / 12
"""How far a border is looked at on either side, in places, and what of that is ground beside its line."""

CROSSED = 1 / 6
"""Of a border, at either end, where other lines cross it."""

WIDTH, TIMES_NEAREST = 3.0, 1.5
"""Bandwidth of the kernels: at least this CIELAB distance, and so many times the median one to the next of a kind."""

FLOOR, AS_MANY = 0.02, 5
"""The least density, of that where all borders of a kind are the same, and how many borders weigh as much."""

DEPENDENT = 0.5
"""Exponent of what each border says, as those of a place are not independent (``python -m benchmarks.borders``)."""

LINED = 2.3
"""Nats by which borders speak for a cell at most: round one hole in ten lines are drawn as between cells."""

SURE = 7.0
"""Nats at which log odds are cut off before borders are weighed; those between places that are surely holes are not."""

PASSES = 2
"""Times that borders are looked at, each as places are told after the last."""


def weighed_by_borders(odds: Floats, flat: Picture, dependent: float = DEPENDENT) -> Floats:
    """The log odds of each place for being a cell, ``float64 (rows, cols)``, nats, by its borders as well.

    Args:
        odds: those by anything else; -inf outside of the picture.
        flat: ``uint8 (rows * side, cols * side, 3)``, the places laid flat.
        dependent: see :data:`DEPENDENT`.
    """
    (rows, cols), in_view = odds.shape, np.isfinite(odds).ravel()
    places, side = np.arange(rows * cols).reshape(rows, cols), len(flat) // rows
    pairs = np.vstack([_beside(places), _beside(places.T)])
    features = np.vstack([_features(flat, side), _features(flat.swapaxes(0, 1), side)])
    known = in_view[pairs].all(axis=1) & (odds.ravel()[pairs] > -SURE).any(axis=1)
    pairs, features = pairs[known], features[known]
    meeting = np.zeros((len(pairs), rows * cols), np.float32)
    np.put_along_axis(meeting, pairs, 1, axis=1)
    others = meeting @ meeting.T == 0  # what a border says of its places is not learned from them
    apart = np.linalg.norm(features[:, None] - features, axis=2)
    before = np.clip(odds, -SURE, SURE).ravel()
    posterior = before
    for _ in range(PASSES):
        cells = (posterior > 0)[pairs]
        densities = _log_densities(apart, others, cells.sum(axis=1))
        said = np.zeros_like(before)
        for place, beyond in ((0, 1), (1, 0)):
            # With a cell beyond it, the border of a cell is one between cells, and that of a hole one round the board.
            count = cells[:, beyond].astype(np.intp)
            of_cell, of_hole = np.take_along_axis(densities, np.stack([count + 1, count]), axis=0)
            np.add.at(said, pairs[:, place], dependent * (of_cell - of_hole))
        posterior = before + np.minimum(said, LINED)
    return np.where(in_view, posterior, -np.inf).reshape(rows, cols)


def _beside(places: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """The pairs of places next to each other in a row, ``(N, 2)``, row by row."""
    return np.column_stack([places[:, :-1].ravel(), places[:, 1:].ravel()])


def _features(flat: Picture, side: int) -> Floats:
    """How the borders between places next to each other in a row look, ``(N, 4)``, row by row: the colour of
    the line in CIELAB, and how far that is off the ground on either side, 0 where there is no line.
    """
    reach, ground, crossed = (round(part * side) for part in (REACH, GROUND, CROSSED))
    rows = flat.reshape(-1, side, *flat.shape[1:])[:, crossed : side - crossed]
    colours = lab(np.round(rows.mean(axis=1)).astype(np.uint8))
    near = (colours[:, side + at : colours.shape[1] - side + at + 1 : side] for at in range(-reach, reach + 1))
    across = np.stack(list(near), axis=2)
    grounds = (across[:, :, part].mean(axis=2, keepdims=True) for part in (slice(ground), slice(-ground, None)))
    off = np.min([np.linalg.norm(across - beside, axis=3) for beside in grounds], axis=0)[:, :, ground:-ground]
    line = off.argmax(axis=2)[:, :, None]
    colour = np.take_along_axis(across, line[..., None] + ground, axis=2)[:, :, 0]
    features = np.concatenate([colour, np.take_along_axis(off, line, axis=2)], axis=2).reshape(-1, 4)
    return np.asarray(features, np.float64)


def _log_densities(apart: Floats, others: Bools, cells: npt.NDArray[np.intp]) -> Floats:
    """The logs of how many borders between holes, round the board and between cells look like each, ``(3, N)``.

    Args:
        apart: ``(N, N)``, how far borders are from each other in looks.
        others: ``bool (N, N)``, whether they share no place.
        cells: ``(N,)``, how many of the two places of each are cells.
    """
    kinds = np.array([cells == count for count in range(3)])
    width = max([WIDTH, *(TIMES_NEAREST * _usual_gap(apart[np.ix_(kind, kind)]) for kind in kinds[1:])])
    like = np.exp(-((apart / width) ** 2) / 2) * others
    alike, number = (kinds.astype(np.float64) @ some for some in (like, others.astype(np.float64)))
    return np.log(FLOOR + (1 - FLOOR) * (alike + FLOOR * AS_MANY) / (number + AS_MANY))


def _usual_gap(apart: Floats) -> float:
    """The median distance to the nearest other; 0 for fewer than three."""
    if len(apart) < 3:
        return 0.0
    return float(medians((apart + np.diag(np.full(len(apart), np.inf))).min(axis=1)))
