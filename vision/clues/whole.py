"""A whole bent board, filled patches included, from its faces: where each cell lies, and where each clue stands.

The faces are laid onto rows and columns (:mod:`vision.clues.jigsaw`). Within a patch the inner lines are hidden; they
run between its sides, from where a neighbour's thread meets the one to where one meets the other.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from solvers.budget import Budget
from vision.clues.cloth import LEAST_CLUE, Bools, Cloth, borders
from vision.clues.faces import Faces
from vision.clues.jigsaw import Face, Laid, Layout, alike, lay, met, righted, touching
from vision.clues.lines import lines, log_likelihood
from vision.clues.repair import MARGIN
from vision.clues.rings import SIDE_POINTS, Ring, poses, ring
from vision.graphs import components
from vision.pictures.masks import disc
from vision.pictures.mesh import Sides, coons
from vision.pictures.placement import Points
from vision.pictures.smooth_field import Field

OFF_CENTRE, ASTRAY = 0.1, 0.05
"""How far a clue is off the middle of its cell, in cells, as a standard deviation; and the density, per cell, of all
other places."""

KNOT_AWAY = 0.03
"""Knots lie at least so far apart along a side."""

LEAST_RIM = 0.4
"""Of a cell's side, what must lie at the rim of the board to be looked at."""

SEAMED = 0.5
"""Part of each cell's side between two filled patches where a thread is seen, at least: none is where one patch ran
over into the other."""

OPEN_END = 0.8
"""Of a cell's side, what must lie along a thread with nothing beyond it to tell of a cell that is missing."""

HIDDEN, BESIDE = 0.05, 0.25
"""The area of rope from which a patch is filled, as a part of a cell, within this part of a cell's side of open cells:
only a thread lies between; a cell's side of rope has three times as much."""


