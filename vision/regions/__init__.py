"""Boards of coloured regions: the looks of cells, the cut into regions, queens."""
