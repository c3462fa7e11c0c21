"""What was seen on the cells of a flat board that carry something, and what each of them may mean.

Cells with a badge are read within it, the others as they are. Where the numbers read badly, a few of them are tried the
other ways up. What is seen of a cell then becomes a belief: numbers with probabilities, "no clue here" among them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from solvers.board import Cell
from solvers.stitch import UNKNOWN
from vision.boards.quads import is_photo
from vision.cells import reader
from vision.cells.reader import Floats
from vision.clues.badge_looks import bareness, looked_again
from vision.clues.badges import SAME_COLOUR, Badge, badge, centred, ground_colour, number_on
from vision.clues.badges_beyond import is_cut
from vision.clues.beliefs import CERTAIN, NO_CLUE, Belief, number_options, upside_down
from vision.clues.blank_badges import blank_badges, restless
from vision.clues.ink import OVER_UNREST, CellInk, crops
from vision.kind import Aids
from vision.numbers.digits import DigitGuess, alike_when_turned, isolated, numbers_among, turns_at_a_glance
from vision.pictures.medians import median
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import Placement

CLUES: tuple[reader.Mark, ...] = ("number", "square", "tall", "wide", "any", "blank")

LEAST_CLUES = 2
"""Clues that a board has at least; one of them at least is a number."""

BADGED = 0.75
"""Part of the numbers that stand on badges where badges mean something."""

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

FAINT_BADGE = 0.25
"""A badge's least contrast with its ground, of the usual badge's: on patches of their own tint they have half, and
dark brown ones on a dark page a little more than this."""

SPECK = 0.06
"""Size of the box, of a cell's side, whose median takes the noise of a photo from badges; numbers on them may go."""

MOSTLY_BADGES = 0.4
"""Part of the cells that carry something which have a badge, on boards with badges: on boards full of placed patches
each patch adds a counter or a line."""

MOSTLY_BARE = 0.5
"""So sure that it sees none the network is on the middle one of a board's badges, at least, where there are none: it is
0.00 to 0.02 sure where there are, and was 0.88 sure on a board of rings."""

SMALL_PRINT = 0.6
"""Numbers lower than this part of the usual one are no clues."""

SAMPLE = 4
"""Numbers that are measured to know the usual height."""

ONE_HEIGHT = (0.8, 1.25)
"""Numbers of one board have the same height, give or take these ratios: of 526 in photos all but two had, and on the
labelled boards of others all but one."""

ONE_PLACE = 0.07
"""How far from the place where the others stand, to the left or right, of a cell's side, a number does at most: of 282
that were read right none was further off than 0.055, and what is left of a 12 without a digit 0.085 to 0.19."""

ODD = 0.5
"""What is left of the confidence of others: strokes over a number, a part of it, or a shadow, may look like a digit."""

NOISY = 6.0
"""Contrast of empty cells, in grey levels, from which on badges are looked at without noise as well."""

CUT = 0.3
"""That a cell carries nothing although its side cuts what looks like a badge."""

UNMADE_OUT = 0.005
"""Probability that what stands out like a clue where clues have badges is a badge without number that was not made
out."""

MADE_OUT = 0.2
"""How sure the network is that there is no badge, at most, where a number that was read stands on one whose outline was
not made out."""

UNLIKELY = 0.05
"""Probability that a plain number is no clue where a badge would not be seen."""

WEAK = 0.35
"""What has less than this part of the usual clue's contrast is no clue when no number was read there."""


@dataclass(frozen=True)
class Seen:
    """What was seen on the cells that carry something, before it is weighed.

    Attributes:
        cells: which cells.
        crops: their pictures.
        guesses: the numbers read on them.
        badges: the badges behind them.
        contrasts: how much each stands out, in grey levels.
    """

    cells: Sequence[Cell]
    crops: Sequence[Picture]
    guesses: Sequence[DigitGuess]
    badges: Sequence[Badge | None]
    contrasts: Sequence[float]

    @property
    def made_out(self) -> list[Badge]:
        """The badges alone."""
        return [found for found in self.badges if found is not None]

    def with_cell(self, cell: Cell, crop: Picture, guess: DigitGuess, *, faint: bool = False) -> "Seen":
        """The same with a number on one more cell, said to stand out as others do, or not at all."""
        others = [i for i, other in enumerate(self.cells) if other != cell]
        return Seen(
            [*(self.cells[i] for i in others), cell],
            [*(self.crops[i] for i in others), crop],
            [*(self.guesses[i] for i in others), guess],
            [*(self.badges[i] for i in others), None],
            [*(self.contrasts[i] for i in others), 0.0 if faint else median(self.contrasts)],
        )


