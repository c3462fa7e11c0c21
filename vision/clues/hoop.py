"""Reads a bent Stitch board: the game's hoop boards, whose cells are curved quadrilaterals.

The threads cut the cloth into cells (:mod:`vision.clues.cloth`). Each cell gets four corners, each pair of cells that
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
from vision.clues.beliefs import NO_CLUE, Belief, number_options
from vision.clues.cloth import COARSE, LEAST_CLUE, Cloth, is_bent, open_cells
from vision.clues.faces import Faces, faces
from vision.clues.jigsaw import Layout, lay, righted
from vision.clues.observation import LEAST_CLUES
from vision.clues.repair import settle
from vision.clues.rings import Ring
from vision.clues.whole import (
    alike_beside,
    assemble,
    cell_sides,
    filled_beside,
    hides_patches,
    known_faces,
    open_part_is_whole,
    rims_of,
    unnamed_patches,
)
from vision.graphs import components, side_by_side
from vision.kind import Aids
from vision.numbers.digits import DigitGuess, isolated, levelled, quick_turns
from vision.pictures.flatten import quarter_turned
from vision.pictures.masks import box_of, connected_to, disc
from vision.pictures.medians import medians
from vision.pictures.mesh import MeshPlacement, Sides
from vision.pictures.photo import Photo, Picture
from vision.reading import Doubt, NotFound, Reading, Repair

LEAST_CELLS = 4
"""Open cells that make a board worth reading, where no filled patches lie beside them."""

REACH = 0.05
"""How far from a clue's ink that is seen more of it is looked for, as a part of the cell's side; as far beyond it is
bare.
"""

PAPER = 0.25
"""Paper round that, as a part of the cell's side."""

GRAIN = 6.0
"""Standard deviation, in grey levels, of what cloth or rope of one colour shows at least."""

SCORE = 0.6
"""How much a bent board looks like one: less than a straight board of the same cells, which is tried first."""

CLEAR = 0.9
"""Numbers that are read with so much confidence are wrong once in hundreds of boards; cells are lost more often."""

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


def find(photo: Photo, aids: Aids) -> Sequence[MeshPlacement] | NotFound:
    """The one bent board of a picture, in pixels of ``photo``."""
    cloth = photo.derive(open_cells)
    if cloth is None or cloth.count < _least_cells(cloth):
        return NotFound("no cells of cloth between threads were found")
    photo.budget.spend(0)
    layouts = _open_layouts(cloth, photo.derive(_open_rims), photo.budget)
    numbers = [number for layout in layouts for number in layout]
    if len(numbers) < _least_cells(cloth):
        return NotFound("the cells between the threads do not make rows and columns")
    photo.budget.spend(0)
    aids.trace.picture("cells", lambda: _drawn(cloth))
    sides: dict[Cell, Sides] = {}
    for layout in layouts:
        left = max((col + 2 for _, col in sides), default=0)  # set apart by a column of nothing
        for number in layout:
            for (row, col), curves in cell_sides(layout, number).items():
                sides[row, col + left] = _in_photo(curves, cloth)
    rows, cols = (max(cell[axis] for cell in sides) + 1 for axis in (0, 1))
    return [MeshPlacement(sides, (cols, rows), SCORE)]


def _all_faces(photo: Photo) -> Faces:
    """The open cells and what may be filled patches: one for each of what may be white numbers."""
    cloth = photo.derive(open_cells)
    assert cloth is not None
    return faces(cloth, dict(enumerate(cloth.numbers, cloth.count + 1)))


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
    cloth = photo.derive(open_cells)
    assert cloth is not None
    cells = _numbers_of(cloth, placement)
    hidden = hides_patches(cloth) or _in_parts(cells)
    inked = ((number, (cloth.labels == number) & cloth.clues) for number in dict.fromkeys(cells.values()))
    crops = {number: _clue(photo, cloth, ink) for number, ink in inked if _is_clue(ink, cloth)}
    all_faces = photo.derive(_all_faces)
    white = all_faces.clues if hidden else {}
    crops |= {number: _clue(photo, cloth, mask) for number, mask in white.items()}
    quarters = quick_turns(crops.values())
    crops = dict(zip(crops, levelled([quarter_turned(crop, quarters) for crop in crops.values()]), strict=True))
    placement = placement.turned(quarters)
    guesses = map(_explaining, aids.digits(list(crops.values())), crops.values())
    observed = _Observation(photo, cloth, dict(zip(crops, guesses, strict=True)), quarters)
    if not hidden:
        return _open_part(observed, placement, aids)
    return _whole(observed, all_faces, aids) or _beside_patches(observed, all_faces, placement, aids)


