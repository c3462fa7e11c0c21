"""The page in a real browser, as a phone: from the upload over a corrected cell to the last hint."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest

from docs.refusals import REFUSALS
from samples.browser import CHROMIUM
from solvepic.web import strings

guard = pytest.importorskip("solvepic.web.guard", reason="the extra web is not installed: pip install 'solvepic[web]'")
playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install 'solvepic[dev]'"
)
axe = pytest.importorskip(
    "axe_core_python.base", reason="axe-core-python is not installed: pip install 'solvepic[dev]'"
)

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


SENT: list[float] = []
"""When pictures were sent, of which the server takes only so many a minute."""

MOST_IN_A_TEST = 12


@pytest.fixture
def page(browser: Any, link: str) -> Iterator[Any]:
    while sum(time.monotonic() - sent < 60 for sent in SENT) > guard.PICTURES_A_MINUTE - MOST_IN_A_TEST:
        time.sleep(1)
    context = browser.new_context(**browser.phone)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on("request", lambda request: SENT.append(time.monotonic()) if "/pictures?" in request.url else None)
    page.goto(link)
    page.wait_for_selector("#kind option[value=stitch]", state="attached")  # the code was taken
    yield page
    assert page.faults == []
    context.close()


def upload(page: Any, path: Path) -> None:
    page.set_input_files("#file", str(path))
    page.wait_for_selector("#play:not([hidden])")


@pytest.fixture
def refused(tmp_path: Path) -> Callable[[str], Path]:
    """Gives a picture that is refused, by its name in the documentation."""

    def put(name: str) -> Path:
        path = tmp_path / f"{name}.png"
        cv2.imwrite(str(path), REFUSALS[name][1]())
        return path

    return put


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
    rest(page)


def rest(page: Any) -> None:
    """Wait until nothing is read or solved."""
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
    sent = len(SENT)
    _tap_hint(page)
    assert "No further step" in told(page)
    assert len(SENT) == sent  # the picture is not read again for it


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


@pytest.mark.parametrize("name", ["stitch/phone-light.png", "kanoodle/toy-photo.jpg", "triazzle/tray-photo.jpg"])
def test_all_of_the_board_is_seen_at_once(page: Any, name: str) -> None:
    upload(page, SAMPLES / name)
    fits(page, *page.viewport_size.values())
    for width, height in ((320, 568), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => document.getElementById('status').scrollIntoView()")
        fits(page, width, height)


def fits(page: Any, width: int, height: int) -> None:
    left, top, right, bottom = page.evaluate(
        """() => {
          const boxes = [...document.querySelectorAll("#cells polygon")].map((each) => each.getBoundingClientRect());
          return [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top)),
                  Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
        }"""
    )
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= width
    assert min(left, top) >= 0
    assert right <= width
    assert bottom <= page.locator("#panel").bounding_box()["y"]
    frame = page.locator("#frame").bounding_box()
    assert max((right - left) / frame["width"], (bottom - top) / frame["height"]) > 0.85
    assert frame["width"] > 0.9 * (min(width, 736) - 24) or frame["height"] > 0.45 * height


def asked(page: Any) -> str:
    """The question that the dialog asks, once it is there."""
    page.wait_for_selector("#edit[open]")
    return str(page.inner_text("#edit-title"))


def place(question: str) -> str:
    """The cell that is asked about."""
    row, column = re.findall(r"row (\d+), column (\d+)", question)[0]
    return f"r{row}c{column}"


def test_doubts_are_asked_about_one_by_one(page: Any, refused: Callable[[str], Path]) -> None:
    upload(page, refused("unread"))
    question = asked(page)
    first = place(question)
    assert re.fullmatch(r"1 / 2: row \d+, column \d+: What stands here\?", question)
    large, small = (
        page.locator("#edit canvas.large").bounding_box(),
        page.locator(f'[data-cell="{first}"]').bounding_box(),
    )
    assert large["width"] / 2 > 1.4 * small["width"]  # the picture shows twice the cell
    assert page.inner_text("#edit-doubt") == "a cell and no cell look alike here"
    assert page.inner_text('#edit [aria-pressed="true"]') == "not a cell"
    page.click("#skip")  # that it is none would tell at once that the other is a cell
    page.wait_for_function("() => document.getElementById('edit-title').textContent.startsWith('2 / 2')", polling=50)
    second = place(asked(page))
    with page.expect_response(re.compile("/cells$")):
        page.click('#edit button[value="="]')
    page.click("#ask")
    assert place(asked(page)) == first
    with page.expect_request(re.compile(f"set={second}%3D\\+{first}%3Dhole")):
        page.click('#edit [aria-pressed="true"]')
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('One')", polling=50)
    assert not page.is_visible("#edit")
    assert page.is_visible("#hint")


def test_a_doubt_can_be_passed_over_and_asked_about_again(page: Any, refused: Callable[[str], Path]) -> None:
    upload(page, refused("blurred"))
    first = asked(page)
    page.click("#skip")
    page.wait_for_timeout(100)
    assert asked(page) != first
    page.keyboard.press("Escape")
    assert not page.is_visible("#edit")
    page.click("#ask")
    assert asked(page) == first
    for key in ("\u232b", "1", "\u232b", "4", "2", "\u232b"):
        page.click(f'.pad button:text-is("{key}")')
    with page.expect_request(re.compile("/cells$")) as sent:
        page.press("#number", "Enter")
    assert sent.value.post_data == f'{{"{place(first)}":"4"}}'
    page.wait_for_function(
        "(first) => document.getElementById('edit-title').textContent !== first", arg=first, polling=50
    )
    assert asked(page) != first


def test_what_is_said_of_another_cell_may_settle_a_doubt(page: Any, refused: Callable[[str], Path]) -> None:
    upload(page, refused("lost-clue"))  # between r1c1 and r3c1
    assert "row 1, column 1" in asked(page)
    page.keyboard.press("Escape")
    page.locator('[data-cell="r3c1"]').click()
    page.fill("#number", "3")
    page.click("#apply")
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('One')", polling=50)


def test_what_no_cell_tells_is_asked_about_the_board(page: Any, refused: Callable[[str], Path]) -> None:
    upload(page, refused("cropped"))
    assert asked(page) == "1 / 1: Please say"
    with page.expect_request(re.compile("size=7x7")):
        page.click("text=This is the whole board")
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('One')", polling=50)


def test_a_reading_is_finished_where_the_board_was_seen(page: Any, refused: Callable[[str], Path]) -> None:
    page.set_input_files("#file", str(refused("cut-off")))
    page.wait_for_selector("#cells circle")
    with page.expect_response(re.compile(r"pictures\?corners=\d+")) as reply:
        page.click("#again")
    assert reply.value.status == 201
    page.wait_for_selector("#play:not([hidden])")


def test_a_corner_is_dragged_and_kept_until_the_board_is_read(page: Any) -> None:
    page.set_input_files("#file", str(SAMPLES / "nothing" / "calendar.png"))
    page.wait_for_selector("#cells circle")
    with page.expect_request(re.compile("pictures")) as sent:
        page.click("#again")  # handles that nobody moved tell nothing
    assert "corners" not in sent.value.url
    rest(page)
    handle = page.locator("#cells circle").first
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y + 40)
    page.mouse.up()
    moved = handle.bounding_box()
    assert (round(moved["x"] - box["x"]), round(moved["y"] - box["y"])) == (30, 40)
    page.fill("#rows", "6")
    page.fill("#columns", "7")
    with page.expect_response(re.compile("corners=.*&?size=6x7|size=6x7.*corners=")):
        page.click("#again")
    rest(page)
    assert page.locator("#cells circle").first.bounding_box() == pytest.approx(moved, abs=2)


def test_as_many_corners_are_asked_for_as_the_board_has(page: Any) -> None:
    page.set_input_files("#file", str(SAMPLES / "nothing" / "calendar.png"))
    page.wait_for_selector("#cells circle")
    counts = {}
    for kind in ("triazzle", "kanoodle", "stitch", ""):
        page.select_option("#kind", kind)
        counts[kind] = page.locator("#cells circle").count()
    assert counts == {"triazzle": 3, "kanoodle": 0, "stitch": 4, "": 4}


@pytest.mark.parametrize("name", ["unread", "blurred", "cropped", "cut-off", "sudoku"])
def test_a_chinese_page_shows_no_english_and_no_page_shows_options(
    page: Any, name: str, refused: Callable[[str], Path]
) -> None:
    for language in strings.WORDS:
        page.goto(page.url.partition("?")[0] + f"?lang={language}")
        page.wait_for_selector("#kind option[value=stitch]", state="attached")
        page.set_input_files("#file", str(refused(name)))
        page.wait_for_selector("#edit[open], #more[open]")
        shown = page.inner_text("body")
        assert not re.search(r"--\w|r\d+c\d+=", shown)
        names = {"solvepic", "English", "Stitch", "Kanoodle", "Triazzle"}
        assert language == "en" or set(re.findall("[A-Za-z]{2,}", shown)) <= names


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
def test_nothing_bars_anybody(page: Any, scheme: str, language: str, refused: Callable[[str], Path]) -> None:
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
    assert small_targets(page) == []
    upload(page, refused("blurred"))
    asked(page)
    assert violations(page) == []
    assert small_targets(page) == []


def violations(page: Any) -> list[str]:
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("() => axe.run()")
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found["violations"]]


def small_targets(page: Any) -> list[str]:
    """Buttons and links outside running text that are smaller than a finger needs."""
    return list(
        page.evaluate(
            """() => [...document.querySelectorAll("button, select, input:not(#file), [for=file], summary, header a")]
            .filter((each) => each.checkVisibility() && !each.closest("dialog:not([open])"))
            .filter((each) => Math.min(each.getBoundingClientRect().width, each.getBoundingClientRect().height) < 44)
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
