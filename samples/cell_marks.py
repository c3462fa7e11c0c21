"""What may stand on a cell, drawn in one hand a board, and how the cells themselves look.

A *hand* is chosen once a board: the face of its numbers, its set of chess pieces, the colours and sizes. Each of its
marks is drawn into a box and has a name of :data:`vision.cells.reader.MARKS`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from samples import chess_pieces, fonts, region_marks
from samples.canvas import Canvas, Points, Type, circle_outline, closed, rounded_outline
from samples.chess_sets import ChessSet, Stamp, installed
from samples.textures import Bgr
from vision.cells.reader import Mark

OTHERS = ("king", "rook", "bishop", "pawn")

LETTERS = "ABCDEFGHIJKLMOPRSTUVWXYZ"
"""Letters that name nothing here: Q and N would be queen and knight."""

SIGNS = "♠♣♥♦★☆☂☃☎☠☢☮☯☺☼♂♀♪♫⚑⚐⚓⚙⚡✈✉✿❄❤●◆▲▼◀▶■□△▽→←↑↓↖↗↘↙⬤≈∿"
"""Signs of other games; the faces of :mod:`samples.chess_sets` have most of them."""

BADGES: dict[Mark, list[tuple[float, float]]] = {
    "square": [(0.3, 0.3)],
    "tall": [(0.24, 0.34)],
    "wide": [(0.34, 0.24)],
    "any": [(0.36, 0.25), (0.25, 0.36)],
}


IN_CORNERS = 0.15
"""Part of the hands that write numbers into a corner of their cells."""

TO_CORNER = 0.12, 0.34
"""How far from the middle they stand there, each way, in cells."""

RIM = 0.03
"""What stays free of a number at the sides of its cell, of its side."""


def colour(rng: np.random.Generator) -> Bgr:
    """Any colour, greys as often as not."""
    if rng.random() < 0.5:
        gray = int(rng.choice([0, 20, 60, 128, 200, 240, 255]))
        return gray, gray, gray
    blue, green, red = (int(v) for v in rng.integers(0, 256, 3))
    return blue, green, red


def mixed(one: npt.ArrayLike, other: npt.ArrayLike, share: float) -> Bgr:
    """The colour that lies ``share`` of the way from one to the other."""
    blue, green, red = (round(v) for v in np.asarray(one, float) * (1 - share) + np.asarray(other, float) * share)
    return blue, green, red


@dataclass(frozen=True)
class Box:
    """Where a cell lies on the canvas, in pixels, and the colour of its ground."""

    left: float
    top: float
    side: float
    ground: Bgr

    @property
    def middle(self) -> Points:
        """Its middle."""
        return np.array([self.left + self.side / 2, self.top + self.side / 2])


@dataclass(frozen=True)
class Hand:
    """How one board's marks are drawn.

    Attributes:
        rng: decides what a style leaves open.
        chess: its set of pieces; None for drawn shapes.
        sets: where sets are installed.
        off: of its numbers from the middles of their cells, right and down, in cells: some write into a corner.
    """

    rng: np.random.Generator
    folder: Path
    chess: ChessSet | None
    family: str
    height: float
    weight: float
    size: float
    contrast: float
    white: bool
    style: str
    queen: str
    cross: str
    frame: str
    badge: float
    accent: Bgr
    off: tuple[float, float]
    letters: str = field(default=LETTERS)

    def ink(self, box: Box) -> Bgr:
        """A colour that is seen on the cell's ground, as strongly as this hand writes."""
        strong = (255, 255, 255) if sum(box.ground) < 330 else (10, 10, 10)
        return mixed(box.ground, strong, self.contrast)


