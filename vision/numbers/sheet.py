"""All numbers of a board on one sheet, for Tesseract to read in one call.

A call costs the same whether it reads one digit or forty. So numbers are brought to one height and laid into slots with
much white between them, and what is read goes back to the slot that it stands in.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.numbers.glyphs import Glyphs
from vision.numbers.ocr_engines import Engine, Word
from vision.pictures.photo import Picture

Look = tuple[str, float]
"""What was read in a slot, and how sure Tesseract is of it, 0..1; ``("", 0.0)`` where nothing was read."""

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

THINNED = 2.0
"""Exponent of the ink, 0..1, that takes from strokes what is grey at their rims."""

LEAST_MARGIN_PX = 10
"""White round the sheet: Tesseract drops what touches its rim."""


def read_sheet(glyphs: Sequence[Glyphs], height_px: int, ocr: Engine) -> list[Look]:
    """Read all numbers from one sheet: for each what stands there, its digits drawn ``height_px`` high."""
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
    for word in ocr(sheet) or ocr(_thinned(sheet)):
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


def _thinned(sheet: Picture) -> Picture:
    """The sheet with thinner strokes: of bold and blurred numbers Tesseract now and then finds no line at all."""
    ink = 1 - sheet / 255.0
    return np.asarray(255 * (1 - ink**THINNED), np.uint8)


def _joined(words: list[Word]) -> Look:
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
