"""Hints and checks: what is shown and said, what is kept back, and how a hint of a hinted picture goes on."""

import io
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
import toy_kind as toy
from PIL import Image
from read_boards import BOARD, read
from toy_kind import Run, shot

import solvepic
from solvepic import batch, pipeline
from solvepic.answering import continued
from solvepic.errors import OptionError
from solvepic.hinted import beneath, hinted_png
from solvepic.jobs import Job, going_on
from solvepic.options import Options
from solvepic.outcome import Status
from solvepic.output import CHECK, HINT, overlay_name, readback_name
from solvers.marks import Fence
from solvers.steps.step import Placed
from vision.pictures.loading import decode, taken


def test_a_hint_has_a_file_of_its_own_and_no_solution(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "shot.png")
    status, out, _ = run("shot.png", "--hint", "--json")
    record = json.loads(out)
    assert status == 0
    assert record["solution"] is None
    assert record["hint"]["because"] == "only one is left"
    assert record["hint"]["cells"] == [[0, 0]]
    assert record["hint"]["marks"][0]["type"] == "fill"
    assert record["overlay"] == "shot.hint.png"
    assert run("shot.png")[0] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shot.hint.png", "shot.png", "shot.solved.png"]


def test_a_hint_of_a_hint_goes_on_until_all_is_done(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "shot.png")
    assert run("shot.png", "--hint")[1].startswith("shot.png: toy, 1 x 2 board: next, only one is left, ")
    assert json.loads(run("shot.hint.png", "--hint", "--json")[1])["hint"]["cells"] == [[0, 1]]
    status, out, _ = run("shot.hint-2.png", "--hint")
    assert (status, "complete" in out) == (0, True)
    assert not (tmp_path / "shot.hint-3.png").exists()
    both = json.loads(run("shot.png", "--hint", "2", "--json", "--overwrite")[1])
    assert [hint["cells"] for hint in both["hints"]] == [[[0, 0]], [[0, 1]]]


def hinted(run: Run, *arguments: object) -> tuple[str | None, list[int] | None]:
    """Where a hint was written, and the cell that it places."""
    record = json.loads(run(*arguments, "--hint", "--json")[1])
    return record["overlay"], record["hint"] and record["hint"]["cells"][0]


def test_a_hint_that_is_asked_for_again_goes_on(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "shot.png")
    assert hinted(run, "shot.png") == ("shot.hint.png", [0, 0])
    first = (tmp_path / "shot.hint.png").read_bytes()
    assert hinted(run, "shot.png") == ("shot.hint-2.png", [0, 1])
    assert hinted(run, "shot.png") == (None, None), "all is shown"
    assert (tmp_path / "shot.hint.png").read_bytes() == first
    assert hinted(run, "shot.png", "--overwrite") == ("shot.hint.png", [0, 0]), "begins anew"


def test_hints_of_other_pictures_and_what_others_drew_are_left_alone(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "shot.png")
    (tmp_path / "shot.hint.png").write_bytes(b"mine")
    assert hinted(run, "shot.png") == ("shot.hint-2.png", [0, 0])
    shot(tmp_path / "shot.png", toy.SEVERAL)
    assert hinted(run, "shot.png") == ("shot.hint-3.png", [0, 0]), "the picture is another now"
    shot(tmp_path / "shot.jpg")
    lines = run("shot.jpg", "shot.png", "--hint", "--json")[1].splitlines()
    assert {json.loads(line)["overlay"] for line in lines} == {"shot.hint-4.png", "shot-2.hint.png"}
    assert (tmp_path / "shot.hint.png").read_bytes() == b"mine"


