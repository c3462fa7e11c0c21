"""What stands on a chequered board: queens, knights, or something else.

On screens and in print each piece lies within its square and the cell reader tells its kind
(:mod:`vision.chessboards.figures`). On a real board a piece hides other squares and its foot counts
(:mod:`vision.chessboards.standing`). Numbers, coordinates, dots, arrows and coloured squares are no pieces.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from solvers.board import Cell
from solvers.message import Message
from vision.chessboards import ground, standing
from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.figures import FIGURES, SURE, Guess, Name, figures
from vision.chessboards.ground import Ground
from vision.chessboards.standing import Standing
from vision.kind import Aids
from vision.pictures.camera_pose import pose
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, turned
from vision.reading import Doubt

FAINTEST = 0.25
"""How far the faintest pieces are from their square's colour, of the difference of the two colours of squares: grey
queens on black squares."""


WHICH = "--kind queens or --kind knight"
"""The option that settles whether a single piece is a queen or a knight."""


@dataclass(frozen=True)
class Pieces:
    """What stands on a board.

    Attributes:
        placement: the board, its rows as one counts them who sees the figures upright.
        guesses: for each occupied square.
        clear: whether nothing could stand there unseen: whether grain hides no more than the faintest of pieces, and
            no place looks as if one did.
    """

    placement: FlatPlacement
    guesses: Mapping[Cell, Guess] = field(default_factory=dict)
    clear: bool = True

    def doubts(self) -> tuple[Doubt, ...]:
        """The squares that are not sure."""
        why = "it may be no {name}"
        return tuple(
            Doubt(cell, guess.name, guess.confidence, guess.why or Message(why, name=guess.name),
                  WHICH if guess.either and len(self.guesses) == 1 else "")
            for cell, guess in sorted(self.guesses.items())
            if guess.confidence < SURE or guess.name == "odd"
        )  # fmt: skip

    def without_odd(self) -> "Pieces":
        """The same without what is no chess piece."""
        return replace(self, guesses={cell: guess for cell, guess in self.guesses.items() if guess.name != "odd"})

    def of_kind(self, name: Name) -> "Pieces":
        """The same where the user says what kind of piece stands there: it settles one between queen and knight."""
        if len(self.guesses) != 1:
            return self
        guesses = {cell: Guess(name, SURE) if guess.either else guess for cell, guess in self.guesses.items()}
        return replace(self, guesses=guesses)

    def confidence(self) -> float:
        """How sure the least sure guess is; an empty board is told from what stands out nowhere."""
        return min((guess.confidence for guess in self.guesses.values()), default=0.95)


COMPANY = 2
"""So many figures are a diagram's, whatever seems to stand among them: a part of a piece may look like one."""

ANOTHER_GAME = "a game of chess or draughts"

NUMBERED_SQUARES = "a chequered board of numbers, such as a finished knight's tour"

WRITTEN = 0.75
"""Part of the squares with a number from which on a tour is written out: it is finished, or another puzzle."""

GIVEN: Mapping[str, Name] = {"Q": "queen", "q": "queen", "N": "knight", "n": "knight",
                             "queen": "queen", "knight": "knight"}  # fmt: skip


def see(photo: Photo, placement: ChequeredPlacement, aids: Aids) -> Pieces:
    """What stands on the board at ``placement``; squares that the user told are as told."""
    # Knights and queens ask the same of the same board.
    known = photo.derive(_known)
    if id(placement) not in known:
        laid = ground.of_board(photo, placement)
        aids.trace.picture("squares", lambda: _draw(laid))
        known[id(placement)] = placement, _pieces_on(photo, placement, laid)
    found = known[id(placement)][1]
    guesses = dict(found.guesses)
    for cell, text in aids.given.items():
        guesses.pop(cell, None)
        if text.strip() in GIVEN:
            guesses[cell] = Guess(GIVEN[text.strip()], 1.0)
    return replace(found, guesses=guesses)


def _pieces_on(photo: Photo, placement: ChequeredPlacement, laid: Ground) -> Pieces:
    """What stands on a board: figures of a diagram where they are queens or knights for sure, else real pieces.

    Of these the cell reader sees parts that are no figures, on squares where they do not stand.
    """
    turns, flat = figures(photo, placement)
    sure = [guess for guess in flat.values() if guess.name in FIGURES and guess.confidence >= SURE]
    may_stand: list[Standing] = []
    if not placement.level and (not flat or len(sure) < len(flat)):
        camera = pose(placement, (photo.width, photo.height))
        may_stand = standing.pieces(photo, placement, camera, laid)
        real = [piece for piece in may_stand if standing.stands(piece)]
        # Of many flat men one may seem to stand.
        if real and len(sure) < COMPANY:
            return _standing(placement, real)
    upright = turned(placement, -turns)
    guesses = {_turned(cell, placement, upright): guess for cell, guess in flat.items()}
    return Pieces(upright, guesses, clear=laid.share < FAINTEST and not may_stand)


def _turned(cell: Cell, placement: FlatPlacement, upright: FlatPlacement) -> Cell:
    """The cell of ``upright`` that is ``cell`` of ``placement``."""
    x, y = upright.to_board(placement.to_photo([(cell[1] + 0.5, cell[0] + 0.5)]))[0]
    return int(y), int(x)


def _known(photo: Photo) -> dict[int, tuple[ChequeredPlacement, Pieces]]:
    """What was seen on the boards of a photo, by the identity of the placement, which is kept with it."""
    return {}


# --- real pieces ------------------------------------------------------------------------------------------------------


def _standing(placement: ChequeredPlacement, found: Sequence[Standing]) -> Pieces:
    """Real pieces that are seen to stand out of their squares."""
    guesses: dict[Cell, Guess] = {}
    for piece in found:
        guess = standing.judge(piece)
        if piece.cell in guesses:
            guess = Guess("other", 0.3, "two things seem to stand on one square")
        guesses[piece.cell] = guess
    return Pieces(placement, guesses)


def _draw(laid: Ground) -> Picture:
    """The flat board beside what is off the bare one."""
    gray = np.clip(np.linalg.norm(laid.off, axis=-1) * 100, 0, 255).astype(np.uint8)
    return np.hstack([laid.flat, np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), dtype=np.uint8)])
