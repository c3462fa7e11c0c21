"""Reading numbers: patches of a picture go in, numbers with confidences come out.

A call of Tesseract costs the same whether it reads one digit or forty, so all patches of a board go onto one sheet:
each is cut free (:mod:`vision.glyphs`), brought to one height and laid into a slot of its own, and what is read is
mapped back by where it stands. What was cut out also says how many digits there are, so a lost or an invented one is
noticed. Numbers that were not read for certain are laid out again at other heights; every reading votes.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.glyphs import Glyphs, isolate
from vision.ocr_engines import Engine, Word, engine
from vision.photo import Picture


@dataclass(frozen=True)
class DigitGuess:
    """What a patch may say.

    Attributes:
        text: the most likely number, empty when nothing was read.
        confidence: 0..1.
        alternatives: other readings with their confidences, most likely first.
    """

    text: str
    confidence: float
    alternatives: tuple[tuple[str, float], ...] = ()


DigitReader = Callable[[Sequence[Picture]], list[DigitGuess]]
"""Reads one number from each grey patch ``uint8 (h, w)``; as many guesses as patches, in order."""


def no_reader(patches: Sequence[Picture]) -> list[DigitGuess]:
    """Reads nothing: for boards without clues, and where no engine is installed."""
    return [DigitGuess("", 0.0) for _ in patches]


def digit_reader(name: str = "auto") -> DigitReader:
    """A reader with the engine called ``name`` (see :func:`vision.ocr_engines.engine`), which is started on first use.

    The reader takes grey ``(h, w)`` and BGR ``(h, w, 3)`` patches, cells or parts of cells with one number each.
    """

    def read(patches: Sequence[Picture]) -> list[DigitGuess]:
        found = [isolate(patch) for patch in patches]
        guesses = read_glyphs([glyphs for glyphs in found if glyphs is not None], engine(name))
        rest = iter(guesses)
        return [DigitGuess("", 0.0) if glyphs is None else next(rest) for glyphs in found]

    return read


# --- reading ----------------------------------------------------------------------------------------------------------

FIRST_HEIGHT_PX = 22
"""Digits of 20 to 24 px are what Tesseract's network misreads least: 4 of 840 at 22, 24 at 28, 49 at 36, 8 at 18."""

OTHER_HEIGHTS_PX = (18, 27)
"""For a second and a third opinion. Other heights are cut into other pieces by the network: its errors differ."""

CERTAIN = 0.94
"""From here on a reading was right on drawn and photographed digits when its digits were as many as the shapes."""

MOST_CONFIDENT = 0.99


def read_glyphs(glyphs: Sequence[Glyphs], ocr: Engine) -> list[DigitGuess]:
    """Read numbers that are cut out already; as many guesses as ``glyphs``, in order."""
    votes: list[list[tuple[str, float]]] = [[] for _ in glyphs]
    waiting = list(range(len(glyphs)))
    for height in (FIRST_HEIGHT_PX, *OTHER_HEIGHTS_PX):
        if not waiting:
            break
        for index, vote in zip(waiting, _one_sheet([glyphs[i] for i in waiting], height, ocr), strict=True):
            votes[index].append(vote)
        waiting = [i for i in waiting if not _settled(glyphs[i], votes[i])]
    return [_verdict(one, cast) for one, cast in zip(glyphs, votes, strict=True)]


def _settled(glyphs: Glyphs, votes: list[tuple[str, float]]) -> bool:
    """Whether the first look is enough: certain, and as many digits as shapes."""
    text, confidence = votes[0]
    return confidence >= CERTAIN and len(text) == len(glyphs.boxes)


def _verdict(glyphs: Glyphs, votes: list[tuple[str, float]]) -> DigitGuess:
    """What the votes come to: each text's mean confidence over all looks, halved where digits and shapes differ."""
    tally: dict[str, float] = defaultdict(float)
    for text, confidence in votes:
        if text:
            right_count = len(text) == len(glyphs.boxes)
            tally[text] += (confidence if right_count else confidence / 2) / len(votes)
    ranked = sorted(((text, min(MOST_CONFIDENT, score)) for text, score in tally.items()), key=lambda r: -r[1])
    if not ranked:
        return DigitGuess("", 0.0)
    return DigitGuess(*ranked[0], tuple(ranked[1:]))


