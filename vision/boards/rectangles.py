"""The boxes in a picture that may be rectangular boards.

Where lattices lie, the phases of their cells tell (:mod:`vision.boards.phases`); how far a board goes on a lattice, the
log odds of its places (:mod:`vision.boards.states`).
"""

from vision.boards.phases import SAME, Grid, lattices
from vision.boards.states import board_at, boards_on
from vision.pictures.masks import box_of
from vision.pictures.photo import Photo
from vision.pictures.placement import lie_alike, overlap


def rectangles(photo: Photo) -> list[Grid]:
    """The boxes, the best lattice first, in pixels of ``photo``: of each lattice as far as the cells of a board on it
    reach, where that is a rectangle, and as it was found; none of a lattice on whose place another's cells are surer.
    Computed once for each picture.
    """
    return list(photo.derive(_rectangles))


def _rectangles(photo: Photo) -> list[Grid]:
    places: list[Grid] = []
    grids = lattices(photo)
    boards = boards_on(photo, grids)
    for grid in (grid for grid in grids if grid in boards or not any(overlap(grid, board) for board in boards)):
        board = photo.derive_at(board_at, grid)
        whole = board.cut(box_of(board.inside)) if board is not None else None
        whole_box = [whole.placement] if whole is not None and whole.inside.all() else []
        for place in (*whole_box, grid):
            if not any(lie_alike(place, other, SAME) for other in places):
                places.append(place)
    return places
