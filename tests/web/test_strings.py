"""What the page says in Chinese: every rule, every reason, every refusal."""

import ast
import copy
import pickle
import re
from itertools import chain
from pathlib import Path
from random import Random
from string import Formatter
from typing import Any

import numpy as np
import pytest

from samples import triazzle
from samples.puzzles import balls, knight, regions, stitch
from solvepic import checking
from solvepic.checking import Check, taken_away
from solvepic.registry import KINDS, Kind
from solvepic.web import strings
from solvers import kanoodle, message, pyramid
from solvers.budget import Budget
from solvers.message import Message
from solvers.steps import stitch as steps_of_stitch
from solvers.steps.step import Placed

SOURCES = [
    *Path(steps_of_stitch.__file__).parent.glob("*.py"),
    *(Path(str(module.__file__)) for module in (message, checking)),
]
LATIN = re.compile(r"[A-Za-z]{2,}")
CELL = re.compile(r"r\d+c\d+")


def constants(tree: ast.AST) -> set[str]:
    return {one.value for one in ast.walk(tree) if isinstance(one, ast.Constant) and isinstance(one.value, str)}


def templates() -> set[str]:
    """All that a message is made of: what has fields, and what is a message as it is."""
    found: set[str] = set()
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found |= {one for one in constants(tree) if "{" in one}
        calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call) and ast.unparse(one.func) == "Message"]
        first = [call.args[0] for call in calls]
        named = [[one.body, one.orelse] if isinstance(one, ast.IfExp) else [one] for one in first]
        found |= set(chain.from_iterable(map(constants, chain.from_iterable(named))))
    return found


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def test_every_rule_and_every_template_is_said_in_chinese() -> None:
    rules = {rule for kind in KINDS for rule in kind.guide.RULES} | {checking.MISPLACED}
    said = templates()
    assert len(said) > 40
    assert strings.CATALOGUE.keys() == rules | said
    for english, chinese in strings.CATALOGUE.items():
        assert fields(chinese) <= fields(english)
        assert not LATIN.search(re.sub(r"\{\w+\}|Warnsdorff", "", chinese)), chinese


def test_no_reason_is_put_together_outside_of_a_message() -> None:
    for path in SOURCES:
        for text in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(text, ast.JoinedStr):
                assert not any(LATIN.search(one) for one in constants(text)), ast.unparse(text)


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
            assert not LATIN.search(CELL.sub("", said)), said
            assert set(CELL.findall(step.because)) == set(CELL.findall(said))
            assert strings.translated("en", step.because) == step.because


def test_what_is_to_be_taken_away_is_said_in_chinese() -> None:
    for placed in (Placed(((0, 0),)), Placed(((0, 0), (0, 1)), "A")):
        [step] = taken_away(Check((placed,), (placed,)))
        assert "请拿走" in strings.translated("zh", step.because)
        assert not LATIN.search(CELL.sub("", strings.translated("zh", step.because)))


def test_a_message_is_copied_with_what_it_was_made_of() -> None:
    said = Message("only {what} reaches {cell}", what=Message("piece {name}", name="A"), cell="r1c1")
    for again in (copy.deepcopy(said), pickle.loads(pickle.dumps(said))):
        assert again == "only piece A reaches r1c1"
        assert strings.translated("zh", again) == "只有块 A够得到 r1c1"


def test_every_refusal_of_the_guard_has_a_meaning_in_chinese() -> None:
    guard = pytest.importorskip("solvepic.web.guard", reason="the extra web is not installed")
    for status in (*guard.SENTENCES, 404, 405, 415, 422, 500, 503, 504):
        assert strings.refusal("zh", status)
        assert strings.refusal("en", status) == ""
