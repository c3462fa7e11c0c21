"""Starting the page: addresses, options that cannot be heeded, HTTPS, and what is shown."""

import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed: pip install 'solvepic[web]'")

from solvepic.errors import UsageError
from solvepic.web.reader import Reader
from solvepic.web.serve import Settings, own_addresses, places, serve, welcome

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def started(*options: str) -> Iterator[tuple[str, list[str]]]:
    """The link that ``solvepic serve`` shows, and all lines up to the last."""
    command = [sys.executable, "-m", "solvepic", "serve", "--port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, encoding="utf-8") as server:
        assert server.stderr is not None
        lines: list[str] = []
        try:
            for line in server.stderr:
                lines.append(line.rstrip("\n"))
                if "Ctrl-C" in line:
                    break
            yield next(line for line in lines if line.startswith("http")), lines
        finally:
            server.terminate()


def test_this_computer_alone() -> None:
    where = places(Settings(local=True), 8765)
    assert where.first == "http://localhost:8765/"
    assert where.hosts == {"localhost:8765", "127.0.0.1:8765"}


def test_a_host_that_was_named_is_the_one_that_is_shown() -> None:
    where = places(Settings(host="192.0.2.7"), 80)
    assert (where.first, where.others) == ("http://192.0.2.7/", ())
    assert "192.0.2.7" in where.hosts
    assert "evil.example" not in where.hosts


def test_addresses_that_were_named_come_first() -> None:
    where = places(Settings(addresses=("Laptop.local",), cert=Path("c"), key=Path("k")), 8765)
    assert where.first == "https://Laptop.local:8765/"
    assert "laptop.local:8765" in where.hosts


def test_own_addresses_are_none_that_only_this_computer_reaches() -> None:
    assert not [one for one in own_addresses() if one.startswith(("127.", "169.254.", "0."))]


def test_the_welcome_says_who_can_use_it() -> None:
    settings = Settings(addresses=("192.0.2.7", "192.0.2.8"))
    shown = "\n".join(welcome(places(settings, 8765), "code", settings))
    assert "http://192.0.2.7:8765/#code" in shown
    assert "try http://192.0.2.8:8765/#code" in shown
    assert "anyone with this link" in shown
    assert "not encrypted" in shown


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"cert": Path("cert.pem")}, "go together"),
        ({"cert": Path("nowhere.pem"), "key": Path("nowhere.pem")}, "no such file"),
        ({"token": "short"}, "at least 16"),
        ({"token": "ü" * 20}, "plain letters"),
        ({"local": True, "host": "192.0.2.7"}, "one of them"),
        ({"host": "192.0.2.7"}, "another --port"),
    ],
)
def test_settings_that_cannot_be_heeded_are_told(settings: dict[str, Any], word: str) -> None:
    with pytest.raises(UsageError, match=word):
        serve(Settings(**settings), lambda line: None)


def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(UsageError, match="another --port"):
            serve(Settings(local=True, port=other.getsockname()[1]), lambda line: None)


def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "starlette.py").write_text("raise ModuleNotFoundError('gone', name='starlette')")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    command = [sys.executable, "-m", "solvepic", "serve"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 2
    assert "pip install 'solvepic[web]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_command_shows_a_code_to_scan_and_the_link() -> None:
    with started() as (link, lines):
        assert re.fullmatch(r"http://[\w.]+:\d+/#[\w-]{16}", link)
        assert any("█" in line for line in lines)
        with urllib.request.urlopen(link.partition("#")[0]) as page:
            assert b"solvepic" in page.read()
            assert "server" not in {name.lower() for name in page.headers}


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl on the path, which makes the certificate")
def test_it_starts_with_a_certificate(tmp_path: Path) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(cert)]
    subprocess.run([*made, *names], check=True, capture_output=True)
    trust = ssl.create_default_context(cafile=str(cert))
    with started("--local", "--cert", str(cert), "--key", str(key)) as (link, _):
        url, _, code = link.partition("#")
        session = urllib.request.Request(f"{url}session", method="POST", headers={"Authorization": f"Bearer {code}"})
        with urllib.request.urlopen(session, context=trust) as reply:
            assert "secure" in reply.headers["set-cookie"].lower()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux alone")
def test_a_picture_that_wants_too_much_memory_is_refused() -> None:
    code = (
        "import numpy as np; from solvepic.web import reader\n"
        "from samples.stitch import draw; import cv2\n"
        "data = cv2.imencode('.png', np.zeros((7000, 7000, 3), np.uint8))[1].tobytes()\n"
        "reader._limit_memory(reader.resident_mb() + 150)\n"
        "print(reader.Reader(10, 60).answer({'verb': 'solve', 'options': {}, 'suffix': '.png'}, data))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.startswith("(41")
    assert "memory" in done.stdout


def test_what_was_never_kept_is_not_here() -> None:
    assert Reader(10, 60).answer({"verb": "record", "id": "nobody", "reveal": True}, b"")[0] == 404


def test_memory_that_runs_out_after_opening_a_picture_is_told() -> None:
    def hungry(**arguments: Any) -> Any:
        raise MemoryError

    reader = Reader(10, 60)
    reader._verbs["solve"] = hungry
    status, body = reader.answer({"verb": "solve", "options": {}, "suffix": ".png"}, b"picture")
    assert status == 413
    assert "memory" in body["error"]
