"""The three engines for exact cover against each other and against trying everything."""

from itertools import combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import counting, dancing_links, exact_cover
from solvers.budget import Budget, BudgetSpentError

# Knuth's example in "Dancing links": one cover, by the options 0, 3 and 4.
ITEMS = "ABCDEFG"
OPTIONS = ["CEF", "ADG", "BCF", "AD", "BG", "DEG"]

ENGINES = pytest.mark.parametrize("engine", [exact_cover, dancing_links])


@st.composite
def problems(draw):
    primary = list(range(draw(st.integers(0, 7))))
    secondary = list("xyz"[: draw(st.integers(0, 3))])
    items = primary + secondary
    if not items:
        return primary, [], secondary
    option = st.lists(st.sampled_from(items), min_size=1, max_size=4, unique=True).map(tuple)
    return primary, draw(st.lists(option, max_size=14)), secondary


def by_trying(primary, options, secondary):
    """All exact covers, by looking at all sets of options; options without primary items are never chosen."""
    useful = [i for i, option in enumerate(options) if set(option) & set(primary)]
    found = set()
    for many in range(len(primary) + 1):
        for some in combinations(useful, many):
            items = [item for i in some for item in options[i]]
            if len(items) == len(set(items)) and set(primary) <= set(items):
                found.add(some)
    return found


@ENGINES
def test_knuths_example(engine):
    budget = Budget()
    assert list(engine.covers(ITEMS, OPTIONS, (), budget)) == [(3, 0, 4)]
    assert budget.spent == 5


@settings(max_examples=150, deadline=None)
@given(problems())
def test_all_engines_find_what_trying_finds(problem):
    primary, options, secondary = problem
    expected = by_trying(primary, options, secondary)
    runs = []
    for engine in (exact_cover, dancing_links):
        budget, steps = Budget(), []
        found = list(engine.covers(primary, options, secondary, budget, lambda *step, to=steps: to.append(step)))
        assert sorted(tuple(sorted(answer)) for answer in found) == sorted(expected)
        runs.append((found, budget.spent, steps))
    assert runs[0] == runs[1]
    assert counting.count(primary, options, secondary) == len(expected)
    assert exact_cover.count(primary, options, secondary) == len(expected)


@ENGINES
def test_steps_tell_the_whole_search(engine):
    board, answers, tried = [], [], 0

    def watch(event, chosen):
        nonlocal tried
        if event == "take back":
            board.pop()
            assert tuple(board) == chosen
            return
        tried += 1
        assert (*board, chosen[-1]) == chosen
        if event == "place":
            board.append(chosen[-1])
        elif event == "answer":
            answers.append(chosen)

    budget = Budget()
    found = list(engine.covers(ITEMS, OPTIONS, (), budget, watch))
    assert answers == found
    assert tried == budget.spent
    assert not board


@ENGINES
def test_secondary_items_may_stay_uncovered_but_not_be_covered_twice(engine):
    assert sorted(engine.covers("ab", ["a", "ax", "b", "bx"], "x")) == [(0, 2), (0, 3), (1, 2)]


@ENGINES
def test_no_items_have_the_empty_cover_and_an_item_without_options_has_none(engine):
    assert list(engine.covers((), [])) == [()]
    assert list(engine.covers("a", [])) == []


@ENGINES
@pytest.mark.parametrize(
    ("primary", "options", "secondary"), [("aa", [], ""), ("ab", ["a"], "b"), ("ab", ["ab", "ac"], "")]
)
def test_what_is_no_problem_is_refused(engine, primary, options, secondary):
    with pytest.raises(ValueError, match=r"item|items"):
        list(engine.covers(primary, options, secondary))


def perfect_matchings(n):
    """The n! ways to match n with n."""
    items = [("left", i) for i in range(n)] + [("right", i) for i in range(n)]
    return items, [(("left", i), ("right", j)) for i in range(n) for j in range(n)]


@ENGINES
def test_the_budget_ends_a_search_and_answers_found_before_count(engine):
    items, options = perfect_matchings(7)
    budget = Budget(nodes=3_000)
    found = []
    with pytest.raises(BudgetSpentError):
        found.extend(engine.covers(items, options, (), budget))
    assert 3_000 < budget.spent <= 3_000 + exact_cover.INSTALMENT
    assert len(list(islice(engine.covers(items, options), 100))) == 100


def test_a_deadline_ends_a_search():
    items, options = perfect_matchings(9)
    with pytest.raises(BudgetSpentError, match=r"s$"):
        exact_cover.count(items, options, (), Budget(seconds=0.02))
    with pytest.raises(BudgetSpentError):
        counting.count(items, options, (), Budget(nodes=10))


def test_counting_knows_its_limits():
    items, options = perfect_matchings(16)
    assert counting.count(items, options) == 20_922_789_888_000
    wide = [("left", i) for i in range(70)] + [("right", i) for i in range(70)]
    with pytest.raises(counting.TooWideError):
        counting.count(wide, [(("left", 0), ("right", j)) for j in range(70)])
    with pytest.raises(OverflowError):
        counting.count(list(range(80)), [(i,) for i in range(80) for _ in range(2)])
