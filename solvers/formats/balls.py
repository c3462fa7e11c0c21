"""Trays of balls as comma-separated values; no other program's form is known."""

from solvers.ball_trays import EMPTY
from solvers.balls import Balls
from solvers.formats.format import Format, table


def write_csv(puzzle: Balls) -> str:
    """The letter of each pit, a line a row."""
    return table([["" if ball == EMPTY else ball for ball in row] for row in puzzle.rows])


FORMATS = (Format("csv", write_csv),)
