"""Where pieces stand: feet are round, whatever stands on them.

A guess is a foot, its radius, and a height: a disc on the board and above it a body half as wide. Its picture on the
flat board is known: a point at a height is seen where its ray meets the board. What such a guess hides should be no
bare ground, what it leaves free should be, above all before it; and along the near half of the foot colours should
change, though the board's own do not. The outline of a shadow is soft and not round, so the foot is found in spite of
it; heads and collars are round as well, but a body stands before them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.chessboards.ground import BARE, PX, Ground
from vision.pictures.camera_pose import Pose

Floats = npt.NDArray[np.float64]

RADII = (0.2, 0.25, 0.3, 0.35, 0.4)
"""Radii of feet that are tried first, in squares."""

SHORTEST, TALLEST, LEVEL = 0.68, 2.2, 0.08
"""Heights of bodies in squares, and the steps between."""

FLARE = 0.22
"""Height over which a body narrows from its foot's width to half of that, in squares."""

STEP = 0.1
"""Distance of the feet that are tried first, in squares."""

TRIED = 8
"""Best guesses that are looked at closely."""

SAME = 0.04
"""Distance of two guesses, in squares, up to which they are one."""

PLACES = 4
"""Places that are guessed at first."""

APART = 0.25
"""Distance of two guesses, in squares, from which they are two."""

NEARER = (0.0, 0.3, 0.6, 0.9)
"""Feet so much nearer to the camera are tried as well, in squares: a head was taken for a foot where the body has the
colour of the board."""

SEEN = 0.12
"""What is seen around a foot says at least so much for it."""

MARGIN = 0.6
"""How far from a foot on its way up a piece is looked at for its colours: all of it, in squares."""

BEFORE, BEFORE_COUNTS = 0.8, 2.0
"""How far before a foot ground should be bare, in squares, and how much that counts."""

BESIDE_FOOT, BESIDE_BODY = 0.3, 0.3
"""Width of the ground around a guess that should be bare: of the foot's radius, and of the body's width."""

RIM, RIM_MOST = 0.06, 2.5
"""What a change of colour along the foot counts, by the least difference that counts, and up to how many of these."""

RIM_PART = 0.4
"""Part of the near rim that may show no change: a shade begins there, or a reflection."""

INSIDE_RIM, OUTSIDE_RIM = 0.045, 0.035
"""How far from the rim colours are compared, in squares."""

PIECE, CLEAR, CLEAR_RIM, LEAST_RIM = 0.3, 0.15, 1.5, 0.25
"""Score from which a piece stands there, and from which on with so much change along its rim: of a piece on the last
row little is seen before the board. With less change than the last of these it is the edge of a light."""

LINES = 0.05
"""Half of the width of the lines between squares on which no change is looked for, in squares."""

AROUND = np.deg2rad(np.linspace(-105, 105, 22))
"""Directions of the near rim, from the way to the camera."""


@dataclass(frozen=True)
class Foot:
    """A guess where a piece stands.

    Attributes:
        at: the middle of its foot, ``float64 (2,)`` in squares.
        radius: of its foot, in squares.
        score: how well it explains what is seen.
        rim: how much colours change along its near rim, in least differences that count.
    """

    at: Floats
    radius: float
    score: float
    rim: float = 0.0

    @property
    def sure(self) -> bool:
        """Whether a piece stands there."""
        return self.rim > LEAST_RIM and self.score > (CLEAR if self.rim > CLEAR_RIM else PIECE)


def guesses(ground: Ground, camera: Pose) -> list[Foot]:
    """Feet that explain much of what is seen, best first."""
    places: list[tuple[float, Floats, Ground]] = []
    for guess in _first(ground, camera):
        away = _away(guess.at[None], camera)[0]
        own = _own(guess.at, guess.radius, ground, camera)
        nearer = guess.at - np.outer(NEARER, away)
        nearer = nearer[_on_board(nearer, ground)]
        scores = np.max([_explains(nearer, radius, own, camera) for radius in RADII], axis=0)
        places += [(score, at, own) for score, at in zip(scores.tolist(), nearer, strict=True)]
    places.sort(key=lambda place: -place[0])
    found: list[Foot] = []
    for foot in sorted((_closer(at, own, camera) for _, at, own in places[:TRIED]), key=lambda foot: -foot.score):
        if all(np.linalg.norm(foot.at - other.at) > SAME for other in found):
            found.append(foot)
    return found


