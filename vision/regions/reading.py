"""Reads boards of coloured regions: their regions and the queens that stand there.

1. :mod:`vision.pictures.flatten` lays the board flat, :mod:`vision.regions.appearance` evens out the light on it and
   measures each cell's colour and the line between each two neighbours, :mod:`vision.regions.affinities` says how much
   each two look like one region, and :mod:`vision.regions.partition` cuts the board.
2. There must be n regions. Where there are more, pieces of equal colour that do not touch are one region (some
   community levels have such). Where it still does not come out even, other hypotheses are tried
   (:mod:`vision.regions.cut`).
3. :mod:`vision.regions.queens` tells queens from crosses.
4. What hangs by a thread is named as a doubt. The rules are a check: a level has a solution, nearly always only one.
"""

from dataclasses import replace

import numpy as np

from solvers.board import Cell
from solvers.message import Message, joined, square
from solvers.queens import Puzzle
from solvers.verdict import Verdict
from vision.cells import reader
from vision.kind import Aids
from vision.pictures.flatten import flatten
from vision.pictures.photo import Photo
from vision.pictures.placement import Placement
from vision.reading import Doubt, NotFound, Reading
from vision.regions.cut import WELL_HELD, Cut, another_game, draw, shade_homes
from vision.regions.ends import Ends, ends
from vision.regions.levels import FEW, PROVING, SIDE_PX, cut_at, level_of, only_answer, unique_with, verdict_of
from vision.regions.partition import attraction, partition
from vision.regions.queens import Placed, placed

FOREIGN_ROW, FOREIGN_ONES = 0.75, 1
"""So many marks that the game does not have make another game of a level, for each row, and of a board that has not
just one answer, in all: a jigsaw sudoku has 1.4 a row, the stripes of a hint leave a few on the whole board."""

ALIKE = 3
"""From so many queens on they tell who put them there."""

UNPROVEN = 0.5
"""Confidence of regions that were put together to come out even, but are no level with exactly one answer."""

MOST_MOVES = 8
"""Weakly held cells that reasoning may settle; more of them make a bad picture."""

HELD = 0.3
"""Evidence that holds a cell in its region below which it is named as a doubt; 1 is what one clear line or colour says
of one neighbour."""


def read(photo: Photo, placement: Placement, aids: Aids) -> Reading[Puzzle] | NotFound:
    """The regions and queens of the board at ``placement``."""
    cols, rows = (round(length) for length in placement.size)
    aids.trace.picture("board", lambda: flatten(photo, placement, SIDE_PX))
    cut = cut_at(photo, placement)
    aids.trace.picture("regions", lambda: draw(cut))
    trusted = cut.affinities
    aids.trace.note(
        f"{cut.count} regions; colours trusted {trusted.colour_trust:.2f} (cut at {trusted.colour.at:.1f}), "
        f"lines trusted {trusted.line_trust:.2f}; a cell is held by {cut.held.min():.2f} at least"
    )
    another = another_game(cut)
    if another:
        return NotFound(another)
    if rows != cols:
        why = "{rows} rows but {cols} columns of coloured regions were seen: a part is missing"
        return NotFound(Message(why, rows=rows, cols=cols), True)
    where = ends(photo, placement)
    if where.goes_on:
        why = "the board goes on beyond what was found of it ({sides})"
        return NotFound(Message(why, sides=joined(where.goes_on)), True)
    if cut.count < rows:
        # One border that was not seen makes one region of two; where more are lacking this is hardly a level.
        almost = cut.count == rows - 1
        why = "only {count} coloured regions could be told apart on {rows} rows"
        return NotFound(Message(why, count=cut.count, rows=rows), board_found=almost)
    answer = only_answer(cut)
    found = placed(reader.read_turned(photo, placement), answer, aids.given)
    aids.trace.note(f"{len(found.queens)} queens, {len(found.others)} marks that the game does not have")
    # Where queens stand where the only answer has some the other marks are a player's, however odd.
    a_players = found.queens <= answer and len(found.queens) >= ALIKE
    # A grid that has not just one answer is hardly a level: what stands on it tells the game.
    odd = len(found.others) > (FOREIGN_ROW * rows if answer else FOREIGN_ONES)
    if (odd or len(found.queens) > rows) and not a_players:
        return NotFound("figures or other pieces stand on the rows of coloured regions: this is another game")
    return _reading(placement, cut, found, where, aids)


