"""On which of the grids found in a picture boards of cells lie, likeliest first (:mod:`vision.boards.states`)."""

from collections.abc import Iterator, Sequence

import numpy as np

from vision.boards.dotted import dotted_boards
from vision.boards.fitting import GridGuess
from vision.boards.grids import find_grids, in_likeliest_view, tilted_views
from vision.boards.quads import is_photo
from vision.boards.states import Grid, board_at, boards_on, is_decided
from vision.kind import Aids
from vision.pictures.bending import scored
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement, lie_alike

PLAIN = 0.9
"""The score of a place on whose lattice a board is told by its cells."""

ALIKE = 0.03
"""Grids lie alike when their corners are no further apart, in cells: what stands on them is seen as well on both."""


def guesses_at(photo: Photo, aids: Aids) -> list[GridGuess]:
    """The grids found, of the size that the user named, if any."""
    guesses = find_grids(photo, aids.trace, thorough=aids.thorough)
    if not guesses and not aids.thorough:
        guesses = in_likeliest_view(photo)
    if aids.size is None:
        return guesses
    asked = set(aids.size)
    return [guess for guess in guesses if {guess.rows, guess.cols} == asked] or [
        _resized(guess, aids.size) for guess in guesses[:1]
    ]


def likely_places(photo: Photo, guesses: Sequence[GridGuess], aids: Aids) -> list[Grid]:
    """Where boards plainly lie, likeliest first: on grids, or on what dots mark where that is likelier."""
    places = plain_places(photo, guesses)
    if places and all(is_decided(photo, place) for place in places):
        return places
    dotted = [scored(place, PLAIN) for place in _dotted_places(photo, aids)]
    return boards_on(photo, [*places, *dotted]) if dotted else places


def plain_places(photo: Photo, guesses: Sequence[GridGuess]) -> list[Grid]:
    """Where those guesses lie on which boards do, whatever stands in them."""
    return boards_on(photo, [scored(guess.place, PLAIN) for guess in guesses])


def _dotted_places(photo: Photo, aids: Aids) -> list[Grid]:
    """Where dots mark the cells of a board on a screen, if they do; of the size that the user named, if any."""
    lattices = [] if is_photo(photo) else dotted_boards(photo)
    if aids.size is None:
        return [*lattices]
    boards = [photo.derive_at(board_at, lattice) for lattice in lattices]
    return [board.placement for board in boards if board is not None and {*board.placement.size} == {*aids.size}]


def further_places(photo: Photo, aids: Aids) -> Iterator[Placement]:
    """What each look more at a photo shows plainly; a place is told once."""
    offered: list[Placement] = []
    places: list[Grid] = []
    for found in tilted_views(photo) if is_photo(photo) and aids.size is None else ():
        # What was found before may be likelier at the same place.
        places = boards_on(photo, [*places, *plain_places(photo, found)])
        new = [place for place in places if not any(lie_alike(place, other, ALIKE) for other in offered)]
        offered += new
        yield from new


def _resized(guess: GridGuess, size: tuple[int, int]) -> GridGuess:
    """The same place cut into as many rows and columns as the user says, whichever way they fit better."""
    wide, high = (float(np.linalg.norm(guess.corners_px[k] - guess.corners_px[0])) for k in (1, 3))
    rows, cols = min(size, size[::-1], key=lambda rc: abs(np.log(high / rc[0] * rc[1] / wide)))
    placement = FlatPlacement.from_corners(guess.corners_px, (cols, rows), guess.score)
    sides = np.ones((rows, cols + 1)), np.ones((rows + 1, cols))
    return GridGuess(placement, rows, cols, guess.score, guess.explained, *sides)
