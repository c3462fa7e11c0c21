"""Pieces that may lie unseen among empty pits of their own colour: a white piece among white printed pits.

Where colours tell nothing, edges may: printers draw outlines round balls and none round pits, balls of toys throw
shadows. What a cell's belt (see :class:`vision.balls.looks.Looks`) is like beside the cell and the tray is
learned from the balls and from the pits of the board. If the two differ clearly, empty cells with the belts of balls
are in doubt. If they do not, all empty cells are, provided that a piece that is not seen has their colour.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solvers.balls import EMPTY, LETTERS, Tray, all_lays
from vision.balls.hints import FAR_OFF, LEAST_SEEN, pitlike
from vision.balls.looks import LIGHTNESS, Looks
from vision.balls.palette import light_on, makers
from vision.balls.pieces import PALE, TWINS, Division

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

LEAST_SPREAD = 1.0
"""Least spread of belts about what is expected of them, in weighted lightness: that of drawn ones after a JPEG is 0.1
to 0.7."""

HALF_WAY = 0.5
"""Place between the belt of a pit (0) and that of a ball (1) from which a cell has the one or the other; where it was
seen, pits reached 0.15 and balls began at 0.85."""

CLEARLY = 0.25
"""Distance from the one or the other within which it is that one, clearly."""

NO_LIGHT = 1.0
"""Difference in weighted lightness of a cell and its tray below which a belt is simply as light as either."""


@dataclass(frozen=True, eq=False)
class Belts:
    """What the belts of the cells say.

    Attributes:
        telling: whether balls and pits differ in them.
        like_ball: ``float64 (cells,)``, 0 for the belt of a pit to 1 for that of a ball, not clipped.
    """

    telling: bool
    like_ball: Floats


def belts(rows: str, looks: Looks) -> Belts:
    """What the belts say if ``rows``, a letter for each cell, is right but for a few cells."""
    is_ball = np.array([letter != EMPTY for letter in rows])
    nothing = Belts(False, np.zeros(len(is_ball)))
    if min(is_ball.sum(), (~is_ball).sum()) < LEAST_SEEN:
        return nothing
    step = looks.colours[:, 0] - looks.gaps[:, 0]
    seen = looks.belts - looks.gaps[:, 0]
    # A disc covers part of the belt; what is round it takes away some light, whatever the colour of the disc.
    terms = np.column_stack([step, np.ones_like(step)])
    of_ball, *_ = np.linalg.lstsq(terms[is_ball], seen[is_ball], rcond=None)
    ball = terms @ of_ball
    contrast = np.where(np.abs(step) < NO_LIGHT, np.copysign(NO_LIGHT, step), step)
    pit = step * np.median((seen / contrast)[~is_ball])
    apart = ball - pit
    usual = float(np.median(apart[~is_ball]))
    spread = max(LEAST_SPREAD, _spread(seen - ball, is_ball), _spread(seen - pit, ~is_ball))
    if abs(usual) < FAR_OFF * spread * _reach(terms[is_ball], np.median(terms[~is_ball], axis=0)):
        return nothing
    return Belts(True, np.asarray((seen - pit) / np.where(apart * usual > 0, apart, usual)))


def _reach(known: Floats, asked: Floats) -> float:
    """How many times its spread a fitted line may be off at ``asked``, ``(2,)``: dark balls tell little of white ones.

    The standard error of a prediction, with the spread itself in it; ``known`` are the terms ``(N, 2)`` it comes from.
    """
    spread_of_terms = known.T @ known + 1e-6 * np.eye(len(asked))
    return float(np.sqrt(1 + asked @ np.linalg.inv(spread_of_terms) @ asked))


def _spread(off: Floats, among: Bools) -> float:
    """Robust standard deviation of what is seen about what is expected."""
    return 1.5 * float(np.median(np.abs(off[among])))


def hidden(division: Division, looks: Looks) -> tuple[list[int], bool]:
    """The numbers of the empty cells that may be a piece's, and whether their belts say so.

    Only groups of touching cells that a piece may fill are to be feared; that is the caller's to see.
    """
    bare = [k for k, letter in enumerate(division.rows) if letter == EMPTY]
    if division.empty is None or set(LETTERS) <= set(division.rows):
        return [], False
    said = belts(division.rows, looks)
    if said.telling:
        return [k for k in bare if said.like_ball[k] > HALF_WAY], True
    unlit = pitlike(division.rows, looks)[bare].min(initial=1.0) <= 0
    return (bare if unlit and _as_a_missing_piece(division, looks) else []), False


def edged_like_balls(rows: str, looks: Looks) -> Bools:
    """Which cells clearly have the belts of balls, ``(cells,)``."""
    said = belts(rows, looks)
    return np.asarray(said.telling & (said.like_ball > 1 - CLEARLY))


def outlined(division: Division, looks: Looks, tray: Tray) -> dict[int, str]:
    """Pieces of the pits' colour that are clearly seen by their edges: a letter for each of their cells, by number.

    Nothing where any cell leaves it open, or where what is edged like balls has not a missing piece's shape and colour.
    """
    said = belts(division.rows, looks)
    bare = [k for k, letter in enumerate(division.rows) if letter == EMPTY]
    edged = [k for k in bare if said.like_ball[k] > HALF_WAY]
    open_ones = [k for k in bare if CLEARLY < said.like_ball[k] < 1 - CLEARLY]
    if not said.telling or not edged or open_ones:
        return {}
    mask = tray.mask(tray.cells[k] for k in edged)
    fitting = [letter for letter in _missing(division) if mask in all_lays(tray, division.pieces)[letter]]
    colour = np.median(looks.colours[edged], axis=0)
    return dict.fromkeys(edged, fitting[0]) if _coloured_as(fitting, colour, division, looks) else {}


def _missing(division: Division) -> list[str]:
    """The pieces without a hue that are not seen."""
    return [letter for pieces, letter in sorted(PALE) if pieces == division.pieces and letter not in division.rows]


def _as_a_missing_piece(division: Division, looks: Looks) -> bool:
    """Whether a piece without a hue that is not seen would have the colour of the empty cells in this light."""
    if division.empty is None:
        return False
    return _coloured_as(_missing(division), np.median(division.empty.colours[:, :3], axis=0), division, looks)


def _coloured_as(letters: Sequence[str], colour: Floats, division: Division, looks: Looks) -> bool:
    """Whether one of these pieces would have this colour in the light that falls on the others."""
    seen = looks.of_pieces(division.rows)
    if not letters or not seen:
        return False
    own = makers(division.pieces)
    gain, cast = light_on(seen, division.pieces)
    expected = np.array([gain * own[letter] + (0, *cast) for letter in letters])
    expected[:, 0] = np.minimum(expected[:, 0], 100 * LIGHTNESS)  # nothing is lighter than a picture's white
    return bool((np.linalg.norm(expected - colour, axis=1) < TWINS).any())
