"""Cutting the number out of a cell: whatever stands round it goes, and black digits on white remain.

A clue may be white on a badge, ringed by a circle, on a thread of its own colour, in a cell whose grid lines are in
view. Tesseract reads none of that and all of it once a few connected shapes stand alone on white. All groups of shapes
that may be a number are collected (:mod:`vision.numbers.glyph_groups`); a badge with a number in it weighs as much as
the number, so the inner wins; and where the winner does not look like digits, the others are tried.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np

from vision.numbers.glyph_groups import (
    BADGE_SOLIDITY,
    LIKE_HEIGHT,
    MOST_ASPECT,
    MOST_DIGITS,
    MOST_HEIGHT,
    SLENDER,
    WORK_SIDE_PX,
    Group,
    groups_in,
    planes,
    shapes_of,
)
from vision.numbers.judge import Box, judge, likeness
from vision.pictures.photo import Picture


@dataclass(frozen=True)
class Glyphs:
    """A number that was cut out of a crop.

    Attributes:
        patch: ``uint8 (h, w)``, black digits on white with a white margin, at working size.
        boxes: each digit's box in ``patch``, from left to right; touching digits share one.
        box: the number's box in the crop that was given.
        contrast: grey levels between ink and surround, along the colour direction that shows it best.
        clarity: contrast over contrast and unrest of ink and surround: 0.8 to 0.95 on plain grounds, under 0.7 where
            the shape may be a piece of cloth or a blur.
    """

    patch: Picture
    boxes: tuple[Box, ...]
    box: Box
    contrast: float
    clarity: float = 1.0


def isolate(crop: Picture) -> Glyphs | None:
    """The number that stands in ``crop``, a cell or the part of one with a number in it; None when there is none.

    Args:
        crop: ``uint8 (h, w)`` grey or ``(h, w, 3)`` BGR; nothing may be cut off at the number's sides.
    """
    if min(crop.shape[:2]) < LEAST_SIDE_PX:
        return None
    work, scale = _at_working_size(crop)
    found = _found_in(work, scale)
    plain = found is not None and _alikeness(found) >= UNLIKE
    if found is not None and plain and _is_centred(found, crop):
        return found
    sharper = _found_in(_sharpened(work), scale)
    if sharper is None or _alikeness(sharper) < ALIKE or (plain and not _is_more(sharper, found)):
        return found
    return sharper


OFF_AXIS = 0.1
"""How far a number's middle lies from its crop's, of that one's width, where a digit of it may be missing: one that
touches the ring or badge round it is taken for a part of that."""


def _is_centred(found: Glyphs, crop: Picture) -> bool:
    """Whether a number stands in the middle of its crop, as a whole one does."""
    return bool(abs((found.box[0] + found.box[2]) / 2 / crop.shape[1] - 0.5) <= OFF_AXIS)


def _is_more(other: Glyphs, found: Glyphs | None) -> bool:
    """Whether a number is another one with more digits."""
    return found is not None and len(other.boxes) > len(found.boxes) and _within(found.box, other.box)


LEAST_SIDE_PX = 4
"""Of a crop: below it, nothing can be made out."""


def candidates(crop: Picture) -> list[Glyphs]:
    """Every cut that may be the number in ``crop``, those that stand out most first: what the judge has to know."""
    if min(crop.shape[:2]) < LEAST_SIDE_PX:
        return []
    work, scale = _at_working_size(crop)
    found = [
        (group.score, cut)
        for picture in (work, _sharpened(work))
        for group in _best(group for plane in planes(picture) for cut in groups_in(plane) for group in cut)
        if (cut := _cut_out(group, picture, scale)) is not None
    ]
    return [cut for _, cut in sorted(found, key=lambda one: -one[0])]


def _at_working_size(crop: Picture) -> tuple[Picture, float]:
    """The crop at working size, and by how much it was scaled."""
    scale = WORK_SIDE_PX / min(crop.shape[:2])
    size_wh = (max(1, round(crop.shape[1] * scale)), max(1, round(crop.shape[0] * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(crop, size_wh, interpolation=how), np.uint8), scale


def _found_in(work: Picture, scale: float) -> Glyphs | None:
    """The number in a crop at working size, which was scaled by ``scale``."""
    groups = _until_plain(work)
    if not groups:
        return None
    found = _cut_out(_whole(_innermost(max(groups, key=_score), groups), groups), work, scale)
    if found is None or _alikeness(found) < UNLIKE:
        return _most_alike(groups, work, scale) or found
    return found


def _alikeness(found: Glyphs) -> float:
    """How much a cut looks like a number."""
    return likeness(judge([(found.patch, found.boxes)])[0])


SHARPENED, STROKE = 2.0, 0.04
"""How much of what differs from the surroundings is added to a crop in which nothing like a number was found, and how
wide these are, of the crop's side. Blur makes a small 6 a blob, and joins digits to the ring or badge round them."""


def _sharpened(work: Picture) -> Picture:
    """A crop whose strokes are made to stand out from what is round them."""
    soft = cv2.GaussianBlur(work, (0, 0), STROKE * WORK_SIDE_PX)
    return np.asarray(cv2.addWeighted(work, 1 + SHARPENED, soft, -SHARPENED, 0), np.uint8)


