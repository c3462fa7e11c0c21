"""Which places of a lattice are cells of the board, and which are holes: its outline, whatever its form.

The places of a grid that was found, and those round it, are laid flat and handed to a small fully convolutional
network, which tells for each the log odds that it is a cell. It was taught on drawn boards of every outline
(:mod:`samples.train_states`); what it sees is the lines between cells, the outline, how cells look and how the page
does. Where a place looks alike either way, as a hole within lines drawn all round does, the odds are about even, and
the clues decide (:mod:`vision.clues.outline`).
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.network import Convolutional
from vision.pictures.bending import BentPlacement, regrown, rotated
from vision.pictures.flatten import flatten
from vision.pictures.masks import box_of, connected_to, largest
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, Placement

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

WEIGHTS = Path(__file__).with_name("states.onnx")

SIDE_PX = 16
"""Side of a place in the flat picture that the network is given."""

BEYOND = 5
"""Places that are looked at beyond the grid on each side."""

UNLIKELY = -4.6
"""Log odds down to which a place next to the cells may turn out to be one: one in a hundred."""

TURNS = 4
"""Quarter turns of a lattice over whose log odds the mean is taken: what is told one way only is not sure."""

CONTRAST = 10.0
"""Grey levels about which contrasts are compressed: fainter ones count as they are, stronger ones less and less."""

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

    def cut(self, box: tuple[slice, slice]) -> "Board":
        """The same with only these rows and columns of its box."""
        (rows, cols), (height, width) = box, self.odds.shape
        more = (-cols.start, -rows.start, cols.stop - width, rows.stop - height)
        return Board(regrown(self.placement, more), self.odds[box])

    def turned(self, quarters: int) -> "Board":
        """The same for a board that stands upright when the picture is turned clockwise by so many quarters."""
        return Board(rotated(self.placement, quarters), np.rot90(self.odds, -quarters))


def board_at(photo: Photo, grid: FlatPlacement | BentPlacement) -> Board:
    """The board whose cells are places of the lattice of ``grid``; all of the grid where none of it looks like one."""
    around = regrown(grid, (BEYOND,) * 4)
    odds = log_odds(photo, around)
    cells = largest(odds > 0)
    rows, cols = cells.shape
    if not cells[BEYOND:-BEYOND, BEYOND:-BEYOND].any():
        return Board(grid, np.ones((rows - 2 * BEYOND, cols - 2 * BEYOND)))
    # What lies apart from the board is likelier a legend or a button.
    return Board(around, np.where(cells, odds, -np.abs(odds))).cut(box_of(connected_to(cells, odds > UNLIKELY)))


def board_within(photo: Photo, grid: FlatPlacement | BentPlacement) -> Board:
    """The board whose box is that of ``grid``; all of it where none of it looks like a board."""
    inner = slice(BEYOND, -BEYOND)
    odds = log_odds(photo, regrown(grid, (BEYOND,) * 4))[inner, inner]
    return Board(grid, odds if (odds > 0).any() else np.ones_like(odds))


def log_odds(photo: Photo, lattice: Placement) -> Floats:
    """The log odds that each place of a lattice is a cell, ``float64 (rows, cols)``; -inf outside of the picture."""
    cols, rows = (round(length) for length in lattice.size)
    xs, ys = np.meshgrid(np.arange(cols) + 0.5, np.arange(rows) + 0.5)
    in_view = photo.holds(lattice.to_photo(np.column_stack([xs.ravel(), ys.ravel()]))).reshape(rows, cols)
    shown = network_input(flatten(photo, lattice, SIDE_PX), in_view)
    turned = [_network(np.rot90(shown, turns, (1, 2))[None])[0, 0] for turns in range(TURNS)]
    odds = np.mean([np.rot90(one, -turns) for turns, one in enumerate(turned)], axis=0, dtype=np.float64)
    return np.where(in_view, odds, -np.inf)


def network_input(flat: Picture, in_view: Bools) -> npt.NDArray[np.float32]:
    """What the network is given of a flat picture, ``float32 (4, H, W)``: its colours as compressed contrasts to their
    median, and whether they lie in the picture.
    """
    seen = np.kron(in_view, np.ones((SIDE_PX, SIDE_PX), dtype=bool))
    pixels = flat.astype(np.float32)
    median = np.median(pixels[seen][:: SIDE_PX // 2], axis=0)
    contrast = np.arcsinh((pixels - median) / CONTRAST) / 2
    contrast[~seen] = 0
    return np.ascontiguousarray(np.concatenate([contrast, seen[..., None]], axis=2).transpose(2, 0, 1), np.float32)
