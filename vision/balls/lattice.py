"""From round things to a ball board: the square lattice they stand on, and the board that fits on it.

1. *Seeds.* A spot and two of its neighbours at nearly a right angle and nearly one distance are a guess at the lattice.
2. *Growth.* From the seed the lattice grows spot by spot, each predicted from its neighbours, so that it follows
   perspective; a homography through all that was met then bridges the gaps where a rim is too faint to be seen.
3. *Evidence.* How round the picture is at each lattice point, whether a spot was picked out there or not.
4. *Fit.* The board's 55 points are laid on the lattice in every place and turn. Its points must be round, those beside
   it must not: that tells a board from a part of a larger lattice, and the triangle from the 5 x 11.

Everything up to 3 knows no board and is done once for a picture.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from solvers.ball_trays import Tray
from vision.balls.features import lattice_placement, units
from vision.balls.spots import Spots, faint_spots, spots, unstriped
from vision.cells.reader import crops
from vision.pictures.bending import regrown
from vision.pictures.medians import median
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, through

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Bools = npt.NDArray[np.bool_]

PITCH_IN_RADII = (1.65, 4.9)
"""Distance of neighbours in radii: balls touch at 2, printed discs stand up to 3.2 apart, pits that a program draws
smaller than its discs up to 4.3; the rest is for a tilt and for the steps between the radii looked for."""

SKEW = 1.45
"""Longest side of a lattice cell to its shortest: a tilt of 45 degrees makes 1.41."""

RIGHT_ANGLE_COS = 0.45
"""A right angle seen under a tilt of 40 degrees is at least 63 degrees wide."""

MEET = 0.24
"""A spot belongs to a lattice point within this part of the pitch; half way between two points stand the small holes
of some trays, 0.7 away from both."""

ASTRAY = 0.12
"""Part of the pitch that a spot may lie off its lattice point to be counted for where the lattice lies."""

LEAST_GROWN = 12
"""Spots that make a lattice: fewer meet by chance in any texture (a board has 55)."""

PLAIN = 50
"""Spots of a lattice that is plain to see: a board's, but for fewer than make its shortest row."""

OVERLAPPING = 2 * 2**0.5
"""Distance of neighbours in radii up to which circles of the next larger size, or of one between, overlap."""

STANDING_APART = 3.4
"""Distance of neighbours in radii beyond which nothing new is seen of a lattice that is plain to see: more than that of
balls and printed discs."""

ROUND = 0.45
"""Strength at which a lattice point counts as round in full; half a rim, as connected balls have."""

BESIDE = 0.55
"""What roundness beside a board costs, of what it earns on it. Below 1, for a lid's rim or the next board on a page
may lie there."""

AS_WELL = 1.1
"""Residual of an affine map to that of a homography up to which there is no perspective."""

FULL = 0.5
"""Strength of a spot that is a full circle and no corner or blot: half its rim, as seen and smoothed."""

LEAST_FIT = 0.56
"""Score below which nothing is a board: those with nearly invisible pits score more, chance less."""

LEAST_ROUND = 0.45
"""The same for one whose cells are all alike and other than what lies beside them."""


