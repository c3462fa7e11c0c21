"""Train the network that tells what stands on a cell (:mod:`vision.cells.reader`): ``python -m samples.train_cells
FOLDER``.

``FOLDER`` keeps the crops of the drawn boards, so that a run that was stopped goes on. Wants PyTorch and onnx
(``pip install '.[train]'``) and the chess sets of :mod:`samples.chess_sets`. What comes out with the seeds as they are,
and how well it does on real pictures, is told in ``docs/measured.md``.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import helper, numpy_helper
from torch import Tensor, nn

from samples.cell_examples import Examples, examples
from vision.cells.reader import CROP_PX, MARKS, NETWORK, inputs

BATCH = 256

CHUNK = 100
"""Boards whose crops are kept in one file."""

LAYERS = ((3, 16, 5, 2), (16, 24, 3, 1), (24, 32, 3, 2), (32, 48, 3, 1), (48, 64, 3, 2))
"""Channels in and out, side of the kernel and stride of each convolution."""

KEPT_FOR_TEST = 20
"""Every so many-th file is kept for the test."""

SOFT = 0.02
"""This part of each label is shared out among all."""


class Net(nn.Module):  # type: ignore[misc]
    """Five convolutions; the mean and the most of each channel; one layer on top."""

    def __init__(self) -> None:
        """With random weights."""
        super().__init__()
        self.layers = nn.ModuleList(nn.Conv2d(a, b, k, s, k // 2) for a, b, k, s in LAYERS)
        self.last = nn.Conv2d(2 * LAYERS[-1][1], len(MARKS), 1)

    def forward(self, seen: Tensor) -> Tensor:
        """Scores ``(N, len(MARKS))`` of crops ``(N, 3, CROP_PX, CROP_PX)``."""
        for layer in self.layers:
            seen = torch.relu(layer(seen))
        pooled = torch.cat([seen.mean((2, 3), keepdim=True), seen.amax((2, 3), keepdim=True)], 1)
        scores: Tensor = self.last(pooled)
        return scores.flatten(1)


def gathered(folder: Path, sets: Path, boards: int, left_out: tuple[str, ...]) -> list[Examples]:
    """The crops of so many boards, in chunks, from the folder as far as they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    chunks = []
    for first in range(0, boards, CHUNK):
        file = folder / f"{first}.npz"
        if not file.exists():
            parts = [examples(seed, sets, left_out) for seed in range(first, first + CHUNK)]
            seen, truth = (np.concatenate([getattr(part, name) for part in parts]) for name in ("seen", "truth"))
            np.savez(file, allow_pickle=False, seen=seen, truth=truth)
            print(f"{first + CHUNK} boards", flush=True)
        with np.load(file) as stored:
            chunks.append(Examples(stored["seen"], stored["truth"]))
    return chunks


def varied(seen: npt.NDArray[np.uint8], truth: npt.NDArray[np.int64], rng: np.random.Generator) -> Tensor:
    """Inputs of a batch: some crops darkened, or with the colours in another order; symmetric classes mirrored."""
    seen = seen[..., rng.permutation(3)] if rng.random() < 0.5 else seen
    gains = rng.uniform(0.6, 1.0, (len(seen), 1, 1, 1)).astype(np.float32)
    ready = inputs(np.asarray(seen * gains, np.uint8))
    mirrored = np.isin(truth, [MARKS.index(mark) for mark in ("empty", "knight", "queen", "piece", "note")])
    mirrored &= rng.random(len(seen)) < 0.5
    ready[mirrored] = ready[mirrored, :, :, ::-1]
    return torch.from_numpy(np.ascontiguousarray(ready))


@dataclass(frozen=True)
class Course:
    """How the network is taught: steps, the highest rate, and how strongly weights are pulled to zero."""

    steps: int
    rate: float = 2e-3
    decay: float = 1e-3


