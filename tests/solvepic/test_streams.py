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
