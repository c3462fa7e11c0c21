"""What was seen on the cells of a flat board that carry something, and what each of them may mean.

The network of all kinds says which cells carry something (:mod:`vision.cells.reader`). Cells with a badge are read
within it, the others as they are. Where the numbers read badly, a few of them are tried the other ways up. What is seen
of a cell then becomes a belief: numbers with probabilities, "no clue here" among them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from solvers.blocks import has_block
from solvers.board import Cell
from solvers.stitch import UNKNOWN, Stitch
from vision.cells import reader
from vision.cells.reader import MARKS, Floats
from vision.clues.badges import BADGES, SHAPES, Badge, badges_on, number_on
from vision.clues.beliefs import CERTAIN, NO_CLUE, Belief, as_text, number_options, upside_down
from vision.clues.ink import crops
from vision.clues.repair import Settled
from vision.kind import Aids
from vision.numbers.digits import DigitGuess, alike_when_turned, isolated, numbers_among, quick_turns
from vision.pictures.flatten import quarter_turned
from vision.pictures.medians import median
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import Placement
from vision.reading import Doubt

CLUES: tuple[reader.Mark, ...] = ("number", *BADGES)

EVEN = 0.5
"""Probability from which on something is likelier than not."""

LEAST_CLUES = 2
"""Clues that a board has at least; one of them at least is a number."""

BADGED = 0.75
"""Part of the numbers that stand on badges where badges mean something."""

MOSTLY_BADGES = 0.4
"""Part of the cells that carry something which have a badge, on boards with badges: on boards full of placed patches
each patch adds a counter or a line."""

LEGIBLE = 0.5
"""Confidence from which on a number was read."""

UPRIGHT = 0.75
"""Mean confidence of the clearest numbers from which on nobody asks whether the board is upside down: 1, 6, 8 and 9
read well that way up too, and reach 0.6 on a common board."""

TURNED_SAMPLE = 10
"""Cells that are tried the other ways up."""

TURNED_SHARE = 0.25
"""Part of them that must look like numbers another way up before they are read that way: crowns and crosses do not."""

HALF_A_TURN = 2
"""Quarters of a turn that stand a board on its head."""

CLEARLY, CLEARLY_AT_LEAST = 1.3, 0.5
"""How much better numbers must read another way up: so many times, and by so much confidence more, all in all."""

SAMPLE = 4
"""Numbers of which is known how high others are, at least."""

ONE_HEIGHT = (0.8, 1.25)
"""Numbers of one board have the same height, give or take these ratios."""

ONE_PLACE = 0.07
"""How far from the place where the others stand, to the left or right, of a cell's side, a number does at most: what is
left of a 12 without a digit is further off."""

ODD = 0.5
"""What is left of the confidence of others: strokes over a number, a part of it, or a shadow, may look like a digit."""

PLAIN = 0.5
"""Probability that a plain number is a clue where clues stand on badges: it may have lost its badge when its patch was
placed, or be the area that an app writes on a patch."""

MISREAD = 0.05
"""Probability that what is no number is read as one for certain."""

CLEAR_SHAPE = 0.6
"""Probability of the shape of a badge below which it may be another one."""

ODD_SHAPES = 0.1
"""Part of the badges that may have another shape than the others by mistake."""

LEAST_LIKELY, MOST_LIKELY = 0.005, 0.99
"""Where clues stand on badges, what the network finds less likely is not thought of; and nothing is surer."""


@dataclass(frozen=True)
class Observation:
    """What was seen on the cells that carry something, before it is weighed.

    Attributes:
        cells: which cells.
        crops: their pictures.
        guesses: the numbers read on them.
        badges: the badges behind them.
        likely: what the network says of each, ``float32 (len(MARKS),)``.
    """

    cells: Sequence[Cell]
    crops: Sequence[Picture]
    guesses: Sequence[DigitGuess]
    badges: Sequence[Badge | None]
    likely: Sequence[Floats]

    @property
    def made_out(self) -> list[Badge]:
        """The badges alone."""
        return [found for found in self.badges if found is not None]


def carrying(photo: Photo, placement: Placement) -> npt.NDArray[np.bool_]:
    """``bool (rows, cols)``: the cells that carry something."""
    return np.asarray(reader.read(photo, placement).chance(*reader.NOTHING) < EVEN)


def observe(photo: Photo, placement: Placement, cells: Sequence[Cell], aids: Aids) -> Observation:
    """What is seen on these cells: badges, and the numbers on them or on the plain cells."""
    cut, likely = crops(photo, placement, cells), [reader.read(photo, placement).likely[cell] for cell in cells]
    badges = badges_on(cut, likely)
    if sum(found is not None for found in badges) < MOSTLY_BADGES * len(cells):
        badges = [None for _ in cells]  # a few bold digits, or discs
    shown = [shown_on(crop, found) for crop, found in zip(cut, badges, strict=True)]
    return Observation(cells, cut, _of_one_kind(shown, aids.digits(shown)), badges, likely)


def may_be_clues(photo: Photo, placement: Placement, cells: Sequence[Cell], share: float = TURNED_SHARE) -> bool:
    """Whether of some cells this share seems to carry clues, any way up.

    The network looks at them for a hundredth of what it takes to read what are no numbers.
    """
    return any(clue_chances(photo, placement, cells, turn).mean() >= share for turn in range(4)) if cells else False


def clue_chances(photo: Photo, placement: Placement, cells: Sequence[Cell], turn: int = 0) -> Floats:
    """The probability that a clue stands on each of some cells, ``float32 (N,)``, after so many quarter turns."""
    return reader.chance_on(photo, placement, cells, CLUES, turn)


def plainest(photo: Photo, placement: Placement, cells: Sequence[Cell], count: int = TURNED_SAMPLE) -> list[Cell]:
    """So many of some cells that most surely carry something, and no badge without a number."""
    bare = reader.read(photo, placement).chance(*reader.NOTHING, "blank")
    return sorted(cells, key=lambda cell: float(bare[cell]))[:count]


def likely_turns(photo: Photo, placement: Placement, cells: Sequence[Cell]) -> int:
    """What :func:`turns` will most likely find, from a few cells that stand out most; 0 where these differ.

    What lies on its side is no number, and to find that out of all cells costs several times as much as to read them.
    """
    first = plainest(photo, placement, cells, len(cells))
    return quick_turns(crops(photo, placement, [cell])[0] for cell in first)


def turns(observed: Observation, aids: Aids) -> int:
    """By how many quarters clockwise the board must be turned for its numbers to stand upright; 0 for as it is.

    Only when the numbers read badly are a few of them tried the other ways up, the one first in which what was cut free
    looks most like digits, until one way reads clearly better than those that are left promise.
    """
    bare = [_chance(observed, i, *reader.NOTHING, "blank") for i in range(len(observed.crops))]
    few = sorted(range(len(bare)), key=bare.__getitem__)[:TURNED_SAMPLE]
    guesses: dict[int, Sequence[DigitGuess]] = {0: [observed.guesses[i] for i in few]}
    sums = {0: _readable(guesses[0])}
    if sums[0] >= UPRIGHT * len(few):
        return 0
    # On badges there are numbers for certain, and what lies on its side there is hardly cut free as it stands.
    on_badges = sum(observed.badges[i] is not None for i in few) >= MOSTLY_BADGES * len(few)
    cut = [shown_on(observed.crops[i], observed.badges[i]) for i in few]
    promise = {quarter: alike_when_turned(cut, quarter) for quarter in (1, 2, 3)}
    for quarter in sorted(promise, key=lambda quarter: -promise[quarter]):
        read = max(sums.values())
        legible = read >= LEGIBLE * len(few) and read > CLEARLY * promise[quarter] + CLEARLY_AT_LEAST
        if legible or read >= UPRIGHT * len(few):
            break
        if on_badges or numbers_among(cut, quarter) >= TURNED_SHARE * len(few):
            guesses[quarter] = aids.digits([quarter_turned(crop, quarter) for crop in cut])
            sums[quarter] = _readable(guesses[quarter])
    best = max(sums, key=lambda quarter: (sums[quarter], -quarter))
    ambiguous = _readable_both_ways(guesses[0], guesses[best]) if best == HALF_A_TURN else 0.0
    clearly = CLEARLY * (sums[0] - ambiguous) + ambiguous + CLEARLY_AT_LEAST
    return best if sums[best] > clearly else 0


def shown_on(crop: Picture, found: Badge | None) -> Picture:
    """What is read of a cell: what stands on its badge, where it has one."""
    return crop if found is None else number_on(crop, found)


def _readable(guesses: Sequence[DigitGuess]) -> float:
    return sum(guess.confidence for guess in guesses)


def _readable_both_ways(upright: Sequence[DigitGuess], turned: Sequence[DigitGuess]) -> float:
    """The confidence of those that are numbers upside down as well and were read so: they do not tell what is up."""
    pairs = zip(upright, turned, strict=True)
    return sum(one.confidence for one, other in pairs if one.text and upside_down(one.text) == other.text)


def _of_one_kind(shown: Sequence[Picture], guesses: Sequence[DigitGuess]) -> list[DigitGuess]:
    """The numbers, less sure where they are much lower or higher than the others, or stand elsewhere in their cells; a
    few say nothing of others.
    """
    boxes = [_number_box(crop) if guess.text else None for crop, guess in zip(shown, guesses, strict=True)]
    read = [box for box, guess in zip(boxes, guesses, strict=True) if box is not None and guess.confidence >= LEGIBLE]
    if len(read) < SAMPLE:
        return list(guesses)
    height, place = (median(values) for values in zip(*read, strict=True))
    least, most = (ratio * height for ratio in ONE_HEIGHT)
    return [
        guess
        if not guess.text or (box is not None and least <= box[0] <= most and abs(box[1] - place) <= ONE_PLACE)
        else _less_sure(guess)
        for guess, box in zip(guesses, boxes, strict=True)
    ]


def _less_sure(guess: DigitGuess) -> DigitGuess:
    rest = tuple((text, ODD * p) for text, p in guess.alternatives)
    return replace(guess, confidence=ODD * guess.confidence, alternatives=rest)


def _number_box(crop: Picture) -> tuple[float, float] | None:
    """How high the number in a cell is, and how far from the left its middle, in cells; None where there is none."""
    found = isolated(crop)
    if found is None:
        return None
    (height, width), (left, top, right, bottom) = crop.shape[:2], found.box
    return (bottom - top) / height, (left + right) / 2 / width


def badged(observed: Observation) -> bool:
    """Whether clues stand on badges on this board: then nothing else is a clue."""
    found = observed.made_out
    numbered = [b for b, guess in zip(observed.badges, observed.guesses, strict=True) if guess.confidence >= LEGIBLE]
    return len(found) >= LEAST_CLUES and sum(b is not None for b in numbered) >= BADGED * len(numbered)


def beliefs_of(observed: Observation, badged: bool) -> list[Belief]:
    """What each cell seems to carry."""
    beliefs = []
    for i, cell in enumerate(observed.cells):
        options, unread = _with_badges(observed, i) if badged else _plain(observed, i)
        beliefs.append(Belief(cell, tuple(sorted(options.items(), key=lambda option: -option[1])), unread))
    return beliefs


def _plain(observed: Observation, i: int) -> tuple[dict[int, float], float]:
    """What a cell may carry where clues stand on no badges, and the probability that it is a number that was not read:
    what can hardly be read is one or none, as it looks.
    """
    options = number_options(observed.guesses[i])
    left = 1 - sum(options.values())
    if left <= EVEN:
        return options, 0.0
    unread = left * max(LEAST_LIKELY, EVEN * (1 - _chance(observed, i, *reader.NOTHING, "something else")))
    return options | {NO_CLUE: left - unread}, unread


def on_bare_cells(photo: Photo, placement: Placement, observed: Observation, aids: Aids) -> list[Belief]:
    """What the cells carry that seem to be bare, where a number is read on one all the same; clues on no badges alone.

    The network and the reader of digits err independently of each other: by Bayes' rule the network's probability of a
    clue is the prior of what is read.
    """
    if badged(observed):
        return []
    cols, rows = (round(length) for length in placement.size)
    others = sorted({(r, c) for r in range(rows) for c in range(cols)}.difference(observed.cells))
    chances = clue_chances(photo, placement, others) if others else ()
    prior = {cell: float(p) for cell, p in zip(others, chances, strict=True) if p >= LEAST_LIKELY}
    beliefs = []
    for (cell, p), guess in zip(prior.items(), aids.digits(crops(photo, placement, list(prior))), strict=True):
        read = {value: p * likely for value, likely in number_options(guess).items()}
        total = p + (1 - p) * MISREAD
        options = {NO_CLUE: (1 - p) * MISREAD / total} | {value: likely / total for value, likely in read.items()}
        if read:
            beliefs.append(Belief(cell, tuple(sorted(options.items(), key=lambda option: -option[1]))))
    return beliefs


def _with_badges(observed: Observation, i: int) -> tuple[dict[int, float], float]:
    """The same where clues stand on badges."""
    read = number_options(observed.guesses[i])
    shaped, plain, blank = (_chance(observed, i, *marks) for marks in (SHAPES, ("number",), ("blank",)))
    # What is none is hardly read as a number.
    misread = max(1 - sum(read.values()), MISREAD)
    number = shaped + PLAIN * plain
    blank, none = misread * blank, (1 - PLAIN) * plain + misread * max(0.0, 1 - shaped - plain - blank)
    total = number + blank + none
    options = {value: number / total * p for value, p in read.items()}
    others = {UNKNOWN: blank / total, NO_CLUE: none / total}
    options |= {value: min(p, MOST_LIKELY) for value, p in others.items() if p >= LEAST_LIKELY}
    return options or {UNKNOWN: LEAST_LIKELY}, 0.0 if read else number / total


def _chance(observed: Observation, i: int, *marks: reader.Mark) -> float:
    """The probability of any of some marks on a cell."""
    return float(sum(observed.likely[i][MARKS.index(mark)] for mark in marks))


def clear_numbers(observed: Observation) -> list[DigitGuess]:
    """The numbers that were read."""
    return [guess for guess in observed.guesses if guess.text and guess.confidence >= LEGIBLE]


# --- what the shapes of badges say ------------------------------------------------------------------------------------


def blank_board(on_board: npt.NDArray[np.bool_], observed: Observation, beliefs: Sequence[Belief]) -> Stitch:
    """The board without its clues, with its holes and the shapes of its badges.

    Badges tell shapes when they plainly differ, or when some carry no number, and their numbers have blocks of these
    shapes; else they are this app's way of drawing a clue.
    """
    shapes = {cell: str(b.shape) for cell, b in zip(observed.cells, observed.badges, strict=True) if b is not None}
    speaking = _speak(observed, unnumbered=any(belief.value == UNKNOWN for belief in beliefs))
    clues = tuple(tuple(0 if cell else None for cell in row) for row in on_board)
    return Stitch(clues, shapes if beliefs and speaking else {})


def _speak(observed: Observation, *, unnumbered: bool) -> bool:
    """Whether badges plainly have several shapes, and not just one of many that was misjudged, or some are unnumbered;
    and whether the numbers have blocks of these shapes: what seems to have none may be spoilt.
    """
    found = zip(observed.badges, observed.guesses, strict=True)
    plain = [(b.shape, guess) for b, guess in found if b is not None and b.clear >= CERTAIN]
    usual = max(Counter(shape for shape, _ in plain).values(), default=0)
    contrary = sum(guess.confidence >= CERTAIN and not has_block(int(guess.text), shape) for shape, guess in plain)
    return (unnumbered or len(plain) - usual > ODD_SHAPES * len(plain)) and contrary <= ODD_SHAPES * len(plain)


def with_doubtful_shapes(
    settled: Settled, observed: Observation, given: Mapping[Cell, str], *, photographed: bool
) -> Settled:
    """Where shapes mean something, badges whose shape was hardly told from another one are doubts.

    On a screen, a number may have lost its badge when its patch was placed; in a photo the badge may be dim. Where no
    number stands, a badge is all that says that there is a clue.
    """
    shapes = settled.puzzle.shapes
    lost = tuple(
        Doubt(cell, as_text(settled.puzzle.clue(cell) or NO_CLUE), 0.5, "its badge was not made out")
        for cell in settled.puzzle.clue_cells
        if shapes
        and cell not in shapes
        and cell not in given
        and (photographed or settled.puzzle.clue(cell) == UNKNOWN)
    )
    why = "its badge may have another shape"
    doubts = lost + tuple(
        Doubt(cell, as_text(settled.puzzle.clue(cell) or NO_CLUE) + found.shape[0], found.clear, why)
        for cell, found in zip(observed.cells, observed.badges, strict=True)
        if found is not None and cell in settled.puzzle.shapes and cell not in given and found.clear < CLEAR_SHAPE
    )
    return replace(settled, doubts=settled.doubts + doubts)
