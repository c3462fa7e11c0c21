"""Where a tray of triangles lies: a big triangle cut into 16 small ones, seen from anywhere above it.

The story. All joints of the tray lie on twelve lines in three directions. Straight lines of the picture are taken
three at a time: three that form a triangle which could be an equilateral one seen under a slant are the outline of the
pieces, or the outline of a frame around them. So each triangle is also tried shrunk about its middle, and with several
perspectives, for three lines fix only six of the eight numbers of a homography. A guess is judged along the 30 joints
that it predicts: edges must run along a joint, and fewer beside it (busy artwork has edges everywhere). The best
guesses are then pulled onto the edges they predict, joint by joint, with all eight numbers free.

A guess is held as the three corners of the pieces' triangle in pixels and a weight for each: the point with the
barycentric coordinates ``a, b, c`` lies at ``(a*u*A + b*v*B + c*w*C) / (a*u + b*v + c*w)``; equal weights are no
perspective.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from solvers.triazzle import Puzzle, layout
from vision.pictures.medians import medians
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement
from vision.trays.oriented_edges import DIRECTIONS, EDGE, Bytes, Floats, Integers, OrientedEdges, oriented_edges

LAYOUT = layout(Puzzle((), ()))
"""The tray in board units: 1.0 is the side of a slot."""

CORNERS = np.array(LAYOUT.corners)
"""Apex, bottom right, bottom left."""

WORK_PX = 800
"""The longer side of the reduced picture: a tray over a quarter of it still has slots of 50 pixels."""

MOST_ENLARGED = 2.0
"""Small pictures are enlarged: thin edges are told apart by whole pixels. Beyond this there is nothing more to see."""

LINES = 64
"""Lines to combine; the outline of a tray is among the first 20 in every picture looked at."""

MOST_SQUEEZE = 1.6
"""Most unequal stretching: a tilt of 45 degrees squeezes by 1.41, perspective adds some; half a square is 1.73."""

LEAST_SIDE, MOST_SIDE = 0.2, 1.6
"""Sides of a triangle of lines, as parts of the picture's longer side; a frame may stick out of the picture."""

TRIANGLES = 90
"""Triangles of lines that are tried in all sizes."""

SHRINKS = np.linspace(1.0, 0.63, 7)
"""The pieces' triangle as a part of its frame's.

Between two of them the outline moves by 0.06 slots: within a groove and the blur of a photo half of it passes."""

SLANT = 0.204
"""Perspective to try, besides none: the largest logarithm of a corner's weight."""

BESIDE = 0.26
"""Edges are also counted along lines so far beside a joint, in slots' sides, where a tray has none."""

SAMPLES = 10
"""Points looked at along a joint."""

REFINED = 64
"""Guesses that are pulled onto the edges; after every pull the better half is left (successive halving)."""

SCORE_OF_A_TRAY = 0.12
"""What a place must score to be called a tray; see the tests for how pictures without one score."""


@dataclass(frozen=True, eq=False)
class _Guesses:
    """``K`` guesses: ``corners`` float64 (K, 3, 2) in pixels, ``weights`` float64 (K, 3)."""

    corners: Floats
    weights: Floats

    def __len__(self) -> int:
        return len(self.corners)

    def __getitem__(self, which: Integers | npt.NDArray[np.bool_] | slice) -> "_Guesses":
        return _Guesses(self.corners[which], self.weights[which])

    def map(self, barycentric: Floats) -> Floats:
        """Pixels ``(K, N, 2)`` of the N points with the coordinates ``(..., 3)``."""
        return np.stack(self.place(barycentric), axis=2)

    def place(self, barycentric: Floats) -> tuple[Floats, Floats]:
        """The same as ``x`` and ``y``, ``(K, N)`` each: what is done to many of them is done fastest so."""
        shares = barycentric.reshape(-1, 3).T
        nearness = 1 / (self.weights @ shares)
        x, y = ((self.weights * self.corners[..., axis]) @ shares * nearness for axis in (0, 1))
        return x, y


