"""A photo turned to the camera: the homographies that make the straight lines of a scene upright and level.

A board lies on a page or a screen whose edges, lines of text, buttons and grid lines all run along the board's own two
directions. In a photo lines of one direction meet in a vanishing point [1]_. So straight strokes are collected, the
points in which many of them meet are found by trying pairs (a seeded RANSAC [2]_) and sharpened by least squares, and
each pair of points that may belong to two directions at right angles gives a view from straight above [1]_, ch. 8. No
outline of anything needs to be whole. A wooden table or woven cloth has directions of its own, so several views are
returned: what is seen in them decides.

References:
    .. [1] R. Hartley, A. Zisserman, Multiple View Geometry in Computer Vision, 2nd ed., 2004.
    .. [2] M. Fischler, R. Bolles, "Random Sample Consensus", Communications of the ACM 24(6), 1981.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.medians import weighted_median
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import through

Floats = npt.NDArray[np.float64]

SEARCH_PX = 1000
"""Longest side at which strokes are looked for: thin lines of a board that takes up half of it are still seen."""

VIEW_PX = 1280
"""Longest side of a view."""

MOST_STROKES = 700
"""The longest strokes are looked at: text and texture have thousands of short ones."""

LEAST_LENGTH = 0.012
"""Of a stroke, of the picture's longer side: shorter ones have no direction."""

LONGEST, LEANING_DEG = 20, 1.5
"""So many strokes say whether a picture's lines lean, off its rows and columns by more than this: round corners turn
those of a screen by up to one degree."""

AS_LONG = 0.9
"""Strokes with this part of the length of the last of those have a say as well in whether a picture was turned: which
of the sides of tiles is longest by a hair, its round corners decide, and these turn a short stroke by two degrees."""

TURNED_DEG, AGREED_DEG, AGREED = 0.2, 0.35, 0.5
"""A picture was turned, by a scanner or by hand, when its longest strokes say so, by the first angle at least: of 470
drawn screens as they are two say so, on which strands of rope or rims of buttons are longest. So much of what they
weigh agrees then, to the second angle: of screens six tenths and more, of photos taken from the side a fifth."""

MOST_TURNED_DEG = 10.0
"""Nobody lays a page on a scanner further askew; strands of rope run at any angle."""

PAIRS = 600
"""Pairs of strokes that are tried for a point: a direction with a fifth of all strokes is hit by two dozen."""

OFF_DEG = 2.0
"""A stroke points to a vanishing point when it is no further off: a bent page's lines turn by as much."""

SHARPENED_DEG = (2.0, 1.2, 1.0)
"""The same while the point is sharpened."""

NEAREST = 1.0
"""A vanishing point's distance from the picture's middle, in longer sides, at least: 45 degrees of tilt in a camera
whose lens is as long as the picture is wide."""

MOST_POINTS = 4
"""Directions that are looked for: the board's two, and as many of a table or a cloth."""

LEAST_ANGLE_DEG = 58.0
"""Between the board's directions as seen at the middle of the picture: tilted by 40 degrees right angles look so."""

MOST_VIEWS = 3

PATCHES = 8
"""Parts of a picture's longer side, in each of which strokes may cross: a board has a few of them to each side."""

CROSSING, AHEAD = 0.3, 1.5
"""Part of the strokes of a view that have such as cross them nearby, and how many times more of them than in the view
with most strokes, from which it is the likelier one all the same: on a board both directions are seen, and the grain of
the table under it, which may have most strokes of all, runs one way. Views that show the board had 0.33 and more, twice
as much as others; where hardly any strokes lie on the board, 0.2."""

LENS = 1.0
"""The lens's length where the vanishing points do not tell it, in longer sides of the picture: a phone's main camera
has 0.75, and pictures are cropped."""

LENSES = (0.55, 2.5)
"""Lenses that cameras have; what is computed beyond them is an error of nearly parallel lines."""

REACH = 0.9
"""A view ends so far from its middle, in longer sides of the photo: towards the horizon everything is a blur."""


