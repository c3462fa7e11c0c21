"""Boards, rules and search, in plain Python: this layer knows no pixels.

A kind has one module, with the functions of :class:`solvers.kind.Rules`; the engines that the kinds share know no kind.
Nothing in this package imports from ``vision``, ``overlay`` or ``solvepic``.

====================  ===========================================================================================
every kind            ``board marks message kind budget verdict rehearsal ranks tones``
exact cover           ``exact_cover``, ``dancing_links`` (the same, to be read), ``counting`` (by merging states)
``stitch``            ``blocks``
``pyramid kanoodle``  ``balls ball_trays ball_colours``
``triazzle``          ``edge_matching``, ``soft_matching`` (scores in place of codes)
``queens``            ``queens_bits queens_count``
``knight``            ``warnsdorff tours narrow_tours``
``formats``           ``format fen`` and a module for each kind: the text forms of other programs
``steps``             ``step reasoning`` and a module for each kind (``balls`` for ``pyramid kanoodle``)
====================  ===========================================================================================
"""
