"""Opening a picture: the one place where bytes from outside become pixels.

A picture may come from a phone, a scanner, the web or an attacker. Pillow decodes it, because it can say how large a
picture is before it spends memory on it; only formats of an allow-list are tried; and what every format does
differently (EXIF turns, transparency, CMYK, 16 bits, palettes, animations) is settled here once, so that the rest of
the program sees ``uint8`` blue, green, red.
"""

import io
import os
import re
import stat
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFile, ImageOps, UnidentifiedImageError

from solvers.message import Message
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

MOST_SCANS = 100
"""Passes over a JPEG; no encoder makes more than some twenty. Each goes over all pixels, however few bytes it has."""

COUNTED_BYTES = 4 * 2**20
"""Up to this size the frames of a file are counted whose format says nowhere how many there are."""

_STARTS = re.compile(
    rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP|II[*+]\0|MM\0[*+]|....ftyp(hei|hev|mif|msf|avi)", re.DOTALL
)
"""How files begin that were meant as pictures, whatever follows."""

_MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
"""Within a JPEG's data 0xFF is followed by 0x00, or by one of eight marks that restart the decoder."""

_DECODING = threading.RLock()
"""Held while a file is decoded: Pillow's limit, the warnings and standard error are one for all threads."""

PRIVATE_CHUNK = b"soLV"
"""The name of a PNG's chunk of ours: not needed to show the picture, private, unsafe to copy after a change."""

_DAMAGED = "the picture is cut off or damaged; copy or export the picture again"


class BadPictureError(ValueError):
    """The file cannot be used as a picture; the message is a sentence for people."""


class UnavailableError(BadPictureError):
    """The file is not there, cannot be read now, or there is no memory for it: nothing is said of the picture."""


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
        private: what a PNG of ours carries in a chunk of its own; empty elsewhere.
    """

    photo: Photo
    format: str
    notes: tuple[str, ...] = ()
    private: bytes = b""


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
        raise BadPictureError(_said(name, "the file is empty; copy or export the picture again"))
    if data.startswith(b"\xff\xd8") and _scans(data) > MOST_SCANS:
        why = "a JPEG of more than {most} scans is no photo; export the picture again"
        raise BadPictureError(_said(name, Message(why, most=MOST_SCANS)))
    try:
        with _decoding(data), Image.open(io.BytesIO(data), formats=_formats(data)) as image:
            _check_size(image.size, name, limits)
            notes = _notes(image, len(data))
            form = image.format or ""
            pixels = _to_bgr(_upright(image))
            private = _private(image)
    except BadPictureError:
        raise
    except UnidentifiedImageError:
        if _STARTS.match(data):
            raise BadPictureError(_said(name, _DAMAGED)) from None
        why = Message("not a picture that solvepic can open ({formats})", formats=_tried())
        raise BadPictureError(_said(name, why)) from None
    except MemoryError:
        raise UnavailableError(_said(name, "not enough memory to open it; reduce the picture first")) from None
    except Exception:
        # Pillow's decoders raise OSError, SyntaxError, struct.error, ZeroDivisionError, ... for damaged files.
        raise BadPictureError(_said(name, _DAMAGED)) from None
    return Loaded(Photo(pixels, name), form, notes, private)


def _private(image: Image.Image) -> bytes:
    """What stands in our own chunk of a PNG that was read to its end."""
    chunks = [chunk[1] for chunk in getattr(image, "private_chunks", ()) if chunk[0] == PRIVATE_CHUNK]
    return bytes(chunks[0]) if chunks else b""


def megapixels_to_decode(source: "Path | bytes") -> float:
    """Millions of pixels that decoding goes over in all scans, as the file's header says; 0 where it says none."""
    try:
        data = source if isinstance(source, bytes) else _read_file(source, Limits())
        with _decoding(data), Image.open(io.BytesIO(data), formats=_formats(data)) as image:
            pixels = image.width * image.height / 1e6
    except Exception:  # whatever is wrong with it, loading says so
        return 0.0
    return pixels * max(1, _scans(data)) if data.startswith(b"\xff\xd8") else pixels


