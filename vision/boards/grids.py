"""Finding ruled and tiled boards: where a regular grid of nearly square cells lies in a picture.

Many puzzles are played on a grid, and apps draw it in many ways: thin, thick, dotted or dashed lines, tiles with gaps
and round corners, coloured regions that only meet, or placed patches that hide the lines inside them. What all of them
share is that straight edges stand at *regular distances*. So nothing is assumed about colours or line styles:

1. *Edges*: contrast across x (upright edges) and across y (level edges), averaged along the edge over a short stroke,
   so that dots and dashes join and letters fade. (:mod:`vision.boards.edges`)
2. *Boxes*: connected heaps of strong edges, for a few strengths of edge and a few reaches of connection. A faint dotted
   grid appears at low strength only; on a busy background a strong grid appears alone at high strength.
3. *Pitch*: the periodogram of each box's edge profile. Its peaks are the spacings at which edges recur, and where
   they start; this needs no line to be complete and measures the number of rows and columns.
4. *Sides*: for each side of each cell of such a lattice, how much of it shows an edge. From these follow the extent of
   the board, its outline where cells are missing, and a score.

A photo is first turned so that its straight lines run upright and level (:mod:`vision.boards.frontal`); where that
shows no board, four-sided heaps of edges are looked at from straight above (:mod:`vision.boards.quads`). There a board
is as upright as in a screenshot, and its lines are measured one by one (:mod:`vision.boards.ruling`).

The pitch is :mod:`vision.boards.combs`, the sides are :mod:`vision.boards.cell_sides`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from vision.boards.boxes import MIN_CELL_PX, Box, boxes_of_edges, close_by, halved_edges
from vision.boards.cell_sides import (
    MIN_LINES,
    NEAR,
    SIDE_SEEN,
    Bools,
    Floats,
    board_extent,
    column_counts,
    edge_points,
    enclosed,
    explained_part,
    fitted_lines,
    grid_score,
    side_evidence,
    squareness,
    straight_span,
    whole_score,
)
from vision.boards.combs import Comb, lattices, sharpened
from vision.boards.edges import close_at_picture_border, edge_strength, quiet_edge_strength
from vision.boards.frontal import View, frontal_views, seen_from_above
from vision.boards.quads import MARGIN, is_photo, is_surely_screenshot, line_homography, quads, straightened
from vision.boards.ruling import ruled
from vision.pictures.bending import BentPlacement
from vision.pictures.flatten import cell_side_px
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement
from vision.trace import Trace

WORK_PX = 1280
"""Longest side at which boards are searched: a phone's 1080 px width keeps 600, so 50 columns still have 12 px each."""

STRENGTHS = (50, 20, 8, 3)
"""Contrasts (grey levels of 255) at which edges are looked for, strongest first: from ink on paper to the faint
dotted lines of a pale theme. A ladder with a step of 2.5: some rung lies between a grid and its clutter."""

MAX_LINES = 60
"""Rows or columns that make a board at most (the largest published boards have 50)."""

PLAIN = 0.6
"""Once a lattice in a box has this score, less likely ones are not tried."""

MOST_QUADS = 4
"""Four-sided heaps of a photo that are looked at: the board, its page, pictures and boxes beside it."""

CLEAR = 0.72
"""A grid with this score is the board: other parts of a photo are not looked at, and a screenshot not as a photo."""

IN_VIEW = 0.6
"""Part of a photo's strokes that run along or across its likeliest view where a board fills much of it: half of the
photos of Stitch boards have more, and few of trays and of balls."""

MOST_MEASURED = 3
"""Guesses of one look at a photo that are measured line by line."""

SURE = 120.0
"""What a measured guess is worth when it is a board whatever is hidden of it: parts of one reach 110."""

GOOD = 0.9
"""A grid with this part of the score that a whole one of its size has is not searched for at weaker contrasts."""

FEWEST = 5
"""Rows and columns of such a grid at least: on fewer, bold lines may be those between boxes of cells."""

