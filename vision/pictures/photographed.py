"""Whether a picture came through a lens or straight from a screen.

Neighbouring pixels of a photo differ, for noise; where there is none, light changes across it, and its lines lean.
"""

import cv2
import numpy as np

from vision.pictures.photo import Photo

SEARCH_PX = 800
"""Longest side of the picture whose pixels are compared."""

STILL = 0.6
"""A screenshot has flat areas: at least in this part of it neighbouring pixels are equal (0.7 and more on compressed
ones). In photos they are in half of it when all is a blur, else in a fifth."""

QUITE_STILL = 0.85
"""In drawn photos without any noise they are in up to 0.843; nearly all screenshots have more."""

APART = 1 / 80
"""Distance, in the longer side, at which pixels are equal where an area is flat, and not where it is only smooth."""

FLAT = 0.35
"""Part of the picture in which they are on screens, at least: screenshots have 0.39 (a frame of a video) and mostly 0.5
to 0.9, photos without any noise mostly up to 0.3, for light changes across them."""

QUITE_FLAT, LEANS = 0.5, 0.15
"""Of a picture that is flat in less than the first part, so much of the length of its longest strokes leans in a photo,
at least: 0.27 of one that is seen almost straight on. On screens with a shade across them nothing leans."""

STROKES_PX, LEAST_LENGTH = 1000, 0.012
"""Longest side of the picture in which strokes are looked for; and the length of one, of that side, at least: shorter
ones have no direction."""

LONGEST, LEANING_DEG = 20, 1.5
"""So many strokes say whether a picture's lines lean, off its rows and columns by more than this: round corners turn
those of a screen by up to one degree."""


def is_photo(photo: Photo) -> bool:
    """Whether the picture came through a lens (or shows cloth), rather than straight from a screen.

    Neighbouring pixels differ for noise. Where there is none, light changes across it, and its lines lean.
    """
    if photo.derive(stillness) < STILL:
        return True
    flat = photo.derive(_flatness)
    return flat < FLAT or (flat < QUITE_FLAT and photo.derive(leaning) >= LEANS)


def is_surely_screenshot(photo: Photo) -> bool:
    """Whether the picture came straight from a screen; not even a smooth photo is as still."""
    return photo.derive(stillness) >= QUITE_STILL and not is_photo(photo)


def _flatness(photo: Photo) -> float:
    """The part of the picture that is of one shade for a stretch, 0..1."""
    gray = photo.reduced(SEARCH_PX).gray
    apart = max(1, round(max(gray.shape) * APART))
    same = (gray[:, apart:] == gray[:, :-apart]).mean() + (gray[apart:] == gray[:-apart]).mean()
    return float(same / 2)


def stillness(photo: Photo) -> float:
    """The part of the picture in which neighbouring pixels are equal, 0..1."""
    gray = photo.reduced(SEARCH_PX).gray
    return float((gray[:, 1:] == gray[:, :-1]).mean())


def leaning(photo: Photo) -> float:
    """The part of the length of the longest strokes that runs neither along rows nor along columns of pixels, 0..1."""
    gray = photo.reduced(STROKES_PX).gray
    # Where there is no stroke OpenCV returns None, which becomes a single value.
    ends = np.asarray(cv2.createLineSegmentDetector(cv2.LSD_REFINE_NONE).detect(gray)[0], dtype=np.float64)
    points = ends.reshape(-1, 2, 2) if ends.size > 1 else np.zeros((0, 2, 2))
    along = points[:, 1] - points[:, 0]
    length = np.linalg.norm(along, axis=1)
    longest = np.argsort(-length, kind="stable")[:LONGEST]
    longest = longest[length[longest] >= LEAST_LENGTH * max(gray.shape)]
    along, length = along[longest], length[longest]
    leans = np.abs(along).max(axis=1) < np.cos(np.deg2rad(LEANING_DEG)) * length
    return float(length[leans].sum() / max(1e-9, length.sum()))
