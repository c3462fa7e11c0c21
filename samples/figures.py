"""Chessmen in space: turned on a lathe, but for the knight's head, which is a carved board.

A mesh is a cloud of four-cornered faces. Queens end in a crown of points around a ball, kings in a cross, bishops in a
cut drop, rooks in battlements, pawns in a ball; a knight's head is as thick as it lies deep within its outline. Heights
and widths are those of sets as clubs have them, in squares, and vary from set to set.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Profile = list[tuple[float, float]]

TURNS = 40
"""Faces around a turned piece."""

TALL = {"king": 1.62, "queen": 1.44, "bishop": 1.2, "knight": 1.08, "rook": 0.96, "pawn": 0.86}
"""Heights in squares."""

WIDE = {"king": 0.34, "queen": 0.33, "bishop": 0.29, "knight": 0.3, "rook": 0.29, "pawn": 0.25}
"""Radii of the feet in squares."""

FEET: dict[str, Profile] = {
    "club": [(0, 0), (1, 0), (1, 0.04), (0.96, 0.07), (0.9, 0.08), (0.92, 0.1), (0.86, 0.14), (0.68, 0.19),
             (0.5, 0.25)],
    "slim": [(0, 0), (1, 0), (1, 0.025), (0.9, 0.045), (0.9, 0.06), (0.72, 0.08), (0.5, 0.13), (0.4, 0.2)],
    "heavy": [(0, 0), (1, 0), (1.02, 0.05), (0.97, 0.1), (0.85, 0.12), (0.88, 0.15), (0.8, 0.2), (0.66, 0.26)],
    "bell": [(0, 0), (1, 0), (1, 0.05), (0.94, 0.07), (0.97, 0.1), (0.9, 0.14), (0.9, 0.17), (0.78, 0.21), (0.68, 0.29),
             (0.5, 0.36)],
    "dome": [(0, 0), (1, 0), (1, 0.05), (0.95, 0.06), (0.97, 0.1), (0.9, 0.17), (0.72, 0.23), (0.58, 0.25), (0.6, 0.27),
             (0.56, 0.29), (0.38, 0.31)],
    "plain": [(0, 0), (1, 0), (1, 0.06), (0.95, 0.08), (0.6, 0.2), (0.5, 0.26)],
}  # fmt: skip
"""Radius (of the foot's) and height (of the piece's) along the feet of sets."""

HEADS: dict[str, Profile] = {
    "queen": [(0.34, 0.5), (0.32, 0.6), (0.58, 0.62), (0.6, 0.64), (0.42, 0.66), (0.5, 0.68), (0.36, 0.71), (0.44, 0.8),
              (0.62, 0.9)],
    "king": [(0.36, 0.5), (0.34, 0.6), (0.6, 0.62), (0.62, 0.64), (0.44, 0.66), (0.52, 0.68), (0.38, 0.71), (0.46, 0.8),
             (0.6, 0.87), (0.5, 0.89), (0.2, 0.92), (0, 0.92)],
    "bishop": [(0.36, 0.5), (0.34, 0.58), (0.62, 0.6), (0.64, 0.62), (0.4, 0.64), (0.34, 0.66), (0.52, 0.75),
               (0.46, 0.83), (0.24, 0.92), (0.1, 0.93), (0.16, 0.96), (0.1, 0.99), (0, 1)],
    "rook": [(0.58, 0.4), (0.55, 0.65), (0.58, 0.7), (0.78, 0.74), (0.74, 0.76), (0.76, 0.88)],
    "pawn": [(0.42, 0.4), (0.36, 0.55), (0.62, 0.58), (0.64, 0.6), (0.36, 0.63), (0.46, 0.66), (0.56, 0.74),
             (0.58, 0.8), (0.5, 0.9), (0.3, 0.97), (0, 1)],
}  # fmt: skip
"""The same for their bodies and heads; crowns and battlements are set on top."""

STEM, COLLAR = 0.45, (0.57, 0.72)
"""Least radius of a collar, and where collars are."""

HORSES: dict[str, Profile] = {
    "club": [(-0.62, 0.2), (-0.72, 0.4), (-0.7, 0.62), (-0.55, 0.8), (-0.3, 0.93), (-0.16, 1.0), (-0.06, 0.95),
             (0.04, 0.93), (0.3, 0.84), (0.62, 0.74), (0.86, 0.66), (0.9, 0.58), (0.8, 0.52), (0.62, 0.53),
             (0.5, 0.58), (0.3, 0.6), (0.22, 0.55), (0.36, 0.45), (0.52, 0.34), (0.58, 0.2)],
    "slim": [(-0.5, 0.2), (-0.5, 0.4), (-0.58, 0.62), (-0.5, 0.82), (-0.3, 0.95), (-0.22, 1.0), (-0.1, 0.92),
             (0.2, 0.86), (0.55, 0.72), (0.78, 0.6), (0.76, 0.52), (0.6, 0.5), (0.3, 0.6), (0.1, 0.6), (0.1, 0.5),
             (0.28, 0.36), (0.4, 0.2)],
    "upright": [(-0.55, 0.18), (-0.62, 0.45), (-0.52, 0.72), (-0.38, 0.9), (-0.3, 1.0), (-0.14, 0.94), (0.2, 0.93),
                (0.68, 0.86), (0.74, 0.78), (0.66, 0.7), (0.34, 0.7), (0.3, 0.6), (0.34, 0.45), (0.52, 0.3),
                (0.58, 0.18)],
    "round": [(-0.7, 0.22), (-0.8, 0.45), (-0.7, 0.7), (-0.45, 0.88), (-0.1, 0.97), (0.02, 1.0), (0.12, 0.93),
              (0.4, 0.86), (0.75, 0.7), (0.95, 0.56), (0.86, 0.46), (0.6, 0.44), (0.3, 0.52), (0.3, 0.42),
              (0.55, 0.32), (0.66, 0.22)],
    "staunton": [(-0.5, 0.2), (-0.8, 0.34), (-0.7, 0.55), (-0.72, 0.75), (-0.92, 0.84), (-0.96, 0.98), (-0.4, 1.0),
                 (-0.28, 0.95), (0.58, 0.93), (0.7, 0.86), (0.68, 0.74), (0.32, 0.7), (0.05, 0.69), (0.42, 0.57),
                 (0.7, 0.43), (0.68, 0.3), (0.4, 0.2)],
    "tournament": [(-0.5, 0.22), (-0.68, 0.4), (-0.66, 0.6), (-0.6, 0.8), (-0.62, 0.92), (-0.5, 1.0), (-0.3, 0.97),
                   (0.1, 0.93), (0.55, 0.88), (0.72, 0.82), (0.7, 0.72), (0.45, 0.68), (0.15, 0.66), (0.1, 0.6),
                   (0.35, 0.5), (0.58, 0.4), (0.6, 0.3), (0.45, 0.22)],
    "square": [(-0.62, 0.2), (-0.7, 0.36), (-0.62, 0.5), (-0.56, 0.66), (-0.66, 0.8), (-0.72, 0.93), (-0.62, 1.0),
               (-0.2, 1.0), (0.1, 0.97), (0.6, 0.95), (0.86, 0.9), (0.88, 0.8), (0.72, 0.75), (0.3, 0.74), (0.1, 0.71),
               (0.35, 0.6), (0.66, 0.48), (0.72, 0.36), (0.6, 0.2)],
    "bowed": [(-0.55, 0.2), (-0.66, 0.36), (-0.6, 0.55), (-0.62, 0.74), (-0.6, 0.9), (-0.42, 1.0), (-0.2, 0.97),
              (0.1, 0.9), (0.42, 0.78), (0.66, 0.64), (0.78, 0.54), (0.74, 0.45), (0.58, 0.44), (0.34, 0.55),
              (0.1, 0.62), (0.16, 0.5), (0.46, 0.4), (0.62, 0.3), (0.56, 0.2)],
    "broad": [(-0.5, 0.22), (-0.56, 0.4), (-0.62, 0.6), (-0.56, 0.8), (-0.42, 0.96), (-0.2, 1.0), (0.15, 0.97),
              (0.5, 0.93), (0.78, 0.84), (0.84, 0.72), (0.74, 0.63), (0.5, 0.62), (0.34, 0.58), (0.28, 0.48),
              (0.4, 0.36), (0.5, 0.22)],
}  # fmt: skip
"""Outlines of horses' heads looking to the right: sideways in radii of the foot, upwards in heights of the piece."""


