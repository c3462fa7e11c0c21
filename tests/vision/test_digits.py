"""Numbers drawn in many ways are cut free, laid on a sheet and read."""

import cv2
import numpy as np
import pytest

from samples.canvas import Canvas, Type, circle_outline, closed
from vision.numbers.digits import (
    CERTAIN,
    DigitGuess,
    digit_reader,
    levelled,
    no_reader,
    numbers_among,
    read_glyphs,
    verdict,
)
from vision.numbers.glyphs import Glyphs, candidates, isolate
from vision.numbers.judge import NO_DIGIT, judge
from vision.numbers.ocr_engines import Word, engines
from vision.pictures.photo import Picture

SIDE = 60
NAVY, WHITE, BLACK, RED = (60, 40, 30), (255, 255, 255), (0, 0, 0), (40, 40, 210)


def cell(text: str, ink: tuple[int, int, int] = BLACK, ground: tuple[int, int, int] = WHITE) -> Canvas:
    """A cell with a number in its middle."""
    canvas = Canvas(np.full((SIDE, SIDE, 3), ground, np.uint8))
    if text:
        canvas.digits((SIDE / 2, SIDE / 2), text, Type("builtin", SIDE * 0.42), ink)
    return canvas


def isolated(picture: Picture) -> Glyphs:
    found = isolate(picture)
    assert found is not None
    return found


