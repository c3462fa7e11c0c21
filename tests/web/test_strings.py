"""What the page says in Chinese: every rule, every reason, every verdict, every refusal."""

import ast
import copy
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from string import Formatter
from typing import Any

import cv2
import numpy as np
import pytest

import solvepic
import solvers
import vision
from docs.refusals import REFUSALS
from samples import triazzle
from samples.puzzles import balls, knight, regions, stitch
from solvepic import checking, sentences
from solvepic.checking import Check, taken_away
from solvepic.registry import KINDS, Kind
from solvepic.web import strings
from solvepic.web.chinese import CATALOGUE
from solvepic.web.reader import Reader
from solvers import kanoodle, pyramid
from solvers.budget import Budget
from solvers.message import Message
from solvers.steps.step import Placed
from solvers.stitch import SHAPES, SIDES
from solvers.verdict import Search, Verdict
from vision.cells import reader
from vision.clues.outline import HOLE
from vision.reading import Doubt, NotFound, Reading

ROOT = Path(solvepic.__file__).parent
SOURCES = [
    *Path(solvers.__file__).parent.glob("*.py"),
    *(Path(solvers.__file__).parent / "steps").glob("*.py"),
    *Path(vision.__file__).parent.rglob("*.py"),
    *(ROOT / f"{name}.py" for name in ("sentences", "pipeline", "options", "answering", "checking")),
    *(ROOT / "web" / f"{name}.py" for name in ("app", "guard", "reader")),
]
"""Where the sentences come from that the page shows."""

ELSEWHERE = {
    *("ocr_engines.py", "lab.py", "trace.py"),  # what the doctor says, and the names of threads
    *("parse", "_parse", "parse_ranks", "line", "summary", "resumed", "_written"),  # of texts, and for terminals
    *("_read_file", "_too_long", "_notes", "taken"),  # of files and arrays, which no phone sends
}
"""Modules and functions whose words the page never shows."""

NOT_SHOWN = {
    *(
        "take back",
        "the picture",
        "standard input",
        "gave up",
        "no solution",
        "several solutions",
        "one of many solutions",
    ),
}
"""What looks like a sentence and is none that the page shows."""

NAMES = {
    *(kind.name for kind in KINDS),
    *(*reader.MARKS, "other", "region", HOLE, "nothing", "no clue", *SHAPES, *SIDES),
    *("1 clue", "1 cell", "1 ball", "1 way", "solved", "solving", "reading", "complete", "{name} set", "5 x 11 board"),
    *("it may as well be a ball of {letter}", "a Sudoku"),
} - {"2048"}
"""Words that are parts of sentences."""

LATIN = re.compile(r"[A-Za-z]{2,}")
OPTION = re.compile(r"--\w|say hole|填 hole")
"""Words of the command line: on the page one taps."""

PROSE = re.compile(r"^(?!--|/)(.*[a-z]{2,}[,;:]? [a-z{]|.*\{[a-z]+[!:}])")
CELL = re.compile(r"r\d+c\d+")
KEPT = re.compile(
    CELL.pattern + r"|Stitch|Patches|Zip|Kanoodle|Triazzle|iq|Warnsdorff|Schwenk|MB|JSON|null"
    r"|PNG|JPEG|WebP|GIF|BMP|TIFF|HEIC|AVIF"
    r"|solvepic serve|/api|\.png|\.jpg|solution|read\b|picture|check"
)
"""Names that are the same in Chinese: cells, games, people, formats, addresses."""


def constants(tree: ast.AST) -> set[str]:
    return {one.value for one in ast.walk(tree) if isinstance(one, ast.Constant) and isinstance(one.value, str)}


def is_said_elsewhere(node: ast.AST, function: str) -> bool:
    """Documentation, notes for developers, errors of programmers, and what only terminals show."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Raise) and function != "put":
        called = {ast.unparse(one.func) for one in ast.walk(node) if isinstance(one, ast.Call)}
        return not called & {"RefusalError", "Message", "_said"}
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("note", "picture", "info", "Route", "Mount")
    return isinstance(node, ast.Assert) or getattr(node, "name", "") in ELSEWHERE


def pieces(node: ast.AST, function: str = "") -> Iterator[ast.Constant | ast.JoinedStr]:
    """The texts below a node that may be shown."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or name in ("annotation", "returns"):
                continue
            inner = child.name if isinstance(child, ast.FunctionDef) else function
            if is_said_elsewhere(child, inner):
                continue
            if isinstance(child, ast.JoinedStr) or (isinstance(child, ast.Constant) and isinstance(child.value, str)):
                yield child
            else:
                yield from pieces(child, inner)