@dataclass(frozen=True)
class Design:
    """A set of chessmen.

    Attributes:
        foot: of :data:`FEET`.
        horse: of :data:`HORSES`.
        tall, wide: factors on the usual heights and radii.
        head: factor on the widths of heads.
        points: of a queen's crown.
        ball: radius of the ball on it, of the foot's.
        thick: half the thickness of a knight's head, of the foot's radius.
        belly: how much wider bodies are half way up, of their width.
        lean: how far the top of a knight's head lies before its neck, in radii of the foot.
        stem: factor on the widths of bodies.
        collar: factor on the widths of collars.
        chest: how much thicker than its neck a knight is above its foot, of the neck's thickness.
        ears: height of a knight's ears, of the piece's.
        knob: whether a knob stands for the king's cross.
        carver: who made it: sets of the same design differ a little.
        rough: how much, of the foot's radius.
        teeth: how deep the gaps between the points of a crown are, of the height.
    """

    foot: str = "club"
    horse: str = "club"
    tall: float = 1.0
    wide: float = 1.0
    head: float = 1.0
    points: int = 9
    ball: float = 0.16
    thick: float = 0.42
    belly: float = 0.0
    lean: float = 0.0
    teeth: float = 0.045
    stem: float = 1.0
    collar: float = 1.0
    chest: float = 0.0
    ears: float = 0.0
    knob: bool = False
    carver: int = 0
    rough: float = 0.0


