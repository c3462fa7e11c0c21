"""In which order a photo is looked at from straight above."""

from functools import partial
from itertools import count, product, takewhile

import cv2
import numpy as np
import pytest

from vision.boards import views
from vision.boards.frontal import View, frontal_views
from vision.boards.views import ranked_view
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, Points

BOARD: Points = np.array([(230.0, 130), (430, 160), (410, 330), (215, 300)])
PAGE = FlatPlacement.from_corners(BOARD, (1, 1)).to_photo([(-0.15, -0.1), (1.1, -0.1), (1.1, 1.2), (-0.15, 1.2)])


def table(*sheets: Points) -> Photo:
    """Sheets with a dark rim on a table whose grain runs another way."""
    bgr: Picture = np.full((450, 600, 3), 120, np.uint8)
    for x, y in product(range(0, 600, 50), range(0, 450, 75)):
        cv2.line(bgr, (x, y), (x + 7, y + 40), (100, 100, 100), 1, cv2.LINE_AA)
    for shade, corners in enumerate(sheets):
        outline = corners.round().astype(np.int32)
        if not shade:
            cv2.polylines(bgr, [outline], True, (120, 120, 120), 40)
        cv2.fillPoly(bgr, [outline], (230 - 40 * shade,) * 3, cv2.LINE_AA)
        cv2.polylines(bgr, [outline], True, (30, 30, 30), 3, cv2.LINE_AA)
    return Photo(bgr)


def lean_deg(view: View, corners: Points) -> float:
    """By how much the sides of a sheet lean in a view, at most."""
    flat = FlatPlacement(view.matrix, (1, 1)).to_board(corners)
    sides = np.abs(np.roll(flat, -1, axis=0) - flat)
    return float(np.rad2deg(np.arcsin(sides.min(axis=1) / np.linalg.norm(sides, axis=1))).max())


@pytest.fixture(autouse=True)
def _few_strokes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here there are no other strokes than those of one sheet and of one grain."""
    monkeypatch.setattr(views, "PLAINLY", 0.9)


def test_the_view_in_which_a_sheet_stands_upright_is_before_that_of_the_table() -> None:
    photo = table(PAGE)
    wrong, right = frontal_views(photo)
    assert lean_deg(wrong, PAGE) > 2
    assert lean_deg(right, PAGE) < 1
    assert ranked_view(photo, 0) == (photo.derive(frontal_views)[1], True)
    looks = iter(map(partial(ranked_view, photo), count()))
    seen = [look.at for look in takewhile(bool, looks) if look and isinstance(look.at, View)]
    assert [view.share for view in seen] == [right.share, wrong.share]


def test_a_view_of_most_strokes_needs_no_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "PLAINLY", 0.6)
    monkeypatch.setattr(views, "quads", lambda photo: pytest.fail("components need not be looked for"))
    photo = table(PAGE)
    assert ranked_view(photo, 0) == (photo.derive(frontal_views)[0], True)


@pytest.mark.parametrize("nested", [True, False])
def test_without_a_right_view_a_sheet_on_another_is_before_the_table(
    monkeypatch: pytest.MonkeyPatch, *, nested: bool
) -> None:
    photo = table(PAGE, BOARD) if nested else table(PAGE)
    wrong = frontal_views(photo)[0]._replace(share=0.1)
    monkeypatch.setattr(views, "frontal_views", lambda photo: [wrong])
    sheets = [PAGE, BOARD] if nested else [PAGE]
    looks = [look for index in range(len(sheets) + 1) if (look := ranked_view(photo, index)) is not None]
    assert [isinstance(look.at, View) for look in looks] == ([False, False, True] if nested else [True, False])
    assert [look.is_likely for look in looks] == ([True, True, False] if nested else [False, False])
    components = [look.at for look in looks if not isinstance(look.at, View)]
    assert all(np.abs(component - sheet).max() < 6 for component, sheet in zip(components, sheets, strict=True))
