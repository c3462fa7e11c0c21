"""Other solvers of exact cover, each behind the same two questions: how many answers (at most so many) are there?

The packages are imported when first asked for, so a missing one is found out at its turn. Modules are fetched by name
because none of them carries types.
"""

from collections.abc import Hashable, Sequence
from importlib import import_module
from itertools import islice
from typing import Any

from solvers import dancing_links, exact_cover

Items = Sequence[Hashable]
Options = Sequence[Sequence[Hashable]]


def masks(items: Items, options: Options, at_most: int) -> int:
    """Our masks."""
    return len(list(islice(exact_cover.covers(items, options), at_most)))


def links(items: Items, options: Options, at_most: int) -> int:
    """Dancing links in plain Python, the algorithm of the pyramid's article."""
    return len(list(islice(dancing_links.covers(items, options), at_most)))


def exact_cover_package(items: Items, options: Options, at_most: int) -> int:
    """The package exact-cover: Knuth's Algorithm X in C."""
    package: Any = import_module("exact_cover")
    numpy: Any = import_module("numpy")
    column = {item: index for index, item in enumerate(items)}
    matrix = numpy.zeros((len(options), len(items)), dtype=bool)
    for row, option in enumerate(options):
        matrix[row, [column[item] for item in option]] = True
    return len(package.get_all_solutions(matrix, max_count=at_most))


def xcover_package(items: Items, options: Options, at_most: int) -> int:
    """The package xcover: dancing cells, compiled by numba."""
    package: Any = import_module("xcover")
    return sum(1 for _ in islice(package.covers(options, primary=list(items)), at_most))


def cp_sat(items: Items, options: Options, at_most: int) -> int:
    """OR-tools' CP-SAT, one worker: an answer, then the same with that answer forbidden."""
    cp: Any = import_module("ortools.sat.python.cp_model")
    model = cp.CpModel()
    chosen = [model.new_bool_var("") for _ in options]
    for held in _held(items, options):
        model.add_exactly_one([chosen[index] for index in held])
    solver = cp.CpSolver()
    solver.parameters.num_workers = 1
    for found in range(at_most):
        if solver.solve(model) not in (cp.OPTIMAL, cp.FEASIBLE):
            return found
        model.add_bool_or([~var for var in chosen if solver.value(var)])
    return at_most


def clingo(items: Items, options: Options, at_most: int) -> int:
    """clingo: one rule to an item."""
    package: Any = import_module("clingo")
    control = package.Control([str(at_most), "--warn=none"])
    rules = ["1 {" + ";".join(f"x({index})" for index in held) + "} 1." for held in _held(items, options)]
    control.add("base", [], "\n".join(rules))
    control.ground([("base", [])])
    found = 0
    with control.solve(yield_=True) as models:
        for _ in models:
            found += 1
    return found


def _held(items: Items, options: Options) -> list[list[int]]:
    """For each item the options that hold it."""
    held: dict[Hashable, list[int]] = {item: [] for item in items}
    for index, option in enumerate(options):
        for item in option:
            held[item].append(index)
    return list(held.values())


SEARCHES = {
    "masks alone": masks,
    "dancing links, Python": links,
    "exact-cover": exact_cover_package,
    "xcover": xcover_package,
    "OR-tools CP-SAT": cp_sat,
    "clingo": clingo,
}
"""All that find answers, by name."""
