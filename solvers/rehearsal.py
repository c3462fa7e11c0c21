"""Searches told step by step, for whoever wants to watch them think.

The solvers of the kinds are fast because they look ahead and skip what cannot be; a film wants the plain search in
which pieces go in and come out again. Every kind that is an exact cover is rehearsed by the same few lines here.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence

from solvers.budget import Budget
from solvers.exact_cover import Engine, Event, covers
from solvers.kind import Frame
from solvers.marks import Mark


def rehearse_cover(
    primary: Sequence[Hashable],
    options: Sequence[Iterable[Hashable]],
    budget: Budget,
    show: Callable[[Frame], None],
    marks_of: Callable[[tuple[int, ...]], Sequence[Mark]],
    *,
    secondary: Iterable[Hashable] = (),
    engine: Engine = covers,
) -> None:
    """Search for the first exact cover and show every step.

    Args:
        primary: items to be covered exactly once.
        options: each the items that it covers.
        budget: for the search.
        show: takes each step.
        marks_of: the marks of the options that lie on the board, given by their indices.
        secondary: items to be covered at most once.
        engine: the search.

    Raises:
        BudgetSpentError: the budget is used up.
    """

    def watch(event: Event, chosen: tuple[int, ...]) -> None:
        show(lambda: marks_of(chosen))

    next(engine(primary, options, secondary, budget, watch), None)
