"""Medians and percentiles of a few values, quickly.

``numpy.median`` and ``numpy.percentile`` prepare for masked arrays, several axes and missing values: on the few hundred
values that a shape in a cell has that takes several times as long as the median does, and the first call loads a good
part of NumPy that nothing else needs.
"""

from typing import Any

import numpy as np
import numpy.typing as npt


def median(values: npt.ArrayLike) -> float:
    """The median of all values, none of them missing."""
    return float(medians(np.asarray(values).ravel()))


def percentile(values: npt.ArrayLike, share: float) -> float:
    """The value below which ``share`` per cent of all values lie, interpolated as NumPy does by default."""
    return float(percentiles(np.asarray(values, dtype=np.float64).ravel(), share))


def percentiles(values: npt.NDArray[np.floating[Any]], share: float, axis: int = 0) -> npt.NDArray[Any]:
    """The same along an axis."""
    place = share / 100 * (values.shape[axis] - 1)
    below = int(place)
    above = min(below + 1, values.shape[axis] - 1)
    ordered = np.partition(values, (below, above), axis)
    lower, upper = ordered.take(below, axis), ordered.take(above, axis)
    return np.asarray(lower + (upper - lower) * (place - below))


def medians(values: npt.NDArray[Any], axis: int = 0) -> npt.NDArray[Any]:
    """The medians along an axis; of no values they are not numbers."""
    count = values.shape[axis]
    if not count:
        return np.full(values.sum(axis).shape, np.nan)
    upper = count // 2
    if count % 2:
        return np.asarray(np.partition(values, upper, axis).take(upper, axis) / 1)  # of integers, too, a fraction
    ordered = np.partition(values, (upper - 1, upper), axis)
    return np.asarray(ordered.take(upper - 1, axis) / 2 + ordered.take(upper, axis) / 2)


def weighted_median(values: npt.NDArray[Any], weights: npt.NDArray[Any]) -> float:
    """The least value up to which there is half of the weight."""
    order = np.argsort(values)
    cumulated = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(cumulated, cumulated[-1] / 2)]])


def known_medians(values: npt.NDArray[np.floating[Any]], axis: int = 0) -> npt.NDArray[np.float64]:
    """The medians along an axis of those values that are numbers; where none is, it is not a number either."""
    count = np.count_nonzero(~np.isnan(values), axis=axis, keepdims=True)
    ordered = np.sort(values, axis)  # what is not a number comes last
    lower, upper = (np.take_along_axis(ordered, at, axis) for at in (np.maximum(count - 1, 0) // 2, count // 2))
    return np.asarray((lower / 2 + upper / 2).squeeze(axis), dtype=np.float64)
