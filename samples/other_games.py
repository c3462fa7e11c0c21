"""Boards of games that are none of ours: nothing of them may be called solved.

Sudoku, Minesweeper, 2048, crosswords, draughts, finished knight's tours, Battleships, calendars and keyboards, on
screens of all sizes, in the looks that such games have, some of them photographed.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from samples import chess, nothing, phone
from samples.camera import photograph, random_shot
from samples.canvas import Canvas, Type
from samples.cell_marks import Box, Hand, draughtsman, mine, mixed, random_hand, ship
from samples.sample import Sample
from samples.textures import Bgr
from solvers.board import Cell

PHOTOS = 0.2
"""Part of the boards that are photographed."""

NO_SETS = Path("none")


@dataclass(frozen=True, eq=False)
class Board:
    """A board that is being drawn: its page, where its cells lie, and the hand that draws."""

    canvas: Canvas
    hand: Hand
    rows: int
    cols: int
    left: float
    top: float
    side: float
    page: Bgr
    ink: Bgr

    def box(self, cell: Cell, ground: Bgr | None = None) -> Box:
        """The place of a cell."""
        r, c = cell
        return Box(self.left + c * self.side, self.top + r * self.side, self.side, ground or self.page)

    def fill(self, cell: Cell, colour: Bgr, inset: float = 0.0, radius: float = 0.0) -> Box:
        """Colour a cell."""
        box = self.box(cell, colour)
        room = inset * self.side
        edges = (box.left + room, box.top + room, box.left + self.side - room, box.top + self.side - room)
        self.canvas.rounded(edges, radius * self.side, colour)
        return box

    def ruled(self, width: float = 0.03, every: int = 0, heavy: float = 0.09) -> None:
        """Lines between all cells, heavier ones around each ``every`` of them."""
        for count, across in ((self.rows, True), (self.cols, False)):
            for k in range(count + 1):
                ends = [(0, k), (self.cols, k)] if across else [(k, 0), (k, self.rows)]
                wide = heavy if every and k % every == 0 else width
                self.canvas.line(np.array(ends) * self.side + (self.left, self.top), wide * self.side, self.ink)

    def write(self, cell: Cell, text: str, height: float, ink: Bgr | None = None, ground: Bgr | None = None) -> None:
        """A number or a word on a cell."""
        self.canvas.digits(
            self.box(cell, ground).middle, text, Type(self.hand.family, height * self.side), ink or self.ink
        )

    @property
    def cells(self) -> list[Cell]:
        """All cells, row by row."""
        return [(r, c) for r in range(self.rows) for c in range(self.cols)]


def _board(rng: np.random.Generator, rows: int, cols: int, title: str) -> Board:
    """An empty page with a place for a board."""
    stage = phone.stage(rng, str(rng.choice(list(phone.DEVICES))), cols / rows)
    left, top, right, bottom = stage.box
    side = float(np.floor(min((right - left) / cols, (bottom - top) / rows)))
    dark = rng.random() < 0.35
    shade = int(rng.integers(0, 50) if dark else rng.integers(225, 256))
    page: Bgr = (shade, shade, shade)
    ink = mixed(page, (255, 255, 255) if dark else (0, 0, 0), float(rng.uniform(0.5, 1)))
    width, height = stage.size_wh
    canvas = Canvas(np.full((height, width, 3), page, np.uint8))
    phone.furnish(rng, canvas, stage, ink, title)
    x0, y0 = round((left + right - cols * side) / 2), round((top + bottom - rows * side) / 2)
    return Board(canvas, random_hand(rng, NO_SETS), rows, cols, x0, y0, side, page, ink)


def sudoku(rng: np.random.Generator) -> Sample:
    """Digits on a third of nine by nine cells, or on all of them."""
    board = _board(rng, 9, 9, "Sudoku")
    share = float(rng.choice([0.3, 0.45, 1.0]))
    for r, c in board.cells:
        if rng.random() < share:
            digit = (3 * (r % 3) + r // 3 + c) % 9 + 1
            board.write((r, c), str(digit), 0.5, (200, 80, 30) if rng.random() < 0.2 else None)
    board.ruled(every=3)
    return Sample(board.canvas.picture)


def minesweeper(rng: np.random.Generator) -> Sample:
    """Tiles, opened cells with small numbers, flags and mines."""
    rows, cols = (int(v) for v in rng.integers(6, 13, 2))
    board = _board(rng, rows, cols, "Mines")
    tile = mixed(board.page, board.ink, 0.3)
    inks: tuple[Bgr, ...] = ((220, 60, 30), (40, 130, 30), (40, 40, 210), (120, 20, 20))
    for cell in board.cells:
        turn = rng.random()
        if turn < 0.45:
            box = board.fill(cell, tile, 0.04)
            if turn < 0.06:
                mine(board.hand, board.canvas, box)
        elif turn < 0.75:
            count = int(rng.choice([1, 1, 1, 2, 2, 3, 4]))
            board.write(cell, str(count), 0.5, inks[count - 1])
    board.ruled()
    return Sample(board.canvas.picture)


def twenty_48(rng: np.random.Generator) -> Sample:
    """Four by four tiles with powers of two."""
    board = _board(rng, 4, 4, "2048")
    colours: tuple[Bgr, ...] = ((218, 228, 238), (200, 224, 237), (121, 177, 242), (99, 149, 245), (95, 124, 246),
                                (59, 94, 246), (114, 207, 237), (97, 204, 237))  # fmt: skip
    for cell in board.cells:
        power = int(rng.integers(0, 12))
        box = board.fill(cell, (180, 193, 205) if power == 0 else colours[min(power - 1, 7)], 0.05, 0.05)
        if power:
            board.write(cell, str(2**power), 0.26, (101, 110, 119) if power < 3 else (242, 246, 249), box.ground)
    return Sample(board.canvas.picture)


def crossword(rng: np.random.Generator) -> Sample:
    """Black cells, letters in some of the others, small numbers in corners."""
    n = int(rng.choice([9, 11, 13, 15]))
    board = _board(rng, n, n, "Crossword")
    black = rng.random((n, n)) < 0.2
    filled = rng.random() < 0.6
    count = 0
    for r, c in board.cells:
        if black[r, c]:
            board.fill((r, c), board.ink)
            continue
        box = board.box((r, c))
        if r == 0 or c == 0 or black[r - 1, c] or black[r, c - 1]:
            count += 1
            at = np.array([box.left + 0.2 * box.side, box.top + 0.2 * box.side])
            board.canvas.digits(at, str(count), Type("builtin", 0.2 * box.side), board.ink)
        if filled and rng.random() < 0.9:
            text = str(rng.choice(list("AAABCDEEEEFGHIIILMNOOPRRSSTTU")))
            board.canvas.words(box.middle, text, 0.6 * box.side, board.ink, board.hand.family)
    board.ruled()
    return Sample(board.canvas.picture)


def draughts(rng: np.random.Generator) -> Sample:
    """Discs on the dark squares of the outer rows of a chequered board."""
    n = int(rng.choice([8, 8, 10]))
    board = _board(rng, n, n, "Checkers")
    theme = chess.THEMES[str(rng.choice(list(chess.THEMES)))]
    moved = rng.random() < 0.5
    for r, c in board.cells:
        dark = bool((r + c) % 2)
        box = board.fill((r, c), theme.dark if dark else theme.light)
        men = r < n // 2 - 1 or r > n // 2
        if dark and (rng.random() < 0.25 if moved else men):
            draughtsman(replace(board.hand, accent=(30, 30, 200) if r < n // 2 else (245, 245, 245)), board.canvas, box)
    return Sample(board.canvas.picture)


def tour(rng: np.random.Generator) -> Sample:
    """A chequered board with the number of its move in every square."""
    n = int(rng.choice([5, 6, 8, 8, 8]))
    board = _board(rng, n, n, "Knight's Tour")
    theme = chess.THEMES[str(rng.choice(list(chess.THEMES)))]
    order, first = rng.permutation(n * n), int(rng.integers(2))
    height, family = float(rng.uniform(0.22, 0.45)), board.hand.family
    one = mixed(theme.dark, (0, 0, 0) if sum(theme.dark) > 380 else (255, 255, 255), float(rng.uniform(0.5, 1)))
    for (r, c), place in zip(board.cells, order, strict=True):
        box = board.fill((r, c), theme.dark if (r + c) % 2 else theme.light)
        clear = abs(sum(one) - sum(box.ground)) > 150
        ink = one if clear else mixed(box.ground, (0, 0, 0) if sum(box.ground) > 380 else (255, 255, 255), 0.8)
        board.canvas.digits(box.middle, str(place + first), Type(family, height * board.side), ink)
    return Sample(board.canvas.picture)


def battleships(rng: np.random.Generator) -> Sample:
    """Parts of ships and water on ten by ten cells, counts beside them."""
    board = _board(rng, 10, 10, "Battleships")
    for r, c in board.cells:
        if rng.random() < 0.15:
            ship(board.hand, board.canvas, board.box((r, c)))
        elif rng.random() < 0.1:
            board.fill((r, c), (235, 206, 160))
    for k in range(10):
        for at in ((board.left - 0.5 * board.side, board.top + (k + 0.5) * board.side),
                   (board.left + (k + 0.5) * board.side, board.top - 0.5 * board.side)):  # fmt: skip
            board.canvas.digits(at, str(rng.integers(0, 6)), Type(board.hand.family, 0.45 * board.side), board.ink)
    board.ruled()
    return Sample(board.canvas.picture)


def keyboard(rng: np.random.Generator) -> Sample:
    """Keys with letters in rows, or a block of digits."""
    if rng.random() < 0.4:
        rows = ["123", "456", "789", "*0#"]
    else:
        rows = ["1234567890", "QWERTYUIOP", "ASDFGHJKL;", "ZXCVBNM,./"]
    board = _board(rng, len(rows), len(rows[0]), "Keys")
    key = mixed(board.page, board.ink, float(rng.uniform(0.05, 0.3)))
    for r, c in board.cells:
        box = board.fill((r, c), key, 0.05, 0.12)
        board.canvas.words(box.middle, rows[r][c], 0.4 * board.side, board.ink, board.hand.family)
    return Sample(board.canvas.picture)


GAMES: dict[str, Callable[[np.random.Generator], Sample]] = {
    "sudoku": sudoku,
    "minesweeper": minesweeper,
    "2048": twenty_48,
    "crossword": crossword,
    "draughts": draughts,
    "tour": tour,
    "battleships": battleships,
    "calendar": nothing.calendar,
    "keyboard": keyboard,
}
"""By name."""


def random_sample(rng: np.random.Generator) -> Sample:
    """A board of any game."""
    return draw(rng, str(rng.choice(list(GAMES))))


def draw(rng: np.random.Generator, game: str) -> Sample:
    """A board of one game; its truth only says that it is none of ours."""
    sample = GAMES[game](rng)
    height, width = sample.picture.shape[:2]
    corners = [[0, 0], [width, 0], [width, height], [0, height]]
    sample = replace(sample, truth={"kind": "other", "game": game, "corners": corners})
    return photograph(sample, random_shot(rng, (1280, 960)), rng) if rng.random() < PHOTOS else sample
