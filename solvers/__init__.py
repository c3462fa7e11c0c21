"""Boards, rules and search, in plain Python: this layer knows no pixels.

A puzzle kind is one module here (:mod:`solvers.stitch`, :mod:`solvers.queens`, ...) that offers the functions of
:class:`solvers.kind.Rules`; the engines that the kinds share (:mod:`solvers.exact_cover` and its neighbours) know no
kind. Nothing in this package imports from ``vision``, ``overlay`` or ``solvepic``.
"""
