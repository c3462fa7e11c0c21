"""Does a cell show the queen that other cells show? All queens of a picture are drawn alike, whatever they look like.

One that is hard to tell by herself is told beside those that are plain: a tree of nearly its cell's colour, a crown of
which a handle covers a part, one that touches the border of her cell. The cells that show a mark plainly say of each
pixel how much of the cell's own colour shows there, as on grounds of several colours one sees through a window pane; so
it is known what any other cell would look like with that mark. It stands there where that explains most of what is
seen, and the marks of cells without a queen do not explain as much.

Brightness and colour are looked at apart, for compression smears colours twice as far: the edge of a mark may be sharp
in the one and washed out in the other.
"""

from collections.abc import Collection, Iterator
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from vision.regions.crowns import mark_masks
from vision.regions.looks import RIM, Looks

Floats = npt.NDArray[np.float64]

PERCENT = 100
"""Brightness of white: thresholds are parts of it, and one is just visible as in CIELAB."""

NOISE = 2.0
"""What compression changes a pixel by, of :data:`PERCENT`; grounds that differ by less do not tell what shows through a
mark."""

SOMETHING_ELSE = 15.0
"""What differs so far from a cell with the mark and from the empty one as well, of :data:`PERCENT`, lies over both."""

SHIFT = 0.05
"""How far a mark may stand from where it stands in other cells, in cells: a grid may be a few hundredths off."""

EXPLAINED = 0.5
"""Part of what a cell differs from an empty one that a mark explains, at least: of empty cells none does, of plain
queens 0.9, of trees on green in a poor JPEG 0.58. Heavy crosses reach 0.57 too, but crosses explain more of them."""

LEFT = 0.4
"""Part of a mark that must be seen beside what lies over it."""


class Shown:
    """What the cells of a board show, beside each other.

    Attributes:
        marked: the cells that show any mark.
    """

    def __init__(self, looks: Looks) -> None:
        """Look at the board once."""
        self.marked = {cell for cell, mask in mark_masks(looks).items() if mask.any()}
        self._side = looks.side
        self._pixels, self._grounds = _apart(looks.lab), _apart(looks.colours)
        rim = round(RIM * looks.side)
        self._inner = slice(rim, looks.side - rim)

    def same(self, cell: Cell, queens: Collection[Cell], others: Collection[Cell]) -> bool:
        """Whether a cell shows the mark of ``queens``, and not as well one that ``others`` show."""
        share = self.explained(cell, queens)
        return share >= EXPLAINED and share > self.explained(cell, others)

    def explained(self, cell: Cell, like: Collection[Cell]) -> float:
        """What part of what a cell differs from an empty one it is explained by that it shows the mark of ``like``.

        Negative where it looks less like that than like an empty one, endlessly so where too little is seen of it or
        none of ``like`` shows a mark. Where marks are dark on light cells and light on dark ones, those on the cells of
        the most alike colours tell better.
        """
        ground = self._grounds[cell]
        off = {other: float(np.linalg.norm(self._grounds[other] - ground)) for other in self.marked.intersection(like)}
        nearest = sorted(off, key=off.__getitem__)
        counts = {1, (len(nearest) + 1) // 2, len(nearest)} if nearest else set()
        return max((self._explained(cell, nearest[:count]) for count in counts), default=-np.inf)

    def _explained(self, cell: Cell, like: Collection[Cell]) -> float:
        ground = self._grounds[cell]
        mark = self._with_mark(ground, like) - ground
        seen = self._cell(cell)[self._inner, self._inner] - ground
        empty = (seen**2).sum(axis=-1)
        best = -np.inf
        for part in self._shifted():
            apart, rest = (mark[part] ** 2).sum(axis=-1), ((seen - mark[part]) ** 2).sum(axis=-1)
            known = np.minimum(rest, empty) < SOMETHING_ELSE**2
            if apart[known].sum() >= LEFT * apart.sum():
                best = max(best, 1 - float(rest[known].sum()) / max(float(empty[known].sum()), NOISE))
        return best

    def _with_mark(self, ground: Floats, like: Collection[Cell]) -> Floats:
        """What a cell of this colour looks like with the mark of other cells: ``float64 (side, side, 3)``.

        How much of the ground shows through is a regression on theirs. Where their grounds are alike it is what is seen
        of one of them: all of it where they look like their ground, else nothing.
        """
        grounds = np.array([self._grounds[cell] for cell in like])
        pixels = np.array([self._cell(cell) for cell in like])
        usual = np.abs(pixels - grounds[:, None, None]).max(axis=-1).mean(axis=0)
        assumed = (usual < SOMETHING_ELSE / 2)[..., None]
        off, weight = grounds - grounds.mean(axis=0), len(like) * NOISE**2
        seen = np.einsum("kc,kijc->ijc", off, pixels - pixels.mean(axis=0))
        through = np.clip((seen + weight * assumed) / ((off**2).sum(axis=0) + weight), 0, 1)
        return np.asarray(pixels.mean(axis=0) + through * (ground - grounds.mean(axis=0)), dtype=np.float64)

    def _cell(self, cell: Cell) -> Floats:
        (top, left), side = (end * self._side for end in cell), self._side
        return self._pixels[top : top + side, left : left + side]

    def _shifted(self) -> Iterator[tuple[slice, slice]]:
        """The inner part of a cell, and the same a little beside it."""
        most = round(SHIFT * self._side)
        for by in product(range(-most, most + 1), repeat=2):
            down, right = (slice(self._inner.start + way, self._inner.stop + way) for way in by)
            yield down, right


def _apart(lab: npt.NDArray[np.float32]) -> Floats:
    """CIELAB colours ``(rows, cols, 3)`` as brightness and two colours, the first 0..:data:`PERCENT`."""
    bgr = cv2.cvtColor(np.ascontiguousarray(lab), cv2.COLOR_LAB2BGR)
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2YCrCb), dtype=np.float64) * PERCENT
