"""What a first division of a ball board shows of balls and pits besides their colours, as evidence for a second one.

Makers differ: printers draw outlines round balls and none round pits, balls of toys throw shadows, programs draw pits
smaller or as rings and write letters on balls, lamps light balls on the one side and pits on the other. What of this
holds here is learned from the cells that are certainly balls, and from the pits where there are any. A full board has
none: then a cell that lacks what all others have may still be a pit, but nothing shows that it is a ball.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solvers.ball_trays import EMPTY
from vision.balls.features import LARGEST_PIECE, SMALLEST_PIECE, Features
from vision.balls.pits import LEAST_SPREAD
from vision.pictures.medians import median, medians, percentile

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

HALF_WAY = 0.5
"""Place between what a pit (0) and what a ball (1) has from which a cell is like the one or the other; there nothing is
told."""

COLOURED = 18.0
"""Distance of hues from that of the pits, which are of one material, from which something is certainly none of them."""

PITS = 0.4
"""What most balls of a piece of such a hue may have at least, of what balls have, where that tells anything."""

PRESUMED = 1.5
"""How many times clearer belts must be where it is only presumed what those of pits are like."""

FAR_OFF = 4.0
"""Spreads by which balls and pits must differ."""

SUREST = 3.0
"""Strength above which nothing gets any surer."""

LIGHT_FLOOR = 5.0
"""Added to lightness before marks and shading are compared to it: on black cells they are noise."""

INK_SPREAD = 0.01
"""Least spread of marks about what is usual for their letter, in the lightness of what they stand on: letters make
marks of 0.09 to 0.25 of it."""

LEAST_INK = 0.05
"""Mark that the faintest letters make, at least; the middle of a shaded ball is lighter than the ring round it."""

RING_SPREAD = 0.4
"""Least spread of outlines, in weighted lightness: where there is none, 0.0 to 0.3 is seen."""

FAINTEST = 10
"""Percentile of what is seen on balls that is the faintest, or the most like pits: what some lack tells nothing."""

STYLE_SPREAD = 0.04
"""Least spread of the balls' shading, of their lightness."""