NEW_EDGES = 1.2
"""Weaker contrasts show nothing new in a box that was looked at where they do not show so many times the edges. From
one rung of the ladder to the next, real lines that appear make it 1.5 and more, soft rims of the same lines 1.2."""

PART, MINOR = 0.5, 0.1
"""Heaps of edges of less than the first part of a plain grid's area within it are patches and badges on it; anywhere,
those of less than the second are buttons and words."""


@dataclass(frozen=True, eq=False)
class GridGuess:
    """A place where a grid may lie.

    Attributes:
        placement: maps the grid's board units (cells) to pixels of the photo that was searched.
        rows: number of rows of the box around the board.
        cols: number of columns.
        score: 0..1, how much of a regular grid was seen.
        explained: 0..1, the part of all edges inside the grid that lies on its lines; 0 is as much as by chance.
        upright: ``float64 (rows, cols + 1)``, 0..1: how much of the side between cells ``(r, c - 1)`` and ``(r, c)``
            shows an edge.
        level: ``float64 (rows + 1, cols)``, the same for the side between ``(r - 1, c)`` and ``(r, c)``.
        inside: ``bool (rows, cols)``: the cell cannot be reached from outside without crossing a seen side. False where
            an irregular board has no cell.
        bent: the place on a sheet that is bent, where it is.
        worth: evidence of its lines (natural logarithm) times the part that is seen; 0 where they were not measured.
    """

    placement: FlatPlacement
    rows: int
    cols: int
    score: float
    explained: float
    upright: Floats
    level: Floats
    inside: Bools
    bent: BentPlacement | None = None
    worth: float = 0.0

    @property
    def corners_px(self) -> Floats:
        """``float64 (4, 2)``: top left, top right, bottom right, bottom left, in pixels."""
        return self.placement.to_photo([(0, 0), (self.cols, 0), (self.cols, self.rows), (0, self.rows)])

    @property
    def lines_worth(self) -> float:
        """Its worth times a cell's side in pixels.

        A lattice of half the pitch has every line of the board too, cut into twice as many sides of half the length.
        """
        return self.worth * cell_side_px(self.placement)

    def scaled(self, factor: float) -> "GridGuess":
        """The same grid in the picture enlarged by ``factor``."""
        bent = None if self.bent is None else self.bent.scaled(factor)
        return replace(self, placement=self.placement.scaled(factor), bent=bent)


def find_grids(photo: Photo, trace: Trace | None = None, *, thorough: bool = True) -> list[GridGuess]:
    """Grids in a picture, best first, in pixels of ``photo``; computed once for each picture.

    In screenshots grids are upright; in photos they may be turned and tilted. A grid that is turned by a quarter or
    upside down is found as if it stood upright: what is up, only its contents tell.

    The first guess is usually the board, others are weaker readings of the same place (a part of it, another pitch) or
    other boards on the page. An empty list says that there is no grid. Unless the search is ``thorough``, only the
    likeliest view of a photo is looked at, and only what is plainly a grid there is told.
    """
    guesses = photo.derive(_find_grids if thorough else _find_plain_grids)
    if trace is not None:
        for guess in guesses[:3]:
            trace.note(f"grid {guess.rows} x {guess.cols}, score {guess.score:.2f}")
        trace.picture("grids", lambda: draw_guesses(photo, guesses[:3]))
    return list(guesses)


def find_upright_grids(photo: Photo) -> list[GridGuess]:
    """Grids that stand upright, best first, whatever the picture looks like: screenshots may be as noisy as photos."""
    return distinct(list(photo.derive(_upright_grids)))