def around(at: Floats, ground: Ground, camera: Pose) -> Foot:
    """The best foot around a place."""
    return _closer(at, _own(at, RADII[2], ground, camera), camera)


def _own(at: Floats, radius: float, ground: Ground, camera: Pose) -> Ground:
    """The ground for a piece on a foot, whose colours are its own."""
    return ground.for_piece(at + MARGIN / 2 * _away(at[None], camera)[0], MARGIN + radius)


def _on_board(at: Floats, ground: Ground) -> npt.NDArray[np.bool_]:
    height, width = (length / PX for length in ground.hidden.shape)
    return np.asarray(((at > 0) & (at < (width, height))).all(axis=1))


def _first(ground: Ground, camera: Pose) -> Iterator[Foot]:
    """The best guesses all over the board, one for each place."""
    height, width = (length / PX for length in ground.hidden.shape)
    grid = np.stack(np.meshgrid(np.arange(STEP, width, STEP), np.arange(STEP, height, STEP)), axis=-1).reshape(-1, 2)
    seen = cv2.GaussianBlur(np.maximum(ground.hidden, 0), (0, 0), 0.15 * PX)
    grid = grid[_looked_up(np.asarray(seen), grid, 0) > SEEN]
    if not len(grid):
        return
    scores = np.stack([_explains(grid, radius, ground, camera) for radius in RADII])
    for _ in range(PLACES):
        radius, index = np.unravel_index(int(scores.argmax()), scores.shape)
        score = float(scores[radius, index])
        if score <= 0:
            return
        yield Foot(grid[index], RADII[radius], score)
        scores[:, np.linalg.norm(grid - grid[index], axis=1) < APART] = -np.inf


def _closer(at: Floats, ground: Ground, camera: Pose) -> Foot:
    """The best foot around a place, by its rim as well."""
    foot = Foot(at, 0.3, -np.inf)
    for step, count, radii in ((0.05, 3, np.arange(0.18, 0.46, 0.03)), (0.015, 2, np.arange(-0.02, 0.021, 0.01))):
        steps = step * np.arange(-count, count + 1)
        places = foot.at + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        for radius in radii if radii[0] > 0 else foot.radius + radii:
            rims = _rim(places, float(radius), ground, camera)
            scores = _explains(places, float(radius), ground, camera) + RIM * rims
            index = int(scores.argmax())
            if scores[index] > foot.score:
                foot = Foot(places[index], float(radius), float(scores[index]), float(rims[index]))
    return foot


def _away(feet: Floats, camera: Pose) -> Floats:
    """The way away from the camera at feet, ``(N, 2)`` unit vectors."""
    away = feet - camera.eye[:2]
    return np.asarray(away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9))


def _seen_at(feet: Floats, beside: Floats, away: Floats, height: Floats, camera: Pose) -> Floats:
    """Where points beside, behind and above feet are seen on the board: ``(N, M, 2)`` of ``M`` points of ``N`` feet."""
    way = _away(feet, camera)
    across = np.stack([-way[:, 1], way[:, 0]], axis=1)
    points = feet[:, None] + beside[None, :, None] * across[:, None] + away[None, :, None] * way[:, None]
    farther = camera.eye[2] / (camera.eye[2] - height)
    return np.asarray(camera.eye[:2] + (points - camera.eye[:2]) * farther[None, :, None])


