"""The board in the terminal: lines, texts and colours."""

import re
import sys
from pathlib import Path

import pytest
from toy_kind import Run, shot

import solvepic
from solvepic.show import PLAIN, show, shown

ESCAPE = re.compile(r"\x1b\[[\d;]*m")

STITCH = "stitch: 4 . 2 / . . . / . 3 ."


def board(text: str, **options: object) -> list[str]:
    """The lines of a puzzle without colours and spaces at their ends."""
    drawn = shown(solvepic.solve_text(text, **options))  # type: ignore[arg-type]
    return [line.rstrip() for line in ESCAPE.sub("", drawn).splitlines()]


def test_lines_run_between_the_patches_alone() -> None:
    assert board(STITCH) == [
        "┌───────┬───┐",
        "│ 4     │ 2 │",
        "│       │   │",
        "│       │   │",
        "├───────┴───┤",
        "│     3     │",
        "└───────────┘",
    ]


def test_a_hole_is_left_out() -> None:
    assert board("stitch: 2 . 1 / # # 1") == [
        "┌───────┬───┐",
        "│ 2     │ 1 │",
        "└───────┼───┤",
        "        │ 1 │",
        "        └───┘",
    ]


def test_every_cell_is_ruled_where_the_answer_has_no_patches() -> None:
    lines = board("knight: N3/4/4")
    assert lines[0] == "┌───┬───┬───┬───┐"
    assert len(lines) == 7
    assert sorted(map(int, re.findall(r"\d+", " ".join(lines)))) == list(range(1, 13))


def test_balls_stand_where_their_pits_lie_and_are_named() -> None:
    lines = board("pyramid: " + " / ".join("." * (row + 1) for row in range(10)), time_limit=60)
    assert [len(line.split()) for line in lines] == list(range(1, 11))
    assert set("".join(lines)) - {" "} == set("ABCDEFGHIJKL")


def test_a_hint_shows_its_step_and_not_the_answer() -> None:
    assert board(STITCH, hint=1) != board(STITCH)
    assert board(STITCH, hint=1)[1].split() == board(STITCH)[1].split()


def test_without_an_answer_there_is_nothing_to_show() -> None:
    assert board("stitch: 4 . 2 / . . . / . 4 .") == []


def terminal(monkeypatch: pytest.MonkeyPatch, **variables: str) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)


def test_colours_are_those_of_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = shown(solvepic.solve_text(STITCH))
    terminal(monkeypatch, TERM="xterm-256color")
    show(drawn)
    assert "48;5;" in capsys.readouterr().err
    for variables in ({"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}):
        terminal(monkeypatch, **variables)
        show(drawn)
        printed = capsys.readouterr().err
        assert "48;" not in printed
        assert ESCAPE.sub("", printed).rstrip("\n") == ESCAPE.sub("", drawn)


def test_what_is_no_terminal_gets_no_colours(run: Run) -> None:
    shot(Path("shot.png"))
    status, out, err = run("shot.png", "--show")
    assert status == 0
    assert "shot.solved.png" in out
    assert "│ 8     │" in err
    assert "\x1b" not in err


def test_a_terminal_of_ascii_gets_ascii() -> None:
    assert "┌──┐│".translate(PLAIN) == "+--+|"
