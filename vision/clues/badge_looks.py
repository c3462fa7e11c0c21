"""A second opinion on the shapes of badges, independent of their outlines: a small network that looks at whole cells.

A bold number in about the ground's colour cuts its badge in pieces, and blur, noise and moire eat at its corners: then
its outline (:mod:`vision.clues.badges`) says little or the wrong thing. The network was taught on drawn cells with
badges of many sizes and colours, discs, rings and bare numbers (``python -m samples.train_badges``). It is asked only
on boards where outlines have told that clues stand on badges, about those cells that they leave open.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.clues.badges import PLAIN_SHAPE, Badge, Shape, badge_of_shape, differences
from vision.network import probabilities, stored
from vision.pictures.medians import percentile
from vision.pictures.photo import Picture

Floats = npt.NDArray[np.float32]

FIELD = 20
"""Side of the field that a cell is fitted into, in pixels."""

SHAPES: tuple[Shape | None, ...] = (None, "square", "tall", "wide", "any")
"""The classes of the network; None is a cell without badge."""

WEIGHTS = Path(__file__).with_name("badges.npz")

MIDDLE = slice(FIELD // 5, -(FIELD // 5))
"""Lines between cells do not reach this far in."""

FULL = 75.0
"""Percentile of the differences in the middle that stands for a badge's own: numbers cover less than the rest."""

LEAST_FULL = 12.0
"""Grey levels that a badge differs from its ground at least: less is noise, and shows as little."""

BRIGHTEST = 1.5
"""Of a badge's difference: what differs more is its number."""

SURE, AGREED = 0.9, 0.5
"""What the network says with the first probability is taken where the outline says something else, but not plainly;
with the second, where it says the same. Of 199 badges on boards of others 191 had the first, all of them rightly."""

SURE_ALONE = 0.97
"""And with this, where the outline says that there is no badge."""

NOT_PLAIN = 0.5
"""Up to this clarity of its outline a badge is looked at again: of squares whose corners blur took some reach 0.4."""


def looked_again(
    crops: Sequence[Picture], badges: Sequence[Badge | None], numbered: Sequence[bool]
) -> list[Badge | None]:
    """The badges of some cells, with what the network says where outlines say nothing plainly.

    Args:
        crops: the pictures of the cells, ``uint8 (h, w, 3)``.
        badges: what their outlines say.
        numbered: on which of them a number was read: on others, what is no badge by its outline is none.
    """
    asked = [i for i, found in enumerate(badges) if (numbered[i] if found is None else found.clear < NOT_PLAIN)]
    result = list(badges)
    if asked:
        opinions = probabilities(np.stack([fitted(crops[i]) for i in asked]), stored(WEIGHTS))
        for i, opinion in zip(asked, opinions, strict=True):
            result[i] = _agreed(crops[i], badges[i], opinion)
    return result


def bareness(crop: Picture) -> float:
    """How sure the network is that there is no badge on a cell, 0..1."""
    return float(probabilities(fitted(crop)[None], stored(WEIGHTS))[0, SHAPES.index(None)])


def fitted(crop: Picture) -> Floats:
    """A cell as the network sees it: ``float32 (FIELD * FIELD,)``, how much it differs from its ground."""
    differs = cv2.resize(differences(crop), (FIELD, FIELD), interpolation=cv2.INTER_AREA)
    full = max(LEAST_FULL, percentile(differs[MIDDLE, MIDDLE], FULL))
    return np.asarray(np.clip(differs / full, 0, BRIGHTEST), np.float32).ravel()


def _agreed(crop: Picture, found: Badge | None, opinion: Floats) -> Badge | None:
    """What outline and network together say of a cell."""
    best = int(opinion.argmax())
    shape, sure = SHAPES[best], float(opinion[best])
    if shape is None:
        return found
    if found is None:
        return badge_of_shape(crop, shape, PLAIN_SHAPE) if sure >= SURE_ALONE else None
    if sure >= (AGREED if shape == found.shape else SURE):
        return replace(found, shape=shape, clear=max(found.clear, PLAIN_SHAPE))
    return found
