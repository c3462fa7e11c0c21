"""Standard streams that are closed, full or endless, signals, and a folder that is gone: the command as a process."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="speaks sh")]

SAMPLE = Path(__file__).parents[2] / "samples/queens/chequered.png"


def sh(line: str, folder: Path) -> tuple[int, str, str]:
    """Run a line of bash in which ``solvepic`` is the command; ``q.png`` lies in ``folder``."""
    shutil.copy(SAMPLE, folder / "q.png")
    text = f'set -o pipefail; solvepic() {{ "{sys.executable}" -m solvepic "$@"; }}\n{line}'
    ran = subprocess.run(["bash", "-c", text], cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    return ran.returncode, ran.stdout, ran.stderr


def runs(process: str) -> bool:
    """Whether a process is there that has not ended (one that nobody asked about stays as a zombie)."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


NOBODY = """
import os, sys, hashlib, runpy
import solvepic.command
from PIL import Image
from solvepic.batch import _warm_up
Image.init(), _warm_up()
os.setgroups([]), os.setgid(65534), os.setuid(65534)
sys.argv[0] = "solvepic"
from solvepic.launch import main
main()
"""
"""The command as somebody who may not write, nor go where root may; what it imports is loaded before."""

LINES = [
    ("solvepic q.png -o x.png >&-", 0, "", "x.png"),
    ("solvepic q.png -o x.png 2>&-", 0, "", "x.png"),
    ("solvepic q.png -o x.png >&- 2>&- <&-", 0, "", "x.png"),
    ("solvepic q.png -o x.png > /dev/full", 1, "standard output cannot be written (No space", "x.png"),
    ("solvepic q.png -o - > /dev/full", 3, "standard output cannot be written (No space", ""),
    ("solvepic q.png -o - >&-", 3, "standard output is closed", ""),
    ("solvepic q.png -o - | head -c1 > /dev/null", 0, "", ""),
    ("solvepic q.png -o x.png --json | head -c1 > /dev/null", 0, "", "x.png"),
    ("solvepic - -o x.png <&-", 2, "standard input is closed", ""),
    ("solvepic - -o x.png < /dev/zero", 2, "more than 400 MiB", ""),
    ("mkdir gone; cd gone; rmdir ../gone; solvepic ../q.png", 2, "current folder is gone", ""),
]


@pytest.mark.parametrize(("line", "expected", "says", "written"), LINES, ids=[line[0] for line in LINES])
def test_streams(line: str, expected: int, says: str, written: str, tmp_path: Path) -> None:
    status, _, err = sh(line, tmp_path)
    assert status == expected, err
    assert says in err
    assert "Traceback" not in err
    assert "Exception ignored" not in err
    assert len(err.splitlines()) == bool(says)
    assert {path.name for path in tmp_path.iterdir()} == {"q.png", written} - {""}