def _homogeneous(points: Floats) -> Floats:
    """Points ``(..., 2)`` as ``(x, y, 1)``."""
    return np.insert(points, 2, 1, axis=-1)


def barycentric(points: Floats) -> Floats:
    """The coordinates ``(..., 3)`` of points ``(..., 2)`` in board units: shares of apex, bottom right, bottom left."""
    shares: Floats = _homogeneous(points) @ np.linalg.inv(_homogeneous(CORNERS))
    return shares


def joints() -> Floats:
    """The 30 joints, inner and outer: ``(30, 2, 2)``, two ends each in board units."""
    # Each is a side of exactly one of the slots that point up.
    up = [outline for (_, place), outline in LAYOUT.cells.items() if place % 2 == 0]
    return np.array([ends for left, apex, right in up for ends in ((left, apex), (apex, right), (left, right))])


JOINTS = joints()
ENDS = barycentric(JOINTS)


def _around_joints() -> Floats:
    """Barycentric points on the joints and beside them on either side, ``(3, SAMPLES, 30, 3)``."""
    along = (np.arange(SAMPLES) + 0.5) / SAMPLES * 0.8 + 0.1  # not the ends, where three lines meet
    start, step = JOINTS[:, 0], JOINTS[:, 1] - JOINTS[:, 0]
    normal = np.stack([-step[:, 1], step[:, 0]], axis=1)
    aside = np.array([0, -BESIDE, BESIDE])
    return barycentric(start + step * along[:, None, None] + normal * aside[:, None, None, None])


AROUND = _around_joints()
"""Points of one place on each joint come together: so what is seen there is added fastest."""


def find_tray(photo: Photo, corners_px: Sequence[tuple[float, float]] | None = None) -> FlatPlacement | None:
    """The place that looks most like a tray of 16 triangles, in pixels of ``photo``.

    Args:
        photo: the picture.
        corners_px: apex, bottom right and bottom left of the tray or of its pieces, where the user pointed at them.

    Returns:
        The placement of the box around the pieces' triangle, of which the apex is the corner highest in the picture (or
        the first the user named); None when nothing looks like a tray.
    """
    small = _at_work_size(photo)
    edges = oriented_edges(small)
    factor = small.width / photo.width
    if corners_px is None:
        frames = _frames(edges)
    else:
        frames = (np.asarray(corners_px, dtype=np.float64)[None] + 0.5) * factor - 0.5
    if not len(frames):
        return None
    refined, scores = _refine(_best(_variants(frames), edges), edges)
    if scores[0] < SCORE_OF_A_TRAY and corners_px is None:
        return None
    return _placement(refined[:1], float(scores[0]), keep_apex=corners_px is not None).scaled(1 / factor)


def _at_work_size(photo: Photo) -> Photo:
    """The picture with its longer side ``WORK_PX`` long, or as near to it as pays."""
    factor = min(WORK_PX / max(photo.width, photo.height), MOST_ENLARGED)
    if factor <= 1:
        return photo.reduced(WORK_PX)
    size_wh = round(photo.width * factor), round(photo.height * factor)
    return photo.like(np.asarray(cv2.resize(photo.bgr, size_wh, interpolation=cv2.INTER_CUBIC), np.uint8), factor)


def _frames(edges: OrientedEdges) -> Floats:
    """Corners ``(K, 3, 2)`` of the triangles of lines that may be a tray's frame or outline, best supported first."""
    height, width = edges.strength.shape
    angle, distance = edges.lines(LINES)
    apart = np.abs((angle[:, None] - angle[None] + np.pi / 2) % np.pi - np.pi / 2)
    # Sides of a triangle that is squeezed no more meet at no smaller angle.
    later = np.triu(apart > 2 * np.arctan(np.tan(np.pi / 6) / MOST_SQUEEZE), 1)
    triples = np.argwhere(later[:, :, None] & later[:, None, :] & later[None])
    pairs = [triples[:, pair] for pair in ([0, 1], [1, 2], [0, 2])]
    middle = np.array([width / 2, height / 2])
    corners = np.stack([_crossing(angle[pair], distance[pair]) for pair in pairs], axis=1) + middle
    corners = _clockwise(corners[_plausible(corners, width, height)])
    support = _support(corners, edges)
    order = np.argsort(-(support.min(axis=1) + support.mean(axis=1)), kind="stable")
    return corners[order[:TRIANGLES]]


