"""Which places of a lattice are cells of the board, and which are holes: its outline, whatever its form.

The places of a grid that was found, and those round it, are laid flat and handed to a small fully convolutional
network, which tells for each the log odds that it is a cell. It was taught on drawn boards of every outline
(:mod:`samples.train_states`); what it sees is the lines between cells, the outline, how cells look and how the page
does. Where a place looks alike either way, as a hole within lines drawn all round does, the odds are about even, and
the clues decide (:mod:`vision.clues.outline`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.boards.borders import weighed_by_borders
from vision.boards.phases import Grid, residual
from vision.network import SPARSE, Convolutional, contrasts
from vision.pictures.bending import BentPlacement, regrown, rotated
from vision.pictures.flatten import flatten
from vision.pictures.masks import box_of, connected_to, largest
from vision.pictures.medians import medians
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, Placement, box_corners, lie_alike, overlap

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

WEIGHTS = Path(__file__).with_name("states.onnx")

SIDE_PX = 24
"""Side of a place in the flat picture that the network is given."""

BEYOND = 3
"""Places that are looked at beyond the grid on each side."""

UNLIKELY = -4.6
"""Log odds down to which a place next to the cells may turn out to be one: one in a hundred."""

ONE_SIDE, ALL_SIDES = ((0,),), ((0, 2), (1, 3))
"""Quarter turns of a lattice that the network is given, together where their forms are the same: where a place is not
sure from one side, the mean is taken of what is told from all."""

LEAST_EVIDENCE, LEAST_SURE = 40.0, 2.3
"""Log odds of all cells of a board together, and of a cell on average, in nats, at least: lattices that are none mostly
have no cells at all, those that lie on some cells of a board are not sure of them."""

CERTAIN = 6.9
"""Log odds from which on no cell is told more surely: the network was taught that one label in a thousand is wrong."""

AS_LIKELY = 0.9
"""Part of the mean log odds of the likeliest lattice at a place that others have which may be the right one: where
patches hide nearly all lines, rows more or less look as well."""

STRAIGHT = 0.035
"""Cells by which half of the phases of a board are off its lattice, at most, where its cells are not bent."""

SAME_PLACE = 0.5
"""Boards with corners nearer to each other's than this, in cells, lie at the same place."""

_network = Convolutional(WEIGHTS)


@dataclass(frozen=True, eq=False)
class Board:
    """A board of any outline on a lattice.

    Attributes:
        placement: the box round its cells and what may turn out to be one.
        odds: ``float64 (rows, cols)``, nats: the log odds that each place of the box is a cell, not a hole.
    """

    placement: FlatPlacement | BentPlacement
    odds: Floats

    @property
    def inside(self) -> Bools:
        """``bool (rows, cols)``: the places that are cells by themselves."""
        return np.asarray(self.odds > 0)

    @property
    def is_decided(self) -> bool:
        """Whether each place is told to be a cell, or to be a hole."""
        return bool(np.abs(self.odds).min() >= LEAST_SURE)

    def holds_most(self, points_px: npt.ArrayLike) -> bool:
        """Whether more than half of some points of the photo, ``(N, 2)``, lie on its cells."""
        at = np.floor(self.placement.to_board(np.asarray(points_px, np.float64))).astype(int)
        within = at[((at >= 0) & (at < self.placement.size)).all(axis=1)]
        return bool(np.count_nonzero(self.inside[within[:, 1], within[:, 0]]) > len(at) / 2)

    def cut(self, box: tuple[slice, slice]) -> "Board":
        """The same with only these rows and columns of its box."""
        (rows, cols), (height, width) = box, self.odds.shape
        more = (-cols.start, -rows.start, cols.stop - width, rows.stop - height)
        return Board(regrown(self.placement, more), self.odds[box])

    def turned(self, quarters: int) -> "Board":
        """The same for a board that stands upright when the picture is turned clockwise by so many quarters."""
        return Board(rotated(self.placement, quarters), np.rot90(self.odds, -quarters))


def boards_on(photo: Photo, grids: Sequence[Grid]) -> list[Grid]:
    """Those grids on whose lattices boards lie, in their order; of those at a place all that are about as likely as the
    likeliest, of several that tell the same board the first.

    They are ranked as told from one side; only those that may be the likeliest at a place are looked at closer.
    """
    quick = [_sureness(photo.derive_at(_from_one_side, grid)) for grid in grids]
    found: dict[int, Board] = {}
    for index in sorted(range(len(grids)), key=lambda index: -quick[index]):
        rivals = {k: board for k, board in found.items() if overlap(grids[index], board.placement)}
        least = AS_LIKELY * max(map(_sureness, rivals.values()), default=0.0)
        board = photo.derive_at(board_at, grids[index]) if quick[index] > least else None
        if board is None or not _is_board(board) or _sureness(board) < least:
            continue
        same = next(
            (k for k, other in rivals.items() if lie_alike(other.placement, board.placement, SAME_PLACE)), index
        )
        if index <= same:
            found.pop(same, None)
            found[index] = board
    return [grids[k] for k in sorted(found)]


def _from_one_side(photo: Photo, grid: Grid) -> Board | None:
    return _board(grid, photo.derive_at(_odds_from_one_side, grid))


def _odds_from_one_side(photo: Photo, grid: Grid) -> Floats:
    return log_odds(photo, _around(grid), ONE_SIDE)


def is_decided(photo: Photo, grid: Grid) -> bool:
    """Whether each place of the board on a grid is told to be a cell, or to be a hole."""
    board = photo.derive_at(board_at, grid)
    return board is not None and board.is_decided


