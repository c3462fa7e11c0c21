"""Cutting a board of coloured cells into the regions of a Queens level.

The evidence about neighbouring cells (:mod:`vision.regions.evidence`) gives pieces. A level has one region a row, and
that settles what colours and lines leave open:

- Too many pieces, two of them of the same colour: some community levels have regions in several pieces, so the most
  alike become one until the count is right. Colours that are merely close stay apart where the count is right already.
- One cell too many that is a darker or lighter shade of a neighbour: a pointer or a hint shades it. Where more cells
  may be shades than are too many, only what gives exactly one answer is believed.
- Cells that differ from their neighbours by one factor all over the board: a hint has dimmed the others.
- Still uneven: other gaps between the steps of colour are tried, in the order of their width; then colours alone.
  The same where the regions have no answer at all, as a level never has: then only a cut with exactly one is believed.

What comes out uneven all the same is cut off, or no level at all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from solvers.message import Message
from vision.pictures.medians import median, medians, percentile
from vision.pictures.photo import Picture
from vision.regions.evidence import COLOUR_NOISE, SHADED_PAIRS, Witnesses, hear
from vision.regions.looks import JUST_VISIBLE, SAME_HUE, Looks
from vision.regions.partition import Floats, Labels, around, margins, pairs_of, partition, renumbered

REGIONS_PER_ROW = (0.5, 2.0)
"""A board of this game has one region a row; cut off, or with regions in several pieces, it has a few more. What has
fewer or more than this many is another game: a sudoku's colours, a chessboard's squares."""

TRUSTED = 0.9
"""At least one witness must be trusted so far."""

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
"""The same for boards that come out even only by another opinion: one that is cut off must not be talked into it."""

PLAIN_GAP = 8.0
"""Ratio of steps of colour between regions to those inside them from which on lines may say what they like: shaded
cells leave 7 and less, and what compression leaves beside steps of colour may look like lines of two widths."""

OPINIONS = 4
"""Gaps between the steps of colour that are tried, the widest first, until a board comes out even."""


@dataclass(frozen=True, eq=False)
class Cut:
    """One way to cut a board into regions.

    Attributes:
        labels: the regions.
        looks: what was measured.
        heard: what was concluded from it.
        even: whether there is one region a row.
        pieces: the regions before any were put together.
        joined: pairs of cells, one of each of two pieces that were taken for one region.
        first: whether this is the reading that the colours suggest, and none of the others that were tried.
        agreeing: how many opinions gave it by themselves, where all were asked.
        seconded: how much evidence of another opinion that gives the same regions holds each cell, where there is one.
    """

    labels: Labels
    looks: Looks
    heard: Witnesses
    even: bool
    pieces: Labels
    joined: Sequence[tuple[Cell, Cell]] = ()
    first: bool = True
    agreeing: int = 0
    seconded: Floats | None = None

    @property
    def made(self) -> bool:
        """Whether it had more pieces than regions, and some were put together."""
        return bool(self.labels.max() < self.pieces.max())

    @cached_property
    def held(self) -> Floats:
        """How much evidence holds each cell in its region, or by another opinion in the same one."""
        own = margins(self.heard.bonds, self.pieces)
        return own if self.seconded is None else np.maximum(own, self.seconded)

    @property
    def count(self) -> int:
        """Regions."""
        return int(self.labels.max()) + 1


def best_cut(looks: Looks) -> Cut:
    """The first opinion about the colours that gives one region a row, else the first of all."""
    first = _opinion(looks, FIRST)
    if first.even and first.held.min() >= WELL_HELD:
        return first
    if first.even:
        # Where an overlay explains what speaks against it, a cell is held better.
        overlaid = _opinion(looks, OVERLAID)
        same = bool((overlaid.labels == first.labels).all())
        return replace(first, seconded=overlaid.held) if same else first
    return first if _beyond_doubt(first) else next(other_cuts(looks), first)


def _beyond_doubt(cut: Cut) -> bool:
    """Whether colours and lines, each for itself, cut the board in one and the same way: then it is cut off, if it does
    not come out even, and nothing may talk it into more or fewer regions.
    """
    if min(cut.heard.colour_trust, cut.heard.line_trust) < 1:
        return False
    by_colours, by_lines = hear(cut.looks, lines_too=False), hear(cut.looks, colours_too=False)
    same = bool((partition(by_colours.bonds) == partition(by_lines.bonds)).all())
    return same and not are_steps(cut)


def are_steps(cut: Cut) -> bool:
    """Whether what is seen between regions are no lines, but what compression leaves beside steps of colour: then they
    say what the colours say. Lines that are drawn are all of one width.
    """
    first, second = pairs_of(cut.labels)
    widths = cut.looks.lines.values()[first != second]
    return len(widths) > 0 and percentile(widths, 75) > UNLIKE_WIDTHS * percentile(widths, 25)


def other_cuts(looks: Looks) -> Iterator[Cut]:
    """The other opinions about the colours that give one region a row, each cell held firmly."""
    return (_plain(cut) for cut in _even_cuts(looks, OVERLAID + 1) if cut.held.min() >= FIRMLY)


def all_cuts(looks: Looks) -> list[Cut]:
    """All opinions that give one region a row, the first included.

    Where that is beyond doubt and does not, only what makes single cells a part of the regions beside them, of which
    they are shades as under an overlay.
    """
    cuts, first = list(_even_cuts(looks, FIRST)), _opinion(looks, FIRST)
    settled = bool(cuts) and not first.even and _beyond_doubt(first)
    return [cut for cut in cuts if not settled or _but_for_shades(first, cut)]


def _but_for_shades(first: Cut, other: Cut) -> bool:
    """Whether two cuts are the same but for regions of one cell in the first."""
    larger = np.bincount(first.labels.ravel())[first.labels] > 1
    one, two = first.labels[larger].tolist(), other.labels[larger].tolist()
    return len({*zip(one, two, strict=True)}) == len({*one}) == len({*two})


_HEARD: tuple[Mapping[str, Any], ...] = (
    {},
    {"overlay": 1},
    {"overlay": SHADED_PAIRS},
    *({"gap": gap} for gap in range(1, OPINIONS)),
    {"lines_too": False},
    {"colours_too": False},
    *({"gap": gap, "striped": True} for gap in range(OPINIONS)),
    {"striped": True, "lines_too": False},
    # Without the steps that the overlay explains the widest gap may be one among those between regions.
    {"gap": 1, "overlay": SHADED_PAIRS},
)
"""What may be thought of the colours: that which they suggest, that an overlay lies on some cells, then what else, the
likeliest first."""

FIRST, OVERLAID = 0, 1


def _heard(looks: Looks, number: int) -> Witnesses:
    """What the witnesses say by an opinion about the colours, once however often they are asked."""
    if number not in looks.heard:
        looks.heard[number] = hear(looks, **_HEARD[number])
    heard: Witnesses = looks.heard[number]
    return heard


def _opinion(looks: Looks, number: int) -> Cut:
    """The board cut by an opinion about the colours, once however often it is asked."""
    if number not in looks.cuts:
        looks.cuts[number] = _cut(looks, _heard(looks, number), first=number == FIRST)
    cut: Cut = looks.cuts[number]
    return cut


def _even_cuts(looks: Looks, since: int) -> Iterator[Cut]:
    """What of the opinions from a number on gives one region a row, and is to be believed."""
    rows, cols = looks.shape
    for number in range(since, len(_HEARD) * (rows == cols)):
        if _trusted(_heard(looks, number)) and (cut := _opinion(looks, number)).even:
            yield cut


def _trusted(heard: Witnesses) -> bool:
    """Whether colours or lines fall into two groups clearly enough to be believed."""
    return max(heard.colour_trust, heard.line_trust) >= TRUSTED


def _plain(cut: Cut) -> Cut:
    """The cut, called the first reading where it is that of colours alone and these leave no choice."""
    by_colours = cut.heard.line_trust == 0 and cut.heard.colour.ratio >= PLAIN_GAP and not cut.joined
    return replace(cut, first=True) if by_colours else cut


def _cut(looks: Looks, heard: Witnesses, *, first: bool = True) -> Cut:
    pieces = partition(heard.bonds)
    rows = looks.shape[0]
    labels, joined = _joined(pieces, looks, heard.colour.at, rows)
    if heard.line_trust < TRUSTED:
        labels = _unshaded(labels, looks, rows)
    even = int(labels.max()) + 1 == rows == looks.shape[1]
    return Cut(labels, looks, heard, even, pieces, joined, first)


def _joined(pieces: Labels, looks: Looks, same_below: float, wanted: int) -> tuple[Labels, list[tuple[Cell, Cell]]]:
    """Pieces of the same colour made one region, the most alike first, until ``wanted`` regions are left.

    Where that cannot be done beyond doubt, nothing is joined: a board that is cut off has regions too many as well.
    """
    surplus = int(pieces.max()) + 1 - wanted
    if surplus <= 0:
        return pieces, []
    colours = np.array([medians(looks.colours[pieces == k]) for k in range(int(pieces.max()) + 1)])
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


def _unshaded(labels: Labels, looks: Looks, wanted: int) -> Labels:
    """Single cells that are a darker or lighter shade of the region around them made a part of it.

    Pointing at a cell shades it, and where all lines are alike its borders do not tell that it still belongs to its
    neighbours; a narrow region it cuts in two. Only where that is the one way to ``wanted`` regions, and no more than
    :data:`SHADED` cells are.
    """
    surplus = int(labels.max()) + 1 - wanted
    if not 0 < surplus <= SHADED:
        return labels
    homes = shade_homes(labels, looks)
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
    if cut.heard.line_trust >= TRUSTED and not _beyond_doubt(cut):
        cut = _cut(cut.looks, hear(cut.looks, lines_too=False))
    if rows == cols and cut.count > rows and cut.heard.line_trust < TRUSTED:
        pieces = partition(cut.heard.bonds)
        for labels in _ways(pieces, shade_homes(pieces, cut.looks), rows):
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


def shade_homes(labels: Labels, looks: Looks) -> dict[Cell, list[frozenset[int]]]:
    """For each single cell the regions beside it of which it may be a shade, those of one colour together."""
    homes: dict[Cell, list[frozenset[int]]] = {}
    for region in range(int(labels.max()) + 1):
        at = np.argwhere(labels == region)
        if len(at) > 1:
            continue
        r, c = at[0].tolist()
        for k in sorted({int(labels[i, j]) for i, j in around(labels.shape, r, c) if _is_shade(looks, (r, c), (i, j))}):
            groups = homes.setdefault((r, c), [])
            same = next((group for group in groups if _of_one_colour(looks, labels, {k, *group})), frozenset[int]())
            homes[r, c] = [group for group in groups if group != same] + [same | {k}]
    return homes


def _merged(labels: Labels, homes: Iterable[tuple[Cell, frozenset[int]]]) -> Labels:
    """The regions with each of some cells made one with the regions that are its home."""
    merged = labels.copy()
    for cell, home in homes:
        parts = {int(merged[labels == region][0]) for region in home}
        merged[np.isin(merged, [*parts, int(merged[cell])])] = min(parts)
    return renumbered(merged)


def _of_one_colour(looks: Looks, labels: Labels, regions: Iterable[int]) -> bool:
    """Whether regions have the same colour."""
    colours = np.array([medians(looks.colours[labels == region]) for region in regions])
    return bool(np.linalg.norm(colours - colours[0], axis=-1).max() < COLOUR_NOISE)


def _is_shade(looks: Looks, one: Cell, other: Cell) -> bool:
    """Whether two cells differ as light and shade do: in lightness, and in how strong their colour is, not in hue."""
    (light, *first), (dark, *second) = looks.colours[one].tolist(), looks.colours[other].tolist()
    if dark > light:
        light, dark, first, second = dark, light, second, first
    scaled = np.array(first) * dark / max(light, JUST_VISIBLE)
    return bool(np.linalg.norm(scaled - second) <= SAME_HUE * max(float(np.linalg.norm(second)), 10 * JUST_VISIBLE))


def flat_cells(cut: Cut) -> npt.NDArray[np.bool_]:
    """Which cells are of one colour outside of their middle, ``bool (rows, cols)``."""
    first, second = pairs_of(cut.labels)
    steps = cut.looks.colour_steps.values()[first != second]
    smallest = float(steps.min()) if len(steps) else 0.0
    return np.asarray(cut.looks.unevenness <= FLAT * max(cut.heard.colour.at, smallest, COLOUR_NOISE))


def another_game(cut: Cut) -> str:
    """Why this is no board of coloured regions; empty where it may be one."""
    side = min(cut.labels.shape)
    fewest, most = (ratio * side for ratio in REGIONS_PER_ROW)
    if not _trusted(cut.heard):
        return "the cells do not fall into regions by their colours or lines"
    if not fewest <= cut.count <= most:
        return Message("{count} regions on {rows} rows are another game", count=cut.count, rows=side)
    if _chequered(cut.looks):
        return "cells are more like those at their corners than like those at their sides, as on a chessboard"
    # Where colours and lines, each for itself, part the board into as many regions as it has rows, large crosses may
    # reach out of the middle of their cells.
    agreed = cut.even and min(cut.heard.colour_trust, cut.heard.line_trust) >= TRUSTED
    if not agreed and flat_cells(cut).mean() < FLAT_SHARE:
        return "the cells are not of one colour each"
    if all(_is_box(cut.labels == k) for k in range(cut.count)):
        return "all regions are rectangles, as in a sudoku or a finished board of patches"
    return ""


def _chequered(looks: Looks) -> bool:
    """Whether cells differ from their neighbours and not from those that touch them at a corner only.

    Pieces on a chessboard would else make regions of single cells, which have an answer as often as the pieces are one.
    """
    colours = looks.colours
    beside = median(looks.colour_steps.values())
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
    return np.asarray(np.kron(cells, np.ones((cut.looks.side, cut.looks.side, 1), dtype=np.uint8)), dtype=np.uint8)
