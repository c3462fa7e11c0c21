"""Cells to learn from, cut out as a reader cuts them: of boards of all kinds, drawn, photographed, captured."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
import numpy.typing as npt

from samples import chess, fonts, looks, page_styles, pages, regions, standing, stitch
from samples.camera import random_shot, take
from samples.cell_boards import Labels as Rows
from samples.cell_boards import lie_under, random_board
from samples.cell_marks import random_hand
from samples.figures import TALL
from samples.puzzles.regions import make
from samples.region_marks import HANDLE, POINTER
from samples.sample import Sample
from solvers.board import Cell
from solvers.stitch import UNKNOWN
from vision.cells.reader import MARKS, Mark, crops
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement

Labels = dict[Cell, Mark]

CORNERS_OFF, BOARD_OFF = 0.02, 0.05
"""How far, usually, each corner of a board and all of it are off where a reader finds it, in cells."""

MOST_OF_A_BOARD = 22
"""Cells that are learnt from one board, half of them empty ones at most."""

PHOTO_WH = (640, 480)

INNER = 0.25
"""A cell is hidden by a standing piece whose axis is seen so near to its middle, each way, in cells."""


@dataclass(frozen=True, eq=False)
class Examples:
    """Crops ``uint8 (N, CROP_PX, CROP_PX, 3)`` and what they show, ``(N,)`` places in :data:`MARKS`."""

    crops: Picture
    truth: npt.NDArray[np.int64]


def examples(seed: int, folder: Path, left_out: tuple[str, ...] = ()) -> Examples:
    """The cells of one drawn board; chess sets are looked for in ``folder``, without those that are left out."""
    rng = np.random.default_rng([seed, *b"cells"])
    source = SOURCES[int(rng.integers(len(SOURCES)))]
    sample, size, labels = source(rng, folder, left_out)
    picture, corners = sample.picture, np.asarray(sample.truth["corners"], np.float64)
    if sample.quality is None:
        picture, corners = _taken(rng, picture, corners)
    rows, cols = size
    off = rng.normal(0, CORNERS_OFF, (4, 2)) + np.clip(rng.normal(0, BOARD_OFF, 2), -0.08, 0.08)
    true = FlatPlacement.from_corners(corners, (cols, rows))
    found = true.to_photo(np.array([(0, 0), (cols, 0), (cols, rows), (0, rows)]) + off)
    if rng.random() < 0.1 and not source.__name__.startswith("_stand"):
        picture = np.ascontiguousarray(255 - picture)
    patches = crops(Photo(picture), FlatPlacement.from_corners(found, (cols, rows)))
    labelled = [(r * cols + c, MARKS.index(mark)) for (r, c), mark in labels.items()]
    chosen = _chosen(rng, np.array(labelled, np.int64).reshape(-1, 2))
    return Examples(patches[chosen[:, 0]], chosen[:, 1])


def _chosen(rng: np.random.Generator, labelled: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    labelled = labelled[rng.permutation(len(labelled))]
    empty = labelled[:, 1] == 0
    marked = labelled[~empty][: MOST_OF_A_BOARD // 2 + 2]
    return np.concatenate([marked, labelled[empty][: MOST_OF_A_BOARD - len(marked)]])


def _taken(
    rng: np.random.Generator, picture: Picture, corners: npt.NDArray[np.float64]
) -> tuple[Picture, npt.NDArray[np.float64]]:
    """The picture as a camera sees it, or as it is sent on."""
    if rng.random() < 0.4:
        cells = float(rng.uniform(0.7, 1.6))
        size_wh = round(PHOTO_WH[0] * cells), round(PHOTO_WH[1] * cells)
        shot = random_shot(rng, size_wh)
        turned = float(np.round(shot.turn_deg / 90) * 90)
        shot = replace(shot, bend=min(shot.bend, 0.004), turn_deg=shot.turn_deg - turned)
        photo, to_photo = take(picture, shot, rng)
        return photo, to_photo(corners)
    scale = float(rng.uniform(0.45, 1.5)) if rng.random() < 0.5 else 1.0
    # Consoles have cells that are not square.
    wider = float(rng.uniform(0.6, 1.6)) if rng.random() < 0.08 else 1.0
    size_wh = round(picture.shape[1] * scale * wider), round(picture.shape[0] * scale)
    scale_xy = np.divide(size_wh, picture.shape[1::-1])
    way = int(rng.choice([cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_CUBIC]))
    sent = np.asarray(cv2.resize(picture, size_wh, interpolation=way), np.uint8)
    if rng.random() < 0.2:
        sent = np.asarray(cv2.GaussianBlur(sent, (0, 0), float(rng.uniform(0.4, 1.6))), np.uint8)
    if rng.random() < 0.1:
        sent = np.repeat(np.asarray(cv2.cvtColor(sent, cv2.COLOR_BGR2GRAY), np.uint8)[..., None], 3, axis=2)
    if rng.random() < 0.6:
        packed = cv2.imencode(".jpg", sent, [cv2.IMWRITE_JPEG_QUALITY, int(95 - 60 * rng.random() ** 2)])[1]
        sent = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return sent, (corners + 0.5) * scale_xy - 0.5


# --- sources ----------------------------------------------------------------------------------------------------------

Drawn = tuple[Sample, tuple[int, int], Labels]


def _hand(rng: np.random.Generator, folder: Path, left_out: tuple[str, ...]) -> Drawn:
    board = random_board(rng, random_hand(rng, folder, left_out))
    labels = _by_cell(board.labels)
    return Sample(board.picture, {"corners": board.corners}), (len(board.labels), len(board.labels[0])), labels


def _by_cell(rows: Rows) -> Labels:
    return {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row) if mark is not None}


def _stitch(rng: np.random.Generator, _: Path, __: tuple[str, ...]) -> Drawn:
    style = looks.FAMILIES[str(rng.choice([*looks.COMMON, "dotted"]))](rng, str(rng.choice(fonts.families())))
    return _clues(rng, style, str(rng.choice(["bare", "bare", "desktop", "old phone"])))


def _patches(rng: np.random.Generator, _: Path, __: tuple[str, ...]) -> Drawn:
    return _clues(rng, looks.patches(rng, str(rng.choice(fonts.families()))), "bare")


def _cloth(rng: np.random.Generator, _: Path, __: tuple[str, ...]) -> Drawn:
    """Strands of rope and cloth, which stand out as much as a number does."""
    style = looks.FAMILIES[str(rng.choice(["game", "game", "linen"]))](rng, str(rng.choice(fonts.families())))
    return _clues(rng, style, "bare")


def _page(rng: np.random.Generator, _: Path, __: tuple[str, ...]) -> Drawn:
    style = page_styles.random_style(rng)
    rows, cols = (int(v) for v in rng.integers(5, 9, 2))
    sample = pages.draw(rng, style=style, rows=rows, cols=cols, missing=float(rng.choice([0.0, rng.uniform(0, 0.4)])))
    return sample, (rows, cols), _clue_marks(sample, "square" if style.badge == "square" else "number", "empty")


def _clues(rng: np.random.Generator, style: looks.Style, device: str) -> Drawn:
    rows, cols = (int(v) for v in rng.integers(5, 9, 2))
    sample = stitch.draw(rng, style=style, device=device, rows=rows, cols=cols)
    numbered: Mark = {"shape": "any", "box": "square"}.get(style.clue.frame, "number")  # type: ignore[assignment]
    bare: Mark = "note" if style.dots is not None and style.dots.where == "middles" else "empty"
    return sample, (rows, cols), _clue_marks(sample, numbered, bare)


def _clue_marks(sample: Sample, numbered: Mark, bare: Mark) -> Labels:
    """What stands on the cells of a drawn Stitch board."""
    shapes = {tuple(map(int, at.split(","))): shape for at, shape in sample.truth.get("shapes", {}).items()}
    labels: Labels = {}
    for (r, c), clue in np.ndenumerate(np.array(sample.truth["clues"], dtype=object)):
        if clue is None:
            continue
        labels[r, c] = "blank" if clue == UNKNOWN else shapes.get((r, c), numbered) if clue else bare
    return labels


def _regions(rng: np.random.Generator, _: Path, __: tuple[str, ...]) -> Drawn:
    n = int(rng.integers(5, 9))
    puzzle, answer = make(Random(int(rng.integers(2**32))), n)
    state = regions.random_state(rng, puzzle, answer)
    over = rng.random()
    if over < 0.25:
        state = replace(state, pointer=(float(rng.uniform(0, n)), float(rng.uniform(0, n))))
    elif over < 0.5:
        state = replace(state, handle=float(rng.uniform(0, n)))
    device = str(rng.choice(["bare", "bare", "desktop"]))
    sample = regions.draw(rng, level=(puzzle, answer), state=state, device=device)
    rows: Rows = [["empty"] * n for _ in range(n)]
    for r, c in state.crosses:
        rows[r][c] = "note"
    for r, c in state.queens:
        rows[r][c] = "queen"
    if state.pointer is not None:
        lie_under(rows, state.pointer + np.array(POINTER))
    if state.handle is not None:
        lie_under(rows, np.array([(n - 0.1, state.handle + y) for y in np.linspace(*HANDLE, 9)]))
    return replace(sample, quality=None), (n, n), _by_cell(rows)


def _diagram(rng: np.random.Generator, _: Path, __: tuple[str, ...]) -> Drawn:
    """Diagrams of this program's own drawing."""
    scene = replace(chess.random_scene(rng, str(rng.choice(["queens", "knight"]))), device="bare")
    sample = chess.draw(rng, scene)
    labels: Labels = {(r, c): "empty" for r in range(scene.rows) for c in range(scene.cols)}
    labels |= dict.fromkeys(sample.truth.get("dots", ()), "note")
    labels |= dict.fromkeys(sample.truth.get("digits", ()), "number")
    labels |= {cell: ("queen" if name == "queen" else "knight") for cell, name in (scene.pieces or {}).items()}
    return sample, (scene.rows, scene.cols), labels


