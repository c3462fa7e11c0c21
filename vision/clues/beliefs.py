"""What each cell of a Stitch board seems to carry: values with their probabilities, as a reader tells them.

A reader is never sure; what it did not think of is possible as well, look-alikes sooner than others. How much likelier
one value is than another is what :mod:`vision.clues.repair` weighs against the rules.
"""

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass

from solvers.board import Cell
from solvers.stitch import UNKNOWN
from vision.numbers.digits import DigitGuess

NO_CLUE = 0
"""The value of a cell without a clue."""

CERTAIN = 0.9
"""A clue this sure is not questioned while the board has an answer with it."""

STRANGE = 1e-6
"""Probability that a clue is a certain other number, none that the reader thought of, when it was as good as sure."""

ANY_NUMBER = 30
"""Among so many numbers a doubt is spread that names none."""

FEW_FIT = 5
"""Among so many numbers the chance of an unread clue is spread: as many have a rectangle of their own, more or less."""

SECOND_GUESS, CHOICE = math.log(4), 0.25
"""A number that was thought of, and is hardly less likely than the one that was read, counts for so much of a repair:
to choose between two leaves the rules less than one bit by which to be met by chance, an unread number over three."""

ALIKE = {"1": "7", "7": "1", "3": "8", "8": "360", "5": "6", "6": "580", "0": "86", "9": "4", "4": "9"}
"""Digits that are taken for each other."""

POSSIBLE = 0.02
"""A cell's value with at least this probability is considered whenever the cell is doubtful."""

HARDLY = 1e-4
"""A value with less than this was not thought of: a closer look says of every number how unlikely it is."""

LEAST_SURE = 0.02
"""A likeliest value that is less sure than this says no more than that something stands there."""


@dataclass(frozen=True)
class Belief:
    """What a cell seems to carry.

    Attributes:
        cell: where.
        options: values with their probabilities, likeliest first: a number, :data:`NO_CLUE` or
            :data:`solvers.stitch.UNKNOWN`. What is missing of 1 is for values that nobody thought of.
        unread: probability that a number stands there which could not be read at all.
    """

    cell: Cell
    options: tuple[tuple[int, float], ...]
    unread: float = 0.0

    @property
    def value(self) -> int:
        """The likeliest value."""
        return self.options[0][0]

    @property
    def sure(self) -> float:
        """Its probability."""
        return self.options[0][1]

    @property
    def certain(self) -> bool:
        """Whether the reader has no doubt."""
        return self.sure >= CERTAIN

    @property
    def number(self) -> int | None:
        """The number that it is for certain if it is a clue, which is hardly less likely than that it is none."""
        value, p = max(self.options, key=lambda option: option[1] if option[0] > NO_CLUE else -1.0)
        clear = value > NO_CLUE and p >= CERTAIN * (1 - dict(self.options).get(NO_CLUE, 0.0))
        return value if clear and self.cost(value) < SECOND_GUESS else None

    def numbered(self) -> "Belief":
        """The belief where every clue has a number: one that seemed to have none could not be read."""
        options = {value: p for value, p in self.options if value != UNKNOWN}
        lost = dict(self.options).get(UNKNOWN, 0.0)
        if not lost:
            return self
        # Not likely enough to be considered, where something was seen that means a clue.
        ranked = sorted((options or {NO_CLUE: POSSIBLE / 2}).items(), key=lambda option: -option[1])
        return Belief(self.cell, tuple(ranked), self.unread + lost)

    def sharper(self, ratios: Mapping[int, float]) -> "Belief":
        """The belief after a closer look at other numbers than the likeliest.

        Args:
            ratios: how much likelier each is than was thought; of an unread number, than one of which nothing is known.
        """
        likely = dict(self.options)
        for value, ratio in ratios.items():
            if self.unread:
                likely[value] = likely.get(value, 0.0) + ratio * self.unread / FEW_FIT
            elif value != self.value:
                likely[value] = ratio * self._probability(value)
                if ratio >= 1 and not self.certain:
                    # Nothing tells it from the number that was read: it may be what the reader was not sure of.
                    likely[value] = max(likely[value], self._left / FEW_FIT)
        total = max(1.0, self.unread + sum(likely.values()))
        ranked = sorted(((value, p / total) for value, p in likely.items()), key=lambda option: (-option[1], option[0]))
        return Belief(self.cell, tuple(ranked), self.unread / total)

    def expects(self, value: int) -> bool:
        """Whether the reader thought of ``value``, or of one that looks like it; or saw that it cannot tell."""
        options = (read for read, p in self.options if p >= HARDLY)
        return self.unread > POSSIBLE or any(value == read or alike(str(read), str(value)) for read in options)

    def cost(self, value: int) -> float:
        """How much less likely than the likeliest ``value`` is: the logarithm of the ratio, 0 or more."""
        return max(0.0, math.log(self._likeliest / max(self._probability(value), STRANGE)))

    def strangeness(self, value: int) -> float:
        """How much of a repair ``value`` is: 0 where it was read, 1 where it was not thought of."""
        if value == self.value:
            return 0.0
        read = min(self.value, value) > NO_CLUE and value in dict(self.options)
        return CHOICE if read and self.cost(value) < SECOND_GUESS else 1.0

    @property
    def least_cost(self) -> float:
        """The cost of the likeliest value that is not the likeliest of all."""
        named = max((self._probability(value) for value, _ in self.options[1:]), default=0.0)
        return max(0.0, math.log(self._likeliest / max(named, self.unread / FEW_FIT, self._error / 2, STRANGE)))

    @property
    def unexpected_cost(self) -> float:
        """What a number that the reader does not expect costs at least."""
        if self.unread > POSSIBLE:
            return math.inf
        return math.log(self._likeliest / max(HARDLY, self.unread / FEW_FIT, self._error / 2 / ANY_NUMBER))

    @property
    def _likeliest(self) -> float:
        """The probability that costs are measured against."""
        return max(self.sure, self.unread / FEW_FIT, LEAST_SURE)

    @property
    def _error(self) -> float:
        """The chance of a value that nobody thought of: an unsure reader may have seen anything."""
        return self._left**2

    @property
    def _left(self) -> float:
        """What is missing of 1."""
        return max(0.0, 1 - sum(p for _, p in self.options))

    def _probability(self, value: int) -> float:
        named = dict(self.options).get(value)
        if named is not None:
            return named
        if self.unread and value > NO_CLUE:
            return self.unread / FEW_FIT
        # A sure reader hardly errs, and then by look-alikes only.
        error = self._error
        likeness = error / 2 / alike_count(self.value) if alike(str(self.value), str(value)) else 0.0
        return likeness + (0.0 if self.certain else error / 2 / ANY_NUMBER)


