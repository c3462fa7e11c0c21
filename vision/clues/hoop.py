"""Reads a bent Stitch board: the game's hoop boards, whose cells are curved quadrilaterals.

The threads cut the cloth into cells (:mod:`vision.clues.threads`). Each cell gets four corners, each pair of cells that
share a side is tied together, and walking from cell to cell gives every cell its row and column: across the right side
lies the next column, however the cells are turned. Patches that are filled already hide their cells; where their number
and what lies round them tell (:mod:`vision.clues.whole`), the board is read as a whole, and they stay as they are. Else
only the open part is a puzzle; parts of it that only touch filled patches have no place relative to each other and are
set apart.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

import cv2
import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from solvers.budget import Budget, BudgetSpentError
from solvers.message import Message, joined
from solvers.steps.step import Placed
from solvers.stitch import Stitch, answers
from vision.boards.quads import is_photo
from vision.clues.beliefs import NO_CLUE, Belief, number_options
from vision.clues.faces import Faces, faces, white_clues
from vision.clues.jigsaw import Layout, lay, righted
from vision.clues.numerals import ONE_SIZE
from vision.clues.repair import settle
from vision.clues.rings import Ring
from vision.clues.threads import COLOURFUL, LEAST_CLUE, Cloth, fully_lit, open_cells, plainly_bent
from vision.clues.whole import (
    assemble,
    cell_sides,
    filled_beside,
    hides_patches,
    known_faces,
    less_rope,
    open_part_is_whole,
    rims_of,
)
from vision.graphs import components, side_by_side
from vision.kind import Aids
from vision.numbers.digits import DigitGuess, quick_turns
from vision.pictures.flatten import quarter_turned
from vision.pictures.medians import median, medians
from vision.pictures.mesh import MeshPlacement, Sides
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import Placement
from vision.reading import Doubt, NotFound, Reading, Repair

SPECK = 0.65
"""Height, of that usual for what is read, below which something white is a glint that only looks like a digit."""

LEAST_CELLS = 4
"""Open cells that make a board worth reading."""

LAST_CELLS = 2
"""The same when filled patches lie beside them."""

MARGIN = 0.1
"""Round a clue's ink, as a part of the cell's side."""

PAPER = 0.25
"""Paper round a clue, as a part of the cell's side."""

LARGEST_CLUE = 640
"""Pixels of a clue's longer side that are looked at: no number needs as many."""

SCORE = 0.6
"""How much a bent board looks like one: less than a straight board of the same cells, which is tried first."""

PLAIN_SCORE = 0.8
"""The same where a small picture shows it already: no other kind is asked before it is read."""

SAME_CLOTH = 0.05
"""How much the colours of two open cells differ at most, as a part of the full range; on one cloth by half of it."""

MOST_CELLS = 95.0
"""Percentile of the cells that must be so alike: a large clue may colour a small cell."""

LEAST_PATCH = 0.3
"""The area of the smallest filled patch, as a part of the usual cell: the smallest cells have half a cell's."""

CLEAR = 0.9
"""Numbers that are read with so much confidence are wrong once in hundreds of boards; cells are lost more often."""

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


def find(photo: Photo, aids: Aids) -> Sequence[MeshPlacement] | NotFound:
    """The one bent board of a picture, in pixels of ``photo``."""
    photo = fully_lit(photo)
    cloth = photo.derive(open_cells)
    if cloth is None or cloth.count < _least_cells(cloth):
        return NotFound("no cells of cloth between threads were found")
    photo.budget.spend(0)
    layouts = _open_layouts(cloth, photo.derive(_open_rims), photo.budget)
    numbers = [number for layout in layouts for number in layout]
    if len(numbers) < _least_cells(cloth):
        return NotFound("the cells between the threads do not make rows and columns")
    photo.budget.spend(0)
    if not _one_cloth(photo, cloth, numbers):
        return NotFound("what lies between the threads is not one cloth")
    aids.trace.picture("cells", lambda: _drawn(photo, cloth))
    sides: dict[Cell, Sides] = {}
    for layout in layouts:
        left = max((col + 2 for _, col in sides), default=0)  # set apart by a column of nothing
        for number in layout:
            for (row, col), curves in cell_sides(layout, number).items():
                sides[row, col + left] = _in_photo(curves, cloth.scale)
    rows, cols = (max(cell[axis] for cell in sides) + 1 for axis in (0, 1))
    return [MeshPlacement(sides, (cols, rows), SCORE)]


