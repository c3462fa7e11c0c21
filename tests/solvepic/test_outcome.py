"""What an outcome offers to programs: steps, checks, corrections, outlines, a picture in a file."""

import pickle
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from random import Random

import pytest
import toy_kind as toy
from read_boards import BOARD, read

import solvepic
from samples.puzzles import regions as regions_maker
from samples.puzzles import stitch as stitch_maker
from solvepic import pipeline, registry
from solvepic.options import Changes, Options
from solvepic.outcome import Outcome, Status
from solvepic.output import OutputError
from solvepic.record import Record
from solvepic.registry import by_name
from solvers.steps.step import Placed
from vision.reading import Doubt, Repair


def test_steps_lead_to_the_answer_and_go_on_from_what_stands() -> None:
    outcome = read("stitch", BOARD)
    steps = list(outcome.steps())
    assert [step.placed for step in steps] == [*dict.fromkeys(step.placed for step in steps)]
    assert len(steps) == 3
    rest = list(read("stitch", BOARD, (steps[0].placed,)).steps())
    assert {step.placed for step in rest} == {step.placed for step in steps[1:]}
    assert outcome.difficulty == {"rule": steps[0].rule, "steps": 3, "trying": False}


def test_a_wrong_patch_is_told_and_steps_leave_it_aside() -> None:
    wrong, right = Placed(((0, 1), (0, 2))), Placed(((2, 0), (2, 1), (2, 2)))
    outcome = read("stitch", BOARD, (wrong, right))
    assert outcome.check().wrong == (wrong,)
    assert not outcome.check().complete
    assert {step.placed for step in outcome.steps()}.isdisjoint([wrong, right])
    assert read("stitch", BOARD, (right,)).check().wrong == ()
    whole = tuple(step.placed for step in read("stitch", BOARD).steps())
    assert read("stitch", BOARD, whole).check().complete


def test_a_wrong_queen_makes_a_level_impossible_and_is_named() -> None:
    rules = by_name("queens").rules
    level, answer = regions_maker.make(Random(1), 6)
    right = answer.cells()[:2]
    wrong = next(cell for cell in rules.layout(level).cells if cell[0] > 1 and cell not in answer.cells())
    outcome = read("queens", rules.write(regions(level, *right, wrong)))
    assert outcome.status is Status.UNSOLVABLE
    assert outcome.check().wrong == (Placed((wrong,)),)
    assert [step.placed.cells[0] for step in outcome.steps()] != []
    assert {*right, *(step.placed.cells[0] for step in outcome.steps())} == set(answer.cells())


def regions(level: object, *queens: tuple[int, ...]) -> object:
    puzzle = level
    for cell in queens:
        puzzle = by_name("queens").rules.put(puzzle, cell, "Q")
    return puzzle


def test_more_than_one_set_may_be_meant() -> None:
    """Two queens attack each other on an empty board: either may be the wrong one."""
    outcome = read("queens", "Q6Q/8/8/8/8/8/8/8")
    check = outcome.check()
    assert len(check.wrong) == 1
    assert len(check.rivals) == 1
    assert {check.wrong, *check.rivals} == {(Placed(((0, 0),)),), (Placed(((0, 7),)),)}


def test_a_correction_keeps_the_reading() -> None:
    misread = read("stitch", BOARD.replace("3", "8"))
    assert misread.status is Status.UNSOLVABLE
    mended = misread.corrected({(2, 1): "3"})
    assert mended.status is Status.SOLVED
    assert mended.reading is not None
    assert misread.reading is not None
    assert mended.reading.placement is misread.reading.placement
    assert mended.picture is not None
    assert mended.corrected({(2, 1): ""}).status is Status.UNSOLVABLE


def test_a_correction_settles_doubts_and_undoes_a_repair_that_it_belies() -> None:
    doubtful = read("stitch", BOARD.replace("3", "8"), doubts=(Doubt((2, 1), "8", 0.4, "could be 3"),))
    assert doubtful.status is Status.UNREADABLE
    assert list(doubtful.steps()) == []
    assert doubtful.corrected({(2, 1): "3"}).status is Status.SOLVED
    # The 3 was read as 4, and the 2 was made a 1 to make up for it.
    repaired = read("stitch", "4 . 1 / . . . / . 4 .", repairs=(Repair((0, 2), "2", "1"),))
    mended = repaired.corrected({(2, 1): "3"})
    assert mended.status is Status.SOLVED
    assert mended.reading is not None
    assert not mended.reading.repairs


