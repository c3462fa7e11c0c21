"""The way of a picture: load, find, read, solve, draw.

Every kind is asked where its board may lie; the likeliest places are read first, and the first reading that is certain
and solved ends the search. A refusal is kept with its reason, and when nothing was solved the one that tells most is
what the user hears. Nothing here knows any kind of puzzle.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Unpack

import numpy as np
import numpy.typing as npt
from PIL.Image import Image

from solvepic import sentences
from solvepic.answering import Work, answered
from solvepic.errors import OptionError
from solvepic.hinted import beneath
from solvepic.options import Changes, Options
from solvepic.original import Original
from solvepic.outcome import Cause, Outcome, Status
from solvepic.registry import KINDS, Kind, by_name
from solvers.board import Cell
from solvers.budget import Budget, BudgetSpentError
from solvers.message import Message
from vision.boards.boxes import boxes_beside
from vision.chessboards.saddles import are_plain
from vision.kind import PROMISING, Aids
from vision.numbers.digits import DigitGuess, DigitReader, digit_reader
from vision.numbers.ocr_engines import start_early
from vision.pictures.lab import fill_tables
from vision.pictures.loading import Limits, decode, load, of_pillow, read_bounded, taken
from vision.pictures.photo import Photo, Picture
from vision.pictures.photographed import is_photo
from vision.pictures.placement import Placement, box_corners, overlap
from vision.reading import NotFound, Reading
from vision.trace import Trace

# What a refusal tells, most first: a board read with certainty and proven impossible tells more than one half read, and
# that more than one of which nothing was read.
_RANKS = (Status.UNSOLVABLE, Status.TIMEOUT, Status.UNREADABLE, Status.NO_BOARD)

AS_PLAIN = 0.15
"""Boards of which one is seen less plainly than the other by so little are seen alike; of these tells more what was
read."""

MOST_DOUBTED = 0.25
"""Part of a board's cells that may be in doubt: where more is, what was looked at is hardly a board of the kind."""

CONFIDENT = 0.8
"""Confidence of a reading from which on a chequered board without an answer is what the picture shows."""

SHARE = 0.5
"""Of the time left, what a sighting may use when others wait behind it."""

LEAST_PX = 16
"""Shorter sides of a picture show no board: the smallest have four cells in a row, which takes four pixels each."""

MOST_PX = 32_000
"""Longer sides of a picture are not looked along: OpenCV counts pixels in 16 bits where it bends pictures."""

MOST_TIMES = 64
"""How many times as long as wide a picture may be: a board that is longer has more cells than any."""

MOST_BESIDE = 2
"""Parts of a picture beside a solved board in which others are looked for."""

ROOM = 0.08
"""Space round such a part, of its width."""

OUTSIDE = 0.5
"""Of the picture's sides, how far a corner that the user points at may lie outside."""


Source = str | Path | bytes | BinaryIO | Image | Picture
"""What a picture may come as."""


@dataclass
class _Run:
    """One picture under way, with what its finders and readers may use."""

    work: Work
    aids: Aids
    visited: set[tuple[Any, ...]] = field(default_factory=set)
    named: list[Placement] = field(default_factory=list)
    misfits: list[str] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)

    def is_new(self, sighting: "_Sighting") -> bool:
        """Whether this place was not looked at before; remembers it."""
        corners = box_corners(sighting.placement)
        key = (sighting.kind.name, sighting.placement.size, tuple(np.rint(corners).astype(int).ravel().tolist()))
        # What was looked at as one that only its contents prove is looked at anew where something else speaks for it.
        spoken_for = sighting.placement.score > 0
        new = self.visited.isdisjoint([(*key, True), (*key, spoken_for)])
        self.visited.add((*key, spoken_for))
        return new


@dataclass(frozen=True)
class _Sighting:
    """A place where a board of some kind may lie."""

    kind: Kind
    placement: Placement