# --- the sheet --------------------------------------------------------------------------------------------------------

SLOT_GAP = 3.0
"""Space between slots, of the digits' height: at 1.5 neighbours merge into one word, at 3 none did."""

ROW_GAP = 1.2
"""Space between rows, of the digits' height."""

SLOTS_PER_ROW = 6

LEAST_SLOTS = 12
"""On a sheet: of two numbers alone on a line Tesseract saw neither."""

TRACKING = 0.45
"""Space put between the digits of a number, of their height. Of 1,160 numbers in 29 faces, set as the faces set them
980 were read right and with this space 1,157; from 0.7 on a number falls into two words."""

LEAST_MARGIN_PX = 10
"""White round the sheet: Tesseract drops what touches its rim."""


def _one_sheet(glyphs: Sequence[Glyphs], height_px: int, ocr: Engine) -> list[tuple[str, float]]:
    """Read all numbers from one sheet: for each its text and confidence, ``("", 0)`` where nothing was read."""
    # A line with a word or two is taken for dirt: short sheets say everything several times.
    times = max(1, -(-LEAST_SLOTS // len(glyphs)))
    slots = [_slot(one, height_px) for one in glyphs] * times
    pitch_x = max(slot.shape[1] for slot in slots) + round(SLOT_GAP * height_px)
    pitch_y = max(slot.shape[0] for slot in slots) + round(ROW_GAP * height_px)
    rows = -(-len(slots) // SLOTS_PER_ROW)
    sheet = np.full(
        (rows * pitch_y + 2 * LEAST_MARGIN_PX, SLOTS_PER_ROW * pitch_x + 2 * LEAST_MARGIN_PX), 255, np.uint8
    )
    for index, slot in enumerate(slots):
        row, col = divmod(index, SLOTS_PER_ROW)
        y = LEAST_MARGIN_PX + row * pitch_y + (pitch_y - slot.shape[0]) // 2
        x = LEAST_MARGIN_PX + col * pitch_x + (pitch_x - slot.shape[1]) // 2
        sheet[y : y + slot.shape[0], x : x + slot.shape[1]] = slot
    heard: list[list[Word]] = [[] for _ in slots]
    for word in ocr(sheet):
        left, top, right, bottom = word.box
        col = int(((left + right) / 2 - LEAST_MARGIN_PX) // pitch_x)
        row = int(((top + bottom) / 2 - LEAST_MARGIN_PX) // pitch_y)
        index = row * SLOTS_PER_ROW + col
        if 0 <= col < SLOTS_PER_ROW and 0 <= index < len(slots):
            heard[index].append(word)
    said = [_joined(words) for words in heard]
    # Of several readings of the same slot the least sure one counts, but any is better than none.
    return [
        min((s for s in said[i :: len(glyphs)] if s[0]), key=lambda s: s[1], default=("", 0.0))
        for i in range(len(glyphs))
    ]


def _joined(words: list[Word]) -> tuple[str, float]:
    """The words of one slot as one number, as sure as the least sure of them."""
    ordered = sorted(words, key=lambda word: word.box[0])
    return "".join(word.text for word in ordered), min((word.confidence for word in ordered), default=0.0)


def _slot(glyphs: Glyphs, height_px: int) -> Picture:
    """The number with its tallest digit at ``height_px`` and its digits set apart, cropped to them."""
    top = min(box[1] for box in glyphs.boxes)
    bottom = max(box[3] for box in glyphs.boxes)
    scale = height_px / (bottom - top)
    gap = np.full((height_px, max(1, round(TRACKING * height_px))), 255, np.uint8)
    parts: list[Picture] = []
    for left, _, right, _ in glyphs.boxes:
        size_wh = (max(1, round((right - left) * scale)), height_px)
        digit = cv2.resize(glyphs.patch[top:bottom, left:right], size_wh, interpolation=cv2.INTER_AREA)
        parts.extend((gap, np.asarray(digit, np.uint8)))
    return np.hstack(parts[1:])
