"""Golden pictures: how a board with every mark looks, so that a change of looks is seen and meant.

To renew them after looking at what changed: ``python -m pytest tests/overlay/test_goldens.py --renew-goldens``.
"""

from pathlib import Path

import cv2
import numpy as np
import pytest

from overlay import paint
from solvers.board import grid_layout
from solvers.marks import Ball, Fence, Fill, Ink, Mark, Piece, Text
from solvers.marks import Path as Route
from vision.pictures.photo import Picture
from vision.pictures.placement import FlatPlacement

GOLDENS = Path(__file__).parent / "goldens"

SCENES: dict[str, list[Mark]] = {
    "patches": [
        Fill(((0, 0), (0, 1), (1, 0), (1, 1)), Ink(0)),
        Fill(((0, 2), (1, 2)), Ink(1)),
        Fill(((2, 0), (2, 1), (2, 2)), Ink(2)),
        Fence(((3, 0), (3, 1)), Ink(3)),
        Fence(((3, 2),), Ink(6), "doubt"),
    ],
    "figures": [
        Route(((0, 0), (2, 1), (0, 2)), Ink(5)),
        Ball(((1, 0), (1, 1), (2, 1)), Ink(rgb=(200, 40, 40))),
        Piece((3, 0), "queen", Ink(0)),
        Piece((3, 1), "knight", Ink(1)),
        Text((3, 2), "42", Ink(4)),
    ],
    "labels": [
        Ball(((0, 0), (0, 1), (1, 0)), Ink(rgb=(20, 60, 180)), "C"),
        Ball(((2, 0), (3, 0), (3, 1)), Ink(rgb=(50, 50, 170)), "J"),
        Ball(((1, 1), (1, 2), (2, 2)), Ink(rgb=(250, 220, 40)), "I"),
    ],
}


def scene(name: str) -> Picture:
    rows, cols = np.mgrid[0:240, 0:200]
    paper = np.stack([200 - cols // 4, 190 + 0 * rows, 180 - rows // 4], axis=2).astype(np.uint8)
    place = FlatPlacement.from_corners([(30, 20), (170, 12), (180, 222), (18, 228)], (3, 4))
    return paint(paper, place, grid_layout(4, 3), SCENES[name])


@pytest.mark.parametrize("name", SCENES)
def test_looks_as_it_did(name: str, request: pytest.FixtureRequest) -> None:
    drawn = scene(name)
    golden_file = GOLDENS / f"{name}.png"
    if request.config.getoption("--renew-goldens"):
        golden_file.parent.mkdir(exist_ok=True)
        golden_file.write_bytes(cv2.imencode(".png", drawn)[1].tobytes())
    golden = cv2.imdecode(np.frombuffer(golden_file.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert golden is not None
    off = np.abs(drawn.astype(int) - golden.astype(int)).max(axis=2)
    # Shapes agree between versions of OpenCV; letters may differ by a shade between versions of FreeType.
    assert (off > 24).mean() < 0.002