def test_a_hint_that_stays_the_same_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong patch has to be taken away first, however often a hint is asked for."""
    outcome = read("stitch", BOARD, (Placed(((0, 1), (0, 2))),), options=Options(hint=1))
    monkeypatch.setattr(batch, "solve", lambda *_: outcome)
    [first] = going_on([Job("shot.png", str(tmp_path / "shot.hint.png"), Options(hint=1))])
    assert batch.work(first)["overlay"] == str(tmp_path / "shot.hint.png")
    [second] = going_on([replace(first, target=str(tmp_path / "shot.hint.png"))])
    assert second.target == str(tmp_path / "shot.hint-2.png")
    assert batch.work(second)["overlay"] == str(tmp_path / "shot.hint.png")
    assert [path.name for path in tmp_path.iterdir()] == ["shot.hint.png"]


def test_hints_of_a_text_go_on(tmp_path: Path) -> None:
    told = []
    for _ in range(4):
        [job] = going_on([Job("b.txt", str(tmp_path / "b.hint.png"), Options(hint=1), text=f"stitch: {BOARD}")])
        hint = batch.work(job)["hint"]
        told.append(hint and tuple(map(tuple, hint["placed"]["cells"])))
    assert len({one for one in told if one}) == 3
    assert told[3] is None


def test_what_lies_beneath_a_hint_is_the_picture_as_it_was() -> None:
    original = np.random.default_rng(1).integers(0, 255, (40, 60, 3), np.uint8)
    drawn = original.copy()
    drawn[10:20, 5:50] = 7
    for shown in (drawn, np.hstack([drawn, drawn])):
        loaded, count = beneath(decode(hinted_png(original, shown, 3), "shot.hint.png"))
        assert count == 3
        assert (loaded.photo.bgr == original).all()
    again = beneath(decode(hinted_png(original, original, 2), "shot.hint.png"))
    assert (again[1], (again[0].photo.bgr == original).all()) == (2, True)


@pytest.mark.parametrize(
    "told", [b"", b"{}", b"[" * 9000, b'{"size": 3}', b'{"size": [9, 9], "at": [0, 0], "shown": "x"}']
)
def test_a_chunk_that_is_not_ours_changes_nothing(told: bytes) -> None:
    drawn = taken(np.zeros((20, 20, 3), np.uint8))
    assert beneath(type(drawn)(drawn.photo, "PNG", (), told + b"\nnothing")) == (
        type(drawn)(drawn.photo, "PNG", (), told + b"\nnothing"),
        0,
    )


def test_a_hinted_picture_that_was_drawn_on_is_a_picture_like_any_other() -> None:
    original = np.full((40, 60, 3), 9, np.uint8)
    drawn = original.copy()
    drawn[3:9] = 200
    image = Image.open(io.BytesIO(hinted_png(original, drawn, 1)))
    image.load()
    changed = image.copy()
    changed.putpixel((50, 30), (1, 2, 3))
    buffer = io.BytesIO()
    changed.save(buffer, "PNG")
    assert beneath(decode(buffer.getvalue(), "x.png"))[1] == 0


def test_a_wrong_patch_comes_before_any_hint() -> None:
    wrong = Placed(((0, 1), (0, 2)))
    outcome = read("stitch", BOARD, (wrong,), options=Options(hint=1))
    assert outcome.status is Status.UNSOLVABLE
    assert "r1c2-r1c3 cannot be in the answer" in outcome.message
    record = outcome.record()
    assert record["hint"] is not None
    assert "take it away" in record["hint"]["because"]
    assert record["solution"] is None
    checked = read("stitch", BOARD, (wrong,), options=Options(check=True))
    assert checked.picture is not None
    told = checked.record()["check"]
    assert told is not None
    assert told["wrong"] == [{"cells": [[0, 1], [0, 2]], "name": ""}]
    assert checked.record()["hint"] is None


def test_a_check_tells_no_more_than_what_is_wrong() -> None:
    right = Placed(((2, 0), (2, 1), (2, 2)))
    outcome = read("stitch", BOARD, (right,), options=Options(check=True))
    assert outcome.status is Status.SOLVED
    assert outcome.picture is None
    assert outcome.record()["solution"] is None
    assert outcome.message == "stitch, 3 x 3 board, 3 clues: 1 placed, none of them wrong"
    whole = tuple(step.placed for step in read("stitch", BOARD).steps())
    assert read("stitch", BOARD, whole, options=Options(check=True)).message.endswith("complete")
    assert read("stitch", BOARD, whole, options=Options(hint=1)).message.endswith("complete")


def test_what_comes_next_is_fenced_and_what_was_shown_before_is_not() -> None:
    first = read("stitch", BOARD, options=Options(hint=1))
    second = continued(first, 1)
    fenced = [
        [mark.cells for mark in outcome.drawing.marks if isinstance(mark, Fence)]
        for outcome in (first, second)
        if outcome.drawing is not None
    ]
    assert fenced == [[first.hints[0].placed.cells], [second.hints[0].placed.cells]]
    assert fenced[0] != fenced[1]


def test_hints_of_a_hint_are_numbered_and_stay_png() -> None:
    names = ["shot.png", "shot.hint.png", "shot.hint-2.png", "photo.jpg"]
    assert [overlay_name(Path(name), HINT) for name in names] == [
        *("shot.hint.png", "shot.hint-2.png", "shot.hint-3.png", "photo.hint.png")
    ]
    assert overlay_name(Path("photo.jpg"), CHECK) == "photo.check.jpg"
    assert readback_name(Path("shot.hint-2.png")) == Path("shot.read.png")


def test_a_hint_and_a_check_at_once_are_a_mistake() -> None:
    with pytest.raises(OptionError, match="one of them"):
        Options(hint=1, check=True)


def test_pictures_come_as_files_and_as_pillow_images(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "KINDS", (toy.TOY,))
    bgr = toy.picture(toy.UNIQUE)
    bgr[0, 0] = (200, 10, 20)
    ok, data = cv2.imencode(".png", bgr)
    assert ok
    image = Image.fromarray(bgr[:, :, ::-1])
    for source in (io.BytesIO(data.tobytes()), image, image.convert("RGBA"), bgr):
        outcome = solvepic.solve(source)
        assert outcome.status is Status.SOLVED
        assert outcome.photo is not None
        assert (outcome.photo.bgr == bgr).all()
