"""What is in doubt about a ball board that was read.

Doubts arise where two divisions fit almost as well, where two sets of pieces do, where a piece is hardly of one colour
or may be a pocket of empty pits, and about cells that were taken for empty: see :mod:`vision.balls.empties`.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from solvers.ball_trays import EMPTY, SETS
from solvers.board import Cell
from solvers.message import Message
from vision.balls import empties
from vision.balls.empties import BALL_LIKE, CLEARLY, Side
from vision.balls.evidence import FAR_OFF, strongest
from vision.balls.features import neighbours
from vision.balls.palette import have_makers_colours, light_on, makers, set_distances
from vision.balls.pieces import MARGIN, PALE, Board, Division
from vision.balls.pits import GREYISH, OUTLIER, SAME_COLOUR, SPREAD, SURELY_NEAR, at_edges, flatness
from vision.pictures.medians import median, medians
from vision.reading import Doubt

Floats = npt.NDArray[np.float64]

UNEVEN_PIECE = 4.5
"""Mean squared deviation of a piece's cells from its colour, in variances, above which it may be wrong. Pieces that
were read right stay below 3.6 (an orange one under a lamp); one with two cells of another is above 5.5."""

ANY_LIGHT = 0.5
"""Part by which a shadow may take light from balls, or its end add to it, that are of one colour otherwise."""

LIKELIER = 1.2
"""How many times more clearly balls and pits must differ if a piece were a pocket for it to be in doubt."""

SETS_APART = 3.0
"""How much farther off the other set's colours must be: of single pieces in made-up lamps 0.4 % mislead by as much."""

PALE_SHARE = 0.5
"""Strength of a hue, in that of the makers' in this light, below which a piece has none: a warm lamp
tints white pits."""

PALEST = {("standard", "D")}
"""The piece that makers give the least hue, pale pink."""


def doubts(board: Board, found: Sequence[Division], sides: Sequence[Side]) -> list[Doubt]:
    """All that is in doubt about a board; single balls that colours name are noted in it on the way.

    ``found`` are the division it was read from and those that fit almost as well, along ``sides`` no pits are seen.
    """
    return [
        *_rivals(board, found),
        *board.doubts(
            (
                _unknown_set(board, found),
                0.5,
                "the shapes and colours here leave open which set of pieces is played with",
            ),
            (_uneven(board), 0.6, "the balls that make up this piece differ in colour"),
            (_like_empties(board), 0.5, "this hardly differs from empty pits"),
            (_last_pocket(board), 0.5, "this is a piece or a pocket of empty pits"),
        ),
        *empties.doubts(board, sides),
    ]


def _rivals(board: Board, found: Sequence[Division]) -> list[Doubt]:
    """The cells on which divisions that fit almost as well disagree."""
    doubts: dict[Cell, Doubt] = {}
    if not all(one.certain for one in found):
        # Whatever was not looked at may be anywhere.
        first = board.tray.cells[0]
        doubts[first] = Doubt(first, board.division.rows[0], 0.5, "the balls can be divided in too many ways")
    for other in found:
        if other.rows == board.division.rows or _only_pits(board, other):
            continue
        confidence = float(np.clip(0.5 + (other.cost - board.division.cost) / (2 * MARGIN), 0.5, 0.95))
        for cell, mine, theirs in zip(board.tray.cells, board.division.rows, other.rows, strict=True):
            if mine != theirs and cell not in doubts:
                why = "it may as well be an empty pit" if theirs == EMPTY else "it may as well be a ball of {letter}"
                doubts[cell] = Doubt(cell, mine, confidence, Message(why, letter=theirs))
    return list(doubts.values())


def _only_pits(board: Board, other: Division) -> bool:
    """Whether all that another division has for balls are pits here, of the pits' very paint and edged as pits are."""
    mine = board.division
    apart = [k for k, letters in enumerate(zip(mine.rows, other.rows, strict=True)) if len(set(letters)) > 1]
    if mine.empty is None or not board.evidence.decisive or any(mine.rows[k] != EMPTY for k in apart):
        return False
    off = np.linalg.norm(board.features.colours[apart] - mine.empty.colours[apart, :3], axis=1)
    return bool(off.max() < SURELY_NEAR and board.evidence.like_ball[apart].max() < CLEARLY)


def _unknown_set(board: Board, found: Sequence[Division]) -> list[int]:
    """A piece of a board whose shapes two sets have and whose colours might be those of either."""
    mine = board.division
    if not board.letters or all(one.rows != mine.rows or one.pieces == mine.pieces for one in found):
        return []
    colours = board.features.of_pieces(mine.rows)
    nearest, second = sorted(set_distances(colours).values())[:2]
    # Colours that no maker uses tell nothing, and then the usual set is meant.
    if second > nearest + SETS_APART or not any(have_makers_colours(colours, pieces) for pieces in SETS):
        return []
    return board.cells(board.letters[0])


