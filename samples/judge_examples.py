"""Shapes for the judge of digits to learn from (:mod:`samples.train_judge`): digits, and what is taken for digits.

Four sources. *Shapes* are digits drawn in every face found, made small, blurred, noisy and slanted, and cut tight: many
and cheap. *Cells* are whole cells with numbers or with none, on plain, woven or roped ground. *Boards* are drawn Stitch
boards in every look with a number in nearly every cell, half of them photographed; *marks* are boards of other games
with crowns, crosses and pieces. From cells, boards and marks comes every shape that the cutting code proposes
(:func:`vision.numbers.glyphs.candidates`), so that the judge learns what it will be asked about: where a number stands
is known, and what does not lie there is no digit. The space between a number and the ring that it touches, a strand of
rope, a shadow, the hem of a badge look like digits, and only such pictures teach that they are none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from samples import chess, fonts, looks, phone, regions, stitch
from samples.camera import random_shot, take
from samples.sample import Sample
from samples.textures import Bgr, cloth, rope
from solvers.blocks import Block
from solvers.board import Cell
from solvers.stitch import Patch, Stitch
from vision.clues.badges import badge, number_on
from vision.numbers.glyphs import Glyphs, candidates
from vision.numbers.judge import NO_DIGIT, Floats, fitted
from vision.pictures.photo import Picture

Example = tuple[Picture, int, int]
"""A shape fitted into its square, what it is, and the number of the face (-1 for none)."""

Boxes = npt.NDArray[np.float64]
"""``(N, 4)``: left, top, right, bottom of digits in a crop, of its sides."""

NO_BOXES: Boxes = np.zeros((0, 4))

SAME, OTHER = 0.6, 0.45
"""How far (area shared, of the area of both) a shape's box and a digit's must agree for the shape to be the digit, and
up to where it is none. What is between teaches nothing."""

PIECE = 0.6
"""A shape that lies in a digit with this part of itself may be a stroke of it, or its hole: it teaches nothing."""

MOST_OF_A_CROP = 6
"""Shapes that are learnt from one crop, the best ones by the score of their cut."""


def faces(folders: list[Path]) -> list[Path]:
    """The faces that draw ten different digits; symbol faces do not."""
    files = sorted(file for folder in folders for ending in ("ttf", "otf") for file in folder.rglob(f"*.{ending}"))
    return [file for file in files if _draws_digits(file)]


def _draws_digits(file: Path) -> bool:
    try:
        font = ImageFont.truetype(str(file), 40)
        return len({bytes(font.getmask(digit)) for digit in "0123456789"}) == 10
    except OSError:
        return False


# --- digits alone -----------------------------------------------------------------------------------------------------


def _written(file: Path, text: str, height: float, stroke: int) -> Floats:
    """A text in a face, ``float32 (h, w)``, ink 0..1, with white round it."""
    font = ImageFont.truetype(str(file), max(6, round(height / 0.72)))
    left, top, right, bottom = (round(v) for v in font.getbbox(text, stroke_width=stroke))
    page = Image.new("L", (right - left + 24, bottom - top + 24), 0)
    ImageDraw.Draw(page).text((12 - left, 12 - top), text, fill=255, font=font, stroke_width=stroke)
    return np.asarray(np.asarray(page) / 255, np.float32)


def shapes(rng: np.random.Generator, files: list[Path], count: int) -> Iterator[Example]:
    """Single digits, spoiled and cut tight."""
    for _ in range(count):
        face, digit = int(rng.integers(len(files))), int(rng.integers(10))
        clean = _written(files[face], str(digit), 64, int(rng.choice([0, 0, 0, 0, 2])))
        spoiled = _spoiled(rng, clean, float(rng.uniform(7, 40)) / 64)
        _, labels, stats, _ = cv2.connectedComponentsWithStats((spoiled > 0.5).astype(np.uint8), connectivity=8)
        table = np.asarray(stats)
        if len(table) < 2:
            continue
        largest = 1 + int(np.argmax(table[1:, cv2.CC_STAT_AREA]))
        x, y, w, h = (int(v) for v in table[largest, :4])
        near = cv2.dilate((np.asarray(labels) == largest).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        if h >= 8:
            patch = np.asarray(255 - 255 * np.where(near, spoiled, 0), np.uint8)
            yield fitted(patch, (x, y, x + w, y + h)), digit, face


def _spoiled(rng: np.random.Generator, clean: Floats, scale: float) -> Floats:
    """Slanted, stretched, made small, blurred, noisy, and enlarged again to about 30 px."""
    height, width = clean.shape
    angle, shear, stretch = np.deg2rad(rng.normal(0, 4)), rng.normal(0, 0.06), rng.uniform(0.88, 1.12)
    turn = np.array([[np.cos(angle) * stretch, -np.sin(angle) + shear], [np.sin(angle), np.cos(angle)]]) * scale
    size_wh = (int(width * scale * 1.25) + 6, int(height * scale * 1.2) + 6)
    shift = np.array(size_wh) / 2 + rng.uniform(-0.5, 0.5, 2) - turn @ np.array([width / 2, height / 2])
    soft = cv2.GaussianBlur(clean, (0, 0), 0.5 / scale)
    small = cv2.warpAffine(soft, np.column_stack([turn, shift]), size_wh)
    if rng.random() < 0.5:
        small = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.3, 0.3 + 4 * scale)))
    noisy = (np.asarray(small) + rng.normal(0, rng.uniform(0, 0.08), small.shape)).astype(np.float32)
    zoom = 30 / (64 * scale)
    large = np.asarray(cv2.resize(noisy, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC), np.float32)
    full = max(0.05, float(np.percentile(large[large > 0.3 * large.max()], 60)))
    return np.asarray(np.clip(large / full, 0, 1), np.float32)


# --- what is cut out of crops -----------------------------------------------------------------------------------------


def _cut_from(rng: np.random.Generator, crop: Picture, text: str, digits: Boxes, face: int) -> Iterator[Example]:
    """What the cutting code proposes in a crop in which the ``digits`` of ``text`` stand in these places."""
    found = candidates(crop)
    best = [*found[: MOST_OF_A_CROP // 2], *rng.permutation(np.arange(len(found))[MOST_OF_A_CROP // 2 :])]
    for one in [found[k] if isinstance(k, np.integer) else k for k in best[:MOST_OF_A_CROP]]:
        for box, place in zip(one.boxes, _places(one, crop), strict=True):
            label = _label(place, text, digits)
            if label is not None:
                yield fitted(one.patch, box), label, face if label != NO_DIGIT else -1


def _places(found: Glyphs, crop: Picture) -> Boxes:
    """Where the shapes of a cut lie in its crop."""
    boxes = np.array(found.boxes, np.float64)
    left, top, right, bottom = boxes[:, 0].min(), boxes[:, 1].min(), boxes[:, 2].max(), boxes[:, 3].max()
    x0, y0, x1, y1 = found.box
    height, width = crop.shape[:2]
    scale = np.array([(x1 - x0) / (right - left) / width, (y1 - y0) / (bottom - top) / height] * 2)
    origin = np.array([x0 / width, y0 / height] * 2)
    return np.asarray((boxes - [left, top, left, top]) * scale + origin)


def _label(place: npt.NDArray[np.float64], text: str, digits: Boxes) -> int | None:
    """What a shape is; None where that is not clear."""
    if not len(digits):
        return NO_DIGIT
    low, high = np.maximum(place[:2], digits[:, :2]), np.minimum(place[2:], digits[:, 2:])
    shared = np.prod(np.clip(high - low, 0, None), axis=1)
    own, theirs = float(np.prod(place[2:] - place[:2])), np.prod(digits[:, 2:] - digits[:, :2], axis=1)
    agree = shared / (own + theirs - shared)
    best = int(np.argmax(agree))
    if agree[best] >= SAME:
        return int(text[best])
    return NO_DIGIT if agree[best] < OTHER and shared.max() < PIECE * own else None


def cells(rng: np.random.Generator, files: list[Path], count: int) -> Iterator[Example]:
    """Digits, and shapes that are none, of single cells."""
    for _ in range(count):
        side = int(rng.integers(18, 90))
        face = int(rng.integers(len(files))) if rng.random() < 0.75 else -1
        text = _number(rng) if face >= 0 else ""
        crop, digits = _cell(rng, side, text, files[face])
        yield from _cut_from(rng, crop, text, digits, face)


def _number(rng: np.random.Generator) -> str:
    """Two in five have one digit and as many have two."""
    most = int(rng.choice([10, 10, 100, 100, 1000]))
    return str(rng.integers(most // 10 if most > 10 else 0, most))


MOST_OF_A_CELL = 0.9
"""Of a cell's side that a number takes at most: some faces draw digits larger than others."""


