"""Beside a picture that is refused lies one of what was read."""

import json
from pathlib import Path

import pytest
import toy_kind as toy
from PIL import Image

from solvepic import batch, pipeline
from solvepic.jobs import Job, plan
from solvepic.options import Options
from vision.pictures.loading import load


@pytest.fixture(autouse=True)
def only_the_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "KINDS", (toy.TOY,))


def job(folder: Path, level: int, **options: bool) -> Job:
    shot = folder / "shot.png"
    Image.fromarray(toy.picture(level)).save(shot)
    return Job(str(shot), str(folder / "shot.solved.png"), Options(**options))


@pytest.mark.parametrize(
    ("level", "cause", "written"),
    [
        (toy.DOUBTFUL, "doubtful", True),
        (toy.FAULTY, "impossible", True),
        (toy.NONE, "impossible", True),
        (toy.ENDLESS, "no_time", True),
        (toy.MISREAD, "unread", True),
        (toy.NOTHING, "no_board", False),
        (toy.UNIQUE, None, False),
    ],
)
def test_every_refusal_of_a_board_that_is_seen_has_one(
    tmp_path: Path, level: int, cause: str | None, written: bool
) -> None:
    record = batch.work(job(tmp_path, level))
    assert record["cause"] == cause
    path = tmp_path / "shot.read.png"
    assert record["read_picture"] == (str(path) if written else None)
    assert path.exists() == written
    if written:
        assert load(path).photo.height > 60, "there is a line below"
    json.dumps(record)


def test_it_is_left_out_on_request(tmp_path: Path) -> None:
    record = batch.work(job(tmp_path, toy.DOUBTFUL, read_picture=False))
    assert record["read_picture"] is None
    assert not (tmp_path / "shot.read.png").exists()


def test_it_is_no_picture_to_solve(tmp_path: Path) -> None:
    batch.work(job(tmp_path, toy.DOUBTFUL))
    jobs, _ = plan([str(tmp_path)], None, Options())
    assert [Path(job.image).name for job in jobs] == ["shot.png"]


def test_the_remedy_never_says_what_was_read(tmp_path: Path) -> None:
    record = batch.work(job(tmp_path, toy.DOUBTFUL))
    assert record["remedy"] == "--set r1c2=3"
    assert record["doubts"][0]["read"] == "8"
