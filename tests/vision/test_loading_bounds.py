"""What a picture may cost, and pictures of unusual numbers: scans, floats, damaged files of loud decoders."""

import contextlib
import io
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from vision.pictures import loading
from vision.pictures.loading import BadPictureError, Limits, decode, load, read_bounded

RAMP = np.tile(np.linspace(0, 255, 64).astype(np.uint8), (48, 1))


def file(image: Image.Image, form: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()


def many_scans(count: int) -> bytes:
    """A progressive JPEG whose last scan is there ``count`` times."""
    data = file(Image.new("L", (64, 64), 200), "JPEG", progressive=True)
    last = data.rindex(b"\xff\xda")
    return data[:last] + data[last:-2] * count + b"\xff\xd9"


def test_a_jpeg_of_more_scans_than_any_encoder_makes_is_refused_at_once() -> None:
    began = time.perf_counter()
    with pytest.raises(BadPictureError, match="more than 100 scans"):
        decode(many_scans(5000), "bomb.jpg")
    assert time.perf_counter() - began < 0.5
    assert decode(many_scans(20), "x").photo.width == 64


def test_marks_in_what_follows_a_jpeg_are_no_scans() -> None:
    """Phones append films to their photos."""
    whole = file(Image.fromarray(RAMP), "JPEG", quality=95)
    assert decode(whole + b"\xff\xda" * 500, "x").photo.width == 64
    noise = np.random.default_rng(3).integers(0, 256, (300, 300, 3), np.uint8)
    assert loading._scans(file(Image.fromarray(noise), "JPEG", quality=95)) == 1
    assert loading._scans(file(Image.fromarray(noise), "JPEG", progressive=True, quality=95)) == 10


@pytest.mark.parametrize(("top", "white"), [(1.0, 255), (200.0, 200), (4000.0, 255)])
def test_floats_are_stretched_from_their_own_range(top: float, white: int) -> None:
    values = RAMP.astype(np.float32) / 255 * np.float32(top)
    gray = decode(file(Image.fromarray(values), "TIFF"), "x").photo.bgr[:, :, 0]
    assert gray[0, 0] == 0
    assert gray[0, -1] == white
    assert abs(int(gray[0, 32]) - white / 2) < 4


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_one_pixel_that_is_no_number_spoils_no_other(odd: float) -> None:
    values = RAMP.astype(np.float32) / 255
    plain = decode(file(Image.fromarray(values), "TIFF"), "x").photo.bgr
    values[5, 5] = odd
    spoilt = decode(file(Image.fromarray(values), "TIFF"), "x").photo.bgr
    assert np.argwhere((plain != spoilt).any(axis=2)).tolist() in ([], [[5, 5]])


@pytest.mark.parametrize(("form", "keep"), [("TIFF", 0.5), ("AVIF", 0.5), ("TIFF", 0.05), ("WEBP", 0.5), ("PNG", 0.1)])
def test_a_picture_cut_off_is_called_so_in_every_format(form: str, keep: float) -> None:
    noise = Image.fromarray(np.random.default_rng(3).integers(0, 256, (90, 90, 3), np.uint8))
    data = file(noise, form, compression="tiff_lzw") if form == "TIFF" else file(noise, form)
    with pytest.raises(BadPictureError, match="cut off or damaged"):
        decode(data[: int(len(data) * keep)], "x")


def test_libtiff_keeps_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    data = bytearray(file(Image.fromarray(RAMP > 99), "TIFF", compression="group4"))
    data[8:40] = bytes(range(32))
    with contextlib.suppress(BadPictureError):
        decode(bytes(data), "x")
    print("still heard", file=sys.stderr, flush=True)
    assert capfd.readouterr().err == "still heard\n"


def test_what_is_set_while_decoding_is_set_back_whatever_threads_do() -> None:
    before, filters = Image.MAX_IMAGE_PIXELS, list(warnings.filters)
    data = [file(Image.fromarray(RAMP), form) for form in ("PNG", "TIFF", "JPEG")]
    threads = [threading.Thread(target=lambda k=k: [decode(data[k % 3], "x") for _ in range(20)]) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert before == Image.MAX_IMAGE_PIXELS
    assert list(warnings.filters) == filters


def test_a_stream_is_read_as_far_as_a_picture_may_go() -> None:
    class Endless(io.RawIOBase):
        asked = 0

        def read(self, size: int = -1) -> bytes:
            assert size >= 0, "all of an endless stream"
            self.asked += size
            return bytes(size)

    stream = Endless()
    with pytest.raises(BadPictureError, match="reduce the picture"):
        read_bounded(stream, "standard input", Limits(file_bytes=1000))  # type: ignore[arg-type]
    assert stream.asked == 1001
    assert read_bounded(io.BytesIO(b"abc"), "x") == b"abc"


def test_frames_of_a_large_file_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = [Image.fromarray(RAMP), Image.fromarray(255 - RAMP)]
    data = file(frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert "first of 2 frames" in decode(data, "x").notes[0]
    monkeypatch.setattr(loading, "COUNTED_BYTES", 10)
    assert "first of many frames" in decode(data, "x").notes[0]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the peak from /proc")
@pytest.mark.parametrize(("mode", "colour"), [("RGBA", (0, 0, 0, 0)), ("I;16", 30000), ("RGB", 0), ("L", 255)])
def test_loading_takes_less_than_twelve_bytes_a_pixel(mode: str, colour: Any, tmp_path: Path) -> None:
    import subprocess  # noqa: PLC0415

    Image.new(mode, (6000, 5000), colour).save(tmp_path / "large.png")
    code = (
        "from pathlib import Path; from vision.pictures.loading import load;"
        "held = lambda: int(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0]);"
        f"before = held(); load(Path({str(tmp_path / 'large.png')!r})); print((held() - before) * 1024 / 30e6)"
    )
    taken = float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
    assert 3 <= taken <= 12


def test_a_file_that_grows_while_it_is_read_is_not_read_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "grows.png"
    path.write_bytes(bytes(100))
    small = path.stat()
    path.write_bytes(bytes(2000))
    monkeypatch.setattr(Path, "stat", lambda *_, **__: small)
    with pytest.raises(BadPictureError, match="reduce the picture"):
        load(path, Limits(file_bytes=1000))