CONSTANT_WEIGHT = 3.0
"""Weight of one more ball without any lightness, which holds the constant part of the shading to nothing."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """What one difference between balls and pits says of each cell.

    Attributes:
        like_ball: ``float64 (cells,)``, 0 for what pits have to 1 for what balls have, not clipped.
        strength: how many times their spread the two are apart, in units of what is needed; below 1 it is not decisive.
    """

    like_ball: Floats
    strength: float = 0.0

    @property
    def decisive(self) -> bool:
        """Whether balls and pits differ in this."""
        return self.strength > 1

    @property
    def pitlike(self) -> Floats:
        """From below 0 for cells that have what balls have to above 0 for such as have what pits have.

        0 where nothing is told, 1 where just enough is, and up to ``SUREST``.
        """
        return np.asarray(np.clip(1 - 2 * self.like_ball, -1, 1) * self.decisive * min(self.strength, SUREST))


def pitlike(rows: str, features: Features) -> Floats:
    """How each cell looks, colours apart, if ``rows``, a letter for each, is right but for a few: ``float64 (cells,)``.

    Below 0 for cells that are like the balls here to above 0 for such as are not, in their shading, edges and marks; 1
    each way where one of these just tells them apart, and more where it is surer. All 0 where nothing is learned.
    """
    return np.asarray(shaded_like_pits(rows, features) + strongest(rows, features).pitlike)


def strongest(rows: str, features: Features) -> Evidence:
    """What parts balls from pits most, if ``rows``, a letter for each cell, is right but for a few cells."""
    if _balls(rows).sum() < SMALLEST_PIECE:
        return _indecisive(rows)
    kinds = belts(rows, features), marks(rows, features), rings(rows, features)
    kept = [one for one in kinds if one.decisive and not _contradicted(one, rows, features)]
    return max(kept, key=lambda one: one.strength, default=_indecisive(rows))


def _contradicted(evidence: Evidence, rows: str, features: Features) -> bool:
    """Whether a piece that is none of the pits, for it has another hue, has what pits have."""
    group = np.array(list(rows))
    bare = [medians(features.colours[group == EMPTY, 1:])]
    if EMPTY not in rows:  # pits that were not seen have their tray's hue or none
        bare = [medians(features.gaps[:, 1:]), np.zeros(2)]
    for letter in set(rows) - {EMPTY}:
        hue = medians(features.colours[group == letter, 1:])
        other = min(np.linalg.norm(hue - own) for own in bare) > COLOURED
        if other and median(evidence.like_ball[group == letter]) < PITS:
            return True
    return False


def belts(rows: str, features: Features) -> Evidence:
    """What the belts say, where cells end: see :class:`vision.balls.features.Features`.

    A disc covers part of the belt; its outline or shadow takes away some of the tray's light, whatever the disc's
    colour. The hues of the balls tell how much of it is the disc, so that a few pieces are enough.
    """
    is_ball = _balls(rows)
    step, belt, black = features.colours - features.gaps, features.belts - features.gaps, -features.gaps
    terms = np.stack([step, black], axis=2)
    known = terms[is_ball].reshape(-1, 2)
    cover, dark = _robust_fit(known, belt[is_ball].reshape(-1, 1), 1e-6)[0][:, 0]
    ball, light = terms[:, 0] @ (cover, dark), step[:, 0]
    spread = max(LEAST_SPREAD, _spread((belt[:, 0] - ball)[is_ball]))
    bare = ~is_ball
    is_full = bare.sum() < SMALLEST_PIECE
    if not is_full:
        contrast = np.where(np.abs(light) < LEAST_SPREAD, np.copysign(LEAST_SPREAD, light), light)
        pit = light * median((belt[:, 0] / contrast)[bare])
        spread = max(spread, _spread((belt[:, 0] - pit)[bare]))
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
    like_ball = np.where(clear, (belt[:, 0] - pit) / np.where(clear, apart, 1.0), HALF_WAY)
    if is_full:
        like_ball = np.minimum(HALF_WAY, like_ball)  # where no pits are, it cannot be known that something is a ball
    return Evidence(like_ball, strength)


def marks(rows: str, features: Features) -> Evidence:
    """What the marks in the middle of cells say: letters on balls."""
    is_ball = _balls(rows)
    light = features.colours[:, 0] + LIGHT_FLOOR
    ink = features.marks / light
    group = np.array(list(rows))
    usual = {letter: median(ink[group == letter]) for letter in set(rows)}
    off = ink - np.array([usual[letter] for letter in rows])
    pit = usual[EMPTY] if (~is_ball).sum() >= SMALLEST_PIECE else 0.0
    # Letters have more or less ink; the faintest ones are what pits must be told from.
    faintest = percentile(ink[is_ball], FAINTEST)
    if (~is_ball).sum() <= LARGEST_PIECE and pit > HALF_WAY * faintest:
        # Nobody writes on pits: these are a piece that was taken for some.
        pit = 0.0
    apart = faintest - pit
    if apart <= 0 or faintest < LEAST_INK:
        return _indecisive(rows)
    # Ink is not seen on black.
    visibility = np.clip(apart * light / (FAR_OFF * _spread(off * light)), 0, 1)
    like_ball = 0.5 + visibility * ((ink - pit) / apart - 0.5)
    # Nobody writes on pits: letters tell balls though no pit was seen.
    return Evidence(like_ball, apart / (FAR_OFF * max(INK_SPREAD, _spread(off))))


def rings(rows: str, features: Features) -> Evidence:
    """What outlines say that pits have and balls have not: programs draw empty pits as rings."""
    is_ball = _balls(rows)
    if (~is_ball).sum() < SMALLEST_PIECE:
        return _indecisive(rows)
    outline = features.shading[:, 3]
    ball, pit = percentile(outline[is_ball], FAINTEST), median(outline[~is_ball])
    if pit >= ball:
        return _indecisive(rows)
    spread = max(RING_SPREAD, _spread(outline[~is_ball] - pit))
    return Evidence((outline - pit) / (ball - pit), (ball - pit) / (FAR_OFF * spread))


def _balls(rows: str) -> Bools:
    """Which cells are balls."""
    return np.array([letter != EMPTY for letter in rows])


def _indecisive(rows: str) -> Evidence:
    return Evidence(np.full(len(rows), HALF_WAY))


def _robust_fit(terms: Floats, values: Floats, least: float) -> tuple[Floats, Floats]:
    """The least-squares solutions ``(terms, M)`` of ``terms @ solution = values``, column by column, and how far off
    values are.

    A few cells may be no balls: what is farther off than most, and than ``least``, counts less.
    """
    weights = np.ones(values.shape)
    for _ in range(5):
        each = zip(values.T, weights.T, strict=True)
        solution = np.column_stack([np.linalg.lstsq(terms * w[:, None], v * w, rcond=None)[0] for v, w in each])
        off = np.abs(values - terms @ solution)
        weights = 1 / np.maximum(1, off / np.maximum(least, 1.5 * medians(off)))
    return solution, off


def _reach(known: Floats, asked: Floats) -> float:
    """How many times its spread a fitted line may be off at ``asked``, ``(2,)``: dark balls tell little of white ones.

    The standard error of a prediction, with the spread itself in it; ``known`` are the terms ``(N, 2)`` it comes from.
    """
    spread_of_terms = known.T @ known + 1e-6 * np.eye(len(asked))
    return float(np.sqrt(1 + asked @ np.linalg.inv(spread_of_terms) @ asked))


def _spread(off: Floats) -> float:
    """Robust standard deviation of what is seen about what is expected; above 0."""
    return max(1e-6, 1.5 * median(np.abs(off)))


def shaded_like_pits(rows: str, features: Features) -> Floats:
    """What the shading of cells says; see :func:`pitlike`."""
    is_ball = _balls(rows)
    if is_ball.sum() < LARGEST_PIECE:
        return np.zeros(len(features.shading))
    expected, spread = _usual_shading(features, is_ball)
    off = (features.shading - expected) / spread
    if (~is_ball).sum() < LARGEST_PIECE:
        strange = np.clip((np.linalg.norm(off, axis=1) - FAR_OFF) / (FAR_OFF / 2), 0, 1)
        if (strange > 0).sum() > 2 * LARGEST_PIECE:
            # A few cells unlike all others may be pits; many are the picture's way of drawing balls.
            return np.zeros(len(strange))
        return np.asarray(strange - _raised(expected / spread, off))
    pit = medians(off[~is_ball])
    width = float(np.linalg.norm(pit))
    if width < FAR_OFF:
        return -_raised(expected / spread, off)
    return np.asarray(np.clip(2 * (off @ pit) / width**2 - 1, -1, 1))


def _raised(expected: Floats, off: Floats) -> Floats:
    """How much cells say for themselves that are shaded like the balls, though no pits are known that are not.

    Where a plain surface would be shaded otherwise, looking like the balls says something; pits may, too.
    """
    shaded = np.clip(np.linalg.norm(expected, axis=1) / FAR_OFF - 1, 0, 1)
    alike = np.clip(2 - 2 * np.linalg.norm(off, axis=1) / FAR_OFF, 0, 1)
    return np.asarray(shaded * alike)


def _usual_shading(features: Features, is_ball: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """How each cell would be shaded if it were a ball, ``(cells, 4)``, and by how much balls differ from that.

    What falls on a surface is thrown back in proportion to its lightness; a printed outline is black whatever it is
    round, so it stands out by the lightness less a constant.
    """
    light = features.colours[:, 0] + LIGHT_FLOOR
    terms = np.column_stack([light, np.full_like(light, LIGHT_FLOOR)])
    # The constant is held to be nothing unless the balls say otherwise.
    known = np.vstack([terms[is_ball], (0, CONSTANT_WEIGHT * LIGHT_FLOOR)])
    shading = np.vstack([features.shading[is_ball], np.zeros(features.shading.shape[1])])
    expected, off = _robust_fit(known, shading, STYLE_SPREAD * median(light))
    spread = np.maximum(1.5 * medians(off[:-1]), STYLE_SPREAD * light[:, None])
    return np.asarray(terms @ expected), np.asarray(spread)
