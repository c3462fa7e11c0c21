"""Boards of coloured regions as phones send them: a page with rules and examples, played on, and what happens to it.

Between the player and us a capture meets a messenger that makes it small, a finger that draws on it, a sheet of
buttons that covers its foot and dims the rest, a frame when it is captured once more, a filter, or a print in grey.
:func:`samples.regions.capture` draws any theme on any screen; here every picture is of one game on a phone.
"""

from dataclasses import replace
from random import Random

import cv2
import numpy as np

from samples import regions
from samples.canvas import Canvas
from samples.captures import Capture, captured
from samples.puzzles.regions import make
from samples.region_marks import State
from samples.sample import Sample
from samples.textures import Bgr
from vision.pictures.photo import Picture

STROKES: tuple[Bgr, ...] = ((60, 60, 230), (255, 255, 255), (0, 0, 0), (40, 200, 250))
"""Colours of a finger's strokes."""


def sent(rng: np.random.Generator) -> Sample:
    """A random phone's capture of the game."""
    n = int(rng.choice([6, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10, 11, 12]))
    puzzle, answer = make(Random(int(rng.integers(2**32))), n)
    theme = replace(
        regions.THEMES[str(rng.choice(["light", "dark", "thick"]))],
        line_width=float(rng.uniform(0.012, 0.03)),
        border_width=float(rng.uniform(0.05, 0.085)),
        board_round=float(rng.uniform(0, 0.25)),
    )
    state = _played(rng, regions.random_state(rng, puzzle, answer))
    device = str(rng.choice(["small phone", "phone", "old phone"]))
    sample = regions.picture(rng, puzzle, state, theme=theme, device=device)
    sample = replace(sample, picture=_with_examples(rng, sample, theme))
    happens = rng.choice(["nothing", "nothing", "strokes", "sheet", "again", "banner"])
    changed = {"strokes": _with_strokes, "sheet": _under_sheet, "again": _captured_again, "banner": _with_banner}
    if happens in changed:
        sample = changed[str(happens)](rng, sample)
    return captured(sample, _way(rng, sample), n)


def _played(rng: np.random.Generator, state: State) -> State:
    """The state with marks as this game draws them, and nothing that only a mouse leaves."""
    queen, cross = str(rng.choice(["crown", "gold"])), str(rng.choice(["thin", "small", "dot"]))
    return replace(state, queen=queen, cross=cross, size=float(rng.uniform(0.5, 0.6)), pointer=None)


def _with_examples(rng: np.random.Generator, sample: Sample, theme: regions.Theme) -> Picture:
    """The page with two small boards at its foot, as far as it goes on."""
    page = sample.picture.copy()
    height, width = page.shape[:2]
    (left, _), (right, _), (_, bottom), _ = sample.truth["corners"]
    side = round((right - left) * 0.46)
    top = round(bottom + rng.uniform(0.25, 0.7) * (right - left))
    for x in (round(left), round(right) - side):
        puzzle, answer = make(Random(int(rng.integers(2**32))), 5)
        shown = State(list(answer.cells())[: int(rng.integers(0, 6))])
        example = regions.picture(rng, puzzle, shown, theme=theme, size_px=side).picture[: max(0, height - top)]
        page[top : top + len(example), x : min(x + side, width)] = example[:, : width - x]
    return page


def _with_strokes(rng: np.random.Generator, sample: Sample) -> Sample:
    """Strokes of a finger, most of them across the page."""
    canvas = Canvas(sample.picture.copy())
    width, height = canvas.size_wh
    ink = STROKES[int(rng.integers(len(STROKES)))]
    for _ in range(int(rng.integers(1, 4))):
        steps = np.cumsum(rng.normal(0, 0.5, 12)) + rng.uniform(0, 2 * np.pi)
        walk = np.cumsum(np.column_stack([np.cos(steps), np.sin(steps)]), axis=0) * 0.05 * width
        canvas.line(walk + rng.uniform(0, 1, 2) * (width, height), 0.012 * width, ink)
    return replace(sample, picture=canvas.picture)


def _under_sheet(rng: np.random.Generator, sample: Sample) -> Sample:
    """All dimmed, and a sheet with round buttons below the board."""
    canvas = Canvas((sample.picture * rng.uniform(0.4, 0.8)).astype(np.uint8))
    width, height = canvas.size_wh
    top = float(sample.truth["corners"][2][1]) + 0.05 * width
    canvas.rounded((0, top, width, height + 0.1 * width), 0.04 * width, (245, 245, 245))
    for k in range(4):
        colour = tuple(int(v) for v in rng.integers(40, 240, 3))
        canvas.disc(((k + 0.5) * width / 4, top + 0.16 * width), 0.07 * width, colour)  # type: ignore[arg-type]
    return replace(sample, picture=canvas.picture)


def _with_banner(rng: np.random.Generator, sample: Sample) -> Sample:
    """A message over the top of the page, above the board."""
    canvas = Canvas(sample.picture.copy())
    width, _ = canvas.size_wh
    foot = float(sample.truth["corners"][0][1]) - 0.04 * width
    box = (0.03 * width, max(0.0, foot - 0.16 * width), 0.97 * width, foot)
    canvas.rounded(box, 0.03 * width, (70, 62, 60))
    canvas.words((width / 2, (box[1] + box[3]) / 2), "Solved in 1:24, share it?", 0.04 * width, (240, 240, 240))
    return replace(sample, picture=canvas.picture)


def _captured_again(rng: np.random.Generator, sample: Sample) -> Sample:
    """The capture as it is shown in another app, smaller and with a margin."""
    width = sample.picture.shape[1]
    factor, margin = float(rng.uniform(0.6, 0.9)), round(float(rng.uniform(0.02, 0.2)) * width)
    small = cv2.resize(sample.picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    grey = int(rng.choice([0, 40, 240]))
    page = np.full((small.shape[0] + 3 * margin, small.shape[1] + 2 * margin, 3), grey, np.uint8)
    page[margin : margin + small.shape[0], margin : margin + small.shape[1]] = small
    return sample.moved(page, lambda points: (np.asarray(points) + 0.5) * factor - 0.5 + margin)


def _way(rng: np.random.Generator, sample: Sample) -> Capture:
    """What a messenger or a filter does to it."""
    small = rng.random() < 0.5
    scale = float(rng.uniform(400, 800)) / sample.picture.shape[1] if small else 1.0
    tint = (float(rng.uniform(0.5, 1)), float(rng.uniform(0.8, 1)), 1.0) if rng.random() < 0.25 else (1.0, 1.0, 1.0)
    quality = int(rng.integers(30, 81)) if small or rng.random() < 0.5 else None
    return Capture(gains=tint, scale=min(1.0, scale), quality=quality)
