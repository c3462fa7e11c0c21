"""The badges of LinkedIn's Patches: filled shapes behind a clue that say what its rectangle looks like.

A square badge asks for a square, a tall or a wide one for a rectangle that is higher or wider; a tall and a wide one
laid over each other ask for nothing. A badge may carry a number or none. On other boards numbers stand on discs, rings
or plain cells: those say nothing either, and a ring is no badge.

A badge is told from its cell by colour. The cell's ground is what shows near its four corners, between the grid line
and the badge, where no badge reaches; it may itself be tinted in the badge's colour. The outline of what differs from
it has a width, a height, and corners that are filled (a rectangle) or not (a disc, or a cross of two rectangles).
"""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.medians import medians, percentile
from vision.pictures.photo import Picture

Shape = Literal["square", "tall", "wide", "any"]
Colours = npt.NDArray[np.float32]

WORK_PX = 64
"""Cells are looked at in this size, so that lengths below are fractions of a cell whatever the screen."""

CORNER = (0.10, 0.20)
"""Between these parts of a cell, in from each corner, its ground shows: lines end before, badges begin after."""

MIDDLE = (0.28, 0.72)
"""Between these parts of a cell, both ways, its badge's fill is seen, with its number on top."""

COMMON = 0.15
"""A badge's colour has at least this part of its middle."""

BARE = 0.6
"""What has this part of the middle, at least, is a badge and no number: where blur, or a number that fills its badge,
leaves no tint of the rim there, numbers had up to 0.39."""

RIM_DEPTH = (0.04, 0.1)
"""Between these distances from the ground, in cells, a badge shows its own colour: no blend any more, no number yet."""

LEAST_COVER = 0.25
"""Part of the middle that a badge with its number covers at least; digits alone cover less."""

SAME_COLOUR = 20
"""Grey levels in each channel within which pixels have one colour: compression changes them by less."""

LEAST_CONTRAST = 12.0
"""Grey levels between a badge and its ground: the dark tints on dark patches have 20."""

MOST_OF_GROUND, OVER_UNREST = 75.0, 2.0
"""Percentile of the differences of a cell's ground from its own colour, and how many times as much a badge stands out
at least: moire makes 13 grey levels on all of a cell."""

OUTLINE = 0.35
"""Part of that contrast from which on a pixel belongs to the badge: a cross has outer parts in half of its tint."""

LEAST_SIDE, LEAST_LONG_SIDE = 0.36, 0.5
"""Short and long side of a badge in cells, at least. Digits are narrower."""

RIM = 0.10
"""Part of a cell at each side that is not looked at: grid lines and the borders of placed patches. The largest badges
just reach it."""

OFF_CENTRE = 0.08
"""How far a badge's middle may lie from its cell's, in cells."""

ASIDE = 0.16
"""And how far in the corner of a page that bends, where cells lie a bit beside where they should: then badges as large
as they come reach the side of their cell."""

LINES = 0.08
"""Width of the lines between cells at most, in cells: what is as narrow is no badge."""

OVERRUN = 0.04
"""A number sticks out of its badge that makes it wider by this part of a cell."""

BLEND = 0.03
"""Width of the blurred edge of a badge in cells."""

LEAST_SOLID = 0.6
"""Part of its box that a badge's outline encloses; a cross has 0.8, the parts of digits less."""

OBLONG = 1.18
"""Ratio of sides from which on a badge is wide or tall: drawn ones have 1.5."""

END, END_OWN = 0.2, 0.85
"""So much of an oblong badge at each of its ends, of its length, is whole where a number cuts it in two: this part of
that has the badge's colour. Of what bold numbers alone reach over, one end has less."""

CORNER_BOX = 0.14
"""Size of the boxes in the corners of a badge's box that are filled or not, of its sides."""

CORNER_FILLED = 0.4
"""Part of those boxes that a rounded rectangle fills at least, 0.45 in blurred photos; a cross or disc fills less, 0.33
in those."""

EACH_CORNER = 0.22
"""Part of each of them that an oblong badge fills: drawn and real ones have half, in noise 0.26; bold digits leave one
empty."""


PLAIN_SHAPE = 0.3
"""From this clarity on a shape is plain: badges that are all alike look different when they are small and blurred, but
not as clearly."""


@dataclass(frozen=True)
class Badge:
    """A filled shape in a cell.

    Attributes:
        shape: what it asks for.
        box: its left, top, right and bottom in the picture of its cell, in cells.
        fill_bgr: its colour, each 0..255.
        contrast: grey levels between it and its ground.
        clear: 0..1, how clearly its shape was seen; below 0.5 it may be another one.
        overrun: whether its number sticks out of it.
    """

    shape: Shape
    box: tuple[float, float, float, float]
    fill_bgr: tuple[int, int, int]
    contrast: float
    clear: float
    overrun: bool = False


