"""How boards look: each style is data, and a family of styles is a small function that makes one at random.

Widths, gaps and radii are fractions of a cell's side. Colours are blue, green, red.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from samples.fonts import BUILTIN
from samples.textures import Bgr

LineKind = Literal["none", "plain", "dotted", "dashed", "stitched", "running"]


def bgr(code: str) -> Bgr:
    """The colour of a hex code such as ``1e90ff`` (red, green, blue)."""
    red, green, blue = (int(code[i : i + 2], 16) for i in (0, 2, 4))
    return blue, green, red


@dataclass(frozen=True)
class Line:
    """A kind of line: how it is stitched, its colour, its width."""

    kind: LineKind
    colour: Bgr
    width: float


@dataclass(frozen=True)
class Ground:
    """What lies behind: one colour, a slope of two (in bands where ``steps`` is not 0), cloth of the first, or any
    pattern of it.
    """

    kind: Literal["flat", "gradient", "cloth", "woven"]
    first: Bgr
    second: Bgr = (0, 0, 0)
    steps: int = 0


@dataclass(frozen=True)
class Clue:
    """How an open clue is drawn.

    Attributes:
        colour: of the digits; None takes the patch's thread colour.
        height: of the digits.
        family: of the face, see :mod:`samples.fonts`.
        weight: how much the strokes are thickened, of the digits' height.
        frame: what is round the digits: nothing, a circle, a filled disc, a rounded box, LinkedIn's shapes.
        frame_colour: of the frame; None takes the thread colour.
        shadow: a dark shadow behind the digits.
    """

    colour: Bgr | None
    height: float = 0.42
    family: str = BUILTIN
    weight: float = 0.0
    frame: Literal["none", "circle", "disc", "box", "shape"] = "none"
    frame_colour: Bgr | None = None
    shadow: bool = False


@dataclass(frozen=True)
class Filled:
    """How a patch that the player has found is drawn.

    Attributes:
        kind: a tint over the cells, one even colour, a thick border round a tint, rope, or any pattern.
        alpha: how much the tint covers.
        inset: space between the patch and its cells' borders.
        radius: of its corners.
        colour: of the patch; None takes the thread colour.
        clue: of its digits; None leaves them as they were.
        keeps_lines: whether the cells' borders inside it are still seen.
        border: round the patch, None without; its colour None takes the thread colour.
        strand: how many times as wide as the game's its ropes are.
        depth: how dark the gaps between ropes are; 0 is a plain colour.
    """

    kind: Literal["tint", "solid", "frame", "rope", "woven"] = "solid"
    alpha: float = 1.0
    inset: float = 0.04
    radius: float = 0.1
    colour: Bgr | None = None
    clue: Bgr | None = (255, 255, 255)
    keeps_lines: bool = False
    border: float = 0.0
    strand: float = 1.0
    depth: float = 1.0

    @property
    def covers(self) -> bool:
        """Whether nothing of the cells below is seen, nor what is round a clue."""
        return self.kind in {"rope", "woven"}


@dataclass(frozen=True)
class Dots:
    """Dots in place of lines: at the corners of all cells, or in the middle of each that holds no clue.

    Attributes:
        where: they stand.
        colour: of the dots.
        size: their diameter.
    """

    where: Literal["corners", "middles"]
    colour: Bgr
    size: float


@dataclass(frozen=True)
class Hole:
    """How places without a cell look.

    Attributes:
        where: which of them are marked: those that cells enclose, or all in the box round the board, which then gets
            the outline.
        ground: their colour; None shows the page.
        lined: whether the lines between cells run on round and through them.
    """

    where: Literal["enclosed", "box"] = "enclosed"
    ground: Bgr | None = None
    lined: bool = False


@dataclass(frozen=True)
class Style:
    """All of how a board looks.

    Attributes:
        name: what it is called.
        page: behind everything.
        ink: of the page's words and signs.
        panel: a colour behind the cells; None shows the page.
        cell: each cell's own tile; None draws none.
        gap: space between tiles, when there are tiles.
        radius: of the tiles' corners.
        line: between cells.
        outline: round the board.
        clue: open clues.
        filled: found patches.
        threads: the patches' colours.
        dots: that mark the cells, None without.
        hole: places without a cell; None leaves the page there, inside the outline.
    """

    name: str
    page: Ground
    ink: Bgr
    panel: Bgr | None
    cell: Bgr | None
    gap: float
    radius: float
    line: Line
    outline: Line
    clue: Clue
    filled: Filled
    threads: tuple[Bgr, ...]
    dots: Dots | None = None
    hole: Hole | None = None


WHITE: Bgr = (255, 255, 255)

PALE = 380
"""Sum of blue, green and red from which on a page counts as pale."""

NO_LINE = Line("none", (0, 0, 0), 0.0)

BRIGHT = tuple(map(bgr, ("e53935", "fb8c00", "c0a000", "43a047", "00897b", "1e88e5", "5e35b1", "d81b60", "6d4c41")))
PASTEL = tuple(map(bgr, ("ffb3ba", "ffdfba", "fff3b0", "baffc9", "bae1ff", "d7baff", "f7c6e0", "c8e6c9", "b2dfdb")))
THREADS = tuple(map(bgr, ("8bc34a", "aed15a", "f4b942", "ef7d57", "e85d75", "b07be0", "5fb0e8", "4fc3a1", "e8dcc0")))


def light(rng: np.random.Generator, family: str) -> Style:
    """Dark lines and digits on a pale page, as on paper and in most apps and web pages."""
    page = bgr(str(rng.choice(["ffffff", "f5f5f5", "faf7f0", "eef3f8", "e8e8e8", "fffdf5"])))
    ink = bgr(str(rng.choice(["111111", "222b38", "333333", "1a237e", "3e2723"])))
    gray = int(rng.integers(90, 205))
    line = Line(_pick(rng, ["plain", "plain", "dotted", "dashed"]), (gray, gray, gray), float(rng.uniform(0.012, 0.05)))
    return Style(
        name="light",
        page=Ground("flat", page),
        ink=ink,
        panel=_maybe(rng, 0.4, WHITE),
        cell=None,
        gap=0.0,
        radius=0.0,
        line=line,
        outline=Line("plain", ink, float(rng.uniform(0.02, 0.1))) if rng.random() < 0.8 else line,
        clue=_clue(rng, ink, family),
        filled=_filled(rng, PASTEL),
        threads=PASTEL,
    )


def dark(rng: np.random.Generator, family: str) -> Style:
    """Pale digits on a dark page, lines hardly brighter than it."""
    page = bgr(str(rng.choice(["000000", "121212", "1b1f24", "1a1a2e", "14213d", "202124", "2b2b2b"])))
    step = int(rng.integers(22, 90))
    lined: Bgr = (min(255, page[0] + step), min(255, page[1] + step), min(255, page[2] + step))
    ink = bgr(str(rng.choice(["ffffff", "e0e0e0", "cfd8dc", "ffe082"])))
    line = Line(_pick(rng, ["plain", "plain", "dotted", "dashed"]), lined, float(rng.uniform(0.012, 0.05)))
    return Style(
        name="dark",
        page=Ground("flat", page),
        ink=ink,
        panel=None,
        cell=None,
        gap=0.0,
        radius=0.0,
        line=line,
        outline=Line("plain", ink, float(rng.uniform(0.02, 0.07))) if rng.random() < 0.5 else line,
        clue=_clue(rng, ink, family),
        filled=_filled(rng, BRIGHT),
        threads=BRIGHT,
    )


def slope(rng: np.random.Generator, family: str) -> Style:
    """White thin lines and ringed digits on a slope of strong colours, patches as white veils."""
    pairs = [
        ("ff5f2e", "d4008f"),
        ("00a19a", "8e0094"),
        ("2b5876", "4e4376"),
        ("11998e", "1f6f3a"),
        ("614385", "2c3e80"),
    ]
    first, second = map(bgr, pairs[int(rng.integers(len(pairs)))])
    family_or_mono = str(rng.choice([family, "mono"]))
    return Style(
        name="slope",
        page=Ground("gradient", first, second, steps=int(rng.choice([0, 12, 20]))),
        ink=WHITE,
        panel=None,
        cell=None,
        gap=0.0,
        radius=0.0,
        line=Line("plain", WHITE, float(rng.uniform(0.02, 0.05))),
        outline=Line("plain", WHITE, float(rng.uniform(0.02, 0.06))),
        clue=Clue(WHITE, float(rng.uniform(0.38, 0.5)), family_or_mono, frame=_pick(rng, ["circle", "none"])),
        filled=Filled("tint", float(rng.uniform(0.2, 0.4)), 0.02, 0.4, WHITE, None, True, 0.04),
        threads=(WHITE,),
    )


def tiles(rng: np.random.Generator, family: str) -> Style:
    """Cells as tiles with gaps and round corners, no lines."""
    dark_page = bool(rng.random() < 0.5)
    page = bgr(str(rng.choice(["111a24", "1c1c28", "263238"] if dark_page else ["eceff1", "f4efe6", "dfe7ee"])))
    tile = tuple(int(np.clip(v + (24 if dark_page else -22), 0, 255)) for v in page)
    if not dark_page and rng.random() < 0.5:
        tile = WHITE
    ink = bgr(str(rng.choice(["ffffff", "dfe6ee"] if dark_page else ["2b2b2b", "37474f"])))
    threads = PASTEL if dark_page else BRIGHT
    return Style(
        name="tiles",
        page=Ground("flat", page),
        ink=ink,
        panel=None,
        cell=(tile[0], tile[1], tile[2]),
        gap=float(rng.uniform(0.05, 0.12)),
        radius=float(rng.uniform(0.05, 0.25)),
        line=NO_LINE,
        outline=NO_LINE,
        clue=_clue(rng, ink, family),
        filled=Filled("solid", 1.0, 0.03, 0.18, None, (30, 30, 30) if dark_page else WHITE),
        threads=threads,
    )


def linen(rng: np.random.Generator, family: str) -> Style:
    """Pale cloth, seams in dashes, digits in thread colours."""
    page = bgr(str(rng.choice(["d9cfbe", "c9d4d6", "d8c7c7", "cfd6c4"])))
    seam: Bgr = (page[0] // 2, page[1] // 2, page[2] // 2)
    return Style(
        name="linen",
        page=Ground("cloth", page),
        ink=(60, 50, 50),
        panel=None,
        cell=None,
        gap=0.0,
        radius=0.0,
        line=Line(_pick(rng, ["stitched", "dashed"]), seam, float(rng.uniform(0.025, 0.04))),
        outline=Line("running", bgr("8e2a2a"), float(rng.uniform(0.06, 0.09))),
        clue=Clue(_maybe(rng, 0.5, bgr("4a1f1f")), 0.46, family, 0.02),
        filled=Filled("rope", 1.0, 0.02, 0.03, None, WHITE),
        threads=tuple(bgr(code) for code in ("8a2d3b", "2e5d7d", "3d6b35", "6a3d7c", "8a5a1e", "245e5a")),
    )


def game(rng: np.random.Generator, family: str) -> Style:
    """The game's own: dark navy cloth, thin grey threads, a thick red running stitch round the board, rope patches."""
    return Style(
        name="game",
        page=Ground("cloth", bgr(str(rng.choice(["4d4759", "474357", "514a5c"])))),
        ink=WHITE,
        panel=None,
        cell=None,
        gap=0.0,
        radius=0.0,
        line=Line("stitched", bgr("b9b6c2"), float(rng.uniform(0.026, 0.036))),
        outline=Line("running", bgr(str(rng.choice(["f4502f", "e8452f", "f05a3c"]))), float(rng.uniform(0.06, 0.075))),
        clue=Clue(None, float(rng.uniform(0.28, 0.42)), family, 0.03, shadow=True),
        filled=Filled("rope", 1.0, 0.02, 0.03, None, WHITE),
        threads=THREADS if rng.random() < 0.5 else _shades(THREADS[int(rng.integers(len(THREADS)))]),
    )


