"""A camera for drawn pictures: perspective, turn, bend, light, shadow, blur, noise, moire, JPEG.

What lies before the camera is a flat sheet, a page or a phone, on a table. The sheet may curl a little, then it is
turned in space and projected; light falls on it unevenly; the lens and the sensor add their faults. The map from the
drawn picture to the photo is kept, so every point of a truth can follow.

All lengths are fractions of the photo's longer side, so that a shot means the same at any size.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from samples.sample import PointMap, Sample
from vision.pictures.photo import Picture

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Shot:
    """How a picture is taken.

    Attributes:
        size_wh: of the photo, in pixels.
        tilt_deg: angle between the sheet and the camera's view, up to about 35.
        tilt_towards_deg: direction in which the sheet tilts away.
        turn_deg: rotation of the sheet about the view, any.
        fill: the share of the photo's width or height that the sheet takes up.
        bend: height of the sheet's curl, of its longer side; 0.02 is a page from a book.
        bend_along_deg: direction of the curl's axis on the sheet.
        light: how much darker the dim side is, 0..1.
        shadow: how dark the shadow of a hand or a phone is, 0..1.
        glare: strength of a soft bright spot, 0..1.
        cast: gains of blue, green and red.
        blur: standard deviation of the lens's blur, of the longer side (0.001 is one pixel in a thousand).
        shake: length of a motion blur, of the longer side.
        noise: standard deviation of the sensor's noise, in grey levels.
        moire: amplitude of the beat between a screen's and the sensor's grid, in grey levels.
        quality: of the JPEG, 1..100.
        bezel: width of a dark frame round the sheet, of its shorter side: a phone; 0 for a page.
    """

    size_wh: tuple[int, int] = (1600, 1200)
    tilt_deg: float = 0.0
    tilt_towards_deg: float = 0.0
    turn_deg: float = 0.0
    fill: float = 0.85
    bend: float = 0.0
    bend_along_deg: float = 0.0
    light: float = 0.0
    shadow: float = 0.0
    glare: float = 0.0
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    blur: float = 0.0
    shake: float = 0.0
    noise: float = 0.0
    moire: float = 0.0
    quality: int = 90
    bezel: float = 0.0


def random_shot(
    rng: np.random.Generator, size_wh: tuple[int, int] = (1600, 1200), screen: bool | None = None, hardness: float = 1.0
) -> Shot:
    """A shot as people take them; ``hardness`` 0 is a tripod, 1 the worst that should still be read.

    Args:
        rng: decides everything.
        size_wh: of the photo.
        screen: a phone or monitor (moire, glare, no curl) or a page; None tosses a coin.
        hardness: scales every fault but the turn.
    """
    on_screen = bool(rng.random() < 0.5) if screen is None else screen

    def up_to(most: float) -> float:
        # Most photos are fair and few are bad: the square of a uniform number.
        return float(most * hardness * rng.random() ** 2)

    return Shot(
        size_wh=size_wh,
        tilt_deg=float(min(35.0, 35 * hardness * rng.random())),
        tilt_towards_deg=float(rng.uniform(0, 360)),
        turn_deg=float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 8)),
        fill=float(rng.uniform(0.75, 0.95)),
        bend=0.0 if on_screen else up_to(0.02),
        bend_along_deg=float(rng.uniform(0, 180)),
        light=up_to(0.5),
        shadow=up_to(0.5) if rng.random() < 0.5 else 0.0,
        glare=up_to(0.25) if on_screen else 0.0,
        cast=(1 - up_to(0.2), 1 - up_to(0.06), 1 - up_to(0.12)),
        blur=up_to(0.0011),
        shake=up_to(0.0018) if rng.random() < 0.3 else 0.0,
        noise=up_to(9),
        moire=up_to(14) if on_screen else 0.0,
        quality=round(95 - up_to(45)),
        bezel=float(rng.uniform(0.03, 0.06)) if on_screen else 0.0,
    )


def photograph(sample: Sample, shot: Shot, rng: np.random.Generator) -> Sample:
    """``sample`` as the camera sees it, its truth's points moved along."""
    photo, to_photo = take(sample.picture, shot, rng)
    return sample.moved(photo, to_photo, quality=shot.quality)


def take(picture: Picture, shot: Shot, rng: np.random.Generator) -> tuple[Picture, PointMap]:
    """Photograph ``picture``, ``uint8 (H, W, 3)`` BGR.

    Returns:
        The photo, ``uint8 (h, w, 3)``, JPEG faults included, and the map of points of ``picture`` to it.
    """
    sheet, border = _with_bezel(picture, shot.bezel)
    matrix, curl = _projection(sheet, shot)

    def to_photo(points: npt.ArrayLike) -> npt.NDArray[np.float64]:
        xy = np.asarray(points, dtype=np.float64).reshape(-1, 2) + border
        return _through(matrix, xy + curl(xy))

    projected = _project(sheet, matrix, curl, shot, rng)
    return developed(projected, shot, rng), to_photo


# --- geometry ---------------------------------------------------------------------------------------------------------


