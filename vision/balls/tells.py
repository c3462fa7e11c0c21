"""What tells balls from pits besides their colours: their edges, and the marks that they carry.

Printers draw outlines round balls and none round pits, balls of toys throw shadows, programs draw pits smaller or as
rings and write letters on balls. What of this holds here is learned from the cells that are certainly balls, and from
the pits where there are any. A full board has none: then a cell that lacks what all others have may still be told for a
pit, but none can be told for a ball.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import numpy.typing as npt

from solvers.ball_trays import EMPTY, Tray
from vision.balls.looks import CORE_MASK, RING_MASK, SIDE_PX, Looks, in_cells, lattice_placement, neighbours
from vision.balls.pits import LARGEST_PIECE
from vision.numbers.digits import numbers_among, turns_at_a_glance
from vision.pictures.flatten import flatten
from vision.pictures.lab import lab
from vision.pictures.medians import median, medians, percentile, percentiles
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

FEW_BALLS = 12
"""Balls that are looked at in case they are numbers: on tiles as many may seem to make pieces."""

FEW_GLANCED = 7
"""Cells that are looked at in case nothing but numbers stands on them, the plainest."""

NUMBERED, ENOUGH = 0.7, 5
"""Part of the balls that look like numbers where they are numbers, and how many are enough: bare tiles may be taken for
balls beside them. A third of the balls on a board under stripes of light do."""

SAME = 0.7
"""Correlation of what two balls carry from which it is the same letter: 0.85 to 0.97 on photos, 0.4 where it is not."""

SURELY_A_NUMBER = 0.85
"""How much like a number what stands on a ball must look, some way up: numbers on tiles have 0.98 and more, the letter
K on its side 0.6 to 0.9."""

MARKED, STROKES = 12.0, 95
"""How far from its own usual colour the strokes on a pit are, in CIELAB steps beyond what is usual among the pits, from
which it may carry a number, be that as light as the pit: those on tiles 23 and more, glare and shade 6. And the
percentile of a pit's pixels that is its strokes."""

UNTOLD = 0.5
"""Half-way between what pits and what balls have: nothing is told."""

OTHER_HUE, PITS = 18.0, 0.4
"""Distance of a piece's hue from the pits' from which it is certainly none of them, and what most of its balls may have
at least, of what balls have, where that tells anything."""

PRESUMED = 1.5
"""How many times clearer belts must be where it is only presumed what those of pits are like."""

LEAST_SEEN = 3
"""Balls, and pits, from which it is learned how they look: those of the smallest piece."""

FAR_OFF = 4.0
"""Spreads by which balls and pits must differ."""

SUREST = 3.0
"""Strength above which nothing gets any surer."""

LEAST_SPREAD = 1.0
"""Least spread of belts about what is expected of them, in weighted lightness: that of drawn ones after a JPEG is 0.1
to 0.7."""

NO_LIGHT = 1.0
"""Difference in weighted lightness of a cell and its tray below which a belt is simply as light as either."""

LIGHT_FLOOR = 5.0
"""Added to lightness before marks are compared to it: on black cells they are noise."""

INK_SPREAD = 0.01
"""Least spread of marks about what is usual for their letter, in the lightness of what they stand on: letters make
marks of 0.09 to 0.25 of it."""

HALF_AS_MUCH = 0.5
"""Mark on a few cells taken for pits, of that of the faintest letters, from which they carry letters as well."""

LEAST_INK = 0.05
"""Mark that the faintest letters make, at least; the middle of a shaded ball is lighter than the ring round it."""

RING_SPREAD = 0.4
"""Least spread of outlines, in weighted lightness: where there is none, 0.0 to 0.3 is seen."""

FAINTEST = 10
"""Percentile of what is seen on balls that is the faintest, or the most like pits: what some lack tells nothing."""


