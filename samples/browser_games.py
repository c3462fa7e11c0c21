"""Other games as a browser draws them: of none of these anything may be called solved.

Each is drawn as its players know it, in HTML and CSS: see :mod:`samples.browser`. Some look much like ours, as a
Fillomino or a Nurikabe like a Stitch board, or Connect Four like a tray of balls.
"""

from collections.abc import Callable, Mapping
from itertools import product
from random import Random

from samples.browser import FACES, SYMBOLS, Page, hsl, new_page

NONE = {"kind": "other"}


def other_page(rng: Random) -> Page:
    """A page with any of these games."""
    return GAMES[rng.choice(sorted(GAMES))](rng)


def _ruled(rng: Random, rows: int, cols: int, every: int = 0) -> Page:
    """A page with empty cells between lines, thicker ones round each ``every`` of them."""
    page = new_page(rng, rows, cols, NONE)
    ground = "transparent" if rng.random() < 0.4 else hsl(page.hue, 20, 18 if page.dark else 96)
    for cell in product(range(rows), range(cols)):
        page.cell(cell, f"background:{ground};border:{max(0.5, 0.012 * page.side):.2f}px solid {page.ink}")
    for k in range(0, max(rows, cols) + 1, every or max(rows, cols, 1)):
        across, down = [((k, 0), (k, cols))] * (k <= rows), [((0, k), (rows, k))] * (k <= cols)
        page.edges([*across, *down], page.ink, 0.05 * page.side)
    return page


def _write(page: Page, cell: tuple[int, int], text: str, size: float, css: str = "") -> None:
    page.cell(cell, f"font:{size * page.side:.1f}px sans-serif;color:{page.ink};{css}", text)


def _numbers(rng: Random, page: Page, shape: tuple[int, int], share: float, numbers: range) -> None:
    """A number in that share of the cells."""
    face = rng.choice(FACES)
    for cell in product(range(shape[0]), range(shape[1])):
        if rng.random() < share:
            _write(page, cell, str(rng.choice(numbers)), 0.5, f"font-family:'{face}'")


def sudoku(rng: Random) -> Page:
    """Digits in a third of the cells."""
    page = _ruled(rng, 9, 9, 3)
    _numbers(rng, page, (9, 9), rng.uniform(0.25, 0.6), range(1, 10))
    return page


def fillomino(rng: Random) -> Page:
    """Numbers of groups in half of the cells, or in nearly all."""
    rows, cols = rng.randint(5, 10), rng.randint(5, 10)
    page = _ruled(rng, rows, cols)
    _numbers(rng, page, (rows, cols), rng.choice([0.3, 0.5, 0.95]), range(1, 7))
    return page


def nurikabe(rng: Random) -> Page:
    """A few numbers of islands, some of the sea."""
    rows, cols = rng.randint(6, 10), rng.randint(6, 10)
    page = _ruled(rng, rows, cols)
    sea = rng.choice([0.0, 0.3])
    for cell in product(range(rows), range(cols)):
        if rng.random() < 0.13:
            _write(page, cell, str(rng.randint(1, 6)), 0.5)
        elif rng.random() < sea:
            page.cell(cell, f"background:{page.ink}")
    return page


def nonogram(rng: Random) -> Page:
    """Cells that are filled, and lengths of runs beside and above."""
    n = rng.choice([5, 8, 10, 15])
    page = _ruled(rng, n, n, 5)
    for k in range(n):
        for far in range(1, rng.randint(2, 4)):
            _write(page, (k, -far), str(rng.randint(1, 5)), 0.4)
            _write(page, (-far, k), str(rng.randint(1, 5)), 0.4)
    for cell in product(range(n), range(n)):
        if rng.random() < 0.4:
            page.cell(cell, f"background:{page.ink}", inset=0.06 * page.side)
    return page


def crossword(rng: Random) -> Page:
    """Black cells, small numbers and some letters."""
    rows, cols = rng.randint(8, 13), rng.randint(8, 11)
    page, number = _ruled(rng, rows, cols), 0
    for cell in product(range(rows), range(cols)):
        if rng.random() < 0.22:
            page.cell(cell, f"background:{page.ink}")
            continue
        if rng.random() < 0.3:
            number += 1
            _write(page, cell, str(number), 0.24, "align-items:flex-start;justify-content:flex-start;padding:2px")
        if rng.random() < 0.2:
            _write(page, cell, rng.choice("AEILNORST"), 0.6)
    return page


def word_search(rng: Random) -> Page:
    """A letter in each cell."""
    rows, cols = rng.randint(6, 12), rng.randint(6, 12)
    page = _ruled(rng, rows, cols) if rng.random() < 0.5 else new_page(rng, rows, cols, NONE)
    for cell in product(range(rows), range(cols)):
        _write(page, cell, rng.choice("ABCDEFGHIKLMNOPRSTUVW"), 0.6)
    return page