def patches(rng: np.random.Generator, family: str) -> Style:
    """LinkedIn's Patches: dashed lines, badges that tell shapes, framed tints."""
    dark_page = bool(rng.random() < 0.5)
    page = bgr("1b1f23") if dark_page else WHITE
    seam = bgr("4a4f55") if dark_page else bgr("d0d0d0")
    return Style(
        name="patches",
        page=Ground("flat", page if dark_page else bgr(str(rng.choice(["ffffff", "f4f2ee"])))),
        ink=WHITE if dark_page else (40, 40, 40),
        panel=page,
        cell=None,
        gap=0.0,
        radius=0.0,
        line=Line("dashed", seam, float(rng.uniform(0.014, 0.024))),
        outline=Line("plain", seam, float(rng.uniform(0.014, 0.03))),
        clue=Clue(WHITE, float(rng.uniform(0.32, 0.4)), family, 0.04, frame="shape"),
        filled=Filled("frame", 0.4, 0.03, 0.08, None, None, True, 0.05),
        threads=BRIGHT,
    )


def dotted(rng: np.random.Generator, family: str) -> Style:
    """Dots and no lines: at the corners of cells as on pages for pencils, or in empty cells as in a terminal."""
    plain = (light if rng.random() < 0.5 else dark)(rng, family)
    where: Literal["corners", "middles"] = "corners" if rng.random() < 0.5 else "middles"
    share = float(rng.uniform(0.45, 1.0))
    paper, ink = np.array(plain.page.first), np.array(plain.ink)
    blue, green, red = (int(v) for v in paper + share * (ink - paper))
    outlined = bool(rng.random() < (0.3 if where == "corners" else 0.8))
    outline = Line("plain", (blue, green, red), float(rng.uniform(0.02, 0.05))) if outlined else NO_LINE
    clue = replace(plain.clue, frame="none", colour=plain.ink, height=min(plain.clue.height, 0.45))
    filled = Filled("frame", float(rng.uniform(0.1, 0.5)), 0.08, 0.0, None, None, True, 0.04)
    dots = Dots(where, (blue, green, red), float(rng.uniform(0.06, 0.14)))
    return replace(plain, name="dotted", panel=None, line=NO_LINE, outline=outline, clue=clue, filled=filled, dots=dots)


