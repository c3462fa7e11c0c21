"""Reading numbers: patches of a picture go in, numbers with confidences come out.

Each number is cut free (:mod:`vision.numbers.glyphs`), which also says how many digits it has, so that a lost or an
invented one is noticed. Tesseract reads all numbers of a board from one sheet, in one call; a judge of
shapes (:mod:`vision.numbers.judge`) gives a second opinion. Numbers that are not certain after that are looked at again
at other heights. What is returned are opinions with their likelihoods: the rules of a puzzle have the last word.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

import cv2
import numpy as np
import numpy.typing as npt

from vision.numbers.glyphs import Glyphs, isolate
from vision.numbers.judge import NO_DIGIT, Box, judge, likeness
from vision.numbers.ocr_engines import Engine, Word, engine
from vision.pictures.flatten import quarter_turned
from vision.pictures.photo import Picture


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


REMEMBERED = 200
"""Patches whose number is remembered, of up to 30 kB each."""

DigitReader = Callable[[Sequence[Picture]], list[DigitGuess]]
"""Reads one number from each grey patch ``uint8 (h, w)``; as many guesses as patches, in order."""


def no_reader(patches: Sequence[Picture]) -> list[DigitGuess]:
    """Reads nothing: for boards without clues, and where no engine is installed."""
    return [DigitGuess("", 0.0) for _ in patches]


def digit_reader(name: str = "auto") -> DigitReader:
    """A reader with the engine called ``name`` (see :func:`vision.numbers.ocr_engines.engine`), which is started on
    first use.

    The reader takes grey ``(h, w)`` and BGR ``(h, w, 3)`` patches, cells or parts of cells with one number each.
    """

    def read(patches: Sequence[Picture]) -> list[DigitGuess]:
        if not numbers_among(patches):
            return no_reader(patches)
        found = [isolated(patch) for patch in patches]
        guesses = read_glyphs([glyphs for glyphs in found if glyphs is not None], engine(name))
        rest = iter(guesses)
        return [DigitGuess("", 0.0) if glyphs is None else next(rest) for glyphs in found]

    return read


SOME = 0.25
"""Part of the patches on which shapes were cut free: small digits that lie on their side are cut free on hardly any."""

LIKE_A_NUMBER = 0.5
"""Of a shape that may be one; nearly all numbers on boards reach 0.9."""


def numbers_among(patches: Sequence[Picture], quarter_turns: int = 0, least: float = LIKE_A_NUMBER) -> int:
    """On how many patches, turned clockwise by so many quarters, what stands there looks like a number.

    Crowns, crosses and chessmen do not; reading them costs much and says nothing. Shapes are cut free anew each way up:
    digits one above the other are not taken for one number. But where shapes were cut free on some as they stand, and
    all in all look like less than one digit when they are turned, another cut would not look like more.

    Args:
        patches: of cells.
        quarter_turns: clockwise.
        least: how much like a number something must look, 0..1.
    """
    as_they_stand = _cut_free(patches) if quarter_turns else []
    if len(as_they_stand) > SOME * len(patches) and _alike_when_turned(as_they_stand, quarter_turns) < LIKE_A_NUMBER:
        return 0
    turned = [quarter_turned(patch, quarter_turns) for patch in patches]
    return _like_numbers([(glyphs.patch, glyphs.boxes) for glyphs in _cut_free(turned)], least)


def alike_when_turned(patches: Sequence[Picture], quarter_turns: int) -> float:
    """How much the shapes that were cut free on patches as they stand look like digits once they are turned clockwise
    by so many quarters, all in all; this costs next to nothing, before any is cut free or read that way up.
    """
    return _alike_when_turned(_cut_free(patches), quarter_turns)


QUICK_PATCHES, LEAD = 12, 1.0
"""Patches that are asked which side is up, at most, and how many numbers more must say so of one side than of any
other: two at least."""


def quick_turns(patches: Iterable[Picture]) -> int:
    """By how many quarters clockwise patches of cells must be turned for their numbers to stand upright, from
    the first ones; 0 where these differ.
    """
    promise = [0.0, 0.0, 0.0, 0.0]
    for patch in islice(patches, QUICK_PATCHES):
        promise = [sofar + alike_when_turned([patch], quarter) for quarter, sofar in enumerate(promise)]
        second, best = sorted(promise)[-2:]
        if best - second >= LEAD:
            return promise.index(best)
    return 0


MOST_LEAN_DEG, LEAN_STEP_DEG = 24, 8
"""How far, and how finely, numbers are turned that a camera may have seen askew."""

USUAL_LEAN_DEG = 15.0
"""Standard deviation of how far they are turned; 0 is likeliest."""

SOMETHING_ELSE = 0.1
"""Prior probability that what is taken for a number is none, which tells nothing of the angle."""


def levelled(patches: Sequence[Picture]) -> list[Picture]:
    """Grey patches, black on white, all turned by the one angle of the largest posterior."""
    angles = range(-MOST_LEAN_DEG, MOST_LEAN_DEG + 1, LEAN_STEP_DEG)
    turned = {degrees: [_leaning(patch, degrees) for patch in patches] for degrees in angles}
    return turned[max(angles, key=lambda degrees: _log_posterior(turned[degrees], degrees))]


def _log_posterior(patches: Sequence[Picture], degrees: float) -> float:
    """How likely numbers stand upright on patches that were turned by so many degrees."""
    numbers = [(glyphs.patch, glyphs.boxes) for glyphs in _cut_free(patches)]
    likely = [likeness(opinion) for opinion in judge(numbers)] + [0.0] * (len(patches) - len(numbers))
    log_likelihood = np.log(SOMETHING_ELSE + (1 - SOMETHING_ELSE) * np.array(likely)).sum()
    return float(log_likelihood - (degrees / USUAL_LEAN_DEG) ** 2 / 2)


def _leaning(patch: Picture, degrees: float) -> Picture:
    """The patch turned clockwise, white beyond."""
    if not degrees:
        return patch
    high, wide = patch.shape
    matrix = cv2.getRotationMatrix2D(((wide - 1) / 2, (high - 1) / 2), -degrees, 1.0)
    return np.asarray(cv2.warpAffine(patch, matrix, (wide, high), borderValue=(255.0,)), np.uint8)


def _alike_when_turned(numbers: Sequence[Glyphs], quarter_turns: int) -> float:
    return sum(likeness(opinion) for opinion in judge([_turned(glyphs, quarter_turns) for glyphs in numbers]))


def _cut_free(patches: Sequence[Picture]) -> list[Glyphs]:
    """The numbers on those patches that seem to have one."""
    return [glyphs for patch in patches if (glyphs := isolated(patch)) is not None]


def _turned(glyphs: Glyphs, quarters: int) -> tuple[Picture, Sequence[Box]]:
    """A number's patch turned clockwise by so many quarters, and the boxes of its digits.

    A digit that lies on its side was taken for several that touch: turned up again it is one.
    """
    patch, boxes = glyphs.patch, sorted(glyphs.boxes)
    for _ in range(quarters):
        height = len(patch)
        boxes = sorted((height - bottom, left, height - top, right) for left, top, right, bottom in boxes)
        patch = quarter_turned(patch, 1)
    if quarters % 2:
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        boxes = [(min(lefts), min(tops), max(rights), max(bottoms))]
    return patch, boxes


def _like_numbers(numbers: Sequence[tuple[Picture, Sequence[Box]]], least: float) -> int:
    """How many of them look like numbers."""
    return sum(likeness(opinion) >= least for opinion in judge(numbers))


def isolated(patch: Picture) -> Glyphs | None:
    """:func:`vision.numbers.glyphs.isolate`, remembered for patches that were looked at not long ago: places overlap,
    and are tried again.
    """
    return _isolate(patch.tobytes(), patch.shape)


@lru_cache(maxsize=REMEMBERED)
def _isolate(pixels: bytes, shape: tuple[int, ...]) -> Glyphs | None:
    return isolate(np.frombuffer(pixels, np.uint8).reshape(shape))


# --- the sheet --------------------------------------------------------------------------------------------------------

SlotReading = tuple[str, float]
"""What was read in a slot of the sheet, and how sure Tesseract is of it, 0..1; ``("", 0.0)`` where nothing was read."""

SLOT_GAP = 3.0
"""Space between slots, of the digits' height: at 1.5 neighbours merge into one word, at 3 none did."""