def solve(source: Source, options: Options | None = None, **changes: Unpack[Changes]) -> Outcome:
    """Solve the puzzle in a picture.

    Args:
        source: a path, the bytes of a picture file or a file open for reading them, a Pillow image, or pixels
            ``uint8 (H, W, 3)`` in the order blue, green, red. A picture with our hints on it is taken without them.
        options: how; keyword arguments named like the fields of :class:`Options` change single ones.

    Returns:
        What came of it; ``outcome.status`` says how it ended and ``outcome.message`` what to do next.

    Raises:
        vision.pictures.loading.BadPictureError: the picture cannot be opened, or the array is none.
        vision.numbers.ocr_engines.EngineMissingError: the board has clues and no OCR engine is installed.
        solvepic.errors.OptionError: an option is wrong, as such or for this picture; a ``ValueError``.
    """
    options = replace(options or Options(), **changes)
    fill_tables()
    kinds = KINDS if options.kind is None else (by_name(options.kind),)
    if options.closed and not any(kind.is_tour for kind in kinds):
        raise OptionError(f"closed: only a knight's tour can be, and a {kinds[0].name} board has none")
    if options.size is not None and options.kind is not None and not kinds[0].has_squares:
        raise OptionError(Message("size: every {kind} board has the same; leave it out", kind=kinds[0].name))
    began = time.perf_counter()
    run = _prepare(source, options, Budget(seconds=options.time_limit))
    run.work.seconds["load"] = time.perf_counter() - began
    outcome = _misshapen(run, kinds) or _late(run) or _solve_in_time(run, kinds)
    if outcome.kind is not None:
        needless = {
            "closed": options.closed and not outcome.kind.is_tour,
            "size": options.size is not None and not outcome.kind.has_squares,
        }
        why, kind = "{name} means nothing for {kind}: left aside", outcome.kind.name
        notes = [Message(why, name=name, kind=kind) for name, is_so in needless.items() if is_so]
        outcome = replace(outcome, notes=(*outcome.notes, *notes))
    with run.work.stage("draw"):
        _ = outcome.picture  # painted here, so that its time is measured
    run.work.seconds["total"] = time.perf_counter() - began
    return run.work.finished(outcome)


def _prepare(source: Source, options: Options, budget: Budget) -> _Run:
    limits = Limits(options.max_megapixels)
    file = None
    if isinstance(source, bytes):
        image, loaded = "-", decode(source, "standard input", limits)
    elif isinstance(source, (str, Path)):
        file = Path(source)
        image, loaded = str(source), load(file, limits)
    elif isinstance(source, Image):
        image, loaded = "", of_pillow(source, limits)
    elif isinstance(source, np.ndarray):
        image, loaded = "", taken(source)
    else:
        image, loaded = "", decode(read_bounded(source, "the file", limits), "the file", limits)
    loaded, shown = beneath(loaded)
    _check_corners(loaded.photo, options.corners)
    original = Original(replace(loaded.photo, budget=budget), file, limits)
    aids = Aids(
        digits=_within(budget, digit_reader(options.ocr)),
        trace=Trace(options.debug),
        budget=budget,
        size=options.size,
        corners_px=options.corners,
        given=options.set,
        wishes=frozenset({"closed"} if options.closed else ()),
        named=options.kind is not None,
    )
    return _Run(Work(image, options, original, budget, aids.trace, loaded.notes, shown), aids)


def _within(budget: Budget, digits: DigitReader) -> DigitReader:
    """The OCR engine as long as there is time for the picture."""

    def read(crops: Sequence[Picture]) -> list[DigitGuess]:
        budget.spend(0)
        return digits(crops)

    return read


def _check_corners(photo: Photo, corners_px: Sequence[tuple[float, float]] | None) -> None:
    beyond = OUTSIDE * max(photo.width, photo.height)
    if corners_px is not None and not photo.holds(np.array(corners_px), beyond).all():
        why = "the corners lie outside the picture, which has {width} x {height} pixels"
        raise OptionError(Message(why, width=photo.width, height=photo.height))


def _misshapen(run: _Run, kinds: Sequence[Kind]) -> Outcome | None:
    width, height = run.work.photo.width, run.work.photo.height
    short, long = sorted((width, height))
    if short < LEAST_PX:
        why = "the picture has {width} x {height} pixels, too few to show one"
    elif long > MOST_PX:
        why = "the picture has {width} x {height} pixels, and boards are looked for on {most} at most; cut it out"
    elif long > MOST_TIMES * short:
        why = "the picture has {width} x {height} pixels, a strip too narrow to show one; cut it out"
    else:
        return None
    reason = Message(why, width=width, height=height, most=MOST_PX)
    return Outcome(run.work.image, Status.NO_BOARD, sentences.no_board(kinds, [reason]), cause=Cause.NO_BOARD)


