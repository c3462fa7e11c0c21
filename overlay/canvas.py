"""The picture being painted on, and the board it shows: lengths and outlines in pixels, and blending.

Painters work in a window around what they paint, in floating point, and blend through a mask, so edges are smooth
(anti-aliased) and nothing outside the mask changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from overlay.inks import Inks, Rgb
from solvers.board import Cell, Layout, Point
from vision.pictures.photo import Picture
from vision.pictures.placement import Placement, Points

Mask = npt.NDArray[np.float32]
"""``float32 (h, w)``, how much of each pixel is covered, 0..1."""

SUBPIXEL_BITS = 4
"""OpenCV draws on a grid of 1/16 pixel when told so."""

EDGE_STEPS = 8
"""Points along each side of an outline, so that bent and tilted sides stay true."""


SPARSE = 0.3
"""A mask that covers less than this part of its window, such as a border, is laid on pixel by pixel."""


@dataclass(frozen=True)
class Window:
    """A rectangle of the picture: rows ``top..bottom``, columns ``left..right`` (ends excluded)."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """For indexing a picture."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns; ``(0, 0)`` for a window off the picture."""
        return max(0, self.bottom - self.top), max(0, self.right - self.left)


@dataclass(frozen=True, eq=False)
class Canvas:
    """A new picture in the making.

    Attributes:
        bgr: the picture painted so far, ``uint8 (H, W, 3)``; painters change it through :meth:`blend` only.
        source: the picture before anything was painted.
        layout: the board's cells.
        placement: where the board lies in the picture.
        inks: the colours of marks.
    """

    bgr: Picture
    source: Picture
    layout: Layout
    placement: Placement
    inks: Inks

    def points(self, board: Sequence[Point]) -> Points:
        """Pixels of points in board units."""
        return self.placement.to_photo(board)

    def outline(self, cell: Cell, inset: float = 0.0) -> Points:
        """A cell's outline in pixels, its sides finely divided; ``inset`` shrinks it towards its middle (0..1)."""
        return self.outlines([cell], inset)[0]

    def outlines(self, cells: Sequence[Cell], inset: float = 0.0) -> list[Points]:
        """The same for many cells."""
        corners = [self.layout.cells[cell] for cell in cells]
        if len({len(of_one) for of_one in corners}) == 1:  # most often: all at once is several times as fast
            boards = _divided(np.asarray(corners, dtype=np.float64), inset)
            return list(self.placement.to_photo(boards.reshape(-1, 2)).reshape(boards.shape))
        apart = [_divided(np.asarray([of_one], dtype=np.float64), inset)[0] for of_one in corners]
        ends = np.cumsum([len(board) for board in apart])
        return np.split(self.placement.to_photo(np.concatenate(apart)), ends[:-1])

    def centre(self, cell: Cell) -> npt.NDArray[np.float64]:
        """The middle of a cell in pixels, ``(x, y)``."""
        middle: npt.NDArray[np.float64] = self.placement.to_photo([self.layout.centre(cell)])[0]
        return middle

    def frame(self, at: Point) -> npt.NDArray[np.float64]:
        """How the board lies around a point, ``(2, 2)``: its columns are the pixels per board unit right and down."""
        x, y = at
        step = 0.25
        right, left, down, up = self.points([(x + step, y), (x - step, y), (x, y + step), (x, y - step)])
        return np.column_stack([right - left, down - up]) / (2 * step)

    def side_px(self, at: Point) -> float:
        """The side of a cell around a point of the board, in pixels: the root of its area."""
        return float(self.sides_px([at])[0])

    def sides_px(self, points: Sequence[Point]) -> npt.NDArray[np.float64]:
        """The same around many points, ``float64 (N,)``."""
        at, step = np.asarray(points, dtype=np.float64), 0.25
        apart = [(step, 0), (-step, 0), (0, step), (0, -step)]
        right, left, down, up = self.placement.to_photo((at + np.array(apart)[:, None]).reshape(-1, 2)).reshape(
            4, -1, 2
        )
        (ax, ay), (bx, by) = ((right - left) / (2 * step)).T, ((down - up) / (2 * step)).T
        return np.asarray(np.sqrt(np.abs(ax * by - ay * bx)), dtype=np.float64)

    def window(self, points_px: Points, margin_px: float = 2.0) -> Window:
        """The part of the picture around some points."""
        height, width = self.bgr.shape[:2]
        low = np.floor(points_px.min(axis=0) - margin_px).astype(int)
        high = np.ceil(points_px.max(axis=0) + margin_px).astype(int) + 1
        left, right = int(np.clip(low[0], 0, width)), int(np.clip(high[0], 0, width))
        top, bottom = int(np.clip(low[1], 0, height)), int(np.clip(high[1], 0, height))
        return Window(left, top, right, bottom)

    def blend(self, window: Window, mask: Mask, colour: "Rgb | Picture | npt.NDArray[np.float32]") -> None:
        """Lay a colour (or a window full of blue, green, red values) over the picture where ``mask`` covers it."""
        lay(self.bgr[window.slices], mask, colour)


