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
from vision.trays.oriented_edges import DIRECTIONS, Bytes, Floats, Integers, OrientedEdges, oriented_edges

ROWS = 4
"""Rows of slots; row ``r`` has ``2 r + 1``."""

LAYOUT = layout(Puzzle((), ()))
"""The tray in board units: 1.0 is the side of a slot."""

SIZE, ROW_HEIGHT = LAYOUT.size, LAYOUT.size[1] / ROWS

CORNERS = np.array(LAYOUT.corners)
"""Apex, bottom right, bottom left."""

WORK_PX = 800
"""The longer side of the reduced picture: a tray over a quarter of it still has slots of 50 pixels."""

MOST_ENLARGED = 2.0
"""Small pictures are enlarged: thin edges are told apart by whole pixels. Beyond this there is nothing more to see."""

LINES = 64
"""Lines to combine; the outline of a tray is among the first 20 in every picture looked at."""

LEAST_TURN = np.radians(33)
"""Least angle between two sides: an equilateral triangle tilted by 45 degrees, seen across, has 35."""

MOST_SQUEEZE = 1.6
"""Most unequal stretching: a tilt of 45 degrees squeezes by 1.41, perspective adds some; half a square is 1.73."""

LEAST_SIDE, MOST_SIDE = 0.2, 1.6
"""Sides of a triangle of lines, as parts of the picture's longer side; a frame may stick out of the picture."""

TRIANGLES = 90
"""Triangles of lines that are tried in all sizes."""

SHRINKS = (1.0, 0.93, 0.87, 0.81, 0.75, 0.69, 0.63)
"""The pieces' triangle as a part of its frame's.

Between two of them the outline moves by 0.06 slots: within a groove and the blur of a photo half of it passes."""

SLANT = 0.25
"""Perspective to try, besides none: the difference of the logarithm of depth between the middle and a corner."""

BESIDE = 0.3
"""Edges are also counted along lines this part of a row's height beside a joint, where a tray has none."""

SAMPLES = 10
"""Points looked at along a joint."""

REFINED, LEFT = 64, 16
"""Guesses that are pulled onto the edges, and those left after the first pull."""

CHUNK = 128
"""Guesses judged together: what they look at stays in the processor's cache."""

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
        """Pixels ``(K, N, 2)`` of the points with the coordinates ``(N, 3)``."""
        return np.stack(self.place(barycentric), axis=2)

    def place(self, barycentric: Floats) -> tuple[Floats, Floats]:
        """The same as ``x`` and ``y``, ``(K, N)`` each: what is done to many of them is done fastest so."""
        shares = barycentric.T
        nearness = 1 / (self.weights @ shares)
        x, y = ((self.weights * self.corners[..., axis]) @ shares * nearness for axis in (0, 1))
        return x, y


def barycentric(points: npt.ArrayLike) -> Floats:
    """The coordinates ``(N, 3)`` of points ``(N, 2)`` in board units: shares of apex, bottom right, bottom left."""
    xy = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    system = np.vstack([CORNERS.T, np.ones(3)])
    solved: Floats = np.linalg.solve(system, np.vstack([xy.T, np.ones(len(xy))])).T
    return solved


def joints() -> Floats:
    """The 30 joints, inner and outer: ``(30, 2, 2)``, two ends each in board units."""

    def node(row: int, k: int) -> tuple[float, float]:
        return ROWS / 2 - row / 2 + k, row * ROW_HEIGHT

    ends = []
    for row in range(1, ROWS + 1):
        for k in range(row):
            apex, left, right = node(row - 1, k), node(row, k), node(row, k + 1)
            ends += [(left, apex), (apex, right), (left, right)]
    return np.array(ends)


JOINTS = joints()


def _beside(part: float) -> Floats:
    """Barycentric points ``(30 * SAMPLES, 3)`` along each joint, moved off it by ``part`` of a row's height."""
    along = (np.arange(SAMPLES) + 0.5) / SAMPLES * 0.8 + 0.1  # not the ends, where three lines meet
    start, step = JOINTS[:, 0], JOINTS[:, 1] - JOINTS[:, 0]
    normal = np.stack([-step[:, 1], step[:, 0]], axis=1)
    points = start[:, None] + step[:, None] * along[None, :, None] + normal[:, None] * (part * ROW_HEIGHT)
    return barycentric(points)


