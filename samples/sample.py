"""A drawn picture and what stands on it."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.photo import Picture

PointMap = Callable[[npt.ArrayLike], npt.NDArray[np.float64]]
"""Takes points ``(N, 2)`` of one picture to another picture, ``float64 (N, 2)``."""

POINT_LISTS = ("corners",)
"""Truth fields that are lists of ``[x, y]`` in pixels."""

POINT_TABLES = ("cell_centers", "mesh")
"""Truth fields that map a name to ``[x, y]`` or to a list of them, in pixels."""


INK = 8
"""The bit of a part that says that a number stands there, on whatever surface."""


@dataclass(frozen=True, eq=False)
class Sample:
    """A picture with its truth.

    Attributes:
        picture: ``uint8 (H, W, 3)`` BGR.
        truth: the fields of the labels that ``score`` reads: ``kind``, the puzzle's own, and ``corners`` in pixels of
            ``picture`` (pixel centres are whole numbers).
        quality: JPEG quality to save with; None saves as PNG.
        parts: ``uint8 (H, W)``, which of :data:`vision.clues.cloth.SURFACES` each pixel shows, where that is known,
            plus :data:`INK` where a number stands on it.
    """

    picture: Picture
    truth: dict[str, Any] = field(default_factory=dict)
    quality: int | None = None
    parts: Picture | None = None

    def moved(self, picture: Picture, to_new: PointMap, quality: int | None = None) -> "Sample":
        """The same board on another picture; ``to_new`` takes the points of this one there."""
        truth = dict(self.truth)
        for name in POINT_LISTS:
            if name in truth:
                truth[name] = _rounded(to_new(truth[name]))
        for name in POINT_TABLES:
            if name in truth:
                truth[name] = {key: _moved(points, to_new) for key, points in truth[name].items()}
        return replace(self, picture=picture, truth=truth, quality=quality or self.quality, parts=None)

    def save(self, folder: Path, name: str) -> Path:
        """Write the picture and its truth as ``name.png`` or ``.jpg`` and ``name.json``; returns the picture's path."""
        folder.mkdir(parents=True, exist_ok=True)
        suffix, options = (".png", [cv2.IMWRITE_PNG_COMPRESSION, 9])
        if self.quality is not None:
            suffix, options = (".jpg", [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        target = folder / (name + suffix)
        target.write_bytes(cv2.imencode(suffix, self.picture, options)[1].tobytes())
        truth = {**self.truth, "image": target.name}
        (folder / f"{name}.json").write_text(json.dumps(truth) + "\n", encoding="utf-8")
        return target


def _moved(points: Any, to_new: PointMap) -> list[Any]:
    array = np.asarray(points, dtype=np.float64)
    moved = _rounded(to_new(array.reshape(-1, 2)))
    return moved[0] if array.ndim == 1 else moved


def _rounded(points: npt.NDArray[np.float64]) -> list[Any]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in points]
