"""What stands on a chequered board: queens, knights, or something else.

On screens and in print each piece lies within its square and its silhouette tells its kind
(:mod:`vision.chessboards.silhouettes`). On a real board a piece hides other squares and its foot counts
(:mod:`vision.chessboards.standing`); its height and its head tell queens from knights. Numbers, coordinates, dots,
arrows and coloured squares are no pieces.
"""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from vision.chessboards import squares as empty_squares
from vision.chessboards import standing
from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.silhouettes import Measures, Name, measure
from vision.chessboards.squares import Squares, filled
from vision.kind import Aids
from vision.pictures.camera_pose import pose
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement
from vision.pictures.upright import set_upright
from vision.reading import Doubt

Mask = npt.NDArray[np.bool_]

STROKE = 0.07
"""Width of strokes that are no bodies, in squares: digits, lines of a tour, cracks."""

LIMB = 0.13
"""The same where lines run in from other squares: what is thinner is taken for a line."""

LEAST_AREA = 0.1
"""Least area of a piece, of its square; pawns of small sets have 0.13, a digit 0.04."""

CLEARLY = 1.6
"""How many times the least difference that counts a thing without a shape has to differ; grain of wood differs less."""

FAINTEST = 0.25
"""How far the faintest pieces are from their square's colour, of the difference of the two colours of squares: grey
queens on black squares."""

UNEXPLAINED = 0.15
"""Part of a square that may differ from its colour without being a piece, a dot or lines."""

LEAST_HEIGHT, LEAST_WIDTH = 0.3, 0.22
"""Least size of a piece, in squares: flat crowns as icons draw them, and knights on squares wider than high."""

OFF_MIDDLE = 0.24
"""How far a piece's box may lie off the middle of its square, sideways."""

UPENDED = 0.82
"""Overlap of a symmetric mark with its upside-down self from which it is a dot or a sign: pieces have feet."""

SIDEWAYS = 0.86
"""The same for a lopsided silhouette: a symmetric piece in a picture that is turned."""

ON_ITS_SIDE = 0.6
"""Figures whose silhouettes are so much less lopsided after a quarter turn, together, lie on their side: all but
knights are symmetric as they stand."""

DOT = 0.5
"""Height of a dot at most, in squares."""

KNIGHT_LOPSIDED = (0.135, 0.16, 0.2)
"""Lopsidedness of knights: plump ones lie between the first two, and nothing else is above the third."""

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

WIDELY = 0.75
"""Points more than :data:`CROWN_POINTS` so far apart, of a piece's width, are a crown's, however thin they end."""

BROAD = 0.97
"""Width of a queen (of her height) whose crown is too small to be seen; rooks are slimmer."""

BLURRED_HEAD, BLURRED_FULL = 0.85, 0.735
"""A slim piece with this head that fills no more of its box is a queen whose points ran together; rooks fill more."""

FULL = 0.9
"""No piece fills more of its box."""

ALIKE = 0.8
"""Overlap of two silhouettes of one kind of piece on one board."""

FIRM = 0.6
"""Overlap of a piece with what of it differs :data:`CLEARLY` from its square, at least; a shape in the dark had 0.4."""

COMPANY = 3
"""So many pieces that all look like queens are queens, though none of them clearly: nothing else comes in numbers."""

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


SURE = 0.7
"""Confidence below which a guess is a doubt."""


@dataclass(frozen=True)
class Guess:
    """What stands on a square.

    Attributes:
        name: ``queen``, ``knight`` or ``other``.
        confidence: how sure, 0..1.
        why: what speaks against it, a clause for people; empty when nothing does.
    """

    name: Name
    confidence: float
    why: str = ""


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
    turns, flat = _flat(squares, placement.stretch)
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


# --- flat pieces ------------------------------------------------------------------------------------------------------


def _flat(squares: Squares, stretch: float) -> tuple[int, dict[Cell, Guess]]:
    """The figures of a diagram whose squares are ``stretch`` times as high as wide, and how they lie.

    Returns:
        The quarter turns anticlockwise that set them upright, 0..3, and the guesses.
    """
    bodies: dict[Cell, Mask] = {}
    rows, cols = squares.far.shape[:2]
    for cell in np.ndindex(rows, cols):
        body = _body(squares.mask(*cell))
        if body is not None:
            bodies[cell] = body
    turns = _turns(bodies, stretch)
    if turns is None:
        return 0, dict.fromkeys(bodies, Guess("other", 0.5, "it seems to lie on its side"))
    bodies = {cell: np.rot90(body, turns) for cell, body in bodies.items()}
    clear = {cell: filled(np.rot90(squares.clearly(cell[0], cell[1], CLEARLY), turns)) for cell in bodies}
    guesses = _judged(bodies, clear, _stretched(stretch, turns))
    for cell in np.ndindex(rows, cols):
        if cell not in bodies and _opened(squares.clearly(cell[0], cell[1], CLEARLY), STROKE).mean() > UNEXPLAINED:
            guesses[cell] = Guess("other", 0.3, "something is there that has no shape of a piece")
    if len(guesses) >= COMPANY and {guess.name for guess in guesses.values()} == {"queen"}:
        guesses = {cell: replace(guess, confidence=max(guess.confidence, 0.8)) for cell, guess in guesses.items()}
    return turns, guesses


