"""Faces of a bent board laid onto whole rows and columns: what lies round a patch tells its sides, or nothing does."""

import numpy as np
import pytest

from solvers.budget import Budget
from vision.clues.faces import Faces
from vision.clues.jigsaw import Face, Laid, lay
from vision.clues.rings import poses, ring

SIDE = 40
GROUND = 99

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


def laid(boxes: dict[int, Box], areas: dict[int, int]) -> dict[int, Laid] | None:
    picture, known = seen(boxes), {}
    for number in boxes:
        rim = ring(picture, number, areas.get(number, 1))
        assert rim is not None
        known[number] = Face(areas.get(number, 1), rim.unit_px, poses(rim), frozenset(rim.others))
    found = lay(known, min(boxes), Budget(nodes=1000))
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
