"""The points where four chequers meet, and the lattice that they form.

Where two dark and two bright cells meet, the grey levels form a saddle: up along one diagonal, down along the other,
with no gradient in the middle. Pieces, arrows and highlights hide some of these points and letters imitate others, but
nothing else makes a *lattice* of them: neighbours lie along each other's edges, and at every step bright and dark
change sides. So saddles are linked to neighbours that agree on the edge between them, each linked group is numbered,
a homography is laid through the numbers and pulls in the members that the links missed.

References:
    [1] S. Bennett, J. Lasenby, "ChESS: quick and robust detection of chess-board features", CVIU 118 (2014): the ring.
    [2] A. Geiger et al., "Automatic camera and range sensor calibration using a single shot", ICRA 2012: growing.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.medians import median
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import Points

Floats = npt.NDArray[np.float64]
Plane = npt.NDArray[np.float32]
Node = tuple[int, int]
"""A place in a lattice, ``(column, row)``; the origin is any of its points."""

SMOOTHING_PX = 1.2
"""Spread of the blur that sensor noise and JPEG blocks need; in working pixels, which the caller's scale defines."""

RING_PX = 4.5
"""Radius of the ring that is looked at round a saddle: cells of the working picture are at least twice this wide."""

RING_STEPS = 32
MOST_CANDIDATES = 6000
MOST_SADDLES = 900
"""Caps against pages of text; a board of 16 x 16 has 225 saddles."""

LEAST_CONTRAST = 0.012 * 255
"""Half the difference of bright and dark on the ring, of the range of grey: less is noise of the sensor or the JPEG."""

UNLIKE = 0.7
"""How much the two bright (or two dark) quarters may differ, of the difference of bright and dark."""

BENT = np.deg2rad(22)
"""Opposite edges continue each other; their directions are measured on a small ring only."""

ALONG = 0.21
"""How far, in radians, a neighbour may lie beside an edge's direction as the small ring tells it."""

LEAST_SIDE = 1.6 * RING_PX
"""Neighbours are farther apart, or their rings would see each other."""

NEIGHBOURS = 32
"""How many of the nearest saddles are asked whether they are neighbours."""

CONTRASTS_ALIKE = 4.0
"""Light falls off over a board, but hardly by this factor from one point to the next."""

EDGE_KEEPS = 0.25
"""An edge between neighbours keeps this part of the saddles' contrast at every place that is looked at."""

NEAR = 0.22
"""A saddle belongs to a lattice point when it lies within this part of a cell."""


QUICK_PX = 260
"""Longer side at which chequers are looked for quickly: any board that fills much of a picture shows some."""

PLAIN = 9
"""Saddles on one lattice that are chequers: the crossings of a board of 4 x 4. Pages of other games have 5 at most."""


CLOSE = 0.47
"""Part of the places within such a lattice on which saddles are seen, at least: pieces hide some of a board's, which
mostly keeps 0.5. On the weave of cloth and in moire they are strewn: nearly always less than 0.46."""


STREWN = 0.25
"""The same below which a lattice is no board's, however many saddles it has: boards full of pieces in shade, seen from
a low angle, keep 0.4. On cloth, print and wood a lattice goes on and on, and takes the more time the further."""


@dataclass(frozen=True, eq=False)
class Saddles:
    """Points where four chequers seem to meet.

    Attributes:
        at: ``float64 (N, 2)``, pixels.
        rays: ``float64 (N, 4)``, directions of the four edges in radians, clockwise as seen, rays 0 and 2 having the
            brighter side on their left.
        contrast: ``float64 (N,)``, half the difference of bright and dark, grey levels.
    """

    at: Points
    rays: Floats
    contrast: Floats

    def __len__(self) -> int:
        """How many."""
        return len(self.at)


@dataclass(frozen=True, eq=False)
class Lattice:
    """A lattice of saddles.

    Attributes:
        matrix: ``float64 (3, 3)``, from lattice places (column, row) to pixels.
        nodes: the places where a saddle was seen; the cell right below (0, 0) is one of the darker ones.
    """

    matrix: Floats
    nodes: frozenset[Node]

    @property
    def closeness(self) -> float:
        """The part of the places in the box round its saddles on which one was seen, 0..1."""
        return _closeness(self.nodes)

    @property
    def is_strewn(self) -> bool:
        """Whether its saddles are strewn over it as on no board."""
        return _is_strewn(self.nodes)


