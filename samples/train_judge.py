"""Train the judge of digits (:mod:`vision.numbers.judge`): ``python -m samples.train_judge FOLDER_OF_FACES...``.

Two sources of examples. *Shapes* are digits drawn in every face found, made small, blurred, noisy and slanted, and cut
tight: many and cheap. *Cells* are whole cells with numbers or with none, on plain, woven or roped ground, sent through
:func:`vision.numbers.glyphs.isolate` as real cells are: fewer, and the only source of shapes that are no digits. Every
seventh face is kept for the test; the weights that are written are then trained on all.

The weights in the project come from an earlier form of this script with the same two sources: 64,301 examples in 459
free faces of Debian's packages. On the faces kept for the test 98.4 % of the digits were right; of all shapes that it
was sure of (0.95), no digits included, 99.75 %.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from samples.textures import Bgr, cloth, rope
from vision.network import probabilities
from vision.numbers.glyphs import isolate
from vision.numbers.judge import HEIGHT, NO_DIGIT, WEIGHTS, WIDTH, Floats, fitted
from vision.pictures.photo import Picture

Net = tuple[Floats, Floats, Floats, Floats]
Example = tuple[Floats, int, int]
"""What the network sees, what it is, and the number of the face (-1 for none)."""

HIDDEN = 64
KEPT_FOR_TEST = 7
"""Every so many-th face is kept for the test."""


def faces(folders: list[Path]) -> list[Path]:
    """The faces that draw ten different digits; symbol faces do not."""
    files = sorted(file for folder in folders for ending in ("ttf", "otf") for file in folder.rglob(f"*.{ending}"))
    return [file for file in files if _draws_digits(file)]


def _draws_digits(file: Path) -> bool:
    try:
        font = ImageFont.truetype(str(file), 40)
        return len({bytes(font.getmask(digit)) for digit in "0123456789"}) == 10
    except OSError:
        return False


# --- examples ---------------------------------------------------------------------------------------------------------


def _written(file: Path, text: str, height: float, stroke: int) -> Floats:
    """A text in a face, ``float32 (h, w)``, ink 0..1, with white round it."""
    font = ImageFont.truetype(str(file), max(6, round(height / 0.72)))
    left, top, right, bottom = (round(v) for v in font.getbbox(text, stroke_width=stroke))
    page = Image.new("L", (right - left + 24, bottom - top + 24), 0)
    ImageDraw.Draw(page).text((12 - left, 12 - top), text, fill=255, font=font, stroke_width=stroke)
    return np.asarray(np.asarray(page) / 255, np.float32)


def shapes(rng: np.random.Generator, files: list[Path], count: int) -> Iterator[Example]:
    """Single digits, spoiled and cut tight."""
    for _ in range(count):
        face, digit = int(rng.integers(len(files))), int(rng.integers(10))
        clean = _written(files[face], str(digit), 64, int(rng.choice([0, 0, 0, 0, 2])))
        spoiled = _spoiled(rng, clean, float(rng.uniform(7, 40)) / 64)
        _, labels, stats, _ = cv2.connectedComponentsWithStats((spoiled > 0.5).astype(np.uint8), connectivity=8)
        table = np.asarray(stats)
        if len(table) < 2:
            continue
        largest = 1 + int(np.argmax(table[1:, cv2.CC_STAT_AREA]))
        x, y, w, h = (int(v) for v in table[largest, :4])
        near = cv2.dilate((np.asarray(labels) == largest).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        if h >= 8:
            patch = np.asarray(255 - 255 * np.where(near, spoiled, 0), np.uint8)
            yield fitted(patch, (x, y, x + w, y + h)), digit, face


def _spoiled(rng: np.random.Generator, clean: Floats, scale: float) -> Floats:
    """Slanted, stretched, made small, blurred, noisy, and enlarged again to about 30 px."""
    height, width = clean.shape
    angle, shear, stretch = np.deg2rad(rng.normal(0, 4)), rng.normal(0, 0.06), rng.uniform(0.88, 1.12)
    turn = np.array([[np.cos(angle) * stretch, -np.sin(angle) + shear], [np.sin(angle), np.cos(angle)]]) * scale
    size_wh = (int(width * scale * 1.25) + 6, int(height * scale * 1.2) + 6)
    shift = np.array(size_wh) / 2 + rng.uniform(-0.5, 0.5, 2) - turn @ np.array([width / 2, height / 2])
    soft = cv2.GaussianBlur(clean, (0, 0), 0.5 / scale)
    small = cv2.warpAffine(soft, np.column_stack([turn, shift]), size_wh)
    if rng.random() < 0.5:
        small = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.3, 0.3 + 4 * scale)))
    noisy = (np.asarray(small) + rng.normal(0, rng.uniform(0, 0.08), small.shape)).astype(np.float32)
    zoom = 30 / (64 * scale)
    large = np.asarray(cv2.resize(noisy, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC), np.float32)
    full = max(0.05, float(np.percentile(large[large > 0.3 * large.max()], 60)))
    return np.asarray(np.clip(large / full, 0, 1), np.float32)


def cells(rng: np.random.Generator, files: list[Path], count: int) -> Iterator[Example]:
    """Digits, and shapes that are none, as :func:`isolate` cuts them out of cells."""
    for _ in range(count):
        side = int(rng.integers(18, 90))
        face = int(rng.integers(len(files))) if rng.random() < 0.75 else -1
        text = (
            str(rng.choice([rng.integers(0, 10), rng.integers(10, 100), rng.integers(100, 1000)])) if face >= 0 else ""
        )
        found = isolate(_cell(rng, side, text, files[face]))
        if found is not None and (not text or len(text) == len(found.boxes)):
            for index, box in enumerate(found.boxes):
                yield fitted(found.patch, box), int(text[index]) if text else NO_DIGIT, face


def _cell(rng: np.random.Generator, side: int, text: str, file: Path) -> Picture:
    """A cell on some ground, with a number where there is a text, else perhaps with strokes."""
    kind, colour = rng.random(), rng.uniform(0, 255, 3)
    dull: Bgr = (int(rng.integers(40, 200)), int(rng.integers(40, 200)), int(rng.integers(40, 200)))
    if kind < 0.15:
        ground = cloth((side, side), max(2.0, side * float(rng.uniform(0.06, 0.2))), dull, rng)
    elif kind < 0.25:
        ground = rope((side, side), side * float(rng.uniform(0.15, 0.26)), float(rng.uniform(0, 180)), dull, rng)
    else:
        ground = np.full((side, side, 3), colour, np.uint8)
    page = ground.astype(np.float32)
    ink = (page.mean(axis=(0, 1)) + 128) % 256
    mask = np.zeros((side, side), np.float32)
    if text:
        number = _written(file, text, float(rng.uniform(0.28, 0.55)) * side, 0)[:side, :side]
        y, x = (side - number.shape[0]) // 2, (side - number.shape[1]) // 2
        mask[y : y + number.shape[0], x : x + number.shape[1]] = number
    elif rng.random() < 0.6:
        points = (rng.uniform(0.2, 0.8, (int(rng.integers(2, 5)), 2)) * side).astype(np.int32)
        cv2.polylines(mask, [points], False, (1.0,), max(1, round(0.07 * side)), cv2.LINE_AA)
    page = page * (1 - mask[..., None]) + ink * mask[..., None]
    page = cv2.GaussianBlur(page, (0, 0), float(rng.uniform(0.3, 0.3 + 0.03 * side)))
    return np.asarray(np.clip(page + rng.normal(0, rng.uniform(0, 9), page.shape), 0, 255), np.uint8)


# --- training ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Data:
    """Examples in arrays: ``seen (N, HEIGHT * WIDTH + 1)``, ``truth (N,)``, ``face (N,)``."""

    seen: Floats
    truth: npt.NDArray[np.int64]
    face: npt.NDArray[np.int64]

    @classmethod
    def of(cls, examples: list[Example]) -> "Data":
        """Stack examples."""
        seen, truth, face = zip(*examples, strict=True)
        return cls(np.stack(seen), np.array(truth), np.array(face))

    def part(self, chosen: npt.NDArray[np.bool_]) -> "Data":
        """The examples where ``chosen`` is true."""
        return Data(self.seen[chosen], self.truth[chosen], self.face[chosen])


def train(data: Data, rng: np.random.Generator, epochs: int = 30) -> Net:
    """Fit the network by Adam [1] on cross entropy with softened labels, some hidden units left out at random.

    References:
        1. D. P. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015.
    """
    inputs = HEIGHT * WIDTH + 1
    weights = [
        rng.normal(0, np.sqrt(2 / inputs), (inputs, HIDDEN)),
        np.zeros(HIDDEN),
        rng.normal(0, np.sqrt(2 / HIDDEN), (HIDDEN, NO_DIGIT + 1)),
        np.zeros(NO_DIGIT + 1),
    ]
    mean, square = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    step = 0
    for epoch in range(epochs):
        rate = 1e-3 * (1 + np.cos(np.pi * epoch / epochs)) + 2e-5
        order = rng.permutation(len(data.seen))
        for batch in np.array_split(order, max(1, len(order) // 128)):
            step += 1
            for k, slope in enumerate(_slopes(weights, _jittered(data.seen[batch], rng), data.truth[batch], rng)):
                mean[k] = 0.9 * mean[k] + 0.1 * slope
                square[k] = 0.999 * square[k] + 0.001 * slope**2
                moved = (mean[k] / (1 - 0.9**step)) / (np.sqrt(square[k] / (1 - 0.999**step)) + 1e-8)
                weights[k] = weights[k] - rate * moved
    first, shift, second, offset = (w.astype(np.float32) for w in weights)
    return first, shift, second, offset


def _slopes(
    weights: list[npt.NDArray[np.float64]], seen: Floats, truth: npt.NDArray[np.int64], rng: np.random.Generator
) -> list[npt.NDArray[np.float64]]:
    """The gradient of the loss for one batch, in the order of the weights."""
    first, shift, second, offset = weights
    before = seen @ first + shift
    kept = (rng.random(before.shape) > 0.15) / 0.85
    hidden = np.maximum(before, 0) * kept
    scores = hidden @ second + offset
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    wanted = np.full_like(likely, 0.02 / (NO_DIGIT + 1))
    wanted[np.arange(len(truth)), truth] += 0.98
    error = (likely - wanted) / len(truth)
    back = (error @ second.T) * kept * (before > 0)
    decay = 1e-4
    return [seen.T @ back + decay * first, back.sum(axis=0), hidden.T @ error + decay * second, error.sum(axis=0)]


def _jittered(seen: Floats, rng: np.random.Generator) -> Floats:
    """The same shapes a pixel to the side, bolder or thinner, with noise."""
    field = seen[:, :-1].reshape(-1, HEIGHT, WIDTH)
    moved = np.roll(field, int(rng.integers(-1, 2)), axis=2) ** rng.uniform(0.7, 1.4, (len(field), 1, 1))
    noisy = np.clip(moved + rng.normal(0, 0.03, moved.shape), 0, 1).reshape(len(field), -1)
    return np.column_stack([noisy, seen[:, -1]]).astype(np.float32)


def main() -> None:
    """Draw, train, test, write."""
    parser = argparse.ArgumentParser(prog="python -m samples.train_judge", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, help="where faces (ttf, otf) are looked for")
    parser.add_argument("--shapes", type=int, default=50_000)
    parser.add_argument("--cells", type=int, default=12_000)
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    asked = parser.parse_args()
    rng = np.random.default_rng(0)
    files = faces(asked.folders)
    data = Data.of([*shapes(rng, files, asked.shapes), *cells(rng, files, asked.cells)])
    kept = data.face % KEPT_FOR_TEST == 3
    test = data.part(kept)
    likely = probabilities(test.seen, train(data.part(~kept), rng))
    right, sure = likely.argmax(axis=1) == test.truth, likely.max(axis=1) > 0.95
    print(f"{len(data.seen)} examples, {len(files)} faces")
    print(f"kept faces: {right.mean():.4f} right, {right[sure].mean():.4f} of the {sure.mean():.2f} that it is sure of")
    names = ("first", "shift", "second", "offset")
    stored = {name: w.astype(np.float16) for name, w in zip(names, train(data, rng), strict=True)}
    np.savez_compressed(asked.output, allow_pickle=False, **stored)


if __name__ == "__main__":
    main()
