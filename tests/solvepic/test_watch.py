"""Watching a folder: none holds up another, replaced pictures are solved again, and no picture ends it."""

import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import toy_kind as toy
from toy_kind import Run, shot

from solvepic import batch, pipeline
from solvepic import watch as watching
from solvepic.errors import UsageError
from solvepic.jobs import Job
from solvepic.options import Options
from solvepic.output import OutputError
from solvepic.watch import watch

Start = Callable[..., "Watched"]


class Watched:
    """A watch in a thread, and what it told so far."""

    def __init__(self, folder: Path, **given: Any) -> None:
        self.records: list[dict[str, Any]] = []
        self.stop = threading.Event()
        self.pool = ThreadPoolExecutor(1)
        given.setdefault("output", None)
        given.setdefault("workers", batch.on(self.pool, batch.work))
        options, overwrite = given.get("options", Options()), given.get("overwrite", False)
        named = {"overwrite": overwrite, "since": given.get("since")}
        found = watch(folder, given["output"], options, self.stop, given["workers"], **named)
        self.thread = threading.Thread(target=self._follow, args=(found,))
        self.thread.start()
        time.sleep(0.6)

    def _follow(self, found: Iterator[dict[str, Any]]) -> None:
        for record in found:
            self.records.append(record)

    def wait(self, count: int, seconds: float = 10) -> list[tuple[str, str]]:
        until = time.monotonic() + seconds
        while len(self.records) < count and time.monotonic() < until:
            time.sleep(0.05)
        return [(Path(record["image"]).name, record["status"]) for record in self.records]

    def end(self) -> None:
        self.stop.set()
        self.thread.join(timeout=15)
        self.pool.shutdown()
        assert not self.thread.is_alive()


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Start]:
    monkeypatch.setattr(pipeline, "KINDS", (toy.TOY,))
    monkeypatch.setattr(watching, "PAUSE_SECONDS", 1.0)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sync").mkdir()
    started: list[Watched] = []

    def begin(**given: Any) -> Watched:
        started.append(Watched(Path("sync"), **given))
        return started[-1]

    yield begin
    for one in started:
        one.end()


@pytest.mark.slow
def test_an_empty_file_and_one_that_grows_hold_up_none(start: Start, tmp_path: Path) -> None:
    watched = start()
    (tmp_path / "sync/a_empty.png").touch()
    growing = threading.Event()

    def grow() -> None:
        with (tmp_path / "sync/b_grows.png").open("wb") as file:
            while not growing.wait(0.1):
                file.write(b"x")
                file.flush()

    writer = threading.Thread(target=grow)
    writer.start()
    for name in ("z1", "z2", "z3"):
        shot(tmp_path / f"sync/{name}.png")
    try:
        assert sorted(watched.wait(3, 8)) == [("z1.png", "solved"), ("z2.png", "solved"), ("z3.png", "solved")]
    finally:
        growing.set()
        writer.join()
    assert [record["image"] for record in watched.records if "z1" in record["image"]] == ["sync/z1.png"]


def test_captures_of_one_stem_get_names_of_their_own(start: Start, tmp_path: Path) -> None:
    watched = start()
    shot(tmp_path / "sync/x.png")
    shot(tmp_path / "sync/x.webp", toy.SEVERAL)
    watched.wait(2)
    overlays = {Path(record["image"]).name: Path(record["overlay"]).name for record in watched.records}
    assert sorted(overlays) == ["x.png", "x.webp"]
    assert sorted(overlays.values()) == ["x-2.solved.png", "x.solved.png"]


def test_a_picture_replaced_under_its_name_is_solved_again(start: Start, tmp_path: Path) -> None:
    watched = start()
    shot(tmp_path / "sync/x.png")
    watched.wait(1)
    before = (tmp_path / "sync/x.solved.png").read_bytes()
    shot(tmp_path / "sync/x.png", toy.SEVERAL)
    assert watched.wait(2) == [("x.png", "solved")] * 2
    assert (tmp_path / "sync/x.solved.png").read_bytes() != before
    assert sorted(path.name for path in (tmp_path / "sync").iterdir()) == ["x.png", "x.solved.png"]


@pytest.mark.slow
def test_what_somebody_wrote_is_not_replaced(start: Start, tmp_path: Path) -> None:
    (tmp_path / "sync/x.solved.png").write_text("mine")
    watched = start()
    shot(tmp_path / "sync/x.png")
    assert watched.wait(1) == [("x.png", "solved")]
    assert (tmp_path / "sync/x.solved.png").read_text() == "mine"
    assert Path(watched.records[0]["overlay"]).name == "x-2.solved.png"


