"""Finding ruled and tiled boards: where a regular grid of nearly square cells lies in a picture.

Many puzzles are played on a grid, and apps draw it in many ways: thin, thick, dotted or dashed lines, tiles with gaps
and round corners, coloured regions that only meet, or placed patches that hide the lines inside them. What all of them
share is that straight edges stand at *regular distances*. So nothing is assumed about colours or line styles:

1. *Edges*: contrast across x (upright edges) and across y (level edges), averaged along the edge over a short stroke,
   so that dots and dashes join and letters fade. (:func:`edge_strength`)
2. *Boxes*: connected heaps of strong edges, for a few strengths of edge and a few reaches of connection. A faint dotted
   grid appears at low strength only; on a busy background a strong grid appears alone at high strength.
3. *Pitch*: the periodogram of each box's edge profile. Its peaks are the spacings at which edges recur, and where
   they start; this needs no line to be complete and measures the number of rows and columns.
4. *Sides*: for each side of each cell of such a lattice, how much of it shows an edge. From these follow the extent of
   the board, its outline where cells are missing, and a score.

Axis-aligned pictures (screenshots, rectified photos) only; :mod:`vision.quads` turns photos into such.

References:
    [1] R. N. Bracewell, The Fourier Transform and Its Applications, 3rd ed., 2000, ch. 10 (the comb and its transform).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.photo import Photo, Picture
from vision.placement import FlatPlacement
from vision.trace import Trace

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

WORK_PX = 1280
"""Longest side at which boards are searched: a phone's 1080 px width keeps 600, so 50 columns still have 12 px each."""

STROKE_PX = 9
"""Edges are averaged over this length: just below the smallest cell, so a cell's side counts whole."""

MIN_CELL_PX = 10
"""Smallest cell in the working picture; below it no digit could be read anyway."""

STRENGTHS = (50, 20, 8, 3)
"""Contrasts (grey levels of 255) at which edges are looked for, strongest first: from ink on paper to the faint
dotted lines of a pale theme. A ladder with a step of 2.5: some rung lies between a grid and its clutter."""

REACHES = (0.0, 0.006, 0.02)
"""How far apart edges may lie and still form one heap, as parts of the working picture's longer side: touching lines,
tiles with narrow gaps, tiles with wide gaps."""

MIN_BOX = 0.1
"""Smallest board side as a part of the picture's shorter side."""

MAX_ASPECT = 5.0
"""Boards longer than this are rows of buttons or keyboards."""

CELL_RATIO = (0.8, 1.25)
"""Cells are nearly square: pitch across to pitch down (character cells of terminals reach 1.15)."""

NEAR = 0.12
"""An edge belongs to a lattice line within this part of the pitch: half of the widest gap between tiles."""

SIDE_SEEN = 0.5
"""A side of a cell counts as seen when an edge shows along this part of it: digits and badges may cover the rest."""

SIDE_ENDS = 0.15
"""This part of a side is ignored at each end: round corners, crossing lines."""

MIN_LINES = 4
"""Rows and columns that make a board at least: on fewer, any three boxes in a row look like a board."""

MAX_LINES = 60
"""Rows or columns that make a board at most (the largest published boards have 50)."""

GOOD = 0.85
"""A grid with this score is not searched for at weaker contrasts any more."""


@dataclass(frozen=True, eq=False)
class GridGuess:
    """A place where a grid may lie.

    Attributes:
        placement: maps the grid's board units (cells) to pixels of the photo that was searched.
        rows: number of rows of the box around the board.
        cols: number of columns.
        score: 0..1, how much of a regular grid was seen.
        explained: 0..1, the part of all edges inside the grid that lies on its lines; 0 is as much as by chance.
        upright: ``float64 (rows, cols + 1)``, 0..1: how much of the side between cells ``(r, c - 1)`` and ``(r, c)``
            shows an edge.
        level: ``float64 (rows + 1, cols)``, the same for the side between ``(r - 1, c)`` and ``(r, c)``.
        inside: ``bool (rows, cols)``: the cell cannot be reached from outside without crossing a seen side. False where
            an irregular board has no cell.
    """

    placement: FlatPlacement
    rows: int
    cols: int
    score: float
    explained: float
    upright: Floats
    level: Floats
    inside: Bools

    @property
    def corners_px(self) -> Floats:
        """``float64 (4, 2)``: top left, top right, bottom right, bottom left, in pixels."""
        return self.placement.to_photo([(0, 0), (self.cols, 0), (self.cols, self.rows), (0, self.rows)])

    def scaled(self, factor: float) -> "GridGuess":
        """The same grid in the picture enlarged by ``factor``."""
        return replace(self, placement=self.placement.scaled(factor))