def random_hand(rng: np.random.Generator, folder: Path, left_out: Sequence[str] = ()) -> Hand:
    """A hand; sets whose names begin with one that is left out are not used."""
    sets = [one for one in installed(folder) if not one.name.startswith(tuple(left_out) or ("-",))]
    own = not sets or rng.random() < 0.15
    return Hand(
        rng, folder,
        chess=None if own else sets[int(rng.integers(len(sets)))],
        family=str(rng.choice([*fonts.families(), fonts.BUILTIN])),
        height=float(rng.uniform(0.16, 0.34) if rng.random() < 0.25 else rng.uniform(0.34, 0.7)),
        weight=float(rng.choice([0.0, 0.0, 0.03, 0.06])),
        size=float(rng.choice([rng.uniform(0.4, 0.7), *rng.uniform(0.7, 1.0, 4), rng.uniform(1.0, 1.4)])),
        contrast=float(1.0 if rng.random() < 0.5 else rng.uniform(0.25, 1.0)),
        white=bool(rng.random() < 0.5),
        style=str(rng.choice(list(chess_pieces.QUEENS))),
        queen=str(rng.choice(region_marks.QUEENS)),
        cross=str(rng.choice(region_marks.CROSSES)),
        frame=str(rng.choice(["none", "none", "none", "circle", "disc", "box"])),
        badge=float(rng.uniform(0.85, 1.15)),
        accent=colour(rng),
        off=_corner(rng) if rng.random() < IN_CORNERS else (0.0, 0.0),
    )  # fmt: skip


def _corner(rng: np.random.Generator) -> tuple[float, float]:
    """From the middle of a cell towards one of its corners, mostly its first one."""
    right, down = (int(sign) for sign in rng.choice([-1, 1], 2, p=[0.75, 0.25]))
    return right * float(rng.uniform(*TO_CORNER)), down * float(rng.uniform(*TO_CORNER))


# --- stamps -----------------------------------------------------------------------------------------------------------


def _press(canvas: Canvas, stamp: Stamp, middle: Points, size: float, ink: Bgr | None) -> None:
    """Put a stamp ``size`` pixels wide onto the canvas, in its own colours or in one."""
    side = max(4, round(size))
    small = cv2.resize(stamp, (side, side), interpolation=cv2.INTER_AREA)
    left, top = round(middle[0] - side / 2), round(middle[1] - side / 2)
    height, width = canvas.picture.shape[:2]
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + side, width), min(top + side, height)
    if x0 >= x1 or y0 >= y1:
        return
    part = small[y0 - top : y1 - top, x0 - left : x1 - left].astype(np.float32)
    cover = part[..., 3:] / 255
    under = canvas.picture[y0:y1, x0:x1]
    over = part[..., :3] if ink is None else np.asarray(ink, np.float32)
    canvas.picture[y0:y1, x0:x1] = (under * (1 - cover) + over * cover + 0.5).astype(np.uint8)


def chessman(hand: Hand, canvas: Canvas, box: Box, name: str, size: float | None = None) -> None:
    """A chess piece, light or dark as its side is."""
    rng, size = hand.rng, size or hand.size
    dark = bool(rng.random() < 0.85) != hand.white
    if hand.chess is None:
        body, edge = ((35, 35, 38), (235, 235, 235)) if dark else ((250, 250, 250), (25, 25, 25))
        dress = chess_pieces.Dress(hand.style, body, edge, 0.025, size)
        edges = (box.left, box.top, box.left + box.side, box.top + box.side)
        chess_pieces.draw(canvas, name, edges, dress)
        return
    stamp = hand.chess.stamps[name, dark]
    face = hand.chess.name.endswith("face")
    middle = box.middle + rng.normal(0, 0.01, 2) * box.side
    if face and not dark and rng.random() < 0.4:
        # Programs that draw with a face lay the solid sign in white below the outlined one.
        _press(canvas, hand.chess.stamps[name, True], middle, size * box.side, (250, 250, 250))
    _press(canvas, stamp, middle, size * box.side, (_visible(hand, box) if face else None))


def _visible(hand: Hand, box: Box) -> Bgr:
    """Black or the accent, where that is seen on the ground, else what is."""
    for ink in ((10, 10, 10), hand.accent):
        if np.abs(np.subtract(ink, box.ground)).max() > 70:
            return ink
    return hand.ink(box)


# --- marks ------------------------------------------------------------------------------------------------------------


def queen(hand: Hand, canvas: Canvas, box: Box) -> None:
    """A queen of the hand's set, a crown or a star as the game with regions has them, or the letter."""
    turn = hand.rng.random()
    if hand.queen in {"star", "tree"} or turn < 0.3:
        sheet = region_marks.Sheet(canvas, 0.0, box.side)
        size = float(np.clip(hand.size, 0.35, 0.8)) * box.side
        region_marks.QUEEN_DRAWERS[hand.queen](sheet, box.middle, size, hand.ink(box))
    else:
        chessman(hand, canvas, box, "queen")


