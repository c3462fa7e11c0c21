"""The boxes in a picture that may be rectangular boards.

Where lattices lie, the phases of their cells tell (:mod:`vision.boards.phases`); how far a board goes on a lattice, the
log odds of its places (:mod:`vision.boards.states`).
"""

from vision.boards.phases import SAME, Grid, lattices
from vision.boards.states import board_at
from vision.pictures.masks import box_of
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, lie_alike


def rectangles(photo: Photo) -> list[FlatPlacement]:
    """The boxes, the best lattice first, in pixels of ``photo``: of each lattice as far as the cells of a board on it
    reach, where that is a rectangle, and as it was found. Computed once for each picture.
    """
    return list(photo.derive(_rectangles))


def _rectangles(photo: Photo) -> list[FlatPlacement]:
    places: list[Grid] = []
    for grid in lattices(photo):
        board = photo.derive_at(board_at, grid)
        whole = board.cut(box_of(board.inside)) if board is not None else None
        told = [whole.placement] if whole is not None and whole.inside.all() else []
        for place in (*told, grid):
            if not any(lie_alike(place, other, SAME) for other in places):
                places.append(place)
    return [place if isinstance(place, FlatPlacement) else place.sheet for place in places]