ROW_GAP = 1.2
"""Space between rows, of the digits' height."""

SLOTS_PER_ROW = 6

LEAST_SLOTS = 12
"""On a sheet: of two numbers alone on a line Tesseract saw neither."""

TRACKING = 0.45
"""Space put between the digits of a number, of their height: set as faces set them, one of six is misread; from 0.7 on
a number falls into two words."""

THINNED = 2.0
"""Exponent of the ink, 0..1, that takes from strokes what is grey at their rims."""

LEAST_MARGIN_PX = 10
"""White round the sheet: Tesseract drops what touches its rim."""


def read_sheet(glyphs: Sequence[Glyphs], height_px: int, ocr: Engine) -> list[SlotReading]:
    """Read all numbers from one sheet: for each what stands there, its digits drawn ``height_px`` high.

    A call costs the same whether it reads one digit or forty. So numbers are brought to one height and laid into slots
    with much white between them, and what is read goes back to the slot that it stands in.
    """
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


def _joined(words: list[Word]) -> SlotReading:
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


# --- reading ----------------------------------------------------------------------------------------------------------

FIRST_HEIGHT_PX = 22
"""Height of the digits on the first sheet: around 22 px Tesseract's network is at its best."""

OTHER_HEIGHTS_PX = (18, 27)
"""For a second and a third look. Other heights are cut into other pieces by the network: its errors differ."""

