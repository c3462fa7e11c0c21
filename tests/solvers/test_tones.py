"""Patches that touch get different tones."""

from random import Random

from samples.puzzles.stitch import cut
from solvers.board import grid_layout
from solvers.tones import tones


def test_touching_patches_differ_and_few_tones_are_enough():
    neighbours = grid_layout(12, 12).neighbours
    blocks = cut(Random(4), sorted(neighbours), 9)
    found = tones([block.cells for block in blocks], neighbours)
    tone = {cell: t for block, t in zip(blocks, found, strict=True) for cell in block.cells}
    patch = {cell: index for index, block in enumerate(blocks) for cell in block.cells}
    for cell, across in neighbours.items():
        for other in across:
            assert other is None or patch[cell] == patch[other] or tone[cell] != tone[other]
    assert max(found) <= 4


def test_cells_outside_all_patches_do_not_matter():
    assert tones([[(0, 0)], [(0, 2)]], grid_layout(1, 3).neighbours) == [0, 0]
    assert tones([], {}) == []
