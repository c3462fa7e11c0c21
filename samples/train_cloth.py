"""Train the network that tells the parts of bent boards (:mod:`vision.clues.cloth`): ``python -m samples.train_cloth
FOLDER``.

``FOLDER`` keeps the windows of the drawn boards, so that a run that was stopped goes on. Wants PyTorch and onnx
(``pip install '.[train]'``). How well it does is told in ``docs/measured.md``.
"""

from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from samples.cached_files import chunks, fields_of
from samples.cloth_windows import SIDE_PX, windows
from samples.fitting import Residual, arguments, begin, convolution, fit, write
from samples.sample import INK
from samples.spoiling import Spoiler, compressed
from vision.clues.cloth import COARSE, NETWORK, STRIDE, SURFACES
from vision.network import picture_input
from vision.pictures.photo import Picture

CHUNK = 50
"""Pictures whose windows are kept in one file."""

BATCH = 8

TESTED = 0.05
"""Part of the windows, those of the last pictures, that is kept for the test."""

RATE = 2.5e-3
"""The highest rate of learning."""

SPOILER = Spoiler(blur_px=1.3, noise=7.0, ground_off=3.0, inverted=0.0, stride=STRIDE)
"""How windows are spoilt each time that they are shown."""

WEIGHT = torch.tensor([2.0 if surface in ("thread", "outline") else 1.0 for surface in SURFACES])
"""How much a pixel of each surface counts: thin ones have few."""

INKED = 2.0
"""How much more a pixel under a number counts, which is where threads are seen least; and the number itself."""


class Windows(NamedTuple):
    """``uint8 (N, SIDE_PX, SIDE_PX, 3)`` and ``(N, SIDE_PX, SIDE_PX)``, ``float64 (N, 3)``, as of
    :class:`samples.cloth_windows.Window`.
    """

    shown: Picture
    parts: Picture
    ground: npt.NDArray[np.float64]


class Net(nn.Module):  # type: ignore[misc]  # (as above)
    """A U-Net whose levels are added, not joined, from a half to a sixteenth of the picture's size."""

    def __init__(self) -> None:
        """With random weights."""
        super().__init__()
        self.stem = convolution(3, 16, 2)
        self.quarter = nn.Sequential(convolution(16, 32, 2), Residual(32))
        self.eighth = nn.Sequential(convolution(32, 64, 2), Residual(64), Residual(64))
        far = [Residual(96, dilation) for dilation in (1, 2, 4, 2, 1)]
        self.sixteenth = nn.Sequential(convolution(64, 96, 2), *far)
        self.up = nn.ModuleList(nn.ConvTranspose2d(a, b, 2, 2) for a, b in ((96, 64), (64, 32), (32, 16)))
        self.joined = nn.ModuleList(
            nn.Sequential(*(Residual(channels) for _ in range(count)))
            for channels, count in ((64, 2), (32, 2), (16, 1))
        )
        self.out = nn.Conv2d(16, len(SURFACES) + 1, 1)

    def forward(self, features: Tensor) -> Tensor:
        """Scores of surfaces and the log odds of ink ``(N, len(SURFACES) + 1, H / COARSE, W / COARSE)`` of pictures
        ``(N, 3, H, W)``.
        """
        levels = [self.stem(features)]
        for layer in (self.quarter, self.eighth):
            levels.append(layer(levels[-1]))
        features = self.sixteenth(levels[-1])
        for up, joined, level in zip(self.up, self.joined, levels[::-1], strict=True):
            features = joined(level + up(features))
        scores: Tensor = self.out(features)
        return scores


def gathered(folder: Path, pictures: int) -> Windows:
    """The windows of so many pictures, a multiple of :data:`CHUNK`, from the folder as far as they are there."""
    found = list(chunks(folder, partial(fields_of, windows, Windows._fields, CHUNK), range(0, pictures, CHUNK)))
    return Windows(*(np.concatenate([chunk[name] for chunk in found]) for name in Windows._fields))


