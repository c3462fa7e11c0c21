"""Dividing the balls on a board into pieces: shape decides, colour only groups.

Each cell is empty or belongs to one piece of the set, each piece lies at most once. A division costs

* for each piece, how far its cells are from one colour (and a little for being a piece at all),
* for each step from a piece to a cell outside it, if the colours there are nearly equal: pieces that touch differ,
* for each empty cell, how far it is from the look of an empty cell on this board,
* for each cell, how little its shading, edges and marks are those of what it is taken for, once a first division has
  taught what these are,

in units of squared deviations, so that a cost is twice a negative log-likelihood [1]_. The cheapest division is an
exact cover of least weight, found by branch and bound; all divisions that cost little more are found with it, and what
they disagree on is in doubt. What an empty cell looks like is not known beforehand: every frequent colour is tried, and
that there are none.

.. [1] C. M. Bishop, Pattern Recognition and Machine Learning, 2006, ch. 8.2 (maximum a posteriori as least energy).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from solvers.ball_trays import LETTERS, SETS, Tray, all_lays, bits
from vision.balls.branch_and_bound import Lay, Search
from vision.balls.evidence import Evidence, pitlike, shaded_like_pits, strongest
from vision.balls.features import Features, neighbours
from vision.balls.palette import STRANGER, strangeness
from vision.balls.pits import (
    DARK,
    ODD,
    OUTLIER,
    SAME_COLOUR,
    SPREAD,
    STRANGE,
    Candidate,
    Empty,
    at_edges,
    bare_costs,
    empty_candidates,
    flatness,
    known_for_pits,
    plainness,
    unlike_tray,
)
from vision.pictures.medians import medians
from vision.pictures.photo import Photo
from vision.reading import Doubt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]

PIECE = 3.0
"""Cost of assuming a piece."""

TOUCHING = 4.0
"""Cost of a step between equal colours across the rim of a piece."""

WORST_PIECE = 40.0
"""Cost above which a lay is not considered: three of five cells of another colour."""

LIKE_EMPTY = 12.0
"""Cost of a piece that looks just like the empty cells: a pocket of them may have a legal shape by chance. And of one
of which a single cell does: balls of a piece are alike, but a pit or two in a corner may be bent or blurred."""

STYLE = 4.0
"""Cost of a ball that is shaded, edged or marked like a pit here, and the other way round, where that is just told."""

PALE = {("standard", "F"), ("standard", "L")}
"""The pieces that makers give no hue: one is white, one grey."""

MARGIN = 9.0
"""How much dearer the next division must be for the cheapest to be trusted: odds of about 100 to 1."""

CLEARER = 1.5
"""How many times more clearly balls and pits must differ under another division for that to be learned from."""

BOUNDS: list[float] = np.geomspace(60, 200, 5).tolist()
"""Costs up to which divisions are looked for, one after the other: 12 pieces of a clean picture cost 36, those of a
dim webcam 70, of a screen with stripes 120. What costs more than the last is not read."""


@dataclass(frozen=True, eq=False)
class Division:
    """A division of a board into pieces and empty cells.

    Attributes:
        rows: a letter for each cell, ``.`` empty, in the order of ``tray.cells``.
        cost: see the module.
        pieces: the set.
        empty: the look of empty cells that was assumed; None for a full board.
        certain: whether the search was complete; if not, a cheaper division may have been missed.
    """

    rows: str
    cost: float
    pieces: str
    empty: Empty | None
    certain: bool = True


@dataclass(frozen=True, eq=False)
class Board:
    """What is known of a board while it is read.

    Attributes:
        photo: the picture.
        tray: the board.
        features: of its cells.
        division: the cheapest one.
        rows: a letter for each cell as it is read: the division's, but for single balls.
        roundness: ``float64 (cells,)``, 0..1.
    """

    photo: Photo
    tray: Tray
    features: Features
    division: Division
    rows: list[str]
    roundness: Floats

    def cells(self, letter: str) -> list[int]:
        """The numbers of the cells that carry a letter."""
        return [k for k, other in enumerate(self.rows) if other == letter]

    @cached_property
    def evidence(self) -> Evidence:
        """What tells balls from pits most, by the division."""
        return strongest(self.division.rows, self.features)

    @cached_property
    def shaded(self) -> Floats:
        """How much each cell is shaded as pits are, by the division; see :class:`vision.balls.evidence.Learned`."""
        return shaded_like_pits(self.division.rows, self.features)

    @property
    def letters(self) -> list[str]:
        """The pieces that lie on the board."""
        return sorted(set(self.rows) & set(LETTERS))

    @property
    def laid(self) -> dict[str, list[int]]:
        """The numbers of the cells of each of them."""
        return {letter: self.cells(letter) for letter in self.letters}

    def doubts(self, *said: tuple[Iterable[int], float, str]) -> list[Doubt]:
        """Doubts about cells: their numbers, how sure each is as it was read, and why."""
        cells = self.tray.cells
        return [Doubt(cells[k], self.rows[k], confidence, why) for some, confidence, why in said for k in some]


@dataclass(frozen=True, eq=False)
class _Weighed:
    """The ways to lay a set's pieces that are worth considering, one a row.

    Attributes:
        lays: the pits of each as a mask and as cell numbers, and which piece.
        members: ``float64 (lays, cells)``, 1 where a cell belongs to a lay.
        own: ``float64 (lays, 7)``, the look of each piece.
        costs: ``float64 (lays,)``, whatever empty cells look like.
    """

    lays: list[tuple[int, tuple[int, ...], str]]
    members: Floats
    own: Floats
    costs: Floats


@dataclass(frozen=True, eq=False)
class _Scene:
    """What a division is made of.

    Attributes:
        features: of the tray's cells.
        tray: the board.
        candidates: what empty cells may look like.
        pitlike: how each cell looks, colours apart, as a first division taught.
    """

    features: Features
    tray: Tray
    candidates: tuple[Candidate, ...]
    pitlike: Floats


def divisions(features: Features, tray: Tray, sets: Sequence[str] = SETS) -> list[Division]:
    """The cheapest division and those that cost at most a margin more, cheapest first; empty when there is none.

    A division that two sets allow stands there once for each.
    """
    scene = _Scene(features, tray, tuple(empty_candidates(features, tray)), np.zeros(len(tray.cells)))
    found = _divided(scene, sets)
    if not found:
        return found
    taught = found[0].rows
    found = _taught(scene, found, taught, sets)
    clearest = _clearest(found, features) if found else taught
    return found if clearest == taught else _taught(scene, found, clearest, sets)


def sets_of(found: Sequence[Division]) -> list[str]:
    """The sets of pieces that divisions are of."""
    return [pieces for pieces in SETS if any(one.pieces == pieces for one in found)]


def _taught(scene: _Scene, found: list[Division], rows: str, sets: Sequence[str]) -> list[Division]:
    """The divisions once more, with what a division into ``rows`` teaches; as ``found`` where that is nothing.

    Only of the sets of those: what is learned of balls and pits makes no other shapes, unless it takes away a piece
    that only one set has.
    """
    learned = pitlike(rows, scene.features)
    if not learned.any():
        return found
    candidates = tuple(known_for_pits(candidate, learned, scene.features) for candidate in scene.candidates)
    scene = replace(scene, candidates=candidates, pitlike=learned)
    again = _divided(scene, sets_of(found))
    same = not again or again[0].rows == rows or len(sets_of(found)) == len(sets)
    return again if same else _divided(scene, sets)


def _clearest(found: Sequence[Division], features: Features) -> str:
    """The rows of the division under which balls and pits differ far more clearly than under the cheapest, or its own.

    Where a last pocket has the colour of the piece that is missing, its edges tell which it is only to who asks both.
    """
    rows = list(dict.fromkeys(one.rows for one in found))
    if len(rows) == 1:
        return rows[0]
    clear = [strongest(each, features).strength for each in rows]
    best = int(np.argmax(clear))
    return rows[best] if clear[best] > CLEARER * max(1.0, clear[0]) else rows[0]


def _divided(scene: _Scene, sets: Sequence[str]) -> list[Division]:
    lays = {pieces: _weighed(scene, pieces) for pieces in sets}
    # A tight bound makes the search short; it is only loosened where it proves too tight, as on the wrong set.
    for bound in BOUNDS:
        found = _within(scene, lays, bound)
        if found and found[0].cost + MARGIN > bound and found[0].certain:
            found = _within(scene, lays, found[0].cost + MARGIN)  # what is nearly as cheap may lie beyond the bound
        if found:
            return found
    return []


def _within(scene: _Scene, lays: dict[str, _Weighed], bound: float) -> list[Division]:
    """The divisions that cost at most ``bound``, and at most a margin more than the cheapest; that one is first."""
    found: list[Division] = []
    for pieces, weighed in lays.items():
        least = min((one.cost + MARGIN for one in found), default=bound)
        found += _of_one_set(scene, pieces, weighed, min(bound, least))
    cheapest = min((one.cost for one in found), default=0.0)
    return sorted((one for one in found if one.cost <= cheapest + MARGIN), key=lambda one: one.cost)


def _of_one_set(scene: _Scene, pieces: str, lays: _Weighed, bound: float) -> list[Division]:
    found: dict[str, Division] = {}
    certain = True
    for candidate in scene.candidates:
        search = _search(scene, lays, candidate.empty, bound - candidate.cost)
        if search is None:
            continue
        for rows, cost in search.run(bound - candidate.cost):
            colours = scene.features.of_pieces(rows)
            strange = sum(strangeness(colours, pieces).values())
            total = cost + candidate.cost + strange + _pale_gap(colours, pieces, candidate)
            if total < bound and (rows not in found or total < found[rows].cost):
                found[rows] = Division(rows, total, pieces, candidate.empty)
            bound = min(bound, total + MARGIN)
            search.tighten(bound - candidate.cost)
        if search.gave_up:
            # Searches for other looks of empty cells would make nothing certain any more.
            certain = False
            break
    return [replace(one, certain=certain) for one in found.values()]


@cache
def _numbered_lays(tray: Tray, pieces: str) -> dict[str, tuple[list[int], Ints]]:
    """For each letter the ways to lay it, as masks and as cell numbers ``(ways, balls)``; worked out once."""
    number = np.zeros(max(tray.index.values()) + 1, np.intp)
    number[[tray.index[cell] for cell in tray.cells]] = np.arange(len(tray.cells))
    return {letter: (masks, number[[bits(mask) for mask in masks]]) for letter, masks in all_lays(tray, pieces).items()}


def _weighed(scene: _Scene, pieces: str) -> _Weighed:
    """The lays that are worth considering, whatever empty cells look like."""
    features, tray = scene.features, scene.tray
    tray_colour = medians(features.gaps)
    rim = np.zeros((len(tray.cells), len(tray.cells)))
    signature, (one, other) = features.signature, neighbours(tray).T
    steps = np.linalg.norm(signature[one] - signature[other], axis=1)
    rim[one, other] = rim[other, one] = TOUCHING * np.maximum(0.0, 1 - steps / SAME_COLOUR)
    unlike_balls, raised = STYLE * np.maximum(scene.pitlike, 0), np.clip(-scene.pitlike, 0, 1)
    lays: list[tuple[int, tuple[int, ...], str]] = []
    parts: list[tuple[Floats, Floats, Floats]] = []
    for letter, (masks, cells) in _numbered_lays(tray, pieces).items():
        signatures = signature[cells]
        own = medians(signatures.swapaxes(0, 1))
        off = (at_edges(signatures - own[:, None], own[:, None], features.edges[cells]) ** 2).sum(axis=2) / SPREAD**2
        # What runs from these cells to any other, less what runs between themselves.
        within = rim[cells[:, :, None], cells[:, None, :]].sum(axis=(1, 2))
        cost = (
            np.minimum(off, OUTLIER).sum(axis=1)
            + unlike_balls[cells].sum(axis=1)
            + rim.sum(axis=1)[cells].sum(axis=1)
            - within
        )
        # However it is shaded: makers have no black balls.
        excused = raised[cells].mean(axis=1) * (own[:, 0] > DARK)
        cost += PIECE + ODD * (1 - unlike_tray(own[:, :3], tray_colour)) * (1 - excused)
        if (pieces, letter) not in PALE:
            # Printed pits are white or grey, and may form a piece's shape.
            cost += STRANGER * plainness(own[:, :3], tray_colour, flatness(features.relief[cells]))
        kept = np.flatnonzero(cost < WORST_PIECE)
        members = np.zeros((len(kept), len(tray.cells)))
        np.put_along_axis(members, cells[kept], 1, axis=1)
        parts.append((members, own[kept], cost[kept]))
        lays += [(masks[k], tuple(cells[k].tolist()), letter) for k in kept]
    return _Weighed(lays, *(np.concatenate(some) for some in zip(*parts, strict=True)))


def _pale_gap(colours: dict[str, Floats], pieces: str, candidate: Candidate) -> float:
    """The cost of a last gap that looks like the piece that is missing: only of pale pieces is that to be feared."""
    missing = set(LETTERS) - set(colours)
    if candidate.empty is None or len(missing) != 1 or (pieces, *missing) not in PALE:
        return 0.0
    (letter,) = missing
    colour = medians(candidate.empty.colours[:, :3])
    return candidate.spared * (1 - strangeness(colours | {letter: colour}, pieces)[letter] / STRANGER)


def _search(scene: _Scene, lays: _Weighed, empty: Empty | None, bound: float) -> Search | None:
    """The search for divisions with this look of empty cells; None where none costs as little as ``bound``."""
    features, tray = scene.features, scene.tray
    costs = lays.costs
    if empty is None:
        kept = np.flatnonzero(costs < bound)
        if not lays.members[kept].any(axis=0).all():
            return None
        bare = np.full(len(tray.cells), np.inf)
    else:
        bare = bare_costs(features, empty)
        costs = costs + _like_empties(lays, empty, bare, scene.pitlike)
        bare = bare + STYLE * np.maximum(-scene.pitlike, 0)
        # Taking a piece away leaves a division, too: one that is dearer than its bare cells by a margin is never in
        # a division worth naming.
        kept = np.flatnonzero(costs < lays.members @ bare + MARGIN)
    shares = costs[kept] / lays.members[kept].sum(axis=1)
    affordable = _affordable(lays.members[kept], costs[kept], shares, bare, bound)
    if affordable is None:
        return None
    near, bare, leasts = affordable
    order = near[np.argsort(shares[near], kind="stable")]
    each = zip((lays.lays[k] for k in kept[order].tolist()), costs[kept][order].tolist(), strict=True)
    chosen = [Lay(mask, cells, letter, cost) for (mask, cells, letter), cost in each]
    return Search(tray, chosen, bare.tolist(), leasts.tolist())


def _like_empties(lays: _Weighed, empty: Empty, bare: Floats, pits: Floats) -> Floats:
    """What pieces cost that look as empty cells do, ``(lays,)``: they are unlikely ones.

    Each cell costs ``bare`` as an empty one, and is as much as ``pits`` like them, colours apart.
    """
    sizes = lays.members.sum(axis=1)
    like = lays.own - lays.members @ empty.colours / sizes[:, None]
    alike = np.clip(1 - np.linalg.norm(like, axis=1) / SAME_COLOUR, 0, None)
    some = np.flatnonzero(alike)
    least = np.where(lays.members[some] > 0, bare, np.inf).min(axis=1, initial=np.inf)
    just_like_one = alike[some] * np.clip(1 - least / STRANGE, 0, None)
    just_like_one *= 1 - lays.members[some] @ np.clip(-pits, 0, 1) / sizes[some]
    costs = LIKE_EMPTY * alike
    costs[some] += LIKE_EMPTY * just_like_one
    return np.asarray(costs)


def _affordable(
    members: Floats, costs: Floats, shares: Floats, bare: Floats, bound: float
) -> tuple[Ints, Floats, Floats] | None:
    """The numbers of the lays that may be in a division that costs at most ``bound``, and what cells cost there: bare
    ones, and each at least.

    Each cell costs at least what it costs as an empty one, or its share of the best lay. What a lay costs more than the
    least of its cells is lost wherever it is laid: one that loses more than there is to lose is left out, which may
    raise the least of others (reduced-cost fixing). A cell that cannot be bare costs infinitely much. None where not
    even the least is within the bound.
    """
    near = np.arange(len(costs))
    while True:
        best = np.where(members[near] > 0, shares[near, None], np.inf).min(axis=0, initial=np.inf)
        least = np.minimum(bare, best)
        spare = bound - float(least.sum())
        if not spare >= 0:
            return None
        filled = np.isfinite(bare) & (bare - least > spare)
        affordable = costs[near] - members[near] @ least <= spare
        if affordable.all() and not filled.any():
            return near, bare, least
        near, bare = near[affordable], np.where(filled, np.inf, bare)
