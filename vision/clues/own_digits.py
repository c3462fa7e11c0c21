"""The digits of a board as it draws them: what is left of a clue is compared with the clues that were read.

A number that is struck through, stained or half rubbed out is read by nobody, but the board's other clues show how its
digits look, how high they are and how far apart. Each number that may stand there is put together from these and laid
over what is there; how well it fits, by normalised cross-correlation [1]_, says how likely it is. Of two numbers the
one is sooner believed that explains more of the ink, whatever lies over both. Digits that no clue shows are borrowed
from Pillow's own typeface, as wide as the board's.

References:
    .. [1] J. P. Lewis, "Fast Normalized Cross-Correlation", Vision Interface, 1995.
"""

import functools
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.clues.beliefs import ANY_NUMBER, NO_CLUE, Belief, alike
from vision.clues.observation import Observation, shown_on
from vision.numbers.digits import DigitGuess, isolated
from vision.pictures.medians import median, medians
from vision.pictures.photo import Picture

Floats = npt.NDArray[np.float32]

CELL_PX = 64
"""Side of a cell in which numbers are compared."""

SOFT = 0.03
"""Blur of both, of a cell's side: about a stroke's half width, so that nothing hangs on a pixel."""

ASIDE = 0.08
"""How far from its place a number is looked for, of a cell's side."""

MARGIN = 0.15
"""Empty space above and below a number that counts as well, of its height."""

WIDEST = 1.45
"""Width of what is compared, of the digits' height: two digits have room. All numbers are compared on as much, so that
a 1 must have nothing beside it."""

MIDDLE = (0.2, 0.8)
"""What of a cell shows the colour of the ground."""

INNERMOST = (0.28, 0.72)
"""What shows that of the ink: where a number has faded, rope and cloth around it differ more from the ground."""

INKED = 0.93
"""Quantile of the differences from the ground from which on a pixel is ink."""

READ = 0.9
"""Confidence of the clues whose digits are taken."""

USUAL_GAP = 0.12
"""Between two digits, of their height, where no number with two was read."""

PARTS = 10.0
"""A number and its ground fall into so many parts that are right or wrong independently of each other: what the
logarithms of likelihoods are multiplied with. So many make clues that mishaps spoilt likeliest to be what they were
(:mod:`benchmarks.misreadings`)."""

SPOILT = 0.6
"""How well a misread clue fits its own number, at least two times of three: what is taken for numbers that have no room
in a cell."""

BORROWED = 1.3
"""How much more numbers would weigh if their digits were the board's own, in which spoilt clues fit better."""

DRAWN_PX = 96
"""Size at which the typeface is drawn; its digits are brought to the board's size."""

INK = 0.5
"""Share of ink from which on a pixel belongs to a digit."""

NARROW = "1"
"""The digit whose width says nothing of others: with and without serifs it differs most."""


