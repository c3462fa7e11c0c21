"""Cutting a board of coloured cells into the regions of a Queens level.

The affinities of neighbouring cells (:mod:`vision.regions.affinities`) give pieces. A level has one region a row, and
that settles what colours and lines leave open:

- Too many pieces, two of them of the same colour: some community levels have regions in several pieces, so the most
  alike become one until the count is right. Colours that are merely close stay apart where the count is right already.
- One cell too many that is a darker or lighter shade of a neighbour: a pointer or a hint shades it. Where more cells
  may be shades than are too many, only what gives exactly one answer is believed.
- Cells that differ from their neighbours by one factor all over the board: a hint has dimmed the others.
- Still uneven: other hypotheses about the colours and lines are tried, the likeliest first. The same where the regions
  have no answer at all, as a level never has: then only a cut with exactly one is believed.

What comes out uneven all the same is cut off, or no level at all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from solvers.message import Message
from vision.pictures.medians import median, medians, percentile
from vision.pictures.photo import Picture
from vision.regions.affinities import COLOUR_NOISE, SHADED_PAIRS, Affinities, Hypothesis, affinities
from vision.regions.appearance import CONTRAST, JUST_VISIBLE, SAME_HUE, Appearance
from vision.regions.partition import Floats, Labels, around, margins, pairs_of, partition, renumbered

REGIONS_PER_ROW = (0.5, 2.0)
"""A board of this game has one region a row; cut off, or with regions in several pieces, it has a few more. What has
fewer or more than this many is another game: a sudoku's colours, a chessboard's squares."""

TRUSTED = 0.9
"""Colours or lines must be trusted so far."""

CORNERS_ALIKE = 0.5
"""What cells at corners differ, of what neighbours do, below which a board is chequered; in regions neighbours are the
more alike ones."""

FLAT_SHARE = 0.8
"""Share of the cells that are of one colour outside of their middle; a photo of something else has hardly any. What
remains may be striped (hints), covered by a pointer, or cut by round corners."""

FLAT = 0.5
"""How much such a cell may vary, as a part of the smallest step of colour between regions."""

SHADED, MOST_SHADED = 2, 6
"""Cells that a pointer shades at a time, and single cells at most of which the rules tell which a hint shades."""

UNLIKE_WIDTHS = 2.0
"""Ratio of the widths of borders, the widest and the narrowest quarter left aside, from which on they are no lines."""

TWIN_FACTOR = 2.0
"""Two pieces are of one colour when all other pieces are at least so many times further apart."""

WELL_HELD = 1 - 1e-9
"""Evidence that holds each cell of a board beyond any doubt: 1, but for rounding."""

FIRMLY = 0.5
"""The same for boards that come out even only by another hypothesis: one that is cut off must not be made to fit."""

PLAIN_GAP = 8.0
"""Ratio of steps of colour between regions to those inside them from which on lines may say what they like: shaded
cells leave 7 and less, and what compression leaves beside steps of colour may look like lines of two widths."""

GAPS = 4
"""Gaps between the steps of colour that are tried, the widest first, until a board comes out even."""

HYPOTHESES = (
    Hypothesis(),
    Hypothesis(overlay=1),
    Hypothesis(overlay=SHADED_PAIRS),
    *(Hypothesis(gap) for gap in range(1, GAPS)),
    Hypothesis(lines=False),
    Hypothesis(colours=False),
    *(Hypothesis(gap, striped=True) for gap in range(GAPS)),
    Hypothesis(striped=True, lines=False),
)
"""What may be assumed of a board: what its colours suggest, that an overlay lies on some cells, then what else, the
likeliest first."""

FIRST, OVERLAID = 0, 1


@dataclass(frozen=True, eq=False)
class Cut:
    """One way to cut a board into regions.

    Attributes:
        labels: the regions.
        cells: what was measured.
        affinities: what was concluded from it.
        even: whether there is one region a row.
        pieces: the regions before any were put together.
        joined: pairs of cells, one of each of two pieces that were taken for one region.
        first: whether this is the reading that the colours suggest, and none of the others that were tried.
        agreeing: how many hypotheses gave it by themselves, where all were tried.
        overlaid: how much evidence holds each cell if an overlay lies on some, where that gives the same regions.
    """

    labels: Labels
    cells: Appearance
    affinities: Affinities
    even: bool
    pieces: Labels
    joined: Sequence[tuple[Cell, Cell]] = ()
    first: bool = True
    agreeing: int = 0
    overlaid: Floats | None = None

    @property
    def made(self) -> bool:
        """Whether it had more pieces than regions, and some were put together."""
        return bool(self.labels.max() < self.pieces.max())

    @cached_property
    def held(self) -> Floats:
        """How much evidence holds each cell in its region."""
        own = margins(self.affinities.bonds, self.pieces)
        return own if self.overlaid is None else np.maximum(own, self.overlaid)

    @property
    def count(self) -> int:
        """Regions."""
        return int(self.labels.max()) + 1


def best_cut(cells: Appearance) -> Cut:
    """The first hypothesis that gives one region a row, else the first of all."""
    first = _cut_by(cells, FIRST)
    if first.even and first.held.min() >= WELL_HELD:
        return first
    if first.even:
        # Where an overlay explains what speaks against it, a cell is held better.
        overlaid = _cut_by(cells, OVERLAID)
        same = bool((overlaid.labels == first.labels).all())
        return replace(first, overlaid=overlaid.held) if same else first
    return first if _beyond_doubt(first) else next(other_cuts(cells), first)


def _beyond_doubt(cut: Cut) -> bool:
    """Whether colours and lines, each for itself, cut the board in one and the same way: then it is cut off, if it does
    not come out even, and nothing may make it one of more or fewer regions.
    """
    if min(cut.affinities.colour_trust, cut.affinities.line_trust) < 1:
        return False
    by_colours, by_lines = (affinities(cut.cells, Hypothesis(lines=each, colours=not each)) for each in (False, True))
    same = bool((partition(by_colours.bonds) == partition(by_lines.bonds)).all())
    return same and not are_steps(cut)


def are_steps(cut: Cut) -> bool:
    """Whether what is seen between regions are no lines, but what compression leaves beside steps of colour: then they
    say what the colours say. Lines that are drawn are all of one width.
    """
    first, second = pairs_of(cut.labels)
    widths = cut.cells.lines.values[first != second]
    return len(widths) > 0 and percentile(widths, 75) > UNLIKE_WIDTHS * percentile(widths, 25)


def other_cuts(cells: Appearance) -> Iterator[Cut]:
    """What the other hypotheses give that has one region a row, each cell held firmly."""
    return (_plain(cut) for cut in _even_cuts(cells, OVERLAID + 1) if cut.held.min() >= FIRMLY)


def all_cuts(cells: Appearance) -> list[Cut]:
    """What all hypotheses give that has one region a row.

    Where the first is beyond doubt and has not, only what makes single cells a part of the regions beside them, of
    which they are shades as under an overlay.
    """
    cuts, first = list(_even_cuts(cells, FIRST)), _cut_by(cells, FIRST)
    settled = bool(cuts) and not first.even and _beyond_doubt(first)
    return [cut for cut in cuts if not settled or _but_for_shades(first, cut)]


def _but_for_shades(first: Cut, other: Cut) -> bool:
    """Whether two cuts are the same but for regions of one cell in the first."""
    larger = np.bincount(first.labels.ravel())[first.labels] > 1
    one, two = first.labels[larger].tolist(), other.labels[larger].tolist()
    return len({*zip(one, two, strict=True)}) == len({*one}) == len({*two})


def _cut_by(cells: Appearance, number: int) -> Cut:
    """The board cut by a hypothesis, once however often it is asked."""
    if number not in cells.cuts:
        cells.cuts[number] = _cut(cells, affinities(cells, HYPOTHESES[number]), first=number == FIRST)
    cut: Cut = cells.cuts[number]
    return cut


def _even_cuts(cells: Appearance, since: int) -> Iterator[Cut]:
    """What of the hypotheses from a number on gives one region a row, and is to be believed."""
    rows, cols = cells.shape
    cuts = (_cut_by(cells, number) for number in range(since, len(HYPOTHESES) * (rows == cols)))
    return (cut for cut in cuts if cut.even and _trusted(cut.affinities))


def _trusted(affinity: Affinities) -> bool:
    """Whether colours or lines fall into two groups clearly enough to be believed."""
    return max(affinity.colour_trust, affinity.line_trust) >= TRUSTED


def _plain(cut: Cut) -> Cut:
    """The cut, called the first reading where it is that of colours alone and these leave no choice."""
    by_colours = cut.affinities.line_trust == 0 and cut.affinities.colour.ratio >= PLAIN_GAP and not cut.joined
    return replace(cut, first=True) if by_colours else cut


def _cut(cells: Appearance, affinity: Affinities, *, first: bool = True) -> Cut:
    """The board cut by affinities."""
    pieces = partition(affinity.bonds)
    rows = cells.shape[0]
    labels, joined = _joined(pieces, cells, affinity.colour.at, rows)
    if affinity.line_trust < TRUSTED:
        labels = _unshaded(labels, cells, rows)
    even = int(labels.max()) + 1 == rows == cells.shape[1]
    return Cut(labels, cells, affinity, even, pieces, joined, first)


def _joined(
    pieces: Labels, cells: Appearance, same_below: float, wanted: int
) -> tuple[Labels, list[tuple[Cell, Cell]]]:
    """Pieces of the same colour made one region, the most alike first, until ``wanted`` regions are left.

    Where that cannot be done beyond doubt, nothing is joined: a board that is cut off has regions too many as well.
    """
    surplus = int(pieces.max()) + 1 - wanted
    if surplus <= 0:
        return pieces, []
    colours = np.array([medians(cells.colours[pieces == k]) for k in range(int(pieces.max()) + 1)])
    apart = np.linalg.norm(colours[:, None] - colours[None], axis=-1)
    a, b = np.triu_indices(len(colours), 1)
    order = np.argsort(apart[a, b], kind="stable")
    home = np.arange(len(colours))
    joined: list[tuple[int, int]] = []
    last = 0.0
    for one, other, distance in zip(a[order].tolist(), b[order].tolist(), apart[a, b][order].tolist(), strict=True):
        if home[one] == home[other]:
            continue
        if len(joined) == surplus:
            if distance + COLOUR_NOISE < TWIN_FACTOR * (last + COLOUR_NOISE):
                return pieces, []
            break
        if distance > same_below:
            return pieces, []
        home[home == home[other]] = home[one]
        joined.append((one, other))
        last = distance
    if len(joined) < surplus:
        return pieces, []
    return renumbered(home[pieces]), [(_first(pieces, one), _first(pieces, other)) for one, other in joined]


def _first(pieces: Labels, piece: int) -> Cell:
    r, c = np.argwhere(pieces == piece)[0].tolist()
    return r, c


def _unshaded(labels: Labels, cells: Appearance, wanted: int) -> Labels:
    """Single cells that are a darker or lighter shade of the region around them made a part of it.

    Pointing at a cell shades it, and where all lines are alike its borders do not tell that it still belongs to its
    neighbours; a narrow region it cuts in two. Only where that is the one way to ``wanted`` regions, and no more than
    :data:`SHADED` cells are.
    """
    surplus = int(labels.max()) + 1 - wanted
    if not 0 < surplus <= SHADED:
        return labels
    homes = shade_homes(labels, cells)
    into = {cell: groups[0] for cell, groups in homes.items() if len(groups) == 1}
    if sum(map(len, into.values())) == surplus:
        return _merged(labels, into.items())
    ways = _ways(labels, homes, wanted)
    return ways[0] if len(ways) == 1 else labels


def shaded_cuts(cut: Cut) -> Iterator[Cut]:
    """The ways to one region a row that make some single cells, shades of a region beside them, a part of it.

    A hint shades several cells, and two that touch may be shades of each other; a region of one cell may also happen to
    have the hue of the one beside it. Which cells are shaded the rules must tell. Where lines joined what they should
    not, for what is seen of hairlines beside steps of colour is of many widths, the colours are asked alone.
    """
    rows, cols = cut.labels.shape
    if cut.affinities.line_trust >= TRUSTED and not _beyond_doubt(cut):
        cut = _cut(cut.cells, affinities(cut.cells, Hypothesis(lines=False)))
    if rows == cols and cut.count > rows and cut.affinities.line_trust < TRUSTED:
        pieces = partition(cut.affinities.bonds)
        for labels in _ways(pieces, shade_homes(pieces, cut.cells), rows):
            yield replace(cut, labels=labels, even=True, joined=(), first=False)


def _ways(pieces: Labels, homes: Mapping[Cell, Sequence[frozenset[int]]], wanted: int) -> list[Labels]:
    """All ways to ``wanted`` regions that make some cells a part of one of their homes; none where these are many."""
    found: dict[bytes, Labels] = {}
    if 0 < len(homes) <= MOST_SHADED:
        for chosen in product(*([None, *groups] for groups in homes.values())):
            labels = _merged(pieces, [(cell, home) for cell, home in zip(homes, chosen, strict=True) if home])
            if int(labels.max()) + 1 == wanted:
                found.setdefault(labels.tobytes(), labels)
    return list(found.values())


def shade_homes(labels: Labels, cells: Appearance) -> dict[Cell, list[frozenset[int]]]:
    """For each single cell the regions beside it of which it may be a shade, those of one colour together."""
    homes: dict[Cell, list[frozenset[int]]] = {}
    for region in range(int(labels.max()) + 1):
        at = np.argwhere(labels == region)
        if len(at) > 1:
            continue
        r, c = at[0].tolist()
        for k in sorted({int(labels[i, j]) for i, j in around(labels.shape, r, c) if _is_shade(cells, (r, c), (i, j))}):
            groups = homes.setdefault((r, c), [])
            same = next((group for group in groups if _of_one_colour(cells, labels, {k, *group})), frozenset[int]())
            homes[r, c] = [group for group in groups if group != same] + [same | {k}]
    return homes


def _merged(labels: Labels, homes: Iterable[tuple[Cell, frozenset[int]]]) -> Labels:
    """The regions with each of some cells made one with the regions that are its home."""
    merged = labels.copy()
    for cell, home in homes:
        parts = {int(merged[labels == region][0]) for region in home}
        merged[np.isin(merged, [*parts, int(merged[cell])])] = min(parts)
    return renumbered(merged)


def _of_one_colour(cells: Appearance, labels: Labels, regions: Iterable[int]) -> bool:
    """Whether regions have the same colour."""
    colours = np.array([medians(cells.colours[labels == region]) for region in regions])
    return bool(np.linalg.norm(colours - colours[0], axis=-1).max() < COLOUR_NOISE)


def _is_shade(cells: Appearance, one: Cell, other: Cell) -> bool:
    """Whether two cells differ as light and shade do: in lightness, and in how strong their colour is, not in hue."""
    (light, *first), (dark, *second) = cells.colours[one].tolist(), cells.colours[other].tolist()
    if dark > light:
        light, dark, first, second = dark, light, second, first
    scaled = np.array(first) * dark / max(light, JUST_VISIBLE)
    return bool(np.linalg.norm(scaled - second) <= SAME_HUE * max(float(np.linalg.norm(second)), CONTRAST))


def flat_cells(cut: Cut) -> npt.NDArray[np.bool_]:
    """Which cells are of one colour outside of their middle, ``bool (rows, cols)``."""
    first, second = pairs_of(cut.labels)
    steps = cut.cells.colour_steps.values[first != second]
    smallest = float(steps.min()) if len(steps) else 0.0
    return np.asarray(cut.cells.unevenness <= FLAT * max(cut.affinities.colour.at, smallest, COLOUR_NOISE))


def another_game(cut: Cut) -> str:
    """Why this is no board of coloured regions; empty where it may be one."""
    side = min(cut.labels.shape)
    fewest, most = (ratio * side for ratio in REGIONS_PER_ROW)
    if not _trusted(cut.affinities):
        return "the cells do not fall into regions by their colours or lines"
    if not fewest <= cut.count <= most:
        return Message("{count} regions on {rows} rows are another game", count=cut.count, rows=side)
    if _chequered(cut.cells):
        return "cells are more like those at their corners than like those at their sides, as on a chessboard"
    # Where colours and lines, each for itself, part the board into as many regions as it has rows, large crosses may
    # reach out of the middle of their cells.
    agreed = cut.even and min(cut.affinities.colour_trust, cut.affinities.line_trust) >= TRUSTED
    if not agreed and flat_cells(cut).mean() < FLAT_SHARE:
        return "the cells are not of one colour each"
    if all(_is_box(cut.labels == k) for k in range(cut.count)):
        return "all regions are rectangles, as in a sudoku or a finished board of patches"
    return ""


def _chequered(cells: Appearance) -> bool:
    """Whether cells differ from their neighbours and not from those that touch them at a corner only.

    Pieces on a chessboard would else make regions of single cells, which have an answer as often as the pieces are one.
    """
    colours = cells.colours
    beside = median(cells.colour_steps.values)
    slanting = [colours[1:, 1:] - colours[:-1, :-1], colours[1:, :-1] - colours[:-1, 1:]]
    at_corners = median(np.linalg.norm(np.concatenate(slanting), axis=-1))
    return beside > COLOUR_NOISE and at_corners < CORNERS_ALIKE * beside


def _is_box(region: npt.NDArray[np.bool_]) -> bool:
    """Whether a region is a rectangle."""
    at = np.argwhere(region)
    height, width = (at.max(axis=0) - at.min(axis=0) + 1).tolist()
    return bool(height * width == len(at))


def draw(cut: Cut) -> Picture:
    """A stage picture: each region in a colour of its own beside the flat board, weak cells crossed out."""
    hues = (cut.labels * 180 // max(1, cut.count)).astype(np.uint8)
    hsv = np.stack([hues, np.full_like(hues, 160), np.full_like(hues, 230)], axis=-1)
    cells = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    return np.asarray(np.kron(cells, np.ones((cut.cells.side, cut.cells.side, 1), dtype=np.uint8)), dtype=np.uint8)