def _beside_patches(
    observed: _Observation, all_faces: Faces, placement: MeshPlacement, aids: Aids
) -> Reading[Stitch] | NotFound:
    """The reading of the open cells beside filled patches, which are left as they are, all of them named."""
    cloth, cells = observed.cloth, _numbers_of(observed.cloth, placement)
    numbered = _numbered(cells, observed)
    if not numbered or not open_part_is_whole(cloth, all_faces, numbered.values()):
        return NotFound(
            "not every cell of the bent board was made out",
            board_found=is_bent(cloth)
            and 2 * sum(map(bool, side_by_side(cells).values())) > len(cells)  # most lie beside another one
            and sum(bool(guess.text) for guess in observed.guesses.values()) >= LEAST_CLUES,
        )
    found = _open_part(observed, replace(placement, sides={cell: placement.sides[cell] for cell in numbered}), aids)
    if isinstance(found, NotFound):
        return found
    beside = filled_beside(cloth, all_faces)
    areas = {number: int(observed.guesses[number].text or 0) for number in beside}
    read = all(areas.values()) and all(observed.guesses[number].confidence >= CLEAR for number in beside)
    if not (read and alike_beside(cloth, all_faces, areas)) or unnamed_patches(cloth, all_faces):
        return NotFound("not every number on the filled patches of the bent board was read", board_found=True)
    if not beside and not _in_parts(numbered):
        return found  # what is filled is a badge on a button
    left = tuple(map(str, sorted(areas.values())))
    # A clue that fits nowhere may be that of a patch that was not seen to be filled.
    doubts = (*found.doubts, *(_doubt(repair, 0.5) for repair in found.repairs))
    return replace(found, doubts=doubts, partial=_left(left), left_alone=left)


def _left(numbers: Sequence[str]) -> str:
    """What is said of filled patches that are left alone."""
    if not numbers:
        return "patches that are filled already were left as they are"
    return Message("the filled patches of {numbers} were left as they are", numbers=joined(numbers))


def _numbered(cells: Mapping[Cell, int], observed: _Observation) -> dict[Cell, int]:
    """The parts of the open cells that hang together and in which a number was read: what has none is a hole."""
    return {
        cell: cells[cell]
        for part in components(side_by_side(cells))
        if any(observed.guesses[n].text.isdigit() for n in (cells[c] for c in part) if n in observed.guesses)
        for cell in sorted(part)
    }


def _open_part(observed: _Observation, placement: MeshPlacement, aids: Aids) -> Reading[Stitch] | NotFound:
    """The reading of the open cells alone."""
    cells = _numbers_of(observed.cloth, placement)
    guesses = {cell: observed.guesses[number] for cell, number in cells.items() if number in observed.guesses}
    beliefs = [_belief(cell, guess) for cell, guess in guesses.items() if cell not in aids.given]
    beliefs += [Belief(cell, ((int(text or 0), 1.0),)) for cell, text in aids.given.items() if cell in cells]
    if not any(belief.value for belief in beliefs):
        return NotFound("no clue was read on the open cells of the bent board", board_found=True)
    settled = settle(_blank(cells, placement), beliefs, aids.budget)
    inks = {cell: _ink(observed, cells[cell]) for cell in guesses if settled.puzzle.clue(cell)}
    doubts = (*settled.doubts, *_overruled(settled.repairs, guesses))
    return Reading(settled.puzzle, placement, settled.confidence, doubts, settled.repairs, inks)


def _blank(cells: Collection[Cell], placement: MeshPlacement) -> Stitch:
    """A board of these cells without clues."""
    cols, rows = (round(v) for v in placement.size)
    return Stitch(tuple(tuple(0 if (r, c) in cells else None for c in range(cols)) for r in range(rows)))


