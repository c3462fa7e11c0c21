"""Finding ruled and tiled boards: where a regular grid of nearly square cells lies in a picture.

Many puzzles are played on a grid, and apps draw it in many ways: thin, thick, dotted or dashed lines, tiles with gaps
and round corners, coloured regions that only meet, or placed patches that hide the lines inside them. What all of them
share is that straight edges stand at *regular distances*. So nothing is assumed about colours or line styles:

1. *Edges*: contrast across x (upright edges) and across y (level edges), averaged along the edge over a short stroke,
   so that dots and dashes join and letters fade. (:mod:`vision.boards.edges`)
2. *Boxes*: connected components of strong edges, for a few strengths of edge and a few reaches of connection. A faint
   dotted grid appears at low strength only; on a busy background a strong grid appears alone at high strength.
3. *Pitch*: the periodogram of each box's edge profile. Its peaks are the spacings at which edges recur, and where
   they start; this needs no line to be complete and measures the number of rows and columns.
4. *Sides*: for each side of each cell of such a lattice, how much of it shows an edge. From these follow the extent of
   the board, its outline where cells are missing, and a score.

A photo is first turned so that its straight lines run upright and level (:mod:`vision.boards.frontal`); where that
shows no board, four-sided components of edges are looked at from straight above (:mod:`vision.boards.quads`). There a
board is as upright as in a screenshot, and its lines are measured one by one (:mod:`vision.boards.ruling`).

A page that was scanned a little askew, or a screen that was turned by hand, is turned back along its own lines first.

The pitch is :mod:`vision.boards.combs`, the sides are :mod:`vision.boards.cell_sides`.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import cv2
import numpy as np

from vision.boards.boxes import Box, boxes_of_edges, close_by, halved_edges
from vision.boards.cell_sides import (
    Bools,
    Floats,
    edge_points,
    enclosed,
    grid_score,
    whole_score,
)
from vision.boards.edges import edge_strength, quiet_edge_strength
from vision.boards.fitting import PLAIN, GridGuess, grids_in
from vision.boards.frontal import View, leaning, seen_from_above, turn_deg, turned_back
from vision.boards.quads import LEANS, MARGIN, is_photo, is_surely_screenshot, line_homography, straightened
from vision.boards.ruling import ruled
from vision.boards.views import ranked_view
from vision.pictures.flatten import cell_side_px
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement
from vision.trace import Trace

WORK_PX = 1280
"""Longest side at which boards are searched: a phone's 1080 px width keeps 600, so 50 columns still have 12 px each."""

STRENGTHS = (50, 20, 8, 3)
"""Contrasts (grey levels of 255) at which edges are looked for, strongest first: from ink on paper to the faint
dotted lines of a pale theme. A ladder with a step of 2.5: some rung lies between a grid and its clutter."""

CLEAR = 0.72
"""A grid with this score is the board: other parts of a photo are not looked at, and a screenshot not as a photo."""

NEARLY = 0.7
"""A second board beside a plain one has at least this part of its score; parts and multiples of it have a half."""

MOST_MEASURED, LEAST_MEASURED = 3, 0.05
"""Guesses of one look at a photo that are measured line by line, and the part of the edges in them that lies on their
lines at least: a lattice that lies there by chance has hardly any, and boards had 0.16 and more in the looks that found
them."""

SURE = 120.0
"""The evidence of a measured guess when it is a board whatever is hidden of it: parts of one reach 110."""

GOOD = 0.9
"""A grid with this part of the score that a whole one of its size has is not searched for at weaker contrasts."""

FEWEST = 5
"""Rows and columns of such a grid at least: on fewer, bold lines may be those between boxes of cells."""

NEW_EDGES = 1.2
"""Weaker contrasts show nothing new in a box that was looked at where they do not show so many times the edges. From
one rung of the ladder to the next, real lines that appear make it 1.5 and more, soft rims of the same lines 1.2."""

PART, MINOR = 0.5, 0.1
"""Components of edges of less than the first part of a plain grid's area within it are patches and badges on it;
anywhere, those of less than the second are buttons and words."""


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


