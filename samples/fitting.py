"""Fitting the convolutional networks of pixels and places, in PyTorch; and writing them as OpenCV reads them."""

import argparse
import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

Draw = Callable[[np.random.Generator], tuple[Tensor, Tensor]]
"""Draws a batch: what a network is given, and what it should tell."""


def arguments(description: str | None, *, pictures: int, steps: int, rate: float, network: Path) -> argparse.Namespace:
    """What the command line says of a fit, else these values: the folder of the windows, and where the weights go."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=int, default=pictures)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--rate", type=float, default=rate, help="the highest rate of learning")
    parser.add_argument("--begin", type=Path, help="weights to begin with, in place of random ones")
    parser.add_argument("--output", type=Path, default=network)
    return parser.parse_args()


def convolution(before: int, after: int, stride: int = 1, dilation: int = 1) -> nn.Module:
    """A convolution of 3 x 3 with batch normalisation and a rectifier."""
    layer = nn.Conv2d(before, after, 3, stride, dilation, dilation=dilation, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(after), nn.ReLU())


class Residual(nn.Module):  # type: ignore[misc]  # (Any where PyTorch is skipped)
    """What it is given plus a convolution of it."""

    def __init__(self, channels: int, dilation: int = 1) -> None:
        """With random weights."""
        super().__init__()
        self.layer = convolution(channels, channels, dilation=dilation)

    def forward(self, inputs: Tensor) -> Tensor:
        """As large as ``inputs``, ``(N, channels, H, W)``."""
        total: Tensor = inputs + self.layer(inputs)
        return total


class _Batches(Dataset):  # type: ignore[misc]  # (Any where PyTorch is skipped)
    """So many batches, each drawn with a seed of its own: the same however many processes draw them."""

    def __init__(self, draw: Draw, count: int, seed: int) -> None:
        super().__init__()
        self.draw, self.count, self.seed = draw, count, seed

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        return self.draw(np.random.default_rng([self.seed, index]))


def stored(file: Path) -> dict[str, Tensor]:
    """The weights of a network in ONNX, by name."""
    return {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in onnx.load(file).graph.initializer}


def begin(net: nn.Module, examples: Tensor, file: Path) -> None:
    """Give a network the weights of one in ONNX that :func:`write` wrote, to be fitted further.

    Batch normalisation is folded into the convolutions there; here it normalises again, by what the network makes of
    some examples, and its own factors undo that.

    Args:
        net: of the same layers, with its random weights.
        examples: what it will be given.
        file: the other one.
    """
    layers: list[nn.Module] = []
    convolutions = [one for one in net.modules() if isinstance(one, nn.Conv2d | nn.ConvTranspose2d)]
    hooks = [one.register_forward_hook(lambda layer, *_: layers.append(layer)) for one in convolutions]
    net.eval()
    with torch.no_grad():
        net(examples[:1])
    for hook in hooks:
        hook.remove()
    weights = stored(file)
    nodes = [node for node in onnx.load(file).graph.node if node.op_type in {"Conv", "ConvTranspose"}]
    pairs = [pair for one in net.modules() if isinstance(one, nn.Sequential) for pair in pairwise(one)]
    norms = {layer: norm for layer, norm in pairs if isinstance(norm, nn.BatchNorm2d)}
    for layer, node in zip(layers, nodes, strict=True):
        norm = norms.get(layer)
        layer.weight.data, (layer if norm is None else norm).bias.data = (weights[name] for name in node.input[1:3])
        if norm is not None:
            norm.running_var.fill_(1 - norm.eps)
    hooks = [norm.register_forward_hook(_normalised) for norm in norms.values()]
    with torch.no_grad():
        net(examples)
    for hook in hooks:
        hook.remove()
    net.train()


def _normalised(norm: nn.BatchNorm2d, given: tuple[Tensor], _: Tensor) -> None:
    """Let what changes nothing normalise what it is given, and undo that."""
    mean, variance = given[0].mean((0, 2, 3)), given[0].var((0, 2, 3))
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
    norm.weight.data = (variance + norm.eps).sqrt()
    norm.bias.data += mean


def fit(
    net: nn.Module,
    draw: Draw,
    loss_of: Callable[[Tensor, Tensor], Tensor],
    *,
    steps: int,
    rate: float,
    seed: int,
) -> None:
    """Fit a network by AdamW, the rate falling as a cosine; on a graphics card, where there is one.

    Products are in bfloat16 where the device knows it, which takes less than half of the time; a processor that does
    not know it would take four times as long.

    Args:
        net: the network.
        draw: of a batch, by processes beside this one.
        loss_of: of what the network tells, in float32, and what it should tell.
        steps: how many.
        rate: of learning, the highest.
        seed: decides the batches.
    """
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    cv2.setNumThreads(1)  # its threads do not outlive the birth of other processes
    beside = max(1, (os.cpu_count() or 2) - 1)
    batches = DataLoader(  # born by fork, the other processes see what this one has drawn and need no copy
        _Batches(draw, steps, seed), None, num_workers=beside, prefetch_factor=8, multiprocessing_context="fork"
    )
    half = has_bfloat16(device)
    net.to(device, memory_format=torch.channels_last)
    adam = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    pace = torch.optim.lr_scheduler.OneCycleLR(adam, rate, total_steps=steps, pct_start=0.05)
    for step, (inputs, truth) in enumerate(batches):
        with torch.autocast(device.type, torch.bfloat16, enabled=half):
            output = net(inputs.to(device, memory_format=torch.channels_last))
        loss = loss_of(output.float(), truth.to(device))
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        adam.step()
        pace.step()
        if step % 100 == 0:
            print(f"step {step}: loss {loss.item():.4f}", flush=True)
    net.cpu().eval()


def has_bfloat16(device: torch.device) -> bool:
    """Whether a device multiplies numbers in bfloat16."""
    known = torch.cpu.get_capabilities()
    return device.type == "cuda" or any(known.get(name, False) for name in ("avx512_bf16", "amx_bf16", "bf16"))


def write(net: nn.Module, example: Tensor, file: Path) -> None:
    """Write a network of any number of pictures of any size as ONNX."""
    free = {"seen": {0: "N", 2: "height", 3: "width"}, "told": {0: "N", 2: "rows", 3: "cols"}}
    torch.onnx.export(
        net, (example,), str(file), input_names=["seen"], output_names=["told"], dynamic_axes=free, opset_version=13,
        dynamo=False,
    )  # fmt: skip
