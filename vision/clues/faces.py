"""The whole of a bent board as faces: the open cells, and each filled patch with the white clue on it.

A filled patch is laid with rope, and rope has light and dark streaks everywhere; but nothing on it is as light and
grey as a thread, and nothing as thin and of its dye as the outline. Threads sink into the rope here and there, so they
do not close. Yet each patch carries one clue, and the ground is known: a flood rises from these, in the wide places
first [1]_, and where two waters meet lies a seam, through all gaps that are narrower than a patch.

References:
    .. [1] S. Beucher and F. Meyer, "The Morphological Approach to Segmentation: The Watershed Transformation", in
       Mathematical Morphology in Image Processing (1993), with the distance from all seams as the height.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.clues.numerals import COMPACT, SLIM, alone, continued, disc
from vision.clues.threads import COLOURFUL, LONGEST_PX, Cloth, lightness_and_chroma, nearest_label, seam_px
from vision.pictures.medians import median, medians
from vision.pictures.photo import Photo, Picture

THREAD_WIDTH, OUTLINE_WIDTH = 0.075, 0.14
"""Threads and the outline are thinner than this, in cells: half as wide. Streaks of rope are wider than threads, ropes
wider than the outline."""

SPECK, GAP = 0.055, 0.065
"""What is shorter than this is glint, not thread; gaps that are closed at once, in cells."""

OUTLINE_DYE = 0.3
"""How much of the usual outline's dye stands out where the outline runs: between its dashes is grey seam, and on an
orange patch less of a red one stands out."""

OUTLINE_FULL = 0.55
"""How strong that dye is there at least; lit rope of a like dye reaches it in spots."""

OTHER_DYE = 2.0
"""How much each part of another dye takes from that."""

THREAD = 0.27
"""How much of the usual thread's paleness stands out where a thread runs on rope; glints of rope have a quarter."""

TINGE = 2.0
"""How much colour takes from paleness: rope may be as light as a thread, yet is never as grey."""

FADED = 0.3
"""Part of a rope's saturation that is missing where a thread runs on it: nine tenths of a thread's length miss more
than a third, however thin it is; of rope itself one pixel in five hundred misses as much, a glint."""

FAINT, LONG = 0.15, 0.35
"""Less may be missing where the piece of thread is so long, in cells."""

OVER_GLINTS = 6.0
"""And so many times what is missing of rope at its most glinting fifth."""

LEAST_SATURATION = 0.4
"""Of what has less as much must be missing as of that: pale rope in a compressed picture is not evenly pale."""

PLAIN_THREAD = 0.5
"""How much a thread stands out, as a part of the full range, where no two open cells lie side by side to measure it."""

WHITE = 0.8
"""Clues on filled patches are this light in every colour, as a part of the full range."""

BLENDED, WHOLLY = 0.6, 0.8
"""And this light where strokes blend into the rope: of thin ones hardly more is seen. But from its top to its bottom,
to this part of its height, a digit is white."""

DIGIT_HIGH = (0.12, 0.8)
"""Height of a digit, in cells."""

BETWEEN_DIGITS = 0.16
"""Between the digits of a number, in cells, at most."""

AROUND = 0.06
"""So far round a clue, in cells, must lie rope."""

ON_ROPE = 0.7
"""Part of what is round a clue that must be rope."""

GROUND = 0.25
"""Bare cloth that is this far from everything, in cells, is ground."""

ROPED = 0.1
"""Where rope covers so much of the picture's rim, the ground is roped."""

WIDE = 0.5
"""What is farther from all walls, in cells, is flooded at once: the middle of the widest patches, and the ground."""

COARSE = 2
"""The flood is run on a picture that is this much smaller: seams are four times as wide."""


@dataclass(frozen=True, eq=False)
class Faces:
    """A board's faces.

    Attributes:
        labels: ``int32 (H, W)`` at reduced size: the number of the face that a pixel belongs to; open cells have the
            numbers of the cloth, patches follow, the ground has the last.
        clues: for each filled patch its number and where its white clue is, ``bool (H, W)``.
        outline: ``bool (H, W)``: where the outline runs.
        threads: ``bool (H, W)``: where threads run.
        ground: the number of the ground.
    """

    labels: npt.NDArray[np.int32]
    clues: Mapping[int, npt.NDArray[np.bool_]]
    outline: npt.NDArray[np.bool_]
    threads: npt.NDArray[np.bool_]
    ground: int