@dataclass(frozen=True, eq=False)
class _Strokes:
    """Straight strokes, in longer sides of the picture from its middle.

    Attributes:
        middle: ``float64 (N, 2)``.
        along: ``float64 (N, 2)``, unit vectors.
        length: ``float64 (N,)``.
        line: ``float64 (N, 3)``, the lines that they lie on, with a unit normal.
    """

    middle: Floats
    along: Floats
    length: Floats
    line: Floats

    def without(self, gone: npt.NDArray[np.bool_]) -> "_Strokes":
        """Those that are not gone."""
        kept = ~gone
        return _Strokes(self.middle[kept], self.along[kept], self.length[kept], self.line[kept])

    def off(self, points: Floats) -> Floats:
        """Sines of the angles between strokes and their direction to ``points``, ``(K, 3)`` homogeneous: ``(K, N)``."""
        to = points[:, None, :2] - self.middle[None] * points[:, None, 2:]
        across = np.abs(to[..., 0] * self.along[:, 1] - to[..., 1] * self.along[:, 0])
        return np.asarray(across / np.maximum(np.linalg.norm(to, axis=2), 1e-12))

    def votes(self, points: Floats) -> Floats:
        """How much each stroke speaks for each of ``points``: its length where it points there, ``(K, N)``."""
        return np.asarray(self.length * np.clip(1 - self.off(points) / np.sin(np.deg2rad(OFF_DEG)), 0, None))


class View(NamedTuple):
    """A view of a photo from straight above.

    Attributes:
        matrix: ``float64 (3, 3)``, the homography from its pixels to those of the photo.
        size_wh: its width and height in pixels.
        share: 0..1, the part of all strokes (by length) that run along or across it.
    """

    matrix: Floats
    size_wh: tuple[int, int]
    share: float


def frontal_views(photo: Photo) -> list[View]:
    """Views of a photo in which a board may be upright, likeliest first; none where it has no two directions."""
    small = photo.reduced(SEARCH_PX)
    strokes = photo.derive(_strokes)
    found = list(_vanishing_points(strokes))
    pairs = [(one, two) for one, two in combinations(found, 2) if _may_be_right(one, two)]
    shape, longest, total = (photo.height, photo.width), max(small.bgr.shape), float(strokes.length.sum())
    votes = [strokes.votes(np.stack(pair)) for pair in pairs]
    shares = [float(both.max(axis=0).sum()) / total for both in votes]
    crossing = [_crossing(strokes, both) / total for both in votes]
    best = np.argsort(shares)[::-1].tolist()
    ahead = [i for i in best if crossing[i] >= max(CROSSING * shares[i], AHEAD * crossing[best[0]])]
    best.sort(key=lambda i: -crossing[i] if i in ahead else 0.0)
    return [View(*_view(_turned_to_camera(*pairs[i]), shape, longest), shares[i]) for i in best[:MOST_VIEWS]]


def _crossing(strokes: _Strokes, votes: Floats) -> float:
    """How many of the strokes (by length) that run along or across a view have such as cross them nearby.

    Args:
        strokes: all.
        votes: how much each speaks for either direction of the view, ``(2, N)``.
    """
    col, row = np.clip(((strokes.middle + 0.5) * PATCHES).astype(np.intp), 0, PATCHES - 1).T
    own = np.where(votes == votes.max(axis=0), votes, 0.0)
    along, across = (np.bincount(row * PATCHES + col, each, PATCHES**2) for each in own)
    return 2 * float(np.sqrt(along * across).sum())


def leaning(photo: Photo) -> float:
    """The part of the length of the longest strokes that runs neither along rows nor along columns of pixels, 0..1."""
    strokes = photo.derive(_strokes)
    length, along = strokes.length[:LONGEST], strokes.along[:LONGEST]
    leans = np.abs(along).max(axis=1) < np.cos(np.deg2rad(LEANING_DEG))
    return float(length[leans].sum() / max(1e-9, length.sum()))


