"""What happens to a screen before its picture reaches us: cropped, filtered, faded, resized, sent on as JPEG."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from samples.sample import Sample
from vision.pictures.photo import Picture
from vision.pictures.placement import FlatPlacement

LEAST_CELL_PX = 18
"""No capture is resized below cells of this size: people could not play on them."""


@dataclass(frozen=True)
class Capture:
    """How a screen was captured.

    Attributes:
        around: what is kept round the board (left, top, right, bottom), of its width; None keeps the whole screen.
        gains: of blue, green and red, as a night mode or a filter has them.
        gamma: exponent on grey values, 1 for none.
        fade: how much darker the upper and lower edge are, as in a film that begins, 0..1.
        scale: of the picture that was sent on.
        quality: of the JPEG, 1..100; None for PNG.
    """

    around: tuple[float, float, float, float] | None = None
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0)
    gamma: float = 1.0
    fade: float = 0.0
    scale: float = 1.0
    quality: int | None = None


def random_capture(rng: np.random.Generator) -> Capture:
    """As people send them: most are plain, each fault is met now and then."""
    around = None
    if rng.random() < 0.35:
        # Cut out by hand with some room, or along the frame itself.
        most = float(rng.choice([0.012, 0.05, 0.3]))
        left, top, right, bottom = (float(v) for v in rng.uniform(0.003, most, 4))
        around = (left, top, right, bottom)
    tinted = rng.random() < 0.25
    return Capture(
        around,
        gains=(float(rng.uniform(0.7, 1)), float(rng.uniform(0.9, 1)), 1.0) if tinted else (1.0, 1.0, 1.0),
        gamma=float(rng.uniform(0.65, 1.5)) if rng.random() < 0.2 else 1.0,
        fade=float(rng.uniform(0.1, 0.5)) if rng.random() < 0.1 else 0.0,
        scale=float(rng.uniform(0.4, 1.4)) if rng.random() < 0.5 else 1.0,
        quality=int(rng.integers(40, 96)) if rng.random() < 0.5 else None,
    )


def captured(sample: Sample, capture: Capture, cells: int) -> Sample:
    """``sample``, a board of ``cells`` cells from side to side, as it was captured."""
    corners = np.asarray(sample.truth["corners"], dtype=np.float64)
    wide = float(np.linalg.norm(corners[1] - corners[0]))
    left, top, right, bottom = _kept(sample.picture, corners, wide, capture.around)
    toned = _toned(sample.picture[top:bottom, left:right], capture)
    scale = max(capture.scale, min(1.0, LEAST_CELL_PX * cells / wide))
    size_wh = (round(toned.shape[1] * scale), round(toned.shape[0] * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    resized = toned if scale == 1 else np.asarray(cv2.resize(toned, size_wh, interpolation=way), np.uint8)

    def moved(points: npt.ArrayLike) -> npt.NDArray[np.float64]:
        return (np.asarray(points, np.float64) - (left, top) + 0.5) * scale - 0.5

    return sample.moved(_compressed(resized, capture.quality), moved, capture.quality)


def cut_off(rng: np.random.Generator, sample: Sample, shown: tuple[float, float] = (0.08, 0.45)) -> Sample:
    """A straight board of which the picture shows not all: its edge runs through cells of one or two of its sides.

    More than half of a row or column is beyond the edge at each, so that what stands there is not seen, and some of it
    is seen. What is left is no puzzle: the truth is of kind "other". Screens and photos alike.

    Args:
        rng: decides where.
        sample: the board.
        shown: the least and the most share of the cells at the edge that is seen; below 0 the edge runs within the
            cells before.
    """
    truth = sample.truth
    table = truth.get("clues") or truth["regions"]
    flat = FlatPlacement.from_corners(truth["corners"], (len(table[0]), len(table)))
    cells = np.array([(c, r) for r, row in enumerate(table) for c, what in enumerate(row) if what is not None])
    height, width = sample.picture.shape[:2]
    box = [0, 0, width, height]
    for way in rng.permutation(4)[: 1 if rng.random() < 0.7 else 2]:
        axis, sign = int(way) % 2, 1 if way >= 2 else -1
        # How far each cell reaches towards that side, and where its near side lies.
        corners = cells[:, None] + np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
        reach = sign * flat.to_photo(corners.reshape(-1, 2)).reshape(-1, 4, 2)[..., axis]
        order = np.sort(reach.max(axis=1))
        outermost = order[-1 - int(rng.integers(max(1, len(order) // 4)))]
        inner = reach.min(axis=1)[np.abs(reach.max(axis=1) - outermost).argmin()]
        edge = sign * round(float(inner + (outermost - inner) * rng.uniform(*shown)))
        box[int(way)] = max(box[int(way)], edge) if sign < 0 else min(box[int(way)], edge)
    left, top, right, bottom = box
    part = np.ascontiguousarray(sample.picture[top:bottom, left:right])
    moved = sample.moved(part, lambda points: np.asarray(points, np.float64) - (left, top))
    return replace(moved, truth={**moved.truth, "kind": "other"})


def _kept(
    picture: Picture, corners: npt.NDArray[np.float64], wide: float, around: tuple[float, float, float, float] | None
) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of what is kept, in pixels."""
    height, width = picture.shape[:2]
    if around is None:
        return 0, 0, width, height
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    left, top, right, bottom = (part * wide for part in around)
    kept = (max(0, x0 - left), max(0, y0 - top), min(width, x1 + right + 1), min(height, y1 + bottom + 1))
    return round(kept[0]), round(kept[1]), round(kept[2]), round(kept[3])


def _toned(picture: Picture, capture: Capture) -> Picture:
    """The picture with the capture's colours."""
    gray = (np.arange(256) / 255) ** capture.gamma * 255
    shades = np.stack([np.clip(gray * gain, 0, 255).round().astype(np.uint8) for gain in capture.gains], axis=-1)
    toned = np.asarray(cv2.LUT(np.ascontiguousarray(picture), shades.reshape(256, 1, 3)), dtype=np.uint8)
    if capture.fade == 0:
        return toned
    down = np.abs(np.linspace(-1, 1, len(toned)))[:, None, None]
    return np.asarray(toned * (1 - capture.fade * down), dtype=np.uint8)


def _compressed(page: Picture, quality: int | None) -> Picture:
    """As it looks after it was saved as JPEG."""
    if quality is None:
        return np.ascontiguousarray(page)
    data = cv2.imencode(".jpg", page, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