def _until_plain(work: Picture) -> list[Group]:
    """All groups in all planes, cut by cut, until one is a number beyond doubt."""
    groups: list[Group] = []
    for plane in planes(work):
        for found in groups_in(plane):
            groups += found
            if any(_plain(group) for group in found):
                return groups
    return groups


def _score(group: Group) -> float:
    return group.score


UNLIKE = 0.5
"""Where what was cut out looks less like a number than this, other shapes in the crop are tried."""

ALIKE = 0.8
"""What another shape must look like a number to be taken instead."""

TRIALS = 12
"""So many other shapes are tried, best first."""


def _best(groups: Iterable[Group]) -> list[Group]:
    """Those with the best scores, best first."""
    return sorted(groups, key=_score, reverse=True)[:TRIALS]


def _most_alike(groups: list[Group], work: Picture, scale: float) -> Glyphs | None:
    """Among all shapes the one that looks most like a number, with the digits beside it; None where none does."""
    tried = (_cut_out(group, work, scale) for group in _best(groups))
    numbers = [found for found in tried if found is not None]
    opinions = judge([(found.patch, found.boxes) for found in numbers])
    alike = [(likeness(opinion), found) for opinion, found in zip(opinions, numbers, strict=True)]
    alike = [one for one in alike if one[0] >= ALIKE]
    if not alike:
        return None
    best = max(alike, key=lambda one: one[0])[1]
    wider = [one for one in alike if len(one[1].boxes) > len(best.boxes) and _within(best.box, one[1].box)]
    return max(wider, key=lambda one: one[0], default=(0.0, best))[1]


PLAIN = 4.0
"""The score of a number that stands out well, black on white or nearly."""


def _plain(group: Group) -> bool:
    """Whether a group is a number beyond doubt, so that other cuts and colours need not be looked at."""
    slender = all(right - left <= SLENDER * (bottom - top) for left, top, right, bottom in group.boxes)
    low = group.height <= BADGE_DIGITS * WORK_SIDE_PX / MOST_HEIGHT
    return group.score >= PLAIN and group.solidity < BADGE_SOLIDITY and slender and low


# --- which of them is the number --------------------------------------------------------------------------------------


def _innermost(best: Group, groups: list[Group]) -> Group:
    """The number inside ``best`` where that is a badge or a ring, else ``best``.

    The hole of a 0 lies inside a 0 as a number lies inside a badge, but it is convex and the 0 is slender.
    """
    for _ in range(3):  # a badge within a ring within a tile
        inside = [group for group in groups if _stands_in(group, best)]
        if not inside:
            return best
        best = max(inside, key=lambda group: group.score)
    return best


def _is_frame(group: Group) -> bool:
    """Whether a group is a badge, a ring or a whole tile by its outline; blur and cloth make outlines rough."""
    if len(group.boxes) > 1:
        return False
    rough = group.aspect >= MOST_ASPECT and (group.solidity >= ROUGH_SOLIDITY or group.height >= TILE * WORK_SIDE_PX)
    return group.solidity >= BADGE_SOLIDITY or rough


ROUGH_SOLIDITY = 0.8
"""As :data:`BADGE_SOLIDITY`, for shapes too wide for one digit; two digits that touch have less."""

TILE = 0.7
"""Of the crop: what is wider than a digit and as high as this is a tile."""


def _stands_in(group: Group, frame: Group) -> bool:
    """Whether ``group`` is a number and ``frame`` the badge or ring round it."""
    left, top, right, bottom = frame.box
    smaller = group.height <= MOST_OF_BADGE * frame.height or group.width <= MOST_OF_BADGE * (right - left)
    if len(frame.boxes) > 1 or group.height < 0.25 * frame.height or not smaller:
        return False
    upright = group.box[1] > top and group.box[3] < bottom
    if _is_frame(frame):
        enclosed = upright and group.box[0] > left and group.box[2] < right
        return enclosed and (frame.aspect >= SLENDER or group.solidity < BADGE_SOLIDITY)
    # A badge that its number breaks open at the sides.
    slack = (1 - LIKE_HEIGHT) / 2 * (right - left)
    across = group.box[0] > left - slack and group.box[2] < right + slack
    broken = group.host == frame.box or (len(group.boxes) > 1 and group.score >= FELLOW_SCORE * frame.score)
    return broken and upright and across and group.height >= BADGE_DIGITS * frame.height


MOST_OF_BADGE = 0.8
"""Of a badge's height or of its width, a number in it takes at most this; else it is another cut of the same shape."""

BADGE_DIGITS = 0.45
"""Height of a number over that of a badge that it breaks open; the notches of a bold 2 or 5 are lower."""


def _whole(part: Group, groups: list[Group]) -> Group:
    """The number that ``part`` is a part of: a digit whose fellow a frame took, the hole of a 0, a piece of a digit."""
    wider = [
        group
        for group in groups
        if group.score >= FELLOW_SCORE * part.score and _within(part.box, group.box) and _is_part(part, group)
    ]
    return max(wider, key=lambda group: group.score, default=part)


