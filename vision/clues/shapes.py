"""The shape of a Stitch board, and what the shapes of badges say about it, where they say anything.

In LinkedIn's Patches a badge asks for a square, a tall or a wide patch. In other apps all clues stand on badges of one
shape, of which some look like another one in a photo; and shapes that no patch of the number on them has say nothing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from solvers.blocks import has_block
from solvers.board import Cell
from solvers.stitch import UNKNOWN, Stitch
from vision.clues.badges import PLAIN_SHAPE
from vision.clues.beliefs import CERTAIN, NO_CLUE, Belief, told
from vision.clues.ink import Bools
from vision.clues.repair import Settled
from vision.clues.seen import Seen
from vision.reading import Doubt

CLEAR_SHAPE = 0.1
"""How clearly the shape of a badge is seen at least: of a few dozen in photos only a wrong one was less clear."""

ODD_SHAPES = 0.1
"""Part of the badges that may have another shape than the others by mistake."""


def blank_board(on_board: Bools, seen: Seen, beliefs: Sequence[Belief]) -> Stitch:
    """The board without its clues, with its holes and the shapes of its badges.

    Badges tell shapes when they plainly differ, or when some carry no number, and their numbers have blocks of these
    shapes; else they are this app's way of drawing a clue.
    """
    shapes = {cell: str(b.shape) for cell, b in zip(seen.cells, seen.badges, strict=True) if b is not None}
    speaking = _speak(seen, unnumbered=any(belief.value == UNKNOWN for belief in beliefs))
    clues = tuple(tuple(0 if cell else None for cell in row) for row in on_board)
    return Stitch(clues, shapes if beliefs and speaking else {})


def _speak(seen: Seen, *, unnumbered: bool) -> bool:
    """Whether badges plainly have several shapes, and not just one of many that was misjudged, or some are unnumbered;
    and whether the numbers have blocks of these shapes: what seems to have none may be spoilt.
    """
    found = zip(seen.badges, seen.guesses, strict=True)
    plain = [(b.shape, guess) for b, guess in found if b is not None and b.clear >= PLAIN_SHAPE]
    usual = max(Counter(shape for shape, _ in plain).values(), default=0)
    contrary = sum(guess.confidence >= CERTAIN and not has_block(int(guess.text), shape) for shape, guess in plain)
    return (unnumbered or len(plain) - usual > ODD_SHAPES * len(plain)) and contrary <= ODD_SHAPES * len(plain)


def with_doubtful_shapes(settled: Settled, seen: Seen, given: Mapping[Cell, str], *, photographed: bool) -> Settled:
    """Where shapes mean something, badges whose shape was hardly told from another one are doubts.

    On a screen, a number may have lost its badge when its patch was placed; in a photo the badge may be dim. Where no
    number stands, a badge is all that says that there is a clue.
    """
    shapes = settled.puzzle.shapes
    lost = tuple(
        Doubt(cell, told(settled.puzzle.clue(cell) or NO_CLUE), 0.5, "its badge was not made out")
        for cell in settled.puzzle.clue_cells
        if shapes
        and cell not in shapes
        and cell not in given
        and (photographed or settled.puzzle.clue(cell) == UNKNOWN)
    )
    why = "its badge may have another shape"
    doubts = lost + tuple(
        Doubt(cell, told(settled.puzzle.clue(cell) or NO_CLUE) + found.shape[0], found.clear, why)
        for cell, found in zip(seen.cells, seen.badges, strict=True)
        if found is not None and cell in settled.puzzle.shapes and cell not in given and found.clear < CLEAR_SHAPE
    )
    return replace(settled, doubts=settled.doubts + doubts)