def faces(photo: Photo, cloth: Cloth, clues: Mapping[int, npt.NDArray[np.bool_]]) -> Faces:
    """The faces of the board on ``cloth``; ``clues`` are the white numbers, by the numbers that their patches get."""
    bgr = photo.reduced(LONGEST_PX).bgr
    pale = _pale_threads(bgr, cloth)
    outline = _outline(bgr, cloth, pale)
    ground = max([cloth.count, *clues]) + 1
    digits = np.zeros(outline.shape, dtype=np.uint8)
    springs = np.where(_bare(cloth, outline), ground, 0).astype(np.int32)
    for number, clue in clues.items():
        digits |= clue
        springs[clue] = number
    threads = _threads(bgr, cloth, pale, outline)
    no_digit = cv2.dilate(digits, disc(5)) == 0
    walls = (outline | threads) & no_digit
    walls = cv2.morphologyEx(walls.astype(np.uint8), cv2.MORPH_CLOSE, _brush(GAP, cloth)) > 0
    going_on = _coarse(cloth.rope) & continued(_coarse(threads & no_digit), cloth.side_px / COARSE)
    cells = cv2.erode((cloth.labels > 0).astype(np.uint8), disc(max(3, round(seam_px(bgr, cloth.side_px)) | 1))) > 0
    land = _Land(_coarse(walls) | going_on, _coarse(cells), _coarse(_within_rope(cloth)), ground)
    risen = _flood(land, _coarse(springs), WIDE * cloth.side_px / COARSE)
    labels = risen.repeat(COARSE, axis=0).repeat(COARSE, axis=1)[: bgr.shape[0], : bgr.shape[1]]
    labels, _ = nearest_label(np.where(cells, cloth.labels, labels))
    return Faces(labels, clues, outline, threads, ground)


def _brush(width: float, cloth: Cloth) -> Picture:
    """A round brush as wide as this part of a cell's side."""
    return disc(max(3, round(width * cloth.side_px) | 1))


def _outline(bgr: Picture, cloth: Cloth, threads: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Where the outline runs: what is thin and of the dye of all that is dyed and neither patch nor clue."""
    own = cloth.dyed & ~cloth.rope & (cloth.clues == 0)
    if not own.any():
        return np.asarray(own, dtype=np.bool_)
    colours = cv2.subtract(bgr, cv2.merge([lightness_and_chroma(bgr)[0]] * 3)).astype(np.float32)
    dye = medians(bgr[own])
    dye = ((dye - dye.min()) / max(1e-6, float(np.linalg.norm(dye - dye.min())))).astype(np.float32)
    along = colours @ dye
    other = np.sqrt(sum((colours[..., k] - along * dye[k]) ** 2 for k in range(3)))
    strength = np.clip(along - OTHER_DYE * other, 0, 255).astype(np.uint8)
    thin = cv2.morphologyEx(strength, cv2.MORPH_TOPHAT, _brush(OUTLINE_WIDTH, cloth))
    usual = median(strength[own])
    full = strength > OUTLINE_FULL * usual
    filled = cv2.morphologyEx(full.astype(np.uint8), cv2.MORPH_CLOSE, _brush(OUTLINE_WIDTH, cloth))
    rope = cv2.morphologyEx(filled, cv2.MORPH_OPEN, _brush(3 * OUTLINE_WIDTH, cloth))
    elsewhere = cv2.dilate(rope, _brush(2 * OUTLINE_WIDTH, cloth)) == 0
    return _without_specks((thin > OUTLINE_DYE * usual) & full & (elsewhere | _beside_ground(cloth, threads)), cloth)


def _beside_ground(cloth: Cloth, threads: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """What is no farther from bare cloth than the outline is wide, and not behind a thread: rope may be of its dye."""
    bare = (~cloth.rope & ~cloth.dyed & ~threads).astype(np.uint8)
    reached = cv2.morphologyEx(bare, cv2.MORPH_OPEN, _brush(THREAD_WIDTH + OUTLINE_WIDTH, cloth)) > 0
    for _ in range(round(OUTLINE_WIDTH * cloth.side_px)):
        reached = np.where(threads, False, cv2.dilate(reached.astype(np.uint8), disc(3)) > 0)
    return np.asarray(reached, dtype=np.bool_)


def _pale_threads(bgr: Picture, cloth: Cloth) -> npt.NDArray[np.bool_]:
    """Where threads run: what is thin, grey, and light enough compared with those between open cells."""
    lightness, chroma = lightness_and_chroma(bgr)
    pale = cv2.subtract(lightness, cv2.multiply(chroma, np.array(TINGE)))  # saturates at 0
    rise = cv2.morphologyEx(pale, cv2.MORPH_TOPHAT, _brush(THREAD_WIDTH, cloth))
    known = _seams(cloth.labels)
    usual = median(cv2.dilate(rise, disc(5))[known]) if known.any() else PLAIN_THREAD * 255
    return np.asarray((rise > THREAD * usual) & (chroma < COLOURFUL * 255), dtype=np.bool_)


def _threads(
    bgr: Picture, cloth: Cloth, pale: npt.NDArray[np.bool_], outline: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Threads with those between ropes, of which little may be seen, and that blends with them: light and shadow leave
    the saturation of rope as it is, what is grey takes from it.
    """
    lightness, chroma = lightness_and_chroma(bgr)
    saturation = chroma / np.maximum(1.0, lightness.astype(np.float32) + chroma)
    around = cv2.morphologyEx(saturation, cv2.MORPH_CLOSE, _brush(THREAD_WIDTH, cloth))
    missing = (around - saturation) / np.maximum(around, LEAST_SATURATION)
    inside = cloth.rope & (cv2.dilate(outline.astype(np.uint8), _brush(2 * OUTLINE_WIDTH, cloth)) == 0)
    glints = OVER_GLINTS * np.percentile(missing[cloth.rope][::7], 80) if cloth.rope.any() else 0.0
    plain = _without_specks(pale | (inside & (missing > max(FADED, glints))), cloth)
    return plain | _without_specks(plain | (inside & (missing > max(FAINT, glints / 2))), cloth, LONG)


def _without_specks(mask: npt.NDArray[np.bool_], cloth: Cloth, least: float = SPECK) -> npt.NDArray[np.bool_]:
    """The pieces that are longer than this, in cells."""
    _, parts, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    long_enough = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1) > least * cloth.side_px
    long_enough[0] = False
    return np.asarray(long_enough[parts], dtype=np.bool_)


