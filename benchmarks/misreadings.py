"""What becomes of boards of which one or two clues are misread or missed: ``python -m benchmarks.misreadings``.

There are two ways to misread. By default the picture is spoilt:

A mishap befalls one or two clues of a drawn board (see :mod:`samples.mishaps`), again and again until the reader reads
something else there or nothing. The board is then read where it lies, with the rules. It is *right* when nothing is
left in doubt and every clue is what was drawn, *refused* when something is in doubt, *wrong* when nothing is and the
answer is another one, and *other clues* when only a clue is: one whose number is not needed for the answer. Boards that
are not read right before any mishap are left out: what fails there is no repair. Of those refused are *left open* those
that the rules leave so: other clues on the spoilt cells would give the board one answer as well, and what is left of
the clues did not tell them apart.

With ``--reader`` the picture is as it was drawn and the reader errs: it says another number with some doubt, or that
it reads none, whenever it is shown one of those cells (the errors are those of :mod:`benchmarks.stages`). All else is
what the command does with any picture. What the cell shows is then a second opinion, since its form is compared with
the board's digits (:mod:`vision.clues.own_digits`) and not read again, but one of a plain picture: this measures
whether such an opinion is asked for and weighed, not what it is worth where nobody can read the number. That is what
the spoilt pictures are for. Boards are counted apart that the rules put right alone, without a picture.

``--photos`` takes photos of pages and screens in place of drawn ones.
"""

import argparse
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from benchmarks.stages import a_board, open_by_the_rules, photo_of_a_board, planted_errors, repaired
from samples.mishaps import befall
from samples.sample import Sample
from solvers.board import Cell
from solvers.budget import Budget
from solvers.stitch import UNKNOWN, Stitch, answers, contents
from vision.boards.pointed import board_between
from vision.clues.beliefs import NO_CLUE, Belief
from vision.clues.ink import crops
from vision.clues.observation import Observation, badged, beliefs_of, carrying, observe, shown_on
from vision.clues.placed import only_answer
from vision.kind import Aids
from vision.numbers.digits import DigitGuess, DigitReader, digit_reader
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import Placement
from vision.reading import Reading
from vision.stitch import read

TRIES = 40
"""Mishaps that a clue gets until it is misread; few need more."""


@dataclass(frozen=True)
class Planted:
    """A board with clues that are misread.

    Attributes:
        picture: with the mishaps.
        truth: the clues as they were drawn.
        placement: where the board lies.
        misread: which clues are misread, and what they seem to carry.
        digits: reads the picture.
    """

    picture: Picture
    truth: list[list[int | None]]
    placement: Placement
    misread: dict[Cell, Belief]
    digits: DigitReader = field(default_factory=digit_reader)


def aids() -> Aids:
    """With an engine, and no limit."""
    return Aids(digits=digit_reader())


def erring(sample: Sample, rng: np.random.Generator) -> Planted | None:
    """The board of a sample with a reader that errs in one or two clues; None where it is not read right as it is."""
    misread = planted_errors(sample, rng)
    placement = _placed(sample)
    if not misread or result(Planted(sample.picture, sample.truth["clues"], placement, {})) != "right":
        return None
    picture = _made_distinct(sample.picture, placement, list(misread))
    view = _observation(picture, placement)
    said: dict[bytes, DigitGuess] = {}
    for cell, belief in misread.items():
        options = [(str(value), p) for value, p in belief.options if value != NO_CLUE]
        text, confidence = options[0] if options else ("", 0.0)
        shown = [
            shown_on(crop, b) for at, crop, b in zip(view.cells, view.crops, view.badges, strict=True) if at == cell
        ]
        for patch in (*shown, *crops(Photo(picture), placement, [cell])):
            said[patch.tobytes()] = DigitGuess(text, confidence, tuple(options[1:]))
    return Planted(picture, sample.truth["clues"], placement, misread, _reader_that_says(said))


def _made_distinct(picture: Picture, placement: Placement, cells: Sequence[Cell]) -> Picture:
    """The picture with a few pixels in the middle of each cell a grey level or two off: drawn numbers are alike."""
    changed = picture.copy()
    for level, (row, col) in enumerate(cells, start=1):
        x, y = placement.to_photo([(col + 0.5, row + 0.5)])[0].round().astype(int).tolist()
        part = changed[y - 1 : y + 2, x - 1 : x + 2]
        part[:] = np.where(part < 128, part + level, part - level)
    return changed


def _reader_that_says(said: Mapping[bytes, DigitGuess]) -> DigitReader:
    """A reader that errs on some patches, given by their pixels."""
    digits = digit_reader()

    def read(patches: Sequence[Picture]) -> list[DigitGuess]:
        return [said.get(patch.tobytes(), guess) for patch, guess in zip(patches, digits(patches), strict=True)]

    return read


