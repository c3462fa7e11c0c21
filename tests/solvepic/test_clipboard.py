"""A picture from the clipboard and the solved one back, through tools that only seem to be a system's."""

import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
import toy_kind as levels
from toy_kind import Run, shot

pytestmark = pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="the tools of Wayland and X11 are played")


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that two tools called xclip and wl-paste take for the clipboard; nothing else is on the path."""
    tools, file = tmp_path / "tools", tmp_path / "held.png"
    tools.mkdir()
    gives = f'[ -f "{file}" ] || {{ echo "target image/png not available" >&2; exit 1; }}; exec /bin/cat "{file}"'
    takes = f'[ -f "{tmp_path}/broken" ] && exit 1; exec /bin/cat > "{file}"'
    _tool(tools / "xclip", f'case "$*" in *-o) {gives};; *) {takes};; esac')
    _tool(tools / "wl-paste", gives)
    _tool(tools / "wl-copy", takes)
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    return file


def _tool(path: Path, does: str) -> None:
    path.write_text(f"#!/bin/sh\n{does}\n")
    path.chmod(0o755)


@pytest.mark.parametrize("session", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_the_picture_is_taken_and_the_solved_one_put_there(
    session: str, run: Run, held: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY")
    monkeypatch.setenv(session, "0")
    before = cv2.imread(str(shot(held)))
    status, out, err = run("--clipboard")
    assert (status, err) == (0, "")
    assert out.startswith("clipboard: toy, 1 x 2 board: one solution; the picture is on the clipboard now")
    after = cv2.imread(str(held))
    assert before is not None
    assert after is not None
    assert after.shape == before.shape
    assert (after != before).any()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["held.png", "tools"]


def test_it_is_written_to_a_file_as_well(run: Run, held: Path, tmp_path: Path) -> None:
    shot(held)
    assert run("--clipboard", "-o", "out.png")[0] == 0
    written = [cv2.imread(str(path)) for path in (held, tmp_path / "out.png")]
    assert np.array_equal(*written)


def test_what_is_not_solved_leaves_the_clipboard_alone(run: Run, held: Path) -> None:
    before = shot(held, levels.DOUBTFUL).read_bytes()
    status, _, err = run("--clipboard")
    assert status == 3
    assert err.startswith("solvepic: clipboard: unreadable: ")
    assert held.read_bytes() == before


def test_an_empty_clipboard_a_missing_tool_and_a_name_beside_it_are_told(
    run: Run, held: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, err = run("--clipboard")
    assert (status, err.count("\n")) == (2, 1)
    assert "holds no picture" in err
    shot(held)
    assert "name none beside it" in run("held.png", "--clipboard")[2]
    monkeypatch.setenv("PATH", "")
    status, _, err = run("--clipboard")
    assert (status, err.count("\n")) == (2, 1)
    assert "no tool here reaches the clipboard; install xclip" in err


def test_a_clipboard_that_does_not_take_it_is_told(run: Run, held: Path, tmp_path: Path) -> None:
    shot(held)
    (tmp_path / "broken").touch()
    status, _, err = run("--clipboard")
    assert status == 3
    assert "solved, but the clipboard does not take it" in err
