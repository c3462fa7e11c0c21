"""Photos of real boards with one piece standing on them, drawn: turned figures, light, shadows, a camera.

The board is a sheet of wood, vinyl, marble or paper, seen by a camera with a true perspective from a seat at the table
or from above it. The figure (:mod:`samples.figures`) is painted face by face, the farthest first; its shadow is its
outline thrown onto the sheet from a lamp that is no point, and a glossy sheet mirrors it a little. The truth names the
square of its foot as the picture shows the board: the first row is the one farthest from the viewer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from samples.camera import Shot, developed, random_shot
from samples.canvas import Canvas
from samples.figures import TALL, Design, Mesh, figure, random_design
from samples.sample import Sample
from samples.textures import Bgr
from solvers.board import Cell
from vision.pictures.camera_pose import Pose

Floats = npt.NDArray[np.float64]
Paint = npt.NDArray[np.float32]

SQUARE_PX = 72
"""Side of a square on the drawn sheet."""

FINER = 3
"""The figure is painted so many times larger, and reduced: smooth outlines."""

SHADOW_PX, LAMP = 24, 14
"""Pixels of a square in which shadows are thrown, and points of a lamp that throws them."""

HIDDEN_FROM = -0.6
"""Cosine of the angle to the view from which on faces are seen: thin ridges are seen from both sides."""

SPOT = np.ones((3, 3), np.uint8)
"""What a point of a figure hides of the light; its points lie closer than this."""


@dataclass(frozen=True)
class Stuff:
    """What boards are made of.

    Attributes:
        light, dark: colours of the squares.
        sort: wood, vinyl, marble or paper.
        frame: colour around the squares.
        gloss: how much of the figure the sheet mirrors, at most.
    """

    light: Bgr
    dark: Bgr
    sort: str
    frame: Bgr
    gloss: float = 0.0


STUFFS: dict[str, Stuff] = {
    "green vinyl": Stuff((190, 222, 230), (74, 100, 38), "vinyl", (190, 222, 230), 0.3),
    "blue vinyl": Stuff((225, 230, 228), (140, 84, 40), "vinyl", (225, 230, 228), 0.2),
    "red vinyl": Stuff((222, 224, 226), (52, 36, 104), "vinyl", (222, 224, 226), 0.2),
    "black vinyl": Stuff((215, 226, 232), (46, 44, 42), "vinyl", (215, 226, 232), 0.2),
    "oak": Stuff((150, 192, 222), (52, 88, 134), "wood", (44, 72, 112), 0.25),
    "walnut": Stuff((146, 186, 208), (38, 56, 84), "wood", (34, 48, 74), 0.25),
    "folding": Stuff((110, 200, 225), (40, 52, 66), "wood", (110, 200, 225), 0.1),
    "mahogany": Stuff((140, 178, 218), (40, 44, 110), "wood", (36, 40, 90), 0.3),
    "marble": Stuff((214, 220, 220), (78, 78, 74), "marble", (90, 92, 90), 0.35),
    "green marble": Stuff((205, 215, 210), (80, 96, 60), "marble", (70, 84, 50), 0.35),
    "paper": Stuff((240, 240, 240), (40, 38, 36), "paper", (240, 240, 240)),
    "grey paper": Stuff((240, 242, 242), (140, 138, 138), "paper", (240, 242, 242)),
}

LIGHT_PIECES: tuple[Bgr, ...] = ((196, 222, 232), (236, 238, 240), (132, 186, 220), (168, 208, 226), (214, 220, 222))
DARK_PIECES: tuple[Bgr, ...] = ((30, 30, 32), (40, 38, 36), (34, 48, 84), (30, 38, 56), (24, 26, 60), (56, 60, 58))
"""Colours of the two sides of sets: plastic, ivory, boxwood; black, rosewood, ebonised, mahogany."""


@dataclass(frozen=True)
class Scene:
    """What stands where, and how it is seen.

    Attributes:
        name: of the piece; None for an empty board.
        cell: its square.
        n: squares along a side.
        off: how far the foot stands off the middle of its square, right and down, in squares.
        facing: which way it looks, in radians.
        design: of the set.
        colour: of the piece.
        shine: how much it shines, 0..1.
        stuff: of :data:`STUFFS`.
        border: width of the frame, in squares.
        coordinates: whether letters and digits are printed on the frame.
        emblem: whether a maker's sign is printed on a corner square.
        worn: how worn the sheet is, 0..1.
        wave: how far the sheet's waves shift its squares, in squares.
        clutter: things that lie around the board.
        elevation_deg: how high the camera stands above the board's middle.
        azimuth_deg: from which side it looks; 0 is from below the last row.
        roll_deg: how far it is turned about its view.
        focal: its focal length, of the photo's longer side.
        fill: how much of the photo the board takes.
        lamp: from where light comes: azimuth and elevation in radians, and the lamp's half width in radians.
        shade: how dark a shadow is, 0..1.
        more_lamps: others on the ceiling.
        shot: the faults of light, lens and sensor.
    """

    name: str | None
    cell: Cell
    n: int = 8
    off: tuple[float, float] = (0.0, 0.0)
    facing: float = 0.0
    design: Design = field(default_factory=Design)
    colour: Bgr = (196, 222, 232)
    shine: float = 0.3
    stuff: str = "green vinyl"
    border: float = 0.6
    coordinates: bool = True
    emblem: bool = False
    worn: float = 0.0
    wave: float = 0.0
    clutter: int = 0
    elevation_deg: float = 50.0
    azimuth_deg: float = 0.0
    roll_deg: float = 0.0
    focal: float = 0.8
    fill: float = 0.9
    lamp: tuple[float, float, float] = (2.0, 1.0, 0.15)
    shade: float = 0.4
    more_lamps: tuple[tuple[float, float, float], ...] = ()
    shot: Shot = field(default_factory=Shot)


def random_scene(rng: np.random.Generator, name: str | None, size_wh: tuple[int, int] = (1600, 1200)) -> Scene:
    """A board and a piece as people photograph them."""
    n = int(rng.choice([8, 8, 8, 8, 8, 8, 8, 6, 5, 10]))
    size_wh = size_wh if rng.random() < 0.7 else (size_wh[1], size_wh[0])
    shot = random_shot(rng, size_wh, screen=False, hardness=0.8)
    return Scene(
        name=name,
        cell=(int(rng.integers(n)), int(rng.integers(n))),
        n=n,
        off=(float(rng.normal(0, 0.06)), float(rng.normal(0, 0.06))),
        facing=float(rng.uniform(0, 2 * np.pi)),
        design=random_design(rng),
        colour=_varied((LIGHT_PIECES, DARK_PIECES)[int(rng.integers(2))], rng),
        shine=float(rng.uniform(0.0, 0.7)),
        stuff=str(rng.choice(list(STUFFS))),
        border=float(rng.choice([0.0, rng.uniform(0.15, 0.9), rng.uniform(0.4, 0.9)])),
        coordinates=bool(rng.random() < 0.6),
        emblem=bool(rng.random() < 0.15),
        worn=float(rng.uniform(0, 0.8) if rng.random() < 0.3 else 0),
        wave=float(0.03 * rng.random() ** 2),
        clutter=int(rng.integers(1, 9)) if rng.random() < 0.4 else 0,
        elevation_deg=float(rng.triangular(25, 48, 80)),
        azimuth_deg=float(rng.choice([0, 0, 0, 90, 180, 270]) + rng.normal(0, 8) if rng.random() < 0.65
                          else rng.uniform(0, 360)),
        roll_deg=float(rng.normal(0, 2.5)),
        focal=float(rng.uniform(0.68, 1.1)),
        fill=float(rng.uniform(0.72, 0.97)),
        lamp=(float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.55, 1.4)), float(rng.uniform(0.02, 0.3))),
        shade=float(rng.uniform(0.15, 0.55)),
        more_lamps=tuple(
            (float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.8, 1.4)), float(rng.uniform(0.01, 0.15)))
            for _ in range(int(rng.integers(1, 4)) if rng.random() < 0.35 else 0)
        ),
        shot=replace(shot, bend=0.0),
    )  # fmt: skip


def random_sample(rng: np.random.Generator, names: tuple[str, ...] = ("queen", "knight")) -> Sample:
    """A photo of one of the pieces ``names``."""
    return draw(rng, random_scene(rng, str(rng.choice(names))))


def draw(rng: np.random.Generator, scene: Scene, company: Sequence[Scene] = ()) -> Sample:
    """The photo of a scene with its truth; the pieces of ``company`` stand on the same board and are no part of it."""
    camera = view(scene)
    ground = _Ground(scene, camera, rng)
    photo = _cluttered(ground.table(rng), scene.clutter, rng)
    sheet, cover = ground.projected(_sheet(scene, rng))
    photo = photo * (1 - cover) + sheet * cover
    gloss = STUFFS[scene.stuff].gloss * float(rng.random())
    figures = [(piece, _standing(piece)) for piece in (scene, *company) if piece.name is not None]
    figures.sort(key=lambda drawn: -float(np.linalg.norm(drawn[1].faces.mean(axis=(0, 1)) - camera.eye)))
    for _, mesh in figures:
        photo *= ground.shadows(mesh)
    for piece, mesh in figures:
        if gloss:
            low = Mesh(mesh.faces * (1, 1, -1), mesh.normals * (1, 1, -1))
            _paint(photo, low, camera, piece, gloss)
    for piece, mesh in figures:
        _paint(photo, mesh, camera, piece, 1.0)
    developed_photo = developed(photo.astype(np.float32), scene.shot, rng)
    return Sample(developed_photo, _truth(scene, camera), scene.shot.quality)


def _varied(colours: tuple[Bgr, ...], rng: np.random.Generator) -> Bgr:
    """One of the colours, a little lighter or darker."""
    chosen = np.array(colours[int(rng.integers(len(colours)))]) * rng.uniform(0.88, 1.06)
    b, g, r = (int(v) for v in np.clip(chosen, 8, 250))
    return b, g, r


def _truth(scene: Scene, camera: Pose) -> dict[str, object]:
    """The truth with the board's first corner where rows run down the picture most."""
    n = scene.n
    corners = camera.to_photo([(0, 0, 0), (n, 0, 0), (n, n, 0), (0, n, 0)])
    down = [float(corners[(k + 3) % 4][1] - corners[k][1] + corners[(k + 2) % 4][1] - corners[(k + 1) % 4][1])
            for k in range(4)]  # fmt: skip
    first = int(np.argmax(down))
    row, col = scene.cell
    for _ in range(first):
        row, col = n - 1 - col, row
    # Nothing on a real board tells its top: where it lies askew any side may be it.
    shared: dict[str, object] = {"turned": True}
    shared |= {"corners": [[round(float(x), 2), round(float(y), 2)] for x, y in np.roll(corners, -first, axis=0)]}
    if scene.name == "knight":
        return {"kind": "knight", "rows": n, "cols": n, "start": [row, col], **shared}
    if scene.name in ("queen", None):
        queens = [] if scene.name is None else [[row, col]]
        return {"kind": "queens", "n": n, "regions": None, "queens": queens, **shared}
    return {"kind": "other", "piece": scene.name, "cell": [row, col], **shared}


