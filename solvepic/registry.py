"""The kinds of puzzle: one line each.

A kind is a module of rules and a module of eyes with the same name; nothing else in the program names a kind.
"""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import solvers.kanoodle
import solvers.knight
import solvers.pyramid
import solvers.queens
import solvers.stitch
import solvers.triazzle
import vision.kanoodle
import vision.knight
import vision.pyramid
import vision.queens
import vision.stitch
import vision.triazzle
from solvers.kind import Rules
from vision.kind import Eyes

P = TypeVar("P")
A = TypeVar("A")


@dataclass(frozen=True)
class Kind(Generic[P, A]):
    """A kind of puzzle.

    Attributes:
        name: as the JSON contract and ``--kind`` call it.
        rules: ``solvers/<name>.py``.
        eyes: ``vision/<name>.py``.
        asks_unique: whether it means anything that an answer is the only one.
        shows_rivals: whether cells that differ between answers are marked: useful where a puzzle is meant to have one.
    """

    name: str
    rules: Rules[P, A]
    eyes: Eyes[P]
    asks_unique: bool = True
    shows_rivals: bool = False


KINDS: tuple[Kind[Any, Any], ...] = (
    Kind("stitch", solvers.stitch, vision.stitch, shows_rivals=True),
    Kind("pyramid", solvers.pyramid, vision.pyramid),
    Kind("kanoodle", solvers.kanoodle, vision.kanoodle),
    Kind("triazzle", solvers.triazzle, vision.triazzle),
    Kind("knight", solvers.knight, vision.knight, asks_unique=False),
    Kind("queens", solvers.queens, vision.queens),
)


def by_name(name: str) -> Kind[Any, Any]:
    """The kind of that name.

    Raises:
        ValueError: there is none.
    """
    for kind in KINDS:
        if kind.name == name:
            return kind
    raise ValueError(f"no kind of puzzle is called {name!r}; there are {', '.join(kind.name for kind in KINDS)}")