def draw_guesses(photo: Photo, guesses: list[GridGuess]) -> Picture:
    """A stage picture: the best guess in green, the next ones in orange and red."""
    canvas = photo.bgr.copy()
    thick = max(1, round(max(canvas.shape) / 800))
    for guess, colour in reversed(list(zip(guesses, [(0, 200, 0), (0, 140, 255), (0, 0, 255)], strict=False))):
        for row in range(guess.rows + 1):
            ends = guess.placement.to_photo([(0, row), (guess.cols, row)]).round().astype(int)
            cv2.line(canvas, ends[0].tolist(), ends[1].tolist(), colour, thick)
        for col in range(guess.cols + 1):
            ends = guess.placement.to_photo([(col, 0), (col, guess.rows)]).round().astype(int)
            cv2.line(canvas, ends[0].tolist(), ends[1].tolist(), colour, thick)
    return canvas


def _find_plain_grids(photo: Photo) -> list[GridGuess]:
    """Upright grids in what looks like a screenshot; in what may be a photo, what its likeliest view shows plainly.

    It is looked at so early only where most strokes of the photo run in the directions of this view.
    """
    guesses = [] if is_photo(photo) else list(photo.derive(_upright_grids))
    if not is_surely_screenshot(photo) and not any(guess.score >= PLAIN for guess in guesses):
        views = photo.derive(frontal_views)
        if views and views[0].share >= IN_VIEW:
            guesses += [guess for guess in photo.derive(_first_look) if _is_plain(guess)]
    return distinct(guesses)


def _find_grids(photo: Photo) -> list[GridGuess]:
    """Upright grids first in what looks like a screenshot, tilted ones first in what looks like a photo.

    In what surely is a screenshot a tilted grid is none that a camera saw: it is drawn in space, one face of a cube.
    """
    searches = [_tilted_grids, _upright_grids] if is_photo(photo) else [_upright_grids, _tilted_grids]
    if is_surely_screenshot(photo):
        searches = [_upright_grids]
    guesses: list[GridGuess] = []
    for search in searches:
        guesses += photo.derive(search)
        if any(guess.score >= (CLEAR if guess.worth else PLAIN) or guess.worth >= SURE for guess in guesses):
            break
    return distinct(guesses)


def _upright_grids(photo: Photo) -> list[GridGuess]:
    """Grids whose lines run along the rows and columns of pixels."""
    work = photo.reduced(WORK_PX)
    factor = photo.scale / work.scale
    guesses = [guess.scaled(factor) for guess in _search(work.bgr, photographed=False)]
    if is_photo(photo) or is_surely_screenshot(photo):
        return guesses
    # A photo without noise looks like a screenshot, but its lines are not as upright as they seem.
    refined = [_refined(photo, guess) for guess in distinct(guesses)]
    return [guess for guess in refined if guess is not None]


def _refined(photo: Photo, guess: GridGuess) -> GridGuess | None:
    """The guess laid through its lines one by one; None where these say that it is another board."""
    found = _measured(photo, guess)
    if (found.rows, found.cols) != (guess.rows, guess.cols):
        return None
    return replace(guess, placement=replace(found.placement, score=guess.score), bent=found.bent)


def _tilted_grids(photo: Photo) -> list[GridGuess]:
    """Grids that a camera saw at an angle: what is seen in the views from straight above, then in each four-sided heap
    of edges, which may be the board itself, or the page or screen that it is on.

    A search finds a part of a board as well as the whole, and hardly bent lines: each guess is measured line by line.
    """
    guesses: list[GridGuess] = []
    for look in _looks(photo):
        guesses += look()
        if any(guess.score >= CLEAR or guess.worth >= SURE for guess in guesses):
            break
    return guesses


def _first_look(photo: Photo) -> list[GridGuess]:
    """Grids in the likeliest view."""
    return _view_search(photo, photo.derive(frontal_views)[0])


def _is_plain(guess: GridGuess) -> bool:
    """Whether a guess that was measured is the board, and nothing else need be looked at."""
    return guess.score >= PLAIN and guess.worth >= SURE


def _all_measured(photo: Photo, guesses: list[GridGuess]) -> list[GridGuess]:
    """The best of some guesses, measured, up to one that is plainly the board."""
    found: list[GridGuess] = []
    for guess in distinct(guesses, MOST_MEASURED):
        found.append(_measured(photo, guess))
        if _is_plain(found[-1]):
            break
    return found


