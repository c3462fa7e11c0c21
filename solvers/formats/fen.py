"""The first field of chess players' FEN, for boards of any size, with what may follow it.

Reference: S. J. Edwards, "Portable Game Notation Specification" (1994), section 16.1.
"""

import re
from collections.abc import Mapping

from solvers.board import Cell
from solvers.formats.format import checked_size
from solvers.ranks import parse_ranks, write_ranks

TAIL = " w - - 0 1"

_FEN = re.compile(r"(?P<board>[0-9A-Za-z]+(?:/[0-9A-Za-z]+)+)(?: [wb](?: \S+)*)?")


def parse_fen(text: str, signs: str, what: str) -> tuple[int, int, dict[Cell, str]] | None:
    """Rows, columns and what stands on which square; None where the text is no FEN with such pieces alone.

    Raises:
        ValueError: with a sentence, when the rows differ in length.
    """
    match = _FEN.fullmatch(" ".join(text.split()))
    if match is None or set(match["board"]) - set("0123456789/" + signs):
        return None
    rows, cols, standing = parse_ranks(match["board"], signs, what)
    return *checked_size(rows, cols), standing


def write_fen(rows: int, cols: int, standing: Mapping[Cell, str]) -> str:
    """The board as FEN, white to move."""
    return write_ranks(rows, cols, standing) + TAIL
