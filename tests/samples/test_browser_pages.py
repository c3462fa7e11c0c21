"""Pages that a browser draws show the boards that their truths tell."""

from random import Random

import numpy as np
import pytest

from samples.browser import CHROMIUM
from samples.browser import PAGES as STRAIGHT
from samples.browser_games import GAMES
from samples.browser_hoops import hoop_page

PAGES = {**STRAIGHT, "hoops": hoop_page}


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("seed", range(3))
def test_a_board_lies_on_its_page(name: str, seed: int) -> None:
    page = PAGES[name](Random(seed))
    corners = (np.array(page.truth["corners"]) + 0.5) / page.scale
    assert (corners > 0).all()
    assert (corners < page.size_wh).all()
    assert page.html == PAGES[name](Random(seed)).html


def test_bent_cells_hang_together() -> None:
    page = hoop_page(Random(1))
    mesh = page.truth["mesh"]
    assert len(mesh) == sum(value is not None for row in page.truth["clues"] for value in row)
    for name, (_, top, bottom, _) in mesh.items():
        row, col = map(int, name.split(","))
        if (beside := mesh.get(f"{row},{col + 1}")) is not None:
            assert (beside[0], beside[3]) == (top, bottom)


@pytest.mark.parametrize("name", ["stitch", "hoops"])
def test_each_clue_is_written(name: str) -> None:
    page = PAGES[name](Random(4))
    numbers = [value for row in page.truth["clues"] for value in row if value]
    for number in set(numbers):
        assert page.html.count(f">{number}</div>") >= numbers.count(number)


@pytest.mark.parametrize("game", GAMES)
def test_another_game_is_a_page_and_none_of_ours(game: str) -> None:
    page = GAMES[game](Random(2))
    assert page.truth["kind"] == "other"
    assert page.html.count("<div") > 10
    assert page.html == GAMES[game](Random(2)).html


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the path: apt-get install chromium")
@pytest.mark.parametrize("name", PAGES)
def test_no_board_of_a_browser_is_read_wrongly(name: str) -> None:
    browser = pytest.importorskip(
        "benchmarks.browser", reason="playwright is not installed: pip install 'solvepic[dev]'"
    )
    outcomes = [browser.became(sample)[0] for sample in browser.screenshots(name, range(5, 9))]
    assert outcomes.count("right") >= 3
    assert "wrong" not in outcomes


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the path: apt-get install chromium")
def test_no_other_game_of_a_browser_is_called_solved() -> None:
    browser = pytest.importorskip(
        "benchmarks.browser", reason="playwright is not installed: pip install 'solvepic[dev]'"
    )
    assert {browser.became(sample)[0] for sample in browser.screenshots("other", range(5, 11))} == {"right"}