def find_grids(photo: Photo, trace: Trace | None = None) -> list[GridGuess]:
    """Axis-aligned grids in a picture, best first, in pixels of ``photo``; computed once for each picture.

    The first guess is usually the board, others are weaker readings of the same place (a part of it, another pitch) or
    other boards on the page. An empty list says that there is no grid.
    """
    guesses = photo.derive(_find_grids)
    if trace is not None:
        for guess in guesses[:3]:
            trace.note(f"grid {guess.rows} x {guess.cols}, score {guess.score:.2f}")
        trace.picture("grids", lambda: draw_guesses(photo, guesses[:3]))
    return list(guesses)


def draw_guesses(photo: Photo, guesses: list[GridGuess]) -> Picture:
    """A stage picture: the best guess in green, the next ones in orange and red."""
    canvas = photo.bgr.copy()
    thick = max(1, round(max(canvas.shape) / 800))
    for guess, colour in reversed(list(zip(guesses, [(0, 200, 0), (0, 140, 255), (0, 0, 255)], strict=False))):
        for row in range(guess.rows + 1):
            ends = guess.placement.to_photo([(0, row), (guess.cols, row)]).round().astype(int)
            cv2.line(canvas, ends[0].tolist(), ends[1].tolist(), colour, thick)
        for col in range(guess.cols + 1):
            ends = guess.placement.to_photo([(col, 0), (col, guess.rows)]).round().astype(int)
            cv2.line(canvas, ends[0].tolist(), ends[1].tolist(), colour, thick)
    return canvas


def _find_grids(photo: Photo) -> list[GridGuess]:
    work = photo.reduced(WORK_PX)
    upright, level = edge_strength(work.bgr)
    guesses: list[GridGuess] = []
    for strength in STRENGTHS:
        for box in _boxes(upright, level, strength):
            guesses += _fit(upright, level, strength, box)
        if any(g.score >= GOOD for g in guesses):
            break
    factor = photo.scale / work.scale
    return [guess.scaled(factor) for guess in distinct(guesses)]


def distinct(guesses: list[GridGuess], at_most: int = 8) -> list[GridGuess]:
    """The guesses, best first, without those that say the same as a better one."""
    kept: list[GridGuess] = []
    for guess in sorted(guesses, key=_rank, reverse=True):
        if len(kept) == at_most:
            break
        if not any(_same(guess, other) for other in kept):
            kept.append(guess)
    return kept


def _rank(guess: GridGuess) -> float:
    """The score, with a small bonus for size: a part of a board looks as regular as the board itself."""
    (x0, y0), _, (x1, y1), _ = guess.corners_px
    return guess.score * float(max(1.0, (x1 - x0) * (y1 - y0)) ** 0.1)


def _same(one: GridGuess, other: GridGuess) -> bool:
    if (one.rows, one.cols) != (other.rows, other.cols):
        return False
    cell_px = abs(one.placement.matrix[0, 0])
    return bool(np.abs(one.corners_px - other.corners_px).max() < cell_px / 2)