CERTAIN = 0.94
"""A reading from here on is not asked for again."""

MOST_CONFIDENT = 0.99

READER_ERROR, JUDGE_ERROR = 0.05, 0.02
"""What Tesseract and the judge, sure of something else, still leave to a number: each is wrong in its own way now and
then, Tesseract more often (it takes a dotted 0 for a 6)."""

ELSE = 0.02
"""The weight of everything that neither reader thought of."""

SILENCE = 0.4
"""How much Tesseract's reading nothing says for there being nothing: it now and then passes over a plain digit."""

LEAST_ALTERNATIVE = 0.01
"""Alternatives less likely than this are not named."""


def read_glyphs(glyphs: Sequence[Glyphs], ocr: Engine) -> list[DigitGuess]:
    """Read numbers that are cut out already; as many guesses as ``glyphs``, in order."""
    opinions = judge([(one.patch, one.boxes) for one in glyphs])
    readings: list[list[SlotReading]] = [[] for _ in glyphs]
    guesses = [DigitGuess("", 0.0) for _ in glyphs]
    waiting = list(range(len(glyphs)))
    for height in (FIRST_HEIGHT_PX, *OTHER_HEIGHTS_PX):
        if not waiting:
            break
        for index, reading in zip(waiting, read_sheet([glyphs[i] for i in waiting], height, ocr), strict=True):
            readings[index].append(reading)
            guesses[index] = _dimmed(verdict(readings[index], opinions[index]), glyphs[index])
        waiting = [i for i in waiting if guesses[i].confidence < CERTAIN]
    return guesses


CLEAR = 0.69
"""Least clarity of a shape that may be believed: what is misread for certain is less clear, and few others are."""

UNCLEAR = 0.85
"""What is left of the confidence below that: a doubt, whatever the readers say."""


def _dimmed(guess: DigitGuess, glyphs: Glyphs) -> DigitGuess:
    """The guess, made a doubtful one where the shape itself hardly stands out from its texture or blur."""
    return guess if glyphs.clarity >= CLEAR else replace(guess, confidence=UNCLEAR * guess.confidence)


def verdict(readings: Sequence[SlotReading], opinion: npt.NDArray[np.float32]) -> DigitGuess:
    """What Tesseract's looks at a number and the judge's opinion of its digits come to.

    The two readers are taken as independent: a number is as likely as Tesseract finds it times as likely as the judge
    finds it, each reader leaving something to what it did not see, and all numbers (and "no number") share one.

    Args:
        readings: what Tesseract read, with its confidences; an empty text is a vote for no number.
        opinion: ``float32 (digits, 11)``, see :func:`vision.numbers.judge.judge`.
    """
    heard: dict[str, float] = defaultdict(float)
    for text, confidence in readings:
        heard[text] += (confidence if text else SILENCE) / len(readings)
    weights = {
        text: (heard.get(text, 0.0) + READER_ERROR) * (_judged(text, opinion) + JUDGE_ERROR)
        for text in {"", *heard, *_shapes_say(opinion)}
    }
    total = sum(weights.values()) + ELSE
    ranked = sorted(((text, min(MOST_CONFIDENT, weight / total)) for text, weight in weights.items()), key=_likeliest)
    numbers = [(text, likely) for text, likely in ranked if text and likely >= LEAST_ALTERNATIVE]
    if not numbers or not ranked[0][0]:
        return DigitGuess("", 0.0, tuple(numbers))
    return DigitGuess(*numbers[0], tuple(numbers[1:]))


def _likeliest(guess: tuple[str, float]) -> tuple[float, str]:
    """Sorts the most likely first, and alike ones always in the same way."""
    return -guess[1], guess[0]


def _judged(text: str, opinion: npt.NDArray[np.float32]) -> float:
    """How likely the judge finds a number: as likely as its least likely digit."""
    if not text:
        return float(opinion[:, NO_DIGIT].max())
    if len(text) != len(opinion):
        return 0.0
    return min(float(row[int(digit)]) for row, digit in zip(opinion, text, strict=True))


def _shapes_say(opinion: npt.NDArray[np.float32]) -> list[str]:
    """The number the judge finds most likely, and those with one digit replaced by its second choice."""
    order = np.argsort(-opinion[:, :NO_DIGIT], axis=1)
    first = [str(row[0]) for row in order]
    others = [[*first[:i], str(row[1]), *first[i + 1 :]] for i, row in enumerate(order)]
    return ["".join(digits) for digits in (first, *others)]