GOES_ON = 0.78
"""Correlation of what lies beyond a board with its cells, in that of most of these, from which the lattice goes on:
trays have 0.72 at most (290 drawn, labelled and browsers' pictures), grids and woven cloth 0.84 and more."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """A square lattice in a picture.

    Attributes:
        matrix: ``float64 (3, 3)``, the homography from lattice points ``(a, b)`` to pixels of the photo; ``a`` to ``b``
            turns clockwise as seen.
        origin: ``intp (2,)``, the lattice point ``(a, b)`` of ``roundness[0, 0]``.
        roundness: ``float64 (rows, cols)``, evidence 0..1 at the points ``origin + (col, row)``.
        grown: how many spots lie on it.
    """

    matrix: Floats
    origin: Ints
    roundness: Floats
    grown: int


REACH = 11
"""How far a board may stretch beyond the spots that were met, in lattice points: its longest side."""


def lattices(photo: Photo) -> list[Lattice]:
    """The square lattices of round things in ``photo``, most spots first; none finer than one that is plain to see."""
    return photo.derive(_plain_lattices)[1]


def _plain_lattices(photo: Photo) -> tuple[list[Spots], list[Lattice]]:
    return _lattices_of(photo.derive(spots))


def _faint_lattices(photo: Photo) -> tuple[list[Spots], list[Lattice]]:
    return _lattices_of(photo.derive(faint_spots), keen=True)


def _lattices_of(sizes: list[Spots], *, keen: bool = False) -> tuple[list[Spots], list[Lattice]]:
    """The sizes that were looked at, and their lattices.

    The smallest things take the most time. But for a ``keen`` look they are not looked for where a lattice with as many
    spots as a board's is plain to see and they are too small for it, and in the finest size only where circles as large
    as those of a lattice would overlap: between small things lie such as belong to none.
    """
    searched: list[Spots] = []
    found: list[tuple[Floats, Ints]] = []
    for size in reversed(sizes):
        apart = [_pitches(matrix, met.mean(axis=0)[None])[0] / size.radius_px for matrix, met in found]
        plain = any(len(met) >= PLAIN and each > STANDING_APART for each, (_, met) in zip(apart, found, strict=True))
        if not keen and (plain or (size.is_finest and min(apart, default=np.inf) > OVERLAPPING)):
            break
        searched.append(size)
        found += _grown_of(size)
    measured = [_measured(matrix, met, searched) for matrix, met in found]
    return searched, sorted(measured, key=lambda lattice: -lattice.grown)


def fits(photo: Photo, tray: Tray, *, faint: bool = False) -> list[FlatPlacement]:
    """The places where a tray's board may lie in ``photo``, best first; computed once for each picture and tray.

    To look with a keener eye, for what is ``faint``, takes as long again.
    """
    return photo.derive_at(_fits, (tray, faint))


PLAIN_FIT = 0.66
"""Score from which a board is there beyond doubt."""


def is_faint(photo: Photo, *trays: Tray) -> bool:
    """Whether the boards of these trays are seen with a keener eye only, or clearly better."""
    plain = max((fit.score for tray in trays for fit in fits(photo, tray)), default=0.0)
    if plain >= PLAIN_FIT:
        return False
    keen = (fit.score for tray in trays for fit in fits(photo, tray, faint=True))
    return not plain or max(keen, default=0.0) > plain + RUNNER_UP


def many_round(photo: Photo) -> bool:
    """Whether so many full circles of one size are seen that they may be a board's, whether they make a lattice or not.

    A keener look at them is worth its time before anything else is looked for.
    """
    return any((size.strength > FULL).sum() >= LEAST_GROWN for size in photo.derive(_plain_lattices)[0])


def board_spots(photo: Photo, tray: Tray) -> list[Spots]:
    """The round things that show a tray's board: those that are plainly seen, where it is found among them."""
    return photo.derive(_faint_lattices if is_faint(photo, tray) else _plain_lattices)[0]


MOST_FITS = 4
"""Places named for one picture."""

ALIKE = 0.03
"""Difference of scores within which two turns of a board at one place are the same to the eye; the upright one is
meant. Turning a triangle costs far more."""

RUNNER_UP = 0.12
"""How much worse than the best place another may be to be named: a second board in the picture is as good as the
first, the same board shifted by a cell is 0.2 worse."""


def _fits(photo: Photo, asked: tuple[Tray, bool]) -> list[FlatPlacement]:
    tray, faint = asked
    sizes, found_lattices = photo.derive(_faint_lattices if faint else _plain_lattices)
    found = [fit for lattice in found_lattices for fit in _best_on(photo, lattice, tray)]
    if faint and not found:
        found = _of_like_cells(photo, tray)
    found.sort(key=lambda fit: -fit.score)
    chosen: list[FlatPlacement] = []
    for fit in found:
        if len(chosen) == MOST_FITS or (chosen and fit.score < found[0].score - RUNNER_UP):
            break
        if not any(same_place(fit, other, tray) for other in chosen):
            alike = [one for one in found if abs(one.score - fit.score) < ALIKE and same_place(fit, one, tray)]
            chosen.append(_refined(sizes, tray, max(alike, key=_uprightness)))
    return chosen


def _of_like_cells(photo: Photo, tray: Tray) -> list[FlatPlacement]:
    """The fits among lattices seen with a keener eye whose cells show too little of their rims, but are all alike.

    One black pit of a black tray may show less of its rim than noise shows of none. But all pits are lit from the same
    side, and together they tell what each of them looks like: then each can be held against that.
    """
    sizes, found_lattices = photo.derive(_faint_lattices)
    source = photo.derive(unstriped) or photo
    x, y = (_beside(np.array([tray.point(cell) for cell in tray.cells], np.intp)) + 1).T
    found = []
    for lattice in found_lattices:
        for fit in _best_on(photo, lattice, tray, LEAST_ROUND):
            alike, inside = likeness(source, _refined(sizes, tray, fit).scaled(source.scale / photo.scale), tray)
            score = float(alike[inside].mean() - BESIDE * max(0.0, alike[y, x].mean()))
            if score > PLAIN_FIT:
                found.append(replace(fit, score=min(1.0, score)))
    return found


