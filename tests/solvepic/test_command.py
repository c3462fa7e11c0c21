"""The command: what it prints where, what it writes, how it leaves, and what it says of bad input."""

import gc
import json
import os
import shutil
import zipfile
from pathlib import Path
from typing import Any

import cv2
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


def test_standard_input(run: Run, tmp_path: Path) -> None:
    status, out, _ = run("-", "--json", stdin=shot(tmp_path / "shot.png").read_bytes())
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


@pytest.mark.parametrize("level", [levels.UNIQUE, levels.DOUBTFUL, levels.CRASH])
def test_doctor_packs_all_that_a_report_needs(run: Run, tmp_path: Path, level: int) -> None:
    picture = shot(tmp_path / "shot.png", level)
    before = picture.read_bytes()
    status, out, err = run("doctor", "shot.png")
    assert status == 0
    assert out.startswith("shot.doctor.zip: holds the picture itself")
    assert "shot.png" in err
    with zipfile.ZipFile(tmp_path / "shot.doctor.zip") as archive:
        names = archive.namelist()
        assert archive.read("picture.png") == before
        assert json.loads(archive.read("record.json"))["image"] == "shot.png"
        assert "OCR engine tesserocr" in archive.read("versions.txt").decode()
        assert "toy: 1 places" in archive.read("stages/solvepic.log").decode()
    assert "stages/01-photo.png" in names
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shot.doctor.zip", "shot.png"]
    status, _, err = run("doctor", "shot.png")
    assert status == 2
    assert "exists already" in err
    assert run("doctor", "shot.png", "--overwrite")[0] == 0


def test_what_came_of_it_is_opened_with_the_system_s_viewer(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("typer.launch", lambda path: opened.append(Path(path).name) or 0)
    shot(tmp_path / "a.png")
    shot(tmp_path / "b.png", levels.DOUBTFUL)
    run("a.png", "--open")
    run("b.png", "--open")
    run("a.png", "b.png", "-o", "out/", "--report", "r.html", "--open")
    assert opened == ["a.solved.png", "b.read.png", "r.html"]
    shot(tmp_path / "c.png", levels.NOTHING)
    assert "no picture was written" in run("c.png", "--open")[2]
    monkeypatch.setattr("typer.launch", lambda path: 1)
    assert "no viewer was found" in run("a.png", "--open", "--overwrite")[2]
    assert len(opened) == 3


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

    monkeypatch.setattr(type(TOY.reader), "read", missing)
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
