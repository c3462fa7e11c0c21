"""Which way up is a picture? Its text tells, without being read.

In Latin, Greek and Cyrillic writing the letters of a line stand on a common baseline: few have descenders, so their
lower ends agree, while capitals, ascenders and small letters end at different heights. Upside down it is the upper
ends that agree. On lines that run up or down the page the same holds after a quarter turn. A puzzle's page has a
title, buttons and rules on it, so a few dozen letters decide; figures have neither descenders nor ascenders and vote
for nothing.

Ascender counts decide orientation in scanned documents in the same way [1].

[1] D. S. Bloomberg, G. E. Kopec, L. Dasari, "Measuring document image skew and orientation", SPIE 2422, 1995.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.flatten import quarter_turned
from vision.pictures.medians import median
from vision.pictures.photo import Photo, Picture

WORK_PX = 1280
"""Longest side at which letters are looked for: small print on a phone's page is still 8 pixels high."""

CONTRAST = 25
"""Grey levels of 255 between a letter and the paper around it."""

PAPER = 0.04
"""Side of the box whose median is the paper, as a part of the longer side: higher than a line, lower than a button."""

COARSE = 3
"""The paper is looked for in every third pixel of every third row; that is enough for a median."""

WORD_GAP = 0.01
"""Letters no further apart than this part of the longer side stand in one line."""

LETTER_PX = (5, 60)
"""Heights of letters in the working picture."""

WIDEST = 2.0
"""A letter is at most so many times as wide as high; wider things are rules and joined words."""

FLATTEST = 0.5
"""Marks lower than this part of the line's highest are dots and commas, and say nothing."""

LETTERS_IN_LINE = 5
"""Lines with fewer letters are labels and icons."""

LETTERS_NEEDED = 25
"""So many letters must vote before a picture is turned."""

ALIGNED = 0.1
"""On a line of text one end of the letters agrees up to this, in heights: a few descenders, a little slant."""

RAGGED = (0.05, 0.4)
"""The other end differs by so much: less is a row of crosses, figures or capitals, more no line of text at all."""

AGREEMENT = 0.22
"""So much of the vote must point one way, of -1..1."""


@dataclass(frozen=True)
class Vote:
    """What the text of a picture says about which way up it is.

    Attributes:
        letters: letters that were counted.
        upright: -1..1: 1 where all lower ends agree and upper ends do not, -1 where it is the other way round.
    """

    letters: float
    upright: float


def quarter_turns(photo: Photo) -> int:
    """How many quarter turns clockwise would set the text of a picture upright: 0..3; 0 where text does not tell."""
    return turns_by_text(photo) or 0


def turns_by_text(photo: Photo) -> int | None:
    """The same, None where text does not tell."""
    return photo.derive(_turns_by_text)


def _turns_by_text(photo: Photo) -> int | None:
    gray = photo.reduced(WORK_PX).gray
    level = vote(gray)
    if level.letters >= LETTERS_NEEDED and level.upright >= AGREEMENT:
        return 0
    turned = vote(quarter_turned(gray, 1))
    turns, best = (0, level) if level.letters >= turned.letters else (1, turned)
    if best.letters < LETTERS_NEEDED or abs(best.upright) < AGREEMENT:
        return None
    return turns if best.upright > 0 else (turns + 2) % 4


def vote(gray: Picture) -> Vote:
    """What the level lines of text in ``uint8 (H, W)`` say."""
    longest = max(gray.shape)
    paper = _paper(gray, PAPER * longest)
    total, letters = 0.0, 0.0
    for ink in (cv2.subtract(paper, gray), cv2.subtract(gray, paper)):
        mask = np.asarray(ink > CONTRAST, dtype=np.uint8)
        for line in _lines(mask, max(3, round(WORD_GAP * longest))):
            upper, lower = _spreads(line)
            if min(upper, lower) <= ALIGNED and RAGGED[0] <= max(upper, lower) <= RAGGED[1]:
                total += len(line) * (upper - lower) / (upper + lower)
                letters += len(line)
    return Vote(letters, total / letters if letters else 0.0)


def _paper(gray: Picture, reach_px: float) -> Picture:
    """The page without its letters: the median over boxes, since letters cover less than half of any text.

    A mean would be greyer than the page beside letters, and gaps between them would look like letters of light ink.
    """
    coarse = cv2.resize(gray, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_NEAREST)
    box = 2 * max(1, round(reach_px / COARSE / 2)) + 1
    paper = cv2.resize(cv2.medianBlur(coarse, box), gray.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(paper, dtype=np.uint8)


def _lines(mask: Picture, gap: int) -> list[npt.NDArray[np.int32]]:
    """The letters of each line: ``int32 (N, 2)`` arrays of their upper and lower ends."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    stats = stats.reshape(-1, 5)[1:]
    low, high = LETTER_PX
    fits = (stats[:, 3] >= low) & (stats[:, 3] <= high) & (stats[:, 2] <= WIDEST * stats[:, 3])
    if np.count_nonzero(fits) < LETTERS_IN_LINE:
        return []
    # Of an odd width, or what is joined lies a pixel beside the letters and does not hold them all.
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((1, 2 * (gap // 2) + 1), np.uint8))
    line_of = cv2.connectedComponents(joined, connectivity=8)[1]
    # Any pixel of a letter tells its line.
    numbers = np.zeros(len(stats), dtype=np.int32)
    for index in np.flatnonzero(fits):
        left, top, width = stats[index, :3]
        along = left + int(np.argmax(labels[top, left : left + width] == index + 1))
        numbers[index] = line_of[top, along]
    lines = []
    for number in np.unique(numbers[fits]):
        chosen = stats[fits & (numbers == number)]
        if len(chosen) >= LETTERS_IN_LINE:
            lines.append(np.column_stack([chosen[:, 1], chosen[:, 1] + chosen[:, 3]]))
    return lines


def _spreads(line: npt.NDArray[np.int32]) -> tuple[float, float]:
    """How far upper and lower ends are from their medians on average, in heights; zeros where letters are too few."""
    heights = line[:, 1] - line[:, 0]
    letters = line[heights >= FLATTEST * heights.max()]
    if len(letters) < LETTERS_IN_LINE:
        return 0.0, 0.0
    upper, lower = (float(np.abs(ends - median(ends)).mean()) for ends in letters.T)
    usual = median(heights)
    return upper / usual, lower / usual