def look(photo: Photo, placement: Placement, cells: Sequence[Cell], ink: CellInk, aids: Aids) -> Seen:
    """What is seen on these cells: badges, and the numbers on them or on the plain cells."""
    cut = crops(photo, placement, cells)
    contrasts = [float(ink.contrast[cell]) for cell in cells]
    badges = _unless_bare(cut, _alike([_badge(crop, ink) for crop in cut], ink.empty_contrast))
    if is_photo(photo) and any(badges):
        cut, badges = _centred(cut, badges, ink)
    shown = [shown_on(crop, b) for crop, b in zip(cut, badges, strict=True)]
    guesses = aids.digits(shown)
    if any(badges):
        numbered = [guess.confidence >= LEGIBLE for guess in guesses]
        badges = _alike(looked_again(cut, badges, numbered), ink.empty_contrast)
    if sum(b is not None for b in badges) >= LEAST_CLUES:
        guesses = _without_small_print(shown, guesses, badges)
    return Seen(cells, cut, _of_one_kind(shown, guesses), badges, contrasts)


def with_faint(seen: Seen, photo: Photo, placement: Placement, ink: CellInk, aids: Aids) -> Seen:
    """The same with the cells that may carry something although they hardly stand out; ``seen`` where there are none.

    Where clues stand on badges nothing else is a clue; these stand out, but hardly in a colour of which most cells have
    one.
    """
    cells: list[Cell] = [(int(r), int(c)) for r, c in zip(*np.nonzero(ink.faint), strict=True)]
    cut = crops(photo, placement, cells)
    badges: list[Badge | None] = [None for _ in cells]
    if badged(seen):
        least = FAINT_BADGE * median([found.contrast for found in seen.made_out])
        badges = [_made_out(crop, ink, least) for crop in cut]
        there = [i for i, found in enumerate(badges) if found is not None]
        cells, cut, badges = [cells[i] for i in there], [cut[i] for i in there], [badges[i] for i in there]
    if not cells:
        return seen
    shown = [shown_on(crop, found) for crop, found in zip([*seen.crops, *cut], [*seen.badges, *badges], strict=True)]
    guesses = _of_one_kind(shown, [*seen.guesses, *aids.digits(shown[len(seen.cells) :])])
    return Seen(
        [*seen.cells, *cells],
        [*seen.crops, *cut],
        [*seen.guesses, *guesses[len(seen.cells) :]],
        [*seen.badges, *badges],
        [*seen.contrasts, *(float(ink.contrast[cell]) for cell in cells)],
    )


def _made_out(crop: Picture, ink: CellInk, least: float) -> Badge | None:
    """The badge of which outline and network say that it stands on a cell, by so many grey levels; None otherwise."""
    found = _badge(crop, ink)
    return found if found is not None and found.contrast >= least and bareness(crop) < MADE_OUT else None


def may_be_clues(photo: Photo, placement: Placement, cells: Sequence[Cell], share: float = TURNED_SHARE) -> bool:
    """Whether of some cells this share seems to carry clues, any way up.

    The network looks at them for a hundredth of what it takes to read what are no numbers.
    """
    return any(clue_chances(photo, placement, cells, turn).mean() >= share for turn in range(4)) if cells else False


def clue_chances(photo: Photo, placement: Placement, cells: Sequence[Cell], turn: int = 0) -> Floats:
    """The probability that a clue stands on each of some cells, ``float32 (N,)``, after so many quarter turns."""
    return reader.chance_on(photo, placement, cells, CLUES, turn)


def plainest(ink: CellInk, cells: Sequence[Cell], count: int = TURNED_SAMPLE) -> list[Cell]:
    """So many of some cells that stand out most."""
    return sorted(cells, key=lambda cell: -ink.contrast[cell])[:count]


