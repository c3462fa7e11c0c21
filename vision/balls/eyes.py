"""Reads boards of balls: finds the lattice, looks at its cells, and divides the balls into pieces.

The story is told in parts: :mod:`vision.balls.spots` finds round things, :mod:`vision.balls.lattice` the board among
them, :mod:`vision.balls.looks` the looks of its cells and :mod:`vision.balls.pieces` the pieces. This module puts them
together for any tray and says what is in doubt; :mod:`vision.pyramid` and :mod:`vision.kanoodle` name the trays.

Doubts arise where two divisions fit almost as well, where a piece is hardly of one colour, where something coloured
stands in a cell that belongs to no piece, where a piece may hide among pits of its colour, and where an empty cell
shows no pit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from solvers.balls import EMPTY, LETTERS, SETS, Balls, Tray
from solvers.board import Cell
from vision.balls.hidden import edged_like_balls, hidden, outlined
from vision.balls.hints import hints
from vision.balls.lattice import Fit, board_spots, fits, lattice_roundness, lattices, roundness_at, same_place
from vision.balls.lights import lights, relit
from vision.balls.looks import Looks, patches_at
from vision.balls.palette import hues, light_on, likely_set, named_piece, set_distances, strangeness, unlikeness
from vision.balls.pieces import MARGIN, PALE, Division, divisions
from vision.balls.pits import GREYISH, OUTLIER, SPREAD, TWINS, bare_costs
from vision.balls.tells import are_numbers
from vision.kind import Aids
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement
from vision.reading import Doubt, NotFound, Reading

Floats = npt.NDArray[np.float64]

COLOURED = 18.0
"""Distance of hues from an empty cell's from which something stands in a cell: pits are of one material."""

HUED_PITS = 36.0
"""Distance of the hue of empty cells from their tray's from which they may be a piece's."""

UNEVEN_PIECE = 4.5
"""Mean squared deviation of a piece's cells from its colour, in variances, above which it may be wrong. Pieces that
were read right stay below 3.6 (an orange one under a lamp); one with two cells of another is above 5.5."""

NO_PIT = 0.15
"""Roundness below which a cell shows no rim at all."""

RATHER = 0.15
"""How much more one side must correlate with the pits than another to be the one that has pits; where it was seen, the
difference was 0.6 and more."""

SAME = 0.1
"""Distance in cells below which two places are the same."""

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

MAKERS = 20.0
"""Unlikeness to a set's colours below which the pieces have them."""

SETS_APART = 3.0
"""How much farther off the other set's colours must be: of single pieces in made-up lamps 0.4 % mislead by as much."""

TOO_STRANGE = 4.0
"""Cost of a piece's colour, among such as have the makers', from which it may be no piece: a corner of dark pits in
another light had 4.8."""

SMALLEST_PIECE = 3
"""Balls of the smallest piece."""

PALE_SHARE = 0.5
"""Strength of a hue, in that of the makers' in this light, below which a piece has none: a warm lamp
tints white pits."""

PALEST = {("standard", "D")}
"""The piece that makers give the least hue, pale pink."""

TABLE = 0.06
"""Part of the picture that has a colour when this is what stands behind the tray: some pits are holes."""

BARE_BOARD = 0.66
"""Score that a board without any piece must have: there is nothing else to know it by."""

BARE_ALIKE, ALIKE = 0.6, 0.2
"""The same where its pits are all alike and unlike their tray, and the mean cost up to which they are."""


def find(photo: Photo, aids: Aids, tray: Tray, rivals: Sequence[Tray] = ()) -> list[FlatPlacement] | NotFound:
    """The places where a board of balls may lie, best first, in pixels of ``photo``.

    Args:
        photo: what to look at.
        aids: corners that the user pointed at go before everything else.
        tray: the board to look for.
        rivals: boards of other shapes; where one fits better there is no board of this one.
    """
    if aids.corners_px is not None and len(aids.corners_px) == len(tray.layout.corners):
        return [_pointed_at(aids.corners_px, tray)]
    found, faint = fits(photo, tray), False
    if not found and (aids.thorough or photo.derive(lattices)) and not any(fits(photo, rival) for rival in rivals):
        found, faint = fits(photo, tray, faint=True), True
    others = [(rival, fit) for rival in rivals for fit in fits(photo, rival, faint=faint)] if found else []
    kept = [fit for fit in found if not any(_beaten(fit, tray, other, rival) for rival, other in others)]
    for fit in kept:
        aids.trace.note(f"{tray.name}: score {fit.placement.score:.2f}, beside it {fit.beside:.2f}")
    if not kept:
        return NotFound(f"no lattice of balls and pits in the shape of a {tray.name}")
    return [fit.placement for fit in kept]


