"""Boards of balls and pits: the lattice, the looks of its cells, and their division into pieces."""