def _closeness(nodes: Collection[Node]) -> float:
    wide, high = np.ptp(np.array(list(nodes)), axis=0) + 1
    return len(nodes) / int(wide * high)


def _is_strewn(nodes: Collection[Node]) -> bool:
    return len(nodes) >= PLAIN and _closeness(nodes) < STREWN


def are_plain(photo: Photo) -> bool:
    """Whether ``photo``, brought down to :data:`QUICK_PX`, shows chequers; elsewhere there may be some all the same."""
    return photo.derive(_are_plain)


def _are_plain(photo: Photo) -> bool:
    found = lattices(photo.reduced(QUICK_PX).gray)
    return any(len(lattice.nodes) >= PLAIN and lattice.closeness >= CLOSE for lattice in found)


def lattices(gray: Picture, most: int = 3) -> list[Lattice]:
    """Lattices of at least 4 saddles in ``gray``, ``uint8 (H, W)``; those with most saddles first."""
    saddles = saddles_in(gray)
    if len(saddles) < 4:
        return []
    links = _links(saddles, _smooth(gray))
    grown: list[tuple[Lattice, set[int]]] = []
    for group in sorted(_groups(saddles, links), key=len, reverse=True)[: 4 * most]:
        if any(len(members & set(group)) * 2 > len(group) for _, members in grown):
            continue
        lattice = _grow(saddles, group)
        if lattice is not None:
            grown.append(lattice)
    grown.sort(key=lambda found: -len(found[1]))
    return [lattice for lattice, _ in grown[:most]]


# --- saddles ----------------------------------------------------------------------------------------------------------


def saddles_in(gray: Picture) -> Saddles:
    """All points of ``gray``, ``uint8 (H, W)``, whose ring looks like four chequers; the strongest first."""
    smooth = _smooth(gray)
    at = _candidates(smooth)
    steps = np.arange(RING_STEPS) * (2 * np.pi / RING_STEPS)
    ring = _sample(smooth, at[None] + RING_PX * np.column_stack([np.cos(steps), np.sin(steps)])[:, None])
    ring = (ring + np.roll(ring, 1, axis=0) + np.roll(ring, -1, axis=0)) / 3
    signed = ring - (ring.max(axis=0) + ring.min(axis=0)) / 2
    bright = signed >= 0
    changes = bright != np.roll(bright, -1, axis=0)
    four = np.count_nonzero(changes, axis=0) == 4
    if not four.any():
        return Saddles(np.empty((0, 2)), np.empty((0, 4)), np.empty(0))
    return _judged(at[four], signed[:, four].T, changes[:, four].T)


def _smooth(gray: Picture) -> Plane:
    """The picture without its finest grain."""
    return np.asarray(cv2.GaussianBlur(gray.astype(np.float32), (0, 0), SMOOTHING_PX), dtype=np.float32)


def _candidates(smooth: Plane) -> Points:
    """Local maxima of the saddle strength (minus the determinant of the Hessian), away from the rim."""
    fxx = cv2.Sobel(smooth, cv2.CV_32F, 2, 0)
    fyy = cv2.Sobel(smooth, cv2.CV_32F, 0, 2)
    fxy = cv2.Sobel(smooth, cv2.CV_32F, 1, 1)
    strength = fxy * fxy - fxx * fyy
    peak = (strength >= cv2.dilate(strength, np.ones((5, 5), np.uint8))) & (strength > 0.1)
    rim = int(np.ceil(RING_PX)) + 1
    peak[:rim] = peak[-rim:] = peak[:, :rim] = peak[:, -rim:] = False
    y, x = np.nonzero(peak)
    strongest = np.argsort(-strength[y, x], kind="stable")[:MOST_CANDIDATES]
    return np.column_stack([x, y])[strongest].astype(np.float64)


