"""Do two neighbouring cells belong to one coloured region? Their colours say so, and the line between them.

Neither is enough alone. A hovered, hinted or dimmed cell has another colour than its region; a photo's filter brings
two regions' colours together; and many a clone draws all lines alike. So each is first examined on the whole board: it
is reliable where it falls into two groups with a gap between them. What is known beforehand helps to find the gap: at
least half of all pairs of neighbours lie inside regions, so the lower half of all distances is "same region" whatever
the board looks like.

The line is the better evidence where it is any at all (thick borders around regions, thin lines inside), since shading
changes colours but not borders; so it gets the greater weight. But shading changes lightness and strength, not hue, and
it does not make two regions alike: two hues are two regions and one colour is one whatever the lines look like.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.pictures.medians import median
from vision.regions.appearance import SAME_AT_LEAST, STEP, Appearance
from vision.regions.partition import Evidence, Floats, pairs_of

Mask = npt.NDArray[np.bool_]

COLOUR_NOISE = STEP
"""What compression and resampling add to a distance of colours."""

LINE_NOISE = 0.005
"""What resampling adds to a line's width, in cells."""

COLOUR_GAP = 1.25
"""The ratio between the smallest step of colour between regions and the largest inside them from which on the colours
tell regions; the closest pair of pastel themes has 1.8 under a sepia filter."""

LINE_GAP = (1.1, 1.25)
"""The ratio between the thinner borders and the wider inner lines (a tenth of each aside): below the first number lines
are drawn alike, above the second surely in two widths. Borders are drawn 1.5 to 4 times as wide as inner lines;
resampling to small cells brings that down to 1.45."""

BORDER = 0.015
"""Borders narrower than this part of a cell are no lines, but what compression leaves beside a step of colour."""

GROUPS_AGREE = 0.8
"""How often two widths of lines must agree with the colours; hints and dimmed cells leave 0.85."""

ASIDE = 0.1
"""Share of each group of lines that may be spoilt: covered by a pointer, lit by a hint, at the rim of a dimmed row."""

LINE_AGREES = (0.93, 0.98)
"""Where widths have no such gap: how often lines must agree with colours to say something, and to be believed."""

TAUGHT = 0.5
"""How far lines are trusted whose two widths only the colours tell apart: they may then settle doubts, but not outvote
a colour."""

PLAIN_STEP = 3.0
"""A step of colour counts for all it says where it is so many times what the cells themselves vary."""

LINE_WEIGHT = 2.0
"""Weight of a reliable line against a reliable step of colour: greater, so that shading cannot cut a cell out."""

ALIKE_WEIGHT, HUE_WEIGHT = 2.5, 1.5
"""Weight of two cells being of one colour, and what a step of hue adds to one of colour: both outweigh a line, since
regions that touch are never of one colour, and shading never changes the hue."""

SAME_SHADE = 0.06
"""Part of a factor by which the shades of one overlay differ after compression; up to twice that where the shaded
colours are so dark that one grey value is a part of them."""

SHADE = (0.2, 0.93)
"""Factors by which apps darken cells; nearer to 1 it cannot be told from noise."""

BESIDE_OVERLAY = 2.0
"""Where an overlay is known, what it leaves unexplained of a pair with its very factor may be so many times the usual:
in the dark, and beside marks, compression takes more from colours."""

SHADED_PAIRS = 2
"""So many pairs of neighbours with one factor between them are an overlay, where nothing else says so."""


@dataclass(frozen=True)
class Split:
    """Where numbers fall apart into a lower and an upper group.

    Attributes:
        at: the threshold.
        ratio: how far apart the groups are, at least 1.
        sure: how many times above (or below) the threshold a number is clearly in its group.
    """

    at: float
    ratio: float
    sure: float


@dataclass(frozen=True, eq=False)
class Affinities:
    """How much each two neighbours look like one region, by their colours and by the line between them.

    Attributes:
        bonds: the sum of both, for :func:`vision.regions.partition.partition`; positive for one region.
        colour: the split of the colour steps.
        colour_trust: 0..1, whether the colours fall into groups at all.
        line_trust: 0..1, whether lines between regions differ from lines inside them.
    """

    bonds: Evidence
    colour: Split
    colour_trust: float
    line_trust: float


