"""Races of the solvers: ``python -m benchmarks.solvers`` prints ours and each peer on the same instances.

Times (the processor's, not the clock's) differ from machine to machine and from minute to minute; compare ratios within
one run. A module of this package
with a function ``races() -> list[Race]`` and a line in :mod:`benchmarks.solvers.__main__` is all that a new race needs.
"""
