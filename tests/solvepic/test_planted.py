"""Drawn pictures on which something is placed wrongly: a check names just that."""

import pytest

from benchmarks.begun import PLANTABLE, PLANTED
from benchmarks.begun_pictures import named_in_pictures
from solvepic.registry import by_name


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTABLE)
def test_what_was_placed_wrongly_is_named_wherever_a_picture_is_read(name: str) -> None:
    named, unread, count = named_in_pictures(by_name(name), PLANTED)
    assert named + unread == count, "something right is called wrong"
    assert unread <= 1
