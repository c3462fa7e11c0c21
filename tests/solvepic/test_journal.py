"""Batches that go on: what is done again, what is kept, and that no name is given out twice."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import toy_kind as toy
from toy_kind import Run, shot

from solvepic import journal as journal_module
from solvepic import output
from solvepic.errors import UsageError
from solvepic.journal import Journal


def records(folder: Path) -> dict[str, dict[str, Any]]:
    lines = [json.loads(line) for line in (folder / "solvepic.jsonl").read_text().splitlines()]
    return {line["image"]: line for line in lines if "image" in line}


def done(out: str) -> list[str]:
    return [json.loads(line)["image"] for line in out.splitlines()]


def test_a_name_is_never_given_out_twice(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "p/a.png")
    shot(tmp_path / "p/z.png", toy.SEVERAL)
    assert run("p", "-o", "o")[0] == 0
    first = (tmp_path / "o/a.solved.png").read_bytes()
    shot(tmp_path / "p/a.bmp", toy.REPAIRED)
    status, out, _ = run("p", "-o", "o", "--resume", "--json")
    assert (status, done(out)) == (0, ["p/a.bmp"])
    assert (tmp_path / "o/a.solved.png").read_bytes() == first
    overlays = [record["overlay"] for record in records(tmp_path / "o").values()]
    assert sorted(overlays) == ["o/a-2.solved.png", "o/a.solved.png", "o/z.solved.png"]


def test_what_no_batch_wrote_stays(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "p/a.png")
    shot(tmp_path / "p/z.png")
    (tmp_path / "o").mkdir()
    (tmp_path / "o/a.solved.png").write_text("precious")
    status, out, err = run("p", "-o", "o", "--resume")
    assert status == 3
    assert "nothing says that this batch wrote it" in err
    assert "z.png: toy" in out
    assert (tmp_path / "o/a.solved.png").read_text() == "precious"
    assert records(tmp_path / "o")["p/a.png"]["failed"] == "output"
    (tmp_path / "o/a.solved.png").unlink()
    status, out, _ = run("p", "-o", "o", "--resume", "--json")
    assert (status, done(out)) == (0, ["p/a.png"])


def test_a_picture_that_was_written_and_not_recorded_is_taken_over(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "p/a.png")
    assert run("p", "-o", "o")[0] == 0
    written = (tmp_path / "o/a.solved.png").stat()
    (tmp_path / "o/solvepic.jsonl").write_text("")  # killed between the two
    assert run("p", "-o", "o", "--resume")[0] == 0
    assert (tmp_path / "o/a.solved.png").stat().st_ino == written.st_ino
    assert records(tmp_path / "o")["p/a.png"]["status"] == "solved"


def test_records_of_other_pictures_are_kept_and_a_path_may_be_spelt_anew(run: Run, tmp_path: Path) -> None:
    for name in ("p/a.png", "p2/b.png"):
        shot(tmp_path / name)
    assert run("p", "-o", "o")[0] == 0
    assert run("p2", "-o", "o", "--resume")[0] == 0
    assert sorted(records(tmp_path / "o")) == ["p/a.png", "p2/b.png"]
    status, out, _ = run(tmp_path / "p", "-o", "o", "--resume", "--json")
    assert (status, out) == (0, "")
    assert sorted(records(tmp_path / "o")) == ["p/a.png", "p2/b.png"]


CHANGES: dict[str, tuple[list[str], str]] = {
    "changed": ([], "1 changed"),
    "missing": ([], "1 missing"),
    "options": (["--style", "plan"], "3 with other options"),
    "version": ([], "3 of another version"),
    "older log": ([], "3 of an older log"),
    "nothing": ([], ""),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_changed_is_done_again_and_said(
    what: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        shot(tmp_path / f"p/{name}.png")
    assert run("p", "-o", "o")[0] == 0
    old = {path.name: path.read_bytes() for path in (tmp_path / "o").glob("*.png")}
    if what == "changed":
        shot(tmp_path / "p/b.png", toy.SEVERAL)
    if what == "missing":
        (tmp_path / "o/b.solved.png").unlink()
    if what == "version":
        monkeypatch.setattr(journal_module, "__version__", "99")
    if what == "older log":
        lines = [json.loads(line) for line in (tmp_path / "o/solvepic.jsonl").read_text().splitlines()]
        bare = [{key: value for key, value in line.items() if key != "batch"} for line in lines]
        (tmp_path / "o/solvepic.jsonl").write_text("".join(json.dumps(line) + "\n" for line in bare))
    options, says = CHANGES[what]
    status, out, err = run("p", "-o", "o", "--resume", "--json", *options)
    assert status == 0
    assert says in err
    again = {"changed": ["p/b.png"], "missing": ["p/b.png"], "nothing": []}
    assert done(out) == again.get(what, ["p/a.png", "p/b.png", "p/c.png"])
    new = {path.name: path.read_bytes() for path in (tmp_path / "o").glob("*.png")}
    assert {name for name in new if new[name] != old[name]} == ({"b.solved.png"} if what == "changed" else set())
    assert run("p", "-o", "o", "--resume", "--json", *options)[1] == ""


def test_more_time_is_given_to_what_took_too_long_only(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "p/a.png")
    shot(tmp_path / "p/late.png", toy.ENDLESS)
    assert run("p", "-o", "o", "--time-limit", "5")[0] == 3
    status, out, _ = run("p", "-o", "o", "--time-limit", "6", "--resume", "--json")
    assert (status, done(out)) == (3, ["p/late.png"])


def test_an_output_that_somebody_changed_is_not_replaced(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "p/a.png")
    assert run("p", "-o", "o")[0] == 0
    (tmp_path / "o/a.solved.png").write_text("painted over")
    assert run("p", "-o", "o", "--resume")[0] == 0, "nothing is to be done"
    shot(tmp_path / "p/a.png", toy.SEVERAL)
    status, _, err = run("p", "-o", "o", "--resume")
    assert status == 3
    assert "exists already" in err
    assert (tmp_path / "o/a.solved.png").read_text() == "painted over"


def test_what_failed_for_reasons_outside_the_picture_is_tried_again(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shot(tmp_path / "p/a.png")
    shot(tmp_path / "p/bad.png").write_text("no picture")

    def full(target: Path, *_: object, **__: object) -> None:
        raise output.OutputError(f"{target}: cannot be written (No space left on device)")

    with monkeypatch.context() as patched:
        patched.setattr("solvepic.batch.write_whole", full)
        assert run("p/a.png", "p/bad.png", "p/gone.png", "-o", "o")[0] == 3
    causes = {image: record["failed"] for image, record in records(tmp_path / "o").items()}
    assert causes == {"p/a.png": "output", "p/bad.png": None, "p/gone.png": "input"}
    shot(tmp_path / "p/gone.png")
    status, out, err = run("p", "-o", "o", "--resume", "--json")
    assert (status, sorted(done(out))) == (3, ["p/a.png", "p/gone.png"])
    assert "1 done already, 2 to do (again: 2 failed)" in err
    ended = {image: record["status"] for image, record in records(tmp_path / "o").items()}
    assert ended == {"p/a.png": "solved", "p/bad.png": "bad_input", "p/gone.png": "solved"}


def test_an_overwritten_batch_that_is_killed_goes_on(run: Run, tmp_path: Path) -> None:
    for name in "abc":
        shot(tmp_path / f"p/{name}.png")
    assert run("p", "-o", "o")[0] == 0
    assert run("p", "-o", "o", "--overwrite", "--style", "plan")[0] == 0
    log = tmp_path / "o/solvepic.jsonl"
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:1]))
    assert run("p", "-o", "o", "--resume", "--style", "plan")[0] == 0
    assert len(records(tmp_path / "o")) == 3


def test_a_report_of_the_same_batch_is_written_anew(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "p/a.png")
    call = ["p", "-o", "o", "--report", "o/index.html", "--sheet", "o/sheet.png"]
    assert run(*call)[0] == 0
    shot(tmp_path / "p/b.png")
    status, _, err = run(*call, "--resume")
    assert (status, err.count("exists already")) == (0, 0)
    assert (tmp_path / "o/index.html").read_text().count("<figure") == 2
    (tmp_path / "o/index.html").write_text("my notes")
    status, _, err = run(*call, "--resume")
    assert status == 2
    assert "changed since a batch wrote it" in err
    assert (tmp_path / "o/index.html").read_text() == "my notes"


def test_one_batch_at_a_time_works_in_a_folder(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "p/a.png")
    shot(tmp_path / "q/b.png")
    first = Journal(tmp_path / "o/solvepic.jsonl")
    first.begin(anew=True)
    try:
        status, _, err = run("q", "-o", "o", "--resume")
        assert status == 2
        assert "another batch is at work here" in err
        with pytest.raises(UsageError, match="at work"):
            Journal(first.path).begin(anew=False)
    finally:
        first.end()
    assert run("q", "-o", "o", "--resume")[0] == 0


def test_the_log_is_written_through_no_link(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "p/a.png")
    (tmp_path / "o").mkdir()
    (tmp_path / "victim").write_text("precious")
    for name in ("solvepic.jsonl.tmp", "solvepic.jsonl"):
        link = tmp_path / "o" / name
        link.symlink_to(tmp_path / "victim")
        status = run("p", "-o", "o", "--overwrite")[0]
        assert status == (0 if name.endswith(".tmp") else 2)
        assert (tmp_path / "victim").read_text() == "precious"
        shutil.rmtree(tmp_path / "o")
        (tmp_path / "o").mkdir()
    log = Journal(tmp_path / "o/solvepic.jsonl")
    log.begin(anew=True)
    log.path.unlink()
    log.path.symlink_to(tmp_path / "victim")
    with pytest.raises(output.OutputError, match="cannot be written"):
        log.append({"image": "x"})
    log.path.unlink()
    log.end()
    assert (tmp_path / "victim").read_text() == "precious"


def test_a_picture_has_one_record_however_it_is_spelt(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "p/a.png")
    assert run("p", "-o", "o")[0] == 0
    os.utime(tmp_path / "p/a.png", (1, 1))
    assert run("p/../p", "-o", "o", "--resume", "--json")[1] == "", "touched, not changed"
    shot(tmp_path / "p/a.png", toy.SEVERAL)
    assert run(tmp_path / "p/a.png", "-o", "o/", "--resume")[0] == 0
    assert list(records(tmp_path / "o")) == [str(tmp_path / "p/a.png")]


def test_what_a_killed_process_left_half_written_is_cleared_away(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "p/a.png")
    (tmp_path / "o/sub").mkdir(parents=True)
    for name in ("o/.solvepic-abcdefgh", "o/sub/.solvepic-12345678", "o/.solvepicture"):
        (tmp_path / name).write_text("half")
        os.utime(tmp_path / name, (1, 1))
    (tmp_path / "o/.solvepic-underway").write_text("of another process")
    os.utime(tmp_path / "o/.solvepic-underway", (4e9, 4e9))
    assert run("p", "-o", "o")[0] == 0
    left = sorted(path.name for path in (tmp_path / "o").rglob(".solvepic*"))
    assert left == [".solvepic-underway", ".solvepicture"]