def _late(run: _Run) -> Outcome | None:
    if run.work.budget.seconds_left():
        return None
    text = sentences.timeout(run.work.options.time_limit, "opening the picture")
    return Outcome(run.work.image, Status.TIMEOUT, text)


def _solve_in_time(run: _Run, kinds: Sequence[Kind]) -> Outcome:
    try:
        outcome = _solve_any(run, kinds)
    except BudgetSpentError:
        return _out_of_time(run, "looking for a board")
    options = run.work.options
    if outcome.status is Status.SOLVED and options.corners is None and options.size is None and not options.set:
        return replace(outcome, notes=(*outcome.notes, *_elsewhere(run, kinds, outcome)))
    return outcome


def _elsewhere(run: _Run, kinds: Sequence[Kind], solved: Outcome) -> Iterator[str]:
    """What is told of boards, of whatever kind, in other parts of the picture, as far as these can be solved."""
    assert solved.reading is not None
    photo = run.work.photo
    for box in boxes_beside(photo, [solved.reading.placement, *run.named])[:MOST_BESIDE]:
        if any(overlap(box, other) for other in run.named):
            continue  # the board that was just named, or its frame
        (left, top), (right, bottom) = box_corners(box)[[0, 2]].round().astype(int).tolist()
        room = round(ROOM * (right - left))
        x, y = max(0, left - room), max(0, top - room)
        part = photo.like(np.ascontiguousarray(photo.bgr[y : bottom + room, x : right + room]))
        options = replace(run.work.options, hint=0, check=False)
        beside = _Run(replace(run.work, original=Original(part), options=options), run.aids)
        try:
            found = _solve_any(beside, kinds)
        except BudgetSpentError:
            return
        if found.status is Status.SOLVED:
            run.named.append(box)
            yield _another(np.array(found.corners) + np.array([x, y]) / photo.scale)


def _solve_any(run: _Run, kinds: Sequence[Kind]) -> Outcome:
    """The outcome of the likeliest sighting that is solved, else the refusal that tells most."""
    run.aids.trace.picture("photo", lambda: run.work.photo.bgr)
    refusals: list[Outcome] = []
    for thorough in (False, True):
        # What is read on the way, and on the quick look, is remembered in ``refusals`` until something is solved.
        waiting: list[_Sighting] = []
        refused: dict[str, list[Outcome]] = {kind.name: [] for kind in kinds}
        run.aids = replace(run.aids, thorough=thorough)
        for kind in _likeliest_first(run.work.photo, kinds):
            plainly_none = any(map(_plainly_unsolvable, chain(*refused.values())))
            if plainly_none and not kind.on_chequers and are_plain(run.work.photo):
                break
            found = _find(run, kind, refused[kind.name])
            promising = [sighting for sighting in found if sighting.placement.score >= PROMISING]
            waiting += [sighting for sighting in found if sighting not in promising]
            if (outcome := _first_solved(run, promising, refused[kind.name])) is not None:
                return outcome
            if any(map(_is_another, refused[kind.name])):
                break
        # What is told does not depend on the order in which the kinds were asked.
        refusals += [refusal for kind in kinds for refusal in refused[kind.name]]
        waiting.sort(key=lambda sighting: -sighting.placement.score)
        if (outcome := _first_solved(run, waiting, refusals)) is not None:
            return outcome
        if any(map(_is_settled, refusals)):
            break
    if run.misfits:
        raise OptionError(run.misfits[0])
    chosen = _most_informative(refusals)
    if chosen.cause is Cause.NO_BOARD and run.work.options.size is not None:
        return replace(chosen, message=sentences.no_board_of_size(kinds, run.work.options.size))
    if chosen.cause is Cause.NO_BOARD and len(kinds) > 1:
        return replace(chosen, message=sentences.no_board(kinds, run.advice[:1]))
    return chosen


def _is_settled(refusal: Outcome) -> bool:
    """Whether the board was found: it has no answer, or one as far as it was read, or is plainly of another game."""
    return refusal.status is Status.UNSOLVABLE or refusal.answer is not None or _is_another(refusal)


