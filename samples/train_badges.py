"""Train the second opinion on badges (:mod:`vision.clues.badges`): ``python -m samples.train_badges FACES...``.

Every example is a cell of its own: a badge of any size and colour on plain ground or on a tint of itself, a disc, a
ring or nothing, nearly always with a number on it, lines at the rim; then turned a little, made small, blurred, shaded,
striped as by moire, noisy, and compressed. Where a disc stands, a badge that asks for nothing is the right answer.

The weights in the project were trained on 14,000 examples in 714 free faces of Debian's packages. Of the 2,000 that
were kept for the test, many of them hardly to be made out, 93 % were right, and 99.5 % of those that it was sure of.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from samples import fonts, training
from samples.canvas import Canvas, Type, circle_outline, closed, rounded_outline
from samples.judge_examples import faces
from vision.clues.badges import SHAPES, WEIGHTS, Shape, fitted
from vision.network import Floats, probabilities
from vision.pictures.photo import Picture

HIDDEN, EPOCHS = 96, 50
KEPT_FOR_TEST = 7
"""Every so many-th example is kept for the test."""

SIDE = 112
"""Of a cell as it is drawn, in pixels."""

Colour = npt.NDArray[np.float64]


def example(rng: np.random.Generator, files: list[Path]) -> tuple[Floats, int]:
    """A cell as the network sees it, and its class."""
    shapes = (None, *SHAPES)
    index = int(rng.integers(len(shapes)))
    return fitted(_spoiled(rng, _cell(rng, files, shapes[index]))), index


def _cell(rng: np.random.Generator, files: list[Path], shape: Shape | None) -> Picture:
    """A cell with such a badge."""
    ground, fill, ink = _colours(rng)
    canvas = Canvas(np.full((SIDE, SIDE, 3), ground, np.uint8))
    if rng.random() < 0.7:
        _rim(rng, canvas, _unlike(rng, ground, 10))
    if shape is None:
        ink = _unlike(rng, ground, 40)
        if rng.random() < 0.25:
            canvas.line(closed(circle_outline((SIDE / 2, SIDE / 2), 0.4 * SIDE)), 0.035 * SIDE, _bgr(ink))
    elif shape == "any" and rng.random() < 0.3:
        canvas.disc((SIDE / 2, SIDE / 2), float(rng.uniform(0.25, 0.42)) * SIDE, _bgr(fill))
    else:
        alpha = float(rng.uniform(0.4, 1)) if shape == "any" else 1.0  # the middle of a cross may be darker
        radius, hemmed = float(rng.uniform(0.02, 0.12)) * SIDE, rng.random() < 0.15
        for wide, high in _halves(rng, shape):
            low, far = np.array([0.5 - wide, 0.5 - high]) * SIDE, np.array([0.5 + wide, 0.5 + high]) * SIDE
            box = low[0], low[1], far[0], far[1]
            canvas.rounded(box, radius, _bgr(fill), alpha)
            if hemmed:
                canvas.line(
                    closed(rounded_outline(box, radius)),
                    0.015 * SIDE,
                    _bgr(np.clip(0.6 * fill + 100, 0, 255)),
                    "dashed",
                )
    if shape is None or rng.random() < 0.85:
        _number(rng, canvas, files, ink)
    return canvas.picture


def _colours(rng: np.random.Generator) -> tuple[Colour, Colour, Colour]:
    """Of the ground, the badge and its number: white, dark, about the ground's, or any that is seen on the badge."""
    ground = rng.uniform(0, 255, 3)
    if rng.random() < 0.4:
        ground[:] = ground.mean()
    if rng.random() < 0.3:
        ground[:] = rng.uniform(235, 255) if rng.random() < 0.6 else rng.uniform(15, 45)
    fill = _unlike(rng, ground, 25)
    if rng.random() < 0.35:  # a placed patch's tint lies on the cell
        ground = ground + float(rng.uniform(0.25, 0.6)) * (fill - ground)
    if np.abs(fill - ground).max() < 18:
        fill = _unlike(rng, ground, 25)
    inks = [np.full(3, 255.0), np.full(3, 20.0), np.clip(ground + rng.normal(0, 10, 3), 0, 255), _unlike(rng, fill, 40)]
    return ground, fill, inks[int(rng.choice(4, p=[0.55, 0.15, 0.15, 0.15]))]


def _unlike(rng: np.random.Generator, colour: Colour, least: float) -> Colour:
    """A colour that differs from another by so many grey levels in one channel at least."""
    while True:
        other = rng.uniform(0, 255, 3)
        if np.abs(other - colour).max() >= least:
            return other


def _bgr(colour: Colour) -> tuple[int, int, int]:
    blue, green, red = (int(v) for v in colour)
    return blue, green, red


