"""What a text form of another program offers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

P = TypeVar("P")

LARGEST = 200
"""Rows or columns of a board that is taken from a text; larger ones are mistakes or meant to do harm."""


@dataclass(frozen=True)
class Format(Generic[P]):
    """A text form of a kind of puzzle.

    Attributes:
        name: as ``--export`` calls it.
        write: the puzzle in this form; raises ValueError with a sentence where the form cannot tell it.
        parse: the puzzle that a text in this form tells, and None for any other text; raises ValueError with a
            sentence where the text begins as this form and is wrong. None where the form is only written.
    """

    name: str
    write: Callable[[P], str]
    parse: Callable[[str], P | None] | None = None


def table(rows: Sequence[Sequence[str]]) -> str:
    """Comma-separated values, a line a row."""
    return "\n".join(",".join(row) for row in rows)


def checked_size(rows: int, cols: int) -> tuple[int, int]:
    """The size of a board, if it is one.

    Raises:
        ValueError: it is not.
    """
    if not (1 <= rows <= LARGEST and 1 <= cols <= LARGEST):
        raise ValueError(f"a board of {rows} x {cols} cells: rows and columns are from 1 to {LARGEST}")
    return rows, cols
