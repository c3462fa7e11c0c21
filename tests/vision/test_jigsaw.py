"""Faces of a bent board laid onto whole rows and columns: what lies round a patch tells its sides, or nothing does."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from solvers.budget import Budget
from vision.clues.cloth import Cloth
from vision.clues.faces import Faces
from vision.clues.jigsaw import Face, Laid, lay
from vision.clues.lines import lines, log_likelihood
from vision.clues.rings import SIDE_POINTS, ring
from vision.clues.whole import (
    _beside_lost,
    _clue_cell,
    _rimmed,
    _spaced,
    filled_beside,
    known_faces,
    open_part_is_whole,
)

SIDE = 40
GROUND = 99

NOTHING = np.zeros((9 * SIDE, 9 * SIDE, 3), np.uint8)

Box = tuple[float, float, float, float]


def seen(boxes: dict[int, Box]) -> Faces:
    """Faces that cover these boxes: top, left, bottom and right in cells."""
    labels = np.full((9 * SIDE, 9 * SIDE), GROUND, dtype=np.int32)
    for number, box in boxes.items():
        top, left, bottom, right = (round((edge + 1) * SIDE) for edge in box)
        labels[top:bottom, left:right] = number
    ours = labels != GROUND
    rim = np.zeros_like(ours)
    rim[1:] |= ours[1:] != ours[:-1]
    rim[:, 1:] |= ours[:, 1:] != ours[:, :-1]
    return Faces(labels, {}, rim, np.zeros_like(rim), GROUND)


def faced(boxes: dict[int, Box], areas: dict[int, int]) -> dict[int, Face]:
    rims = {number: ring(seen(boxes), number, areas.get(number, 1)) for number in boxes}
    return known_faces({number: rim for number, rim in rims.items() if rim is not None}, areas)


suits = partial(log_likelihood, unit_px=SIDE)


def laid(boxes: dict[int, Box], areas: dict[int, int]) -> dict[int, Laid] | None:
    found = lay(faced(boxes, areas), min(boxes), Budget(nodes=1000), suits)
    return None if found is None else dict(found)


def test_open_cells_beside_a_patch_tell_its_sides() -> None:
    found = laid({1: (0, 0, 1, 1), 2: (0, 1, 1, 2), 3: (0, 2, 1, 3), 4: (1, 0, 3, 3)}, {4: 6})
    assert found is not None
    assert {n: (p.row, p.col, p.height, p.width) for n, p in found.items()} == {
        1: (0, 0, 1, 1),
        2: (0, 1, 1, 1),
        3: (0, 2, 1, 1),
        4: (1, 0, 2, 3),
    }


def test_cells_of_uneven_size_are_laid_as_well() -> None:
    found = laid({1: (0, 0, 0.8, 1.2), 2: (0, 1.2, 0.8, 2.0), 3: (0.8, 0, 3.1, 2.0)}, {3: 4})
    assert found is not None
    assert (found[3].row, found[3].col, found[3].height, found[3].width) == (1, 0, 2, 2)


def test_an_open_cell_may_be_as_long_as_it_is_seen_to_be() -> None:
    found = laid({1: (0, 0, 1, 1), 2: (1, 0, 4.1, 1), 3: (1, 1, 4.1, 2)}, {})
    assert found is not None
    assert [found[n].box for n in (1, 2, 3)] == [(0, 0, 1, 1), (1, 0, 1, 1), (1, 1, 1, 1)]


def test_faces_that_meet_at_a_corner_may_seem_to_touch() -> None:
    boxes: dict[int, Box] = {1: (0, 0, 1, 1.15), 2: (0, 1.15, 1, 2), 3: (1, 0, 2, 0.85), 4: (1, 0.85, 2, 2)}
    assert 4 in faced(boxes, {})[1].others
    found = laid(boxes, {})
    assert found is not None
    assert {n: (p.row, p.col) for n, p in found.items()} == {1: (0, 0), 2: (0, 1), 3: (1, 0), 4: (1, 1)}


def test_cells_along_a_patch_may_grow_wider_and_wider() -> None:
    ends = np.cumsum([0.0, 0.7, 0.75, 0.8, 1.1, 1.25, 1.4]).tolist()
    boxes: dict[int, Box] = {n + 1: (0, ends[n], 1, ends[n + 1]) for n in range(6)}
    found = laid({**boxes, 7: (1, 0, 2, 6)}, {7: 6})
    assert found is not None
    assert [found[n].col for n in range(1, 8)] == [0, 1, 2, 3, 4, 5, 0]
    assert found[7].box == (1, 0, 1, 6)


def test_cells_beside_a_patch_are_counted_not_measured() -> None:
    ends = np.cumsum([0.0, 0.6, 0.7, 0.8, 1.1, 1.4, 1.9]).tolist()
    boxes: dict[int, Box] = {n + 1: (0, ends[n + 1], 1, ends[n + 2]) for n in range(5)}
    side = faced({**boxes, 7: (1, 0, 2, 6.5)}, {7: 6})[7].poses[0]
    touch = side.touches[2]
    assert [round(side.cells_to(touch.side, 6, at), 1) for at in touch.part] == [2.0, 3.0]
    assert side.unevenness(touch.side, 4) == np.inf
    assert side.unevenness(touch.side, 6) < side.unevenness(touch.side, 12)
    found = laid({**boxes, 7: (1, 0, 2, 6.5)}, {7: 6})
    assert found is not None
    assert found[7].box == (1, -1, 1, 6)


def test_a_patch_beside_which_more_cells_are_seen_than_it_has_is_not_laid() -> None:
    row: dict[int, Box] = {n + 1: (0, 0.7 * n, 1, 0.7 * (n + 1)) for n in range(4)}
    assert laid({**row, 5: (1, 0, 2, 2.8)}, {5: 4}) is not None
    assert laid({**row, 5: (1, 0, 2, 2.8)}, {5: 3}) is None


def test_corners_in_doubt_are_not_tried_in_all_combinations() -> None:
    known = faced({4 * r + c + 1: (r, c, r + 1, c + 1) for r in range(4) for c in range(4)}, {})
    doubtful = {
        n: replace(f, poses=[*f.poses, *(replace(p, cost=p.cost + 1) for p in f.poses)]) for n, f in known.items()
    }
    found = lay(doubtful, 1, Budget(), suits)
    assert found is not None
    assert all((p.row, p.col) == divmod(n - 1, 4) for n, p in found.items())
    assert sum(p.pose.cost for p in found.values()) < 1


def test_a_patch_that_may_lie_in_two_ways_is_not_laid() -> None:
    assert laid({1: (0, 0, 1, 1), 2: (1, 0, 1 + 12**0.5, 12**0.5)}, {2: 12}) is None


@pytest.mark.parametrize("misread", [1, 5, 8, 60])
def test_a_misread_area_fits_nowhere(misread: int) -> None:
    boxes: dict[int, Box] = {1: (0, 0, 1, 1), 2: (0, 1, 1, 2), 3: (0, 2, 1, 3), 4: (1, 0, 3, 3)}
    assert laid(boxes, {4: misread}) is None


def test_the_outline_between_two_faces_keeps_them_apart() -> None:
    picture = seen({1: (0, 0, 1, 1), 2: (0, 1, 1, 2)})
    between = picture.outline.copy()
    between[SIDE : 2 * SIDE, 2 * SIDE] = True
    rims = [ring(Faces(picture.labels, {}, mask, picture.threads, GROUND), 1, 1) for mask in (picture.outline, between)]
    assert [rim.others if rim else None for rim in rims] == [[2], []]


def test_a_filled_patch_against_the_board_that_was_not_laid_is_noticed() -> None:
    boxes: dict[int, Box] = {1: (0, 0, 1, 1), 2: (0, 1, 1, 2), 3: (1, 0, 2, 1), 4: (5, 5, 6, 6)}
    layout = laid({n: boxes[n] for n in (1, 2)}, {})
    assert layout is not None
    picture = seen(boxes)
    assert _beside_lost(replace(picture, clues={3: picture.labels == 3}), layout)
    assert not _beside_lost(replace(picture, clues={4: picture.labels == 4}), layout)


def test_a_face_that_is_seen_from_one_side_only_is_met_at_a_corner_or_something_is_missing() -> None:
    boxes: dict[int, Box] = {2 * r + c + 1: (r, c, r + 1, c + 1) for r in range(2) for c in range(2)}
    layout = laid(boxes, {})
    rim = ring(seen(boxes), 1, 1)
    assert layout is not None
    assert rim is not None
    unseen = rim.without({2})
    assert not _rimmed(unseen, 1, layout)
    assert _rimmed(replace(unseen, beyond=np.where(unseen.beyond < 0, -4, unseen.beyond)), 1, layout)


def test_a_side_is_divided_as_the_one_across_between_the_ends_that_are_known() -> None:
    curve = np.column_stack([np.linspace(0, 100, 101), np.zeros(101)])
    mine, across = ([0, 2, 4], [0.0, 0.6, 1.0]), ([0, 1, 2, 4], [0.0, 0.1, 0.4, 1.0])
    ends = _spaced(curve, mine, across)[:: SIDE_POINTS - 1, 0]
    assert ends == pytest.approx([0, 15, 60, 80, 100], abs=0.5)


def test_on_which_cell_of_a_patch_a_clue_stands_the_lines_round_it_tell() -> None:
    layout = laid({1: (0, 0, 1, 1), 2: (0, 1, 1, 2), 3: (1, 0, 2, 5)}, {3: 5})
    assert layout is not None
    for at, cell in ((2.5, (1, 2)), (2.6, (1, 2)), (2.7, None), (3.0, None), (4.5, (1, 4))):
        x, y = round((1 + at) * SIDE), round(2.5 * SIDE)
        clue = np.zeros(NOTHING.shape[:2], np.bool_)
        clue[y - 5 : y + 6, x - 3 : x + 4] = True
        assert _clue_cell(clue, layout[3], lines(layout, SIDE), SIDE) == cell


def test_of_two_ways_to_lay_a_board_the_one_with_smooth_lines_is_likelier() -> None:
    boxes: dict[int, Box] = {n + 1: (n // 3, n % 3, n // 3 + 1, n % 3 + 1) for n in range(6)}
    layout = laid(boxes, {})
    assert layout is not None
    shifted = {n: replace(place, col=place.col + (place.row > 0)) for n, place in layout.items()}
    assert log_likelihood(layout, SIDE) > log_likelihood(shifted, SIDE) + 5


def test_open_cloth_that_a_thread_parts_from_cells_is_no_hole() -> None:
    picture = seen({1: (0, 0, 1, 1), 2: (0, 1, 1, 2)})
    cloth = Cloth(picture.labels, 2, *np.zeros((2, *picture.labels.shape), np.uint8), SIDE, NOTHING)
    assert not open_part_is_whole(cloth, picture, [1])
    between = picture.outline.copy()
    between[SIDE : 2 * SIDE, 2 * SIDE] = True
    assert open_part_is_whole(cloth, replace(picture, outline=between), [1])


def test_what_only_meets_the_board_at_a_corner_is_no_patch_of_it() -> None:
    picture = seen({1: (0, 0, 1, 1), 4: (0, 1, 1, 2), 5: (1, 2.0, 2, 3), 6: (1, 1, 2, 1.9)})
    picture = replace(picture, clues={n: picture.labels == n for n in (4, 5, 6)})
    cloth = Cloth(picture.labels, 1, *np.zeros((2, *picture.labels.shape), np.uint8), SIDE, NOTHING)
    assert filled_beside(cloth, picture) == {4, 6}


def test_a_badge_that_runs_over_to_the_board_is_no_patch_of_it_where_the_outline_lies_between() -> None:
    picture = seen({1: (0, 0, 1, 1), 4: (0, 1, 1, 2)})
    picture = replace(picture, clues={4: picture.labels == 4})
    cloth = Cloth(picture.labels, 1, *np.zeros((2, *picture.labels.shape), np.uint8), SIDE, NOTHING)
    assert filled_beside(cloth, picture) == {4}
    between = picture.outline.copy()
    between[SIDE : 2 * SIDE, 2 * SIDE] = True
    assert filled_beside(cloth, replace(picture, outline=between)) == set()


def test_cells_are_turned_as_those_beside_them_are() -> None:
    known = faced({1: (0, 0, 1, 1), 2: (0, 1, 1, 2), 3: (0, 2, 1, 3)}, {})
    last = known[3].poses[0]
    touch = last.touches[2]
    askew = replace(last, touches={2: touch._replace(side=(touch.side + 1) % 4)})  # its corners might be the next ones
    found = lay({**known, 3: replace(known[3], poses=[askew, replace(last, cost=2.0)])}, 1, Budget(nodes=1000), suits)
    assert found is not None
    assert abs(found[3].bearing - found[2].bearing) < 0.1