def _discs(rng: Random, page: Page, cells: list[tuple[int, int]], colours: Mapping[str, float]) -> None:
    """Discs in colours that are so frequent; no colour stands for none."""
    wide = rng.uniform(0.04, 0.12) * page.side
    for cell in cells:
        colour = rng.choices(list(colours), list(colours.values()))[0]
        if colour:
            page.cell(cell, f"background:{colour};border-radius:50%", inset=wide)


def othello(rng: Random) -> Page:
    """Black and white discs on green cells."""
    page = new_page(rng, 8, 8, NONE)
    for cell in product(range(8), range(8)):
        page.cell(cell, "background:#0a7a3c;border:1px solid #043")
    _discs(rng, page, list(product(range(8), range(8))), {"#111": 1, "#f4f4f4": 1, "": rng.choice([0.3, 2, 8])})
    return page


def connect_four(rng: Random) -> Page:
    """Round holes in a blue board, some with discs."""
    rows, cols = rng.choice([(6, 7), (5, 11), (6, 8)])
    page = new_page(rng, rows, cols, NONE)
    page.block((0, 0), (rows, cols), "background:#1d4ed8;border-radius:12px", inset=-8)
    empty = rng.choice(["#fff", "#0b1f4d", page.paper])
    _discs(rng, page, list(product(range(rows), range(cols))), {empty: rng.choice([1, 4]), "#facc15": 1, "#dc2626": 1})
    return page


def solitaire(rng: Random) -> Page:
    """Pegs and holes in the shape of a cross."""
    page = new_page(rng, 7, 7, NONE)
    page.block((0, 0), (7, 7), "background:#7c4a21;border-radius:50%", inset=-10)
    cross = [cell for cell in product(range(7), range(7)) if 2 <= cell[0] <= 4 or 2 <= cell[1] <= 4]
    _discs(rng, page, cross, {"#3b1f0b": 1, rng.choice(["#d6b98c", "#2563eb"]): rng.choice([1, 6])})
    return page


def go(rng: Random) -> Page:
    """Stones where lines cross."""
    n = rng.choice([9, 13])
    page = new_page(rng, n, n, NONE)
    page.block((0, 0), (n, n), "background:#dcb35c")
    last = n - 0.5
    for k in range(n):
        x, y = page.left + (k + 0.5) * page.side, page.top + 0.5 * page.side
        page.box(x, y, (1, (last - 0.5) * page.side), "background:#222")
        page.box(page.left + 0.5 * page.side, page.top + (k + 0.5) * page.side, ((last - 0.5) * page.side, 1),
                 "background:#222")  # fmt: skip
    _discs(rng, page, list(product(range(n), range(n))), {"#111": 1, "#f6f6f6": 1, "": rng.choice([1, 6])})
    return page


def chess(rng: Random) -> Page:
    """A game of chess with pieces of all kinds."""
    page, face = new_page(rng, 8, 8, NONE), rng.choice(SYMBOLS)
    for r, c in product(range(8), range(8)):
        page.cell((r, c), f"background:{'#f0d9b5' if (r + c) % 2 == 0 else '#b58863'}")
        if rng.random() < rng.choice([0.2, 0.5]) or (r, c) == (0, 4):
            piece = "♚" if (r, c) == (0, 4) else rng.choice("♜♝♟♟♟♞♛")
            page.cell((r, c), f"font:{0.75 * page.side:.1f}px '{face}';color:{rng.choice(['#000', '#fff'])}", piece)
    return page


def calendar(rng: Random) -> Page:
    """The days of a month."""
    first, days = rng.randint(0, 6), rng.randint(28, 31)
    page = _ruled(rng, 6, 7) if rng.random() < 0.5 else new_page(rng, 6, 7, NONE)
    for day in range(days):
        cell = divmod(first + day, 7)
        if rng.random() < 0.06:
            page.cell(cell, f"background:{hsl(page.hue, 70, 50)};border-radius:50%", inset=0.1 * page.side)
        _write(page, cell, str(day + 1), 0.4)
    return page


def products(rng: Random) -> Page:
    """A multiplication table."""
    n = rng.randint(5, 10)
    page = _ruled(rng, n, n)
    for r, c in product(range(n), range(n)):
        _write(page, (r, c), str((r + 1) * (c + 1)), 0.4)
    return page


def bingo(rng: Random) -> Page:
    """A card with numbers, some of them marked."""
    page = _ruled(rng, 5, 5)
    for r, c in product(range(5), range(5)):
        if rng.random() < 0.3:
            page.cell((r, c), f"background:{hsl(page.hue, 70, 60)};border-radius:50%", inset=0.12 * page.side)
        _write(page, (r, c), str(15 * c + rng.randint(1, 15)), 0.4)
    return page


