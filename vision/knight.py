"""Reads boards for the knight's tour: a chequered board with one knight on it."""

from collections.abc import Sequence

from solvers.knight import Puzzle
from solvers.message import Message
from vision.cells import reader
from vision.chessboards import chequers, pieces
from vision.chessboards.chequers import ChequeredPlacement
from vision.kind import Aids
from vision.pictures.photo import Photo
from vision.pictures.placement import Placement
from vision.reading import NotFound, Reading

CLOSED = "closed"
"""The wish for a tour that ends a knight's move from its start."""


def find(photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
    """The places of chequered boards, best first, in pixels of ``photo``."""
    return chequers.find(photo, aids)


def read(photo: Photo, placement: Placement, aids: Aids) -> Reading[Puzzle] | NotFound:
    """Where the knight stands; a refusal where there is none, more than one, or another piece."""
    if not isinstance(placement, ChequeredPlacement):
        return NotFound("a knight's tour wants a chequered board")
    # Lines and signs of a tour that is drawn are none of the puzzle.
    found = pieces.see(photo, placement, aids).without_odd()
    found = found.of_kind("knight") if aids.named else found
    if reader.part_numbered(photo, placement) > pieces.WRITTEN and not aids.named:
        return NotFound("numbers stand on its squares", game=pieces.NUMBERED_SQUARES)
    knights = [cell for cell, guess in found.guesses.items() if guess.name == "knight"]
    if not knights:
        return NotFound(
            "what stands on the chequered board is no knight"
            if found.guesses
            else "no knight stands on the chequered board"
        )
    if len(knights) > 1:
        why = Message("{count} knights stand on the board, and a tour has one", count=len(knights))
        return NotFound(why, board_found=True)
    if any(guess.name not in {"knight", "nothing"} for guess in found.guesses.values()):
        return NotFound("other pieces than one knight stand on the chequered board", game=pieces.ANOTHER_GAME)
    cols, rows = (round(length) for length in found.placement.size)
    puzzle = Puzzle(rows, cols, knights[0], CLOSED in aids.wishes)
    return Reading(puzzle, found.placement, confidence=min(found.confidence(), placement.score), doubts=found.doubts())
