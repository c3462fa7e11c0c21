"""The page in a real browser, as a phone: from the upload over a corrected cell to the last hint."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install 'solvepic[dev]'"
)
axe = pytest.importorskip(
    "axe_core_python.base", reason="axe-core-python is not installed: pip install 'solvepic[dev]'"
)

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the path: apt-get install chromium"),
]

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
SHOT = SAMPLES / "stitch" / "phone-light.png"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
PATIENCE_MS = 20_000

PAGE_BYTES, PAGE_BYTES_PACKED = 60_000, 25_000


@pytest.fixture(scope="module")
def link() -> Iterator[str]:
    command = [sys.executable, "-m", "solvepic", "serve", "--local", "--port", "0"]
    environment = {**os.environ, "SOLVEPIC_TOKEN": "a-code-for-the-browser"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stderr is not None
        try:
            yield next(line.strip() for line in server.stderr if line.startswith("http://"))
        finally:
            server.send_signal(signal.SIGINT)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as running:
        launched = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        launched.phone = running.devices["Pixel 7"]
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Any, link: str) -> Iterator[Any]:
    context = browser.new_context(**browser.phone)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.goto(link)
    page.wait_for_selector("#kind option[value=stitch]", state="attached")  # the code was taken
    yield page
    assert page.faults == []
    context.close()


def upload(page: Any, path: Path) -> None:
    page.set_input_files("#file", str(path))
    page.wait_for_selector("#play:not([hidden])")


def told(page: Any) -> str:
    return str(page.inner_text("#told"))


def put(page: Any, cell: str, word: str) -> None:
    """Tap a cell, choose what stands there, and wait for the new verdict."""
    page.locator(f'[data-cell="{cell}"]').dispatch_event("click")
    button = page.locator(f'#edit button[value="={word}"]')
    with page.expect_response(re.compile("/cells$")):
        if button.count():
            button.click()
        else:
            page.fill("#number", word)
            page.click("#apply")
    page.wait_for_function("() => !document.getElementById('status').textContent.includes('…')", polling=50)


@pytest.mark.parametrize(
    ("name", "cell", "wrong"),
    [
        ("stitch/phone-light.png", "r1c6", "11"),
        ("queens/regions-phone.jpg", "r1c1", "b"),
        ("kanoodle/toy-photo.jpg", "r1c1", "B"),
        ("triazzle/tray-photo.jpg", "r1c1", "0,0,0"),
        ("knight/chequered.png", "r6c3", "N"),
    ],
)
def test_from_the_upload_to_the_last_hint(page: Any, name: str, cell: str, wrong: str) -> None:
    upload(page, SAMPLES / name)
    before, right = page.inner_text("#status"), page.evaluate("(cell) => board.cells[cell].word", cell)
    assert page.is_enabled("#solution")
    put(page, cell, wrong)
    assert page.evaluate("(cell) => board.cells[cell].word", cell) == wrong
    put(page, cell, right)
    assert page.inner_text("#status") == before
    known = int(re.findall(r"of (\d+)", _first_hint(page))[0])
    for number in range(1, known):
        for _ in range(3):
            _tap_hint(page)
        assert told(page).startswith(f"Step {number + 1} of {known}")
    page.click("#hint")
    page.click("#hint")
    _tap_hint(page)
    assert "No further step" in told(page)


def _first_hint(page: Any) -> str:
    _tap_hint(page)
    return told(page)


def _tap_hint(page: Any) -> None:
    earlier = told(page)
    page.click("#hint")
    for _ in range(200):
        if told(page) != earlier:
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"the hint did not change: {earlier}")


def test_back_undoes_a_hint(page: Any) -> None:
    upload(page, SHOT)
    said = [told(page)]
    for _ in range(4):
        _tap_hint(page)
        said.append(told(page))
    for earlier in said[-2:0:-1]:
        page.click("#back")
        page.wait_for_timeout(100)
        assert told(page) == earlier


def test_the_solution_is_shown_and_hidden(page: Any) -> None:
    upload(page, SHOT)
    before = page.get_attribute("#shot", "src")
    with page.expect_response(re.compile(r"solution\.jpg$")) as reply:
        page.click("#solution")
    assert reply.value.status == 200
    assert page.is_visible("#save")
    page.click("#solution")
    assert page.get_attribute("#shot", "src") == before


def test_a_picture_that_the_server_forgot_is_sent_again(page: Any) -> None:
    upload(page, SHOT)
    put(page, "r1c6", "11")
    put(page, "r1c6", "12")
    page.evaluate("() => fetch(path(), {method: 'DELETE'})")
    assert "r6c5" in _first_hint(page)


def test_a_picture_is_sent_again_with_the_kind_that_was_chosen(page: Any) -> None:
    upload(page, SHOT)
    page.evaluate("() => { document.getElementById('kind').value = 'stitch'; }")
    with page.expect_response(re.compile("pictures")):
        page.evaluate("() => read()")
    page.wait_for_selector("#play:not([hidden])")
    page.evaluate("() => fetch(path(), {method: 'DELETE'})")
    with page.expect_request(lambda sent: sent.method == "POST") as again:
        page.click("#hint")
    assert "kind=stitch" in again.value.url


def test_a_refusal_asks_for_the_corners(page: Any, tmp_path: Path) -> None:
    import cv2  # noqa: PLC0415

    noise = cv2.GaussianBlur(cv2.imread(str(SHOT)), (0, 0), 25)
    blurred = tmp_path / "blurred.png"
    cv2.imwrite(str(blurred), noise)
    page.set_input_files("#file", str(blurred))
    page.wait_for_selector("#cells circle")
    handle = page.locator("#cells circle").first
    x = handle.get_attribute("cx")
    handle.focus()
    page.keyboard.press("ArrowLeft")
    assert float(handle.get_attribute("cx")) < float(x)
    with page.expect_request(re.compile(r"pictures\?.*corners=")):
        page.click("#again")


def test_it_works_by_keyboard(page: Any) -> None:
    page.focus("#file")
    upload(page, SHOT)
    page.locator('[data-cell="r1c6"]').focus()
    page.keyboard.press("Enter")
    assert page.is_visible("#edit")
    assert page.evaluate("() => document.activeElement.id") == "number"
    page.keyboard.press("Escape")
    assert not page.is_visible("#edit")
    page.focus("#hint")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert told(page).startswith("Step 1")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_bars_anybody(page: Any, scheme: str, language: str) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(page.url.partition("?")[0] + f"?lang={language}")
    page.wait_for_selector("#kind option[value=stitch]", state="attached")
    assert violations(page) == []
    upload(page, SHOT)
    assert violations(page) == []
    assert small_targets(page) == []
    page.locator('[data-cell="r1c6"]').dispatch_event("click")
    assert violations(page) == []
    assert small_targets(page) == []
    page.keyboard.press("Escape")
    page.set_input_files("#file", str(SAMPLES / "nothing" / "calendar.png"))
    page.wait_for_selector("#more[open]")
    assert violations(page) == []


def violations(page: Any) -> list[str]:
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("() => axe.run()")
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found["violations"]]


def small_targets(page: Any) -> list[str]:
    """Buttons and links outside running text that are lower than a finger needs."""
    return list(
        page.evaluate(
            """() => [...document.querySelectorAll("button, select, input:not(#file), [for=file], summary, header a")]
            .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44)
            .map((each) => each.outerHTML)"""
        )
    )


def test_nothing_is_cut_off_at_twice_the_size(browser: Any, link: str) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 640}, device_scale_factor=2)
    page = context.new_page()
    page.goto(link)
    page.wait_for_selector("#kind option[value=stitch]", state="attached")
    upload(page, SHOT)
    wide = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
        .filter((each) => !each.closest("svg") && each.getBoundingClientRect().right > 320)
        .map((each) => each.outerHTML)"""
    )
    context.close()
    assert wide == []


