"""Reads 5 x 11 boards of balls: Kanoodle, IQ Puzzler Pro, and programs that draw them as squares."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from solvers import pyramid
from solvers.balls import Balls
from solvers.kanoodle import TRAY
from vision.balls import eyes
from vision.boards.grids import GridGuess, find_grids
from vision.kind import Aids
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement
from vision.reading import NotFound, Reading

SHAPE = (len(TRAY.widths), TRAY.widths[0])


def find(photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
    """The places where such a board may lie, best first: lattices of balls, and else grids of 5 x 11 squares."""
    found = eyes.find(photo, aids, TRAY, rivals=(pyramid.TRAY,))
    if eyes.clearly_there(photo, TRAY) or eyes.clearly_there(photo, pyramid.TRAY):
        return found
    guesses = find_grids(photo, aids.trace, thorough=aids.thorough)[:4]
    squares = [placement for guess in guesses if (placement := _lying(guess)) is not None]
    if isinstance(found, NotFound):
        return squares or found
    return [*squares, *found]


def read(photo: Photo, placement: Placement, aids: Aids) -> Reading[Balls] | NotFound:
    """Which pieces lie on the board at ``placement``."""
    return eyes.read(photo, placement, aids, TRAY)


def _lying(guess: GridGuess) -> FlatPlacement | None:
    """The place of a grid of this shape; one that stands upright is laid on its side. None for one of another shape."""
    if (guess.rows, guess.cols) == SHAPE:
        return guess.placement
    if (guess.cols, guess.rows) != SHAPE:
        return None
    turned = FlatPlacement.from_corners(np.roll(guess.corners_px, 1, axis=0), (SHAPE[1], SHAPE[0]))
    return replace(turned, score=guess.placement.score)
