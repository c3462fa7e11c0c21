"""The figures of a diagram: which squares have one, how they lie, and what they are.

Each lies within its square, and has a body (:mod:`vision.chessboards.bodies`). The silhouettes are judged together:
those of one kind are alike, and all of them stand the same way up (:mod:`vision.chessboards.guesses` tells one from
another). What hardly stands out is looked for where others stand (:mod:`vision.chessboards.faint`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace

import cv2
import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from vision.chessboards import squares as empty_squares
from vision.chessboards.blocks import by_its_own_contrast, contrast, enclosed, grain, is_mark_in_blocks
from vision.chessboards.bodies import (
    ALIKE,
    SAME_BODY,
    STROKE,
    body_of,
    enlarged,
    filled_in,
    fills_a_corner,
    height,
    is_mark,
    overlap,
    stretched,
    thick,
    thicker,
)
from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.faint import FAINT, HARDLY_SEEN, faint_figures
from vision.chessboards.guesses import CROWN_POINTS, DEEP_POINTS, DEEPEST_GAP, KNIGHT_LOPSIDED, SURE, Guess, judge
from vision.chessboards.silhouettes import Measures, measure
from vision.chessboards.squares import CLOSE_PX, Square, Squares, close_up
from vision.pictures.masks import filled, largest
from vision.pictures.medians import median, medians
from vision.pictures.photo import Photo
from vision.pictures.upright import told_turns

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]

CLEARLY = 1.6
"""How many times the least difference that counts a thing without a shape has to differ; grain of wood differs less."""

HARDLY = 0.1
"""Part of a piece that differs so clearly, at least; of a patch of grain hardly anything does."""

UNEXPLAINED = 0.15
"""Part of a square that may differ from its colour without being a piece, a dot or lines."""

ON_ITS_SIDE = 0.6
"""Figures whose silhouettes are so much less lopsided after a quarter turn, together, lie on their side: all but
knights are symmetric as they stand."""

MOSTLY = 0.7
"""Part of a dot that is not thin, at least, grain being what clings to it; the foot of a thin queen has 0.6."""

SAME_HEAD = 0.6
"""Width of a head, of that of a figure it is alike, at least; kings have 0.5."""

FIRM = 0.6
"""Overlap of a piece with what of it differs :data:`CLEARLY` from its square, at least; a shape in the dark had 0.4."""

SMALL, LOW = 0.45, 0.7
"""Area, of the largest sure figure's on its board, and height by its own contrast, of the highest one's, below both of
which a thing is none: beside wide queens pawns and bishops have a third of the area and 0.76 of the height, numbers
whose strokes ran together have a third and 0.64."""

SMALLISH, STROKES_AT = 0.8, 0.35
"""The same of a thing whose body falls apart into strokes at this part of its own contrast: grain held them."""

ROUNDED = 2.0
"""Difference in CIELAB up to which flat colours are the same: a JPEG rounds them so much from block to block."""

EVEN = 2.0
"""How many times its usual difference a shade differs at most, and at least: a piece that stands in it differs more, or
less where it is like the usual squares."""

SHAPELESS = 0.3
"""Confidence of what has no shape of a piece: a shade, a worn place, a piece seen from above."""

GAPS = 3
"""So many gaps between points are a crown's."""

GAPS_AT = (0.1, 0.2, 0.35, 0.5)
"""Parts of a piece's own contrast at which gaps are looked for: what blur leaves of the narrowest is half as strong."""

GAP_WIDEST, GAP_LEAST = 0.25, 0.0005
"""Width of such a gap at most, of the piece's, and its least area, of the square: less is a speck."""

GAPS_SPREAD, GAPS_OFF = 0.4, 0.08
"""How far apart the outermost gaps are at least, and how far off the middle of the piece all of them at most, of its
width; those that are no farther apart than the second are one above the other."""

COMPANY = 3
"""So many pieces that all look like queens are queens, though none of them clearly: nothing else comes in numbers."""


