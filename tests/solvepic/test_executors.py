"""Executors, each in a real script: threads, processes without a guard, workers that are ended, Dask with threads."""

import subprocess
import sys
import textwrap
from pathlib import Path

import cv2
import numpy as np
import pytest

from samples import regions, stitch

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photos")
    rng = np.random.default_rng(5)
    for n in range(4):
        for name, sample in (
            ("numbers", stitch.draw(rng, style="light", rows=6, cols=5, device="bare")),
            ("regions", regions.draw(rng, n=5, device="bare")),
        ):
            (folder / f"{name}-{n}.png").write_bytes(cv2.imencode(".png", sample.picture)[1].tobytes())
    return folder


def script(text: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    path = folder / "script.py"
    path.write_text(textwrap.dedent(text))
    return subprocess.run([sys.executable, path], cwd=folder, capture_output=True, text=True, check=False, timeout=300)


def test_the_example_of_the_readme_works_as_a_script_without_a_guard(photos: Path, tmp_path: Path) -> None:
    ran = script(
        f"""
        import solvepic
        print("once")
        for outcome in solvepic.solve_many([{str(photos)!r}], output="solved/"):
            print(outcome.image, outcome.status)
        """,
        tmp_path,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    assert lines.count("once") == 1
    assert sorted(line.split()[1] for line in lines[1:]) == ["solved"] * 8
    assert len(list((tmp_path / "solved").glob("*.png"))) == 8


def test_threads_read_what_one_alone_reads(photos: Path, tmp_path: Path) -> None:
    ran = script(
        f"""
        import json, solvepic
        from concurrent.futures import ThreadPoolExecutor
        def told(threads):
            with ThreadPoolExecutor(threads) as pool:
                found = list(solvepic.solve_many([{str(photos)!r}] , executor=pool))
            return sorted(json.dumps([o.image, o.status, o.record()["puzzle"]]) for o in found)
        alone = told(1)
        assert all('"solved"' in one for one in alone), alone
        for _ in range(3):
            assert told(4) == alone
        print("equal")
        """,
        tmp_path,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "equal\n", "")


def test_no_more_workers_start_than_there_are_pictures(photos: Path, tmp_path: Path) -> None:
    ran = script(
        f"""
        import os, solvepic
        from pathlib import Path
        pictures = sorted(Path({str(photos)!r}).iterdir())[:2]
        def below(pid):
            here = Path(f"/proc/{{pid}}/task/{{pid}}/children").read_text().split()
            return [one for one in here if b"resource_tracker" not in Path(f"/proc/{{one}}/cmdline").read_bytes()]
        for outcome in solvepic.solve_many(pictures, workers=40):
            print(len(below(os.getpid())))
        """,
        tmp_path,
    )
    assert ran.returncode == 0, ran.stderr
    assert max(map(int, ran.stdout.split())) <= 2


def test_a_batch_goes_on_when_all_its_idle_workers_are_ended(photos: Path, tmp_path: Path) -> None:
    ran = script(
        f"""
        import os, signal, time
        from pathlib import Path
        from solvepic import batch
        from solvepic.jobs import Job
        from solvepic.options import Options
        jobs = [Job(str(path), None, Options()) for path in sorted(Path({str(photos)!r}).iterdir())]
        with batch.pool(2, batch.work) as submit:
            first = list(batch.run(jobs[:2], submit, ahead=2))
            here = Path(f"/proc/{{os.getpid()}}/task/{{os.getpid()}}/children").read_text().split()
            for one in here:
                if b"resource_tracker" not in Path(f"/proc/{{one}}/cmdline").read_bytes():
                    os.kill(int(one), signal.SIGKILL)
            time.sleep(1)
            found = first + list(batch.run(jobs[2:], submit, ahead=4))
        print(sorted(record["status"] for record in found))
        """,
        tmp_path,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == str(["solved"] * 8)


def test_dask_workers_with_several_threads_work(photos: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="the extra solvepic[dask] is not installed")
    ran = script(
        f"""
        import distributed, solvepic
        if __name__ == "__main__":
            with distributed.LocalCluster(n_workers=1, threads_per_worker=4, dashboard_address=None) as local:
                with local.get_client() as client:
                    found = list(solvepic.solve_many([{str(photos)!r}], executor=client.get_executor(pure=False)))
            print(sorted(str(outcome.status) for outcome in found))
        """,
        tmp_path,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == str(["solved"] * 8)