@dataclass(frozen=True)
class OwnDigits:
    """The digits of a board.

    Attributes:
        digits: by digit its shape, ``float32 (height_px, any)``, ink 1 and ground 0.
        height_px: of the digits, in a cell of :data:`CELL_PX`.
        gap: between the digits of a number, in pixels.
        common: all digits as a common typeface draws them, of the board's size.
        borrowed: the digits that no clue shows: those of the common typeface.
        heights_px: of the digits of numbers with so many, where such numbers were read: some boards draw 12 smaller
            than 8.
    """

    digits: Mapping[str, Floats]
    height_px: int
    gap: int
    common: Mapping[str, Floats]
    borrowed: frozenset[str] = frozenset()
    heights_px: Mapping[int, int] = field(default_factory=dict)
    _shapes: dict[str, Floats] = field(default_factory=dict, init=False, repr=False)

    def fits(self, shown: Picture, values: Iterable[int]) -> dict[int, float]:
        """How well each number fits what is shown on a cell, -1..1; those that have no room there are left out.

        Args:
            shown: ``uint8 (h, w, 3)`` or ``(h, w)``, the cell.
            values: the numbers.
        """
        ink = _ink(shown)
        found = {value: _fit(ink, self._shape(str(value))) for value in values}
        return {value: self._as_own(value, fit) for value, fit in found.items() if fit is not None}

    def _as_own(self, value: int, fit: float) -> float:
        """How well a number would fit with digits of the board: it would leave less of the ink unexplained."""
        return fit if self.borrowed.isdisjoint(str(value)) else math.sqrt(1 - (1 - max(fit, 0.0) ** 2) ** BORROWED)

    def closer(self, shown: Picture, belief: Belief) -> Belief:
        """What a cell seems to carry, now that what is shown on it was compared with the numbers that it may carry."""
        read = None if belief.unread else belief.value
        if read is not None and read <= NO_CLUE:
            return belief
        others = range(1, ANY_NUMBER + 1)
        if read is None:
            fits = self.fits(shown, others)
            return belief.sharper({v: math.exp(_weight(fits.get(v, SPOILT)) - _weight(SPOILT)) for v in others})
        values = [v for v in others if not belief.certain or alike(str(read), str(v))]
        # What was read in digits that no clue shows is not held against a number in the board's own digits, whose blur
        # these share: then both are compared as a common typeface has them. Nor is such a number ruled out by that
        # typeface where it fits better as the board draws it: the lesser of two opinions counts.
        common = replace(self, digits=self.common, borrowed=frozenset())
        if not self.borrowed.isdisjoint(str(read)):
            as_common = common._ratios(shown, read, values)
            drawn = [v for v in as_common if self.borrowed.isdisjoint(str(v))]
            as_drawn = self._ratios(shown, read, drawn)
            return belief.sharper(as_common | {v: _lesser(as_common[v], ratio) for v, ratio in as_drawn.items()})
        ratios = self._ratios(shown, read, values)
        # Nor the other way round, unless it is likelier, or less likely, either way.
        borrowed = [v for v in ratios if not self.borrowed.isdisjoint(str(v))]
        as_common = common._ratios(shown, read, borrowed)
        return belief.sharper(ratios | {v: _lesser(ratios[v], ratio) for v, ratio in as_common.items()})

    def _ratios(self, shown: Picture, read: int, values: Iterable[int]) -> dict[int, float]:
        """How much better numbers explain what is shown on a cell than the one that was read does."""
        values = list(values)
        fits = self.fits(shown, {*values, read}) if values else {}
        return {v: math.exp(_weight(fits.get(v, SPOILT)) - _weight(fits[read])) for v in values if read in fits}

    def _shape(self, text: str) -> Floats:
        """A number as it would stand in the middle of a cell, with the ground beside it; drawn once."""
        if text not in self._shapes:
            self._shapes[text] = self._drawn(text)
        return self._shapes[text]

    def _drawn(self, text: str) -> Floats:
        gap = np.zeros((self.height_px, self.gap), np.float32)
        parts = [part for digit in text for part in (gap, self.digits[digit])][1:]
        number = self._as_high(np.hstack(parts), len(text))
        width, height = round(WIDEST * self.height_px), round((1 + 2 * MARGIN) * self.height_px)
        beside, above = (max(0, most - size) for most, size in zip((width, height), number.shape[::-1], strict=True))
        framed = cv2.copyMakeBorder(
            number, above // 2, above - above // 2, beside // 2, beside - beside // 2, cv2.BORDER_CONSTANT, value=(0,)
        )
        start = (framed.shape[1] - width) // 2
        return _soft(np.asarray(framed[:, start : start + width], np.float32))

    def _as_high(self, number: Floats, count: int) -> Floats:
        """A number as high as those with so many digits are."""
        height = self.heights_px.get(count, self.height_px)
        if height == self.height_px:
            return number
        width = max(1, round(number.shape[1] * height / self.height_px))
        return np.asarray(cv2.resize(number, (width, height), interpolation=cv2.INTER_AREA), np.float32)


def reread(observed: Observation, beliefs: Sequence[Belief]) -> list[Belief]:
    """The beliefs after each cell was compared with the digits of the board; as they are where none was read."""
    shown = _shown(observed)
    own = own_digits(shown, observed.guesses)
    at = dict(zip(observed.cells, shown, strict=True))
    return [own.closer(at[one.cell], one) if own is not None and one.cell in at else one for one in beliefs]


def _shown(observed: Observation) -> list[Picture]:
    """What is read of each cell."""
    return [shown_on(crop, found) for crop, found in zip(observed.crops, observed.badges, strict=True)]


def own_digits(shown: Sequence[Picture], guesses: Sequence[DigitGuess]) -> OwnDigits | None:
    """The digits of the clues that were read beyond doubt; None where there are none."""
    examples: dict[str, list[Floats]] = defaultdict(list)
    heights: dict[int, list[float]] = defaultdict(list)
    gaps = []
    for crop, guess in zip(shown, guesses, strict=True):
        number = isolated(crop) if guess.confidence >= READ else None
        if number is None or len(number.boxes) != len(guess.text):
            continue
        top, bottom = min(box[1] for box in number.boxes), max(box[3] for box in number.boxes)
        heights[len(guess.text)].append((number.box[3] - number.box[1]) / crop.shape[0])
        for digit, (left, _, right, _) in zip(guess.text, number.boxes, strict=True):
            examples[digit].append(np.asarray(1 - number.patch[top:bottom, left:right] / 255, np.float32))
        gaps += [(b[0] - a[2]) / (bottom - top) for a, b in zip(number.boxes, number.boxes[1:], strict=False)]
    if not heights:
        return None
    # In nearly every face a 9 is a 6 upside down.
    for digit, other in ("69", "96"):
        if digit not in examples and other in examples:
            examples[digit] = [np.ascontiguousarray(shape[::-1, ::-1]) for shape in examples[other]]
    height_px = max(1, round(median([height for same in heights.values() for height in same]) * CELL_PX))
    heights_px = {count: max(1, round(median(same) * CELL_PX)) for count, same in heights.items()}
    gap = median(gaps) if gaps else USUAL_GAP
    digits = {digit: _mean(shapes, height_px) for digit, shapes in examples.items()}
    common = common_digits(digits, height_px)
    borrowed = frozenset(common.keys() - digits.keys())
    return OwnDigits(common | digits, height_px, max(0, round(gap * height_px)), common, borrowed, heights_px)