def of_pillow(image: Image.Image, limits: Limits = Limits()) -> Loaded:
    """A picture that the caller has opened with Pillow, whatever its mode; turned as its EXIF orientation says.

    Raises:
        BadPictureError: it is too large, or damaged.
    """
    _check_size(image.size, "the picture", limits)
    try:
        turned = ImageOps.exif_transpose(image)
        return Loaded(Photo(_to_bgr(turned)), image.format or "pixels")
    except Exception:
        raise BadPictureError(_DAMAGED) from None


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


def _scans(data: bytes) -> int:
    """How many scans the first picture of a JPEG file has; no more than one above the limit are counted."""
    at = scans = 0
    while scans <= MOST_SCANS and (mark := _MARKER.search(data, at)) is not None:
        at, code = mark.end(), data[mark.end() - 1]
        if code == 0xD9:
            break
        scans += code == 0xDA
        if code not in (0x01, 0xD8):  # all others tell their length
            at += int.from_bytes(data[at : at + 2])
    return scans


@contextmanager
def _decoding(data: bytes) -> Iterator[None]:
    """Keep Pillow and its libraries quiet while they decode, and their own limits out of the way."""
    with _DECODING, warnings.catch_warnings(), _unheard(data.startswith((b"II", b"MM"))):
        # Pillow warns of odd metadata; what matters here either decodes or raises.
        warnings.simplefilter("ignore")
        # Its own limit's message could name neither the size nor the option.
        kept, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
        try:
            yield
        finally:
            Image.MAX_IMAGE_PIXELS = kept


@contextmanager
def _unheard(speaks: bool) -> Iterator[None]:
    """Keep off standard error what a C library writes there: libtiff has a line for every damaged strip."""
    try:
        kept = os.dup(2) if speaks else None
    except OSError:  # standard error is closed
        kept = None
    if kept is None:
        yield
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def read_bounded(stream: BinaryIO, name: str, limits: Limits = Limits()) -> bytes:
    """All that a stream holds, as far as a picture may have it.

    Raises:
        BadPictureError: there is more.
    """
    data = stream.read(limits.file_bytes + 1)
    if len(data) > limits.file_bytes:
        raise BadPictureError(_too_long(name, "more than", limits))
    return data


def _too_long(name: str, has: str, limits: Limits) -> str:
    most = f"{limits.file_bytes / 2**20:.0f} MiB"
    return f"{name}: the file has {has} {most}, the most that is read; reduce the picture first"


def _read_file(path: Path, limits: Limits) -> bytes:
    try:
        info = path.stat()
        if stat.S_ISDIR(info.st_mode):
            raise BadPictureError(f"{path}: a folder, not a picture")
        if not stat.S_ISREG(info.st_mode):
            raise BadPictureError(f"{path}: not a regular file (a pipe, socket or device); save the picture to a file")
        if info.st_size > limits.file_bytes:
            raise BadPictureError(_too_long(str(path), f"{info.st_size / 2**20:.0f} MiB, more than", limits))
        with path.open("rb") as file:
            return read_bounded(file, str(path), limits)  # it may have grown
    except FileNotFoundError:
        raise UnavailableError(f"{path}: no such file; check the name") from None
    except PermissionError:
        raise UnavailableError(f"{path}: may not be read; check its permissions") from None
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL in it
        reason = getattr(error, "strerror", None) or str(error)
        if isinstance(error, BadPictureError):
            raise
        raise UnavailableError(f"{path}: cannot be opened ({reason})") from None


def _check_size(size_wh: tuple[int, int], name: str, limits: Limits) -> None:
    width, height = size_wh
    if width * height > limits.megapixels * 1e6:
        why = (
            "{width} x {height} pixels are more than the {most:g} megapixels that are opened; reduce the picture,"
            " or allow more with --max-megapixels"
        )
        raise BadPictureError(_said(name, Message(why, width=width, height=height, most=limits.megapixels)))


def _said(name: str, why: str) -> str:
    return Message("{name}: {why}", name=name, why=why)


def _tried() -> str:
    return "PNG, JPEG, WebP, GIF, BMP, TIFF, HEIC, AVIF"


def _notes(image: Image.Image, size: int) -> tuple[str, ...]:
    if image.format == "MPO" or not getattr(image, "is_animated", False):
        return ()
    # GIF and TIFF are gone through frame by frame to count them.
    count = str(getattr(image, "n_frames", 1)) if size <= COUNTED_BYTES or image.format == "PNG" else "many"
    return (f"animated picture: the first of {count} frames was taken",)