def find_leaning_grids(photo: Photo) -> list[GridGuess]:
    """Grids in what surely is a screenshot though its longest strokes lean, best first, as if a camera had seen them:
    for whoever can tell a clean picture of a board, seen at an angle, from what was drawn in space.
    """
    leaning_too = is_surely_screenshot(photo) and not _stands_straight(photo)
    return distinct(list(photo.derive(_tilted_grids))) if leaning_too else []


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
    """Upright grids in what looks like a screenshot; in what may be a photo, what its likeliest view shows plainly."""
    guesses = [] if is_photo(photo) else list(photo.derive(_upright_grids))
    if not any(guess.score >= PLAIN for guess in guesses):
        guesses += [guess for guess in in_likeliest_view(photo) if is_plain(guess)]
    return distinct(guesses)


def in_likeliest_view(photo: Photo) -> list[GridGuess]:
    """What the most promising look at a photo shows, plain or not; nothing where nothing says that it is a board's."""
    ranked = None if is_surely_screenshot(photo) else ranked_view(photo, 0)
    found = photo.derive_at(_search_in_view, 0) if ranked is not None and ranked.is_likely else None
    return distinct(found or [])


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
        if any(guess.score >= (CLEAR if guess.evidence else PLAIN) or guess.evidence >= SURE for guess in guesses):
            break
    return distinct(guesses)


def _stands_straight(photo: Photo) -> bool:
    """Whether hardly any of the longest strokes of a picture leans."""
    return photo.derive(leaning) < LEANS


def _upright_grids(photo: Photo) -> list[GridGuess]:
    """Grids whose lines run along the rows and columns of pixels, or did so before the picture was turned a little."""
    work = photo.reduced(WORK_PX)
    factor = photo.scale / work.scale
    turn = photo.derive(turn_deg)
    bgr, to_work = turned_back(work, turn) if turn else (work.bgr, np.eye(3))
    guesses = [guess.scaled(factor) for guess in _moved(_search(bgr, photographed=False), to_work)]
    if is_photo(photo) or (is_surely_screenshot(photo) and _stands_straight(photo)):
        return guesses
    # A photo without noise looks like a screenshot, but its lines are not as upright as they seem.
    return _all_refined(photo, guesses)


def _all_refined(photo: Photo, guesses: list[GridGuess]) -> list[GridGuess]:
    """The best of some guesses, laid through their lines; beside a plain one only those that are nearly as good."""
    found: list[GridGuess] = []
    for guess in distinct(guesses):
        best = max((other.score for other in found), default=0.0)
        if best < PLAIN or guess.score >= NEARLY * best:
            refined = _refined(photo, guess)
            found += [] if refined is None else [refined]
    return found


def _refined(photo: Photo, guess: GridGuess) -> GridGuess | None:
    """The guess laid through its lines one by one; None where these say that it is another board."""
    found = _measured(photo, guess)
    if (found.rows, found.cols) != (guess.rows, guess.cols):
        return None
    return replace(guess, placement=replace(found.placement, score=guess.score), bent=found.bent)


def _tilted_grids(photo: Photo) -> list[GridGuess]:
    """Grids that a camera saw at an angle: what is seen in the views from straight above, then in each four-sided
    component of edges, which may be the board itself, or the page or screen that it is on.

    A search finds a part of a board as well as the whole, and hardly bent lines: each guess is measured line by line.
    A view that is a little off may show a column too few, and be sure of it: then one more look is taken.
    """
    return [guess for found in tilted_views(photo) for guess in found]


def tilted_views(photo: Photo) -> Iterator[list[GridGuess]]:
    """What is found at each look at a photo from straight above, measured, the most promising look first.

    Each is taken when it is asked for, once for each picture; none after one more than shows what is surely the board.
    """
    guesses: list[GridGuess] = []
    for index in count():
        found = photo.derive_at(_search_in_view, index)
        if found is None:
            return
        sure = any(guess.evidence >= SURE for guess in guesses)
        guesses += found
        yield found
        if sure or any(guess.score >= CLEAR for guess in guesses):
            return


def is_plain(guess: GridGuess) -> bool:
    """Whether a guess that was measured is the board, and nothing else need be looked at.

    Small boards never have much evidence: all of one has to be seen, and each side where it should be.
    """
    return guess.score >= PLAIN and (guess.evidence >= SURE or (guess.score >= CLEAR and guess.is_ruled_throughout))