def glanced_turns(photo: Photo, placement: Placement, cells: Sequence[Cell], ink: CellInk) -> int:
    """What :func:`turns` will most likely find, from a glance at a few cells that stand out most; 0 where these differ.

    What lies on its side is no number, and to find that out of all cells costs several times as much as to read them.
    """
    return turns_at_a_glance(crops(photo, placement, [cell])[0] for cell in plainest(ink, cells, len(cells)))


def turns(seen: Seen, aids: Aids) -> int:
    """By how many quarters clockwise the board must be turned for its numbers to stand upright; 0 for as it is.

    Only when the numbers read badly are a few of them tried the other ways up, the one first in which what was cut free
    looks most like digits, until one way reads clearly better than those that are left promise.
    """
    few = sorted(range(len(seen.crops)), key=lambda i: -_likely_a_number(seen, i))[:TURNED_SAMPLE]
    guesses: dict[int, Sequence[DigitGuess]] = {0: [seen.guesses[i] for i in few]}
    sums = {0: _readable(guesses[0])}
    if sums[0] >= UPRIGHT * len(few):
        return 0
    # On badges there are numbers for certain, and what lies on its side there is hardly cut free as it stands.
    on_badges = sum(seen.badges[i] is not None for i in few) >= MOSTLY_BADGES * len(few)
    cut = [shown_on(seen.crops[i], seen.badges[i]) for i in few]
    promise = {quarter: alike_when_turned(cut, quarter) for quarter in (1, 2, 3)}
    for quarter in sorted(promise, key=lambda quarter: -promise[quarter]):
        read = max(sums.values())
        legible = read >= LEGIBLE * len(few) and read > CLEARLY * promise[quarter] + CLEARLY_AT_LEAST
        if legible or read >= UPRIGHT * len(few):
            break
        if on_badges or numbers_among(cut, quarter) >= TURNED_SHARE * len(few):
            guesses[quarter] = aids.digits([_quarter_turned(crop, quarter) for crop in cut])
            sums[quarter] = _readable(guesses[quarter])
    best = max(sums, key=lambda quarter: (sums[quarter], -quarter))
    tell_nothing = _readable_both_ways(guesses[0], guesses[best]) if best == HALF_A_TURN else 0.0
    clearly = CLEARLY * (sums[0] - tell_nothing) + tell_nothing + CLEARLY_AT_LEAST
    return best if sums[best] > clearly else 0


def shown_on(crop: Picture, found: Badge | None) -> Picture:
    """What is read of a cell: what stands on its badge, where it has one."""
    return crop if found is None else number_on(crop, found)


def _likely_a_number(seen: Seen, i: int) -> float:
    """How much stands out on a cell, or on its badge, in grey levels: of badges most may carry no number."""
    found = seen.badges[i]
    return seen.contrasts[i] if found is None else restless(seen.crops[i], found)


def _quarter_turned(crop: Picture, quarters: int) -> Picture:
    return np.ascontiguousarray(np.rot90(crop, -quarters))


def _readable(guesses: Sequence[DigitGuess]) -> float:
    return sum(guess.confidence for guess in guesses)


def _readable_both_ways(upright: Sequence[DigitGuess], turned: Sequence[DigitGuess]) -> float:
    """The confidence of those that are numbers upside down as well and were read so: they do not tell what is up."""
    pairs = zip(upright, turned, strict=True)
    return sum(one.confidence for one, other in pairs if one.text and upside_down(one.text) == other.text)


def _badge(crop: Picture, ink: CellInk) -> Badge | None:
    """The badge in the picture of a cell; where empty cells show noise, as it is or without that, as it is clearer.

    Noise eats at the outline of a badge, and taking it away at the corners of a small one.
    """
    if ink.empty_contrast < NOISY:
        return badge(crop)
    quiet = np.asarray(cv2.medianBlur(crop, 2 * max(1, round(SPECK * min(crop.shape[:2]) / 2)) + 1), dtype=np.uint8)
    found = [one for picture in (crop, quiet) if (one := badge(picture)) is not None]
    return max(found, key=lambda one: one.clear, default=None)


