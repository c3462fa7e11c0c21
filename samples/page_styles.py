"""How the pages of :mod:`samples.pages` look: a style is data, and :func:`random_style` makes one.

Lengths are in cells, colours red, green, blue.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from samples.fonts import families

Rgb = tuple[int, int, int]
Point = tuple[float, float]


@dataclass(frozen=True)
class Style:
    """How a page looks.

    Attributes:
        paper: its colour.
        texture: what lies on it: nothing, a slope to the second colour, blotches, weave, squares as wide as cells.
        second: colour of the texture.
        grain: spread of the noise in it, in grey levels.
        ink: of words and numbers.
        panel: a colour that lies under the board and a little round it; None for none.
        cell: the cells' colours; empty for the paper's, or the panel's.
        mixed: whether the cells' colours come at random, not in turn.
        rule: how cells are divided: long lines, a box for each, tiles on a sheet, crosses at the corners, nothing.
        line: colour of the lines or the sheet.
        line_width: of the lines, or of the gaps between boxes and tiles.
        radius: of the corners of boxes and tiles.
        dashes: length of dashes and gaps; None for whole lines.
        shaky: how far lines stray, as drawn by hand.
        outline: colour of the board's outline; None for none.
        outline_width: its width.
        outline_at: where it runs: 0 on the border, 0.5 outside of it, -0.5 inside, in its widths.
        outline_round: whether its outer corners are round; it is outside of the border then.
        outline_dashes: length of its dashes and gaps; None for a whole one.
        double: whether a second thin outline runs round the first.
        open_holes: whether enclosed holes get no outline but lines.
        shadow: whether the board throws a shadow.
        hole: places without a cell: the page, a block of ink, a tint, hatched, crossed out, ruled as cells are, a sign.
        hole_outside: whether places that cells do not enclose are shown so too.
        hole_lined: whether the lines between cells run on through those that are shown.
        hole_colour: of a tint, or of hatching.
        hatch: from one stroke of hatching to the next.
        hatch_part: how much of that a stroke is wide, 0..1.
        hatch_falls: whether its strokes fall to the right.
        type: family of the digits' face.
        height: of the digits.
        off: of the numbers from the middles of their cells, right and down.
        badge: what is behind a number: nothing, a disc, a ring, a square.
        badge_colour: of it.
        found: patches that were found: a border, a tint, a glaze over the lines, a colour, hatched, a loop with round
            corners.
        dimmed: how much of the ink the numbers of found patches keep, 0..1.
        lit: whether a cell is lit, as under a pointer.
    """

    paper: Rgb
    texture: str
    second: Rgb
    grain: float
    ink: Rgb
    panel: Rgb | None
    cell: tuple[Rgb, ...]
    mixed: bool
    rule: str
    line: Rgb
    line_width: float
    radius: float
    dashes: tuple[float, float] | None
    shaky: float
    outline: Rgb | None
    outline_width: float
    outline_at: float
    outline_round: bool
    outline_dashes: tuple[float, float] | None
    double: bool
    open_holes: bool
    shadow: bool
    hole: str
    hole_outside: bool
    hole_lined: bool
    hole_colour: Rgb
    hatch: float
    hatch_part: float
    hatch_falls: bool
    type: str
    height: float
    off: Point
    badge: str
    badge_colour: Rgb
    found: str
    dimmed: float
    lit: bool


def random_style(rng: np.random.Generator) -> Style:
    """Any page: pale, dark or coloured, of fair or faint contrast, with hairlines or bars."""
    more = rng.spawn(1)[0]  # seeds draw what they drew before these were thought of, where they have none
    dark = bool(rng.random() < 0.35)
    paper = clipped((rng.uniform(10, 55) if dark else rng.uniform(222, 255)) + rng.uniform(-6, 6, 3))
    if more.random() < 0.15:
        paper = blend(paper, colour(more), float(more.uniform(0.2, 0.6)))
    ink = clipped((rng.uniform(200, 255) if dark else rng.uniform(0, 70)) + rng.uniform(-12, 12, 3))
    if rng.random() < 0.2:
        ink = blend(ink, colour(rng), 0.6)
    panel = blend(paper, colour(more), float(more.uniform(0.08, 0.3))) if more.random() < 0.2 else None
    texture = pick(rng, {"plain": 0.72, "slope": 0.12, "blotches": 0.06, "weave": 0.06, "squares": 0.04})
    rule = pick(rng, {"lines": 0.56, "boxes": 0.16, "tiles": 0.16, "crosses": 0.06, "none": 0.06})
    cell = _cells(rng, paper, ink, rule, texture)
    mixed = bool(more.random() < 0.08) and texture != "squares"
    if mixed:
        cell = tuple(_tint(more, paper) for _ in range(int(more.integers(3, 7))))
    thin, thick = rng.uniform(0.01, 0.03), rng.uniform(0.03, 0.09)
    line_width = float(rng.choice([thin, thick]))
    # Lines differ from the cells too, whose number could not be told else.
    line = blend(cell[-1] if cell else paper, ink, float(rng.choice([rng.uniform(0.15, 0.4), rng.uniform(0.4, 1.0)])))
    outlined = pick(rng, {"none": 0.25, "thick": 0.35, "same": 0.25, "thin": 0.15})
    if rule == "crosses" and outlined == "none":
        outlined = "same"
    if texture == "squares":  # only its outline tells a board on squared paper
        outlined = "thick"
    # Of two tones a tint may be one, and what is ruled like cells without a colour is told by the clues alone.
    ruled = len(cell) == 1 and rule == "lines"
    holes = {"page": 0.57, "block": 0.13, "hatched": 0.08, "crossed": 0.05, "sign": 0.04}
    holes |= {"tint": 0.1 if len(cell) < 2 else 0.0, "ruled": 0.1 if ruled else 0.0}
    return Style(
        paper=paper,
        texture=texture,
        second=blend(paper, colour(rng) if rng.random() < 0.4 else ink, float(rng.uniform(0.08, 0.25))),
        grain=float(rng.choice([0.0, 0.0, rng.uniform(1, 6)])),
        ink=ink,
        panel=panel if texture != "squares" else None,
        cell=cell,
        mixed=mixed,
        rule=rule,
        line=line,
        line_width=line_width * (1.6 if rule in {"boxes", "tiles"} else 1.0),
        radius=float(rng.choice([0.0, rng.uniform(0.05, 0.3)])) if rule in {"boxes", "tiles"} else 0.0,
        dashes=_dashes(rng) if rng.random() < 0.15 else None,
        shaky=float(rng.uniform(0.004, 0.02)) if rule == "lines" and rng.random() < 0.1 else 0.0,
        outline=None if outlined == "none" else line if outlined == "same" else blend(paper, ink, 0.9),
        outline_width={"thick": float(rng.uniform(0.06, 0.16)), "thin": 0.015}.get(outlined, line_width),
        outline_at=float(rng.choice([0.0, 0.5, -0.5])),
        outline_round=outlined == "thick" and bool(rng.random() < 0.25),
        outline_dashes=_dashes(rng) if rng.random() < 0.1 else None,
        double=bool(rng.random() < 0.08),
        open_holes=bool(rng.random() < 0.25) and texture != "squares",
        shadow=bool(rng.random() < 0.12) and texture == "plain",
        hole=_hole(rng, more, holes),
        hole_outside=bool(rng.random() < 0.3),
        hole_lined=rule == "lines" and bool(more.random() < 0.35),
        hole_colour=blend(paper, ink, 0.2) if more.random() < 0.4 else _tint(more, paper),
        type=str(rng.choice(families())),
        height=float(rng.uniform(0.3, 0.6)),
        off=_corner(more) if rng.random() < 0.05 else (float(rng.normal(0, 0.015)), float(rng.normal(0, 0.02))),
        badge=pick(rng, {"none": 0.7, "disc": 0.12, "ring": 0.1, "square": 0.08}),
        badge_colour=colour(rng, 0.75),
        found=_found(rng, more),
        dimmed=float(rng.choice([1.0, 1.0, 1.0, rng.uniform(0.4, 0.8)])),
        lit=bool(rng.random() < 0.1),
        hatch=float(more.uniform(0.1, 0.3)),
        hatch_part=float(more.uniform(0.15, 0.5)),
        hatch_falls=bool(more.random() < 0.5),
    )


def _corner(rng: np.random.Generator) -> Point:
    """Where numbers stand that are written into a corner of their cells, mostly the first one."""
    off = float(rng.uniform(0.15, 0.32))
    right, down = (int(sign) for sign in rng.choice([-1, 1], 2, p=[0.8, 0.2]))
    return right * off, down * off


def _cells(rng: np.random.Generator, paper: Rgb, ink: Rgb, rule: str, texture: str) -> tuple[Rgb, ...]:
    """The cells' colours. All differ from the paper: else nobody could see where the board ends."""
    shade = float(rng.uniform(0.05, 0.14)) * (2 if texture in {"slope", "blotches", "weave"} else 1)
    own, second = (blend(paper, ink, shade * share) for share in (1.0, float(rng.uniform(1.6, 2.4))))
    ground = pick(rng, {"paper": 0.5, "own": 0.35, "two": 0.15})
    if texture == "squares":
        return ()
    if rule == "none" or ground == "two":
        return own, second
    return (own,) if ground == "own" or rule in {"tiles", "crosses"} else ()


