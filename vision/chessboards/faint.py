"""Figures on screens that hardly stand out: white ones on white squares, whose outline is too thin to count."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from vision.chessboards import squares as empty_squares
from vision.chessboards.bodies import (
    ALIKE,
    LEAST_AREA,
    SAME_BODY,
    body_of,
    filled_in,
    fills_a_corner,
    is_mark,
    overlap,
    stretched,
)
from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.guesses import SURE, Guess, judge
from vision.chessboards.silhouettes import Measures, Name, measure
from vision.chessboards.squares import Square, Squares, close_up
from vision.pictures.masks import largest
from vision.pictures.photo import Photo

Mask = npt.NDArray[np.bool_]

HARDLY_SEEN = "it hardly stands out from its square"
"""What speaks against a figure that may be a shade."""

FAINT, FAINT_MOST = 0.5, 3.0
"""What differs so much from its square, of what counts, has to be more than grain where faint figures are looked for;
and how much a figure differs at most to be called faint."""

EVENLY = 0.3
"""Part of a faint figure that has one colour, at least; half of a small one is outline."""

OFF_CENTRE = 0.05
"""How far off the middle of its square, in squares, a dot is; crowns and feet, which may be as round, are farther."""


def faint_figures(
    photo: Photo, placement: ChequeredPlacement, squares: Squares, turns: int,
    figures: Mapping[Cell, tuple[Guess, Mask]],
) -> dict[Cell, Guess]:  # fmt: skip
    """What stands on a screen where nothing else was seen, its outline too thin to count: white figures on white.

    Like one of the ``figures`` that are seen, upright silhouettes, it is what that is; else it is in doubt.
    """
    found: dict[Cell, Guess] = {}
    if not placement.level or squares.finest > FAINT:
        return found
    known = _views(photo, placement, squares, turns, figures)
    told = {cell for cell, (guess, _) in figures.items() if guess.name != "other"}
    for cell in set(np.ndindex(*squares.far.shape[:2])) - told:
        if (squares.far[cell] > squares.finest).mean() < LEAST_AREA:
            continue
        square = close_up(photo, placement, squares, cell)
        outlined = _outlined(square, squares.finest, turns)
        if (
            outlined is None
            or fills_a_corner(outlined, empty_squares.BLUR)
            or not _is_filled(np.rot90(square.far, turns)[outlined], squares.finest)
        ):
            continue
        alike: list[tuple[float, Name]] = [(overlap(outlined, other), name) for other, name in known]
        best, name = max(alike, default=(0.0, "other"))
        seen = measure(outlined, stretched(placement.stretch, turns))
        faint = square.strength() < FAINT_MOST
        if best > ALIKE and (faint or cell not in figures):
            found[cell] = Guess(name, 0.85)
        elif cell not in figures and faint and not _is_dot(outlined, seen, square):
            guess = judge(seen)
            if guess.name == "queen" or (not figures and guess.name == "knight"):
                found[cell] = replace(guess, confidence=0.5, why=HARDLY_SEEN)
    return found


def _views(
    photo: Photo, placement: ChequeredPlacement, squares: Squares, turns: int,
    figures: Mapping[Cell, tuple[Guess, Mask]],
) -> list[tuple[Mask, Name]]:  # fmt: skip
    """What queens and knights that are seen look like, as they are seen and as faint ones would be."""
    known: list[tuple[Mask, Name]] = []
    for (r, c), (guess, body) in figures.items():
        if guess.confidence >= SURE and guess.name != "other":
            as_faint = _outlined(close_up(photo, placement, squares, (r, c)), squares.finest, turns)
            same = as_faint is not None and overlap(as_faint, body) > SAME_BODY
            known += [(view, guess.name) for view in (body, as_faint if same else None) if view is not None]
    return known


def _is_dot(outlined: Mask, seen: Measures, square: Square) -> bool:
    """Whether what hardly differs is a dot, or one that is clearly seen and what a JPEG left around it."""
    core = largest(filled_in(square.mask()))
    middle = np.argwhere(core).mean(axis=0) / len(core) - 0.5 if core.any() else np.inf
    in_the_middle = (np.abs(middle) < OFF_CENTRE).all()
    return is_mark(seen, outlined) or bool(in_the_middle and is_mark(measure(core), core))


def _is_filled(far: npt.NDArray[np.float32], finest: float) -> bool:
    """Whether much of a body has one colour, by its distances: what a JPEG leaves around a mark has many."""
    steps = np.bincount((far / finest).astype(int))
    return bool((steps[:-1] + steps[1:]).max(initial=0) > EVENLY * far.size)


def _outlined(square: Square, finest: float, turns: int) -> Mask | None:
    """The body of what hardly differs, upright; the border, where the edge of the next square is seen, is left out."""
    mask = square.clearly(finest)
    edge, inner = round(empty_squares.BLUR * len(mask)), np.zeros_like(mask)
    inner[edge:-edge, edge:-edge] = mask[edge:-edge, edge:-edge]
    return body_of(np.rot90(inner, turns))