@dataclass(frozen=True, eq=False)
class Whole:
    """A whole board.

    Attributes:
        sides: the curves round each cell, in pixels of the reduced picture.
        cells: for each open cell of the cloth, by its number, where it lies.
        patches: for each filled patch, by its number, the cell of its clue and all its cells.
    """

    sides: Mapping[Cell, Sides]
    cells: Mapping[int, Cell]
    patches: Mapping[int, tuple[Cell, list[Cell]]]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in cells."""
        rows, cols = (max(cell[axis] for cell in self.sides) + 1 for axis in (0, 1))
        return cols, rows


def assemble(
    cloth: Cloth, all_faces: Faces, areas: Mapping[int, int], numbered: set[int], budget: Budget, *, quarters: int
) -> Whole | None:
    """The whole board; None when something about it is not certain.

    Args:
        cloth: the open cells.
        all_faces: open cells and filled patches.
        areas: the number on each filled patch on which one was read.
        numbered: the open cells on which a clue was read: they belong to the board.
        budget: for the search.
        quarters: of a turn clockwise that set the picture upright.
    """
    rims = rims_of(all_faces, _numbers(cloth, all_faces), areas)
    known = known_faces({n: rim for n, rim in rims.items() if n <= cloth.count or n in areas}, areas)
    open_cells = [number for number in known if number <= cloth.count]
    if not open_cells:
        return None
    start = max(open_cells, key=lambda n: len(known[n].others))
    layout = lay(known, start, budget, partial(log_likelihood, unit_px=cloth.side_px))
    if layout is None or not _complete(layout, rims, numbered) or not all(_rimmed(rims[n], n, layout) for n in layout):
        return None
    filled = layout.keys() & all_faces.clues.keys()
    if _beside_lost(all_faces, layout) or not all(_seamed(rims[n], n, layout, filled) for n in filled):
        return None
    layout = righted(layout, quarters)
    sides = {number: cell_sides(layout, number) for number in layout}
    fields = lines(layout, cloth.side_px)
    patches = {}
    for number, clue in all_faces.clues.items():
        if number in layout:
            cell = _clue_cell(clue, layout[number], fields, cloth.side_px)
            if cell is None:
                return None
            patches[number] = (cell, layout[number].cells)
    cells = {n: (place.row, place.col) for n, place in layout.items() if n <= cloth.count}
    return Whole({cell: curves for mine in sides.values() for cell, curves in mine.items()}, cells, patches)


def open_part_is_whole(cloth: Cloth, all_faces: Faces, cells: Collection[int]) -> bool:
    """Whether these open cells are all that are open.

    Beyond each of their sides lies a face or runs the outline; no thread parts other open cloth from anything; and no
    number stands on bare cloth beside the board: its cell would be missing.
    """
    rims = rims_of(all_faces, _numbers(cloth, all_faces), _rough_areas(cloth, all_faces))
    if any(n not in rims or _open_end(rims[n]) for n in cells):
        return False
    if any(rim.others for n, rim in rims.items() if n not in cells and n not in all_faces.clues):
        return False  # no hole
    reach = cv2.dilate((all_faces.labels != all_faces.ground).astype(np.uint8), disc(round(cloth.side_px) | 1)) > 0
    lost = cloth.clues & (all_faces.labels == all_faces.ground) & reach & ~all_faces.outline
    return int(lost.sum()) < LEAST_CLUE * cloth.side_px**2


def _numbers(cloth: Cloth, all_faces: Faces) -> list[int]:
    """The numbers of all faces but the ground."""
    return sorted({*range(1, cloth.count + 1), *all_faces.clues})


def _rough_areas(cloth: Cloth, all_faces: Faces) -> dict[int, int]:
    """How many cells each filled patch may have, by its number."""
    sizes = np.bincount(all_faces.labels.ravel()) / cloth.side_px**2
    return {number: max(1, round(float(sizes[number]))) for number in all_faces.clues}


def _open_end(rim: Ring) -> bool:
    """Whether a thread runs for a while with nothing beyond it: a cell is missing there."""
    bare = (rim.beyond <= 0) & rim.threaded & ~rim.dyed
    return bool(bare.sum() > OPEN_END * rim.unit_px)


def filled_beside(cloth: Cloth, all_faces: Faces) -> set[int]:
    """The filled patches that hang together with the open cells; numbers on buttons stand apart, or where a badge on
    one runs over to the board, the outline lies between.
    """
    rims = rims_of(all_faces, _numbers(cloth, all_faces), _rough_areas(cloth, all_faces))
    links = {0: [n for n in rims if n <= cloth.count]} | {n: rim.others for n, rim in rims.items()}
    return components(links)[0] & all_faces.clues.keys()


def alike_beside(cloth: Cloth, all_faces: Faces, areas: Mapping[int, int]) -> bool:
    """Whether filled patches of so many cells have about as large ones as lie beside them."""
    known = known_faces(rims_of(all_faces, _numbers(cloth, all_faces), areas), areas)
    return all(alike(known, number) for number in areas if number in known)


def hides_patches(cloth: Cloth) -> bool:
    """Whether patches are filled: rope beside the open cells."""
    return bool((cloth.rope & _near(cloth, cloth.labels > 0)).sum() > HIDDEN * cloth.side_px**2)


def unnamed_patches(cloth: Cloth, all_faces: Faces) -> bool:
    """Whether rope lies beside the board on which no number was seen."""
    lost = cloth.rope & (all_faces.labels == all_faces.ground) & _near(cloth, all_faces.labels != all_faces.ground)
    return bool(lost.sum() > HIDDEN * cloth.side_px**2)


def _near(cloth: Cloth, covered: Bools) -> Bools:
    """What is near something, and no open cell."""
    steps = round(BESIDE * cloth.side_px)
    near = cv2.dilate(covered.astype(np.uint8), np.ones((3, 3), np.uint8), iterations=steps)
    return np.asarray((near > 0) & (cloth.labels == 0))


def rims_of(all_faces: Faces, numbers: Iterable[int], areas: Mapping[int, int]) -> dict[int, Ring]:
    """The rims of faces, what is seen from one side only left out; those without an area are open cells."""
    rims = {n: rim for n in numbers if (rim := ring(all_faces, n, areas.get(n, 1))) is not None}
    both = {(n, other) for n, rim in rims.items() for other in rim.others}
    return {n: rim.without({o for o in rim.others if (o, n) not in both}) for n, rim in rims.items()}


def known_faces(rims: Mapping[int, Ring], areas: Mapping[int, int]) -> dict[int, Face]:
    """The faces with these rims; those without an area are open cells."""
    single = {n for n in rims if areas.get(n, 1) == 1}
    return {
        n: Face(
            areas.get(n, 1),
            rim.unit_px,
            poses(rim, single),
            {other: rim.shared(other) for other in rim.others if other in rims},
        )
        for n, rim in rims.items()
    }


def _complete(layout: Layout, rims: Mapping[int, Ring], numbered: set[int]) -> bool:
    """Whether nothing that belongs to the board was left out."""
    out = [number for number in rims if number not in layout]
    return not any(n in numbered or any(other in layout for other in rims[n].others) for n in out)


def _rimmed(rim: Ring, number: int, layout: Layout) -> bool:
    """Whether the outline runs wherever no other face is beyond, not even at a corner: else a patch was lost there."""
    place = layout[number]
    corners = [-n for n, other in layout.items() if len(touching(place, other) or ()) == 2]
    free = np.nonzero((rim.beyond <= 0) & ~np.isin(rim.beyond, corners))[0]
    return all(rim.outlined(of_cell) for of_cell in _by_sides(rim, place, free))


def _by_sides(rim: Ring, place: Laid, chosen: npt.NDArray[np.intp]) -> Iterator[npt.NDArray[np.intp]]:
    """Chosen points of a rim, those on each cell's side together, where they take enough of it."""
    away = [
        np.linalg.norm(curve[::4][None] - rim.points[chosen][:, None], axis=2).min(axis=1)
        for curve in place.pose.curves
    ]
    nearest = np.argmin(away, axis=0)
    for side, curve in enumerate(place.pose.curves):
        here = chosen[nearest == side]
        if len(here) == 0:
            continue
        along = np.linalg.norm(curve[None] - rim.points[here][:, None], axis=2).argmin(axis=1) / len(curve)
        cell = (along * place.along(place.direction(side))).astype(int)
        each = (here[cell == index] for index in np.unique(cell))
        yield from (of_cell for of_cell in each if len(of_cell) > LEAST_RIM * rim.unit_px)