def turn_deg(photo: Photo) -> float:
    """By how many degrees a picture was turned a little, clockwise; 0 where its longest strokes do not agree on it."""
    strokes = photo.derive(_strokes)
    if not len(strokes.length):
        return 0.0
    longest = strokes.length >= AS_LONG * strokes.length[:LONGEST][-1]
    length, along = strokes.length[longest], strokes.along[longest]
    angles = (np.rad2deg(np.arctan2(along[:, 1], along[:, 0])) + 45) % 90 - 45
    # How far a stroke's ends are off is the same for all: the longer it is, the better its direction is known.
    weight = length**2
    agree = np.abs(angles - weighted_median(angles, weight)) <= AGREED_DEG
    turn = float(np.average(angles[agree], weights=weight[agree]))
    askew = TURNED_DEG <= abs(turn) <= MOST_TURNED_DEG
    return turn if askew and weight[agree].sum() >= AGREED * weight.sum() else 0.0


def turned_back(photo: Photo, degrees: float) -> tuple[Picture, Floats]:
    """The picture turned counter-clockwise, ``uint8 (h, w, 3)``, and the matrix ``(3, 3)`` from it to the photo."""
    turn = np.deg2rad(degrees)
    to_photo = np.array([(np.cos(turn), -np.sin(turn), 0), (np.sin(turn), np.cos(turn), 0), (0, 0, 1)])
    right, bottom = photo.width - 1, photo.height - 1
    corners = through(to_photo.T, [(0, 0), (right, 0), (right, bottom), (0, bottom)])
    low, high = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
    to_photo = to_photo @ np.array([(1, 0, low[0]), (0, 1, low[1]), (0, 0, 1)])
    width, height = (high - low + 1).astype(int).tolist()
    return seen_from_above(photo, to_photo, (width, height)), to_photo


def _strokes(photo: Photo) -> _Strokes:
    """The longest straight strokes of a picture."""
    gray = photo.reduced(SEARCH_PX).gray
    height, width = gray.shape
    detector = cv2.createLineSegmentDetector(cv2.LSD_REFINE_NONE)
    # Where there is no stroke OpenCV returns None, which becomes a single value.
    ends = np.asarray(detector.detect(gray)[0], dtype=np.float64)
    points = ends.reshape(-1, 2, 2) if ends.size > 1 else np.zeros((0, 2, 2))
    points = (points - (np.array([width, height]) - 1) / 2) / max(height, width)
    length = np.linalg.norm(points[:, 1] - points[:, 0], axis=1)
    order = np.argsort(-length, kind="stable")[:MOST_STROKES]
    order = order[length[order] >= LEAST_LENGTH]
    points, length = points[order], length[order]
    along = (points[:, 1] - points[:, 0]) / length[:, None]
    normal = np.column_stack([-along[:, 1], along[:, 0]])
    middle = points.mean(axis=1)
    line = np.column_stack([normal, -(normal * middle).sum(axis=1)])
    return _Strokes(middle, along, length, line)


def _vanishing_points(strokes: _Strokes) -> Iterator[Floats]:
    """Points in which strokes meet, ``float64 (3,)`` homogeneous, the one with most strokes first."""
    rng = np.random.default_rng(0)  # the same picture gives the same answer
    left = strokes
    for _ in range(MOST_POINTS):
        if len(left.length) < 4:
            return
        share = left.length / left.length.sum()
        i, j = (rng.choice(len(share), PAIRS, p=share) for _ in range(2))
        # Strokes on one line, or across each other, do not tell where their direction goes.
        alike = (i != j) & (np.abs((left.along[i] * left.along[j]).sum(axis=1)) > np.cos(np.deg2rad(40)))
        points = np.cross(left.line[i[alike]], left.line[j[alike]])
        size = np.linalg.norm(points, axis=1)
        points = points[size > 1e-6] / size[size > 1e-6, None]
        points = points[np.linalg.norm(points[:, :2], axis=1) > NEAREST * np.abs(points[:, 2])]
        if not len(points):
            return
        best = _sharpened(left, points[int(np.argmax(left.votes(points).sum(axis=1)))])
        yield best
        left = left.without(left.off(best[None])[0] < np.sin(np.deg2rad(OFF_DEG)))


def _sharpened(strokes: _Strokes, point: Floats) -> Floats:
    """The point moved to where the strokes that point to it meet best: least squares of their angles."""
    for off_deg in SHARPENED_DEG:
        off = strokes.off(point[None])[0]
        weight = strokes.length * np.clip(1 - (off / np.sin(np.deg2rad(off_deg))) ** 2, 0, None) ** 2
        distance = np.linalg.norm(point[:2] - strokes.middle * point[2], axis=1)
        rows = strokes.line * (np.sqrt(weight) * strokes.length / np.maximum(distance, 1e-9))[:, None]
        point = np.linalg.eigh(rows.T @ rows)[1][:, 0]
    return np.asarray(point, dtype=np.float64)


