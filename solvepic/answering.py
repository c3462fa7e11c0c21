"""From what was read to an outcome: faults, answers, what stands, what is drawn. Nothing here knows any kind."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from solvepic import sentences
from solvepic.errors import OptionError
from solvepic.options import Options
from solvepic.original import Original
from solvepic.outcome import STAGES, Cause, Drawing, Outcome, Status
from solvepic.registry import Kind
from solvers.board import Cell
from solvers.budget import Budget, BudgetSpentError
from solvers.marks import Fence, Ink, Mark, covered
from solvers.verdict import Search, Verdict, search
from vision.pictures.photo import Photo
from vision.reading import Doubt, Reading
from vision.trace import Trace

MOST_COUNTED = 1_000
"""Where a puzzle has several answers they are counted up to this number."""

EXTRA_NODES = 20_000
"""Search nodes, some 0.2 s, that counting the answers or explaining why there is none may cost. Not seconds, so that
what is said is the same on every machine."""

NEXT_INK = Ink(rgb=(204, 0, 153))
RIVAL_INK = Ink(rgb=(213, 94, 0))


@dataclass
class Work:
    """One picture under way; so many steps were ``shown`` on it already."""

    image: str
    options: Options
    original: Original
    budget: Budget
    trace: Trace
    notes: tuple[str, ...] = ()
    shown: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))

    @property
    def photo(self) -> Photo:
        """The picture itself."""
        return self.original.photo

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure the time that a stage takes."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - began

    def finished(self, outcome: Outcome) -> Outcome:
        """The outcome with what was spent on it; nothing more is computed from the picture."""
        self.original.rest()
        return replace(
            outcome,
            seconds=dict(self.seconds),
            nodes=self.budget.spent,
            notes=self.notes + outcome.notes,
            original=self.original,
            options=self.options,
        )


def answered(work: Work, kind: Kind, reading: Reading[Any], budget: Budget) -> Outcome:
    """What comes of a reading: the answer, or what was asked for in its place."""
    outcome = _solved(work, kind, reading, budget)
    if work.options.hint or work.options.check:
        return _guided(work, outcome, budget)
    if outcome.answer is None:
        return outcome
    return replace(outcome, drawing=_drawing(work, outcome, _answer_marks(outcome)))


def _guided(work: Work, outcome: Outcome, budget: Budget) -> Outcome:
    """The next steps, or what was placed wrongly; the outcome itself where it has no answer for another reason."""
    kind, check = outcome.kind, outcome.check(budget)
    if kind is None or not check.settled:
        return outcome
    if check.wrong:
        from solvepic.checking import WRONG_INK, taken_away  # noqa: PLC0415  (answers need none)

        message = sentences.misplaced(kind, outcome.puzzle, check)
        marks = [Fence(placed.cells, WRONG_INK, "doubt") for placed in check.suspect]
        wrong = replace(outcome, status=Status.UNSOLVABLE, answer=None, rivals=(), checked=check, message=message)
        return replace(wrong, hints=taken_away(check), drawing=_drawing(work, outcome, marks))
    outcome = replace(outcome, checked=check)
    if work.options.check or check.complete:
        return replace(outcome, message=sentences.well_placed(kind, outcome.puzzle, check))
    try:
        visible = (step for step in outcome.steps(budget) if step.marks)
        steps = list(islice(visible, work.shown + work.options.hint))
    except BudgetSpentError:
        message = sentences.timeout(work.options.time_limit, "looking for the next step")
        return replace(outcome, status=Status.TIMEOUT, answer=None, message=message)
    new = tuple(steps[work.shown :])
    if not new:
        return replace(outcome, message=sentences.well_placed(kind, outcome.puzzle, replace(check, complete=True)))
    # What is drawn in the picture's own manner would not be found among what stands there.
    fences = [Fence(step.placed.cells, NEXT_INK) for step in new]
    drawing = _drawing(work, outcome, [*(mark for step in steps for mark in step.marks), *fences])
    message = sentences.hinted(kind, outcome.puzzle, new)
    return replace(outcome, hints=new, shown=len(steps), message=message, drawing=drawing)


def _solved(work: Work, kind: Kind, reading: Reading[Any], budget: Budget) -> Outcome:
    """The answers of a reading, or why there is none."""
    scale, notes = work.original.scale, tuple(reading.notes)
    read = Outcome(work.image, Status.UNREADABLE, "", kind, reading, scale=scale, notes=notes)
    work.trace.note(f"{kind.name}: {kind.rules.write(reading.puzzle)}")
    if reading.doubts:
        work.trace.picture("doubts", lambda: _drawing(work, read, _doubt_marks(reading.doubts)).picture)
        message, remedy = sentences.doubtful(kind, reading), sentences.remedy(reading.doubts)
        return replace(read, message=message, cause=Cause.DOUBTFUL, remedy=remedy)
    faults = kind.rules.faults(reading.puzzle)
    if faults:
        return replace(read, status=Status.UNSOLVABLE, message=sentences.faulty(faults), cause=Cause.IMPOSSIBLE)
    with work.stage("solve"):
        found = _search(kind, reading, budget)
    if found.verdict is Verdict.NONE:
        message = sentences.impossible(_reasons(kind, reading, budget))
        return replace(read, status=Status.UNSOLVABLE, verdict=found.verdict, message=message, cause=Cause.IMPOSSIBLE)
    if not found.answers:
        message = sentences.timeout(work.options.time_limit, "solving")
        return replace(read, status=Status.TIMEOUT, verdict=found.verdict, message=message, cause=Cause.NO_TIME)
    return replace(
        read,
        status=Status.UNREADABLE if reading.partial else Status.SOLVED,
        verdict=found.verdict,
        answer=found.answers[0],
        rivals=found.answers[1:],
        complete=found.complete,
        message=sentences.solved(kind, reading, found),
    )


def continued(outcome: Outcome, shown: int) -> Outcome:
    """The outcome of asking for hints after so many steps were ``shown``: the reading is kept."""
    kind, reading, original = outcome.kind, outcome.reading, outcome.original
    if kind is None or reading is None or original is None:
        return outcome
    budget = Budget(seconds=outcome.options.time_limit)
    notes = tuple(note for note in outcome.notes if note not in reading.notes)
    seconds = dict(outcome.seconds)
    work = Work(outcome.image, outcome.options, original, budget, Trace(), notes, shown, seconds)
    return replace(work.finished(answered(work, kind, reading, budget)), placement_score=outcome.placement_score)


def corrected(outcome: Outcome, given: Mapping[Cell, str]) -> Outcome:
    """The outcome when something else stands on some cells: the reading is kept and solved again.

    A clue that reasoning had put right is taken as it was read where only that has an answer now.

    Raises:
        solvepic.errors.OptionError: nothing was read that could be corrected, or something cannot stand on a cell.
    """
    kind, reading, original = outcome.kind, outcome.reading, outcome.original
    if kind is None or reading is None or original is None:
        raise OptionError("nothing was read on this picture that could be corrected")
    began = time.perf_counter()
    options = outcome.options
    budget = Budget(seconds=options.time_limit)
    doubts = tuple(doubt for doubt in reading.doubts if doubt.cell not in given)
    repairs = tuple(repair for repair in reading.repairs if repair.cell not in given)
    kept = replace(reading, puzzle=_put(kind, reading.puzzle, given), doubts=doubts, repairs=repairs, notes=())
    shows = original.showing(kind, kept)
    work = Work(outcome.image, options, shows, budget, Trace(options.debug), shown=outcome.shown)
    found = answered(work, kind, kept, budget)
    if repairs and found.status is Status.UNSOLVABLE:
        as_read = {repair.cell: repair.read for repair in repairs}
        unrepaired = replace(kept, puzzle=_put(kind, kept.puzzle, as_read), repairs=())
        second = answered(work, kind, unrepaired, budget)
        found = second if second.status is Status.SOLVED else found
    work.seconds["total"] = time.perf_counter() - began
    return replace(work.finished(found), placement_score=outcome.placement_score)


def _put(kind: Kind, puzzle: Any, given: Mapping[Cell, str]) -> Any:
    for cell, text in given.items():
        try:
            puzzle = kind.rules.put(puzzle, cell, text)
        except ValueError as error:
            raise OptionError(error.args[0]) from None
    return puzzle


def _search(kind: Kind, reading: Reading[Any], budget: Budget) -> Search[Any]:
    """The first answer, whether it is the only one, and if not, the others as far as they are cheaply had."""
    found = search(kind.rules.answers(reading.puzzle, budget), at_most=2 if kind.asks_unique else 1)
    if found.verdict is Verdict.SEVERAL:
        counting = Budget(nodes=EXTRA_NODES, parent=budget)
        counted = search(kind.rules.answers(reading.puzzle, counting), at_most=MOST_COUNTED)
        found = counted if len(counted.answers) >= len(found.answers) else found
    for answer in found.answers[:2]:  # the one that is drawn, and the one that says there are several
        if not kind.rules.holds(reading.puzzle, answer):  # a picture that is wrong is worse than none
            raise AssertionError(f"the {kind.name} solver gave an answer that breaks the rules; please report it")
    return found


def _reasons(kind: Kind, reading: Reading[Any], budget: Budget) -> list[str]:
    """Why there is no answer, as far as that is cheaply told."""
    try:
        return kind.rules.explain(reading.puzzle, Budget(nodes=EXTRA_NODES, parent=budget))
    except BudgetSpentError:
        return []


def _answer_marks(solved: Outcome) -> list[Mark]:
    kind, puzzle = solved.kind, solved.puzzle
    assert kind is not None
    standing = solved.reading.standing if solved.reading is not None else frozenset()
    marks = [mark for mark in kind.rules.marks(puzzle, solved.answer) if not _stands(mark, standing)]
    if kind.shows_rivals:
        first = kind.rules.contents(puzzle, solved.answer)
        others = [kind.rules.contents(puzzle, rival) for rival in solved.rivals]
        differ = [cell for cell in first if any(other.get(cell) != first[cell] for other in others)]
        marks += [Fence((cell,), RIVAL_INK, "doubt") for cell in differ]
    return marks


def _stands(mark: Mark, standing: frozenset[Cell]) -> bool:
    """Whether the picture itself shows the answer in all the cells that a mark covers."""
    cells = covered(mark)
    return bool(cells) and standing.issuperset(cells)


def _doubt_marks(doubts: Sequence[Doubt]) -> list[Mark]:
    cells: dict[Cell, None] = dict.fromkeys(doubt.cell for doubt in doubts)
    return [Fence((cell,), RIVAL_INK, "doubt") for cell in cells]


def _drawing(work: Work, outcome: Outcome, marks: Sequence[Mark]) -> Drawing:
    assert outcome.kind is not None
    assert outcome.reading is not None
    layout = outcome.kind.rules.layout(outcome.puzzle)
    known = [mark for mark in marks if not isinstance(mark, Fence) or all(cell in layout.cells for cell in mark.cells)]
    return Drawing(work.original, outcome.reading, layout, known, work.options.style)
