"""Which patches a player has placed, once the clues are known: the likeliest segmentation into patches and open cells.

Each clue's patch lies at one of its places, or is open. The logarithm of the posterior of such a segmentation is a sum:

- the prior: any number of placed patches is as likely as any other, and most lie where the answer has them;
- colours of cells beside each other: alike within a patch and among open cells, any across a border;
- colours of cells apart: what is open has one ground, and patches have either one colour or colours of their own;
- what is seen on the sides between cells: borders, sides within patches and those between open cells have a mean each;
- the page round the board: most boards' open cells have its colour.

Its maximum is found by iterated conditional modes [1]_ from several beginnings. Where another segmentation is hardly
less likely, none is told: a board's ground may be chequered, and lamps and cursors tint cells as well.

.. [1] J. Besag, "On the Statistical Analysis of Dirty Pictures", J. Royal Statistical Society B 48(3), 1986.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import lgamma, log

import numpy as np

from solvers.board import Cell
from solvers.budget import Budget, BudgetSpentError
from solvers.steps.step import Placed, Standing
from solvers.stitch import Stitch, answers
from vision.clues.ink import FLAT_PX, Floats, corners, flat_side
from vision.clues.placed import NODES_TO_PROVE, Sides, visible_sides
from vision.pictures.bending import BentPlacement, OnSheet, regrown
from vision.pictures.flatten import cut_into_cells, flatten
from vision.pictures.lab import lab
from vision.pictures.margins import margins
from vision.pictures.medians import medians, percentile
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement

Bools = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
Ints = np.ndarray[tuple[int, ...], np.dtype[np.int64]]

RING = (0.1, 0.24)
"""Between these parts of a cell, in from its sides, lines have ended, and badges and digits have hardly begun."""

LEAST_NOISE, USUAL = 1.5, 0.4
"""Standard deviation of colours that are the same, in CIELAB steps: this at least, and the differences between so many
of the neighbours along a board's rows, or columns: grounds may slope."""

FARTHER = 2.0
"""How many times as much cells of one colour differ that lie apart."""

SPREAD = 30.0
"""Mean difference of colours that have nothing to do with each other, in CIELAB steps."""

OUTLIERS, STRAYING = 0.05, 0.01
"""Part of the neighbours, and of the open places, whose colours are not as they should be."""

ONE_COLOUR = np.array([0.03, 0.97])
"""Part of the patches that share a colour with another, on boards where each has its own and on those where all have
one."""

SIDE_NOISE, OWN_SIDES = 0.05, 0.05
"""Standard deviation of the part of a side on which an edge is seen; and of its mean within a patch, where patches have
colours of their own."""

ON_PAGE, BY_CHANCE, AS_PAGE = 0.98, 0.03, 0.6
"""Part of the open cells that have the page's colour, where the ground has it; part of all others that do; and how
often the ground has it."""

INDEPENDENT = 3
"""So many cells of one place err independently of each other."""

FARTHEST = 0.25
"""What is seen of a side counts as so far off its mean at most: a badge or a cursor may lie on it (Huber 1964)."""

RIGHT = 0.9
"""Part of the placed patches that lie where the answer has them."""

MARGIN = log(5)
"""How much likelier a segmentation is than another that is taken for unlikely."""

GROUNDS = 4
"""So many of the largest sets of places of one colour are tried as the open ground."""

_State = tuple[int, ...]
"""For each clue the index of its patch's place, -1 where it is open."""


def segmented(photo: Photo, placement: Placement, puzzle: Stitch) -> Standing:
    """The patches that stand on a straight board, rightly or wrongly; none where that is not plain."""
    if not isinstance(placement, FlatPlacement | BentPlacement):
        return ()
    colours, page = photo.derive_at(_colours, placement)
    if colours.shape[:2] != (puzzle.rows, puzzle.cols):
        return ()
    return likeliest(puzzle, colours, page, visible_sides(photo, placement))


def likeliest(puzzle: Stitch, colours: Floats, page: Floats, sides: Sequence[Sides]) -> Standing:
    """The patches of the likeliest segmentation; none where another is hardly less likely.

    Args:
        puzzle: with its clues.
        colours: ``float64 (rows, cols, 2, 3)``, CIELAB: of each cell near its sides, and in its corners.
        page: ``float64 (N, 3)``, the colours round the board.
        sides: what is seen between cells at some contrasts.
    """
    try:
        answer = next(iter(answers(puzzle, Budget(nodes=NODES_TO_PROVE))), None)
    except BudgetSpentError:
        answer = None
    if answer is None:
        return ()
    right = {patch.clue: frozenset(patch.block.cells) for patch in answer}
    board = _Posterior(_Evidence.of(puzzle, right, colours, page, sides))
    maxima = sorted({board.maximum(start) for start in board.beginnings()}, key=board.at, reverse=True)
    if len(maxima) > 1 and board.at(maxima[0]) - board.at(maxima[1]) < MARGIN:
        return ()
    patches = (board.evidence.placed(place) for place in board.certain(maxima[0]))
    return tuple(sorted(patches, key=lambda patch: patch.cells))


