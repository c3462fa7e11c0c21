"""Connected components of graphs and of cells."""

from vision.graphs import components, side_by_side


def test_what_is_linked_through_others_is_one_component() -> None:
    links = {"d": [], "a": ["b"], "b": ["a", "c"], "c": ["b"]}
    assert components(links) == [{"d"}, {"a", "b", "c"}]


def test_cells_that_meet_at_a_corner_only_are_two_components() -> None:
    assert components(side_by_side([(0, 0), (0, 1), (1, 2), (1, 3)])) == [{(0, 0), (0, 1)}, {(1, 2), (1, 3)}]