FAMILIES: dict[str, Callable[[np.random.Generator, str], Style]] = {
    "light": light,
    "dark": dark,
    "slope": slope,
    "tiles": tiles,
    "linen": linen,
    "game": game,
    "patches": patches,
    "dotted": dotted,
}

COMMON = ("light", "dark", "slope", "tiles", "linen", "game", "patches")
"""The families that any board may be of; the others are asked for by name."""


def irregular(rng: np.random.Generator, style: Style) -> Style:
    """The style for a board of any outline: how that is drawn, how lines are, and what places without a cell show."""
    if style.outline.kind == "running":  # embroidery has one way
        return style
    if style.dots is not None:  # the dots of other cells stand round a hole as well: only the outline tells it
        return replace(style, outline=Line("plain", style.dots.colour, float(rng.uniform(0.02, 0.1))))
    drawn = str(rng.choice(["own", "thick", "thin", "same", "none"], p=[0.3, 0.2, 0.15, 0.2, 0.15]))
    line, outline = style.line, style.outline
    if line.kind != "none" and rng.random() < 0.4:
        line = replace(line, width=float(rng.choice([rng.uniform(0.006, 0.014), rng.uniform(0.05, 0.09)])))
    ink = style.ink if outline.kind == "none" else outline.colour
    if drawn == "thick":
        outline = Line("plain", ink, float(rng.uniform(0.06, 0.14)))
    elif drawn == "thin":
        outline = Line("plain", ink, float(rng.uniform(0.008, 0.02)))
    elif drawn == "same" or (drawn == "none" and line.kind == "none"):
        outline = line
    elif drawn == "none":
        outline = NO_LINE
    return replace(style, line=line, outline=outline, hole=_hole(rng, style))


