"""The labelled pictures of ball boards: a bar for each folder, and nothing ever read wrongly without a doubt."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from shared_files import labelled, shared

from vision import kanoodle, pyramid
from vision.kind import Aids, Reader
from vision.pictures.loading import load
from vision.pictures.photo import Photo
from vision.reading import NotFound

READERS: dict[str, Reader[Any]] = {"pyramid": pyramid, "kanoodle": kanoodle}

BARS = {"pyramid": 4, "kanoodle": 12}
"""Least number of pictures that are read as their truth says; raise it when more are."""


@lru_cache(maxsize=1)
def opened(path: Path) -> Photo:
    """The picture, with all that was computed of it: both kinds look at each in turn."""
    return load(path).photo


def certain(path: Path, kind: str) -> tuple[list[str], str] | None:
    """Rows and set of the first reading without doubts; None without one."""
    photo = opened(path)
    found = READERS[kind].find(photo, Aids())
    for placement in () if isinstance(found, NotFound) else found:
        reading = READERS[kind].read(photo, placement, Aids())
        if not isinstance(reading, NotFound) and not reading.doubts:
            return [row.upper() for row in reading.puzzle.rows], reading.puzzle.pieces
    return None


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("folder", list(BARS))
def test_enough_are_read_and_none_is_misread(folder: str) -> None:
    right: list[str] = []
    misread: list[str] = []
    for path, truth in labelled(folder):
        seen = certain(path, folder)
        if seen is not None:
            (right if seen == (truth["rows"], truth["set"]) else misread).append(path.name)
        other = "pyramid" if folder == "kanoodle" else "kanoodle"
        if certain(path, other) is not None:
            misread.append(f"{path.name} as {other}")
    assert not misread
    assert len(right) >= BARS[folder], f"only {right}"


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("folder", ["nothing", "queens", "triazzle", "knight"])
def test_other_pictures_are_not_read(folder: str) -> None:
    for path in sorted(shared(f"corpus/{folder}").glob("*")):
        if path.suffix in (".json", ".gif"):
            continue
        for kind in READERS:
            assert certain(path, kind) is None, f"{path.name} was read as {kind}"
