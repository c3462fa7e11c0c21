"""Real pictures as others might have sent them: ``python -m benchmarks.resent FOLDER… [--ways WAY…] [--save DIR]``.

Each picture of a folder that is solved as it is, is solved again smaller, compressed, dim and noisy, scanned askew,
seen at an angle, cropped to its board, framed by a page, and photographed on a screen and on paper. What was read of it
as it is counts as the truth: what is read then should be the same, at the same place. A board that its picture was cut
to loses cells when it is turned, and must be refused then.
"""

import argparse
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

import solvepic
from benchmarks.solving import SECONDS
from samples.camera import random_shot, take
from samples.sample import PointMap
from solvepic.outcome import Outcome, Status
from vision.pictures.loading import SUFFIXES, load
from vision.pictures.photo import Picture
from vision.pictures.placement import through

Points = npt.NDArray[np.float64]
Rng = np.random.Generator
Sent = tuple[Picture, PointMap]
"""A picture, and where the points of the one that it was made of went."""

HARDNESS = 0.7
"""Of the camera: that of a fair photo."""


def _by(matrix: npt.ArrayLike) -> PointMap:
    return lambda points: through(np.asarray(matrix, np.float64), points)


def _half(picture: Picture, _board: Points, _rng: Rng) -> Sent:
    smaller = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(smaller, np.uint8), _by([(0.5, 0, -0.25), (0, 0.5, -0.25), (0, 0, 1)])


def _jpeg(picture: Picture, _board: Points, _rng: Rng) -> Sent:
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 60])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8), _by(np.eye(3))


def _dim(picture: Picture, _board: Points, rng: Rng) -> Sent:
    noisy = picture * rng.uniform(0.55, 0.9) + rng.normal(0, 4, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), _by(np.eye(3))


def _askew(picture: Picture, _board: Points, rng: Rng) -> Sent:
    height, width = picture.shape[:2]
    degrees = float(rng.choice([-1, 1]) * rng.uniform(0.5, 5))
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1)
    return _warped(picture, np.vstack([turn, (0, 0, 1)]))


def _leaned(picture: Picture, _board: Points, rng: Rng) -> Sent:
    height, width = picture.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    inward = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * (width, height)
    moved = (corners + rng.uniform(0.01, 0.07, (4, 2)) * inward).astype(np.float32)
    return _warped(picture, np.asarray(cv2.getPerspectiveTransform(corners, moved)))


def _warped(picture: Picture, matrix: npt.NDArray[np.float64]) -> Sent:
    height, width = picture.shape[:2]
    rim = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    paper = [float(v) for v in np.median(rim, axis=0)]
    return np.asarray(cv2.warpPerspective(picture, matrix, (width, height), borderValue=paper), np.uint8), _by(matrix)


def _cropped(picture: Picture, board: Points, rng: Rng) -> Sent:
    low, high = board.min(axis=0), board.max(axis=0)
    margin = rng.uniform(0.02, 0.12, 4) * (high - low).max()
    left, top = np.maximum(0, (low - margin[:2]).astype(int)).tolist()
    right, bottom = np.maximum(1, (high + margin[2:]).astype(int)).tolist()
    return picture[top:bottom, left:right].copy(), _by([(1, 0, -left), (0, 1, -top), (0, 0, 1)])


def _framed(picture: Picture, _board: Points, rng: Rng) -> Sent:
    top, bottom, left, right = (rng.uniform(0.05, 0.35, 4) * max(picture.shape)).astype(int).tolist()
    grey = [float(rng.integers(0, 256))] * 3
    framed = cv2.copyMakeBorder(picture, top, bottom, left, right, cv2.BORDER_CONSTANT, value=grey)
    return np.asarray(framed, np.uint8), _by([(1, 0, left), (0, 1, top), (0, 0, 1)])


def _photographed(*, screen: bool) -> Callable[[Picture, Points, Rng], Sent]:
    def sent(picture: Picture, _board: Points, rng: Rng) -> Sent:
        height, width = picture.shape[:2]
        size_wh = (1500, 2000) if height > width else (2000, 1500)
        shot = random_shot(rng, size_wh, screen=screen, hardness=HARDNESS)
        return take(picture, replace(shot, turn_deg=float(rng.normal(0, 6))), rng)

    return sent


WAYS: dict[str, Callable[[Picture, Points, Rng], Sent]] = {
    "half": _half,
    "jpeg": _jpeg,
    "dim": _dim,
    "askew": _askew,
    "leaned": _leaned,
    "cropped": _cropped,
    "framed": _framed,
    "screen": _photographed(screen=True),
    "paper": _photographed(screen=False),
}
"""By name, what makes another picture of a picture and the corners of its board."""


class Comparison(NamedTuple):
    """What became of a picture: ``same``, ``answer`` (only that is), ``refused`` or ``other``; how far, in cells, its
    board lies from where it should where that is known; and what was said."""

    became: str
    off: float | None
    message: str


def compared(way: str, name: str, picture: Picture, known: Outcome, save: Path | None) -> Comparison:
    """What becomes of the picture of this name, of which so much is ``known``, when it is sent in another way."""
    board = np.array(known.corners)
    rng = np.random.default_rng([*way.encode(), *name.encode()])
    sent, to_new = WAYS[way](picture, board, rng)
    outcome = solvepic.solve(sent, time_limit=SECONDS)
    became = _became(known, outcome)
    if save and became in ("refused", "other"):
        save.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(save / f"{Path(name).stem}-{way}.png"), sent)
    off = _off(known, outcome, to_new(board)) if became == "same" else None
    return Comparison(became, off, outcome.message)


def _became(known: Outcome, outcome: Outcome) -> str:
    if outcome.status is not Status.SOLVED:
        return "refused"
    before, after = known.record(), outcome.record()
    if before["kind"] == after["kind"]:
        if before["puzzle"] == after["puzzle"]:
            return "same"
        if before["solution"] == after["solution"]:
            return "answer"
    return "other"


def _off(known: Outcome, outcome: Outcome, wanted: Points) -> float:
    """How far the corners of a board lie from where they should, in cells."""
    assert known.reading is not None
    width = known.reading.placement.size[0]
    side = float(np.linalg.norm(wanted[1] - wanted[0])) / width
    return float(np.abs(np.array(outcome.corners) - wanted).max()) / side


def main() -> None:
    """Print what changed, and a line for each way."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.resent", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="of pictures")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS), metavar="WAY", help=", ".join(WAYS))
    parser.add_argument("--save", type=Path, help="put the pictures that are refused or read otherwise here")
    asked = parser.parse_args()
    comparisons: dict[str, list[Comparison]] = {way: [] for way in asked.ways}
    pictures = (path for folder in asked.folders for path in sorted(folder.iterdir()))
    for path in (path for path in pictures if path.suffix.lower() in SUFFIXES):
        picture = load(path).photo.bgr
        known = solvepic.solve(picture, time_limit=SECONDS)
        for way in asked.ways if known.status is Status.SOLVED else ():
            comparisons[way].append(found := compared(way, path.name, picture, known, asked.save))
            if found.became in ("refused", "other"):
                print(f"  {path.name}, {way}: {found.became}: {found.message}", flush=True)
    for way, ends in comparisons.items():
        counts = ", ".join(f"{became} {count}" for became, count in Counter(end.became for end in ends).most_common())
        off = [end.off for end in ends if end.off is not None]
        where = f"; off by {np.median(off):.3f} cells, at most {max(off):.3f}" if off else ""
        print(f"{way}: {len(ends)} pictures: {counts}{where}")


if __name__ == "__main__":
    main()
