"""Memory: large pictures, and many pictures one after the other: ``python -m benchmarks.memory``.

The large pictures are photos of a page with a board, and pictures of 100 megapixels that are hard on memory (blank,
transparent, of 16 bits, of noise); each is looked at by a process of its own whose peak is read when it ends. The many
are drawn pictures of every kind, of nothing, large and small, photos and screens, solved and refused, in one process as
a batch's worker would; what it holds is read from the system after each round. ``--pictures`` says how many.
"""

import argparse
import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from samples import stitch
from samples.__main__ import SCENES
from samples.camera import Shot, photograph
from solvepic.batch import work
from solvepic.jobs import Job
from solvepic.options import Options

PHOTOS_WH = ((4000, 3000), (8000, 6000), (11540, 8655))
LARGEST_PX = 9999
BYTES_A_PIXEL, BESIDE_MIB, GROWTH_BAR = 12, 300, 1.1

SEEDS = 2
"""Pictures of each scene in a round."""


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=1000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for path, pixels in large(Path(folder)):
            bar = BYTES_A_PIXEL * pixels / 2**20 + BESIDE_MIB
            print(f"{path.stem}: {pixels / 1e6:.0f} megapixels, {peak(path):.0f} MiB (bar: {bar:.0f})", flush=True)
        paths = drawn(Path(folder))
        rounds = max(2, asked.pictures // len(paths))
        held = list(many(paths, rounds))
    print(f"{rounds * len(paths)} pictures, {len(paths)} a round; MiB held after a round: first, middle, last")
    print(f"{held[0]:.0f}  {held[len(held) // 2]:.0f}  {held[-1]:.0f}")
    middle = sorted(held[len(held) // 2 :])[len(held) // 4]
    print(f"growth from the first round to the later ones: {middle / held[0]:.2f} times (bar: {GROWTH_BAR})")


def large(folder: Path) -> Iterator[tuple[Path, int]]:
    """Large pictures, one at a time, and how many pixels they have."""
    rng = np.random.default_rng(48)
    page = stitch.draw(rng, style="light", rows=14, cols=8, filled=0, device="bare")
    shot = photograph(page, Shot((2000, 1500), tilt_deg=12, tilt_towards_deg=200, turn_deg=3, noise=2), rng)
    for number, size in enumerate(PHOTOS_WH):
        path = folder / f"photo-{number}.jpg"
        picture = cv2.resize(shot.picture, size, interpolation=cv2.INTER_CUBIC)
        path.write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())
        yield path, size[0] * size[1]
    square = (LARGEST_PX, LARGEST_PX)
    for name, mode, colour in (("blank", "L", 255), ("transparent", "RGBA", 0), ("deep", "I;16", 30_000)):
        path = folder / f"{name}.png"
        Image.new(mode, square, colour).save(path)
        yield path, LARGEST_PX**2
    grain = rng.integers(0, 256, (LARGEST_PX // 4, LARGEST_PX // 4, 3), dtype=np.uint8)
    path = folder / "noise.jpg"
    path.write_bytes(cv2.imencode(".jpg", cv2.resize(grain, square, interpolation=cv2.INTER_CUBIC))[1].tobytes())
    yield path, LARGEST_PX**2


def peak(path: Path) -> float:
    """The peak of a process that looks at a picture, in MiB."""
    code = f"from solvepic.batch import work, Job, Options; work(Job({str(path)!r}, {str(path)!r} + '.png', Options()))"
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        print("(it broke)")
    return usage.ru_maxrss / 1024


def drawn(folder: Path) -> list[Path]:
    """Pictures of every scene that the samples know, each with its own endings and sizes."""
    paths = []
    for scene, draw in SCENES.items():
        for seed in range(SEEDS):
            name = f"{scene.replace('/', '-')}-{seed}"
            sample = draw(np.random.default_rng([1000 + seed, *scene.encode()]))
            paths.append(folder / (name + (".jpg" if "photo" in scene else ".png")))
            paths[-1].write_bytes(cv2.imencode(paths[-1].suffix, sample.picture)[1].tobytes())
    return paths


def many(paths: list[Path], rounds: int) -> Iterator[float]:
    """Solve the pictures again and again; the MiB that this process holds after each round."""
    for _ in range(rounds):
        for path in paths:
            work(Job(str(path), str(path.with_suffix(".out.png")), Options(time_limit=120)))
        gc.collect()
        yield _held_mib()


def _held_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
