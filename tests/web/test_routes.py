"""The routes with a worker that reads: what goes in, what comes out, and what each mistake is told."""

import ast
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra web is not installed: pip install 'solvepic[web]'")

from starlette.testclient import TestClient

import solvepic
from docs.refusals import REFUSALS
from samples import other_games
from solvepic import written
from solvepic.registry import KINDS
from solvepic.web import strings
from solvepic.web.app import Service, build
from solvepic.web.guard import Guard, Keys
from solvepic.web.workers import Workers

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
SHOT = (SAMPLES / "stitch" / "phone-light.png").read_bytes()
SUDOKU = cv2.imencode(".png", other_games.sudoku(np.random.default_rng(2)).picture)[1].tobytes()
PICTURES = "/api/v1/pictures"
TOKEN = "a-code-for-these-tests"
HOST = "localhost:8765"
URL = f"http://{HOST}"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def service() -> Service:
    return Service(Workers(1), Keys(TOKEN))


@pytest.fixture(scope="module")
def client(service: Service) -> Iterator[TestClient]:
    app = Guard(build(service), service.keys, [HOST], pictures=1_000)  # these tests are one busy user
    with TestClient(app, URL, headers=BEARER) as client:
        yield client


def sent(client: TestClient, data: bytes = SHOT, **query: str) -> dict[str, Any]:
    reply = client.post(PICTURES, params=query, content=data)
    assert reply.status_code == 201, reply.text
    record: dict[str, Any] = reply.json()
    return record


@pytest.fixture(scope="module")
def board(client: TestClient) -> dict[str, Any]:
    return sent(client)


def test_a_picture_becomes_a_record_without_its_solution(client: TestClient, board: dict[str, Any]) -> None:
    outcome = solvepic.solve(SHOT)
    assert board["status"] == "solved"
    assert board["puzzle"] == json.loads(json.dumps(outcome.record()["puzzle"]))
    assert board["solution"] is None
    assert board["size"] == [1080, 2400]
    assert board["steps"] == 22
    assert len(board["cells"]) == 112
    assert board["cells"]["r1c6"]["word"] == "12"
    assert board["choices"] == {"words": [""], "most": 112, "shapes": [], "parts": 1}
    solution = client.get(f"{PICTURES}/{board['id']}/solution").json()["solution"]
    assert solution == json.loads(json.dumps(outcome.record()["solution"]))


def test_the_location_is_that_of_the_record(client: TestClient) -> None:
    reply = client.post(PICTURES, content=SHOT)
    assert client.get(reply.headers["location"]).json()["solution"]


def test_the_solution_comes_at_once_where_it_is_wanted(client: TestClient) -> None:
    assert sent(client, reveal="1")["solution"]


def test_a_form_does_as_well_as_a_body(client: TestClient) -> None:
    reply = client.post(PICTURES, files={"picture": ("../../etc/passwd", SHOT, "image/png")})
    assert reply.status_code == 201
    assert "passwd" not in reply.text


@pytest.mark.parametrize(
    ("what", "form"), [("solution", "png"), ("solution", "jpg"), ("read", "png"), ("picture", "jpg")]
)
def test_pictures_come_in_both_forms(client: TestClient, board: dict[str, Any], what: str, form: str) -> None:
    reply = client.get(f"{PICTURES}/{board['id']}/{what}.{form}")
    picture = cv2.imdecode(np.frombuffer(reply.content, np.uint8), cv2.IMREAD_COLOR)
    assert reply.headers["content-type"] == {"png": "image/png", "jpg": "image/jpeg"}[form]
    assert picture is not None
    assert picture.std() > 10


