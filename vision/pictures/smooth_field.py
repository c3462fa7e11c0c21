"""A smooth field over a picture that is known at some points: its mean and its uncertainty anywhere, by a Gaussian
process [1]_.

References:
    .. [1] C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine Learning", MIT Press 2006, algorithm
       2.1.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.pictures.placement import Points

Floats = npt.NDArray[np.float64]

SCALE = 1.5
"""Length scale, in units; it is tried, and twice as much: that of the larger marginal likelihood is taken."""

NOISE = 0.04
"""Standard deviation of what is known, in units of the field."""


@dataclass(frozen=True, eq=False)
class Field:
    """A plane and what is added to it, whose covariance falls with the distance as a bell curve.

    Attributes:
        known: ``float64 (N, 2)``, points in units of length.
        plane: ``float64 (3,)``, what the field is at the origin, and its slopes.
        variance: of what is added.
        log_likelihood: the marginal one of what is known, but for a constant times N.
        scale: of the covariance, in units of length.
        whitening: ``float64 (N, N)``, the inverse of the Cholesky factor of the covariance of what is known.
        weights: ``float64 (N,)``, the covariance's inverse times what is added to the plane.
    """

    known: Points
    plane: Floats
    variance: float
    log_likelihood: float
    scale: float
    whitening: Floats
    weights: Floats

    def at(self, points: Points) -> tuple[Floats, Floats]:
        """The mean and the standard deviation at points ``(M, 2)``, ``(M,)`` each."""
        cross = self.variance * _covariance(points, self.known, self.scale)
        spread = self.variance - ((self.whitening @ cross.T) ** 2).sum(axis=0)
        return _plane(points) @ self.plane + cross @ self.weights, np.sqrt(np.maximum(spread, 0))


def fitted(points: Points, values: Floats) -> Field:
    """The field with these values at points ``float64 (N, 2)`` in units of length."""
    plane = np.asarray(np.linalg.lstsq(_plane(points), values, rcond=None)[0], np.float64)
    rest = values - _plane(points) @ plane
    variance = max(float(np.mean(rest**2)), NOISE**2)
    tried = (_with_scale(points, rest, variance, scale) for scale in (SCALE, 2 * SCALE))
    likeliest = max(tried, key=lambda found: found[0])
    return Field(points, plane, variance, *likeliest)


def _with_scale(points: Points, rest: Floats, variance: float, scale: float) -> tuple[float, float, Floats, Floats]:
    """The log marginal likelihood, the scale, the inverse of the Cholesky factor, and the weights."""
    covariance = variance * _covariance(points, points, scale) + NOISE**2 * np.eye(len(points))
    whitening = np.asarray(np.linalg.inv(np.linalg.cholesky(covariance)), np.float64)
    weights = whitening.T @ (whitening @ rest)
    return float(-rest @ weights / 2 + np.log(np.diag(whitening)).sum()), scale, whitening, weights


def _plane(points: Points) -> Floats:
    return np.column_stack([np.ones(len(points)), points])


def _covariance(one: Points, other: Points, scale: float) -> Floats:
    return np.asarray(np.exp(-((one[:, None] - other[None]) ** 2).sum(axis=-1) / (2 * scale**2)))
