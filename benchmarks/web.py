"""The phone page: how long what takes, and what it holds: ``python -m benchmarks.web``.

A server with two workers runs in a process of its own and is asked over HTTP on this machine, as a phone would ask it;
the pictures are drawn. ``--long`` sends 500 pictures in addition and compares the memory after them with that after 50.
"""

import argparse
import asyncio
import http.client
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import uvicorn

from benchmarks.stages import photo_of_a_board
from samples import stitch
from solvepic.web.app import Service, build
from solvepic.web.guard import Guard, Keys
from solvepic.web.limits import Limits
from solvepic.web.workers import Workers

TOKEN = "the-code-of-the-benchmark"
HOST = "127.0.0.1"
WORKERS = 2
PHOTO_WH = (4000, 3000)
QUALITY = 92
SERVE = "serve"

SLOW_PNG_SIDE = 7_700
"""Of a blank picture of 59 megapixels: what the largest picture costs that is let in."""


def main() -> None:
    """Print each bar beside what was measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--shots", type=int, default=40)
    parser.add_argument("--photos", type=int, default=10)
    parser.add_argument("--long", action="store_true", help="500 pictures, for the memory")
    parser.add_argument(SERVE, nargs="?", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        serve()
        return
    print(f"start to QR code {start_to_link():.2f} s   (bar: 0.5)")
    server = subprocess.Popen([sys.executable, "-m", "benchmarks.web", SERVE], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        user = User(int(server.stdout.readline()))
        user.wait_until_warm()
        measure(user, asked.shots, asked.photos)
        if asked.long:
            measure_memory(user, server.pid)
    finally:
        server.terminate()
        server.wait()


def serve() -> None:
    """Serve on a free port, which is printed."""
    keys = Keys(TOKEN)
    service = Service(Workers(WORKERS), keys)
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        port = listener.getsockname()[1]
        print(port, flush=True)
        app = Guard(build(service), keys, [f"{HOST}:{port}"], pictures=100_000)
        config = uvicorn.Config(app, log_level="error", access_log=False, http="h11", lifespan="on")
        asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))


class User:
    """Asks the server."""

    def __init__(self, port: int) -> None:
        """The server listens on ``port`` here."""
        self._port = port

    def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, Any]:
        """Status and answer, of JSON where it is some."""
        connection = http.client.HTTPConnection(HOST, self._port, timeout=120)
        connection.request(method, path, body, {"Authorization": f"Bearer {TOKEN}", "Content-Type": "image/png"})
        reply = connection.getresponse()
        data = reply.read()
        connection.close()
        is_json = "json" in (reply.headers["content-type"] or "")
        return reply.status, json.loads(data) if is_json else data

    def wait_until_warm(self) -> None:
        """Until both workers are ready."""
        while True:
            try:
                if self.ask("GET", "/healthz")[1]["workers"] == WORKERS:
                    return
            except OSError:
                pass
            time.sleep(0.05)

    def timed(self, method: str, path: str, body: bytes = b"") -> tuple[float, Any]:
        """Seconds that a request took, and its answer; one that fails is no measurement."""
        began = time.perf_counter()
        status, reply = self.ask(method, path, body)
        seconds = time.perf_counter() - began
        assert status in (200, 201, 422), f"{method} {path}: {status} {reply}"
        return seconds, reply

    def send(self, picture: bytes) -> tuple[int, Any]:
        """Send a picture to be read."""
        return self.ask("POST", "/api/v1/pictures", picture)


def measure(user: User, shots: int, photos: int) -> None:
    """Everything but the memory."""
    boards = [shot(seed) for seed in range(shots)]
    uploads: list[float] = []
    corrections: list[float] = []
    steps: list[float] = []
    checks: list[float] = []
    for board in boards:
        seconds, reply = user.timed("POST", "/api/v1/pictures", board)
        uploads.append(seconds)
        if not reply["answered"]:
            continue
        base = f"/api/v1/pictures/{reply['id']}"
        name, cell = next((name, cell) for name, cell in reply["cells"].items() if cell["word"])
        steps += [user.timed("GET", f"{base}/steps/{number}")[0] for number in range(0, reply["steps"], 3)]
        checks.append(user.timed("POST", f"{base}/check")[0])
        corrections.append(user.timed("PATCH", f"{base}/cells", json.dumps({name: cell["word"]}).encode())[0])
    report("phone capture, upload to verdict", uploads, 0.6, 1.0)
    report("a corrected clue, new verdict", corrections, None, 0.15)
    report("next step of a hint", steps, None, 0.05)
    report("check", checks, None, None)
    pictures = [photo(seed) for seed in range(photos)]
    report("photo of 12 megapixels", [user.timed("POST", "/api/v1/pictures", one)[0] for one in pictures], 1.5, 3.0)
    at_once(user, boards[:8])
    with_a_hostile_one(user, boards[0])


def at_once(user: User, boards: Sequence[bytes]) -> None:
    """Eight uploads at once, and then fifty."""
    began = time.perf_counter()
    with ThreadPoolExecutor(50) as crowd:
        statuses = [status for status, _ in crowd.map(user.send, boards)]
        took = time.perf_counter() - began
        print(f"{len(boards)} uploads at once: {statuses.count(201)} read in {took:.1f} s   (bar: 8)")
        began = time.perf_counter()
        refused: list[float] = []

        def sent(board: bytes) -> int:
            status, _ = user.send(board)
            if status == 503:
                refused.append(time.perf_counter() - began)
            return status

        statuses = list(crowd.map(sent, [boards[0]] * 50))
    late = f", the last after {max(refused):.2f} s" if refused else ""
    print(f"50 uploads at once: {statuses.count(201)} read, {statuses.count(503)} turned away{late}")


def with_a_hostile_one(user: User, board: bytes) -> None:
    """The dearest picture that is let in, beside the pictures of others."""
    alone = statistics.median(user.timed("POST", "/api/v1/pictures", board)[0] for _ in range(5))
    noise = np.random.default_rng(0).integers(0, 255, (60, 60, 3), np.uint8)
    side = SLOW_PNG_SIDE
    hostile = cv2.imencode(".png", cv2.resize(noise, (side, side), interpolation=cv2.INTER_NEAREST))[1].tobytes()
    ended: list[float] = []
    thread = threading.Thread(target=lambda: ended.append(user.timed("POST", "/api/v1/pictures", hostile)[0]))
    thread.start()
    time.sleep(0.3)
    beside = statistics.median(user.timed("POST", "/api/v1/pictures", board)[0] for _ in range(5))
    thread.join()
    print(
        f"{side**2 / 1e6:.0f} megapixels of noise: answered after {ended[0]:.1f} s (limit {Limits().deadline:g} s);"
        f" others {alone:.2f} s alone, {beside:.2f} s beside it   (bar: limit + 0.5 s, 20 %)"
    )


def measure_memory(user: User, pid: int) -> None:
    """What the server and its workers hold after 50 and after 500 pictures."""
    held = {}
    boards = [shot(seed) for seed in range(25)]
    for number in range(1, 501):
        user.send(random.Random(number).choice(boards))
        if number in (50, 500):
            held[number] = resident_mb(pid)
    growth = held[500] / held[50]
    print(f"memory after 50 pictures {held[50]:.0f} MB, after 500 {held[500]:.0f} MB: x {growth:.2f}   (bar: 1.15)")


def resident_mb(pid: int) -> float:
    """The memory of a process and of those that it started."""
    pages, parents = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            pages[int(folder.name)] = int((folder / "statm").read_text().split()[1])
        except OSError:
            continue
    family = {pid}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(pages[one] for one in family) * os.sysconf("SC_PAGE_SIZE") / 1e6


def start_to_link() -> float:
    """Seconds from the command to the link, the middle of five."""
    taken = []
    for _ in range(5):
        began = time.perf_counter()
        command = [sys.executable, "-m", "solvepic", "serve", "--port", "0"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
            assert server.stderr is not None
            next(line for line in server.stderr if line.startswith("http://"))
            taken.append(time.perf_counter() - began)
            server.terminate()
    return statistics.median(taken)


def shot(seed: int) -> bytes:
    """A drawn phone capture."""
    sample = stitch.draw(np.random.default_rng(seed), style="light", rows=14, cols=8, filled=0, device="phone")
    return cv2.imencode(".png", sample.picture)[1].tobytes()


def photo(seed: int) -> bytes:
    """A drawn photo."""
    drawn = photo_of_a_board(seed, PHOTO_WH).picture
    return cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def report(what: str, seconds: Sequence[float], bar50: float | None, bar95: float | None) -> None:
    """A line with the middle and the 95th percentile."""
    if not seconds:
        return
    p50, p95 = np.percentile(seconds, [50, 95])
    bars = " / ".join(f"{bar:g}" for bar in (bar50, bar95) if bar is not None)
    line = f"{what}: p50 {p50:.3f} s, p95 {p95:.3f} s of {len(seconds)}"
    print(line + (f"   (bar: {bars})" if bars else ""), flush=True)


if __name__ == "__main__":
    main()
