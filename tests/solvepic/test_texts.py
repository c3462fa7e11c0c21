"""Puzzles as text: every form in and out, what is refused with a sentence, and the command's way with them."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared_files import puzzles
from toy_kind import Run

import solvepic
from benchmarks.begun import begun, drawn, planted
from samples.puzzles import stitch as maker
from solvepic.errors import OptionError
from solvepic.outcome import Status
from solvepic.registry import KINDS, by_name, forms
from solvepic.texts import exported, imported
from solvers.stitch import UNKNOWN, Stitch

BOARD = "stitch: 4 . 2 / . . . / . 3 ."

SAME = {
    "stitch": ["4 . 2 / . . . / . 3 .", "4 . 2\n. . .\n. 3 .\n", "3x3:4a2d3a", "3x3e4a:4a2d3a",
               "https://puzz.link/p?shikaku/3/3/4g2j3g", "http://pzv.jp/p.html?shikaku/3/3/4g2j3",
               "pzprv3/shikaku/3/3/4 . 2 /. . . /. 3 . /0 1 /", "pzprv3.1\nshikaku\n3\n3\n4 . 2 \n. . . \n. 3 . \n"],
    "queens": ["8/8/3Q4/8/8/8/8/8", "8/8/3q4/8/8/8/8/8 w - - 0 1"],
    "knight": ["8/8/3N4/8/8/8/8/8", "8/8/3n4/8/8/8/8/8 b - - 3 12"],
}  # fmt: skip


@pytest.mark.parametrize("kind", SAME)
def test_forms_of_one_puzzle_are_told_apart_from_all_others(kind: str) -> None:
    told = [imported(text) for text in SAME[kind]]
    assert {one.name for one, _ in told} == {kind}
    assert len({repr(puzzle) for _, puzzle in told}) == 1


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_our_own_form_is_a_line_that_comes_back(kind: Any) -> None:
    for seed in range(3):
        puzzle = drawn(kind, seed)
        line = exported(kind, puzzle)
        assert "\n" not in line
        assert imported(line) == (kind, puzzle)
        for name, form in kind.formats.items():
            try:
                text = exported(kind, puzzle, name)
            except OptionError:
                continue
            assert form.parse is None or imported(text) == (kind, puzzle)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.randoms(use_true_random=False))
def test_any_plain_board_comes_back_from_other_programs(rows: int, cols: int, rng: random.Random) -> None:
    numbers = (0, 0, 0, 1, 9, 15, 16, 17, 255, 256, 4000)
    puzzle = Stitch(tuple(tuple(rng.choice(numbers) for _ in range(cols)) for _ in range(rows)))
    kind = by_name("stitch")
    for form in ("puzzlink", "sgt"):
        assert kind.formats[form].parse(kind.formats[form].write(puzzle)) == puzzle  # type: ignore[misc]


def test_a_clue_without_number_goes_to_puzzlink_alone() -> None:
    kind = by_name("stitch")
    puzzle = Stitch(((UNKNOWN, 0), (0, 2)))
    assert imported(exported(kind, puzzle, "puzzlink"), "stitch")[1] == puzzle
    with pytest.raises(OptionError, match="clues without a number"):
        exported(kind, puzzle, "sgt")


@pytest.mark.parametrize("form", ["puzzlink", "sgt"])
def test_irregular_boards_are_refused_where_a_form_has_none(form: str) -> None:
    kind = by_name("stitch")
    holed = maker.make(random.Random(2), 6, 6, holes=4)[0]
    with pytest.raises(OptionError, match="holes, bent cells or an irregular outline"):
        exported(kind, holed, form)
    with pytest.raises(OptionError, match="tell a shape"):
        exported(kind, kind.rules.parse("4s . / . ."), form)
    assert "#" in exported(kind, holed, "csv")


@pytest.mark.slow
def test_all_collected_shikaku_boards_come_back() -> None:
    boards = [Stitch(tuple(map(tuple, one["clues"]))) for one in puzzles("shikaku.jsonl")]
    kind = by_name("stitch")
    for form in ("text", "puzzlink", "sgt"):
        assert all(imported(exported(kind, board, form))[1] == board for board in boards)
    assert len(boards) == 645


REFUSED = {
    "": "not understood",
    "cat": "not understood",
    "stitch: cat": "not a puzzle of the kind stitch",
    "queens: 4 . 2": "not a puzzle of the kind queens",
    "3x3#1234": "random seed",
    "3x3:4a2d3": "tells 8 cells",
    "3x3:4a2D3a": "not understood from 'D3a'",
    "99999x9:a": "from 1 to 200",
    "https://puzz.link/p?shikaku/3/3/4!": "not understood from '!'",
    "https://puzz.link/p?shikaku/3/3/4zz4": "cells, but the board has",
    "https://puzz.link/p?shikaku/0/3/4": "from 1 to 200",
    "pzprv3/shikaku/3/3/4 . x": "neither '.', '-' nor a number",
    "pzprv3/shikaku/3/3/4 . 2": "tells 3 cells",
    "8/7/8": "has 7 squares",
    "8/8/3Q4/8": "square",
    "999999999999/8": "more than 1000 squares",
    "1/" * 2000: "rows",
    "x" * 200_000: "characters",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text[:30])
def test_what_is_no_puzzle_is_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=REFUSED[text]):
        solvepic.solve_text(text)


def test_a_text_is_solved_drawn_hinted_and_corrected() -> None:
    outcome = solvepic.solve_text(BOARD)
    assert outcome.status is Status.SOLVED
    assert outcome.picture is not None
    assert outcome.photo is not None
    assert (outcome.picture != outcome.photo.bgr).any()
    assert (outcome.photo.bgr < 99).any(), "the clues are written"
    assert outcome.text() == BOARD
    assert outcome.text("sgt") == "3x3:4a2d3a"
    hinted = solvepic.solve_text(BOARD, hint=1)
    assert hinted.record()["solution"] is None
    assert len(hinted.hints) == 1
    misread = solvepic.solve_text(BOARD.replace("3", "5"))
    mended = misread.corrected({(2, 1): "3"})
    assert mended.picture is not None
    assert (mended.picture == outcome.picture).all(), "the clue that is drawn is the one that counts"
    assert solvepic.solve_text(BOARD.replace("3", "5"), set={(2, 1): "3"}).status is Status.SOLVED
    assert solvepic.solve_text("4 . 2 / . . . / . 3 .", kind="stitch").text() == BOARD
    with pytest.raises(ValueError, match="not queens"):
        solvepic.solve_text(BOARD, kind="queens")


def test_the_command_takes_and_prints_texts(run: Run, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(BOARD + "\n")
    status, out, _ = run("--text", "board.txt")
    assert (status, (tmp_path / "board.solved.png").exists()) == (0, True)
    assert out.startswith("board.txt: stitch, 3 x 3 board, 3 clues: one solution, ")
    assert run("solve", "--text", "-", "--export", "sgt", stdin=BOARD.encode()) == (0, "3x3:4a2d3a\n", "")
    assert run("--text", "-", "--export", "csv", stdin=BOARD.encode())[1] == "4,,2\n,,\n,3,\n"
    record = json.loads(run("--text", "-", "--export", "text", "--json", stdin=b"3x3:4a2d3a")[1])
    assert (record["export"], record["image"], record["overlay"]) == (BOARD, "-", None)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board.solved.png", "board.txt"]


@pytest.mark.parametrize(
    ("arguments", "stdin", "expected", "says"),
    [
        (["--text", "none.txt"], b"", 2, "cannot be read"),
        (["--text", "-"], b"rubbish", 2, "not understood"),
        (["--text", "-"], b"\xff\xfe\x00", 2, "no text"),
        (["--text", "-", "shot.png"], b"", 2, "one or the other"),
        (["--text", "-", "--export", "pdf"], BOARD.encode(), 2, ", ".join(forms())),
        (["--text", "-", "--export", "fen"], BOARD.encode(), 3, "fen has no form for stitch"),
        (["--text", "-", "--kind", "queens"], BOARD.encode(), 2, "not queens"),
        (["solve"], b"", 2, "no picture was named"),
    ],
)
def test_bad_texts_say_what_is_wrong(
    run: Run, tmp_path: Path, *, arguments: list[str], stdin: bytes, expected: int, says: str
) -> None:
    status, _, err = run(*arguments, stdin=stdin)
    assert status == expected
    assert says in err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_twenty_begun_boards_are_led_to_the_answer(kind: Any) -> None:
    assert begun(kind) == (20, 20)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stitch", "queens", "pyramid", "kanoodle"])
def test_ten_wrong_placements_are_named(name: str) -> None:
    assert planted(by_name(name)) == (10, 10)