def clearly_there(photo: Photo, tray: Tray) -> bool:
    """Whether the board is there beyond doubt, with or without pieces."""
    return any(fit.placement.score > BARE_BOARD for fit in fits(photo, tray))


def _beaten(fit: Fit, tray: Tray, other: Fit, rival: Tray) -> bool:
    return other.placement.score > fit.placement.score and same_place(fit, other, tray, rival)


def _pointed_at(corners_px: Sequence[tuple[float, float]], tray: Tray) -> FlatPlacement:
    board = np.array(tray.layout.corners, np.float64)
    pixels = np.array(corners_px, np.float64)
    if len(board) == 4:
        # The box of the layout has the same corners as the board.
        return FlatPlacement.from_corners(pixels, tray.layout.size)
    affine = np.linalg.solve(np.column_stack([board, np.ones(3)]), pixels)
    return FlatPlacement(np.vstack([affine.T, (0, 0, 1)]), tray.layout.size)


@dataclass(frozen=True, eq=False)
class _Board:
    """What is known of a board while it is read."""

    photo: Photo
    tray: Tray
    looks: Looks
    division: Division
    rows: list[str]
    roundness: Floats

    def cells(self, letter: str) -> list[int]:
        """The numbers of the cells that carry a letter."""
        return [k for k, other in enumerate(self.rows) if other == letter]

    @property
    def letters(self) -> list[str]:
        """The pieces that lie on the board."""
        return sorted(set(self.rows) & set(LETTERS))


def read(
    photo: Photo, placement: Placement, aids: Aids, tray: Tray, *, movable: bool = True
) -> Reading[Balls] | NotFound:
    """What lies on the board at ``placement``: pieces, single balls, empty pits, and doubts about them.

    A board whose pits are hardly seen along one side may have been laid a cell beside its place. Where reading shows
    that, it is read anew one cell farther on, unless it is not ``movable``.
    """
    if not isinstance(placement, FlatPlacement):
        return NotFound("a board of balls is flat")
    looks, found = _divided(photo, placement, tray)
    aids.trace.picture("balls-flat", lambda: looks.flat)
    if not found:
        return NotFound(
            f"what lies on the {tray.name} cannot be divided into pieces", board_seen=placement.score > BARE_BOARD
        )
    best = _likeliest(found, looks, tray)
    aids.trace.note(f"{tray.name}: division costs {best.cost:.1f}, {best.pieces}, {len(found) - 1} others near")
    by_edges = outlined(best, looks, tray)
    rows = [by_edges.get(k, letter) for k, letter in enumerate(best.rows)]
    board = _Board(photo, tray, looks, best, rows, lattice_roundness(photo, placement, tray))
    if not board.letters and placement.score < (BARE_ALIKE if _all_alike(board) else BARE_BOARD):
        return NotFound(f"round things like an empty {tray.name}, but not clearly enough")
    if are_numbers(rows, looks, tray):
        return NotFound(f"numbers stand where a {tray.name} would have balls")
    sides = _blank_sides(board, placement)
    for side in sides if movable else ():
        if side.there > side.here + RATHER:
            aids.trace.note(f"{tray.name}: pits beyond one side (likeness {side.there:.2f}), none along the other")
            return read(photo, side.farther, aids, tray, movable=False)
    doubts = (
        _rivals(board, found)
        + _unknown_set(board, found)
        + _uneven(board)
        + _strangers(board)
        + _like_empties(board)
        + _odd_cells(board)
        + _pale_pocket(board)
        + _hued_empties(board)
        + _strange_empties(board)
        + _hidden(board)
        + _pitless(board)
        + _off_by_one(board, sides)
    )
    return _reading(board, placement, doubts, aids)


