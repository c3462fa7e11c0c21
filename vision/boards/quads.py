"""Boards seen at an angle: four-sided components of edges in a photo, and pictures of them from straight above.

A board on a page or a screen is a dense component of edges with a margin round it. Seen through a camera its outline is
a
quadrilateral, so: edges are marked where contrast is high *for their neighbourhood* (light is uneven), marks that lie
close together are joined, and the convex hull of each large component is reduced to four straight sides. Straightening
the quadrilateral makes it an upright picture, in which :mod:`vision.boards.grids` can look for a grid as in a
screenshot. Whether a component was a board at all is decided there.
"""

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from vision.boards.frontal import leaning
from vision.pictures.photo import Photo, Picture

Floats = npt.NDArray[np.float64]

SEARCH_PX = 800
"""Longest side at which components are searched: a line of a pixel in it is 5 px wide in a photo of 12 megapixels."""

FLAT_PX = 1100
"""Longer side of the straightened picture: a board that takes half of a page still has 550 px."""

MARGIN = 0.06
"""Space round the quadrilateral in the straightened picture, of its longer side: the board's outline is in view."""

NEIGHBOURHOOD = 0.03
"""Size of the neighbourhood that contrast is compared with, of the longer side of the picture."""

OVER_NEIGHBOURS = 1.5
"""Contrast of an edge over the mean contrast round it."""

LEAST_CONTRAST = 10
"""Grey levels that an edge has at least, beyond the noise of small sensors."""

REACHES = (0.0, 0.006, 0.012)
"""How far apart marks may lie and still be one component, of the longer side: lines that touch, broken lines, tiles."""

LEAST_AREA = 0.03
"""Area of a board, of the picture's."""

FOUR_SIDED = 0.8
"""Area of a component's hull over that of the quadrilateral drawn round it."""

LEAST_SIDE_RATIO = 0.18
"""Shortest over longest side of the quadrilateral: boards are at most five times as long as wide."""

LEAST_POINTS = 12
"""Points on each family of lines that determine a homography well."""

STILL = 0.6
"""A screenshot has flat areas: at least in this part of it neighbouring pixels are equal (0.7 and more on compressed
ones). In photos they are in half of it when all is a blur, else in a fifth."""

QUITE_STILL = 0.85
"""In drawn photos without any noise they are in up to 0.843; nearly all screenshots have more."""

APART = 1 / 80
"""Distance, in the longer side, at which pixels are equal where an area is flat, and not where it is only smooth."""

FLAT = 0.35
"""Part of the picture in which they are on screens, at least: screenshots have 0.39 (a frame of a video) and mostly 0.5
to 0.9, photos without any noise mostly up to 0.3, for light changes across them."""

QUITE_FLAT, LEANS = 0.5, 0.15
"""Of a picture that is flat in less than the first part, so much of the length of its longest strokes leans in a photo,
at least: 0.27 of one that is seen almost straight on. On screens with a shade across them nothing leans."""


def line_homography(across: Floats, down: Floats) -> Floats | None:
    """The homography from a board to a picture in which points were seen on its lines.

    Args:
        across: ``float64 (N, 3)``, points on upright lines: the line's number and ``(x, y)``.
        down: ``float64 (M, 3)``, the same for level lines.

    Returns:
        ``float64 (3, 3)`` from board units to pixels, by least squares on the inverse map ``g``: a point ``p`` on
        upright line ``j`` has ``g1 p - j g3 p = 0`` (the direct linear transform, R. Hartley and A. Zisserman, Multiple
        View Geometry, 2nd ed., 2004, ch. 4.1). None where the lines do not determine it.
    """
    if len(across) < LEAST_POINTS or len(down) < LEAST_POINTS:
        return None
    points = np.concatenate([across, down])[:, 1:]
    middle, spread = points.mean(axis=0), float(points.std())
    most = float(max(across[:, 0].max(), down[:, 0].max(), 1.0))
    rows = []
    for lines, first in ((across, True), (down, False)):
        p = np.column_stack([(lines[:, 1:] - middle) / spread, np.ones(len(lines))])
        zero, third = np.zeros_like(p), -(lines[:, :1] / most) * p
        rows.append(np.hstack([p, zero, third] if first else [zero, p, third]))
    system = np.concatenate(rows)
    inverse = np.linalg.eigh(system.T @ system)[1][:, 0].reshape(3, 3)
    normal = np.array([(1 / spread, 0, -middle[0] / spread), (0, 1 / spread, -middle[1] / spread), (0, 0, 1)])
    to_board = np.diag([most, most, 1.0]) @ inverse @ normal
    if abs(np.linalg.det(to_board)) < 1e-15:
        return None
    matrix = np.linalg.inv(to_board)
    return np.asarray(matrix / matrix[2, 2], dtype=np.float64)