def shown() -> Iterator[tuple[Path, ast.Constant | ast.JoinedStr]]:
    for path in SOURCES:
        if path.name not in ELSEWHERE:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            yield from ((path, piece) for piece in pieces(tree))


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def test_every_sentence_that_the_page_can_show_is_said_in_chinese() -> None:
    found = {piece.value for _, piece in shown() if isinstance(piece, ast.Constant) and PROSE.search(piece.value)}
    rules = {rule for kind in KINDS for rule in kind.guide.RULES} | {checking.MISPLACED}
    assert len(found) > 250
    assert found - NOT_SHOWN - CATALOGUE.keys() == set()
    assert CATALOGUE.keys() - found - rules - NAMES == set()
    for english, chinese in CATALOGUE.items():
        assert english.startswith("send JSON") or fields(chinese) <= fields(english)
        assert not LATIN.search(KEPT.sub("", re.sub(r"\{\w+[^}]*\}", "", chinese))), chinese
    assert {english for english in found if OPTION.search(english)} <= strings.PAGE.keys() <= found
    for catalogue in strings.CATALOGUES.values():
        assert [said for said in catalogue.values() if OPTION.search(said) or "{remedy}" in said] == []


def test_no_sentence_is_put_together_outside_of_a_message() -> None:
    for path, text in shown():
        if isinstance(text, ast.JoinedStr):
            parts = constants(text)
            assert any(one.startswith(("--", "<", "/")) for one in parts) or not any(map(LATIN.search, parts)), (
                f"{path}: {ast.unparse(text)}"
            )


def drawn(kind: Kind, seed: int) -> Any:
    rng = Random(seed)
    return {
        "stitch": lambda: stitch.make(rng, 8, 8)[0],
        "queens": lambda: regions.make(rng, 8)[0],
        "pyramid": lambda: balls.make(rng, pyramid.RULES, given=5)[0],
        "kanoodle": lambda: balls.make(rng, kanoodle.RULES, given=5)[0],
        "triazzle": lambda: triazzle.random_puzzle(np.random.default_rng(seed)),
        "knight": lambda: knight.make(rng, 7, 7),
    }[kind.name]()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_chinese_hint_holds_no_english(kind: Kind) -> None:
    for seed in range(4):
        puzzle, standing = kind.guide.begun(drawn(kind, seed))
        for step in kind.guide.steps(puzzle, standing, Budget()):
            said = strings.translated("zh", step.because)
            assert english(said) == [], said
            assert set(CELL.findall(step.because)) == set(CELL.findall(said))
            assert strings.translated("en", step.because) == step.because


def english(said: str) -> list[str]:
    """The English words in a text that should be Chinese."""
    return LATIN.findall(KEPT.sub("", strings.translated("zh", said)))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_chinese_verdict_holds_no_english(kind: Kind) -> None:
    puzzle = drawn(kind, 0)
    reading: Any = Reading(puzzle, None)  # type: ignore[arg-type]  # sentences do not ask where a board lies
    doubts = [Doubt((0, 0), "empty", 0.5, "it may belong to another region", instead=("queen",))]
    unsure: Any = Reading(puzzle, None, doubts=doubts * 8)  # type: ignore[arg-type]
    partly: Any = Reading(puzzle, None, partial="patches that are filled already were left as they are")  # type: ignore[arg-type]
    standing = kind.guide.placings(puzzle, next(kind.rules.answers(puzzle, Budget())))
    several = Search(Verdict.SEVERAL, (None,) * 1_200, complete=False)
    check = Check(standing, standing[:1], (standing[1:2],))
    why = NotFound("the grid is empty, which is so on no Stitch board", game="a Sudoku")
    for said in (
        sentences.solved(kind, reading, Search(Verdict.UNIQUE, (None,), complete=True)),
        sentences.solved(kind, partly, several),
        sentences.doubtful(kind, unsure),
        sentences.misplaced(kind, puzzle, check),
        sentences.well_placed(kind, puzzle, Check(standing)),
        sentences.well_placed(kind, puzzle, Check(standing, complete=True)),
        sentences.no_board([kind], [why.reason]),
        sentences.no_board_of_size([kind], (3, 4)),
        sentences.unreadable(kind, why),
        sentences.another_game(why),
        sentences.faulty(["the board has no clues"] * 9),
        sentences.impossible([]),
        sentences.timeout(2.5, "reading"),
    ):
        assert english(said) == [], said
        assert not OPTION.search(strings.translated("en", said))