def _crossing(angle: Floats, distance: Floats) -> Floats:
    """Where two lines cross: angles and distances ``(K, 2)`` to points ``(K, 2)``."""
    (a, b), (c, d), (one, other) = np.cos(angle).T, np.sin(angle).T, distance.T
    point: Floats = np.stack([d * one - c * other, a * other - b * one], axis=1) / (a * d - b * c)[:, None]
    return point


def squeeze(corners: Floats) -> Floats:
    """How unequally an equilateral triangle was stretched to get these corners ``(K, 3, 2)``: 1 not at all."""
    source = CORNERS[1:] - CORNERS[0]
    affine = (corners[:, 1:] - corners[:, :1]).transpose(0, 2, 1) @ np.linalg.inv(source.T)
    singular = np.linalg.svd(affine, compute_uv=False)
    ratio: Floats = singular[:, 0] / np.maximum(singular[:, 1], 1e-9)
    return ratio


def _plausible(corners: Floats, width: int, height: int) -> npt.NDArray[np.bool_]:
    """Which triangles may be a tray seen from above, lying mostly inside the picture."""
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    longer = max(width, height)
    middle = corners.mean(axis=1)
    sized = (sides.min(axis=1) > LEAST_SIDE * longer) & (sides.max(axis=1) < MOST_SIDE * longer)
    inside = ((middle > 0) & (middle < (width, height))).all(axis=1)
    plausible: npt.NDArray[np.bool_] = sized & inside
    plausible[plausible] = squeeze(corners[plausible]) < MOST_SQUEEZE
    return plausible


def _clockwise(corners: Floats) -> Floats:
    """The same triangles with their corners clockwise as seen, the highest first."""
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    flipped = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0] < 0
    corners = np.where(flipped[:, None, None], corners[:, [0, 2, 1]], corners)
    turn = (corners[:, :, 1].argmin(axis=1)[:, None] + np.arange(3)) % 3
    return np.take_along_axis(corners, turn[..., None], axis=1)


def _sampled(stack: Bytes, layer: Integers, x: Floats, y: Floats) -> Bytes:
    """The strengths in the stack's layers at points, nearest pixel, 255 for 1; 0 outside the picture."""
    _, height, width = stack.shape
    col, row = np.rint(x).astype(np.int32), np.rint(y).astype(np.int32)
    # As numbers without a sign those left of the picture and above it lie beyond it.
    inside = (col.view(np.uint32) < width) & (row.view(np.uint32) < height)
    place = (layer.astype(np.int32) * height + row) * width + col
    sampled: Bytes = stack.reshape(-1).take(np.where(inside, place, 0)) * inside
    return sampled


def _layers(step: Floats) -> Integers:
    """The stack's layer for lines with the directions ``(..., 2)``."""
    across = np.arctan2(step[..., 1], step[..., 0]) + np.pi / 2
    layer: Integers = np.round(across * (DIRECTIONS / np.pi)).astype(np.int64) % DIRECTIONS
    return layer


def _support(corners: Floats, edges: OrientedEdges) -> Floats:
    """For each side of each triangle, the part of its visible length that lies on an edge ``(K, 3)``."""
    height, width = edges.strength.shape
    along = (np.arange(32) + 0.5) / 32
    ends = np.roll(corners, -1, axis=1)
    (x, y) = (corners[..., axis, None] * (1 - along) + ends[..., axis, None] * along for axis in (0, 1))
    on_edge = _sampled(edges.stack, _layers(ends - corners)[..., None], x, y) > EDGE * 255
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    support: Floats = on_edge.sum(axis=2) / np.maximum(inside.sum(axis=2), 16)
    return support


