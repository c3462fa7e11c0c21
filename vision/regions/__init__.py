"""Boards of coloured regions: where they lie, the appearance of cells, the cut into regions, queens."""
