"""Boards of queens for other programs: FEN, and comma-separated values."""

from solvers.formats.fen import parse_fen, write_fen
from solvers.formats.format import Format, table
from solvers.queens import Puzzle, region_name


def parse(text: str) -> Puzzle | None:
    """The board of a FEN with queens alone; None for any other text."""
    parsed = parse_fen(text, "Qq", "board of queens")
    if parsed is None:
        return None
    rows, cols, standing = parsed
    if rows != cols:
        raise ValueError(f"a queens board is square, but this FEN has {rows} rows and {cols} columns")
    return Puzzle(rows, tuple(sorted(standing)))


def write(puzzle: Puzzle) -> str:
    """The queens as FEN."""
    if puzzle.regions is not None:
        raise ValueError("FEN has no form for coloured regions")
    return write_fen(puzzle.n, puzzle.n, dict.fromkeys(puzzle.queens, "Q"))


def write_csv(puzzle: Puzzle) -> str:
    """The letter of each square's region, and Q or a star for a queen."""
    queens = set(puzzle.queens)

    def word(row: int, col: int) -> str:
        if puzzle.regions is None:
            return "Q" if (row, col) in queens else ""
        return region_name(puzzle.regions[row][col]) + "*" * ((row, col) in queens)

    return table([[word(row, col) for col in range(puzzle.n)] for row in range(puzzle.n)])


FORMATS = (Format("fen", write, parse), Format("csv", write_csv))