def _beside_lost(all_faces: Faces, layout: Layout) -> bool:
    """Whether a filled patch that was not laid lies against the board: numbers on buttons lie apart."""
    one, other = borders(all_faces.labels)
    lost = [number for number in all_faces.clues if number not in layout]
    return bool((np.isin(one, list(layout)) & np.isin(other, lost)).any())


def _seamed(rim: Ring, number: int, layout: Layout, patches: Collection[int]) -> bool:
    """Whether a thread runs between a filled patch and each other one beside it: else their border is anywhere."""
    between = np.nonzero(np.isin(rim.beyond, list(patches)))[0]
    return all(rim.threaded[of_cell].mean() >= SEAMED for of_cell in _by_sides(rim, layout[number], between))


# --- the cells of a patch ---------------------------------------------------------------------------------------------

_Ends = tuple[list[int], list[float]]
"""After how many cells of a side one ends, and where, in 0..1."""


def cell_sides(layout: Layout, number: int) -> dict[Cell, Sides]:
    """The curves round each cell of a face."""
    place = layout[number]
    ends = _ends(layout, number)
    curves = [place.pose.curves[(place.top + d) % 4] for d in range(4)]
    curves[2:] = [curve[::-1] for curve in curves[2:]]
    even = [_spaced(curves[d], ends[d], ends[(d + 2) % 4]) for d in range(4)]
    outer: Sides = (even[0], even[1], even[2], even[3])
    return {
        (place.row + i, place.col + j): _inner(outer, i, j, place.height, place.width)
        for i in range(place.height)
        for j in range(place.width)
    }