def is_photo(photo: Photo) -> bool:
    """Whether the picture came through a lens (or shows cloth), rather than straight from a screen.

    Neighbouring pixels differ for noise. Where there is none, light changes across it, and its lines lean.
    """
    if photo.derive(stillness) < STILL:
        return True
    flat = photo.derive(_flatness)
    return flat < FLAT or (flat < QUITE_FLAT and photo.derive(leaning) >= LEANS)


def is_surely_screenshot(photo: Photo) -> bool:
    """Whether the picture came straight from a screen; not even a smooth photo is as still."""
    return photo.derive(stillness) >= QUITE_STILL and not is_photo(photo)


def _flatness(photo: Photo) -> float:
    """The part of the picture that is of one shade for a stretch, 0..1."""
    gray = photo.reduced(SEARCH_PX).gray
    apart = max(1, round(max(gray.shape) * APART))
    same = (gray[:, apart:] == gray[:, :-apart]).mean() + (gray[apart:] == gray[:-apart]).mean()
    return float(same / 2)


def stillness(photo: Photo) -> float:
    """The part of the picture in which neighbouring pixels are equal, 0..1."""
    gray = photo.reduced(SEARCH_PX).gray
    return float((gray[:, 1:] == gray[:, :-1]).mean())


def quads(photo: Photo) -> list[Floats]:
    """Corners of four-sided components of edges, in pixels of ``photo``, large ones first.

    Returns:
        ``float64 (4, 2)`` each: from the corner that is most to the top left, clockwise as seen.
    """
    small = photo.reduced(SEARCH_PX)
    marks = _marks(small.gray)
    factor = photo.scale / small.scale
    found: list[Floats] = []
    for corners in _components(marks):
        if not any(_nearly_same(corners, other, marks.shape) for other in found):
            found.append(corners)
    found.sort(key=lambda corners: -cv2.contourArea(corners.astype(np.float32)))
    return [(corners + 0.5) * factor - 0.5 for corners in found]


def _marks(gray: Picture) -> npt.NDArray[np.uint8]:
    """Where contrast is high for its neighbourhood: ``uint8``, 0 or 1."""
    soft = cv2.GaussianBlur(gray, (3, 3), 0)
    contrast = cv2.morphologyEx(soft, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    size = 2 * round(NEIGHBOURHOOD * max(gray.shape) / 2) + 1
    usual = cv2.blur(contrast, (size, size))
    high = (contrast > LEAST_CONTRAST) & (contrast.astype(np.float32) > OVER_NEIGHBOURS * usual.astype(np.float32))
    return np.asarray(high, dtype=np.uint8)


def _components(marks: npt.NDArray[np.uint8]) -> Iterator[Floats]:
    """Corners of the components that fill a quadrilateral well."""
    height, width = marks.shape
    for reach in REACHES:
        size = 2 * round(reach * max(marks.shape)) + 1
        joined = marks if size == 1 else cv2.morphologyEx(marks, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8))
        _, labels, table, _ = cv2.connectedComponentsWithStats(np.asarray(joined, dtype=np.uint8), connectivity=8)
        stats = np.asarray(table).reshape(-1, 5)
        order = np.argsort(-stats[1:, 2] * stats[1:, 3].astype(np.int64))[:4] + 1
        for label in order.tolist():
            x, y, w, h, _ = stats[label].tolist()
            if w * h < LEAST_AREA * height * width:
                continue
            corners = four_sides(_ends_of_rows(np.asarray(labels)[y : y + h, x : x + w] == label) + np.array([x, y]))
            if corners is not None:
                yield corners