def _variants(frames: Floats) -> _Guesses:
    """Every frame in several sizes and perspectives."""
    turns = np.arange(6)[:, None] * (np.pi / 3) + np.arange(3) * (2 * np.pi / 3)
    corners, weights = [], []
    # The three logarithms sum to zero: only their differences matter.
    for tilt in np.exp(np.vstack([np.zeros(3), SLANT * np.sin(turns)])):
        tilted = _Guesses(frames, np.tile(tilt, (len(frames), 1)))
        for shrink in SHRINKS:
            inner = np.full((3, 3), (1 - shrink) / 3) + np.eye(3) * shrink
            corners.append(tilted.map(inner))
            weights.append(tilted.weights @ inner.T)
    return _Guesses(np.concatenate(corners), np.concatenate(weights))


def _contrast(guesses: _Guesses, stack: Bytes) -> Floats:
    """For each joint, how much more edge runs along it than beside it ``(K, 30)``, -1..1."""
    ends = guesses.map(ENDS).reshape(len(guesses), 1, -1, 2, 2)
    layer = _layers(ends[..., 1, :] - ends[..., 0, :])
    x, y = (at.reshape(len(guesses), -1, len(JOINTS)) for at in guesses.place(AROUND))
    strength = _sampled(stack, layer, x, y)
    along, beside = (part.sum(axis=1, dtype=np.uint16) for part in (strength[:, :SAMPLES], strength[:, SAMPLES:]))
    contrast: Floats = (along - beside / 2) / (255 * SAMPLES)
    return contrast


