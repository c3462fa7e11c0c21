"""The Stitch reader on drawn boards: what is read, what the user may say, what is refused."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from samples import stitch as drawn
from solvers.budget import Budget
from solvers.stitch import UNKNOWN, Stitch, parse
from vision import stitch
from vision.cells import reader
from vision.cells.reader import Floats
from vision.clues.badges import Badge, number_on
from vision.clues.beliefs import NO_CLUE, Belief
from vision.clues.observation import Observation, carrying, likely_turns, observe, on_bare_cells, turns
from vision.clues.repair import Settled, either_way_up
from vision.kind import Aids
from vision.numbers.digits import DigitGuess, digit_reader
from vision.pictures.bending import regrown
from vision.pictures.flatten import cell_side_px, flatten, upended
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, turned
from vision.reading import NotFound, Reading, Repair


def aids(**said: object) -> Aids:
    return Aids(digits=digit_reader(), budget=Budget(seconds=60), **said)  # type: ignore[arg-type]


def reading(photo: Photo, given: Aids) -> Reading[Stitch] | NotFound:
    places = stitch.find(photo, given)
    return places if isinstance(places, NotFound) else stitch.read(photo, places[0], given)


@pytest.mark.parametrize(("style", "seed"), [("light", 301), ("tiles", 302), ("patches", 303), ("game", 304)])
def test_a_drawn_board_is_read_as_it_is(style: str, seed: int) -> None:
    sample = drawn.draw(np.random.default_rng(seed), style=style)
    found = reading(Photo(sample.picture), aids())
    assert isinstance(found, Reading)
    assert [list(row) for row in found.puzzle.clues] == sample.truth["clues"]
    assert not found.doubts
    assert set(found.inks) == set(found.puzzle.clue_cells)


@pytest.mark.slow
def test_badges_of_a_legend_below_a_board_are_no_clues_where_the_board_alone_has_one_answer() -> None:
    sample = drawn.draw(np.random.default_rng(302), style="patches", rows=6, cols=6, filled=0, device="bare")
    board, clues = FlatPlacement.from_corners(sample.truth["corners"], (6, 6)), sample.truth["clues"]
    page = np.pad(sample.picture, ((0, round(2 * cell_side_px(board))), (0, 0), (0, 0)), mode="edge")
    (left, top), (right, bottom) = board.to_photo([(0, 6.5), (6, 8)]).round().astype(int)
    cv2.rectangle(page, (left, top), (right, bottom), (90, 90, 90))
    numberless = [(r, c) for r in range(6) for c in range(6) if clues[r][c] == UNKNOWN]
    for (row, col), x in zip(numberless, (1, 4), strict=False):
        (left, top), (right, bottom), (x0, y0) = board.to_photo(
            [(col + 0.1, row + 0.1), (col + 0.9, row + 0.9), (x + 0.1, 7.05)]
        ).astype(int)
        page[y0 : y0 + bottom - top, x0 : x0 + right - left] = page[top:bottom, left:right]
    found = stitch.read(Photo(page), regrown(board, (0, 0, 0, 2)), aids())
    assert isinstance(found, Reading)
    assert [list(row) for row in found.puzzle.clues] == clues
    assert not found.doubts


def test_missing_cells_are_holes() -> None:
    sample = drawn.draw(np.random.default_rng(100), style="tiles", holes=5)
    found = reading(Photo(sample.picture), aids())
    assert isinstance(found, Reading)
    assert [list(row) for row in found.puzzle.clues] == sample.truth["clues"]


@pytest.mark.slow
def test_an_upside_down_board_is_turned() -> None:
    sample = drawn.draw(np.random.default_rng(301), style="light")
    found = reading(Photo(np.ascontiguousarray(sample.picture[::-1, ::-1])), aids())
    assert isinstance(found, Reading)
    assert [list(row) for row in found.puzzle.clues] == sample.truth["clues"]


@pytest.mark.slow
def test_a_board_is_turned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(stitch, "turns", lambda *_: asked.append(1) or 1)
    sample = drawn.draw(np.random.default_rng(301), style="light")
    reading(Photo(sample.picture), aids())
    assert len(asked) == 1


def marks(mark: reader.Mark) -> Floats:
    """What the network says where it is sure."""
    return np.asarray([float(one == mark) for one in reader.MARKS], np.float32)


def test_where_most_badges_are_empty_those_with_something_on_them_tell_what_is_up() -> None:
    crop = np.full((40, 40, 3), 255, np.uint8)
    crop[6:34, 6:34] = (200, 60, 60)
    number = crop.copy()
    number[14:26, 16:24] = 255
    on_side = np.ascontiguousarray(np.rot90(number))
    badge = Badge("square", (0.15, 0.15, 0.85, 0.85), (200, 60, 60), 140.0, 1.0)
    number = number_on(number, badge)

    def digits(pictures: Sequence[Picture]) -> list[DigitGuess]:
        return [DigitGuess("4", 0.95) if np.array_equal(one, number) else DigitGuess("", 0.0) for one in pictures]

    crops = [crop] * 20 + [on_side] * 2
    likely = [marks("blank")] * 20 + [marks("square")] * 2
    cells = [(0, c) for c in range(22)]
    observed = Observation(cells, crops, digits(crops), [badge] * 22, likely)
    assert turns(observed, replace(aids(), digits=digits)) == 1


def test_what_the_user_says_counts() -> None:
    sample = drawn.draw(np.random.default_rng(301), style="light")
    rows, cols = len(sample.truth["clues"]), len(sample.truth["clues"][0])
    photo = Photo(sample.picture)
    cell = next((r, c) for r in range(rows) for c in range(cols) if sample.truth["clues"][r][c])
    false = sample.truth["clues"][cell[0]][cell[1]] + 1
    found = reading(photo, aids(given={cell: str(false)}))
    # What the user says is not corrected; if anything, what was read elsewhere is.
    assert isinstance(found, Reading)
    assert found.puzzle.clue(cell) == false
    assert found.doubts or found.repairs
    places = stitch.find(photo, aids(size=(cols, rows)))
    assert not isinstance(places, NotFound)
    assert places[0].size == (cols, rows)


def test_a_part_of_a_board_is_grown_or_refused() -> None:
    sample = drawn.draw(np.random.default_rng(301), style="light")
    photo = Photo(sample.picture)
    places = stitch.find(photo, aids())
    assert not isinstance(places, NotFound)
    whole = places[0]
    cols, rows = whole.size
    part = FlatPlacement.from_corners(
        whole.to_photo([(0, 0), (cols - 1, 0), (cols - 1, rows), (0, rows)]), (cols - 1, rows)
    )
    grown = stitch.read(photo, part, aids())
    assert isinstance(grown, Reading)
    assert (grown.puzzle.rows, grown.puzzle.cols) == (rows, cols)
    assert not stitch.read(photo, part, aids(size=(rows, cols - 1)))


def test_an_empty_page_has_no_board() -> None:
    assert not stitch.find(Photo(np.full((500, 300, 3), 240, np.uint8)), aids())


def test_turning_a_placement_four_times_changes_nothing() -> None:
    place = FlatPlacement.from_corners([(10, 20), (110, 25), (105, 180), (8, 170)], (4, 6))
    once = turned(place, 1)
    assert once.size == (6, 4)
    # What is at the bottom left comes to the top left when a picture is turned clockwise.
    assert np.allclose(once.to_photo([(0, 0)]), [(8, 170)], atol=1e-3)
    assert np.allclose(turned(once, 3).matrix, place.matrix)


def test_what_was_laid_flat_is_turned_with_its_place() -> None:
    noise = np.random.default_rng(5).integers(0, 256, (60, 50, 3), dtype=np.uint8)
    photo, quarters = Photo(cv2.resize(noise, (200, 240), interpolation=cv2.INTER_CUBIC)), 3
    place = FlatPlacement.from_corners([(30, 40), (170, 30), (180, 210), (25, 200)], (4, 6))
    anew = flatten(photo, turned(place, quarters), 20).astype(np.int16)
    flatten(photo, place, 20)
    there = upended(photo, place, quarters)
    assert np.abs(flatten(photo, there, 20) - anew).max() <= 12  # interpolated in steps of 1/32 pixel
    assert np.array_equal(flatten(photo, there, 20), np.rot90(flatten(photo, place, 20), -quarters))


def digits_the_way(up: int, asked: list[int], number: Picture) -> Callable[[Sequence[Picture]], list[DigitGuess]]:
    """Reads the number in what is turned by so many quarters; notes by how many each look was turned."""

    def read(pictures: Sequence[Picture]) -> list[DigitGuess]:
        turns_of = [next(q for q in range(4) if np.array_equal(one, np.rot90(number, -q))) for one in pictures]
        asked.append(turns_of[0])
        return [DigitGuess("4", 0.95) if q == up else DigitGuess("", 0.0) for q in turns_of]

    return read


@pytest.mark.parametrize("quarters", range(4))
def test_a_glance_at_a_few_numbers_tells_which_side_is_up(quarters: int) -> None:
    sample = drawn.draw(np.random.default_rng(10), style="light", rows=6, cols=5, device="bare", family="builtin")
    lying = Photo(np.ascontiguousarray(np.rot90(sample.picture, quarters)))
    (left, top), _, (right, bottom), _ = sample.truth["corners"]
    width, height = sample.picture.shape[1], sample.picture.shape[0]
    box = [(left, top, right, bottom), (top, width - right, bottom, width - left)]
    box += [(width - right, height - bottom, width - left, height - top), (height - bottom, left, height - top, right)]
    x0, y0, x1, y1 = box[quarters]
    place = FlatPlacement.from_corners(
        [(x0, y0), (x1, y0), (x1, y1), (x0, y1)], (5, 6) if quarters % 2 == 0 else (6, 5)
    )
    cells = [(int(r), int(c)) for r, c in np.argwhere(carrying(lying, place))]
    assert likely_turns(lying, place, cells) == quarters
    assert likely_turns(lying, place, cells[:1]) == 0


def test_the_way_up_that_looks_most_like_digits_is_tried_first() -> None:
    number = np.full((72, 72, 3), 240, np.uint8)
    cv2.polylines(number, [np.array([(42, 54), (42, 20), (26, 44), (48, 44)])], False, (20, 20, 20), 4)
    asked: list[int] = []
    on_head = np.ascontiguousarray(np.rot90(number, 2))
    observed = Observation(
        [(0, c) for c in range(6)], [on_head] * 6, [DigitGuess("", 0.0)] * 6, [None] * 6, [marks("number")] * 6
    )
    assert turns(observed, replace(aids(), digits=digits_the_way(0, asked, number))) == 2
    assert asked == [0]


@pytest.mark.parametrize(("third", "on_head", "quarters"), [("", "3", 2), ("3", "", 0)])
def test_numbers_that_are_numbers_upside_down_do_not_tell_the_way_up(third: str, on_head: str, quarters: int) -> None:
    cells = [np.full((72, 72, 3), 240, np.uint8) for _ in range(3)]
    for cell in cells:
        cv2.polylines(cell, [np.array([(30, 18), (46, 18), (30, 52), (46, 52)])], False, (20, 20, 20), 4)
        cell[30:34, 10:14] = 0
    up, down = (
        [DigitGuess(text, 0.97 if text else 0.0) for text in texts]
        for texts in (("6", "8", third), ("9", "8", on_head))
    )

    def digits(pictures: Sequence[Picture]) -> list[DigitGuess]:
        return down if np.array_equal(pictures[0], np.rot90(cells[0], 2)) else [DigitGuess("", 0.0)] * 3

    observed = Observation([(0, c) for c in range(3)], cells, up, [None] * 3, [marks("number")] * 3)
    assert turns(observed, replace(aids(), digits=digits)) == quarters


@pytest.mark.slow
def test_a_clue_that_hardly_stands_out_on_rope_is_read() -> None:
    sample = drawn.draw(np.random.default_rng(1), style="game", rows=7, cols=5, filled=0.8, device="bare")
    photo, place = Photo(sample.picture), FlatPlacement.from_corners(sample.truth["corners"], (5, 7))
    hidden = (6, 4)
    assert sample.truth["clues"][hidden[0]][hidden[1]] == 1
    assert carrying(photo, place)[hidden]
    found = stitch.read(photo, place, aids())
    assert isinstance(found, Reading)
    assert [list(row) for row in found.puzzle.clues] == sample.truth["clues"]
    assert not found.doubts


def test_a_number_on_a_cell_that_seems_bare_is_likely_as_far_as_both_readers_see_one() -> None:
    sample = drawn.draw(
        np.random.default_rng(3), style="game", rows=8, cols=6, device="bare", filled=0.5, family="builtin"
    )
    photo, clues = Photo(sample.picture), sample.truth["clues"]
    place = FlatPlacement.from_corners(sample.truth["corners"], (6, 8))
    cells = [(r, c) for r in range(8) for c in range(6) if clues[r][c]]
    missed = cells.pop()
    observed = observe(photo, place, cells, aids())
    beliefs = {belief.cell: belief for belief in on_bare_cells(photo, place, observed, aids())}
    assert beliefs.pop(missed).value == clues[missed[0]][missed[1]]
    assert all(belief.value == NO_CLUE for belief in beliefs.values())


def test_a_board_is_never_solved_without_a_row_whose_lines_are_too_faint() -> None:
    sample = drawn.draw(np.random.default_rng(10), style="light", rows=6, cols=5, device="bare", family="builtin")
    (left, _), _, (right, bottom), _ = sample.truth["corners"]
    assert not any(sample.truth["clues"][-1])
    picture, side = sample.picture.copy(), (right - left) / 5
    last = slice(round(bottom - 0.85 * side), round(bottom - 0.15 * side))
    for k in range(1, 5):
        x, near = round(left + k * side), round(0.1 * side)
        picture[last, x - near : x + near] = picture[last, x - 2 * near, None]
    place = FlatPlacement.from_corners(sample.truth["corners"], (5, 6), score=0.9)
    found = stitch.read(Photo(picture), place, aids())
    read = isinstance(found, Reading) and not found.doubts
    assert not read or [list(row) for row in found.puzzle.clues] == sample.truth["clues"]


@pytest.mark.parametrize(
    ("text", "doubted"),
    [
        ("6 . . . 1 ?", 1),  # as well 9
        ("6 . . . 1 2", 0),  # no digit upside down
        ("6 . . . 10 ?", 0),  # nobody writes 01
        ("6 . . . . 1 .", 0),  # 1 and 9 are no board of seven cells
        ("6 . . . . 9 . . . . . . . . .", 2),
    ],
)
def test_numbers_may_stand_on_their_heads_where_nothing_tells_otherwise(text: str, doubted: int) -> None:
    upended = either_way_up(Settled(parse(text), 0.9), {})
    assert len(upended.doubts) == doubted


def test_a_clue_that_only_its_patch_told_is_named() -> None:
    puzzle = Stitch(((2, 0), (0, 2)))
    read = [Belief((0, 0), ((2, 0.98),)), Belief((1, 1), ((NO_CLUE, 0.6), (2, 0.1)))]
    told = stitch._with_patch_clues(Settled(puzzle, 0.98), read)
    assert told.repairs == (Repair((1, 1), "", "2"),)
    assert stitch._with_patch_clues(Settled(puzzle, 0.98, told.repairs), read).repairs == told.repairs


@pytest.mark.slow
def test_of_two_filled_patches_that_make_a_rectangle_those_that_follow_are_read_too() -> None:
    picture = np.full((760, 520, 3), 30, np.uint8)
    patches = [(0, 0, 4, 1, 1), (0, 1, 4, 3, 2), (4, 3, 1, 1, 4), (5, 3, 2, 1, 5), (4, 0, 3, 3, 6)]
    for index, (row, col, high, wide, number_row) in enumerate(patches):
        x, y = 100 + 80 * col, 100 + 80 * row
        tint = [(180, 215, 170), (170, 245, 175), (190, 185, 230), (150, 230, 235), (215, 175, 195)][index]
        cv2.rectangle(picture, (x + 5, y + 5), (x + 80 * wide - 5, y + 80 * high - 5), tint, -1)
        at = (x + (80 if wide > 1 else 0) + 20, 100 + 80 * number_row + 55)
        cv2.putText(picture, str(high * wide), at, cv2.FONT_HERSHEY_DUPLEX, 1.1, (25, 25, 25), 2, cv2.LINE_AA)
    noisy = np.clip(picture + np.random.default_rng(1).normal(0, 3, picture.shape), 0, 255).astype(np.uint8)
    off = np.array([(0.02, 0.0), (4.12, 0.0), (3.8, 4.06), (-0.03, 4.06)])
    place = FlatPlacement.from_corners(100 + 80 * off, (4, 4), 0.5)
    found = stitch.read(Photo(noisy), place, aids())
    assert isinstance(found, Reading)
    assert [[clue for clue in row if clue] for row in found.puzzle.clues] == [[], [4], [12], [], [1], [2], [9]]
    assert not found.doubts
