"""Pictures that are too dark."""

import numpy as np

from vision.clues.threads import fully_lit
from vision.pictures.photo import Photo


def gray(lightest: int) -> Photo:
    """An even ramp of greys from black to this."""
    ramp = np.linspace(0, lightest, 600).round().astype(np.uint8)
    return Photo(np.ascontiguousarray(np.broadcast_to(ramp[None, :, None], (400, 600, 3))))


def test_a_dim_picture_gets_its_full_range() -> None:
    assert np.abs(fully_lit(gray(120)).bgr.astype(int) - gray(255).bgr.astype(int)).max() <= 3


def test_a_picture_with_something_light_in_it_stays_as_it_is() -> None:
    lit, black = gray(240), gray(0)
    assert fully_lit(lit) is lit
    assert fully_lit(black) is black
