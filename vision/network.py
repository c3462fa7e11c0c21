"""Small networks: convolutional ones, which OpenCV runs, and those of one hidden layer."""

from functools import cache
from pathlib import Path
from threading import Lock

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.medians import medians

Floats = npt.NDArray[np.float32]
Weights = tuple[Floats, Floats, Floats, Floats]
"""``(inputs, hidden)`` and ``(hidden,)`` of the first layer, ``(hidden, classes)`` and ``(classes,)`` of the second."""


CONTRAST = 10.0
"""Grey levels about which contrasts are compressed: fainter ones count as they are, stronger ones less and less."""

SPARSE = 4
"""Pixels from one to the next of which a median colour is taken."""


def contrasts(bgr: npt.NDArray[np.uint8], ground: npt.NDArray[np.floating]) -> Floats:
    """How far colours ``(H, W, 3)`` are off the colour ``ground``, compressed: ``float32 (H, W, 3)``."""
    table = np.arcsinh((np.arange(256)[:, None] - ground) / CONTRAST) / 2
    return np.asarray(cv2.LUT(bgr, table.astype(np.float32)[None]), dtype=np.float32)


def ground_of(bgr: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """The median colour of a picture ``(H, W, 3)``: ``float64 (3,)``."""
    return np.asarray(medians(bgr[::SPARSE, ::SPARSE].reshape(-1, 3)), np.float64)


def picture_input(bgr: npt.NDArray[np.uint8], ground: npt.NDArray[np.floating], stride: int) -> Floats:
    """What a network of pictures is given, ``float32 (1, 3, H, W)``: compressed contrasts to ``ground``.

    The sides are filled up to multiples of ``stride``.
    """
    more = [-length % stride for length in bgr.shape[:2]]
    filled = cv2.copyMakeBorder(bgr, 0, more[0], 0, more[1], cv2.BORDER_REPLICATE)
    return np.asarray(contrasts(np.asarray(filled, np.uint8), ground).transpose(2, 0, 1)[None], dtype=np.float32)


TOGETHER = 32
"""Inputs that a network is given at once: more of them need more memory and no less time."""


class Convolutional:
    """A network in an ONNX file, loaded when it is first asked.

    OpenCV keeps within a network what it computes last, so that threads have to ask it one after the other.
    """

    def __init__(self, file: Path) -> None:
        """The network in ``file``."""
        self._file = file
        self._lock = Lock()
        self._network: cv2.dnn.Net | None = None

    def __call__(self, inputs: Floats) -> Floats:
        """Its only output for its only input, ``float32 (N, channels, H, W)``."""
        with self._lock:
            if self._network is None:
                self._network = cv2.dnn.readNetFromONNX(str(self._file))
            outputs = []
            for first in range(0, len(inputs), TOGETHER):
                self._network.setInput(inputs[first : first + TOGETHER])
                outputs.append(np.array(self._network.forward(), np.float32))
            return np.concatenate(outputs)


def softmax(scores: Floats) -> Floats:
    """Probabilities ``float32 (N, classes)``, each row adding up to 1, of scores of the same shape."""
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=1, keepdims=True), np.float32)


def probabilities(inputs: Floats, weights: Weights) -> Floats:
    """A network of one hidden layer: ``float32 (N, inputs)`` to ``(N, classes)``, 0..1, each row adding up to 1."""
    first, shift, second, offset = weights
    return softmax(np.maximum(inputs @ first + shift, 0) @ second + offset)


@cache
def stored(file: Path) -> Weights:
    """The weights in a file, an ``.npz`` with ``first``, ``shift``, ``second`` and ``offset``; read once."""
    with np.load(file) as found:
        first, shift, second, offset = (
            found[name].astype(np.float32) for name in ("first", "shift", "second", "offset")
        )
    return first, shift, second, offset
