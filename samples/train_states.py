"""Train the network that tells cells from holes (:mod:`vision.boards.states`): ``python -m samples.train_states
FOLDER``.

``FOLDER`` keeps the windows of the drawn boards, so that a run that was stopped goes on. Wants PyTorch and onnx
(``pip install '.[train]'``). How well it does is told in ``docs/measured.md``.
"""

import argparse
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from samples.cached_files import cached
from samples.fitting import fit, write
from samples.lattice_windows import CELL, OUT_OF_VIEW, PLACES, States, window
from vision.boards.states import SIDE_PX, WEIGHTS, network_input
from vision.pictures.photo import Picture

CHUNK = 200
"""Pictures whose windows are kept in one file."""

BATCH = 12

DILATIONS = (1, 2, 4, 8, 4, 2, 1)
"""Of the convolutions over places: each place knows of those around it up to the window's other end."""

CROPPED = range(11, 18)
"""Rows and columns of the part of a window that is shown at a time."""

ANY_PART = 0.15
"""Part of the windows that are cut without a thought of where the board is."""

KEPT_FOR_TEST = 20
"""Every so many-th picture is kept for the test."""

SOFT = 0.001
"""This part of each label is the other one: no place is ever told with more than some seven nats."""

RATE = 2e-3
"""The highest rate of learning."""

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
            _reduced(4, 24, 4), _same(24, 32), _reduced(32, 48, 2), _same(48, 48), _reduced(48, 48, 2)
        )
        self.mid = nn.ModuleList(_same(48, 48, dilation) for dilation in DILATIONS)
        self.out = nn.Conv2d(48, 1, 1)

    def forward(self, seen: Tensor) -> Tensor:
        """Log odds ``(N, 1, rows, cols)`` of windows ``(N, 4, rows * SIDE_PX, cols * SIDE_PX)``."""
        seen = self.stem(seen)
        for layer in self.mid:
            seen = seen + layer(seen)
        odds: Tensor = self.out(seen)
        return odds


def gathered(folder: Path, pictures: int) -> tuple[Picture, States]:
    """A window of each of so many pictures, a multiple of :data:`CHUNK`, from the folder as far as they are there."""
    side = PLACES * SIDE_PX
    shown, states = np.empty((pictures, side, side, 3), np.uint8), np.empty((pictures, PLACES, PLACES), np.uint8)
    for first in range(0, pictures, CHUNK):
        chunk = slice(first, first + CHUNK)
        with np.load(cached(folder / f"{first}.npz", partial(_drawn, first))) as found:
            shown[chunk], states[chunk] = found["shown"], found["states"]
    return shown, states


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
    """Windows cut, spoilt and turned at random."""
    places = int(rng.choice(CROPPED))
    cut = [_cut(rng, shown[index], states[index], places) for index in rng.choice(chosen, size=BATCH)]
    quarters = [int(rng.integers(4)) for _ in cut]
    truth = [np.rot90(state, k).copy() for (_, state), k in zip(cut, quarters, strict=True)]
    spoilt = [np.rot90(_spoilt(rng, window), k) for (window, _), k in zip(cut, quarters, strict=True)]
    seen = [network_input(one, state != OUT_OF_VIEW) for one, state in zip(spoilt, truth, strict=True)]
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


def _spoilt(rng: np.random.Generator, window: Picture) -> Picture:
    """The window in another light, other colours, out of focus, with noise."""
    seen: npt.NDArray[np.floating] = window.astype(np.float32)
    if rng.random() < 0.5:
        seen = seen * float(rng.uniform(0.5, 1.1)) + float(rng.uniform(0, 80) * rng.random())
    if rng.random() < 0.5:
        seen = seen * rng.uniform(0.75, 1.2, 3).astype(np.float32)
    if rng.random() < 0.3:
        seen = seen[..., rng.permutation(3)]
    if rng.random() < 0.25:
        seen = 255 - seen
    if rng.random() < 0.3:
        seen = 255 * (np.clip(seen, 0, 255) / 255) ** float(rng.uniform(0.6, 1.6))
    if rng.random() < 0.4:
        across, down = rng.normal(0, 0.2, 2).astype(np.float32)
        slope = np.linspace(-0.5, 0.5, len(seen), dtype=np.float32)
        seen = seen * (1 + across * slope[None, :] + down * slope[:, None])[..., None]
    if rng.random() < 0.35:
        blurred = cv2.GaussianBlur(np.ascontiguousarray(seen), (0, 0), float(rng.uniform(0.3, 0.9)))
        seen = blurred.astype(np.float32)
    if rng.random() < 0.5:
        seen = seen + rng.standard_normal(seen.shape, dtype=np.float32) * float(rng.uniform(0, 7))
    return np.asarray(np.clip(seen, 0, 255), dtype=np.uint8)


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
    parser.add_argument("--steps", type=int, default=60000)
    asked = parser.parse_args()
    shown, states = gathered(asked.folder, asked.pictures)
    test = np.arange(len(shown)) % KEPT_FOR_TEST == 0
    net = trained((shown, states), np.flatnonzero(~test), asked.steps, seed=5)
    print(f"windows told rightly at every place: {tested(net, shown[test], states[test]):.3f} of {test.sum()}")
    side = PLACES * SIDE_PX
    write(net, torch.zeros(1, 4, side, side), WEIGHTS)


if __name__ == "__main__":
    main()
