"""Every way in which a picture can be unusual, damaged or hostile."""

import io
import os
import struct
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from vision.pictures.loading import BadPictureError, Limits, decode, load, taken

RAMP = np.zeros((40, 60, 3), np.uint8)
RAMP[:, :, 0] = np.linspace(0, 255, 60).astype(np.uint8)
RAMP[:, :, 1] = np.linspace(0, 255, 40).astype(np.uint8)[:, None]


def file(image: Image.Image, form: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("form", "mode", "near"),
    [
        ("PNG", "RGB", 0),
        ("PNG", "RGBA", 0),
        ("JPEG", "RGB", 12),
        ("JPEG", "CMYK", 14),
        ("WEBP", "RGB", 14),
        ("BMP", "RGB", 0),
        ("TIFF", "RGB", 0),
        ("GIF", "P", 30),
        ("PNG", "P", 30),
        ("AVIF", "RGB", 14),
    ],
)
def test_every_format_comes_out_as_the_same_pixels(form: str, mode: str, near: int) -> None:
    loaded = decode(file(Image.fromarray(RAMP).convert(mode), form), "x")
    assert loaded.photo.bgr.dtype == np.uint8
    assert np.abs(loaded.photo.bgr[:, :, ::-1].astype(int) - RAMP).mean() <= near


def test_heic_is_read() -> None:
    pillow_heif = pytest.importorskip("pillow_heif", reason="HEIC needs pillow-heif")
    buffer = io.BytesIO()
    pillow_heif.from_pillow(Image.fromarray(RAMP)).save(buffer)
    loaded = decode(buffer.getvalue(), "x")
    assert loaded.format == "HEIF"
    assert np.abs(loaded.photo.bgr[:, :, ::-1].astype(int) - RAMP).mean() < 12


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_exif_turn_is_undone(orientation: int) -> None:
    upright = Image.fromarray(RAMP)
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    stored = upright.transpose(undo[orientation]) if orientation in undo else upright
    exif = Image.Exif()
    exif[274] = orientation
    loaded = decode(file(stored, "PNG", exif=exif), "x")
    assert np.array_equal(loaded.photo.bgr[:, :, ::-1], RAMP)


def test_sixteen_bits_keep_their_range() -> None:
    wide = Image.fromarray(np.linspace(0, 65535, 2400).astype(np.uint16).reshape(40, 60))
    gray = decode(file(wide, "PNG"), "x").photo.bgr[:, :, 0]
    assert gray[0, 0] == 0
    assert gray[-1, -1] == 255
    assert abs(int(gray[20, 0]) - 128) < 3


@pytest.mark.parametrize(("ink", "paper"), [(0, 255), (255, 0)])
def test_ink_on_transparency_stays_visible(ink: int, paper: int) -> None:
    drawing = np.zeros((20, 20, 4), np.uint8)
    drawing[8:12, :, :3] = ink
    drawing[8:12, :, 3] = 255
    flat = decode(file(Image.fromarray(drawing), "PNG"), "x").photo.bgr
    assert flat[10, 10, 0] == ink
    assert flat[0, 0, 0] == paper


def test_of_an_animation_the_first_frame_is_taken_with_a_word() -> None:
    frames = [Image.fromarray(RAMP), Image.fromarray(255 - RAMP)]
    loaded = decode(file(frames[0], "GIF", save_all=True, append_images=frames[1:]), "x")
    assert "first of 2 frames" in loaded.notes[0]
    assert np.abs(loaded.photo.bgr[:, :, ::-1].astype(int) - RAMP).mean() < 30


def bomb(width: int, height: int) -> bytes:
    """A PNG that says it is huge and holds nothing."""
    import zlib  # noqa: PLC0415

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


PNG = file(Image.fromarray(RAMP), "PNG")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"just some text", "not a picture"),
        (PNG[:60], "cut off or damaged"),
        (PNG[: len(PNG) // 2], "cut off or damaged"),
        (file(Image.fromarray(RAMP), "JPEG")[:400], "cut off or damaged"),
        (bomb(20_000, 20_000), "--max-megapixels"),
        (bomb(60_000, 60_000), "--max-megapixels"),
        (bomb(100, 100), "cut off or damaged"),
    ],
)
def test_what_is_not_a_picture_is_refused_with_a_sentence(data: bytes, says: str) -> None:
    with pytest.raises(BadPictureError, match=says):
        decode(data, "shot.png")


@pytest.mark.parametrize("array", [RAMP[:, :, 0], np.dstack([RAMP, RAMP[:, :, 0]]), RAMP / 255, RAMP[:0]])
def test_pixels_of_another_shape_or_type_are_refused_with_a_sentence(array: npt.NDArray[Any]) -> None:
    with pytest.raises(BadPictureError, match="no picture"):
        taken(array)


def test_pixels_are_copied() -> None:
    mine = RAMP.copy()
    photo = taken(mine).photo
    mine[:] = 9
    assert np.array_equal(photo.bgr, RAMP)


def test_paths_that_are_no_picture(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.png"
    os.mkfifo(pipe)
    loop = tmp_path / "loop.png"
    loop.symlink_to(loop)
    for path, says in [
        (tmp_path / "none.png", "no such file"),
        (tmp_path, "a folder"),
        (pipe, "not a regular file"),
        (Path("/dev/zero"), "not a regular file"),
        (loop, "cannot be opened"),
        (Path("a\0b.png"), "cannot be opened"),
    ]:
        with pytest.raises(BadPictureError, match=says):
            load(path)


def test_a_file_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "big.png").write_bytes(bytes(2000))
    with pytest.raises(BadPictureError, match="reduce the picture"):
        load(tmp_path / "big.png", Limits(file_bytes=1000))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_bytes_give_a_picture_or_a_sentence(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(["PNG", "JPEG", "GIF", "WEBP", "TIFF", "BMP"]))
    damaged = bytearray(file(Image.fromarray(RAMP), form))
    for _ in range(data.draw(st.integers(1, 8))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(1, len(damaged)))
    try:
        photo = decode(bytes(damaged[:cut]), "x", Limits(megapixels=1)).photo
    except BadPictureError as error:
        assert str(error).startswith("x: ")  # noqa: PT017  (either way out is right)
    else:
        assert photo.bgr.ndim == 3
        assert photo.bgr.size <= 3_000_000
