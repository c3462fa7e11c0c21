"""Train the network that tells standing pieces apart (:mod:`vision.chessboards.likeness`): ``python -m
samples.train_standing FOLDER``.

Boards are drawn with several pieces of different sets on each (:mod:`samples.standing`), and every piece is looked at
as a reader does it: the board's place a little off, the foot as well. Places without a piece, and the places behind
which a piece's body or head is seen, are the examples of nothing. ``FOLDER`` keeps the examples of each drawn board, so
that a run that was stopped goes on.

The weights in the project come from some 2,000 boards with 44,000 examples. The first thousand are older: their sets
had four or seven horses' heads, no ears and no carver's hand, every fourth king a knob for a cross, all of them one
lamp and two looks at each piece; the next 400 had two looks as well. Trained on seven eighths of them, the network told
queens and knights apart on 98.9 % of those on the boards kept for the test, pieces from nothing on 99.5 %, and took
10 % of the other pieces for one of the two.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from samples import standing
from samples.cached_files import cached
from samples.figures import TALL, random_design
from vision.chessboards import ground, squares
from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.likeness import NAMES, WEIGHTS, Features, features_at, mirrored
from vision.network import probabilities
from vision.pictures.camera_pose import Pose, pose
from vision.pictures.photo import Photo

Floats = npt.NDArray[np.float64]
Net = tuple[Features, Features, Features, Features]

SIZE_WH = (880, 660)
"""Pixels of a drawn photo: its squares are as large as the reader's screen has them."""

COMPANY = 8
"""Pieces on a board, at most."""

APART = 3
"""Squares between two of them."""

BOARD_OFF, FOOT_OFF = 0.012, 0.05
"""How far, usually, the corners of a board and a foot are off, in squares."""

LOOKS = 4
"""So often each piece is looked at, the foot a little off each time."""

NOWHERE = 0.35
"""Least distance of a place without a piece from the foot of any, in squares."""

HIDDEN = 128
KEPT_FOR_TEST = 8
"""Every so many-th board is kept for the test."""


def scene(rng: np.random.Generator) -> list[standing.Scene]:
    """A board and the pieces on it, the first of which the camera looks for."""
    first = standing.random_scene(rng, _name(rng), SIZE_WH)
    found = [first]
    for _ in range(4 * COMPANY):
        cell = int(rng.integers(first.n)), int(rng.integers(first.n))
        if len(found) < COMPANY and all(
            max(abs(cell[0] - p.cell[0]), abs(cell[1] - p.cell[1])) >= APART for p in found
        ):
            other = standing.random_scene(rng, _name(rng), SIZE_WH)
            found.append(
                replace(first, name=other.name, cell=cell, off=other.off, facing=other.facing,
                        design=random_design(rng), colour=other.colour, shine=other.shine)
            )  # fmt: skip
    return found


def _name(rng: np.random.Generator) -> str:
    """Queens and knights are as frequent as all others together."""
    return str(
        rng.choice(["queen", "knight"]) if rng.random() < 0.5 else rng.choice(["king", "bishop", "rook", "pawn"])
    )


def examples(seed: int) -> tuple[Features, npt.NDArray[np.int64]]:
    """What the network sees of the pieces on one board, ``(N, inputs)``, and their classes."""
    rng = np.random.default_rng([seed, *b"train-standing"])
    found = scene(rng)
    photo = Photo(standing.draw(rng, found[0], found[1:]).picture)
    camera = standing.view(found[0])
    n = found[0].n
    off = rng.normal(0, BOARD_OFF, (4, 2))
    corners = camera.to_photo(np.column_stack([np.array([(0, 0), (n, 0), (n, n), (0, n)]) + off, np.zeros(4)]))
    placement, seen_from = _placed(corners, n, photo)
    laid = ground.look(placement, squares.look(photo, placement))
    seen, names = [], []
    for name, foot in _places(rng, found, camera):
        seen.append(features_at(photo, placement, seen_from, laid, foot))
        names.append(NAMES.index(name))
    return np.stack(seen), np.array(names)


def _placed(corners: Floats, n: int, photo: Photo) -> tuple[ChequeredPlacement, Pose]:
    """The board as a reader finds it, and the camera as it reckons that."""
    board = np.array([(0, 0), (n, 0), (n, n), (0, n)], np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(board, corners.astype(np.float32)), np.float64)
    placement = ChequeredPlacement(matrix, (n, n))
    flat = squares.look(photo, placement).flat
    levels = np.median(flat.reshape(n, squares.SIDE_PX, n, squares.SIDE_PX, 3), axis=(1, 3, 4))
    kinds = np.add.outer(np.arange(n), np.arange(n)) % 2 == 0
    placement = replace(placement, dark_first=bool(np.median(levels[kinds]) < np.median(levels[~kinds])))
    return placement, pose(placement, (photo.width, photo.height))


def _places(rng: np.random.Generator, found: list[standing.Scene], camera: Pose) -> Iterator[tuple[str, Floats]]:
    """Feet, several times each and a little off, and places where none is."""
    n = found[0].n
    feet = np.array([(p.cell[1] + 0.5 + p.off[0], p.cell[0] + 0.5 + p.off[1]) for p in found])
    for piece, foot in zip(found, feet, strict=True):
        for _ in range(LOOKS):
            yield str(piece.name), foot + rng.normal(0, FOOT_OFF, 2)
        # Where the piece is seen before the board, from its foot to behind its head.
        height = TALL[str(piece.name)] * rng.uniform(0.4, 1.0)
        hides = camera.eye[:2] + (foot - camera.eye[:2]) * camera.eye[2] / (camera.eye[2] - height)
        yield from _nothing(hides + rng.normal(0, 0.15, 2), feet, n)
        # Shadows and mirror images begin at the foot.
        angle = rng.uniform(0, 2 * np.pi)
        yield from _nothing(foot + rng.uniform(NOWHERE, 1.2) * np.array([np.cos(angle), np.sin(angle)]), feet, n)
    yield from _nothing(rng.uniform(0, n, 2), feet, n)
    # Corner squares may carry a maker's sign.
    yield from _nothing(np.array([0.5, n - 0.5]) + rng.normal(0, 0.15, 2), feet, n)