def planted(sample: Sample, rng: np.random.Generator) -> Planted | None:
    """The board of a sample with one or two clues misread; None where it is not read right as it is."""
    truth = sample.truth["clues"]
    numbers: list[Cell] = [(r, c) for r, row in enumerate(truth) for c, clue in enumerate(row) if clue and clue > 0]
    if not sample.truth["unique"] or any(clue in (UNKNOWN, None) for row in truth for clue in row):
        return None
    placement = _placed(sample)
    if result(Planted(sample.picture, truth, placement, {})) != "right":
        return None
    picture = sample.picture
    chosen = [numbers[int(i)] for i in rng.choice(len(numbers), size=int(rng.integers(1, 3)), replace=False)]
    for cell in chosen:
        picture = _misread(rng, picture, placement, cell, truth[cell[0]][cell[1]])
    beliefs = _beliefs(picture, placement)
    misread = {
        cell: beliefs.get(cell, Belief(cell, ((0, 1.0),)))
        for cell in chosen
        if cell not in beliefs or beliefs[cell].value != truth[cell[0]][cell[1]]
    }
    return Planted(picture, truth, placement, misread) if misread else None


def _placed(sample: Sample) -> Placement:
    """Where the board lies: on the lattice that is found there, if one is."""
    corners = [(x, y) for x, y in sample.truth["corners"]]
    size = sample.truth["rows"], sample.truth["cols"]
    placed = board_between(Photo(sample.picture), corners, size)
    assert placed is not None
    return placed


def _misread(rng: np.random.Generator, picture: Picture, placement: Placement, cell: Cell, clue: int) -> Picture:
    """The picture with a mishap after which the clue is not read alone."""
    r, c = cell
    corners = placement.to_photo(np.array([[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]], np.float64))
    for _ in range(TRIES):
        changed = befall(rng, picture, corners)
        if aids().digits(crops(Photo(changed), placement, [cell]))[0].text != str(clue):
            return changed
    return picture


def _beliefs(picture: Picture, placement: Placement) -> dict[Cell, Belief]:
    """What the reader makes of each cell before the rules are asked."""
    observation = _observation(picture, placement)
    return {belief.cell: belief for belief in beliefs_of(observation, badged(observation))}


def _observation(picture: Picture, placement: Placement) -> Observation:
    photo = Photo(picture)
    cells = [(int(r), int(c)) for r, c in np.argwhere(carrying(photo, placement))]
    return observe(photo, placement, cells, aids())


def result(board: Planted) -> str:
    """What becomes of the board: ``right``, ``refused``, ``wrong`` or ``other clues``."""
    found = read(Photo(board.picture), board.placement, Aids(digits=board.digits))
    if not isinstance(found, Reading) or found.doubts:
        return "refused"
    if [list(row) for row in found.puzzle.clues] == board.truth:
        return "right"
    answer = only_answer(found.puzzle)
    truth = Stitch(tuple(map(tuple, board.truth)))
    if answer is None:
        return "refused"  # a board with several answers is not called solved
    same = contents(found.puzzle, answer) == contents(truth, next(answers(truth, Budget())))
    return "other clues" if same else "wrong"


def _described(clue: int | None, belief: Belief) -> str:
    """A misread clue for people: what it is, and what it seems to be."""
    likely = ", ".join(f"{value}: {p:.3f}" for value, p in belief.options[:3])
    return f"[{belief.cell} {clue}: {likely}, unread: {belief.unread:.3f}]"


def main() -> None:
    """Print a line for each board that is not put right, and the figures."""
    summary = (__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.misreadings", description=summary)
    parser.add_argument("--seeds", default="0-59", help="first and last")
    parser.add_argument("--photos", action="store_true", help="photos, not drawn pages and screens")
    parser.add_argument("--reader", action="store_true", help="the reader errs, not the picture is spoilt")
    parser.add_argument("--save", type=Path, help="folder for pictures of boards that were not put right")
    asked = parser.parse_args()
    first, last = map(int, asked.seeds.split("-"))
    counts: Counter[str] = Counter()
    seconds = []
    for seed in range(first, last + 1):
        sample = (photo_of_a_board if asked.photos else a_board)(seed)
        board = (erring if asked.reader else planted)(sample, np.random.default_rng([6, seed]))
        if board is None:
            counts["left out"] += 1
            continue
        began = time.process_time()
        became = result(board)
        if became == "refused" and open_by_the_rules(board.truth, list(board.misread)):
            became = "left open"
        seconds.append(time.process_time() - began)
        counts[became] += 1
        if asked.reader:
            counts[f"{repaired(sample, np.random.default_rng([6, seed]))} by the rules alone"] += 1
        if became != "right":
            print(
                seed,
                became,
                *(_described(board.truth[r][c], belief) for (r, c), belief in board.misread.items()),
                flush=True,
            )
            if asked.save:
                asked.save.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(asked.save / f"{seed}.png"), board.picture)
    print(f"{dict(counts)}, {np.mean(seconds):.2f} s of processor time for one")


if __name__ == "__main__":
    main()
