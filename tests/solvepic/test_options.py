"""Options that can never be heeded, or not for the picture at hand, are refused with a sentence."""

import math
from typing import Any

import pytest
import toy_kind as toy
from toy_kind import TOY

import solvepic
from solvepic import pipeline
from solvepic.errors import OptionError
from solvepic.options import Options
from solvepic.registry import Kind

NAN, INF = math.nan, math.inf

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"time_limit": NAN}, "time limit"),
    ({"time_limit": INF}, "time limit"),
    ({"time_limit": 0.0}, "time limit"),
    ({"time_limit": -1.0}, "time limit"),
    ({"max_megapixels": NAN}, "megapixels"),
    ({"max_megapixels": INF}, "megapixels"),
    ({"max_megapixels": 0.0}, "megapixels"),
    ({"style": "oil"}, "style"),
    ({"size": (0, 0)}, "size"),
    ({"size": (999, 999)}, "size"),
    ({"size": (8,)}, "size"),
    ({"size": (8, -1)}, "size"),
    ({"size": (8.5, 8)}, "size"),
    ({"corners": ((1, 2),)}, "corners"),
    ({"corners": ((0, 0), (0, 0), (0, 0), (0, 0))}, "corners"),
    ({"corners": ((NAN, NAN), (90, 0), (90, 90), (0, 90))}, "corners"),
    ({"corners": ((INF, 0), (90, 0), (90, 90), (0, 90))}, "corners"),
    ({"corners": ((1e308, 0), (90, 0), (90, 90), (0, 90))}, "corners"),
    ({"corners": ((0, 0), (1, 0), (1, 1), (0, 1))}, "corners"),
    ({"corners": ((0, 0), (0, 90), (90, 90), (90, 0))}, "clockwise"),
    ({"corners": ((0, 0), (90, 90), (90, 0), (0, 90))}, "clockwise"),
    ({"corners": ((0, 0), (50, 50), (90, 90))}, "clockwise"),
    ({"corners": ((0, 0), (90, 0, 1), (90, 90), (0, 90))}, "corners"),
    ({"set": {(0, 0): 5}}, "as text"),
    ({"set": {(0, -1): "5"}}, "row and column"),
    ({"set": {(0.5, 1): "5"}}, "row and column"),
    ({"set": {"a1": "5"}}, "row and column"),
    ({"set": {(0, 0): "²"}}, "plain digits"),
]


@pytest.mark.parametrize(("changes", "says"), WRONG, ids=str)
def test_what_can_never_be_heeded_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        Options(**changes)
    with pytest.raises(ValueError, match=says):
        solvepic.solve(toy.picture(toy.UNIQUE), **changes)


def test_what_can_be_heeded_is_taken() -> None:
    clockwise = ((10.0, 20.0), (300.0, 22.0), (302.0, 400.0), (8.0, 398.0))
    for corners in (clockwise, clockwise[2:] + clockwise[:2], ((50, 0), (100, 90), (0, 90))):
        assert Options(corners=corners).corners == corners
    given = {(2, 3): "12", (0, 0): "", (1, 2, 0): "Q"}
    assert Options(size=(14, 8), set=given, time_limit=0.1).set == given


def test_what_does_not_fit_the_picture_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "KINDS", (type(TOY)("toy", has_numbers=True),))
    assert isinstance(pipeline.KINDS[0], Kind)
    far = ((500, 500), (900, 500), (900, 900), (500, 900))
    with pytest.raises(OptionError, match="outside the picture, which has 100 x 60 pixels"):
        solvepic.solve(toy.picture(toy.UNIQUE), corners=far)
    with pytest.raises(OptionError, match="r100c100 is not on the board, which has 1 rows and 2 columns"):
        solvepic.solve(toy.picture(toy.UNIQUE), set={(99, 99): "5"})
    assert solvepic.solve(toy.picture(toy.UNIQUE), set={(0, 1): "5"}).status == "solved"