def _all_measured(photo: Photo, guesses: list[GridGuess]) -> list[GridGuess]:
    """The best of some guesses, measured, up to one that is plainly the board."""
    found: list[GridGuess] = []
    for guess in distinct([guess for guess in guesses if guess.explained >= LEAST_MEASURED], MOST_MEASURED):
        found.append(_measured(photo, guess))
        if is_plain(found[-1]):
            break
    return found


def _measured(photo: Photo, guess: GridGuess) -> GridGuess:
    """A guess with its lines measured one by one."""
    found = ruled(photo, guess.placement)
    inside = enclosed(found.upright, found.level)
    rows, cols = inside.shape
    score = grid_score(found.upright, found.level, inside, 0.0, guess.explained)
    placement = replace(found.placement, score=score)
    sides = found.upright.astype(np.float64), found.level.astype(np.float64)
    bent = None if found.bent is None else replace(found.bent, sheet=placement)
    evidence = found.evidence * found.share
    return GridGuess(placement, rows, cols, score, guess.explained, *sides, bent, evidence)


def _search_in_view(photo: Photo, index: int) -> list[GridGuess] | None:
    """Grids in a view, or in a four-sided component of edges; None where all have been looked at."""
    ranked = ranked_view(photo, index)
    if ranked is None:
        return None
    return _view_search(photo, ranked.at) if isinstance(ranked.at, View) else _quad_search(photo, ranked.at)


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
            for guess in grids_in(upright, level, strength, box):
                if photographed and guess.score >= PLAIN:
                    placed = _laid_through_lines(guess, upright > strength, level > strength)
                    guesses.append(replace(guess, placement=placed))
                else:
                    guesses.append(guess)
        if any(guess.score >= CLEAR if photographed else _is_good(guess) for guess in guesses):
            break
    return guesses


def _is_minor(box: Box, guess: GridGuess) -> bool:
    """Whether a component of edges need not be looked at beside a plain grid that was found, or on it."""
    if guess.score < PLAIN:
        return False
    x0, y0, x1, y1 = box
    (left, top), (right, bottom) = guess.corners_px.min(axis=0), guess.corners_px.max(axis=0)
    share = (x1 - x0) * (y1 - y0) / ((right - left) * (bottom - top))
    within = left <= x0 and top <= y0 and x1 <= right and y1 <= bottom
    return bool(share < (PART if within else MINOR))


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


AS_EVIDENT, PLAINER = 0.9, 1.05
"""Worth of a guess, of that of a better one at the same place, with which it is no worse, and by how many times more of
it is seen where that counts.
"""


def distinct(guesses: list[GridGuess], at_most: int = 8) -> list[GridGuess]:
    """The guesses, best first, without those that say the same as a better one; of two that are worth about as much
    the one of which more is seen.
    """
    kept: list[GridGuess] = []
    for guess in sorted(guesses, key=_rank, reverse=True):
        same = next((k for k, other in enumerate(kept) if _same(guess, other)), None)
        if same is None and len(kept) < at_most:
            kept.append(guess)
        elif same is not None and _is_plainer(guess, kept[same]):
            kept[same] = guess
    return kept


def _is_plainer(guess: GridGuess, better: GridGuess) -> bool:
    """Whether more is seen of a guess than of one that is sure, and worth no more than a little more: that may have
    taken the edge of its page for its own.
    """
    as_evident = better.evidence >= SURE and guess.scaled_evidence >= AS_EVIDENT * better.scaled_evidence
    return as_evident and guess.score > PLAINER * better.score


def _rank(guess: GridGuess) -> tuple[float, float]:
    """Its evidence, then its score, with a bonus for size: a part of a board looks as regular as the board itself."""
    area = cv2.contourArea(guess.corners_px.astype(np.float32))
    return guess.scaled_evidence, guess.score * float(max(1.0, area) ** 0.1)


def _same(one: GridGuess, other: GridGuess) -> bool:
    if (one.rows, one.cols) != (other.rows, other.cols):
        return False
    return bool(np.abs(one.corners_px - other.corners_px).max() < cell_side_px(one.placement) / 2)