@dataclass(frozen=True, eq=False)
class Tell:
    """What one of the differences says.

    Attributes:
        like_ball: ``float64 (cells,)``, 0 for what pits have to 1 for what balls have, not clipped.
        strength: how many times their spread the two are apart, in units of what is needed; below 1 it tells nothing.
    """

    like_ball: Floats
    strength: float = 0.0

    @property
    def telling(self) -> bool:
        """Whether balls and pits differ in this."""
        return self.strength > 1

    @property
    def pitlike(self) -> Floats:
        """From below 0 for cells that have what balls have to above 0 for such as have what pits have.

        0 where nothing is told, 1 where just enough is, and up to ``SUREST``.
        """
        return np.asarray(np.clip(1 - 2 * self.like_ball, -1, 1) * self.telling * min(self.strength, SUREST))


def told(rows: str, looks: Looks) -> Tell:
    """What tells most, if ``rows``, a letter for each cell, is right but for a few cells."""
    tells = [tell for tell in (belts(rows, looks), marks(rows, looks), rings(rows, looks)) if tell.telling]
    held = [tell for tell in tells if not _belied(tell, rows, looks)]
    return max(held, key=lambda tell: tell.strength, default=_nothing(rows))


def _belied(tell: Tell, rows: str, looks: Looks) -> bool:
    """Whether a piece that is none of the pits, for it has another hue, has what pits have: then it tells nothing."""
    group = np.array(list(rows))
    # Pits that were not seen have their tray's hue or none.
    bare = [medians(looks.colours[group == EMPTY, 1:])] if EMPTY in rows else [medians(looks.gaps[:, 1:]), np.zeros(2)]
    for letter in set(rows) - {EMPTY}:
        hue = medians(looks.colours[group == letter, 1:])
        other = min(np.linalg.norm(hue - own) for own in bare) > OTHER_HUE
        if other and median(tell.like_ball[group == letter]) < PITS:
            return True
    return False


def belts(rows: str, looks: Looks) -> Tell:
    """What the belts say, where cells end: see :class:`vision.balls.looks.Looks`.

    A disc covers part of the belt; its outline or shadow takes away some of the tray's light, whatever the disc's
    colour. The hues of the balls tell how much of it is the disc, so that a few pieces are enough.
    """
    is_ball = _balls(rows)
    if is_ball is None:
        return _nothing(rows)
    step, seen, black = looks.colours - looks.gaps, looks.belts - looks.gaps, -looks.gaps
    terms = np.stack([step, black], axis=2)
    known = terms[is_ball].reshape(-1, 2)
    cover, dark = _robust_fit(known, seen[is_ball].ravel())
    ball, light = terms[:, 0] @ (cover, dark), step[:, 0]
    spread = max(LEAST_SPREAD, _spread((seen[:, 0] - ball)[is_ball]))
    bare = ~is_ball
    if bare.sum() >= LEAST_SEEN:
        contrast = np.where(np.abs(light) < NO_LIGHT, np.copysign(NO_LIGHT, light), light)
        pit = light * median((seen[:, 0] / contrast)[bare])
        spread = max(spread, _spread((seen[:, 0] - pit)[bare]))
        asked = medians(terms[bare, 0])
    else:
        # Pits that were not seen have neither outlines nor shadows, presumably.
        spread *= PRESUMED
        pit = light * (cover + max(0.0, dark))
        asked = medians(terms[:, 0])
        bare = np.ones_like(bare)
    apart = ball - pit
    usual = median(apart[bare])
    strength = abs(usual) / (FAR_OFF * spread * _reach(known, asked))
    # Balls lighter than the tray lighten a belt that darker pits would darken; those of its own colour do neither.
    clear = (apart * usual > 0) | (np.abs(apart) > abs(usual))
    like_ball = np.where(clear, (seen[:, 0] - pit) / np.where(clear, apart, 1.0), UNTOLD)
    return _one_sided(Tell(like_ball, strength), is_ball)