def _cell(rng: np.random.Generator, side: int, text: str, file: Path) -> tuple[Picture, Boxes]:
    """A cell on some ground, with a number where there is a text, else perhaps with strokes; and the digits' places."""
    kind, colour = rng.random(), rng.uniform(0, 255, 3)
    dull: Bgr = (int(rng.integers(40, 200)), int(rng.integers(40, 200)), int(rng.integers(40, 200)))
    if kind < 0.15:
        ground = cloth((side, side), max(2.0, side * float(rng.uniform(0.06, 0.2))), dull, rng)
    elif kind < 0.25:
        ground = rope((side, side), side * float(rng.uniform(0.15, 0.26)), float(rng.uniform(0, 180)), dull, rng)
    else:
        ground = np.full((side, side, 3), colour, np.uint8)
    page = ground.astype(np.float32)
    ink = (page.mean(axis=(0, 1)) + 128) % 256
    mask, digits = np.zeros((side, side), np.float32), NO_BOXES
    if text:
        height = float(rng.uniform(0.28, 0.55)) * side / (1, 1.1, 1.5)[len(text) - 1]
        number = _written(file, text, height, 0)[11:-11, 11:-11]
        if max(number.shape) > MOST_OF_A_CELL * side:
            height *= MOST_OF_A_CELL * side / max(number.shape)
            number = _written(file, text, height, 0)[11:-11, 11:-11][:side, :side]
        y, x = (side - number.shape[0]) // 2, (side - number.shape[1]) // 2
        mask[y : y + number.shape[0], x : x + number.shape[1]] = number
        font = ImageFont.truetype(str(file), max(6, round(height / 0.72)))
        digits = _digit_boxes(font, text) / side + 0.5
    elif rng.random() < 0.6:
        points = (rng.uniform(0.2, 0.8, (int(rng.integers(2, 5)), 2)) * side).astype(np.int32)
        cv2.polylines(mask, [points], False, (1.0,), max(1, round(0.07 * side)), cv2.LINE_AA)
    page = page * (1 - mask[..., None]) + ink * mask[..., None]
    page = cv2.GaussianBlur(page, (0, 0), float(rng.uniform(0.3, 0.3 + 0.03 * side)))
    noisy = np.clip(page + rng.normal(0, rng.uniform(0, 9), page.shape), 0, 255)
    return np.asarray(noisy, np.uint8), digits