def match_three(rng: Random) -> Page:
    """Gems of a few colours in all cells."""
    rows, cols = rng.randint(6, 9), rng.randint(6, 9)
    page = new_page(rng, rows, cols, NONE)
    radius, hues = rng.choice(["50%", "20%", "0"]), [rng.uniform(0, 360) for _ in range(rng.randint(4, 7))]
    inset = rng.choice([0.0, 0.05, 0.1]) * page.side
    for cell in product(range(rows), range(cols)):
        page.cell(cell, f"background:{hsl(rng.choice(hues), 70, 55)};border-radius:{radius}", inset=inset)
    return page


def minesweeper(rng: Random) -> Page:
    """Covered cells, numbers and flags."""
    rows, cols = rng.randint(8, 12), rng.randint(8, 10)
    page = new_page(rng, rows, cols, NONE)
    inks = ("#00f", "#080", "#f00", "#008")
    for cell in product(range(rows), range(cols)):
        if rng.random() < 0.5:
            page.cell(cell, "background:#bbb;border:3px outset #eee", "⚑" if rng.random() < 0.2 else "")
            continue
        number = rng.choice([0, 0, 1, 1, 2, 3])
        page.cell(cell, "background:#ccc;border:1px solid #999")
        if number:
            page.cell(cell, f"font:700 {0.6 * page.side:.1f}px sans-serif;color:{inks[number]}", str(number))
    return page


def twenty_48(rng: Random) -> Page:
    """Tiles with powers of two."""
    page = new_page(rng, 4, 4, NONE)
    page.block((0, 0), (4, 4), "background:#bbada0;border-radius:6px", inset=-6)
    for cell in product(range(4), range(4)):
        power = rng.choice([0, 0, 1, 2, 3, 4, 5, 6])
        ground = f"hsl(30,{20 + 10 * power}%,{85 - 5 * power}%)" if power else "#cdc1b4"
        css = f"background:{ground};border-radius:6px;font:700 {0.4 * page.side:.1f}px sans-serif;color:#776e65"
        page.cell(cell, css, str(2**power) if power else "", inset=0.05 * page.side)
    return page


def hitori(rng: Random) -> Page:
    """A number in each cell, some of them shaded."""
    n = rng.randint(5, 9)
    page = _ruled(rng, n, n)
    for cell in product(range(n), range(n)):
        if rng.random() < 0.15:
            page.cell(cell, "background:#888", inset=1)
        _write(page, cell, str(rng.randint(1, n)), 0.5)
    return page


def slitherlink(rng: Random) -> Page:
    """Dots, and numbers between them."""
    rows, cols = rng.randint(5, 10), rng.randint(5, 10)
    page, dot = new_page(rng, rows, cols, NONE), 0.08
    for r, c in product(range(rows + 1), range(cols + 1)):
        x, y = page.left + (c - dot / 2) * page.side, page.top + (r - dot / 2) * page.side
        page.box(x, y, (dot * page.side,) * 2, f"background:{page.ink};border-radius:50%")
    _numbers(rng, page, (rows, cols), rng.uniform(0.3, 0.6), range(4))
    return page


def hashi(rng: Random) -> Page:
    """Numbers in rings, far apart."""
    n = rng.randint(6, 9)
    page = new_page(rng, n, n, NONE)
    for cell in product(range(n), range(n)):
        if sum(cell) % 2 == 0 and rng.random() < 0.5:
            page.cell(cell, f"border:2px solid {page.ink};border-radius:50%", inset=0.08 * page.side)
            _write(page, cell, str(rng.randint(1, 6)), 0.5)
    return page


def kenken(rng: Random) -> Page:
    """Cages with a sum or a product in a corner."""
    n = rng.randint(4, 7)
    page = _ruled(rng, n, n, 1)
    for cell in product(range(n), range(n)):
        if rng.random() < 0.45:
            text = f"{rng.randint(1, 30)}{rng.choice('+×−')}"
            _write(page, cell, text, 0.25, "align-items:flex-start;justify-content:flex-start;padding:4px")
    return page


def binary(rng: Random) -> Page:
    """Zeros and ones."""
    n = rng.choice([6, 8, 10])
    page = _ruled(rng, n, n)
    _numbers(rng, page, (n, n), rng.uniform(0.3, 1.0), range(2))
    return page


def keypad(rng: Random) -> Page:
    """The keys of a calculator."""
    page = new_page(rng, 5, 4, NONE)
    for cell, text in zip(product(range(5), range(4)), "C()/789×456−123+0.=%", strict=True):
        css = f"background:{hsl(page.hue, 15, 30 if page.dark else 85)};border-radius:6px"
        page.cell(cell, css, inset=0.06 * page.side)
        _write(page, cell, text, 0.4)
    return page


GAMES: Mapping[str, Callable[[Random], Page]] = {
    game.__name__: game
    for game in (
        sudoku, fillomino, nurikabe, nonogram, crossword, word_search, othello, connect_four, solitaire, go, chess,
        calendar, products, bingo, match_three, minesweeper, twenty_48, hitori, slitherlink, hashi, kenken, binary,
        keypad,
    )
}  # fmt: skip