def letter_queen(hand: Hand, canvas: Canvas, box: Box) -> None:
    """The letter Q, as consoles print it."""
    canvas.words(box.middle, "Q", max(0.4, hand.height) * 1.3 * box.side, hand.ink(box), hand.family)


def knight(hand: Hand, canvas: Canvas, box: Box) -> None:
    """A knight."""
    chessman(hand, canvas, box, "knight")


def piece(hand: Hand, canvas: Canvas, box: Box) -> None:
    """Any other chess piece."""
    chessman(hand, canvas, box, str(hand.rng.choice(OTHERS)))


def number(hand: Hand, canvas: Canvas, box: Box) -> None:
    """A number of one to three digits, in a frame where the hand has one."""
    text = str(hand.rng.integers(0, int(hand.rng.choice([10, 10, 65, 100, 2049]))))
    ink, paint = hand.ink(box), hand.accent
    reach = (0.43 if hand.frame == "box" else 0.4) * box.side
    if hand.frame == "circle":
        canvas.line(closed(circle_outline(box.middle, reach)), 0.035 * box.side, ink)
    elif hand.frame == "disc":
        canvas.disc(box.middle, reach, paint)
    elif hand.frame == "box":
        edges = (box.middle[0] - reach, box.middle[1] - reach, box.middle[0] + reach, box.middle[1] + reach)
        canvas.rounded(edges, 0.15 * box.side, paint)
    if hand.frame in {"disc", "box"}:
        ink = (255, 255, 255) if sum(paint) < 400 else (20, 20, 20)
    off = np.array(hand.off) if hand.frame == "none" else np.zeros(2)
    height = min(hand.height * (1.0, 0.9, 0.65, 0.5)[len(text) - 1], 1 - 2 * (RIM + abs(float(off[1]))))
    wide = 0.6 * height * len(text)
    off[0] = np.sign(off[0]) * min(abs(off[0]), 0.5 - RIM - wide / 2)
    off = (off + hand.rng.normal(0, 0.02, 2)) * box.side
    canvas.digits(box.middle + off, text, Type(hand.family, height * box.side, hand.weight), ink)


def badge(hand: Hand, canvas: Canvas, box: Box, shape: Mark) -> None:
    """A badge of one shape; ``blank`` is one of any shape without its number."""
    rng = hand.rng
    paint = colour(rng) if rng.random() < 0.7 else hand.accent
    while np.abs(np.subtract(paint, box.ground)).max() < 50:
        paint = colour(rng)
    drawn = str(rng.choice([*BADGES, "any"])) if shape == "blank" else shape
    opaque, dashed = float(rng.choice([0.72, rng.uniform(0.5, 1.0)])) if drawn == "any" else 1.0, rng.random() < 0.3
    stretch, radius = rng.uniform(0.92, 1.08), float(rng.uniform(0.03, 0.14)) * box.side
    for half_w, half_h in BADGES[drawn]:  # type: ignore[index]
        longer = stretch if half_w > half_h else 1 / stretch if half_w < half_h else 1.0
        half = np.array([half_w * longer, half_h / longer]) * hand.badge * box.side
        edges = (*(box.middle - half), *(box.middle + half))
        canvas.rounded(edges, radius, paint, opaque)
        if drawn == "any" and dashed:
            outline = closed(rounded_outline(edges, radius))
            for k in range(0, len(outline) - 1, 2):
                canvas.line(outline[k : k + 2], 0.02 * box.side, mixed(paint, (20, 20, 20), 0.4))
    if shape != "blank":
        ink = (255, 255, 255) if sum(paint) < 480 else (20, 20, 20)
        height, weight = float(np.clip(hand.height, 0.24, 0.45)) * box.side, float(rng.choice([0.0, 0.04, 0.06]))
        text = str(rng.integers(1, 10) if rng.random() < 0.5 else rng.integers(1, 25))
        canvas.digits(box.middle, text, Type(hand.family, height, weight), ink)


NOTES = (*["cross"] * 3, "dot", "dot", "ring", "tick", "pointer", "pointer", "sign", "disc", "count", "dashes")
"""Sorts of notes, drawn with equal chances."""


