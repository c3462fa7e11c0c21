"""Train the network that tells where on a lattice pixels lie (:mod:`vision.boards.phases`): ``python -m
samples.train_phases FOLDER``.

``FOLDER`` keeps the windows of the drawn boards, so that a run that was stopped goes on. Wants PyTorch and onnx
(``pip install '.[train]'``). How well it does is told in ``docs/measured.md``.
"""

from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from samples.cached_files import fields_of, joined
from samples.fitting import Residual, arguments, begin, convolution, fit, write
from samples.phase_windows import EACH, PHASES, SIDE_PX, Window, windows
from samples.spoiling import Spoiler, compressed
from vision.boards.phases import COARSE, NETWORK, STRIDE
from vision.network import picture_input
from vision.pictures.photo import Picture

CHUNK = 100
"""Pictures whose windows are kept in one file."""

BATCH = 8

TESTED = 0.03
"""Part of the windows, those of the last pictures, that is kept for the test."""

RATE = 2e-3
"""The highest rate of learning."""

SPOILER = Spoiler(blur_px=1.3, noise=8.0, ground_off=5.0, inverted=0.2, stride=STRIDE)
"""How windows are spoilt each time that they are shown."""

WHOLE, PART_PX = 0.25, 240
"""Part of the batches that show whole windows; and the side of what the others show of theirs."""

BEGINNING = 6
"""Batches by which weights to begin with are normalised."""

CELLS_WEIGHT = 0.25
"""Of the cross entropy of cells against all else, compared with the squared error of phases."""


class Net(nn.Module):  # type: ignore[misc]  # (as above)
    """A U-Net whose levels are added, not joined, from a quarter to a sixteenth of the picture's size."""

    def __init__(self) -> None:
        """With random weights."""
        super().__init__()
        self.quarter = nn.Sequential(convolution(3, 24, 2), convolution(24, 48, 2), Residual(48))
        self.eighth = nn.Sequential(convolution(48, 96, 2), Residual(96), Residual(96))
        far = [Residual(128, dilation) for dilation in (1, 2, 4, 8, 4, 2, 1, 2, 4, 1)]
        self.sixteenth = nn.Sequential(convolution(96, 128, 2), *far)
        self.to_eighth, self.to_quarter = nn.ConvTranspose2d(128, 96, 2, 2), nn.ConvTranspose2d(96, 48, 2, 2)
        self.fine = nn.Sequential(Residual(96), Residual(96))
        self.finest = nn.Sequential(Residual(48), Residual(48))
        self.out = nn.Conv2d(48, 5, 1)

    def forward(self, features: Tensor) -> Tensor:
        """See :data:`vision.boards.phases.NETWORK`: ``(N, 5, H / COARSE, W / COARSE)`` of ``(N, 3, H, W)``."""
        quarter = self.quarter(features)
        eighth = self.eighth(quarter)
        features = self.fine(eighth + self.to_eighth(self.sixteenth(eighth)))
        output: Tensor = self.out(self.finest(quarter + self.to_quarter(features)))
        return output


def gathered(folder: Path, pictures: int) -> dict[str, npt.NDArray[np.generic]]:
    """The windows of so many pictures, a multiple of :data:`CHUNK`, from the folder as far as they are there: the
    fields of :class:`samples.phase_windows.Window`, one after the other.
    """
    return joined(folder, partial(fields_of, windows, Window._fields, CHUNK), range(0, pictures, CHUNK), "shown")