def edge_strength(bgr: Picture) -> tuple[Picture, Picture]:
    """Contrast across x and across y at each pixel, averaged along the edge.

    Args:
        bgr: ``uint8 (H, W, 3)``.

    Returns:
        ``upright, level``: ``uint8 (H, W)`` each, the largest mean difference in any colour channel between the two
        neighbours of a pixel, over a stroke of ``STROKE_PX``. Coloured regions of the same grey differ in a channel.
    """
    across_x = cv2.absdiff(bgr[:, 2:], bgr[:, :-2])
    across_y = cv2.absdiff(bgr[2:], bgr[:-2])
    upright = _largest_channel(cv2.blur(across_x, (1, STROKE_PX)))
    level = _largest_channel(cv2.blur(across_y, (STROKE_PX, 1)))
    return (
        np.asarray(cv2.copyMakeBorder(upright, 0, 0, 1, 1, cv2.BORDER_CONSTANT), dtype=np.uint8),
        np.asarray(cv2.copyMakeBorder(level, 1, 1, 0, 0, cv2.BORDER_CONSTANT), dtype=np.uint8),
    )


def _largest_channel(picture: cv2.typing.MatLike) -> Picture:
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)


# ---------------------------------------------------------------------------------------------------------------------
# Boxes: heaps of edges that may be boards

Box = tuple[int, int, int, int]
"""``x0, y0, x1, y1`` in pixels of the working picture, the end excluded."""


