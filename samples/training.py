"""Training the small networks of :mod:`vision.network`, in NumPy."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.network import Floats, Weights

Truth = npt.NDArray[np.int64]

SOFT = np.float32(0.02)
"""This part of each label is shared out among all classes: a network that was never told to be sure seldom is without
reason."""

DROPPED = np.float32(0.15)
"""Part of the hidden units that are left out of a step at random."""

DECAY = np.float32(1e-4)
"""How strongly weights are pulled to zero."""

BATCH = 128


def train(
    examples: Floats,
    truth: Truth,
    hidden: int,
    rng: np.random.Generator,
    *,
    epochs: int = 30,
    varied: Callable[[Floats, np.random.Generator], Floats] | None = None,
) -> Weights:
    """Fit a network by Adam [1] on cross entropy with softened labels, some hidden units left out at random.

    Args:
        examples: ``float32 (N, inputs)``.
        truth: the classes, ``(N,)``.
        hidden: units of the hidden layer.
        rng: decides everything.
        epochs: how often every example is shown.
        varied: what becomes of a batch each time it is shown.

    References:
        1. D. P. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015.
    """
    inputs, classes = examples.shape[1], int(truth.max()) + 1
    weights = [
        rng.normal(0, np.sqrt(2 / inputs), (inputs, hidden)).astype(np.float32),
        np.zeros(hidden, np.float32),
        rng.normal(0, np.sqrt(2 / hidden), (hidden, classes)).astype(np.float32),
        np.zeros(classes, np.float32),
    ]
    mean, square = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    for step, (rate, batch) in enumerate(_steps(len(examples), epochs, rng), 1):
        shown = examples[batch] if varied is None else varied(examples[batch], rng)
        for k, slope in enumerate(_slopes(weights, shown, truth[batch], rng)):
            mean[k] = np.float32(0.9) * mean[k] + np.float32(0.1) * slope
            square[k] = np.float32(0.999) * square[k] + np.float32(0.001) * slope**2
            spread = np.sqrt(square[k] / np.float32(1 - 0.999**step)) + np.float32(1e-8)
            weights[k] -= rate * mean[k] / np.float32(1 - 0.9**step) / spread
    first, shift, second, offset = weights
    return first, shift, second, offset


def _steps(count: int, epochs: int, rng: np.random.Generator) -> Iterator[tuple[np.float32, npt.NDArray[np.int64]]]:
    """The rate of each step, which falls along half a cosine, and its examples."""
    for epoch in range(epochs):
        rate = np.float32(1e-3 * (1 + np.cos(np.pi * epoch / epochs)) + 2e-5)
        for batch in np.array_split(rng.permutation(count), max(1, count // BATCH)):
            yield rate, batch


def _slopes(weights: list[Floats], examples: Floats, truth: Truth, rng: np.random.Generator) -> list[Floats]:
    """The gradient of the loss for one batch, in the order of the weights."""
    first, shift, second, offset = weights
    before = examples @ first + shift
    kept = (rng.random(before.shape, np.float32) > DROPPED) / (1 - DROPPED)
    hidden = np.maximum(before, 0) * kept
    scores = hidden @ second + offset
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    wanted = np.full_like(likely, SOFT / len(offset))
    wanted[np.arange(len(truth)), truth] += 1 - SOFT
    error = (likely - wanted) / np.float32(len(truth))
    back = (error @ second.T) * kept * (before > 0)
    return [examples.T @ back + DECAY * first, back.sum(axis=0), hidden.T @ error + DECAY * second, error.sum(axis=0)]


def report(likely: Floats, truth: Truth) -> str:
    """How well a network does on examples that it was not trained on."""
    right, sure = likely.argmax(axis=1) == truth, likely.max(axis=1) > 0.95
    return f"{right.mean():.4f} right, {right[sure].mean():.4f} of the {sure.mean():.2f} that it is sure of"


def write(file: Path, weights: Weights) -> None:
    """Store weights as :func:`vision.network.stored` reads them."""
    names = ("first", "shift", "second", "offset")
    np.savez_compressed(
        file, allow_pickle=False, **{name: w.astype(np.float16) for name, w in zip(names, weights, strict=True)}
    )