def _mean(shapes: Sequence[Floats], height_px: int) -> Floats:
    """The mean of shapes of a digit, brought to one size."""
    width = max(1, round(median([shape.shape[1] * height_px / shape.shape[0] for shape in shapes])))
    sized = [cv2.resize(shape, (width, height_px), interpolation=cv2.INTER_AREA) for shape in shapes]
    return np.asarray(np.mean(sized, axis=0), np.float32)


def _soft(shape: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(shape, (0, 0), SOFT * CELL_PX), np.float32)


def _ink(shown: Picture) -> Floats:
    """How much of the ink's colour each pixel of a cell has: ``float32 (CELL_PX, CELL_PX)``, 0 where it has the
    ground's.
    """
    cell = _soft(np.asarray(cv2.resize(shown, (CELL_PX, CELL_PX), interpolation=cv2.INTER_AREA), np.float32))
    colours = cell.reshape(CELL_PX, CELL_PX, -1)
    off = np.asarray(colours - medians(_within(colours, MIDDLE).reshape(-1, colours.shape[2])), np.float32)
    middle = _within(off, INNERMOST).reshape(-1, off.shape[2])
    most = np.abs(middle).max(axis=1)
    strong = middle[most >= np.quantile(most, INKED)]
    way = np.linalg.svd(strong, full_matrices=False)[2][0]
    return np.asarray(off @ (way if (strong @ way).mean() > 0 else -way), np.float32)


def _within(cell: Floats, part: tuple[float, float]) -> Floats:
    """That part of a cell's pixels, in both directions."""
    start, end = (round(share * CELL_PX) for share in part)
    return cell[start:end, start:end]


def _fit(ink: Floats, shape: Floats) -> float | None:
    """How well a shape fits, where it fits best near the middle; None where it has no room."""
    (height, width), aside = shape.shape, round(ASIDE * CELL_PX)
    top, left = (CELL_PX - height) // 2, (CELL_PX - width) // 2
    if min(top, left) < 0:
        return None
    near = ink[max(0, top - aside) : top + height + aside, max(0, left - aside) : left + width + aside]
    return float(cv2.matchTemplate(np.ascontiguousarray(near), shape, cv2.TM_CCOEFF_NORMED).max())


def _weight(fit: float) -> float:
    """The logarithm of a likelihood: what the shape leaves unexplained of the ink is noise of unknown strength."""
    return -PARTS / 2 * math.log(1 - min(max(fit, 0.0), 0.999) ** 2)


def _lesser(ratio: float, other: float) -> float:
    """The one of two ratios of likelihoods that says less; 1 where they disagree."""
    return min(max(ratio, other), 1.0) if min(ratio, other) < 1 else min(ratio, other)


def common_digits(own: Mapping[str, Floats], height_px: int) -> dict[str, Floats]:
    """All ten digits, as wide as a board's own.

    Args:
        own: by digit its shape, ``float32 (height_px, any)``, ink 1 and ground 0; one at least.
        height_px: of the digits.
    """
    usual = {digit: shape.shape[1] * height_px / shape.shape[0] for digit, shape in _typeface().items()}
    ratios = [shape.shape[1] / usual[digit] for digit, shape in own.items() if digit != NARROW]
    ratio = median(ratios) if ratios else 1.0
    return {
        digit: _sized(shape, max(1, round(ratio * usual[digit])), height_px) for digit, shape in _typeface().items()
    }


def _sized(shape: Floats, width: int, height: int) -> Floats:
    return np.asarray(cv2.resize(shape, (width, height), interpolation=cv2.INTER_AREA), np.float32)


@functools.cache
def _typeface() -> dict[str, Floats]:
    """The digits of Pillow's own typeface, each cut to its ink."""
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415  (few boards have a clue that cannot be read)

    font = ImageFont.load_default(DRAWN_PX)
    shapes = {}
    for digit in "0123456789":
        picture = Image.new("L", (2 * DRAWN_PX, 2 * DRAWN_PX))
        ImageDraw.Draw(picture).text((DRAWN_PX / 2, DRAWN_PX / 2), digit, fill=255, font=font)
        drawn = np.asarray(picture, np.float32) / 255
        ys, xs = np.nonzero(drawn >= INK)
        shapes[digit] = np.asarray(drawn[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1], np.float32)
    return shapes