def _batch(
    drawn: dict[str, npt.NDArray[np.generic]], chosen: npt.NDArray[np.int64], rng: np.random.Generator
) -> tuple[Tensor, Tensor]:
    """Windows turned, compressed, in another light, out of focus, with noise, at random; and their lattices."""
    side = SIDE_PX if rng.random() < WHOLE else PART_PX
    given, truth = [], []
    for i in rng.choice(chosen, size=BATCH):
        top, left = (int(v) for v in rng.integers(0, (SIDE_PX - side) // COARSE + 1, 2))
        rows, cols = (slice(first, first + side // COARSE) for first in (top, left))
        part = np.asarray(drawn["shown"][i])[COARSE * top :, COARSE * left :][:side, :side]
        shown, lattice = _turned(rng, part, np.asarray(drawn["lattice"][i])[rows, cols])
        given.append(SPOILER(rng, shown, drawn["ground"][i]))
        truth.append(lattice)
    return torch.from_numpy(np.stack(given)), torch.from_numpy(np.stack(truth).transpose(0, 3, 1, 2).astype(np.float32))


def _turned(rng: np.random.Generator, shown: Picture, lattice: Picture) -> tuple[Picture, Picture]:
    """Mirrored along either axis and transposed, or not: phases with it."""
    shown = compressed(rng, shown)
    lattice = lattice.copy()
    for axis in (0, 1):
        if rng.random() < 0.5:
            shown, lattice = np.flip(shown, axis), np.flip(lattice, axis).copy()
            lattice[..., 1 - axis] = PHASES - lattice[..., 1 - axis]
    if rng.random() < 0.5:
        shown, lattice = shown.transpose(1, 0, 2), lattice.transpose(1, 0, 2)[..., [1, 0, 2]]
    return np.ascontiguousarray(shown), np.ascontiguousarray(lattice)


def _loss(output: Tensor, truth: Tensor) -> Tensor:
    """Squared error of the cosines and sines of phases on cells, and the cross entropy of cells."""
    angles, cells = truth[:, :2] * (2 * np.pi / PHASES), truth[:, 2]
    wanted = torch.stack([angles[:, 0].cos(), angles[:, 0].sin(), angles[:, 1].cos(), angles[:, 1].sin()], 1)
    off = ((output[:, :4] - wanted) ** 2).sum(1)
    entropy = functional.binary_cross_entropy_with_logits(output[:, 4], cells)
    return (off * cells).sum() / (cells.sum() + output.shape[-1] ** 2) + CELLS_WEIGHT * entropy


def tested(net: Net, drawn: dict[str, npt.NDArray[np.generic]], chosen: npt.NDArray[np.int64]) -> str:
    """How many pixels are rightly told to lie on cells, and how far phases on these are off, in cells."""
    right, off = [], []
    with torch.no_grad():
        for index in chosen:
            output = net(torch.from_numpy(picture_input(drawn["shown"][index], drawn["ground"][index], STRIDE)))[
                0
            ].numpy()
            lattice = drawn["lattice"][index]
            cells = lattice[..., 2] > 0
            right.append(np.mean((output[4] > 0) == cells))
            for axis in (0, 1):
                phase = np.arctan2(output[2 * axis + 1], output[2 * axis]) / (2 * np.pi)
                away = phase - lattice[..., axis] / PHASES
                off.append(np.abs(away - np.rint(away))[cells])
    each = np.concatenate(off)
    return f"{np.mean(right):.4f} of pixels, phases off by {np.median(each):.4f}, {(each > 0.1).mean():.4f} by 0.1"


def main() -> None:
    """Draw, train, test, and write the weights."""
    asked = arguments(__doc__, pictures=3_800, steps=12_000, rate=RATE, network=NETWORK)
    drawn = gathered(asked.folder, asked.pictures)
    chosen, test = np.split(np.arange(asked.pictures * EACH), [round((1 - TESTED) * asked.pictures * EACH)])
    torch.manual_seed(1)
    net, example = Net(), torch.zeros(1, 3, SIDE_PX, SIDE_PX)
    if asked.begin is not None:
        rng = np.random.default_rng(6)
        examples = [_batch(drawn, chosen, rng)[0][..., :PART_PX, :PART_PX] for _ in range(BEGINNING)]
        begin(net, torch.cat(examples), asked.begin)
    fit(net, partial(_batch, drawn, chosen), _loss, steps=asked.steps, rate=asked.rate, seed=5)
    write(net, example, asked.output)
    print(tested(net, drawn, test))


if __name__ == "__main__":
    main()
