"""Reads 5 x 11 boards of balls: Kanoodle, IQ Puzzler Pro, and programs that draw them as squares."""

from collections.abc import Sequence

from solvers import pyramid
from solvers.balls import Balls
from solvers.kanoodle import TRAY
from vision.balls import eyes
from vision.boards.grids import find_grids
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
    squares: list[FlatPlacement] = [
        guess.placement
        for guess in find_grids(photo, aids.trace, thorough=aids.thorough)[:4]
        if (guess.rows, guess.cols) == SHAPE
    ]
    if isinstance(found, NotFound):
        return squares or found
    return [*squares, *found]


def read(photo: Photo, placement: Placement, aids: Aids) -> Reading[Balls] | NotFound:
    """Which pieces lie on the board at ``placement``."""
    return eyes.read(photo, placement, aids, TRAY)
