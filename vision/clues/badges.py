"""The badges of LinkedIn's Patches: filled shapes behind a clue that say what its rectangle looks like.

A square badge asks for a square, a tall or a wide one for a rectangle that is higher or wider; a tall and a wide one
laid over each other ask for nothing. A badge may carry a number or none. On other boards numbers stand on discs, rings
or plain cells: those say nothing either.

Whether a badge stands on a cell is told by the network of all kinds (:mod:`vision.cells.reader`), and its shape by that
one together with a small one that looks at how much each pixel differs from the cell's ground, the two taken as
independent; it was taught on drawn cells (``python -m samples.train_badges``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import cv2
import numpy as np
import numpy.typing as npt

from vision.cells.reader import MARKS, Mark
from vision.network import probabilities, stored
from vision.pictures.medians import medians, percentile
from vision.pictures.photo import Picture

Shape = Literal["square", "tall", "wide", "any"]
Floats = npt.NDArray[np.float32]

SHAPES: tuple[Shape, ...] = get_args(Shape)
"""In the order of the outputs of the small network, after that for a cell without a badge."""

BADGES: tuple[Mark, ...] = (*SHAPES, "blank")
"""The marks of the network of all kinds that are badges."""

WEIGHTS = Path(__file__).with_name("badges.npz")

FIELD = 20
"""Side of the field that a cell is fitted into for the small network, in pixels."""

FIELD_MIDDLE = slice(FIELD // 5, -(FIELD // 5))
"""Lines between cells do not reach this far in."""

FULL = 75.0
"""Percentile of the differences in the middle that stands for a badge's own: numbers cover less than the rest."""

BRIGHTEST = 1.5
"""Of a badge's difference: what differs more is its number."""

WORK_PX = 64
"""Cells are looked at in this size, so that lengths below are fractions of a cell whatever the screen."""

CORNER = (0.10, 0.20)
"""Between these parts of a cell, in from each corner, its ground shows: lines end before, badges begin after."""

RIM_DEPTH = (0.04, 0.1)
"""Between these distances from the ground, in cells, a badge shows its own colour: no blend any more, no number yet."""

SAME_COLOUR = 20
"""Grey levels in each channel within which pixels have one colour: compression changes them by less."""

LEAST_CONTRAST = 12.0
"""Grey levels between a badge and its ground: the dark tints on dark patches have 20."""

MOST_OF_GROUND, OVER_UNREST = 75.0, 2.0
"""Percentile of the differences of a cell's ground from its own colour, and how many times as much a badge stands out
at least: moire makes 13 grey levels on all of a cell."""

OUTLINE = 0.35
"""Part of a badge's contrast from which on a pixel belongs to it: a cross has outer parts in half of its tint."""

RIM = 0.10
"""Part of a cell at each side that is not looked at: grid lines and the borders of placed patches. The largest badges
just reach it."""

OVERRUN = 0.04
"""A number sticks out of its badge that makes it wider by this part of a cell."""

BLEND = 0.03
"""Width of the blurred edge of a badge in cells."""


@dataclass(frozen=True)
class Badge:
    """A filled shape in a cell.

    Attributes:
        shape: what it asks for.
        box: its left, top, right and bottom in the picture of its cell, in cells.
        fill_bgr: its colour, each 0..255.
        contrast: grey levels between it and its ground.
        clear: probability of the shape, 0..1.
        overrun: whether its number sticks out of it.
    """

    shape: Shape
    box: tuple[float, float, float, float]
    fill_bgr: tuple[int, int, int]
    contrast: float
    clear: float
    overrun: bool = False


def badges_on(crops: Sequence[Picture], likely: Sequence[Floats]) -> list[Badge | None]:
    """The badges on some cells, None where none is likelier.

    Args:
        crops: the pictures of the cells, ``uint8 (h, w, 3)``.
        likely: what stands on each, probabilities ``float32 (len(MARKS),)``.
    """
    marks = [MARKS.index(mark) for mark in BADGES]
    there = [i for i, one in enumerate(likely) if one[marks].sum() > 0.5]
    found: list[Badge | None] = [None for _ in crops]
    if there:
        own = probabilities(np.stack([fitted(crops[i]) for i in there]), stored(WEIGHTS))[:, 1:]
        for i, opinion in zip(there, own, strict=True):
            # On one without a number the network of all kinds says no shape.
            *shaped, blank = likely[i][marks]
            chances = opinion * (np.array(shaped) + blank / len(SHAPES))
            best = int(chances.argmax())
            found[i] = badge(crops[i], SHAPES[best], float(chances[best] / chances.sum()))
    return found