@dataclass(frozen=True, eq=False)
class _Evidence:
    """What is seen of a board, by cells as ``row * cols + col``, and the places where its patches may lie.

    Attributes:
        cols: of the board.
        clue: which clue each place belongs to, ``(places,)``; the first of each clue is that of the answer.
        member: which cells are each place's, ``(places, cells)``.
        prior: log probability of each place, given that the patch is placed.
        owner_of: the pairs of neighbouring cells, ``(2, pairs)``.
        alike: log density of the difference of their colours within a part, ``(2, pairs)``: where cells with clues are
            like others, and where they are tinted.
        unlike: the same across the border of a patch and open cells.
        either: the same between patches, ``(2, pairs)``: of colours of their own, of one colour.
        edges: part of the side between them on which an edge is seen, ``(pairs,)``, 0..1.
        ratio: how much likelier the difference of the colours of two places is if they are the same, ``(places,
            places)``; 0 on the diagonal.
        near_page: part of the cells of each place that have the page's colour; None where no page is seen.
    """

    cols: int
    clue: Ints
    member: Bools
    prior: Floats
    owner_of: Ints
    alike: Floats
    unlike: Floats
    either: Floats
    edges: Floats
    ratio: Floats
    near_page: Floats | None

    @classmethod
    def of(
        cls, puzzle: Stitch, right: dict[Cell, frozenset[Cell]], colours: Floats, page: Floats, sides: Sequence[Sides]
    ) -> "_Evidence":
        """What is seen of a board whose answer has the patches ``right``."""
        rows, cols = puzzle.rows, puzzle.cols
        inside = np.array([[clue is not None for clue in row] for row in puzzle.clues])
        index = np.arange(rows * cols).reshape(rows, cols)
        badged = np.zeros((rows, cols), np.bool_)
        badged[tuple(zip(*puzzle.clue_cells, strict=True))] = True
        differences = _differences(colours, badged)
        ways = ((np.s_[:, :-1], np.s_[:, 1:], "across"), (np.s_[:-1], np.s_[1:], "down"))
        pairs: list[Ints] = []
        noise: list[Floats] = []
        edges: list[Floats] = []
        for one, other, way in ways:
            both = np.stack([index[one], index[other]])[:, inside[one] & inside[other]]
            strength = np.mean([getattr(side, way) for side in sides], axis=0)[inside[one] & inside[other]]
            usual = percentile(differences[both[0], both[1]], 100 * USUAL) if both.size else 0.0
            pairs.append(both)
            edges.append(strength)
            noise.append(np.full(both.shape[1], max(LEAST_NOISE, usual)))
        pair, deviation = np.concatenate(pairs, axis=1), np.concatenate(noise)
        apart, beside_clue = differences[pair[0], pair[1]], badged.ravel()[pair].any(axis=0)
        same, any_ = _same(apart, deviation), _any(apart)
        outliers = np.where(beside_clue & np.array([[False], [True]]), 1 - OUTLIERS, OUTLIERS)
        clue, places, prior = _places(puzzle, right, index)
        nearest, farther = _nearest(differences, places), FARTHER * float(deviation.max(initial=LEAST_NOISE))
        return cls(
            cols,
            clue,
            _member(places, index.size),
            prior,
            pair,
            np.log((1 - outliers) * same + outliers * any_),
            np.log((1 - OUTLIERS) * any_ + OUTLIERS * same),
            np.log(ONE_COLOUR[:, None] * same + (1 - ONE_COLOUR[:, None]) * any_),
            np.concatenate(edges),
            _same(nearest, farther) / _any(nearest) * ~np.eye(len(places), dtype=np.bool_),
            _near_page(colours.reshape(-1, 2, 3), page, places),
        )

    @cached_property
    def answer(self) -> Ints:
        """The place of each clue in the answer, ``(clues,)``."""
        return np.searchsorted(self.clue, np.arange(self.clue[-1] + 1))

    @cached_property
    def prior_of_number(self) -> Floats:
        """Log prior of each choice of so many placed patches: any number is as likely, and of these any choice."""
        count = len(self.answer)
        choices = [lgamma(n + 1) + lgamma(count - n + 1) - lgamma(count + 1) for n in range(count + 1)]
        return np.array(choices) - log(count + 1)

    @cached_property
    def overlap(self) -> Bools:
        """Which places share a cell, ``(places, places)``."""
        member = self.member.astype(np.float32)
        return np.asarray(member @ member.T > 0)

    def placed(self, place: int) -> Placed:
        """The patch at a place."""
        return Placed(tuple(divmod(int(cell), self.cols) for cell in np.flatnonzero(self.member[place])))