def patches(photo: Photo, placement: FlatPlacement, tray: Tray) -> tuple[Floats, Bools]:
    """The grey picture at each place of a tray's lattice and of a ring round it, and which of these are its cells.

    They are ``float64 (rows + 2, cols + 2, pixels)``, as :func:`vision.balls.features.units`, and ``bool (rows + 2,
    cols + 2)``.
    """
    grid = regrown(lattice_placement(placement, tray), (1,) * 4)
    inside = np.zeros([round(side) for side in grid.size[::-1]], np.bool_)
    x, y = np.array([tray.point(cell) for cell in tray.cells]).T
    inside[y + 1, x + 1] = True
    return units(crops(photo, grid).mean(axis=-1).reshape(inside.size, -1)).reshape(*inside.shape, -1), inside


def likeness(photo: Photo, placement: FlatPlacement, tray: Tray) -> tuple[Floats, Bools]:
    """The correlation of each place of :func:`patches` with the mean cell, -1..1, and which of them are cells.

    The mean keeps what the lattice repeats, and loses what stands on a few cells.
    """
    own, inside = patches(photo, placement, tray)
    return np.asarray(own @ units(own[inside].mean(axis=0)[None])[0]), inside


def goes_on(photo: Photo, placement: FlatPlacement, tray: Tray) -> float:
    """How much what lies beyond one side of a board looks like its cells, 1 for as much as most of these themselves: it
    may be a part of a larger lattice.

    The median :func:`likeness` of the places beyond the side that is most like them.
    """
    alike, inside = likeness(photo, placement, tray)
    longest = alike[1:-1, 1:-1][~inside[1:-1, 1:-1]]  # of a triangle
    sides = (alike[0], alike[-1], alike[:, 0], alike[:, -1], longest)
    return max(median(side) for side in sides if side.size) / max(LEAST_ALIKE, median(alike[inside]))


LEAST_ALIKE = 0.1
"""Correlation of cells with the mean of them that is taken for no less: noise alone makes as much."""


def _uprightness(fit: FlatPlacement) -> float:
    """How far the board's x axis points to the right (1) or, on a board turned by 90 degrees, up."""
    width, height = fit.size
    ends = fit.to_photo([(0, height / 2), (width, height / 2)])
    right, down = (ends[1] - ends[0]) / max(1e-9, float(np.hypot(*(ends[1] - ends[0]))))
    # A step's rounding apart, so that a board exactly on its side has one reading.
    return float(np.round(right, 3) - 1e-3 * down)


# --- growing a lattice ------------------------------------------------------------------------------------------------


def _grown_of(size: Spots) -> Iterator[tuple[Floats, Ints]]:
    """The matrices of lattices, see :class:`Lattice`, and the points ``(a, b)`` of each at which spots were met."""
    points = size.points_px
    if len(points) < LEAST_GROWN:
        return
    apart = points[:, None, :] - points[None, :, :]
    distance = np.hypot(apart[..., 0], apart[..., 1])
    taken: set[int] = set()
    for seed in range(min(len(points), 60)):
        if seed in taken:
            continue
        basis = _basis_at(seed, points, distance, size.radius_px)
        if basis is None:
            continue
        grown = _grow(seed, basis, points)
        if len(grown) < LEAST_GROWN:
            continue
        taken |= set(grown.values())
        step = min(np.hypot(*part) for part in basis)
        met = np.array(list(grown), np.intp)
        matrix = robust_homography(met.astype(np.float64), points[list(grown.values())], ASTRAY * step)
        if matrix is not None:
            yield matrix, met


