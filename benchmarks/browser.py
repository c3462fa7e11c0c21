"""How many boards are read that a browser drew: ``python -m benchmarks.browser [PAGE…] [--count N] [--seed S]
[--photos]``.

The pages are those of :mod:`samples.browser`, of which nothing was taught; they are judged as the sets of
:mod:`benchmarks.sets` are. With ``--photos`` a drawn camera takes pictures of the screen. Exits with 1 where one is
called solved and is not. Wants Chromium and the extra ``dev``.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from benchmarks.drawn import PHOTO_WH
from benchmarks.judging import judged
from benchmarks.sets import asked_jobs, workers
from benchmarks.solving import solved
from samples.browser import CHROMIUM
from samples.browser import PAGES as BOARDS
from samples.browser_games import other_page
from samples.browser_hoops import hoop_page
from samples.camera import photograph, random_shot
from samples.sample import Sample

PAGES = {**BOARDS, "hoops": hoop_page, "other": other_page}
"""By name, what makes a page."""

COUNT = 20
"""Pictures of each page where no count is given."""

FLAGS = ("--no-sandbox", "--disable-gpu", "--hide-scrollbars")


def screenshots(name: str, seeds: Sequence[int]) -> Iterator[Sample]:
    """Pages of a name, one of each seed.

    Raises:
        SystemExit: there is no Chromium on the path.
    """
    if CHROMIUM is None:
        raise SystemExit("no Chromium on the path: apt-get install chromium")
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for seed in seeds:
            page = PAGES[name](Random(seed))
            width, height = page.size_wh
            view = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=page.scale)
            view.set_content(page.html)
            png = np.frombuffer(view.screenshot(), np.uint8)
            view.close()
            yield page.sample(np.asarray(cv2.imdecode(png, cv2.IMREAD_COLOR), np.uint8))
        browser.close()


def photographed(sample: Sample, seed: int) -> Sample:
    """The page on a screen in a photo."""
    rng = np.random.default_rng(seed)
    return photograph(sample, random_shot(rng, PHOTO_WH, screen=True), rng)


def became(sample: Sample) -> tuple[str, str]:
    """What became of a picture, and the message."""
    record: dict[str, Any] = solved(sample.picture)
    return judged(record, sample.truth), record["message"]


def main() -> None:
    """Print what is not right, and a line for each page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.browser", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=f"of {', '.join(PAGES)} (default: all)")
    parser.add_argument("--count", type=int, default=COUNT, help=f"pictures of each page (default: {COUNT})")
    parser.add_argument("--seed", type=int, default=0, help="of the first picture")
    parser.add_argument("--photos", action="store_true", help="take photos of the screen")
    parser.add_argument("--save", type=Path, help="folder for the pictures that are not right")
    asked_jobs(parser)
    asked = parser.parse_args()
    seeds, wrong = range(asked.seed, asked.seed + asked.count), 0
    with workers(asked.jobs) as pool:
        for name in asked.pages or PAGES:
            samples = list(screenshots(name, seeds))
            if asked.photos:
                samples = [photographed(sample, seed) for sample, seed in zip(samples, seeds, strict=True)]
            counts: Counter[str] = Counter()
            for seed, sample, (what, message) in zip(seeds, samples, pool.map(became, samples), strict=True):
                counts[what] += 1
                if what != "right":
                    print(f"  {name} {seed}: {what}: {message}", flush=True)
                    if asked.save:
                        sample.save(asked.save, f"{name}-{seed}")
            wrong += counts["wrong"] + counts["failed"]
            print(f"{name}: {counts['right']} of {asked.count} right, {counts['wrong']} wrong", flush=True)
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