def test_steps_lead_to_the_solution(client: TestClient, board: dict[str, Any]) -> None:
    steps = [client.get(f"{PICTURES}/{board['id']}/steps/{number}").json() for number in range(board["steps"])]
    outcome = solvepic.solve(SHOT)
    assert [step["because"] for step in steps] == [step.because for step in outcome.steps()]
    assert all(step["cells"] and step["marks"] for step in steps)
    after = client.get(f"{PICTURES}/{board['id']}/steps/{board['steps']}")
    assert after.status_code == 404
    assert "complete" in after.json()["error"]
    assert "forgotten" not in after.json()


def test_the_picture_of_a_step_shows_it_and_those_before(client: TestClient, board: dict[str, Any]) -> None:
    def drawn(name: str) -> Any:
        data = client.get(f"{PICTURES}/{board['id']}/{name}.png").content
        return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)

    first, second = drawn("steps/0"), drawn("steps/1")
    before = drawn("picture")
    assert 0 < (first != before).any(axis=2).sum() < (second != before).any(axis=2).sum()


def test_a_correction_is_solved_again(client: TestClient) -> None:
    board = sent(client)
    wrong = client.patch(f"{PICTURES}/{board['id']}/cells", json={"r1c6": "11"}).json()
    assert wrong["status"] == "unsolvable"
    assert wrong["cells"]["r1c6"]["word"] == "11"
    right = client.patch(f"{PICTURES}/{board['id']}/cells", json={"r1c6": "12"}).json()
    assert right["status"] == "solved"
    gone = client.patch(f"{PICTURES}/{board['id']}/cells", json={"r1c6": None}).json()
    assert gone["cells"]["r1c6"]["word"] == ""


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (b"{", "JSON"),
        (b"[" * 100_000, "JSON"),
        (b"[]", "JSON"),
        (b'{"x": "1"}', "row and column"),
        (b'{"r1c1": 3}', "what stands"),
        (b'{"r99c1": "3"}', "no cell"),
        (b'{"r1c1": "cat"}', "a clue such as"),
        (b'{"r0c1": "3"}', "row and column"),
    ],
)
def test_a_wrong_correction_is_told(client: TestClient, board: dict[str, Any], body: bytes, word: str) -> None:
    reply = client.patch(f"{PICTURES}/{board['id']}/cells", content=body)
    assert reply.status_code == 400
    assert word in reply.json()["error"]


def test_what_is_placed_wrongly_is_named(client: TestClient) -> None:
    board = sent(client, (SAMPLES / "queens" / "regions-phone.jpg").read_bytes(), reveal="1")
    right = board["solution"]["queens"][0]
    wrong = f"r{right[0] + 1}c{(right[1] + 3) % 8 + 1}"
    record = client.patch(f"{PICTURES}/{board['id']}/cells", json={wrong: "Q"}).json()
    assert not record["answered"]
    found = client.post(f"{PICTURES}/{board['id']}/check").json()
    assert (found["wrong"], found["standing"]) == ([[wrong]], 1)
    hint = client.get(f"{PICTURES}/{board['id']}/steps/0").json()
    assert "take it away" in hint["because"]


def test_nothing_wrong_is_told_of_a_fresh_board(client: TestClient, board: dict[str, Any]) -> None:
    found = client.post(f"{PICTURES}/{board['id']}/check").json()
    assert (found["wrong"], found["complete"], found["settled"], found["standing"]) == ([], False, True, 0)


def test_one_line_solves_a_picture(client: TestClient) -> None:
    reply = client.post("/solve.png", content=SHOT, headers={"Content-Type": "application/x-www-form-urlencoded"})
    solved = solvepic.solve(SHOT).picture
    picture = cv2.imdecode(np.frombuffer(reply.content, np.uint8), cv2.IMREAD_COLOR)
    assert reply.headers["content-type"] == "image/png"
    assert solved is not None
    assert np.array_equal(picture, solved)


def test_one_line_tells_why_a_picture_is_not_solved(client: TestClient) -> None:
    reply = client.post("/solve.png", content=(SAMPLES / "nothing" / "calendar.png").read_bytes())
    assert reply.status_code == 422
    assert reply.text.strip()
    assert "\n" not in reply.text.strip()