@dataclass(frozen=True, eq=False)
class Mesh:
    """A figure's faces: ``float64 (N, 4, 3)`` corners in squares, heights upwards, and as many normals."""

    faces: Floats
    normals: Floats

    def with_(self, other: "Mesh") -> "Mesh":
        """Both together."""
        return Mesh(np.concatenate([self.faces, other.faces]), np.concatenate([self.normals, other.normals]))

    def turned(self, angle: float) -> "Mesh":
        """The figure turned on its square by ``angle`` in radians."""
        turn = np.array([(np.cos(angle), -np.sin(angle), 0), (np.sin(angle), np.cos(angle), 0), (0, 0, 1)])
        return Mesh(self.faces @ turn.T, self.normals @ turn.T)


def random_design(rng: np.random.Generator) -> Design:
    """A set that somebody could own."""
    cartoon = bool(rng.random() < 0.15)
    return Design(
        foot=str(rng.choice(list(FEET))),
        horse=str(rng.choice(list(HORSES))),
        tall=float(rng.uniform(0.84, 1.14)),
        wide=float(rng.uniform(0.85, 1.15)),
        head=float(rng.uniform(1.1, 1.4) if cartoon else rng.uniform(0.88, 1.12)),
        points=int(rng.choice([5, 6, 8, 9, 12, 16])),
        ball=float(rng.choice([0.0, 0.14, 0.18, 0.24])),
        thick=float(rng.uniform(0.32, 0.65)),
        belly=float(rng.uniform(-0.12, 0.18)),
        lean=float(rng.normal(0, 0.12)),
        teeth=float(rng.uniform(0.025, 0.07)),
        stem=float(rng.uniform(0.8, 1.15)),
        collar=float(rng.uniform(0.8, 1.3)),
        chest=float(rng.uniform(0.0, 0.9)),
        ears=float(rng.choice([0.0, rng.uniform(0.03, 0.1)])),
        knob=bool(rng.random() < 0.1),
        carver=int(rng.integers(1 << 30)),
        rough=float(rng.uniform(0.0, 0.07)),
    )


def figure(name: str, design: Design) -> Mesh:
    """The piece ``name`` of a set, its foot around the origin, looking along x."""
    radius, tall = WIDE[name] * design.wide, TALL[name] * design.tall
    size = np.array([radius, radius, tall])
    carving = np.random.default_rng(design.carver)
    if name == "knight":
        foot = _lathe([*FEET[design.foot], (0.3, 0.37), (0, 0.37)], size)
        wide = 1 + 1.5 * design.rough * carving.normal()
        outline = [
            (wide * x + design.lean * max(0.0, z - 0.3) + design.rough * a, z + 0.25 * design.rough * b)
            for (x, z), (a, b) in zip(HORSES[design.horse], carving.normal(0, 1, (99, 2)), strict=False)
        ]
        return foot.with_(_horse(outline, design, size)).with_(_ears(outline, design, size))
    turning = 1 + design.rough * carving.normal(0, 1, len(HEADS[name]))
    head = [(r * t * design.head * _factor(r, z, design), z) for (r, z), t in zip(HEADS[name], turning, strict=True)]
    body = _lathe([*FEET[design.foot], *head], size)
    top = head[-1][0]
    if name == "queen":
        return body.with_(_crown(top, design, size))
    if name == "rook":
        return body.with_(_battlements(top, size))
    return body.with_(_cross(design, size)) if name == "king" else body


