"""Train the network that tells the parts of bent boards (:mod:`vision.clues.cloth`): ``python -m samples.train_cloth
FOLDER``.

``FOLDER`` keeps the windows of the drawn boards, so that a run that was stopped goes on. Wants PyTorch and onnx
(``pip install '.[train]'``). How well it does is told in ``docs/measured.md``.
"""

import argparse
from functools import partial
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from samples.cached_files import cached
from samples.cloth_windows import SIDE_PX, windows
from samples.fitting import fit, write
from vision.clues.cloth import COARSE, NETWORK, PARTS, network_input
from vision.pictures.photo import Picture

CHUNK = 100
"""Pictures whose windows are kept in one file."""

BATCH = 8

TESTED = 0.05
"""Part of the windows, those of the last pictures, that is kept for the test."""

RATE = 2.5e-3
"""The highest rate of learning."""

WEIGHT = torch.tensor([1.0 if part in ("ground", "cell", "patch") else 2.0 for part in PARTS])
"""How much a pixel of each part counts: thin ones have few."""


class Windows(NamedTuple):
    """``uint8 (N, SIDE_PX, SIDE_PX, 3)`` and ``(N, SIDE_PX, SIDE_PX)``, ``float64 (N, 3)``, as of
    :class:`samples.cloth_windows.Window`.
    """

    shown: Picture
    parts: Picture
    ground: npt.NDArray[np.float64]


def _convolution(before: int, after: int, stride: int = 1, dilation: int = 1) -> nn.Module:
    layer = nn.Conv2d(before, after, 3, stride, dilation, dilation=dilation, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(after), nn.ReLU())


class _Residual(nn.Module):  # type: ignore[misc]  # (Any where PyTorch is skipped)
    def __init__(self, channels: int, dilation: int = 1) -> None:
        super().__init__()
        self.layer = _convolution(channels, channels, dilation=dilation)

    def forward(self, seen: Tensor) -> Tensor:
        return seen + self.layer(seen)


class Net(nn.Module):  # type: ignore[misc]  # (as above)
    """A U-Net whose levels are added, not joined, from a half to a sixteenth of the picture's size."""

    def __init__(self) -> None:
        """With random weights."""
        super().__init__()
        self.stem = _convolution(3, 16, 2)
        self.quarter = nn.Sequential(_convolution(16, 32, 2), _Residual(32))
        self.eighth = nn.Sequential(_convolution(32, 64, 2), _Residual(64), _Residual(64))
        far = [_Residual(96, dilation) for dilation in (1, 2, 4, 2, 1)]
        self.sixteenth = nn.Sequential(_convolution(64, 96, 2), *far)
        self.up = nn.ModuleList(nn.ConvTranspose2d(a, b, 2, 2) for a, b in ((96, 64), (64, 32), (32, 16)))
        self.joined = nn.ModuleList(
            nn.Sequential(*(_Residual(channels) for _ in range(count)))
            for channels, count in ((64, 2), (32, 2), (16, 1))
        )
        self.out = nn.Conv2d(16, len(PARTS), 1)

    def forward(self, seen: Tensor) -> Tensor:
        """Scores ``(N, len(PARTS), H / COARSE, W / COARSE)`` of pictures ``(N, 3, H, W)``."""
        levels = [self.stem(seen)]
        for layer in (self.quarter, self.eighth):
            levels.append(layer(levels[-1]))
        seen = self.sixteenth(levels[-1])
        for up, joined, level in zip(self.up, self.joined, levels[::-1], strict=True):
            seen = joined(level + up(seen))
        scores: Tensor = self.out(seen)
        return scores


def gathered(folder: Path, pictures: int) -> Windows:
    """The windows of so many pictures, a multiple of :data:`CHUNK`, from the folder as far as they are there."""
    chunks = []
    for first in range(0, pictures, CHUNK):
        with np.load(cached(folder / f"{first}.npz", partial(_drawn, first))) as found:
            chunks.append([found[name] for name in Windows._fields])
    return Windows(*(np.concatenate(column) for column in zip(*chunks, strict=True)))


def _drawn(first: int) -> dict[str, npt.ArrayLike]:
    """The windows of a chunk."""
    found = [w for seed in range(first, first + CHUNK) for w in windows(np.random.default_rng([seed, 4242]))]
    return {name: [getattr(w, name) for w in found] for name in Windows._fields}


