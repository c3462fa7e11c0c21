"""The report of a batch: who needs somebody comes first, small pictures, and in a browser nothing that bars anybody."""

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import toy_kind
from toy_kind import Run, shot

from samples.browser import CHROMIUM
from solvepic.report import THUMBNAIL_BYTES, write_report


@pytest.fixture
def report(tmp_path: Path, run: Run) -> Path:
    shot(tmp_path / "in/a.png")
    shot(tmp_path / "in/b <&>.png", toy_kind.DOUBTFUL)
    shot(tmp_path / "in/c.png", toy_kind.NOTHING)
    status, _, _ = run("in", "-o", "out", "--report", "report.html")
    assert status == 3
    return tmp_path / "report.html"


def test_refused_pictures_come_first_with_what_was_read_and_the_command(report: Path) -> None:
    page = report.read_text()
    assert re.findall(r'<li data-status="(\w+)"', page) == ["unreadable", "no_board", "solved"]
    assert "<code>solvepic &#x27;in/b &lt;&amp;&gt;.png&#x27; --set r1c2=3</code>" in page
    assert 'href="out/b%20%3C%26%3E.read.png"' in page
    assert page.count("<img") == 5


def test_pictures_within_the_page_are_small(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (900, 900, 3), np.uint8)
    (tmp_path / "a.png").write_bytes(cv2.imencode(".png", noise)[1].tobytes())
    record = {"image": str(tmp_path / "a.png"), "status": "no_board", "overlay": None, "message": "none"}
    page = write_report(tmp_path / "r.html", [record]).decode()
    (inner,) = re.findall(r'src="data:image/jpeg;base64,([^"]*)"', page)
    assert 0 < len(base64.b64decode(inner)) <= THUMBNAIL_BYTES


def test_names_that_steer_a_terminal_are_shown_harmless(tmp_path: Path) -> None:
    record = {"image": "\x1b[2J\n.png", "status": "no_board", "overlay": None, "message": "none"}
    assert "\x1b" not in write_report(tmp_path / "r.html", [record]).decode()


@pytest.fixture
def page(report: Path) -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: solvepic[dev]")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(report.as_uri())
        yield page
        browser.close()


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the path: apt-get install chromium")
def test_in_a_browser(page: Any) -> None:
    axe = pytest.importorskip("axe_core_python.base", reason="axe-core-python is not installed: solvepic[dev]")
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate("() => axe.run()")
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]] == []
        checked = {one["id"] for one in found["passes"]}
        assert {"color-contrast", "landmark-one-main", "image-alt"} <= checked

    first = page.locator("li").first
    before, after = first.locator("a").nth(0), first.locator("a").nth(1)
    assert (before.is_visible(), after.is_visible()) == (True, False)
    first.locator(".other").click()
    assert (before.is_visible(), after.is_visible()) == (False, True)
    page.locator("nav button", has_text="solved").click()
    assert page.locator("li:visible").count() == 1
    page.emulate_media(media="print")
    assert page.locator("li:visible").count() == 3
    assert not page.locator("nav").is_visible()
