"""The way of a picture, with a kind made up for the purpose."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import toy_kind as toy
from PIL import Image

import solvepic
from solvepic import answering, pipeline
from solvepic.film import Reel, write_film
from solvepic.outcome import Outcome, Status
from solvepic.registry import KINDS
from solvers.board import grid_layout
from solvers.budget import Budget
from solvers.steps.step import CHOICE, TRYING
from solvers.verdict import Verdict
from vision.kind import Aids
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement
from vision.reading import Doubt, NotFound, Reading


@pytest.fixture(autouse=True)
def only_the_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "KINDS", (toy.TOY,))


def outcome(level: int) -> Outcome:
    return solvepic.solve(toy.picture(level))


@pytest.mark.parametrize(
    ("level", "status", "verdict", "unique", "says"),
    [
        (toy.UNIQUE, Status.SOLVED, Verdict.UNIQUE, True, "one solution"),
        (toy.SEVERAL, Status.SOLVED, Verdict.SEVERAL, False, "2 solutions, the first is drawn"),
        (toy.HALF, Status.SOLVED, Verdict.GAVE_UP, None, "not settled"),
        (toy.REPAIRED, Status.SOLVED, Verdict.UNIQUE, True, "r1c1 8 -> 3"),
        (toy.NONE, Status.UNSOLVABLE, Verdict.NONE, None, "no solution: the pocket at row 1 is too small;"),
        (toy.FAULTY, Status.UNSOLVABLE, None, None, "two queens attack"),
        (toy.ENDLESS, Status.TIMEOUT, Verdict.GAVE_UP, None, "--time-limit"),
        (
            toy.DOUBTFUL,
            Status.UNREADABLE,
            None,
            None,
            "(looks like 8 or 3): could be 3; if you can tell, say so with --set r1c2=3",
        ),
        (toy.MISREAD, Status.UNREADABLE, None, None, "blurred"),
        (toy.NOTHING, Status.NO_BOARD, None, None, "one shade"),
    ],
)
def test_every_ending(level: int, status: Status, verdict: Verdict | None, unique: bool | None, says: str) -> None:
    result = outcome(level)
    assert result.status is status
    assert result.verdict is verdict
    assert result.unique is unique
    assert says in result.message
    assert (result.picture is not None) == (status is Status.SOLVED)


def test_toys_are_asked_first_about_photos_only() -> None:
    grain = np.random.default_rng(0).integers(0, 255, (90, 90, 3), np.uint8)
    photo, capture = (list(pipeline._likeliest_first(Photo(shown), KINDS)) for shown in (grain, np.zeros_like(grain)))
    assert capture == list(KINDS)
    assert {kind.name for kind in photo[:2]} == {"pyramid", "kanoodle"}
    assert sorted(kind.name for kind in photo) == sorted(kind.name for kind in KINDS)


def test_a_board_that_was_read_in_part_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    find, read = toy.Reader.find, toy.Reader.read
    monkeypatch.setattr(toy.Reader, "find", lambda *given: asked.append(given[2].thorough) or find(*given))
    monkeypatch.setattr(toy.Reader, "read", lambda *given: replace(read(*given), partial="the rest was left"))
    result = outcome(toy.UNIQUE)
    assert (result.status, result.answer, asked) == (Status.UNREADABLE, 1, [False])
    assert "the rest was left" in result.message


@pytest.mark.parametrize(
    ("left_px", "told"), [(52, "another board lies at 52,10 92,10 92,30 52,30: "), (45, ""), (60, "")]
)
def test_a_board_beside_the_solved_one_is_named(monkeypatch: pytest.MonkeyPatch, left_px: float, told: str) -> None:
    """Not where it lies on the solved one, nor where it has no answer."""
    monkeypatch.setattr(
        toy.Reader,
        "find",
        lambda *_: [
            FlatPlacement.from_corners([(left, 10), (left + 40, 10), (left + 40, 30), (left, 30)], (2, 1), 0.9)
            for left in (10.0, left_px)
        ],
    )
    monkeypatch.setattr(
        toy.Reader,
        "read",
        lambda _, __, place, ___: Reading(toy.UNIQUE if place.to_photo([(0, 0)])[0][0] < 55 else toy.NONE, place),
    )
    result = outcome(toy.UNIQUE)
    assert result.status is Status.SOLVED
    assert "; ".join(result.notes).startswith(told)
    assert bool(result.notes) == bool(told)


@pytest.mark.parametrize(
    ("seen", "doubted", "told"),
    [(0.99, 0.01, "read"), (0.9, 0.01, "read"), (0.6, 0.01, "blurred"), (0.9, 0.2, "blurred"), (0.9, 1.0, "blurred")],
)
def test_the_refusal_of_the_board_that_is_seen_most_plainly_is_told(
    monkeypatch: pytest.MonkeyPatch, seen: float, doubted: float, told: str
) -> None:
    """A chessboard plainly seen was refused as one of numbers all of whose cells are in doubt."""
    monkeypatch.setattr(toy.Rules, "layout", lambda rules, puzzle: grid_layout(10, 10))
    doubts = [Doubt(divmod(k, 10), "8", 0.4, "could be 3") for k in range(round(100 * doubted))]
    reading = Reading(toy.DOUBTFUL, FlatPlacement(np.eye(3), (10, 10), seen), 0.4, doubts)
    read = Outcome("", Status.UNREADABLE, "read", toy.TOY, reading, placement_score=seen)
    plain = Outcome("", Status.UNREADABLE, "blurred", toy.TOY, placement_score=0.98)
    assert pipeline._most_informative([read, plain]).message == told
    assert pipeline._most_informative([replace(read, answer=1), plain]).message == "read", (
        "a part that is solved tells most"
    )


@pytest.mark.parametrize("shape", [(1, 1), (2, 40), (333, 5), (15, 15)])
def test_a_picture_of_hardly_any_pixels_shows_no_board(shape: tuple[int, int]) -> None:
    outcome = solvepic.solve(np.random.default_rng(1).integers(0, 256, (*shape, 3), np.uint8))
    assert outcome.status is Status.NO_BOARD
    assert f"{shape[1]} x {shape[0]} pixels" in outcome.message


def test_the_picture_is_drawn_on_and_the_given_one_is_not() -> None:
    before = toy.picture(toy.UNIQUE)
    result = solvepic.solve(before)
    assert result.picture is not None
    assert (before == toy.UNIQUE).all()
    assert (result.picture != before).any()
    assert (result.picture[:8] == before[:8]).all()


def test_where_answers_differ_the_cells_are_hatched() -> None:
    one, several = outcome(toy.UNIQUE).picture, outcome(toy.SEVERAL).picture
    assert one is not None
    assert several is not None
    differ = (one.astype(int) - toy.UNIQUE != several.astype(int) - toy.SEVERAL).any(axis=2)
    assert differ[20:40, 55:85].mean() > 0.2


def test_several_answers_are_counted_and_a_cut_short_count_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    every = outcome(toy.SEVERAL)
    assert every.record()["solutions"] == {"found": 2, "all": True}
    assert "2 solutions" in every.message
    monkeypatch.setattr(answering, "MOST_COUNTED", 2)
    some = outcome(toy.SEVERAL)
    assert some.record()["solutions"] == {"found": 2, "all": False}
    assert "at least 2 solutions" in some.message
    assert outcome(toy.UNIQUE).record()["solutions"] == {"found": 1, "all": True}
    assert outcome(toy.NOTHING).record()["solutions"] is None


def test_the_record_has_every_field_of_the_contract() -> None:
    record = outcome(toy.REPAIRED).record()
    answer = {"image", "status", "kind", "puzzle", "solution", "unique", "confidence", "repairs"}
    fields = answer | {"board", "overlay", "seconds", "message"}
    assert fields <= set(record)
    assert record["repairs"] == [{"cell": [0, 0], "read": "8", "used": "3"}]
    assert np.allclose(record["board"]["corners"], [[10, 10], [90, 10], [90, 50], [10, 50]], atol=0.01)
    assert set(record["seconds"]) == {"load", "find", "read", "solve", "draw", "total"}
    empty = outcome(toy.NOTHING).record()
    assert [empty[name] for name in ("kind", "puzzle", "solution", "unique", "board", "overlay")] == [None] * 6


def test_a_wrong_answer_of_a_solver_is_never_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy.Rules, "holds", lambda self, puzzle, answer: False)
    with pytest.raises(AssertionError, match="breaks the rules"):
        outcome(toy.UNIQUE)


def test_stage_pictures_are_written_when_asked_for(tmp_path: Path) -> None:
    solvepic.solve(toy.picture(toy.DOUBTFUL), debug=tmp_path)
    assert [path.name for path in sorted(tmp_path.glob("*.png"))] == ["01-photo.png", "02-doubts.png"]


def test_a_kind_that_does_not_exist_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no kind of puzzle is called 'sudoku'"):
        solvepic.solve(toy.picture(toy.UNIQUE), kind="sudoku")


def test_slow_searches_are_paid_for_only_when_nothing_came_of_the_quick_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    look = toy.Reader.find

    def spy(reader: object, photo: object, aids: object) -> object:
        asked.append(aids.thorough)  # type: ignore[attr-defined]
        return look(reader, photo, aids)  # type: ignore[arg-type]

    monkeypatch.setattr(toy.Reader, "find", spy)
    outcome(toy.UNIQUE)
    assert asked == [False]
    outcome(toy.NOTHING)
    assert asked == [False, False, True]


def test_a_place_is_looked_at_anew_only_when_more_speaks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    place = FlatPlacement.from_corners([(10, 10), (90, 10), (90, 50), (10, 50)], (2, 1))
    scores = {False: (0.0, 0.0), True: (0.0, 0.4, 0.0, 0.5)}
    read: list[float] = []

    def found(_eyes: object, _photo: object, aids: Aids) -> list[FlatPlacement]:
        return [replace(place, score=score) for score in scores[aids.thorough]]

    def refused(_eyes: object, _photo: object, placement: FlatPlacement, _aids: object) -> NotFound:
        read.append(placement.score)
        return NotFound("nothing")

    monkeypatch.setattr(toy.Reader, "find", found)
    monkeypatch.setattr(toy.Reader, "read", refused)
    outcome(toy.NOTHING)
    assert read == [0.0, 0.4]


@pytest.mark.parametrize("name", ["search.gif", "search.png"])
def test_the_film_shows_the_search_and_holds_the_answer(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toy.Guide, "RULES", (TRYING, CHOICE))
    write_film(tmp_path / name, outcome(toy.UNIQUE), Budget(), frames=12)
    with Image.open(tmp_path / name) as film:
        assert 8 <= film.n_frames <= 14
        film.seek(film.n_frames - 1)
        assert film.info["duration"] >= 2000


def test_the_film_follows_the_steps_where_rules_lead_to_the_answer(tmp_path: Path) -> None:
    write_film(tmp_path / "steps.gif", outcome(toy.UNIQUE), Budget(), frames=12)
    with Image.open(tmp_path / "steps.gif") as film:
        assert film.n_frames == 3  # two steps and the answer


def test_a_reel_keeps_evenly_spread_steps() -> None:
    reel = Reel(frames=10)
    for number in range(1000):
        reel.add(lambda number=number: number)  # type: ignore[misc]
    kept = [step() for step in reel.steps()]
    assert len(kept) == 10
    gaps = np.diff(kept)
    assert gaps.min() > 0
    assert gaps.max() <= 2 * gaps.min()