def _may_be_right(one: Floats, two: Floats) -> bool:
    """Whether two directions of a sheet that is tilted a little may stand at a right angle on it."""
    cosine = abs(float(one[:2] @ two[:2])) / float(np.linalg.norm(one[:2]) * np.linalg.norm(two[:2]) + 1e-12)
    return bool(cosine <= np.cos(np.deg2rad(LEAST_ANGLE_DEG)))


def _turned_to_camera(one: Floats, two: Floats) -> Floats:
    """The homography from a sheet with these vanishing points to the picture, both in longer sides from the middle."""
    lens = _lens(one, two)
    rays = [np.array([v[0] / lens, v[1] / lens, v[2]]) for v in (one, two)]
    across, down = sorted((ray / np.linalg.norm(ray) for ray in rays), key=lambda ray: -abs(ray[0]))
    across, down = across * np.sign(across[0] or 1), down * np.sign(down[1] or 1)
    return np.asarray(np.diag([lens, lens, 1.0]) @ np.column_stack([across, down, (0.0, 0.0, 1.0)]))


def _lens(one: Floats, two: Floats) -> float:
    """The lens's length: with it the rays to the two points stand at a right angle."""
    product = -float(one[:2] @ two[:2]) / float(one[2] * two[2] or np.inf)
    low, high = LENSES
    return float(np.sqrt(product)) if low**2 < product < high**2 else LENS


def _view(matrix: Floats, shape: tuple[int, int], small_px: int) -> tuple[Floats, tuple[int, int]]:
    """The part of a sheet that the photo shows, as a picture."""
    height, width = shape
    longest = max(shape)
    half_w, half_h = width / longest / 2, height / longest / 2
    corners = np.array([(-half_w, -half_h, 1), (half_w, -half_h, 1), (half_w, half_h, 1), (-half_w, half_h, 1)])
    seen = corners @ np.linalg.inv(matrix).T
    # Beyond the horizon a corner has no place: the view ends at its reach there.
    flat = np.where(seen[:, 2:] > 1e-3, seen[:, :2] / np.maximum(seen[:, 2:], 1e-3), np.sign(seen[:, :2]) * REACH)
    low, high = np.clip(flat.min(axis=0), -REACH, REACH), np.clip(flat.max(axis=0), -REACH, REACH)
    scale = min(VIEW_PX, 1.3 * small_px) / float((high - low).max())
    to_sheet = np.array([(1 / scale, 0, low[0]), (0, 1 / scale, low[1]), (0, 0, 1)])
    to_pixels = np.array([(longest, 0, (width - 1) / 2), (0, longest, (height - 1) / 2), (0, 0, 1)])
    view_w, view_h = np.ceil((high - low) * scale).astype(int).tolist()
    return to_pixels @ matrix @ to_sheet, (view_w, view_h)


def seen_from_above(photo: Photo, matrix: Floats, size_wh: tuple[int, int]) -> Picture:
    """The view with this homography from its pixels to those of ``photo``: ``uint8 (h, w, 3)``."""
    # Averaging before sampling keeps hairlines: bring the photo down to about the size it is wanted in.
    ends = through(matrix, np.array(size_wh) / 2 + np.array([(0, 0), (1, 0), (0, 1)]))
    step = float(np.sqrt(np.linalg.norm(ends[1] - ends[0]) * np.linalg.norm(ends[2] - ends[0])))
    reduced = photo.reduced(max(1, round(max(photo.height, photo.width) * min(1.0, 1.15 / step))))
    shrunk = reduced.scale / photo.scale
    shift = (shrunk - 1) / 2
    shrink = np.array([(shrunk, 0, shift), (0, shrunk, shift), (0, 0, 1)])
    return np.asarray(
        cv2.warpPerspective(
            reduced.bgr,
            shrink @ matrix,
            size_wh,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        dtype=np.uint8,
    )