@pytest.mark.parametrize("name", ["lost-clue", "cut-off", "sudoku", "small"])
def test_a_refused_picture_is_told_in_chinese_without_words_of_the_command(name: str) -> None:
    data = cv2.imencode(".png", REFUSALS[name][1]())[1].tobytes()
    for lang in strings.WORDS:
        answer = Reader(20, 60).answer({"verb": "read", "lang": lang, "id": "", "options": {}, "reveal": False}, data)
        for said in sentences_in(answer):
            assert not OPTION.search(said), said
            assert lang == "en" or not LATIN.search(KEPT.sub("", said)), said


def sentences_in(value: Any) -> Iterator[str]:
    """What people are shown of an answer."""
    if isinstance(value, dict):
        yield from (each for name, each in value.items() if name in strings.SENTENCES and isinstance(each, str))
    if isinstance(value, (dict, list, tuple)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from sentences_in(each)


@pytest.mark.parametrize(
    ("options", "data"),
    [
        ({}, b"hello"),
        ({}, b"\x89PNG\r\n"),
        ({}, cv2.imencode(".png", np.zeros((9_000, 7_000), np.uint8))[1].tobytes()),
        ({"size": "99x99"}, b"hello"),
        ({"kind": "kanoodle", "size": "5x11"}, b"hello"),
        ({"corners": "1,1 1,99 99,99 99,1"}, b"hello"),
        ({"corners": "1,1 9,1 9,9 1,9"}, b"hello"),
        ({"corners": "1,1 999,1 999,999 1,999"}, cv2.imencode(".png", np.zeros((99, 99), np.uint8))[1].tobytes()),
    ],
)
def test_a_bad_picture_or_option_is_told_in_chinese(options: dict[str, str], data: bytes) -> None:
    for lang in strings.WORDS:
        request = {"verb": "read", "lang": lang, "id": "", "options": options, "reveal": False}
        status, answer = Reader(20, 60).answer(request, data)
        assert status in (400, 415)
        assert not OPTION.search(answer["error"])
        assert lang == "en" or not LATIN.search(KEPT.sub("", answer["error"])), answer


def test_what_is_wrong_with_a_board_is_said_in_chinese() -> None:
    wrong = {
        "stitch": ["stitch: 2 . / . 5", "stitch: 3 . . 3 / . . . ."],
        "queens": ["queens: QQ2/4/4/4", "queens: 1Q1/3/3", "queens: aab/a*cb/ccb"],
        "pyramid": [],
        "kanoodle": ["kanoodle: AA......... / ........... / ........... / ........... / ..........."],
        "triazzle": [],
        "knight": ["knight: N3/4/4/4 closed", "knight: N2/3/3", "knight: N4/5/5 closed"],
    }
    for kind in KINDS:
        for text in wrong[kind.name]:
            puzzle = kind.rules.parse(text.partition(": ")[2].replace(" / ", "/"))
            said = kind.rules.faults(puzzle) or kind.rules.explain(puzzle, Budget())
            assert said, text
            assert [english(one) for one in said] == [[]] * len(said)
        with pytest.raises(ValueError, match=r"\w") as raised:
            kind.rules.put(drawn(kind, 0), (99, 99), "x")
        assert english(raised.value.args[0]) == []


def test_what_is_to_be_taken_away_is_said_in_chinese() -> None:
    for placed in (Placed(((0, 0),)), Placed(((0, 0), (0, 1)), "A")):
        [step] = taken_away(Check((placed,), (placed,)))
        assert "请拿走" in strings.translated("zh", step.because)
        assert english(step.because) == []


def test_a_message_is_copied_with_what_it_was_made_of() -> None:
    said = Message("only {what} reaches {cell}", what=Message("piece {name}", name="A"), cell="r1c1")
    for again in (copy.deepcopy(said), pickle.loads(pickle.dumps(said))):
        assert again == "only piece A reaches r1c1"
        assert strings.translated("zh", again) == "只有块 A够得到 r1c1"


def test_a_refusal_is_said_in_chinese_or_what_it_means_is() -> None:
    guard = pytest.importorskip("solvepic.web.guard", reason="the extra web is not installed")
    for status, sentence in guard.SENTENCES.items():
        assert strings.refusal("en", status, sentence) == sentence
        assert english(strings.refusal("zh", status, sentence)) == []
    assert strings.refusal("zh", 400, "kind: none") == f"{strings.REFUSALS[400]}kind: none"
