"""Point it at a picture of a puzzle, get the picture back solved."""

__version__ = "0.1.0"
