"""Train the network that tells cells from holes (:mod:`vision.boards.states`): ``python -m samples.train_states
FOLDER``.

``FOLDER`` keeps the windows of the drawn boards, so that a run that was stopped goes on. Wants PyTorch and onnx
(``pip install '.[train]'``). How well it does is told in ``docs/measured.md``.
"""

import argparse
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from samples.cached_files import joined
from samples.fitting import fit, write
from samples.lattice_windows import CELL, OUT_OF_VIEW, PLACES, States, window
from samples.spoiling import light, spoilt
from vision.boards.states import SIDE_PX, WEIGHTS, network_input
from vision.pictures.photo import Picture

CHUNK = 200
"""Pictures whose windows are kept in one file."""

BATCH = 12

DILATIONS = (1, 2, 4, 8, 4, 2, 1) * 2
"""Of the convolutions over places: each place knows of those around it up to the window's other end, and of theirs."""

CHANNELS = 64
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
            _reduced(4, 24, 4), _same(24, 32), _reduced(32, 48, 2), _same(48, 48), _reduced(48, CHANNELS, 2)
        )
        self.mid = nn.ModuleList(_same(CHANNELS, CHANNELS, dilation) for dilation in DILATIONS)
        self.out = nn.Conv2d(CHANNELS, 1, 1)

    def forward(self, seen: Tensor) -> Tensor:
        """Log odds ``(N, 1, rows, cols)`` of windows ``(N, 4, rows * SIDE_PX, cols * SIDE_PX)``."""
        seen = self.stem(seen)
        for layer in self.mid:
            seen = seen + layer(seen)
        odds: Tensor = self.out(seen)
        return odds


def gathered(folder: Path, pictures: int) -> tuple[Picture, States]:
    """A window of each of so many pictures, a multiple of :data:`CHUNK`, from the folder as far as they are there."""
    found = joined(folder, _drawn, range(0, pictures, CHUNK), "shown")
    return found["shown"], found["states"]


def _drawn(first: int) -> dict[str, npt.ArrayLike]:
    """The windows of a chunk."""
    found = [window(np.random.default_rng([seed, 4242])) for seed in range(first, first + CHUNK)]
    return {"shown": [shown for shown, _ in found], "states": [states for _, states in found]}


def trained(windows: tuple[Picture, States], chosen: npt.NDArray[np.int64], steps: int, seed: int) -> Net:
    """A network fitted to the chosen windows."""
    torch.manual_seed(1)
    net = Net()
    fit(net, partial(_batch, *windows, chosen), _loss, steps=steps, rate=RATE, seed=seed)
    return net


def _loss(odds: Tensor, states: Tensor) -> Tensor:
    """Cross entropy over the places in view, the board's and those near it before others."""
    cell = (states == CELL).float()
    near = functional.max_pool2d(cell[:, None], 5, 1, 2)[:, 0]
    weight = (states != OUT_OF_VIEW).float() * (FAR + (1 - FAR) * near)
    each = functional.binary_cross_entropy_with_logits(odds[:, 0], cell * (1 - 2 * SOFT) + SOFT, reduction="none")
    return (each * weight).sum() / weight.sum()


def _batch(
    shown: Picture, states: States, chosen: npt.NDArray[np.int64], rng: np.random.Generator
) -> tuple[Tensor, Tensor]:
    """Windows cut, turned, and in another light, out of focus, with noise, at random; and their states."""
    places = int(rng.choice(CROPPED))
    cut = [_cut(rng, shown[i], states[i], places) for i in rng.choice(chosen, size=BATCH)]
    seen, truth = [], []
    for part, state in cut:
        quarters = int(rng.integers(4))
        varied = spoilt(rng, light(rng, NEGATIVE)(np.rot90(part, quarters)), BLUR * SIDE_PX, NOISE)
        truth.append(np.rot90(state, quarters))
        seen.append(network_input(varied, truth[-1] != OUT_OF_VIEW))
    return torch.from_numpy(np.stack(seen)), torch.from_numpy(np.stack(truth).astype(np.int64))


def _cut(rng: np.random.Generator, shown: Picture, states: States, places: int) -> tuple[Picture, States]:
    """A part of a window with all of its board, where that fits; sometimes any part of which something is in view."""
    while True:
        first = []
        for axis in (1, 0):
            board = np.flatnonzero((states == CELL).any(axis=axis))
            least, most = 0, PLACES - places
            if len(board) and rng.random() >= ANY_PART:
                around = max(0, int(board[-1]) + 2 - places), min(PLACES - places, int(board[0]) - 1)
                least, most = around if around[0] <= around[1] else (least, most)
            first.append(int(rng.integers(least, most + 1)))
        r, c = first
        part = states[r : r + places, c : c + places]
        if (part != OUT_OF_VIEW).any():
            return shown[r * SIDE_PX : (r + places) * SIDE_PX, c * SIDE_PX : (c + places) * SIDE_PX], part


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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=int, default=14000)
    parser.add_argument("--steps", type=int, default=50000)
    asked = parser.parse_args()
    shown, states = gathered(asked.folder, asked.pictures)
    test = np.arange(len(shown)) % KEPT_FOR_TEST == 0
    net = trained((shown, states), np.flatnonzero(~test), asked.steps, seed=5)
    side = PLACES * SIDE_PX
    write(net, torch.zeros(1, 4, side, side), WEIGHTS)
    print(f"windows told rightly at every place: {tested(net, shown[test], states[test]):.3f} of {test.sum()}")


if __name__ == "__main__":
    main()