def _hole(rng: np.random.Generator, style: Style) -> Hole | None:
    """Mostly the page; else a tint, a block of ink, or the page with lines all round, where cells have a colour."""
    kind = str(rng.choice(["page", "tint", "block", "lined"], p=[0.6, 0.15, 0.15, 0.1]))
    where: Literal["enclosed", "box"] = "box" if rng.random() < 0.3 else "enclosed"
    if kind == "page":
        return None
    if kind == "lined":
        return Hole("enclosed", None, lined=True) if style.panel not in {None, style.page.first} else None
    if kind == "block":
        return Hole(where, _mixed(style.page.first, style.ink, float(rng.uniform(0.5, 1.0))))
    return Hole(
        where, _mixed(style.page.first, style.ink, float(rng.uniform(0.2, 0.35))), lined=bool(rng.random() < 0.4)
    )


def _mixed(first: Bgr, second: Bgr, share: float) -> Bgr:
    """A colour that is ``share`` of the way from one to another."""
    blue, green, red = (round(a + share * (b - a)) for a, b in zip(first, second, strict=True))
    return blue, green, red


def _shades(thread: Bgr) -> tuple[Bgr, ...]:
    """Shades of one thread: a picture stitched in greens has patches that hardly differ."""
    dimmed = [tuple(int(v * share) for v in thread) for share in (0.62, 0.74, 0.86, 1.0)]
    return tuple((blue, green, red) for blue, green, red in dimmed)


