"""What is done to masks, ``bool`` or 0 and 1, wherever they come from."""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]


def largest(mask: npt.NDArray[Any]) -> Mask:
    """The largest connected part of a mask; parts that touch at corners only are two."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    return np.asarray(labels == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax()) if len(stats) > 1 else mask, np.bool_)


def connected_to(seeds: Mask, mask: Mask, connectivity: int = 4) -> Mask:
    """The connected parts of a mask that hold a seed; parts that touch at corners only are one where ``connectivity``
    is 8, and two where it is 4.
    """
    _, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=connectivity)
    return np.asarray(np.isin(labels, labels[seeds & mask]), np.bool_)


def disc(diameter_px: int) -> npt.NDArray[np.uint8]:
    """A round structuring element, ``uint8 (diameter_px, diameter_px)``."""
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (diameter_px, diameter_px)), np.uint8)


def opened(mask: npt.NDArray[Any], across_px: int) -> Mask:
    """The mask without what is thinner than so many pixels."""
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, disc(across_px)) > 0)


def box_of(mask: npt.NDArray[Any]) -> tuple[slice, slice]:
    """The rows and columns in which a mask that is not empty has something."""
    (top, bottom), (left, right) = (np.flatnonzero(mask.any(axis=axis))[[0, -1]].tolist() for axis in (1, 0))
    return slice(top, bottom + 1), slice(left, right + 1)