def _looked_up(values: npt.NDArray[np.float32], places: Floats, beyond: float) -> Floats:
    """The values of a map at places ``(..., 2)`` in squares; ``beyond`` where they are off the board."""
    at = np.floor(places * PX).astype(int)
    height, width = values.shape
    x, y = at[..., 0], at[..., 1]
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    found = values[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    return np.asarray(np.where(inside, found, beyond), np.float64)


def _explains(feet: Floats, radius: float, ground: Ground, camera: Pose) -> Floats:
    """How well pieces on ``feet``, as tall as fits best, explain what is seen, ``(N,)``, in squares of the view."""
    to_eye = np.linalg.norm(feet - camera.eye[:2], axis=1)
    steep = camera.eye[2] / np.hypot(camera.eye[2], to_eye)
    upright = np.sqrt(1 - steep**2)

    def said(values: npt.NDArray[np.float32], beside: Floats, away: Floats, height: Floats, beyond: float) -> Floats:
        return _looked_up(values, _seen_at(feet, beside, away, height, camera), beyond)

    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    out = np.concatenate([[0.0], np.full(6, 0.5), np.full(12, 0.85)]) * radius
    angle = np.concatenate([[0.0], turn[::2], turn])
    disc = said(ground.hidden, out * np.cos(angle), out * np.sin(angle), np.full(19, 0.03), BARE / 20).mean(axis=1)
    near = np.deg2rad(np.linspace(160, 380, 12))
    beside, away = (1 + BESIDE_FOOT) * radius * np.cos(near), (1 + BESIDE_FOOT) * radius * np.sin(near)
    ring = said(ground.free, beside, away, np.zeros(12), 0.0).mean(axis=1)
    beside = np.tile((-0.6 * radius, 0.0, 0.6 * radius), 8)
    away = -np.repeat((1.05 + BESIDE_FOOT) * radius + np.arange(0.05, BEFORE, 0.1), 3)
    before = np.minimum(said(ground.free, beside, away, np.zeros(24), 0.0), 0).mean(axis=1)
    foot = np.pi * radius**2 * (disc + (1 + BESIDE_FOOT) * BESIDE_FOOT * ring)
    foot += BEFORE_COUNTS * 1.6 * radius * BEFORE * before

    height = np.arange(0.12, TALLEST, LEVEL)
    half = radius * (0.5 + 0.5 * np.exp(-((height / FLARE) ** 2)))
    body = _levels(said(ground.hidden, *_columns(half, (-0.7, 0.0, 0.7), height), BARE / 20), 3)
    sides = _levels(said(ground.free, *_columns(half + 0.1, (-1.3, 1.3), height), 0.0), 2)
    above = _levels(said(ground.free, *_columns(half, (0.0,), height), 0.0), 1)
    whole = np.cumsum(2 * half * (body + BESIDE_BODY * sides), axis=1) * LEVEL
    whole[:, :-3] += 2 * radius * 0.15 * (above[:, 2:-1] + above[:, 3:]) / 2
    least = round((SHORTEST - 0.12) / LEVEL)
    return np.asarray(foot * steep + (whole[:, least:] * upright[:, None]).max(axis=1))


def _columns(half: Floats, at: tuple[float, ...], height: Floats) -> tuple[Floats, Floats, Floats]:
    """Points beside the axis at so many half widths, all of them at each height: beside, behind, above."""
    beside = np.concatenate([part * half for part in at])
    return beside, np.zeros_like(beside), np.tile(height, len(at))


def _levels(values: Floats, columns: int) -> Floats:
    """The means over the columns, ``(N, levels)``."""
    return np.asarray(values.reshape(len(values), columns, -1).mean(axis=1))


def _rim(feet: Floats, radius: float, ground: Ground, camera: Pose) -> Floats:
    """How much colours change along the near rims of feet, by all but :data:`RIM_PART` of them, ``(N,)``."""
    way = _away(feet, camera)
    across = np.stack([-way[:, 1], way[:, 0]], axis=1)
    out = np.sin(AROUND)[None, :, None] * across[:, None] - np.cos(AROUND)[None, :, None] * way[:, None]
    limit = np.array(ground.off.shape[1::-1])
    colours, unknown = [], np.zeros(out.shape[:2], bool)
    for distance in (radius - INSIDE_RIM, radius + OUTSIDE_RIM):
        places = feet[:, None] + distance * out
        at = np.clip(np.floor(places * ground.side).astype(int), 0, limit - 1)
        colours.append(ground.off[at[..., 1], at[..., 0]])
        beyond = (places < 0) | (places * ground.side > limit) | (np.abs(places - np.rint(places)) < LINES)
        unknown |= beyond.any(axis=-1)
    change = np.minimum(np.linalg.norm(colours[0] - colours[1], axis=-1), RIM_MOST)
    known = (~unknown).sum(axis=1)
    ordered = np.sort(np.where(unknown, np.inf, change), axis=1)
    at_part = np.minimum((RIM_PART * known).astype(int), len(AROUND) - 1)
    found = ordered[np.arange(len(feet)), at_part]
    return np.where(known < RIM_PART * len(AROUND), 0.0, found)
