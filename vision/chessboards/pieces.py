"""What stands on a chequered board: queens, knights, or something else.

On screens and in print each piece lies within its square and its silhouette tells its kind
(:mod:`vision.chessboards.figures`). On a real board a piece hides other squares and its foot counts
(:mod:`vision.chessboards.standing`); its height and its head tell queens from knights. Numbers, coordinates, dots,
arrows and coloured squares are no pieces.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from solvers.board import Cell
from vision.chessboards import squares as empty_squares
from vision.chessboards import standing
from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.figures import figures
from vision.chessboards.guesses import SURE, Guess
from vision.chessboards.silhouettes import Name
from vision.chessboards.squares import Squares
from vision.kind import Aids
from vision.pictures.camera_pose import pose
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement
from vision.pictures.upright import set_upright
from vision.reading import Doubt

FAINTEST = 0.25
"""How far the faintest pieces are from their square's colour, of the difference of the two colours of squares: grey
queens on black squares."""

QUEEN_TALL, KNIGHT_TALL, PAWN_TALL = 1.34, 1.22, 0.72
"""Heights of standing pieces with broad heads, in squares: queens above the first, knights seen from the side below the
second, and nothing below the third. On boards as clubs have them a queen is 1.4 to 1.9 squares tall and a knight 0.85
to 1.2, as they are measured; a pawn is nearly as tall as he, and known by its head."""

CROWN_TIP, QUEEN_HEAD = 0.2, 0.36
"""Least widths of a standing queen's tip and head, in squares: crowns have 0.25 and 0.38 and more, the tips of kings
and bishops 0.18 at most."""

FRONT_HEAD, SIDE_HEAD, BROADEST = 0.24, 0.36, 0.6
"""A knight seen from the front has a head narrower than the first of these, which no other piece has, and one from the
side a head between the others. Bishops and pawns have 0.24 to 0.33."""

SIDE_TIP = 0.17
"""Least width of the tip of a knight seen from the side; the cross of a king whose foot was not seen has 0.12."""

FRONT_TALL = 1.75
"""Height up to which so narrow a head is a knight's, whose shadow may have been taken for a part of him."""

INSIDE = 0.08
"""A foot's middle nearer to the border of its square than this may stand on the other side."""

STEEP = 70.0
"""Angle of view in degrees from which the heights of pieces cannot be seen any more."""


@dataclass(frozen=True)
class Pieces:
    """What stands on a board.

    Attributes:
        placement: the board, its rows as one counts them who sees the figures upright.
        guesses: for each occupied square.
        standing: whether they are real pieces.
        clear: whether nothing could stand there unseen: whether grain hides no more than the faintest of pieces.
    """

    placement: FlatPlacement
    guesses: Mapping[Cell, Guess] = field(default_factory=dict)
    standing: bool = False
    clear: bool = True

    def doubts(self) -> tuple[Doubt, ...]:
        """The squares that are not sure."""
        return tuple(
            Doubt(cell, guess.name, guess.confidence, guess.why or f"it may be no {guess.name}")
            for cell, guess in sorted(self.guesses.items())
            if guess.confidence < SURE
        )

    def confidence(self) -> float:
        """How sure the least sure guess is; an empty board is told from what stands out nowhere."""
        return min((guess.confidence for guess in self.guesses.values()), default=0.95)


GIVEN: Mapping[str, Name] = {"Q": "queen", "q": "queen", "N": "knight", "n": "knight"}


def see(photo: Photo, placement: ChequeredPlacement, aids: Aids) -> Pieces:
    """What stands on the board at ``placement``; squares that the user told are as told."""
    # Knights and queens ask the same of the same board.
    known = photo.derive(_known)
    if id(placement) not in known:
        squares = empty_squares.look(photo, placement)
        aids.trace.picture("squares", lambda: _draw(squares))
        known[id(placement)] = placement, _seen(photo, placement, squares)
    found = known[id(placement)][1]
    told = dict(found.guesses)
    for cell, text in aids.given.items():
        told.pop(cell, None)
        if text.strip():
            told[cell] = Guess(GIVEN.get(text.strip(), "other"), 1.0)
    return replace(found, guesses=told)