@pytest.mark.parametrize(
    ("name", "text", "given", "says"),
    [
        ("stitch", BOARD, {(9, 9): "3"}, "no cell at row 10, column 10"),
        ("stitch", BOARD, {(0, 1): "cat"}, "'cat' at row 1, column 2 is neither"),
        ("stitch", BOARD, {(0, 1): "99"}, "a clue is from 1 to 9"),
        ("queens", "Q7/8/8/8/8/8/8/8", {(1, 3): "9"}, "give Q for a queen or nothing"),
        ("knight", "N7/8/8/8/8/8/8/8", {(0, 0): ""}, "say with N where it stands"),
    ],
)
def test_what_cannot_stand_is_a_sentence(name: str, text: str, given: dict[tuple[int, int], str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read(name, text).corrected(given)


def test_outlines_are_in_pixels_of_the_file() -> None:
    outlines = read("stitch", BOARD).outlines()
    assert len(outlines) == 9
    assert outlines[0, 1] == [(20.0, 0.0), (40.0, 0.0), (40.0, 20.0), (20.0, 20.0)]
    assert Outcome("", Status.NO_BOARD, "none").outlines() == {}


def test_saving_overwrites_nothing(tmp_path: Path) -> None:
    outcome = read("stitch", BOARD)
    target = tmp_path / "out.png"
    assert outcome.save(target).overlay == str(target)
    assert target.read_bytes()[:4] == b"\x89PNG" == (outcome._repr_png_() or b"")[:4]
    with pytest.raises(OutputError, match="exists already"):
        outcome.save(target)
    outcome.save(target, overwrite=True)
    with pytest.raises(OutputError, match="no picture"):
        Outcome("", Status.NO_BOARD, "none").save(tmp_path / "none.png")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.png"]


def test_an_outcome_goes_to_other_processes_without_its_pixels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "KINDS", (toy.TOY,))
    monkeypatch.setattr(registry, "KINDS", (toy.TOY,))
    path = toy.shot(tmp_path / "a.png")
    outcome = solvepic.solve(path)
    sent = pickle.dumps(outcome)
    assert len(sent) < 4000 < toy.picture(toy.UNIQUE).nbytes
    come = pickle.loads(sent)
    monkeypatch.chdir(tmp_path.parent)
    assert come.record() == outcome.record()
    assert (come.picture == outcome.picture).all()
    assert not come.original.is_kept, "what was opened again is not kept"
    assert come.corrected({(0, 0): str(toy.SEVERAL)}).unique is False
    come.save(tmp_path / "b.png")
    toy.shot(path, toy.SEVERAL)
    assert come.record() == {**outcome.record(), "overlay": None}
    with pytest.raises(ValueError, match=r"a\.png: the picture was changed since it was read; solve it again"):
        _ = come.picture
    path.unlink()
    with pytest.raises(ValueError, match=r"a\.png"):
        come.save(tmp_path / "c.png")
    assert not (tmp_path / "c.png").exists()


def test_pixels_without_a_file_go_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "KINDS", (toy.TOY,))
    monkeypatch.setattr(registry, "KINDS", (toy.TOY,))
    outcome = solvepic.solve(toy.picture(toy.UNIQUE)).let_go()
    come = pickle.loads(pickle.dumps(outcome))
    assert (come.photo.bgr == toy.picture(toy.UNIQUE)).all()
    assert (come.picture == outcome.picture).all()


def test_an_outcome_is_one_line() -> None:
    assert repr(read("stitch", BOARD)) == (
        "<solvepic.Outcome shot.png: solved: stitch, 3 x 3 board, 3 clues: one solution>"
    )


def test_the_public_names_are_listed() -> None:
    assert set(solvepic.__all__) <= set(dir(solvepic))


def test_every_option_is_a_keyword_and_the_record_has_its_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(Changes.__annotations__) == {field.name for field in fields(Options)}
    monkeypatch.setattr(pipeline, "KINDS", (toy.TOY,))
    assert set(Record.__annotations__) - {"failure", "shown", "batch", "export"} == set(
        solvepic.solve(toy.picture(toy.UNIQUE)).record()
    )


@pytest.mark.slow
def test_a_misspelt_keyword_is_seen_by_the_type_checker(tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text('import solvepic\n\nsolvepic.solve("a.png", time_limt=2.0)\n')
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(tmp_path / "use.py")],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert "time_limt" in checked.stdout
    assert checked.returncode == 1


def test_corrections_of_a_large_board_are_quick() -> None:
    """Nodes in place of seconds: what is solved again is solved without reading."""
    puzzle, _ = stitch_maker.make(Random(3), 14, 8, unique=True)
    rules = by_name("stitch").rules
    outcome = read("stitch", rules.write(puzzle))
    cell = puzzle.clue_cells[0]
    again = outcome.corrected({cell: "1"}).corrected({cell: str(puzzle.clue(cell))})
    assert again.status is Status.SOLVED
    assert again.nodes < 100
    assert again.seconds["read"] == again.seconds["find"] == 0