def _whole(observed: _Observation, all_faces: Faces, aids: Aids) -> Reading[Stitch] | None:
    """The reading of the whole board; None where something about it is not certain, or was told by the user."""
    if aids.given:
        return None
    areas = {number: int(observed.guesses[number].text or 0) for number in all_faces.clues}
    areas = {number: area for number, area in areas.items() if area}
    numbered = {number for number, guess in observed.guesses.items() if guess.text and number <= observed.cloth.count}
    whole = assemble(observed.cloth, all_faces, areas, numbered, aids.budget, quarters=observed.quarters)
    if whole is None:
        return None
    clued = sorted(whole.cells.keys() & observed.guesses.keys())  # in a hole may lie a scrap of something
    if not clued and not whole.patches:
        return None
    sides = {cell: _in_photo(curves, observed.cloth) for cell, curves in whole.sides.items()}
    placement = MeshPlacement(sides, whole.size, SCORE)
    beliefs = [_belief(whole.cells[number], observed.guesses[number]) for number in clued]
    beliefs += [Belief(cell, ((areas[number], 1.0),)) for number, (cell, _) in whole.patches.items()]
    settled = settle(_blank(whole.sides, placement), beliefs, aids.budget)
    standing = {cell: frozenset(patch) for cell, patch in whole.patches.values()}
    if settled.doubts or settled.repairs or not _stand(settled.puzzle, standing, aids.budget):
        return None
    confidence = min([settled.confidence, *(observed.guesses[number].confidence for number in whole.patches)])
    inks = {whole.cells[number]: _ink(observed, number) for number in clued}
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


def _least_cells(cloth: Cloth) -> int:
    return 1 if hides_patches(cloth) else LEAST_CELLS


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


def _in_photo(sides: Sides, cloth: Cloth) -> Sides:
    """Curves on the cloth in pixels of the photo."""
    top, right, bottom, left = (cloth.to_photo(curve) for curve in sides)
    return top, right, bottom, left


# --- clues ------------------------------------------------------------------------------------------------------------


def _numbers_of(cloth: Cloth, placement: MeshPlacement) -> dict[Cell, int]:
    """The number that each cell of the board has on the cloth."""
    at = cloth.from_photo(placement.to_photo([(col + 0.5, row + 0.5) for row, col in placement.sides]))
    cols, rows = np.clip(np.rint(at), 0, np.array(cloth.labels.shape[::-1]) - 1).astype(int).T
    return dict(zip(placement.sides, cloth.labels[rows, cols].tolist(), strict=True))


