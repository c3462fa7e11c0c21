"""Names of kinds, commands and pictures as people type them."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import solvepic
from solvepic.command import app
from solvepic.errors import UsageError
from solvepic.jobs import plan
from solvepic.options import Options
from solvepic.outcome import Status
from solvepic.registry import ALIASES, KINDS, by_name


def test_other_names_lead_to_kinds() -> None:
    assert {by_name(alias).name for alias in ALIASES} <= {kind.name for kind in KINDS}
    assert by_name("Shikaku").name == "stitch"
    assert by_name("QUEENS").name == "queens"


@pytest.mark.parametrize(("name", "meant"), [("stich", "stitch"), ("shikako", "shikaku"), ("quens", "queens")])
def test_a_misspelt_kind_is_asked_back(name: str, meant: str) -> None:
    with pytest.raises(ValueError, match=f"did you mean {meant}"):
        by_name(name)


def test_a_misspelt_command_is_told_from_a_missing_picture() -> None:
    told = CliRunner().invoke(app, ["wach", "p"])
    assert isinstance(told.exception, UsageError)
    assert "did you mean solvepic watch?" in str(told.exception)


def test_a_pattern_that_the_shell_left_alone_is_expanded(tmp_path: Path) -> None:
    for name in ("a.png", "b.png", "c.txt"):
        (tmp_path / name).touch()
    jobs, _ = plan([str(tmp_path / "*.png")], str(tmp_path / "out"), Options())
    assert [Path(job.image).name for job in jobs] == ["a.png", "b.png"]


def test_the_time_limit_holds_while_a_board_is_looked_for() -> None:
    outcome = solvepic.solve(np.random.default_rng(0).integers(0, 256, (900, 900, 3), np.uint8), time_limit=0.1)
    assert outcome.status is Status.TIMEOUT
    assert "--time-limit" in outcome.message
    assert outcome.cause == "no_time"
