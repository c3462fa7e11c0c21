"""What is in doubt about a ball board that was read.

Doubts arise where two divisions fit almost as well, where two sets of pieces do, where a piece is hardly of one colour
or may be a pocket of empty pits, and about cells that were taken for empty: see :mod:`vision.balls.empties`.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from solvers.ball_trays import EMPTY, LETTERS, SETS
from solvers.board import Cell
from solvers.message import Message
from vision.balls import empties
from vision.balls.empties import BALL_LIKE, CLEARLY, MAKERS, Side, edged_like_balls
from vision.balls.evidence import COLOURED, pitlike, strongest
from vision.balls.features import neighbours
from vision.balls.palette import light_on, makers, set_distances, unlikeness
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

HUES_APART = 3.0
"""Distance of a piece's hue from that of the empty cells, in the standard deviation of these, from which it is no
pocket of them, unless it is darker as well: shadows are."""

LIGHTER = 4.0
"""Distance of a piece lighter than the empty cells from them, in their standard deviation, from which it is no pocket
of them."""

SETS_APART = 3.0
"""How much farther off the other set's colours must be: of single pieces in made-up lamps 0.4 % mislead by as much."""

PALE_SHARE = 0.5
"""Strength of a hue, in that of the makers' in this light, below which a piece has none: a warm lamp
tints white pits."""

PALEST = {("standard", "D")}
"""The piece that makers give the least hue, pale pink."""


def doubts(board: Board, found: Sequence[Division], sides: Sequence[Side]) -> list[Doubt]:
    """All that is in doubt about a board; single balls that colours name are noted in it on the way.

    Args:
        board: as it was read.
        found: the division it was read from, and those that fit almost as well.
        sides: those along which no pits are seen.
    """
    return (
        _rivals(board, found)
        + _unknown_set(board, found)
        + _uneven(board)
        + _like_empties(board)
        + _cramping(board)
        + _pale_pocket(board)
        + _last_pocket(board)
        + empties.doubts(board, sides)
    )


def _rivals(board: Board, found: Sequence[Division]) -> list[Doubt]:
    """The cells on which divisions that fit almost as well disagree."""
    doubts: dict[Cell, Doubt] = {}
    if not all(one.certain for one in found):
        # Whatever was not looked at may be anywhere.
        first = board.tray.cells[0]
        doubts[first] = Doubt(first, board.division.rows[0], 0.5, "the balls can be divided in too many ways")
    for other in found:
        if other.rows == board.division.rows or _only_pits(board, other) or _leaves_a_ball(board, other):
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


def _leaves_a_ball(board: Board, other: Division) -> bool:
    """Whether another division takes a ball for a pit, though beside it is a piece of its colour, if in other light."""
    if other.empty is None:
        return False
    seen, rows = board.features.signature, zip(board.division.rows, other.rows, strict=True)
    hued = np.linalg.norm((seen - other.empty.colours)[:, 1:3], axis=1) > COLOURED
    left = hued & [theirs == EMPTY != mine for mine, theirs in rows]
    ball, piece = _both_ways(board)
    beside = left[ball] & np.isin(np.array(list(other.rows))[piece], list(LETTERS))
    return bool((_apart_in_light(seen[ball[beside]], seen[piece[beside]]) < SPREAD).any())


def _both_ways(board: Board) -> npt.NDArray[np.intp]:
    """Each cell with each of its neighbours: the numbers of the ones and of the others, ``(2, N)``."""
    pairs = neighbours(board.tray)
    return np.vstack([pairs, pairs[:, ::-1]]).T


def _apart_in_light(seen: Floats, own: Floats) -> Floats:
    """How far apart colours are in the light that brings them nearest to each other, ``(N,)``."""
    off = at_edges(seen - own, own, np.full(len(seen), ANY_LIGHT))
    return np.asarray(np.linalg.norm(off[:, :3], axis=1))


def _unknown_set(board: Board, found: Sequence[Division]) -> list[Doubt]:
    """The pieces of a board whose shapes two sets have and whose colours might be those of either."""
    if not board.letters or not any(
        one.rows == board.division.rows and one.pieces != board.division.pieces for one in found
    ):
        return []
    colours = board.features.of_pieces(board.division.rows)
    nearest, second = sorted(set_distances(colours).values())[:2]
    # Colours that no maker uses tell nothing, and then the usual set is meant.
    if second > nearest + SETS_APART or min(unlikeness(colours, pieces) for pieces in SETS) > MAKERS:
        return []
    why = "the shapes and colours here leave open which set of pieces is played with"
    return [Doubt(board.tray.cells[k], letter, 0.5, why) for letter in board.letters[:1] for k in board.cells(letter)]


def _uneven(board: Board) -> list[Doubt]:
    """The pieces whose balls are hardly of one colour."""
    doubts = []
    for letter in board.letters:
        cells = board.cells(letter)
        seen = board.features.signature[cells]
        own = medians(seen)
        off = at_edges(seen - own, own, board.features.edges[cells])[:, :3]
        off = np.minimum((off**2).sum(axis=1) / SPREAD**2, OUTLIER)
        if off.mean() > UNEVEN_PIECE and not _unevenly_lit(board, cells):
            why = "the balls that make up this piece differ in colour"
            doubts += [Doubt(board.tray.cells[k], letter, 0.6, why) for k in cells]
    return doubts


