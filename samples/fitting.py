"""Fitting the convolutional networks of pixels and places, in PyTorch; and writing them as OpenCV reads them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset

Draw = Callable[[np.random.Generator], tuple[Tensor, Tensor]]
"""Draws a batch: what a network is given, and what it should tell."""


class _Batches(IterableDataset):  # type: ignore[misc]  # (Any where PyTorch is skipped)
    """So many batches."""

    def __init__(self, draw: Draw, count: int, seed: int) -> None:
        super().__init__()
        self.draw, self.count, self.seed = draw, count, seed

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        cv2.setNumThreads(1)
        rng = np.random.default_rng(self.seed)
        for _ in range(self.count):
            yield self.draw(rng)


def fit(
    net: nn.Module, draw: Draw, loss_of: Callable[[Tensor, Tensor], Tensor], *, steps: int, rate: float, seed: int
) -> None:
    """Fit a network by AdamW, the rate falling as a cosine; the products in bfloat16, which takes processors that know
    it less than half of the time. Batches come from a process beside this one.

    Args:
        net: the network.
        draw: of a batch.
        loss_of: of what the network tells, in float32, and what it should tell.
        steps: how many.
        rate: of learning, the highest.
        seed: decides the batches.
    """
    batches = DataLoader(_Batches(draw, steps, seed), batch_size=None, num_workers=1, prefetch_factor=16)
    net.to(memory_format=torch.channels_last)
    adam = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    pace = torch.optim.lr_scheduler.OneCycleLR(adam, rate, total_steps=steps, pct_start=0.05)
    for step, (seen, truth) in enumerate(batches):
        with torch.autocast("cpu", torch.bfloat16):
            told = net(seen.to(memory_format=torch.channels_last))
        loss = loss_of(told.float(), truth)
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        adam.step()
        pace.step()
        if step % 100 == 0:
            print(f"step {step}: loss {loss.item():.4f}", flush=True)
    net.eval()


def write(net: nn.Module, example: Tensor, file: Path) -> None:
    """Write a network of pictures of any size as ONNX."""
    free = {"seen": {2: "height", 3: "width"}, "told": {2: "rows", 3: "cols"}}
    torch.onnx.export(
        net, (example,), str(file), input_names=["seen"], output_names=["told"], dynamic_axes=free, opset_version=13,
        dynamo=False,
    )  # fmt: skip