def _uneven(board: Board) -> list[int]:
    """The pieces whose balls are hardly of one colour."""
    found = []
    for cells in board.laid.values():
        signature = board.features.signature[cells]
        own = medians(signature)
        off = at_edges(signature - own, own, board.features.edges[cells])[:, :3]
        off = np.minimum((off**2).sum(axis=1) / SPREAD**2, OUTLIER)
        if off.mean() > UNEVEN_PIECE and not _unevenly_lit(board, cells):
            found += cells
    return found


def _unevenly_lit(board: Board, cells: Sequence[int]) -> bool:
    """Whether the cells of a piece are of one colour in more and less light, and nothing that touches them is.

    Then they are one piece: no part of it can be another's, which would go on beside it.
    """
    signature = board.features.signature
    own = np.broadcast_to(medians(signature[cells]), signature[cells].shape)
    off = np.minimum(_apart_in_light(signature[cells], own) ** 2 / SPREAD**2, OUTLIER)
    pairs = neighbours(board.tray)
    inner, outer = np.vstack([pairs, pairs[:, ::-1]]).T
    rim = np.isin(inner, cells) & ~np.isin(outer, cells)
    beside = _apart_in_light(signature[outer[rim]], signature[inner[rim]])
    return bool(off.mean() < UNEVEN_PIECE / 2 and beside.min(initial=np.inf) > SAME_COLOUR)


def _apart_in_light(colours: Floats, own: Floats) -> Floats:
    """How far apart colours are in the light that brings them nearest to each other, ``(N,)``."""
    off = at_edges(colours - own, own, np.full(len(colours), ANY_LIGHT))
    return np.asarray(np.linalg.norm(off[:, :3], axis=1))


def _like_empties(board: Board) -> list[int]:
    """The pieces that nearly look like empty cells, are no lighter and have neither the shading nor the edges of balls.

    What is darker than pits under the same light may lie in a shadow.
    """
    empty, evidence, gaps = board.division.empty, board.evidence, board.features.gaps[:, 0]
    if empty is None:
        return []
    like_pits = board.shaded + evidence.pitlike
    edged = evidence.decisive & (evidence.like_ball > 1 - CLEARLY)
    found = []
    for cells in board.laid.values():
        off = medians(board.features.signature[cells] - empty.colours[cells])
        light = median(gaps[cells]) - median(gaps[board.cells(EMPTY)])
        lighter = np.linalg.norm(off[:3]) > FAR_OFF * empty.spread and off[0] > max(empty.spread, 2 * light)
        alike = np.linalg.norm(off) <= SAME_COLOUR and median(like_pits[cells]) > -BALL_LIKE
        if alike and not lighter and not edged[cells].all():
            found += cells
    return found


def _last_pocket(board: Board) -> list[int]:
    """On a board without any empty cell, the pieces that have less hue than they should: they may be pockets of pits.

    Of a white or grey piece none of the cells is shaded as balls are here, or balls and pits would differ more clearly
    at their edges if these were pits.
    """
    if board.division.empty is not None:
        return []
    pieces, rows, shaded = board.division.pieces, board.division.rows, board.shaded
    colours = board.features.of_pieces(rows)
    own = {letter: colour[1:] for letter, colour in makers(pieces).items()}
    gain, cast = light_on(colours, pieces)
    if not have_makers_colours(colours, pieces):
        # These are other makers' colours, which tell nothing of the lamp.
        gain, cast, own = 1.0, np.zeros(2), dict.fromkeys(own, np.zeros(2))
    found = []
    for letter, cells in board.laid.items():
        if (pieces, letter) in PALE:
            as_pits = strongest(rows.replace(letter, EMPTY), board.features).strength
            clearer = as_pits > LIKELIER * max(1 / LIKELIER, board.evidence.strength)
            pocket = shaded[cells].min() > 0 or (clearer and median(shaded[cells]) > -BALL_LIKE)
        else:
            least = max(GREYISH, PALE_SHARE * float(np.linalg.norm(own[letter])))
            pale = np.linalg.norm(colours[letter][1:] - cast) < min(1.0, gain) * least
            # Light falls into pits from the other side than on balls.
            as_balls = shaded[cells].max() < -BALL_LIKE and flatness(board.features.relief[cells]) == 0
            pocket = pale and not as_balls and (pieces, letter) not in PALEST
        if pocket:
            found += cells
    return found
