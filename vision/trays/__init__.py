"""Triazzle trays: the sixteen slots, what lies along their edges, and which edges belong together."""
