"""Draws the pictures of ``docs/errors.md``: ``python -m docs.refusals``.

Each shows what lies beside a refused picture, or the picture itself where nothing was read of it; the pictures are
drawn from seeds, and each has to be refused with its sentence.
"""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

import solvepic
from benchmarks.sets import sample_of
from benchmarks.small import SEED, blurred_to, brought_to
from benchmarks.solving import LIMIT
from samples import chess, other_games, regions
from samples.stitch import draw
from vision.pictures.photo import Picture

FOLDER = Path(__file__).parent / "refusals"
WIDTH_PX, QUALITY = 360, 80


def _unread() -> Picture:
    """A board with a hole within, of which two places may be the one that is none."""
    return draw(np.random.default_rng(1382), style="light", rows=7, cols=6, holes=6, form="holed").picture


def _opening() -> Picture:
    """Chess before the first move."""
    officers = ["rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook"]
    pieces = {(row, col): name for row in (0, 7) for col, name in enumerate(officers)}
    pieces |= {(row, col): "pawn" for row in (1, 6) for col in range(8)}
    return chess.draw(np.random.default_rng(0), chess.Scene(pieces=pieces, style="solid sign", device="bare")).picture


def _several() -> Picture:
    """A page with a level twice."""
    page = regions.draw(np.random.default_rng(1), device="bare", n=6, theme="light").picture
    return np.ascontiguousarray(np.hstack([page, page]))


def _cropped() -> Picture:
    """A board of coloured regions less its last row and column: as square as a whole one."""
    sample = regions.draw(np.random.default_rng(6))
    (left, _), _, (right, bottom), _ = sample.truth["corners"]
    side = (right - left) / len(sample.truth["regions"])
    return sample.picture[: round(bottom - side), : round(right - side)]


REFUSALS: dict[str, tuple[str, Callable[[], Picture]]] = {
    "unread": ("not sure of", _unread),
    "lost-clue": ("no clue was seen between", lambda: sample_of("wiped", 2).picture),
    "cut-off": ("the picture ends with the top of the board", lambda: sample_of("cut-off", 11).picture),
    "cropped": ("may go on beyond the edge of the picture (right, bottom)", _cropped),
    "several": ("several levels are about as large", _several),
    "sudoku": ("looks like a Sudoku", lambda: other_games.draw(np.random.default_rng(3), "sudoku").picture),
    "chess": ("looks like a game of chess", _opening),
    "blurred": ("so blurred that they show", lambda: blurred_to(sample_of("stitch-screens", SEED), 8)),
    "small": ("there is a grid, but its cells are", lambda: brought_to(sample_of("stitch-screens", SEED + 4), 10)),
}
"""By name, a part of what is said, and what draws a picture of which it is."""


def refused(name: str) -> solvepic.Outcome:
    """What comes of a picture; raises SystemExit where that is not what it has to be."""
    says, drawn = REFUSALS[name]
    outcome = solvepic.solve(drawn().copy(), **LIMIT)
    if says not in outcome.message:
        raise SystemExit(f"{name}: {outcome.message!r} does not say {says!r}")
    return outcome


def main() -> None:
    """Write them all."""
    FOLDER.mkdir(exist_ok=True)
    for name in REFUSALS:
        outcome = refused(name)
        shown = outcome.read_picture()
        shown = outcome.photo.bgr if shown is None and outcome.photo is not None else shown
        assert shown is not None
        factor = WIDTH_PX / shown.shape[1]
        way = cv2.INTER_AREA if factor < 1 else cv2.INTER_NEAREST
        smaller = cv2.resize(shown, None, fx=factor, fy=factor, interpolation=way)
        data = cv2.imencode(".jpg", smaller, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        (FOLDER / f"{name}.jpg").write_bytes(data)


if __name__ == "__main__":
    main()
