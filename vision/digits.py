"""Reading numbers: patches of a picture go in, numbers with confidences come out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