def _nothing(place: Floats, feet: Floats, n: int) -> Iterator[tuple[str, Floats]]:
    """A place on the board, if no foot is near."""
    if (place > 0).all() and (place < n).all() and np.linalg.norm(feet - place, axis=1).min() > NOWHERE:
        yield "nothing", place


# --- training ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Data:
    """Examples in arrays: ``seen (N, inputs)``, ``truth (N,)`` and ``board (N,)``, the seed of the board."""

    seen: Features
    truth: npt.NDArray[np.int64]
    board: npt.NDArray[np.int64]

    def part(self, chosen: npt.NDArray[np.bool_]) -> "Data":
        """The examples where ``chosen`` is true."""
        return Data(self.seen[chosen], self.truth[chosen], self.board[chosen])


def gathered(folder: Path, boards: range) -> Data:
    """The examples of these boards, from the folder as far as they are there."""
    parts = []
    for seed in boards:
        with np.load(cached(folder / f"{seed}.npz", partial(_drawn, seed))) as stored:
            parts.append((stored["seen"], stored["truth"], np.full(len(stored["truth"]), seed)))
    seen, truth, board = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Data(seen.astype(np.float32), truth, board)


def _drawn(seed: int) -> dict[str, npt.ArrayLike]:
    seen, truth = examples(seed)
    return {"seen": seen.astype(np.float16), "truth": truth}


def train(data: Data, rng: np.random.Generator, epochs: int = 36) -> Net:
    """Fit the network by Adam [1] on cross entropy with softened labels, some inputs and units left out at random.

    References:
        1. D. P. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015.
    """
    inputs = data.seen.shape[1]
    weights = [
        rng.normal(0, np.sqrt(1 / inputs), (inputs, HIDDEN)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        rng.normal(0, np.sqrt(2 / HIDDEN), (HIDDEN, len(NAMES))).astype(np.float32),
        np.zeros(len(NAMES), np.float32),
    ]
    mean, square = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    step = 0
    for epoch in range(epochs):
        rate = np.float32(6e-4 * (1 + np.cos(np.pi * epoch / epochs)) + 1e-5)
        for batch in np.array_split(rng.permutation(len(data.seen)), max(1, len(data.seen) // 128)):
            step += 1
            seen = data.seen[batch]
            flipped = rng.random(len(seen)) < 0.5
            seen[flipped] = mirrored(seen[flipped])
            seen *= rng.random(seen.shape, np.float32) > 0.1
            for k, slope in enumerate(_slopes(weights, seen, data.truth[batch], rng)):
                mean[k] = np.float32(0.9) * mean[k] + np.float32(0.1) * slope
                square[k] = np.float32(0.999) * square[k] + np.float32(0.001) * slope**2
                moved = (mean[k] / (1 - 0.9**step)) / (np.sqrt(square[k] / (1 - 0.999**step)) + 1e-8)
                weights[k] -= rate * moved.astype(np.float32)
    first, shift, second, offset = weights
    return first, shift, second, offset


def _slopes(
    weights: list[Features], seen: Features, truth: npt.NDArray[np.int64], rng: np.random.Generator
) -> list[Features]:
    """The gradient of the loss for one batch, in the order of the weights."""
    first, shift, second, offset = weights
    before = seen @ first + shift
    kept = ((rng.random(before.shape) > 0.3) / 0.7).astype(np.float32)
    hidden = np.maximum(before, 0) * kept
    scores = hidden @ second + offset
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    wanted = np.full_like(likely, 0.03 / len(NAMES))
    wanted[np.arange(len(truth)), truth] += np.float32(0.97)
    error = (likely - wanted) / np.float32(len(truth))
    back = (error @ second.T) * kept * (before > 0)
    decay = np.float32(3e-4)
    return [seen.T @ back + decay * first, back.sum(axis=0), hidden.T @ error + decay * second, error.sum(axis=0)]


def main() -> None:
    """Draw, train, test, write."""
    parser = argparse.ArgumentParser(prog="python -m samples.train_standing", description="train the network")
    parser.add_argument("folder", type=Path, help="where the examples are kept")
    parser.add_argument("--boards", type=int, default=3000)
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    asked = parser.parse_args()
    rng = np.random.default_rng(0)
    data = gathered(asked.folder, range(asked.boards))
    kept = data.board % KEPT_FOR_TEST == 1
    test = data.part(kept)
    likely = probabilities(test.seen, train(data.part(~kept), rng))
    right, sure = likely.argmax(axis=1) == test.truth, likely.max(axis=1) > 0.9
    print(f"{len(data.seen)} examples on {asked.boards} boards")
    print(
        f"kept boards: {right.mean():.4f} right, {right[sure].mean():.4f} of the {sure.mean():.2f} that it is sure of"
    )
    names = ("first", "shift", "second", "offset")
    stored = {name: w.astype(np.float16) for name, w in zip(names, train(data, rng), strict=True)}
    np.savez_compressed(asked.output, allow_pickle=False, **stored)


if __name__ == "__main__":
    main()