def find_tray(photo: Photo, corners_px: Sequence[tuple[float, float]] | None = None) -> FlatPlacement | None:
    """The place that looks most like a tray of 16 triangles, in pixels of ``photo``.

    Args:
        photo: the picture.
        corners_px: apex, bottom right and bottom left of the tray or of its pieces, where the user pointed at them.

    Returns:
        The placement of the box ``SIZE`` around the pieces' triangle, of which the apex is the corner highest in the
        picture (or the first the user named); None when nothing looks like a tray.
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
    guesses = _best(_variants(frames), edges)
    refined, scores = _refine(guesses, edges)
    best = int(scores.argmax())
    if scores[best] < SCORE_OF_A_TRAY and corners_px is None:
        return None
    place = _placement(refined[np.array([best])], float(scores[best]), keep_apex=corners_px is not None)
    return place.scaled(1 / factor)


def _at_work_size(photo: Photo) -> Photo:
    """The picture with its longer side ``WORK_PX`` long, or as near to it as pays."""
    factor = min(WORK_PX / max(photo.width, photo.height), MOST_ENLARGED)
    if factor <= 1:
        return photo.reduced(WORK_PX)
    size_wh = round(photo.width * factor), round(photo.height * factor)
    larger = np.asarray(cv2.resize(photo.bgr, size_wh, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    return Photo(larger, photo.path, photo.scale * factor, photo.budget)


def _frames(edges: OrientedEdges) -> Floats:
    """Corners ``(K, 3, 2)`` of the triangles of lines that may be a tray's frame or outline, best supported first."""
    height, width = edges.strength.shape
    angle, distance = edges.lines(LINES)
    apart = np.abs((angle[:, None] - angle[None] + np.pi / 2) % np.pi - np.pi / 2) > LEAST_TURN
    later = np.triu(apart, 1)
    triples = np.flatnonzero(later[:, :, None] & later[:, None, :] & later[None])
    triples = np.column_stack(np.unravel_index(triples, (len(angle),) * 3))
    pairs = [triples[:, [0, 1]], triples[:, [1, 2]], triples[:, [0, 2]]]
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


def _look(stack: Bytes, layer: Integers, x: Floats, y: Floats) -> Bytes:
    """The strengths in the stack's layers at points, nearest pixel, 255 for 1; 0 outside the picture."""
    _, height, width = stack.shape
    col, row = np.rint(x).astype(np.int32), np.rint(y).astype(np.int32)
    # As numbers without a sign those left of the picture and above it lie beyond it.
    inside = (col.view(np.uint32) < width) & (row.view(np.uint32) < height)
    place = (layer.astype(np.int32) * height + row) * width + col
    seen: Bytes = stack.reshape(-1).take(np.where(inside, place, 0)) * inside
    return seen


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
    seen = _look(edges.stack, _layers(ends - corners)[..., None], x, y) > 0.3 * 255
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    support: Floats = seen.sum(axis=2) / np.maximum(inside.sum(axis=2), 16)
    return support


def _variants(frames: Floats) -> _Guesses:
    """Every frame in several sizes and perspectives."""
    turns = np.arange(6) * (np.pi / 3)
    plane = [(0.0, 0.0), *((SLANT * np.cos(turn), SLANT * np.sin(turn)) for turn in turns)]
    # The three logarithms sum to zero: only their differences matter.
    logs = [(v * 0.8165, -v * 0.4082 + u * 0.7071, -v * 0.4082 - u * 0.7071) for u, v in plane]
    corners, weights = [], []
    for log in logs:
        tilted = _Guesses(frames, np.repeat(np.exp([log]), len(frames), axis=0))
        for shrink in SHRINKS:
            inner = np.full((3, 3), (1 - shrink) / 3) + np.eye(3) * shrink
            corners.append(tilted.map(inner))
            weights.append(tilted.weights @ inner.T)
    return _Guesses(np.concatenate(corners), np.concatenate(weights))


ON = _beside(0.0)
AROUND: Floats = (
    np.stack([ON, _beside(-BESIDE), _beside(BESIDE)]).reshape(3, len(JOINTS), SAMPLES, 3).swapaxes(1, 2).reshape(-1, 3)
)
"""The points on all joints and beside them, those of one place on each joint together: so they are added fastest."""

