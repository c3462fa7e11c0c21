"""Reads boards for queens: the chequered board of the classic puzzle, and the game with coloured regions.

Two boards, one kind. The classic asks for n queens on a chequered n x n board so that none attacks another; which
queens already stand there is all there is to read (:mod:`vision.chessboards.chequers` finds the board,
:mod:`vision.chessboards.pieces` what stands on it). In the other game every coloured region wants one queen as well;
its boards have no chequers and their own reader, :mod:`vision.regions.reading`. This module only asks both finders and
hands each board to the reader whose finder found it.
"""

from collections.abc import Sequence

import numpy as np

from solvers.message import Message, listed
from solvers.queens import Puzzle
from vision.cells import reader
from vision.chessboards import chequers, pieces, saddles
from vision.chessboards.chequers import ChequeredPlacement
from vision.kind import Aids
from vision.pictures.photo import Photo
from vision.pictures.placement import Placement
from vision.reading import Doubt, NotFound, Reading
from vision.regions import finding, reading

PLAINLY_COLOURED = 0.85
"""From this score on a board of coloured regions is one beyond doubt, and nobody looks for chequers: it is a level with
exactly one answer, or as many regions as rows were seen on a grid without a fault."""

EMPTY, PEOPLED = 0.85, 0.75
"""Scores that a board without and with queens needs: an empty one has nothing else to show that it is a chessboard."""

COMPANY = 3
"""So many queens stand on nothing but a chessboard."""

NUMBERED = 1 / 3
"""Part of the squares up to which numbers are notes: hints, counts of attacks. More are the moves of a tour, or the
numbers of another game."""

BARE = 0.5
"""Probability of being empty that each cell of a board without queens has."""


def find(photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
    """The places of chequered and of coloured boards, best first, in pixels of ``photo``."""
    chequered = chequers.find(photo, aids) if saddles.are_plain(photo) else None
    if chequered and not isinstance(chequered, NotFound) and chequered[0].score >= chequers.GOOD:
        return chequered
    coloured = finding.find(photo, aids)
    if not isinstance(coloured, NotFound) and coloured[0].score >= PLAINLY_COLOURED:
        return coloured
    if chequered is None:
        chequered = chequers.find(photo, aids)
    refused = [result for result in (chequered, coloured) if isinstance(result, NotFound)]
    refused = [result for result in refused if result.board_found] or refused
    found = [place for result in (chequered, coloured) if not isinstance(result, NotFound) for place in result]
    if found:
        return sorted(found, key=lambda placement: -placement.score)
    return NotFound(listed([result.reason for result in refused]), any(result.board_found for result in refused))


def read(photo: Photo, placement: Placement, aids: Aids) -> Reading[Puzzle] | NotFound:
    """Which queens stand on the board at ``placement``, and its regions where it has them."""
    if isinstance(placement, ChequeredPlacement):
        return _read_chequered(photo, placement, aids)
    return reading.read(photo, placement, aids)


def _read_chequered(photo: Photo, placement: ChequeredPlacement, aids: Aids) -> Reading[Puzzle] | NotFound:
    """The queens on a chequered board; anything else that stands there makes it another game."""
    if placement.rows != placement.cols:
        why = "the chequered board is {size}, and queens want a square one"
        return NotFound(Message(why, size=f"{placement.rows} x {placement.cols}"))
    found = pieces.see(photo, placement, aids)
    found = found.of_kind("queen") if aids.named else found
    queens = sorted(cell for cell, guess in found.guesses.items() if guess.name == "queen")
    others = {guess.name for guess in found.guesses.values()} - {"queen", "odd", "nothing"}
    cells = reader.read(photo, found.placement)
    if reader.part_numbered(photo, placement) > pieces.WRITTEN and not aids.named:
        return NotFound("numbers stand on its squares", game=pieces.NUMBERED_SQUARES)
    if others:
        if others == {"knight"}:
            return NotFound("a knight stands on the chequered board", board_found=True)
        return NotFound("other pieces than queens stand on the chequered board", game=pieces.ANOTHER_GAME)
    puzzle = Puzzle(placement.rows, tuple(queens))
    doubts = found.doubts()
    needed = chequers.ACCEPTED if len(queens) >= COMPANY else PEOPLED if queens else EMPTY
    if placement.score < needed:
        doubts = (*doubts, Doubt((0, 0), "", placement.score, "the pattern is not clearly a chequered board"))
    if not found.guesses and not found.clear:
        doubts = (
            *doubts,
            Doubt((0, 0), "", 0.5, "the picture is too grainy or too dark to tell that the board is empty"),
        )
    odd = cells.numbered & (cells.numbered.mean() > NUMBERED)
    if not found.guesses:
        odd |= cells.chance(*reader.NOTHING) < BARE
    unsure = [(r, c) for r, c in np.argwhere(odd).tolist() if (r, c) not in aids.given]
    doubts = (*doubts, *(Doubt(cell, "", float(cells.chance("empty")[cell]), reader.WHY) for cell in unsure))
    return Reading(puzzle, found.placement, confidence=min(found.confidence(), placement.score), doubts=doubts)