@dataclass(frozen=True)
class Hypothesis:
    """What is assumed of a board's colours and lines.

    Attributes:
        gap: which gap between the steps of colour parts regions, 0 for the widest.
        overlay: how many pairs of neighbours that differ by one factor are taken for cells of one colour, some of them
            under an overlay; 0 for none. Two greys may differ so as well.
        striped: whether cells that are not of one colour are compared by what is most like their neighbours in them.
        lines: whether lines tell regions; what compression leaves beside steps of colour may look like some.
        colours: whether colours do; in a picture in grey two regions that touch may have the same.
    """

    gap: int = 0
    overlay: int = 0
    striped: bool = False
    lines: bool = True
    colours: bool = True


def affinities(cells: Appearance, assumed: Hypothesis) -> Affinities:
    """Examine colours and lines, and add up what they say."""
    steps, widths = (cells.nearest_steps if assumed.striped else cells.colour_steps).values, cells.lines.values
    if assumed.overlay:
        steps = _without_overlay(cells, steps, assumed.overlay)
    at_least_apart = max(1, min(cells.shape) - 1)
    colour = split(steps, COLOUR_NOISE, at_least_apart, assumed.gap)
    colour_trust = float(np.clip((colour.ratio - 1) / (COLOUR_GAP - 1), 0, 1))
    line, line_trust = _examine_lines(widths, steps < colour.at, colour_trust, at_least_apart)
    line_trust, colour_trust = line_trust * assumed.lines, colour_trust * assumed.colours
    clarity, uneven = cells.clarity.values, np.maximum(*pairs_of(cells.unevenness))
    by_colour, by_hue = (_votes(each, colour, COLOUR_NOISE) for each in (steps, cells.hue_steps.values))
    by_colour = np.where(by_colour > 0, ALIKE_WEIGHT * by_colour, by_colour + HUE_WEIGHT * np.minimum(by_hue, 0))
    by_line = _votes(widths, line, LINE_NOISE) * clarity
    # Stripes and fades are a step away from their own region: where a line can tell, it does.
    plain = np.where(steps > colour.at, np.minimum(steps / np.maximum(PLAIN_STEP * uneven, COLOUR_NOISE), 1), 1)
    counts = 1 - line_trust * clarity * (1 - plain)
    bonds = np.asarray(colour_trust * counts * by_colour + LINE_WEIGHT * line_trust * by_line)
    return Affinities(Evidence(bonds, cells.shape), colour, colour_trust, line_trust)


def _without_overlay(cells: Appearance, steps: Floats, least: int) -> Floats:
    """The steps of colour, those left out that one overlay on at least so many pairs explains."""
    factor, off, rounded = cells.shades
    most_off = _most_off(rounded)
    explained = (off < COLOUR_NOISE) & (factor > SHADE[0]) & (factor < SHADE[1])
    apart = np.abs(np.log(factor[explained, None] / factor[None, explained]))
    near = apart < np.maximum(most_off[explained, None], most_off[None, explained])
    if not explained.any() or near.sum(axis=1).max() < least:
        return steps
    usual = median(factor[explained][near[near.sum(axis=1).argmax()]])
    apart = np.abs(np.log(np.maximum(factor, SHADE[0]) / usual))
    return np.where((off < BESIDE_OVERLAY * COLOUR_NOISE) & (apart < most_off), 0.0, steps)


def _most_off(rounded: Floats) -> Floats:
    """By what part the factors of one overlay may differ, given by what part rounding may put them off."""
    return SAME_SHADE + np.minimum(rounded, SAME_SHADE)


def split(values: Floats, noise: float, at_least_above: int, rank: int = 0) -> Split:
    """The widest gap (or the next after ``rank`` wider ones) of ``values`` that leaves enough on both sides of it.

    Gaps are measured on a logarithmic scale, above a floor of ``noise``.
    """
    ordered = np.log(np.sort(values) + noise)
    low, high = round(SAME_AT_LEAST * len(ordered)), len(ordered) - at_least_above
    if high - low < rank:
        return Split(float(np.exp(ordered[-1])), 1.0, COLOUR_GAP)
    gaps = np.diff(ordered)[low - 1 : high]
    chosen = int(np.argsort(-gaps, kind="stable")[rank])
    middle = (ordered[low - 1 + chosen] + ordered[low + chosen]) / 2
    ratio = float(np.exp(gaps[chosen]))
    return Split(float(np.exp(middle) - noise), ratio, max(ratio, COLOUR_GAP) ** 0.5)