def test_a_picture_without_a_board_is_refused_with_its_record(client: TestClient) -> None:
    reply = client.post(PICTURES, content=SUDOKU)
    assert reply.status_code == 422
    assert reply.json()["cause"] == "another_game"
    assert reply.json()["error"] == reply.json()["message"]


@pytest.mark.parametrize(
    ("data", "kind", "status", "word"),
    [
        (b"", "image/png", 400, "send a picture"),
        (b"hello", "image/png", 415, "picture"),
        (SHOT[:200], "image/png", 415, "picture"),
        (b"<html>", "text/html", 415, "image/png"),
        (b"GIF89a", "image/gif", 415, "picture"),
    ],
)
def test_what_is_no_picture_is_told(client: TestClient, data: bytes, kind: str, status: int, word: str) -> None:
    reply = client.post(PICTURES, content=data, headers={"Content-Type": kind})
    assert reply.status_code == status
    assert word in reply.json()["error"]


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ({"kind": "sudoku"}, "no kind"),
        ({"size": "big"}, "14x8"),
        ({"corners": "1,2"}, "three or four points"),
        ({"set": "r1c1"}, "r3c4=12"),
        ({"set": "x" * 3_000}, "too long"),
    ],
)
def test_wrong_options_are_told(client: TestClient, query: dict[str, str], word: str) -> None:
    reply = client.post(PICTURES, params=query, content=SHOT)
    assert reply.status_code == 400
    assert word in reply.json()["error"]
    assert "--" not in reply.json()["error"]


@pytest.mark.parametrize(
    "path",
    [
        *("solution", "solution.png", "steps/0", "steps/0.png", "solution.gif", "secret.png", "steps/x", "steps/-1"),
        *("../../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd"),
    ],
)
def test_pictures_that_are_not_here_are_not_found(client: TestClient, path: str) -> None:
    reply = client.get(f"{PICTURES}/nobody/{path}")
    assert reply.status_code == 404
    assert reply.json()["error"]


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/nothing"])
def test_files_beside_the_page_are_not_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_method_that_there_is_not_is_told(client: TestClient) -> None:
    reply = client.put(PICTURES)
    assert reply.status_code == 405
    assert "/api" in reply.json()["error"]


def test_a_picture_is_forgotten_when_asked(client: TestClient, service: Service) -> None:
    board = sent(client)
    assert client.delete(f"{PICTURES}/{board['id']}").status_code == 204
    after = client.get(f"{PICTURES}/{board['id']}/solution")
    assert after.status_code == 404
    assert after.json()["forgotten"]
    assert client.delete(f"{PICTURES}/{board['id']}").status_code == 404
    assert service.sessions.find(board["id"]) is None


def test_the_code_becomes_a_cookie_that_no_script_reads(client: TestClient) -> None:
    cookie = client.post("/session").headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    client.cookies.clear()


def test_kinds_are_those_that_are_solved(client: TestClient) -> None:
    kinds = [kind.name for kind in KINDS]
    corners = {kind.name: kind.corners for kind in KINDS}
    assert client.get("/api/v1/kinds").json() == {"kinds": kinds, "corners": corners}
    for words in strings.WORDS.values():
        assert [name for name in kinds if f"kind.{name}" not in words] == []


def test_health_tells_the_workers(client: TestClient, board: dict[str, Any]) -> None:
    assert client.get("/healthz").json() == {"workers": 1}


def test_the_form_works_without_script(client: TestClient) -> None:
    form = {"files": {"picture": ("shot.png", SHOT, "image/png")}}
    assert client.post("/", **form).status_code == 401  # type: ignore[arg-type]  # only the code of the form counts
    token = client.headers["authorization"].partition(" ")[2]
    page = client.post("/", data={"code": token}, **form)  # type: ignore[arg-type]
    client.cookies.clear()
    assert page.status_code == 200
    picture = re.search(r'src="([^"]+solution\.jpg)"', page.text)
    step = re.search(r'href="(/plain/[^"]+)"', page.text)
    assert picture
    assert client.get(picture[1]).headers["content-type"] == "image/jpeg"
    assert step
    shown = client.get(step[1])
    assert "only one place left for this clue" in shown.text
    assert client.get(re.findall(r'src="([^"]+jpg)"', shown.text)[0]).status_code == 200


