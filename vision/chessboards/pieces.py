"""What stands on a chequered board: queens, knights, or something else.

On screens and in print each piece lies within its square and its silhouette tells its kind
(:mod:`vision.chessboards.figures`). On a real board a piece hides other squares and its foot counts
(:mod:`vision.chessboards.standing`); its height and its head tell queens from knights. Numbers, coordinates, dots,
arrows and coloured squares are no pieces.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from solvers.board import Cell
from solvers.message import Message
from vision.chessboards import ground, standing
from vision.chessboards import squares as empty_squares
from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.figures import COMPANY, SHAPELESS, figures
from vision.chessboards.guesses import SURE, Guess
from vision.chessboards.screens import steepness
from vision.chessboards.silhouettes import Name
from vision.chessboards.squares import Squares
from vision.chessboards.standing import Standing
from vision.kind import Aids
from vision.pictures.camera_pose import pose
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement
from vision.pictures.upright import set_upright
from vision.reading import Doubt

ACROSS = "it may stand on the board, and its foot is not seen"
"""What speaks against a figure that hides more than its square, or is seen from the side."""

FROM_ABOVE = "it may be a figure, or a piece seen from above"
"""What speaks against what looks like one thing as a figure and like another as a piece."""

PERHAPS = 0.1
"""Chance, by the looks of a piece, from which on a figure may be what its silhouette says."""

ANOTHER = 0.8
"""Chance, by its looks, from which on what has the outline of a knight is taken for a king, a bishop, a rook or a pawn
that leans over its square: lopsided shapes are not knights' alone."""

SIDEWAYS = 55.0
"""Angle of view in degrees up to which one looks at a real board: nobody takes a diagram from the side, and the head of
a piece whose body has the colour of its square looks like a figure on another one."""

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
        standing: whether they are real pieces.
        clear: whether nothing could stand there unseen: whether grain hides no more than the faintest of pieces, and
            no place looks as if one did.
    """

    placement: FlatPlacement
    guesses: Mapping[Cell, Guess] = field(default_factory=dict)
    standing: bool = False
    clear: bool = True

    def doubts(self) -> tuple[Doubt, ...]:
        """The squares that are not sure."""
        why = "it may be no {name}"
        return tuple(
            Doubt(cell, guess.name, guess.confidence, guess.why or Message(why, name=guess.name),
                  WHICH if guess.either and len(self.guesses) == 1 else "")
            for cell, guess in sorted(self.guesses.items())
            if guess.confidence < SURE
        )  # fmt: skip

    def of_kind(self, name: Name) -> "Pieces":
        """The same where the user says what kind of piece stands there: it settles one between queen and knight."""
        if len(self.guesses) != 1:
            return self
        told = {cell: Guess(name, SURE) if guess.either else guess for cell, guess in self.guesses.items()}
        return replace(self, guesses=told)

    def confidence(self) -> float:
        """How sure the least sure guess is; an empty board is told from what stands out nowhere."""
        return min((guess.confidence for guess in self.guesses.values()), default=0.95)


ANOTHER_GAME = "a game of chess or draughts"

GIVEN: Mapping[str, Name] = {"Q": "queen", "q": "queen", "N": "knight", "n": "knight",
                             "queen": "queen", "knight": "knight"}  # fmt: skip


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
        if text.strip() in GIVEN:
            told[cell] = Guess(GIVEN[text.strip()], 1.0)
    return replace(found, guesses=told)


def _seen(photo: Photo, placement: ChequeredPlacement, squares: Squares) -> Pieces:
    """What stands on a board: figures of a diagram where they are queens beyond doubt, else real pieces, else figures.

    Seen from a side a diagram's figures are as tall as real pieces; but they stay on their squares, and keep their
    outline when the board is laid flat.
    """
    turns, flat = figures(photo, placement, squares)
    from_above = False
    drawn = len(flat) > 1 and all(guess.name == "queen" and guess.confidence > SURE for guess in flat.values())
    if not drawn and not placement.level:
        camera = pose(placement, (photo.width, photo.height))
        laid = ground.look(placement, squares)
        seen = list(standing.pieces(photo, placement, camera, laid))
        real = [piece for piece in seen if standing.stands(piece)]
        sideways = bool(np.rad2deg(steepness(camera, np.array(placement.size) / 2)) < SIDEWAYS)
        # What else seems a figure is a vein, a mark or a shade then, unless there is a diagram of them.
        if real and (sideways or len(_elsewhere(flat, real)) < COMPANY):
            return _standing(placement, real)
        crossed = laid.crossed() | sideways
        flat = {
            c: replace(g, confidence=min(g.confidence, 0.5), why=ACROSS) if crossed[c] else g for c, g in flat.items()
        }
        if not seen and not flat and standing.may_stand(photo, placement, camera, laid):
            return Pieces(placement, clear=False)
        if len(seen) == 1 and standing.is_plain(seen[0]):
            flat = _shaped(flat)
        if len(seen) == 1 and not flat.keys() - {seen[0].cell}:
            figure = flat.get(seen[0].cell)
            flat = {seen[0].cell: _from_above(seen[0], figure)}
            from_above = flat[seen[0].cell] is not figure
        plain = [piece.cell for piece in seen if piece.likely[-1] < standing.PRINTED]
        flat |= {cell: Guess("other", 0.3, ACROSS) for cell in plain if cell not in flat}
    upright = set_upright(placement, -turns % 4) if turns else placement
    guesses = {_turned(cell, placement, upright): guess for cell, guess in flat.items()}
    return Pieces(upright, guesses, standing=from_above, clear=squares.least < FAINTEST)


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
    return Pieces(placement, guesses, standing=True)


def _elsewhere(flat: Mapping[Cell, Guess], real: Sequence[Standing]) -> list[Cell]:
    """The figures that no real piece hides: many of them are a diagram's, of which one looks as if it stood."""
    return [
        (r, c) for r, c in flat
        if all(max(abs(r - piece.cell[0]), abs(c - piece.cell[1])) > 1 + piece.out for piece in real)
    ]  # fmt: skip


def _shaped(flat: Mapping[Cell, Guess]) -> dict[Cell, Guess]:
    """Figures without what has no shape, if that is little: beside a piece plainly seen it is a shade or a worn place,
    and on her square it is herself.
    """
    shaped = {cell: guess for cell, guess in flat.items() if guess.name != "other" or guess.confidence > SHAPELESS}
    return shaped if len(flat) - len(shaped) <= COMPANY else dict(flat)


def _from_above(piece: Standing, flat: Guess | None) -> Guess:
    """What is seen within its square: a figure, or a piece that is seen from above; on the square itself both agree."""
    guess = standing.judge(piece)
    leans = piece.out > -standing.OUT and guess.confidence < SURE
    if flat is not None and leans and sum(piece.likely[2:4]) > ANOTHER:
        return replace(guess, confidence=min(guess.confidence, 0.5), why=FROM_ABOVE)
    if flat is None or (flat.name == guess.name and flat.confidence < guess.confidence):
        return guess
    if flat.name == guess.name or (flat.confidence >= SURE and standing.chance(piece, flat.name) > PERHAPS):
        return flat
    return replace(guess, confidence=0.5, why=FROM_ABOVE, either=guess.name != "other")


def _draw(squares: Squares) -> Picture:
    """The flat board beside what stands out on it."""
    rows, cols, side, _ = squares.far.shape
    far = squares.far.swapaxes(1, 2).reshape(rows * side, cols * side)
    gray = np.clip(far * 100, 0, 255).astype(np.uint8)
    return np.hstack([squares.flat, np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), dtype=np.uint8)])
