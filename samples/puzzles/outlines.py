"""Which places of a box of rows and columns are cells: outlines with steps and notches, boards with holes.

Whatever is missing, the cells hang together and reach all four sides of the box.
"""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Literal, get_args

from solvers.board import Cell

Form = Literal["bitten", "stepped", "notched", "holed", "grown", "mixed"]
"""Where cells are missing: anywhere in bites of a few, in stairs at the corners, in notches at the edge, within, all
round a shape that grew cell by cell, or in several of these ways."""

FORMS: tuple[Form, ...] = get_args(Form)

TRIES = 400
"""Pieces that may fail to fit before a board is begun anew."""


def outline(rng: Random, rows: int, cols: int, holes: int, form: Form = "bitten") -> list[Cell]:
    """The cells of a board of which ``holes`` are missing and the rest hangs together; row by row.

    A form that has no room for so many holes is given the rest in bites.
    """
    if holes >= rows * cols:
        raise ValueError("a board must have a cell")
    cells: set[Cell] = {(r, c) for r in range(rows) for c in range(cols)}
    if form == "bitten":
        return sorted(_without(cells, holes, _bites(rng)))
    forms = rng.sample(sorted(PIECES), 2) if form == "mixed" else [form]
    share = holes // len(forms)
    for one in forms:
        cells = _without(cells, share, PIECES[one](rng, rows, cols), (rows, cols))
    left = len(cells) - (rows * cols - holes)
    return sorted(_without(cells, left, _bites(rng), (rows, cols)))


Pieces = Callable[[set[Cell]], set[Cell]]
"""Proposes cells to take away from those that are left."""


def _without(cells: set[Cell], holes: int, piece: Pieces, box: tuple[int, int] | None = None) -> set[Cell]:
    """The cells less ``holes`` of them, or less what fits; they go on reaching the sides of a box that is given."""
    fails = 0
    while holes and (fails < TRIES or box is None):
        bite = piece(cells) & cells
        left = cells - bite
        if bite and len(bite) <= holes and _hangs_together(left) and (box is None or _spans(left, *box)):
            cells = left
            holes -= len(bite)
        else:
            fails += 1
    return cells


def _spans(cells: set[Cell], rows: int, cols: int) -> bool:
    down, across = {r for r, _ in cells}, {c for _, c in cells}
    return min(down) == min(across) == 0 and max(down) == rows - 1 and max(across) == cols - 1


def _box(top: int, left: int, height: int, width: int) -> set[Cell]:
    return set(product(range(top, top + height), range(left, left + width)))


def _bites(rng: Random) -> Pieces:
    """Bites of a few cells look like an outline; single cells like moths."""

    def piece(cells: set[Cell]) -> set[Cell]:
        corner, size = rng.choice(sorted(cells)), rng.choice([(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2)])
        return _box(corner[0], corner[1], *size)

    return piece


def _stairs(rng: Random, rows: int, cols: int) -> Pieces:
    """Boxes in the corners: several in one corner make stairs."""
    corners = rng.sample(list(product((0, 1), repeat=2)), rng.randint(1, 4))

    def piece(_cells: set[Cell]) -> set[Cell]:
        height, width = rng.randint(1, max(1, rows // 2)), rng.randint(1, max(1, cols // 2))
        down, right = rng.choice(corners)
        return _box((rows - height) * down, (cols - width) * right, height, width)

    return piece


def _notches(rng: Random, rows: int, cols: int) -> Pieces:
    """Boxes at the edge, as in a U or a plus."""

    def piece(_cells: set[Cell]) -> set[Cell]:
        height, width = rng.randint(1, max(1, rows // 3)), rng.randint(1, max(1, cols // 3))
        top, left = rng.randint(0, rows - height), rng.randint(0, cols - width)
        if rng.random() < 0.5:
            top = rng.choice([0, rows - height])
        else:
            left = rng.choice([0, cols - width])
        return _box(top, left, height, width)

    return piece


def _holes(rng: Random, rows: int, cols: int) -> Pieces:
    """Boxes that touch no side."""

    def piece(_cells: set[Cell]) -> set[Cell]:
        height, width = (rng.choice([1, 1, 1, 2, 2, 3]) for _ in range(2))
        if height > rows - 2 or width > cols - 2:
            return set()
        return _box(rng.randint(1, rows - 1 - height), rng.randint(1, cols - 1 - width), height, width)

    return piece


def _shed(rng: Random, rows: int, cols: int) -> Pieces:
    """Single cells from outside, those with few neighbours first."""

    def piece(cells: set[Cell]) -> set[Cell]:
        few = sorted(cells)
        few = [cell for cell in rng.sample(few, min(6, len(few))) if sum(n in cells for n in _beside(cell)) < 4]
        return {min(few, key=lambda cell: sum(n in cells for n in _beside(cell)))} if few else set()

    return piece


PIECES: dict[Form, Callable[[Random, int, int], Pieces]] = {
    "stepped": _stairs,
    "notched": _notches,
    "holed": _holes,
    "grown": _shed,
}


def _beside(cell: Cell) -> Iterator[Cell]:
    r, c = cell
    yield from ((r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1))


def _hangs_together(cells: set[Cell]) -> bool:
    """Whether one can walk from any cell to any other."""
    if not cells:
        return False
    start = min(cells)
    visited, queue = {start}, deque([start])
    while queue:
        for other in _beside(queue.popleft()):
            if other in cells and other not in visited:
                visited.add(other)
                queue.append(other)
    return len(visited) == len(cells)