def _factor(radius: float, height: float, design: Design) -> float:
    """How much wider than usual a set's pieces are at a height."""
    part = 1.0
    if radius < STEM and height < COLLAR[1]:
        part = design.stem
    elif radius > STEM and COLLAR[0] <= height <= COLLAR[1]:
        part = design.collar
    return part * (1 + design.belly * _belly(height))


def _belly(height: float) -> float:
    """1 half way up a piece, 0 at its foot and its head."""
    return float(np.sin(np.pi * np.clip((height - 0.2) / 0.6, 0, 1)))


def _lathe(profile: Profile, size: Floats, waves: Floats | None = None) -> Mesh:
    """A profile of ``(radius, height)`` turned; ``waves (len(profile), TURNS)`` raise its points around the piece."""
    fine = _smooth(np.array(profile)) if waves is None else np.array(profile)
    angle = np.linspace(0, 2 * np.pi, TURNS + 1)
    height = np.repeat(fine[:, 1:], TURNS + 1, axis=1)
    if waves is not None:
        height = height + waves
    ring = np.stack([fine[:, :1] * np.cos(angle), fine[:, :1] * np.sin(angle), height], axis=-1) * size
    # Outwards is a quarter turn from the way the profile goes.
    way = np.gradient(fine * size[1:], axis=0)
    out = np.stack([way[:, 1], -way[:, 0]], axis=1)
    out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
    normal = np.stack(
        [out[:, :1] * np.cos(angle), out[:, :1] * np.sin(angle), np.repeat(out[:, 1:], TURNS + 1, axis=1)], axis=-1
    )
    return Mesh(_patches(ring), _patches(normal))


def _patches(net: Floats) -> Floats:
    """The meshes of a net ``(A, B, 3)`` as faces ``((A - 1) (B - 1), 4, 3)``."""
    faces = np.stack([net[:-1, :-1], net[:-1, 1:], net[1:, 1:], net[1:, :-1]], axis=2)
    return np.asarray(faces.reshape(-1, 4, 3))


def _smooth(profile: Floats) -> Floats:
    """A profile with its corners rounded a little: each cut off twice (Chaikin)."""
    for _ in range(2):
        cut = np.stack([0.75 * profile[:-1] + 0.25 * profile[1:], 0.25 * profile[:-1] + 0.75 * profile[1:]], axis=1)
        profile = np.concatenate([profile[:1], cut.reshape(-1, 2), profile[-1:]])
    return profile


def _crown(top: float, design: Design, size: Floats) -> Mesh:
    """The points of a queen's crown, what is within them, and the ball."""
    angle = np.linspace(0, 2 * np.pi, TURNS + 1)
    teeth = design.teeth * np.abs(np.cos(design.points * angle / 2))
    rim = _lathe(
        [(top, 0.9), (1.04 * top, 0.91), (0.86 * top, 0.91), (0.8 * top, 0.89)],
        size,
        np.array([0.0 * teeth, teeth, teeth, 0.0 * teeth]),
    )
    ball = design.ball
    dome: Profile = [(0.8 * top, 0.885), (0.6 * top, 0.925), (0.3 * top, 0.945), (0.06, 0.95)]
    if ball:
        rise = ball * size[0] / size[2]
        dome += [(0.5 * ball, 0.95), (ball, 0.95 + 0.6 * rise), (0.6 * ball, 0.95 + 1.4 * rise), (0, 0.95 + 1.6 * rise)]
    else:
        dome += [(0, 0.955)]
    return rim.with_(_lathe(dome, size))