def _basis_at(seed: int, points: Floats, distance: Floats, radius: float) -> tuple[Floats, Floats] | None:
    """The two steps of the lattice at a spot: those for which most of the eight neighbours are there."""
    low, high = PITCH_IN_RADII
    near = np.flatnonzero((distance[seed] > low * radius) & (distance[seed] < high * radius))
    near = near[np.argsort(distance[seed, near], kind="stable")][:10]
    steps = points[near] - points[seed]
    best, support = None, 2.5
    around = np.array([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)], np.float64)
    for u in steps:
        for v in steps:
            lu, lv, cross = np.hypot(*u), np.hypot(*v), u[0] * v[1] - u[1] * v[0]
            if cross <= 0 or max(lu, lv) > SKEW * min(lu, lv) or abs(u @ v) > RIGHT_ANGLE_COS * lu * lv:
                continue
            goals = points[seed] + around @ np.array([u, v])
            misses = np.hypot(*(goals[:, None] - points[None, near]).transpose(2, 0, 1)).min(axis=1, initial=np.inf)
            # Neighbours straight across count full; of two bases with equal support the shorter one wins.
            here = float((misses < MEET * min(lu, lv)).sum()) - 0.3 * (lu + lv) / (2 * high * radius)
            if here > support:
                best, support = (u, v), here
    return best


def _grow(seed: int, basis: tuple[Floats, Floats], points: Floats) -> dict[tuple[int, int], int]:
    """Lattice points and the spots on them, from the seed outwards."""
    grown = {(0, 0): seed}
    steps = {(0, 0): np.array(basis)}
    queue = [(0, 0)]
    while queue:
        a, b = queue.pop(0)
        here, local = points[grown[a, b]], steps[a, b]
        for da, db in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            goal = (a + da, b + db)
            if goal in grown or max(map(abs, goal)) > 2 * REACH:
                continue
            step = local[0] * da + local[1] * db
            miss = np.hypot(*(points - (here + step)).T)
            spot = int(np.argmin(miss))
            if miss[spot] > MEET * np.hypot(*step) or spot in grown.values():
                continue
            # The steps follow the perspective slowly, so that one spot that is off does not lead astray.
            turned = local.copy()
            axis, sign = (0, da) if da else (1, db)
            turned[axis] = 0.6 * local[axis] + 0.4 * sign * (points[spot] - here)
            grown[goal], steps[goal] = spot, turned
            queue.append(goal)
    return grown


def _measured(matrix: Floats, met: Ints, sizes: list[Spots]) -> Lattice:
    """The lattice with the evidence at all points that a board might reach."""
    low, high = met.min(axis=0) - REACH, met.max(axis=0) + REACH
    cols, rows = (high - low + 1).tolist()
    where = np.array([(low[0] + c, low[1] + r) for r in range(rows) for c in range(cols)], np.float64)
    return Lattice(matrix, low, roundness_at(matrix, where, sizes).reshape(rows, cols), len(met))


def _pitches(matrix: Floats, where: Floats) -> Floats:
    """How far apart lattice points are at each of ``where``, ``(N, 2)``, in pixels."""
    return np.asarray(np.hypot(*(through(matrix, where + 0.7) - through(matrix, where - 0.7)).T) / 2)


def roundness_at(matrix: Floats, where: Floats, sizes: list[Spots]) -> Floats:
    """How round the picture is at lattice points: the best of the sizes whose radii suit the pitch there."""
    pixels, pitch = through(matrix, where), _pitches(matrix, where)
    behind = np.column_stack([where, np.ones(len(where))]) @ matrix[2] <= 0
    best = np.zeros(len(where))
    for size in sizes:
        height, width = size.small.height, size.small.width
        ratio = pitch / size.radius_px
        # Far away lattice points may have any pixels; those outside the picture hold nothing.
        spot = np.clip(np.rint((pixels + 0.5) * size.scale - 0.5), -1, max(height, width)).astype(np.intp)
        fit = (ratio > PITCH_IN_RADII[0]) & (ratio < PITCH_IN_RADII[1]) & ~behind
        fit &= (spot >= 0).all(axis=1) & (spot < (width, height)).all(axis=1)
        if fit.any():
            best[fit] = np.maximum(best[fit], size.near[spot[fit, 1], spot[fit, 0]])
    return np.asarray(np.clip(best / ROUND, 0, 1))


def lattice_roundness(photo: Photo, placement: FlatPlacement, tray: Tray) -> Floats:
    """How round the picture is at each cell of a board, 0..1, in the order of ``tray.cells``."""
    return roundness_at(placement.matrix, np.array(tray.centres), board_spots(photo, tray))


# --- laying a board on it ---------------------------------------------------------------------------------------------


def _beside(points: Ints) -> Ints:
    inside = set(map(tuple, points.tolist()))
    ring = {(x + dx, y + dy) for x, y in inside for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))} - inside
    return np.array(sorted(ring), np.intp)


