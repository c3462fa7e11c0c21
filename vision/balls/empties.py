"""Doubts about the cells of a ball board that were taken for empty.

A single ball may stand there, a piece of the pits' colour may lie unseen among them (a white one among white printed
pits), and where no pits are seen along a side the board may lie one cell beside its place.

Where colours tell nothing of a hidden piece, edges and marks may: see :mod:`vision.balls.evidence`. If balls and pits
clearly differ in one of these, empty cells that have what balls have are in doubt. If they do not, all empty cells are,
provided that a piece that is not seen has their colour. Where they are printed in one paint, other than the white of
the paper, even a piece of nearly that colour would stand out, and where pieces are made of squares that leave no tray
between them, what the tray frames is a pit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from solvers.ball_trays import EMPTY, LETTERS, Tray
from vision.balls.evidence import COLOURED, FAR_OFF, HALF_WAY, shaded_like_pits, strongest
from vision.balls.features import LARGEST_PIECE, LIGHT_PX, LIGHTNESS, SMALLEST_PIECE, Features, neighbours, units
from vision.balls.lattice import board_spots, patches, roundness_at
from vision.balls.palette import have_makers_colours, light_on, makers, named_piece
from vision.balls.pieces import PALE, Board, Division
from vision.balls.pits import BLACK, SAME_COLOUR, STRANGE, bare_costs, beside_tray
from vision.graphs import components
from vision.pictures.medians import median, medians
from vision.pictures.placement import FlatPlacement
from vision.reading import Doubt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

CLEARLY = 0.25
"""Distance from the one or the other within which it is that one, clearly."""

ONE_PAINT = 1.5
"""Distance in colour up to which all pits of one paint are alike: on photos of prints 0.1 to 1.0."""

PAPER = 0.93
"""Lightness, in that of the lightest things in the picture, from which pits are as white as paper: makers leave white
pieces as white, while another paint for pits is their own."""

PITLESS = 0.7
"""Part of the empty cells that may show no rim: those in shadow or under glare. Beside a board of another shape nearly
all do not."""

BALL_LIKE = 0.5
"""How much like the balls and unlike the pits here a cell must be shaded to be certainly a ball, of 1."""

TABLE = 0.06
"""Part of the picture that has a colour when this is what stands behind the tray: some pits are holes."""

NO_PIT = 0.15
"""Roundness below which a cell shows no rim at all."""

ROUND = 2 * NO_PIT
"""Median roundness of cells from which on they show their rims."""

RATHER = 0.15
"""How much more one side must correlate with the pits than another to be the one that has pits."""


@dataclass(frozen=True, eq=False)
class Side:
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


def doubts(board: Board, sides: Sequence["Side"]) -> list[Doubt]:
    """All that is in doubt about empty cells; single balls that colours name are noted in the board on the way."""
    hiding, edged = hidden(board.division, board.features, board.tray)
    return board.doubts(
        (_odd_cells(board), 0.5, "something coloured stands here that belongs to no piece"),
        (_hued_empties(board), 0.6, "this has a colour that its tray has not: a piece may lie here"),
        (_strange_empties(board), 0.6, "this looks different from other empty pits"),
        (
            _of_pieces_size(board, hiding),
            0.6,
            "this is edged like a ball" if edged else "a piece of the pits' colour might lie here",
        ),
        (_pitless(board), 0.4, "no pit is seen here"),
        (_flat_pieces(board), 0.4, "no ball is seen here"),
        (
            [k for side in sides if side.here < side.there + RATHER for k in side.cells],
            0.4,
            "no pits are seen along this side; the board may lie one cell farther in",
        ),
    )


def _odd_cells(board: Board) -> list[int]:
    """Coloured things in cells of no piece; where its colour names a piece, one is noted as a single ball of it."""
    empty = board.division.empty
    if empty is None:
        return []
    odd = []
    pieces, colours = board.division.pieces, board.features.of_pieces(board.rows)
    open_letters = set(LETTERS) - set(board.letters)
    # Colours name pieces only where the pieces that lie there have the makers' colours.
    trusted = have_makers_colours(colours, pieces)
    for k in board.cells(EMPTY):
        colour = board.features.colours[k]
        if np.linalg.norm(colour[1:] - empty.colours[k, 1:3]) < COLOURED or _is_table(board, k):
            continue
        like = [letter for letter, own in colours.items() if np.linalg.norm(own - colour) < COLOURED]
        letter = named_piece(colour, pieces, open_letters) if trusted and not like else None
        if letter is not None and board.roundness[k] > 0.5:
            board.rows[k] = letter.lower()
        else:
            odd.append(k)
    return odd


def _is_table(board: Board, k: int) -> bool:
    """Whether a cell has the colour of much of the picture and not of its tray: the table, seen through a hole.

    Where a page is the tray, a white disc on it has the colour of both.
    """
    if np.linalg.norm(board.features.colours[k] - board.features.gaps[k]) < SAME_COLOUR:
        return False
    small = board.photo.reduced(LIGHT_PX).bgr.astype(np.int16)
    near = np.abs(small - board.features.bgr[k].astype(np.int16)).max(axis=2) < 24
    return bool(near.mean() > TABLE)


def _hued_empties(board: Board) -> list[int]:
    """Empty cells of a hue that is far from their tray's: pits are of the tray's material, or of none."""
    empty, bare = board.division.empty, board.cells(EMPTY)
    if empty is None or not bare:
        return []
    off = medians(empty.colours[bare, 1:3]) - medians(board.features.gaps[:, 1:3])
    return _of_pieces_size(board, bare) if np.linalg.norm(off) >= 2 * COLOURED else []


def _strange_empties(board: Board) -> list[int]:
    """Connected cells that were taken for empty and do not look like the others: a piece may have been missed."""
    features, empty = board.features, board.division.empty
    if empty is None:
        return []
    # No set has black balls.
    costs = bare_costs(features, empty) * (features.colours[:, 0] > BLACK)
    return _of_pieces_size(board, [k for k in board.cells(EMPTY) if costs[k] > STRANGE and not _is_table(board, k)])


def _of_pieces_size(board: Board, numbers: Sequence[int]) -> list[int]:
    """Those of the cells that are empty and touch so many others of them that a piece may lie there."""
    cells = board.tray.cells
    left = sorted(cells[k] for k in numbers if board.rows[k] == EMPTY)
    beside = {cell: [other for other in board.tray.layout.neighbours[cell] if other in left] for cell in left}
    large = (part for part in components(beside) if len(part) >= SMALLEST_PIECE)
    return [cells.index(cell) for part in large for cell in sorted(part)]


def _pitless(board: Board) -> list[int]:
    """The empty cells, if most of them show no pit while the balls are round: then the board is of another shape."""
    balls = [k for k, letter in enumerate(board.rows) if letter != EMPTY]
    bare = board.cells(EMPTY)
    if not balls or median(board.roundness[balls]) < ROUND:
        return []
    blank = [k for k in bare if board.roundness[k] < NO_PIT]
    return blank if len(blank) > PITLESS * len(bare) and len(blank) >= LARGEST_PIECE else []


def _flat_pieces(board: Board) -> list[int]:
    """Pieces that show next to no rims, where the pits are round: cells of something else, without marks."""
    bare = board.cells(EMPTY)
    if len(bare) < SMALLEST_PIECE or median(board.roundness[bare]) < ROUND:
        return []
    return [k for cells in board.laid.values() if median(board.roundness[cells]) < ROUND for k in cells]


def hidden(division: Division, features: Features, tray: Tray) -> tuple[list[int], bool]:
    """The numbers of the empty cells that may be a piece's, and whether edges or marks say so.

    Only groups of touching cells that a piece may fill are to be feared; that is the caller's to see.
    """
    bare = [k for k, letter in enumerate(division.rows) if letter == EMPTY]
    if division.empty is None or not bare or set(LETTERS) <= set(division.rows):
        return [], False
    evidence = strongest(division.rows, features)
    if evidence.decisive:
        # No set has black balls.
        lit = np.isin(np.arange(len(features.colours)), bare) & (features.colours[:, 0] > BLACK)
        return np.flatnonzero(
            _beside(lit & (evidence.like_ball > HALF_WAY), lit & (evidence.like_ball > CLEARLY), tray)
        ).tolist(), True
    if _of_one_paint(bare, features):
        return [], False
    unlit = shaded_like_pits(division.rows, features)[bare].min(initial=1.0) <= 0
    return (_unframed(bare, features) if unlit and _as_a_missing_piece(division, features) else []), False


def _beside(sure: Bools, open_ones: Bools, tray: Tray) -> Bools:
    """The sure cells and those of the open ones that touch any of them, ``(cells,)``."""
    one, other = neighbours(tray).T
    touched = np.zeros_like(sure)
    touched[one] |= sure[other]
    touched[other] |= sure[one]
    return sure | (open_ones & touched)


def _of_one_paint(bare: Sequence[int], features: Features) -> bool:
    """Whether empty cells are all of one paint that is no piece's: none stands out at all, and they are not white.

    The light on each is that on the tray beside it: a slope fitted to the cells would take a piece's colour for light.
    """
    some = np.array(bare)
    apart = np.linalg.norm((features.colours - beside_tray(features, some))[some], axis=1)
    return bool(apart.max() < ONE_PAINT and median(features.colours[some, 0]) < PAPER * features.white)


def _unframed(bare: Sequence[int], features: Features) -> list[int]:
    """Those of the empty cells at whose corners the tray is not seen, where all balls cover it; else all of them.

    Pieces of squares leave no tray between their cells: what is framed by it is a pit, whatever its colour.
    """
    pits = np.array(bare)
    gaps, balls = (
        np.delete(one - medians(features.gaps[pits]), pits, axis=0) for one in (features.gaps, features.colours)
    )
    covered = np.linalg.norm(gaps, axis=1) > np.maximum(SAME_COLOUR, HALF_WAY * np.linalg.norm(balls, axis=1))
    step = (features.gaps - features.colours)[pits]
    usual = medians(step)
    along = step @ usual / max(1e-6, float(np.linalg.norm(usual)))
    clear = median(along) > FAR_OFF * 1.5 * median(np.abs(along - median(along)))
    if not clear or not covered.all():
        return list(bare)
    return [k for k, framed in zip(bare, along > HALF_WAY * median(along), strict=True) if not framed]


def _as_a_missing_piece(division: Division, features: Features) -> bool:
    """Whether a piece without a hue that is not seen would have the colour of the empty cells in this light."""
    missing = [letter for pieces, letter in PALE if pieces == division.pieces and letter not in division.rows]
    colours = features.of_pieces(division.rows)
    if division.empty is None or not missing or not colours:
        return False
    own = makers(division.pieces)
    gain, cast = light_on(colours, division.pieces)
    expected = np.array([gain * own[letter] + (0, *cast) for letter in missing])
    expected[:, 0] = np.minimum(expected[:, 0], 100 * LIGHTNESS)  # nothing is lighter than a picture's white
    colour = medians(division.empty.colours[:, :3])
    return bool((np.linalg.norm(expected - colour, axis=1) < SAME_COLOUR).any())


def blank_sides(board: Board, placement: FlatPlacement) -> list[Side]:
    """The sides of the board along which no pits are seen."""
    tray = board.tray
    points, centres = np.array([tray.point(cell) for cell in tray.cells]), np.array(tray.centres)
    places, inside = patches(board.photo, placement, tray)
    inner = next(cell for cell in tray.cells if None not in tray.layout.neighbours[cell])
    sides = []
    for other in filter(None, tray.layout.neighbours[inner]):
        step = np.subtract(tray.point(other), tray.point(inner))
        shift = np.subtract(tray.layout.centre(other), tray.layout.centre(inner))
        # Moved by a cell, the board leaves the cells along one side and reaches beyond the opposite one.
        before, after = (tuple((points + way + 1).T[::-1]) for way in (-step, step))
        cells = np.flatnonzero(~inside[before]).tolist()
        if any(board.rows[k] != EMPTY for k in cells):
            continue
        reached = ~inside[after]
        there = roundness_at(placement.matrix, (centres + shift)[reached], board_spots(board.photo, tray))
        if board.roundness[cells].mean() > there.mean() + NO_PIT:
            continue
        move = np.array([(1, 0, shift[0]), (0, 1, shift[1]), (0, 0, 1)], np.float64)
        farther = replace(placement, matrix=placement.matrix @ move)
        own = places[tuple((points + 1).T[::-1])]
        pits = own[[k for k in board.cells(EMPTY) if k not in cells]]
        here, beyond = (correlation(pits, lot) for lot in (own[cells], places[after][reached]))
        sides.append(Side(cells, here, beyond, farther))
    return sides


def correlation(patches: Floats, others: Floats) -> float:
    """How alike two lots of patches, ``(N, pixels)``, are on average, -1..1; 0 where there are none."""
    if not len(patches) or not len(others):
        return 0.0
    one, other = units(np.stack([patches.mean(axis=0), others.mean(axis=0)]))
    return float(one @ other)
