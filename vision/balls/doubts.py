"""What is in doubt about a ball board that was read.

Doubts arise where two divisions fit almost as well, where a piece is hardly of one colour, where something coloured
stands in a cell that belongs to no piece, where a piece may hide among pits of its colour, and where an empty cell
shows no pit.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from solvers.ball_trays import EMPTY, LETTERS, SETS
from solvers.board import Cell
from solvers.message import Message
from vision.balls.board import Board
from vision.balls.evidence import pitlike, strongest
from vision.balls.hidden import edged_like_balls, hidden
from vision.balls.looks import GLANCE_PX, neighbours
from vision.balls.palette import hues, light_on, named_piece, set_distances, strangeness, unlikeness
from vision.balls.pieces import MARGIN, PALE, Division
from vision.balls.pits import BLACK, GREYISH, OUTLIER, SPREAD, TWINS, at_edges, bare_costs, flatness
from vision.balls.sides import NO_PIT, Side, off_by_one
from vision.pictures.medians import median, medians
from vision.reading import Doubt

Floats = npt.NDArray[np.float64]

COLOURED = 18.0
"""Distance of hues from an empty cell's from which something stands in a cell: pits are of one material."""

HUED_PITS = 36.0
"""Distance of the hue of empty cells from their tray's from which they may be a piece's."""

UNEVEN_PIECE = 4.5
"""Mean squared deviation of a piece's cells from its colour, in variances, above which it may be wrong. Pieces that
were read right stay below 3.6 (an orange one under a lamp); one with two cells of another is above 5.5."""

ANY_LIGHT = 0.5
"""Part by which a shadow may take light from balls, or its end add to it, that are of one colour otherwise."""

PITLESS = 0.7
"""Part of the empty cells that may show no rim: those in shadow or under glare. Beside a board of another shape nearly
all do not."""

SHORTEST_ROW = 5
"""Cells that a board of another shape lacks at least."""

STRANGE = 5.0
"""Cost above which an empty cell looks strange: one in some dozens does so by chance, three that
touch do not."""

BALL_LIKE = 0.5
"""How much like the balls and unlike the pits here a cell must be shaded to be certainly a ball, of 1."""

LIKELIER = 1.2
"""How many times more clearly balls and pits must differ if a piece were a pocket for it to be in doubt."""

MAKERS = 20.0
"""Unlikeness to a set's colours below which the pieces have them."""

HUES_APART = 3.0
"""Distance of a piece's hue from that of the empty cells, in the standard deviation of these, from which it is no
pocket of them, unless it is darker as well: shadows are."""

LIGHTER = 4.0
"""Distance of a piece lighter than the empty cells from them, in their standard deviation, from which it is no pocket
of them."""

SAME_PAINT = 2.0
"""Distance of a piece's colour from the pits' below which it has their very paint. Then shading alone is no proof that
it is one: how pits are shaded is fitted, and in a corner where none is known the fit may be off."""

EDGED_AS_PITS = 0.25
"""How much like a ball a cell may be edged, of 1, to be clearly a pit."""

SETS_APART = 3.0
"""How much farther off the other set's colours must be: of single pieces in made-up lamps 0.4 % mislead by as much."""

TOO_STRANGE = 4.0
"""Cost of a piece's colour, among such as have the makers', from which it may be no piece: a corner of dark pits in
another light had 4.8."""

SET_APART, NOISE = 4.0, 0.5
"""How many times farther from the usual colour of the empty cells some of them are than all others, from which they are
not just shaded: pits in light that falls off, and in shadows with their soft edges, make 2. And the least that the
others may be off, which noise alone makes."""

SMALLEST_PIECE = 3
"""Balls of the smallest piece."""

PALE_SHARE = 0.5
"""Strength of a hue, in that of the makers' in this light, below which a piece has none: a warm lamp
tints white pits."""

PALEST = {("standard", "D")}
"""The piece that makers give the least hue, pale pink."""