def _differences(colours: Floats, badged: Bools) -> Floats:
    """How far the colours of any two cells differ, ``(cells, cells)``, in CIELAB steps.

    A badge may reach near the sides of its cell, a patch with round corners leaves those of its cells out; two badges
    look alike on any ground.
    """
    near, corner = colours[:, :, 0].reshape(-1, 3), colours[:, :, 1].reshape(-1, 3)
    badge = badged.ravel()
    mixed = np.where(badge[:, None], corner, near)
    both = badge[:, None] & badge
    return np.asarray(np.where(both, _apart(corner), np.minimum(_apart(near), _apart(mixed))))


def _apart(colours: Floats) -> Floats:
    return np.asarray(np.linalg.norm(colours[:, None] - colours, axis=2))


def _same(apart: Floats, deviation: Floats | float) -> Floats:
    """Density of the difference of two colours that are the same: half a normal distribution."""
    return np.asarray(2 / np.sqrt(2 * np.pi) / deviation * np.exp(-(apart**2) / 2 / np.square(deviation)))


def _any(apart: Floats) -> Floats:
    """Density of the difference of any two colours."""
    return np.asarray(np.exp(-apart / SPREAD) / SPREAD)


def _places(puzzle: Stitch, right: dict[Cell, frozenset[Cell]], index: Ints) -> tuple[Ints, list[Ints], Floats]:
    """Whose place each is, its cells, and its prior; of each clue the answer's is the first."""
    wants = {cell: puzzle.want(cell) for cell in puzzle.clue_cells}
    clue, places, prior = [], [], []
    for number, (cell, masks) in enumerate(zip(wants, puzzle.board.candidates(wants), strict=True)):
        blocks = [frozenset(puzzle.board.block(mask).cells) for mask in masks]
        others = [block for block in blocks if block != right[cell]]
        clue += [number] * (1 + len(others))
        places += [index[tuple(zip(*sorted(block), strict=True))] for block in (right[cell], *others)]
        prior += [log(RIGHT), *[log((1 - RIGHT) / len(others)) for _ in others]]
    return np.array(clue), places, np.array(prior)


def _nearest(differences: Floats, places: Sequence[Ints]) -> Floats:
    """The least difference of the colours of cells of two places, ``(places, places)``."""
    to_cells = np.array([differences[cells].min(axis=0) for cells in places])
    return np.array([to_cells[:, cells].min(axis=1) for cells in places])


def _member(places: Sequence[Ints], count: int) -> Bools:
    """Which of so many cells are each place's, ``(places, cells)``."""
    member = np.zeros((len(places), count), np.bool_)
    for place, cells in enumerate(places):
        member[place, cells] = True
    return member


def _near_page(colours: Floats, page: Floats, places: Sequence[Ints]) -> Floats | None:
    if not len(page):
        return None
    apart = np.linalg.norm(colours[:, :, None] - page, axis=3).min(axis=(1, 2))
    return np.array([(apart[cells] <= 2 * FARTHER * LEAST_NOISE).mean() for cells in places])


