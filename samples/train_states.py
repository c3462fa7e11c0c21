"""Train the network that tells cells from holes (:mod:`vision.boards.states`): ``python -m samples.train_states
FOLDER``.

``FOLDER`` keeps the windows of the drawn boards, so that a run that was stopped goes on. Wants PyTorch and onnx
(``pip install '.[train]'``). How well it does is told in ``docs/measured.md``.
"""

from functools import partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from samples.cached_files import joined
from samples.fitting import arguments, begin, fit, write
from samples.lattice_windows import CELL, HOLE, OUT_OF_VIEW, PLACES, States, has_enclosed, part, window
from samples.spoiling import light, spoilt
from vision.boards.states import SIDE_PX, WEIGHTS, network_input
from vision.network import SPARSE
from vision.pictures.masks import box_of
from vision.pictures.photo import Picture

CHUNK = 200
"""Pictures whose windows are kept in one file."""

BATCH = 12

DILATIONS = (1, 2, 4, 8, 4, 2, 1) * 2
"""Of the convolutions over places: each place knows of those around it up to the window's other end, and of theirs."""

CHANNELS = 128
"""Of these convolutions."""

CROPPED = range(11, 18)
"""Rows and columns of the part of a window that is shown at a time."""

NEGATIVE = 0.25
"""Part of the windows that are shown with dark and light exchanged."""

ANY_PART = 0.15
"""Part of the windows that are cut without a thought of where the board is."""

KEPT_FOR_TEST = 20
"""Every so many-th picture is kept for the test."""

SOFT = 0.001
"""This part of each label is the other one: no place is ever told with more than some seven nats."""

RATE = 2e-3
"""The highest rate of learning."""

BLUR = 0.055
"""Standard deviation, in places, of the strongest blur."""

NOISE = 8.0
"""Standard deviation of the strongest noise, in grey levels."""

FAR = 0.2
"""Weight of places further than two from the board."""

ENCLOSED = 0.35
"""Part of the windows that have a hole between four cells: rare ones, which only their outline's colour tells."""

TINTED = 0.15
"""Part of the windows whose holes within the board's box, or whose cells, get one more colour."""


def _reduced(before: int, after: int, times: int) -> nn.Module:
    """A convolution that leaves every so many-th pixel, its kernel centred on those that it stands for."""
    return nn.Sequential(nn.Conv2d(before, after, times + 2, times, 1), nn.BatchNorm2d(after), nn.ReLU())


def _same(before: int, after: int, dilation: int = 1) -> nn.Module:
    convolution = nn.Conv2d(before, after, 3, 1, dilation, dilation=dilation)
    return nn.Sequential(convolution, nn.BatchNorm2d(after), nn.ReLU())


class Net(nn.Module):  # type: ignore[misc]  # (Any where PyTorch is skipped)
    """Reduced to a pixel a place, then residual convolutions over places."""

    def __init__(self) -> None:
        """With random weights."""
        super().__init__()
        self.stem = nn.Sequential(
            _reduced(4, 32, 3), _reduced(32, 64, 2), _same(64, 64), _same(64, 64), _reduced(64, CHANNELS, 4)
        )
        self.mid = nn.ModuleList(_same(CHANNELS, CHANNELS, dilation) for dilation in DILATIONS)
        self.out = nn.Conv2d(CHANNELS, 1, 1)

    def forward(self, features: Tensor) -> Tensor:
        """Log odds ``(N, 1, rows, cols)`` of windows ``(N, 4, rows * SIDE_PX, cols * SIDE_PX)``."""
        features = self.stem(features)
        for layer in self.mid:
            features = features + layer(features)
        odds: Tensor = self.out(features)
        return odds


def gathered(folder: Path, pictures: int) -> tuple[Picture, States]:
    """A window of each of so many pictures, a multiple of :data:`CHUNK`, from the folder as far as they are there."""
    found = joined(folder, _drawn, range(0, pictures, CHUNK), "shown")
    return found["shown"], found["states"]


def _drawn(first: int) -> dict[str, npt.ArrayLike]:
    """The windows of a chunk."""
    found = [window(np.random.default_rng([seed, 4242])) for seed in range(first, first + CHUNK)]
    return {"shown": [shown for shown, _ in found], "states": [states for _, states in found]}


def _loss(odds: Tensor, states: Tensor) -> Tensor:
    """Cross entropy over the places in view, the board's and those near it before others."""
    cell = (states == CELL).float()
    near = functional.max_pool2d(cell[:, None], 5, 1, 2)[:, 0]
    weight = (states != OUT_OF_VIEW).float() * (FAR + (1 - FAR) * near)
    each = functional.binary_cross_entropy_with_logits(odds[:, 0], cell * (1 - 2 * SOFT) + SOFT, reduction="none")
    return (each * weight).sum() / weight.sum()