def find_plain(photo: Photo, aids: Aids) -> Sequence[MeshPlacement] | NotFound:
    """The same on the quick look: only where a small picture plainly shows a bent board on cloth."""
    found = find(photo, aids) if is_photo(photo) and fully_lit(photo).derive(plainly_bent) else NotFound("")
    if isinstance(found, NotFound):
        return NotFound("no upright grid of cells was found, nor plainly a bent one")
    return [replace(place, score=PLAIN_SCORE) for place in found]


def lies_among(photo: Photo, placement: Placement) -> bool:
    """Whether open cells of a plainly bent board border on those in a grid: it is a part of that board by chance."""
    photo = fully_lit(photo)
    cloth = photo.derive(open_cells) if is_photo(photo) and photo.derive(plainly_bent) else None
    if cloth is None:
        return False
    rims = photo.derive(_open_rims)
    middles = np.array([rim.points.mean(axis=0) for rim in rims.values()]).reshape(-1, 2)
    at = placement.to_board((middles + 0.5) / cloth.scale - 0.5)
    within = np.all((at >= 0) & (at <= placement.size), axis=1)
    inside = {number for number, here in zip(rims, within, strict=True) if here}
    return any((number in inside) != (other in inside) for number, rim in rims.items() for other in rim.others)


def _all_faces(photo: Photo) -> Faces:
    """The open cells and what may be filled patches: one for each of what may be white numbers."""
    cloth = photo.derive(open_cells)
    assert cloth is not None
    return faces(photo, cloth, dict(enumerate(white_clues(photo, cloth), cloth.count + 1)))


def _open_rims(photo: Photo) -> Mapping[int, Ring]:
    """The rims of the open cells, by their numbers, in pixels of the reduced picture."""
    cloth = photo.derive(open_cells)
    assert cloth is not None
    return rims_of(photo.derive(_all_faces), range(1, cloth.count + 1), {})


@dataclass(frozen=True, eq=False)
class _Observation:
    """What was seen on the cloth: the numbers on open cells and filled patches, by their own number."""

    photo: Photo
    cloth: Cloth
    guesses: Mapping[int, DigitGuess]
    quarters: int
    """Of a turn clockwise that set the numbers upright."""


def read(photo: Photo, placement: MeshPlacement, aids: Aids) -> Reading[Stitch] | NotFound:
    """The clues of a bent board: of all of it where the filled patches can be cut into cells, else of its open part."""
    photo = fully_lit(photo)
    cloth = photo.derive(open_cells)
    assert cloth is not None
    cells = _numbers_of(cloth, placement)
    hidden = hides_patches(cloth) or _in_parts(cells)
    inked = ((number, (cloth.labels == number) & (cloth.clues > 0)) for number in dict.fromkeys(cells.values()))
    crops = {number: _clue(photo, cloth, ink) for number, ink in inked if _is_clue(ink, cloth)}
    all_faces = photo.derive(_all_faces)
    white = all_faces.clues if hidden else {}
    crops |= {number: _clue(photo, cloth, mask, white=True) for number, mask in white.items()}
    quarters = quick_turns(crops.values())
    crops = {number: quarter_turned(crop, quarters) for number, crop in crops.items()}
    placement = placement.turned(quarters)
    cells = _numbers_of(cloth, placement)
    seen = _Observation(photo, cloth, dict(zip(crops, aids.digits(list(crops.values())), strict=True)), quarters)
    if not hidden:
        return _open_part(seen, placement, aids)
    numbers = _numbers(white, seen)
    seen = _read_again(seen, {number: crops[number] for number in numbers if not seen.guesses[number].text}, aids)
    if len(numbers) < len(white):
        all_faces = faces(photo, cloth, numbers)
        aids.budget.spend(0)
    whole = _whole(seen, all_faces, aids)
    if whole is None and len(plain := _without_glints(all_faces, seen)) < len(all_faces.clues):
        all_faces = faces(photo, cloth, plain)
        whole = _whole(seen, all_faces, aids)
    if whole is not None:
        return whole
    told = _told(cells, seen)
    if not told or not open_part_is_whole(cloth, all_faces, told.values()):
        return NotFound(
            "not every cell of the bent board was made out",
            board_seen=photo.derive(plainly_bent) and any(guess.text for guess in seen.guesses.values()),
        )
    found = _open_part(seen, replace(placement, sides={cell: placement.sides[cell] for cell in told}), aids)
    if isinstance(found, NotFound):
        return found
    beside = filled_beside(cloth, all_faces)
    if not beside and not _in_parts(told) and not hides_patches(less_rope(cloth, all_faces)):
        return found  # what is filled is a badge on a button
    texts = [seen.guesses[number].text for number in beside]
    left = tuple(sorted((text for text in texts if text.isdigit()), key=int))
    return replace(found, partial=_left(left), left_alone=left)