def _reading(placement: Placement, cut: Cut, found: Placed, where: Ends, aids: Aids) -> Reading[Puzzle]:
    """The reading, with what is doubtful about it."""
    level = level_of(cut.labels)
    verdict = verdict_of(cut) if cut.even else Verdict.NONE
    unique, answer, standing = verdict is Verdict.UNIQUE, only_answer(cut), found.queens
    proven = unique and len(cut.labels) >= (FEW if standing == answer else PROVING)
    doubts = [*found.doubts, *_weak_cells(cut, verdict)]
    # A level has one answer: a few rows with several are a part of one where nothing says that they end.
    several = verdict is Verdict.SEVERAL and len(cut.labels) < PROVING
    open_sides = where.unseen if several else where.lopsided
    # A square that was cut off twice, at a side and at one beside it, is a square again and may well be a level.
    said_whole = aids.size is not None or aids.corners_px is not None
    # But of one that is larger not all the queens that are left would be the answer of the square.
    if open_sides and not said_whole and (not proven or (len(where.lopsided) > 1 and standing != answer)):
        why = Message("the board may go on beyond the edge of the picture ({sides})", sides=joined(open_sides))
        doubts.append(Doubt((0, 0), "", UNPROVEN, why, f"--size {level.n}x{level.n}"))
    settled = proven or (unique and cut.agreeing > 0)
    if (cut.joined or not cut.first) and (not settled or _may_be_shades(cut)):
        # The number of regions was made right; without exactly one answer nothing says that it was done rightly.
        doubts += [
            Doubt(cell, "region", UNPROVEN, "which pieces are one region is not certain") for cell in _pieces(cut)
        ]
    alike = "{one} and {other} are taken for one region: their colour is the same"
    notes = [Message(alike, one=square(one), other=square(other)) for one, other in cut.joined]
    return Reading(
        replace(level, queens=tuple(sorted(standing))),
        placement,
        confidence=_confidence(cut),
        doubts=doubts,
        notes=notes,
    )


def _may_be_shades(cut: Cut) -> bool:
    """Whether one of two pieces that were taken for one region is a single cell that may as well be a shade of a region
    beside it: where the board has exactly one answer then, too.
    """
    if not cut.joined:
        return False
    pieces = partition(cut.affinities.bonds)
    homes = shade_homes(pieces, cut.cells)
    shades = {cell for pair in cut.joined for cell in pair} & homes.keys()
    tried = {(cell, int(cut.labels[pieces == k][0])) for cell in shades for group in homes[cell] for k in group}
    return any(cut.labels[cell] != region and unique_with(cut, cell, region) for cell, region in tried)


def _pieces(cut: Cut) -> list[Cell]:
    """A cell of each piece that was joined with another; where none was, the first cell of the board stands for all."""
    return [cell for pair in cut.joined for cell in pair] or [(0, 0)]


def _weak_cells(cut: Cut, verdict: Verdict) -> list[Doubt]:
    """The cells that may belong to another region.

    Levels have exactly one answer. Where this reading has and no other home of a weakly held cell
    gives one, the cell is where it belongs; a board without any answer has most likely been misread somewhere, so more
    must hold a cell.
    """
    needed = HELD if verdict in (Verdict.UNIQUE, Verdict.SEVERAL) else 2 * HELD
    weak = [(int(r), int(c)) for r, c in np.argwhere(cut.held < needed)]
    settled = verdict is Verdict.UNIQUE and len(weak) <= MOST_MOVES
    doubts = []
    for r, c in weak:
        pulls = attraction(cut.affinities.bonds, cut.labels, (r, c))
        own = pulls.pop(int(cut.labels[r, c]))
        others = [region for region, pull in pulls.items() if own - pull < WELL_HELD]
        # A cell that only a region of its own would suit better makes one more than there are.
        if cut.even and not (others if not settled else any(unique_with(cut, (r, c), region) for region in others)):
            continue
        sureness = _sureness(float(cut.held[r, c]))
        name = Message("region {name}", name=int(cut.labels[r, c]))
        doubts.append(Doubt((r, c), name, sureness, "it may belong to another region"))
    return doubts


def _sureness(held: float) -> float:
    """Evidence as a confidence: 0.5 for none, 1 for what one clear line or colour says of one neighbour."""
    return float(np.clip(0.5 + held / 2, 0, 1))


def _confidence(cut: Cut) -> float:
    return _sureness(float(cut.held.min())) * (1.0 if cut.even and cut.first else 0.9)