def _centred(
    crops: list[Picture], badges: list[Badge | None], ink: CellInk
) -> tuple[list[Picture], list[Badge | None]]:
    """The same with those cells moved on which a badge stands a bit off the middle."""
    usual = median([found.contrast for found in badges if found is not None])
    for i, crop in enumerate(crops):
        moved = centred(crop, usual) if badges[i] is None else None
        found = None if moved is None else _badge(moved, ink)
        if moved is not None and found is not None:
            crops = [*crops[:i], moved, *crops[i + 1 :]]
            badges = [*badges[:i], found, *badges[i + 1 :]]
    return crops, badges


def _alike(badges: list[Badge | None], empty_contrast: float) -> list[Badge | None]:
    """The badges without those that hardly stand out: placed patches have tinted corners and counters of their own.

    Where only a few cells seem to have one, or they hardly stand out more than cloth or moire in empty cells, these are
    bold digits, highlights or texture, and there are no badges at all.
    """
    strong = sorted(b.contrast for b in badges if b is not None)
    if len(strong) < max(LEAST_CLUES, MOSTLY_BADGES * len(badges)):
        return [None for _ in badges]
    usual = strong[len(strong) // 2]
    if usual < OVER_UNREST * empty_contrast:
        return [None for _ in badges]
    return [b if b is not None and b.contrast >= FAINT_BADGE * usual else None for b in badges]


def _unless_bare(crops: Sequence[Picture], badges: list[Badge | None]) -> list[Badge | None]:
    """The badges, or none where most cells with one look bare to the network: rings on cells whose rims are tinted."""
    looks = [bareness(crop) for crop, found in zip(crops, badges, strict=True) if found is not None]
    return badges if not looks or median(looks) < MOSTLY_BARE else [None for _ in badges]


def _without_small_print(
    shown: Sequence[Picture], guesses: Sequence[DigitGuess], badges: Sequence[Badge | None]
) -> list[DigitGuess]:
    """The numbers without those that stand on no badge and are much smaller: areas that an app writes on a patch."""
    on_badge = [i for i, guess in enumerate(guesses) if guess.text and badges[i] is not None][:SAMPLE]
    heights = [height for i in on_badge if (height := _number_height(shown[i])) > 0]
    if not heights:
        return list(guesses)
    least = SMALL_PRINT * median(heights)
    return [
        DigitGuess("", 0.0) if guess.text and badges[i] is None and _number_height(shown[i]) < least else guess
        for i, guess in enumerate(guesses)
    ]


def _of_one_kind(shown: Sequence[Picture], guesses: Sequence[DigitGuess]) -> list[DigitGuess]:
    """The numbers, less sure where they are much lower or higher than the others, or stand elsewhere in their cells; a
    few say nothing of others.
    """
    boxes = [_number_box(crop) if guess.text else None for crop, guess in zip(shown, guesses, strict=True)]
    read = [box for box, guess in zip(boxes, guesses, strict=True) if box is not None and guess.confidence >= LEGIBLE]
    if len(read) < SAMPLE:
        return list(guesses)
    least, most = (ratio * median([_height(box) for box in read]) for ratio in ONE_HEIGHT)
    place = median([_middle(box) for box in read])
    return [
        guess
        if not guess.text
        or (box is not None and least <= _height(box) <= most and abs(_middle(box) - place) <= ONE_PLACE)
        else _less_sure(guess)
        for guess, box in zip(guesses, boxes, strict=True)
    ]


def _less_sure(guess: DigitGuess) -> DigitGuess:
    rest = tuple((text, ODD * p) for text, p in guess.alternatives)
    return DigitGuess(guess.text, ODD * guess.confidence, rest)


def _number_box(crop: Picture) -> tuple[float, float, float, float] | None:
    """Left, top, right and bottom of the number in a cell, in cells; None where there is none."""
    found = isolated(crop)
    if found is None:
        return None
    (height, width), (left, top, right, bottom) = crop.shape[:2], found.box
    return left / width, top / height, right / width, bottom / height


def _height(box: tuple[float, float, float, float]) -> float:
    return box[3] - box[1]


def _middle(box: tuple[float, float, float, float]) -> float:
    return (box[0] + box[2]) / 2


def _number_height(crop: Picture) -> float:
    """Height of the number in a cell, in cells; 0 where there is none."""
    box = _number_box(crop)
    return 0.0 if box is None else _height(box)


def badged(seen: Seen) -> bool:
    """Whether clues stand on badges on this board: then nothing else is a clue."""
    found = seen.made_out
    numbered = [b for b, guess in zip(seen.badges, seen.guesses, strict=True) if guess.confidence >= LEGIBLE]
    return len(found) >= LEAST_CLUES and sum(b is not None for b in numbered) >= BADGED * len(numbered)


def beliefs_of(seen: Seen, badged: bool) -> list[Belief]:
    """What each cell seems to carry."""
    read = [i for i, guess in enumerate(seen.guesses) if guess.text and guess.confidence >= LEGIBLE]
    usual = median([seen.contrasts[i] for i in read]) if read else max(seen.contrasts)
    blank = blank_badges(seen.crops, seen.badges, read)
    faintest = min((seen.contrasts[i] for i, found in enumerate(seen.badges) if found is not None), default=math.inf)
    beliefs = []
    for i, cell in enumerate(seen.cells):
        options, unread = number_options(seen.guesses[i]), 0.0
        found = seen.badges[i]
        if badged and found is None and is_cut(seen.crops[i], seen.made_out):
            # The network knows badges in the middle of their cells, and no other would be left out.
            options, unread = {NO_CLUE: CUT}, 1 - CUT
        elif badged and found is None:
            options = _without_badge(seen, i, usual, faintest)
        elif badged and i in blank:
            options = {UNKNOWN: 0.99} | {value: 0.01 * p for value, p in options.items()}
        elif badged and not options:
            options, unread = {UNKNOWN: 0.02}, 0.98
        elif sum(options.values()) < 0.5:
            # Something that can hardly be read: as weak as a speck or a dot it is none, else it may be a number.
            left = 1 - sum(options.values())
            unread = left * (0.005 if seen.contrasts[i] < WEAK * usual else 0.5)
            options[NO_CLUE] = left - unread
        ranked = sorted(options.items(), key=lambda option: -option[1])
        beliefs.append(Belief(cell, tuple(ranked), unread))
    return beliefs


def _without_badge(seen: Seen, i: int, usual: float, faintest: float) -> dict[int, float]:
    """What a cell on which no badge was made out seems to carry, where clues stand on badges.

    A plain number of the usual size may have lost its badge when its patch was placed, and on a patch of the badges'
    colour none is seen. What stands out as much as clues do may be a badge that was not made out: rather that than that
    others were misread; and what stands out as much as the faintest badge, or reads like a number, is none only where
    the network says so, too.

    Args:
        seen: the board.
        i: the cell's place among those that carry something.
        usual: contrast of clues.
        faintest: the least of a badge.
    """
    contrast, guess, likely = seen.contrasts[i], seen.guesses[i], number_options(seen.guesses[i])
    none, unmade_out = 0.99, UNMADE_OUT if contrast >= WEAK * usual else 0.0
    if guess.confidence >= CERTAIN:
        none = UNLIKELY if _blends_in(seen, i) else 0.5
    elif (contrast >= faintest or guess.text) and (bare := bareness(seen.crops[i])) < CERTAIN:
        none = bare if guess.text and bare < MADE_OUT else max(0.5, bare)
        unmade_out = (1 - none) * (1 - sum(likely.values()))
    options = {value: (1 - none) * p for value, p in likely.items()} | {NO_CLUE: none}
    return options | ({UNKNOWN: unmade_out} if unmade_out else {})


def _blends_in(seen: Seen, i: int) -> bool:
    """Whether a badge would not be seen on a cell: its ground has the colour of other cells' badges."""
    ground = ground_colour(seen.crops[i])
    return any(b is not None and np.abs(ground - b.fill_bgr).max() <= SAME_COLOUR for b in seen.badges)


def clear_numbers(seen: Seen) -> list[DigitGuess]:
    """The numbers that were read."""
    return [guess for guess in seen.guesses if guess.text and guess.confidence >= LEGIBLE]