def _left(numbers: Sequence[str]) -> str:
    """What is said of filled patches that are left alone."""
    if not numbers:
        return "patches that are filled already were left as they are"
    return Message("the filled patches of {numbers} were left as they are", numbers=joined(numbers))


def _told(cells: Mapping[Cell, int], seen: _Observation) -> dict[Cell, int]:
    """The parts of the open cells that hang together and in which a number was read: what has none is a hole."""
    return {
        cell: cells[cell]
        for part in components(side_by_side(cells))
        if any(seen.guesses[n].text.isdigit() for n in (cells[c] for c in part) if n in seen.guesses)
        for cell in sorted(part)
    }


def _numbers(white: Mapping[int, Mask], seen: _Observation) -> dict[int, Mask]:
    """Of what may be white numbers those that are: what is read and no speck, or not read but as high as that."""
    high = {number: int(np.ptp(np.nonzero(mask)[0])) + 1 for number, mask in white.items()}
    read = [number for number in white if seen.guesses[number].text]
    usual = median([high[number] for number in read]) if read else 0.0
    return {
        number: mask
        for number, mask in white.items()
        if (number in read and high[number] >= SPECK * usual)
        or not read
        or abs(high[number] - usual) <= 1 + ONE_SIZE * usual
    }


def _read_again(seen: _Observation, unread: Mapping[int, Picture], aids: Aids) -> _Observation:
    """The same with white numbers that were not read read again without what is only half as white: glints of rope."""
    bare = [np.asarray(np.minimum(255, 2 * crop.astype(np.int64)), np.uint8) for crop in unread.values()]
    read = dict(zip(unread, aids.digits(bare), strict=True)) if bare else {}
    clear = {number: guess for number, guess in read.items() if guess.confidence >= CLEAR}
    return replace(seen, guesses={**seen.guesses, **clear})


def _without_glints(all_faces: Faces, seen: _Observation) -> dict[int, Mask]:
    """The white numbers less those that are not read and round which hardly any rope is their own: they are pieces of
    threads, or glints."""
    own = np.bincount(all_faces.labels.ravel(), minlength=all_faces.ground + 1) / seen.cloth.side_px**2
    return {n: mask for n, mask in all_faces.clues.items() if seen.guesses[n].text or own[n] >= LEAST_PATCH}


def _open_part(seen: _Observation, placement: MeshPlacement, aids: Aids) -> Reading[Stitch] | NotFound:
    """The reading of the open cells alone."""
    cells = _numbers_of(seen.cloth, placement)
    guesses = {cell: seen.guesses[number] for cell, number in cells.items() if number in seen.guesses}
    beliefs = [_belief(cell, guess) for cell, guess in guesses.items() if cell not in aids.given]
    beliefs += [Belief(cell, ((int(text or 0), 1.0),)) for cell, text in aids.given.items() if cell in cells]
    if not any(belief.value for belief in beliefs):
        return NotFound("no clue was read on the open cells of the bent board", board_seen=True)
    settled = settle(_blank(cells, placement), beliefs, aids.budget)
    inks = {cell: _ink(seen, cells[cell]) for cell in guesses if settled.puzzle.clue(cell)}
    doubts = (*settled.doubts, *_overruled(settled.repairs, guesses))
    return Reading(settled.puzzle, placement, settled.confidence, doubts, settled.repairs, inks)


def _blank(cells: Collection[Cell], placement: MeshPlacement) -> Stitch:
    """A board of these cells without clues."""
    cols, rows = (round(v) for v in placement.size)
    return Stitch(tuple(tuple(0 if (r, c) in cells else None for c in range(cols)) for r in range(rows)))