def train(chunks: list[Examples], course: Course) -> Net:
    """Fit the network by AdamW on cross entropy with softened labels; the rate rises and falls along half a cosine."""
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    seen, truth = (np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in ("seen", "truth"))
    # Seldom marks are shown more often, but not as often as the others.
    often = 1 / np.sqrt(np.bincount(truth, minlength=len(MARKS)))
    share = often[truth] / often[truth].sum()
    net = Net()
    tuner = torch.optim.AdamW(net.parameters(), lr=course.rate, weight_decay=course.decay)
    pace = torch.optim.lr_scheduler.OneCycleLR(tuner, course.rate, total_steps=course.steps, pct_start=0.1)
    loss_of = nn.CrossEntropyLoss(label_smoothing=SOFT)
    began, slow = time.monotonic(), 0.0
    order = rng.choice(len(truth), (course.steps, BATCH), p=share)
    for step, batch in enumerate(order):
        tuner.zero_grad()
        loss = loss_of(net(varied(seen[batch], truth[batch], rng)), torch.from_numpy(truth[batch]))
        loss.backward()
        tuner.step()
        pace.step()
        slow += (float(loss.detach()) - slow) * (0.02 if step else 1)
        if step % 200 == 199:
            print(f"step {step + 1}: loss {slow:.3f}, {time.monotonic() - began:.0f} s", flush=True)
    net.eval()
    return net


def told(net: Net, kept: Examples) -> str:
    """How well it does on boards that it was not taught on."""
    with torch.no_grad():
        scores = torch.cat([net(torch.from_numpy(inputs(part))) for part in np.array_split(kept.seen, 20)])
    named = scores.argmax(1).numpy()
    lines = [f"{(named == kept.truth).mean():.4f} right of {len(named)}"]
    for place, mark in enumerate(MARKS):
        is_it, said = kept.truth == place, named == place
        lines.append(
            f"  {mark}: {(named[is_it] == place).mean():.3f} found, {kept.truth[said].__eq__(place).mean():.4f} right"
        )
    return "\n".join(lines)


def write(net: Net, file: Path, temperature: float) -> None:
    """Store the network as ONNX, its scores divided by ``temperature``; operators that OpenCV 4.10 knows."""
    weights, nodes, name = [], [], "seen"

    def constant(label: str, value: Tensor) -> str:
        weights.append(numpy_helper.from_array(value.detach().numpy().astype(np.float32), label))
        return label

    for place, layer in enumerate(net.layers):
        assert isinstance(layer, nn.Conv2d)
        pad = layer.kernel_size[0] // 2
        given = [name, constant(f"w{place}", layer.weight), constant(f"b{place}", layer.bias)]
        nodes.append(helper.make_node("Conv", given, [f"c{place}"], kernel_shape=list(layer.kernel_size),
                                      strides=list(layer.stride), pads=[pad] * 4))  # fmt: skip
        nodes.append(helper.make_node("Relu", [f"c{place}"], [f"r{place}"]))
        name = f"r{place}"
    nodes.append(helper.make_node("GlobalAveragePool", [name], ["mean"]))
    nodes.append(helper.make_node("GlobalMaxPool", [name], ["most"]))
    nodes.append(helper.make_node("Concat", ["mean", "most"], ["pooled"], axis=1))
    given = ["pooled", constant("w", net.last.weight / temperature), constant("b", net.last.bias / temperature)]
    nodes.append(helper.make_node("Conv", given, ["scores"], kernel_shape=[1, 1]))
    shapes = {"seen": ["N", 3, CROP_PX, CROP_PX], "scores": ["N", len(MARKS), 1, 1]}
    ends = [helper.make_tensor_value_info(end, onnx.TensorProto.FLOAT, shape) for end, shape in shapes.items()]
    graph = helper.make_graph(nodes, "cells", ends[:1], ends[1:], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, file)


def main() -> None:
    """Draw, train, test, write."""
    parser = argparse.ArgumentParser(prog="python -m samples.train_cells", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the crops are kept")
    parser.add_argument("--sets", type=Path, default=Path("/usr/share"), help="where chess sets are installed")
    parser.add_argument("--leave-out", nargs="*", default=[], help="sets that are not drawn, by how their names begin")
    parser.add_argument("--boards", type=int, default=6000)
    parser.add_argument("--steps", type=int, default=4400)
    parser.add_argument("--temperature", type=float, default=1.0, help="what scores are divided by")
    parser.add_argument("--output", type=Path, default=NETWORK)
    asked = parser.parse_args()
    chunks = gathered(asked.folder, asked.sets, asked.boards, tuple(asked.leave_out))
    kept = [chunk for place, chunk in enumerate(chunks) if place % KEPT_FOR_TEST == 3]
    taught = [chunk for place, chunk in enumerate(chunks) if place % KEPT_FOR_TEST != 3]
    net = train(taught, Course(asked.steps))
    if kept:
        parts = (np.concatenate([getattr(chunk, name) for chunk in kept]) for name in ("seen", "truth"))
        print(told(net, Examples(*parts)))
    write(net, asked.output, asked.temperature)


if __name__ == "__main__":
    main()
