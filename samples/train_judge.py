"""Train the judge of digits (:mod:`vision.numbers.judge`): ``python -m samples.train_judge FOLDER FOLDER_OF_FACES...``.

``FOLDER`` keeps the examples, those of :mod:`samples.judge_examples`, so that a run that was stopped goes on. Every
seventh face is kept for the test, and with it every seventh of the shapes that are no digits. Wants PyTorch and onnx
(``pip install '.[train]'``). How well it does is told in ``docs/measured.md``.
"""

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from samples import judge_examples
from samples.cached_files import chunks
from samples.fitting import convolution, fit, write
from samples.judge_examples import Example
from vision.numbers.judge import NETWORK, NO_DIGIT, SIDE_PX, network_input
from vision.pictures.photo import Picture

PARTS = 60
"""Files that the examples are kept in."""

SHAPES, CELLS, BOARDS, MARKS = 800, 150, 4, 2
"""Digits alone, single cells, boards with numbers and with other marks, in each of them."""

STEPS, BATCH, RATE = 8_000, 256, 2e-3

SOFT = 0.03
"""This part of each label is shared out among all."""

KEPT_FOR_TEST = 7
"""Every so many-th face is kept for the test."""

CHANNELS = (24, 48, 64, 96)

Truth = npt.NDArray[np.int64]


class Net(nn.Module):  # type: ignore[misc]  # (Any where PyTorch is skipped)
    """Convolutions that halve the square three times, and one over all that is left."""

    def __init__(self) -> None:
        """With random weights."""
        super().__init__()
        first, second, third, last = CHANNELS
        self.stem = nn.Sequential(nn.Conv2d(1, first, 5, 2, 2), nn.BatchNorm2d(first), nn.ReLU())
        self.mid = nn.Sequential(convolution(first, second), convolution(second, third, 2), convolution(third, last, 2))
        self.whole = nn.Sequential(nn.Conv2d(last, last, SIDE_PX // 7), nn.BatchNorm2d(last), nn.ReLU())
        self.out = nn.Sequential(nn.Dropout(0.2), nn.Conv2d(last, NO_DIGIT + 1, 1))

    def forward(self, squares: Tensor) -> Tensor:
        """Scores ``(N, 11, 1, 1)`` of squares ``(N, 1, SIDE_PX, SIDE_PX)``."""
        scores: Tensor = self.out(self.whole(self.mid(self.stem(squares))))
        return scores


def gathered(folder: Path, files: Sequence[Path]) -> tuple[Picture, Truth, Truth]:
    """All examples: the squares, what they are, and the numbers of their faces."""
    found = list(chunks(folder, partial(_drawn, files), range(PARTS)))
    squares, truth, face = (np.concatenate([part[name] for part in found]) for name in ("seen", "truth", "face"))
    return squares, truth, face


def _drawn(files: Sequence[Path], part: int) -> dict[str, npt.ArrayLike]:
    """A part of the examples."""
    rng = np.random.default_rng([part, 4242])
    squares, truth, face = zip(*_examples(rng, list(files)), strict=True)
    return {"seen": np.stack(squares), "truth": np.array(truth), "face": np.array(face)}


def _examples(rng: np.random.Generator, files: list[Path]) -> Iterator[Example]:
    return chain(
        judge_examples.shapes(rng, files, SHAPES),
        judge_examples.cells(rng, files, CELLS),
        judge_examples.boards(rng, files, BOARDS),
        judge_examples.marks(rng, MARKS),
    )


def _batch(
    squares: Picture, truth: Truth, chances: npt.NDArray[np.float64], rng: np.random.Generator
) -> tuple[Tensor, Tensor]:
    """Examples at random, each a little different every time."""
    chosen = rng.choice(len(truth), BATCH, p=chances)
    varied = np.stack([_varied(rng, field) for field in squares[chosen]])
    return torch.from_numpy(network_input(varied)), torch.from_numpy(truth[chosen])


def _chances(truth: Truth) -> npt.NDArray[np.float64]:
    """The chance of each example to be taken: each digit as often as any other, no digit as often as four of them."""
    shares = np.where(np.arange(NO_DIGIT + 1) == NO_DIGIT, 4.0, 1.0)
    chances = (shares / np.maximum(1, np.bincount(truth, minlength=len(shares))))[truth]
    return np.asarray(chances / chances.sum(), np.float64)


def _varied(rng: np.random.Generator, field: Picture) -> Picture:
    """A square turned, stretched and moved a little, its strokes bolder, thinner or broken where they are faint, with
    noise.
    """
    turn, shear = np.deg2rad(rng.normal(0, 4)), rng.normal(0, 0.06)
    stretch, move, middle = rng.uniform(0.88, 1.08, 2), rng.normal(0, 0.6, 2), (SIDE_PX - 1) / 2
    matrix = np.array([[np.cos(turn), shear - np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * stretch
    shift = middle + move - matrix @ (middle, middle)
    square = np.float32(1 / 255) * cv2.warpAffine(field, np.column_stack([matrix, shift]), (SIDE_PX, SIDE_PX))
    if rng.random() < 0.3:
        square = np.asarray(cv2.GaussianBlur(square, (0, 0), float(rng.uniform(0.4, 1.6))))
    least = float(rng.uniform(0, 0.6)) if rng.random() < 0.3 else 0.0
    bolder = np.clip((square - least) / (1 - least), 0, 1) ** rng.uniform(0.6, 1.5)
    noisy = bolder + rng.normal(0, rng.uniform(0, 0.06), bolder.shape)
    return np.asarray(np.clip(255 * noisy, 0, 255), np.uint8)


def _loss(scores: Tensor, truth: Tensor) -> Tensor:
    return functional.cross_entropy(scores.flatten(1), truth, label_smoothing=SOFT)


def tested(net: Net, squares: Picture, truth: Truth) -> str:
    """How well a network does on examples that it was not trained on."""
    with torch.no_grad():
        likely = net(torch.from_numpy(network_input(squares))).flatten(1).softmax(1).numpy()
    right, sure = likely.argmax(axis=1) == truth, likely.max(axis=1) > 0.95
    return f"{right.mean():.4f} right, {right[sure].mean():.4f} of the {sure.mean():.2f} that it is sure of"


def main() -> None:
    """Draw, train, test, write."""
    parser = argparse.ArgumentParser(prog="python -m samples.train_judge", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the examples are kept")
    parser.add_argument("faces", nargs="+", type=Path, help="folders where faces (ttf, otf) are looked for")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--output", type=Path, default=NETWORK)
    asked = parser.parse_args()
    files = judge_examples.faces(asked.faces)
    squares, truth, face = gathered(asked.folder, files)
    none = truth == NO_DIGIT
    kept = np.where(none, np.arange(len(truth)), face) % KEPT_FOR_TEST == 3
    print(f"{len(truth)} examples, {none.sum()} of them no digits, {len(files)} faces", flush=True)
    torch.manual_seed(1)
    net = Net()
    draw = partial(_batch, squares[~kept], truth[~kept], _chances(truth[~kept]))
    fit(net, draw, _loss, steps=asked.steps, rate=RATE, seed=5)
    for name, part in (("digits", kept & ~none), ("no digits", kept & none)):
        print(f"kept {name}: {tested(net, squares[part], truth[part])}")
    write(net, torch.zeros(1, 1, SIDE_PX, SIDE_PX), asked.output)


if __name__ == "__main__":
    main()
