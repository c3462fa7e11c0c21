"""Boards with a knight for other programs: FEN, and comma-separated values."""

from solvers.formats.fen import parse_fen, write_fen
from solvers.formats.format import Format, table
from solvers.knight import Puzzle


def parse(text: str) -> Puzzle | None:
    """The board of a FEN with one knight alone; None for any other text."""
    parsed = parse_fen(text, "Nn", "knight's board")
    if parsed is None or len(parsed[2]) != 1:
        return None
    return Puzzle(parsed[0], parsed[1], min(parsed[2]))


def write(puzzle: Puzzle) -> str:
    """The knight as FEN."""
    if puzzle.holes or puzzle.closed:
        raise ValueError("FEN has no form for boards with holes, nor for the wish for a closed tour")
    return write_fen(puzzle.rows, puzzle.cols, {puzzle.start: "N"})


def write_csv(puzzle: Puzzle) -> str:
    """``N`` for the knight and ``#`` for a hole."""
    signs = dict.fromkeys(puzzle.holes, "#") | {puzzle.start: "N"}
    return table([[signs.get((row, col), "") for col in range(puzzle.cols)] for row in range(puzzle.rows)])


FORMATS = (Format("fen", write, parse), Format("csv", write_csv))