def _clue(photo: Photo, cloth: Cloth, ink: npt.NDArray[np.bool_]) -> Picture:
    """The clue that covers ``ink``, and what hangs together with it, cut from the full picture, black on white."""
    reach = max(2, round(REACH * cloth.side_px))
    rows, cols = box_of(ink)
    low = np.maximum(np.array([cols.start, rows.start]) - 2 * reach, 0)
    high = np.minimum(np.array([cols.stop, rows.stop]) + 2 * reach, ink.shape[::-1])
    box = np.s_[low[1] : high[1], low[0] : high[0]]
    part, walls = ink[box].astype(np.uint8), cloth.walls[box] & ~ink[box]
    (left, top), (right, bottom) = (np.rint(at / cloth.scale + cloth.origin_px).astype(int) for at in (low, high))
    shown = photo.bgr[top:bottom, left:right]
    near = cv2.dilate(_hull(part), disc(2 * reach + 1)) * ~walls
    inked, there = (cv2.resize(mask, shown.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0 for mask in (part, near))
    cover = _discriminant(shown, inked, ~there) * there
    cover *= cv2.dilate(connected_to(inked, cover > 0.5).astype(np.uint8), disc(round(2 * COARSE / cloth.scale) | 1))
    patch = np.asarray(255 - np.rint(255 * cover), dtype=np.uint8)
    # As much paper round a clue as a straight cell has: the reader of numbers expects cells.
    paper = round(PAPER * cloth.side_px / cloth.scale)
    return np.asarray(cv2.copyMakeBorder(patch, paper, paper, paper, paper, cv2.BORDER_CONSTANT, value=(255.0,)))


def _hull(mask: Picture) -> Picture:
    """The convex hull of a mask, ``uint8 (h, w)``: of a number parts may not have been seen."""
    hull = cv2.convexHull(cv2.findNonZero(mask))
    return np.asarray(cv2.fillConvexPoly(np.zeros_like(mask), hull, (1,)), np.uint8)


def _discriminant(shown: Picture, inked: Mask, bare: Mask) -> Floats:
    """How much each pixel has of the colour of ink, from 0 to 1, by a linear discriminant [1]_; 0 where none is bare.

    References:
        .. [1] R. A. Fisher, "The use of multiple measurements in taxonomic problems", Annals of Eugenics 7, 1936.
    """
    pixels = shown.astype(np.float64)
    if not (bare.any() and inked.any()):
        return np.zeros(inked.shape)
    ground = pixels[bare]
    spread = np.cov(ground.T) + GRAIN**2 * np.eye(3)
    score = pixels @ np.linalg.solve(spread, pixels[inked].mean(axis=0) - ground.mean(axis=0))
    low, high = np.percentile(score[bare], 75), np.percentile(score[inked], 80)
    return np.asarray(np.clip((score - low) / max(high - low, 1e-9), 0, 1))


def _explaining(guess: DigitGuess, crop: Picture) -> DigitGuess:
    """The guess, the less sure the more of a clue's ink lies outside of the digits: one may have been left out."""
    found = isolated(crop)
    if found is None:
        return guess
    ink, (left, top, right, bottom) = 255.0 - crop, found.box
    share = float(ink[max(0, top - 1) : bottom + 1, max(0, left - 1) : right + 1].sum() / max(1.0, ink.sum()))
    return replace(guess, confidence=share * guess.confidence)


def _has_clue(cloth: Cloth, number: int) -> bool:
    return _is_clue((cloth.labels == number) & cloth.clues, cloth)


def _is_clue(ink: npt.NDArray[np.bool_], cloth: Cloth) -> bool:
    return int(ink.sum()) >= LEAST_CLUE * cloth.side_px**2


def _overruled(repairs: Sequence[Repair], guesses: Mapping[Cell, DigitGuess]) -> list[Doubt]:
    """Doubts where reasoning would overrule a number that reads well: rather a clue or a cell was missed."""
    sure = {cell: guess.confidence for cell, guess in guesses.items() if guess.text and guess.confidence >= CLEAR}
    return [_doubt(repair, sure[repair.cell]) for repair in repairs if repair.cell in sure]


def _doubt(repair: Repair, confidence: float) -> Doubt:
    """About what was corrected."""
    why = Message("only {used} fits there", used=repair.used or "no clue")
    return Doubt(repair.cell, repair.read, confidence, why)


def _belief(cell: Cell, guess: DigitGuess) -> Belief:
    options = number_options(guess)
    if not options:
        return Belief(cell, ((NO_CLUE, 0.5),), unread=0.5)
    return Belief(cell, tuple(sorted(options.items(), key=lambda option: -option[1])))


def _ink(observed: _Observation, number: int) -> tuple[int, int, int]:
    """The colour of a clue, red, green, blue: of the pixels that are least like its cell."""
    mine = observed.cloth.labels == number
    pixels = observed.cloth.shown[mine & observed.cloth.clues].astype(np.float64)
    away = np.abs(pixels - medians(observed.cloth.shown[mine])).max(axis=1)
    strongest = pixels[away >= np.percentile(away, 60)]
    blue, green, red = (int(v) for v in medians(strongest))
    return red, green, blue


def _in_parts(cells: Collection[Cell]) -> bool:
    """Whether some cells cannot be reached from others: filled patches lie between them."""
    return len(components(side_by_side(cells))) > 1


def _drawn(cloth: Cloth) -> Picture:
    colours = np.random.default_rng(0).integers(60, 255, (cloth.count + 1, 3)).astype(np.uint8)
    colours[0] = 0
    return np.asarray(cv2.addWeighted(cloth.shown, 0.5, colours[cloth.labels], 0.5, 0), dtype=np.uint8)
