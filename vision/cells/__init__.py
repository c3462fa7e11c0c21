"""What stands on a cell of a board, whatever the kind of puzzle."""
