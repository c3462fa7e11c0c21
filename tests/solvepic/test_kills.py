"""Batches that are killed, run out of room and have their inputs changed: what goes on equals what was undisturbed."""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from samples import regions

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")]

PICTURES = 10
CALL = [sys.executable, "-m", "solvepic", "in", "-o", "out", "--resume", "-q", "--workers", "2", "--kind", "queens"]

LITTLE_ROOM = ["bash", "-c", 'ulimit -f 12; exec "$@"', "-", *CALL]
"""Files may have 12 KiB: some pictures cannot be written, and after a while the log cannot either."""


def drawn(folder: Path, count: int) -> None:
    """Small boards of coloured regions, one file that is no picture and one that is cut off."""
    folder.mkdir()
    rng = np.random.default_rng(5)
    for n in range(count):
        data = cv2.imencode(".png", regions.draw(rng, n=5, device="bare").picture)[1].tobytes()
        (folder / f"{n:02d}.png").write_bytes(data)
    (folder / "none.png").write_text("no picture")
    (folder / "cut.png").write_bytes((folder / "00.png").read_bytes()[:900])


def hashes(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "solvepic.jsonl"]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def told(folder: Path) -> list[str]:
    """The records without what differs from run to run."""

    def plain(value: Any) -> Any:
        return {k: plain(v) for k, v in value.items() if k not in ("seconds", "mtime_ns")} if is_dict(value) else value

    def is_dict(value: Any) -> bool:
        return isinstance(value, dict)

    lines = [json.loads(line) for line in (folder / "out/solvepic.jsonl").read_text().splitlines()]
    return sorted(json.dumps(plain(line), sort_keys=True).replace(str(folder), "") for line in lines)


def series(folder: Path, moments: random.Random, count: int) -> None:
    """Two or three runs that are disturbed, one that is not."""
    away = folder / "away.png"
    for _ in range(moments.choice((2, 3))):
        call = LITTLE_ROOM if moments.random() < 0.25 else CALL
        with subprocess.Popen(call, cwd=folder, stderr=subprocess.DEVNULL, start_new_session=True) as process:
            time.sleep(moments.uniform(0.3, 5.0 + 0.1 * count))
            what = moments.choice(("main", "group", "worker", "worker", "input", "output"))
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
            workers = children.read_text().split() if children.exists() else []
            if what == "worker" and workers:
                os.kill(int(moments.choice(workers)), signal.SIGKILL)
            if what == "input" and not away.exists():
                (folder / f"in/{moments.randrange(count):02d}.png").rename(away)
            if what == "output":
                for path in list((folder / "out").glob("*.solved.png"))[:1]:
                    path.unlink()
            if what in ("main", "group"):
                (os.killpg if what == "group" else os.kill)(process.pid, signal.SIGKILL)
            process.wait()
        if away.exists():
            names = {path.name for path in (folder / "in").iterdir()}
            gone = next(name for n in range(count) if (name := f"{n:02d}.png") not in names)
            away.rename(folder / "in" / gone)
        if moments.random() < 0.3:  # another picture under the same name, and back
            subprocess.run(["cp", "in/01.png", "in/02.png"], cwd=folder, check=True)
            subprocess.run(CALL, cwd=folder, stderr=subprocess.DEVNULL, check=False)
            shutil.copy(folder / "kept/02.png", folder / "in/02.png")
    subprocess.run(CALL, cwd=folder, stderr=subprocess.DEVNULL, check=False)


def undisturbed(folder: Path, count: int) -> None:
    """The folder with its inputs, files of others, and the results of one run."""
    folder.mkdir()
    drawn(folder / "in", count)
    shutil.copytree(folder / "in", folder / "kept")
    (folder / "out").mkdir()
    (folder / "out/notes.txt").write_text("mine")
    (folder / "in/00.solved.png").write_text("mine too")
    subprocess.run(CALL, cwd=folder, stderr=subprocess.DEVNULL, check=False)


def is_equal(first: Path, seed: int, count: int = PICTURES) -> bool:
    """Whether a disturbed series in a folder beside the first ends as the first did."""
    folder = first.parent / f"series-{seed}"
    folder.mkdir()
    for name in ("in", "kept"):
        shutil.copytree(first / name, folder / name)
    (folder / "out").mkdir()
    shutil.copy(first / "out/notes.txt", folder / "out/notes.txt")
    series(folder, random.Random(seed), count)
    return (told(folder), hashes(folder)) == (told(first), hashes(first))


@pytest.mark.parametrize("seed", range(3))
def test_a_disturbed_batch_ends_as_an_undisturbed_one(seed: int, tmp_path: Path) -> None:
    first = tmp_path / "first"
    undisturbed(first, PICTURES)
    assert len(told(first)) == PICTURES + 2
    assert len([name for name in hashes(first) if name.endswith(".solved.png")]) == PICTURES + 1
    assert is_equal(first, seed)


@pytest.mark.exhaustive
def test_thirty_disturbed_batches_of_sixty_end_as_an_undisturbed_one(tmp_path: Path) -> None:
    first = tmp_path / "first"
    undisturbed(first, 60)
    assert len(told(first)) == 62
    ended = [is_equal(first, seed, 60) for seed in range(100, 130)]
    assert ended.count(True) == 30, [seed for seed, equal in enumerate(ended, 100) if not equal]
