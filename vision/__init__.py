"""From a picture to a puzzle: where the board lies (``find``) and what is on it (``read``).

This layer imports ``solvers`` (a reader reasons with the rules) and never ``overlay`` or ``solvepic``. Names carry
their convention: ``_bgr`` and ``_gray`` pictures, ``_mask`` booleans or 0/255, ``_px`` lengths in pixels, ``_wh``
sizes; cells are ``(row, col)``, points ``(x, y)``.

A kind has one module here, with the functions of :class:`vision.kind.Reader`, and says in it what its way is:
``stitch pyramid kanoodle triazzle knight queens``. ``kind reading trace`` are the words they share, ``network``
serves two kinds of readers, ``graphs`` whoever has one. What the kinds are made of lies in packages:

================  ================================================================================================
``pictures``      the way of every picture: ``loading photo medians masks placement margins bending mesh upright``,
                  ``camera_pose flatten photographed stripes lab gradients smooth_field``
``boards``        lattices of cells: ``phases states borders clusters rectangles cell_sides boxes run_out pointed``
``cells``         what stands on a cell, for all kinds: ``reader``
``numbers``       reading numbers: ``digits judge ocr_engines glyphs glyph_groups``
``clues``         for ``stitch``: ``places ink badges observation``,
                  ``own_digits other_games placed segmentation outline beliefs repair legible``;
                  its bent boards: ``hoop``,
                  ``cloth faces rings jigsaw lines whole``
``balls``         for ``pyramid kanoodle``: ``reader spots lattice features palette pits evidence pieces``,
                  ``branch_and_bound doubts empties numbers``
``trays``         for ``triazzle``: ``slots oriented_edges strips codes evidence``
``chessboards``   for ``knight queens``: ``chequers saddles crossings pieces figures standing detector ground``
``regions``       for ``queens`` with coloured regions: ``finding levels ends``; ``reading queens``,
                  ``appearance affinities partition cut``
================  ================================================================================================
"""
