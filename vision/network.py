"""Small networks of one hidden layer: what they say of what is seen, and their weights as they are stored."""

from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Weights = tuple[Floats, Floats, Floats, Floats]
"""``(inputs, hidden)`` and ``(hidden,)`` of the first layer, ``(hidden, classes)`` and ``(classes,)`` of the second."""


def probabilities(seen: Floats, weights: Weights) -> Floats:
    """The network: ``float32 (N, inputs)`` to ``(N, classes)``, 0..1, each row adding up to 1."""
    first, shift, second, offset = weights
    hidden = np.maximum(seen @ first + shift, 0)
    scores = hidden @ second + offset
    scores -= scores.max(axis=1, keepdims=True)
    likely = np.exp(scores)
    return np.asarray(likely / likely.sum(axis=1, keepdims=True), np.float32)


@cache
def stored(file: Path) -> Weights:
    """The weights in a file, an ``.npz`` with ``first``, ``shift``, ``second`` and ``offset``; read once."""
    with np.load(file) as found:
        first, shift, second, offset = (
            found[name].astype(np.float32) for name in ("first", "shift", "second", "offset")
        )
    return first, shift, second, offset