def _unevenly_lit(board: Board, cells: Sequence[int]) -> bool:
    """Whether the cells of a piece are of one colour in more and less light, and nothing that touches them is.

    Then they are one piece: no part of it can be another's, which would go on beside it.
    """
    seen = board.features.signature
    own = np.broadcast_to(medians(seen[cells]), seen[cells].shape)
    off = np.minimum(_apart_in_light(seen[cells], own) ** 2 / SPREAD**2, OUTLIER)
    inner, outer = _both_ways(board)
    rim = np.isin(inner, cells) & ~np.isin(outer, cells)
    beside = _apart_in_light(seen[outer[rim]], seen[inner[rim]])
    return bool(off.mean() < UNEVEN_PIECE / 2 and beside.min(initial=np.inf) > SAME_COLOUR)


def _like_empties(board: Board) -> list[Doubt]:
    """The pieces that nearly look like empty cells and are neither shaded nor edged like balls: light plays tricks."""
    empty = board.division.empty
    if empty is None:
        return []
    like_pits = pitlike(board.division.rows, board.features)
    edged = edged_like_balls(board.division.rows, board.features)
    doubts = []
    for letter in sorted(set(board.division.rows) & set(LETTERS)):
        cells = board.cells(letter)
        off = medians(board.features.signature[cells] - empty.colours[cells])
        other_hue = np.linalg.norm(off[1:3]) > HUES_APART * empty.spread and off[0] > -empty.spread
        # Of their very paint, shading alone is no proof: how pits are shaded is fitted, and may be off in a corner.
        same_paint = np.linalg.norm(off[:3]) < SURELY_NEAR
        # What is lighter than pits under the same light is no pit; what is darker may lie in a shadow.
        light = median(board.features.gaps[cells, 0]) - median(board.features.gaps[board.cells(EMPTY), 0])
        lighter = np.linalg.norm(off[:3]) > LIGHTER * empty.spread and off[0] > max(empty.spread, 2 * light)
        like_a_pit = median(like_pits[cells])
        if np.linalg.norm(off) > SAME_COLOUR:
            continue
        if like_a_pit < BALL_LIKE and not same_paint and (other_hue or lighter):
            continue
        if (same_paint or like_a_pit > -BALL_LIKE) and not edged[cells].all():
            doubts += [Doubt(board.tray.cells[k], letter, 0.5, "this hardly differs from empty pits") for k in cells]
    return doubts


def _cramping(board: Board) -> list[Doubt]:
    """The pieces nearly of the pits' looks that leave a pocket too small for any piece: without them none is."""
    empty, tray = board.division.empty, board.tray
    free = tray.mask(tray.cells[k] for k, letter in enumerate(board.rows) if letter not in LETTERS)
    if empty is None or not tray.cramped(free):
        return []
    doubts = []
    for letter in board.letters:
        cells = board.cells(letter)
        alike = np.linalg.norm(medians(board.features.signature[cells] - empty.colours[cells])) < SAME_COLOUR
        if alike and not tray.cramped(free | tray.mask(tray.cells[k] for k in cells)):
            why = "this nearly looks like empty pits, and no piece fits into those beside it"
            doubts += [Doubt(tray.cells[k], letter, 0.5, why) for k in cells]
    return doubts


def _pale_pocket(board: Board) -> list[Doubt]:
    """On a board without any empty cell, a piece without a hue that should have one: it may be a pocket of pits."""
    if board.division.empty is not None:
        return []
    pieces, colours = board.division.pieces, board.features.of_pieces(board.rows)
    gain, cast = light_on(colours, pieces)
    own = {letter: colour[1:] for letter, colour in makers(pieces).items()}
    if unlikeness(colours, pieces) > MAKERS:
        # These are other makers' colours, which tell nothing of the lamp.
        gain, cast, own = 1.0, np.zeros(2), {}
    strengths = {letter: float(np.linalg.norm(colour[1:] - cast)) for letter, colour in colours.items()}
    least = {letter: max(GREYISH, PALE_SHARE * float(np.linalg.norm(own.get(letter, 0)))) for letter in colours}
    doubts = []
    for letter, strength in strengths.items():
        cells = board.cells(letter)
        if board.shaded[cells].max() < -BALL_LIKE and flatness(board.features.relief[cells]) == 0:
            # It is shaded as the balls are, and light falls into pits from the other side.
            continue
        if strength < min(1.0, gain) * least[letter] and (pieces, letter) not in PALE | PALEST:
            why = "this is a piece or a pocket of empty pits"
            doubts += [Doubt(board.tray.cells[k], letter, 0.5, why) for k in cells]
    return doubts


def _last_pocket(board: Board) -> list[Doubt]:
    """On a board without any empty cell, a piece without a hue of its own that has not the looks of the other balls.

    It may be a pocket of pits: none of its cells is shaded as balls are here, or balls and pits would differ more
    clearly at their edges if these were pits.
    """
    if board.division.empty is not None:
        return []
    rows, shaded = board.division.rows, board.shaded
    doubts = []
    for letter in board.letters:
        cells = board.cells(letter)
        if (board.division.pieces, letter) not in PALE:
            continue
        as_pits = strongest(rows.replace(letter, EMPTY), board.features).strength
        edged = as_pits > LIKELIER * max(1 / LIKELIER, board.evidence.strength) and median(shaded[cells]) > -BALL_LIKE
        if edged or shaded[cells].min() > 0:
            why = "this is the white or grey piece or a pocket of empty pits"
            doubts += [Doubt(board.tray.cells[k], letter, 0.5, why) for k in cells]
    return doubts
