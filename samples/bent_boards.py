"""Drawn boards with bent cells: of any outline, open to filled, in the game's look and others; cloth, threads, outlines
and ropes have other dyes than the game's as well.
"""

from dataclasses import replace
from typing import Literal

import numpy as np

from samples import looks, stitch
from samples.fonts import families
from samples.looks import Style
from samples.puzzles.outlines import FORMS, Form
from samples.sample import Sample
from samples.textures import Bgr

ROPED, STRAIGHT = 0.45, 0.08
"""Parts of the boards with rope round them, and that are not bent."""

OUTLINES: tuple[Literal["running", "stitched", "plain", "dashed"], ...] = (
    "running", "running", "stitched", "plain", "dashed",
)  # fmt: skip
"""Ways in which outlines are drawn, the game's own twice as often."""

LINES: tuple[Literal["stitched", "plain", "dashed"], ...] = ("stitched", "plain", "dashed")
"""Ways in which the lines between cells are drawn."""

COVERS: tuple[Literal["rope", "solid", "woven"], ...] = ("rope", "solid", "woven", "woven")
"""What patches are covered with, where that is not the game's own rope."""

GROUNDS: tuple[Literal["flat", "gradient", "woven"], ...] = ("flat", "gradient", "woven", "woven")
"""What the page is, where that is not the game's own cloth."""

ON_PALE = 0.25
"""Part of the boards of the game's look that lie on pale cloth."""


def board(rng: np.random.Generator) -> Sample:
    """A board on a screen."""
    rows, cols = (int(v) for v in rng.integers(4, 13, 2))
    form: Form = FORMS[int(rng.integers(len(FORMS)))] if rng.random() < 0.5 else "bitten"
    return stitch.draw(
        rng,
        style=_style(rng),
        rows=rows,
        cols=cols,
        filled=float(rng.choice([0.0, 0.0, 0.3, 0.5, 0.5, 0.8, 1.0])),
        holes=int(rows * cols * rng.uniform(0, 0.42)) if rng.random() < 0.9 else 0,
        form=form,
        bend=0.0 if rng.random() < STRAIGHT else float(rng.uniform(0.3, 1.7)),
        unique=False,
        beside=bool(rng.random() < 0.15),
        ropes=bool(rng.random() < ROPED),
    )


def _style(rng: np.random.Generator) -> Style | str:
    """The game's look, dyed otherwise or not, or another."""
    other = rng.random()
    if other > 0.8:
        return "linen" if other < 0.88 else str(rng.choice(looks.COMMON))
    style = looks.FAMILIES["game"](rng, str(rng.choice(families())))
    style = _pale(rng, style) if rng.random() < ON_PALE else _dark(rng, style)
    if rng.random() < 0.5:
        width = style.outline.width * float(rng.uniform(0.5, 1.4))
        kind = OUTLINES[int(rng.integers(len(OUTLINES)))]
        dye = _dye(rng, 0, 180) if sum(style.page.first) > looks.PALE else _dye(rng, 20, 256)
        style = replace(style, outline=replace(style.outline, kind=kind, width=width, colour=dye))
    if rng.random() < 0.3:
        most = int(rng.integers(40, 250))
        style = replace(style, threads=tuple(_dye(rng, 15, most) for _ in range(12)))
    elif rng.random() < 0.3:  # pale ropes, of which one differs little from the next
        style = replace(style, threads=tuple(_dye(rng, 150, 250) for _ in range(12)))
    if rng.random() < 0.5:
        strand, depth = float(np.exp(rng.uniform(-1.5, 0.3))), float(rng.uniform(0.15, 1.0))
        inset, radius = float(rng.uniform(0, 0.06)), float(rng.choice([0.0, rng.uniform(0, 0.2)]))
        laid = COVERS[int(rng.integers(len(COVERS)))]
        filled = replace(style.filled, kind=laid, strand=strand, depth=depth, inset=inset, radius=radius)
        style = replace(style, filled=filled)
    if rng.random() < 0.35:
        style = replace(style, page=replace(style.page, kind=GROUNDS[int(rng.integers(len(GROUNDS)))]))
    return style


def _dark(rng: np.random.Generator, style: Style) -> Style:
    """Pale threads and numbers on dark cloth."""
    if rng.random() < 0.4:
        grey, kind = int(rng.integers(110, 240)), LINES[int(rng.integers(len(LINES)))]
        width = style.line.width * float(rng.uniform(0.4, 1.6))
        style = replace(style, line=replace(style.line, kind=kind, width=width, colour=(grey, grey, grey)))
    if rng.random() < 0.3:
        light = int(rng.integers(40, 140))
        style = replace(style, page=replace(style.page, first=_dye(rng, light - 15, light + 16)))
    if rng.random() < 0.3:
        style = replace(style, clue=replace(style.clue, colour=_dye(rng, 140, 256), shadow=bool(rng.random() < 0.5)))
    return style


def _pale(rng: np.random.Generator, style: Style) -> Style:
    """Dark threads and numbers on pale cloth."""
    light = int(rng.integers(170, 250))
    grey, kind = int(rng.integers(30, light - 50)), LINES[int(rng.integers(len(LINES)))]
    weight, shadow = float(rng.choice([0.0, 0.03])), bool(rng.random() < 0.2)
    clue = replace(style.clue, colour=_dye(rng, 0, 130), weight=weight, shadow=shadow)
    line = replace(
        style.line, kind=kind, width=style.line.width * float(rng.uniform(0.4, 1.4)), colour=(grey, grey, grey)
    )
    page = replace(style.page, first=_dye(rng, light - 15, min(256, light + 16)))
    return replace(style, page=page, line=line, clue=clue, ink=(50, 45, 45))


def _dye(rng: np.random.Generator, least: int, most: int) -> Bgr:
    blue, green, red = (int(v) for v in rng.integers(least, most, 3))
    return blue, green, red