def _chances(states: States, shown: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """The chance of each window to be taken, ``float64 (N,)``, of those that are to be shown."""
    rare = shown & has_enclosed(states)
    counts = np.count_nonzero(rare), np.count_nonzero(shown & ~rare)
    if not all(counts):
        return np.asarray(shown / np.float64(sum(counts)))
    return np.asarray(shown * np.where(rare, ENCLOSED / counts[0], (1 - ENCLOSED) / counts[1]))


def _batch(
    shown: Picture, states: States, chances: npt.NDArray[np.float64], rng: np.random.Generator
) -> tuple[Tensor, Tensor]:
    """Windows cut, turned, and in another light, out of focus, with noise, at random; and their states."""
    places = int(rng.choice(CROPPED))
    inputs, truth = [], []
    for i in rng.choice(len(shown), size=BATCH, p=chances):
        cut, state = part(rng, (shown[i], states[i]), places, ANY_PART)
        quarters = int(rng.integers(4))
        cut = _tinted(rng, cut, state) if rng.random() < TINTED else cut
        varied = spoilt(rng, light(rng, NEGATIVE)(np.rot90(cut, quarters)), BLUR * SIDE_PX, NOISE)
        truth.append(np.rot90(state, quarters))
        inputs.append(network_input(varied, truth[-1] != OUT_OF_VIEW))
    return torch.from_numpy(np.stack(inputs)), torch.from_numpy(np.stack(truth).astype(np.int64))


def _tinted(rng: np.random.Generator, shown: Picture, states: States) -> Picture:
    """A window whose holes within the box of the board, or whose cells, have a colour more, under what is seen there:
    all, or those of some rows and columns.
    """
    cells = states == CELL
    if not cells.any():
        return shown
    holes = np.zeros_like(cells)
    box = box_of(cells)
    holes[box] = states[box] == HOLE
    chosen, most = (holes, 0.9) if holes.any() and rng.random() < 0.7 else (cells, 0.6)
    if rng.random() < 0.3:
        chosen = chosen & (rng.random(len(chosen)) < 0.5)[:, None] & (rng.random(len(chosen)) < 0.7)
    # Its sides lie a little within the places, or beyond the lines between them.
    mask = np.asarray(np.kron(chosen, np.ones((SIDE_PX, SIDE_PX), np.uint8)), np.uint8)
    off = int(rng.integers(-SIDE_PX // 8, SIDE_PX // 8 + 1))
    if off:
        kernel = np.ones((abs(off) + 1,) * 2, np.uint8)
        mask = np.asarray(cv2.dilate(mask, kernel) if off > 0 else cv2.erode(mask, kernel), np.uint8)
    share = np.float32(rng.uniform(0.15, most))
    median = np.median(shown[::SPARSE, ::SPARSE][mask[::SPARSE, ::SPARSE] > 0], axis=0) if mask.any() else 0
    ground = np.maximum(np.asarray(median, np.float32), 8)
    colour = rng.uniform(20, 255, 3).astype(np.float32)
    lit = np.clip(shown / ground, 0, 2) * colour if rng.random() < 0.5 else colour
    tinted = np.clip(shown * (1 - share) + share * lit, 0, 255)
    return np.where(mask[..., None] > 0, tinted, shown).astype(np.uint8)


def tested(net: Net, shown: Picture, states: States) -> float:
    """The part of windows of which every place in view is told rightly."""
    right = 0
    with torch.no_grad():
        for window, truth in zip(shown, states, strict=True):
            odds = net(torch.from_numpy(network_input(window, truth != OUT_OF_VIEW)[None]))[0, 0].numpy()
            right += not (((odds > 0) != (truth == CELL)) & (truth != OUT_OF_VIEW)).any()
    return right / len(shown)


def main() -> None:
    """Draw, train, test, and write the weights."""
    asked = arguments(__doc__, pictures=17_800, steps=24_000, rate=RATE, network=WEIGHTS)
    shown, states = gathered(asked.folder, asked.pictures)
    test = np.arange(len(shown)) % KEPT_FOR_TEST == 0
    torch.manual_seed(1)
    net, draw = Net(), partial(_batch, shown, states, _chances(states, ~test))
    if asked.begin is not None:
        begin(net, draw(np.random.default_rng(6))[0], asked.begin)
    fit(net, draw, _loss, steps=asked.steps, rate=asked.rate, seed=5)
    side = PLACES * SIDE_PX
    write(net, torch.zeros(1, 4, side, side), asked.output)
    print(f"windows told rightly at every place: {tested(net, shown[test], states[test]):.3f} of {test.sum()}")


if __name__ == "__main__":
    main()