# --- the camera -------------------------------------------------------------------------------------------------------


def view(scene: Scene) -> Pose:
    """The camera that shows the whole board, and the piece, as large as ``scene.fill`` asks for."""
    n, (width, height) = scene.n, scene.shot.size_wh
    middle = np.array([n / 2, n / 2, 0.0])
    azimuth, elevation = np.deg2rad(scene.azimuth_deg), np.deg2rad(scene.elevation_deg)
    towards = np.array([np.sin(azimuth) * np.cos(elevation), np.cos(azimuth) * np.cos(elevation), np.sin(elevation)])
    rim = max(scene.border, 0.1)
    wanted = [(x, y, 0.0) for x, y in product((-rim, n + rim), repeat=2)]
    if scene.name is not None:
        wanted.append((scene.cell[1] + 0.5, scene.cell[0] + 0.5, TALL[scene.name] * scene.design.tall))
    half, target, distance = np.array([width, height]) / 2, middle, 2.0 * n
    camera = _camera_at(target + towards * distance, target, scene)
    for _ in range(12):
        projected = camera.to_photo(wanted)
        centre = (projected.min(axis=0) + projected.max(axis=0)) / 2
        # The view is moved along the board until what is wanted lies in its middle.
        back = np.linalg.inv(camera.matrix[:, [0, 1, 3]])
        there, here = (back @ (*point, 1) for point in (centre, half))
        target = target + np.array([*(there[:2] / there[2] - here[:2] / here[2]), 0.0])
        distance *= float((np.ptp(projected, axis=0) / 2 / half).max()) / scene.fill
        camera = _camera_at(target + towards * distance, target, scene)
    return camera


