"""Stitch boards for other programs: puzz.link and pzprv3, Simon Tatham's Rectangles, comma-separated values.

puzz.link [1]_ tells the cells row by row: ``g`` to ``z`` are 1 to 20 empty ones, ``0`` to ``f`` a hexadecimal clue,
``-`` goes before one of two digits, ``+`` before one of three, and ``.`` is a clue without number. The older files of
the same program begin with ``pzprv3`` and have a word a cell. A game id of Simon Tatham's Rectangles [2]_ is
``7x7:`` and then ``a`` to ``z`` for 1 to 26 empty cells, clues in decimal digits, and ``_`` between two clues.

References:
    .. [1] pzprjs, https://github.com/robx/pzprjs, src/variety-common/Encode.js and FileData.js.
    .. [2] Simon Tatham's Portable Puzzle Collection, rect.c.
"""

import re
from collections.abc import Iterator

from solvers.formats.format import Format, checked_size, table
from solvers.stitch import UNKNOWN, Stitch, word

SITE = "https://puzz.link/p?shikaku"

_URL = re.compile(r"\bshikaku/(\d{1,6})/(\d{1,6})/([^/?#&\s]*)")
_FILE = re.compile(r"pzprv3(\.\d+)?[\s/]+shikaku[\s/]")
_NUMBER = re.compile(r"-(?P<two>[0-9a-f]{2})|\+(?P<three>[0-9a-f]{3})|(?P<one>[0-9a-f])|(?P<run>[g-z])|(?P<any>\.)")
_GAME = re.compile(r"(\d{1,6})(?:x(\d{1,6}))?(?:e[\d.]+)?a?([:#])(\S*)")
_PART = re.compile(r"(?P<number>\d+)|(?P<run>[a-z])|(?P<gap>_)")


def _plain(puzzle: Stitch, form: str, *, numbered: bool = True) -> None:
    """Make sure that a form without holes, bends and shapes can tell the board."""
    if puzzle.links or len(puzzle.cells) < puzzle.rows * puzzle.cols:
        raise ValueError(f"{form} has no form for boards with holes, bent cells or an irregular outline")
    if set(puzzle.shapes.values()) - {"any"}:
        raise ValueError(f"{form} has no form for clues that tell a shape")
    if numbered and any(puzzle.clue(cell) == UNKNOWN for cell in puzzle.clue_cells):
        raise ValueError(f"{form} has no form for clues without a number")


def _board(rows: int, cols: int, cells: list[int], what: str) -> Stitch:
    if len(cells) != rows * cols:
        raise ValueError(f"{what} tells {len(cells)} cells, but the board has {rows} x {cols}")
    return Stitch(tuple(tuple(cells[row * cols : (row + 1) * cols]) for row in range(rows)))


def parse_puzzlink(text: str) -> Stitch | None:
    """The board of a puzz.link address or a pzprv3 file; None for any other text."""
    if _FILE.match(text):
        return _parse_pzprv3(text)
    match = _URL.search(text)
    if match is None or "/" not in text[: match.end(1)]:
        return None
    rows, cols = checked_size(int(match[2]), int(match[1]))
    cells: list[int] = []
    at = 0
    while at < len(match[3]):
        part = _NUMBER.match(match[3], at)
        if part is None:
            raise ValueError(f"the puzz.link address is not understood from {match[3][at : at + 6]!r} on")
        at = part.end()
        if part["run"]:
            cells += [0] * (int(part["run"], 36) - 15)
        else:
            cells.append(UNKNOWN if part["any"] else int(part["two"] or part["three"] or part["one"], 16))
        if len(cells) > rows * cols:
            break
    # Empty cells at the end need not be told.
    return _board(rows, cols, cells + [0] * (rows * cols - len(cells)), "the puzz.link address")


def _parse_pzprv3(text: str) -> Stitch:
    words = re.split(r"[\s/]+", text.strip())[2:]
    if len(words) < 2 or not all(size.isdecimal() and len(size) < 6 for size in words[:2]):
        raise ValueError("the pzprv3 file does not begin with its rows and columns")
    rows, cols = checked_size(int(words[0]), int(words[1]))
    cells = []
    for token in words[2 : 2 + rows * cols]:
        if token not in (".", "-") and not (token.isdecimal() and len(token) < 6):
            raise ValueError(f"{token!r} in the pzprv3 file is neither '.', '-' nor a number")
        cells.append(0 if token == "." else UNKNOWN if token == "-" else int(token))
    return _board(rows, cols, cells, "the pzprv3 file")


def write_puzzlink(puzzle: Stitch) -> str:
    """The board's puzz.link address."""
    _plain(puzzle, "puzz.link", numbered=False)
    parts = []
    for run, clue in _runs(puzzle):
        parts += ["z"] * (run // 20) + ([chr(ord("f") + run % 20)] if run % 20 else [])
        if clue >= 4096:
            raise ValueError("puzz.link has no form for so large a clue")
        if clue:
            sign = "" if clue < 16 else "-" if clue < 256 else "+"
            parts.append("." if clue == UNKNOWN else f"{sign}{clue:x}")
    return f"{SITE}/{puzzle.cols}/{puzzle.rows}/{''.join(parts)}"


def parse_sgt(text: str) -> Stitch | None:
    """The board of a game id of Rectangles; None for any other text."""
    match = _GAME.fullmatch(text.strip())
    if match is None:
        return None
    if match[3] == "#":
        raise ValueError("this game id is a random seed (#); copy the specific one, which has a colon in it")
    rows, cols = checked_size(int(match[2] or match[1]), int(match[1]))
    cells: list[int] = []
    at = 0
    while at < len(match[4]):
        part = _PART.match(match[4], at)
        if part is None or len(cells) > rows * cols:
            raise ValueError(f"the game id is not understood from {match[4][at : at + 6]!r} on")
        at = part.end()
        if part["number"]:
            cells.append(int(part["number"][:9]))
        elif part["run"]:
            cells += [0] * (ord(part["run"]) - ord("a") + 1)
    return _board(rows, cols, cells, "the game id")


def write_sgt(puzzle: Stitch) -> str:
    """The board as a game id of Rectangles."""
    _plain(puzzle, "Rectangles")
    parts: list[str] = []
    for run, clue in _runs(puzzle):
        letters = "z" * (run // 26) + (chr(ord("a") + run % 26 - 1) if run % 26 else "")
        parts.append(letters or ("_" if parts and clue else ""))
        parts.append(str(clue) if clue else "")
    return f"{puzzle.cols}x{puzzle.rows}:{''.join(parts)}"


def _runs(puzzle: Stitch) -> Iterator[tuple[int, int]]:
    """So many empty cells and the clue after them; 0 where the board ends."""
    run = 0
    for clue in (clue or 0 for row in puzzle.clues for clue in row):
        if clue:
            yield run, clue
            run = 0
        else:
            run += 1
    if run:
        yield run, 0


def write_csv(puzzle: Stitch) -> str:
    """The words of our own form with commas between them; empty cells are empty."""
    if puzzle.links:
        raise ValueError("comma-separated values have no form for bent cells")
    words = [[word(puzzle, (row, col)) for col in range(puzzle.cols)] for row in range(puzzle.rows)]
    return table([["" if one == "." else one for one in row] for row in words])


FORMATS = (
    Format("puzzlink", write_puzzlink, parse_puzzlink),
    Format("sgt", write_sgt, parse_sgt),
    Format("csv", write_csv),
)
