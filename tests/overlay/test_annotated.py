"""What was read, laid over the picture."""

import numpy as np
import pytest

from overlay.annotated import LEAST_PX, LONGEST_PX, annotated
from solvers.board import grid_layout
from solvers.marks import Text
from vision.pictures.photo import Picture
from vision.pictures.placement import FlatPlacement

WHITE = np.full((300, 500, 3), 255, np.uint8)


def board(left: float = 100, side: float = 50) -> FlatPlacement:
    corners = [(left, 100), (left + 4 * side, 100), (left + 4 * side, 100 + 2 * side), (left, 100 + 2 * side)]
    return FlatPlacement.from_corners(corners, (4, 2))


def inked(picture: Picture) -> np.ndarray:
    return (picture.astype(int) < 200).any(axis=2)


def test_texts_hatching_numbers_and_lines_are_drawn_where_they_belong() -> None:
    shown = annotated(WHITE, board(), grid_layout(2, 4), [Text((1, 2), "12")], [(0, 0)], below=["say so"])
    assert shown.shape[1] == 500
    assert shown.shape[0] > 300, "the line stands below the picture"
    ink = inked(shown)
    assert ink[152:198, 202:248].any(), "the text that was read"
    assert not ink[152:178, 202:226].any(), "in the corner of the cell: what the picture shows stays in view"
    assert ink[102:148, 102:148].mean() > 0.1, "the doubtful cell is hatched"
    assert not ink[102:148, 152:198].any(), "and no other"
    assert ink[110:140, 70:98].any(), "the number of the first row"
    assert ink[70:98, 110:140].any(), "the number of the first column"
    assert ink[300:].any(), "the line below"
    assert (WHITE == 255).all(), "the picture that was given is left alone"


def test_a_board_at_the_edge_gets_a_margin_for_its_numbers() -> None:
    shown = annotated(WHITE, board(left=0), grid_layout(2, 4), [], [])
    grown = shown.shape[1] - 500
    assert 20 < grown < 100
    assert inked(shown)[110:140, :grown].any()


@pytest.mark.parametrize(("shape", "width"), [((3000, 4000), LONGEST_PX), ((90, 240), LEAST_PX), ((800, 900), 900)])
def test_the_picture_has_a_size_to_be_looked_at(shape: tuple[int, int], width: int) -> None:
    side = min(shape) / 4
    place = FlatPlacement.from_corners([(side, side), (3 * side, side), (3 * side, 3 * side), (side, 3 * side)], (2, 2))
    shown = annotated(np.full((*shape, 3), 255, np.uint8), place, grid_layout(2, 2), [], [], below=["a"])
    assert shown.shape[1] == width
