"""Smooth maps of a plane that are known at some points: thin plate splines [1]_.

Of all maps that come as near to what is known, a thin plate bends least. Between a few knots, not at each point that is
known, a plate is fitted by penalised least squares [2]_.

References:
    .. [1] F. L. Bookstein, "Principal Warps: Thin-Plate Splines and the Decomposition of Deformations", IEEE PAMI
       11(6), 1989.
    .. [2] S. N. Wood, "Thin plate regression splines", Journal of the Royal Statistical Society B 65(1), 2003.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Points = npt.NDArray[np.float64]

AFFINE = 3
"""Terms of the plate that does not bend: one, right, down."""

FEWEST = 6
"""Knots from which on a plate is bent: fewer lie in a line, or nearly."""

TINY = 1e-12
"""Squared distances below which a point lies on a knot."""

RIDGE = 1e-9
"""Part of the mean of the normal equations' diagonal that is added to it."""


@dataclass(frozen=True, eq=False)
class ThinPlate:
    """How points of a plane move.

    Attributes:
        knots: ``float64 (K, 2)``.
        weights: ``float64 (K + 3, 2)``: of the knots, and of one, right and down.
    """

    knots: Points
    weights: Floats

    def at(self, points: Points) -> Points:
        """By how much points ``(N, 2)`` move."""
        return np.asarray(_terms(points, self.knots) @ self.weights)

    def slope(self, points: Points) -> Floats:
        """The derivative of :meth:`at`, ``float64 (N, 2, 2)``: of each axis along each axis."""
        grown = np.log(_squared(points, self.knots)) + 1
        weights = self.weights[:-AFFINE]
        pushed = self.knots[:, :, None] * weights[:, None]
        bent = points[:, :, None] * (grown @ weights)[:, None] - (grown @ pushed.reshape(-1, 4)).reshape(-1, 2, 2)
        return np.asarray(bent.transpose(0, 2, 1) + self.weights[1 - AFFINE :].T)


def fitted(
    points: Points, moved: Points, deviations: npt.NDArray[np.floating], knots: Points, stiffness: float
) -> ThinPlate:
    """The plate by which points ``(N, 2)`` are ``moved``, to within what it costs to bend it.

    Args:
        points: where something is known.
        moved: by how much it moves, ``(N, 2)``.
        deviations: the standard deviation of each, ``(N,)``.
        knots: ``(K, 2)``, with units of length between them.
        stiffness: the weight of the bending energy, against the mean square of what is left over at the knots.
    """
    terms, weight = _terms(points, knots), 1 / np.asarray(deviations, np.float64)[:, None] ** 2
    free = _unbent(knots) if len(knots) >= FEWEST else np.zeros((len(knots), 0))
    onto = np.block([[free, np.zeros((len(knots), AFFINE))], [np.zeros((AFFINE, free.shape[1])), np.eye(AFFINE)]])
    terms = terms @ onto
    normal = terms.T @ (terms * weight)
    energy = free.T @ _bent(knots, knots) @ free
    normal[: len(energy), : len(energy)] += stiffness * weight.sum() / max(1, len(knots)) * energy
    normal += RIDGE * np.trace(normal) / len(normal) * np.eye(len(normal))
    return ThinPlate(knots, onto @ np.linalg.solve(normal, terms.T @ (moved * weight)))


def _unbent(knots: Points) -> Floats:
    """An orthogonal basis ``(K, K - 3)`` of the weights that move no plate which does not bend."""
    return np.asarray(np.linalg.qr(np.column_stack([np.ones(len(knots)), knots]), mode="complete")[0][:, AFFINE:])


def _terms(points: Points, knots: Points) -> Floats:
    return np.column_stack([_bent(points, knots), np.ones(len(points)), points])


def _bent(points: Points, knots: Points) -> Floats:
    """How a plate bends at points ``(N, 2)`` that is pushed at each knot: ``(N, K)``."""
    squared = _squared(points, knots)
    return np.asarray(squared * np.log(squared) / 2)


def _squared(points: Points, knots: Points) -> Floats:
    """Squared distances of points from knots, ``(N, K)``; none is 0."""
    lengths = ((points**2).sum(axis=1)[:, None], (knots**2).sum(axis=1))
    return np.asarray(np.maximum(lengths[0] + lengths[1] - 2 * points @ knots.T, TINY))
