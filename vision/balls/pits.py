"""What empty pits of a ball board may look like: every frequent look is tried, and some are likelier than others.

Pits and trays are of one material, but light falls differently into a pit; printed pits are black, white or grey. What
is alike in more cells than any piece has is certainly empty.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from solvers.ball_trays import Tray
from vision.balls.features import BLACK_LIGHT, LARGEST_PIECE, Features, weighted_bgr, weighted_lab
from vision.pictures.medians import median, medians

Floats = npt.NDArray[np.float64]

SPREAD = 4.5
"""Standard deviation of the cells of one piece about their colour, in CIELAB steps: shading and noise on photos."""

LEAST_SPREAD = 1.0
"""Least standard deviation of cells about what is expected of them: drawn ones are alike to 0.1 to 0.7."""

SURELY_NEAR = 2.0
"""How far off a cell may always be to be counted among them."""

FAR_EMPTY = 3.0
"""How far off the look of empty cells a cell may be to be counted among them, in the median of theirs."""

OUTLIER = 14.0
"""Most that a single cell can cost: a highlight or a finger may spoil one cell altogether."""

STRANGE = 5.0
"""Cost above which an empty cell looks strange: one in some dozens does so by chance, three that touch do not."""

SAME_COLOUR = 9.0
"""Distance below which two colours look like one piece: white and pale pink balls are 12 apart."""

DARK = 20.0
"""Weighted lightness of a pit in shadow (a third of white's): no set has black balls."""

BLACK = 9.0
"""Weighted lightness of what is black on any tray."""

BLACK_BESIDE = 0.25
"""The same in that of the tray beside it: haze and light on the lens lighten black. No set has darker balls than one of
half the tray's that have no hue."""

BLACK_TRAY = 12.0
"""Distance from the colour of a tray within which a dark cell is a pit of it; grey balls in the shade are farther."""

NEUTRAL = 6.0
"""Cost of holding a few flat cells without a hue of their own for empty: makers print pits black, white and grey, and
mould them of the tray's stuff, into which less light falls."""

PRINTED = 1.2
"""Relief up to which cells may be printed; in photos of prints it is 0.4 to 1.0, on balls 2 (overexposed) to 20."""

GREYISH = 10.0
"""Strength of a hue (CIELAB chroma) from which a piece has one; pale pink balls have 15."""

ODD = 20.0
"""Cost of holding a colour that is neither the tray's nor dark for that of the empty cells, and of holding the tray's
own colour or black for that of a piece."""

TRAY_LIKE = 6.0
"""Distance from the tray's colour at which a cell is certainly no plain piece of tray: pits and trays are of one
material, but light falls differently into a pit."""

SLOPED = 9
"""Empty cells from which a slope of light is fitted: three times as many as it has numbers, or it would explain
anything."""

EXPLAINED = 0.8
"""Part of the cells that look alike which an even light must explain, or a slope is fitted: among the others may be a
piece, or shadows."""

DARKNESS: Floats = BLACK_LIGHT * np.eye(7)[0]
"""The look that all looks fade to as light fades."""

MOST_CANDIDATES = 13
"""Looks tried as that of the empty cells: those of twelve pieces and their own."""


@dataclass(frozen=True, eq=False)
class Empty:
    """What empty cells look like.

    Attributes:
        colours: ``float64 (cells, 7)``, the signature that an empty cell would have at each place.
        spread: standard deviation about it.
    """

    colours: Floats
    spread: float


@dataclass(frozen=True, eq=False)
class Candidate:
    """A candidate for what empty cells look like.

    Attributes:
        empty: their look; None where no cell is empty.
        cost: of the assumption.
        spared: what it would cost more if the cells had a hue.
    """

    empty: Empty | None
    cost: float = 0.0
    spared: float = 0.0


def empty_candidates(features: Features, tray: Tray) -> list[Candidate]:
    """What empty cells may look like, the most frequent appearance first."""
    colours = features.signature
    tray_colour = medians(features.gaps)
    left = np.ones(len(colours), bool)
    found: list[Candidate] = []
    apart = np.linalg.norm(colours[:, None] - colours[None], axis=2) < SAME_COLOUR
    while left.any() and len(found) < MOST_CANDIDATES:
        counts = (apart & left).sum(axis=1) * left
        members = apart[int(np.argmax(counts))] & left
        empty = _lit(features, members, tray)
        left &= ~members & (np.linalg.norm(colours - empty.colours, axis=1) > SAME_COLOUR)
        middle = medians(colours[members])
        flat = float(flatness(features.relief[members]))
        # More cells of one look than any piece has are empty, or pieces that light made alike.
        may_be_piece = float(np.clip(2 - members.sum() / LARGEST_PIECE, 0, 1))
        odd = may_be_piece * float(unlike_tray(middle[:3], tray_colour))
        spared = odd * (ODD - NEUTRAL) * float(plainness(middle[:3], tray_colour, flat))
        found.append(Candidate(empty, odd * ODD - spared, spared))
    found.insert(1, Candidate(None))
    return found


def _lit(features: Features, members: npt.NDArray[np.bool_], tray: Tray) -> Empty:
    """The look of empty cells all over the board, from those that are alike: light is not the same everywhere.

    The light on a pit is that on the tray beside it, where that can be seen. So the fewest numbers that explain the
    cells are fitted, or else a slope would explain a piece in a corner as well.
    """
    signature = features.signature
    x, y = (np.array([tray.point(cell) for cell in tray.cells], np.float64) / max(tray.widths) - 0.5).T
    terms = np.column_stack([np.ones_like(x), x, y])
    if members.sum() < SLOPED:
        # Drawn pits are all alike: a white piece must not be one of a few white pits.
        alike = np.broadcast_to(medians(signature[members]), signature.shape)
        members = members & _near(signature, alike, members)
    many = int(members.sum())
    for order in (1, 3) if many >= SLOPED else (1,):
        # The shading may turn where the colour does not: where a page bends, pits lie beside their places.
        orders = (order, order, 3 if many >= SLOPED else 1)
        fits = [
            _fitted(signature - more, members, [gain * terms[:, :used] for used in orders], more)
            for gain, more in _lights_on(features, members)
        ]
        fitted, near = min(fits, key=lambda fit: float((_off(signature, fit[0])[members] ** 2).mean()))
        if (_off(signature, fitted)[members] < SURELY_NEAR).mean() > EXPLAINED:
            break
    off = np.linalg.norm((signature - fitted)[near], axis=1)
    return Empty(fitted, float(np.clip(median(off), LEAST_SPREAD, 2 * SPREAD)))


def _lights_on(features: Features, members: npt.NDArray[np.bool_]) -> list[tuple[Floats, Floats]]:
    """What may fall on each cell: by how much its look grows, ``(cells, 1)``, and what is added, ``(cells, 7)``.

    A shadow takes a part of the light, a lamp that is mirrored adds to it, on the tray as on its pits. Where balls hide
    the tray or stripes run over it, it tells nothing: then the light is as even as can be.
    """
    dark, light = np.broadcast_to(DARKNESS, features.signature.shape), features.gaps[:, :1] - DARKNESS[0]
    none, mirrored = np.zeros((2, *features.signature.shape))
    mirrored[:, :3] = beside_tray(features, members)
    even = np.ones_like(light)
    return [(light / median(light), dark), (even, mirrored), (even, none)]


def beside_tray(features: Features, pits: npt.NDArray[np.generic]) -> Floats:
    """The colours ``(cells, 3)`` of pits of one paint where the light is that on the tray beside each.

    A shadow takes the same part from a pit and from its tray, a lamp that is mirrored adds the same to both, in red, in
    green and in blue. How much of the unevenness is shadow is the one thing fitted besides the paint, so that no
    piece's colour is taken for light. Which cells are ``pits`` is told by a mask or by their numbers.
    """
    tray, observed = weighted_bgr(features.gaps), weighted_bgr(features.colours[pits])
    middle, paint = medians(tray[pits]), medians(observed)
    step, own = tray - middle, paint / np.maximum(1.0, middle) - 1
    shadowed = step[pits] * own
    share = float(((observed - paint - step[pits]) * shadowed).sum() / max(1e-6, float((shadowed**2).sum())))
    slope = 1 + np.clip(share, 0, 1) * own
    expected = slope * step + medians(observed - slope * step[pits])
    return np.asarray(weighted_lab(np.rint(np.clip(expected, 0, 255)).astype(np.uint8)), np.float64)


def _fitted(
    observed: Floats, members: npt.NDArray[np.bool_], fields: Sequence[Floats], more: Floats
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """How empty cells look in a light, ``(cells, 7)``, and which of the cells are among them.

    It is learned from ``members``: their lightness, hues and shading, less what is added, are made of one of the
    ``fields`` each, ``(cells, terms)``.
    """
    parts = (slice(0, 1), slice(1, 3), slice(3, None))
    fitted = np.zeros_like(observed)
    for _ in range(4):
        for field, part in zip(fields, parts, strict=True):
            if field.shape[1] == 1:
                fitted[:, part] = field * medians(observed[members, part] / field[members])
            else:
                fitted[:, part] = field @ np.linalg.lstsq(field[members], observed[members, part], rcond=None)[0]
        closer = _near(observed, fitted, members)
        if not closer.any() or (closer == members).all():
            break
        members = closer
    return fitted + more, members


def _off(signature: Floats, fitted: Floats) -> Floats:
    """How far each cell is from a fitted look, as far as that counts."""
    return np.asarray(np.minimum(np.linalg.norm(signature - fitted, axis=1), SAME_COLOUR))


def _near(colours: Floats, fitted: Floats, members: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which cells are about as near to a fitted look as its members are."""
    off = np.linalg.norm(colours - fitted, axis=1)
    return np.asarray(off < np.clip(FAR_EMPTY * median(off[members]), SURELY_NEAR, SAME_COLOUR))


def bare_costs(features: Features, empty: Empty) -> Floats:
    """What each cell costs as an empty one, ``(cells,)``. How black a pit is under haze says nothing."""
    off = at_edges(features.signature - empty.colours, empty.colours, features.edges)
    off[are_black(features.colours, features.gaps) & are_black(empty.colours, features.gaps), 0] = 0
    return np.asarray(np.minimum((off**2).sum(axis=1) / empty.spread**2, OUTLIER))


def at_edges(off: Floats, expected: Floats, edges: Floats) -> Floats:
    """How far cells are from what is expected, ``(..., 7)``, in the light on them that brings them nearest to it.

    They are ``off`` as they are seen, from what is ``expected`` in the light of the tray beside each, and that on them
    may be another by the part ``edges``, ``(...)``.
    """
    if not edges.any():
        return off
    bright = expected - DARKNESS
    colour, shading = bright[..., :3], np.broadcast_to(bright[..., :1], off[..., 3:].shape)
    length = np.linalg.norm(colour, axis=-1, keepdims=True)
    most = edges[..., None] * length
    along = (off[..., :3] * colour).sum(axis=-1, keepdims=True) / length
    nearer = off[..., :3] - np.clip(along, -most, most) * colour / length
    # An edge that runs through a cell shades it by as much.
    step = edges[..., None] * shading
    return np.concatenate([nearer, off[..., 3:] - np.clip(off[..., 3:], -step, step)], axis=-1)


def are_black(colours: Floats, beside: Floats) -> npt.NDArray[np.bool_]:
    """Whether colours ``(..., 3 and more)`` are black beside those of a tray: no ball is."""
    black = colours[..., 0] < np.maximum(BLACK, BLACK_BESIDE * beside[..., 0])
    return np.asarray(black & (np.hypot(colours[..., 1], colours[..., 2]) < SAME_COLOUR))


def unlike_tray(colours: Floats, tray_colour: Floats) -> Floats:
    """How sure it is, 0..1, that colours ``(..., 3)`` are not those of pits."""
    apart = np.linalg.norm(colours - tray_colour, axis=-1) / TRAY_LIKE
    near = (colours[..., 0] < DARK) & (apart < BLACK_TRAY / TRAY_LIKE)
    near &= np.hypot(colours[..., 1], colours[..., 2]) < SAME_COLOUR
    return np.where(near | are_black(colours, tray_colour), 0.0, np.clip(apart, 0, 1))


def known_for_pits(candidate: Candidate, pitlike: Floats, features: Features) -> Candidate:
    """The candidate, made cheaper as far as cells that look so are ``pitlike``, -1..1, in other ways than by colour."""
    alike = np.zeros(len(pitlike), bool) if candidate.empty is None else bare_costs(features, candidate.empty) < OUTLIER
    if not alike.any():
        return candidate
    # Pits have no hue but their tray's, whatever they are shaped like.
    hue = medians(features.colours[alike, 1:]) - medians(features.gaps[:, 1:])
    unknown = 1 - float(np.clip(median(pitlike[alike]), 0, 1) * np.clip(2 - np.linalg.norm(hue) / GREYISH, 0, 1))
    return replace(candidate, cost=unknown * candidate.cost, spared=unknown * candidate.spared)


def plainness(colours: Floats, tray_colour: Floats, flat: npt.ArrayLike) -> Floats:
    """How sure it is, 0..1, that colours ``(..., 3)`` may be those of pits: the tray's, in another light, or printed.

    Printed are things without a hue, as far as they are ``flat``, 0..1; what is dark may be a pit however round it is.
    """
    shades = colours @ tray_colour / max(1e-6, float(tray_colour @ tray_colour))
    round_and_light = (1 - np.asarray(flat)) * (colours[..., 0] > DARK)
    no_hue = np.hypot(colours[..., 1], colours[..., 2]) / GREYISH + round_and_light
    of_tray = np.linalg.norm(colours - shades[..., None] * tray_colour, axis=-1) / TRAY_LIKE
    return np.asarray(np.clip(2 - 2 * np.minimum(no_hue, of_tray), 0, 1))


def flatness(relief: Floats) -> Floats:
    """How sure it is, 0..1, that cells of such a relief, ``(..., N)``, are printed and no balls."""
    return np.asarray(np.clip(2 - medians(relief, axis=-1) / PRINTED, 0, 1))
