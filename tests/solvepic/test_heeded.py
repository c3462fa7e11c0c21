"""What the user says of cells, sizes and tours is heeded, or a sentence says why it cannot be; and limits hold."""

from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

import solvepic
import solvers.budget
from solvepic.batch import grace, is_light
from solvepic.errors import OptionError
from solvepic.jobs import Job
from solvepic.options import Options
from solvepic.registry import KINDS
from solvers.budget import Budget, BudgetSpentError
from vision.clues import cloth
from vision.clues.cloth import surface_and_ink
from vision.clues.hoop import find as find_bent
from vision.kind import Aids
from vision.pictures.photo import Photo, Picture

SAMPLES = Path(__file__).parents[2] / "samples"
STITCH, QUEENS = SAMPLES / "stitch/phone-light.png", SAMPLES / "queens/chequered.png"
PYRAMID = SAMPLES / "pyramid/toy-photo.jpg"

UNHEEDED = [
    (STITCH, "abc", "stitch: 'abc' at row 1, column 1 is neither"),
    (STITCH, "hole", "need the cell at row 1, column 1: it is no hole"),
    (QUEENS, "cat", "give Q for a queen or nothing"),
    (QUEENS, "12", "give Q for a queen or nothing"),
    (SAMPLES / "pyramid/toy-photo.jpg", "abc", "give a letter from A to L"),
    (SAMPLES / "triazzle/tray-photo.jpg", "cat", "give the codes of its three edges"),
]


@pytest.mark.parametrize(("picture", "text", "says"), UNHEEDED, ids=lambda value: getattr(value, "stem", None))
def test_what_cannot_stand_on_a_cell_is_refused_by_the_kind_of_the_board(picture: Path, text: str, says: str) -> None:
    with pytest.raises(OptionError, match=says):
        solvepic.solve(picture, set={(0, 0): text}, time_limit=100)


def test_a_clue_that_fits_no_board_is_not_called_another_game() -> None:
    outcome = solvepic.solve(STITCH, set={(0, 0): "99"})
    assert outcome.status == "unreadable"
    assert "with what --set says" in outcome.message


@pytest.mark.parametrize("text", ["Q", "q"])
def test_what_can_stand_there_is_heeded(text: str) -> None:
    board = solvepic.solve(QUEENS, set={(0, 0): text})
    assert (0, 0) in board.puzzle.queens


def test_a_size_that_does_not_fit_is_what_the_refusal_names() -> None:
    outcome = solvepic.solve(STITCH, size=(14, 9))
    assert outcome.message == ("no puzzle board of 14 x 9 cells was found; leave --size out to have the board measured")


def test_a_size_is_asked_of_boards_that_have_several() -> None:
    with pytest.raises(OptionError, match="every triazzle board has the same; leave it out"):
        solvepic.solve(STITCH, size=(4, 4), kind="triazzle")
    assert "size means nothing for pyramid: left aside" in solvepic.solve(PYRAMID, size=(9, 9)).notes


def test_a_closed_tour_is_asked_of_tours_alone() -> None:
    with pytest.raises(OptionError, match="only a knight's tour can be"):
        solvepic.solve(STITCH, closed=True, kind="stitch")
    assert "closed means nothing for queens: left aside" in solvepic.solve(QUEENS, closed=True).notes


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.name))
def test_the_forms_that_the_registry_names_are_those_of_the_kind(kind: solvepic.registry.Kind) -> None:
    assert kind.forms == tuple(kind.formats)


def test_what_takes_long_to_open_is_light_where_there_is_time_for_it(tmp_path: Path) -> None:
    picture = tmp_path / "blank.png"
    picture.write_bytes(cv2.imencode(".png", np.zeros((3000, 4000), np.uint8))[1].tobytes())
    assert is_light(Job(str(picture), None, Options()))
    assert not is_light(Job(str(picture), None, Options(time_limit=1)))
    assert grace(20.0) == 3.0


@pytest.mark.parametrize("passes", [1, 2])
def test_a_bent_board_is_looked_for_within_the_limit(passes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still but for the network, each pass of which takes a second: none begins after the limit."""
    now = [0.0]

    def slow_pass(bgr: Picture, ground: npt.NDArray[np.float64]) -> tuple[Picture, npt.NDArray[np.bool_]]:
        now[0] += 1
        return surface_and_ink(bgr, ground)

    monkeypatch.setattr(cloth, "surface_and_ink", slow_pass)
    monkeypatch.setattr(solvers.budget, "time", SimpleNamespace(monotonic=lambda: now[0]))
    blocks = (np.random.default_rng(0).integers(0, 2, (60, 60)) * 255).astype(np.uint8)
    bgr = cv2.merge([np.kron(blocks, np.ones((30, 30), np.uint8))] * 3)
    budget = Budget(seconds=passes - 0.5)
    with pytest.raises(BudgetSpentError):
        find_bent(Photo(np.asarray(bgr, np.uint8), budget=budget), Aids(budget=budget))
    assert now[0] == passes
