"""The colours that the makers give the pieces, for the two questions that shapes leave open.

A letter names a shape, and on most boards the shapes tell which set was used. Where only pieces lie that both sets
have, their colours tell. And a printed problem may give a piece by a single ball, which has no shape at all: then its
colour names the piece, if it names one clearly.

Only hues are compared (CIELAB's two colour axes): lightness is the photo's affair.
"""

from collections.abc import Collection

import cv2
import numpy as np
import numpy.typing as npt

from solvers.balls import SETS

Floats = npt.NDArray[np.float64]

_RGB = {
    "standard": {
        "A": (245, 130, 40),
        "B": (210, 20, 30),
        "C": (10, 60, 170),
        "D": (245, 190, 190),
        "E": (0, 110, 60),
        "F": (240, 240, 235),
        "G": (90, 190, 220),
        "H": (200, 30, 110),
        "I": (250, 220, 40),
        "J": (90, 30, 130),
        "K": (130, 220, 120),
        "L": (150, 155, 165),
    },
    "iq": {
        "A": (30, 50, 140),
        "B": (125, 205, 190),
        "C": (230, 30, 40),
        "D": (255, 220, 0),
        "E": (235, 110, 170),
        "F": (140, 210, 245),
        "G": (0, 160, 230),
        "H": (125, 40, 140),
        "I": (140, 195, 50),
        "J": (0, 150, 90),
        "K": (175, 35, 45),
        "L": (245, 145, 30),
    },
}
"""Typical colours of the pieces on photos and in the makers' booklets."""

FARTHEST = 60.0
"""Distance of hues at which two colours are simply different."""

NAMED = 28.0
"""Distance of hues up to which a ball may be of a piece: prints and photos bend colours by as much."""

CLEARLY = 1.7
"""How much farther the next piece's colour must be for a single ball to name its piece."""


def colours_rgb(pieces: str) -> dict[str, tuple[int, int, int]]:
    """Typical colours of a set's pieces by letter."""
    return dict(_RGB[pieces])


def _lab(rgb: npt.ArrayLike) -> Floats:
    patch = np.asarray(rgb, np.float32).reshape(1, -1, 3) / 255
    return np.asarray(cv2.cvtColor(patch, cv2.COLOR_RGB2LAB)[0], np.float64)


def _hues(pieces: str) -> dict[str, Floats]:
    letters = _RGB[pieces]
    return dict(zip(letters, _lab(list(letters.values()))[:, 1:], strict=True))


def strengths(pieces: str) -> dict[str, float]:
    """How strong the hue of each of a set's pieces is (CIELAB chroma), by letter."""
    return {letter: float(np.hypot(*hue)) for letter, hue in _hues(pieces).items()}


def unlikeness(colours: dict[str, Floats], pieces: str) -> float:
    """Mean distance of hues, 0..60, between the colours of pieces by letter, ``(3,)`` each, and a set's own."""
    hues = _hues(pieces)
    apart = [min(FARTHEST, float(np.linalg.norm(colour[1:] - hues[letter]))) for letter, colour in colours.items()]
    return float(np.mean(apart)) if apart else 0.0


def likely_set(colours: dict[str, Floats]) -> str:
    """The set whose colours the pieces have; the standard one where there are none."""
    return min(SETS, key=lambda pieces: unlikeness(colours, pieces))


def named_piece(colour: Floats, pieces: str, open_letters: Collection[str]) -> str | None:
    """The letter of the piece that a single ball of this colour belongs to; None where that is not clear."""
    hues = _hues(pieces)
    apart = sorted((float(np.linalg.norm(colour[1:] - hue)), letter) for letter, hue in hues.items())
    (nearest, letter), (second, _) = apart[:2]
    clear = nearest < NAMED and second > CLEARLY * nearest and letter in open_letters
    return letter if clear else None
