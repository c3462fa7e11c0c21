"""Values of options as people write them: ``14x8``, ``r3c4=12``, ``"10,20 300,22 302,400 8,398"``.

Each function takes the text and gives the value that :class:`solvepic.options.Options` holds, None where there is no
text; what cannot be understood is a :class:`solvepic.errors.UsageError` with a sentence.
"""

import re
from collections.abc import Sequence

from solvepic.errors import UsageError
from solvepic.registry import by_name
from solvers.board import Cell

Points = tuple[tuple[float, float], ...]


def kind(name: str | None) -> str | None:
    """The name of a kind of puzzle; other names for it do as well."""
    try:
        return by_name(name).name if name is not None else None
    except ValueError as error:
        raise UsageError(f"--kind: {error}") from None


def size(text: str | None) -> tuple[int, int] | None:
    """Rows and columns."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,3})[xX×](\d{1,3})", text.strip())
    if match is None or not (int(match[1]) and int(match[2])):
        raise UsageError(f"--size {text}: write it as rows x columns, such as 14x8")
    return int(match[1]), int(match[2])


def duration(text: str | None) -> float | None:
    """Seconds."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,6})([smhdw])", text.strip())
    if match is None:
        raise UsageError(f"--since {text}: write a number and one of s, m, h, d or w, such as 90m or 1d")
    return int(match[1]) * UNITS[match[2]]


UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
"""Seconds."""


def given(texts: Sequence[str]) -> dict[Cell, str]:
    """What stands on some cells."""
    given: dict[Cell, str] = {}
    for text in texts:
        name, equals, stands = text.strip().partition("=")
        where = cell(name)
        if where is None or not equals or not re.fullmatch(r"\w*", stands):
            raise UsageError(f"--set {text}: write it as row, column and what stands there, such as r3c4=12")
        if given.setdefault(where, stands) != stands:
            raise UsageError(f"--set {text}: another --set says {given[where] or 'nothing'!r} of this cell; give one")
    return given


def cell(name: str) -> Cell | None:
    """The cell, counted from 0, that is called ``r3c4``; None where no cell is called so."""
    match = re.fullmatch(r"[rR](\d{1,3})[cC](\d{1,3})", name)
    if match is None or not (int(match[1]) and int(match[2])):
        return None
    return int(match[1]) - 1, int(match[2]) - 1


def corners(text: str | None) -> Points | None:
    """Three or four points in pixels of the file."""
    if text is None:
        return None
    try:
        points = [tuple(float(part) for part in point.split(",")) for point in text.split()]
    except ValueError:
        points = []
    if len(points) not in (3, 4) or any(len(point) != 2 for point in points):
        raise UsageError(
            f'--corners {text}: write three or four points in pixels, such as "10,20 300,22 302,400 8,398"'
        )
    return tuple((point[0], point[1]) for point in points)
