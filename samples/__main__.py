"""Draw sample pictures with their truth: ``python -m samples [FOLDER] [--only TEXT] [--count N] [--seed S]``.

Without ``--count`` this draws the pictures that the project carries, always the same. With it, that many of each scene
are drawn from fresh seeds, for measuring.
"""

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from samples import balls, chess, nothing, regions, standing, stitch, triazzle
from samples.camera import Shot, photograph
from samples.figures import Design
from samples.region_marks import State
from samples.sample import Sample
from solvers.board import Cell

Scene = Callable[[np.random.Generator], Sample]


def _compact(sample: Sample, longest_px: int, quality: int = 80) -> Sample:
    """A sample that takes little room: reduced, and saved as JPEG."""
    height, width = sample.picture.shape[:2]
    factor = min(1.0, longest_px / max(height, width))
    size_wh = (round(width * factor), round(height * factor))
    smaller = np.asarray(cv2.resize(sample.picture, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
    shift = (factor - 1) / 2
    return sample.moved(smaller, lambda points: np.asarray(points, np.float64) * factor + shift, quality)


def _page(rng: np.random.Generator) -> Sample:
    page = stitch.draw(rng, style="light", rows=8, cols=8, filled=0.0, device="bare", family="builtin")
    shot = Shot((1000, 1200), tilt_deg=18, tilt_towards_deg=70, turn_deg=6, light=0.3, noise=3, blur=0.0005, quality=75)
    return photograph(page, shot, rng)


def _balls(rng: np.random.Generator, board: str) -> Sample:
    toy = balls.random_sample(rng, board, style=balls.random_style(rng, "toy"), given=6, pieces="standard")
    return _compact(photograph(toy, _hand(rng), rng), 900, 75)


def _tray(rng: np.random.Generator) -> Sample:
    style = triazzle.random_style(rng, "halves")
    tray = triazzle.render(triazzle.random_puzzle(rng, style.match, style.symbols), style, rng)
    return _compact(photograph(tray, _hand(rng), rng), 1100, 75)


def _hand(rng: np.random.Generator) -> Shot:
    """A photo taken with a steady hand, a little from the side."""
    towards = float(rng.uniform(0, 360))
    return Shot((1400, 1200), tilt_deg=12, tilt_towards_deg=towards, turn_deg=4, light=0.2, noise=2, quality=85)


def _chequered(rng: np.random.Generator, kind: str) -> Sample:
    scene = replace(chess.random_scene(rng, kind), rows=8, cols=8, device="phone", stretch=1.0, clutter=False)
    knight: dict[Cell, str] = {(5, 2): "knight"}
    queens: dict[Cell, str] = {(0, 0): "queen", (3, 5): "queen", (6, 1): "queen"}
    pieces = knight if kind == "knight" else queens
    return chess.draw(rng, replace(scene, pieces=pieces))


def _standing(rng: np.random.Generator) -> Sample:
    """A light knight on a light square of a club's board: hard to see, and plain to see."""
    scene = standing.random_scene(rng, "knight", (1400, 1050))
    scene = replace(scene, n=8, cell=(4, 2), colour=(196, 222, 232), stuff="green vinyl", border=0.6, coordinates=True)
    scene = replace(
        scene,
        design=Design(horse="staunton"),
        facing=3.4,
        elevation_deg=48,
        azimuth_deg=4,
        worn=0.0,
        shot=replace(scene.shot, size_wh=(1400, 1050)),
    )
    return _compact(standing.draw(rng, scene), 1000, 75)


SCENES: dict[str, Scene] = {
    "stitch/phone-light": lambda rng: stitch.draw(
        rng, style="light", rows=14, cols=8, filled=0.0, device="phone", family="builtin"
    ),
    "stitch/phone-dark-half": lambda rng: stitch.draw(
        rng, style="dark", rows=9, cols=9, filled=0.5, device="small phone", family="builtin"
    ),
    "stitch/phone-game": lambda rng: _compact(
        stitch.draw(rng, style="game", rows=14, cols=8, filled=0.4, device="phone", family="builtin"), 1200, 60
    ),
    "stitch/hoop": lambda rng: _compact(
        stitch.draw(
            rng, style="game", rows=6, cols=6, filled=0.4, holes=10, bend=1.0, device="wide tablet", family="builtin"
        ),
        900,
        60,
    ),
    "stitch/patches": lambda rng: stitch.draw(
        rng, style="patches", rows=7, cols=7, filled=0.3, device="bare", family="builtin"
    ),
    "stitch/dotted": lambda rng: stitch.draw(
        rng, style="dotted", rows=9, cols=7, filled=0.3, device="small phone", family="builtin"
    ),
    "stitch/page-photo": _page,
    "queens/regions-phone": lambda rng: regions.draw(rng, theme="light", n=8, device="phone", state=State()),
    "queens/chequered": lambda rng: _chequered(rng, "queens"),
    "knight/chequered": lambda rng: _chequered(rng, "knight"),
    "knight/standing-photo": _standing,
    "pyramid/toy-photo": lambda rng: _balls(rng, "pyramid"),
    "kanoodle/toy-photo": lambda rng: _balls(rng, "kanoodle"),
    "triazzle/tray-photo": _tray,
    **{f"nothing/{name}": scene for name, scene in nothing.SCENES.items()},
}
"""By path, the pictures that are drawn."""


def main() -> None:
    """Draw what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m samples", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="where to (default: here)")
    parser.add_argument("--only", default="", help="draw the scenes whose path contains this")
    parser.add_argument("--count", type=int, default=0, help="draw so many of each, numbered, from fresh seeds")
    parser.add_argument("--seed", type=int, default=0, help="where the seeds start")
    asked = parser.parse_args()
    for path, scene in SCENES.items():
        if asked.only not in path:
            continue
        kind, name = path.split("/")
        for number in range(asked.seed, asked.seed + max(1, asked.count)):
            sample = scene(np.random.default_rng([number, *path.encode()]))
            label = {"note": f"drawn by python -m samples, seed {number}"}
            numbered = f"{name}-{number:04d}" if asked.count else name
            print(replace(sample, truth={**sample.truth, **label}).save(asked.folder / kind, numbered))


if __name__ == "__main__":
    main()