def _score(contrast: Floats) -> Floats:
    """One number for each guess: the mean of the worse half of its joints.

    A tray has all its joints. Half of the joints of a lattice of half its size lie on lines of the tray, too, and most
    of those of a grid of squares cut along the diagonals.
    """
    worse = np.sort(contrast, axis=1)[:, : contrast.shape[1] // 2]
    score: Floats = worse.mean(axis=1)
    return score


def _best(guesses: _Guesses, edges: OrientedEdges) -> _Guesses:
    """The guesses that do best in the rough test, no two of them nearly alike."""
    # Judged by parts: so what they look at stays in the processor's cache.
    chunks = [guesses[k : k + TRIANGLES] for k in range(0, len(guesses), TRIANGLES)]
    scores = np.concatenate([_score(_contrast(chunk, edges.stack)) for chunk in chunks])
    kept: list[int] = []
    for k in np.argsort(-scores, kind="stable")[: 20 * REFINED]:
        corners = guesses.corners[k]
        near = 0.1 * np.linalg.norm(corners[1] - corners[0]) / LAYOUT.size[0]
        if all(np.abs(guesses.corners[j] - corners).max() > near for j in kept):
            kept.append(int(k))
        if len(kept) == REFINED:
            break
    return guesses[np.array(kept)]


REACH, ROUNDS = 0.16, 4
"""How far from a predicted joint its edge is looked for in the first round, in slots' sides, and the number of rounds;
each reaches less far by the same."""

FAITH = 0.3
"""How much weaker an edge at the end of the reach may be held for than one at the predicted place."""

STIFFNESS = 0.02
"""Keeps what no edge speaks about (a perspective that hidden joints would tell) where it was."""


def _refine(guesses: _Guesses, edges: OrientedEdges) -> tuple[_Guesses, Floats]:
    """The best guesses pulled onto the edges, the best first, and their scores."""
    scores = np.empty(0)
    for left in range(ROUNDS, 0, -1):
        guesses = _pull(guesses, edges.stack, REACH * left / ROUNDS)
        scores = _score(_contrast(guesses, edges.stack))
        better = np.argsort(-scores, kind="stable")[: (len(guesses) + 1) // 2]
        guesses, scores = guesses[better], scores[better]
    return guesses, scores


def _pull(guesses: _Guesses, stack: Bytes, reach: float) -> _Guesses:
    """One round of least squares: every half of a joint asks to be moved to the strongest edge near it."""
    ends = guesses.map(ENDS).reshape(len(guesses), -1, 2, 2)
    step = ends[:, :, 1] - ends[:, :, 0]
    length = np.linalg.norm(step, axis=2)
    normal = np.stack([-step[..., 1], step[..., 0]], axis=2) / length[..., None]
    most = np.maximum(2, np.rint(reach * medians(length, axis=1)).astype(int))
    wish, weight = np.zeros((2, len(guesses), 2 * len(JOINTS)))
    for far in np.unique(most).tolist():  # those of about one size together
        same = most == far
        wish[same], weight[same] = _wishes(guesses[same], stack, normal[same], _layers(step[same]), far)
    halves = AROUND[0].reshape(2, SAMPLES // 2, -1, 3).mean(axis=1)
    slopes = _slopes(guesses, halves, np.tile(normal, (1, 2, 1)))
    root = np.sqrt(weight)[..., None]
    # Pulling by one pixel must cost the same for a corner and for a perspective.
    scale = np.maximum(np.linalg.norm(slopes, axis=1), 1e-9)
    slopes = root * slopes / scale[:, None]
    turned = slopes.transpose(0, 2, 1)
    system = turned @ slopes + STIFFNESS**2 * np.eye(8)
    return _shifted(guesses, np.linalg.solve(system, turned @ (root * wish[..., None]))[..., 0] / scale)


def _wishes(guesses: _Guesses, stack: Bytes, normal: Floats, layer: Integers, most: int) -> tuple[Floats, Floats]:
    """How far the first and then the second half of each joint want to move along the normal ``(K, 60)``, how much."""
    offsets = np.arange(-most, most + 1)
    x, y = (
        at.reshape(len(guesses), SAMPLES, -1, 1) + normal[:, None, :, axis, None] * offsets
        for axis, at in enumerate(guesses.place(AROUND[0]))
    )
    strength = _sampled(stack, layer[:, None, :, None], x, y).reshape(len(guesses), 2, SAMPLES // 2, -1, len(offsets))
    strength = strength.sum(axis=2, dtype=np.int32).reshape(len(guesses), -1, len(offsets)) / (255 * (SAMPLES // 2))
    best = (strength - FAITH * np.abs(offsets) / most * strength.max(axis=2, keepdims=True)).argmax(axis=2)
    weight = np.take_along_axis(strength, best[..., None], axis=2)[..., 0] - strength.mean(axis=2)
    return offsets[best].astype(np.float64), np.clip(weight, 0, None)


def _shifted(guesses: _Guesses, change: Floats) -> _Guesses:
    """The guesses with corners and two of the weights' logarithms changed by ``change``, 8 numbers each."""
    logs = np.concatenate([change[..., 6:], -change[..., 6:].sum(axis=-1, keepdims=True)], axis=-1)
    corners = guesses.corners + change[..., :6].reshape(-1, 3, 2)
    return _Guesses(corners, guesses.weights * np.exp(logs))


def _slopes(guesses: _Guesses, where: Floats, normals: Floats) -> Floats:
    """How far each point moves along its normal for a small step in each of the eight numbers ``(K, N, 8)``."""
    here = guesses.map(where)
    small = 1e-3
    columns = [
        ((_shifted(guesses, small * unit).map(where) - here) * normals).sum(axis=2) / small for unit in np.eye(8)
    ]
    return np.stack(columns, axis=2)


def _placement(guess: _Guesses, score: float, keep_apex: bool) -> FlatPlacement:
    """The box around the triangle of a single guess."""
    turn = 0 if keep_apex else int(guess.corners[0, :, 1].argmin())
    guess = _Guesses(np.roll(guess.corners, -turn, axis=1), np.roll(guess.weights, -turn, axis=1))
    # Homogeneous coordinates of a board point are linear in its barycentric ones, so the matrix can be written down.
    pixels = _homogeneous(guess.corners[0]) * guess.weights[0, :, None]
    matrix = np.linalg.solve(_homogeneous(CORNERS), pixels).T.astype(np.float64)
    return FlatPlacement(matrix, LAYOUT.size, float(np.clip(score * 2, 0, 1)))