def _whole(seen: _Observation, all_faces: Faces, aids: Aids) -> Reading[Stitch] | None:
    """The reading of the whole board; None where something about it is not certain, or was told by the user."""
    if aids.given:
        return None
    areas = {number: int(seen.guesses[number].text or 0) for number in all_faces.clues}
    areas = {number: area for number, area in areas.items() if area}
    told = {number for number, guess in seen.guesses.items() if guess.text and number <= seen.cloth.count}
    whole = assemble(seen.cloth, all_faces, areas, told, aids.budget, quarters=seen.quarters)
    if whole is None:
        return None
    scale = seen.cloth.scale
    placement = MeshPlacement({cell: _in_photo(s, scale) for cell, s in whole.sides.items()}, whole.size, SCORE)
    clued = sorted(whole.cells.keys() & seen.guesses.keys())  # in a hole may lie a scrap of something
    beliefs = [_belief(whole.cells[number], seen.guesses[number]) for number in clued]
    beliefs += [Belief(cell, ((areas[number], 1.0),)) for number, (cell, _) in whole.patches.items()]
    settled = settle(_blank(whole.sides, placement), beliefs, aids.budget)
    standing = {cell: frozenset(patch) for cell, patch in whole.patches.values()}
    if settled.doubts or settled.repairs or not _stand(settled.puzzle, standing, aids.budget):
        return None
    confidence = min([settled.confidence, *(seen.guesses[number].confidence for number in whole.patches)])
    inks = {whole.cells[number]: _ink(seen, number) for number in clued}
    covered = frozenset(cell for patch in standing.values() for cell in patch)
    placed = tuple(Placed(tuple(sorted(patch))) for patch in standing.values())
    return Reading(settled.puzzle, placement, confidence, inks=inks, standing=covered, placed=placed)


def _stand(puzzle: Stitch, standing: Mapping[Cell, frozenset[Cell]], budget: Budget) -> bool:
    """Whether the board has one answer, in which the filled patches are as they stand."""
    try:
        found = list(islice(answers(puzzle, budget), 2))
    except BudgetSpentError:
        return False
    return len(found) == 1 and all(
        frozenset(patch.block.cells) == standing[patch.clue] for patch in found[0] if patch.clue in standing
    )


def _one_cloth(photo: Photo, cloth: Cloth, numbers: Sequence[int]) -> bool:
    """Whether the open cells, all but a few, show the same grey cloth, the light on which may slope."""
    small = photo.reduced(max(cloth.labels.shape)).bgr
    shown = [np.argwhere((cloth.labels == n) & (cloth.clues == 0)) for n in numbers]
    if not all(map(len, shown)):
        return False  # a cell that is all ink shows no cloth
    colours = np.array([medians(small[rows, cols]) for rows, cols in (at.T for at in shown)])
    off = np.abs(_without_slope(colours, np.array([at.mean(axis=0) for at in shown]))).max(axis=1)
    return bool(np.percentile(off, MOST_CELLS) <= SAME_CLOTH * 255 and np.ptp(medians(colours)) < COLOURFUL * 255 / 2)


def _without_slope(values: Floats, at: Floats) -> Floats:
    """What is left of values ``(N, C)`` at places ``(N, 2)`` besides a plane, by least squares; for its degrees of
    freedom all the more. Besides their medians where so few are there that a plane says nothing.
    """
    plane = np.column_stack([at - at.mean(axis=0), np.ones(len(at))])
    free = len(at) - plane.shape[1]
    if free <= 0:
        return np.asarray(values - medians(values))
    left = values - plane @ np.linalg.lstsq(plane, values, rcond=None)[0]
    return np.asarray(left * len(at) / free)


def _least_cells(cloth: Cloth) -> int:
    return LAST_CELLS if hides_patches(cloth) else LEAST_CELLS


def _open_layouts(cloth: Cloth, rims: Mapping[int, Ring], budget: Budget) -> list[Layout]:
    """How the cells lie in each part of the open ones that has a clue, from left to right: others are holes, with the
    outline all round. None at all where one of them is not certain.
    """
    known = known_faces(rims, {})
    parts = components({number: face.others for number, face in known.items()})
    clued = [part for part in parts if any(_has_clue(cloth, number) for number in part)]
    clued.sort(key=lambda part: min(float(rims[number].points[:, 0].min()) for number in part))
    layouts = (lay(known, max(part, key=lambda n: len(known[n].others)), budget) for part in clued)
    certain = list(takewhile(bool, layouts))
    return [righted(layout) for layout in certain if layout] if len(certain) == len(clued) else []


def _in_photo(sides: Sides, scale: float) -> Sides:
    """Curves of the reduced picture in pixels of the photo."""
    top, right, bottom, left = ((curve + 0.5) / scale - 0.5 for curve in sides)
    return top, right, bottom, left


# --- clues ------------------------------------------------------------------------------------------------------------


def _numbers_of(cloth: Cloth, placement: MeshPlacement) -> dict[Cell, int]:
    """The number that each cell of the board has on the cloth."""
    found = {}
    for cell in placement.sides:
        x, y = (placement.to_photo([(cell[1] + 0.5, cell[0] + 0.5)])[0] + 0.5) * cloth.scale - 0.5
        found[cell] = int(cloth.labels[round(y), round(x)])
    return found


