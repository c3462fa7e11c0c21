"""Cutting a board of quadrilateral cells into blocks, one to a clue: candidates, propagation, search.

A block is a w x h rectangle of cells, found by walking right and down from cell to cell; on a bent board it is bent
too. Cells are bits of one Python integer, ``row * cols + col``, so a block is a mask and "these two overlap" is one
``and``.

Before anything is tried, what cannot be is struck out until nothing changes any more (:func:`narrow`):

* cells that *all* blocks left for a clue have in common are that clue's, so nobody else may touch them;
* a cell that the blocks of only *one* clue reach must be covered by that clue, so its blocks without the cell fall.

Nearly every published board is solved by these two alone. Where they stall, the clue with the fewest blocks left is
tried, one block after the other, each followed by the same reasoning (:func:`partitions`). This is exact cover with
clues and cells as items [1]_, with a propagation that looks at all options of a clue at once.

References:
    .. [1] D. E. Knuth, The Art of Computer Programming, volume 4B, section 7.2.2.1, on partitioning into rectangles.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import and_, or_
from typing import NamedTuple

from solvers.board import BOTTOM, RIGHT, Cell
from solvers.budget import Budget

Neighbours = Mapping[Cell, Sequence[Cell | None]]
"""For each cell the cell across each side, as in :class:`solvers.board.Layout`."""


class Block(NamedTuple):
    """A block of cells: ``height * width`` of them, row by row, the first at its top left."""

    cells: tuple[Cell, ...]
    height: int
    width: int


@dataclass(frozen=True)
class Want:
    """What a clue asks of its block.

    Attributes:
        areas: the areas that are right; None for any.
        shape: ``"square"``, ``"tall"`` (higher than wide), ``"wide"`` or ``"any"``.
    """

    areas: frozenset[int] | None
    shape: str = "any"

    def suits(self, height: int, width: int) -> bool:
        """Whether a block of this height and width is what the clue asks for."""
        if self.areas is not None and height * width not in self.areas:
            return False
        return self.shape == "any" or self.shape == shape_of(height, width)


def shape_of(height: int, width: int) -> str:
    """``"square"``, ``"tall"`` or ``"wide"``."""
    return "square" if height == width else "tall" if height > width else "wide"


def has_block(area: int, shape: str) -> bool:
    """Whether some block of this area has the shape: there is no square of twelve cells, and no tall block of one."""
    return shape == "any" or any(shape == shape_of(height, width) for height, width in _factors(area))


@cache
def _factors(area: int) -> tuple[tuple[int, int], ...]:
    """The heights and widths whose product is ``area``."""
    return tuple((height, area // height) for height in range(1, area + 1) if not area % height)


MOST_KNOWN = 50
"""Boards that are remembered, and for each the ways in which clues may stand of which the blocks are."""


class Grid:
    """Blocks on a plain ``rows`` x ``cols`` grid, possibly with holes: patterns shifted into place."""

    def __init__(self, rows: int, cols: int, cells: Collection[Cell]) -> None:
        """Cells not among ``cells`` are holes."""
        self.rows, self.cols = rows, cols
        self.lines = self._lines(cells)
        self.everything = sum(line << row * cols for row, line in enumerate(self.lines))
        self._patterns: dict[tuple[int, int], int] = {}
        self._known: dict[tuple[int, ...], dict[tuple[Cell, Want], list[int]]] = {}

    def _lines(self, cells: Collection[Cell]) -> list[int]:
        """The mask of each row alone: these stay short however large the board is."""
        lines = [0] * self.rows
        for row, col in cells:
            lines[row] |= 1 << col
        return lines

    def mask(self, cell: Cell) -> int:
        """The bit of a cell."""
        return 1 << cell[0] * self.cols + cell[1]

    def candidates(self, wants: Mapping[Cell, Want], asked: Iterable[Cell] | None = None) -> list[list[int]]:
        """For each clue, or each of those ``asked`` for, the masks of all blocks that suit it and hold no other clue.

        A reader asks again and again what one number or two change: blocks of clues are remembered while these stand
        where they stand.
        """
        clues, full = self._lines(wants), (1 << self.cols) - 1
        barred = [full & ~line | more for line, more in zip(self.lines, clues, strict=True)]
        known = self._known.setdefault(tuple(barred), {})
        for oldest in list(self._known)[:-MOST_KNOWN]:
            self._known.pop(oldest, None)
        for clue in (sought := list(wants if asked is None else asked)):
            if (clue, wants[clue]) not in known:
                known[clue, wants[clue]] = self._round(clue, wants[clue], barred)
        return [known[clue, wants[clue]] for clue in sought]

    def spare(self, area: int, taken: Collection[Cell]) -> list[int]:
        """The masks of all blocks of ``area`` cells that hold none of the cells ``taken``."""
        free = [line & ~more for line, more in zip(self.lines, self._lines(taken), strict=True)]
        whole = sum(line << row * self.cols for row, line in enumerate(free))
        found = []
        for height, width in self._sizes(self.rows, Want(frozenset((area,)))):
            pattern = self._pattern(height, width)
            corners = [(r, c) for r in range(self.rows - height + 1) for c in range(self.cols - width + 1)]
            found += [mask for r, c in corners if (mask := pattern << r * self.cols + c) & whole == mask]
        return found

    def _round(self, clue: Cell, want: Want, barred: list[int]) -> list[int]:
        """The blocks round one clue, given what is barred in each row (the clue itself among it)."""
        row, col = clue
        here = 1 << col
        run = barred[row] & ~here
        above, below = [0], [run]
        while len(above) <= row and not (line := barred[row - len(above)]) & here:
            above.append(above[-1] | line)
        while row + len(below) < self.rows and not (line := barred[row + len(below)]) & here:
            below.append(below[-1] | line)
        highest, cols, patterns = len(above) + len(below) - 1, self.cols, self._patterns
        first, after = (run & here - 1).bit_length(), run >> col
        widest = (col + (after & -after).bit_length() - 1 if after else cols) - first
        found: list[int] = []
        for height, width in self._sizes(highest, want):
            if height > highest or width > widest:
                continue
            pattern = patterns.get((height, width)) or self._pattern(height, width)
            for up in range(max(0, height - len(below)), min(height, len(above))):
                # What bars any row of the block leaves it free from the column ``first`` to before ``end``.
                line = above[up] | below[height - 1 - up]
                first, after = (line & here - 1).bit_length(), line >> col
                end = col + (after & -after).bit_length() - 1 if after else cols
                # (Spelled out: the calls of max and min took a fifth of the time.)
                left, right = col - width + 1, end - width
                left, right = first if first > left else left, col if right > col else right
                if left <= right:
                    start = (row - up) * cols
                    found += [pattern << at for at in range(start + left, start + right + 1)]
        return found

    def _sizes(self, highest: int, want: Want) -> list[tuple[int, int]]:
        """Heights and widths that suit, some perhaps too large."""
        if want.areas is None:
            sizes = [(height, width) for height in range(1, highest + 1) for width in range(1, self.cols + 1)]
        else:
            # A misread clue may be astronomical; its factors are not asked for.
            most = self.rows * self.cols
            sizes = [size for area in want.areas if area <= most for size in _factors(area)]
        return sizes if want.shape == "any" else [size for size in sizes if want.suits(*size)]

    def _pattern(self, height: int, width: int) -> int:
        """The mask of a block at the top left of the board."""
        row = (1 << width) - 1
        pattern = self._patterns[height, width] = sum(row << i * self.cols for i in range(height))
        return pattern

    def block(self, mask: int) -> Block:
        """The block that a mask stands for."""
        (top, left), (bottom, right) = (divmod(bit.bit_length() - 1, self.cols) for bit in (mask & -mask, mask))
        columns = range(left, right + 1)
        cells = [(row, col) for row in range(top, bottom + 1) for col in columns]
        return Block(tuple(cells), bottom - top + 1, right - left + 1)


class Mesh:
    """Blocks on any mesh of quadrilaterals: found by walking.

    To go straight on means to leave a cell by the side opposite to the one it was entered by, so cells may be turned
    against each other, as they are round a point where three or five cells meet.
    """

    def __init__(self, neighbours: Neighbours) -> None:
        """Find all blocks once; that takes time and memory in proportion to their number."""
        self.neighbours = neighbours
        self._index = {cell: index for index, cell in enumerate(sorted(neighbours))}
        self.everything = (1 << len(self._index)) - 1
        self._blocks: dict[int, Block] = {}
        for cell in self._index:
            for block in self._from(cell):
                # The same cells seen from another corner of a turned mesh are the same block.
                self._blocks.setdefault(sum(map(self.mask, block.cells)), block)

    def mask(self, cell: Cell) -> int:
        """The bit of a cell."""
        return 1 << self._index[cell]

    def candidates(self, wants: Mapping[Cell, Want], asked: Iterable[Cell] | None = None) -> list[list[int]]:
        """The same as of a :class:`Grid`."""
        clues = sum(map(self.mask, wants))
        wanted = {self.mask(clue): wants[clue] for clue in (wants if asked is None else asked)}
        found: dict[int, list[int]] = {mask: [] for mask in wanted}
        for mask, block in self._blocks.items():
            inside = mask & clues
            if inside in found and wanted[inside].suits(block.height, block.width):
                found[inside].append(mask)
        return list(found.values())

    def spare(self, area: int, taken: Collection[Cell]) -> list[int]:
        """The masks of all blocks of ``area`` cells that hold none of the cells ``taken``."""
        barred = sum(map(self.mask, taken))
        return [mask for mask, block in self._blocks.items() if len(block.cells) == area and not mask & barred]

    def block(self, mask: int) -> Block:
        """The block that a mask stands for."""
        return self._blocks[mask]

    def _step(self, cell: Cell, side: int) -> tuple[Cell, int] | None:
        """The cell across ``side`` and the side by which one would go straight on from there."""
        there = self.neighbours[cell][side]
        if there is None:
            return None
        return there, (list(self.neighbours[there]).index(cell) + 2) % 4

    def _from(self, corner: Cell) -> Iterator[Block]:
        """All blocks whose top left is ``corner``, as that cell is turned."""
        row: list[tuple[Cell, int]] = [(corner, RIGHT)]
        while True:
            yield from self._below(row)
            onward = self._step(*row[-1])
            if onward is None or onward[0] in {cell for cell, _ in row}:
                return
            row.append(onward)

    def _below(self, row: list[tuple[Cell, int]]) -> Iterator[Block]:
        """All blocks whose top row is ``row``, a list of cells and the side that leads right from each."""
        height, cells = 1, [cell for cell, _ in row]
        yield Block(tuple(cells), 1, len(row))
        turn = BOTTOM - RIGHT
        while True:
            below: list[tuple[Cell, int]] = []
            for cell, onward in row:
                step = self._step(cell, (onward + turn) % 4)
                # Going on down leads by step[1]; right of there is a quarter turn back.
                if step is None or (below and self._step(*below[-1]) != (step[0], (step[1] - turn) % 4)):
                    return
                below.append((step[0], (step[1] - turn) % 4))
            if not set(cells).isdisjoint(cell for cell, _ in below):
                return
            cells += [cell for cell, _ in below]
            height, row = height + 1, below
            yield Block(tuple(cells), height, len(row))


@dataclass
class State:
    """What is still possible: for each clue its candidate masks, their union and what they have in common.

    Attributes:
        open: the clues that have not settled, by index.
        free: the cells that no settled clue has taken.
    """

    candidates: list[list[int]]
    union: list[int]
    common: list[int]
    open: list[int]
    free: int

    @classmethod
    def start(cls, candidates: Sequence[list[int]], everything: int) -> "State":
        """The state before any reasoning. Every clue has at least one candidate."""
        return cls(
            list(candidates),
            [reduce(or_, masks) for masks in candidates],
            [reduce(and_, masks) for masks in candidates],
            list(range(len(candidates))),
            everything,
        )

    def suppose(self, clue: int, block: int) -> "State":
        """The state in which ``clue`` has this one block."""
        state = State(self.candidates.copy(), self.union.copy(), self.common.copy(), self.open.copy(), self.free)
        state.candidates[clue] = [block]
        state.union[clue] = state.common[clue] = block
        return state


def narrow(state: State) -> bool:
    """Strike out, in place, what cannot be, until nothing changes; False when a clue or cell is left with nothing."""
    candidates, union, common = state.candidates, state.union, state.common
    while True:
        once = twice = taken = 0
        for clue in state.open:
            taken |= common[clue]
            reached = union[clue]
            twice |= once & reached
            once |= reached
        if once != state.free:
            return False
        lonely = once ^ twice
        settled = [clue for clue in state.open if len(candidates[clue]) == 1]
        changed = False
        for clue in state.open:
            reached, own = union[clue], common[clue]
            # Of the cells it reaches, a clue has its own, may not have those taken, must have those that are lonely.
            if reached & (taken | lonely) == own:
                continue
            needed, others = reached & lonely, taken & ~own
            left = [m for m in candidates[clue] if not m & others and m & needed == needed]
            if not left:
                return False
            if len(left) < len(candidates[clue]):
                candidates[clue] = left
                union[clue], common[clue] = reduce(or_, left), reduce(and_, left)
                taken |= common[clue]
                changed = True
        for clue in settled:
            if common[clue] & ~state.free:
                return False
            state.free ^= common[clue]
        if settled:
            done = set(settled)
            state.open = [clue for clue in state.open if clue not in done]
        if not changed:
            return True


def partitions(candidates: Sequence[list[int]], everything: int, budget: Budget) -> Iterator[list[int]]:
    """All ways to choose one candidate for each clue so that they cover ``everything`` and do not overlap.

    Lazily, each once; the masks come in the clues' order. A node is a state that is reasoned about.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    if not all(candidates) or (not candidates and everything):
        return
    waiting = [State.start(candidates, everything)]
    while waiting:
        state = waiting.pop()
        budget.spend()
        if not narrow(state):
            continue
        if not state.open:
            yield [masks[0] for masks in state.candidates]
            continue
        clue = min(state.open, key=lambda k: len(state.candidates[k]))
        waiting.extend(state.suppose(clue, block) for block in reversed(state.candidates[clue]))