def marks(rows: str, looks: Looks) -> Tell:
    """What the marks in the middle of cells say: letters on balls."""
    is_ball = _balls(rows)
    if is_ball is None:
        return _nothing(rows)
    light = looks.colours[:, 0] + LIGHT_FLOOR
    ink = looks.marks / light
    group = np.array(list(rows))
    usual = {letter: median(ink[group == letter]) for letter in set(rows)}
    off = ink - np.array([usual[letter] for letter in rows])
    pit = usual[EMPTY] if (~is_ball).sum() >= LEAST_SEEN else 0.0
    # Letters have more or less ink; the faintest ones are what pits must be told from.
    faintest = percentile(ink[is_ball], FAINTEST)
    if (~is_ball).sum() <= LARGEST_PIECE and pit > HALF_AS_MUCH * faintest:
        # Nobody writes on pits: these are a piece that was taken for some.
        pit = 0.0
    apart = faintest - pit
    if apart <= 0 or faintest < LEAST_INK:
        return _nothing(rows)
    # Ink is not seen on black.
    seen = np.clip(apart * light / (FAR_OFF * _spread(off * light)), 0, 1)
    like_ball = 0.5 + seen * ((ink - pit) / apart - 0.5)
    # Nobody writes on pits: letters tell balls though no pit was seen.
    return Tell(like_ball, apart / (FAR_OFF * max(INK_SPREAD, _spread(off))))


def rings(rows: str, looks: Looks) -> Tell:
    """What outlines say that pits have and balls have not: programs draw empty pits as rings."""
    is_ball = _balls(rows)
    if is_ball is None or (~is_ball).sum() < LEAST_SEEN:
        return _nothing(rows)
    outline = looks.shading[:, 3]
    ball, pit = percentile(outline[is_ball], FAINTEST), median(outline[~is_ball])
    if pit >= ball:
        return _nothing(rows)
    spread = max(RING_SPREAD, _spread(outline[~is_ball] - pit))
    return Tell((outline - pit) / (ball - pit), (ball - pit) / (FAR_OFF * spread))


def _balls(rows: str) -> Bools | None:
    """Which cells are balls; None where they are too few."""
    is_ball = np.array([letter != EMPTY for letter in rows])
    return is_ball if is_ball.sum() >= LEAST_SEEN else None


def _nothing(rows: str) -> Tell:
    return Tell(np.full(len(rows), UNTOLD))


def _one_sided(tell: Tell, is_ball: Bools) -> Tell:
    """What is told, less what cannot be told without pits: that something is a ball."""
    if (~is_ball).sum() >= LEAST_SEEN:
        return tell
    return Tell(np.minimum(0.5, tell.like_ball), tell.strength)


def _robust_fit(terms: Floats, values: Floats) -> tuple[float, float]:
    """The least-squares solution in which what is far off counts less: a few cells may be no balls."""
    weights = np.ones(len(values))
    for _ in range(5):
        (first, second), *_ = np.linalg.lstsq(terms * weights[:, None], values * weights, rcond=None)
        off = np.abs(values - terms @ (first, second))
        weights = 1 / np.sqrt(np.maximum(1, off / max(1e-6, 3 * median(off))))
    return float(first), float(second)


def _reach(known: Floats, asked: Floats) -> float:
    """How many times its spread a fitted line may be off at ``asked``, ``(2,)``: dark balls tell little of white ones.

    The standard error of a prediction, with the spread itself in it; ``known`` are the terms ``(N, 2)`` it comes from.
    """
    spread_of_terms = known.T @ known + 1e-6 * np.eye(len(asked))
    return float(np.sqrt(1 + asked @ np.linalg.inv(spread_of_terms) @ asked))


def _spread(off: Floats) -> float:
    """Robust standard deviation of what is seen about what is expected; above 0."""
    return max(1e-6, 1.5 * median(np.abs(off)))


