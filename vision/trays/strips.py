"""What the pieces of a tray show along their edges, and how alike two edges are.

Every edge of every piece, and every edge of the frame, is cut out as a strip: along it the way runs clockwise round the
piece, downwards it goes into the piece. The frame is treated as a ring of pieces around the tray, so its strips go
outwards. In this form the same half of a creature looks the same wherever it lies, and two halves that belong together
meet at the top rows when one of the strips is turned by half.

Nobody knows the artwork beforehand. What all strips have in common (the groove, the light on a bevel) is taken away,
and so is each piece's own ground, so that what is left is what the edge shows.

On some trays every edge carries one mark of a single colour, at the same place of every strip, and the ground goes on
between the mark and the joint. So the place is found first, as what stands out in nearly all strips; a tray of cut
creatures has no such place. Then each strip is asked for the colour there. Wood, shade and lamp differ from piece to
piece, so lightness counts less than hue.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from solvers.board import Layout
from solvers.edge_matching import Tray
from vision.pictures.lab import converted
from vision.pictures.masks import disc
from vision.pictures.medians import median, medians
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import Placement

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]

LENGTH = 64
"""Samples along an edge: a leg of a printed insect is 1/40 of an edge wide."""

ROWS = 19
"""Samples into the piece, as dense as along the edge: 0.3 edges. A circle that fits into a triangle has a radius of
0.29."""

GROOVE = 0.03
"""What lies nearer to the edge than this may be groove, bevel or shadow, in edges."""

ASIDE = 0.05
"""How far a strip stays away from the ends of its edge at least, in edges: other halves reach over."""

OVERSAMPLED = 1.25
"""Pixels of the reduced photo per sample: enough that sampling loses nothing."""

SHIFTS = (1, 2)
"""Samples that a piece may lie askew, into it and along the edge: 3 % of an edge, the usual play of a piece."""

SOFTENING = 1.2
"""Standard deviation of the blur against what is left of it, in samples."""

GLARING = 0.85
"""What stands out more than this from its ground, in root mean squares of all strips, counts as if it did no more: a
big bright body must not drown the eyes and fins that tell front from back."""

COARSE = 3.5
"""Standard deviation in samples of what is taken off to leave the details; a body is 20 samples wide, a leg 2."""


@dataclass(frozen=True, eq=False)
class Strips:
    """The strips of a tray: first the pieces' (slot by slot, edge by edge), then the frame's.

    Attributes:
        lab: ``float32 (N, ROWS, LENGTH, 3)``, CIE Lab with lightness 0..100.
        ground: ``float32 (N, 3)``: the most usual colour of each.
        pieces: how many of the strips belong to pieces.
    """

    lab: Floats32
    ground: Floats32
    pieces: int

    @cached_property
    def above_ground(self) -> Floats32:
        """How each strip differs from its ground, ``float32 (N, ROWS, LENGTH, 3)``."""
        above: Floats32 = self.lab - self.ground[:, None, None, :]
        return above

    @cached_property
    def shown(self) -> Floats32:
        """The same without what all pieces have in common, softened: what tells one half from another."""
        above = self.above_ground
        common = medians(above[: self.pieces]).astype(np.float32)
        return _blurred((above - common).astype(np.float32), SOFTENING)

    @property
    def details(self) -> Floats32:
        """What is shown with its contrast evened out, without what is wide and soft."""
        shown = self.shown
        contrast = np.linalg.norm(shown, axis=3, keepdims=True)
        most = GLARING * np.sqrt((contrast[:, own_part()] ** 2).mean())
        evened = shown * np.minimum(1, most / np.maximum(contrast, 1e-6))
        details: Floats32 = (evened - _blurred(evened, COARSE)).astype(np.float32)
        return details


def _blurred(strips: Floats32, sigma: float) -> Floats32:
    return np.stack([cv2.GaussianBlur(strip, (0, 0), sigma) for strip in strips]).astype(np.float32)


def own_part() -> npt.NDArray[np.bool_]:
    """Which samples of a strip belong to its edge rather than to its groove or its neighbours, ``(ROWS, LENGTH)``."""
    along = (np.arange(LENGTH) + 0.5) / LENGTH
    into = (np.arange(ROWS) + 0.5)[:, None] / LENGTH
    # About nearer to this edge than to the others: those are below lines that rise by 30 degrees, 1 in 1.7.
    part: npt.NDArray[np.bool_] = (np.minimum(along, 1 - along) - ASIDE > into * 1.5) & (into > GROOVE)
    return part


def cut_strips(photo: Photo, placement: Placement, layout: Layout, tray: Tray) -> Strips:
    """Cut out the strips of a tray.

    Args:
        photo: the picture.
        placement: where the board of ``layout`` lies in it.
        layout: outlines of the slots, clockwise, edge ``e`` from corner ``e`` to ``e + 1``, in the order of the slots.
        tray: which edges lie at the frame.
    """
    points = strip_points(layout, tray)
    corners = placement.to_photo(np.array(layout.corners))
    edge_px = median(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)) / layout.size[0]
    factor = min(1.0, LENGTH * OVERSAMPLED / edge_px)
    small = photo.reduced(max(1, round(max(photo.width, photo.height) * factor)))
    where = placement.scaled(small.width / photo.width).to_photo(points.reshape(-1, 2))
    grid = where.reshape(-1, LENGTH, 2).astype(np.float32)
    x, y = (np.ascontiguousarray(grid[..., axis]) for axis in (0, 1))
    cut = cv2.remap(small.bgr, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    lab = converted(np.asarray(cut, np.float32) / 255, cv2.COLOR_BGR2LAB).reshape(len(points), ROWS, LENGTH, 3)
    ground = medians(lab[:, own_part()], axis=1).astype(np.float32)
    return Strips(lab, ground, tray.slots * tray.sides)


def strip_points(layout: Layout, tray: Tray) -> Floats:
    """The points of all strips in board units, ``(N, ROWS, LENGTH, 2)``."""
    outlines = [np.array(outline) for outline in layout.cells.values()]
    ends = [(outline[e], outline[(e + 1) % tray.sides]) for outline in outlines for e in range(tray.sides)]
    ends += [(ends[s * tray.sides + e][1], ends[s * tray.sides + e][0]) for s, e in tray.outer]
    start, step = np.array([a for a, _ in ends]), np.array([b - a for a, b in ends])
    # Clockwise with y down, the inside is to the right: the direction turned by +90 degrees.
    inward = np.stack([-step[:, 1], step[:, 0]], axis=1)
    along = ((np.arange(LENGTH) + 0.5) / LENGTH)[None, None, :, None]
    into = ((np.arange(ROWS) + 0.5) / LENGTH)[None, :, None, None]
    points: Floats = start[:, None, None] + along * step[:, None, None] + into * inward[:, None, None]
    return points


def similarities(shown: Floats32) -> Floats:
    """How alike every two strips (their details) are, ``(N, N)``: about 0.7 for the same half, 0 for different ones.

    The correlation at the best small shift, less where one shows much more than the other.
    """
    part = own_part()
    count = len(shown)
    flat = shown[:, part].reshape(count, -1)
    shifts = list(product(*(range(-most, most + 1) for most in SHIFTS)))
    moved = np.concatenate([np.roll(shown, shift, axis=(1, 2))[:, part].reshape(count, -1) for shift in shifts])
    # One product of matrices for all shifts: many small ones would spend their time on waking threads.
    products = (flat @ moved.T).astype(np.float64)
    energy, moved_energy = (flat**2).sum(axis=1)[:, None], (moved**2).sum(axis=1)[None]
    low, high = np.minimum(energy, moved_energy), np.maximum(energy, moved_energy) + 1e-6
    each = products / np.sqrt(low * high + 1e-6) * (low / high) ** 0.25
    best = each.reshape(count, len(shifts), count).max(axis=1)
    similarity: Floats = np.maximum(best, best.T).astype(np.float64)
    return similarity


JOINT_ROWS = (1, 4)
"""Rows compared across a joint: near it, but not the first, which the groove darkens."""

JOINT_ENDS = 6
"""Samples at both ends of an edge that other halves may reach into."""

JOINT_SHIFT = 3
"""Samples that two pieces may be shifted against each other along their joint."""


def continuities(shown: Floats32) -> Floats:
    """How well the picture runs on from every strip to every other when their edges meet, ``(N, N)``, -1..1."""
    near = shown[:, JOINT_ROWS[0] : JOINT_ROWS[1]].mean(axis=1)
    near[:, :JOINT_ENDS] = near[:, -JOINT_ENDS:] = 0
    count = len(near)
    flat, turned = near.reshape(count, -1), near[:, ::-1]
    shifts = range(-JOINT_SHIFT, JOINT_SHIFT + 1)
    moved = np.concatenate([np.roll(turned, shift, axis=1).reshape(count, -1) for shift in shifts])
    energy = np.sqrt((flat**2).sum(axis=1))
    product = (flat @ moved.T).reshape(count, len(shifts), count).max(axis=1)
    continuity = np.maximum(product, product.T) / (energy[:, None] * energy[None] + 1e-6)
    on: Floats = continuity.astype(np.float64)
    return on


def sheet(strips: Strips, order: Sequence[int], columns: int = 10) -> Picture:
    """The strips side by side, for looking at, ``uint8 BGR``."""
    tiles = [cv2.cvtColor(strips.lab[k], cv2.COLOR_LAB2BGR) * 255 for k in order]
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % columns)
    framed = [np.pad(tile, ((2, 2), (2, 2), (0, 0)), constant_values=255) for tile in tiles]
    rows = [np.hstack(framed[k : k + columns]) for k in range(0, len(framed), columns)]
    return np.asarray(np.clip(np.vstack(rows), 0, 255), dtype=np.uint8)


# --- marks ------------------------------------------------------------------------------------------------------------

STANDS_OUT = 0.5
"""Where the strips stand out on average at least this much of the most: the middle of a mark."""

SMALLEST, LARGEST = 0.004, 0.06
"""Area of a mark in squares of an edge: dots 0.07 to 0.27 wide."""

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

    def similarities(self) -> Floats:
        """How alike the colours of every two marks are, ``(N, N)``: 1 for the same, 0.5 at ``APART``, falling to 0."""
        vividness = np.hypot(self.lab[:, 1], self.lab[:, 2])[:, None]
        hue = self.lab[:, 1:] * np.sqrt(VIVID / (VIVID + vividness))
        weighted = np.hstack([LIGHTNESS * self.lab[:, :1], hue])
        apart = np.linalg.norm(weighted[:, None] - weighted[None], axis=2)
        similarity: Floats = 1 / (1 + (apart / APART) ** 2)
        return similarity


def find_marks(strips: Strips) -> Marks | None:
    """The marks of all strips, or None where the strips have no common place for one."""
    contrast = np.linalg.norm(strips.above_ground, axis=3).astype(np.float32)
    place = _common_place(contrast[: strips.pieces])
    if place is None:
        return None
    colours = np.array([_colour_at(lab, strip, *place) for lab, strip in zip(strips.lab, contrast, strict=True)])
    at_mark = np.linalg.norm(colours - strips.ground, axis=1)
    clear = float((at_mark > CONTRAST).mean())
    # Where creatures are cut, something stands out at the joint about as much as at the mark.
    near = contrast[:, JOINT_ROWS[0] : JOINT_ROWS[1] + 1, LENGTH // 4 : -LENGTH // 4]
    at_joint = np.percentile(near.reshape(len(near), -1), 85, axis=1)
    cut = (at_joint > 0.5 * at_mark).mean()
    return Marks(colours, clear) if clear >= CLEAR and cut < CUT else None


def _common_place(contrast: Floats32) -> tuple[Floats32, int, int] | None:
    """The core of the marks as weights ``(h, w)``, and the row and the column of its middle."""
    part = own_part()
    usual = np.where(part, np.minimum(contrast, 4 * CONTRAST).mean(axis=0), 0).astype(np.float32)
    ground = median(usual[part])
    out = usual > ground + STANDS_OUT * (float(usual.max()) - ground)
    count, labels, stats, middles = cv2.connectedComponentsWithStats(out.astype(np.uint8))
    if count < 2:
        return None
    biggest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    area = stats[biggest, cv2.CC_STAT_AREA] / LENGTH**2
    x, y = middles[biggest]
    if not SMALLEST < area < LARGEST or (labels[0] == biggest).any():
        return None
    radius = max(1, round(0.6 * np.sqrt(stats[biggest, cv2.CC_STAT_AREA] / np.pi)))
    core = disc(2 * radius + 1).astype(np.float32)
    return core / core.sum(), round(float(y)), round(float(x))


def _colour_at(lab: Floats32, contrast: Floats32, core: Floats32, row: int, column: int) -> Floats:
    """The median colour of the core where it covers most contrast, near its usual place."""
    covered = cv2.filter2D(contrast, -1, core)
    reach = core.shape[0] // 2
    rows = slice(max(reach, row - PLAY), min(ROWS - reach, row + PLAY + 1))
    columns = slice(max(reach, column - PLAY), min(LENGTH - reach, column + PLAY + 1))
    window = covered[rows, columns]
    dy, dx = divmod(int(window.argmax()), window.shape[1])
    y, x = rows.start + dy, columns.start + dx
    patch = lab[y - reach : y + reach + 1, x - reach : x + reach + 1]
    return medians(patch[core > 0]).astype(np.float64)