def _standing_board(rng: np.random.Generator, _: Path, __: tuple[str, ...]) -> Drawn:
    """Real boards: squares far from the one piece are empty; what shows much of it is no figure of a diagram."""
    name = str(rng.choice(["queen", "queen", "knight", "knight", "king", "bishop", "rook", "pawn"]))
    scene = standing.random_scene(rng, name, (960, 720))
    if rng.random() < 0.3:
        scene = replace(scene, elevation_deg=float(rng.uniform(62, 88)))
    sample = standing.draw(rng, scene)
    camera = standing.view(scene)
    corners = camera.to_photo(
        np.array([(0, 0, 0), (scene.n, 0, 0), (scene.n, scene.n, 0), (0, scene.n, 0)], np.float64)
    )
    far: Labels = {
        (r, c): "empty"
        for r in range(scene.n)
        for c in range(scene.n)
        if max(abs(r - scene.cell[0]), abs(c - scene.cell[1])) > 3
    }
    foot = np.array([scene.cell[1] + 0.5 + scene.off[0], scene.cell[0] + 0.5 + scene.off[1]])
    for height in TALL[name] * scene.design.tall * np.linspace(0.1, 0.9, 9):
        x, y = camera.eye[:2] + (foot - camera.eye[:2]) * camera.eye[2] / (camera.eye[2] - height)
        if max(abs(x % 1 - 0.5), abs(y % 1 - 0.5)) < INNER and 0 <= x < scene.n and 0 <= y < scene.n:
            far[int(y), int(x)] = "something else"
    return Sample(sample.picture, {"corners": corners}, sample.quality or 90), (scene.n, scene.n), far


SOURCES: tuple[Callable[[np.random.Generator, Path, tuple[str, ...]], Drawn], ...] = (
    *[_hand] * 14, *[_stitch] * 3, *[_cloth] * 4, *[_page] * 3, _patches, _patches, *[_regions] * 3, *[_diagram] * 4,
    *[_standing_board] * 3,
)  # fmt: skip
"""Drawn with equal chances."""
