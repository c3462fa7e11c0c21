"""``--animate``: the way to the answer as a small film on the picture itself.

Where rules alone lead to the answer the film follows them, step by step; else it shows the search, pieces going in and
out. A search takes thousands of steps and a film a few dozen pictures, so steps are thinned while they come: whenever
twice as many are kept as are wanted, every other one is dropped and from then on half as many are taken. All frames
share one palette, which keeps a GIF small; with the ending ``.png`` an animated PNG in full colour is written.
"""

import io
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from overlay import paint
from solvepic.outcome import RATING_NODES, Outcome
from solvepic.output import write_whole
from solvers.budget import Budget, BudgetSpentError
from solvers.kind import Frame
from solvers.marks import Mark
from solvers.steps.step import CHOICE, TRYING, Step
from vision.pictures.photo import Picture

FRAMES = 60
LONGEST_PX = 640
FRAME_MS = 120
LAST_MS = 2500
COLOURS = 255
PALETTE_FRAMES = 5


@dataclass
class Reel:
    """Keeps evenly spread steps of a search, at most twice as many as ``frames`` at a time."""

    frames: int = FRAMES
    _steps: list[Frame] = field(default_factory=list)
    _added: int = 0
    _stride: int = 1

    def add(self, step: Frame) -> None:
        """Take a step, or let it pass."""
        if self._added % self._stride == 0:
            self._steps.append(step)
            if len(self._steps) >= 2 * self.frames:
                del self._steps[1::2]
                self._stride *= 2
        self._added += 1

    def steps(self) -> list[Frame]:
        """The steps kept, in order, at most ``frames``."""
        if len(self._steps) <= self.frames:
            return list(self._steps)
        chosen = np.linspace(0, len(self._steps) - 1, self.frames).round().astype(int)
        return [self._steps[index] for index in chosen]


def write_film(target: Path, outcome: Outcome, budget: Budget, frames: int = FRAMES, *, replace: bool = False) -> None:
    """Find the answer of a solved picture again and write the film of it; the answer itself is held longer.

    Args:
        target: ``.gif``, or ``.png`` for an animated PNG.
        outcome: what :func:`solvepic.solve` returned.
        budget: for the search; when it is spent, the film ends there and shows the answer.
        frames: steps shown at most.
        replace: whether a file that is there may be replaced.
    """
    kind, reading, photo = outcome.kind, outcome.reading, outcome.photo
    if kind is None or reading is None or photo is None or outcome.answer is None:
        return
    reel = Reel(frames)
    with suppress(BudgetSpentError):
        steps = _followed(outcome, Budget(nodes=RATING_NODES, parent=budget))
        for count in range(len(steps)):
            reel.add(partial(_marks, steps[: count + 1]))
        if not steps:
            kind.rules.rehearse(reading.puzzle, budget, reel.add)
    smaller = photo.reduced(LONGEST_PX)
    place = reading.placement.scaled(smaller.scale / photo.scale)
    layout = kind.rules.layout(reading.puzzle)
    shown = [frame() for frame in reel.steps()] + [kind.rules.marks(reading.puzzle, outcome.answer)]
    drawn = [paint(smaller.bgr, place, layout, marks, reading.inks) for marks in shown]
    write_whole(target, _film(drawn, "PNG" if target.suffix.lower() == ".png" else "GIF"), replace=replace)


def _followed(outcome: Outcome, budget: Budget) -> list[Step]:
    """The steps to the answer, where rules alone lead to it; else none."""
    assert outcome.kind is not None
    try:
        steps = list(outcome.steps(budget))
    except BudgetSpentError:
        return []
    laid = {*outcome.standing, *(step.placed for step in steps)}
    reached = laid == set(outcome.kind.guide.placings(outcome.puzzle, outcome.answer))
    return steps if reached and not any(step.rule in (TRYING, CHOICE) for step in steps) else []


def _marks(steps: Sequence[Step]) -> list[Mark]:
    return [mark for step in steps for mark in step.marks]


def _film(drawn: Sequence[Picture], form: str) -> bytes:
    durations = [FRAME_MS] * (len(drawn) - 1) + [LAST_MS]
    frames = [Image.fromarray(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB)) for frame in drawn]
    if form == "GIF":
        palette = _shared_palette(drawn)
        frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    buffer = io.BytesIO()
    frames[0].save(buffer, form, save_all=True, append_images=frames[1:], duration=durations, loop=0)
    return buffer.getvalue()


def _shared_palette(drawn: Sequence[Picture]) -> Image.Image:
    chosen = np.linspace(0, len(drawn) - 1, min(PALETTE_FRAMES, len(drawn))).round().astype(int)
    strip = np.concatenate([drawn[index] for index in dict.fromkeys(chosen)], axis=1)
    return Image.fromarray(cv2.cvtColor(strip, cv2.COLOR_BGR2RGB)).quantize(COLOURS, Image.Quantize.MEDIANCUT)