TABLE = 0.06
"""Part of the picture that has a colour when this is what stands behind the tray: some pits are holes."""


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
        + _strangers(board)
        + _like_empties(board)
        + _cramping(board)
        + _odd_cells(board)
        + _pale_pocket(board)
        + _last_pocket(board)
        + _hued_empties(board)
        + _strange_empties(board)
        + _set_apart(board)
        + _hidden(board)
        + _shaded_empties(board)
        + _pitless(board)
        + off_by_one(board, sides)
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
    off = np.linalg.norm(board.looks.colours[apart] - mine.empty.colours[apart, :3], axis=1)
    return bool(off.max() < SAME_PAINT and board.evidence.like_ball[apart].max() < EDGED_AS_PITS)


def _leaves_a_ball(board: Board, other: Division) -> bool:
    """Whether another division takes a ball for a pit, though beside it is a piece of its colour, if in other light."""
    if other.empty is None:
        return False
    seen, rows = board.looks.signature, zip(board.division.rows, other.rows, strict=True)
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
    colours = board.looks.of_pieces(board.division.rows)
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
        seen = board.looks.signature[cells]
        own = medians(seen)
        off = at_edges(seen - own, own, board.looks.edges[cells])[:, :3]
        off = np.minimum((off**2).sum(axis=1) / SPREAD**2, OUTLIER)
        if off.mean() > UNEVEN_PIECE and not _unevenly_lit(board, cells):
            why = "the balls that make up this piece differ in colour"
            doubts += [Doubt(board.tray.cells[k], letter, 0.6, why) for k in cells]
    return doubts


def _unevenly_lit(board: Board, cells: Sequence[int]) -> bool:
    """Whether the cells of a piece are of one colour in more and less light, and nothing that touches them is.

    Then they are one piece: no part of it can be another's, which would go on beside it.
    """
    seen = board.looks.signature
    own = np.broadcast_to(medians(seen[cells]), seen[cells].shape)
    off = np.minimum(_apart_in_light(seen[cells], own) ** 2 / SPREAD**2, OUTLIER)
    inner, outer = _both_ways(board)
    rim = np.isin(inner, cells) & ~np.isin(outer, cells)
    beside = _apart_in_light(seen[outer[rim]], seen[inner[rim]])
    return bool(off.mean() < UNEVEN_PIECE / 2 and beside.min(initial=np.inf) > TWINS)


def _strangers(board: Board) -> list[Doubt]:
    """The pieces that lack the hue that makers give them, where most have theirs: no pieces, maybe."""
    colours = board.looks.of_pieces(board.rows)
    costs = strangeness(colours, board.division.pieces)
    why = "this lacks the colour of this piece, and the others have theirs"
    pale = {letter for letter, colour in colours.items() if np.linalg.norm(colour[1:]) < COLOURED}
    strange = [letter for letter in sorted(pale) if costs[letter] > TOO_STRANGE]
    return [Doubt(board.tray.cells[k], letter, 0.5, why) for letter in strange for k in board.cells(letter)]


def _like_empties(board: Board) -> list[Doubt]:
    """The pieces that nearly look like empty cells and are neither shaded nor edged like balls: light plays tricks."""
    empty = board.division.empty
    if empty is None:
        return []
    like_pits = pitlike(board.division.rows, board.looks)
    edged = edged_like_balls(board.division.rows, board.looks)
    doubts = []
    for letter in sorted(set(board.division.rows) & set(LETTERS)):
        cells = board.cells(letter)
        off = medians(board.looks.signature[cells] - empty.colours[cells])
        other_hue = np.linalg.norm(off[1:3]) > HUES_APART * empty.spread and off[0] > -empty.spread
        same_paint = np.linalg.norm(off[:3]) < SAME_PAINT
        # What is lighter than pits under the same light is no pit; what is darker may lie in a shadow.
        light = median(board.looks.gaps[cells, 0]) - median(board.looks.gaps[board.cells(EMPTY), 0])
        lighter = np.linalg.norm(off[:3]) > LIGHTER * empty.spread and off[0] > max(empty.spread, 2 * light)
        like_a_pit = median(like_pits[cells])
        if np.linalg.norm(off) > TWINS:
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
        alike = np.linalg.norm(medians(board.looks.signature[cells] - empty.colours[cells])) < TWINS
        if alike and not tray.cramped(free | tray.mask(tray.cells[k] for k in cells)):
            why = "this nearly looks like empty pits, and no piece fits into those beside it"
            doubts += [Doubt(tray.cells[k], letter, 0.5, why) for k in cells]
    return doubts