def _hole(rng: np.random.Generator, more: np.random.Generator, shares: dict[str, float]) -> str:
    hole = pick(rng, shares)
    return "tint" if hole == "page" and shares["tint"] and more.random() < 0.3 else hole


def _found(rng: np.random.Generator, more: np.random.Generator) -> str:
    found = pick(rng, {"border": 0.25, "tint": 0.3, "colour": 0.3, "hatched": 0.08, "loop": 0.07})
    return "glaze" if found == "tint" and more.random() < 0.4 else found


def _tint(rng: np.random.Generator, paper: Rgb) -> Rgb:
    """The paper with some colour on it."""
    return blend(paper, colour(rng), float(rng.uniform(0.15, 0.7)))


def _dashes(rng: np.random.Generator) -> tuple[float, float]:
    return float(rng.uniform(0.06, 0.17)), float(rng.uniform(0.06, 0.17))


def pick(rng: np.random.Generator, shares: dict[str, float]) -> str:
    """One of these, as often as their shares say."""
    parts = np.array(list(shares.values()))
    return list(shares)[int(rng.choice(len(parts), p=parts / parts.sum()))]


def clipped(values: Any) -> Rgb:
    """A colour of one or three numbers, cut to 0..255."""
    red, green, blue = (int(v) for v in np.clip(np.broadcast_to(values, 3), 0, 255))
    return red, green, blue


def blend(first: Rgb, second: Rgb, share: float) -> Rgb:
    """A colour that is ``share`` of the way from one to another."""
    return clipped(np.array(first) * (1 - share) + np.array(second) * share)


def hue(turn: float, saturation: float, value: float) -> Rgb:
    """A colour by its hue, 0..1."""
    ramp = np.clip(np.abs((turn * 6 + np.array([0, 4, 2])) % 6 - 3) - 1, 0, 1)
    return clipped(255 * value * (1 - saturation + saturation * ramp))


def colour(rng: np.random.Generator, value: float = 0.8) -> Rgb:
    """Any strong colour."""
    return hue(rng.random(), float(rng.uniform(0.5, 0.95)), value)
