"""From which size on boards are read: ``python -m benchmarks.small [--count N] [--seed S]``.

Drawn Stitch screens of every look are brought down until their cells have so many pixels, or blurred at a larger size
until they show as much by :func:`vision.clues.legible.sharp_px`. Of each size the line says how many are solved, how
many are called too small or blurred, and how many are refused for other reasons.
"""

import argparse
from collections import Counter

import cv2
import numpy as np

import solvepic
from benchmarks.sets import sample_of
from benchmarks.solving import LIMIT
from samples.sample import Sample
from solvepic.outcome import Status
from vision.clues.legible import ENOUGH_PX, SHARP
from vision.pictures.flatten import cell_side_px
from vision.pictures.photo import Picture
from vision.pictures.placement import FlatPlacement

SIDES_PX = (6, 8, 10, 12, 14, 16, 20, 24)
"""Sides of cells that are tried."""

BLURRED_PX = 40.0
"""Side of the cells of a picture that is blurred."""

SEED = 5000


def brought_to(sample: Sample, side_px: float) -> Picture:
    """The picture with cells of this side."""
    place = FlatPlacement.from_corners(sample.truth["corners"], (sample.truth["cols"], sample.truth["rows"]))
    factor = side_px / cell_side_px(place)
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(sample.picture, None, fx=factor, fy=factor, interpolation=way), np.uint8)


def blurred_to(sample: Sample, side_px: float) -> Picture:
    """The picture so blurred that it shows as much as one with cells of this side."""
    larger = brought_to(sample, BLURRED_PX)
    return np.asarray(cv2.GaussianBlur(larger, (0, 0), SHARP * BLURRED_PX / side_px), np.uint8)


def main() -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.small", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=SEED, help="of the first picture")
    asked = parser.parse_args()
    samples = [sample_of("stitch-screens", seed) for seed in range(asked.seed, asked.seed + asked.count)]
    for name, made in (("small", brought_to), ("blurred", blurred_to)):
        for side in SIDES_PX:
            ends = [solvepic.solve(made(sample, side), **LIMIT) for sample in samples]
            statuses = Counter(
                "solved" if end.status is Status.SOLVED
                else "too small or blurred" if f"from {ENOUGH_PX:.0f} on" in end.message else end.status.value
                for end in ends
            )  # fmt: skip
            print(f"{name}, cells of {side} pixels: {dict(statuses)}", flush=True)


if __name__ == "__main__":
    main()