def _clue(photo: Photo, cloth: Cloth, ink: npt.NDArray[np.bool_], *, white: bool = False) -> Picture:
    """The clue that covers ``ink``, cut from the full picture, black on white; ``white`` where it lies on rope."""
    margin = max(2, round(MARGIN * cloth.side_px))  # a pixel for what is near the ink, and one of bare cloth
    rows, cols = np.nonzero(cv2.dilate(ink.astype(np.uint8), np.ones((2 * margin + 1, 2 * margin + 1), np.uint8)))
    low = np.array([cols.min(), rows.min()])
    high = np.array([cols.max(), rows.max()]) + 1
    left, top, right, bottom = (int(v) for v in np.rint(np.concatenate([low, high]) / cloth.scale))
    # Clues are lighter than cloth in at least one colour: their dye. On dyed rope white is lighter in one as well.
    lightness = photo.bgr[top:bottom, left:right]
    much = max(lightness.shape) / LARGEST_CLUE
    if much > 1:
        lightness = np.asarray(cv2.resize(lightness, None, fx=1 / much, fy=1 / much, interpolation=cv2.INTER_AREA))
    crop = (lightness.min(axis=2) if white else lightness.max(axis=2)).astype(np.float64)
    near = cv2.dilate(ink.astype(np.uint8), np.ones((3, 3), np.uint8))[low[1] : high[1], low[0] : high[0]]
    there = cv2.resize(near, crop.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
    bare, full = np.percentile(crop[~there], 75), np.percentile(crop[there], 75)
    cover = np.clip((crop - bare) / max(1.0, full - bare), 0, 1) * there
    patch = np.asarray(255 - np.rint(255 * cover), dtype=np.uint8)
    # As much paper round a clue as a straight cell has: the reader of numbers expects cells.
    paper = round(PAPER * cloth.side_px / cloth.scale / max(1.0, much))
    return np.asarray(cv2.copyMakeBorder(patch, paper, paper, paper, paper, cv2.BORDER_CONSTANT, value=(255.0,)))


def _has_clue(cloth: Cloth, number: int) -> bool:
    return _is_clue((cloth.labels == number) & (cloth.clues > 0), cloth)


def _is_clue(ink: npt.NDArray[np.bool_], cloth: Cloth) -> bool:
    return int(ink.sum()) >= LEAST_CLUE * cloth.side_px**2


def _overruled(repairs: Sequence[Repair], guesses: Mapping[Cell, DigitGuess]) -> list[Doubt]:
    """Doubts where reasoning would overrule a number that reads well: rather a clue or a cell was missed."""
    sure = {cell: guess for cell, guess in guesses.items() if guess.text and guess.confidence >= CLEAR}
    why = "only {used} fits there"
    return [
        Doubt(repair.cell, repair.read, sure[repair.cell].confidence, Message(why, used=repair.used or "no clue"))
        for repair in repairs
        if repair.cell in sure
    ]


def _belief(cell: Cell, guess: DigitGuess) -> Belief:
    options = number_options(guess)
    if not options:
        return Belief(cell, ((NO_CLUE, 0.5),), unread=0.5)
    return Belief(cell, tuple(sorted(options.items(), key=lambda option: -option[1])))


def _ink(seen: _Observation, number: int) -> tuple[int, int, int]:
    """The colour of a clue, red, green, blue."""
    small = seen.photo.reduced(max(seen.cloth.labels.shape))
    pixels = small.bgr[(seen.cloth.labels == number) & (seen.cloth.clues > 0)]
    strongest = pixels[pixels.max(axis=1) >= np.percentile(pixels.max(axis=1), 60)]
    blue, green, red = (int(v) for v in medians(strongest))
    return red, green, blue


def _in_parts(cells: Collection[Cell]) -> bool:
    """Whether some cells cannot be reached from others: filled patches lie between them."""
    return len(components(side_by_side(cells))) > 1


def _drawn(photo: Photo, cloth: Cloth) -> Picture:
    colours = np.random.default_rng(0).integers(60, 255, (cloth.count + 1, 3)).astype(np.uint8)
    colours[0] = 0
    small = photo.reduced(max(cloth.labels.shape)).bgr
    return np.asarray(cv2.addWeighted(small, 0.5, colours[cloth.labels], 0.5, 0), dtype=np.uint8)