def _battlements(top: float, size: Floats) -> Mesh:
    """A rook's wall with its gaps, and the floor within."""
    angle = np.linspace(0, 2 * np.pi, TURNS + 1)
    wall = 0.1 * (np.cos(4 * angle) > -0.5)
    ring = _lathe(
        [(top, 0.88), (top, 0.9), (0.72 * top, 0.9), (0.7 * top, 0.88)],
        size,
        np.array([0.0 * wall, wall, wall, 0.0 * wall]),
    )
    return ring.with_(_lathe([(top, 0.87), (0.5 * top, 0.86), (0, 0.86)], size))


def _cross(design: Design, size: Floats) -> Mesh:
    """A king's cross, or the knob that stands for it."""
    arm = 0.05 / WIDE["king"]
    if design.knob:
        return _lathe([(0, 0.91), (0.16, 0.93), (0.2, 0.97), (0.1, 1.0), (0, 1.0)], size)
    upright = _box((-arm, -arm, 0.91), (arm, arm, 1.0), size)
    return upright.with_(_box((-arm, -3 * arm, 0.94), (arm, 3 * arm, 0.97), size))


def _box(low: tuple[float, float, float], high: tuple[float, float, float], size: Floats) -> Mesh:
    """A box between two corners."""
    corners = np.array([[(x, y, z) for y, x in ((0, 0), (0, 1), (1, 1), (1, 0))] for z in (0, 1)], dtype=np.float64)
    corners = (np.array(low) + corners * (np.array(high) - np.array(low))) * size
    bottom, top = corners
    sides = [np.stack([bottom[i], bottom[i - 1], top[i - 1], top[i]]) for i in range(4)]
    faces = np.stack([*sides, bottom, top])
    normal = faces.mean(axis=1) - corners.reshape(-1, 3).mean(axis=0)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    return Mesh(faces, np.repeat(normal[:, None], 4, axis=1))


def _ears(outline: Profile, design: Design, size: Floats) -> Mesh:
    """A horse's two ears, on the highest part of its head."""
    top = max(outline, key=lambda at: at[1])
    ear = _lathe([(0.13, -0.04), (0.1, 0.3 * design.ears), (0.03, design.ears), (0, design.ears)], size)
    at = np.array([top[0] + 0.06, 0.42 * design.thick, top[1] - 0.02]) * size
    sides = [Mesh(ear.faces + at * (1, side, 1), ear.normals) for side in (-1, 1)]
    return sides[0].with_(sides[1])


def _horse(outline: Profile, design: Design, size: Floats) -> Mesh:
    """A horse's head: thick in the middle, thin at its outline, the mane in ridges."""
    steps = 90  # pixels for the height
    scale = np.array([steps * size[0] / size[2], steps])
    fine = _smooth(np.array([*outline, outline[0]])) * scale
    low = fine.min(axis=0) - 2
    width, height = np.ceil(np.ptp(fine, axis=0) + 4).astype(int)
    inside = np.zeros((height, width), np.uint8)
    cv2.fillPoly(inside, [np.rint((fine - low) * 16).astype(np.int32)], (1,), cv2.LINE_8, 4)
    deep = cv2.distanceTransform(inside, cv2.DIST_L2, 5).astype(np.float64) / steps * size[2]
    full = design.thick * size[0]
    rise = np.clip(deep / full, 0, 1)
    half = full * np.sqrt(1 - (1 - rise) ** 2)
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    z = (y + low[1]) / steps
    half *= 1.1 - 0.45 * np.clip((z - 0.3) / 0.7, 0, 1)  # The neck is thicker than the head.
    half *= 1 + design.chest * np.clip((0.5 - z) / 0.25, 0, 1)
    half = np.minimum(half, 0.8 * size[0])
    behind = np.clip(-(x + low[0]) / scale[0] * 2 + 0.1, 0, 1)
    half *= 1 - 0.07 * behind * (1 + np.sin(40 * (z + 0.2 * x / scale[0]))) / 2
    net = np.stack([(x + low[0]) / scale[0] * size[0], half, z * size[2]], axis=-1)
    slope_z, slope_x = np.gradient(half, size[2] / steps)
    normal = np.stack([-slope_x, np.ones_like(half), -slope_z], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    kept = (inside[:-1, :-1] | inside[1:, 1:]).ravel() > 0
    mirror = np.array([1, -1, 1])
    faces, normals = _patches(net)[kept], _patches(normal)[kept]
    return Mesh(np.concatenate([faces, faces * mirror]), np.concatenate([normals, normals * mirror]))