def _rim(rng: np.random.Generator, canvas: Canvas, colour: Colour) -> None:
    """Lines along most of the cell's sides: thin between cells, thick round a placed patch."""
    width, ends = (
        float(rng.uniform(0.01, 0.05 if rng.random() < 0.7 else 0.14)) * SIDE,
        [(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE), (0, 0)],
    )
    for k in range(4):
        if rng.random() < 0.8:
            canvas.line(ends[k : k + 2], width, _bgr(colour), str(rng.choice(["plain", "dashed", "dotted"])))


def _halves(rng: np.random.Generator, shape: Shape) -> list[tuple[float, float]]:
    """Half width and half height of the boxes that make up a badge, in cells."""
    if shape == "square":
        half = float(rng.uniform(0.22, 0.38))
        return [(half, half * float(rng.uniform(0.95, 1.05)))]
    short = float(rng.uniform(0.16, 0.27))
    long = min(0.4, short * float(rng.uniform(1.28, 1.75)))
    return {"tall": [(short, long)], "wide": [(long, short)], "any": [(long, short), (short, long)]}[shape]


def _number(rng: np.random.Generator, canvas: Canvas, files: list[Path], ink: Colour) -> None:
    text = str(rng.integers(1, 10) if rng.random() < 0.65 else rng.integers(10, 100))
    own = rng.random() < 0.4
    family = str(rng.choice(fonts.families())) if own else str(files[int(rng.integers(len(files)))])
    fonts.FAMILIES.setdefault(family, (family,))
    height = float(rng.uniform(0.25, 0.5)) * SIDE * (0.92 if len(text) > 1 else 1)
    canvas.digits((SIDE / 2, SIDE / 2), text, Type(family, height, float(rng.choice([0, 0.04, 0.04]))), _bgr(ink))


def _spoiled(rng: np.random.Generator, drawn: Picture) -> Picture:
    """The cell as a photo shows it, not quite where it should be."""
    side = int(rng.integers(26, 97))
    ends = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], np.float32)
    corners = (ends + rng.normal(0, 0.018 * SIDE, (4, 2))).astype(np.float32)
    turn = cv2.getPerspectiveTransform(ends, corners)
    moved = cv2.warpPerspective(drawn, turn, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
    small = np.asarray(cv2.resize(moved, (side, side), interpolation=cv2.INTER_AREA), np.float32)
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), float(0.2 + 0.04 * side * rng.random() ** 2)), np.float32)
    slope = np.linspace(1, 1 - 0.3 * rng.random() ** 2, side, dtype=np.float32)
    soft *= (slope[:, None, None] if rng.random() < 0.5 else slope[None, :, None]) * np.float32(
        rng.uniform(0.4 if rng.random() < 0.4 else 0.9, 1)
    )
    if rng.random() < 0.3:
        phase = np.arange(side) * rng.uniform(0.1, 1.2) + rng.uniform(0, 6)
        soft += np.asarray(rng.uniform(0, 12) * np.sin(phase), np.float32)[:, None, None]
    noise = rng.standard_normal((side, side, 1), np.float32) + 0.5 * rng.standard_normal((side, side, 3), np.float32)
    soft += np.asarray(cv2.GaussianBlur(noise, (0, 0), 0.6), np.float32) * np.float32(14 * rng.random() ** 2)
    plain = np.clip(soft, 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", plain, [cv2.IMWRITE_JPEG_QUALITY, int(95 - 45 * rng.random() ** 2)])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def varied(inputs: Floats, rng: np.random.Generator) -> Floats:
    """The same with noise."""
    return inputs + np.float32(0.03) * rng.standard_normal(inputs.shape, np.float32)


def main() -> None:
    """Draw, train, test, write."""
    parser = argparse.ArgumentParser(prog="python -m samples.train_badges", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, help="where faces (ttf, otf) are looked for")
    parser.add_argument("--count", type=int, default=14_000, help="examples")
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    asked = parser.parse_args()
    rng = np.random.default_rng(0)
    files = faces(asked.folders)
    fields, labels = zip(*(example(rng, files) for _ in range(asked.count)), strict=True)
    inputs, truth = np.stack(fields), np.array(labels)
    kept = np.arange(len(truth)) % KEPT_FOR_TEST == 3
    tried = training.train(inputs[~kept], truth[~kept], HIDDEN, rng, epochs=EPOCHS, varied=varied)
    print(f"{len(files)} faces; kept: {training.report(probabilities(inputs[kept], tried), truth[kept])}")
    training.write(asked.output, training.train(inputs, truth, HIDDEN, rng, epochs=EPOCHS, varied=varied))


if __name__ == "__main__":
    main()
