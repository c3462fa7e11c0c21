"""From a picture to a puzzle: where the board lies (``find``) and what is on it (``read``).

Shared parts (photos, placements, grids, digits, colours) have a module each; a kind has one module that offers the
functions of :class:`vision.kind.Eyes`. This layer imports ``solvers`` (a reader reasons with the rules) and never
``overlay`` or ``solvepic``. Names carry their convention: ``_bgr`` and ``_gray`` pictures, ``_mask`` booleans or
0/255, ``_px`` lengths in pixels, ``_wh`` sizes; cells are ``(row, col)``, points ``(x, y)``.
"""
