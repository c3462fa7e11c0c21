"""From a picture to a puzzle: where the board lies (``find``) and what is on it (``read``).

This layer imports ``solvers`` (a reader reasons with the rules) and never ``overlay`` or ``solvepic``. Names carry
their convention: ``_bgr`` and ``_gray`` pictures, ``_mask`` booleans or 0/255, ``_px`` lengths in pixels, ``_wh``
sizes; cells are ``(row, col)``, points ``(x, y)``.

A kind has one module here, with the functions of :class:`vision.kind.Eyes`, and says in it what its way is:
``stitch pyramid kanoodle triazzle knight queens``. ``kind reading trace`` are the words they share, ``network``
serves two kinds of readers. What the kinds are made of lies in packages:

================  ================================================================================================
``balls``         for ``pyramid kanoodle``: ``eyes spots lattice half alike centred looks lights board``,
                  ``palette pits tells hints hidden pieces descent sides doubts``
``trays``         for ``triazzle``: ``slots oriented_edges strips marks groups codes evidence``
``chessboards``   for ``knight queens``: ``chequers saddles crossings two_colours squares pieces figures bodies``,
                  ``faint blocks guesses silhouettes standing ground feet screens outlines likeness``
``regions``       for ``queens`` with coloured regions: ``eyes candidates outlines light looks evidence cut``,
                  ``levels ends queens partition``
================  ================================================================================================
"""
