"""The pictures of the sets of :mod:`benchmarks.sets`: what is drawn from a seed.

A picture depends on the name of its set and on its seed alone.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.resent import WAYS
from samples import balls, chess, looks, nothing, page_styles, pages, standing, stitch, triazzle
from samples.camera import photograph, random_shot
from samples.captures import cut_off
from samples.fonts import families
from samples.puzzles.outlines import FORMS
from samples.sample import Sample

PHOTO_WH = (1600, 1200)

Draw = Callable[[np.random.Generator], Sample]


def rng_of(name: str, seed: int) -> np.random.Generator:
    """What decides all of a picture of this set."""
    return np.random.default_rng([seed, *name.encode()])


# --- Stitch: whole boards, bent ones --------------------------------------------------------------------------------


def any_stitch(**given: Any) -> Draw:
    """Boards by :mod:`samples.stitch`, of any look and size where it is not given."""
    return lambda rng: stitch.draw(rng, **given)


def hoop(filled: float) -> Draw:
    """Bent boards with holes, a share of their patches found."""

    def drawn(rng: np.random.Generator) -> Sample:
        rows, cols = (int(side) for side in rng.integers(6, 10, 2))
        holes = int(rng.integers(rows * cols // 8, rows * cols // 3))
        return stitch.draw(rng, style="game", rows=rows, cols=cols, filled=filled, holes=holes, bend=1.0)

    return drawn


# --- Stitch: straight boards of any outline, by two generators ------------------------------------------------------


def outlined(rng: np.random.Generator) -> Sample:
    """Boards with stepped outlines and holes by :mod:`samples.stitch`, in every look, open to filled."""
    rows, cols = int(rng.integers(5, 15)), int(rng.integers(5, 11))
    holes = round(rows * cols * rng.uniform(0.05, 0.4))
    form = FORMS[int(rng.integers(1, len(FORMS)))]
    style = "dotted" if rng.random() < 0.06 else None
    return stitch.draw(rng, style=style, rows=rows, cols=cols, holes=holes, form=form, beside=bool(rng.random() < 0.3))


def lined(rng: np.random.Generator) -> Sample:
    """Boards with holes that look like empty cells, lines all round: only the clues tell, and not always."""
    family = str(rng.choice(families()))
    style = looks.irregular(rng, looks.FAMILIES[str(rng.choice(["light", "dark", "slope"]))](rng, family))
    style = replace(style, hole=looks.Hole("enclosed", None, lined=True), panel=None)
    rows, cols = int(rng.integers(5, 12)), int(rng.integers(5, 10))
    return stitch.draw(rng, style=style, rows=rows, cols=cols, holes=int(rng.integers(1, 7)), form="holed")


def pierced(rng: np.random.Generator) -> Sample:
    """Boards in the game's look with a few places missing within, which only their outline tells from cells."""
    rows, cols = (int(side) for side in rng.integers(5, 11, 2))
    return stitch.draw(rng, style="game", rows=rows, cols=cols, holes=int(rng.integers(1, 6)), form="holed")


def paged(missing: float | None = None) -> Draw:
    """The same by :mod:`samples.pages`; whole boards where nothing is missing."""
    return lambda rng: pages.draw(rng, missing=missing)


def beside(rng: np.random.Generator) -> Sample:
    """Boards with things as large as cells near them, whole or not, by either."""
    whole = bool(rng.random() < 0.5)
    if rng.random() < 0.5:
        return pages.draw(rng, missing=0.0 if whole else None, furnished=1.0)
    return stitch.draw(rng, form="stepped", holes=0 if whole else int(rng.integers(1, 6)), beside=True)


def wiped(rng: np.random.Generator) -> Sample:
    """Boards of whose clues one is not there, whole or not, by either: not to be solved."""
    whole = bool(rng.random() < 0.5)
    if rng.random() < 0.5:
        return pages.draw(rng, missing=0.0 if whole else None, wiped=True)
    return stitch.draw(rng, rows=9, cols=8, form="mixed", holes=0 if whole else 12, wiped=True)