def figures(photo: Photo, placement: ChequeredPlacement, squares: Squares) -> tuple[int, dict[Cell, Guess]]:
    """The figures of a diagram, and how they lie.

    Returns:
        The quarter turns anticlockwise that set them upright, 0..3, and the guesses.
    """
    stretch = placement.stretch
    looks, bodies = _looked_at(photo, placement, squares)
    marks = {cell for cell, body in bodies.items() if placement.level and is_mark_in_blocks(looks[cell], body, squares)}
    bodies = {cell: body for cell, body in bodies.items() if cell not in marks}
    shades = {cell: body for cell, body in bodies.items() if fills_a_corner(body)}
    bodies = {cell: body for cell, body in bodies.items() if cell not in shades}
    dots = {cell for cell in bodies if _is_dot(looks[cell], stretch)}
    turns = _turns({cell: body for cell, body in bodies.items() if cell not in dots}, stretch)
    if turns is None or (turns and placement.level and told_turns(photo) == 0):
        return 0, dict.fromkeys(bodies, Guess("other", 0.5, "it seems to lie on its side"))
    heights = {cell: height(np.rot90(enclosed(looks[cell], body), turns)) for cell, body in bodies.items()}
    bodies = {cell: np.rot90(body, turns) for cell, body in bodies.items()}
    # On a screen without grain what stands out at all is no shade.
    clearly = 1.0 if placement.level and squares.finest < FAINT else CLEARLY
    clear = {cell: filled_in(np.rot90(looks[cell].clearly(clearly), turns)) for cell in bodies}
    gaps = {cell: _gaps(body, looks[cell], turns) for cell, body in bodies.items()}
    guesses = _judged(bodies, clear, gaps, heights, stretched(stretch, turns))
    if placement.level:
        far = {cell: np.rot90(look.far, turns) for cell, look in looks.items()}
        guesses = _without_grain(guesses, bodies, far, max(grain(squares), ROUNDED / squares.counts))
        guesses = _without_strokes(guesses, bodies, heights, far)
        guesses |= _clearer(guesses, bodies, far, stretched(stretch, turns))
    in_corners = {cell: np.rot90(body, turns) for cell, body in shades.items()}
    guesses |= _in_corners(in_corners, bodies, guesses)
    known = {cell: (guess, (bodies | in_corners)[cell]) for cell, guess in guesses.items()}
    faint = faint_figures(photo, placement, squares, turns, known)
    guesses |= {cell: guess for cell, guess in faint.items() if guess.confidence >= SURE}
    shades = {cell: shade for cell, shade in shades.items() if cell not in guesses}
    bare = set(np.ndindex(*squares.far.shape[:2])) - bodies.keys() - guesses.keys() - marks
    doubtful = _shapeless(shades, looks, squares, bare, lonely=not _sure(guesses))
    guesses |= dict.fromkeys(doubtful, Guess("other", SHAPELESS, "something is there that has no shape of a piece"))
    if len(guesses) >= COMPANY and {guess.name for guess in guesses.values()} == {"queen"}:
        guesses = {cell: replace(guess, confidence=max(guess.confidence, 0.8)) for cell, guess in guesses.items()}
    return turns, faint | guesses


def _shapeless(
    shades: Mapping[Cell, Mask], looks: Mapping[Cell, Square], squares: Squares, bare: set[Cell], *, lonely: bool
) -> set[Cell]:
    """The squares with something that has no shape of a piece: with ``shades``, or ``bare`` ones that are not.

    An even shade is nothing, unless no piece is plainly seen on the board: it is ``lonely``.
    """
    things = {cell: thick(squares.clearly(cell[0], cell[1], CLEARLY)) for cell in bare - shades.keys()}
    even = {cell for cell, body in shades.items() if _is_even(looks[cell].far[body])}
    even |= {cell for cell, thing in things.items() if fills_a_corner(thing) and _is_even(squares.far[cell][thing])}
    found = {cell: looks[cell].far[body] for cell, body in shades.items()}
    found |= {cell: squares.far[cell][thing] for cell, thing in things.items() if thing.mean() > UNEXPLAINED}
    seen = {cell for cell, far in found.items() if median(far) * squares.counts > ROUNDED}
    return seen if lonely else seen - even


