"""Which colour a mark gets: one the picture shows, a fixed one, or one from a palette safe for colour-blind eyes."""

import colorsys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from solvers.board import Cell
from solvers.marks import Arrow, Ball, Fence, Fill, Ink, Mark, Move, Path, Piece, Text

Rgb = tuple[int, int, int]

# Okabe and Ito, "Color Universal Design" (2008), without black: https://jfly.uni-koeln.de/color/
PALETTE: tuple[Rgb, ...] = (
    (86, 180, 233),
    (230, 159, 0),
    (0, 158, 115),
    (204, 121, 167),
    (240, 228, 66),
    (0, 114, 178),
    (213, 94, 0),
)

VIVID = 0.25
"""Chroma, as a part of the full range, from which a colour says something; greys, blacks and whites lie below."""

HUE_BINS = 12
DISTINCT_HUES = 3
"""A board whose clues show fewer different hues than this would be painted in one colour: the palette serves better."""


@dataclass(frozen=True)
class Inks:
    """Resolves a mark's :class:`~solvers.marks.Ink` to a colour.

    Attributes:
        colours: the colours that the picture shows, by cell.
    """

    colours: Mapping[Cell, Rgb] = field(default_factory=dict)

    @classmethod
    def of(cls, colours: Mapping[Cell, Rgb], marks: Iterable[Mark]) -> "Inks":
        """Inks for these marks; colours seen are used only where they are vivid and tell the marks apart."""
        liked = {ink.like for mark in marks if (ink := ink_of(mark)) is not None and ink.like is not None}
        vivid = {cell: colours[cell] for cell in liked if cell in colours and chroma(colours[cell]) >= VIVID}
        hues = {int(colorsys.rgb_to_hsv(*(part / 255 for part in rgb))[0] * HUE_BINS) for rgb in vivid.values()}
        enough = len(hues) >= min(DISTINCT_HUES, len(liked)) and 2 * len(vivid) > len(liked)
        return cls(vivid if enough else {})

    def colour(self, ink: Ink) -> Rgb:
        """Red, green, blue, 0..255."""
        if ink.like is not None and ink.like in self.colours:
            return self.colours[ink.like]
        if ink.rgb is not None:
            return ink.rgb
        return PALETTE[ink.tone % len(PALETTE)]


def ink_of(mark: Mark) -> Ink | None:
    """The ink of a mark, None for marks that carry the picture's own colours."""
    match mark:
        case Fill() | Fence() | Path() | Text() | Piece() | Ball() | Arrow():
            return mark.ink
        case Move():
            return None


def chroma(rgb: Rgb) -> float:
    """How far a colour is from grey, 0..1."""
    return (max(rgb) - min(rgb)) / 255


def contrasting(rgb: Rgb) -> Rgb:
    """Black or white, whichever stands out more from ``rgb`` (ITU-R BT.601 luma)."""
    luma = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]
    return (20, 20, 20) if luma > 140 else (255, 255, 255)
