"""No other program's form of Triazzle is known."""

from solvers.formats.format import Format
from solvers.triazzle import Puzzle

FORMATS: tuple[Format[Puzzle], ...] = ()
