"""Taking stripes out of a picture."""

import cv2
import numpy as np

from vision.pictures.photo import Photo
from vision.pictures.stripes import without_stripes


def scene() -> np.ndarray:
    rng = np.random.default_rng(2)
    picture = np.full((240, 320, 3), 60, np.uint8)
    for _ in range(25):
        centre = tuple(int(at) for at in rng.integers(20, 220, 2))
        cv2.circle(picture, centre, int(rng.integers(4, 18)), tuple(int(c) for c in rng.integers(30, 200, 3)), -1)
    return np.clip(picture + rng.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)


def test_a_wave_over_the_whole_picture_is_taken_away_and_nothing_else() -> None:
    plain = scene()
    y, x = np.mgrid[0:240, 0:320]
    wave = 14 * np.sin(2 * np.pi * (x * 0.11 + y * 0.07))[..., None]
    striped = np.clip(plain + wave, 0, 255).astype(np.uint8)
    cleaned = without_stripes(Photo(striped)).bgr
    off_before, off_after = (np.abs(one.astype(int) - plain).mean() for one in (striped, cleaned))
    assert off_before > 8
    assert off_after < 0.3 * off_before


def test_a_picture_without_stripes_is_left_alone() -> None:
    photo = Photo(scene())
    assert without_stripes(photo) is photo