def _boxes(upright: Picture, level: Picture, strength: int) -> list[Box]:
    """Boxes around heaps of edges of at least this strength, large ones first."""
    height, width = upright.shape
    # Half size is enough to see what hangs together, and four times as fast.
    strong = cv2.max(upright, level)[: height // 2 * 2, : width // 2 * 2]
    small = strong.reshape(height // 2, 2, width // 2, 2).max(axis=(1, 3))
    mask = np.asarray(small > strength, dtype=np.uint8)
    smallest = max(MIN_LINES * MIN_CELL_PX, MIN_BOX * min(height, width)) / 2
    found: list[Box] = []
    for reach in REACHES:
        size = 2 * round(reach * max(mask.shape) / 2) + 1
        heap = mask if size == 1 else cv2.dilate(mask, np.ones((size, size), np.uint8))
        stats = cv2.connectedComponentsWithStats(heap, connectivity=8)[2].reshape(-1, 5)
        grown = size // 2
        for x, y, w, h, _ in stats[1:].tolist():
            if min(w, h) >= smallest and max(w, h) <= MAX_ASPECT * min(w, h):
                shrunk = (x + grown, y + grown, x + w - grown, y + h - grown)
                x0, y0, x1, y1 = (2 * v for v in shrunk)
                found.append((max(0, x0), max(0, y0), min(width, x1 + 2), min(height, y1 + 2)))
    found.sort(key=lambda b: (b[0] - b[2]) * (b[3] - b[1]))
    kept: list[Box] = []
    for box in found:
        if all(max(abs(a - b) for a, b in zip(box, other, strict=True)) > MIN_CELL_PX / 2 for other in kept):
            kept.append(box)
    return kept[:10]


# ---------------------------------------------------------------------------------------------------------------------
# Pitch: how often edges recur


@dataclass(frozen=True)
class Comb:
    """Equally spaced places along a line: ``start + k * pitch``; ``weight`` 0..1 says how well edges agree with it."""

    pitch: float
    start: float
    weight: float

    def places(self, length: int) -> Floats:
        """The places from just before 0 to just after ``length``."""
        slack = NEAR * 2 * self.pitch
        first = np.ceil((-slack - self.start) / self.pitch)
        last = np.floor((length - 1 + slack - self.start) / self.pitch)
        return np.asarray(self.start + self.pitch * np.arange(first, last + 1), dtype=np.float64)


def combs(profile: Floats, at_most: int = 10) -> list[Comb]:
    """The spacings at which a profile recurs, best first.

    Args:
        profile: ``float64 (N,)``, not negative: how much edge there is at each place.
        at_most: how many to return.

    Returns:
        Peaks of the profile's periodogram [1] between ``MIN_CELL_PX`` and ``N / MIN_LINES``.
    """
    # What lies under the median is no line: text and texture that fill the whole box.
    excess = np.maximum(profile - np.median(profile), 0)
    total = float(excess.sum())
    if total <= 0:
        return []
    length = 1 << 14
    spectrum = np.fft.rfft(excess, length)
    weight = np.abs(spectrum) / total
    low = max(2, int(length * (MIN_LINES - 0.5) / len(profile)))
    high = min(len(weight) - 2, int(length / MIN_CELL_PX))
    if high <= low:
        return []
    at = np.arange(low, high)
    peaks = at[(weight[at] > weight[at - 1]) & (weight[at] >= weight[at + 1])]
    best = peaks[np.argsort(-weight[peaks])][:at_most]
    result = []
    for i in best.tolist():
        pitch = length / i
        start = (-float(np.angle(spectrum[i])) / (2 * np.pi) * pitch) % pitch
        result.append(Comb(pitch, start, float(weight[i])))
    return result


def _pairs(profile_x: Floats, profile_y: Floats) -> Iterator[tuple[Comb, Comb]]:
    """Combs across and down whose cells are nearly square, likeliest first."""
    across, down = combs(profile_x), combs(profile_y)
    low, high = CELL_RATIO
    fitting = [(x, y) for x in across for y in down if low < x.pitch / y.pitch < high]
    # A lattice of half the pitch explains every edge too, with half of its lines unseen: prefer the wider one a little.
    fitting.sort(key=lambda xy: -xy[0].weight * xy[1].weight * (xy[0].pitch * xy[1].pitch) ** 0.125)
    yield from fitting[:4]


# ---------------------------------------------------------------------------------------------------------------------
# Sides: what is seen of each cell's sides


def _fit(upright: Picture, level: Picture, strength: int, box: Box) -> list[GridGuess]:
    """Grids within one box."""
    x0, y0, x1, y1 = box
    seen_upright = upright[y0:y1, x0:x1] > strength
    seen_level = level[y0:y1, x0:x1] > strength
    _close_at_picture_border(seen_upright, seen_level, box, upright.shape)
    profile_x = _soft(seen_upright.mean(axis=0))
    profile_y = _soft(seen_level.mean(axis=1))
    guesses = []
    for across, down in _pairs(profile_x, profile_y):
        guess = _measure(seen_upright, seen_level, across, down)
        if guess is not None:
            shift = np.array([(1, 0, x0), (0, 1, y0), (0, 0, 1)], dtype=np.float64)
            guesses.append(replace(guess, placement=replace(guess.placement, matrix=shift @ guess.placement.matrix)))
    return guesses


def _close_at_picture_border(upright: Bools, level: Bools, box: Box, shape: tuple[int, ...]) -> None:
    """Where the board is cut by the picture's border, the border stands for its outline."""
    x0, y0, x1, y1 = box
    reach = STROKE_PX // 2
    if x0 <= reach:
        upright[:, 0] = True
    if y0 <= reach:
        level[0] = True
    if x1 >= shape[1] - reach:
        upright[:, -1] = True
    if y1 >= shape[0] - reach:
        level[-1] = True


def _soft(profile: npt.NDArray[np.floating]) -> Floats:
    """Both edges of a thin line become one hump."""
    return np.convolve(np.asarray(profile, dtype=np.float64), np.array([0.25, 0.5, 1, 0.5, 0.25]) / 2.5, "same")


def _measure(upright: Bools, level: Bools, across: Comb, down: Comb) -> GridGuess | None:
    """The grid on this lattice, where there is one."""
    xs, ys = across.places(upright.shape[1]), down.places(upright.shape[0])
    if min(len(xs), len(ys)) <= MIN_LINES:
        return None
    sides_v = side_evidence(upright, xs, ys)
    sides_h = side_evidence(level.T, ys, xs).T
    extent = _extent(sides_v > SIDE_SEEN, sides_h > SIDE_SEEN)
    if extent is None:
        return None
    top, bottom, left, right = extent
    sides_v, sides_h = sides_v[top:bottom, left : right + 1], sides_h[top : bottom + 1, left:right]
    xs, ys = _refined(upright, xs[left : right + 1], sides_v), _refined(level.T, ys[top : bottom + 1], sides_h.T)
    rows, cols = bottom - top, right - left
    if max(rows, cols) > MAX_LINES:
        return None
    inside = enclosed(sides_v > SIDE_SEEN, sides_h > SIDE_SEEN)
    between_v = side_evidence(upright, (xs[:-1] + xs[1:]) / 2, ys) > SIDE_SEEN
    between_h = side_evidence(level.T, (ys[:-1] + ys[1:]) / 2, xs).T > SIDE_SEEN
    elsewhere = float(between_v.mean() + between_h.mean()) / 2
    explained = _explained(upright, level, xs, ys)
    score = _score(sides_v > SIDE_SEEN, sides_h > SIDE_SEEN, inside, elsewhere, explained)
    corners = [(xs[0], ys[0]), (xs[-1], ys[0]), (xs[-1], ys[-1]), (xs[0], ys[-1])]
    placement = FlatPlacement.from_corners(corners, (cols, rows), score)
    return GridGuess(placement, rows, cols, score, explained, sides_v, sides_h, inside)


def side_evidence(seen: Bools, xs: Floats, ys: Floats) -> Floats:
    """How much of each cell's upright side shows an edge.

    Args:
        seen: ``bool (H, W)``, where upright edges are.
        xs: ``(C,)`` places of the lattice's upright lines, in pixels.
        ys: ``(R,)`` places of its level lines.

    Returns:
        ``float64 (R - 1, C)``, 0..1.
    """
    height, width = seen.shape
    pitch_x, pitch_y = xs[1] - xs[0], ys[1] - ys[0]
    starts = np.clip(np.round(ys[:-1] + SIDE_ENDS * pitch_y), 0, height).astype(int)
    ends = np.clip(np.round(ys[1:] - SIDE_ENDS * pitch_y), 0, height).astype(int)
    result = np.zeros((len(ys) - 1, len(xs)))
    for j, x in enumerate(xs):
        a, b = max(0, round(x - NEAR * pitch_x)), min(width, round(x + NEAR * pitch_x) + 1)
        if b <= a:
            continue
        run = np.concatenate([[0], np.cumsum(seen[:, a:b].any(axis=1))])
        result[:, j] = (run[ends] - run[starts]) / np.maximum(1, ends - starts)
    return result


def _extent(sides_v: Bools, sides_h: Bools) -> tuple[int, int, int, int] | None:
    """Lattice lines ``top, bottom, left, right`` between which the board lies: the box around the enclosed cells."""
    inside = enclosed(sides_v, sides_h)
    if not inside.any():
        return None
    count, _, stats, _ = cv2.connectedComponentsWithStats(inside.astype(np.uint8), connectivity=4)
    if count < 2:
        return None
    left, top, width, height, _ = stats.reshape(-1, 5)[1 + int(np.argmax(stats[1:, 4]))].tolist()
    right, bottom = left + width, top + height
    # Lines of a neighbouring element may look like half a row: a row belongs to the board when a cell in it is whole.
    whole = sides_v[:, :-1] & sides_v[:, 1:] & sides_h[:-1] & sides_h[1:]
    while bottom - top > MIN_LINES and not _keeps(whole, inside, slice(top, top + 1), slice(left, right)):
        top += 1
    while bottom - top > MIN_LINES and not _keeps(whole, inside, slice(bottom - 1, bottom), slice(left, right)):
        bottom -= 1
    while right - left > MIN_LINES and not _keeps(whole, inside, slice(top, bottom), slice(left, left + 1)):
        left += 1
    while right - left > MIN_LINES and not _keeps(whole, inside, slice(top, bottom), slice(right - 1, right)):
        right -= 1
    if right - left < MIN_LINES or bottom - top < MIN_LINES:
        return None
    return top, bottom, left, right


def _keeps(whole: Bools, inside: Bools, rows: slice, cols: slice) -> bool:
    """Whether a border row or column is a part of the board: a whole cell is in it, or most of it is enclosed."""
    return bool(whole[rows, cols].any() or inside[rows, cols].mean() > 0.5)


def enclosed(sides_v: Bools, sides_h: Bools) -> Bools:
    """Which cells cannot be reached from outside without crossing a seen side.

    Args:
        sides_v: ``bool (R, C + 1)``, upright sides that are seen.
        sides_h: ``bool (R + 1, C)``, level sides that are seen.

    Returns:
        ``bool (R, C)``.
    """
    rows, cols = sides_v.shape[0], sides_h.shape[1]
    reached = np.zeros((rows + 2, cols + 2), dtype=bool)
    reached[[0, -1]] = True
    reached[:, [0, -1]] = True
    open_v = np.zeros((rows + 2, cols + 1), dtype=bool)
    open_v[1:-1] = ~sides_v
    open_h = np.zeros((rows + 1, cols + 2), dtype=bool)
    open_h[:, 1:-1] = ~sides_h
    while True:
        before = int(reached.sum())
        reached[:, 1:] |= reached[:, :-1] & open_v
        reached[:, :-1] |= reached[:, 1:] & open_v
        reached[1:] |= reached[:-1] & open_h
        reached[:-1] |= reached[1:] & open_h
        if int(reached.sum()) == before:
            return ~reached[1:-1, 1:-1]


def _refined(seen: Bools, xs: Floats, sides: Floats) -> Floats:
    """The lattice lines moved to where the edges are: a straight fit through the middles of the edges near each."""
    pitch = xs[1] - xs[0]
    profile = seen.sum(axis=0).astype(np.float64)
    found, index = [], []
    for k, x in enumerate(xs):
        a, b = max(0, round(x - NEAR * pitch)), min(len(profile), round(x + NEAR * pitch) + 1)
        near = profile[a:b]
        # Lines on which little is seen say little about where the lattice lies.
        if b > a and near.sum() > 0 and (sides[:, k] > SIDE_SEEN).mean() >= 0.25:
            found.append(float((near * np.arange(a, b)).sum() / near.sum()))
            index.append(k)
    if len(found) < MIN_LINES:
        return xs
    slope, start = np.polyfit(index, found, 1)
    moved = start + slope * np.arange(len(xs))
    return np.asarray(moved if np.abs(moved - xs).max() < NEAR * pitch else xs, dtype=np.float64)


def _explained(upright: Bools, level: Bools, xs: Floats, ys: Floats) -> float:
    """The part of all edges inside the board that lies on lattice lines, 0 where it is as expected by chance."""
    x0, x1 = max(0, round(xs[0])), round(xs[-1]) + 1
    y0, y1 = max(0, round(ys[0])), round(ys[-1]) + 1
    on, total = 0.0, 0.0
    for profile, lines, first in (
        (upright[y0:y1, x0:x1].sum(axis=0), xs, x0),
        (level[y0:y1, x0:x1].sum(axis=1), ys, y0),
    ):
        steps = (np.arange(len(profile)) + first - lines[0]) / (lines[1] - lines[0])
        on += float(profile[np.abs(steps - np.round(steps)) < NEAR].sum())
        total += float(profile.sum())
    chance = 2 * NEAR
    return max(0.0, (on / max(total, 1.0) - chance) / (1 - chance))


def _score(sides_v: Bools, sides_h: Bools, inside: Bools, elsewhere: float, explained: float) -> float:
    """How much of a regular grid was seen.

    A grid whose every side is seen is one whatever stands in its cells, unless as many "sides" are seen half-way
    between (``elsewhere``, 0..1), as in text and texture. Where sides are missing (placed patches hide them), edges
    that lie anywhere else speak against it (``explained``, 0..1). Nearly every line must be seen somewhere.
    """
    padded = np.pad(inside, 1)
    of_board_v = padded[1:-1, :-1] | padded[1:-1, 1:]
    of_board_h = padded[:-1, 1:-1] | padded[1:, 1:-1]
    count = of_board_v.sum() + of_board_h.sum()
    present = float((sides_v & of_board_v).sum() + (sides_h & of_board_h).sum()) / max(1.0, float(count))
    present = max(0.0, present - elsewhere) / (1 - min(elsewhere, SIDE_SEEN))
    # A line may be hidden by placed patches all along, but not many are.
    supported = float((sides_v.any(axis=0).mean() * sides_h.any(axis=1).mean()) ** 0.5)
    # A few sides may fall into line by chance; hundreds do not.
    chance = 1 / math.sqrt(max(1.0, float(sides_v.sum() + sides_h.sum())))
    return supported * (0.65 * present + 0.35 * explained) * float(inside.mean() ** 0.25) * (1 - chance)