def _ends_of_rows(part: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """The first and the last pixel ``(x, y)`` of each row of what is seen, ``(N, 2)``: its hull has no others."""
    rows = np.flatnonzero(part.any(axis=1))
    first, last = part.argmax(axis=1), part.shape[1] - 1 - part[:, ::-1].argmax(axis=1)
    return np.column_stack([np.concatenate([first[rows], last[rows]]), np.tile(rows, 2)])


def four_sides(points: npt.NDArray[np.int32] | npt.NDArray[np.int64]) -> Floats | None:
    """The quadrilateral that a cloud of points fills, ``float64 (4, 2)``; None where it fills none.

    The hull is simplified until four corners are left; then each side is laid through the hull's points along it, so
    that round corners do not pull the sides in.
    """
    hull = np.asarray(cv2.convexHull(points.astype(np.int32))).reshape(-1, 2)
    around = cv2.arcLength(hull, True)
    for part in (0.01, 0.02, 0.03, 0.045, 0.06, 0.08):
        rough = np.asarray(cv2.approxPolyDP(hull, part * around, True)).reshape(-1, 2)
        if len(rough) <= 4:
            break
    if len(rough) != 4:
        return None
    corners = _sharpened(hull.astype(np.float64), rough.astype(np.float64))
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    area = cv2.contourArea(corners.astype(np.float32))
    if sides.min() < LEAST_SIDE_RATIO * sides.max() or cv2.contourArea(hull) < FOUR_SIDED * area:
        return None
    return from_top_left(corners)


def _sharpened(hull: Floats, rough: Floats) -> Floats:
    """Corners where the straight middle parts of the sides would meet."""
    # Points along the hull, evenly spaced.
    closed = np.vstack([hull, hull[:1]])
    steps = np.linalg.norm(np.diff(closed, axis=0), axis=1)
    walked = np.concatenate([[0], np.cumsum(steps)])
    at = np.linspace(0, walked[-1], 400, endpoint=False)
    track = np.column_stack([np.interp(at, walked, closed[:, k]) for k in (0, 1)])
    lines = []
    for a, b in zip(rough, np.roll(rough, -1, axis=0), strict=True):
        length = float(np.linalg.norm(b - a))
        along = (track - a) @ (b - a) / length**2
        aside = np.abs((track - a) @ np.array([-(b - a)[1], (b - a)[0]])) / length
        near = track[(along > 0.12) & (along < 0.88) & (aside < 0.06 * length)]
        if len(near) < 4:
            near = np.array([a, b])
        vx, vy, x, y = (
            float(v) for v in np.asarray(cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)).ravel()
        )
        lines.append(np.cross([x, y, 1], [x + vx, y + vy, 1]))
    meets = [np.cross(lines[i - 1], lines[i]) for i in range(4)]
    if any(abs(m[2]) < 1e-9 for m in meets):
        return rough
    corners = np.array([m[:2] / m[2] for m in meets])
    # A side that bends too much to be a line would throw a corner far off.
    limit = 0.1 * np.linalg.norm(rough[0] - rough[2])
    return corners if np.linalg.norm(corners - rough, axis=1).max() < limit else rough


def from_top_left(corners: Floats) -> Floats:
    """The corners clockwise as seen, first the one from which the first side runs most nearly to the right."""
    ordered = corners
    if cv2.contourArea(ordered.astype(np.float32), True) < 0:
        ordered = ordered[::-1]
    sides = np.roll(ordered, -1, axis=0) - ordered
    rightward = sides[:, 0] / np.linalg.norm(sides, axis=1)
    return np.roll(ordered, -int(np.argmax(rightward)), axis=0)


def _nearly_same(one: Floats, other: Floats, shape: tuple[int, ...]) -> bool:
    return bool(np.abs(one - other).max() < 0.02 * max(shape))


def straightened(photo: Photo, corners: Floats, margin_part: float = MARGIN) -> tuple[Picture, Floats]:
    """The quadrilateral from straight above with a margin round it.

    Args:
        photo: where it is seen.
        corners: ``float64 (4, 2)`` in its pixels, in the order of :func:`quads`.
        margin_part: width of the margin, of the longer side.

    Returns:
        ``uint8 (h, w, 3)`` and the homography ``float64 (3, 3)`` from its pixels to those of ``photo``.
    """
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    wide, high = (lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2
    scale = min(FLAT_PX, max(wide, high)) / max(wide, high)
    w, h = wide * scale, high * scale
    margin = margin_part * max(w, h)
    flat = np.array([(0, 0), (w, 0), (w, h), (0, h)], dtype=np.float32) + np.float32(margin)
    # Averaging before sampling keeps hairlines: bring the photo down to the size it is wanted in.
    reduced = photo.reduced(max(1, round(max(photo.height, photo.width) * min(1.0, scale * 1.3))))
    shrunk = reduced.scale / photo.scale
    seen = ((corners + 0.5) * shrunk - 0.5).astype(np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(flat, seen), dtype=np.float64)
    size_wh = (round(w + 2 * margin), round(h + 2 * margin))
    picture = cv2.warpPerspective(
        reduced.bgr, matrix, size_wh, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    grow = np.array([(1 / shrunk, 0, 0.5 / shrunk - 0.5), (0, 1 / shrunk, 0.5 / shrunk - 0.5), (0, 0, 1)])
    return np.asarray(picture, dtype=np.uint8), np.asarray(grow @ matrix, dtype=np.float64)