def badge(crop: Picture) -> Badge | None:
    """The badge in the picture of one cell, ``uint8 (h, w, 3)``; None where there is none."""
    work, ground, fill, contrast = _colours(crop)
    if contrast < LEAST_CONTRAST:
        return None
    differs = np.abs(work - ground).max(axis=2) > OUTLINE * contrast
    own = _own(work, ground, fill)
    outline, whole = _outline(differs & _box_of(own)), _outline(differs)
    found = None if outline is None or whole is None else _shaped(outline)
    if found is None:
        # A number in about the ground's colour may cut its badge in two, from rim to rim.
        outline = whole = cv2.convexHull(np.argwhere(own)[:, ::-1].astype(np.int32)) if own.any() else None
        found = None if outline is None or not _has_whole_ends(own, outline) else _shaped(outline)
    if found is None or outline is None or whole is None:
        return None
    shape, clear = found
    x, y, w, h = cv2.boundingRect(outline)
    blue, green, red = (int(v) for v in fill.round())
    box = (x / WORK_PX, y / WORK_PX, (x + w) / WORK_PX, (y + h) / WORK_PX)
    overrun = outline is whole or cv2.boundingRect(whole)[2] > w + OVERRUN * WORK_PX
    return Badge(shape, box, (blue, green, red), contrast, float(clear), overrun)


def centred(crop: Picture, contrast: float) -> Picture | None:
    """The picture of a cell moved so that what stands there is in its middle; None where nothing as large as a badge is
    a bit off that.

    Args:
        crop: ``uint8 (h, w, 3)``.
        contrast: grey levels between the board's badges and their ground.
    """
    work = _at_working_size(crop)
    ground = _ground(work)
    differs = np.asarray(np.abs(work - ground).max(axis=2) > OUTLINE * contrast, np.uint8)
    broad = np.ones((2 * round(LINES * WORK_PX / 2) + 1,) * 2, np.uint8)
    outline = _around_middle(cv2.morphologyEx(differs, cv2.MORPH_OPEN, broad))
    if outline is None:
        return None
    x, y, w, h = cv2.boundingRect(outline)
    right, down = (x + w / 2) / WORK_PX - 0.5, (y + h / 2) / WORK_PX - 0.5
    if not OFF_CENTRE < max(abs(right), abs(down)) <= ASIDE or max(w, h) < LEAST_LONG_SIDE * WORK_PX:
        return None
    height, width = crop.shape[:2]
    step = np.array([[1, 0, -right * width], [0, 1, -down * height]], np.float32)
    moved = cv2.warpAffine(crop, step, (width, height), borderValue=[float(level) for level in ground])
    return np.asarray(moved, np.uint8)


def badge_of_shape(crop: Picture, shape: Shape, clear: float) -> Badge | None:
    """A badge of which no outline is known but its shape; None where nothing stands on the ground."""
    _, _, fill, contrast = _colours(crop)
    if contrast < LEAST_CONTRAST:
        return None
    blue, green, red = (int(v) for v in fill.round())
    return Badge(shape, (RIM, RIM, 1 - RIM, 1 - RIM), (blue, green, red), contrast, clear, overrun=True)


def differences(crop: Picture) -> Colours:
    """How much each pixel of a cell's picture differs from its ground: ``float32 (WORK_PX, WORK_PX)``, grey levels."""
    work = _at_working_size(crop)
    return np.asarray(np.abs(work - _ground(work)).max(axis=2), np.float32)


def ground_colour(crop: Picture) -> Colours:
    """The colour of a cell's ground, ``float32 (3,)``, 0..255."""
    return _ground(_at_working_size(crop))


def unrest(crop: Picture) -> float:
    """Grey levels by which the ground of a cell hardly ever differs from its own colour."""
    work = _at_working_size(crop)
    return _unrest(work, _ground(work))


def _colours(crop: Picture) -> tuple[Colours, Colours, Colours, float]:
    """A cell at working size, the colour of its ground, that of what stands on it, and how far these are apart."""
    work = _at_working_size(crop)
    ground = _ground(work)
    fill = _fill(work, ground)
    return work, ground, fill, float(np.abs(fill - ground).max())