def _seams(labels: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Where two cells meet."""
    seams = np.zeros(labels.shape, dtype=np.bool_)
    seams[:, 1:] |= (labels[:, 1:] != labels[:, :-1]) & (labels[:, 1:] > 0) & (labels[:, :-1] > 0)
    seams[1:] |= (labels[1:] != labels[:-1]) & (labels[1:] > 0) & (labels[:-1] > 0)
    return seams


def white_clues(photo: Photo, cloth: Cloth) -> list[npt.NDArray[np.bool_]]:
    """What may be white numbers on rope, ``bool (H, W)`` each."""
    bgr, side = photo.reduced(LONGEST_PX).bgr, cloth.side_px
    lightness = lightness_and_chroma(bgr)[0]
    white = lightness > WHITE * 255
    # Beside the white of thin strokes lies what is half of them; glints of rope are white in spots only, threads slim.
    ink = (cv2.dilate(white.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0) & (lightness > BLENDED * 255)
    digits = _like_digits(alone(white, side, SLIM) | alone(ink, side, COMPACT), white, side)
    # A thin stroke may be white nowhere along its length: what is light all through counts beside a digit.
    light = _like_digits(alone(lightness > BLENDED * 255, side, COMPACT), white, side)
    _, groups = cv2.connectedComponents(_joined(digits | light, side), connectivity=8)
    digits |= light & np.isin(groups, np.unique(groups[digits]))
    _, groups, boxes, _ = cv2.connectedComponentsWithStats(_joined(digits, side), connectivity=8)
    return [(groups == i) & digits for i in range(1, len(boxes)) if _on_rope(groups == i, boxes[i], cloth)]


def _like_digits(pieces: npt.NDArray[np.bool_], white: npt.NDArray[np.bool_], side: float) -> npt.NDArray[np.bool_]:
    """The pieces as large as digits that are white from the top to the bottom."""
    _, parts, stats, _ = cv2.connectedComponentsWithStats(pieces.astype(np.uint8), connectivity=8)
    wide, high = stats[:, cv2.CC_STAT_WIDTH] / side, stats[:, cv2.CC_STAT_HEIGHT] / side
    good = (high > DIGIT_HIGH[0]) & (high < DIGIT_HIGH[1]) & (wide < DIGIT_HIGH[1])
    good &= _heights(np.where(white, parts, 0), len(stats)) >= WHOLLY * stats[:, cv2.CC_STAT_HEIGHT]
    good[0] = False
    return np.asarray(good[parts], dtype=np.bool_)


def _joined(digits: npt.NDArray[np.bool_], side: float) -> Picture:
    """Digits with what lies between them and those beside them."""
    reach = max(3, round(BETWEEN_DIGITS * side) | 1)
    return np.asarray(cv2.dilate(digits.astype(np.uint8), np.ones((1, reach), np.uint8)), dtype=np.uint8)


def _heights(parts: npt.NDArray[np.int32], count: int) -> npt.NDArray[np.int64]:
    """How many rows lie between the first and the last pixel of each part, ``(count,)``."""
    rows, _ = np.nonzero(parts)
    first, last = np.full(count, len(parts)), np.full(count, -1)
    np.minimum.at(first, parts[parts > 0], rows)
    np.maximum.at(last, parts[parts > 0], rows)
    return np.asarray(last - first + 1, dtype=np.int64)


def _on_rope(group: npt.NDArray[np.bool_], box: npt.NDArray[Any], cloth: Cloth) -> bool:
    """Whether a number is surrounded by rope."""
    left, top, width, height = (int(v) for v in box[:4])
    reach = max(2, round(AROUND * cloth.side_px))
    window = np.s_[max(0, top - reach) : top + height + reach, max(0, left - reach) : left + width + reach]
    return bool(cloth.rope[window][~group[window]].mean() > ON_ROPE)


def _bare(cloth: Cloth, outline: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The ground for certain: bare cloth far from everything, and the rim of the picture."""
    bare = (~cloth.rope & (cloth.labels == 0) & ~outline).astype(np.uint8)
    sure = cv2.erode(bare, disc(round(GROUND * cloth.side_px) | 1)) > 0
    sure[[0, -1]] = True
    sure[:, [0, -1]] = True
    return np.asarray(sure & (cloth.labels == 0), dtype=np.bool_)


def _coarse(mask: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A mask, or numbers, at the size of the flood; nothing of a mask is lost."""
    high, wide = (-(-length // COARSE) for length in mask.shape)
    padded = np.zeros((high * COARSE, wide * COARSE), dtype=mask.dtype)
    padded[: mask.shape[0], : mask.shape[1]] = mask
    return np.asarray(padded.reshape(high, COARSE, wide, COARSE).max(axis=(1, 3)))


@dataclass(frozen=True, eq=False)
class _Land:
    """What is flooded, ``bool (H, W)`` each.

    Attributes:
        walls: where threads and the outline run.
        taken: what is not flooded.
        rope: what is not ground for certain.
        ground: the number of the ground.
    """

    walls: npt.NDArray[np.bool_]
    taken: npt.NDArray[np.bool_]
    rope: npt.NDArray[np.bool_]
    ground: int


def _within_rope(cloth: Cloth) -> npt.NDArray[np.bool_]:
    """Rope, other than along its edge: the outline is as broad. None where the ground is roped, too."""
    rim = np.concatenate([cloth.rope[[0, -1]].ravel(), cloth.rope[:, [0, -1]].ravel()])
    if rim.mean() > ROPED:
        return np.zeros_like(cloth.rope)
    closed = cv2.morphologyEx(cloth.rope.astype(np.uint8), cv2.MORPH_CLOSE, _brush(THREAD_WIDTH, cloth))
    return np.asarray(cv2.erode(closed, _brush(2 * OUTLINE_WIDTH, cloth)) > 0, dtype=np.bool_)


def _flood(land: _Land, springs: npt.NDArray[np.int32], wide_px: float) -> npt.NDArray[np.int32]:
    """The springs' numbers spread over all that is neither taken nor wall, from what is far from walls to the near."""
    depth = cv2.distanceTransform((~(land.walls | land.taken)).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_5)
    labels = np.where(land.taken, 0, springs)
    for level in range(round(wide_px), 0, -1):
        todo = (depth >= level) & (labels == 0) & ~land.taken
        count, parts = cv2.connectedComponents(todo.astype(np.uint8), connectivity=4)
        near, away = nearest_label(labels)
        wet = todo & (away < 2)
        first = np.zeros(count, dtype=np.int32)
        first[parts[wet]] = near[wet]
        mixed = np.zeros(count, dtype=np.bool_)
        mixed[parts[wet & (first[parts] != near)]] = True
        labels = np.where(todo, np.where(mixed[parts], near, first[parts]), labels)
        labels[land.rope & (labels == land.ground)] = 0
    return np.asarray(labels, dtype=np.int32)