def test_the_page_is_small_and_asks_nobody_else(browser: Any, link: str) -> None:
    import gzip  # noqa: PLC0415

    context = browser.new_context(**browser.phone)
    page = context.new_page()
    replies: list[Any] = []
    page.on("response", lambda reply: replies.append(reply))  # noqa: PLW0108  (playwright marks what it is given)
    page.goto(link)
    page.wait_for_selector("#kind option[value=stitch]", state="attached")
    upload(page, SHOT)
    origin = link.partition("#")[0]
    assert all(reply.url.startswith((origin, "blob:")) for reply in replies)
    shell = [reply.body() for reply in replies if reply.request.method == "GET" and reply.url.startswith(origin)]
    context.close()
    assert sum(map(len, shell)) <= PAGE_BYTES
    assert sum(len(gzip.compress(body)) for body in shell) <= PAGE_BYTES_PACKED


def test_a_script_from_outside_does_not_run(page: Any) -> None:
    ran = page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "document.title = 'taken over'";
          document.body.append(script);
          document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=\\"document.title = 'taken over'\\">");
          return new Promise((done) => setTimeout(() => done(document.title), 200));
        }"""
    )
    assert ran == "solvepic"


def test_the_code_leaves_the_address(page: Any) -> None:
    assert "#" not in page.url
    assert page.evaluate("() => document.cookie") == ""
