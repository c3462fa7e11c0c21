"""The pictures of ``docs/errors.md``: each is named there, lies there, and is refused as it says."""

import re

import pytest

from docs.refusals import FOLDER, REFUSALS, refused

ERRORS = FOLDER.with_name("errors.md").read_text(encoding="utf-8")


def test_each_sentence_about_a_board_has_its_picture() -> None:
    shown = re.findall(r"!\[\]\(refusals/([a-z-]+)\.jpg\)", ERRORS)
    assert sorted(shown) == sorted(REFUSALS) == sorted(path.stem for path in FOLDER.glob("*.jpg"))
    rows = ERRORS.split("## Boards that are refused")[1].split("\n## ")[0].splitlines()
    assert [row for row in rows if row.startswith("| `") and "refusals/" not in row] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSALS)
def test_a_picture_is_refused_with_its_sentence(name: str) -> None:
    assert REFUSALS[name][0] in refused(name).message