@pytest.mark.parametrize(
    ("header", "lang"), [("zh-CN,zh;q=0.9,en;q=0.8", "zh"), ("de,en;q=0.5", "en"), ("fr", "en"), ("", "en")]
)
def test_the_page_speaks_the_browsers_language(client: TestClient, header: str, lang: str) -> None:
    assert f'<html lang="{lang}">' in client.get("/", headers={"Accept-Language": header}).text
    assert '<html lang="zh">' in client.get("/?lang=zh").text


def test_both_languages_say_the_same_things() -> None:
    assert strings.EN.keys() == strings.ZH.keys()


def test_a_hint_is_told_in_the_language_of_the_page(client: TestClient, board: dict[str, Any]) -> None:
    step = f"{PICTURES}/{board['id']}/steps/0"
    chinese = client.get(step, headers={"Accept-Language": "zh"}).json()
    english = client.get(step).json()
    assert "only one place is left for" in english["because"]
    assert "只剩一个位置" in chinese["because"]
    assert chinese["rule"] == english["rule"]
    assert "只剩一个位置" in client.get(f"/plain/{board['id']}/steps/0?lang=zh").text


def test_what_was_read_is_told_in_the_language_of_the_page(client: TestClient, board: dict[str, Any]) -> None:
    chinese = client.post(PICTURES, content=SHOT, headers={"Accept-Language": "zh"}).json()
    assert "one solution" in board["message"]
    assert "一个解" in chinese["message"]
    assert (chinese["status"], chinese["puzzle"]) == (board["status"], board["puzzle"])


def test_why_a_cell_is_in_doubt_is_told_in_the_language_of_the_page(client: TestClient) -> None:
    outcome = solvepic.solve(SHOT)
    outline = np.array(outcome.outlines()[0, 5])
    (left, top), (right, bottom) = outline.min(axis=0).astype(int) + 9, outline.max(axis=0).astype(int) - 9
    wiped = cv2.imdecode(np.frombuffer(SHOT, np.uint8), cv2.IMREAD_COLOR)
    assert wiped is not None
    wiped[top:bottom, left:right] = wiped[top, left]  # the 12
    data = cv2.imencode(".png", wiped)[1].tobytes()
    english = sent(client, data)["doubts"]
    chinese = client.post(PICTURES, content=data, headers={"Accept-Language": "zh"}).json()["doubts"]
    assert "no clue was seen" in english[0]["why"]
    assert "没有看到数字" in chinese[0]["why"]
    assert [{**doubt, "why": ""} for doubt in chinese] == [{**doubt, "why": ""} for doubt in english]


def drawn(name: str) -> bytes:
    """A picture that is refused."""
    return cv2.imencode(".png", REFUSALS[name][1]())[1].tobytes()


def test_a_place_that_may_be_no_cell_can_be_settled(client: TestClient) -> None:
    data = drawn("unread")
    board = sent(client, data)
    unsure = {f"r{doubt['cell'][0] + 1}c{doubt['cell'][1] + 1}": doubt["read"] for doubt in board["doubts"]}
    assert sorted(unsure.values()) == ["empty", "hole"]
    words = {"empty": "", "hole": "#"}
    assert {name: board["cells"][name]["word"] for name in unsure} == {name: words[unsure[name]] for name in unsure}
    told = sent(
        client, data, set=" ".join(f"{name}={'hole' if read == 'hole' else ''}" for name, read in unsure.items())
    )
    assert not told["doubts"]
    assert not {name for name, read in unsure.items() if read == "hole"} & told["cells"].keys()


