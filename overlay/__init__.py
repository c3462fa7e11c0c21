"""Draws marks on a picture of a board and returns a new picture.

The painter knows cells, placements and marks, never puzzles: a square grid, a triangle tray, a board of balls and a
bent hoop board differ only in where their cells lie. Pixels outside the marks stay as they are. Shapes are drawn with
OpenCV and NumPy; text with Pillow, whose glyphs are the same on every machine.
"""

from overlay.paint import paint

__all__ = ["paint"]
