"""Train the network that tells what stands on a cell (:mod:`vision.cells.reader`): ``python -m samples.train_cells
FOLDER``.

Draws boards and cuts out their cells, fits some networks that differ in their random beginnings alone, then the
temperature that the mean of their scores is divided by, on boards that they were not fitted to, and writes them as one
network where the program looks for it. ``FOLDER`` keeps the crops, so that a run that was stopped goes on. One process
a core. Wants PyTorch and onnx (``pip install '.[train]'``) and the chess sets of
:mod:`samples.chess_sets`. How well it does on real pictures is told in ``docs/measured.md``.
"""

import argparse
import multiprocessing
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import helper, numpy_helper
from torch import Tensor, nn

from samples.cached_files import cached
from samples.cell_examples import Examples, examples
from samples.fitting import has_bfloat16, stored
from vision.cells.reader import CROP_PX, MARKS, NETWORK, Mark, inputs

BATCH = 256

CHUNK = 100
"""Boards whose crops are kept in one file."""

LAYERS = ((3, 16, 5, 2), (16, 24, 3, 1), (24, 32, 3, 2), (32, 48, 3, 1), (48, 64, 3, 2))
"""Channels in and out, side of the kernel and stride of each convolution."""

KEPT_FOR_TEST = 20
"""Every so many-th file is kept for the temperature and the test."""

SOFT = 0.02
"""This part of each label is shared out among all."""


