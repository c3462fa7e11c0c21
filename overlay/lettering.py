"""Text on cells, lying in the board's own plane.

Pillow draws the letters with the font it brings along: OpenCV's own letters look different from version to version.
"""

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from overlay.canvas import Canvas, Mask, Window, coverage
from overlay.inks import contrasting
from solvers.marks import Text

FONT_PX = 96
"""Letters are drawn once at this height and then laid onto the board."""

WIDEST = 0.86
"""A text wider than this part of a cell is made smaller."""

RIM = 0.09
"""Width of the contrasting rim around letters, as a part of their height."""


def paint_text(canvas: Canvas, text: Text) -> None:
    """Draw a text in its cell with a contrasting rim."""
    if not text.text:
        return
    letters, rim = _letters(text.text)
    x, y = canvas.layout.centre(text.cell)
    at = (x + text.off[0], y + text.off[1])
    height, width = letters.shape
    size = min(text.size / FONT_PX, WIDEST / width)
    to_photo = _onto_board(canvas, at, size, (width, height))
    corners = np.array([(0, 0, 1), (width, 0, 1), (width, height, 1), (0, height, 1)], dtype=np.float64) @ to_photo.T
    window = canvas.window(corners)
    if 0 in window.shape:
        return
    colour = canvas.inks.colour(text.ink)
    canvas.blend(window, _laid(rim, to_photo, window), contrasting(colour))
    canvas.blend(window, _laid(letters, to_photo, window), colour)


def _onto_board(
    canvas: Canvas, at: tuple[float, float], size: float, text_wh: tuple[int, int]
) -> npt.NDArray[np.float64]:
    """The affine map ``(2, 3)`` from the drawn letters to the photo; ``size`` is board units per pixel of theirs."""
    frame = canvas.frame(at) * size
    centre = canvas.points([at])[0]
    offset = centre - frame @ (np.array(text_wh) / 2)
    return np.column_stack([frame, offset])


def _laid(mask: npt.NDArray[np.uint8], to_photo: npt.NDArray[np.float64], window: Window) -> Mask:
    shifted = to_photo.copy()
    shifted[:, 2] -= (window.left, window.top)
    rows, cols = window.shape
    scale = float(np.sqrt(abs(np.linalg.det(shifted[:, :2]))))
    if scale < 0.5:  # sampling would skip strokes: average first
        factor = max(scale, 1e-3)
        small = cv2.resize(mask, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        shifted[:, 0] *= mask.shape[1] / small.shape[1]
        shifted[:, 1] *= mask.shape[0] / small.shape[0]
        mask = np.asarray(small, dtype=np.uint8)
    laid = cv2.warpAffine(mask, shifted, (cols, rows), flags=cv2.INTER_LINEAR)
    return coverage(laid / 255)


@lru_cache(maxsize=512)
def _letters(text: str) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """The letters and the letters with a rim, both ``uint8 (h, w)``, 255 where ink is."""
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415  (most answers have no text)

    font = ImageFont.load_default(FONT_PX)
    pad = round(FONT_PX * RIM * 2)
    left, top, right, bottom = font.getbbox(text)
    size = (int(right - left) + 2 * pad, int(bottom - top) + 2 * pad)
    image = Image.new("L", size)
    ImageDraw.Draw(image).text((pad - left, pad - top), text, fill=255, font=font)
    letters = np.asarray(image)
    radius = round(FONT_PX * RIM)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    return letters, np.asarray(cv2.dilate(letters, disc), dtype=np.uint8)