def _judged(bodies: Mapping[Cell, Mask], clear: Mapping[Cell, Mask], stretch: float) -> dict[Cell, Guess]:
    """The guesses of upright silhouettes; one that is hard to judge is compared with the sure ones of its board.

    ``clear`` are the same squares without what hardly stands out: a dot is still one where grain clings to it.
    """
    seen = _shared(bodies, {cell: measure(body, stretch) for cell, body in bodies.items()})
    marks = {cell for cell, found in seen.items() if _is_mark(found, bodies[cell])}
    cores = {cell: _largest(_opened(mask, STROKE)) for cell, mask in clear.items()}
    marks |= {cell for cell, core in cores.items() if core.any() and _is_mark(measure(core, stretch), core)}
    guesses = {cell: judge(found) for cell, found in seen.items() if cell not in marks}
    sure = {cell: guess for cell, guess in guesses.items() if guess.confidence >= 0.9 and guess.name != "other"}
    for cell, guess in guesses.items():
        if guess.confidence >= 0.9:
            continue
        alike = [(_overlap(bodies[cell], bodies[other]), known.name) for other, known in sure.items()]
        best, name = max(alike, default=(0.0, guess.name))
        if best > ALIKE:
            guesses[cell] = Guess(name, 0.85)
    if len(guesses) < COMPANY:  # Nothing to compare with: the outline of what hardly stands out may be anything.
        faint = {c for c in guesses if _overlap(bodies[c], _largest(clear[c].astype(np.uint8))) < FIRM}
        guesses |= {c: Guess(guesses[c].name, 0.5, "it hardly stands out from its square") for c in faint}
    return guesses


def _shared(bodies: Mapping[Cell, Mask], seen: Mapping[Cell, Measures]) -> dict[Cell, Measures]:
    """The measures, where several silhouettes are alike their medians: a small one has lost a point, or won one."""
    shared = {}
    for cell, body in bodies.items():
        alike = [astuple(seen[other]) for other in bodies if other == cell or _overlap(body, bodies[other]) > ALIKE]
        shared[cell] = Measures(*np.median(alike, axis=0).tolist())
    return shared


def _turns(bodies: Mapping[Cell, Mask], stretch: float) -> int | None:
    """How many quarter turns anticlockwise set figures upright, 0..3; None where they lie on a side and show no crowns.

    Only a crown tells top from bottom, and only symmetry tells a queen on her side from a rook that stands.
    """
    turned = [{cell: np.rot90(body, k) for cell, body in bodies.items()} for k in range(4)]
    views = [_view(turned[k], _stretched(stretch, k)) for k in range(4)]
    lopsided = [sum(seen.lopsided for seen in view) for view in views]
    on_side = lopsided[1] < ON_ITS_SIDE * lopsided[0]
    for k in (1, 3) if on_side else (0, 2):
        guesses = [judge(seen) for seen in views[k]]
        crowns = sum(guess.name == "queen" and guess.confidence > SURE for guess in guesses)
        enough = bool(crowns and 2 * crowns >= len(guesses)) or len(guesses) >= COMPANY
        if enough and all(guess.name == "queen" for guess in guesses):
            return k
    if on_side:
        return None
    # A knight differs from his mirror image whichever way he lies, and has a knight's width as he stands.
    lopsided_anyway = bool(views[0]) and all(seen.lopsided > KNIGHT_LOPSIDED[1] for view in views for seen in view)
    knights = [[judge(seen).name == "knight" for seen in view] for view in views]
    return 1 if lopsided_anyway and all(knights[1]) and not any(knights[0]) else 0


def _view(bodies: Mapping[Cell, Mask], stretch: float) -> list[Measures]:
    """The measures of what may be figures, those alike shared."""
    seen = _shared(bodies, {cell: measure(body, stretch) for cell, body in bodies.items()})
    return [found for cell, found in seen.items() if not _is_mark(found, bodies[cell])]


