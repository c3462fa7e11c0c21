"""A picture taken or shown too dark, made as light as it would be: for what is measured in parts of the full range."""

import cv2
import numpy as np

from vision.pictures.medians import percentile
from vision.pictures.photo import Photo

SEARCH_PX = 800
"""Longer side of the picture that is asked how light it is."""

LIGHTEST = 99.9
"""Percentile of the strongest colours that stands for the lightest of them: a glint or a dead pixel is none."""

DIM = 0.9
"""Less of the full range in the lightest colour is too dark: of lit screens and paper all had 0.93 and more."""


def fully_lit(photo: Photo) -> Photo:
    """The picture with its lightest colour at full range; itself where that is so already, or all of it is black."""
    lightest = photo.derive(_lightest)
    return photo if lightest >= DIM or lightest <= 0 else photo.derive(_lit)


def _lightest(photo: Photo) -> float:
    """The lightest colour, as a part of the full range."""
    return percentile(photo.reduced(SEARCH_PX).bgr.max(axis=2), LIGHTEST) / 255


def _lit(photo: Photo) -> Photo:
    gain = 1 / photo.derive(_lightest)
    return Photo(
        np.asarray(cv2.convertScaleAbs(photo.bgr, alpha=gain), np.uint8), photo.path, photo.scale, photo.budget
    )
