"""Opening a picture: the one place where bytes from outside become pixels.

A picture may come from a phone, a scanner, the web or an attacker. Pillow decodes it, because it can say how large a
picture is before it spends memory on it; only formats of an allow-list are tried; and what every format does
differently (EXIF turns, transparency, CMYK, 16 bits, palettes, animations) is settled here once, so that the rest of
the program sees ``uint8`` blue, green, red.
"""

import io
import stat
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFile, ImageOps, UnidentifiedImageError

from vision.pictures.photo import Photo, Picture

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "PPM", "AVIF")
"""What Pillow may try; its rarer decoders are a needless surface for damaged files."""

SUFFIXES = (
    *(".png", ".jpg", ".jpeg", ".jpe", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ppm", ".pgm", ".mpo"),
    *(".heic", ".heif", ".avif"),
)
"""How the names of pictures in a folder end, in lower case."""

MAX_MEGAPIXELS = 100.0
"""Larger pictures are refused unless the caller allows them: twice what phones make."""

MAX_FILE_BYTES = 400 * 2**20
"""A file that cannot be a picture of the allowed size; read no further."""

BAND_PIXELS = 4_000_000
"""Pixels that are taken from Pillow's picture at once: those of a screenshot, which then need not be cut out first."""

_TRUNCATED = "is cut off or damaged; copy or export the picture again"


class BadPictureError(ValueError):
    """The file cannot be used as a picture; the message is a sentence for people."""


@dataclass(frozen=True)
class Limits:
    """What a picture may cost.

    Attributes:
        megapixels: the most pixels that are decoded, in millions.
        file_bytes: the largest file that is read.
    """

    megapixels: float = MAX_MEGAPIXELS
    file_bytes: int = MAX_FILE_BYTES


@dataclass(frozen=True)
class Loaded:
    """A picture and what is worth knowing of its file.

    Attributes:
        photo: the pixels as a viewer shows them.
        format: Pillow's name of the format, such as ``JPEG``.
        notes: sentences for people, such as which frame of an animation was taken.
    """

    photo: Photo
    format: str
    notes: tuple[str, ...] = ()


def load(path: Path, limits: Limits = Limits()) -> Loaded:
    """Open the picture at ``path``.

    Raises:
        BadPictureError: it is missing, not a regular file, not a picture, damaged, or too large.
    """
    return decode(_read_file(path, limits), str(path), limits)


def decode(data: bytes, name: str, limits: Limits = Limits()) -> Loaded:
    """Decode the bytes of a picture file; ``name`` is for messages.

    Raises:
        BadPictureError: not a picture, damaged, or too large.
    """
    if not data:
        raise BadPictureError(f"{name}: the file is empty; copy or export the picture again")
    try:
        with warnings.catch_warnings(), _own_limit():
            # Pillow warns of odd metadata; what matters here either decodes or raises.
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=_formats(data)) as image:
                _check_size(image.size, name, limits)
                notes = _notes(image)
                form = image.format or ""
                pixels = _to_bgr(_upright(image))
    except BadPictureError:
        raise
    except UnidentifiedImageError:
        raise BadPictureError(f"{name}: not a picture that solvepic can open ({_tried()})") from None
    except MemoryError:
        raise BadPictureError(f"{name}: not enough memory to open it; reduce the picture first") from None
    except Exception:
        # Pillow's decoders raise OSError, SyntaxError, struct.error, ZeroDivisionError, ... for damaged files.
        raise BadPictureError(f"{name}: the picture {_TRUNCATED}") from None
    return Loaded(Photo(pixels, name), form, notes)


def taken(pixels: Picture) -> Loaded:
    """A copy of a picture that the caller has decoded: ``uint8 (H, W, 3)``, blue, green, red.

    Raises:
        BadPictureError: the array has another shape or type, or no pixels.
    """
    shape, dtype = np.shape(pixels), np.asarray(pixels).dtype
    if len(shape) != 3 or shape[2] != 3 or 0 in shape or dtype != np.uint8:
        raise BadPictureError(
            f"an array of shape {shape} and type {dtype} is no picture: uint8 (height, width, 3) is, in the order blue,"
            " green, red"
        )
    return Loaded(Photo(np.array(pixels, order="C")), "pixels")


def _formats(data: bytes) -> tuple[str, ...]:
    """The formats to try; that of iPhones, whose decoder takes a while to load, for files of its family only."""
    if data[4:8] != b"ftyp":
        return FORMATS
    from pillow_heif import register_heif_opener  # noqa: PLC0415

    register_heif_opener()
    return (*FORMATS, "HEIF")


@contextmanager
def _own_limit() -> Iterator[None]:
    """Lift Pillow's own limit of pixels while ours is in force: its message could not name the size or the option."""
    kept, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
    try:
        yield
    finally:
        Image.MAX_IMAGE_PIXELS = kept


