"""What is known of a ball board while it is read."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from solvers.ball_trays import LETTERS, Tray
from vision.balls.evidence import Evidence, shaded_like_pits, strongest
from vision.balls.looks import Looks
from vision.balls.pieces import Division
from vision.pictures.photo import Photo

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Board:
    """What is known of a board while it is read."""

    photo: Photo
    tray: Tray
    looks: Looks
    division: Division
    rows: list[str]
    roundness: Floats

    def cells(self, letter: str) -> list[int]:
        """The numbers of the cells that carry a letter."""
        return [k for k, other in enumerate(self.rows) if other == letter]

    @cached_property
    def evidence(self) -> Evidence:
        """What tells balls from pits most, by the division."""
        return strongest(self.division.rows, self.looks)

    @cached_property
    def shaded(self) -> Floats:
        """How much each cell is shaded as pits are, by the division; see :class:`vision.balls.evidence.Learned`."""
        return shaded_like_pits(self.division.rows, self.looks)

    @property
    def letters(self) -> list[str]:
        """The pieces that lie on the board."""
        return sorted(set(self.rows) & set(LETTERS))
