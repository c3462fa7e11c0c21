"""The kinds of puzzle: one line each.

A kind is a module of rules, one that reads pictures and one of steps with the same name; nothing else in the program
names a kind.
They are loaded when first asked for: most pictures show the first kind, and the others' modules would cost every start.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from solvers.board import Layout, grid_layout
from solvers.kind import Rules
from vision.kind import Reader

if TYPE_CHECKING:
    import solvers.kanoodle
    import solvers.knight
    import solvers.pyramid
    import solvers.queens
    import solvers.steps.kanoodle
    import solvers.steps.knight
    import solvers.steps.pyramid
    import solvers.steps.queens
    import solvers.steps.stitch
    import solvers.steps.triazzle
    import solvers.stitch
    import solvers.triazzle
    import vision.kanoodle
    import vision.knight
    import vision.pyramid
    import vision.queens
    import vision.stitch
    import vision.triazzle
    from solvers.formats.format import Format
    from solvers.steps.step import Guide

    # Here the type checkers name what a kind's module lacks.
    RULES: list[Rules[Any, Any]] = [
        *(solvers.stitch, solvers.pyramid, solvers.kanoodle),
        *(solvers.triazzle, solvers.knight, solvers.queens),
    ]
    GUIDES: list[Guide[Any, Any]] = [
        *(solvers.steps.stitch, solvers.steps.pyramid, solvers.steps.kanoodle),
        *(solvers.steps.triazzle, solvers.steps.knight, solvers.steps.queens),
    ]
    READERS: list[Reader[Any]] = [
        *(vision.stitch, vision.pyramid, vision.kanoodle),
        *(vision.triazzle, vision.knight, vision.queens),
    ]


@dataclass(frozen=True)
class Kind:
    """A kind of puzzle.

    Attributes:
        name: as the JSON contract and ``--kind`` call it.
        asks_unique: whether it means anything that an answer is the only one.
        shows_rivals: whether cells that differ between answers are marked: useful where a puzzle is meant to have one.
        on_chequers: whether its board is chequered: where a picture plainly shows chequers it is asked first.
        is_toy: whether people mostly photograph it; other kinds they play on screens. It saves time, and nothing else
            depends on it.
        is_tour: whether its answer is a way over the board, which may be asked to be closed.
        forms: the names of the text forms of other programs that it knows; named here so that no kind need be loaded.
        has_numbers: whether numbers stand on its board, which an OCR engine reads.
        corners: how many corners the user may point at; 0 where its board is found without.
    """

    name: str
    asks_unique: bool = True
    shows_rivals: bool = False
    on_chequers: bool = False
    is_toy: bool = False
    is_tour: bool = False
    forms: tuple[str, ...] = ()
    has_numbers: bool = False
    corners: int = 4

    @property
    def has_squares(self) -> bool:
        """Whether its boards are grids of squares, of many sizes."""
        return self.has_numbers or self.on_chequers

    def grid(self, size: tuple[float, float]) -> Layout:
        """The cells of a board of which nothing but its size is known: squares, or one cell for all of it."""
        if self.has_squares:
            return grid_layout(round(size[1]), round(size[0]))
        width, height = size
        box = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
        return Layout({(0,): box}, {(0,): (None,) * 4}, size, box)

    @cached_property
    def rules(self) -> Rules[Any, Any]:
        """``solvers/<name>.py``."""
        return cast("Rules[Any, Any]", import_module(f"solvers.{self.name}"))

    @cached_property
    def reader(self) -> Reader[Any]:
        """``vision/<name>.py``."""
        return cast("Reader[Any]", import_module(f"vision.{self.name}"))

    @cached_property
    def guide(self) -> "Guide[Any, Any]":
        """``solvers/steps/<name>.py``."""
        return cast("Guide[Any, Any]", import_module(f"solvers.steps.{self.name}"))

    @cached_property
    def formats(self) -> "Mapping[str, Format[Any]]":
        """The text forms of other programs, by name: ``solvers/formats/<name>.py``."""
        return {form.name: form for form in import_module(f"solvers.formats.{self.name}").FORMATS}

    def __reduce__(self) -> "tuple[Callable[[str], Kind], tuple[str]]":
        """Travels between processes by its name: modules cannot."""
        return by_name, (self.name,)


KINDS = (
    Kind("stitch", shows_rivals=True, has_numbers=True, forms=("puzzlink", "sgt", "csv")),
    Kind("queens", on_chequers=True, forms=("fen", "csv")),
    Kind("pyramid", is_toy=True, corners=0, forms=("csv",)),
    Kind("kanoodle", is_toy=True, corners=0, forms=("csv",)),
    Kind("triazzle", shows_rivals=True, corners=3),
    Kind("knight", asks_unique=False, on_chequers=True, is_tour=True, forms=("fen", "csv")),
)


TEXT = "text"
"""The name of our own text form."""


def forms() -> list[str]:
    """The names of all text forms, our own first."""
    return list(dict.fromkeys([TEXT, *(name for kind in KINDS for name in kind.forms)]))


ALIASES = {
    **dict.fromkeys(("shikaku", "patches", "rectangles"), "stitch"),
    **dict.fromkeys(("lonpos", "pyramide"), "pyramid"),
    **dict.fromkeys(("iq", "iq-puzzler-pro"), "kanoodle"),
    **dict.fromkeys(("linkedin-queens", "n-queens"), "queens"),
    **dict.fromkeys(("knights-tour", "tour"), "knight"),
}
"""Other names by which people know a kind."""


def by_name(name: str) -> Kind:
    """The kind of that name, or known by it, in capitals or not.

    Raises:
        ValueError: there is none.
    """
    wanted = name.strip().casefold()
    for kind in KINDS:
        if kind.name == ALIASES.get(wanted, wanted):
            return kind
    names = [kind.name for kind in KINDS]
    near = get_close_matches(wanted, [*names, *ALIASES], n=1)
    meant = f"; did you mean {near[0]}?" if near else ";"
    raise ValueError(f"no kind of puzzle is called {name!r}{meant} there are {', '.join(names)}")