def _is_another(refusal: Outcome) -> bool:
    """Whether a board is plainly seen, and plainly of another game: no other kind needs to be asked."""
    return refusal.cause is Cause.ANOTHER_GAME and refusal.placement_score >= PROMISING


def _most_informative(refusals: Sequence[Outcome]) -> Outcome:
    """The refusal that tells most: of the board that is seen most plainly, the first that was read, if any was."""
    most = min(map(_rank, refusals))
    refusals = [refusal for refusal in refusals if _rank(refusal) == most]
    if most == _RANKS.index(Status.UNREADABLE):
        plain = [_plainness(refusal) for refusal in refusals]
        refusals = [each for each, plainness in zip(refusals, plain, strict=True) if plainness >= max(plain) - AS_PLAIN]
    return min(refusals, key=lambda refusal: refusal.reading is None)


def _rank(refusal: Outcome) -> int:
    """The rank of what a refusal tells, the most first; that it is another game tells as much as a half read board."""
    status = Status.UNREADABLE if refusal.cause is Cause.ANOTHER_GAME else refusal.status
    return _RANKS.index(status)


def _plainness(refusal: Outcome) -> float:
    """How plainly a refused board is seen: a reading that is not sure of a cell shows as much less of it."""
    if refusal.kind is None or refusal.reading is None:
        return refusal.placement_score
    if refusal.answer is not None:
        return np.inf
    return refusal.placement_score * (1 - _doubted(refusal.kind, refusal.reading))


def _doubted(kind: Kind, reading: Reading[Any]) -> float:
    """The part of a board's cells that are in doubt."""
    cells = len(kind.rules.layout(reading.puzzle).cells)
    return len({doubt.cell for doubt in reading.doubts}) / cells


def _plainly_unsolvable(refusal: Outcome) -> bool:
    """Whether a board was read without doubt, with much confidence, and has no answer: no need to look for another."""
    return (
        refusal.status is Status.UNSOLVABLE and refusal.reading is not None and refusal.reading.confidence >= CONFIDENT
    )


def _likeliest_first(photo: Photo, kinds: Sequence[Kind]) -> Iterator[Kind]:
    """The kinds in the order in which they are asked: toys first unless the picture may be one of a screen, then those
    on chequers where a glance shows some; balls on a lattice may look so, too.

    What a glance costs is spent where it matters: not for a single kind, nor before toys.
    """
    waiting = list(kinds)
    if len(waiting) > 1 and is_photo(photo):
        toys = [kind for kind in waiting if kind.is_toy]
        yield from toys
        waiting = [kind for kind in waiting if kind not in toys]
    if len(waiting) > 1 and are_plain(photo):
        waiting.sort(key=lambda kind: not kind.on_chequers)
    yield from waiting


def _find(run: _Run, kind: Kind, refusals: list[Outcome]) -> list[_Sighting]:
    """The places where a board of this kind may lie."""
    with run.work.stage("find"):
        found = kind.reader.find(run.work.photo, run.aids)
    if isinstance(found, NotFound):
        run.aids.trace.note(f"{kind.name}: {found.reason}")
        refusals.append(_refused(run, kind, found, PROMISING))
        return []
    run.aids.trace.note(f"{kind.name}: {len(found)} places, best {found[0].score:.2f}")
    fresh = [_Sighting(kind, placement) for placement in found]
    return [sighting for sighting in fresh if run.is_new(sighting)]


def _first_solved(run: _Run, sightings: Sequence[_Sighting], refusals: list[Outcome]) -> Outcome | None:
    """The outcome of the first of these that is solved; the others are refusals."""
    for sighting in sightings:
        # A place that only looks like a board must not use up the time of the others.
        run.aids = replace(run.aids, budget=run.work.budget.share(SHARE))
        outcome = _solve_one(run, sighting)
        if outcome.status is Status.SOLVED:
            beside = [other for other in sightings if not overlap(other.placement, sighting.placement)]
            return replace(outcome, notes=(*outcome.notes, *_named(run, beside)))
        refusals.append(outcome)
    return None