class _Curl:
    """The sheet's curl, seen from above: points move sideways as the paper rises, most in its middle."""

    def __init__(self, sheet: Picture, shot: Shot) -> None:
        self._longest = max(sheet.shape[:2])
        angle = np.deg2rad(shot.bend_along_deg)
        self._along = np.array([np.cos(angle), np.sin(angle)])
        self._height = shot.bend * self._longest

    def __call__(self, xy: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """How far the points ``(N, 2)`` move, in pixels of the sheet."""
        phase = np.pi * (xy @ self._along) / self._longest
        return np.asarray(np.sin(phase)[:, None] * self._height * np.array([-self._along[1], self._along[0]]))


def _with_bezel(picture: Picture, bezel: float) -> tuple[Picture, int]:
    """The picture in a dark frame, and the frame's width in pixels."""
    width = round(bezel * min(picture.shape[:2]))
    if width == 0:
        return picture, 0
    framed = cv2.copyMakeBorder(picture, width, width, width, width, cv2.BORDER_CONSTANT, value=(24, 22, 22))
    return np.asarray(framed, np.uint8), width


def _projection(sheet: Picture, shot: Shot) -> tuple[npt.NDArray[np.float64], _Curl]:
    """The homography from the sheet to the photo that shows all of it at the size ``shot.fill`` asks for."""
    height, width = sheet.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
    space = (corners - corners.mean(axis=0)) / max(width, height)
    turn, towards, tilt = (np.deg2rad(a) for a in (shot.turn_deg, shot.tilt_towards_deg, shot.tilt_deg))
    space = space @ _rotation(turn).T
    # Tilting about an axis in the sheet: the part along `towards` shortens and goes away from the camera.
    away = np.array([np.cos(towards), np.sin(towards)])
    depth = (space @ away)[:, None] * np.sin(tilt)
    flat = space + (space @ away)[:, None] * (np.cos(tilt) - 1) * away
    distance = 1.6  # of the longer side: about how far a phone is held to fill the picture
    projected = flat * distance / (distance + depth)
    low, high = projected.min(axis=0), projected.max(axis=0)
    room = np.array(shot.size_wh)
    scale = shot.fill * float((room / (high - low)).min())
    target = (projected - (low + high) / 2) * scale + room / 2
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
    return np.asarray(matrix, np.float64), _Curl(sheet, shot)


def _rotation(angle: float) -> npt.NDArray[np.float64]:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _through(matrix: npt.NDArray[np.float64], xy: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    mapped = np.column_stack([xy, np.ones(len(xy))]) @ matrix.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:])


MAP_STEP_PX = 8
"""The inverse map is computed on a grid this wide and interpolated: it is smooth, and this is 64 times cheaper."""