@pytest.mark.slow
def test_a_copy_that_pauses_is_not_called_bad(start: Start, tmp_path: Path) -> None:
    whole = shot(tmp_path / "whole.png").read_bytes()
    watched = start()
    with (tmp_path / "sync/slow.png").open("wb") as file:
        file.write(whole[: len(whole) // 2])
        file.flush()
        time.sleep(1.2)
        file.write(whole[len(whole) // 2 :])
    assert watched.wait(1) == [("slow.png", "solved")]
    (tmp_path / "sync/bad.png").write_text("no picture")
    assert watched.wait(2) == [("slow.png", "solved"), ("bad.png", "bad_input")]


@pytest.mark.slow
def test_what_came_while_the_folder_was_away_has_arrived(start: Start, tmp_path: Path) -> None:
    shot(tmp_path / "sync/old.png")
    watched = start()
    (tmp_path / "sync").rename(tmp_path / "away")
    time.sleep(0.8)
    shot(tmp_path / "away/new.png")
    (tmp_path / "away").rename(tmp_path / "sync")
    assert watched.wait(1) == [("new.png", "solved")]
    time.sleep(0.5)
    assert len(watched.records) == 1


@pytest.mark.slow
def test_a_picture_that_kills_or_hangs_its_worker_does_not_end_the_watch(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setattr(watching, "PAUSE_SECONDS", 0.0)
    watched = start(workers=batch.pool(1, toy.task))
    for name in ("1-kill", "2", "3-kill", "4"):
        shot(tmp_path / f"sync/{name}.png")
        time.sleep(0.3)
    ended = dict(watched.wait(4, 60))
    assert ended == {"1-kill.png": "bad_input", "2.png": "solved", "3-kill.png": "bad_input", "4.png": "solved"}


@pytest.mark.slow
def test_the_watch_of_the_command_solves_in_a_process_of_its_own(tmp_path: Path) -> None:
    import subprocess  # noqa: PLC0415
    import sys  # noqa: PLC0415

    sample = Path(__file__).parents[2] / "samples/queens/chequered.png"
    (tmp_path / "sync").mkdir()
    with subprocess.Popen(
        [sys.executable, "-m", "solvepic", "watch", "sync"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            assert process.stdout is not None
            assert "watching sync" in process.stderr.readline()
            time.sleep(1)
            shutil.copy(sample, tmp_path / "sync/shot.png")
            assert process.stdout.readline().startswith("sync/shot.png: queens")
        finally:
            process.send_signal(2)
            _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "stopped; what was done is kept" in said
    assert (tmp_path / "sync/shot.solved.png").exists()


def test_hints_have_names_of_their_own_and_outputs_are_replaced_where_asked_for(start: Start, tmp_path: Path) -> None:
    (tmp_path / "sync/x.hint.png").write_text("an old one")
    watched = start(options=Options(hint=1), overwrite=True)
    shot(tmp_path / "sync/x.png")
    assert watched.wait(1) == [("x.png", "solved")]
    assert (tmp_path / "sync/x.hint.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in (tmp_path / "sync").iterdir()) == ["x.hint.png", "x.png"]


def test_what_came_within_the_time_asked_for_is_solved_too(start: Start, tmp_path: Path) -> None:
    for name in ("done", "fresh"):
        shot(tmp_path / f"sync/{name}.png")
    shot(tmp_path / "sync/done.solved.png")
    watched = start(since=3600.0)
    shot(tmp_path / "sync/later.png")
    assert sorted(watched.wait(2)) == [("fresh.png", "solved"), ("later.png", "solved")]


def test_what_came_before_the_time_asked_for_is_left_alone(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shot(tmp_path / "sync/old.png")
    came = watching._came
    monkeypatch.setattr(watching, "_came", lambda path: came(path) - 7200)
    watched = start(since=3600.0)
    shot(tmp_path / "sync/later.png")
    assert watched.wait(1) == [("later.png", "solved")]


def test_the_report_grows_with_every_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "KINDS", (toy.TOY,))
    report = watching.Report(tmp_path / "r.html", overwrite=False)
    for name, level in (("a", toy.UNIQUE), ("b", toy.NOTHING), ("a", toy.DOUBTFUL)):
        report.add(batch.work(Job(str(shot(tmp_path / f"{name}.png", level)), None, Options())))
    page = (tmp_path / "r.html").read_text()
    assert sorted(re.findall(r'<li data-status="(\w+)"', page)) == ["no_board", "unreadable"]
    (tmp_path / "r.html").write_text("mine")
    with pytest.raises(OutputError, match="--overwrite"):
        report.add(batch.work(Job(str(tmp_path / "a.png"), None, Options())))
    assert (tmp_path / "r.html").read_text() == "mine"
    with pytest.raises(UsageError, match="exists already"):
        watching.Report(tmp_path / "r.html", overwrite=False)


def test_the_command_keeps_a_report(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sync").mkdir()
    asked: dict[str, Any] = {}

    def arrivals(*_: object, **given: object) -> Iterator[dict[str, Any]]:
        asked.update(given)
        yield batch.work(Job(str(shot(tmp_path / "a.png")), None, Options()))

    monkeypatch.setattr(watching, "watch", arrivals)
    status, _, _ = run("watch", "sync", "--since", "90m", "--report", "r.html")
    assert status == 0
    assert asked["since"] == 5400.0
    assert "a.png" in (tmp_path / "r.html").read_text()
