"""Every mark on drawn boards: where it must and must not draw."""

import numpy as np
import numpy.typing as npt
import pytest

from overlay import paint
from solvers.board import grid_layout
from solvers.marks import Arrow, Ball, Fence, Fill, Ink, Mark, Move, Path, Piece, Text
from vision.pictures.photo import Picture
from vision.pictures.placement import FlatPlacement

LAYOUT = grid_layout(4, 3)
RED = Ink(rgb=(220, 30, 30))
STRAIGHT = [(50, 40), (350, 40), (350, 440), (50, 440)]
TILTED = [(90, 60), (330, 30), (370, 450), (40, 430)]

MARKS: list[Mark] = [
    Fill(((0, 0), (0, 1), (1, 0), (1, 1)), RED),
    Fence(((0, 0), (0, 1)), RED),
    Fence(((0, 0),), RED, "doubt"),
    Path(((0, 0), (2, 1), (0, 2)), RED),
    Text((1, 1), "12", RED),
    Piece((1, 1), "queen", RED),
    Piece((1, 1), "knight", RED),
    Ball(((1, 0), (1, 1)), RED),
    Arrow((0.5, 0.5), (2.5, 3.5), RED),
]


def picture(level: int = 128) -> Picture:
    noise = np.random.default_rng(7).integers(-20, 20, (480, 400, 3))
    return np.clip(level + noise, 0, 255).astype(np.uint8)


def place(corners: list[tuple[int, int]]) -> FlatPlacement:
    return FlatPlacement.from_corners(corners, (3, 4))


def changed(before: Picture, after: Picture) -> npt.NDArray[np.bool_]:
    return np.asarray((before != after).any(axis=2))


@pytest.mark.parametrize("corners", [STRAIGHT, TILTED], ids=["straight", "tilted"])
@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: type(mark).__name__)
def test_a_mark_changes_its_cells_and_nothing_outside_the_board(mark: Mark, corners: list[tuple[int, int]]) -> None:
    before = picture()
    kept = before.copy()
    after = paint(before, place(corners), LAYOUT, [mark])
    assert np.array_equal(before, kept), "the given picture must stay as it is"
    ys, xs = np.nonzero(changed(before, after))
    assert len(xs) > 300
    board = place(corners).to_board(np.column_stack([xs, ys]))
    assert board.min() > -0.05
    assert (board < np.array([3.05, 4.05])).all()


def test_fill_takes_the_colour_and_keeps_the_clue() -> None:
    before = picture(230)
    before[80:100, 90:110] = 10  # a dark clue in the first cell
    after = paint(before, place(STRAIGHT), LAYOUT, [Fill(((0, 0), (0, 1)), RED)])
    cloth = after[60:75, 120:140].reshape(-1, 3).mean(axis=0)
    assert cloth[2] > cloth[0] + 60, "the patch is red"
    clue = after[80:100, 90:110].reshape(-1, 3).mean(axis=0)
    assert np.abs(clue - cloth).max() > 120, "the clue stands out as before"


def test_neighbouring_patches_leave_a_gap_and_differ() -> None:
    before = picture()
    after = paint(before, place(STRAIGHT), LAYOUT, [Fill(((0, 0),), Ink(0)), Fill(((0, 1),), Ink(1))])
    untouched = ~changed(before, after)
    assert untouched[60:120, 148:152].mean() > 0.9
    assert np.abs(after[90, 100].astype(int) - after[90, 200].astype(int)).max() > 40


def test_colours_seen_are_used_when_they_tell_patches_apart() -> None:
    seen = {(0, 0): (250, 20, 20), (0, 1): (20, 250, 20), (0, 2): (20, 20, 250)}
    marks = [Fill((cell,), Ink(tone=i, like=cell)) for i, cell in enumerate(seen)]
    after = paint(picture(), place(STRAIGHT), LAYOUT, marks, seen)
    for column, channel in ((100, 2), (200, 1), (300, 0)):
        cloth = after[80:100, column - 10 : column + 10].reshape(-1, 3).mean(axis=0)
        assert int(np.argmax(cloth)) == channel
    one_hue = dict.fromkeys(seen, (250, 20, 20))
    palette = paint(picture(), place(STRAIGHT), LAYOUT, marks, one_hue)
    assert not np.array_equal(palette, after)
    assert np.abs(palette[90, 100].astype(int) - palette[90, 200].astype(int)).max() > 40, (
        "the palette tells them apart"
    )


def test_a_moved_piece_brings_its_pixels_along() -> None:
    before = picture()
    before[40:140, 50:150] = (0, 0, 255)
    before[40:60, 50:150] = (0, 255, 0)  # its upper rim
    after = paint(before, place(STRAIGHT), LAYOUT, [Move((0, 0), (2, 2), 1)])
    moved = after[240:340, 250:350]
    assert (moved[50, 50] == (0, 0, 255)).all()
    assert (moved[50, 95] == (0, 255, 0)).all(), "turned once, the upper rim lies on the right"


def test_balls_are_lit_from_above() -> None:
    after = paint(picture(), place(STRAIGHT), LAYOUT, [Ball(((1, 1),), RED)])
    cell = after[140:240, 150:250].astype(int).sum(axis=2)
    assert cell[20:40, 30:60].mean() > cell[70:90, 40:80].mean() + 100


def test_a_board_partly_off_the_picture_is_drawn_as_far_as_it_goes() -> None:
    off = place([(-100, -60), (200, -60), (200, 340), (-100, 340)])
    for mark in MARKS:
        after = paint(picture(), off, LAYOUT, [mark])
        assert after.shape == (480, 400, 3)