def _looked_at(
    photo: Photo, placement: ChequeredPlacement, squares: Squares
) -> tuple[dict[Cell, Square], dict[Cell, Mask]]:
    """The squares on which something is, from near by, and what may be the body of a figure on them."""
    looks: dict[Cell, Square] = {}
    bodies: dict[Cell, Mask] = {}
    for cell in np.ndindex(*squares.far.shape[:2]):
        square = squares.square(*cell)
        if not thicker(filled(square.mask()), STROKE).any():
            continue
        looks[cell] = close_up(photo, placement, squares, cell)
        # From afar the border of a square may cut an outline open by a pixel; from near by grain hangs together.
        body, from_afar = _near_by(looks[cell], sharp=placement.level), enlarged(body_of(square.mask()), CLOSE_PX)
        grainy = not placement.level and (body is None or from_afar is None or overlap(body, from_afar) < SAME_BODY)
        if body is None or grainy:
            body = from_afar
        if body is not None and looks[cell].clearly(CLEARLY)[body].mean() > HARDLY:
            bodies[cell] = body
    return looks, bodies


def _near_by(square: Square, *, sharp: bool) -> Mask | None:
    """The body of the piece on a square; ``sharp`` on a screen, where squares may differ so little that blur counts."""
    body = body_of(square.mask())
    if body is None or not sharp:
        return body
    sharper = body_of(square.clearly(max(1.0, empty_squares.EDGE * square.strength())))
    return body if sharper is None or sharper.sum() < SAME_BODY * body.sum() else sharper


def _judged(
    bodies: Mapping[Cell, Mask],
    clear: Mapping[Cell, Mask],
    gaps: Mapping[Cell, int],
    heights: Mapping[Cell, float],
    stretch: float,
) -> dict[Cell, Guess]:
    """The guesses of upright silhouettes; one that is hard to judge is compared with the sure ones of its board.

    ``clear`` are the same squares without what hardly stands out: a dot is still one where grain clings to it. ``gaps``
    are those of crowns whose points touch, ``heights`` those without what clings to a thing.
    """
    seen = _shared(bodies, {cell: measure(body, stretch) for cell, body in bodies.items()})
    marks = {cell for cell, found in seen.items() if is_mark(found, bodies[cell])}
    cores = {cell: largest(thicker(mask, STROKE)) for cell, mask in clear.items()}
    cores = {cell: core for cell, core in cores.items() if core.sum() > MOSTLY * bodies[cell].sum()}
    round_cores = {cell for cell, core in cores.items() if is_mark(measure(core, stretch), core)}
    # Opening rounds a low crown off; grain that clings to a dot hardly stands out, and gives it no points.
    marks |= {cell for cell in round_cores if not _has_points(seen[cell], measure(largest(clear[cell]), stretch))}
    guesses = {cell: judge(found) for cell, found in seen.items() if cell not in marks}
    crowned = {cell for cell, guess in guesses.items() if guess.name == "queen" and gaps[cell] >= GAPS}
    guesses |= {cell: Guess("queen", max(guesses[cell].confidence, 0.9)) for cell in crowned}
    sure = _sure(guesses)
    small = _small(guesses, bodies, heights, SMALL)
    guesses = {cell: guess for cell, guess in guesses.items() if cell not in small}
    for cell, guess in guesses.items():
        if guess.confidence >= 0.9:
            continue
        # Of a piece that reaches out of its square the body may be a part.
        views = (bodies[cell], clear[cell])
        alike = [(overlap(view, bodies[other]), k, other) for other in sure for k, view in enumerate(views)]
        best, k, other = max(alike, default=(0.0, 0, cell))
        if best > ALIKE and (guess.name != "other" or measure(views[k], stretch).head > SAME_HEAD * seen[other].head):
            guesses[cell] = Guess(sure[other].name, 0.85)
    if len(guesses) < COMPANY:  # Nothing to compare with: the outline of what hardly stands out may be anything.
        faint = {c for c in guesses if overlap(bodies[c], largest(clear[c])) < FIRM}
        firm = [bodies[c] for c in sure if c in guesses and c not in faint]
        faint = {c for c in faint if max((overlap(bodies[c], other) for other in firm), default=0.0) <= ALIKE}
        guesses |= {c: Guess(guesses[c].name, 0.5, HARDLY_SEEN) for c in faint}
    return guesses