def irregular(rng: np.random.Generator) -> Sample:
    """Boards of any outline by either."""
    return (outlined if rng.random() < 0.5 else paged())(rng)


def either(rng: np.random.Generator) -> Sample:
    """Boards by either, whole or not."""
    if rng.random() < 0.5:
        return pages.draw(rng, missing=0.0 if rng.random() < 0.5 else None)
    return outlined(rng) if rng.random() < 0.5 else stitch.draw(rng)


# --- other kinds ----------------------------------------------------------------------------------------------------


def chequered(kind: str) -> Draw:
    """Diagrams on screens."""
    return lambda rng: chess.draw(rng, chess.random_scene(rng, kind))


def chequered_photo(kind: str) -> Draw:
    """Photos of diagrams, half of them on paper and half on screens."""

    def drawn(rng: np.random.Generator) -> Sample:
        screen = bool(rng.random() < 0.5)
        scene = chess.random_scene(rng, kind)
        if not screen:
            scene = replace(scene, theme=str(rng.choice(["print", "blue", "brown"])), device="bare")
        return photograph(chess.draw(rng, scene), random_shot(rng, PHOTO_WH, screen=screen), rng)

    return drawn


def ball_photo(board: str) -> Draw:
    """Photos of ball boards."""
    return lambda rng: photograph(balls.random_sample(rng, board), random_shot(rng, PHOTO_WH), rng)


def tray(rng: np.random.Generator) -> Sample:
    """Triazzle trays seen from above."""
    style = triazzle.random_style(rng)
    return triazzle.render(triazzle.random_puzzle(rng, style.match, style.symbols), style, rng)


def tray_photo(rng: np.random.Generator) -> Sample:
    """The same in photos."""
    return photograph(tray(rng), random_shot(rng, PHOTO_WH, hardness=0.7), rng)


def standing_photo(*pieces: str) -> Draw:
    """Photos of one such piece on a real board."""
    return lambda rng: standing.random_sample(rng, pieces)


def no_board(rng: np.random.Generator) -> Sample:
    """Pictures that look as if they had a board: not to be solved."""
    scenes = list(nothing.SCENES.values())
    sample = scenes[int(rng.integers(len(scenes)))](rng)
    return replace(sample, truth={"kind": "other"})


# --- what happens to pictures ---------------------------------------------------------------------------------------


def photos_of(draw: Draw) -> Draw:
    """Photos of them on a table, on paper and on screens."""

    def drawn(rng: np.random.Generator) -> Sample:
        sample = draw(rng)
        return photograph(sample, random_shot(rng, PHOTO_WH), rng)

    return drawn


def cut(draw: Draw) -> Draw:
    """What is left of them where the picture ends within the board: not to be solved."""

    def drawn(rng: np.random.Generator) -> Sample:
        sample = draw(rng)
        return cut_off(rng, sample)

    return drawn


def cut_along(rng: np.random.Generator) -> Sample:
    """Boards with a thick outline whose picture ends with a line between their cells: no outline there. Not to be
    solved.
    """
    style = page_styles.random_style(rng)
    ink = page_styles.blend(style.paper, style.ink, 0.9)
    style = replace(style, outline=ink, outline_width=float(rng.uniform(0.08, 0.16)), outline_at=0.5, hole="page")
    sample = pages.draw(rng, style=style, missing=0.0 if rng.random() < 0.5 else None)
    return cut_off(rng, sample, (-0.03, 0.03))


def sent_on(draw: Draw) -> Draw:
    """Pictures of them as others might have sent them: smaller, compressed, dim, askew, cropped, framed."""

    def drawn(rng: np.random.Generator) -> Sample:
        sample = draw(rng)
        ways = [way for name, way in WAYS.items() if name not in {"screen", "paper"}]
        picture, to_new = ways[int(rng.integers(len(ways)))](sample.picture, np.array(sample.truth["corners"]), rng)
        return sample.moved(picture, to_new)

    return drawn