def _all_alike(board: _Board) -> bool:
    """Whether all cells look the same, and other than the tray beside them."""
    empty, looks = board.division.empty, board.looks
    if empty is None:
        return False
    apart = np.median(np.linalg.norm(looks.colours - looks.gaps, axis=1))
    return bool(bare_costs(looks, empty).mean() < ALIKE and apart > 2 * empty.spread)


def _divided(photo: Photo, placement: FlatPlacement, tray: Tray) -> tuple[Looks, list[Division]]:
    """The divisions of the board as it is lit or, where they are cheaper, under an even light."""

    def cost(one: tuple[Looks, list[Division]]) -> float:
        return one[1][0].cost if one[1] else np.inf

    best = min(((looks, divisions(looks, tray)) for looks in lights(photo, placement, tray)), key=cost)
    evener = relit(best[0], best[1][0].rows, tray) if best[1] else None
    again = (evener, divisions(evener, tray)) if evener else best
    # What was learned from pieces must show the same pieces.
    return min(best, again, key=cost) if again[1] and again[1][0].rows == best[1][0].rows else best


def _reading(board: _Board, placement: FlatPlacement, doubts: list[Doubt], aids: Aids) -> Reading[Balls]:
    tray, rows = board.tray, board.rows
    sure = {cell for cell, letter in aids.given.items() if cell in tray.index}
    for cell in sure:
        rows[tray.cells.index(cell)] = aids.given[cell]
    kept = [doubt for doubt in doubts if doubt.cell not in sure]
    lines, start = [], 0
    for width in tray.widths:
        lines.append("".join(rows[start : start + width]))
        start += width
    inks: dict[Cell, tuple[int, int, int]] = {}
    for cell, letter, (blue, green, red) in zip(tray.cells, rows, board.looks.bgr.tolist(), strict=True):
        if letter != EMPTY:
            inks[cell] = (red, green, blue)
    # A division as cheap as those of clean pictures is certain, one at the last bound is not.
    confidence = float(np.clip(1.1 - board.division.cost / 600, 0.5, 1)) * (0.5 if kept else 1.0)
    return Reading(Balls(tuple(lines), board.division.pieces), placement, confidence, doubts=tuple(kept), inks=inks)


def _likeliest(found: list[Division], looks: Looks, tray: Tray) -> Division:
    """The cheapest division; where two sets allow it, that of the set whose colours the pieces have."""
    same = [one for one in found if one.rows == found[0].rows]
    if len(same) == 1:
        return same[0]
    names = likely_set(looks.of_pieces(found[0].rows))
    return next((one for one in same if one.pieces == names), same[0])


# --- doubts -----------------------------------------------------------------------------------------------------------


def _rivals(board: _Board, found: list[Division]) -> list[Doubt]:
    """The cells on which divisions that fit almost as well disagree."""
    doubts: dict[Cell, Doubt] = {}
    if not all(one.certain for one in found):
        # Whatever was not looked at may be anywhere.
        first = board.tray.cells[0]
        doubts[first] = Doubt(first, board.division.rows[0], 0.5, "the balls can be divided in too many ways")
    for other in found:
        if other.rows == board.division.rows:
            continue
        confidence = float(np.clip(0.5 + (other.cost - board.division.cost) / (2 * MARGIN), 0.5, 0.95))
        for cell, mine, theirs in zip(board.tray.cells, board.division.rows, other.rows, strict=True):
            if mine != theirs and cell not in doubts:
                what = "an empty pit" if theirs == EMPTY else f"a ball of {theirs}"
                doubts[cell] = Doubt(cell, mine, confidence, f"it may as well be {what}")
    return list(doubts.values())


def _unknown_set(board: _Board, found: list[Division]) -> list[Doubt]:
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