def _judged(at: Points, signed: Floats, changes: npt.NDArray[np.bool_]) -> Saddles:
    """Keep the rings with two alike bright and two alike dark quarters between straight edges."""
    step = 2 * np.pi / RING_STEPS
    where = np.nonzero(changes)[1].reshape(-1, 4)
    row = np.arange(len(at))[:, None]
    before, after = signed[row, where], signed[row, (where + 1) % RING_STEPS]
    rays = (where + before / (before - after)) * step
    # Ray 0 shall have the brighter side on its left: anticlockwise of it as seen, at smaller angles.
    shift = np.where(before[:, 0] >= 0, 0, 1)
    rays = np.take_along_axis(rays, (np.arange(4)[None] + shift[:, None]) % 4, axis=1)
    middles = rays + _turn(np.roll(rays, -1, axis=1) - rays) / 2
    quarter = signed[row, np.rint(middles / step).astype(int) % RING_STEPS]
    dark, bright = quarter[:, 0::2], quarter[:, 1::2]
    contrast = (bright.mean(axis=1) - dark.mean(axis=1)) / 2
    unlike = np.abs(bright[:, 0] - bright[:, 1]) + np.abs(dark[:, 0] - dark[:, 1])
    bent = np.abs(_turn(rays[:, 2:] - rays[:, :2]) - np.pi).max(axis=1)
    good = (contrast > LEAST_CONTRAST) & (unlike < 2 * UNLIKE * contrast) & (bent < BENT)
    at, rays, contrast, unlike = at[good], rays[good], contrast[good], unlike[good]
    best = np.argsort(unlike / contrast, kind="stable")[:MOST_SADDLES]
    return Saddles(at[best], rays[best], contrast[best])


def _turn(angle: Floats) -> Floats:
    """The same angle in 0 .. 2 pi."""
    return np.asarray(np.mod(angle, 2 * np.pi))


def _apart(angle: Floats) -> Floats:
    """The size of the angle, 0 .. pi."""
    return np.asarray(np.abs(np.mod(angle + np.pi, 2 * np.pi) - np.pi))


