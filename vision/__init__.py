"""From a picture to a puzzle: where the board lies (``find``) and what is on it (``read``).

This layer imports ``solvers`` (a reader reasons with the rules) and never ``overlay`` or ``solvepic``. Names carry
their convention: ``_bgr`` and ``_gray`` pictures, ``_mask`` booleans or 0/255, ``_px`` lengths in pixels, ``_wh``
sizes; cells are ``(row, col)``, points ``(x, y)``.

A kind has one module, with the functions of :class:`vision.kind.Eyes`; what it needs lies beside it:

========================  =======================================================================================
the way of every picture  ``loading photo placement mesh reading trace kind upright camera_pose flatten``
grids on screens, photos  ``grids combs cell_sides quads``
numbers                   ``digits digit_sheet digit_judge ocr_engines glyphs glyph_groups``
``stitch``                ``clues badges stitch_repair``; bent boards: ``hoop threads``
``pyramid kanoodle``      ``balls ball_spots ball_lattice ball_looks ball_hints ball_palette ball_pieces ball_descent``
``triazzle``              ``triangle_tray oriented_edges edge_strips edge_marks edge_groups tray_codes``
``knight queens``         ``chequers saddles squares pieces silhouettes standing``
``queens`` with regions   ``queen_regions cell_looks region_evidence region_cut partition crowns``
========================  =======================================================================================
"""
