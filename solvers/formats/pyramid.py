"""As :mod:`solvers.formats.balls`."""

from solvers.formats.balls import FORMATS

__all__ = ["FORMATS"]
