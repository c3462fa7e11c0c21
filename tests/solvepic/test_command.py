"""The command: what it prints where, what it writes, how it leaves, and what it says of bad input."""

import gc
import io
import json
import os
import shutil
import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import toy_kind as levels
from toy_kind import TOY, Run, picture, shot

from solvepic import command, launch, pipeline
from solvepic.options import Options


def test_one_picture_is_solved_beside_itself(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "shot.png")
    status, out, err = run("shot.png")
    assert status == 0
    assert out.startswith("shot.png: toy, 1 x 2 board: one solution, ")
    assert out.endswith("-> shot.solved.png\n")
    assert err == ""
    solved = cv2.imread(str(tmp_path / "shot.solved.png"))
    assert solved is not None
    assert (solved != picture(levels.UNIQUE)).any()


def test_nothing_is_overwritten_unasked(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "shot.png")
    (tmp_path / "shot.solved.png").write_text("mine")
    status, out, err = run("shot.png")
    assert (status, out) == (2, "")
    assert "--overwrite" in err
    assert (tmp_path / "shot.solved.png").read_text() == "mine"
    assert run("shot.png", "--overwrite")[0] == 0
    assert (tmp_path / "shot.solved.png").read_bytes()[:4] == b"\x89PNG"


def test_an_input_is_never_overwritten(run: Run, tmp_path: Path) -> None:
    before = shot(tmp_path / "shot.png").read_bytes()
    (tmp_path / "link.png").symlink_to("shot.png")
    for target in ("shot.png", "link.png"):
        status, _, err = run("shot.png", "-o", target, "--overwrite")
        assert status == 2
        assert "would be overwritten" in err
    assert (tmp_path / "shot.png").read_bytes() == before


def test_json_is_one_object_a_line_and_nothing_else(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "a.png")
    shot(tmp_path / "b.png", levels.DOUBTFUL)
    status, out, _ = run("a.png", "b.png", "--json", "-o", "out/")
    assert status == 3
    records = [json.loads(line) for line in out.splitlines()]
    assert [(r["image"], r["status"]) for r in records] == [("a.png", "solved"), ("b.png", "unreadable")]
    assert records[0]["overlay"] == str(Path("out/a.solved.png"))


def test_output_names(run: Run, tmp_path: Path) -> None:
    for name in ("x/a.png", "x/a.jpg", "y/a.png", "z/deep/b.jpg"):
        shot(tmp_path / name)
    assert run("x", "y", "-o", "out")[0] == 0
    (tmp_path / "out/solvepic.jsonl").unlink()
    assert run("z", "-o", "out")[0] == 0
    written = sorted(str(p.relative_to(tmp_path / "out")) for p in (tmp_path / "out").rglob("*.solved.*"))
    assert written == ["a-2.solved.png", "a.solved.jpg", "a.solved.png", "deep/b.solved.jpg"]
    assert run("x/a.png", "-o", "one.jpg")[0] == 0
    assert (tmp_path / "one.jpg").read_bytes()[:2] == b"\xff\xd8"


def test_a_folder_skips_our_outputs_and_counts_a_file_once(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "in/a.png")
    shutil.copy(tmp_path / "in/a.png", tmp_path / "in/a.solved.png")
    shot(tmp_path / "in/.hidden.png")
    (tmp_path / "in/loop").symlink_to(tmp_path / "in")
    status, out, _ = run("in", "in/a.png", "--json", "-o", "in/solved")
    assert status == 0
    assert [json.loads(line)["image"] for line in out.splitlines()] == [str(Path("in/a.png"))]
    assert run("in", "--json", "-o", "in/solved", "--overwrite")[0] == 0


