"""Dots and other single-coloured marks on the edges of pieces: where they sit, and how alike their colours are.

On such a tray every edge carries one mark, at the same place of every strip, and the ground goes on between the mark
and the joint. So the place is found first, as what stands out in nearly all strips; a tray of cut creatures has no such
place. Then each strip is asked for the colour there. Wood, shade and lamp differ from piece to piece, so lightness
counts less than hue.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.medians import median, medians
from vision.trays.strips import JOINT_ROWS, LENGTH, ROWS, Floats32, Strips, own_part

Floats = npt.NDArray[np.float64]

STANDS_OUT = 0.5
"""Where the strips stand out on average at least this much of the most: the middle of a mark."""

SMALLEST, LARGEST = 0.004, 0.06
"""Area of a mark in squares of an edge: dots 0.07 to 0.27 wide."""

OFF_MIDDLE = 0.12
"""How far a mark may sit from the middle of its edge, in edges."""

PLAY = 4
"""Samples that a mark may lie off its place: marks on the frame sit a little deeper or flatter than those on pieces."""

CLEAR = 0.8
"""The part of all strips that must have their mark: one in five may be hidden by glare or have the ground's colour."""

CUT = 0.65
"""The part of all strips with something at the joint from which on it is creatures, which are cut, and not dots: the
groove alone makes it up to 0.5, creatures more than 0.8."""

CONTRAST = 8.0
"""How much a mark differs from its ground in units of Lab; 2 can just be seen, wood grain reaches 6."""

LIGHTNESS = 0.4
"""How much lightness counts against hue: shade and sheen change it, but black and white differ in nothing else."""

VIVID = 20.0
"""From this much colour on (Lab), more counts ever less: one blue paint reached from 21 in shade to 43 in light."""

APART = 12.0
"""Difference of two colours, lightness so weighted, at which they are as likely the same paint as not."""


@dataclass(frozen=True, eq=False)
class Marks:
    """The marks of a tray's strips.

    Attributes:
        lab: ``float64 (N, 3)``, the colour of each.
        clear: the part of the strips in which a mark was seen, 0..1.
    """

    lab: Floats
    clear: float

    def evened(self, ground_lab: npt.ArrayLike, where: npt.ArrayLike) -> "Marks":
        """The marks as an even light would show them.

        The light is told by the grounds: over all strips the logarithm of their lightness is fitted by a plane. Woods
        differ from piece to piece, so the plane is only roughly right: worth a second try, not a first.

        Args:
            ground_lab: colours of the strips' grounds ``(N, 3)``.
            where: places of the strips on the board ``(N, 2)``.
        """
        # Lightness and colour in Lab are about the cube root of the light, lightness less 16.
        light = np.log(np.asarray(ground_lab, dtype=np.float64)[:, 0] + 16)
        place = np.column_stack([np.ones(len(light)), np.asarray(where, dtype=np.float64)])
        plane = place @ np.linalg.lstsq(place, light, rcond=None)[0]
        gain = np.exp(plane.mean() - plane)[:, None]
        shift = np.array([16.0, 0, 0])
        return Marks((self.lab + shift) * gain - shift, self.clear)

    def alikeness(self) -> Floats:
        """How alike the colours of every two marks are, ``(N, N)``: 1 for the same, 0.5 at ``APART``, falling to 0."""
        vividness = np.hypot(self.lab[:, 1], self.lab[:, 2])[:, None]
        hue = self.lab[:, 1:] * np.sqrt(VIVID / (VIVID + vividness))
        weighted = np.hstack([LIGHTNESS * self.lab[:, :1], hue])
        apart = np.linalg.norm(weighted[:, None] - weighted[None], axis=2)
        alike: Floats = 1 / (1 + (apart / APART) ** 2)
        return alike


def find_marks(strips: Strips) -> Marks | None:
    """The marks of all strips, or None where the strips have no common place for one."""
    contrast = np.linalg.norm(strips.above_ground, axis=3).astype(np.float32)
    place = _common_place(contrast[: strips.pieces])
    if place is None:
        return None
    core, (row, column) = place
    colours, seen = [], 0
    for lab, ground, strip in zip(strips.lab, strips.ground, contrast, strict=True):
        colour = _colour_at(lab, strip, core, row, column)
        colours.append(colour)
        seen += bool(np.linalg.norm(colour - ground) > CONTRAST)
    clear = seen / len(colours)
    found = Marks(np.array(colours, dtype=np.float64), clear)
    return found if clear >= CLEAR and _crossing(found, strips, contrast) < CUT else None


def _crossing(marks: Marks, strips: Strips, contrast: Floats32) -> float:
    """The part of the strips in which something stands out at the joint about as much as at the mark."""
    near = contrast[:, JOINT_ROWS[0] : JOINT_ROWS[1] + 1, LENGTH // 4 : -LENGTH // 4]
    at_joint = np.percentile(near.reshape(len(near), -1), 85, axis=1)
    at_mark = np.linalg.norm(marks.lab - strips.ground, axis=1)
    return float((at_joint > 0.5 * at_mark).mean())


def _common_place(contrast: Floats32) -> tuple[Floats32, tuple[int, int]] | None:
    """The core of the marks as weights ``(h, w)``, and its place (row, column of its middle)."""
    part = own_part(aside=0.06)
    usual = np.where(part, np.minimum(contrast, 4 * CONTRAST).mean(axis=0), 0).astype(np.float32)
    ground = median(usual[part])
    out = usual > ground + STANDS_OUT * (float(usual.max()) - ground)
    count, labels, stats, middles = cv2.connectedComponentsWithStats(out.astype(np.uint8))
    if count < 2:
        return None
    biggest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    area = stats[biggest, cv2.CC_STAT_AREA] / LENGTH**2
    x, y = middles[biggest]
    inner = not (labels[0] == biggest).any()
    if not (SMALLEST < area < LARGEST and abs(x / LENGTH - 0.5) < OFF_MIDDLE and inner):
        return None
    radius = max(1, round(0.6 * np.sqrt(stats[biggest, cv2.CC_STAT_AREA] / np.pi)))
    core = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1)).astype(np.float32)
    return core / core.sum(), (round(float(y)), round(float(x)))


def _colour_at(lab: Floats32, contrast: Floats32, core: Floats32, row: int, column: int) -> Floats:
    """The median colour of the core where it covers most contrast, near its usual place."""
    covered = cv2.filter2D(contrast, -1, core)
    reach = core.shape[0] // 2
    rows = slice(max(reach, row - PLAY), min(ROWS - reach, row + PLAY + 1))
    columns = slice(max(reach, column - PLAY), min(LENGTH - reach, column + PLAY + 1))
    window = covered[rows, columns]
    dy, dx = np.unravel_index(int(window.argmax()), window.shape)
    y, x = rows.start + int(dy), columns.start + int(dx)
    patch = lab[y - reach : y + reach + 1, x - reach : x + reach + 1]
    colour: Floats = medians(patch[core[: len(patch)] > 0]).astype(np.float64)
    return colour
