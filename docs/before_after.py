"""Draws ``docs/before-after.jpg`` for the README: ``python docs/before_after.py``."""

from pathlib import Path

import cv2
import numpy as np

import solvepic

HERE = Path(__file__).parent
SAMPLE = HERE.parent / "samples" / "stitch" / "phone-game.jpg"


def main() -> None:
    """Put the sample beside itself, solved."""
    outcome = solvepic.solve(SAMPLE)
    assert outcome.photo is not None
    assert outcome.picture is not None
    before = outcome.photo.bgr
    gap = np.full((before.shape[0], before.shape[1] // 12, 3), 255, np.uint8)
    both = np.concatenate([before, gap, outcome.picture], axis=1)
    data = cv2.imencode(".jpg", both, [cv2.IMWRITE_JPEG_QUALITY, 85])[1]
    (HERE / "before-after.jpg").write_bytes(data.tobytes())


if __name__ == "__main__":
    main()
