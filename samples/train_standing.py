"""Train the detector of standing pieces (:mod:`vision.chessboards.detector`): ``python -m samples.train_standing
FOLDER``.

Boards are drawn with several pieces of different sets on each (:mod:`samples.standing`), and looked at as a reader does
it: the board's place a little off, from places near feet and elsewhere. What stands behind a place, a shadow, a mirror
image, an empty board and the photo of a diagram are examples of nothing. ``FOLDER`` keeps the examples of each drawn
board, so that a run that was stopped goes on. Wants PyTorch and onnx (``pip install '.[train]'``). How well it does is
told in ``docs/measured.md``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from samples import chess, standing
from samples.cached_files import joined
from samples.camera import photograph, random_shot
from samples.figures import TALL, random_design
from samples.fitting import Residual, arguments, begin, convolution, fit, write
from vision.chessboards import ground
from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.detector import (
    HEIGHT,
    NAMES,
    NEAR,
    NETWORK,
    WIDTH,
    Planes,
    axes,
    network_input,
    screen,
    steepness,
)
from vision.pictures.camera_pose import Pose, pose
from vision.pictures.photo import Photo

Floats = npt.NDArray[np.float64]
Data = Mapping[str, npt.NDArray[Any]]
Example = tuple[str, Floats, Floats]
"""A class, a place, and the foot that is told from it, in squares."""

SIZES = (640, 880, 880, 1280)
"""Longer sides of drawn photos in pixels, drawn with equal chances."""

COMPANY, FEW = 10, 0.3
"""Pieces on a board, at most, and the part of the boards on which any number of them stands; on others most do."""

BOARD_OFF = 0.012
"""How far, usually, the corners of a board are off, in squares."""

PER_PIECE = 3
"""So often each piece is looked at."""

NOWHERE = 0.45
"""Least distance of a place without a piece from the foot of any, in squares."""

BARE, DIAGRAMS = 10, 0.2
"""Places anywhere on a board, and the part of the boards that are photos of diagrams."""

TOGETHER, PER_BOARD = 20, 48
"""Boards in a file, and examples of each."""

LEVELS = 32.0
"""Steps of a unit in which screens are kept."""

STEPS, BATCH, RATE = 5_000, 128, 2e-3

SOFT = 0.02
"""This part of each label is shared out among all classes."""

HIDDEN = 0.3
"""Part of the screens of which a piece is covered."""

KEPT_FOR_TEST = 10
"""Every so many-th file is kept for the test."""

CHANNELS = (16, 32, 64, 96)


class Net(nn.Module):  # type: ignore[misc]  # (Any where PyTorch is skipped)
    """Convolutions that halve the screen four times, and one over all that is left."""

    def __init__(self) -> None:
        """With random weights."""
        super().__init__()
        first, second, third, last = CHANNELS
        whole = -(-HEIGHT // 16), -(-WIDTH // 16)
        self.stem = nn.Sequential(nn.Conv2d(8, first, 5, 2, 2), nn.BatchNorm2d(first), nn.ReLU())
        self.mid = nn.Sequential(
            convolution(first, second, 2), Residual(second), convolution(second, third, 2), Residual(third),
            convolution(third, last, 2), Residual(last),
        )  # fmt: skip
        self.whole = nn.Sequential(nn.Conv2d(last, last, whole), nn.BatchNorm2d(last), nn.ReLU())
        self.out = nn.Sequential(nn.Dropout(0.2), nn.Conv2d(last, len(NAMES) + 2, 1))

    def forward(self, screens: Tensor) -> Tensor:
        """Scores and offsets ``(N, 9, 1, 1)`` of screens ``(N, 8, HEIGHT, WIDTH)``."""
        output: Tensor = self.out(self.whole(self.mid(self.stem(screens))))
        return output


# --- examples ---------------------------------------------------------------------------------------------------------


def scene(rng: np.random.Generator) -> list[standing.Scene]:
    """A board and the pieces on it, the first of which the camera looks for."""
    longer = int(rng.choice(SIZES))
    size_wh = longer, longer * 3 // 4
    first = standing.random_scene(rng, _name(rng), size_wh)
    if rng.random() < 0.2:
        first = replace(first, elevation_deg=float(rng.uniform(62, 88)))
    apart, wanted = int(rng.choice([1, 2, 3])), int(rng.integers(0 if rng.random() < FEW else 6, COMPANY + 1))
    found = [first]
    for _ in range(4 * COMPANY):
        cell = int(rng.integers(first.n)), int(rng.integers(first.n))
        if len(found) < wanted and all(max(abs(cell[0] - p.cell[0]), abs(cell[1] - p.cell[1])) >= apart for p in found):
            other = standing.random_scene(rng, _name(rng), size_wh)
            found.append(
                replace(first, name=other.name, cell=cell, off=other.off, facing=other.facing,
                        design=random_design(rng), colour=other.colour, shine=other.shine)
            )  # fmt: skip
    return found if wanted else [replace(first, name=None)]


def _name(rng: np.random.Generator) -> str:
    """Queens and knights are as frequent as all others together."""
    return str(
        rng.choice(["queen", "knight"]) if rng.random() < 0.5 else rng.choice(["king", "bishop", "rook", "pawn"])
    )


def examples(seed: int) -> Iterator[tuple[npt.NDArray[np.int8], float, int, Floats]]:
    """What the network sees on one board: screens, their steepness, classes, and the offsets of feet."""
    rng = np.random.default_rng([seed, *b"train-standing"])
    if rng.random() < DIAGRAMS:
        drawn = chess.random_scene(rng, str(rng.choice(["queens", "knight"])))
        shot = random_shot(rng, (880, 660), screen=bool(rng.random() < 0.5))
        sample = photograph(chess.draw(rng, drawn), shot, rng)
        corners, size = np.array(sample.truth["corners"], np.float64), (drawn.rows, drawn.cols)
        figures = [np.array([c + 0.5, r + 0.5]) for r, c in drawn.pieces or {}]
        places = [("nothing", foot + rng.uniform(-0.4, 0.4, 2)) for foot in figures[: PER_BOARD // 2]]
        places += [("nothing", rng.uniform(0, 1, 2) * (drawn.cols, drawn.rows)) for _ in range(BARE)]
        candidates: list[Example] = [(name, place, place) for name, place in places]
    else:
        found = scene(rng)
        sample = standing.draw(rng, found[0], found[1:])
        camera, n = standing.view(found[0]), found[0].n
        corners, size = camera.to_photo([(0, 0, 0), (n, 0, 0), (n, n, 0), (0, n, 0)]), (n, n)
        candidates = list(_places(rng, [one for one in found if one.name is not None], n, camera))
    photo = Photo(sample.picture)
    placement, viewpoint = _placed(rng, corners, size, photo)
    laid = ground.of_board(photo, placement)
    for index in rng.choice(len(candidates), PER_BOARD, replace=len(candidates) < PER_BOARD):
        name, place, foot = candidates[index]
        shown = screen(photo, placement, viewpoint, laid, place)
        offset = np.linalg.solve(axes(viewpoint, place), foot - place) / NEAR
        kept = np.clip(np.rint(LEVELS * shown), -127, 127).astype(np.int8)
        yield kept, steepness(viewpoint, place), NAMES.index(name), offset


def _placed(
    rng: np.random.Generator, corners: Floats, size: tuple[int, int], photo: Photo
) -> tuple[ChequeredPlacement, Pose]:
    """The board as a reader finds it, and the camera as it reckons that."""
    rows, cols = size
    board = np.array([(0, 0), (cols, 0), (cols, rows), (0, rows)], np.float64)
    noisy = (board + rng.normal(0, BOARD_OFF, (4, 2))).astype(np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(noisy, corners.astype(np.float32)), np.float64)
    placement = ChequeredPlacement(matrix, size)
    flat = ground.of_board(photo, placement).flat
    levels = np.median(flat.reshape(rows, ground.SIDE_PX, cols, ground.SIDE_PX, 3), axis=(1, 3, 4))
    kinds = np.add.outer(np.arange(rows), np.arange(cols)) % 2 == 0
    placement = replace(placement, dark_first=bool(np.median(levels[kinds]) < np.median(levels[~kinds])))
    return placement, pose(placement, (photo.width, photo.height))


def _places(rng: np.random.Generator, found: list[standing.Scene], n: int, camera: Pose) -> Iterator[Example]:
    """Places near feet, and places where none is."""
    feet = np.array([(p.cell[1] + 0.5 + p.off[0], p.cell[0] + 0.5 + p.off[1]) for p in found]).reshape(-1, 2)
    for piece, foot in zip(found, feet, strict=True):
        for _ in range(PER_PIECE):
            angle, far = rng.uniform(0, 2 * np.pi), NEAR * np.sqrt(rng.uniform(0, 1))
            yield str(piece.name), foot + far * np.array([np.cos(angle), np.sin(angle)]), foot
        # Where the piece is seen before the board, from its foot to behind its head.
        height = TALL[str(piece.name)] * rng.uniform(0.3, 1.0)
        hides = camera.eye[:2] + (foot - camera.eye[:2]) * camera.eye[2] / (camera.eye[2] - height)
        yield from _nothing(hides + rng.normal(0, 0.15, 2), feet, n)
        # Shadows and mirror images begin at the foot.
        angle = rng.uniform(0, 2 * np.pi)
        yield from _nothing(foot + rng.uniform(NOWHERE, 1.2) * np.array([np.cos(angle), np.sin(angle)]), feet, n)
    for _ in range(BARE):
        yield from _nothing(rng.uniform(0, n, 2), feet, n)
    # Corner squares may carry a maker's sign.
    yield from _nothing(np.array([0.5, n - 0.5]) + rng.normal(0, 0.15, 2), feet, n)


def _nothing(place: Floats, feet: Floats, n: int) -> Iterator[Example]:
    """A place on the board, if no foot is near."""
    if (place > 0).all() and (place < n).all() and (np.linalg.norm(feet - place, axis=1) > NOWHERE).all():
        yield "nothing", place, place


def _drawn(first: int) -> dict[str, npt.ArrayLike]:
    """The examples of so many boards."""
    cv2.setNumThreads(1)
    found = [one for seed in range(first, first + TOGETHER) for one in examples(seed)]
    screens, steep, truth, offset = zip(*found, strict=True)
    return {"screen": np.stack(screens), "steep": np.array(steep), "truth": np.array(truth), "offset": np.stack(offset)}


# --- training ---------------------------------------------------------------------------------------------------------


def _batch(data: Data, kept: npt.NDArray[np.intp], rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Examples at random, each a little different every time."""
    chosen = np.sort(rng.choice(kept, BATCH))
    inputs = _given(data, chosen)
    truth = np.column_stack([data["truth"][chosen], data["offset"][chosen]]).astype(np.float32)
    flipped = rng.random(BATCH) < 0.5
    inputs[flipped] = inputs[flipped][..., ::-1]
    truth[flipped, 1] *= -1
    inputs[:, :6] *= rng.uniform(0.8, 1.2, (BATCH, 6, 1, 1)).astype(np.float32)
    noise = rng.uniform(0, 0.1, (BATCH, 1, 1, 1)).astype(np.float32)
    inputs[:, :6] += noise * rng.standard_normal((BATCH, 6, HEIGHT, WIDTH), np.float32)
    for one in np.flatnonzero(rng.random(BATCH) < HIDDEN):
        top, left = int(rng.integers(HEIGHT)), int(rng.integers(WIDTH))
        inputs[one, :6, top : top + HEIGHT // 5, left : left + WIDTH // 4] = 0
    return torch.from_numpy(inputs), torch.from_numpy(truth)


def _given(data: Data, chosen: npt.NDArray[np.intp]) -> Planes:
    """What the network is given of some examples."""
    return network_input((data["screen"][chosen] / LEVELS).astype(np.float32), data["steep"][chosen])


def _loss(output: Tensor, truth: Tensor) -> Tensor:
    """Cross entropy of the classes, and how far feet are off where a piece stands."""
    output, kind = output.flatten(1), truth[:, 0].long()
    names = functional.cross_entropy(output[:, : len(NAMES)], kind, label_smoothing=SOFT)
    there = (kind != NAMES.index("nothing")).float()[:, None]
    off = functional.smooth_l1_loss(output[:, len(NAMES) :] * there, truth[:, 1:] * there)
    return names + off


def tested(net: Net, data: Data, kept: npt.NDArray[np.intp]) -> str:
    """How well a network does on boards that it was not trained on."""
    parts = np.array_split(kept, max(1, len(kept) // BATCH))
    with torch.no_grad():
        found = torch.cat([net(torch.from_numpy(_given(data, part))).flatten(1) for part in parts])
    likely, offset = found[:, : len(NAMES)].softmax(1).numpy(), found[:, len(NAMES) :].numpy()
    truth = data["truth"][kept]
    there, right, sure = truth < NAMES.index("nothing"), likely.argmax(axis=1) == truth, likely.max(axis=1) > 0.9
    far = NEAR * np.linalg.norm(offset - data["offset"][kept].astype(np.float64), axis=1)[there]
    figures, others = truth < 2, there & (truth >= 2)
    as_figure = (likely[:, :2].max(axis=1) > 0.9)[others].mean()
    missed, found_none = (likely[there, -1] > 0.5).mean(), (likely[~there, -1] < 0.5).mean()
    return (
        f"{right.mean():.4f} right, {right[sure].mean():.4f} of the {sure.mean():.2f} that it is sure of; queens and "
        f"knights {right[figures].mean():.4f}, surely {(right & sure)[figures].mean():.4f}; others taken surely for "
        f"them {as_figure:.4f}; pieces overlooked {missed:.4f}, seen where none is {found_none:.4f}; "
        f"feet off by {np.median(far):.3f}, nine in ten within {np.quantile(far, 0.9):.3f} squares"
    )


def main() -> None:
    """Draw, train, test, write."""
    asked = arguments((__doc__ or "").splitlines()[0], pictures=3080, steps=STEPS, rate=RATE, network=NETWORK)
    data = joined(asked.folder, _drawn, range(0, asked.pictures, TOGETHER), "screen")
    file = np.arange(len(data["truth"])) // (TOGETHER * PER_BOARD)
    kept = file % KEPT_FOR_TEST == 1
    torch.manual_seed(1)
    net = Net()
    if asked.begin:
        begin(net, torch.from_numpy(_given(data, np.flatnonzero(~kept)[:: TOGETHER * PER_BOARD // 4])), asked.begin)
    fit(net, partial(_batch, data, np.flatnonzero(~kept)), _loss, steps=asked.steps, rate=asked.rate, seed=5)
    print(f"kept boards: {tested(net, data, np.flatnonzero(kept))}")
    write(net, torch.zeros(1, 8, HEIGHT, WIDTH), asked.output)


if __name__ == "__main__":
    main()
