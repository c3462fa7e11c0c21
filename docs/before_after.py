"""Draws the pictures of what is solved that README and docs show: ``python docs/before_after.py``.

``before-after.jpg`` shows a sample beside itself, solved; ``kinds.jpg`` one of each kind; ``stages.jpg`` the stages of
vision on a photo of an irregular board.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

import solvepic
from samples import pages
from samples.camera import photograph, random_shot
from vision.pictures.photo import Picture

HERE = Path(__file__).parent
SAMPLES = HERE.parent / "samples"
SAMPLE = "stitch/phone-game.jpg"
KINDS = (
    *("stitch/phone-light.png", "queens/regions-phone.jpg", "knight/chequered.png", "kanoodle/toy-photo.jpg"),
    *("pyramid/toy-photo.jpg", "triazzle/tray-photo.jpg"),
)
COLUMNS = 4
HEIGHT_PX = 260
"""Of a sample of each kind, and of a stage."""

STAGED = np.array([30, 8])
"""Seed of the board whose stages are shown."""


def scaled(picture: Picture, height_px: int) -> Picture:
    """The picture, so high."""
    size_wh = round(picture.shape[1] * height_px / picture.shape[0]), height_px
    return np.asarray(cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


def beside_itself(sample: str, height_px: int | None = None) -> Picture:
    """A sample and the same solved, so high."""
    outcome = solvepic.solve(SAMPLES / sample)
    assert outcome.photo is not None
    assert outcome.picture is not None
    both = [outcome.photo.bgr, outcome.picture]
    if height_px is not None:
        both = [scaled(one, height_px) for one in both]
    gap = np.full((both[0].shape[0], both[0].shape[1] // 12, 3), 255, np.uint8)
    return np.concatenate([both[0], gap, both[1]], axis=1)


def gallery() -> Picture:
    """One sample of each kind, row by row."""
    shown = [beside_itself(sample, HEIGHT_PX) for sample in KINDS]
    rows = [shown[at : at + COLUMNS] for at in range(0, len(shown), COLUMNS)]
    gap = HEIGHT_PX // 8
    wide = max(sum(one.shape[1] + gap for one in row) for row in rows)
    whole = np.full((len(rows) * (HEIGHT_PX + gap), wide, 3), 255, np.uint8)
    for number, row in enumerate(rows):
        left = 0
        for one in row:
            top = number * (HEIGHT_PX + gap)
            whole[top : top + HEIGHT_PX, left : left + one.shape[1]] = one
            left += one.shape[1] + gap
    return whole


def stages() -> Picture:
    """A photo of an irregular board, the phases in it, the states of the lattice's places, and the solution."""
    rng = np.random.default_rng(STAGED)
    board = pages.draw(rng, rows=8, cols=8, missing=0.25, form="bitten", filled=0.0)
    photo = photograph(board, random_shot(rng, (1200, 900)), rng)
    with TemporaryDirectory() as folder:
        outcome = solvepic.solve(photo.picture, debug=Path(folder))
        files = [next(Path(folder).glob(f"*-{name}.png")) for name in ("photo", "phases", "lattice")]
        shown = [np.asarray(cv2.imread(str(file)), np.uint8) for file in files]
    assert outcome.picture is not None
    gap = np.full((HEIGHT_PX, HEIGHT_PX // 8, 3), 255, np.uint8)
    row = [part for one in (*shown, outcome.picture) for part in (gap, scaled(one, HEIGHT_PX))]
    return np.concatenate(row[1:], axis=1)


def main() -> None:
    """Write all."""
    for name, picture in (("before-after", beside_itself(SAMPLE)), ("kinds", gallery()), ("stages", stages())):
        data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1]
        (HERE / f"{name}.jpg").write_bytes(data.tobytes())


if __name__ == "__main__":
    main()