def _digit_boxes(font: fonts.Face, text: str, stroke: int = 0) -> Boxes:
    """The boxes of a number's digits in pixels, from the middle of the box round all of them."""
    boxes = []
    for index, digit in enumerate(text):
        left, top, right, bottom = font.getbbox(digit, stroke_width=stroke)
        start = font.getlength(text[:index])
        boxes.append((start + left, top, start + right, bottom))
    found = np.array(boxes, np.float64)
    middle = (found[:, :2].min(axis=0) + found[:, 2:].max(axis=0)) / 2
    return np.asarray(found - np.tile(middle, 2))


# --- boards -----------------------------------------------------------------------------------------------------------

BARE = 0.25
"""Part of a board's cells without a number."""

PHOTO_WH = (1600, 1200)

AMISS = 0.02
"""How far off a cell's corners are measured, in cells (a standard deviation)."""

PAGES = ("light", "tiles", "patches", "linen")
"""Looks on paper; screens show any."""


def boards(rng: np.random.Generator, files: list[Path], count: int) -> Iterator[Example]:
    """Digits, and what is none, of drawn Stitch boards with a number in nearly every cell."""
    for _ in range(count):
        face = int(rng.integers(len(files)))
        family = fonts.BUILTIN if rng.random() < 0.1 else str(files[face])
        fonts.FAMILIES.setdefault(family, (family,))
        on_screen, taken = bool(rng.random() < 0.5), bool(rng.random() < 0.7)
        style = looks.FAMILIES[str(rng.choice(list(looks.FAMILIES) if on_screen else PAGES))](rng, family)
        sample = _numbered(rng, style, _device(rng, on_screen))
        yield from _of_cells(rng, *_crops(rng, sample, on_screen, taken), style, face)


def _device(rng: np.random.Generator, on_screen: bool) -> str:
    devices = [name for name in phone.DEVICES if name != "bare"]
    return str(rng.choice(devices)) if on_screen else "bare"


