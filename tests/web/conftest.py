"""The phone page as one server for the tests of a process, with one worker."""

from collections.abc import Iterator

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed: pip install 'solvepic[web]'")

from starlette.testclient import TestClient

from solvepic.web.app import Service, build
from solvepic.web.guard import Guard, Keys
from solvepic.web.workers import Workers

TOKEN = "a-code-for-these-tests"
HOST = "localhost:8765"
URL = f"http://{HOST}"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="session")
def service() -> Service:
    return Service(Workers(1), Keys(TOKEN))


@pytest.fixture(scope="session")
def client(service: Service) -> Iterator[TestClient]:
    app = Guard(build(service), service.keys, [HOST], pictures=1_000)  # these tests are one busy user
    with TestClient(app, URL, headers=BEARER) as client:
        yield client
