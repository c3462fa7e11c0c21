"""Connected components of graphs."""

from vision.graphs import components


def test_what_is_linked_through_others_is_one_component() -> None:
    links = {"d": [], "a": ["b"], "b": ["a", "c"], "c": ["b"]}
    assert components(links) == [{"d"}, {"a", "b", "c"}]