def _knots(layout: Layout, number: int, direction: int) -> dict[int, float]:
    """Where on a side whole cells end: where the borders with others do; clockwise, in 0..1."""
    place = layout[number]
    found: dict[int, list[float]] = {}
    for other, touch in place.pose.touches.items():
        if other in layout and place.direction(touch.side) == direction:
            for cell, at in zip(met(place, layout[other], direction), touch.part, strict=True):
                found.setdefault(cell, []).append(at)
    return {cell: float(np.mean(at)) for cell, at in found.items() if 0 < cell < place.along(direction)}


def _ends(layout: Layout, number: int) -> list[_Ends]:
    """The ends of cells that are known on the top, right, bottom and left side of a face, to the right and down."""
    knots = [_knots(layout, number, direction) for direction in range(4)]
    lengths = [layout[number].along(direction) for direction in range(4)]
    # The bottom and the left side run clockwise the other way.
    knots[2:] = [{lengths[d] - k: 1 - at for k, at in knots[d].items()} for d in (2, 3)]
    return [_with_corners(mine, cells) for mine, cells in zip(knots, lengths, strict=True)]


def _with_corners(knots: Mapping[int, float], cells: int) -> _Ends:
    """The same with both ends of the side, without those too near to others."""
    cell, at = [0], [0.0]
    for k in sorted(knots):
        if knots[k] > at[-1] + KNOT_AWAY and knots[k] < 1 - KNOT_AWAY:
            cell.append(k)
            at.append(knots[k])
    return [*cell, cells], [*at, 1.0]


def _spaced(curve: Points, mine: _Ends, across: _Ends) -> Points:
    """The curve with so many points that each cell has equally many; between the ends of cells that are known on this
    side it is divided as the side across is.
    """
    cells = mine[0][-1]
    wanted = np.linspace(0, cells, cells * (SIDE_POINTS - 1) + 1)
    ticks = np.interp(np.interp(wanted, *across), np.interp(mine[0], *across), mine[1])
    fine = np.linspace(0, 1, len(curve))
    return np.column_stack([np.interp(ticks, fine, curve[:, axis]) for axis in (0, 1)])


def _inner(outer: Sides, i: int, j: int, height: int, width: int) -> Sides:
    """The curves round one cell of a patch that has these curves round it."""
    ticks = np.linspace(0, 1, SIDE_POINTS)

    def curve(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> Points:
        return coons(outer, np.column_stack([(j + x) / width, (i + y) / height]))

    zero, one = np.zeros_like(ticks), np.ones_like(ticks)
    return curve(ticks, zero), curve(one, ticks), curve(ticks, one), curve(zero, ticks)


def _clue_cell(clue: Bools, place: Laid, fields: tuple[Field, Field], unit_px: float) -> Cell | None:
    """The cell of a patch on whose middle a clue stands; None where it may be another."""
    rows, cols = np.nonzero(clue)
    middle = np.array([[cols.min() + cols.max(), rows.min() + rows.max()]]) / 2
    column, row = (
        _surely(*field.at(middle / unit_px), first, length)
        for field, first, length in zip(fields, (place.col, place.row), (place.width, place.height), strict=True)
    )
    return None if row is None or column is None else (row, column)


def _surely(mean: npt.NDArray[np.float64], deviation: npt.NDArray[np.float64], first: int, length: int) -> int | None:
    """Which of so many rows or columns something is in that stands at ``mean``; None where it may be another."""
    off, variance = mean - (first + np.arange(length) + 0.5), deviation**2 + OFF_CENTRE**2
    likely = np.log(np.exp(-(off**2) / 2 / variance) / np.sqrt(2 * np.pi * variance) + ASTRAY)
    order = np.argsort(-likely)
    sure = length == 1 or likely[order[0]] - likely[order[1]] >= MARGIN
    return first + int(order[0]) if sure else None
