"""Do two neighbouring cells belong to one coloured region? Two witnesses: their colours, and the line between them.

Neither is enough alone. A hovered, hinted or dimmed cell has another colour than its region; a photo's filter brings
two regions' colours together; and many a clone draws all lines alike. So each witness is first examined on the whole
board: a reliable one falls into two groups with a gap between them. What is known beforehand helps to find the gap:
n connected regions on n x n cells have at least n² - n inner pairs of neighbours, half of all pairs; so the lower half
of all distances is "same region" whatever the board looks like.

The line is the better witness where it is one at all (thick borders around regions, thin lines inside), since shading
changes colours but not borders; so it gets the greater weight.
"""

from dataclasses import dataclass

import numpy as np

from vision.cell_looks import JUST_VISIBLE, Looks
from vision.partition import Evidence, Floats

COLOUR_NOISE = 3 * JUST_VISIBLE
"""What compression and resampling add to a distance of colours."""

LINE_NOISE = 0.005
"""What resampling adds to a line's width, in cells."""

SAME_AT_LEAST = 0.4
"""Share of the pairs of neighbours that surely lie inside regions; half of them (see above), less a few that levels
with regions in several pieces, or shaded cells, take away."""

COLOUR_GAP = 1.25
"""The ratio between the smallest step of colour between regions and the largest inside them from which on the colours
are a witness; the closest pair of pastel themes has 1.8 under a sepia filter."""

LINE_GAP = (1.15, 1.3)
"""The same for the widths of lines: below the first number they are drawn alike, above the second surely in two
widths. Borders are drawn 1.5 to 4 times as wide as inner lines; resampling to small cells brings that down to 1.4."""

LINE_AGREES = (0.93, 0.98)
"""Where widths have no such gap: how often lines must agree with colours to say something, and to be believed."""

LINE_WEIGHT = 1.5
"""Weight of a reliable line against a reliable colour: greater, so that shading cannot cut a cell out."""


@dataclass(frozen=True)
class Split:
    """Where numbers fall apart into a lower and an upper group.

    Attributes:
        at: the threshold, halfway on a logarithmic scale.
        ratio: how far apart the groups are, at least 1.
    """

    at: float
    ratio: float


@dataclass(frozen=True, eq=False)
class Witnesses:
    """What colours and lines say about each two neighbours.

    Attributes:
        bonds: the sum of both, for :func:`vision.partition.partition`; positive for one region.
        colour: the split of the colour steps.
        colour_trust: 0..1, whether the colours fall into groups at all.
        line_trust: 0..1, whether lines between regions differ from lines inside them.
    """

    bonds: Evidence
    colour: Split
    colour_trust: float
    line_trust: float


def hear(looks: Looks, gap: int = 0) -> Witnesses:
    """Examine both witnesses and add up what they say.

    Args:
        looks: the measured board.
        gap: which gap between the steps of colour to cut at, 0 for the widest; the next ones are other opinions for
            boards that do not come out even.
    """
    steps, lines = looks.colour_steps(), looks.lines
    at_least_apart = max(1, min(looks.shape) - 1)
    colour = split(steps.values(), COLOUR_NOISE, at_least_apart, gap)
    colour_trust = float(np.clip((colour.ratio - 1) / (COLOUR_GAP - 1), 0, 1))
    line, line_trust = _examine_lines(lines.values(), steps.values() < colour.at, colour_trust, at_least_apart)

    def bond(step: Floats, width: Floats) -> Floats:
        by_colour = _votes(step, colour, COLOUR_NOISE, COLOUR_GAP)
        by_line = _votes(width, line, LINE_NOISE, LINE_GAP[0])
        return colour_trust * by_colour + LINE_WEIGHT * line_trust * by_line

    bonds = Evidence(bond(steps.right, lines.right), bond(steps.down, lines.down))
    return Witnesses(bonds, colour, colour_trust, line_trust)


def split(values: Floats, noise: float, at_least_above: int, rank: int = 0) -> Split:
    """The widest gap (or the next after ``rank`` wider ones) of ``values`` that leaves enough on both sides of it.

    Gaps are measured on a logarithmic scale, above a floor of ``noise``.
    """
    ordered = np.log(np.sort(values) + noise)
    low, high = round(SAME_AT_LEAST * len(ordered)), len(ordered) - at_least_above
    if high - low < rank:
        return Split(float(np.exp(ordered[-1])), 1.0)
    gaps = np.diff(ordered)[low - 1 : high]
    chosen = int(np.argsort(-gaps, kind="stable")[rank])
    middle = (ordered[low - 1 + chosen] + ordered[low + chosen]) / 2
    return Split(float(np.exp(middle) - noise), float(np.exp(gaps[chosen])))


def _votes(values: Floats, at: Split, noise: float, least_ratio: float) -> Floats:
    """+1 for clearly below the threshold, -1 for clearly above it, and numbers in between near it."""
    half_gap = np.log(max(at.ratio, least_ratio)) / 2
    return np.asarray(np.clip(np.log((at.at + noise) / (values + noise)) / half_gap, -1, 1), dtype=np.float64)


def _examine_lines(
    widths: Floats, same_colour: np.ndarray[tuple[int], np.dtype[np.bool_]], colour_trust: float, at_least_apart: int
) -> tuple[Split, float]:
    """Whether lines come in two widths, and how much that is to be believed."""
    own = split(widths, LINE_NOISE, at_least_apart)
    trust = float(np.clip((own.ratio - LINE_GAP[0]) / (LINE_GAP[1] - LINE_GAP[0]), 0, 1))
    if colour_trust == 0 or same_colour.all() or not same_colour.any():
        return own, trust
    # Wide lines inside regions and thin ones between them would be another design: then lines say nothing.
    if _agreement(widths, own.at, same_colour) > 0.75 and trust == 1:
        return own, trust
    taught = _taught(widths, same_colour)
    agreement = _agreement(widths, taught.at, same_colour)
    return taught, float(np.clip((agreement - LINE_AGREES[0]) / (LINE_AGREES[1] - LINE_AGREES[0]), 0, 1)) * colour_trust


def _taught(widths: Floats, same_colour: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Split:
    """The threshold of widths that agrees best with the colours."""
    thin, thick = np.median(widths[same_colour]), np.median(widths[~same_colour])
    candidates = np.unique(widths[(widths >= thin) & (widths <= thick)])
    if len(candidates) < 2:
        return Split(float(thin), 1.0)
    middles = (candidates[1:] + candidates[:-1]) / 2
    best = max(middles.tolist(), key=lambda at: _agreement(widths, at, same_colour))
    return Split(best, float((thick + LINE_NOISE) / (thin + LINE_NOISE)))


def _agreement(widths: Floats, at: float, same_colour: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
    """How often a threshold of widths says what the colours say: the mean of both groups' shares, 0..1."""
    thin = widths < at
    return float((thin[same_colour].mean() + (~thin[~same_colour]).mean()) / 2)
