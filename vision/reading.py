"""What a reader says of a board: the puzzle, where it lies, and what it is not sure of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from solvers.board import Cell
from vision.pictures.placement import Placement

if TYPE_CHECKING:
    from solvers.steps.step import Standing

P = TypeVar("P")


@dataclass(frozen=True)
class NotFound:
    """Nothing was found, or what was found cannot be read; falsy, so that ``if not result`` reads well.

    Attributes:
        reason: a clause for people that says what was looked for and what was seen instead.
        board_found: whether a board of this kind was certainly there and only its reading failed.
        advice: a clause that says what would help, where it is known.
        game: what other game the board is plainly one of, such as ``a Sudoku``; empty where it may be none.
    """

    reason: str
    board_found: bool = False
    advice: str = ""
    game: str = ""

    def __bool__(self) -> bool:
        """False."""
        return False


@dataclass(frozen=True)
class Doubt:
    """A place where the reader is not sure.

    Attributes:
        cell: where.
        read: what it looks like most.
        confidence: how sure that is, 0..1.
        why: a clause for people.
        settle: the option with which the user settles it, where it is none for a single cell.
        instead: what else it may be, likeliest first, as ``--set`` takes it; empty where anything may be.
    """

    cell: Cell
    read: str
    confidence: float
    why: str
    settle: str = ""
    instead: tuple[str, ...] = ()


@dataclass(frozen=True)
class Repair:
    """A clue that reasoning corrected: ``read`` was seen at ``cell``, ``used`` must stand there."""

    cell: Cell
    read: str
    used: str


@dataclass(frozen=True)
class Reading(Generic[P]):
    """A board that was read.

    Attributes:
        puzzle: what stands there.
        placement: where the board lies.
        confidence: how sure the whole reading is, 0..1.
        doubts: what may be wrong. A reading with doubts is never drawn as solved: the pipeline calls it unreadable.
        repairs: clues that reasoning corrected.
        inks: the colour (red, green, blue; 0..255) that the picture shows at a cell, for drawing in kind.
        notes: sentences for people about what was seen and could not be used.
        partial: a clause that says what of the board is not in the puzzle, empty when all of it is. The answer of a
            part is drawn, but the board as a whole was not read and is not called solved.
        left_alone: what was read on those parts of the board that are not in the puzzle.
        standing: cells on which the answer stands already; nothing is drawn there.
        placed: what the player has placed, as far as the puzzle itself does not tell it; rightly or wrongly.
    """

    puzzle: P
    placement: Placement
    confidence: float = 1.0
    doubts: Sequence[Doubt] = ()
    repairs: Sequence[Repair] = ()
    inks: Mapping[Cell, tuple[int, int, int]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    partial: str = ""
    left_alone: Sequence[str] = ()
    standing: frozenset[Cell] = frozenset()
    placed: "Standing" = ()
