"""Boards with few pieces on them as text, row by row from the top, in the manner of chess players' FEN.

Rows have slashes between them; in a row a number stands for so many empty squares and a letter or sign for what stands
on one: ``1Q2/3Q/4/4`` is a 4 x 4 board with two queens.
"""

import re
from collections.abc import Mapping

from solvers.board import Cell

LONGEST = 1000
"""Squares in a row; more are a mistake, or meant to do harm."""

_PART = re.compile(r"(\d+)|(.)")


def parse_ranks(text: str, signs: str, what: str) -> tuple[int, int, dict[Cell, str]]:
    """Rows, columns and what stands on which square ``(row, col)``.

    Args:
        text: the board.
        signs: what may stand on a square, a character each.
        what: the board's name, for the message.

    Raises:
        ValueError: with a sentence, when a row has something else in it or is not as long as the first.
    """
    standing: dict[Cell, str] = {}
    width = None
    rows = text.split("/")
    for r, row in enumerate(rows):
        at = 0
        for run, sign in _PART.findall(row):
            if run:
                at += int(run[: len(str(LONGEST)) + 1])
            elif sign in signs:
                standing[r, at] = sign
                at += 1
            else:
                raise ValueError(
                    f"row {r + 1} of the {what} has {sign!r} in it, but only numbers and {signs} may stand there"
                )
            if at > LONGEST:
                raise ValueError(f"row {r + 1} of the {what} has more than {LONGEST} squares")
        if at == 0 or (width is not None and at != width):
            raise ValueError(f"row {r + 1} of the {what} has {at} squares, but the first has {width or 0}")
        width = at
    return len(rows), width or 0, standing


def write_ranks(rows: int, cols: int, standing: Mapping[Cell, str]) -> str:
    """The board as text; what stands off the board is left out."""
    by_row: list[list[tuple[int, str]]] = [[] for _ in range(rows)]
    for (r, c), sign in sorted(standing.items()):
        if 0 <= r < rows and 0 <= c < cols:
            by_row[r].append((c, sign))
    return "/".join(_write_rank(cols, rank) for rank in by_row)


def _write_rank(cols: int, rank: list[tuple[int, str]]) -> str:
    text, at = "", 0
    for c, sign in rank:
        text += (str(c - at) if c > at else "") + sign
        at = c + 1
    return text + (str(cols - at) if cols > at else "")
