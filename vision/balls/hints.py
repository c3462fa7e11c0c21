"""What a first division of a ball board teaches about the look of its balls and pits.

Makers differ: some join the balls of a piece by necks, printers draw outlines round balls and none round pits, lamps
light balls on the one side and pits on the other. Once most pieces are known by their colours, the board itself shows
which of this holds here, and the cells that colours leave open can be told by it.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solvers.ball_trays import EMPTY, Tray
from vision.balls.looks import Looks
from vision.balls.tells import told
from vision.pictures.medians import median, medians

Floats = npt.NDArray[np.float64]

LEAST_SEEN = 5
"""Cells from which a look is learned: those of a large piece."""

SEEN_JOINED = 0.12
"""Difference of the joints inside pieces to those elsewhere from which balls are seen to be joined. Printed and
moulded boards have 0.15 to 0.8, boards drawn without necks 0."""

LEAST_JOINTS = 3
"""Joints of a kind from which it is learned how they look."""

CLEAR_ENOUGH = 0.2
"""How clear joints must be for others to be judged by them."""

LIGHT_FLOOR = 5.0
"""Added to lightness before shading is compared to it: on black cells it is noise."""

STYLE_SPREAD = 0.04
"""Least spread of the balls' shading, of their lightness."""

CONSTANT_WEIGHT = 3.0
"""Weight of one more ball without any lightness, which holds the constant part of the shading to nothing."""

LOOKS_RAISED = 1.0
"""How much a cell that is shaded like the balls says for itself, while no pits were seen that are shaded otherwise."""

FAR_OFF = 4.0
"""Spreads of the balls' shading from which a cell is shaded otherwise."""


@dataclass(frozen=True, eq=False)
class Hints:
    """What a first division teaches about the look of balls and pits on this board.

    Attributes:
        necks: ``float64 (cells, cells)``, -1 for neighbours that are certainly apart to 1 for certainly joined, 0 where
            there is no telling.
        pits_apart: whether empty pits were seen that are apart: where balls are joined, printed pits may touch.
        pitlike: ``float64 (cells,)``, below 0 for cells that are like the balls here to above 0 for such as are not, in
            their shading, edges and marks; 1 each way where one of these just tells them apart, and more where it is
            surer.
    """

    necks: Floats
    pits_apart: bool
    pitlike: Floats

    @property
    def silent(self) -> bool:
        """Whether there is nothing to be learned."""
        return not self.necks.any() and not self.pitlike.any()


def necks(rows: str, looks: Looks, tray: Tray) -> tuple[Floats, bool]:
    """What the joints between cells say: ``necks`` and ``pits_apart`` of :class:`Hints`."""
    said = np.zeros((len(tray.cells), len(tray.cells)))
    inside: list[float] = []
    between: list[float] = []
    bare: list[float] = []
    for (one, other), joint in looks.joints.items():
        if joint.clear < CLEAR_ENOUGH:
            continue
        if rows[one] != rows[other]:
            between.append(joint.look)
        else:
            (bare if rows[one] == EMPTY else inside).append(joint.look)
    if len(inside) < LEAST_JOINTS:
        return said, False
    joined = median(inside)
    apart = max(median(some) for some in (between, bare) if some) if between or bare else joined
    if joined - apart < SEEN_JOINED:
        return said, False
    for (one, other), joint in looks.joints.items():
        like = np.clip((2 * joint.look - joined - apart) / (joined - apart), -1, 1)
        said[one, other] = said[other, one] = like * joint.clear
    return said, len(bare) >= LEAST_JOINTS


def shaded_like_pits(rows: str, looks: Looks) -> Floats:
    """What the shading of cells says; see :class:`Hints`."""
    is_ball = np.array([letter != EMPTY for letter in rows])
    if is_ball.sum() < LEAST_SEEN:
        return np.zeros(len(looks.shading))
    expected, spread = _usual_shading(looks, is_ball)
    off = (looks.shading - expected) / spread
    if (~is_ball).sum() < LEAST_SEEN:
        strange = np.clip((np.linalg.norm(off, axis=1) - FAR_OFF) / (FAR_OFF / 2), 0, 1)
        if (strange > 0).sum() > 2 * LEAST_SEEN:
            # A few cells unlike all others may be pits; many are the picture's way of drawing balls.
            return np.zeros(len(strange))
        return np.asarray(strange - _raised(expected / spread, off))
    pit = medians(off[~is_ball])
    width = float(np.linalg.norm(pit))
    if width < FAR_OFF:
        return -_raised(expected / spread, off)
    return np.asarray(np.clip(2 * (off @ pit) / width**2 - 1, -1, 1))


def _raised(expected: Floats, off: Floats) -> Floats:
    """How much cells say for themselves that are shaded like the balls, though no pits are known that are not.

    Where a plain surface would be shaded otherwise, looking like the balls says something; pits may, too.
    """
    shaded = np.clip(np.linalg.norm(expected, axis=1) / FAR_OFF - 1, 0, 1)
    alike = np.clip(2 - 2 * np.linalg.norm(off, axis=1) / FAR_OFF, 0, 1)
    return np.asarray(LOOKS_RAISED * shaded * alike)


def _usual_shading(looks: Looks, is_ball: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """How each cell would be shaded if it were a ball, ``(cells, 4)``, and by how much balls differ from that.

    What falls on a surface is thrown back in proportion to its lightness; a printed outline is black whatever it is
    round, so it stands out by the lightness less a constant.
    """
    light = looks.colours[:, 0] + LIGHT_FLOOR
    terms = np.column_stack([light, np.full_like(light, LIGHT_FLOOR)])
    # The constant is held to be nothing unless the balls say otherwise.
    known = np.vstack([terms[is_ball], (0, CONSTANT_WEIGHT * LIGHT_FLOOR)])
    shading = np.vstack([looks.shading[is_ball], np.zeros(looks.shading.shape[1])])
    weights = np.ones(shading.shape)
    for _ in range(5):
        expected = np.column_stack([_weighted(known, shading[:, k], weights[:, k]) for k in range(shading.shape[1])])
        off = np.abs(shading - known @ expected)
        usual = np.maximum(1.5 * medians(off), STYLE_SPREAD * median(light))
        weights = 1 / np.maximum(1, off / usual)
    spread = np.maximum(1.5 * medians(off[:-1]), STYLE_SPREAD * light[:, None])
    return np.asarray(terms @ expected), np.asarray(spread)


def _weighted(terms: Floats, values: Floats, weights: Floats) -> Floats:
    """The least-squares solution with a weight for each row."""
    solution, *_ = np.linalg.lstsq(terms * weights[:, None], values * weights, rcond=None)
    return np.asarray(solution, np.float64)


def hints(rows: str, looks: Looks, tray: Tray) -> Hints:
    """What is learned from a division ``rows``, a letter for each cell of the tray."""
    pitlike = shaded_like_pits(rows, looks) + told(rows, looks).pitlike
    return Hints(*necks(rows, looks, tray), np.asarray(pitlike))
