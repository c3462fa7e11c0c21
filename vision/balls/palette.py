"""The colours that the makers give the pieces, for the two questions that shapes leave open.

A letter names a shape, and on most boards the shapes tell which set was used. Where only pieces lie that both sets
have, their colours tell. And a printed problem may give a piece by a single ball, which has no shape at all: then its
colour names the piece, if it names one clearly.

Only hues are compared (CIELAB's two colour axes): lightness is the photo's affair.
"""

from collections.abc import Collection
from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt

from solvers.ball_colours import COLOURS
from solvers.ball_trays import SETS
from vision.balls.features import weighted_bgr, weighted_lab
from vision.balls.pits import GREYISH, OUTLIER
from vision.pictures.medians import median, medians

Floats = npt.NDArray[np.float64]

NAMED = 28.0
"""Distance of hues up to which a ball may be of a piece: prints and photos bend colours by as much."""

CLEARLY = 1.7
"""How much farther the next piece's colour must be for a single ball to name its piece."""

USUAL_LAMP: Floats = np.array((1, 1, 0.95))
"""What usually comes of red, green and blue in a lamp or a wrong white balance: lamps are yellowish."""

LAMP_SPREAD = 0.11
"""By how much what comes of red and of blue differs."""

LAMPS: Floats = USUAL_LAMP + LAMP_SPREAD * np.array([(red, 0, blue) for red, blue in product(range(-2, 3), repeat=2)])
"""Lamps as far from the usual one as they are likely."""

PAINT = 18.0
"""Standard deviation of the paint of a piece from the maker's colour, in grey levels of each channel."""

FARTHEST_PAINT = 25.0
"""Squared deviations of a piece at which it is simply of another colour."""

LEAST_LIGHT, MOST_LIGHT = 0.2, 1.25
"""Least part of the light that is reckoned with, for what is darker shows no colour, and the most: in more of it all of
a picture is white."""

MANY = 6
"""Pieces from which it is seen whether they have the makers' colours."""

FITTING = 10.0
"""Least distance of hues that is expected of the pieces where they do."""

DIMMED = (0.6, 1.2)
"""Parts of its lightness that a piece may keep in a photo."""

DIM, SHADOWS = 0.12, 2.0
"""Least part of the light on the pieces by which it is expected to differ from one to another, and the same in what it
usually differs by."""

STRANGER = OUTLIER
"""Most that a piece without its hue costs among such as have theirs: a pocket of pits may have its shape."""


@cache
def makers(pieces: str) -> dict[str, Floats]:
    """The colours of a set's pieces by letter, ``(3,)`` each, weighted as in :mod:`vision.balls.features`."""
    bgr = np.array(list(COLOURS[pieces].values()), np.uint8)[:, ::-1]
    return dict(zip(COLOURS[pieces], weighted_lab(bgr).astype(np.float64), strict=True))


def light_on(colours: dict[str, Floats], pieces: str) -> tuple[float, Floats]:
    """The light on pieces of the makers' colours: its strength, and the hue ``(2,)`` that it adds to all of them.

    Less light makes all of a colour less, its hue, too; what is left is the lamp's.
    """
    own = makers(pieces)
    measured = np.array(list(colours.values()))
    known = np.array([own[letter] for letter in colours])
    gain = median(measured[:, 0] / known[:, 0])
    return gain, np.asarray(medians(measured[:, 1:] - gain * known[:, 1:]))


def strangeness(colours: dict[str, Floats], pieces: str) -> dict[str, float]:
    """What it costs, up to ``STRANGER``, that a piece has less hue than the set's while most have theirs.

    The same goes for white and grey pieces, which have no hue, and less light.

    Args:
        colours: of the pieces by letter, ``(3,)`` each; of a few nothing is said.
        pieces: the set.
    """
    if len(colours) < MANY:
        return dict.fromkeys(colours, 0.0)
    measured = np.array(list(colours.values()))
    own = np.array([makers(pieces)[letter] for letter in colours])
    # A piece in the dark has less of its hue, too.
    expected = np.clip(measured[:, :1] / own[:, :1], *DIMMED) * own[:, 1:]
    cast = medians(measured[:, 1:] - expected)
    usual = max(FITTING, 2 * median(np.linalg.norm(measured[:, 1:] - expected - cast, axis=1)))
    lacking = np.linalg.norm(expected, axis=1) - np.linalg.norm(measured[:, 1:] - cast, axis=1)
    lit = measured[:, 0] / own[:, 0]
    light = median(lit)
    dark = (light - lit) / max(DIM * light, SHADOWS * median(np.abs(lit - light)))
    costs = (np.maximum(lacking, 0) / usual) ** 2
    costs += np.maximum(dark, 0) ** 2 * (np.linalg.norm(own[:, 1:], axis=1) < GREYISH)
    return dict(zip(colours, np.clip(costs - 1, 0, STRANGER).tolist(), strict=True))


def set_distances(colours: dict[str, Floats]) -> dict[str, float]:
    """How far the colours of pieces by letter, ``(3,)`` each, are from those of each set, in squared deviations.

    The makers' colours are seen in the light that suits them best, a likely one: a lamp changes red and blue by the
    same part on all pieces [1]_, and how much light there is may differ from piece to piece.

    .. [1] G. D. Finlayson, S. D. Hordley, "Color constancy at a pixel", JOSA A 18(2), 2001.
    """
    if not colours:
        return dict.fromkeys(SETS, 0.0)
    measured = weighted_bgr(np.array(list(colours.values())))[:, ::-1]
    found = {}
    for pieces in SETS:
        lit = np.array([COLOURS[pieces][letter] for letter in colours], np.float64) * LAMPS[:, None]
        light = np.clip((lit * measured).sum(axis=2) / np.maximum(1, (lit**2).sum(axis=2)), LEAST_LIGHT, MOST_LIGHT)
        off = measured / light[..., None] - lit
        cost = np.minimum(FARTHEST_PAINT, (off**2).sum(axis=2) / PAINT**2).sum(axis=1)
        unlikely = (((LAMPS - USUAL_LAMP) / LAMP_SPREAD) ** 2).sum(axis=1)
        found[pieces] = float((cost + unlikely).min())
    return found


def have_makers_colours(colours: dict[str, Floats], pieces: str) -> bool:
    """Whether pieces, as for :func:`set_distances`, mostly have a set's colours, in any light."""
    return set_distances(colours)[pieces] <= len(colours) * FARTHEST_PAINT / 2


def likely_set(colours: dict[str, Floats]) -> str:
    """The set whose colours the pieces have; the standard one where there are none."""
    distances = set_distances(colours)
    return min(SETS, key=lambda pieces: distances[pieces])


def named_piece(colour: Floats, pieces: str, open_letters: Collection[str]) -> str | None:
    """The letter of the piece that a single ball of this colour belongs to; None where that is not clear."""
    apart = sorted((float(np.linalg.norm((colour - own)[1:])), letter) for letter, own in makers(pieces).items())
    (nearest, letter), (second, _) = apart[:2]
    clear = nearest < NAMED and second > CLEARLY * nearest and letter in open_letters
    return letter if clear else None