def _measured(photo: Photo, guess: GridGuess) -> GridGuess:
    """A guess with its lines measured one by one."""
    found = ruled(photo, guess.placement)
    inside = enclosed(found.upright, found.level)
    rows, cols = inside.shape
    score = grid_score(found.upright, found.level, inside, 0.0, guess.explained)
    share = (found.upright.sum() + found.level.sum()) / (found.upright.size + found.level.size)
    placement = replace(found.placement, score=score)
    sides = found.upright.astype(np.float64), found.level.astype(np.float64)
    bent = None if found.bent is None else replace(found.bent, sheet=placement)
    worth = found.evidence * float(share)
    return GridGuess(placement, rows, cols, score, guess.explained, *sides, inside, bent, worth)


def _looks(photo: Photo) -> Iterator[Callable[[], list[GridGuess]]]:
    """Searches of a photo with what they find measured, the most promising first."""
    views = photo.derive(frontal_views)
    if views:
        yield partial(photo.derive, _first_look)
    for view in views[1:]:
        yield partial(_view_search, photo, view)
    for corners in quads(photo)[:MOST_QUADS]:
        yield partial(_quad_search, photo, corners)


def _view_search(photo: Photo, view: View) -> list[GridGuess]:
    """Grids in a view, measured."""
    flat = seen_from_above(photo, view.matrix, view.size_wh)
    return _all_measured(photo, _moved(_search(flat, photographed=True), view.matrix))


def _quad_search(photo: Photo, corners: Floats) -> list[GridGuess]:
    """Grids in the straightened quadrilateral with these corners and a margin round it, measured."""
    return _all_measured(photo, straight_search(photo, corners, MARGIN))


def straight_search(photo: Photo, corners: Floats, margin: float) -> list[GridGuess]:
    """Grids in the straightened quadrilateral with these corners, in pixels of the photo."""
    flat, to_photo = straightened(photo, corners, margin)
    return _moved(_search(flat, photographed=True), to_photo)


def _moved(guesses: list[GridGuess], matrix: Floats) -> list[GridGuess]:
    """Guesses in the picture to which the homography ``matrix`` leads."""
    return [replace(g, placement=replace(g.placement, matrix=matrix @ g.placement.matrix)) for g in guesses]


def _search(bgr: Picture, *, photographed: bool) -> list[GridGuess]:
    """Upright grids in pixels of ``bgr``; in a photo their lines are laid through the edges one by one."""
    upright, level = quiet_edge_strength(bgr) if photographed else edge_strength(bgr)
    halved = halved_edges(upright, level)
    guesses: list[GridGuess] = []
    looked: list[tuple[Box, int]] = []
    for strength in STRENGTHS:
        for box in boxes_of_edges(halved, upright.shape, strength):
            if any(_is_minor(box, guess) for guess in guesses) or not _shows_more(halved, strength, box, looked):
                continue
            for guess in _fit(upright, level, strength, box):
                if photographed and guess.score >= PLAIN:
                    placed = _laid_through_lines(guess, upright > strength, level > strength)
                    guesses.append(replace(guess, placement=placed))
                else:
                    guesses.append(guess)
        if any(guess.score >= CLEAR if photographed else _is_good(guess) for guess in guesses):
            break
    return guesses


def _is_minor(box: Box, guess: GridGuess) -> bool:
    """Whether a heap of edges need not be looked at beside a plain grid that was found, or on it."""
    x0, y0, x1, y1 = box
    (left, top), (right, bottom) = guess.corners_px.min(axis=0), guess.corners_px.max(axis=0)
    share = (x1 - x0) * (y1 - y0) / ((right - left) * (bottom - top))
    within = left <= x0 and top <= y0 and x1 <= right and y1 <= bottom
    return bool(guess.score >= PLAIN and share < (PART if within else MINOR))


