"""Every way to call the command wrongly, or with something that is no picture: what it says, and how it leaves."""

import io
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import toy_kind as levels
from PIL import Image
from toy_kind import Run, picture, shot


def lying_png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


WHOLE = cv2.imencode(".png", picture(levels.UNIQUE))[1].tobytes()
WHOLE_JPEG = cv2.imencode(".jpg", np.random.default_rng(1).integers(0, 255, (90, 90, 3), np.uint8))[1].tobytes()


def file(image: Image.Image, form: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()


NOISE = Image.fromarray(np.random.default_rng(2).integers(0, 256, (64, 64, 3), np.uint8))
WHOLES = {form: file(NOISE, form) for form in ("PNG", "JPEG", "WEBP", "GIF", "TIFF", "AVIF", "BMP", "PPM")}
SCANS = file(NOISE, "JPEG", progressive=True)
SCANS = SCANS[: SCANS.rindex(b"\xff\xda")] + SCANS[SCANS.rindex(b"\xff\xda") : -2] * 300 + b"\xff\xd9"

BAD_FILES: dict[str, tuple[bytes, str]] = {
    **{f"half.{form.lower()}": (data[: len(data) // 2], "cut off or damaged") for form, data in WHOLES.items()},
    **{f"head.{form.lower()}": (data[:10], "not a picture|damaged") for form, data in WHOLES.items()},
    "scans.jpg": (SCANS, "more than 100 scans"),
    "film.mp4.png": (b"\x00\x00\x00\x18ftypisom" + bytes(400), "not a picture"),
    "drawing.svg.png": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a picture"),
    "page.pdf.png": (b"%PDF-1.7\n" + bytes(100), "not a picture"),
    "script.eps.png": (b"%!PS-Adobe-3.0 EPSF-3.0\n" + bytes(100), "not a picture"),
    "empty.png": (b"", "the file is empty"),
    "text.png": (b"hello, this is a note\n", "not a picture"),
    "page.jpg": (b"<html><body>no</body></html>", "not a picture"),
    "tool.png": (b"\x7fELF" + bytes(200), "not a picture"),
    "zeros.png": (bytes(4096), "not a picture"),
    "cut.png": (WHOLE[: len(WHOLE) // 2], "cut off or damaged"),
    "head.png": (WHOLE[:20], "damaged"),
    "magic.png": (WHOLE[:8], "not a picture|damaged"),
    "cut.jpg": (WHOLE_JPEG[: len(WHOLE_JPEG) // 2], "cut off or damaged"),
    "magic.jpg": (b"\xff\xd8\xff", "not a picture|damaged"),
    "swapped.png": (WHOLE[:60] + WHOLE[60:][::-1], "damaged"),
    "huge.png": (lying_png(20_000, 20_000), "more than the 100 megapixels"),
    "huger.png": (lying_png(2**31 - 1, 2**31 - 1), "more than the 100 megapixels|damaged"),
    "lying.png": (lying_png(300, 300), "damaged"),
    "flat.png": (lying_png(0, 10), "damaged|not a picture"),
    "half.gif": (b"GIF89a\x10\x00", "not a picture|damaged"),
    "riff.webp": (b"RIFF\x10\x00\x00\x00WEBPVP8 ", "not a picture|damaged"),
    "ii.tif": (b"II*\x00\x08\x00\x00\x00\xff\xff", "not a picture|damaged"),
    "bm.bmp": (b"BM" + bytes(30), "not a picture|damaged"),
    "film.heic": (b"\x00\x00\x00\x18ftypheic" + bytes(40), "not a picture|damaged"),
}


BAD_CALLS: list[tuple[list[str], int, str]] = [
    (["none.png"], 3, "no such file"),
    (["bare"], 2, "no pictures in this folder; name one with pictures (PNG, JPEG"),
    (["texts"], 2, "no pictures in this folder; it holds 1 other file; name one with pictures"),
    (["ours"], 2, "no pictures in this folder but 1 that solvepic wrote"),
    (["pipe.png"], 3, "not a regular file"),
    (["/dev/null"], 3, "not a regular file"),
    (["loop.png"], 3, "cannot be opened"),
    (["shot.png", "--kind", "sudoku"], 2, "no kind of puzzle is called 'sudoku'"),
    (["shot.png", "--ocr", "eyes"], 2, "tesserocr"),
    (["shot.png", "--style", "oil"], 2, "tray"),
    (["shot.png", "--size", "large"], 2, "such as 14x8"),
    (["shot.png", "--size", "0x8"], 2, "such as 14x8"),
    (["shot.png", "--set", "c4=12"], 2, "such as r3c4=12"),
    (["shot.png", "--set", "r0c1=1"], 2, "such as r3c4=12"),
    (["shot.png", "--corners", "1,2 3"], 2, "points in pixels"),
    (["shot.png", "--corners", "1,2 3,4"], 2, "points in pixels"),
    (["shot.png", "--time-limit", "0"], 2, "0.1"),
    (["shot.png", "--workers", "0"], 2, "workers"),
    (["shot.png", "--colour"], 2, "--colour"),
    (["-", "shot.png"], 2, "standard input"),
    (["shot.png", "other.png", "-o", "file.txt"], 2, "need a folder"),
    (["shot.png", "other.png", "-o", "single.png"], 2, "need a folder, name one with -o (-o single.png/"),
    (["shot.png", "other.png", "-o", "-"], 2, "standard output"),
    (["shot.png", "--resume"], 2, "name its folder"),
    (["shot.png", "-o", "file.txt/x.png"], 3, "cannot be written"),
    (["shot.png", "--max-megapixels", "0.01"], 0, ""),
    (["big.png", "--max-megapixels", "0.01"], 3, "--max-megapixels"),
    # names
    ([""], 2, "empty"),
    (["shot.png", ""], 2, "empty"),
    (["shot.png", "-o", ""], 2, "empty"),
    (["nowhere/shot.png"], 3, "no such file"),
    (["shot.png/x.png"], 3, "cannot be opened"),
    (["x" * 300 + ".png"], 3, "File name too long"),
    (["x" * 250 + ".png"], 3, "no such file"),
    (["long"], 3, "File name too long"),
    (["shot.png", "-o", "x" * 300 + ".png"], 3, "File name too long"),
    (["esc\x1b[2J\n.png"], 3, "esc\\u001b[2J\\u000a.png: bad_input"),
    (["bad\udcff.png"], 3, "bad\\udcff.png: bad_input"),
    (["locked"], 2, "may not be read"),
    # outputs
    (["shot.png", "-o", "x.webp"], 2, "PNG or JPEG"),
    (["shot.png", "-o", "x.txt"], 2, "PNG or JPEG"),
    (["shot.png", "-o", "x.pdf"], 2, "PNG or JPEG"),
    (["shot.png", "-o", "x.heic"], 2, "PNG or JPEG"),
    (["shot.png", "-o", "shot.png"], 2, "would be overwritten"),
    (["shot.png", "-o", "other.png"], 2, "exists already"),
    (["shot.png", "-o", "bare/../shot.png", "--overwrite"], 2, "would be overwritten"),
    (["shot.png", "-o", "x.png", "--sheet", "shot.png"], 2, "would be overwritten"),
    (["shot.png", "-o", "x.png", "--sheet", "x.png"], 2, "would be one file"),
    (["shot.png", "-o", "x.png", "--sheet", "s.gif"], 2, "PNG or JPEG"),
    (["shot.png", "-o", "x.png", "--sheet", "bare"], 2, "PNG or JPEG"),
    (["shot.png", "-o", "x.png", "--report", "shot.png"], 2, "would be overwritten"),
    (["shot.png", "-o", "x.png", "--report", "file.txt"], 2, "exists already"),
    (["shot.png", "-o", "x.png", "--report", "bare"], 2, "a folder"),
    (["shot.png", "-o", "x.png", "--animate", "shot.png"], 2, "would be overwritten"),
    (["shot.png", "-o", "x.png", "--animate", "f.mp4"], 2, ".gif or .png"),
    (["shot.png", "other.png", "--animate", "f.gif"], 2, "one picture"),
    (["shot.png", "--debug", "file.txt"], 2, "cannot be used as a folder"),
    (["shot.png", "--debug", "shot.png"], 2, "cannot be used as a folder"),
    (["shot.png", "--debug", "/proc/d"], 2, "cannot be used as a folder"),
    (["shot.png", "--debug", "/dev/null/d"], 2, "cannot be used as a folder"),
    (["shot.png", "--debug", "stages"], 2, "exists already"),
    (["shot.png", "-o", "logged/"], 2, "earlier batch's log"),
    (["shot.png", "-o", "linked/", "--resume"], 2, "not a log"),
    (["-", "--resume", "-o", "-"], 2, "name its folder"),
    (["-", "-", "-o", "out/"], 2, "standard input"),
    # options
    (["shot.png", "--time-limit", "nan"], 2, "time limit|nan"),
    (["shot.png", "--time-limit", "inf"], 2, "time limit|inf"),
    (["shot.png", "--time-limit", "-1"], 2, "0.1"),
    (["shot.png", "--time-limit", "soon"], 2, "soon"),
    (["shot.png", "--max-megapixels", "nan"], 2, "nan"),
    (["shot.png", "--max-megapixels", "inf"], 2, "inf"),
    (["shot.png", "--max-megapixels", "0"], 2, "0.01"),
    (["shot.png", "--workers", "-1"], 2, "workers"),
    (["shot.png", "--workers", "many"], 2, "many"),
    (["shot.png", "--size", "999x999"], 2, "from 1 to 64"),
    (["shot.png", "--size", "14"], 2, "such as 14x8"),
    (["shot.png", "--size", "14x8x2"], 2, "such as 14x8"),
    (["shot.png", "--size", "-1x8"], 2, "such as 14x8"),
    (["shot.png", "--size", "1e1x8"], 2, "such as 14x8"),
    (["shot.png", "--corners", "0,0 0,0 0,0 0,0"], 2, "clockwise"),
    (["shot.png", "--corners", "nan,nan 9,0 9,9 0,9"], 2, "pixels"),
    (["shot.png", "--corners", "inf,0 90,0 90,90 0,90"], 2, "pixels"),
    (["shot.png", "--corners", "1e308,0 90,0 90,90 0,90"], 2, "pixels"),
    (["shot.png", "--corners", "0,0 1,0 1,1 0,1"], 2, "few pixels"),
    (["shot.png", "--corners", "0,0 0,90 90,90 90,0"], 2, "clockwise"),
    (["shot.png", "--corners", "900,900 990,900 990,990 900,990"], 3, "outside the picture"),
    (["shot.png", "--corners", "1,2,3 4,5,6 7,8,9"], 2, "points in pixels"),
    (["shot.png", "--set", "r1c1=\u00b2"], 2, "plain"),
    (["shot.png", "--set", "r1c1=1", "--set", "r1c1=2"], 2, "another --set"),
    (["shot.png", "--set", "r1c1"], 2, "such as r3c4=12"),
    (["shot.png", "--set", "r1000c1=1"], 2, "such as r3c4=12"),
    (["shot.png", "--set", "r-1c1=1"], 2, "such as r3c4=12"),
    (["shot.png", "--kind", ""], 2, "no kind of puzzle"),
    (["watch", "nowhere"], 2, "no such folder"),
    (["watch", "shot.png"], 2, "no such folder"),
    (["watch", "bare", "--time-limit", "nan"], 2, "nan"),
    (["watch", "bare", "--since", "yesterday"], 2, "such as 90m or 1d"),
    (["watch", "bare", "--report", "file.txt"], 2, "exists already"),
    (["watch", "bare", "--report", "shot.png", "--overwrite"], 2, "end the name in .html"),
    (["doctor", "missing.png"], 2, "cannot be read"),
    (["doctor", "pipe.png"], 2, "cannot be read"),
    (["doctor", "bare"], 2, "cannot be read"),
    (["doctor", "shot.png", "-o", "shot.png"], 2, "the picture itself would be overwritten"),
    (["shot.png", "other.png", "--open"], 2, "--open shows what came of one picture"),
    (["shot.png", "--clipboard"], 2, "name none beside it"),
    # shapes
    (["thin.png"], 3, "too few to show one"),
    (["wide.png"], 3, "at most; cut it out"),
    (["strip.png"], 3, "a strip too narrow to show one"),
]


def desk(folder: Path) -> None:
    """What the calls above name."""
    for name in ("shot.png", "other.png", "x" * 100 + ".png"):
        shot(folder / name)
    (folder / "big.png").write_bytes(cv2.imencode(".png", np.zeros((200, 200, 3), np.uint8))[1].tobytes())
    (folder / "thin.png").write_bytes(cv2.imencode(".png", np.zeros((9, 900, 3), np.uint8))[1].tobytes())
    (folder / "wide.png").write_bytes(cv2.imencode(".png", np.zeros((20, 33_000), np.uint8))[1].tobytes())
    (folder / "strip.png").write_bytes(cv2.imencode(".png", np.zeros((20, 31_000), np.uint8))[1].tobytes())
    for name in ("bare", "locked", "stages", "logged", "linked", "texts", "ours"):
        (folder / name).mkdir()
    (folder / "texts/note.txt").write_text("no picture")
    (folder / "ours/a.solved.png").write_bytes(WHOLE)
    shot(folder / "locked/shot.png")
    (folder / "file.txt").write_text("")
    (folder / "stages/01-photo.png").write_text("mine")
    (folder / "logged/solvepic.jsonl").write_text("")
    (folder / "linked/solvepic.jsonl").symlink_to(folder / "file.txt")
    (folder / "loop.png").symlink_to(folder / "loop.png")
    os.mkfifo(folder / "pipe.png")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


CALLS = [
    *(([name], 3, says) for name, (_, says) in BAD_FILES.items()),
    *BAD_CALLS,
]


@pytest.mark.parametrize("row", CALLS, ids=lambda row: " ".join(row[0])[:60])
def test_a_bad_call_gets_one_sentence_and_its_status(
    row: tuple[list[str], int, str], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call, expected, says = row
    desk(tmp_path)
    begins = "solvepic: "
    if call[0] in BAD_FILES:
        (tmp_path / call[0]).write_bytes(BAD_FILES[call[0]][0])
        begins += f"{call[0]}: bad_input: "
    if call == ["long"]:
        call = ["x" * 250 + ".png"]
        shot(tmp_path / call[0])
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: "locked" not in str(path) and may(path, mode))
    before = contents(tmp_path)
    status, out, err = run(*call)
    after = contents(tmp_path)
    assert status == expected, err
    assert any(word in err for word in says.split("|"))
    assert expected == 0 or err.startswith((begins, "Usage: "))
    assert "Traceback" not in err
    assert "please report" not in err
    assert {name: after.get(name) for name in before} == before, "something that was there was changed"
    if expected:
        assert (out, set(after) - set(before) - {"out/solvepic.jsonl"}) == ("", set())


def test_the_table_is_long_enough() -> None:
    assert len(CALLS) >= 100