def lay(part: Picture, mask: Mask, colour: "Rgb | Picture | npt.NDArray[np.float32]") -> None:
    """Lay a colour, or a picture of the same size, over ``part`` where ``mask`` covers it; changes ``part``."""
    whole = (mask >= 1).view(np.uint8)
    rim = (mask > 0).view(np.uint8) ^ whole
    if cv2.countNonZero(rim) >= SPARSE * mask.size:
        # Colour by colour: an inner loop over three channels would take five times as long.
        full = np.array(colour[::-1], np.float32)[:, None, None] if isinstance(colour, tuple) else planes(colour)
        part[...] = cv2.merge(list(_mixed(planes(part), full, mask).astype(np.uint8)))
        return
    # Most of what is covered is covered whole, where there is nothing to mix.
    at = pixels_of(rim)
    over = np.array(colour[::-1], np.float32) if isinstance(colour, tuple) else colour[at].astype(np.float32)
    part[at] = _mixed(part[at].astype(np.float32), over, mask[at][:, None]).astype(np.uint8)
    if whole.any():
        cv2.copyTo(_opaque(colour, part), whole, part)


def pixels_of(mask: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Rows and columns of what is not 0."""
    # Where there is none, OpenCV returns nothing at all.
    xy = np.asarray(cv2.findNonZero(mask) if mask.any() else [], dtype=np.int32).reshape(-1, 2)
    return xy[:, 1], xy[:, 0]


def _opaque(colour: "Rgb | Picture | npt.NDArray[np.float32]", like: Picture) -> Picture:
    """A window full of the colour, rounded as what is mixed is."""
    if isinstance(colour, tuple):
        # A row repeated is many times as fast as a pixel repeated.
        row = np.full((1, like.shape[1], 3), colour[::-1], np.uint8)
        return np.repeat(row, len(like), axis=0)
    rounded = colour if colour.dtype == np.uint8 else np.rint(np.clip(colour, 0, 255))
    return np.asarray(rounded, dtype=np.uint8)


def _mixed(
    here: npt.NDArray[np.float32], over: npt.NDArray[np.float32], mask: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """Colours ``over`` laid on those that are ``here``, as much as the mask says, rounded."""
    # Where nothing is covered the pixels stay exactly as they are: x + 0 * (y - x), rounded.
    mixed = here + mask * (over - here)
    return np.rint(np.clip(mixed, 0, 255, out=mixed), out=mixed)


def planes(bgr: "Picture | npt.NDArray[np.float32]") -> npt.NDArray[np.float32]:
    """A picture ``(h, w, 3)`` as ``float32 (3, h, w)``."""
    return np.ascontiguousarray(bgr.transpose(2, 0, 1), dtype=np.float32)


def _divided(corners: npt.NDArray[np.float64], inset: float) -> npt.NDArray[np.float64]:
    """Outlines ``(N, corners, 2)`` with points along their sides, each shrunk towards its middle."""
    steps = np.linspace(0, 1, EDGE_STEPS, endpoint=False)[:, None]
    ends = np.roll(corners, -1, axis=1)
    board = (corners[:, :, None] + (ends - corners)[:, :, None] * steps).reshape(len(corners), -1, 2)
    middle = corners.mean(axis=1, keepdims=True)
    return np.asarray(middle + (board - middle) * (1 - inset), dtype=np.float64)


def coverage(amount: npt.ArrayLike) -> Mask:
    """A mask of these amounts, limited to 0..1."""
    return np.asarray(np.clip(amount, 0, 1), dtype=np.float32)


def polygon_mask(window: Window, polygons_px: Sequence[Points]) -> Mask:
    """What polygons cover of a window, with smooth edges."""
    return coverage(_filled(window, polygons_px, cv2.LINE_AA) / 255)


def polygon_inside(window: Window, polygons_px: Sequence[Points]) -> Picture:
    """255 inside polygons and 0 elsewhere; not smoothed, so that neighbouring cells leave no seam between them."""
    return _filled(window, polygons_px, cv2.LINE_8)


def _filled(window: Window, polygons_px: Sequence[Points], line: int) -> Picture:
    mask = np.zeros(window.shape, dtype=np.uint8)
    for polygon in polygons_px:
        cv2.fillPoly(mask, [_fixed_point(polygon, window)], 255, lineType=line, shift=SUBPIXEL_BITS)
    return mask


def line_masks(window: Window, points_px: Points, thicknesses_px: Sequence[float]) -> list[Mask]:
    """What lines of some thicknesses with round ends, all through the same points, cover of a window."""
    # Distance to the line gives any thickness and smooth edges; OpenCV's own lines are whole pixels thick.
    away = np.full(window.shape, 255, dtype=np.uint8)
    cv2.polylines(away, [_fixed_point(points_px, window)], False, 0, 1, lineType=cv2.LINE_8, shift=SUBPIXEL_BITS)
    distance = cv2.distanceTransform(away, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return [coverage(thickness / 2 + 0.5 - distance) for thickness in thicknesses_px]


def _fixed_point(points_px: Points, window: Window) -> npt.NDArray[np.int32]:
    shifted = (points_px - (window.left, window.top)) * (1 << SUBPIXEL_BITS)
    return np.rint(shifted).astype(np.int32).reshape(-1, 1, 2)