def _shows_more(halved: Picture, strength: int, box: Box, looked: list[tuple[Box, int]]) -> bool:
    """Whether a box shows plainly more edges than when it was looked at before; then it is noted in ``looked``."""
    x0, y0, x1, y1 = (end // 2 for end in box)
    edges = int(np.count_nonzero(halved[y0:y1, x0:x1] > strength))
    before = [count for other, count in looked if close_by(box, other)]
    if before and edges < NEW_EDGES * max(before):
        return False
    looked.append((box, edges))
    return True


def _is_good(guess: GridGuess) -> bool:
    """Whether a grid is so good that weaker contrasts will not show a better one."""
    sides = guess.upright.size + guess.level.size
    return min(guess.rows, guess.cols) >= FEWEST and guess.score >= GOOD * whole_score(sides)


def _laid_through_lines(guess: GridGuess, upright: Bools, level: Bools) -> FlatPlacement:
    """The guess's placement moved so that its lines run through the edges: what was straightened was not the board."""
    (x0, y0), _, (x1, y1), _ = guess.corners_px
    xs, ys = np.linspace(x0, x1, guess.cols + 1), np.linspace(y0, y1, guess.rows + 1)
    across = edge_points(upright, xs, ys, guess.upright)
    down = edge_points(level.T, ys, xs, guess.level.T)[:, [0, 2, 1]]
    matrix = line_homography(across, down)
    if matrix is None:
        return guess.placement
    moved = replace(guess.placement, matrix=matrix)
    corners = moved.to_photo([(0, 0), (guess.cols, 0), (guess.cols, guess.rows), (0, guess.rows)])
    far = np.abs(corners - guess.corners_px).max() > 0.5 * cell_side_px(guess.placement)
    return guess.placement if far else moved


def distinct(guesses: list[GridGuess], at_most: int = 8) -> list[GridGuess]:
    """The guesses, best first, without those that say the same as a better one."""
    kept: list[GridGuess] = []
    for guess in sorted(guesses, key=_rank, reverse=True):
        if len(kept) == at_most:
            break
        if not any(_same(guess, other) for other in kept):
            kept.append(guess)
    return kept


def _rank(guess: GridGuess) -> tuple[float, float]:
    """Its worth, then its score, with a bonus for size: a part of a board looks as regular as the board itself."""
    area = cv2.contourArea(guess.corners_px.astype(np.float32))
    return guess.lines_worth, guess.score * float(max(1.0, area) ** 0.1)


def _same(one: GridGuess, other: GridGuess) -> bool:
    if (one.rows, one.cols) != (other.rows, other.cols):
        return False
    return bool(np.abs(one.corners_px - other.corners_px).max() < cell_side_px(one.placement) / 2)


# ---------------------------------------------------------------------------------------------------------------------
# Sides: what is seen of each cell's sides


def _fit(upright: Picture, level: Picture, strength: int, box: Box) -> list[GridGuess]:
    """Grids within one box."""
    x0, y0, x1, y1 = box
    # Upright lines are followed down the picture: their columns lie in a row of memory.
    seen_upright = np.asfortranarray(upright[y0:y1, x0:x1] > strength)
    seen_level = level[y0:y1, x0:x1] > strength
    close_at_picture_border(seen_upright, seen_level, box, upright.shape)
    profile_x, profile_y = _profiles(seen_upright, seen_level)
    guesses: list[GridGuess] = []
    for across, down in lattices(profile_x, profile_y, MIN_CELL_PX, MIN_LINES):
        if len(guesses) >= 2 and max(guess.score for guess in guesses) >= PLAIN:
            break
        guess = _measure(seen_upright, seen_level, across, down)
        if guess is not None:
            shift = np.array([(1, 0, x0), (0, 1, y0), (0, 0, 1)], dtype=np.float64)
            guesses.append(replace(guess, placement=replace(guess.placement, matrix=shift @ guess.placement.matrix)))
    return guesses


def _profiles(upright: Bools, level: Bools) -> tuple[Floats, Floats]:
    """How much upright edge there is at each x, and how much level edge at each y, 0..1."""
    height, width = upright.shape
    return _soft(column_counts(upright) / height), _soft(column_counts(level.T) / width)


def _soft(profile: npt.NDArray[np.floating]) -> Floats:
    """Both edges of a thin line become one hump."""
    return np.convolve(np.asarray(profile, dtype=np.float64), np.array([0.25, 0.5, 1, 0.5, 0.25]) / 2.5, "same")


def _measure(upright: Bools, level: Bools, across: Comb, down: Comb) -> GridGuess | None:
    """The grid on this lattice, where there is one."""
    rough = _extent_on(upright, level, across, down)
    if rough is None:
        return None
    # What stands beside the board has bent the lattice a little: look again at the board alone.
    x0, x1, y0, y1 = _span(rough, upright.shape)
    profile_x, profile_y = _profiles(upright[y0:y1, x0:x1], level[y0:y1, x0:x1])
    across, down = sharpened(across, profile_x, x0), sharpened(down, profile_y, y0)
    found = _extent_on(upright, level, across, down)
    if found is None:
        return None
    xs, ys = found
    xs = fitted_lines(upright, xs, side_evidence(upright, xs, ys))
    ys = fitted_lines(level.T, ys, side_evidence(level.T, ys, xs))
    first, last = straight_span(level.T, ys, xs)
    left, right = straight_span(upright, xs, ys)
    if min(last - first, right - left) < MIN_LINES:
        return None
    return judged(upright, level, xs[left : right + 1], ys[first : last + 1])


def _extent_on(upright: Bools, level: Bools, across: Comb, down: Comb) -> tuple[Floats, Floats] | None:
    """The lattice lines between which the board lies."""
    xs, ys = across.places(upright.shape[1], 2 * NEAR), down.places(upright.shape[0], 2 * NEAR)
    if min(len(xs), len(ys)) <= MIN_LINES:
        return None
    sides_v = side_evidence(upright, xs, ys)
    sides_h = side_evidence(level.T, ys, xs).T
    extent = board_extent(sides_v > SIDE_SEEN, sides_h > SIDE_SEEN)
    if extent is None:
        return None
    top, bottom, left, right = extent
    return (xs[left : right + 1], ys[top : bottom + 1]) if max(bottom - top, right - left) <= MAX_LINES else None


def _span(lines: tuple[Floats, Floats], shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """``x0, x1, y0, y1``: the pixels between the outer lines, and what is near them."""
    ends = []
    for places, length in zip(lines, (shape[1], shape[0]), strict=True):
        near = NEAR * (places[1] - places[0])
        ends += [max(0, round(places[0] - near)), min(length, round(places[-1] + near) + 1)]
    return ends[0], ends[1], ends[2], ends[3]


def judged(upright: Bools, level: Bools, xs: Floats, ys: Floats) -> GridGuess:
    """The grid between these lines with its score."""
    sides_v, sides_h = side_evidence(upright, xs, ys), side_evidence(level.T, ys, xs).T
    inside = enclosed(sides_v > SIDE_SEEN, sides_h > SIDE_SEEN)
    between_v = side_evidence(upright, (xs[:-1] + xs[1:]) / 2, ys) > SIDE_SEEN
    between_h = side_evidence(level.T, (ys[:-1] + ys[1:]) / 2, xs).T > SIDE_SEEN
    elsewhere = float(between_v.mean() + between_h.mean()) / 2
    explained = explained_part(upright, level, xs, ys)
    score = grid_score(sides_v > SIDE_SEEN, sides_h > SIDE_SEEN, inside, elsewhere, explained)
    score *= squareness((xs[1] - xs[0]) / (ys[1] - ys[0]))
    corners = [(xs[0], ys[0]), (xs[-1], ys[0]), (xs[-1], ys[-1]), (xs[0], ys[-1])]
    rows, cols = inside.shape
    placement = FlatPlacement.from_corners(corners, (cols, rows), score)
    return GridGuess(placement, rows, cols, score, explained, sides_v, sides_h, inside)
