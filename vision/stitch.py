"""Reads Stitch boards (Shikaku, LinkedIn's Patches) from screenshots and photos.

The way of a board: a lattice is found by the phases of its cells (:mod:`vision.boards.phases`), the cells that carry
something by a network (:mod:`vision.cells.reader`), badges by their outline (:mod:`vision.clues.badges`),
numbers by Tesseract on one sheet, and what is left open by the rules (:mod:`vision.clues.repair`). Every clue carries a
probability all the way, "no clue here" included, so nothing is decided before everything is known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from solvers.board import Cell
from solvers.message import Message, joined
from solvers.stitch import UNKNOWN, Stitch, clue_sum
from vision.boards.clusters import alike_places
from vision.boards.pointed import board_between
from vision.boards.run_out import runs_out_at
from vision.boards.states import Board, Bools, board_at, board_within, is_decided, is_straight
from vision.cells import reader
from vision.clues.beliefs import NO_CLUE, Belief
from vision.clues.ink import ink_colour
from vision.clues.legible import illegible
from vision.clues.observation import (
    CLUES,
    EVEN,
    LEAST_CLUES,
    Observation,
    badged,
    beliefs_of,
    blank_board,
    carrying,
    clear_numbers,
    clue_chances,
    likely_turns,
    may_be_clues,
    observe,
    on_bare_cells,
    plainest,
    turns,
    with_doubtful_shapes,
)
from vision.clues.other_games import another_game
from vision.clues.outline import (
    Outline,
    evidence_of_clues,
    holes_of,
    likeliest_cells,
    may_be_cells,
    overlooked_clues,
)
from vision.clues.own_digits import reread
from vision.clues.placed import (
    MANY_UNREAD,
    placed_patches,
    proved,
    unlike_placed,
    visible_sides,
    with_patches,
    within,
)
from vision.clues.places import ALIKE, likely_places
from vision.clues.repair import MISFIT, Settled, either_way_up, repairs_in, settle
from vision.clues.segmentation import segmented
from vision.kind import PROMISING, Aids
from vision.pictures.bending import BentPlacement
from vision.pictures.flatten import upended
from vision.pictures.margins import cut_off_at
from vision.pictures.masks import box_of
from vision.pictures.mesh import MeshPlacement
from vision.pictures.photo import Photo
from vision.pictures.photographed import is_photo
from vision.pictures.placement import FlatPlacement, Placement, box_corners, lie_alike
from vision.reading import Doubt, NotFound, Reading

RIVAL = PROMISING
"""What a grid counts that another kind plainly sees its own board in."""

MOST_FILLED = 0.7
"""Part of the cells that carry something, at most: a board of dominoes has half."""

FEW_CLUES = 5
"""Fewer clues than this on a grid that is no more than promising, or whose outline is not decided, prove nothing: a
part of a board can solve by itself."""

CLEAR_CLUE = 0.95
"""How sure the least certain clue is of a board whose clues are believed though they fit together in no way."""

MISFITS = 2
"""So many clues at least must be others where none alone gives the board an answer."""

HARDLY_NUMBERED = "there is a grid, but hardly a number stands in it"

FAR_OFF = 0.6
"""Numbers that together make less than this part of the board's cells, or more than its inverse, are no clues."""