def _small(
    guesses: Mapping[Cell, Guess], bodies: Mapping[Cell, Mask], heights: Mapping[Cell, float], part: float
) -> set[Cell]:
    """What is small beside the sure figures: less than ``part`` of their area, and low as well."""
    sure = _sure(guesses)
    area = max((float(bodies[cell].mean()) for cell in sure), default=0.0)
    high = max((heights[cell] for cell in sure), default=0.0)
    return {cell for cell in guesses if bodies[cell].mean() < part * area and heights[cell] < LOW * high}


def _gaps(body: Mask, square: Square, turns: int) -> int:
    """How many gaps are seen between the points of what may be a crown, set upright by ``turns``.

    Where the balls of a crown touch, its outline has no points, and what lies between them is holes.
    """
    strength = square.strength()
    masks = (np.rot90(square.clearly(max(1.0, part * strength)), turns) for part in GAPS_AT)
    return max(_holes_in_a_row(body, body & ~mask) for mask in masks)


def _holes_in_a_row(body: Mask, holes: Mask) -> int:
    """How many narrow holes lie side by side in the upper half of a body, spread over its width; else 0."""
    rows, cols = (np.nonzero(body.any(axis=axis))[0] for axis in (1, 0))
    middle, width = (cols[0] + cols[-1]) / 2, np.ptp(cols) + 1
    _, _, stats, centres = cv2.connectedComponentsWithStats(holes.astype(np.uint8), connectivity=4)
    x, y = centres[1:].T
    narrow = (stats[1:, cv2.CC_STAT_WIDTH] < GAP_WIDEST * width) & (stats[1:, cv2.CC_STAT_AREA] > GAP_LEAST * body.size)
    kept = np.sort(x[narrow & (y < (rows[0] + rows[-1]) / 2)])
    if not len(kept) or abs(kept.mean() - middle) > GAPS_OFF * width or np.ptp(kept) < GAPS_SPREAD * width:
        return 0
    return 1 + int((np.diff(kept) > GAPS_OFF * width).sum())


def _has_points(*views: Measures) -> bool:
    """Whether a silhouette has the points of a crown, or its deep gaps, each time that it was measured."""
    return all(seen.points >= CROWN_POINTS or (seen.points >= DEEP_POINTS and seen.gap > DEEPEST_GAP) for seen in views)


def _without_strokes(
    guesses: Mapping[Cell, Guess],
    bodies: Mapping[Cell, Mask],
    heights: Mapping[Cell, float],
    far: Mapping[Cell, Floats],
) -> dict[Cell, Guess]:
    """The guesses without numbers that grain holds together: small beside a sure figure, and of strokes alone."""
    small = {c for c in _small(guesses, bodies, heights, SMALLISH) if guesses[c].name == "other"}
    strengths = {cell: float(np.quantile(far[cell][bodies[cell]], 0.8)) for cell in small}
    strokes = {cell for cell in small if body_of(Square(far[cell]).clearly(STROKES_AT * strengths[cell])) is None}
    return {cell: guess for cell, guess in guesses.items() if cell not in strokes}


def _without_grain(
    guesses: Mapping[Cell, Guess], bodies: Mapping[Cell, Mask], far: Mapping[Cell, Floats], most: float
) -> dict[Cell, Guess]:
    """The guesses without what has not the shape of a queen or a knight, and is no more than ``most``, grain."""
    grainy = {c for c, g in guesses.items() if g.name == "other" and contrast(Square(far[c]), bodies[c]) < most}
    return {cell: guess for cell, guess in guesses.items() if cell not in grainy}


def _clearer(
    guesses: Mapping[Cell, Guess], bodies: Mapping[Cell, Mask], far: Mapping[Cell, Floats], stretch: float
) -> dict[Cell, Guess]:
    """What doubtful figures are by their outlines alone, without the grain that clings to them, where that is plain."""
    found = {}
    for cell, guess in guesses.items():
        body = body_of(by_its_own_contrast(Square(far[cell]), bodies[cell])) if guess.confidence < SURE else None
        if body is not None and overlap(body, bodies[cell]) > ALIKE:
            clear = judge(measure(body, stretch))
            if clear.name != "other" and clear.confidence >= 0.9:
                found[cell] = replace(clear, confidence=0.85)
    return found


