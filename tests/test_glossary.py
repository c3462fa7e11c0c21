"""What the glossary names is there."""

import re
from importlib import import_module
from pathlib import Path

import pytest

GLOSSARY = (Path(__file__).parents[1] / "docs/glossary.md").read_text(encoding="utf-8")
PLACES = re.findall(r"`((?:solvers|vision|overlay|solvepic)[\w.]+)`", GLOSSARY)


@pytest.mark.parametrize("place", sorted(set(PLACES)))
def test_what_the_glossary_names_is_there(place: str) -> None:
    module, _, name = place.rpartition(".")
    found = import_module(place) if name.islower() else getattr(import_module(module), name)
    assert found.__doc__


def test_each_term_stands_once_and_says_where() -> None:
    rows = [line for line in GLOSSARY.splitlines() if line.startswith("| **")]
    assert len(rows) == len({row.split("**")[1] for row in rows}) > 20
    assert all("`" in row.split("|")[3] for row in rows)