def note(hand: Hand, canvas: Canvas, box: Box) -> None:
    """A small mark of the player's or the program's: a cross, a dot, a ring, a tick, a pointer, a faint disc, a small
    count in a frame, a part of a dashed way.
    """
    rng, side, ink = hand.rng, box.side, hand.ink(box)
    sort = str(rng.choice(NOTES))
    middle = box.middle + rng.normal(0, 0.02, 2) * side
    if sort == "cross":
        reach = float(rng.choice([rng.uniform(0.07, 0.2), rng.uniform(0.2, 0.36)])) * side
        red = mixed(ink, (40, 40, 220), float(rng.choice([0, 0, 0.8])))
        for sign in (1, -1):
            ends = np.array([(-reach, -sign * reach), (reach, sign * reach)])
            canvas.line(middle + ends, float(rng.uniform(0.03, 0.09)) * side, red)
    elif sort == "dot":
        canvas.disc(
            middle, float(rng.uniform(0.05, 0.2)) * side, mixed(ink, hand.accent, 0.3), float(rng.uniform(0.3, 1))
        )
    elif sort == "ring":
        reach = float(rng.uniform(0.12, 0.47)) * side
        canvas.line(closed(circle_outline(middle, reach)), float(rng.uniform(0.03, 0.08)) * side, ink)
    elif sort == "tick":
        ends = np.array([(-0.16, 0.02), (-0.04, 0.14), (0.18, -0.14)]) * float(rng.uniform(0.6, 1.4)) * side
        canvas.line(middle + ends, float(rng.uniform(0.04, 0.09)) * side, mixed(ink, (80, 160, 30), 0.5))
    elif sort == "pointer":
        pointer(hand, canvas, middle + rng.uniform(-0.4, 0.1, 2) * side, side * float(rng.uniform(0.6, 1.1)))
    elif sort == "disc":
        canvas.disc(middle, float(rng.uniform(0.2, 0.42)) * side, mixed(ink, hand.accent, 0.5), rng.uniform(0.12, 0.35))
    elif sort == "count":
        reach, faint = float(rng.uniform(0.12, 0.2)) * side, mixed(box.ground, ink, float(rng.uniform(0.15, 0.5)))
        edges = rounded_outline((*(middle - reach), *(middle + reach)), 0.3 * reach)
        canvas.line(closed(edges), 0.025 * side, faint)
        canvas.digits(middle, str(rng.integers(1, 25)), Type(hand.family, 0.9 * reach), faint)
    elif sort == "dashes":
        turn = float(rng.uniform(0, 2 * np.pi))
        way = np.array([np.cos(turn), np.sin(turn)]) * side
        for start in np.arange(-0.5, float(rng.uniform(-0.1, 0.5)), 0.14):
            canvas.line([middle + start * way, middle + (start + 0.08) * way], 0.03 * side, ink)
    else:
        canvas.words(middle, str(rng.choice(list("x×✕✗·•✓?"))), float(rng.uniform(0.3, 0.7)) * side, ink, "sans")


def pointer(hand: Hand, canvas: Canvas, tip: Points, side: float) -> Points:
    """A mouse pointer; returns its outline, ``(N, 2)`` in pixels."""
    outline: Points = tip + np.array(region_marks.POINTER) * side
    white, black = (255, 255, 255), (0, 0, 0)
    canvas.fill(outline, black if hand.rng.random() < 0.5 else white)
    canvas.line(closed(outline), 0.03 * side, white if hand.rng.random() < 0.5 else black)
    return outline


def other(hand: Hand, canvas: Canvas, box: Box) -> None:
    """Something that no board here has: a letter, a man of draughts, a ship, a mine, an arrow, many digits."""
    rng = hand.rng
    others: list[Callable[[Hand, Canvas, Box], None]] = [
        *[letter] * 6, word, shape, shape, draughtsman, draughtsman, ship, mine, sign, arrow, split, small_digits, blob,
        face, wall,
    ]  # fmt: skip
    others[int(rng.integers(len(others)))](hand, canvas, box)


def letter(hand: Hand, canvas: Canvas, box: Box) -> None:
    """One letter; at times a number stands in a corner, as in crosswords."""
    if hand.rng.random() < IN_CORNERS:
        at = np.array([box.left, box.top]) + hand.rng.uniform(0.14, 0.2, 2) * box.side
        text = str(hand.rng.integers(1, 40))
        canvas.digits(at, text, Type(hand.family, float(hand.rng.uniform(0.18, 0.26)) * box.side), hand.ink(box))
    size = max(0.3, hand.height) * float(hand.rng.uniform(1.1, 1.6))
    text = str(hand.rng.choice(list(hand.letters)))
    canvas.words(
        box.middle, text if hand.rng.random() < 0.8 else text.lower(), size * box.side, hand.ink(box), hand.family
    )