def _best_on(photo: Photo, lattice: Lattice, tray: Tray, least: float = LEAST_FIT) -> list[FlatPlacement]:
    """The best place of the board for each turn, where its score is not below that and all of it is in the picture."""
    upright, board = np.array([tray.point(cell) for cell in tray.cells], np.intp), np.array(tray.centres)
    across = upright[:, ::-1]
    found = []
    for cells in (upright, across * (-1, 1), -upright, across * (1, -1)):
        base = cells.min(axis=0)
        points, beside = cells - base + 1, _beside(cells) - base + 1
        width, height = points.max(axis=0) + 2
        padded = np.pad(lattice.roundness, 1)
        rows, cols = np.subtract(padded.shape, (height, width)) + 1
        if rows < 1 or cols < 1:
            continue
        kernel = np.zeros((height, width))
        kernel[points[:, 1], points[:, 0]] = 1 / len(points)
        kernel[beside[:, 1], beside[:, 0]] = -BESIDE / len(beside)
        scores = cv2.filter2D(padded, -1, kernel, anchor=(0, 0))[:rows, :cols]
        top, left = np.unravel_index(int(np.argmax(scores)), scores.shape)
        score = float(scores[top, left])
        if score < least:
            continue
        pixels = through(lattice.matrix, cells - base + lattice.origin + (left, top))
        matrix = np.asarray(cv2.findHomography(board, pixels, 0)[0], np.float64)
        if photo.holds(pixels).all():
            found.append(FlatPlacement(matrix, tray.layout.size, min(1.0, max(0.0, score))))
    return found


def same_place(one: FlatPlacement, other: FlatPlacement, tray: Tray, theirs: Tray | None = None) -> bool:
    """Whether two fits are the same board, turned or not: most cells of one lie on cells of the other."""
    mine, far = one.to_photo(tray.centres), other.to_photo((theirs or tray).centres)
    miss = np.hypot(*(mine[:, None] - far[None]).transpose(2, 0, 1))
    own = np.hypot(*(mine[:, None] - mine[None]).transpose(2, 0, 1)) + 1e9 * np.eye(len(mine))
    pitch = median(own.min(axis=1))
    return bool((miss.min(axis=1) < MEET * pitch).mean() > 0.5)


def _refined(sizes: list[Spots], tray: Tray, fit: FlatPlacement) -> FlatPlacement:
    """The fit drawn to the centres of the strongest spots that lie on it."""
    board = np.array(tray.centres)
    goals = fit.to_photo(board)
    pitch = median(np.hypot(*(fit.to_photo(board + np.array((1, 0))) - goals).T))
    best, centres = np.zeros(len(board)), goals.copy()
    for size in sizes:
        if not PITCH_IN_RADII[0] < pitch / size.radius_px < PITCH_IN_RADII[1] or not len(size.points_px):
            continue
        miss = np.hypot(*(goals[:, None] - size.points_px[None]).transpose(2, 0, 1))
        strength = np.where(miss < MEET * pitch, size.strength[None], 0)
        spot = strength.argmax(axis=1)
        better = strength[np.arange(len(board)), spot] > best
        best[better] = strength[better, spot[better]]
        centres[better] = size.points_px[spot[better]]
    matrix = robust_homography(board[best > 0], centres[best > 0], ASTRAY * pitch)
    if matrix is None:
        return fit
    moved = np.hypot(*(through(matrix, board) - goals).T)
    return replace(fit, matrix=matrix) if moved.max() < 0.5 * pitch else fit


def robust_homography(source: Floats, target: Floats, most: float) -> Floats | None:
    """The homography through most of the pairs; an affine map where it does as well, for it errs less at the rim."""
    kept = np.ones(len(source), bool)
    for _ in range(3):
        if kept.sum() < LEAST_GROWN:
            return None
        matrix = np.asarray(cv2.findHomography(source[kept], target[kept], 0)[0], np.float64)
        if matrix.shape != (3, 3):
            return None
        off = np.hypot(*(through(matrix, source) - target).T)
        kept = off < max(most, 1.5 * median(off))
    terms = np.column_stack([source, np.ones(len(source))])
    affine, *_ = np.linalg.lstsq(terms[kept], target[kept], rcond=None)
    plain = np.hypot(*(terms[kept] @ affine - target[kept]).T)
    if np.sqrt((plain**2).mean()) < AS_WELL * np.sqrt((off[kept] ** 2).mean()):
        return np.vstack([affine.T, (0, 0, 1)])
    return np.asarray(matrix, np.float64)
