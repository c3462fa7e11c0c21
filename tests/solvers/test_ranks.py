import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.ranks import parse_ranks, write_ranks


@given(st.data())
def test_boards_survive_being_written(data: st.DataObject) -> None:
    rows, cols = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 12))
    cells = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))
    standing = data.draw(st.dictionaries(cells, st.sampled_from("NQ#")))
    assert parse_ranks(write_ranks(rows, cols, standing), "NQ#", "board") == (rows, cols, standing)


@pytest.mark.parametrize(
    ("text", "word"),
    [("3/2", "row 2"), ("", "row 1"), ("2x/3", "'x'"), ("3//3", "row 2"), ("1Q1/1R1/3", "'R'")],
)
def test_what_is_wrong_is_named(text: str, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        parse_ranks(text, "Q", "board")


def test_what_stands_off_the_board_is_left_out() -> None:
    assert write_ranks(2, 3, {(0, 0): "N", (5, 5): "N"}) == "N2/3"
