"""Takes ``docs/page.jpg``, the phone page in four states: ``python docs/page.py`` (needs Chromium and ``[dev]``)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
SAMPLE = HERE.parent / "samples" / "stitch" / "phone-light.png"
FLAGS = ["--no-sandbox", "--disable-gpu"]
HEIGHT = 1_000


def main() -> None:
    """Put four pictures of the page side by side."""
    command = [sys.executable, "-m", "solvepic", "serve", "--local", "--port", "0"]
    environment = {**os.environ, "SOLVEPIC_TOKEN": "a-code-for-the-pictures"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stderr is not None
        link = next(line.strip() for line in server.stderr if line.startswith("http://"))
        with sync_playwright() as running:
            browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            shots = _shots(browser.new_context(**running.devices["Pixel 7"]).new_page(), link)
            browser.close()
        server.terminate()
    shots = [cv2.resize(shot, (round(shot.shape[1] * HEIGHT / shot.shape[0]), HEIGHT)) for shot in shots]
    gap = np.full((HEIGHT, HEIGHT // 40, 3), 255, np.uint8)
    row = [part for shot in shots for part in (gap, shot)][1:]
    data = cv2.imencode(".jpg", np.concatenate(row, axis=1), [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    (HERE / "page.jpg").write_bytes(data.tobytes())


def _shots(page: Any, link: str) -> list[Any]:
    def taken() -> Any:
        page.wait_for_timeout(500)
        return cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)

    page.goto(link)
    shots = [taken()]
    page.set_input_files("#file", str(SAMPLE))
    page.wait_for_selector("#play:not([hidden])")
    page.click("#hint")
    page.wait_for_timeout(500)
    page.click("#hint")
    page.wait_for_timeout(500)
    page.click("#hint")
    shots.append(taken())
    page.locator('[data-cell="r1c6"]').dispatch_event("click")
    shots.append(taken())
    page.keyboard.press("Escape")
    page.click("#solution")
    page.wait_for_load_state("networkidle")
    shots.append(taken())
    return shots


if __name__ == "__main__":
    main()