class Scripted:
    """An engine that finds the slots by their ink and answers by a script, one list of replies for each sheet."""

    def __init__(self, *sheets: list[tuple[str, float]]) -> None:
        self.replies = list(sheets)
        self.heights: list[int] = []

    def __call__(self, sheet: Picture) -> list[Word]:
        wide = cv2.dilate((sheet < 128).astype(np.uint8), np.ones((1, 15), np.uint8))
        boxes = np.asarray(cv2.connectedComponentsWithStats(wide)[2])[1:]
        self.heights.append(int(boxes[:, 3].max()))
        ordered = sorted(boxes.tolist(), key=lambda box: (box[1] // (2 * box[3]), box[0]))
        script = self.replies.pop(0)
        assert len(ordered) % len(script) == 0  # short sheets say everything several times
        replies = script * (len(ordered) // len(script))
        return [
            Word(text, confidence, (x, y, x + w, y + h))
            for (text, confidence), (x, y, w, h, _) in zip(replies, ordered, strict=True)
            if text
        ]


@pytest.mark.parametrize("degrees", [0, -16, 21])
def test_numbers_that_a_camera_saw_askew_are_set_upright_together(degrees: float) -> None:
    middle = (SIDE - 1) / 2
    turn = cv2.getRotationMatrix2D((middle, middle), degrees, 1.0)
    upright = [cv2.cvtColor(cell(text).picture, cv2.COLOR_BGR2GRAY) for text in ("4", "12", "7", "2", "5")]
    askew = [cv2.warpAffine(patch, turn, (SIDE, SIDE), borderValue=(255.0,)) for patch in upright]
    found = levelled([np.asarray(patch, np.uint8) for patch in askew])
    for patch, before in zip(found, upright, strict=True):
        away = np.abs(patch.astype(float) - before).mean()
        assert away <= np.abs(np.roll(before, 3, axis=1).astype(float) - before).mean()
    assert len(levelled([])) == 0


# --- cutting out ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["7", "11", "108"])
@pytest.mark.parametrize(("ink", "ground"), [(BLACK, WHITE), (WHITE, NAVY), ((120, 120, 120), (150, 150, 150))])
def test_a_number_comes_out_black_on_white_with_a_box_for_each_digit(
    text: str, ink: tuple[int, int, int], ground: tuple[int, int, int]
) -> None:
    found = isolated(cell(text, ink, ground).picture)
    assert len(found.boxes) == len(text)
    assert found.patch[0].min() == 255
    assert found.patch.min() < 30


@pytest.mark.parametrize("text", ["7", "12"])
def test_a_number_in_a_corner_of_its_cell_is_seen(text: str) -> None:
    canvas = Canvas(np.full((SIDE, SIDE, 3), WHITE, np.uint8))
    canvas.digits((0.2 * SIDE, 0.17 * SIDE), text, Type("builtin", 0.24 * SIDE), BLACK)
    found = isolated(canvas.picture)
    opinion, *_ = judge([(found.patch, found.boxes)])
    assert "".join(map(str, opinion.argmax(axis=1))) == text


def test_digits_that_differ_from_their_ground_in_hue_alone_are_seen() -> None:
    canvas = cell("24", (60, 160, 60), (60, 60, 254))  # both of the same grey
    gray = cv2.cvtColor(canvas.picture, cv2.COLOR_BGR2GRAY)
    assert int(gray.max()) - int(gray.min()) < 14
    assert len(isolated(canvas.picture).boxes) == 2


@pytest.mark.parametrize(("text", "blur"), [("8", 3.5), ("0", 4.5)])
def test_a_digit_that_blur_makes_a_blob_is_found_with_its_strokes_sharpened(text: str, blur: float) -> None:
    soft = cv2.GaussianBlur(cell(text).picture, (0, 0), blur)
    found = isolated(np.asarray(cv2.resize(soft, (40, 40), interpolation=cv2.INTER_AREA), np.uint8))
    assert judge([(found.patch, found.boxes)])[0][0].argmax() == int(text)


def test_a_badge_and_the_lines_at_the_rim_are_left_out() -> None:
    canvas = cell("")
    canvas.line([(1, 0), (1, SIDE)], 3, BLACK)
    canvas.rounded((12, 12, 48, 48), 6, RED)
    canvas.digits((30, 30), "8", Type("builtin", 20), WHITE)
    found = isolated(canvas.picture)
    assert len(found.boxes) == 1
    assert found.box[3] - found.box[1] == pytest.approx(20, abs=3)


@pytest.mark.parametrize("radius", [26, 23])
def test_a_ring_is_left_out_even_where_it_touches_the_digits(radius: int) -> None:
    canvas = cell("12", WHITE, NAVY)
    canvas.line(closed(circle_outline((30, 30), radius)), 3, WHITE)
    found = isolated(canvas.picture)
    assert len(found.boxes) == 2
    assert found.box[3] - found.box[1] < 32


def soft(canvas: Canvas, blur: float) -> Picture:
    """The cell as a small photo shows it."""
    blurred = cv2.GaussianBlur(canvas.picture, (0, 0), blur)
    return np.asarray(cv2.resize(blurred, (34, 34), interpolation=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize(("text", "radius", "blur"), [("10", 22, 1.5), ("10", 23, 2.0), ("12", 23, 1.5)])
def test_a_number_that_blur_joins_to_its_ring_is_cut_free_of_it(text: str, radius: int, blur: float) -> None:
    """What is between the digits and the ring looks like a 1; of a 2 that touches it the 1 beside it is left alone."""
    canvas = cell(text, WHITE, (120, 80, 110))
    canvas.line(closed(circle_outline((30, 30), radius)), 2.5, WHITE)
    found = isolated(soft(canvas, blur))
    assert [int(row.argmax()) for row in judge([(found.patch, found.boxes)])[0]] == [int(digit) for digit in text]


def test_the_true_cut_is_among_those_that_the_judge_is_taught_with() -> None:
    canvas = cell("10", WHITE, (120, 80, 110))
    canvas.line(closed(circle_outline((30, 30), 22)), 2.5, WHITE)
    found = candidates(soft(canvas, 1.5))
    opinions = judge([(one.patch, one.boxes) for one in found])
    read = {"".join(str(int(row.argmax())) for row in one) for one in opinions}
    assert "10" in read
    assert any(row.argmax() == NO_DIGIT for one in opinions for row in one)


def test_the_hole_of_a_dotted_zero_is_not_the_number() -> None:
    """Faces for programmers have such zeros; their hole is as even and high as a digit, and its outline is dented."""
    crop, ink = np.full((96, 96, 3), 43, np.uint8), (214, 214, 214)
    cv2.rectangle(crop, (24, 26), (34, 71), ink, -1)
    cv2.rectangle(crop, (16, 63), (44, 71), ink, -1)
    cv2.ellipse(crop, (67, 48), (15, 24), 0, 0, 360, ink, -1)
    cv2.ellipse(crop, (67, 48), (7, 16), 0, 0, 360, (43, 43, 43), -1)
    cv2.circle(crop, (69, 48), 4, ink, -1)  # the dot touches the rim on one side
    crop = np.asarray(cv2.GaussianBlur(crop, (3, 3), 0), np.uint8)
    found = isolate(crop)
    assert found is not None
    assert len(found.boxes) == 2


@pytest.mark.parametrize("blank", ["plain", "line", "tile", "disc"])
def test_nothing_is_seen_where_there_is_no_number(blank: str) -> None:
    canvas = cell("")
    if blank == "line":
        canvas.line([(20, 0), (20, SIDE)], 2, BLACK)
    if blank == "tile":
        canvas.rounded((5, 5, 55, 55), 8, RED)
    if blank == "disc":
        canvas.disc((30, 30), 12, RED)
    assert isolate(canvas.picture) is None


def test_a_crop_of_a_few_pixels_holds_nothing() -> None:
    assert isolate(np.zeros((2, 3), np.uint8)) is None


# --- one sheet --------------------------------------------------------------------------------------------------------


def test_each_word_goes_to_the_slot_it_stands_in() -> None:
    texts = [str(number) for number in range(3, 20)]
    glyphs = [isolated(cell(text).picture) for text in texts]
    guesses = read_glyphs(glyphs, Scripted([(text, 0.97) for text in texts]))
    assert [guess.text for guess in guesses] == texts
    assert all(guess.confidence >= CERTAIN for guess in guesses)


def test_a_contradicted_or_missing_reading_is_tried_again_at_other_heights() -> None:
    glyphs = [isolated(cell(text).picture) for text in ("5", "3", "11")]
    engine = Scripted([("5", 0.97), ("8", 0.5), ("", 0)], [("3", 0.5), ("11", 0.96)], [("3", 0.5)])
    first, second, third = read_glyphs(glyphs, engine)
    assert len(set(engine.heights)) == 3
    assert first.text == "5"
    assert second.text == "3"
    assert second.confidence < CERTAIN
    assert second.alternatives[0][0] == "8"
    assert third.text == "11"


def test_a_reading_with_fewer_digits_than_shapes_is_never_certain() -> None:
    glyphs = [isolated(cell("11").picture)]
    (guess,) = read_glyphs(glyphs, Scripted([("1", 0.98)], [("1", 0.98)], [("1", 0.98)]))
    assert guess.confidence < 0.8


def test_a_sheet_on_which_nothing_is_found_is_shown_once_more_with_thinner_strokes() -> None:
    glyphs = [isolated(cell(text).picture) for text in ("4", "7")]
    script = Scripted([("", 0), ("", 0)], [("4", 0.97), ("7", 0.97)])
    sheets: list[Picture] = []

    def engine(sheet: Picture) -> list[Word]:
        sheets.append(sheet)
        return script(sheet)

    guesses = read_glyphs(glyphs, engine)
    assert [guess.text for guess in guesses] == ["4", "7"]
    assert (sheets[1] >= sheets[0]).all()
    assert sheets[1].mean() > sheets[0].mean()


# --- two readers ------------------------------------------------------------------------------------------------------


def opinion(*digits: dict[int, float]) -> np.ndarray:
    """What the judge says: for each digit, how likely it is what."""
    rows = np.zeros((len(digits), 11), np.float32)
    for row, likely in zip(rows, digits, strict=True):
        for digit, chance in likely.items():
            row[digit] = chance
    return rows


def test_two_readers_that_agree_are_believed_more_than_one() -> None:
    agreed = verdict([("8", 0.85)], opinion({8: 0.95, 3: 0.05}))
    assert agreed.text == "8"
    assert agreed.confidence > 0.9


def test_two_sure_readers_that_contradict_each_other_are_both_named_and_not_believed() -> None:
    guess = verdict([("8", 0.97)], opinion({3: 0.97, 8: 0.01}))
    assert {guess.text, guess.alternatives[0][0]} == {"3", "8"}
    assert guess.confidence < 0.6


def test_a_shape_that_is_no_digit_is_not_believed_to_be_one() -> None:
    assert verdict([("4", 0.95)], opinion({NO_DIGIT: 0.95, 4: 0.04})).confidence < 0.7
    assert verdict([("", 0.0)], opinion({NO_DIGIT: 0.95, 4: 0.04})).text == ""


def test_each_digit_may_be_another() -> None:
    guess = verdict([("12", 0.9)], opinion({1: 0.8, 7: 0.2}, {2: 1.0}))
    assert guess.text == "12"
    assert "72" in dict(guess.alternatives)


@pytest.mark.parametrize("number", [10, 234, 567, 89])
def test_the_judge_knows_plain_digits(number: int) -> None:
    found = isolated(cell(str(number)).picture)
    (seen,) = judge([(found.patch, found.boxes)])
    assert [int(row.argmax()) for row in seen] == [int(digit) for digit in str(number)]
    assert seen.max(axis=1).min() > 0.8
    assert seen.sum(axis=1) == pytest.approx(1.0, abs=1e-5)


def test_no_reader_reads_nothing() -> None:
    assert no_reader([np.zeros((9, 9), np.uint8)]) == [DigitGuess("", 0.0)]


@pytest.mark.parametrize("name", ["tesserocr", "tesseract"])
def test_the_real_engine_reads_drawn_numbers(name: str) -> None:
    state = next(state for state in engines() if state.name == name)
    if not state.usable:
        pytest.skip(state.missing)
    texts = [str(number) for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 18, 24, 36, 48, 108)]
    inks = [(BLACK, WHITE), (WHITE, NAVY), (RED, WHITE)]
    patches = [cell(text, *inks[index % 3]).picture for index, text in enumerate(texts)]
    guesses = digit_reader(name)([*patches, cell("").picture])
    assert [guess.text for guess in guesses] == [*texts, ""]
    assert all(guess.confidence >= 0.9 for guess in guesses[:-1])


def test_crosses_are_counted_as_no_numbers_and_tesseract_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    cross = np.full((90, 90, 3), 255, np.uint8)
    cv2.line(cross, (30, 30), (60, 60), (0, 0, 0), 5, cv2.LINE_AA)
    cv2.line(cross, (60, 30), (30, 60), (0, 0, 0), 5, cv2.LINE_AA)
    asked: list[str] = []

    def started(name: str) -> object:
        asked.append(name)
        return lambda sheet: []

    monkeypatch.setattr("vision.numbers.digits.engine", started)
    assert numbers_among([cross] * 4) == 0
    assert digit_reader()([cross] * 4) == no_reader([cross] * 4)
    assert not asked
    sideways = np.ascontiguousarray(np.rot90(cell("5").picture))
    assert (numbers_among([sideways], 1), numbers_among([cell("5").picture])) == (1, 1)
    on_its_side = np.ascontiguousarray(np.rot90(cell("8").picture))
    assert isolate(on_its_side) is None  # too wide for a digit, but nothing else was cut free either
    assert numbers_among([on_its_side], 1) == 1
    assert numbers_among([on_its_side] * 4 + [cross], 1) == 4  # what was cut free is hardly any of it
    digit_reader()([cross, cell("5").picture])
    assert asked
