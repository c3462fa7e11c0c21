"""The labelled Stitch and Patches pictures: a bar for each folder, and nothing ever solved wrongly."""

import json
from pathlib import Path

import numpy as np
import pytest
from shared_files import shared

import solvepic
from benchmarks.resent import WAYS
from solvepic.outcome import Status
from solvers import stitch as rules
from solvers.budget import Budget
from solvers.stitch import Stitch
from vision import stitch
from vision.kind import Aids
from vision.numbers.digits import digit_reader
from vision.pictures.loading import load
from vision.reading import NotFound, Reading

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"

SECONDS = 120.0
"""What a picture may take; how fast it is read is measured elsewhere, and this machine may be a busy one."""

BARS = [("stitch", 13), ("patches", 19)]
"""Least number of pictures that are read as their truth says; raise it when more are."""


def solved(path: Path) -> Reading[Stitch] | None:
    """The first reading of a picture that is certain and has an answer, as the pipeline would take it."""
    photo = load(path).photo
    aids = Aids(digits=digit_reader(), budget=Budget(seconds=SECONDS))
    for placement in stitch.find(photo, aids) or ():
        reading = stitch.read(photo, placement, aids)
        if isinstance(reading, NotFound) or reading.doubts or reading.partial or rules.faults(reading.puzzle):
            continue
        if next(iter(rules.answers(reading.puzzle, Budget(seconds=SECONDS))), None) is not None:
            return reading
    return None


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize(("folder", "least"), BARS)
def test_enough_are_read_and_none_is_misread(folder: str, least: int) -> None:
    truths = sorted((CORPUS / folder).glob("*.json"))
    if not truths:
        pytest.skip("the labelled pictures are not beside the project")
    right, misread = [], []
    for path in truths:
        truth = json.loads(path.read_text())
        reading = solved(path.with_name(truth["image"]))
        if reading is not None:
            same = [list(row) for row in reading.puzzle.clues] == truth["clues"]
            (right if same else misread).append(path.stem)
    assert not misread
    assert len(right) >= least, f"only {right}"


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("way", ["leaned", "screen"])
def test_open_rows_above_filled_patches_are_no_board_by_themselves(way: str) -> None:
    """Seen at an angle, filled patches stand out from the outline, and the rows above them have an answer."""
    path = shared("corpus/nothing/paulosellos_settings.png")
    rng = np.random.default_rng([*way.encode(), *path.name.encode()])
    sent, _ = WAYS[way](load(path).photo.bgr, np.zeros((4, 2)), rng)
    outcome = solvepic.solve(sent, time_limit=SECONDS)
    assert outcome.status is not Status.SOLVED or (outcome.puzzle.rows, outcome.puzzle.cols) == (8, 7)


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("folder", ["nothing", "sudoku", "queens_regions", "knight"])
def test_other_pictures_are_not_solved(folder: str) -> None:
    pictures = [p for p in sorted((CORPUS / folder).glob("*")) if p.suffix != ".json"]
    if not pictures:
        pytest.skip("the labelled pictures are not beside the project")
    # This one is filed under nothing, but shows a complete board: 56 cells, and the clues in view add up to 56.
    taken = [p.name for p in pictures if p.name != "paulosellos_settings.png" and solved(p) is not None]
    assert not taken