def _uneven(board: _Board) -> list[Doubt]:
    """The pieces whose balls are hardly of one colour."""
    doubts = []
    for letter in board.letters:
        cells = board.cells(letter)
        seen = board.looks.colours[cells]
        off = np.minimum(((seen - np.median(seen, axis=0)) ** 2).sum(axis=1) / SPREAD**2, OUTLIER)
        if off.mean() > UNEVEN_PIECE:
            why = "the balls that make up this piece differ in colour"
            doubts += [Doubt(board.tray.cells[k], letter, 0.6, why) for k in cells]
    return doubts


def _strangers(board: _Board) -> list[Doubt]:
    """The pieces that lack the hue that makers give them, where most have theirs: no pieces, maybe."""
    colours = board.looks.of_pieces(board.rows)
    costs = strangeness(colours, board.division.pieces)
    why = "this lacks the colour of this piece, and the others have theirs"
    pale = {letter for letter, colour in colours.items() if np.linalg.norm(colour[1:]) < COLOURED}
    strange = [letter for letter in sorted(pale) if costs[letter] > TOO_STRANGE]
    return [Doubt(board.tray.cells[k], letter, 0.5, why) for letter in strange for k in board.cells(letter)]


def _like_empties(board: _Board) -> list[Doubt]:
    """The pieces that nearly look like empty cells and are neither shaded nor edged like balls: light plays tricks."""
    empty = board.division.empty
    if empty is None:
        return []
    pitlike = hints(board.division.rows, board.looks, board.tray).pitlike
    edged = edged_like_balls(board.division.rows, board.looks)
    doubts = []
    for letter in sorted(set(board.division.rows) & set(LETTERS)):
        cells = board.cells(letter)
        apart = np.linalg.norm(np.median(board.looks.signature[cells] - empty.colours[cells], axis=0))
        if apart < TWINS and np.median(pitlike[cells]) > -BALL_LIKE and not edged[cells].all():
            doubts += [Doubt(board.tray.cells[k], letter, 0.5, "this hardly differs from empty pits") for k in cells]
    return doubts


def _odd_cells(board: _Board) -> list[Doubt]:
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
        if np.linalg.norm(colour[1:] - empty.colours[k, 1:3]) < COLOURED or _is_table(board.photo, board.looks.bgr[k]):
            continue
        like = [letter for letter, own in colours.items() if np.linalg.norm(own - colour) < COLOURED]
        letter = named_piece(colour, pieces, open_letters) if trusted and not like else None
        if letter is not None and board.roundness[k] > 0.5:
            board.rows[k] = letter.lower()
        else:
            doubts.append(Doubt(cell, EMPTY, 0.5, "something coloured stands here that belongs to no piece"))
    return doubts


def _is_table(photo: Photo, bgr: npt.NDArray[np.uint8]) -> bool:
    """Whether a colour is that of much of the picture: the table, seen through a hole."""
    small = photo.reduced(160).bgr.astype(np.int16)
    near = np.abs(small - bgr.astype(np.int16)).max(axis=2) < 24
    return bool(near.mean() > TABLE)


def _pale_pocket(board: _Board) -> list[Doubt]:
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
        if strength < min(1.0, gain) * least[letter] and (pieces, letter) not in PALE | PALEST:
            why = "this is a piece or a pocket of empty pits"
            doubts += [Doubt(board.tray.cells[k], letter, 0.5, why) for k in board.cells(letter)]
    return doubts


def _hued_empties(board: _Board) -> list[Doubt]:
    """Empty cells of a hue that is far from their tray's: pits are of the tray's material, or of none."""
    empty, bare = board.division.empty, board.cells(EMPTY)
    if empty is None or not bare:
        return []
    tray = np.median(board.looks.gaps[:, 1:3], axis=0)
    if np.linalg.norm(np.median(empty.colours[bare, 1:3], axis=0) - tray) < HUED_PITS:
        return []
    return _of_pieces_size(board, bare, "this has a colour that its tray has not: a piece may lie here")


def _strange_empties(board: _Board) -> list[Doubt]:
    """Connected cells that were taken for empty and do not look like the others: a piece may have been missed."""
    if board.division.empty is None:
        return []
    costs = bare_costs(board.looks, board.division.empty)
    strange = [k for k in board.cells(EMPTY) if costs[k] > STRANGE and not _is_table(board.photo, board.looks.bgr[k])]
    return _of_pieces_size(board, strange, "this looks different from other empty pits")