def _numbered(rng: np.random.Generator, style: looks.Style, device: str) -> Sample:
    """A board of single cells and pairs, each with any number."""
    rows, cols = int(rng.integers(5, 14)), int(rng.integers(5, 11))
    numbers = np.array([[int(_number(rng)) for _ in range(cols)] for _ in range(rows)])
    bare = rng.random((rows, cols)) < BARE
    bare[:, 0] = False
    clues = np.where(bare, 0, np.where(numbers > 200, numbers // 10, np.maximum(numbers, 1)))
    where = [(int(r), int(c)) for r, c in np.argwhere(clues)]
    shapes: dict[Cell, str] = {cell: str(rng.choice(["square", "tall", "wide", "any"])) for cell in where}
    puzzle = Stitch(tuple(tuple(int(v) for v in row) for row in clues), shapes)
    answer = []
    for r, c in puzzle.clue_cells:
        end = c + 1
        while end < cols and not clues[r, end]:
            end += 1
        answer.append(Patch((r, c), Block(tuple((r, k) for k in range(c, end)), 1, end - c)))
    found = {patch.clue for patch in answer if rng.random() < rng.choice([0, 0.5, 1])}
    return stitch.picture(rng, puzzle, tuple(answer), found=found, style=style, device=device)


def _crops(rng: np.random.Generator, sample: Sample, on_screen: bool, taken: bool) -> tuple[Sample, Sequence[Picture]]:
    """The cells of a board row by row, each upright, as a camera sees them or as they are."""
    rows, cols = sample.truth["rows"], sample.truth["cols"]
    y, x = np.indices((rows + 1, cols + 1))
    lattice = np.column_stack([x.ravel(), y.ravel(), np.ones(x.size)])
    corners = np.array(sample.truth["corners"], np.float32)
    ends = np.array([(0, 0), (cols, 0), (cols, rows), (0, rows)], np.float32)
    at = lattice @ np.asarray(cv2.getPerspectiveTransform(ends, corners)).T
    points, picture = np.asarray(at[:, :2] / at[:, 2:], np.float64), sample.picture
    if taken:
        picture, to_photo = take(picture, random_shot(rng, PHOTO_WH, screen=on_screen), rng)
        points = to_photo(points)
    grid = points.reshape(rows + 1, cols + 1, 2)
    side = float(np.linalg.norm(np.diff(grid, axis=1), axis=2).mean())
    grid = np.asarray(grid + rng.normal(0, AMISS * side, grid.shape), np.float64)
    return sample, [_upright(picture, grid[r : r + 2, c : c + 2], side) for r in range(rows) for c in range(cols)]


def _upright(picture: Picture, corners: npt.NDArray[np.float64], side: float) -> Picture:
    """A cell, ``corners (2, 2, 2)`` by row and column, as a square."""
    length = int(np.clip(round(side), 12, 96))
    goal = np.array([(0, 0), (length, 0), (0, length), (length, length)], np.float32) - 0.5
    turn = cv2.getPerspectiveTransform(corners.reshape(4, 2).astype(np.float32), goal)
    soft = side / length
    low = np.maximum(0, corners.reshape(4, 2).min(axis=0).astype(int) - 8)
    high = corners.reshape(4, 2).max(axis=0).astype(int) + 9
    part = picture[low[1] : high[1], low[0] : high[0]]
    if soft > 1.2:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.45 * soft), np.uint8)
    turn = turn @ np.array([[1, 0, low[0]], [0, 1, low[1]], [0, 0, 1]], np.float64)
    return np.asarray(cv2.warpPerspective(part, turn, (length, length), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _of_cells(
    rng: np.random.Generator, sample: Sample, crops: Sequence[Picture], style: looks.Style, face: int
) -> Iterator[Example]:
    """The shapes in the cells of a board."""
    clue = style.clue
    shapes = sample.truth.get("shapes", {})
    for index, (crop, value) in enumerate(zip(crops, np.array(sample.truth["clues"]).ravel(), strict=True)):
        text = str(value) if value else ""
        digits = NO_BOXES
        if text:
            height = 100 * clue.height * (1.0, 0.92, 0.75)[len(text) - 1]
            font = fonts.digit_face(clue.family, round(height))
            digits = _digit_boxes(font, text, round(clue.weight * height)) / 100 + 0.5
        shape = shapes.get("{},{}".format(*divmod(index, sample.truth["cols"])))
        shown = crop if shape is None else number_on(crop, badge(crop, shape))
        yield from _cut_from(rng, shown, text, digits, face)


def marks(rng: np.random.Generator, count: int) -> Iterator[Example]:
    """Crowns, crosses and pieces, which are no digits."""
    for index in range(count):
        if index % 2:
            sample = regions.draw(rng)
        else:
            scene = chess.random_scene(rng, str(rng.choice(["queens", "knight"])))
            sample = chess.draw(rng, replace(scene, coordinates="none", clutter=False))
        rows = int(sample.truth.get("rows") or sample.truth["n"])
        cols = int(sample.truth.get("cols") or rows)
        shown = Sample(sample.picture, {"rows": rows, "cols": cols, "corners": sample.truth["corners"]})
        _, crops = _crops(rng, shown, True, bool(rng.random() < 0.5))
        for crop in crops:
            yield from _cut_from(rng, crop, "", NO_BOXES, -1)
