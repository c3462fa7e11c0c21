"""Which cells of a level carry queens: what the cell reader says of each, and as the prior what its answer says.

A level has one answer, and somebody who plays puts queens where they belong: a mark that may be a queen is likelier one
where the answer has one. What is neither surely a queen nor surely nothing is a doubt, but for a likely queen where the
answer has one. A queen is seen as one where it stands upright, and little else tells the top of a board: it is looked
at each way up.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from vision.cells.reader import MARKS, NOTHING, WHY, Mark
from vision.reading import Doubt

Floats = npt.NDArray[np.floating]

QUEEN, NO_QUEEN, OTHER = range(3)
"""What may stand on a cell: a queen, nothing or a player's note, something that the game does not have."""

AS_QUEEN: Mapping[Mark, float] = {"queen": 0.9, "piece": 0.04, "something else": 0.02}
"""How likely a queen is taken for a mark; crowns, stars and trees are queens. The rest is shared out among all."""

MISPLACED = 0.01
"""Prior of a queen where the only answer has none."""

FOREIGN, OF_ANOTHER_GAME = 0.001, 0.01
"""Priors of something that the game does not have: on a cell of a level, and of a board with not just one answer."""

UPRIGHT = 0.5
"""How many queens more must be seen on a picture that is turned than on it as it lies."""

ROUNDS = 5
"""Of estimating how many of the answer's queens stand there from the posteriors, and these from how many."""

SURE = 0.9
"""Posterior from which on a state is taken for what is there."""


@dataclass(frozen=True, eq=False)
class Placed:
    """What stands on a level.

    Attributes:
        queens: where queens stand.
        doubts: cells of which it is not sure.
        others: cells on which something stands that the game does not have.
    """

    queens: frozenset[Cell]
    doubts: tuple[Doubt, ...]
    others: frozenset[Cell]


def placed(views: Floats, answer: Collection[Cell], given: Mapping[Cell, str]) -> Placed:
    """What stands on a level.

    Args:
        views: what the cell reader says with the picture turned each way, ``(4, rows, cols, marks)``, see
            :func:`vision.cells.reader.read_turned`.
        answer: the only answer of the regions; empty where they have none or several.
        given: what somebody said of cells: ``Q`` where a queen stands, anything else where none does.
    """
    _, rows, cols, _ = views.shape
    by_turn = views[..., MARKS.index("queen")].sum(axis=(1, 2))
    by_turn[0] += UPRIGHT
    likely = views[by_turn.argmax()]
    posterior = _posterior(likely, answer)
    states = posterior.argmax(axis=-1)
    queens, others, doubts = set(), set(), []
    for cell in np.ndindex(rows, cols):
        if cell in given:
            queens |= {cell} if given[cell] == "Q" else set()
            continue
        state = int(states[cell])
        chance = float(posterior[cell][state])
        if state == OTHER:
            others.add(cell)
            doubts.append(Doubt(cell, MARKS[int(likely[cell].argmax())], chance, WHY))
            continue
        queens |= {cell} if state == QUEEN else set()
        if chance < SURE and not (state == QUEEN and cell in answer):
            doubts.append(Doubt(cell, "queen" if state == QUEEN else "empty", chance, "a queen may stand there"))
    return Placed(frozenset(queens), tuple(doubts), frozenset(others))


def _posterior(likely: Floats, answer: Collection[Cell]) -> Floats:
    """The probability of each state on each cell, ``(rows, cols, 3)``.

    How many queens the player has placed is not known: it is estimated with the posteriors, by expectation
    maximisation.
    """
    likelihoods = likely.astype(np.float64) @ _likelihoods()
    rows, cols = likelihoods.shape[:2]
    own = np.zeros((rows, cols), dtype=bool)
    for cell in answer or np.ndindex(rows, cols):
        own[cell] = True
    share = 1 / 2 if answer else 1 / (2 * rows)
    foreign = FOREIGN if answer else OF_ANOTHER_GAME
    for _ in range(ROUNDS):
        queen = np.where(own, share, MISPLACED)
        joint = likelihoods * np.stack([queen, 1 - foreign - queen, np.full_like(queen, foreign)], axis=-1)
        posterior = np.asarray(joint / joint.sum(axis=-1, keepdims=True))
        share = float(posterior[own, QUEEN].sum() + 1 / 2) / (np.count_nonzero(own) + 1)
    return posterior


def _likelihoods() -> Floats:
    """How likely the reader calls each state by each mark, ``(marks, 3)``."""
    likely = np.zeros((len(MARKS), 3))
    likely[:, QUEEN] = (1 - sum(AS_QUEEN.values())) / len(MARKS)
    for mark, share in AS_QUEEN.items():
        likely[MARKS.index(mark), QUEEN] += share
    nothing = [MARKS.index(mark) for mark in NOTHING]
    likely[nothing, NO_QUEEN] = 1 / len(nothing)
    others = [k for k, mark in enumerate(MARKS) if mark not in (*NOTHING, "queen")]
    likely[others, OTHER] = 1 / len(others)
    return likely