def fitted(crop: Picture) -> Floats:
    """A cell as the small network sees it: ``float32 (FIELD * FIELD,)``, how much it differs from its ground."""
    differs = cv2.resize(differences(crop), (FIELD, FIELD), interpolation=cv2.INTER_AREA)
    full = max(LEAST_CONTRAST, percentile(differs[FIELD_MIDDLE, FIELD_MIDDLE], FULL))
    return np.asarray(np.clip(differs / full, 0, BRIGHTEST), np.float32).ravel()


def badge(crop: Picture, shape: Shape, clear: float = 1.0) -> Badge:
    """The badge on a cell on which one of such a shape stands, so sure."""
    work = _at_working_size(crop)
    ground = _ground(work)
    off = np.abs(work - ground).max(axis=2)
    unlike = _within_rim(off >= max(LEAST_CONTRAST, _unrest(work, ground)))
    depth = np.asarray(cv2.distanceTransform(unlike, cv2.DIST_L2, 3)) / WORK_PX
    rim = work[(depth > RIM_DEPTH[0]) & (depth <= RIM_DEPTH[1])]
    fill = medians(rim) if len(rim) else ground
    step = fill - ground
    share = np.clip((work - ground) @ step / max(1.0, float(step @ step)), 0, 1)
    blend = np.abs(work - ground - share[..., None] * step).max(axis=2) <= SAME_COLOUR
    own, whole = blend & (share > OUTLINE), off > OUTLINE * np.abs(step).max()
    (left, top, width, height), (_, _, widest, _) = (
        cv2.boundingRect(cv2.morphologyEx(_within_rim(mask), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
        for mask in (own, whole)
    )
    blue, green, red = (int(v) for v in fill.round())
    box = (left / WORK_PX, top / WORK_PX, (left + width) / WORK_PX, (top + height) / WORK_PX)
    return Badge(shape, box, (blue, green, red), float(np.abs(step).max()), clear, widest > width + OVERRUN * WORK_PX)


def differences(crop: Picture) -> Floats:
    """How much each pixel of a cell's picture differs from its ground: ``float32 (WORK_PX, WORK_PX)``, grey levels."""
    work = _at_working_size(crop)
    return np.asarray(np.abs(work - _ground(work)).max(axis=2), np.float32)


def number_on(crop: Picture, found: Badge) -> Picture:
    """The badge's inside on a larger plain of its own colour: a number that fills its badge from rim to rim stands
    free there, while in its cell it would run into the ground.
    """
    if found.shape == "any" or found.overrun:
        return crop
    height, width = crop.shape[:2]
    # The outermost pixels are a blend of badge and ground.
    rim = max(1, round(BLEND * min(height, width)))
    left, right = round(found.box[0] * width) + rim, round(found.box[2] * width) - rim
    top, bottom = round(found.box[1] * height) + rim, round(found.box[3] * height) - rim
    inside = crop[top:bottom, left:right]
    margins = top, height - bottom, left, width - right
    return np.asarray(cv2.copyMakeBorder(inside, *margins, cv2.BORDER_CONSTANT, value=found.fill_bgr), dtype=np.uint8)


def _at_working_size(crop: Picture) -> Floats:
    return np.asarray(cv2.resize(crop, (WORK_PX, WORK_PX), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def _ground(work: Floats) -> Floats:
    return medians(_corners(work))


def _unrest(work: Floats, ground: Floats) -> float:
    """Grey levels by which a cell's ground hardly ever differs from its colour: moire and noise."""
    return OVER_UNREST * percentile(np.abs(_corners(work) - ground).max(axis=1), MOST_OF_GROUND)


def _corners(work: Floats) -> Floats:
    """The pixels near a cell's corners, ``float32 (N, 3)``, where its ground shows."""
    a, b = (round(part * WORK_PX) for part in CORNER)
    near, far = slice(a, b), slice(WORK_PX - b, WORK_PX - a)
    return np.concatenate([work[rows, cols].reshape(-1, 3) for rows in (near, far) for cols in (near, far)])


def _within_rim(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """A mask without what lies at the rim of its cell, 0 or 1."""
    a, b = round(RIM * WORK_PX), WORK_PX - round(RIM * WORK_PX)
    inner = np.zeros(mask.shape, np.uint8)
    inner[a:b, a:b] = mask[a:b, a:b]
    return inner