@dataclass(frozen=True, eq=False)
class _Posterior:
    """Of the segmentations of a board; many are worked out at once."""

    evidence: _Evidence
    _known: dict[_State, float] = field(default_factory=dict)

    def at(self, state: _State) -> float:
        """The logarithm of the posterior, but for a constant; worked out once."""
        self.likeliest([state])
        return self._known[state]

    def likeliest(self, states: Sequence[_State]) -> _State:
        """The one of some segmentations that has the largest posterior."""
        new = [state for state in states if state not in self._known]
        if new:
            likely = self._log_likelihoods(np.array(new)).reshape(len(new), -1)
            self._known.update(zip(new, np.logaddexp.reduce(likely, axis=1).tolist(), strict=True))
        return max(states, key=self._known.__getitem__)

    def maximum(self, state: _State) -> _State:
        """The local maximum that is reached by moving one patch after the other."""
        while True:
            before = state
            for number in range(len(state)):
                others = [-1, *np.flatnonzero(self.evidence.clue == number).tolist()]
                state = self.likeliest([self._moved(state, number, place) for place in others])
            if state == before:
                return state

    def certain(self, state: _State) -> list[int]:
        """The places of the patches without each of which a segmentation is far less likely."""
        opened = {place: self._moved(state, number, -1) for number, place in enumerate(state) if place >= 0}
        return [place for place, other in opened.items() if self.at(state) - self.at(other) >= MARGIN]

    def _moved(self, state: _State, number: int, place: int) -> _State:
        """The segmentation with the patch of a clue at another place, and those that lay there open."""
        if place == state[number]:
            return state
        covered = self.evidence.overlap[place] if place >= 0 else None
        moved = [-1 if covered is not None and old >= 0 and covered[old] else old for old in state]
        moved[number] = place
        return tuple(moved)

    def beginnings(self) -> Iterator[_State]:
        """Nothing is placed; all is; all but what has the page's colour; all but what has one of the main colours."""
        evidence = self.evidence
        answer = evidence.answer
        yield tuple(-1 for _ in answer)
        yield tuple(answer.tolist())
        if evidence.near_page is not None:
            yield tuple(np.where(evidence.near_page[answer] > 0, -1, answer).tolist())
        labels = _components(evidence.ratio[np.ix_(answer, answer)] > 1)
        counts = np.bincount(labels)
        for label in np.argsort(-counts, kind="stable")[: min(GROUNDS, np.count_nonzero(counts))]:
            yield tuple(np.where(labels == label, -1, answer).tolist())

    def _log_likelihoods(self, states: Ints) -> Floats:
        """The logarithms for segmentations ``(N, clues)`` and each sort of look, ``(N, 2, 2)``: whether cells with
        clues are tinted; whether patches have colours of their own, or one.
        """
        evidence, answer = self.evidence, self.evidence.answer
        placed = states >= 0
        ground = np.logical_not((evidence.overlap[states[:, :, None], answer] & placed[:, :, None]).any(axis=1))
        owner = ((states + 1)[:, :, None] * evidence.member[states]).sum(axis=1)
        one, other = owner[:, evidence.owner_of[0]], owner[:, evidence.owner_of[1]]
        within, border = one == other, one != other
        patches = border & (one > 0) & (other > 0)
        alike = _largest(evidence.ratio[np.ix_(answer, answer)], ground)
        total = _sums(evidence.prior[states], placed) + evidence.prior_of_number[placed.sum(axis=1)]
        total += self._page(ground, states) + (border & ~patches) @ evidence.unlike
        total += _sums(np.log((1 - STRAYING) * alike + STRAYING), ground & _several(ground))
        like = _largest(evidence.ratio[states[:, :, None], states[:, None]], placed)[..., None]
        of_colours = np.log(ONE_COLOUR * like + 1 - ONE_COLOUR) * (placed & _several(placed))[..., None]
        own = patches @ evidence.either.T + of_colours.sum(axis=1)
        sides = _sides_of(evidence.edges, border, within & (one == 0), within & (one > 0), one)
        return np.asarray((total[:, None] + within @ evidence.alike.T)[:, :, None] + (own + sides)[:, None])

    def _page(self, ground: Bools, states: Ints) -> Floats:
        """Log-likelihoods of which open and placed cells have the page's colour, ``(N,)``."""
        near = self.evidence.near_page
        if near is None:
            return np.zeros(len(states))
        ways = []
        for on_ground, chance in ((ON_PAGE, AS_PAGE), (BY_CHANCE, 1 - AS_PAGE)):
            open_, covered = (near * log(p) + (1 - near) * log(1 - p) for p in (on_ground, BY_CHANCE))
            cells = ground @ open_[self.evidence.answer] + _sums(covered[states], states >= 0)
            ways.append(log(chance) + INDEPENDENT * cells)
        return np.asarray(np.logaddexp(*ways))


def _sums(values: Floats, counted: Bools) -> Floats:
    """The sums over the last axis of those values that count."""
    return np.asarray(np.where(counted, values, 0.0).sum(axis=-1))


def _several(counted: Bools) -> Bools:
    """Whether more than one of each row counts, ``(N, 1)``."""
    return np.asarray(counted.sum(axis=1, keepdims=True) > 1)


def _largest(ratio: Floats, counted: Bools) -> Floats:
    """How much likelier each place has the colour of one of those that count than any, ``(N, places)``."""
    return np.asarray(np.where(counted[:, None], ratio, 0.0).max(axis=2, initial=0.0))