def _project(
    sheet: Picture, matrix: npt.NDArray[np.float64], curl: _Curl, shot: Shot, rng: np.random.Generator
) -> Floats:
    """The sheet on its table, ``float32 (h, w, 3)``."""
    width, height = shot.size_wh
    sheet = _shrunk_for(sheet, matrix, shot)
    table = _table(shot.size_wh, rng)
    nx, ny = width // MAP_STEP_PX + 2, height // MAP_STEP_PX + 2
    gx, gy = np.meshgrid(np.arange(nx) * MAP_STEP_PX, np.arange(ny) * MAP_STEP_PX)
    back = np.asarray(np.linalg.inv(matrix), np.float64)
    goal = _through(back, np.column_stack([gx.ravel(), gy.ravel()]).astype(np.float64))
    source = goal.copy()
    for _ in range(4):  # source + curl(source) = goal, solved by repetition: the curl is small and smooth
        source = goal - curl(source)
    grid = source.astype(np.float32).reshape(ny, nx, 2)
    # Sampling the grid's cells at every pixel: the affine map below puts node (i, j) at pixel (8 i, 8 j).
    shrink = np.array([[1 / MAP_STEP_PX, 0, 0], [0, 1 / MAP_STEP_PX, 0]])
    full = cv2.warpAffine(grid, shrink, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    x, y = (np.ascontiguousarray(full[..., axis]) for axis in (0, 1))
    paint = np.asarray(cv2.remap(sheet, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
    inside = cv2.remap(np.full(sheet.shape[:2], 255, np.uint8), x, y, cv2.INTER_LINEAR, borderValue=(0,))
    cover = np.asarray(inside[..., None] / 255, np.float32)
    return np.asarray(paint * cover + table * _contact_shadow(cover) * (1 - cover), np.float32)


def _shrunk_for(sheet: Picture, matrix: npt.NDArray[np.float64], shot: Shot) -> Picture:
    """The sheet blurred as far as the photo will shrink it, so that thin lines do not flicker."""
    height, width = sheet.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
    area = cv2.contourArea(_through(matrix, corners).astype(np.float32))
    shrink = float(np.sqrt(width * height / max(1.0, area)))
    if shrink <= 1.2:
        return sheet
    return np.asarray(cv2.GaussianBlur(sheet, (0, 0), 0.45 * shrink), np.uint8)


def _contact_shadow(cover: Floats) -> Floats:
    """The table's darkening beside the sheet."""
    reach = 0.008 * max(cover.shape[:2])
    near = cv2.GaussianBlur(cover, (0, 0), reach).reshape(cover.shape)
    return np.asarray(1 - 0.5 * near, np.float32)


def _table(size_wh: tuple[int, int], rng: np.random.Generator) -> Floats:
    """A table top: a plain colour with grain along one direction."""
    width, height = size_wh
    colour = rng.uniform(50, 190) * rng.uniform([0.55, 0.75, 0.9], [1.0, 1.0, 1.0])
    grain = rng.normal(0, 1, (max(2, height // 6), max(2, width // 80))).astype(np.float32)
    cloudy = cv2.GaussianBlur(cv2.resize(grain, size_wh, interpolation=cv2.INTER_CUBIC), (0, 0), 1.2)
    return np.asarray(np.clip(colour + cloudy[..., None] * rng.uniform(2, 10), 0, 255), np.float32)


# --- light and sensor -------------------------------------------------------------------------------------------------


def developed(picture: Floats, shot: Shot, rng: np.random.Generator) -> Picture:
    """Light, lens, sensor, JPEG."""
    height, width = picture.shape[:2]
    longest = max(width, height)
    lit = picture * _light(width, height, shot, rng)[..., None] * np.array(shot.cast, np.float32)
    if shot.glare > 0:
        lit += 255 * shot.glare * _spot(width, height, rng)[..., None]
    if shot.moire > 0:
        lit += _moire(width, height, shot.moire, rng)
    if shot.blur * longest > 0.2:
        lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), shot.blur * longest), np.float32)
    if shot.shake * longest >= 2:
        streak = _streak(round(shot.shake * longest), float(rng.uniform(0, np.pi)))
        lit = np.asarray(cv2.filter2D(lit, -1, streak), np.float32)
    if shot.noise > 0:
        lit = lit + _sensor_noise(width, height, shot.noise, rng)
    plain = np.clip(lit, 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", plain, [cv2.IMWRITE_JPEG_QUALITY, shot.quality])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _light(width: int, height: int, shot: Shot, rng: np.random.Generator) -> Floats:
    """Gains ``float32 (h, w)``: a slope of light over the photo, and a soft-edged shadow."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / max(width, height)
    towards = rng.uniform(0, 2 * np.pi)
    slope = x * np.cos(towards) + y * np.sin(towards)
    slope = (slope - slope.min()) / max(1e-6, float(slope.max() - slope.min()))
    gain = 1 - shot.light * slope
    if shot.shadow > 0:
        edge = rng.uniform(0, 2 * np.pi)
        distance = (x - rng.uniform(0.3, 0.7)) * np.cos(edge) + (y - rng.uniform(0.2, 0.6)) * np.sin(edge)
        distance += 0.03 * np.sin(x * rng.uniform(4, 12))
        softness = rng.uniform(0.004, 0.04)
        gain = gain * (1 - shot.shadow / (1 + np.exp(-np.clip(distance / softness, -30, 30))))
    return np.asarray(gain, np.float32)


def _spot(width: int, height: int, rng: np.random.Generator) -> Floats:
    """A soft bright spot, 0..1."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / max(width, height)
    distance = (x - rng.uniform(0.1, 0.9)) ** 2 + (y - rng.uniform(0.1, 0.7)) ** 2
    return np.asarray(np.exp(-distance / (2 * rng.uniform(0.05, 0.15) ** 2)), np.float32)


def _moire(width: int, height: int, amplitude: float, rng: np.random.Generator) -> Floats:
    """Bands of the beat between two grids, slightly different in the three colours: ``float32 (h, w, 3)``."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / max(width, height)
    towards, waves = rng.uniform(0, np.pi), rng.uniform(20, 90)
    along = x * np.cos(towards) + y * np.sin(towards) + 0.03 * np.sin(5 * (x - y))
    bands = [np.sin(2 * np.pi * waves * along * stretch) for stretch in (1.0, 1.01, 1.02)]
    return np.asarray(amplitude * np.stack(bands, axis=-1), np.float32)


def _streak(length: int, angle: float) -> Floats:
    """The kernel of a camera that moved."""
    kernel = np.zeros((length + 2, length + 2), np.float32)
    middle = (length + 1) / 2
    dx, dy = np.cos(angle) * length / 2, np.sin(angle) * length / 2
    start, end = (round(middle - dx), round(middle - dy)), (round(middle + dx), round(middle + dy))
    cv2.line(kernel, start, end, (1.0,))
    return np.asarray(kernel / kernel.sum(), np.float32)


def _sensor_noise(width: int, height: int, spread: float, rng: np.random.Generator) -> Floats:
    """Noise that is a little wider than a pixel, more in brightness than in colour."""
    gray = rng.standard_normal((height, width, 1), dtype=np.float32)
    colour = rng.standard_normal((height, width, 3), dtype=np.float32)
    both = cv2.GaussianBlur(gray + 0.5 * colour, (0, 0), 0.6)
    return np.asarray(both * spread / max(1e-6, float(both.std())), np.float32)