def _upright(image: ImageFile.ImageFile) -> Image.Image:
    """The first frame, decoded and turned as its EXIF orientation says."""
    image.load()
    with suppress(Exception):  # unreadable metadata must not cost the picture
        ImageOps.exif_transpose(image, in_place=True)
    return image


def _to_bgr(image: Image.Image) -> Picture:
    """The picture in OpenCV's order, a band at a time: Pillow needs twice the memory of what is taken out of it."""
    if image.mode.startswith("I;16") or image.mode in ("I", "F"):
        image = _eight_bit(image)
    bgr = np.empty((image.height, image.width, 3), np.uint8)
    if image.mode in ("LA", "PA", "RGBA", "La", "RGBa") or "transparency" in image.info:
        paper = _paper(image)
        for rows, band in _bands(image, "RGBA"):
            if paper is None:
                cv2.cvtColor(np.asarray(band), cv2.COLOR_RGBA2BGR, dst=bgr[rows])
            else:
                bgr[rows] = _flatten(np.asarray(band), paper)
        return bgr
    for rows, band in _bands(image, "RGB"):
        cv2.cvtColor(np.asarray(band), cv2.COLOR_RGB2BGR, dst=bgr[rows])
    return bgr


def _bands(image: Image.Image, mode: str | None = None) -> Iterator[tuple[slice, Image.Image]]:
    """Rows of a picture and what is on them, brought to ``mode``, some millions of pixels at a time."""
    width, height = image.size
    step = max(1, BAND_PIXELS // width)
    for top in range(0, height, step):
        rows = slice(top, min(height, top + step))
        band = image if step >= height else image.crop((0, rows.start, width, rows.stop))
        yield rows, band if mode in (None, band.mode) else band.convert(mode)


def _eight_bit(image: Image.Image) -> Image.Image:
    """A picture of 16 or 32 bits a pixel with its own range stretched over 0..255 (Pillow would clip it).

    Floats are 0..1 unless one is larger. What is no number is black.
    """
    top = 65535.0 if image.mode.startswith("I;16") else _top(image)
    gray = np.empty((image.height, image.width), np.uint8)
    for rows, band in _bands(image):
        values = np.nan_to_num(np.asarray(band).astype(np.float64), nan=0.0, posinf=top, neginf=0.0)
        gray[rows] = np.clip(values * (255.0 / top), 0, 255)
    return Image.fromarray(gray)


def _top(image: Image.Image) -> float:
    """What is white in a picture of 32 bits a pixel."""
    bands = (np.asarray(band) for _, band in _bands(image))
    top = max(float(values.max(initial=0, where=np.isfinite(values))) for values in bands)
    if image.mode == "F" and top <= 1:
        return 1.0
    return max(top, 255.0)


def _paper(image: Image.Image) -> int | None:
    """The paper that the ink of a transparent picture stands out from: white under dark ink, black under light.

    None where no pixel is transparent.
    """
    weight = ink = 0.0
    clear = False
    for _, band in _bands(image, "RGBA"):
        red, green, blue, alpha = (np.asarray(channel) for channel in band.split())
        clear = clear or bool(alpha.min(initial=255) < 255)
        weight += float(alpha.sum(dtype=np.uint64))
        cover = alpha.ravel().astype(np.float32)
        ink += sum(float(np.vdot(colour.ravel().astype(np.float32), cover)) for colour in (red, green, blue)) / 3
    if not clear:
        return None
    # Ink as light as the paper would vanish: mid-grey divides the two cases.
    mostly_opaque = weight > 0.5 * 255 * image.width * image.height
    return 255 if mostly_opaque or ink < 128 * weight or not weight else 0


def _flatten(rgba: npt.NDArray[np.uint8], paper: int) -> Picture:
    """Transparent pixels laid on paper of this lightness, blue, green, red."""
    alpha = rgba[:, :, 3:4].astype(np.uint16)
    mixed = rgba[:, :, 2::-1] * alpha + paper * (255 - alpha)
    return ((mixed + 127) // 255).astype(np.uint8)