def is_straight(photo: Photo, grid: Grid) -> bool:
    """Whether the cells of the board on a grid lie as they would on a sheet, rather than being bent themselves."""
    board = photo.derive_at(board_at, grid)
    return board is not None and residual(photo, board.placement, board.inside) <= STRAIGHT


def board_at(photo: Photo, grid: Grid) -> Board | None:
    """The board whose cells are places of the lattice of ``grid``; None where none of it looks like one.

    Where it reaches the rim of what was looked at, it is looked at further.
    """
    board = _decided(photo, grid)
    while board is not None and _is_board(board) and any(further := _further(grid, board)):
        grid = regrown(grid, further)
        board = _decided(photo, grid)
    return board


def _further(grid: Grid, board: Board) -> tuple[int, int, int, int]:
    """How many places more to look at to the left, above, to the right and below: where a board reaches the rim."""
    corners = grid.to_board(box_corners(board.placement))
    beyond = (*-corners.min(axis=0), *(corners.max(axis=0) - grid.size))
    left, top, right, bottom = (BEYOND if round(float(places)) >= BEYOND else 0 for places in beyond)
    return left, top, right, bottom


def _decided(photo: Photo, grid: Grid) -> Board | None:
    """The board as told from one side, or from all where that leaves any place open; then by its borders as well."""
    board = photo.derive_at(_from_one_side, grid)
    if board is None:
        return None
    around = _around(grid)
    odds = photo.derive_at(_odds_from_one_side, grid) if board.is_decided else log_odds(photo, around)
    return _board(grid, weighed_by_borders(odds, flatten(photo, around, SIDE_PX)))


def _around(grid: Grid) -> Grid:
    return regrown(grid, (BEYOND,) * 4)


def _board(grid: Grid, odds: Floats) -> Board | None:
    """The board by the log odds of the places of a grid and those round it."""
    cells = largest(odds > 0)
    if not cells[BEYOND:-BEYOND, BEYOND:-BEYOND].any():
        return None
    # What lies apart from the board is likelier a legend or a button.
    board = Board(_around(grid), np.where(cells, odds, -np.abs(odds)))
    return board.cut(box_of(connected_to(cells, odds > UNLIKELY)))


def _is_board(board: Board) -> bool:
    """Whether the places of a lattice are a board's beyond doubt."""
    cells = board.odds[board.inside]
    return bool(cells.sum() >= LEAST_EVIDENCE and _sureness(board) >= LEAST_SURE)


def _sureness(board: Board | None) -> float:
    """The mean log odds of a board's cells, in nats; of all of them together a smaller pitch has more."""
    return 0.0 if board is None else float(np.minimum(board.odds[board.inside], CERTAIN).mean())


def board_within(photo: Photo, grid: Grid) -> Board:
    """The board whose box is that of ``grid``; all of it where none of it looks like a board."""
    around, inner = _around(grid), slice(BEYOND, -BEYOND)
    odds = weighed_by_borders(log_odds(photo, around), flatten(photo, around, SIDE_PX))[inner, inner]
    return Board(grid, odds if (odds > 0).any() else np.ones_like(odds))


def log_odds(photo: Photo, lattice: Placement, sides: Sequence[Sequence[int]] = ALL_SIDES) -> Floats:
    """The log odds that each place of a lattice is a cell, ``float64 (rows, cols)``, told from these sides; -inf
    outside of the picture.
    """
    cols, rows = (round(length) for length in lattice.size)
    xs, ys = np.meshgrid(np.arange(cols) + 0.5, np.arange(rows) + 0.5)
    in_view = photo.holds(lattice.to_photo(np.column_stack([xs.ravel(), ys.ravel()]))).reshape(rows, cols)
    if not in_view.any():
        return np.full((rows, cols), -np.inf)
    shown = network_input(flatten(photo, lattice, SIDE_PX), in_view)
    outputs = []
    for alike in sides:
        turned = _network(np.stack([np.rot90(shown, quarters, (1, 2)) for quarters in alike]))[:, 0]
        outputs += [np.rot90(one, -quarters) for quarters, one in zip(alike, turned, strict=True)]
    odds = np.mean(outputs, axis=0, dtype=np.float64)
    return np.where(in_view, odds, -np.inf)


def network_input(flat: Picture, in_view: Bools) -> npt.NDArray[np.float32]:
    """What the network is given of a flat picture, ``float32 (4, H, W)``: its colours as compressed contrasts to their
    median, and whether they lie in the picture.
    """
    visible = in_view.repeat(SIDE_PX, axis=0).repeat(SIDE_PX, axis=1)
    median = medians(flat[::SPARSE, ::SPARSE][visible[::SPARSE, ::SPARSE]])
    channels = np.empty((4, *visible.shape), dtype=np.float32)
    channels[:3] = contrasts(flat, median).transpose(2, 0, 1)
    channels[:3] *= visible
    channels[3] = visible
    return channels


def drawn(photo: Photo, grid: Grid) -> Picture:
    """The places of the board on a lattice laid flat, or those of the lattice: likely cells in green, holes in red."""
    board = photo.derive_at(board_at, grid) or Board(grid, log_odds(photo, grid))
    flat = flatten(photo, board.placement, SIDE_PX)
    cell = 1 / (1 + np.exp(-np.clip(board.odds, -CERTAIN, CERTAIN)))
    colours = 255 * np.stack([np.zeros_like(cell), cell, 1 - cell], axis=2)
    return np.asarray((flat + colours.repeat(SIDE_PX, axis=0).repeat(SIDE_PX, axis=1)) / 2, np.uint8)