def are_plainly_numbers(photo: Photo, placement: FlatPlacement, tray: Tray) -> bool:
    """Whether marks stand on single cells here and there, and most are numbers: asked before any balls are divided into
    pieces, which takes longest where there are none.

    A letter or a glint on a ball is on all balls of its piece.
    """
    cells = in_cells(flatten(photo, lattice_placement(placement, tray), SIDE_PX), tray)
    apart = _strokes(cells)
    marked = np.flatnonzero(apart >= MARKED)
    if len(marked) < ENOUGH:
        return False
    inside = _carried(cells)
    piece = np.arange(len(cells))
    for one, other in neighbours(tray):
        if min(apart[one], apart[other]) >= MARKED and inside[one] @ inside[other] > SAME:
            piece[piece == piece[one]] = piece[other]
    lone = [k for k in marked if (piece == piece[k]).sum() < LEAST_SEEN]
    if len(lone) < ENOUGH:
        return False
    plainest = sorted(lone, key=lambda k: -apart[k])[:FEW_GLANCED]
    patches = [np.ascontiguousarray(cells[k]) for k in plainest]
    return numbers_among(patches, turns_at_a_glance(patches), SURELY_A_NUMBER) >= NUMBERED * len(patches)


def are_numbers(rows: Sequence[str], looks: Looks, tray: Tray) -> bool:
    """Whether the few balls of a board are numbers, some way up, or several of its pits carry some: tiles make a
    lattice of round things as well. In the pits of an empty tray nothing stands at all, be it a number or not.
    """
    balls = [k for k, letter in enumerate(rows) if letter != EMPTY]
    least = min(len(balls) - 1, ceil(NUMBERED * len(balls)), ENOUGH)  # a digit may be worn or shaded
    if 0 < len(balls) <= FEW_BALLS:
        alike = _alike(rows, looks, tray)
        balls = [k for k in balls if rows[k] not in alike]
        if len(balls) >= least and _are_numbered(balls, least, looks, tray):
            return True
    marked = _marked_pits(rows, looks, tray)
    return len(marked) >= ENOUGH and (set(rows) == {EMPTY} or _are_numbered(marked, ENOUGH, looks, tray))


def _are_numbered(numbers: Sequence[int], least: int, looks: Looks, tray: Tray) -> bool:
    """Whether so many of the cells with these numbers surely carry a number, some way up."""
    cells = in_cells(looks.flat, tray)
    patches = [np.ascontiguousarray(cells[k]) for k in numbers]
    return any(numbers_among(patches, turns, SURELY_A_NUMBER) >= least for turns in range(4))


def _alike(rows: Sequence[str], looks: Looks, tray: Tray) -> set[str]:
    """The pieces all of whose balls look the same: plain ones, and those with a letter, which may be like a digit."""
    inside = _carried(in_cells(looks.flat, tray))
    pieces = {letter: [k for k, other in enumerate(rows) if other == letter] for letter in set(rows) - {EMPTY}}
    return {
        letter for letter, cells in pieces.items() if len(cells) > 1 and (inside[cells] @ inside[cells].T).min() > SAME
    }


def _marked_pits(rows: Sequence[str], looks: Looks, tray: Tray) -> list[int]:
    """The pits that carry a mark that most have not, the plainest first, and not more than need be looked at."""
    pits = np.array([k for k, letter in enumerate(rows) if letter == EMPTY], dtype=np.intp)
    if len(pits) < ENOUGH:
        return []
    apart = _strokes(in_cells(looks.flat, tray)[pits])
    plainest = np.argsort(-apart, kind="stable")[:FEW_BALLS]
    return [int(pits[k]) for k in plainest if apart[k] >= MARKED]


def _strokes(cells: Picture) -> Floats:
    """How far from its own usual colour the strokes on each cell are, beyond what is usual among them, ``(cells,)``."""
    inside = lab(cells[:, RING_MASK | CORE_MASK])
    strokes = percentiles(np.linalg.norm(inside - medians(inside, axis=1)[:, None], axis=2), STROKES, axis=1)
    return np.asarray(strokes - median(strokes), np.float64)


def _carried(cells: Picture) -> Floats:
    """What each cell carries, ``(cells, pixels)``, the length of each 1: what is alike has a product of 1."""
    inside = cells.mean(axis=3)[:, RING_MASK | CORE_MASK]
    inside -= inside.mean(axis=1, keepdims=True)
    return np.asarray(inside / np.maximum(1e-6, np.linalg.norm(inside, axis=1, keepdims=True)), np.float64)