def _clue(rng: np.random.Generator, ink: Bgr, family: str) -> Clue:
    """Digits as apps draw them: plain, coloured, in a circle, on a disc or a box."""
    height, weight = float(rng.uniform(0.34, 0.55)), float(rng.choice([0.0, 0.0, 0.03]))
    frame = _pick(rng, ["none", "none", "none", "circle", "disc", "box"])
    if frame == "circle":
        return Clue(ink, min(height, 0.42), family, weight, "circle", ink)
    if frame != "none":
        return Clue(WHITE, min(height, 0.42), family, weight, frame, BRIGHT[int(rng.integers(len(BRIGHT)))])
    if rng.random() < 0.25:
        return Clue(BRIGHT[int(rng.integers(len(BRIGHT)))], height, family, weight)
    return Clue(ink, height, family, weight)


def _filled(rng: np.random.Generator, threads: tuple[Bgr, ...]) -> Filled:
    """Patches as apps draw them; digits dark on pale threads and white on strong ones."""
    clue: Bgr = (35, 35, 35) if sum(threads[0]) > 450 else WHITE
    kind = _pick(rng, ["solid", "solid", "tint", "frame"])
    if kind == "solid":
        return Filled("solid", 1.0, float(rng.uniform(0, 0.06)), float(rng.uniform(0, 0.2)), None, clue)
    if kind == "tint":
        return Filled("tint", float(rng.uniform(0.3, 0.7)), 0.0, 0.0, None, None, True)
    return Filled("frame", float(rng.uniform(0.1, 0.5)), 0.03, 0.05, None, None, True, 0.06)


def _pick(rng: np.random.Generator, choices: list[LineKind] | list[str]):  # type: ignore[no-untyped-def]
    return choices[int(rng.integers(len(choices)))]


def _maybe(rng: np.random.Generator, chance: float, colour: Bgr) -> Bgr | None:
    return colour if rng.random() < chance else None