def test_standard_input(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = shot(tmp_path / "shot.png").read_bytes()

    class Pipe:
        buffer = io.BytesIO(data)

    monkeypatch.setattr("sys.stdin", Pipe)
    status, out, _ = run("-", "--json")
    assert status == 0
    assert json.loads(out)["image"] == "-"
    assert (tmp_path / "stdin.solved.png").exists()


def test_a_dry_run_writes_nothing(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "in/a.png")
    status, out, _ = run("in", "-o", "out", "--dry-run")
    assert (status, out) == (0, f"{Path('in/a.png')} -> {Path('out/a.solved.png')}\n")
    assert not (tmp_path / "out").exists()


def test_debug_writes_stage_pictures_and_a_log(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "shot.png", levels.DOUBTFUL)
    assert run("shot.png", "--debug", "why")[0] == 3
    assert (tmp_path / "why/01-photo.png").exists()
    assert "toy: 1 places" in (tmp_path / "why/solvepic.log").read_text()


def test_quiet_says_nothing_of_what_is_solved(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "shot.png")
    assert run("shot.png", "-q") == (0, "", "")


def test_fail_fast_stops_at_the_first_that_is_not_solved(run: Run, tmp_path: Path) -> None:
    for name, level in (("a", levels.UNIQUE), ("b", levels.NONE), ("c", levels.UNIQUE)):
        shot(tmp_path / f"{name}.png", level)
    status, out, _ = run("a.png", "b.png", "c.png", "--json", "-o", "out/", "--fail-fast")
    assert status == 3
    assert len(out.splitlines()) == 2


def test_resume_goes_on_where_it_stopped(run: Run, tmp_path: Path) -> None:
    for name in "abc":
        shot(tmp_path / f"in/{name}.png")
    assert run("in", "-o", "out")[0] == 0
    journal = tmp_path / "out/solvepic.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text(lines[0] + lines[1][:40])  # as a killed batch leaves it
    status, out, _ = run("in", "-o", "out", "--resume", "--json")
    assert status == 0
    assert [json.loads(line)["image"] for line in out.splitlines()] == [str(Path(f"in/{n}.png")) for n in "bc"]
    assert [json.loads(line)["image"] for line in journal.read_text().splitlines()] == [f"in/{n}.png" for n in "abc"]
    assert run("in", "-o", "out")[0] == 2, "a batch is not begun anew over its own log unasked"


def test_version_and_doctor(run: Run) -> None:
    assert run("--version")[1].startswith("solvepic 0.")
    status, out, _ = run("doctor")
    assert "OCR engine tesserocr" in out
    assert status in (0, 1)


def test_options_reach_the_pipeline(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shot(tmp_path / "shot.png")
    seen: list[Options] = []
    inner = pipeline.solve

    def spy(source: Any, options: Options) -> Any:
        seen.append(options)
        return inner(source, options)

    monkeypatch.setattr("solvepic.batch.solve", spy)
    run("shot.png", "--set", "r3c4=12", "--set", "R1C1=", "--size", "14x8", "--corners", "1,2 80,4 50,56", "--closed")
    assert seen[0].set == {(2, 3): "12", (0, 0): ""}
    assert seen[0].size == (14, 8)
    assert seen[0].corners == ((1, 2), (80, 4), (50, 56))
    assert seen[0].closed


def lying_png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


WHOLE = cv2.imencode(".png", picture(levels.UNIQUE))[1].tobytes()
WHOLE_JPEG = cv2.imencode(".jpg", np.random.default_rng(1).integers(0, 255, (90, 90, 3), np.uint8))[1].tobytes()

BAD_FILES: dict[str, tuple[bytes, str]] = {
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


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_get_one_sentence_and_nothing_written(name: str, run: Run, tmp_path: Path) -> None:
    data, says = BAD_FILES[name]
    (tmp_path / name).write_bytes(data)
    status, out, err = run(name)
    assert (status, out) == (3, "")
    assert len(err.splitlines()) == 1
    assert err.startswith(f"solvepic: {name}: bad_input: ")
    assert any(word in err for word in says.split("|"))
    assert [path.name for path in tmp_path.iterdir()] == [name]


BAD_CALLS: dict[str, tuple[list[str], int, str]] = {
    "missing file": (["none.png"], 3, "no such file"),
    "folder without pictures": (["bare"], 2, "no pictures in this folder"),
    "pipe": (["pipe.png"], 3, "not a regular file"),
    "device": (["/dev/null"], 3, "not a regular file"),
    "link to itself": (["loop.png"], 3, "cannot be opened"),
    "unknown kind": (["shot.png", "--kind", "sudoku"], 2, "no kind of puzzle is called 'sudoku'"),
    "unknown engine": (["shot.png", "--ocr", "eyes"], 2, "tesserocr"),
    "unknown style": (["shot.png", "--style", "oil"], 2, "tray"),
    "bad size": (["shot.png", "--size", "large"], 2, "such as 14x8"),
    "zero size": (["shot.png", "--size", "0x8"], 2, "such as 14x8"),
    "bad correction": (["shot.png", "--set", "c4=12"], 2, "such as r3c4=12"),
    "correction off the board": (["shot.png", "--set", "r0c1=1"], 2, "such as r3c4=12"),
    "bad corners": (["shot.png", "--corners", "1,2 3"], 2, "points in pixels"),
    "two corners": (["shot.png", "--corners", "1,2 3,4"], 2, "points in pixels"),
    "no time": (["shot.png", "--time-limit", "0"], 2, "0.1"),
    "no workers": (["shot.png", "--workers", "0"], 2, "workers"),
    "unknown option": (["shot.png", "--colour"], 2, "--colour"),
    "input and others": (["-", "shot.png"], 2, "standard input"),
    "many into a file": (["shot.png", "other.png", "-o", "file.txt"], 2, "need a folder"),
    "many to standard output": (["shot.png", "other.png", "-o", "-"], 2, "standard output"),
    "resume nothing": (["shot.png", "--resume"], 2, "name its folder"),
    "output into a file": (["shot.png", "-o", "file.txt/x.png"], 3, "cannot be written"),
    "too many pixels": (["shot.png", "--max-megapixels", "0.01"], 0, ""),
    "fewer pixels": (["big.png", "--max-megapixels", "0.01"], 3, "--max-megapixels"),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_bad_calls_say_what_is_wrong(name: str, run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "shot.png")
    shot(tmp_path / "other.png")
    (tmp_path / "big.png").write_bytes(cv2.imencode(".png", np.zeros((200, 200, 3), np.uint8))[1].tobytes())
    (tmp_path / "bare").mkdir()
    (tmp_path / "file.txt").write_text("")
    (tmp_path / "loop.png").symlink_to(tmp_path / "loop.png")
    os.mkfifo(tmp_path / "pipe.png")
    arguments, expected, says = BAD_CALLS[name]
    status, _, err = run(*arguments)
    assert status == expected
    assert says in err


def test_a_fault_of_ours_costs_one_picture_and_shows_in_the_exit_status(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "a.png", levels.CRASH)
    shot(tmp_path / "b.png")
    status, out, err = run("a.png", "b.png", "-o", "out/")
    assert status == 1
    assert "please report it" in err
    assert "b.png: toy" in out


def test_without_an_ocr_engine_a_sentence_says_what_to_install(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vision.numbers.ocr_engines import EngineMissingError  # noqa: PLC0415

    def missing(*_: object) -> None:
        raise EngineMissingError("the Python package tesserocr is missing (pip install tesserocr)")

    monkeypatch.setattr(type(TOY.eyes), "read", missing)
    shot(tmp_path / "shot.png")
    status, out, err = run("shot.png")
    assert (status, out) == (3, "")
    assert "pip install tesserocr" in err
    assert not (tmp_path / "shot.solved.png").exists()


def test_names_in_any_script_and_none(run: Run, tmp_path: Path) -> None:
    names = ["拼图 1.png", "пазл.png", "🧩.png", os.fsdecode(b"caf\xe9.png")]
    for name in names:
        shot(tmp_path / "in" / name)
    for name in names:
        status, out, _ = run(f"in/{name}", "-o", "out/", "--json", "--overwrite")
        assert status == 0
        assert json.loads(out)["image"] == f"in/{name}"
    assert len(list((tmp_path / "out").glob("*.solved.png"))) == len(names)


def test_a_run_does_not_spend_its_time_searching_for_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(launch, "ask_for_one_each", lambda: None)
    monkeypatch.setattr(command, "run", lambda: seen.append(gc.get_threshold()[0]))
    usual = gc.get_threshold()
    try:
        launch.main()
    finally:
        gc.set_threshold(*usual)
    assert seen == [launch.SEARCHED_AFTER]
