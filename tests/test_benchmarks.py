"""The measuring tools: what counts as right, part, refused and wrong, and that each set draws what it says."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.__main__ import PARTS, Part, main, ran, table
from benchmarks.cells import expected
from benchmarks.judging import judged
from benchmarks.paired import NEW, Pair, Solver, summary
from benchmarks.sets import SETS, sample_of
from samples import pages

CLUES = [[None, 2, 0], [2, 0, None]]
TRUTH = {"kind": "stitch", "rows": 2, "cols": 3, "clues": CLUES, "corners": [[0, 0], [30, 0], [30, 20], [0, 20]]}


def record(status: str = "solved", clues: Any = CLUES, **more: Any) -> dict[str, Any]:
    puzzle = {"rows": len(clues), "cols": len(clues[0]), "clues": clues}
    solution = {"rectangles": []} if status == "solved" else None
    return {"status": status, "kind": "stitch", "puzzle": puzzle, "solution": solution, **more}


def test_a_board_is_right_when_its_clues_and_holes_are_those_that_were_drawn() -> None:
    assert judged(record(), TRUTH) == "right"
    assert judged(record(clues=[[0, 2, 0], [2, 0, None]]), TRUTH) == "wrong"
    assert judged(record(clues=[[None, 2, 0], [3, 0, None]]), TRUTH) == "wrong"
    assert judged(record(kind="queens"), TRUTH) == "wrong"


def test_what_is_not_called_solved_is_refused() -> None:
    assert judged(record("unreadable"), TRUTH) == "refused"
    assert judged(record("no_board", puzzle=None, kind=None), TRUTH) == "refused"
    assert judged(record("unsolvable"), TRUTH) == "right"
    assert judged(record("unsolvable", clues=[[1, 2]]), TRUTH) == "refused"
    assert judged({"status": "failed", "message": "IndexError()"}, TRUTH) == "failed"


def test_what_is_no_puzzle_must_not_be_solved() -> None:
    other = {**TRUTH, "kind": "other"}
    assert judged(record(), other) == "wrong"
    assert judged(record("unreadable"), other) == "right"


def test_rows_of_holes_round_a_board_are_seen_by_nobody() -> None:
    framed = [[None] * 3, *CLUES]
    assert judged(record(), {**TRUTH, "rows": 3, "clues": framed}) == "right"


def test_pairs_are_counted_by_what_became_of_them() -> None:
    pairs = [
        Pair(1, ("right", "right"), ("", ""), (1.0, 0.5)),
        Pair(2, ("refused", "right"), ("", ""), (1.0, 0.5)),
        Pair(3, ("right", "wrong"), ("", ""), (1.0, 0.5)),
    ]
    told = summary("some", pairs)
    assert "right 2 -> 2, wrong 0 -> 1" in told
    assert "1 refused -> right" in told
    assert "1 right -> wrong" in told
    assert "1.00 -> 0.50 s" in told


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_a_seed_of_a_set_draws_one_picture(name: str) -> None:
    one, again = sample_of(name, 3), sample_of(name, 3)
    assert np.array_equal(one.picture, again.picture)
    assert one.truth == again.truth
    assert one.truth["kind"] in {"stitch", "queens", "knight", "pyramid", "kanoodle", "triazzle", "other"}


@pytest.mark.slow
def test_boards_that_are_cut_off_lose_cells_and_not_all() -> None:
    for seed in range(20):
        sample = sample_of("cut-off", seed)
        height, width = sample.picture.shape[:2]
        clues = sample.truth["clues"]
        (left, top), (right, _), _, _ = sample.truth["corners"]
        side = (right - left) / sample.truth["cols"]
        cells = [
            (left + c * side, top + r * side) for r, row in enumerate(clues) for c, v in enumerate(row) if v is not None
        ]
        middles = np.array(cells) + side / 2
        inside = ((middles > 0) & (middles < (width, height))).all(axis=1)
        assert 0 < inside.sum() < len(cells)


@pytest.mark.slow
def test_another_process_solves_with_the_code_of_a_checkout_and_no_other(tmp_path: Path) -> None:
    picture = tmp_path / "board.npy"
    sample = pages.draw(np.random.default_rng(4), rows=5, cols=5, missing=0.0, furnished=0.0)
    np.save(picture, sample.picture)
    solver = Solver(NEW)
    assert judged(solver(picture), sample.truth) in {"right", "refused"}
    solver.close()
    with pytest.raises(SystemExit, match="holds no solvepic"):
        Solver(tmp_path)


def test_a_set_that_is_none_is_told() -> None:
    command = [sys.executable, "-m", "benchmarks.sets", "stich-screens"]
    ended = subprocess.run(command, cwd=NEW, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert "there is no set called stich-screens" in ended.stderr


MEASURED = (NEW / "docs" / "measured.md").read_text(encoding="utf-8")


def test_the_page_of_figures_holds_the_table_of_the_parts() -> None:
    assert table() in MEASURED


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_a_part_is_a_command_and_its_tables_have_a_heading(part: Part) -> None:
    assert find_spec(part.words()[0]) is not None
    assert f"\n## {part.section}\n" in MEASURED or f"\n### {part.section}\n" in MEASURED
    assert (part.words(7) != part.words(8)) == bool(part.count)


def test_parts_that_are_asked_for_run_with_the_count_that_is_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    main(["damaged", "--count", "20"])
    assert "20 files" in capfd.readouterr().out


def test_a_part_that_does_not_exist_and_pictures_that_are_not_there_are_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit):
        main(["damagd"])
    assert "there is no part called damagd" in capsys.readouterr().err
    monkeypatch.setattr("benchmarks.__main__.NEW", tmp_path)
    assert ran("resent") == 0
    assert "left out" in capsys.readouterr().out


def test_what_stands_on_a_labelled_board_is_known_cell_by_cell() -> None:
    cells = expected({"kind": "queens", "n": 4, "queens": [[0, 1]]})
    assert len(cells) == 16
    assert cells[0, 1] == ("queen",)
    assert "empty" in cells[3, 3]
    tour = expected({"kind": "knight", "rows": 3, "cols": 4, "start": [2, 3]})
    assert [cell for cell, marks in tour.items() if marks == ("knight",)] == [(2, 3)]


def test_damaged_files_are_decoded_or_refused() -> None:
    call = [sys.executable, "-m", "benchmarks.damaged", "--files", "300", "--seed", "7"]
    ran = subprocess.run(call, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    assert "300 files" in ran.stdout