def _stretched(stretch: float, turns: int) -> float:
    """The height of a square over its width after so many quarter turns."""
    return 1 / stretch if turns % 2 else stretch


def _body(mask: Mask) -> Mask | None:
    """The body of the piece on a square, filled and without strokes; None where there is none."""
    side = mask.shape[0]
    whole = filled(mask)
    solid = _opened(whole, STROKE)
    edge = round((empty_squares.SLACK + 0.02) * side)
    lined = bool(solid[:edge].any() or solid[-edge:].any() or solid[:, :edge].any() or solid[:, -edge:].any())
    if lined:
        # Lines run in from other squares: only what is thick counts, and what is near to it.
        core = _opened(whole, LIMB)
        reach = round(2 * LIMB * side) // 2 * 2 + 1
        solid &= np.asarray(cv2.dilate(core, np.ones((reach, reach), np.uint8)), dtype=np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=8)
    if count < 2:
        return None
    best = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    left, _, width, height, area = (int(v) for v in stats[best])
    body = np.asarray(labels == best)
    if area < LEAST_AREA * side**2 or height < LEAST_HEIGHT * side or width < LEAST_WIDTH * side:
        return None
    if abs(left + width / 2 - side / 2) > OFF_MIDDLE * side:
        return None
    return body if lined else _with_points(body, whole)


def _with_points(body: Mask, whole: Mask) -> Mask:
    """The body with the points of a crown that opening cost it: what is near and was there, and hangs together with it.

    Balls may float above their crown. What is near its side is a coordinate.
    """
    reach = round(2 * STROKE * body.shape[0]) // 2 * 2 + 1
    near = cv2.dilate(body.astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0
    count, labels, _, centres = cv2.connectedComponentsWithStats((near & whole).astype(np.uint8), connectivity=8)
    kept = np.zeros(count, dtype=bool)
    kept[np.unique(labels[body])] = True
    across = np.nonzero(body.any(axis=0))[0]
    kept |= (centres[:, 0] >= across[0]) & (centres[:, 0] <= across[-1])
    kept[0] = False
    return np.asarray(body | kept[labels])


def _opened(mask: Mask, width: float) -> npt.NDArray[np.uint8]:
    """The mask without what is thinner than ``width`` of a square."""
    across = max(2, round(width * mask.shape[0]))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel), dtype=np.uint8)


def _overlap(one: Mask, other: Mask) -> float:
    """The common part of two silhouettes on their squares."""
    return float((one & other).sum() / (one | other).sum())


def _is_mark(seen: Measures, body: Mask) -> bool:
    """Whether a silhouette is a dot, a ring or a sign: low, and the same upside down."""
    low = np.ptp(np.nonzero(body.any(axis=1))[0]) < DOT * body.shape[0]
    return bool(low and seen.upended > UPENDED and seen.lopsided < 0.15)


def _largest(mask: npt.NDArray[np.uint8]) -> Mask:
    """The largest connected part of a mask."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    return np.asarray(labels == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())) if len(stats) > 1 else mask > 0


def judge(seen: Measures) -> Guess:
    """Queen, knight or another piece, by the measures of a silhouette."""
    guess = _as_knight(seen)
    wide = seen.head > CROWN_HEAD and seen.brow > CROWN_BROW
    pointed = seen.gap > DEEP_GAP and seen.points >= DEEP_POINTS and seen.head > DEEP_HEAD
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
    plump = 0.5 < seen.head < CROWN_HEAD and seen.upended < UPENDED and seen.aspect > 0.85
    return Guess("knight", SURE) if plump and least < seen.lopsided <= low else None


def _as_queen(seen: Measures) -> Guess | None:
    """A queen, if this wide head is a crown."""
    if seen.full > FULL:
        return None
    if _crowned(seen):
        return Guess("queen", 0.95)
    if seen.aspect > BROAD:
        return Guess("queen", 0.75 if seen.points > 1 else 0.6, "its crown is hard to see")
    if seen.head > BLURRED_HEAD and seen.full < BLURRED_FULL:
        return Guess("queen", 0.6, "its crown is hard to see")
    return None


def _crowned(seen: Measures) -> bool:
    """Whether a piece has the points of a crown."""
    return seen.gap > CROWN_GAP or seen.points >= CROWN_POINTS


def _draw(squares: Squares) -> Picture:
    """The flat board beside what stands out on it."""
    rows, cols, side, _ = squares.far.shape
    far = squares.far.swapaxes(1, 2).reshape(rows * side, cols * side)
    gray = np.clip(far * 100, 0, 255).astype(np.uint8)
    return np.hstack([squares.flat, np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), dtype=np.uint8)])