def _read_file(path: Path, limits: Limits) -> bytes:
    try:
        info = path.stat()
        if stat.S_ISDIR(info.st_mode):
            raise BadPictureError(f"{path}: a folder, not a picture")
        if not stat.S_ISREG(info.st_mode):
            raise BadPictureError(f"{path}: not a regular file (a pipe, socket or device); save the picture to a file")
        if info.st_size > limits.file_bytes:
            raise BadPictureError(
                f"{path}: the file has {info.st_size / 2**20:.0f} MiB,"
                f" more than the {limits.file_bytes / 2**20:.0f} MiB that are read; reduce the picture first"
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise BadPictureError(f"{path}: no such file; check the name") from None
    except PermissionError:
        raise BadPictureError(f"{path}: may not be read; check its permissions") from None
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL in it
        reason = getattr(error, "strerror", None) or str(error)
        if isinstance(error, BadPictureError):
            raise
        raise BadPictureError(f"{path}: cannot be opened ({reason})") from None


def _check_size(size_wh: tuple[int, int], name: str, limits: Limits) -> None:
    width, height = size_wh
    if width * height > limits.megapixels * 1e6:
        raise BadPictureError(_too_large(name, f"{width} x {height}", limits))


def _too_large(name: str, size: str, limits: Limits) -> str:
    return (
        f"{name}: {size} pixels are more than the {limits.megapixels:g} megapixels that are opened; reduce the picture,"
        " or allow more with --max-megapixels"
    )


def _tried() -> str:
    return "PNG, JPEG, WebP, GIF, BMP, TIFF, HEIC, AVIF"


def _notes(image: Image.Image) -> tuple[str, ...]:
    frames = int(getattr(image, "n_frames", 1))
    if frames > 1 and image.format != "MPO":
        return (f"animated picture: the first of {frames} frames was taken",)
    return ()


def _upright(image: ImageFile.ImageFile) -> Image.Image:
    """The first frame, decoded and turned as its EXIF orientation says."""
    image.load()
    with suppress(Exception):  # unreadable metadata must not cost the picture
        ImageOps.exif_transpose(image, in_place=True)
    return image


def _to_bgr(image: Image.Image) -> Picture:
    if image.mode.startswith("I;16") or image.mode in ("I", "F"):
        image = _eight_bit(image)
    if image.mode in ("LA", "PA", "RGBA", "La", "RGBa") or "transparency" in image.info:
        rgba = image if image.mode == "RGBA" else image.convert("RGBA")
        if rgba.getchannel("A").getextrema() != (255, 255):
            return _flatten(np.asarray(rgba))
        image = rgba
    return _pixels(image)


def _pixels(image: Image.Image) -> Picture:
    """The picture in OpenCV's order, a band at a time: Pillow needs twice the memory of what is taken out of it."""
    width, height = image.size
    bgr = np.empty((height, width, 3), np.uint8)
    step = max(1, BAND_PIXELS // width)
    for top in range(0, height, step):
        band = image if step >= height else image.crop((0, top, width, min(height, top + step)))
        if band.mode not in ("RGB", "RGBA"):
            band = band.convert("RGB")
        code = cv2.COLOR_RGB2BGR if band.mode == "RGB" else cv2.COLOR_RGBA2BGR
        cv2.cvtColor(np.asarray(band), code, dst=bgr[top : top + step])
    return bgr


def _eight_bit(image: Image.Image) -> Image.Image:
    """A picture of 16 or 32 bits a pixel with its own range stretched over 0..255 (Pillow would clip it)."""
    values = np.asarray(image).astype(np.float64)
    top = 65535.0 if image.mode.startswith("I;16") else max(float(values.max(initial=0)), 1.0)
    if top <= 255:
        top = 255.0
    return Image.fromarray(np.clip(values * (255.0 / top), 0, 255).astype(np.uint8))


def _flatten(rgba: npt.NDArray[np.uint8]) -> Picture:
    """Lay a transparent picture on paper that its ink stands out from: white under dark ink, black under light."""
    alpha = rgba[:, :, 3:4].astype(np.float32) / 255
    ink = rgba[:, :, :3].astype(np.float32)
    weight = float(alpha.sum())
    # Ink as light as the paper would vanish: mid-grey divides the two cases.
    brightness = float((ink.mean(axis=2, keepdims=True) * alpha).sum() / weight) if weight else 0.0
    mostly_opaque = weight > 0.5 * alpha.size
    paper = 255.0 if brightness < 128 or mostly_opaque else 0.0
    flat = ink * alpha + paper * (1 - alpha)
    return np.ascontiguousarray(np.round(flat).astype(np.uint8)[:, :, ::-1])