def word(hand: Hand, canvas: Canvas, box: Box) -> None:
    """A few letters."""
    text = "".join(hand.rng.choice(list(hand.letters), int(hand.rng.integers(2, 6))))
    canvas.words(box.middle, text, float(hand.rng.uniform(0.2, 0.34)) * box.side, hand.ink(box), hand.family)


def draughtsman(hand: Hand, canvas: Canvas, box: Box) -> None:
    """A man of draughts, of reversi or go: a large disc, its edge and rings."""
    rng = hand.rng
    paint = hand.accent if rng.random() < 0.5 else ((20, 20, 20) if rng.random() < 0.5 else (245, 245, 245))
    if np.abs(np.subtract(paint, box.ground)).max() < 40:
        paint = hand.ink(box)
    reach = float(rng.uniform(0.28, 0.47)) * box.side
    canvas.disc(box.middle, reach, paint)
    edge = mixed(paint, (255, 255, 255) if sum(paint) < 380 else (0, 0, 0), float(rng.uniform(0.1, 1.0)))
    for share in rng.choice([1.0, 0.75, 0.5], int(rng.integers(0, 3)), replace=False):
        canvas.line(closed(circle_outline(box.middle, share * reach)), 0.03 * box.side, edge)


def ship(hand: Hand, canvas: Canvas, box: Box) -> None:
    """A part of a battleship: an end, a middle or a boat."""
    rng, side = hand.rng, box.side
    reach, ink = float(rng.uniform(0.32, 0.46)) * side, hand.ink(box)
    outline = circle_outline(box.middle, reach)
    sort = int(rng.integers(3))
    if sort == 1:  # an end: half a disc and half a square
        turn = int(rng.integers(4))
        square = box.middle + np.array([(-reach, 0), (reach, 0), (reach, reach), (-reach, reach)])
        square = box.middle + (square - box.middle) @ _QUARTERS[turn]
        canvas.fill(square, ink)
    elif sort == 2:
        outline = box.middle + reach * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    canvas.fill(outline, ink)


_QUARTERS = [
    np.array(((1, 0), (0, 1))),
    np.array(((0, 1), (-1, 0))),
    np.array(((-1, 0), (0, -1))),
    np.array(((0, -1), (1, 0))),
]


def mine(hand: Hand, canvas: Canvas, box: Box) -> None:
    """A mine, or a flag."""
    rng, side = hand.rng, box.side
    if rng.random() < 0.5:
        flag = box.middle + np.array([(-0.05, -0.3), (0.25, -0.15), (-0.05, 0.0)]) * side
        canvas.fill(flag, (40, 40, 220))
        canvas.line(box.middle + np.array([(-0.05, -0.32), (-0.05, 0.3)]) * side, 0.05 * side, hand.ink(box))
        return
    canvas.disc(box.middle, 0.22 * side, hand.ink(box))
    for turn in np.arange(4) * np.pi / 4:
        way = np.array([np.cos(turn), np.sin(turn)]) * 0.34 * side
        canvas.line([box.middle - way, box.middle + way], 0.05 * side, hand.ink(box))
    canvas.disc(box.middle - 0.07 * side, 0.05 * side, (250, 250, 250))


def sign(hand: Hand, canvas: Canvas, box: Box) -> None:
    """A sign of Unicode: a suit, a heart, a star, an anchor."""
    ink = hand.accent if np.abs(np.subtract(hand.accent, box.ground)).max() > 80 else hand.ink(box)
    text = str(hand.rng.choice(list(SIGNS)))
    canvas.words(box.middle, text, float(hand.rng.uniform(0.6, 1.0)) * box.side, ink, "sans")