def test_what_settles_the_whole_board_is_told(client: TestClient) -> None:
    data = drawn("cropped")
    assert [doubt["settle"] for doubt in sent(client, data)["doubts"]] == ["--size 7x7"]
    assert not sent(client, data, size="7x7")["doubts"]


def test_where_a_board_was_seen_that_cannot_be_read_is_told(client: TestClient) -> None:
    data = drawn("cut-off")
    refused = client.post(PICTURES, content=data)
    assert refused.status_code == 422
    corners = refused.json()["board"]["corners"]
    assert sent(client, data, corners=" ".join(f"{x},{y}" for x, y in corners))["board"]


def test_a_refusal_is_told_in_the_language_of_the_page(client: TestClient) -> None:
    header = {"Accept-Language": "zh"}
    page = client.post("/solve.png", content=b"hello", headers=header).text
    assert page.startswith("文件：这不是能打开的图片")
    for path in (PICTURES, "/solve.png"):
        assert "这好像是" in client.post(path, content=SUDOKU, headers=header).text
    guarded = client.get("/", headers={"Host": "evil.example", "Accept-Language": "zh-CN"})
    assert guarded.text.startswith("这不是 solvepic serve 显示的地址")
    assert client.get(f"{PICTURES}/nobody/solution", headers=header).json()["error"].startswith("图片已被删除")


def test_words_of_the_page_are_all_used_and_all_there() -> None:
    static = ROOT / "solvepic" / "web" / "static"
    page = "".join(path.read_text() for path in static.glob("*.html"))
    script, app = (static / "page.js").read_text(), (ROOT / "solvepic" / "web" / "app.py").read_text()
    named = set(re.findall(r"\{\{([\w.]+)\}\}", page)) | set(re.findall(r"words\.(\w+)", script))
    named |= set(re.findall(r'words\["(\w+)"\]', app))
    missing = named - strings.EN.keys() - {"lang", "other", "strings", "body"}
    assert not missing
    plain = {word for word in strings.EN if "." not in word}
    statuses = {"unique", "several", "solved", "unreadable", "unsolvable", "timeout", "no_board", "refused"}
    assert plain - named - statuses == set()


def test_where_a_photo_was_taken_is_not_told(client: TestClient) -> None:
    from PIL import Image  # noqa: PLC0415

    exif = Image.Exif()
    exif[0x010F] = "MakerOfThePhone"
    file = io.BytesIO()
    Image.open(io.BytesIO(SHOT)).convert("RGB").save(file, "JPEG", exif=exif, quality=95)
    board = sent(client, file.getvalue())
    for what in ("picture", "solution"):
        for form in ("jpg", "png"):
            assert b"MakerOfThePhone" not in client.get(f"{PICTURES}/{board['id']}/{what}.{form}").content


def test_the_server_itself_decodes_nothing() -> None:
    code = "import sys, solvepic.web.serve; print(sorted({'cv2', 'PIL', 'vision', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_nobody_imports_the_page_but_its_command() -> None:
    layers = [(ROOT / "solvepic").glob("*.py"), (ROOT / "vision").rglob("*.py"), (ROOT / "overlay").rglob("*.py")]
    importing = [
        (path.name, node.col_offset > 0)
        for path in chain(*layers)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("solvepic.web")
    ]
    assert importing == [("command.py", True)]  # late, within the command


@pytest.mark.parametrize("name", ["queens/chequered.png", "knight/chequered.png", "stitch/patches.png"])
def test_samples_are_read_as_by_the_command(client: TestClient, name: str) -> None:
    record = sent(client, (SAMPLES / name).read_bytes())
    outcome = solvepic.solve(SAMPLES / name)
    assert outcome.kind is not None
    assert (record["status"], record["kind"], record["message"]) == ("solved", outcome.kind.name, outcome.message)
    assert all(cell["word"] == outcome.words()[written.cell(where)] for where, cell in record["cells"].items())
