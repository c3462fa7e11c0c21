"""What a first division of a ball board teaches about the look of its balls and pits.

Makers differ: some join the balls of a piece by necks, printers draw outlines round balls and none round pits, lamps
light balls on the one side and pits on the other. Once most pieces are known by their colours, the board itself shows
which of this holds here, and the cells that colours leave open can be told by it.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solvers.balls import EMPTY, Tray
from vision.balls.looks import Looks

Floats = npt.NDArray[np.float64]

LEAST_SEEN = 5
"""Cells from which a look is learned: those of a large piece."""

SEEN_JOINED = 0.12
"""Difference of the joints inside pieces to those elsewhere from which balls are seen to be joined. Printed and
moulded boards have 0.15 to 0.8, boards drawn without necks 0."""

LIGHT_FLOOR = 5.0
"""Added to lightness before shading is compared to it: on black cells it is noise."""

STYLE_SPREAD = 0.04
"""Least spread of the balls' shading, of their lightness."""

FAR_OFF = 4.0
"""Spreads of the balls' shading from which a cell is shaded otherwise."""


@dataclass(frozen=True, eq=False)
class Hints:
    """What a first division teaches about the look of balls and pits on this board.

    Attributes:
        necks: ``float64 (cells, cells)``, -1 for neighbours that are certainly apart to 1 for certainly joined, 0 where
            there is no telling.
        pitlike: ``float64 (cells,)``, -1 for cells shaded like the balls here to 1 for such as are shaded otherwise.
    """

    necks: Floats
    pitlike: Floats

    @property
    def silent(self) -> bool:
        """Whether there is nothing to be learned."""
        return not self.necks.any() and not self.pitlike.any()


def necks(rows: str, looks: Looks, tray: Tray) -> Floats:
    """What the joints between cells say; see :class:`Hints`."""
    said = np.zeros((len(tray.cells), len(tray.cells)))
    inside: list[float] = []
    between: list[float] = []
    bare: list[float] = []
    for (one, other), joint in looks.joints.items():
        if rows[one] != rows[other]:
            between.append(joint)
        else:
            (bare if rows[one] == EMPTY else inside).append(joint)
    if len(inside) < 3:
        return said
    joined = float(np.median(inside))
    apart = max(float(np.median(some)) for some in (between, bare) if some) if between or bare else joined
    if joined - apart < SEEN_JOINED:
        return said
    for (one, other), joint in looks.joints.items():
        said[one, other] = said[other, one] = np.clip((2 * joint - joined - apart) / (joined - apart), -1, 1)
    return said


def pitlike(rows: str, looks: Looks) -> Floats:
    """What the shading of cells says; see :class:`Hints`."""
    # What falls on a surface is thrown back in proportion to its lightness, and so is what an outline takes away.
    shading = looks.shading / (looks.colours[:, :1] + LIGHT_FLOOR)
    is_ball = np.array([letter != EMPTY for letter in rows])
    if is_ball.sum() < LEAST_SEEN:
        return np.zeros(len(shading))
    ball = np.median(shading[is_ball], axis=0)
    spread = np.maximum(1.5 * np.median(np.abs(shading[is_ball] - ball), axis=0), STYLE_SPREAD)
    off = (shading - ball) / spread
    if (~is_ball).sum() < LEAST_SEEN:
        strange = np.clip((np.linalg.norm(off, axis=1) - FAR_OFF) / (FAR_OFF / 2), 0, 1)
        # A few cells unlike all others may be pits; many are the picture's way of drawing balls.
        return np.asarray(strange) if (strange > 0).sum() <= 2 * LEAST_SEEN else np.zeros(len(strange))
    pit = np.median(off[~is_ball], axis=0)
    width = float(np.linalg.norm(pit))
    if width < FAR_OFF:
        return np.zeros(len(shading))
    return np.asarray(np.clip(2 * (off @ pit) / width**2 - 1, -1, 1))


def hints(rows: str, looks: Looks, tray: Tray) -> Hints:
    """What is learned from a division ``rows``, a letter for each cell of the tray."""
    return Hints(necks(rows, looks, tray), pitlike(rows, looks))