def _hidden(board: _Board) -> list[Doubt]:
    """Connected cells that were taken for empty and may be a piece of the pits' colour."""
    cells, seen = hidden(board.division, board.looks)
    why = "this is edged like a ball" if seen else "a piece of the pits' colour might lie here"
    return _of_pieces_size(board, cells, why)


def _of_pieces_size(board: _Board, cells: Sequence[int], why: str) -> list[Doubt]:
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


@dataclass(frozen=True, eq=False)
class _Side:
    """A side of the board along which no pits are seen, where the board might as well lie one cell farther in.

    Attributes:
        cells: the numbers of the empty cells along it.
        here: how much they look like the board's pits, -1..1.
        there: the same of the places beyond the opposite side.
        farther: the board laid one cell farther in.
    """

    cells: list[int]
    here: float
    there: float
    farther: FlatPlacement


def _blank_sides(board: _Board, placement: FlatPlacement) -> list[_Side]:
    """The sides of the board along which no pits are seen."""
    tray = board.tray
    centres = np.array(tray.centres)
    inner = next(cell for cell in tray.cells if None not in tray.layout.neighbours[cell])
    sides = []
    for other in tray.layout.neighbours[inner]:
        step = np.subtract(tray.layout.centre(other or inner), tray.layout.centre(inner))
        apart = np.hypot(*(centres[:, None] + step - centres[None]).transpose(2, 0, 1))
        cells = np.flatnonzero(apart.min(axis=0) > SAME).tolist()
        if any(board.rows[k] != EMPTY for k in cells):
            continue
        beyond = (centres + step)[apart.min(axis=1) > SAME]
        there = roundness_at(placement.matrix, beyond, board_spots(board.photo, tray))
        if board.roundness[cells].mean() > there.mean() + NO_PIT:
            continue
        move = np.array([(1, 0, step[0]), (0, 1, step[1]), (0, 0, 1)], np.float64)
        farther = replace(placement, matrix=placement.matrix @ move)
        pits = centres[[k for k in board.cells(EMPTY) if k not in cells]]
        sides.append(_Side(cells, *_pit_likeness(board.photo, placement, pits, (centres[cells], beyond)), farther))
    return sides


def _pit_likeness(
    photo: Photo, placement: FlatPlacement, pits: Floats, places: tuple[Floats, Floats]
) -> tuple[float, float]:
    """How much each of two lots of places, ``(N, 2)`` in board units, looks like pits: correlations, -1..1.

    Together the cells of a side show what each of them shows too faintly.
    """
    if not len(pits):
        return 0.0, 0.0
    pit, *lots = (patches_at(photo, placement, points).mean(axis=0) for points in (pits, *places))
    one, other = (float((pit * lot).sum() / max(1e-9, np.linalg.norm(pit) * np.linalg.norm(lot))) for lot in lots)
    return one, other


def _off_by_one(board: _Board, sides: Sequence[_Side]) -> list[Doubt]:
    """The empty cells along a side that may lie outside the board."""
    why = "no pits are seen along this side; the board may lie one cell farther in"
    doubtful = [side for side in sides if side.here < side.there + RATHER]
    return [Doubt(board.tray.cells[k], EMPTY, 0.4, why) for side in doubtful for k in side.cells]


def _pitless(board: _Board) -> list[Doubt]:
    """The empty cells, if most of them show no pit while the balls are round: then the board is of another shape."""
    balls = [k for k, letter in enumerate(board.rows) if letter != EMPTY]
    bare = board.cells(EMPTY)
    if len(bare) < SMALLEST_PIECE or not balls or np.median(board.roundness[balls]) < 2 * NO_PIT:
        return []
    blank = [k for k in bare if board.roundness[k] < NO_PIT]
    if len(blank) <= PITLESS * len(bare) or len(blank) < SHORTEST_ROW:
        return []
    return [Doubt(board.tray.cells[k], EMPTY, 0.4, "no pit is seen here") for k in blank]