def _odd_cells(board: Board) -> list[Doubt]:
    """Coloured things in cells of no piece: a single ball where its colour names a piece, else a doubt."""
    empty = board.division.empty
    if empty is None:
        return []
    doubts = []
    pieces, colours = board.division.pieces, board.looks.of_pieces(board.rows)
    open_letters = set(LETTERS) - set(board.letters)
    # Colours name pieces only where the pieces that lie there have the makers' colours.
    trusted = unlikeness(colours, pieces) < MAKERS
    for k in board.cells(EMPTY):
        colour, cell = board.looks.colours[k], board.tray.cells[k]
        if np.linalg.norm(colour[1:] - empty.colours[k, 1:3]) < COLOURED or _is_table(board, k):
            continue
        like = [letter for letter, own in colours.items() if np.linalg.norm(own - colour) < COLOURED]
        letter = named_piece(colour, pieces, open_letters) if trusted and not like else None
        if letter is not None and board.roundness[k] > 0.5:
            board.rows[k] = letter.lower()
        else:
            doubts.append(Doubt(cell, EMPTY, 0.5, "something coloured stands here that belongs to no piece"))
    return doubts


def _is_table(board: Board, k: int) -> bool:
    """Whether a cell has the colour of much of the picture and not of its tray: the table, seen through a hole.

    Where a page is the tray, a white disc on it has the colour of both.
    """
    if np.linalg.norm(board.looks.colours[k] - board.looks.gaps[k]) < TWINS:
        return False
    small = board.photo.reduced(GLANCE_PX).bgr.astype(np.int16)
    near = np.abs(small - board.looks.bgr[k].astype(np.int16)).max(axis=2) < 24
    return bool(near.mean() > TABLE)


def _pale_pocket(board: Board) -> list[Doubt]:
    """On a board without any empty cell, a piece without a hue that should have one: it may be a pocket of pits."""
    if board.division.empty is not None:
        return []
    pieces, colours = board.division.pieces, board.looks.of_pieces(board.rows)
    gain, cast = light_on(colours, pieces)
    own = hues(pieces)
    if unlikeness(colours, pieces) > MAKERS:
        # These are other makers' colours, which tell nothing of the lamp.
        gain, cast, own = 1.0, np.zeros(2), {}
    strengths = {letter: float(np.linalg.norm(colour[1:] - cast)) for letter, colour in colours.items()}
    least = {letter: max(GREYISH, PALE_SHARE * float(np.linalg.norm(own.get(letter, 0)))) for letter in colours}
    doubts = []
    for letter, strength in strengths.items():
        cells = board.cells(letter)
        if board.shaded[cells].max() < -BALL_LIKE and flatness(board.looks.relief[cells]) == 0:
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
        as_pits = strongest(rows.replace(letter, EMPTY), board.looks).strength
        edged = as_pits > LIKELIER * max(1 / LIKELIER, board.evidence.strength) and median(shaded[cells]) > -BALL_LIKE
        if edged or shaded[cells].min() > 0:
            why = "this is the white or grey piece or a pocket of empty pits"
            doubts += [Doubt(board.tray.cells[k], letter, 0.5, why) for k in cells]
    return doubts