@pytest.mark.parametrize(("number", "expected"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_batch_that_is_stopped_leaves_no_process_and_a_log_to_go_on_with(
    number: int, expected: int, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    for n in range(12):
        shutil.copy(SAMPLE, tmp_path / f"in/{n:02d}.png")
    call = [sys.executable, "-m", "solvepic", "in", "-o", "out", "--workers", "2", "-q"]
    with subprocess.Popen(call, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        until = time.monotonic() + 60
        while not list(tmp_path.glob("out/*.png")) and time.monotonic() < until:
            time.sleep(0.05)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    assert process.returncode == expected
    assert err == ("solvepic: stopped; what was done is kept\n" if number == signal.SIGINT else "")
    until = time.monotonic() + 3
    while (left := [child for child in children if runs(child)]) and time.monotonic() < until:
        time.sleep(0.1)
    assert not left
    assert not list((tmp_path / "out").glob(".solvepic-*"))
    again = subprocess.run([*call, "--resume"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (again.returncode, again.stderr) == (0, "")
    assert len(list((tmp_path / "out").glob("*.png"))) == 12


def test_a_worker_that_is_ended_while_it_writes_leaves_no_half_of_a_file(tmp_path: Path) -> None:
    code = """
import os, pathlib, time
from solvepic import output
os.fsync = lambda _: (print("writes", flush=True), time.sleep(30))
output.write_whole(pathlib.Path("shot.png"), b"a picture")
"""
    call = [sys.executable, "-c", code]
    with subprocess.Popen(call, cwd=tmp_path, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writes\n"
        assert list(tmp_path.iterdir())
        process.terminate()
        assert process.wait(timeout=10) == -signal.SIGTERM
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("late", [0.04, 0.07, 0.1, 0.13, 0.16, 0.2, 0.25, 0.3])
def test_an_interrupt_in_the_first_moments_ends_as_later_ones_do(late: float, tmp_path: Path) -> None:
    shutil.copy(SAMPLE, tmp_path / "q.png")
    call = [sys.executable, "-m", "solvepic", "q.png", "-o", "x.png", "--time-limit", "90"]
    with subprocess.Popen(call, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        until = time.monotonic() + 10
        # Python itself has begun, and the handler is set, when the first of ours is asked for.
        caught = Path(f"/proc/{process.pid}/status")
        while not _catches_terminate(caught) and time.monotonic() < until:
            time.sleep(0.002)
        time.sleep(late - 0.04)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode in (130, 0)  # 0: it was done before
    assert err in ("", "solvepic: stopped; what was done is kept\n")
    assert process.returncode == 130 or late > 0.1


def _catches_terminate(status: Path) -> bool:
    try:
        line = next(line for line in status.read_text().splitlines() if line.startswith("SigCgt"))
    except (OSError, StopIteration):
        return False
    return bool(int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory otherwise")
@pytest.mark.parametrize("kib", [500_000, 700_000])
def test_too_little_memory_is_a_sentence(kib: int, tmp_path: Path) -> None:
    status, _, err = sh(f"ulimit -v {kib}; solvepic q.png -o x.png --overwrite", tmp_path)
    assert (status, err) == (0, "") or (status == 3 and "not enough memory" in err and len(err.splitlines()) == 1)
    assert "Traceback" not in err


def test_a_full_disk_leaves_no_half_picture_and_is_tried_again(tmp_path: Path) -> None:
    line = "ulimit -f 4; trap '' XFSZ; solvepic {} -o {} -q"
    status, _, err = sh(line.format("q.png", "x.png"), tmp_path)
    assert status == 3
    assert "solved, but x.png: cannot be written (File too large)" in err
    assert {path.name for path in tmp_path.iterdir()} == {"q.png"}
    status, _, err = sh(line.format("q.png", "out/"), tmp_path)
    assert status == 3
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"solvepic.jsonl"}
    status, _, err = sh("solvepic q.png -o out/ --resume", tmp_path)
    assert status == 0, err
    assert "1 failed" in err
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"solvepic.jsonl", "q.solved.png"}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize(
    ("call", "expected", "says"),
    [
        ("nx/p.png", 3, "nx/p.png: bad_input: may not be read; check its permissions"),
        ("nx", 2, "nx: the folder may not be read; check its permissions"),
        ("q.png -o nx/x.png", 3, "solved, but nx/x.png: cannot be written (Permission denied)"),
        ("q.png", 3, "solved, but q.solved.png: cannot be written (Permission denied)"),
        ("q.png -o open/x.png --debug nx/d", 2, "--debug nx/d: cannot be used as a folder (Permission denied)"),
        ("q.png -o nx/", 2, "nx/solvepic.jsonl: cannot be read (Permission denied)"),
        ("q.png -o new/", 2, "new/solvepic.jsonl: cannot be written (Permission denied)"),
        ("q.png -o open/x.png", 0, ""),
    ],
)
def test_who_may_not_read_or_write_is_told(call: str, expected: int, says: str, tmp_path: Path) -> None:
    shutil.copy(SAMPLE, tmp_path / "q.png")
    for name, mode in (("nx", 0), ("open", 0o777)):
        (tmp_path / name).mkdir()
        shutil.copy(SAMPLE, tmp_path / name / "p.png")
        (tmp_path / name).chmod(mode)
    for parent in (tmp_path, *tmp_path.parents[:3]):  # so that somebody else may go there
        parent.chmod(parent.stat().st_mode | 0o055)
    run = [sys.executable, "-c", NOBODY, *call.split()]
    ran = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == expected, ran.stderr
    assert says in ran.stderr
    assert "Traceback" not in ran.stderr
    assert (tmp_path / "open/x.png").exists() == (expected == 0)