def _seen(photo: Photo, placement: ChequeredPlacement, squares: Squares) -> Pieces:
    """What stands on a board: figures of a diagram where they are queens beyond doubt, else real pieces, else figures.

    Seen from a side a diagram's figures are as tall as real pieces; but they stay on their squares, and keep their
    outline when the board is laid flat.
    """
    turns, flat = figures(photo, placement, squares)
    drawn = bool(flat) and all(guess.name == "queen" and guess.confidence > SURE for guess in flat.values())
    if not drawn:
        real = _standing(photo, placement, squares)
        if real is not None:
            return real
    upright = set_upright(placement, -turns % 4) if turns else placement
    guesses = {_turned(cell, placement, upright): guess for cell, guess in flat.items()}
    return Pieces(upright, guesses, clear=squares.least < FAINTEST)


def _turned(cell: Cell, placement: FlatPlacement, upright: FlatPlacement) -> Cell:
    """The cell of ``upright`` that is ``cell`` of ``placement``."""
    x, y = upright.to_board(placement.to_photo([(cell[1] + 0.5, cell[0] + 0.5)]))[0]
    return int(y), int(x)


def _known(photo: Photo) -> dict[int, tuple[ChequeredPlacement, Pieces]]:
    """What was seen on the boards of a photo, by the identity of the placement, which is kept with it."""
    return {}


# --- real pieces ------------------------------------------------------------------------------------------------------


def _standing(photo: Photo, placement: ChequeredPlacement, squares: Squares) -> Pieces | None:
    """Real pieces; None where the board is flat, seen from above, or nothing on it is taller than a print."""
    if placement.level:
        return None
    camera = pose(placement, (photo.width, photo.height))
    centre = np.array(placement.size) / 2
    if np.rad2deg(np.arctan2(camera.eye[2], np.linalg.norm(camera.eye[:2] - centre))) > STEEP:
        return None
    streaks = standing.streaks(squares)
    tall = standing.pieces(photo, placement, camera, squares, streaks)
    if not tall or 2 * len(tall) < len(streaks):
        return None
    guesses: dict[Cell, Guess] = {}
    for piece in tall:
        guess = judge_standing(piece)
        if piece.cell in guesses:
            guess = Guess("other", 0.3, "two things seem to stand on one square")
        guesses[piece.cell] = guess
    return Pieces(placement, guesses, standing=True)


def judge_standing(piece: standing.Standing) -> Guess:
    """Queen or knight by height and head; doubtful where the two do not agree, and at the border of a square."""
    if piece.inside < INSIDE:
        return Guess("other", 0.4, "its foot is on the line between two squares")
    if piece.tall < PAWN_TALL:
        return Guess("other", 0.8, "it is shorter than any piece")
    middle = (QUEEN_TALL + KNIGHT_TALL) / 2
    crowned = piece.tip > CROWN_TIP and QUEEN_HEAD < piece.head < BROADEST
    if piece.head < FRONT_HEAD and piece.tall < FRONT_TALL:
        return Guess("knight", 0.85)
    if piece.tall > middle and not crowned:
        return Guess("queen", 0.5, "it is as tall as a queen, but its head is not like hers")
    if piece.tall <= middle and not (SIDE_HEAD < piece.head < BROADEST and piece.tip > SIDE_TIP):
        return Guess("knight", 0.5, "its height is a knight's, but its head may be another piece's")
    name: Name = "queen" if piece.tall > middle else "knight"
    # A logistic curve through 0.7 at the two limits.
    slope = np.log(SURE / (1 - SURE)) / (QUEEN_TALL - middle)
    confidence = float(1 / (1 + np.exp(-slope * abs(piece.tall - middle))))
    return Guess(
        name, min(0.98, confidence), "" if confidence >= SURE else "it is taller than a knight, shorter than a queen"
    )


def _draw(squares: Squares) -> Picture:
    """The flat board beside what stands out on it."""
    rows, cols, side, _ = squares.far.shape
    far = squares.far.swapaxes(1, 2).reshape(rows * side, cols * side)
    gray = np.clip(far * 100, 0, 255).astype(np.uint8)
    return np.hstack([squares.flat, np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), dtype=np.uint8)])
