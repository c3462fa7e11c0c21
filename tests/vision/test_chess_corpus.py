"""The labelled chessboards: a bar for each folder, which only rises, and nothing read wrongly."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from shared_files import labelled

from vision import knight, queens
from vision.chessboards import chequers
from vision.kind import Aids
from vision.pictures.loading import load
from vision.reading import NotFound

CORNERS_LEAST = 28
QUEENS_LEAST = 10
KNIGHT_LEAST = 5


def corner_error(path: Path, truth: dict[str, Any]) -> float:
    """The distance of the farthest corner from the truth, in cells; infinite where no board is found."""
    photo = load(path).photo
    places = chequers.find(photo, Aids())
    if isinstance(places, NotFound):
        return np.inf
    corners = np.array(truth["corners"]) * photo.scale
    side = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean() / truth["n"]
    errors = []
    for place in places:
        seen = place.to_photo([(0, 0), (place.cols, 0), (place.cols, place.rows), (0, place.rows)])
        # Pictures of turned boards have no first corner.
        turns = (np.roll(seen, k, axis=0) - corners for k in range(4))
        errors.append(min(np.linalg.norm(off, axis=1).max() for off in turns) / side)
    return float(min(errors))


def certain(path: Path) -> list[Any]:
    """The puzzles of both kinds that are read without doubt."""
    photo = load(path).photo
    places = chequers.find(photo, Aids())
    if isinstance(places, NotFound):
        return []
    reads = [kind.read(photo, place, Aids()) for place in places for kind in (knight, queens)]  # type: ignore[attr-defined]
    return [read.puzzle for read in reads if not isinstance(read, NotFound) and not read.doubts]


@pytest.mark.corpus
@pytest.mark.slow
def test_corners() -> None:
    errors = {path.name: corner_error(path, truth) for path, truth in labelled("chessboard_corners")}
    good = [name for name, error in errors.items() if error < 0.03]
    assert len(good) >= CORNERS_LEAST, {name: round(error, 3) for name, error in errors.items() if name not in good}


@pytest.mark.corpus
@pytest.mark.slow
def test_boards_with_other_pieces_are_no_puzzles() -> None:
    assert not [path.name for path, _ in labelled("chessboard_corners") if certain(path)]


@pytest.mark.corpus
@pytest.mark.slow
def test_queens() -> None:
    right, wrong = 0, []
    for path, truth in labelled("queens"):
        puzzles = certain(path)
        same = len(puzzles) == 1 and getattr(puzzles[0], "queens", None) == tuple(map(tuple, sorted(truth["queens"])))
        right += same and truth["kind"] == "queens"
        wrong += [path.name] if puzzles and not same else []
    assert not wrong
    assert right >= QUEENS_LEAST


@pytest.mark.corpus
@pytest.mark.slow
def test_knights() -> None:
    right, wrong = 0, []
    for path, truth in labelled("knight"):
        puzzles = certain(path)
        same = len(puzzles) == 1 and getattr(puzzles[0], "start", None) == tuple(truth["start"])
        right += same
        wrong += [path.name] if puzzles and not same else []
    assert not wrong
    assert right >= KNIGHT_LEAST