def find(photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
    """Regular grids, best first, in pixels of ``photo``."""
    if aids.corners_px is not None:
        return _pointed_at(photo, aids.corners_px, aids)
    places = likely_places(photo, aids)
    straight = [place for place in places if is_straight(photo, place)]
    if not aids.thorough:
        if any(place.score >= PROMISING for place in straight):
            return [_behind_rivals(photo, place) for place in straight]
        return straight or NotFound("no upright grid of cells was found")
    if any(is_decided(photo, place) for place in straight):
        return straight
    from vision.clues import hoop  # noqa: PLC0415  (with all that it is made of: most boards need none of it)

    bent = hoop.find(photo, aids)
    if not isinstance(bent, NotFound):
        return [*straight, *bent]
    # What fits no sheet is mostly a part of a bent board, or of another kind's.
    found = [place for place in places if place in straight or is_decided(photo, place)]
    return found or NotFound(Message("no regular grid of cells was found, and {reason}", reason=bent.reason))


def _behind_rivals(photo: Photo, place: Placement) -> Placement:
    """The place, with a lower score where it is plainly a level of coloured regions or a chessboard: these go first."""
    if not isinstance(place, FlatPlacement):
        return place
    from vision.chessboards.chequers import is_chequered  # noqa: PLC0415  (reading Stitch needs none of the other)
    from vision.regions.finding import is_level  # noqa: PLC0415

    rival = is_chequered(photo, place) or is_level(photo, place)
    return replace(place, score=RIVAL * place.score) if rival else place


def _pointed_at(photo: Photo, corners_px: Sequence[tuple[float, float]], aids: Aids) -> Sequence[Placement] | NotFound:
    """The board between the corners that the user named."""
    if len(corners_px) != 4:
        return NotFound("a Stitch board has four corners: name them clockwise from the top left one")
    place = board_between(photo, corners_px, aids.size)
    return [place] if place is not None else NotFound("no grid was made out between the corners; --size says how large")


def read(photo: Photo, placement: Placement, aids: Aids) -> Reading[Stitch] | NotFound:
    """The clues of the board at ``placement``; holes are cells outside of its outline."""
    if isinstance(placement, MeshPlacement):
        from vision.clues import hoop  # noqa: PLC0415  (as above)

        found = hoop.read(photo, placement, aids)
        if aids.size and isinstance(found, Reading) and {found.puzzle.rows, found.puzzle.cols} != set(aids.size):
            return NotFound("its cells fill another box than was said")
    else:
        found = _read_once(photo, _board(photo, placement, aids), aids)
    if _is_instructed(aids) or (isinstance(found, Reading) and not found.doubts):
        return found
    why = "" if isinstance(placement, MeshPlacement) else illegible(photo, placement)
    if isinstance(found, Reading):
        doubts = tuple(replace(doubt, why=why) for doubt in found.doubts)
        return replace(found, doubts=doubts) if why else _explained(found)
    # What cannot be read tells no other game.
    if not why or found.board_found:
        return found
    return replace(found, advice=Message("there is a grid, but {why}", why=why), game="")


def _is_instructed(aids: Aids) -> bool:
    """Whether the user said anything of the board."""
    return bool(aids.named or aids.size or aids.corners_px or aids.given)


def _explained(found: Reading[Stitch]) -> Reading[Stitch] | NotFound:
    """What is likeliest where the clues fit no board: numbers of another game, clues that are impossible, or doubts; of
    an irregular board its outline may be wrong.
    """
    misread = MISFITS if any(doubt.why == MISFIT for doubt in found.doubts) else 0
    unclear = {doubt.cell for doubt in found.doubts if doubt.why != MISFIT or doubt.confidence < CLEAR_CLUE}
    if game := another_game(found.puzzle, unclear, misread):
        total, cells = sum(found.puzzle.clue(cell) or 0 for cell in found.puzzle.clue_cells), len(found.puzzle.cells)
        why = Message("its numbers add up to {total} on {cells} cells", total=total, cells=cells)
        return NotFound(why, game=game)
    if len(found.puzzle.cells) < found.puzzle.rows * found.puzzle.cols:
        return found
    return found if unclear else replace(found, doubts=())  # what is read so clearly is what stands there


def _named(refusal: NotFound, blank: Stitch, beliefs: Sequence[Belief]) -> NotFound:
    """The refusal of a board, naming the other game where its numbers are plainly from one."""
    clues = [list(row) for row in blank.clues]
    for belief in beliefs:
        clues[belief.cell[0]][belief.cell[1]] = belief.value
    unsure = {belief.cell for belief in beliefs if not belief.certain}
    return replace(refusal, game=another_game(replace(blank, clues=tuple(map(tuple, clues))), unsure))


def _board(photo: Photo, placement: Placement, aids: Aids) -> Board:
    """The board on the lattice of ``placement``; where the user said how large it is or where it lies, just there."""
    if not isinstance(placement, FlatPlacement | BentPlacement):
        raise TypeError("only boards on a sheet have a lattice")
    if aids.size or aids.corners_px:
        return board_within(photo, placement)
    return photo.derive_at(board_at, placement) or board_within(photo, placement)


def _read_once(photo: Photo, board: Board, aids: Aids) -> Reading[Stitch] | NotFound:
    """The clues of a board on a sheet; from several grids on it the board is the same."""
    if _is_instructed(aids):
        return _read_here(photo, board, aids)
    known = photo.derive(_known)
    for other, reading in known:
        alike = lie_alike(board.placement, other.placement, ALIKE) and np.array_equal(board.inside, other.inside)
        if alike and board.placement.score <= other.placement.score:
            return reading
    reading = _read_here(photo, board, aids)
    known.append((board, reading))
    return reading


def _known(_: Photo) -> list[tuple[Board, Reading[Stitch] | NotFound]]:
    """The boards that were read of a picture; none at first."""
    return []


def _read_here(photo: Photo, board: Board, aids: Aids) -> Reading[Stitch] | NotFound:
    """The clues of a board on a sheet, any side up: which one, a few cells tell most often."""
    cells = _carrying(photo, board)
    if isinstance(cells, NotFound):
        return cells
    named = aids.named or aids.size or aids.corners_px
    inside = [cell for cell in cells if board.inside[cell]]
    if not (named or may_be_clues(photo, board.placement, plainest(photo, board.placement, inside))):
        return NotFound(HARDLY_NUMBERED)
    quarters = likely_turns(photo, board.placement, inside)
    return _read_lying(photo, _upended(photo, board, quarters) if quarters else board, aids)


def _upended(photo: Photo, board: Board, quarters: int) -> Board:
    return replace(board.turned(quarters), placement=upended(photo, board.placement, quarters))


def _carrying(photo: Photo, board: Board) -> list[Cell] | NotFound:
    """The places that carry something, of those that may be cells."""
    there = carrying(photo, board.placement) & may_be_cells(board.odds)
    cells: list[Cell] = [(int(r), int(c)) for r, c in np.argwhere(there)]
    if LEAST_CLUES <= len(cells) <= MOST_FILLED * np.count_nonzero(board.inside):
        return cells
    if len(cells) < LEAST_CLUES:
        return NotFound("the grid is empty, which is so on no Stitch board")
    return NotFound("nearly every cell of the grid carries something, which is so on no Stitch board")


def _read_lying(photo: Photo, board: Board, aids: Aids, *, upright: bool = False) -> Reading[Stitch] | NotFound:
    """The same as the board lies.

    Which side is up is asked once more, of all that was read, unless it is known to be ``upright``.
    """
    placement = board.placement
    cells = _carrying(photo, board)
    if isinstance(cells, NotFound):
        return cells
    observed = observe(photo, placement, cells, aids)
    quarters = 0 if upright else turns(observed, aids)
    if quarters:
        return _read_lying(photo, _upended(photo, board, quarters), aids, upright=True)
    found = _settled(photo, board, observed, aids)
    if isinstance(found, NotFound):
        return found
    settled, unproved = found
    kept = _cells(settled.puzzle)
    for doubt in settled.doubts:
        kept[doubt.cell] = True
    box = box_of(kept)
    if not aids.given and (box[0].stop - box[0].start, box[1].stop - box[1].start) != board.odds.shape:
        return _read_lying(photo, board.cut(box), aids, upright=upright)
    return unproved if unproved is not None else _reading(photo, settled, placement, observed)


def _settled(
    photo: Photo, board: Board, observed: Observation, aids: Aids
) -> tuple[Settled, NotFound | None] | NotFound:
    """The clues that what was ``observed`` tells, and why they prove nothing, where they do not."""
    placement = board.placement
    odds = board.odds.copy()
    for hole in holes_of(aids.given):
        odds[hole] = -np.inf
    evidence = evidence_of_clues(reader.read(photo, placement).chance(*CLUES))
    read = beliefs_of(observed, badged(observed))
    visible = visible_sides(photo, placement)
    likely = with_patches(read, placed_patches(within(visible, board.inside), read))
    outline = likeliest_cells(odds, evidence, likely, aids.budget, partial(alike_places, photo, placement))
    box = box_of(outline.inside)
    own, cells = board.cut(box).placement, outline.inside[box]
    sides = within(visible, outline.inside)
    patches = placed_patches(sides, read)
    beliefs = _given(with_patches(read, patches), aids.given)
    blank = blank_board(outline.inside, observed, beliefs if badged(observed) else ())
    on_board = set(blank.cells)
    beliefs = [belief for belief in beliefs if belief.cell in on_board]
    if badged(observed) and not blank.shapes:
        beliefs = _given([belief.numbered() for belief in beliefs], aids.given)
    refusal = _refusal(observed, blank, beliefs)
    if refusal is None:
        refusal = _only_a_part(photo, own, cells, aids)
    if refusal is not None:
        # Who says what stands on a cell has seen the board.
        board_found = bool(aids.given) or (refusal.board_found and _are_clues(photo, placement, blank, observed))
        refusal = replace(refusal, board_found=board_found)
        return _named(refusal, blank, beliefs) if board_found and not aids.named else refusal
    unproved = _by_chance(board, observed, blank, beliefs)
    if unproved is not None and sum(not belief.certain for belief in beliefs) > MANY_UNREAD * len(beliefs):
        return unproved  # what had to be corrected proves nothing

    def closer(beliefs: Sequence[Belief]) -> list[Belief]:
        faint = [belief for belief in on_bare_cells(photo, placement, observed, aids) if belief.cell in on_board]
        return [*reread(observed, beliefs), *(belief for belief in faint if belief.cell not in aids.given)]

    settled = settle(blank, beliefs, aids.budget, closer)
    settled = unlike_placed(settled, patches, beliefs, sides)
    settled = with_doubtful_shapes(settled, observed, aids.given, photographed=is_photo(photo))
    settled = either_way_up(settled, aids.given) if is_photo(photo) else settled
    overlooked: tuple[Doubt, ...] = ()
    if not outline.inside.all():
        overlooked = overlooked_clues(odds, outline.inside, evidence)
    doubts = settled.doubts + _open_places(outline, settled) + overlooked
    settled = replace(settled, doubts=tuple(dict.fromkeys(doubts)))
    aids.trace.note(f"stitch: {len(settled.repairs)} repairs, {len(settled.doubts)} doubts")
    if proved(settled, sides, patches):
        unproved = None
    if patches:
        settled = _with_patch_clues(settled, read)
    return settled, unproved


def _open_places(outline: Outline, settled: Settled) -> tuple[Doubt, ...]:
    """What stays open of the outline: where the clues had to tell it, they cannot have been corrected as well, and
    where they do not fit it, it may be the outline that is wrong.
    """
    corrected = settled.repairs if outline.changed else ()
    why = "the clues tell which places are cells only if this one was read rightly"
    doubts = outline.doubts + tuple(Doubt(repair.cell, repair.used, 0.5, why) for repair in corrected)
    misfit = settled.doubts or (settled.repairs and not outline.inside.all())
    return doubts + (outline.unsure if misfit else ())


def _with_patch_clues(settled: Settled, read: Sequence[Belief]) -> Settled:
    """The same with the clues that only their placed patches told among the repairs."""
    known = {repair.cell for repair in settled.repairs}
    repairs = tuple(
        repair
        for repair in repairs_in(read, settled.puzzle)
        if repair.cell not in known and (settled.puzzle.clue(repair.cell) or NO_CLUE) > NO_CLUE
    )
    return replace(settled, repairs=settled.repairs + repairs)


def _by_chance(board: Board, observed: Observation, blank: Stitch, beliefs: Sequence[Belief]) -> NotFound | None:
    """Why the grid and its numbers prove nothing unless the answer is drawn there."""
    irregular = len(blank.cells) < blank.rows * blank.cols
    faint = board.placement.score <= PROMISING or (irregular and not board.is_decided)
    unnumbered = sum(belief.value == UNKNOWN and belief.certain for belief in beliefs)
    if faint and len(clear_numbers(observed)) + unnumbered < FEW_CLUES:
        return NotFound("so few numbers on so faint a grid could fit by chance")
    return None


def _refusal(observed: Observation, blank: Stitch, beliefs: Sequence[Belief]) -> NotFound | None:
    """Why what was seen is no Stitch board."""
    unnumbered = [belief for belief in beliefs if belief.value == UNKNOWN and belief.certain]
    if not clear_numbers(observed) or len(clear_numbers(observed)) + len(unnumbered) < LEAST_CLUES:
        return NotFound(HARDLY_NUMBERED)
    if _far_off(blank, beliefs) and _far_off(blank, reread(observed, beliefs)):
        return _named(NotFound("its numbers do not add up to anything like its number of cells"), blank, beliefs)
    return None


def _only_a_part(photo: Photo, placement: Placement, cells: Bools, aids: Aids) -> NotFound | None:
    """Why the board in the box of its ``cells`` may be a part of one, unless the user said what is the whole."""
    if aids.corners_px is not None or not isinstance(placement, FlatPlacement | BentPlacement):
        return None
    if aids.size:
        whole = photo.derive_at(board_at, placement)
        sides = () if whole is None else _sides_beyond(placement, whole.placement)
        why = "the board goes on beyond what was found of it ({sides})"
        return NotFound(Message(why, sides=joined(sides)), board_found=True) if sides else None
    side = cut_off_at(photo, placement, cells) or runs_out_at(photo, placement, cells)
    if side is not None:
        size = f"{len(cells)}x{len(cells[0])}"
        why = (
            "the picture ends with the {side} of the board, where a part may be missing (--size {size} if it is whole)"
        )
        return NotFound(Message(why, side=side, size=size), True)
    return None


def _sides_beyond(placement: FlatPlacement | BentPlacement, whole: FlatPlacement | BentPlacement) -> list[str]:
    """The sides at which a board reaches further than ``placement``, by half a cell at least."""
    corners = placement.to_board(box_corners(whole))
    low, high = corners.min(axis=0), corners.max(axis=0) - placement.size
    beyond = {"top": -low[1], "right": high[0], "bottom": high[1], "left": -low[0]}
    return [side for side, cells in beyond.items() if cells > 0.5]


def _are_clues(photo: Photo, placement: Placement, board: Stitch, observed: Observation) -> bool:
    """Whether most of what stands on the cells is more likely clues than anything else."""
    on_board = [cell for cell in observed.cells if board.clue(cell) is not None]
    return bool(on_board) and bool(clue_chances(photo, placement, on_board).mean() > EVEN)


def _cells(board: Stitch) -> Bools:
    """Which places of its box are cells, ``bool (rows, cols)``."""
    return np.array([[clue is not None for clue in row] for row in board.clues])


def _given(beliefs: list[Belief], given: Mapping[Cell, str]) -> list[Belief]:
    """The beliefs with what the user says in place of what was seen."""
    said = [Belief(cell, ((_value(text), 1.0),)) for cell, text in given.items()]
    return [belief for belief in beliefs if belief.cell not in given] + said


def _value(text: str) -> int:
    """What a user's word for a clue means: a number, ``?`` for a clue without number, anything empty for no clue."""
    word = text.strip().rstrip("stwa")
    if word == "?":
        return UNKNOWN
    return int(word) if word.isdigit() else NO_CLUE


def _far_off(blank: Stitch, beliefs: Sequence[Belief]) -> bool:
    """Whether the numbers add up to something that no misreading explains."""
    if any(belief.value == UNKNOWN for belief in beliefs):
        return False
    read = [belief.value for belief in beliefs if belief.value > NO_CLUE]
    # What could not be read may be as much as the others.
    unread = sum(belief.value == NO_CLUE and not belief.certain and belief.unread > 0 for belief in beliefs)
    total = sum(read) + unread * sum(read) / max(1, len(read))
    size = clue_sum(blank)[2]
    sure = sum(belief.value for belief in beliefs if belief.sure >= 0.9)
    return total < FAR_OFF * size or sure > size / FAR_OFF


def _reading(photo: Photo, settled: Settled, placement: Placement, observed: Observation) -> Reading[Stitch]:
    inks = {}
    for cell, crop, found in zip(observed.cells, observed.crops, observed.badges, strict=True):
        if settled.puzzle.clue(cell):
            blue, green, red = found.fill_bgr if found is not None else (0, 0, 0)
            inks[cell] = (red, green, blue) if found is not None else ink_colour(crop)
    return Reading(
        settled.puzzle,
        placement,
        settled.confidence,
        settled.doubts,
        settled.repairs,
        inks,
        placed=segmented(photo, placement, settled.puzzle),
    )