def _named(run: _Run, beside: Sequence[_Sighting]) -> Iterator[str]:
    """What is told of boards that lie beside a solved one, as far as these can be solved, too."""
    for sighting in beside:
        if any(overlap(sighting.placement, other) for other in run.named):
            continue
        outcome = _solve_one(run, sighting)
        if outcome.status is Status.SOLVED:
            run.named.append(sighting.placement)
            yield _another(np.array(outcome.corners))


def _another(corners_px: npt.NDArray[np.float64]) -> Message:
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in corners_px)
    return Message("another board lies at {corners}: cut it out, or name its corners, to solve it", corners=corners)


def _solve_one(run: _Run, sighting: _Sighting) -> Outcome:
    kind = sighting.kind
    if misfit := _off_board(run, sighting):
        run.misfits.append(misfit)
        return _refused(run, kind, NotFound(misfit, board_found=True), sighting.placement.score)
    if kind.has_numbers:
        start_early(run.work.options.ocr)
    try:
        with run.work.stage("read"):
            reading = kind.reader.read(run.work.photo, sighting.placement, run.aids)
    except BudgetSpentError:
        return _out_of_time(run, "reading", sighting)
    if isinstance(reading, NotFound):
        run.aids.trace.note(f"{kind.name}: {reading.reason}")
        return _refused(run, kind, reading, sighting.placement.score, sighting.placement)
    try:
        reading = _with_given(kind, reading, run.work.options.set)
    except ValueError as error:
        misfit = Message("{kind}: {why}", kind=kind.name, why=error.args[0])
        run.misfits.append(misfit)
        return _refused(run, kind, NotFound(misfit, board_found=True), sighting.placement.score)
    doubted = _doubted(kind, reading)
    if len(reading.doubts) > 1 and doubted > MOST_DOUBTED and not run.aids.named:
        little = Message("too little of a {kind} board was made out", kind=kind.name)
        return _refused(run, kind, NotFound(little, advice=little), sighting.placement.score)
    return replace(answered(run.work, kind, reading, run.aids.budget), placement_score=sighting.placement.score)


def _out_of_time(run: _Run, doing: str, sighting: _Sighting | None = None) -> Outcome:
    message = sentences.timeout(run.work.options.time_limit, doing)
    kind, place = (sighting.kind, sighting.placement) if sighting is not None else (None, None)
    return Outcome(run.work.image, Status.TIMEOUT, message, kind, place=place, cause=Cause.NO_TIME)


def _off_board(run: _Run, sighting: _Sighting) -> str:
    """What is wrong with the cells that the user spoke of, in words; empty where a board of squares has them all."""
    cols, rows = (round(side) for side in sighting.placement.size)
    off = [cell for cell in run.work.options.set if sighting.kind.has_squares and (cell[0] >= rows or cell[1] >= cols)]
    why = "{cell} is not on the board, which has {rows} rows and {cols} columns"
    return Message(why, cell=sentences.place(off[0]), rows=rows, cols=cols) if off else ""


def _with_given(kind: Kind, reading: Reading[Any], given: Mapping[Cell, str]) -> Reading[Any]:
    """The reading with what the user says of cells. Readers of numbers have weighed it; there it is checked alone.

    Raises:
        ValueError: something cannot stand on a cell.
    """
    puzzle = reading.puzzle
    for cell, text in given.items():
        puzzle = kind.rules.put(puzzle, cell, text)
    return reading if kind.has_numbers else replace(reading, puzzle=puzzle)


def _refused(run: _Run, kind: Kind, why: NotFound, score: float, place: Placement | None = None) -> Outcome:
    if run.work.options.set and (why.game or why.board_found):
        reason = Message("with what --set says, {reason}", reason=why.reason)
        why = replace(why, reason=reason, game="", board_found=True)
    if why.game:
        message = sentences.another_game(why)
        return Outcome(run.work.image, Status.NO_BOARD, message, placement_score=score, cause=Cause.ANOTHER_GAME)
    if why.board_found:
        message = sentences.unreadable(kind, why)
        return Outcome(
            run.work.image, Status.UNREADABLE, message, kind, placement_score=score, place=place, cause=Cause.UNREAD
        )
    if why.advice and score > 0:
        run.advice.append(why.advice)
    return Outcome(run.work.image, Status.NO_BOARD, sentences.no_board((kind,), [why.reason]), cause=Cause.NO_BOARD)
