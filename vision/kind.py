"""The interface of a puzzle kind's reader: a module with these two functions can see a kind.

``vision/<kind>.py`` is the plug-in beside ``solvers/<kind>.py``; the protocol lets the type checkers name what is
missing or wrong.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from solvers.board import Cell
from solvers.budget import Budget
from vision.numbers.digits import DigitReader, no_reader
from vision.pictures.photo import Photo
from vision.pictures.placement import Placement
from vision.reading import NotFound, Reading
from vision.trace import Trace

P = TypeVar("P")

PROMISING = 0.6
"""A place with this score is read before other kinds are asked: most pictures show one board, and plainly."""


@dataclass(frozen=True)
class Aids:
    """What a finder or reader may use, and what the user told it.

    Attributes:
        digits: the OCR engine.
        trace: takes stage pictures and notes.
        budget: for searches that a reader does to reason about what it saw.
        size: the grid's ``(rows, cols)`` where the user named it, in either order.
        corners_px: the board's corners in the photo where the user pointed at them.
        given: what the user says stands on a cell, by cell; overrides what is seen.
        wishes: single words that the user added, such as ``closed``.
        named: whether the user named the kind of puzzle.
        thorough: whether finders may take their time. Every kind is first asked for what is plainly there; only
            when nothing came of that are slow searches (bent and faint boards) paid for.
    """

    digits: DigitReader = no_reader
    trace: Trace = field(default_factory=Trace)
    budget: Budget = field(default_factory=Budget)
    size: tuple[int, int] | None = None
    corners_px: tuple[tuple[float, float], ...] | None = None
    given: Mapping[Cell, str] = field(default_factory=dict)
    wishes: frozenset[str] = frozenset()
    named: bool = False
    thorough: bool = True


class Reader(Protocol[P]):
    """What ``vision/<kind>.py`` must offer."""

    def find(self, photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
        """The places where a board of this kind may lie, best first, in pixels of ``photo``.

        Fast enough to be asked of any picture; a picture without such a board costs as little as possible.
        """

    def read(self, photo: Photo, placement: Placement, aids: Aids) -> Reading[P] | NotFound:
        """What stands on the board that lies at ``placement``.

        The reader checks itself with the rules (clue sums, uniqueness, legal pieces), corrects what reasoning can
        correct and names the rest as doubts; it never guesses silently.
        """
