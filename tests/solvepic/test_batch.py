"""Many pictures: workers that die or hang, batches that are killed and go on, executors, watching, reports."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import toy_kind

import solvepic
from samples import regions
from solvepic import batch, pipeline
from solvepic.cluster import cluster
from solvepic.errors import UsageError
from solvepic.jobs import Job, plan
from solvepic.options import Options
from solvepic.outcome import Status
from solvepic.report import write_report, write_sheet
from solvepic.watch import watch

HERE = str(Path(__file__).parent)


def jobs(names: list[str], seconds: float = 20) -> list[Job]:
    return [Job(name, None, Options(time_limit=seconds)) for name in names]


@pytest.mark.slow
def test_a_picture_that_kills_its_worker_costs_that_picture_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(HERE)
    names = [f"{n}{'-kill' if n in (3, 4, 9) else ''}.png" for n in range(12)]
    with batch.pool(2, toy_kind.task) as submit:
        records = {record["image"]: record for record in batch.run(jobs(names), submit, ahead=4)}
    assert sorted(records) == sorted(names)
    for name in names:
        assert ("failure" in records[name]) == ("kill" in name)
        assert records[name]["status"] == ("bad_input" if "kill" in name else "solved")


@pytest.mark.slow
def test_a_picture_that_hangs_its_worker_costs_that_picture_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(HERE)
    monkeypatch.setattr(batch, "LEAST_GRACE", 2.0)
    with batch.pool(2, toy_kind.task) as submit:
        list(batch.run(jobs(["1.png", "2.png"]), submit, ahead=2))  # the workers have begun
        began = time.monotonic()
        found = batch.run(jobs(["a.png", "hang.png", "b.png", "c.png"], seconds=0.1), submit, ahead=4)
        records = {record["image"]: record for record in found}
        assert time.monotonic() - began < 2.1 + 2.0  # a process that does not heed its end is waited for 3 s
    assert records["hang.png"]["seconds"]["total"] == pytest.approx(2.1)
    assert [records[name]["status"] for name in ("a.png", "hang.png", "b.png", "c.png")] == [
        "solved",
        "timeout",
        "solved",
        "solved",
    ]


def test_only_a_few_jobs_are_handed_out_ahead() -> None:
    waiting: list[Any] = []
    most = 0

    def submit(job: Job) -> Any:
        nonlocal most
        future = pool.submit(lambda: (time.sleep(0.001), {"image": job.image})[1])
        waiting.append(future)
        most = max(most, sum(not one.done() for one in waiting))
        return future

    with ThreadPoolExecutor(2) as pool:
        images = {record["image"] for record in batch.run(jobs([str(n) for n in range(50)]), submit, ahead=5)}
    assert len(images) == 50
    assert most <= 5


def toy_folder(folder: Path, count: int) -> Path:
    folder.mkdir()
    for n in range(count):
        level = toy_kind.UNIQUE if n % 3 else toy_kind.DOUBTFUL
        (folder / f"{n:02d}.png").write_bytes(cv2.imencode(".png", toy_kind.picture(level))[1].tobytes())
    return folder


def test_any_executor_runs_a_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "KINDS", (toy_kind.TOY,))
    folder = toy_folder(tmp_path / "in", 9)
    with ThreadPoolExecutor(3) as pool:
        outcomes = list(solvepic.solve_many([folder], output=tmp_path / "out", executor=pool))
    assert sorted(o.image for o in outcomes) == sorted(str(p) for p in folder.iterdir())
    assert sum(o.status is Status.SOLVED for o in outcomes) == 6
    assert not any(o.original.is_kept for o in outcomes if o.original)
    assert len(list((tmp_path / "out").glob("*.solved.png"))) == 6


def test_the_report_and_the_sheet_show_every_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "KINDS", (toy_kind.TOY,))
    folder = toy_folder(tmp_path / "in <&>", 7)
    with ThreadPoolExecutor(1) as pool:
        records = [dict(o.record()) for o in solvepic.solve_many([folder], output=tmp_path / "out", executor=pool)]
    write_report(tmp_path / "out/report.html", records)
    page = (tmp_path / "out/report.html").read_text()
    assert page.count("<figure") == 7
    assert 'data-status="unreadable"' in page
    assert "in &lt;&amp;&gt;" in page
    assert "../in%20%3C%26%3E/00.png" in page
    write_sheet(tmp_path / "sheet.png", records)
    sheet = cv2.imread(str(tmp_path / "sheet.png"))
    assert sheet is not None
    assert sheet.shape[1] == 5 * 320


def test_watching_takes_what_arrives_whole_and_ignores_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "KINDS", (toy_kind.TOY,))
    folder = tmp_path / "sync"
    folder.mkdir()
    stop, records = threading.Event(), []
    monkeypatch.setattr("solvepic.watch.PAUSE_SECONDS", 1.0)

    def follow() -> None:
        with ThreadPoolExecutor(1) as one:
            for record in watch(folder, None, Options(), stop, batch.on(one, batch.work)):
                records.append(record)  # noqa: PERF402  (the test looks at them meanwhile)

    thread = threading.Thread(target=follow)
    thread.start()
    time.sleep(1.0)
    whole = cv2.imencode(".png", toy_kind.picture(toy_kind.UNIQUE))[1].tobytes()
    with (folder / "slow.png").open("wb") as file:  # a sync writes bit by bit
        for start in range(0, len(whole), len(whole) // 4):
            file.write(whole[start : start + len(whole) // 4])
            file.flush()
            time.sleep(0.1)
    (folder / "bad.png").write_text("not a picture")
    wait_until = time.monotonic() + 15
    while len(records) < 2 and time.monotonic() < wait_until:
        time.sleep(0.1)
    stop.set()
    thread.join(timeout=15)
    assert not thread.is_alive()
    ended = sorted((Path(r["image"]).name, r["status"]) for r in records)
    assert ended == [("bad.png", "bad_input"), ("slow.png", "solved")]


def drawn_folder(folder: Path, count: int) -> None:
    folder.mkdir()
    rng = np.random.default_rng(5)
    for n in range(count):
        picture = regions.draw(rng, n=5, device="bare").picture
        (folder / f"{n:02d}.png").write_bytes(cv2.imencode(".png", picture)[1].tobytes())


def records_of(journal: Path) -> list[str]:
    """The records without what differs from run to run, in the order of their names."""
    found = []
    for line in journal.read_text().splitlines():
        record = json.loads(line)
        del record["seconds"], record["batch"]  # times, of the run and of its files
        found.append(json.dumps(record, sort_keys=True))
    return sorted(found)


@pytest.mark.slow
def test_a_killed_batch_that_is_resumed_equals_an_undisturbed_one(tmp_path: Path) -> None:
    drawn_folder(tmp_path / "in", 6)
    call = [sys.executable, "-m", "solvepic", "in", "-o", "out", "--resume", "-q", "--workers", "2", "--kind", "queens"]
    subprocess.run(call, cwd=tmp_path, check=False)
    expected = records_of(tmp_path / "out/solvepic.jsonl")
    pictures = {p.name: p.read_bytes() for p in (tmp_path / "out").glob("*.solved.png")}
    assert len(expected) == 6
    moments = random.Random(11)
    for _ in range(20):
        shutil.rmtree(tmp_path / "out")
        for _ in range(2):
            process = subprocess.Popen(call, cwd=tmp_path, stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(moments.uniform(0.1, 2.0))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        subprocess.run(call, cwd=tmp_path, check=False)
        assert records_of(tmp_path / "out/solvepic.jsonl") == expected
        assert {p.name: p.read_bytes() for p in (tmp_path / "out").glob("*.solved.png")} == pictures


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Dask's own, when a worker is killed
def test_a_cluster_loses_nothing_when_a_worker_is_killed(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra solvepic[dask] is not installed")
    drawn_folder(tmp_path / "in", 12)
    jobs, _ = plan([str(tmp_path / "in")], str(tmp_path / "out") + "/", Options())
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local,
        cluster(local.scheduler_address) as submit,
    ):
        found = batch.run(jobs, submit, ahead=batch.FAR_AHEAD)
        records = [next(found)]
        os.kill(next(iter(local.workers.values())).pid, signal.SIGKILL)
        records += found
    assert sorted(record["image"] for record in records) == sorted(job.image for job in jobs)
    solved = [record for record in records if record["status"] == "solved"]
    assert len(list((tmp_path / "out").glob("*.solved.png"))) == len(solved)
    assert not [record for record in records if "failure" in record]


def test_no_scheduler_is_a_sentence() -> None:
    pytest.importorskip("distributed", reason="the extra solvepic[dask] is not installed")
    with pytest.raises(UsageError, match="no Dask scheduler answers"), cluster("nonsense"):
        pass