class Net(nn.Module):  # type: ignore[misc]
    """Five convolutions; the mean and the most of each channel; one layer on top."""

    def __init__(self) -> None:
        """With random weights."""
        super().__init__()
        self.layers = nn.ModuleList(nn.Conv2d(a, b, k, s, k // 2) for a, b, k, s in LAYERS)
        self.last = nn.Conv2d(2 * LAYERS[-1][1], len(MARKS), 1)

    def forward(self, features: Tensor) -> Tensor:
        """Scores ``(N, len(MARKS))`` of crops ``(N, 3, CROP_PX, CROP_PX)``."""
        for layer in self.layers:
            features = torch.relu(layer(features))
        pooled = torch.cat([features.mean((2, 3), keepdim=True), features.amax((2, 3), keepdim=True)], 1)
        scores: Tensor = self.last(pooled)
        return scores.flatten(1)


def gathered(pool: ProcessPoolExecutor, folder: Path, sets: Path, boards: int, left_out: tuple[str, ...]) -> list[Path]:
    """Files with the crops of so many boards in the folder; those that are not there yet are made."""
    return list(pool.map(partial(_gather, folder, sets, left_out), range(0, boards, CHUNK)))


def _gather(folder: Path, sets: Path, left_out: tuple[str, ...], first: int) -> Path:
    return cached(folder / f"{first}.npz", partial(_drawn, sets, left_out, first))


def _drawn(sets: Path, left_out: tuple[str, ...], first: int) -> dict[str, npt.ArrayLike]:
    parts = [examples(seed, sets, left_out) for seed in range(first, first + CHUNK)]
    print(f"boards {first} to {first + CHUNK - 1}", flush=True)
    crops, truth = zip(*((part.crops, part.truth) for part in parts), strict=True)
    return {"seen": np.concatenate(crops), "truth": np.concatenate(truth)}


def joined(files: Sequence[Path]) -> Examples:
    """The crops of some files."""
    stored = [np.load(file) for file in files]
    return Examples(*(np.concatenate([chunk[name] for chunk in stored]) for name in ("seen", "truth")))


UPRIGHT: tuple[Mark, ...] = ("queen", "knight", "piece")
"""Marks that a quarter turn makes ``turned``; of the others :data:`TURNABLE` stay what they are."""

TURNABLE: tuple[Mark, ...] = ("empty", "number", "note", "something else", "turned")

TURNED = 0.4
"""Part of the crops that are turned by one to three quarters, of those of which one knows what they show then."""


def turned(
    crops: npt.NDArray[np.uint8], truth: npt.NDArray[np.int64], rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Some of the crops turned by quarters, and what they show then."""
    crops, truth = crops.copy(), truth.copy()
    upright = np.isin(truth, [MARKS.index(mark) for mark in UPRIGHT])
    turnable = upright | np.isin(truth, [MARKS.index(mark) for mark in TURNABLE])
    quarters = np.where(turnable & (rng.random(len(truth)) < TURNED), rng.integers(1, 4, len(truth)), 0)
    for k in (1, 2, 3):
        crops[quarters == k] = np.rot90(crops[quarters == k], k, (1, 2))
    truth[upright & (quarters > 0)] = MARKS.index("turned")
    return crops, truth


def varied(crops: npt.NDArray[np.uint8], truth: npt.NDArray[np.int64], rng: np.random.Generator) -> Tensor:
    """Inputs of a batch: some crops darkened, or with the colours in another order; symmetric classes mirrored."""
    crops = crops[..., rng.permutation(3)] if rng.random() < 0.5 else crops
    gains = rng.uniform(0.6, 1.0, (len(crops), 1, 1, 1)).astype(np.float32)
    ready = inputs(np.asarray(crops * gains, np.uint8))
    mirrored = np.isin(truth, [MARKS.index(mark) for mark in ("empty", "knight", "queen", "piece", "note", "turned")])
    mirrored &= rng.random(len(crops)) < 0.5
    ready[mirrored] = ready[mirrored, :, :, ::-1]
    return torch.from_numpy(np.ascontiguousarray(ready))


@dataclass(frozen=True)
class Course:
    """How the network is taught: steps, the highest rate, how strongly weights are pulled to zero, and the weights that
    it begins with, in place of random ones.
    """

    steps: int
    rate: float = 2e-3
    decay: float = 1e-3
    beginning: Path | None = None


def begun(file: Path, member: int) -> Net:
    """One of the networks that were written as one into a file, its scores divided by the temperature."""
    weights = stored(file)
    net = Net()
    for place, layer in enumerate(net.layers):
        layer.weight.data, layer.bias.data = weights[f"w{member}.{place}"], weights[f"b{member}.{place}"]
    members = weights["w"].split(net.last.in_channels, 1)
    net.last.weight.data, net.last.bias.data = members[member] * len(members), weights["b"]
    return net


def train(course: Course, files: Sequence[Path], seed: int) -> Net:
    """Fit a network by AdamW on cross entropy with softened labels; the rate rises and falls along half a cosine.

    Convolutions are computed in bfloat16 where the processor does so, which takes half the time; the weights are kept
    in float32.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    both = joined(files)
    crops, truth = both.crops, both.truth
    # Seldom marks are shown more often, but not as often as the others.
    often = 1 / np.sqrt(np.maximum(1, np.bincount(truth, minlength=len(MARKS))))
    share = often[truth] / often[truth].sum()
    net = Net() if course.beginning is None else begun(course.beginning, seed)
    net.to(memory_format=torch.channels_last)
    tuner = torch.optim.AdamW(net.parameters(), lr=course.rate, weight_decay=course.decay)
    pace = torch.optim.lr_scheduler.OneCycleLR(tuner, course.rate, total_steps=course.steps, pct_start=0.1)
    loss_of = nn.CrossEntropyLoss(label_smoothing=SOFT)
    half = has_bfloat16(torch.device("cpu"))
    began, slow = time.monotonic(), 0.0
    order = rng.choice(len(truth), (course.steps, BATCH), p=share)
    for step, batch in enumerate(order):
        tuner.zero_grad()
        shown, said = turned(crops[batch], truth[batch], rng)
        ready = varied(shown, said, rng).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            scores = net(ready)
        loss = loss_of(scores.float(), torch.from_numpy(said))
        loss.backward()
        tuner.step()
        pace.step()
        slow += (float(loss.detach()) - slow) * (0.02 if step else 1)
        if step % 200 == 199:
            print(f"network {seed}, step {step + 1}: loss {slow:.3f}, {time.monotonic() - began:.0f} s", flush=True)
    net.eval()
    return net


def scored(nets: Sequence[Net], kept: Examples) -> Tensor:
    """The mean of their scores ``(N, len(MARKS))``."""
    with torch.no_grad():
        parts = [torch.from_numpy(inputs(part)) for part in np.array_split(kept.crops, 20)]
        return torch.cat([torch.stack([net(part) for net in nets]).mean(0) for part in parts])


def best_temperature(scores: Tensor, truth: npt.NDArray[np.int64]) -> float:
    """What scores have to be divided by for the truth to be likeliest."""
    tried = np.geomspace(0.3, 3, 93)
    losses = [float(nn.functional.cross_entropy(scores / t, torch.from_numpy(truth))) for t in tried.tolist()]
    return float(tried[int(np.argmin(losses))])


SAID = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
"""Probabilities from which on the reliability table counts what was right."""


def report(scores: Tensor, truth: npt.NDArray[np.int64]) -> str:
    """How well it does on boards that it was not fitted to: how often it is right where it is so sure, and by mark."""
    sure, named = (part.numpy() for part in scores.softmax(1).max(1))
    lines = [f"{len(truth)} cells of boards that it was not fitted to"]
    for least in SAID:
        said = sure >= least
        if said.any():
            right, mean = (named == truth)[said].mean(), sure[said].mean()
            lines.append(f"  said with {least:.2f}: {said.mean():.4f} of them, {right:.4f} right, {mean:.4f} said")
    for place, mark in enumerate(MARKS):
        is_it, said = truth == place, named == place
        both = (is_it & said).sum()
        lines.append(f"  {mark}: {both / max(is_it.sum(), 1):.3f} found, {both / max(said.sum(), 1):.3f} right")
    return "\n".join(lines)


def write(nets: Sequence[Net], file: Path, temperature: float) -> None:
    """Store the mean of some networks as one in ONNX, its scores divided by ``temperature``; operators that OpenCV 4.10
    knows.
    """
    weights, nodes, pooled = [], [], []

    def constant(label: str, value: Tensor) -> str:
        weights.append(numpy_helper.from_array(value.detach().numpy().astype(np.float32), label))
        return label

    for member, net in enumerate(nets):
        name = "seen"
        for place, layer in enumerate(net.layers):
            assert isinstance(layer, nn.Conv2d)
            end, pad = f"{member}.{place}", layer.kernel_size[0] // 2
            given = [name, constant(f"w{end}", layer.weight), constant(f"b{end}", layer.bias)]
            nodes.append(helper.make_node("Conv", given, [f"c{end}"], kernel_shape=list(layer.kernel_size),
                                          strides=list(layer.stride), pads=[pad] * 4))  # fmt: skip
            nodes.append(helper.make_node("Relu", [f"c{end}"], [f"r{end}"]))
            name = f"r{end}"
        for operator in ("GlobalAveragePool", "GlobalMaxPool"):
            pooled.append(f"{operator}{member}")
            nodes.append(helper.make_node(operator, [name], pooled[-1:]))
    nodes.append(helper.make_node("Concat", pooled, ["pooled"], axis=1))
    scale = temperature * len(nets)
    last = torch.cat([net.last.weight for net in nets], 1) / scale
    bias = torch.stack([net.last.bias for net in nets]).sum(0) / scale
    given = ["pooled", constant("w", last), constant("b", bias)]
    nodes.append(helper.make_node("Conv", given, ["scores"], kernel_shape=[1, 1]))
    shapes = {"seen": ["N", 3, CROP_PX, CROP_PX], "scores": ["N", len(MARKS), 1, 1]}
    ends = [helper.make_tensor_value_info(end, onnx.TensorProto.FLOAT, shape) for end, shape in shapes.items()]
    graph = helper.make_graph(nodes, "cells", ends[:1], ends[1:], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, file)


def main() -> None:
    """Draw, fit, fit the temperature, test, write."""
    parser = argparse.ArgumentParser(prog="python -m samples.train_cells", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the crops are kept")
    parser.add_argument("--sets", type=Path, default=Path("/usr/share"), help="where chess sets are installed")
    parser.add_argument("--leave-out", nargs="*", default=[], help="sets that are not drawn, by how their names begin")
    parser.add_argument("--boards", type=int, default=10000)
    parser.add_argument("--steps", type=int, default=18000)
    parser.add_argument("--networks", type=int, default=2, help="whose scores are averaged")
    parser.add_argument("--rate", type=float, default=Course.rate, help="the highest rate of learning")
    parser.add_argument("--begin", type=Path, help="weights to begin with, in place of random ones")
    parser.add_argument("--output", type=Path, default=NETWORK)
    asked = parser.parse_args()
    with ProcessPoolExecutor(
        initializer=_alone, mp_context=multiprocessing.get_context("spawn"), max_workers=multiprocessing.cpu_count()
    ) as pool:
        files = gathered(pool, asked.folder, asked.sets, asked.boards, tuple(asked.leave_out))
        shown = [file for place, file in enumerate(files) if place % KEPT_FOR_TEST]
        course = Course(asked.steps, asked.rate, beginning=asked.begin)
        nets = list(pool.map(partial(train, course, shown), range(asked.networks)))
    drawn = joined(files[::KEPT_FOR_TEST])
    kept = Examples(*turned(drawn.crops, drawn.truth, np.random.default_rng(0)))
    scores = scored(nets, kept)
    temperature = best_temperature(scores, kept.truth)
    print(f"temperature {temperature:.3f}", report(scores / temperature, kept.truth), sep="\n")
    write(nets, asked.output, temperature)


def _alone() -> None:
    """One thread a process: the order of sums, and so the weights, depend on it."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)


if __name__ == "__main__":
    main()
