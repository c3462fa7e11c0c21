"""What can be deduced next on a board that is begun, and why: a module for each kind of puzzle.

:mod:`solvers.steps.step` holds the types and the interface, :mod:`solvers.steps.reasoning` the deduction for all kinds
that are exact covers.
"""