def _batch(drawn: Windows, chosen: npt.NDArray[np.int64], rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Windows turned, mirrored, compressed, in another light, out of focus, with noise, at random; and their parts."""
    inputs, truth = [], []
    for i in rng.choice(chosen, size=BATCH):
        shown, parts = _turned(rng, drawn.shown[i], drawn.parts[i])
        inputs.append(SPOILER(rng, shown, drawn.ground[i]))
        truth.append(parts)
    return torch.from_numpy(np.stack(inputs)), torch.from_numpy(np.stack(truth).astype(np.int64))


def _turned(rng: np.random.Generator, shown: Picture, parts: Picture) -> tuple[Picture, Picture]:
    shown = compressed(rng, shown)
    quarters, mirrored = int(rng.integers(4)), -1 if rng.random() < 0.5 else 1
    return np.rot90(shown, quarters)[:, ::mirrored], np.rot90(parts, quarters)[:, ::mirrored]


def _loss(scores: Tensor, parts: Tensor) -> Tensor:
    """Cross entropy with the share of each surface, and of ink, in the pixels that are told at a time."""
    shares = functional.avg_pool2d(functional.one_hot(parts % INK, len(SURFACES)).permute(0, 3, 1, 2).float(), COARSE)
    inked = functional.avg_pool2d((parts >= INK).float()[:, None], COARSE)[:, 0]
    more = 1 + INKED * inked
    weights = (shares * WEIGHT.to(shares)[:, None, None]).sum(1) * more
    surface = -(shares * functional.log_softmax(scores[:, :-1], 1)).sum(1)
    ink = functional.binary_cross_entropy_with_logits(scores[:, -1], inked, reduction="none")
    return (surface * weights).sum() / weights.sum() + (ink * more).sum() / more.sum()


def tested(net: Net, drawn: Windows, chosen: npt.NDArray[np.int64]) -> str:
    """How many pixels of each surface are told rightly, and how many of those told it are, and the same of numbers and
    of threads under them: of some windows.
    """
    names = (*SURFACES, "number", "thread under a number")
    counts = np.zeros((len(names), 3), np.int64)
    with torch.no_grad():
        for index in chosen:
            scores = net(torch.from_numpy(picture_input(drawn.shown[index], drawn.ground[index], STRIDE)))[0]
            surface, ink = scores[:-1].argmax(0).numpy(), scores[-1].numpy() > 0
            parts = drawn.parts[index, ::COARSE, ::COARSE]
            pairs = [(parts % INK == k, surface == k) for k in range(len(SURFACES))]
            inked, thread = parts >= INK, SURFACES.index("thread")
            pairs += [(inked, ink), (inked & (parts % INK == thread), inked & (surface == thread))]
            counts += [(truth.sum(), predicted.sum(), (truth & predicted).sum()) for truth, predicted in pairs]
    return "\n".join(
        f"{name}: {both / max(1, there):.3f} found, {both / max(1, predicted):.3f} of those told"
        for name, (there, predicted, both) in zip(names, counts, strict=True)
    )


def main() -> None:
    """Draw, train, test, and write the weights."""
    asked = arguments(__doc__, pictures=5000, steps=20000, rate=RATE, network=NETWORK)
    drawn = gathered(asked.folder, asked.pictures)
    chosen, test = np.split(np.arange(len(drawn.shown)), [round((1 - TESTED) * len(drawn.shown))])
    torch.manual_seed(1)
    net, draw = Net(), partial(_batch, drawn, chosen)
    if asked.begin is not None:
        begin(net, draw(np.random.default_rng(6))[0], asked.begin)
    fit(net, draw, _loss, steps=asked.steps, rate=asked.rate, seed=5)
    write(net, torch.zeros(1, 3, SIDE_PX, SIDE_PX), asked.output)
    print(tested(net, drawn, test))


if __name__ == "__main__":
    main()