def _sample(plane: Plane, xy: Floats) -> Floats:
    """Values of ``plane`` at points ``(N, M, 2)``, bilinear, repeating the rim."""
    if not xy.size:
        return np.empty(xy.shape[:-1])
    x, y = (np.ascontiguousarray(xy[..., axis], dtype=np.float32) for axis in (0, 1))
    return np.asarray(cv2.remap(plane, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.float64)


# --- links ------------------------------------------------------------------------------------------------------------

Links = dict[tuple[int, int], tuple[int, int]]
"""From (saddle, ray) to (neighbour, the neighbour's ray that comes back)."""


def _links(saddles: Saddles, smooth: Plane) -> Links:
    """The nearest saddle along each ray, if it agrees on the edge; only where both choose each other."""
    pixels = saddles.at.astype(np.float32)
    nearest = cv2.batchDistance(pixels, pixels, cv2.CV_32F, K=min(NEIGHBOURS + 1, len(pixels)))[1]
    near = np.asarray(nearest[:, 1:], dtype=np.intp)  # each is itself the nearest
    way = saddles.at[near] - saddles.at[:, None]
    angle = np.arctan2(way[..., 1], way[..., 0])
    alike = np.abs(np.log(saddles.contrast[:, None] / saddles.contrast[near])) < np.log(CONTRASTS_ALIKE)
    alike &= np.hypot(way[..., 0], way[..., 1]) > LEAST_SIDE
    chosen: Links = {}
    for ray in range(4):
        ahead = alike & (_apart(angle - saddles.rays[:, ray][:, None]) < ALONG)
        # A bright left on the way there is a bright right on the way back: rays of the other kind.
        backs = np.array([(ray + 1) % 2, (ray + 1) % 2 + 2])
        asked = np.nonzero(ahead)
        off = _apart(angle[asked] + np.pi - saddles.rays[near[asked], backs[:, None]])
        ahead[asked] = off.min(axis=0) < ALONG
        back = np.zeros(near.shape, np.intp)
        back[asked] = backs[off.argmin(axis=0)]
        ones = np.nonzero(ahead.any(axis=1))[0]
        at = ahead[ones].argmax(axis=1)
        edge = _edges(smooth, saddles, ones, near[ones, at], bright_left=ray % 2 == 0)
        for one, other, its_ray in zip(ones[edge], near[ones, at][edge], back[ones, at][edge], strict=True):
            chosen[int(one), ray] = int(other), int(its_ray)
    return {here: there for here, there in chosen.items() if chosen.get(there) == here}


def _edges(
    smooth: Plane, saddles: Saddles, ones: npt.NDArray[np.intp], others: npt.NDArray[np.intp], *, bright_left: bool
) -> npt.NDArray[np.bool_]:
    """Whether the brighter side lies on the same side most of the way from saddles to others."""
    start = saddles.at[ones]
    way = saddles.at[others] - start
    left = np.column_stack([way[:, 1], -way[:, 0]]) * 0.12
    along = start[:, None] + way[:, None] * np.array([0.3, 0.5, 0.7])[None, :, None]
    step = _sample(smooth, along + left[:, None]) - _sample(smooth, along - left[:, None])
    least = EDGE_KEEPS * np.minimum(saddles.contrast[ones], saddles.contrast[others])[:, None]
    return np.asarray(((step if bright_left else -step) > least).sum(axis=1) >= 2)


def _groups(saddles: Saddles, links: Links) -> Iterator[dict[int, Node]]:
    """The linked groups of at least 4 saddles, each with its places in a lattice."""
    # Going out along ray r of a saddle whose ray 0 points in board direction t is going in direction (r + t) % 4.
    steps = ((1, 0), (0, 1), (-1, 0), (0, -1))
    gone: set[int] = set()
    for first in range(len(saddles)):
        if first in gone:
            continue
        placed: dict[int, Node] = {first: (0, 0)}
        turned = {first: 0}
        queue = [first]
        for one in queue:
            for ray in range(4):
                far = links.get((one, ray))
                if far is None or far[0] in placed:
                    continue
                other, back = far
                direction = (ray + turned[one]) % 4
                placed[other] = placed[one][0] + steps[direction][0], placed[one][1] + steps[direction][1]
                turned[other] = (direction + 2 - back) % 4
                queue.append(other)
        gone |= placed.keys()
        if len(placed) >= 4:
            yield placed


# --- growing ----------------------------------------------------------------------------------------------------------


def _grow(saddles: Saddles, group: dict[int, Node]) -> tuple[Lattice, set[int]] | None:
    """Lay a homography through a group and take in whatever saddle lies on a lattice point around it."""
    matrix = _fit(list(group.values()), saddles.at[list(group)])
    if matrix is None:
        return None
    members = dict(group)
    sizes: list[int] = []
    while len(sizes) < 2 or sizes[-1] > sizes[-2]:
        before, members = members, _on_lattice(saddles, matrix, list(members.values()))
        if list(members.items()) == list(before.items()):
            break  # the same saddles have the same fit
        refit = _fit(list(members.values()), saddles.at[list(members)]) if len(members) >= 4 else None
        if refit is None:
            return None
        matrix = refit
        sizes.append(len(members))
        if len(sizes) > 20 or _is_strewn(members.values()):
            break
    return Lattice(matrix, frozenset(members.values())), set(members)


def _fit(nodes: Sequence[Node], at: Points) -> Floats | None:
    """The homography from lattice places to pixels, outliers left out; None where the places lie on a line."""
    places = np.asarray(nodes, dtype=np.float64)
    if min(np.ptp(places, axis=0)) < 1:
        return None
    reach = float(np.ptp(at, axis=0).max() / max(np.ptp(places, axis=0).max(), 1))
    matrix, _ = cv2.findHomography(places, at, cv2.RANSAC, max(1.0, 0.15 * reach), maxIters=300)
    return None if matrix is None or not np.isfinite(matrix).all() else np.asarray(matrix, dtype=np.float64)


def _on_lattice(saddles: Saddles, matrix: Floats, nodes: Sequence[Node]) -> dict[int, Node]:
    """The saddles that lie on points of the lattice at most one step outside of ``nodes``, the nearest to each."""
    places = np.asarray(nodes)
    low, high = places.min(axis=0) - 1, places.max(axis=0) + 1
    try:
        inverse = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return {}
    mapped = np.column_stack([saddles.at, np.ones(len(saddles))]) @ inverse.T
    # Points beyond the horizon have the other sign.
    same_side = mapped[:, 2] * median(mapped[:, 2]) > 0
    where = mapped[:, :2] / np.where(mapped[:, 2:] == 0, 1e-9, mapped[:, 2:])
    nearest = np.rint(np.clip(where, -1e4, 1e4)).astype(int)
    off = np.abs(where - nearest).max(axis=1)
    inside = ((nearest >= low) & (nearest <= high)).all(axis=1)
    best: dict[Node, int] = {}
    for index in np.nonzero(same_side & inside & (off < NEAR))[0]:
        node = (int(nearest[index, 0]), int(nearest[index, 1]))
        if node not in best or off[index] < off[best[node]]:
            best[node] = int(index)
    return {index: node for node, index in best.items()}