def _camera_at(eye: Floats, target: Floats, scene: Scene) -> Pose:
    """The camera at ``eye`` that has ``target`` in its middle."""
    width, height = scene.shot.size_wh
    ahead = (target - eye) / np.linalg.norm(target - eye)
    # The board's axes are x right, y down, height up: left-handed, so the cross products are turned round.
    right = np.cross((0.0, 0.0, 1.0), ahead)
    right /= np.linalg.norm(right)
    down = np.cross(right, ahead)
    roll = np.deg2rad(scene.roll_deg)
    turn = np.array([right * np.cos(roll) + down * np.sin(roll), down * np.cos(roll) - right * np.sin(roll), ahead])
    focal = scene.focal * max(width, height)
    lens = np.array([(focal, 0, (width - 1) / 2), (0, focal, (height - 1) / 2), (0, 0, 1)])
    return Pose(lens @ np.column_stack([turn, -turn @ eye]), eye)


# --- the ground -------------------------------------------------------------------------------------------------------


class _Ground:
    """The plane of the board, as the photo shows it."""

    def __init__(self, scene: Scene, camera: Pose, rng: np.random.Generator) -> None:
        self._scene = scene
        width, height = scene.shot.size_wh
        back = np.linalg.inv(camera.matrix[:, [0, 1, 3]]).astype(np.float32)
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        depth = back[2, 0] * x + back[2, 1] * y + back[2, 2]
        ahead = back @ (*camera.to_photo([(scene.n / 2, scene.n / 2, 0)])[0].astype(np.float32), 1)
        self._below = depth * np.sign(ahead[2]) > 1e-6
        depth = np.where(self._below, depth, np.float32(np.inf))
        self._x = (back[0, 0] * x + back[0, 1] * y + back[0, 2]) / depth
        self._y = (back[1, 0] * x + back[1, 1] * y + back[1, 2]) / depth
        phase = rng.uniform(0, 2 * np.pi, 4)
        self._wavy_x = self._x + scene.wave * np.sin(1.1 * self._y + phase[0]) * np.sin(0.7 * self._x + phase[1])
        self._wavy_y = self._y + scene.wave * np.sin(1.2 * self._x + phase[2]) * np.sin(0.6 * self._y + phase[3])

    def table(self, rng: np.random.Generator) -> Paint:
        """The photo of the bare table, ``float32 (H, W, 3)``, with a wall where it ends."""
        wide = 400
        sort = rng.choice(["planks", "cloth", "plain"])
        colour = rng.uniform(45, 215) * rng.uniform([0.6, 0.78, 0.9], [1.0, 1.0, 1.0])
        fine = rng.normal(0, 1, (wide, wide if sort == "cloth" else 16)).astype(np.float32)
        grain = cv2.resize(fine, (wide, wide), interpolation=cv2.INTER_CUBIC)
        texture = colour + (grain * {"planks": 9, "cloth": 3, "plain": 1.5}[str(sort)])[..., None]
        if sort == "cloth":
            folds = cv2.resize(rng.normal(0, 7, (7, 7)).astype(np.float32), (wide, wide), interpolation=cv2.INTER_CUBIC)
            texture = texture + folds[..., None]
        scale = wide / (5 * self._scene.n)
        at = [((v + 2 * self._scene.n) * scale).astype(np.float32) for v in (self._x, self._y)]
        laid = cv2.remap(texture.astype(np.float32), at[0], at[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
        wall = rng.uniform(60, 220) * rng.uniform(0.85, 1.0, 3)
        return np.where(self._below[..., None], laid, wall).astype(np.float32)

    def projected(self, sheet: Paint) -> tuple[Paint, Paint]:
        """A sheet with the board in its middle, as the photo shows it, and where it is, ``float32 (H, W, 1)``."""
        edge = (len(sheet) - self._scene.n * SQUARE_PX) / 2
        x, y = ((v * SQUARE_PX + edge - 0.5).astype(np.float32) for v in (self._wavy_x, self._wavy_y))
        paint = cv2.remap(sheet, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        cover = cv2.remap(np.ones(sheet.shape[:2], np.float32), x, y, cv2.INTER_LINEAR, borderValue=(0,))
        return np.asarray(paint, np.float32), np.asarray(cover[..., None], np.float32)

    def shadows(self, mesh: Mesh) -> Paint:
        """How much light a figure leaves on the ground, ``float32 (H, W, 1)``: its shadow, the dark at its foot."""
        scene, reach = self._scene, 5.0
        foot = mesh.faces[:, :, :2].reshape(-1, 2).mean(axis=0)
        size = round(2 * reach * SHADOW_PX)
        points = mesh.faces[:, 0] - (*foot, 0)
        dark = np.zeros((size, size), np.float32)
        lamps = (scene.lamp, *scene.more_lamps)
        for lamp in lamps:
            dark += _thrown(points, lamp, size) / np.float32(len(lamps) ** 0.5)
        dark = np.asarray(cv2.GaussianBlur(np.minimum(dark, 1), (0, 0), 0.05 * SHADOW_PX), np.float32)
        low = mesh.faces[mesh.faces[:, :, 2].max(axis=1) < 0.12][:, :, :2] - foot + reach
        contact = np.zeros((size, size), np.float32)
        cv2.fillPoly(contact, list(np.rint(low * SHADOW_PX * 16).astype(np.int32)), (1.0,), cv2.LINE_8, 4)
        contact = np.asarray(cv2.GaussianBlur(contact, (0, 0), 0.1 * SHADOW_PX), np.float32)
        light = (1 - scene.shade * dark) * (1 - 0.5 * contact)
        x, y = (((v - f + reach) * SHADOW_PX).astype(np.float32) for v, f in ((self._x, foot[0]), (self._y, foot[1])))
        left = cv2.remap(light.astype(np.float32), x, y, cv2.INTER_LINEAR, borderValue=(1.0,))
        return np.asarray(left[..., None], np.float32)


def _thrown(points: Floats, lamp: tuple[float, float, float], size: int) -> Paint:
    """How much of a lamp's light points ``(N, 3)`` keep from the ground around the origin, ``(size, size)``, 0..1."""
    azimuth, elevation, spread = lamp
    dark = np.zeros((size, size), np.float32)
    around = np.linspace(0, 2 * np.pi, LAMP, endpoint=False)
    ring = np.where(np.arange(LAMP) % 2, 1.0, 0.5)
    for turn, part in zip(around, ring, strict=True):
        up = float(np.clip(elevation + part * spread * np.sin(turn), 0.4, 1.5))
        side = azimuth + part * spread * np.cos(turn) / np.cos(up)
        away = np.array([np.cos(side), np.sin(side)]) / np.tan(up)
        x, y = np.rint((points[:, :2] + points[:, 2:] * away) * SHADOW_PX + size / 2).astype(int).T
        inside = (x >= 0) & (y >= 0) & (x < size) & (y < size)
        thrown = np.zeros((size, size), np.uint8)
        thrown[y[inside], x[inside]] = 1
        dark += cv2.morphologyEx(cv2.dilate(thrown, SPOT), cv2.MORPH_ERODE, SPOT) / np.float32(LAMP)
    return dark


def _cluttered(photo: Paint, things: int, rng: np.random.Generator) -> Paint:
    """The photo with things lying about: sheets and books with corners, cups and bags without."""
    drawn = photo.copy()
    height, width = photo.shape[:2]
    for _ in range(things):
        middle, size = rng.uniform(0, 1, 2) * (width, height), rng.uniform(0.04, 0.2) * width
        angle = rng.uniform(0, 2 * np.pi) + np.linspace(0, 2 * np.pi, int(rng.choice([4, 4, 24])), endpoint=False)
        stretched = size * rng.uniform(0.3, 1.0, 2)
        outline = middle + stretched * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        colour = rng.uniform(15, 240) * rng.uniform(0.7, 1.0, 3)
        cv2.fillPoly(drawn, [np.rint(outline * 16).astype(np.int32)], colour.tolist(), cv2.LINE_AA, 4)
    return drawn


def _sheet(scene: Scene, rng: np.random.Generator) -> Paint:
    """The board as it lies before one, ``float32``, its frame around it."""
    stuff, n, px = STUFFS[scene.stuff], scene.n, SQUARE_PX
    border = max(scene.border, 0.02)
    edge = round(border * px)
    side = n * px + 2 * edge
    dark = np.kron((np.add.outer(np.arange(n), np.arange(n)) + int(rng.integers(2))) % 2, np.ones((px, px))) > 0
    tones = 1 + {"wood": 0.07, "marble": 0.04}.get(stuff.sort, 0.0) * rng.normal(0, 1, (n, n))
    squares = np.where(dark[..., None], stuff.dark, stuff.light) * np.kron(tones, np.ones((px, px)))[..., None]
    whole = np.ones((side, side, 3)) * np.array(stuff.frame)
    whole[edge : edge + n * px, edge : edge + n * px] = squares
    whole = whole * _grain(stuff.sort, side, rng)
    if scene.worn:
        whole += 50 * scene.worn * (_clouds(side, 60, rng) > 1.3)[..., None] * rng.uniform(-0.5, 1)
    canvas = Canvas(np.clip(whole, 0, 255).astype(np.uint8))
    ink: Bgr = (30, 30, 30) if sum(stuff.frame) > 380 else (190, 215, 225)
    if rng.random() < 0.5:
        line = np.array([(0, 0), (n, 0), (n, n), (0, n), (0, 0)]) * px + edge
        canvas.line(line, max(2, 0.03 * px), ink)
    if scene.coordinates and scene.border > 0.3:
        for k in range(n):
            for far in (scene.border / 2, n + 1.5 * scene.border):
                canvas.words(
                    ((scene.border + k + 0.5) * px, far * px), "abcdefghijkl"[k], 0.35 * scene.border * px, ink
                )
                canvas.words((far * px, (scene.border + k + 0.5) * px), str(n - k), 0.35 * scene.border * px, ink)
    if scene.emblem:
        middle = np.array([edge + 0.5 * px, edge + (n - 0.5) * px])
        for i, j in product(range(4), repeat=2):
            at = middle + np.array([(i - j), (i + j - 3)]) * 0.09 * px
            diamond = at + np.array([(-1, 0), (0, -1), (1, 0), (0, 1)]) * 0.09 * px
            canvas.fill(diamond, stuff.dark if (i + j) % 2 else stuff.light)
    if scene.n % 2 == 0 and stuff.sort == "wood" and rng.random() < 0.25:
        canvas.line([(0, side / 2), (side, side / 2)], max(1, 0.02 * px), (20, 25, 30))
    return canvas.picture.astype(np.float32)


def _grain(sort: str, side: int, rng: np.random.Generator) -> Floats:
    """What the stuff of a board does to its colours, ``(side, side, 1)`` around 1."""
    if sort == "wood":
        strands = rng.normal(0, 1, (side // 3, max(2, side // 150))).astype(np.float32)
        grain = cv2.resize(strands, (side, side), interpolation=cv2.INTER_CUBIC)
        return np.asarray(1 + rng.uniform(0.02, 0.07) * grain[..., None], np.float64)
    if sort == "marble":
        veins = np.abs(_clouds(side, 6, rng) + 0.5 * _clouds(side, 18, rng))
        return np.asarray(1 + 0.06 * _clouds(side, 10, rng)[..., None] + 0.15 * np.exp(-12 * veins)[..., None])
    if sort == "vinyl":
        return np.asarray(1 + rng.uniform(0, 0.06) * _clouds(side, 5, rng)[..., None])
    return np.ones((side, side, 1))


def _clouds(side: int, across: int, rng: np.random.Generator) -> Floats:
    """Smooth noise of spread 1 with ``across`` clouds along a side."""
    coarse = rng.normal(0, 1, (across, across)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC), np.float64)


# --- the figure -------------------------------------------------------------------------------------------------------


def _standing(scene: Scene) -> Mesh:
    """The figure on its square."""
    assert scene.name is not None
    mesh = figure(scene.name, scene.design).turned(scene.facing)
    place = np.array([scene.cell[1] + 0.5 + scene.off[0], scene.cell[0] + 0.5 + scene.off[1], 0.0])
    return Mesh(mesh.faces + place, mesh.normals)


def _paint(photo: Paint, mesh: Mesh, camera: Pose, scene: Scene, alpha: float) -> None:
    """Paint a figure onto the photo."""
    middle = mesh.faces.mean(axis=1)
    normal = mesh.normals.mean(axis=1)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    view = camera.eye - middle
    distance = np.linalg.norm(view, axis=1)
    view /= distance[:, None]
    facing = (normal * view).sum(axis=1) > HIDDEN_FROM
    order = np.argsort(-distance[facing])
    faces, normal, view = mesh.faces[facing][order], normal[facing][order], view[facing][order]
    projected = camera.to_photo(faces.reshape(-1, 3)).reshape(-1, 4, 2)
    low = np.floor(projected.min(axis=(0, 1))).astype(int) - 2
    high = np.ceil(projected.max(axis=(0, 1))).astype(int) + 3
    low, high = np.maximum(low, 0), np.minimum(high, np.array(photo.shape[1::-1]))
    if (high <= low).any():
        return
    width, height = ((high - low) * FINER).tolist()
    drawn = np.zeros((height, width, 4), np.uint8)
    colours = _lit(normal, view, faces[..., 2].mean(axis=1), scene)
    fixed = np.rint(((projected - low + 0.5) * FINER - 0.5) * 16).astype(np.int32)
    for corners, (b, g, r) in zip(fixed, colours.tolist(), strict=True):
        cv2.fillConvexPoly(drawn, cv2.convexHull(corners), (b, g, r, 255), cv2.LINE_8, 4)
    small = cv2.resize(drawn.astype(np.float32), None, fx=1 / FINER, fy=1 / FINER, interpolation=cv2.INTER_AREA)
    cover = small[..., 3:] / 255 * alpha
    part = photo[low[1] : high[1], low[0] : high[0]]
    # Colours are black where nothing is painted: they are weighted with their cover already.
    part[:] = part * (1 - cover) + small[..., :3] * alpha


def _lit(normal: Floats, view: Floats, height: Floats, scene: Scene) -> Floats:
    """The colours of faces under the lamp and the sky, ``uint8``-ranged ``(N, 3)``."""
    azimuth, elevation, _ = scene.lamp
    # The lamp stands where shadows point away from.
    lamp = np.array([-np.cos(azimuth) * np.cos(elevation), -np.sin(azimuth) * np.cos(elevation), np.sin(elevation)])
    sky = 0.5 + 0.18 * normal[:, 2]
    sun = 0.6 * np.clip(normal @ lamp, 0, None)
    near_ground = 1 - 0.3 * np.exp(-np.clip(height, 0, None) / 0.08)
    half = lamp + view
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    gleam = 150 * scene.shine * np.clip((normal * half).sum(axis=1), 0, None) ** 40
    rim = 40 * scene.shine * (1 - np.clip((normal * view).sum(axis=1), 0, 1)) ** 3
    body = np.array(scene.colour) * ((sky + sun) * near_ground)[:, None]
    return np.asarray(np.clip(body + (gleam + rim)[:, None], 0, 255))