def _within(inner: Box, outer: Box) -> bool:
    """Whether one box lies in the other, give or take a pixel of another cut."""
    grown = (outer[0] - 1, outer[1] - 2, outer[2] + 1, outer[3] + 2)
    return inner[0] >= grown[0] and inner[1] >= grown[1] and inner[2] <= grown[2] and inner[3] <= grown[3]


def _is_part(part: Group, group: Group) -> bool:
    """Whether ``group``, which reaches round ``part``, is the number and not a frame round it."""
    same_ink = (part.ink > part.surround) == (group.ink > group.surround)
    if len(group.boxes) > len(part.boxes):
        # The hole of a dotted or slashed 0 is no smooth shape itself.
        hole = not same_ink and any(_within(part.box, box) for box in group.boxes)
        return hole or part.height >= LIKE_HEIGHT * group.height or part.solidity >= BADGE_SOLIDITY
    larger = group.width * group.height > part.width * part.height / LIKE_HEIGHT
    return same_ink and larger and len(part.boxes) == 1 and group.host is None and group.solidity < BADGE_SOLIDITY


FELLOW_SCORE = 0.6
"""A number may weigh this much less than one of its digits."""


# --- the clean patch --------------------------------------------------------------------------------------------------

MARGIN = 0.3
"""White round the number in the clean patch, of its height."""


def _evenly_cut(group: Group) -> Group:
    """The same shapes cut half way between ink and surround: a cut near the ink tears thin strokes.

    The group itself where that cut would join the shapes to something else.
    """
    level = (group.ink + group.surround) / 2
    labels, stats = shapes_of(group.plane > level if group.ink > group.surround else group.plane < level)
    touched = np.flatnonzero(np.bincount(labels[group.mask])[1:]) + 1
    if not len(touched) or group.host is not None:
        return group
    reach = (1 - LIKE_HEIGHT) / 2 * group.height + 1
    left, top, right, bottom = group.box
    x0, y0 = stats[touched, :2].min(axis=0)
    x1, y1 = (stats[touched, :2] + stats[touched, 2:4]).max(axis=0)
    if x0 < left - reach or y0 < top - reach or x1 > right + reach or y1 > bottom + reach:
        return group
    tall = [label for label in touched if stats[label, cv2.CC_STAT_HEIGHT] >= LIKE_HEIGHT * (y1 - y0)]
    if not 1 <= len(tall) <= len(group.boxes):
        return group
    boxes = tuple((int(x), int(y), int(x + w), int(y + h)) for x, y, w, h in stats[tall, :4])
    chosen = np.zeros(len(stats), dtype=bool)
    chosen[tall] = True
    return replace(group, mask=chosen[labels], boxes=boxes)


def _cut_out(group: Group, work: Picture, scale: float) -> Glyphs | None:
    """Ink to black, surround to white, everything that is not the number to white; None for an empty frame."""
    if _is_frame(group) and group.aspect > SLENDER:
        return None
    group = _evenly_cut(group)
    grown = cv2.dilate(group.mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    darkness = np.clip((group.plane - group.surround) / (group.ink - group.surround), 0, 1)
    shown = np.where(grown, 255 - 255 * darkness, 255).astype(np.uint8)
    left, top, right, bottom = group.box
    margin = max(2, round(MARGIN * group.height))
    patch = cv2.copyMakeBorder(
        shown[top:bottom, left:right], margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(255,)
    )
    dx, dy = margin - left, margin - top
    single = [part for box in sorted(group.boxes) for part in _parted(shown, box)]
    boxes = tuple((x0 + dx, y0 + dy, x1 + dx, y1 + dy) for x0, y0, x1, y1 in single)
    box = (int(left / scale), int(top / scale), int(np.ceil(right / scale)), int(np.ceil(bottom / scale)))
    return Glyphs(np.asarray(patch, np.uint8), boxes, box, abs(group.ink - group.surround), group.clarity)


SEAM = 0.7
"""Ink in the column where touching digits meet, of the mean column's."""


def _parted(shown: Picture, box: Box) -> list[Box]:
    """A box that is too wide for a digit, parted where its ink is thinnest; the box itself where it is nowhere thin."""
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    count = min(MOST_DIGITS, round(width / (TOUCHING_ASPECT * height)))
    if width <= MOST_ASPECT * height or count < 2:
        return [box]
    ink = 255.0 - shown[top:bottom, left:right].mean(axis=0)
    cuts = []
    for index in range(1, count):
        middle, reach = width * index // count, max(1, width // (4 * count))
        cut = middle - reach + int(np.argmin(ink[middle - reach : middle + reach + 1]))
        if ink[cut] > SEAM * ink.mean():
            return [box]
        cuts.append(left + cut)
    edges = [left, *cuts, right]
    return [(x0, top, x1, bottom) for x0, x1 in pairwise(edges)]


TOUCHING_ASPECT = 0.62
"""Width over height of a digit in a face set so tight that digits touch."""
