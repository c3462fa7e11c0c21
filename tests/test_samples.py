"""The committed samples: what the command makes of them, from the file to the picture."""

import gc
import json
import weakref
from pathlib import Path
from typing import Any

import pytest

import solvepic
from solvepic.outcome import Status
from solvepic.registry import KINDS

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
TRUTHS = {str(path.relative_to(SAMPLES)): json.loads(path.read_text()) for path in sorted(SAMPLES.glob("*/*.json"))}
BOARDS = [name for name, truth in TRUTHS.items() if truth.get("kind") in {kind.name for kind in KINDS}]


SLOW = {
    "stitch/page-photo.json",
    "stitch/phone-game.json",
    "stitch/hoop.json",
    "knight/standing-photo.json",
    "nothing/calendar.json",
    "nothing/levels.json",
}
"""Those that are looked at in every way there is before they are read or refused."""


def parameters(names: list[str]) -> list[Any]:
    return [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in names]


def picture_of(name: str) -> Path:
    pictures = [(SAMPLES / name).with_suffix(suffix) for suffix in (".png", ".jpg")]
    (path,) = (picture for picture in pictures if picture.exists())
    return path


def numbered_anew(regions: list[list[int]]) -> list[list[int]]:
    """Regions numbered in the order in which they are met."""
    numbers: dict[int, int] = {}
    return [[numbers.setdefault(region, len(numbers)) for region in row] for row in regions]


@pytest.mark.parametrize("name", parameters(BOARDS))
def test_a_sample_is_read_and_solved(name: str) -> None:
    truth: dict[str, Any] = TRUTHS[name]
    outcome = solvepic.solve(picture_of(name))
    assert outcome.kind is not None
    assert outcome.kind.name == truth["kind"], outcome.message
    assert outcome.picture is not None, outcome.message
    assert outcome.status is Status.SOLVED, outcome.message
    if truth["kind"] != "triazzle":  # its codes have names of their own
        read = outcome.record()["puzzle"]
        for field in set(read) & set(truth):
            same = numbered_anew if field == "regions" and truth[field] else lambda value: value
            assert same(read[field]) == same(truth[field])


@pytest.mark.parametrize("name", parameters([name for name in TRUTHS if name not in BOARDS]))
def test_a_picture_without_a_board_is_refused(name: str) -> None:
    outcome = solvepic.solve(picture_of(name))
    assert outcome.status is not Status.SOLVED
    assert outcome.picture is None


def test_a_picture_that_every_kind_has_looked_at_is_let_go_at_once() -> None:
    """A batch would grow by a picture and all that is derived from it until the garbage is next collected."""
    gc.disable()
    try:
        outcome = solvepic.solve(picture_of("nothing/calculator.json"))
        photo = weakref.ref(outcome.photo)
        assert photo() is not None
        del outcome
        assert photo() is None
    finally:
        gc.enable()
