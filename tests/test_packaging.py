"""What the package says of itself: which Pythons, and which versions of others it was tried with."""

import importlib.metadata
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED = [Requirement(one) for one in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dask"]]]


@pytest.mark.parametrize("needed", NEEDED, ids=lambda needed: needed.name)
def test_what_is_needed_is_bounded_and_what_is_here_lies_within(needed: Requirement) -> None:
    assert {one.operator for one in needed.specifier} == {">=", "<"}
    try:
        here = importlib.metadata.version(needed.name)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{needed.name} is not installed")
    assert needed.specifier.contains(here)


def test_the_pythons_that_were_tried_are_named() -> None:
    named = {one.rsplit(" ", 1)[1] for one in PROJECT["classifiers"] if "Python :: 3." in one}
    assert named == {"3.11", "3.12", "3.13"}
    assert PROJECT["requires-python"] == ">=3.11"