def number_options(guess: DigitGuess) -> dict[int, float]:
    """The numbers that a guess allows, with probabilities that add up to less than 1."""
    options: dict[int, float] = {}
    for text, confidence in ((guess.text, guess.confidence), *guess.alternatives):
        if text and int(text) > 0:
            options[int(text)] = max(options.get(int(text), 0.0), confidence)
    total = sum(options.values())
    return {value: p / max(total, 1.0) for value, p in options.items()}


def alike(one: str, other: str) -> bool:
    """Whether two numbers are the same but for one digit: one that looks alike, or one that was lost or invented."""
    if len(one) != len(other):
        short, long = sorted((one, other), key=len)
        return len(long) == len(short) + 1 and any(long[:i] + long[i + 1 :] == short for i in range(len(long)))
    swaps = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    return len(swaps) == 1 and swaps[0][1] in ALIKE.get(swaps[0][0], "")


UPSIDE_DOWN = {"0": "0", "1": "1", "6": "9", "8": "8", "9": "6"}
"""Digits that are digits upside down as well, and which."""


def upside_down(number: str) -> str:
    """What a number is upside down; empty where that is none."""
    return "".join(UPSIDE_DOWN[digit] for digit in number[::-1]) if set(number) <= set(UPSIDE_DOWN) else ""


@functools.cache
def alike_count(value: int) -> int:
    """How many numbers look like ``value``: what an error is shared out among; 1 at least."""
    return max(1, sum(alike(str(value), str(other)) for other in range(1, ANY_NUMBER + 1)))


def as_text(value: int) -> str:
    """A value as people write it: empty for no clue, ``?`` for a clue without number."""
    return {NO_CLUE: "", UNKNOWN: "?"}.get(value, str(value))