ENDS = barycentric(JOINTS)
HALVES: Floats = ON.reshape(2 * len(JOINTS), SAMPLES // 2, 3).mean(axis=1)
"""The middles of the two halves of each joint."""


def _contrast(guesses: _Guesses, stack: Bytes) -> Floats:
    """For each joint, how much more edge runs along it than beside it ``(K, 30)``, -1..1."""
    ends = guesses.map(ENDS).reshape(len(guesses), 1, -1, 2, 2)
    layer = _layers(ends[..., 1, :] - ends[..., 0, :])
    x, y = (at.reshape(len(guesses), -1, len(JOINTS)) for at in guesses.place(AROUND))
    seen = _look(stack, layer, x, y)
    along, beside = (part.sum(axis=1, dtype=np.uint16) for part in (seen[:, :SAMPLES], seen[:, SAMPLES:]))
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
    chunks = [guesses[k : k + CHUNK] for k in range(0, len(guesses), CHUNK)]
    scores = np.concatenate([_score(_contrast(chunk, edges.stack)) for chunk in chunks])
    kept: list[int] = []
    for k in np.argsort(-scores, kind="stable")[: 20 * REFINED]:
        corners = guesses.corners[k]
        near = 0.1 * np.linalg.norm(corners[1] - corners[0]) / ROWS
        if all(np.abs(guesses.corners[j] - corners).max() > near for j in kept):
            kept.append(int(k))
        if len(kept) == REFINED:
            break
    return guesses[np.array(kept)]


ROUNDS = (0.16, 0.12, 0.08, 0.05)
"""How far from a predicted joint its edge is looked for, round by round, as parts of a slot's side."""

FAITH = 0.3
"""How much weaker an edge at the end of the reach may be held for than one at the predicted place."""

STIFFNESS = 0.02
"""Keeps what no edge speaks about (a perspective that hidden joints would tell) where it was."""


def _refine(guesses: _Guesses, edges: OrientedEdges) -> tuple[_Guesses, Floats]:
    """The guesses pulled onto the edges, and their scores in the strict test."""
    for number, reach in enumerate(ROUNDS):
        guesses = _pull(guesses, edges.stack, reach)
        if number == 0:
            guesses = guesses[np.argsort(-_score(_contrast(guesses, edges.stack)), kind="stable")[:LEFT]]
    return guesses, _score(_contrast(guesses, edges.stack))


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
    slopes = _slopes(guesses, HALVES, np.repeat(normal, 2, axis=1))
    root = np.sqrt(weight)[..., None]
    # Pulling by one pixel must cost the same for a corner and for a perspective.
    scale = np.maximum(np.linalg.norm(slopes, axis=1), 1e-9)
    slopes = root * slopes / scale[:, None]
    turned = slopes.transpose(0, 2, 1)
    system = turned @ slopes + STIFFNESS**2 * np.eye(8)
    return _shifted(guesses, np.linalg.solve(system, turned @ (root * wish[..., None]))[..., 0] / scale)


def _wishes(guesses: _Guesses, stack: Bytes, normal: Floats, layer: Integers, most: int) -> tuple[Floats, Floats]:
    """How far each half of a joint wants to be moved along its normal, ``(K, 60)``, and how much."""
    offsets = np.arange(-most, most + 1)
    x, y = (
        at.reshape(len(guesses), -1, SAMPLES)[..., None] + normal[..., axis, None, None] * offsets
        for axis, at in enumerate(guesses.place(ON))
    )
    seen = _look(stack, layer[..., None, None], x, y).reshape(len(guesses), 2 * len(JOINTS), SAMPLES // 2, -1)
    seen = seen.sum(axis=2, dtype=np.int32) / (255 * (SAMPLES // 2))
    best = (seen - FAITH * np.abs(offsets) / most * seen.max(axis=2, keepdims=True)).argmax(axis=2)
    weight = np.take_along_axis(seen, best[..., None], axis=2)[..., 0] - seen.mean(axis=2)
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
    system = np.linalg.inv(np.vstack([CORNERS.T, np.ones(3)]))
    pixels = np.vstack([guess.corners[0].T, np.ones(3)]) * guess.weights[0]
    return FlatPlacement(pixels @ system, SIZE, float(np.clip(score * 2, 0, 1)))
