"""The figures of a diagram: what stands on its squares, and which way up it lies.

A naive Bayes classifier on what the cell reader (:mod:`vision.cells.reader`) sees on each square, with the picture as
it lies and turned by each quarter: given the game and the turn, squares are independent, and the posterior of these two
is that of all squares together.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from vision.cells import reader
from vision.cells.reader import MARKS, WHY, Mark
from vision.chessboards.chequers import ChequeredPlacement
from vision.pictures.photo import Photo
from vision.pictures.upright import turns_by_text

Floats = npt.NDArray[np.float64]

Name = Literal["queen", "knight", "other", "odd", "nothing"]
"""``other`` is another chess piece, ``odd`` something that is none: a letter, a line, a part of a standing piece."""

NAMES: tuple[Name, ...] = get_args(Name)

FIGURES: tuple[Name, ...] = ("queen", "knight")
"""What is told by name."""

PIECES: tuple[Name, ...] = (*FIGURES, "other")

GAMES: Mapping[str, tuple[float, Mapping[Name, float]]] = {
    "queens": (0.4, {"queen": 0.07, "knight": 0.001, "other": 0.001, "odd": 0.001}),
    "tour": (0.4, {"queen": 0.001, "knight": 0.02, "other": 0.001, "odd": 0.05}),
    "another": (0.2, {"queen": 0.02, "knight": 0.02, "other": 0.03, "odd": 0.003}),
}
"""Their priors, and those of what stands on a square in each, else nothing. Tours are drawn with lines and numbers."""

AS_MARKS: Mapping[Name, tuple[Mark, ...]] = {
    "queen": ("queen",),
    "knight": ("knight",),
    "other": ("piece",),
    "odd": ("something else", "turned"),
    "nothing": ("empty", "note", "number"),
}
"""What the reader takes each for, with equal chances."""

ON_A_SIDE: Mapping[Name, tuple[Mark, ...]] = {**AS_MARKS, **dict.fromkeys(PIECES, ("turned",))}
"""The same of what lies on one of its sides or upside down."""

MISTAKEN = 0.13
"""Probability that the reader takes something for any of all marks, on cells that it was not taught on."""

UPRIGHT = 20.0
"""How much likelier a board on a screen is to lie upright than on one of its sides; beside upright words it does."""

SURE = 0.9
"""Posterior below which a guess is a doubt."""


@dataclass(frozen=True)
class Guess:
    """What stands on a square.

    Attributes:
        name: of :data:`NAMES`.
        confidence: how sure, 0..1.
        why: what speaks against it, a clause for people; empty when nothing does.
        either: whether it is a queen or a knight, and only which of them is in doubt.
    """

    name: Name
    confidence: float
    why: str = ""
    either: bool = False


def figures(photo: Photo, placement: ChequeredPlacement) -> tuple[int, dict[Cell, Guess]]:
    """The figures of a diagram, and how they lie.

    Returns:
        The quarter turns anticlockwise that set them upright, 0..3, and what stands on the squares that are not surely
        bare.
    """
    views = reader.read_turned(photo, placement).astype(np.float64)
    upright, aside = views @ _likelihoods(AS_MARKS), np.log(views @ _likelihoods(ON_A_SIDE))
    # What stands upright in one view lies on a side in the other three.
    likelihoods = upright * np.exp(aside.sum(axis=0) - aside)
    games = {name: (_one_knight if name == "tour" else _independent)(likelihoods * _prior(name)) for name in GAMES}
    logs = np.array([np.log(GAMES[name][0]) + evidence for name, (evidence, _) in games.items()])
    logs[:, 0] += np.log(UPRIGHT) * placement.level
    if placement.level and turns_by_text(photo) == 0:
        logs[:, 1:] = -np.inf
    likely = np.exp(logs - logs.max())
    weights = (likely / likely.sum())[:, :, None, None, None]
    posterior = (weights * np.array([within for _, within in games.values()])).sum(axis=0)
    turns = int(likely.sum(axis=0).argmax())
    # A bare square is bare whichever way up it is; a figure is where it is only if the turn is right.
    chances = posterior[turns].copy()
    chances[..., NAMES.index("nothing")] = posterior[..., NAMES.index("nothing")].sum(axis=0)
    guesses = {cell: _guess(chances[cell]) for cell in np.ndindex(*chances.shape[:2])}
    return turns, {cell: g for cell, g in guesses.items() if g.name != "nothing" or g.confidence < SURE}


def _guess(chances: Floats) -> Guess:
    """What the chances of :data:`NAMES` say of a square; ``nothing`` and ``odd`` where a piece is surely ruled out."""
    queen, knight, other, odd, nothing = chances.tolist()
    if queen + knight + other < 1 - SURE:
        return Guess("nothing", nothing) if nothing >= SURE else Guess("odd", odd, WHY)
    name = NAMES[int(chances.argmax())]
    sure = float(chances.max())
    either = name in FIGURES and queen + knight >= SURE
    return Guess(name, sure, "" if sure >= SURE else WHY, either)


def _prior(game: str) -> Floats:
    """Of what stands on a square, ``(names,)``."""
    prior = GAMES[game][1]
    return np.array([prior.get(name, 1 - sum(prior.values())) for name in NAMES])


def _independent(joint: Floats) -> tuple[Floats, Floats]:
    """The logarithm of the evidence for each turn, ``(turns,)``, and posteriors of the names, shaped as ``joint``.

    Args:
        joint: probabilities of the names and of what is seen of them, ``(turns, rows, cols, names)``.
    """
    evidence = joint.sum(axis=-1, keepdims=True)
    return np.log(evidence).sum(axis=(1, 2, 3)), joint / evidence


def _one_knight(joint: Floats) -> tuple[Floats, Floats]:
    """The same where one square alone has a knight."""
    knight = NAMES.index("knight")
    others = joint.copy()
    others[..., knight] = 0
    logs, within = _independent(others)
    odds = joint[..., knight] / others.sum(axis=-1)
    total = odds.sum(axis=(1, 2), keepdims=True)
    within *= (1 - odds / total)[..., None]
    within[..., knight] = odds / total
    return logs + np.log(total[:, 0, 0]), within


def _likelihoods(as_marks: Mapping[Name, tuple[Mark, ...]]) -> Floats:
    """How likely the reader calls each name by each mark, ``(marks, names)``."""
    called = np.array([[(mark in as_marks[name]) / len(as_marks[name]) for name in NAMES] for mark in MARKS])
    return MISTAKEN / len(MARKS) + (1 - MISTAKEN) * called