def _at_working_size(crop: Picture) -> Colours:
    return np.asarray(cv2.resize(crop, (WORK_PX, WORK_PX), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def _shaped(outline: cv2.typing.MatLike) -> tuple[Shape, float] | None:
    """What a badge with this outline asks for, and how clearly; None where none has such an outline."""
    x, y, w, h = cv2.boundingRect(outline)
    if not _has_size_and_place(x, y, w, h):
        return None
    solid = np.zeros((WORK_PX, WORK_PX), np.uint8)
    cv2.drawContours(solid, [outline], -1, 255, cv2.FILLED)
    inside = solid[y : y + h, x : x + w] > 0
    return _shape(w / h, inside) if inside.mean() >= LEAST_SOLID else None


def _has_whole_ends(own: npt.NDArray[np.uint8], hull: cv2.typing.MatLike) -> bool:
    """Whether what has a badge's colour fills both ends of the oblong outline round all of it."""
    solid = np.zeros((WORK_PX, WORK_PX), np.uint8)
    cv2.drawContours(solid, [hull], -1, 1, cv2.FILLED)
    x, y, w, h = cv2.boundingRect(hull)
    if max(w, h) < OBLONG * min(w, h):
        return False
    inside, filled = (np.asarray(mask[y : y + h, x : x + w], np.int64) for mask in (solid, solid & own))
    if w > h:
        inside, filled = inside.T, filled.T
    end = max(1, round(END * max(w, h)))
    return all(filled[part].sum() >= END_OWN * inside[part].sum() for part in (slice(end), slice(-end, None)))


def _has_size_and_place(x: int, y: int, w: int, h: int) -> bool:
    """Whether a box in the working picture is as large as a badge's and in the middle of its cell."""
    large = min(w, h) >= LEAST_SIDE * WORK_PX and max(w, h) >= LEAST_LONG_SIDE * WORK_PX
    off_centre = max(abs(x + w / 2 - WORK_PX / 2), abs(y + h / 2 - WORK_PX / 2)) / WORK_PX
    return large and off_centre <= OFF_CENTRE


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


def _own(work: Colours, ground: Colours, fill: Colours) -> npt.NDArray[np.uint8]:
    """What has the badge's colour, or a blend of it and the ground: 0 or 1."""
    share, off = _blend(work, ground, fill)
    own = _within_rim((share > OUTLINE) & (off <= SAME_COLOUR))
    return np.asarray(cv2.morphologyEx(own, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), dtype=np.uint8)


def _box_of(own: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """The box round what has the badge's colour: a number may stick out of its badge."""
    x, y, w, h = cv2.boundingRect(own)
    box = np.zeros((WORK_PX, WORK_PX), dtype=bool)
    box[y : y + h, x : x + w] = True
    return box


def _fill(work: Colours, ground: Colours) -> Colours:
    """The commonest colour in the middle that is not the ground's, nor that of the number.

    A bold number may cover more of the middle than its badge does. But the badge's rim has the badge's colour, or a
    tint of it.
    """
    unlike = np.abs(work - ground).max(axis=2) >= max(LEAST_CONTRAST, _unrest(work, ground))
    a, b = (round(part * WORK_PX) for part in MIDDLE)
    if unlike[a:b, a:b].mean() < LEAST_COVER:
        return ground
    depth = np.asarray(cv2.distanceTransform(_within_rim(unlike), cv2.DIST_L2, 3)) / WORK_PX
    middle = work[a:b, a:b][unlike[a:b, a:b]]
    colours = _common(middle)
    for rim in _common(work[(depth > RIM_DEPTH[0]) & (depth <= RIM_DEPTH[1])])[:1]:
        blends = [(colour, *_blend(rim, ground, colour)) for colour in colours]
        # Beside a bold number a dim rim is a tint of anything, but hardly of what is many times as plain.
        tinted = [colour for colour, share, off in blends if share >= OUTLINE and off <= SAME_COLOUR]
        # In noise the number may be all that is of one colour: then the badge is what has about that of its rim, in the
        # middle or, where a bold number leaves little of it, all round.
        around = work[_within_rim(unlike) > 0]
        near = [colour for colour, share, _ in blends if share >= OUTLINE]
        bare = [colour for colour in near if np.mean(_are(middle, colour)) >= BARE]
        # A picture that was sharpened has a halo round its badges: what is many times as plain further in is the badge.
        deep, faint = work[depth > RIM_DEPTH[1]], float(np.abs(rim - ground).max()) / OUTLINE
        plain = [colour for colour in colours if float(np.abs(colour - ground).max()) > faint]
        bare = bare or [colour for colour in plain if np.count_nonzero(_are(deep, colour)) >= BARE * max(1, len(deep))]
        colours = tinted or _about(rim, ground, middle) or bare or _about(rim, ground, around) or near or colours
    return colours[0]


def _are(pixels: Colours, colour: Colours) -> npt.NDArray[np.bool_]:
    """Which of ``pixels``, ``float32 (N, 3)``, have a colour."""
    return np.asarray(np.abs(pixels - colour).max(axis=1) <= SAME_COLOUR)


def _common(pixels: Colours) -> list[Colours]:
    """The colours of many of ``pixels``, ``float32 (N, 3)``, the commonest first."""
    codes = (np.clip(pixels, 0, 255) // SAME_COLOUR).astype(np.int64) @ np.array([1, 64, 4096])
    found, counts = np.unique(codes, return_counts=True)
    many = counts >= min(COMMON * len(codes), counts.max(initial=0))
    found, counts = found[many], counts[many]
    return [medians(pixels[codes == code]) for code in found[np.argsort(-counts, kind="stable")]]


def _about(rim: Colours, ground: Colours, middle: Colours) -> list[Colours]:
    """The colour of those pixels of the middle, ``float32 (N, 3)``, of which the rim's is a tint; none for a few."""
    step = rim - ground
    share = (middle - ground) @ step / max(1.0, float(step @ step))
    off = np.abs(middle - ground - share[:, None] * step).max(axis=1)
    own = (off <= SAME_COLOUR) & (share >= OUTLINE)
    return [medians(middle[own])] if own.mean() >= COMMON else []


def _blend(pixels: Colours, ground: Colours, fill: Colours) -> tuple[Colours, Colours]:
    """How much of the fill, 0..1, is in each of ``pixels``, ``float32 (..., 3)``, and how far off they are from such a
    blend, in grey levels."""
    step = fill - ground
    share = np.clip((pixels - ground) @ step / float(step @ step), 0, 1)
    off = np.abs(pixels - ground - share[..., None] * step).max(axis=-1)
    return np.asarray(share, np.float32), np.asarray(off, np.float32)


def _ground(work: Colours) -> Colours:
    return medians(_corners(work))


def _unrest(work: Colours, ground: Colours) -> float:
    """Grey levels by which a cell's ground hardly ever differs from its colour: moire and noise."""
    return OVER_UNREST * percentile(np.abs(_corners(work) - ground).max(axis=1), MOST_OF_GROUND)


def _corners(work: Colours) -> Colours:
    """The pixels near a cell's corners, ``float32 (N, 3)``, where its ground shows."""
    a, b = (round(part * WORK_PX) for part in CORNER)
    near, far = slice(a, b), slice(WORK_PX - b, WORK_PX - a)
    return np.concatenate([work[rows, cols].reshape(-1, 3) for rows in (near, far) for cols in (near, far)])


def _outline(mask: npt.NDArray[np.bool_]) -> cv2.typing.MatLike | None:
    """The outer contour round the middle of the cell, clear of lines that cross its rim."""
    inner = _within_rim(mask)
    found = _around_middle(inner)
    if found is not None:
        return found
    # All that is left of a badge between a bold number and the ground may be a hairline as well.
    contours, _ = cv2.findContours(inner, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return _around_middle(cv2.drawContours(np.zeros(mask.shape, np.uint8), contours, -1, 1, cv2.FILLED))


def _around_middle(inner: cv2.typing.MatLike) -> cv2.typing.MatLike | None:
    """The outer contour round the middle in a mask, once hairlines between badge and rim (pointers, dashes) are gone.

    What is as thick as a badge stays.
    """
    opened = cv2.morphologyEx(inner, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    middle = (WORK_PX / 2, WORK_PX / 2)
    around = [c for c in contours if cv2.pointPolygonTest(c, middle, False) >= 0]
    return max(around, key=cv2.contourArea) if around else None


def _within_rim(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """A mask without what lies at the rim of its cell, 0 or 1."""
    a, b = round(RIM * WORK_PX), WORK_PX - round(RIM * WORK_PX)
    inner = np.zeros(mask.shape, np.uint8)
    inner[a:b, a:b] = mask[a:b, a:b]
    return inner


def _shape(aspect: float, inside: npt.NDArray[np.bool_]) -> tuple[Shape, float] | None:
    """What a badge with this ratio of width to height and this outline asks for, and how clearly.

    None for what is oblong without being a rectangle: a bold digit, not a badge.
    """
    oblong = max(aspect, 1 / aspect)
    decided = min(1.0, abs(np.log(oblong) / np.log(OBLONG) - 1))
    dy, dx = (max(1, round(CORNER_BOX * length)) for length in inside.shape)
    boxes = [inside[rows, cols] for rows in (slice(dy), slice(-dy, None)) for cols in (slice(dx), slice(-dx, None))]
    corners = [float(box.mean()) for box in boxes]
    if oblong >= OBLONG:
        return (("wide" if aspect > 1 else "tall"), decided) if min(corners) >= EACH_CORNER else None
    filled = float(np.mean(corners))
    clear = min(decided, 2 * abs(filled - CORNER_FILLED))
    return ("square" if filled >= CORNER_FILLED else "any"), clear
