"""Pieces that may lie unseen among empty pits of their own colour: a white piece among white printed pits.

Where colours tell nothing, edges and marks may: see :mod:`vision.balls.evidence`. If balls and pits clearly differ in
one of these, empty cells that have what balls have are in doubt. If they do not, all empty cells are, provided that a
piece that is not seen has their colour. Where they are printed in one paint, other than the white of the paper, even a
piece of nearly that colour would stand out, and where pieces are made of squares that leave no tray between them, what
the tray frames is a pit.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from solvers.ball_trays import EMPTY, LETTERS, Tray, all_lays
from vision.balls.evidence import FAR_OFF, shaded_like_pits, strongest
from vision.balls.looks import LIGHTNESS, Looks, neighbours
from vision.balls.palette import light_on, makers
from vision.balls.pieces import PALE, Division
from vision.balls.pits import BLACK, TWINS, beside_tray
from vision.pictures.medians import median, medians

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

HALF_WAY = 0.5
"""Place between what a pit (0) and what a ball (1) has from which a cell is like the one or the other; where belts were
seen, pits reached 0.15 and balls began at 0.85."""

CLEARLY = 0.25
"""Distance from the one or the other within which it is that one, clearly."""


ONE_PAINT = 1.5
"""Distance in colour up to which all pits of one paint are alike: on photos of prints 0.1 to 1.0."""

PAPER = 0.93
"""Lightness, in that of the lightest things in the picture, from which pits are as white as paper: makers leave white
pieces as white, while another paint for pits is their own."""


def hidden(division: Division, looks: Looks, tray: Tray) -> tuple[list[int], bool]:
    """The numbers of the empty cells that may be a piece's, and whether edges or marks say so.

    Only groups of touching cells that a piece may fill are to be feared; that is the caller's to see.
    """
    bare = [k for k, letter in enumerate(division.rows) if letter == EMPTY]
    if division.empty is None or not bare or set(LETTERS) <= set(division.rows):
        return [], False
    said = strongest(division.rows, looks)
    if said.decisive:
        # No set has black balls.
        lit = np.isin(np.arange(len(looks.colours)), bare) & (looks.colours[:, 0] > BLACK)
        return np.flatnonzero(
            _beside(lit & (said.like_ball > HALF_WAY), lit & (said.like_ball > CLEARLY), tray)
        ).tolist(), True
    if _of_one_paint(bare, looks):
        return [], False
    unlit = shaded_like_pits(division.rows, looks)[bare].min(initial=1.0) <= 0
    return (_unframed(bare, looks) if unlit and _as_a_missing_piece(division, looks) else []), False


def _beside(sure: Bools, open_ones: Bools, tray: Tray) -> Bools:
    """The sure cells and those of the open ones that touch any of them, ``(cells,)``."""
    one, other = neighbours(tray).T
    touched = np.zeros_like(sure)
    touched[one] |= sure[other]
    touched[other] |= sure[one]
    return sure | (open_ones & touched)


def _of_one_paint(bare: Sequence[int], looks: Looks) -> bool:
    """Whether empty cells are all of one paint that is no piece's: none stands out at all, and they are not white.

    The light on each is that on the tray beside it: a slope fitted to the cells would take a piece's colour for light.
    """
    some = np.array(bare)
    apart = np.linalg.norm((looks.colours - beside_tray(looks, some))[some], axis=1)
    return bool(apart.max() < ONE_PAINT and median(looks.colours[some, 0]) < PAPER * looks.white)


def _unframed(bare: Sequence[int], looks: Looks) -> list[int]:
    """Those of the empty cells at whose corners the tray is not seen, where all balls cover it; else all of them.

    Pieces of squares leave no tray between their cells: what is framed by it is a pit, whatever its colour.
    """
    pits = np.array(bare)
    seen, balls = (np.delete(one - medians(looks.gaps[pits]), pits, axis=0) for one in (looks.gaps, looks.colours))
    covered = np.linalg.norm(seen, axis=1) > np.maximum(TWINS, HALF_WAY * np.linalg.norm(balls, axis=1))
    step = (looks.gaps - looks.colours)[pits]
    usual = medians(step)
    along = step @ usual / max(1e-6, float(np.linalg.norm(usual)))
    clear = median(along) > FAR_OFF * 1.5 * median(np.abs(along - median(along)))
    if not clear or not covered.all():
        return list(bare)
    return [k for k, framed in zip(bare, along > HALF_WAY * median(along), strict=True) if not framed]


def edged_like_balls(rows: str, looks: Looks) -> Bools:
    """Which cells clearly have the edges or marks of balls, ``(cells,)``."""
    said = strongest(rows, looks)
    return np.asarray(said.decisive & (said.like_ball > 1 - CLEARLY))


def outlined(division: Division, looks: Looks, tray: Tray) -> dict[int, str]:
    """Pieces of the pits' colour that edges or marks clearly show: a letter for each of their cells, by number.

    Nothing where any cell leaves it open, or where what is like balls has not a missing piece's shape and colour.
    """
    said = strongest(division.rows, looks)
    bare = [k for k, letter in enumerate(division.rows) if letter == EMPTY]
    edged = [k for k in bare if said.like_ball[k] > HALF_WAY]
    open_ones = [k for k in bare if CLEARLY < said.like_ball[k] < 1 - CLEARLY]
    if not said.decisive or not edged or open_ones:
        return {}
    mask = tray.mask(tray.cells[k] for k in edged)
    fitting = [letter for letter in _missing(division) if mask in all_lays(tray, division.pieces)[letter]]
    colour = medians(looks.colours[edged])
    return dict.fromkeys(edged, fitting[0]) if _coloured_as(fitting, colour, division, looks) else {}


def _missing(division: Division) -> list[str]:
    """The pieces without a hue that are not seen."""
    return [letter for pieces, letter in sorted(PALE) if pieces == division.pieces and letter not in division.rows]


def _as_a_missing_piece(division: Division, looks: Looks) -> bool:
    """Whether a piece without a hue that is not seen would have the colour of the empty cells in this light."""
    if division.empty is None:
        return False
    return _coloured_as(_missing(division), medians(division.empty.colours[:, :3]), division, looks)


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