def _hued_empties(board: Board) -> list[Doubt]:
    """Empty cells of a hue that is far from their tray's: pits are of the tray's material, or of none."""
    empty, bare = board.division.empty, board.cells(EMPTY)
    if empty is None or not bare:
        return []
    tray = medians(board.looks.gaps[:, 1:3])
    if np.linalg.norm(medians(empty.colours[bare, 1:3]) - tray) < HUED_PITS:
        return []
    return _of_pieces_size(board, bare, "this has a colour that its tray has not: a piece may lie here")


def _strange_empties(board: Board) -> list[Doubt]:
    """Connected cells that were taken for empty and do not look like the others: a piece may have been missed."""
    if board.division.empty is None:
        return []
    looks = board.looks
    # No set has black balls.
    lit = looks.colours[:, 0] > BLACK
    costs = bare_costs(looks, board.division.empty) * lit
    strange = [k for k in board.cells(EMPTY) if costs[k] > STRANGE and not _is_table(board, k)]
    return _of_pieces_size(board, strange, "this looks different from other empty pits")


def _set_apart(board: Board) -> list[Doubt]:
    """Connected cells that were taken for empty and are of one other colour, with none in between.

    Where pieces cover the tray between their cells, what lies beside these is of their colour, too, and says nothing.
    """
    bare = board.cells(EMPTY)
    if len(bare) <= 2 * SMALLEST_PIECE:
        return []
    colours = board.looks.colours[bare, :3]
    off = np.linalg.norm(colours - medians(colours), axis=1)
    order = np.argsort(off, kind="stable")
    steps = off[order][1:] / np.maximum(NOISE, off[order][:-1])
    least = len(bare) // 2
    first = least + int(np.argmax(steps[least:]))
    apart = [bare[k] for k in order[first + 1 :]] if steps[first] >= SET_APART else []
    return _of_pieces_size(board, apart, "this has another colour than other empty pits")


def _hidden(board: Board) -> list[Doubt]:
    """Connected cells that were taken for empty and may be a piece of the pits' colour."""
    cells, seen = hidden(board.division, board.looks, board.tray)
    why = "this is edged like a ball" if seen else "a piece of the pits' colour might lie here"
    return _of_pieces_size(board, cells, why)


def _shaded_empties(board: Board) -> list[Doubt]:
    """Connected cells of the pits' colour that are shaded as the balls are, where most pits are shaded otherwise."""
    bare, shaded = board.cells(EMPTY), board.shaded
    if not bare or median(shaded[bare]) < BALL_LIKE:
        return []
    lit = board.looks.colours[:, 0] > BLACK
    return _of_pieces_size(board, [k for k in bare if lit[k] and shaded[k] < -EDGED_AS_PITS], "this is shaded as balls")


def _of_pieces_size(board: Board, cells: Sequence[int], why: str) -> list[Doubt]:
    """Doubts about those of the cells that touch so many others of them that a piece may lie there."""
    left = {board.tray.cells[k] for k in cells if board.rows[k] == EMPTY}
    doubts = []
    while left:
        part, edge = [], [min(left)]
        while edge:
            cell = edge.pop()
            if cell in left:
                left.remove(cell)
                part.append(cell)
                edge += [other for other in board.tray.layout.neighbours[cell] if other is not None]
        if len(part) >= SMALLEST_PIECE:
            doubts += [Doubt(cell, EMPTY, 0.6, why) for cell in part]
    return doubts


def _pitless(board: Board) -> list[Doubt]:
    """The empty cells, if most of them show no pit while the balls are round: then the board is of another shape."""
    balls = [k for k, letter in enumerate(board.rows) if letter != EMPTY]
    bare = board.cells(EMPTY)
    if len(bare) < SMALLEST_PIECE or not balls or median(board.roundness[balls]) < 2 * NO_PIT:
        return []
    blank = [k for k in bare if board.roundness[k] < NO_PIT]
    if len(blank) <= PITLESS * len(bare) or len(blank) < SHORTEST_ROW:
        return []
    return [Doubt(board.tray.cells[k], EMPTY, 0.4, "no pit is seen here") for k in blank]
