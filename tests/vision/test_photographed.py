"""Photos told from screenshots."""

import numpy as np

from vision.pictures.photo import Photo
from vision.pictures.photographed import is_photo, is_surely_screenshot


def test_a_screenshot_is_no_photo() -> None:
    assert not is_photo(Photo(np.full((400, 300, 3), 240, np.uint8)))


def test_a_smooth_photo_is_no_screenshot() -> None:
    light = np.linspace(90, 190, 640)[None, :] + np.linspace(0, 60, 480)[:, None]
    smooth = Photo(np.repeat(light.astype(np.uint8)[..., None], 3, axis=2))
    assert is_photo(smooth)
    assert not is_surely_screenshot(smooth)
    stripes = np.where(np.arange(640) // 80 % 2, 90, 150).astype(np.uint8)
    assert is_surely_screenshot(Photo(np.broadcast_to(stripes[None, :, None], (480, 640, 3)).copy()))