def _votes(values: Floats, split_: Split, noise: float) -> Floats:
    """+1 for clearly below the threshold, -1 for clearly above it, and numbers in between near it."""
    above = np.log((values + noise) / (split_.at + noise))
    return np.asarray(np.clip(-above / np.log(split_.sure), -1, 1), dtype=np.float64)


def _examine_lines(widths: Floats, same_colour: Mask, colour_trust: float, at_least_apart: int) -> tuple[Split, float]:
    """Whether lines come in two widths, and how much that is to be believed."""
    own = _two_widths(widths, at_least_apart)
    trust = float(np.clip((own.ratio - LINE_GAP[0]) / (LINE_GAP[1] - LINE_GAP[0]), 0, 1))
    if colour_trust == 0 or same_colour.all() or not same_colour.any():
        return own, trust
    borders = widths[widths >= own.at]
    agree = _agreement(widths, own.at, same_colour) > GROUPS_AGREE
    if agree and trust == 1 and len(borders) and median(borders) >= BORDER:
        return own, trust
    taught = _taught(widths, same_colour)
    agreement = _agreement(widths, taught.at, same_colour)
    agrees = float(np.clip((agreement - LINE_AGREES[0]) / (LINE_AGREES[1] - LINE_AGREES[0]), 0, 1))
    return taught, TAUGHT * agrees * colour_trust


def _two_widths(widths: Floats, at_least_apart: int) -> Split:
    """The best cut of widths into two groups: least variance inside groups (Otsu), on a logarithmic scale.

    Its ratio tells how far the groups are apart when the worst tenth of each is left aside.
    """
    ordered = np.log(np.sort(widths) + LINE_NOISE)
    low, high = round(SAME_AT_LEAST * len(ordered)), len(ordered) - at_least_apart
    if high <= low or low == 0:
        return Split(float(np.exp(ordered[-1])), 1.0, LINE_GAP[1])
    cuts = np.arange(low, high + 1)
    sums = np.cumsum(ordered)[cuts - 1]
    left, right = sums / cuts, (ordered.sum() - sums) / (len(ordered) - cuts)
    best = int(cuts[(cuts * (len(ordered) - cuts) * (right - left) ** 2).argmax()])
    middle = float((ordered[best - 1] + ordered[best]) / 2)
    apart = np.quantile(ordered[best:], ASIDE) - np.quantile(ordered[:best], 1 - ASIDE)
    groups = median(ordered[:best]), median(ordered[best:])
    return Split(float(np.exp(middle) - LINE_NOISE), float(max(1.0, np.exp(apart))), _sure(groups))


def _sure(groups: tuple[float, float]) -> float:
    """A line is clearly of its group where it is as far from the threshold as half of the way between the groups."""
    return max(float(np.exp((groups[1] - groups[0]) / 2)), LINE_GAP[0])


def _taught(widths: Floats, same_colour: Mask) -> Split:
    """The threshold of widths that agrees best with the colours."""
    thin, thick = median(widths[same_colour]), median(widths[~same_colour])
    sure = _sure((float(np.log(thin + LINE_NOISE)), float(np.log(thick + LINE_NOISE))))
    candidates = np.array(sorted({*widths[(widths >= thin) & (widths <= thick)].tolist()}))
    if len(candidates) < 2:
        return Split(thin, 1.0, sure)
    middles = (candidates[1:] + candidates[:-1]) / 2
    best = max(middles.tolist(), key=lambda at: _agreement(widths, at, same_colour))
    return Split(best, (thick + LINE_NOISE) / (thin + LINE_NOISE), sure)


def _agreement(widths: Floats, at: float, same_colour: Mask) -> float:
    """How often a threshold of widths says what the colours say: the mean of both groups' shares, 0..1."""
    thin = widths < at
    return float((thin[same_colour].mean() + (~thin[~same_colour]).mean()) / 2)
