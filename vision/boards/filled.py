"""Boards on which patches hide nearly all lines: an outline, a few borders between patches, and what is drawn on them.

Too little of a grid is left there to be told from a page with boxes on it, and rope on patches has edges of its own.
But the outline is whole, cells are square, and borders between patches lie on lines of the grid. So an outline allows
few numbers of rows and columns, and those on whose lines the edges inside do not lie are left out. Which of the others
is right, only the clues can tell: a board that is filled is its own answer (:mod:`vision.clues.placed`).

In a photo the same is looked for in its views from straight above (:mod:`vision.boards.frontal`), and what is found is
laid through the lines that are seen. Grids that a common search found wanting are offered as well.
"""

from dataclasses import replace

import numpy as np

from vision.boards.cell_sides import MIN_LINES, SIDE_SEEN, Bools, Floats
from vision.boards.edges import edge_strength
from vision.boards.fitting import GridGuess, judged
from vision.boards.frontal import View, seen_from_above
from vision.boards.grids import STRENGTHS, WORK_PX, find_upright_grids
from vision.boards.quads import is_surely_screenshot
from vision.boards.ruling import laid_on_lines
from vision.boards.views import likeliest_views
from vision.pictures.photo import Photo

OUTLINE_SEEN = 0.9
"""Part of each outer line that shows an edge: the outline of a filled board is whole."""

SAME_OUTLINE = 0.05
"""Outlines are the same when they differ by less than this part of the shorter side."""

PART_OF_BOARD = 0.2
"""Outlines of less than this part of the largest one's area are those of badges and buttons."""

LEAST_TELLING = 0.25
"""An outline within which a smaller part of the edges, of the best, lies on lines is no board's: on a page of cloth
lattices reach from edge to edge of the picture.
"""

UNPROVED = 0.0
"""The score of such a place: nothing says that it is a board but its clues, so all others are read first."""

MOST_OUTLINES = 2
"""Outlines that are looked into."""

SQUARE = 0.04
"""Logarithm of the ratio of sides by which cells differ from squares at most, the outline's thickness being a part of
it."""

CONTRASTS = (125, *STRENGTHS)
"""Contrasts at which sizes are told, with a step more: strands of rope stand out as much as lines do at the strongest
at which outlines are looked for, the threads between patches more."""

MOST_ROWS = 20
"""Rows or columns of such boards at most: on more, enough lines are in view for a common search."""

LEAST_EXPLAINED, AS_GOOD = 0.25, 0.75
"""Part of the edges inside that lies on lines at least, and the same relative to the best number of rows and columns:
lines of half the cell's side explain as much as those of the cell, but never more."""

MOST_SIZES = 4
"""Numbers of rows and columns that are offered for one outline, large cells first."""


MOST_VIEWS = 2
"""Views of a photo that are looked at: the likeliest is that of the board but where a table has more strokes."""


def filled_grids(photo: Photo) -> list[GridGuess]:
    """Grids that an outline and the borders between patches allow, likeliest first, in pixels of ``photo``.

    To be called through ``photo.derive``. Nothing says that these are boards but their clues.
    """
    views = [] if is_surely_screenshot(photo) else likeliest_views(photo)[:MOST_VIEWS]
    return _upright(photo) + [guess for view in views for guess in _in_view(photo, view)]


def unproved(guess: GridGuess) -> GridGuess:
    """A guess as one that nothing but its clues says to be a board."""
    sheet = replace(guess.placement, score=UNPROVED)
    return replace(guess, placement=sheet, bent=replace(guess.bent, sheet=sheet) if guess.bent else None)


def _in_view(photo: Photo, view: View) -> list[GridGuess]:
    """The grids that are upright in a view of a photo, laid through their lines."""
    found = _upright(Photo(seen_from_above(photo, view.matrix, view.size_wh), budget=photo.budget))
    placed = [replace(guess.placement, matrix=view.matrix @ guess.placement.matrix) for guess in found]
    return [replace(guess, placement=laid_on_lines(photo, place)) for guess, place in zip(found, placed, strict=True)]


def _upright(photo: Photo) -> list[GridGuess]:
    """Grids that stand upright."""
    work = photo.reduced(WORK_PX)
    factor = photo.scale / work.scale
    upright, level = edge_strength(work.bgr)
    found: list[GridGuess] = []
    for outline in _outlines(find_upright_grids(photo))[:MOST_OUTLINES]:
        for strength in CONTRASTS:
            # Upright lines are followed down the picture: their columns lie in a row of memory.
            sizes = _sizes(np.asfortranarray(upright > strength), level > strength, outline / factor)
            found += [unproved(guess.scaled(factor)) for guess in sizes]
            if sizes:
                break
    return found


def _outlines(guesses: list[GridGuess]) -> list[Floats]:
    """Boxes ``x0, y0, x1, y1`` of the guesses whose outer lines are seen whole, the best explained first."""
    whole = [guess for guess in guesses if _has_outline(guess)]
    telling = LEAST_TELLING * max((guess.explained for guess in whole), default=0.0)
    largest = max((_area(guess) for guess in whole if guess.explained >= telling), default=0.0)
    whole = [guess for guess in whole if _area(guess) >= PART_OF_BOARD * largest]
    boxes: list[Floats] = []
    for guess in sorted(whole, key=lambda guess: -guess.explained):
        box = np.concatenate([guess.corners_px.min(axis=0), guess.corners_px.max(axis=0)])
        near = SAME_OUTLINE * float(min(box[2:] - box[:2]))
        if all(np.abs(box - other).max() > near for other in boxes):
            boxes.append(box)
    return boxes


def _area(guess: GridGuess) -> float:
    """The area of the box round a guess, in pixels."""
    return float(np.prod(np.ptp(guess.corners_px, axis=0)))


def _has_outline(guess: GridGuess) -> bool:
    outer = guess.upright[:, 0], guess.upright[:, -1], guess.level[0], guess.level[-1]
    return min(float(side.mean()) for side in outer) >= OUTLINE_SEEN


def _is_divided(guess: GridGuess) -> bool:
    """Whether borders between patches are seen, and not the outline alone: they are as long together as the board is
    wide or high at least.
    """
    inner = guess.upright[:, 1:-1], guess.level[1:-1]
    return sum(int(np.count_nonzero(side > SIDE_SEEN)) for side in inner) >= min(guess.rows, guess.cols)


def _sizes(upright: Bools, level: Bools, box: Floats) -> list[GridGuess]:
    """The grids of square cells in this box on whose lines the edges lie, large cells first."""
    width, height = box[2:] - box[:2]
    tried: list[GridGuess] = []
    for rows in range(MIN_LINES, MOST_ROWS + 1):
        cols = round(rows * width / height)
        if not MIN_LINES <= cols <= MOST_ROWS or abs(np.log(width / cols / height * rows)) > SQUARE:
            continue
        xs, ys = np.linspace(box[0], box[2], cols + 1), np.linspace(box[1], box[3], rows + 1)
        guess = judged(upright, level, xs, ys)
        if _has_outline(guess) and _is_divided(guess):
            tried.append(guess)
    best = max((guess.explained for guess in tried), default=0.0)
    return [g for g in tried if g.explained >= max(LEAST_EXPLAINED, AS_GOOD * best)][:MOST_SIZES]
