"""Reads boards of balls: finds the lattice, looks at its cells, and divides the balls into pieces.

In order: :mod:`vision.balls.spots` finds round things, :mod:`vision.balls.lattice` the board among
them, :mod:`vision.balls.features` measures its cells, :mod:`vision.balls.pieces` divides them into pieces, and
:mod:`vision.balls.doubts` says what is in doubt. This module puts them together for any tray; :mod:`vision.pyramid` and
:mod:`vision.kanoodle` name the trays.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from solvers.ball_trays import EMPTY, Tray
from solvers.balls import Balls
from solvers.board import Cell
from solvers.message import Message
from vision.balls.doubts import doubts
from vision.balls.empties import RATHER, blank_sides
from vision.balls.features import Features, lights, relit
from vision.balls.lattice import (
    GOES_ON,
    PLAIN_FIT,
    fits,
    goes_on,
    is_faint,
    lattice_roundness,
    many_round,
    same_place,
)
from vision.balls.numbers import are_numbers, are_plainly_numbers
from vision.balls.palette import likely_set
from vision.balls.pieces import MARGIN, Board, Division, divisions, sets_of
from vision.balls.pits import bare_costs
from vision.balls.spots import unstriped
from vision.boards.phases import lattices
from vision.boards.states import board_at
from vision.chessboards.chequers import are_squares, is_plainly_there
from vision.kind import Aids
from vision.pictures.medians import median
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement
from vision.reading import Doubt, NotFound, Reading

Floats = npt.NDArray[np.float64]

BARE_ALIKE, ALIKE = 0.6, 0.2
"""Score that a board without any piece must have where its pits are all alike and unlike their tray, and the mean cost
up to which they are. Of others nothing else is known, so they must be plain to see."""

FEW_PIECES = 2
"""Pieces that prove little: so many may be seen by chance in the cells of another game."""

PITS = 0.67
"""Mean roundness of the places of a board without any piece, at least: round pits have 0.86 and more, square ones 0.72,
cells between lines 0.62."""

FAR_APART = 10.0
"""Distance of pits from their tray, in that of the oddest pit from the others, from which they are alike as well: under
stripes of a screen none is quite like another."""


def find(photo: Photo, aids: Aids, tray: Tray, rivals: Sequence[Tray] = ()) -> list[FlatPlacement] | NotFound:
    """The places where a board of balls may lie, best first, in pixels of ``photo``.

    Args:
        photo: what to look at.
        aids: corners that the user pointed at go before everything else.
        tray: the board to look for.
        rivals: boards of other shapes; where one fits better there is no board of this one.
    """
    if aids.corners_px is not None and len(aids.corners_px) == len(tray.layout.corners):
        return [pointed_at(aids.corners_px, tray)]
    faint = _keenly(photo, aids, tray, *rivals)
    found = fits(photo, tray, faint=faint)
    others = [(rival, fit) for rival in rivals for fit in fits(photo, rival, faint=faint)] if found else []
    kept = [fit for fit in found if not any(_beaten(fit, tray, other, rival) for rival, other in others)]
    # Squares that differ a little from their surroundings are as round as pits.
    kept = [fit for fit in kept if not are_squares(photo, fit.to_photo(tray.centres))]
    kept = [fit for fit in kept if goes_on(photo, fit, tray) < GOES_ON]
    for fit in kept:
        aids.trace.note(f"{tray.name}: score {fit.score:.2f}")
    if not kept:
        return _refusal(tray, "no lattice of balls and pits in the shape of a {tray}")
    return kept


def clearly_there(photo: Photo, aids: Aids, *trays: Tray) -> bool:
    """Whether the board of one of these trays is there beyond doubt, with or without pieces."""
    faint = _keenly(photo, aids, *trays)
    return any(fit.score > PLAIN_FIT for tray in trays for fit in fits(photo, tray, faint=faint))


def _keenly(photo: Photo, aids: Aids, *trays: Tray) -> bool:
    """Whether to look for the boards of these trays with a keener eye."""
    return (aids.thorough or photo.derive(many_round)) and is_faint(photo, *trays)


def _beaten(fit: FlatPlacement, tray: Tray, other: FlatPlacement, rival: Tray) -> bool:
    return other.score > fit.score and same_place(fit, other, tray, rival)


def pointed_at(corners_px: npt.ArrayLike, tray: Tray) -> FlatPlacement:
    """The tray between its corners, ``(3 or 4, 2)`` in pixels, in the order of its layout; three are seen without
    perspective.
    """
    board = np.array(tray.layout.corners, np.float64)
    pixels = np.array(corners_px, np.float64)
    if len(board) == 4:
        # The box of the layout has the same corners as the board.
        return FlatPlacement.from_corners(pixels, tray.layout.size)
    affine = np.linalg.solve(np.column_stack([board, np.ones(3)]), pixels)
    return FlatPlacement(np.vstack([affine.T, (0, 0, 1)]), tray.layout.size)


def read(photo: Photo, placement: Placement, aids: Aids, tray: Tray) -> Reading[Balls] | NotFound:
    """What lies on the board at ``placement``: pieces, single balls, empty pits, and doubts about them.

    Stripes of a photographed screen are taken away where they leave anything in doubt.
    """
    if not isinstance(placement, FlatPlacement):
        return NotFound("a board of balls is flat")
    if are_plainly_numbers(photo, placement, tray):
        return _refusal(tray, "numbers stand where a {tray} would have balls")
    first = _read(photo, placement, aids, tray)
    if not isinstance(first, NotFound) and not first.doubts:
        return first
    plain = photo.derive(unstriped)
    if plain is None:
        return first
    aids.trace.note(f"{tray.name}: once more, without stripes")
    second = _read(photo, placement, aids, tray, plain=plain)
    return first if isinstance(second, NotFound) or second.doubts else second


def _read(
    photo: Photo,
    placement: FlatPlacement,
    aids: Aids,
    tray: Tray,
    *,
    plain: Photo | None = None,
    movable: bool = True,
) -> Reading[Balls] | NotFound:
    """The same from the picture as it is, or from what is ``plain`` to see of its cells.

    A board whose pits are hardly seen along one side may have been laid a cell beside its place. Where reading shows
    that, it is read anew one cell farther on, unless it is not ``movable``.
    """
    source = plain or photo
    features, found = _divided(source, placement.scaled(source.scale / photo.scale), tray)
    aids.trace.picture("balls-flat", lambda: features.flat)
    if not found:
        why = Message("what lies on the {tray} cannot be divided into pieces", tray=tray.name)
        return NotFound(why, board_found=placement.score > PLAIN_FIT)
    best = _likeliest(found, features, tray)
    aids.trace.note(f"{tray.name}: division costs {best.cost:.1f}, {best.pieces}, {len(found) - 1} others near")
    board = Board(photo, tray, features, best, list(best.rows), lattice_roundness(photo, placement, tray))
    if unlikely := _unlikely(board, placement):
        return _refusal(tray, unlikely)
    if are_numbers(best.rows, features, tray):
        return _refusal(tray, "numbers stand where a {tray} would have balls")
    sides = blank_sides(board, placement)
    for side in sides if movable else ():
        if side.there > side.here + RATHER:
            aids.trace.note(f"{tray.name}: pits beyond one side (likeness {side.there:.2f}), none along the other")
            _, there = _divided(source, side.farther.scaled(source.scale / photo.scale), tray)
            if not there or there[0].cost < best.cost + MARGIN:
                return _read(photo, side.farther, aids, tray, plain=plain, movable=False)
            # What is there has not the pits' colour, nor what is here another.
            sides = [other for other in sides if other is not side]
    return _reading(board, placement, doubts(board, found, sides), aids)


def _unlikely(board: Board, placement: FlatPlacement) -> str:
    """Why what hardly any piece lies on is no such tray; empty where nothing speaks against it."""
    if len(board.letters) <= FEW_PIECES and _is_ruled(board.photo, placement, board.tray):
        return "ruled cells lie where a {tray} would have balls, and beyond"
    if board.letters:
        return ""
    if placement.score < (BARE_ALIKE if _all_alike(board) else PLAIN_FIT) or board.roundness.mean() < PITS:
        return "round things like an empty {tray}, but not clearly enough"
    if is_plainly_there(board.photo):
        return "round things like an empty {tray} beside the squares of a chequered board"
    return ""


def _is_ruled(photo: Photo, placement: FlatPlacement, tray: Tray) -> bool:
    """Whether most places of a tray are cells of a board with more of them, each told for certain: of the places round
    a real tray some never are.
    """
    middles = placement.to_photo(tray.centres)
    for grid in lattices(photo):
        board = photo.derive_at(board_at, grid)
        if board is None or not board.is_decided:
            continue
        if board.holds_most(middles) and np.count_nonzero(board.inside) > len(tray.cells):
            return True
    return False


def _refusal(tray: Tray, why: str) -> NotFound:
    return NotFound(Message(why, tray=tray.name))


def _all_alike(board: Board) -> bool:
    """Whether all cells look the same, and other than the tray beside them."""
    empty, features = board.division.empty, board.features
    if empty is None:
        return False
    apart = median(np.linalg.norm(features.colours - features.gaps, axis=1))
    oddest = float(np.linalg.norm(features.colours - empty.colours[:, :3], axis=1).max())
    alike = bare_costs(features, empty).mean() < ALIKE or apart > FAR_APART * oddest
    return bool(alike and apart > 2 * empty.spread)


def _divided(photo: Photo, placement: FlatPlacement, tray: Tray) -> tuple[Features, list[Division]]:
    """The divisions of the board as it is lit or, where they are cheaper, under an even light."""

    def cost(one: tuple[Features, list[Division]]) -> float:
        return one[1][0].cost if one[1] else np.inf

    best = min(((features, divisions(features, tray)) for features in lights(photo, placement, tray)), key=cost)
    evener = relit(best[0], best[1][0].rows, tray) if best[1] else None
    again = (evener, divisions(evener, tray, sets_of(best[1]))) if evener else best
    # What was learned from pieces must show the same pieces.
    return min(best, again, key=cost) if again[1] and again[1][0].rows == best[1][0].rows else best


def _reading(board: Board, placement: FlatPlacement, doubtful: list[Doubt], aids: Aids) -> Reading[Balls]:
    tray, rows = board.tray, board.rows
    sure = {cell for cell, letter in aids.given.items() if cell in tray.index}
    for cell in sure:
        rows[tray.cells.index(cell)] = aids.given[cell].strip() or EMPTY
    kept = [doubt for doubt in doubtful if doubt.cell not in sure]
    lines, start = [], 0
    for width in tray.widths:
        lines.append("".join(rows[start : start + width]))
        start += width
    inks: dict[Cell, tuple[int, int, int]] = {}
    for cell, letter, (blue, green, red) in zip(tray.cells, rows, board.features.bgr.tolist(), strict=True):
        if letter != EMPTY:
            inks[cell] = (red, green, blue)
    # A division as cheap as those of clean pictures is certain, one at the last bound is not.
    confidence = float(np.clip(1.1 - board.division.cost / 600, 0.5, 1)) * (0.5 if kept else 1.0)
    return Reading(Balls(tuple(lines), board.division.pieces), placement, confidence, doubts=tuple(kept), inks=inks)


def _likeliest(found: list[Division], features: Features, tray: Tray) -> Division:
    """The cheapest division; where two sets allow it, that of the set whose colours the pieces have."""
    same = [one for one in found if one.rows == found[0].rows]
    if len(same) == 1:
        return same[0]
    names = likely_set(features.of_pieces(found[0].rows))
    return next((one for one in same if one.pieces == names), same[0])