def _sides_of(edges: Floats, border: Bools, open_: Bools, patch: Bools, owner: Ints) -> Floats:
    """Log-likelihoods of the sides between cells, ``(N, 2)``: where those within each patch have a mean of their own,
    which is normal, and where they have one, all with one variance, by Schwarz's criterion (1978).

    Args:
        edges: ``(pairs,)``, part of each side on which an edge is seen.
        border: ``(N, pairs)``, those across a border.
        open_: those between open cells.
        patch: those within a patch.
        owner: ``(N, pairs)``, whose each of these is.
    """
    groups = np.stack([border, open_, patch])
    mean = groups @ edges / np.maximum(groups.sum(axis=2), 1)
    squares, some = _squares(edges - mean[..., None], groups), np.asarray(groups.any(axis=2))
    count = len(edges)
    one_mean = _normal(squares.sum(axis=0), count) - some.sum(axis=0) * log(max(count, 2)) / 2
    rows, pairs = np.nonzero(patch)
    at = rows, owner[rows, pairs]
    sides, means = (np.zeros((len(border), int(owner.max(initial=0)) + 1)) for _ in range(2))
    np.add.at(sides, at, 1)
    np.add.at(means, at, edges[pairs])
    means /= np.maximum(sides, 1)
    there = sides > 0
    number = count - there.sum(axis=1)
    left = squares[:2].sum(axis=0) + _squares(edges - np.take_along_axis(means, owner, axis=1), patch)
    variance = OWN_SIDES**2 + _variance(left, number)[:, None] / np.maximum(sides, 1)
    middle = _sums(means / variance, there) / np.maximum(_sums(1 / variance, there), np.finfo(float).tiny)
    usual = np.exp(-((means - middle[:, None]) ** 2) / 2 / variance) / np.sqrt(2 * np.pi * variance)
    # Of a part of a side, any is as likely as another.
    own = _normal(left, number) + _sums(np.log((1 - OUTLIERS) * usual + OUTLIERS), there)
    own -= (some[:2].sum(axis=0) + 1) * np.log(np.maximum(number, 2)) / 2
    return np.stack([np.where(some[2], own, one_mean), one_mean], axis=1)


def _squares(off: Floats, counted: Bools) -> Floats:
    return _sums(np.minimum(np.abs(off), FARTHEST) ** 2, counted)


def _variance(squares: Floats, count: Ints | int) -> Floats:
    return np.asarray(squares / np.maximum(count, 1) + SIDE_NOISE**2)


def _normal(squares: Floats, count: Ints | int) -> Floats:
    """Log-likelihoods of so many values whose squared deviations add up to ``squares``."""
    variance = _variance(squares, count)
    return np.asarray(-(count * np.log(2 * np.pi * variance) + squares / variance) / 2)


def _components(alike: Bools) -> Ints:
    """The first node of the connected component of each node of a graph, by its matrix."""
    linked = alike | np.eye(len(alike), dtype=np.bool_)
    for _ in range(len(alike).bit_length()):
        linked = linked.astype(np.float32) @ linked > 0  # paths of twice the length
    return np.asarray(linked.argmax(axis=1), np.int64)


def _colours(photo: Photo, board: OnSheet) -> tuple[Floats, Floats]:
    """The colour of each cell near its sides and in its corners, ``float64 (rows, cols, 2, 3)``, CIELAB, and those of
    the page round the board that are in the picture, ``float64 (N, 3)``.
    """
    placement = regrown(board, (1, 1, 1, 1))
    side = flat_side(placement, FLAT_PX)
    cells = cut_into_cells(flatten(photo, placement, side), side)
    rows, cols = cells.shape[:2]
    first, last = (round(part * side) for part in RING)
    ring = np.zeros((side, side), bool)
    ring[first : side - first, first : side - first] = True
    ring[last : side - last, last : side - last] = False
    pixels = cells[:, :, ring].transpose(2, 0, 1, 3).reshape(-1, rows * cols, 3)
    near = np.asarray(medians(pixels), np.uint8).reshape(rows, cols, 3)
    colours = np.stack([lab(near), lab(corners(cells))], axis=2).astype(np.float64)
    low, high = slice(first, last), slice(side - last, side - first)
    beside = (cells[0, 1:-1, high], cells[1:-1, -1, :, low], cells[-1, 1:-1, low], cells[1:-1, 0, :, high])
    strips = [part for part, depth in zip(beside, margins(photo, board).values(), strict=True) if depth > RING[1]]
    page = [lab(medians(part.reshape(len(part), -1, 3), axis=1).astype(np.uint8)) for part in strips]
    return colours[1:-1, 1:-1], np.concatenate([np.empty((0, 3)), *page])
