"""Queen, knight or another piece, by the measures of a silhouette (:mod:`vision.chessboards.silhouettes`)."""

from dataclasses import dataclass

from vision.chessboards.silhouettes import Measures, Name

SIDEWAYS = 0.86
"""Overlap of a lopsided silhouette with its upside-down self from which it is a symmetric piece on its side."""

KNIGHT_LOPSIDED = (0.135, 0.16, 0.2)
"""Lopsidedness of knights: plump ones lie between the first two, and nothing else is above the third."""

LEGGED = 0.82
"""Overlap of a plump knight with his upside-down self at most: pieces have feet."""

KNIGHT_ASPECT = 1.3
"""Width of a knight at most, of his height."""

CROWN_HEAD, CROWN_BROW, CROWN_ASPECT = 0.74, 0.33, 0.72
"""Least widths of a crown a fifth and a tenth below its top (of the piece's; a king's cross has 0.25 there), and of a
queen (of her height)."""

CROWN_GAP, CROWN_POINTS = 0.13, 4
"""Depth of gaps, or number of points, that only a crown has: a rook's battlements have 0.1 and 3."""

DEEP_GAP, DEEP_POINTS, DEEP_HEAD = 0.17, 3, 0.58
"""Gaps so deep between so many points make a crown of a head that is no wider a fifth below its top: its middle point
stands above the others."""

DEEPEST_GAP = 0.3
"""Gaps from which on no width is asked of a head: balls on thin stalks spread above the fifth where it is measured."""

WIDELY = 0.75
"""Points more than :data:`CROWN_POINTS` so far apart, of a piece's width, are a crown's, however thin they end."""

BROAD = 0.97
"""Width of a queen (of her height) whose crown is too small to be seen; rooks are slimmer."""

BLURRED_HEAD, BLURRED_FULL = 0.85, 0.735
"""A slim piece with this head that fills no more of its box is a queen whose points ran together; rooks fill more."""

FOOTED = 0.68
"""Overlap of such a slim piece with its upside-down self, at least: a queen's foot is nearly as wide as her crown;
pawns and bishops upside down, whose feet look like her head, have 0.64 and less."""

FULL = 0.9
"""No piece fills more of its box."""

SURE = 0.7
"""Confidence below which a guess is a doubt."""


@dataclass(frozen=True)
class Guess:
    """What stands on a square.

    Attributes:
        name: ``queen``, ``knight`` or ``other``.
        confidence: how sure, 0..1.
        why: what speaks against it, a clause for people; empty when nothing does.
        either: whether it is a queen or a knight, and only which of them is in doubt.
    """

    name: Name
    confidence: float
    why: str = ""
    either: bool = False


def judge(seen: Measures) -> Guess:
    """Queen, knight or another piece, by the measures of a silhouette."""
    guess = _as_knight(seen)
    wide = seen.head > CROWN_HEAD and seen.brow > CROWN_BROW
    pointed = seen.gap > DEEP_GAP and seen.points >= DEEP_POINTS and seen.head > DEEP_HEAD
    pointed |= seen.gap > DEEPEST_GAP and seen.points >= DEEP_POINTS
    pointed |= seen.points > CROWN_POINTS and seen.spread > WIDELY
    shaped = seen.lopsided < KNIGHT_LOPSIDED[2] and seen.upended < SIDEWAYS and seen.aspect > CROWN_ASPECT
    if guess is None and (wide or pointed) and shaped:
        guess = _as_queen(seen)
    return guess or Guess("other", 0.85, "it is neither a queen nor a knight")


def _as_knight(seen: Measures) -> Guess | None:
    """A knight, or something as lopsided that is none; None for symmetric pieces."""
    least, low, high = KNIGHT_LOPSIDED
    if seen.lopsided > low and seen.full < FULL and seen.aspect < KNIGHT_ASPECT:
        if seen.upended > SIDEWAYS or _crowned(seen):
            return Guess("other", 0.5, "it is lopsided like a knight and has points like a crown, or lies on its side")
        return Guess("knight", 0.95 if seen.lopsided > high else 0.75)
    plump = 0.5 < seen.head < CROWN_HEAD and seen.upended < LEGGED and seen.aspect > 0.85
    return Guess("knight", SURE) if plump and least < seen.lopsided <= low else None


def _as_queen(seen: Measures) -> Guess | None:
    """A queen, if this wide head is a crown."""
    if seen.full > FULL:
        return None
    if _crowned(seen):
        return Guess("queen", 0.95)
    if seen.aspect > BROAD:
        return Guess("queen", 0.75 if seen.points > 1 else 0.6, "its crown is hard to see")
    if seen.head > BLURRED_HEAD and seen.full < BLURRED_FULL and seen.upended > FOOTED:
        return Guess("queen", 0.6, "its crown is hard to see")
    return None


def _crowned(seen: Measures) -> bool:
    """Whether a piece has the points of a crown."""
    return seen.gap > CROWN_GAP or seen.points >= CROWN_POINTS
