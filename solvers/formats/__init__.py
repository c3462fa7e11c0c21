"""Puzzles in the text forms of other programs: a module for each kind."""
