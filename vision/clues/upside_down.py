"""Numbers that are numbers upside down as well: they do not tell which side of a board is up."""

from collections.abc import Mapping
from dataclasses import replace

from solvers.board import Cell
from solvers.stitch import clue_sum
from vision.clues.repair import Settled
from vision.reading import Doubt

UPSIDE_DOWN = {"0": "0", "1": "1", "6": "9", "8": "8", "9": "6"}
"""Digits that are digits upside down as well, and which."""


def upside_down(number: str) -> str:
    """What a number is upside down; empty where that is none."""
    return "".join(UPSIDE_DOWN[digit] for digit in number[::-1]) if set(number) <= set(UPSIDE_DOWN) else ""


def either_way_up(settled: Settled, given: Mapping[Cell, str]) -> Settled:
    """In a photo, which may be taken from any side, a 6 is a 9 unless another number tells which side is up: by a digit
    that is none upside down, by a 0 that would come first, or because the numbers would not make a board.
    """
    puzzle = settled.puzzle
    numbers = {cell: str(puzzle.clue(cell)) for cell in puzzle.clue_cells if (puzzle.clue(cell) or 0) > 0}
    turned = {cell: upside_down(number) for cell, number in numbers.items()}
    if not all(turned.values()):
        return settled
    size = clue_sum(puzzle)[2] if len(numbers) == len(puzzle.clue_cells) else None
    if any(number.startswith("0") for number in turned.values()) or size not in (None, sum(map(int, turned.values()))):
        return settled
    doubts = tuple(
        Doubt(cell, number, 0.5, "turned upside down it is another number")
        for cell, number in numbers.items()
        if number != turned[cell] and cell not in given
    )
    return replace(settled, doubts=settled.doubts + doubts)