def _in_corners(
    shades: Mapping[Cell, Mask], bodies: Mapping[Cell, Mask], guesses: Mapping[Cell, Guess]
) -> dict[Cell, Guess]:
    """What fills a corner of its square and is no shade, for it has the silhouette of a figure that is plainly seen.

    It reaches that corner with a coordinate that it touches.
    """
    found = {}
    for cell, shade in shades.items():
        alike = [(overlap(shade, bodies[other]), known.name) for other, known in _sure(guesses).items()]
        best, name = max(alike, default=(0.0, "other"))
        if best > ALIKE:
            found[cell] = Guess(name, 0.85)
    return found


def _sure(guesses: Mapping[Cell, Guess]) -> dict[Cell, Guess]:
    """The queens and knights that are plainly seen."""
    return {cell: guess for cell, guess in guesses.items() if guess.confidence >= 0.9 and guess.name != "other"}


def _is_even(far: Floats) -> bool:
    """Whether nothing stands out from a shade, whose distances from the square's colour these are."""
    least, most = np.quantile(far, (0.05, 0.95))
    return bool(most < EVEN * median(far) < EVEN**2 * least)


def _shared(bodies: Mapping[Cell, Mask], seen: Mapping[Cell, Measures]) -> dict[Cell, Measures]:
    """The measures, where several silhouettes are alike their medians: a small one has lost a point, or won one."""
    shared = {}
    for cell, body in bodies.items():
        alike = [astuple(seen[other]) for other in bodies if other == cell or overlap(body, bodies[other]) > ALIKE]
        shared[cell] = Measures(*medians(np.array(alike)).tolist())
    return shared


def _turns(bodies: Mapping[Cell, Mask], stretch: float) -> int | None:
    """How many quarter turns anticlockwise set figures upright, 0..3; None where that cannot be told.

    Only a crown tells top from bottom, and only symmetry tells a queen on her side from a rook that stands.
    """
    turned = [{cell: np.rot90(body, k) for cell, body in bodies.items()} for k in range(4)]
    views = [_view(turned[k], stretched(stretch, k)) for k in range(4)]
    lopsided = [sum(seen.lopsided for seen in view) for view in views]
    on_side = lopsided[1] < ON_ITS_SIDE * lopsided[0]
    crowned = {k: crowns for k in ((1, 3) if on_side else (0, 2)) if (crowns := _crowns(views[k])) is not None}
    knights = [[judge(seen).name == "knight" for seen in view] for view in views]
    if crowned:
        # Where blur or blocks leave crowns no points, their feet may have some: what may be queens as it stands, is.
        turns = 0 if 0 in crowned else max(crowned, key=lambda k: crowned[k])
        # A knight's mane upside down may look like a crown.
        return None if turns and len(knights[0]) < COMPANY and all(knights[0]) else turns
    if on_side:
        return None
    # A knight differs from his mirror image whichever way he lies, and has a knight's width as he stands.
    lopsided_anyway = bool(views[0]) and all(seen.lopsided > KNIGHT_LOPSIDED[1] for view in views for seen in view)
    return 1 if lopsided_anyway and all(knights[1]) and not any(knights[0]) else 0


def _crowns(view: Sequence[Measures]) -> int | None:
    """How many crowns are plainly seen where all may be queens; None where that says nothing of what is up."""
    guesses = [judge(seen) for seen in view]
    crowns = sum(guess.name == "queen" and guess.confidence > SURE for guess in guesses)
    if 2 * crowns > len(guesses) > crowns > 1:  # Signs that are drawn on squares are no queens either.
        return crowns
    enough = bool(crowns and 2 * crowns >= len(guesses)) or len(guesses) >= COMPANY
    return crowns if enough and all(guess.name == "queen" for guess in guesses) else None


def _view(bodies: Mapping[Cell, Mask], stretch: float) -> list[Measures]:
    """The measures of what may be figures, those alike shared."""
    seen = _shared(bodies, {cell: measure(body, stretch) for cell, body in bodies.items()})
    return [found for cell, found in seen.items() if not is_mark(found, bodies[cell])]


def _is_dot(square: Square, stretch: float) -> bool:
    """Whether a square has a dot, grain that clings to it left out; a dot is one whichever way it lies."""
    core = largest(thicker(filled(square.clearly(CLEARLY)), STROKE))
    views = [np.rot90(core, turns) for turns in (0, 1)] if core.any() else []
    return bool(views) and all(is_mark(measure(v, stretched(stretch, k)), v) for k, v in enumerate(views))