def arrow(hand: Hand, canvas: Canvas, box: Box) -> None:
    """An arrow in one of eight directions, or a line that goes through."""
    rng, side = hand.rng, box.side
    turn = float(rng.integers(8)) * np.pi / 4
    way, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    width = float(rng.uniform(0.06, 0.14)) * side
    reach = float(rng.choice([0.3, 0.55])) * side
    canvas.line([box.middle - reach * way, box.middle + reach * way], width, hand.ink(box))
    if reach < 0.5 * side:
        tip = box.middle + reach * way
        canvas.fill([tip + 0.12 * side * way, tip + 0.2 * side * across - 0.1 * side * way,
                     tip - 0.2 * side * across - 0.1 * side * way], hand.ink(box))  # fmt: skip


def split(hand: Hand, canvas: Canvas, box: Box) -> None:
    """A cell of Kakuro: a diagonal and sums."""
    corner = np.array([box.left, box.top])
    ink = hand.ink(box)
    canvas.line([corner, corner + box.side], 0.03 * box.side, ink)
    for x, y in ((0.68, 0.3), (0.3, 0.7))[: int(hand.rng.integers(1, 3))]:
        text = str(hand.rng.integers(3, 35))
        canvas.digits(corner + np.array([x, y]) * box.side, text, Type(hand.family, 0.26 * box.side), ink)


def small_digits(hand: Hand, canvas: Canvas, box: Box) -> None:
    """Candidates of Sudoku: small digits in three rows, or two sums one above the other."""
    corner, ink = np.array([box.left, box.top]), hand.ink(box)
    chosen = hand.rng.random(9) < hand.rng.uniform(0.3, 0.9)
    chosen[:2] = True
    for digit in np.flatnonzero(chosen):
        at = corner + (np.array([digit % 3, digit // 3]) + 0.5) / 3 * box.side
        canvas.digits(at, str(digit + 1), Type(hand.family, 0.19 * box.side), ink)


def shape(hand: Hand, canvas: Canvas, box: Box) -> None:
    """A triangle, a diamond, a hexagon, filled or not."""
    rng = hand.rng
    corners = int(rng.choice([3, 3, 4, 6]))
    turns = (np.arange(corners) / corners + float(rng.choice([0, 0.25, 0.5]))) * 2 * np.pi
    outline = box.middle + float(rng.uniform(0.25, 0.46)) * box.side * np.column_stack([np.sin(turns), -np.cos(turns)])
    if rng.random() < 0.7:
        canvas.fill(outline, hand.ink(box))
    else:
        canvas.line(closed(outline), float(rng.uniform(0.04, 0.1)) * box.side, hand.ink(box))


def blob(hand: Hand, canvas: Canvas, box: Box) -> None:
    """A shape of no name."""
    rng = hand.rng
    turns = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(5, 12))))
    reach = rng.uniform(0.12, 0.45, len(turns))[:, None] * box.side
    canvas.fill(box.middle + reach * np.column_stack([np.cos(turns), np.sin(turns)]), hand.ink(box))


def face(hand: Hand, canvas: Canvas, box: Box) -> None:
    """A face, or a sweet: a coloured disc with parts."""
    rng, side = hand.rng, box.side
    paint = colour(rng)
    canvas.disc(box.middle, float(rng.uniform(0.25, 0.42)) * side, paint)
    for x, y in ((-0.12, -0.08), (0.12, -0.08)):
        canvas.disc(box.middle + np.array([x, y]) * side, 0.05 * side, (20, 20, 20))
    turns = np.linspace(0.2, np.pi - 0.2, 8)
    canvas.line(box.middle + 0.2 * side * np.column_stack([np.cos(turns), np.sin(turns)]), 0.04 * side, (20, 20, 20))


def wall(hand: Hand, canvas: Canvas, box: Box) -> None:
    """A bridge, a rail or a pipe: lines from the middle to some sides."""
    rng, side = hand.rng, box.side
    ways = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])[rng.permutation(4)[: int(rng.integers(2, 4))]]
    width = float(rng.uniform(0.05, 0.2)) * side
    for way in ways:
        canvas.line([box.middle, box.middle + 0.5 * side * way], width, hand.ink(box))


DRAWERS: dict[Mark, Callable[[Hand, Canvas, Box], None]] = {
    "number": number,
    "queen": queen,
    "knight": knight,
    "piece": piece,
    "note": note,
    "something else": other,
    **{shape: (lambda hand, canvas, box, shape=shape: badge(hand, canvas, box, shape))  # type: ignore[misc]
       for shape in ("square", "tall", "wide", "any", "blank")},
}  # fmt: skip
"""By name of the mark."""
