"""Finding blocks: patterns on a grid against walking through a mesh, and against looking at every rectangle."""

from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.blocks import Grid, Mesh, Want, partitions, shape_of
from solvers.board import grid_layout
from solvers.budget import Budget

ANY = Want(None)


@st.composite
def boards(draw):
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    places = [(r, c) for r in range(rows) for c in range(cols)]
    kinds = draw(st.lists(st.sampled_from("#.!"), min_size=len(places), max_size=len(places)))
    cells = [cell for cell, kind in zip(places, kinds, strict=True) if kind != "#"]
    clues = [cell for cell, kind in zip(places, kinds, strict=True) if kind == "!"]
    areas = draw(st.none() | st.frozensets(st.integers(1, 12), max_size=3))
    return rows, cols, cells, clues, Want(areas, draw(st.sampled_from(["any", "square", "tall", "wide"])))


def rectangles(cells, rows, cols):
    """All rectangles of cells, each as a set with its height and width."""
    for top in range(rows):
        for left in range(cols):
            for height in range(1, rows - top + 1):
                for width in range(1, cols - left + 1):
                    block = {(r, c) for r in range(top, top + height) for c in range(left, left + width)}
                    if block <= cells:
                        yield frozenset(block), height, width


@settings(max_examples=120, deadline=None)
@given(boards())
def test_a_grid_and_its_mesh_have_the_same_blocks(board):
    rows, cols, cells, clues, want = board
    holes = {(r, c) for r in range(rows) for c in range(cols)}.difference(cells)
    wants = {clue: want if number % 2 else ANY for number, clue in enumerate(clues)}
    for where in (Grid(rows, cols, cells), Mesh(grid_layout(rows, cols, holes).neighbours)):
        for clue, masks in zip(clues, where.candidates(wants), strict=True):
            blocks = [where.block(m) for m in masks]
            expected = {
                (block, height, width)
                for block, height, width in rectangles(set(cells), rows, cols)
                if block.intersection(clues) == {clue} and wants[clue].suits(height, width)
            }
            assert {(frozenset(b.cells), b.height, b.width) for b in blocks} == expected
            assert len(blocks) == len(expected)
            assert all(list(b.cells) == sorted(b.cells) for b in blocks)
        # What is remembered of one question must not answer another one.
        asked = clues[-1:]
        assert where.candidates(wants, asked) == where.candidates(wants)[len(clues) - len(asked) :]
        for few in (dict.fromkeys(clues, want), dict.fromkeys(asked, ANY)):
            fresh = Grid(rows, cols, cells) if isinstance(where, Grid) else Mesh(where.neighbours)
            assert where.candidates(few) == fresh.candidates(few)


def test_a_ring_of_cells_goes_round_but_not_over_itself():
    ring = {(0, c): (None, (0, (c + 1) % 5), None, (0, (c - 1) % 5)) for c in range(5)}
    blocks = [Mesh(ring).block(m) for m in Mesh(ring).candidates({(0, 4): ANY})[0]]
    # Of each width up to four there are as many as ways to hold the cell; all five are one block.
    assert sorted(b.width for b in blocks) == [1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5]
    assert ((0, 3), (0, 4), (0, 0)) in [b.cells for b in blocks]


def test_straight_on_turns_with_the_cells():
    # Three cells round a point: a's right leads into b's bottom, so going on straight leaves b by its top.
    mesh = {
        (0, 0): (None, (0, 1), None, None),
        (0, 1): ((0, 2), None, (0, 0), None),
        (0, 2): (None, None, (0, 1), None),
    }
    blocks = [Mesh(mesh).block(m) for m in Mesh(mesh).candidates({(0, 0): ANY})[0]]
    assert {b.cells for b in blocks} == {((0, 0),), ((0, 0), (0, 1)), ((0, 0), (0, 1), (0, 2))}
    assert all(b.height == 1 for b in blocks)


def test_partitions_of_nothing():
    assert list(partitions([], 0, Budget())) == [[]]
    assert list(partitions([], 1, Budget())) == []
    assert list(partitions([[1], []], 1, Budget())) == []


def test_shapes_have_names():
    assert [shape_of(2, 2), shape_of(3, 1), shape_of(1, 3)] == ["square", "tall", "wide"]