def trained(drawn: Windows, chosen: npt.NDArray[np.int64], steps: int, seed: int) -> Net:
    """A network fitted to the chosen windows."""
    torch.manual_seed(1)
    net = Net()
    fit(net, partial(_batch, drawn, chosen), _loss, steps=steps, rate=RATE, seed=seed)
    return net


def _batch(drawn: Windows, chosen: npt.NDArray[np.int64], rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Windows spoilt at random."""
    indices = rng.choice(chosen, size=BATCH)
    spoilt = [_spoilt(rng, drawn.shown[i], drawn.parts[i], drawn.ground[i]) for i in indices]
    seen, parts = zip(*spoilt, strict=True)
    return torch.from_numpy(np.concatenate(seen)), torch.from_numpy(np.stack(parts).astype(np.int64))


def _loss(scores: Tensor, parts: Tensor) -> Tensor:
    """Cross entropy with the share of each part in the pixels that are told at a time."""
    shares = functional.avg_pool2d(functional.one_hot(parts, len(PARTS)).permute(0, 3, 1, 2).float(), COARSE)
    weighted = shares * WEIGHT[:, None, None]
    each = -(shares * functional.log_softmax(scores, 1)).sum(1) * weighted.sum(1)
    return each.sum() / weighted.sum()


def _spoilt(
    rng: np.random.Generator, shown: Picture, parts: Picture, ground: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float32], Picture]:
    """A window in another light, out of focus, with noise, compressed, turned or mirrored, as the network sees it."""
    gain = np.exp(rng.normal(0, 0.08, 3)) * (rng.uniform(0.3, 1.15) if rng.random() < 0.6 else 1.0)
    gamma = float(np.exp(rng.normal(0, 0.15))) if rng.random() < 0.5 else 1.0

    def lit(colours: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
        return np.asarray(255 * np.clip(colours / 255 * gain, 0, 1.05) ** gamma)

    seen = np.asarray(shown)
    if rng.random() < 0.35:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.3, 1.3))), np.uint8)
    light, dimmed = lit(seen.astype(np.float32)), lit(ground)
    if rng.random() < 0.1:
        order = rng.permutation(3)
        light, dimmed = light[..., order], dimmed[order]
    if rng.random() < 0.5:
        light = light + rng.standard_normal(light.shape, dtype=np.float32) * float(rng.uniform(1, 7))
    seen = np.asarray(np.clip(light, 0, 255), np.uint8)
    if rng.random() < 0.3:
        packed = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(50, 95))])[1]
        seen = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    quarters, mirrored = int(rng.integers(4)), -1 if rng.random() < 0.5 else 1
    seen, parts = (np.rot90(layer, quarters)[:, ::mirrored] for layer in (seen, parts))
    return network_input(np.ascontiguousarray(seen), np.clip(dimmed + rng.normal(0, 3, 3), 0, 255)), parts


def tested(net: Net, drawn: Windows, chosen: npt.NDArray[np.int64]) -> str:
    """How many pixels of each part are told rightly, and how many of those told it are: of some windows."""
    table = np.zeros((len(PARTS), len(PARTS)), np.int64)
    with torch.no_grad():
        for index in chosen:
            scores = net(torch.from_numpy(network_input(drawn.shown[index], drawn.ground[index])))
            told = scores[0].argmax(0).numpy()
            truth = drawn.parts[index, ::COARSE, ::COARSE]
            np.add.at(table, (truth, told), 1)
    found, right = table.diagonal() / table.sum(axis=1), table.diagonal() / table.sum(axis=0)
    return "\n".join(
        f"{part}: {a:.3f} found, {b:.3f} of those told" for part, a, b in zip(PARTS, found, right, strict=True)
    )


def main() -> None:
    """Draw, train, test, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=int, default=3000)
    parser.add_argument("--steps", type=int, default=20000)
    asked = parser.parse_args()
    drawn = gathered(asked.folder, asked.pictures)
    chosen, test = np.split(np.arange(len(drawn.shown)), [round((1 - TESTED) * len(drawn.shown))])
    net = trained(drawn, chosen, asked.steps, seed=5)
    print(tested(net, drawn, test))
    write(net, torch.zeros(1, 3, SIDE_PX, SIDE_PX), NETWORK)


if __name__ == "__main__":
    main()
