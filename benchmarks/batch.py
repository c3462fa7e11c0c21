"""Pictures per second, against the floor and with two workers: ``python -m benchmarks.batch``.

The floor decodes, calls Tesseract once and encodes, in one process that is already running. A batch of drawn
screenshots is then solved with one worker and with two, and by kind named and kind found out: Stitch boards open, half
filled and full, and boards of coloured regions in all themes and states. What is refused counts as what is solved does;
how many are is printed.
"""

import multiprocessing
import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from samples import regions, stitch
from solvepic import batch
from solvepic.jobs import Job
from solvepic.options import Options
from vision.numbers.ocr_engines import engine
from vision.pictures.loading import load

PICTURES = 40


def main() -> None:
    """Print the rates and the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        paths = drawn(Path(folder))
        floor = timed_floor(paths)
        (one, solved), (two, _) = timed_batch(paths, 1, None), timed_batch(paths, 2, None)
        stitches = [path for path in paths if "stitch" in path.name]
        (found, _), (named, _) = timed_batch(stitches, 1, None), timed_batch(stitches, 1, "stitch")
    count = len(paths)
    print(
        f"{count} drawn screenshots, half Stitch and half coloured regions, {solved} solved,"
        f" {multiprocessing.cpu_count()} processors"
    )
    print(f"floor         {count / floor:6.1f} pictures/s")
    print(f"one worker    {count / one:6.1f} pictures/s   {floor / one:.2f} of the floor (bar: 0.5)")
    print(f"two workers   {count / two:6.1f} pictures/s   {one / two:.2f} times one (bar: 1.8)")
    print(f"finding out the kind costs {found / named:.2f} times naming it (bar: 1.3)")
    print(f"peak memory of a worker {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MiB")


def drawn(folder: Path) -> list[Path]:
    """Screenshots of both kinds."""
    rng = np.random.default_rng(8)
    paths = []
    for number in range(PICTURES // 2):
        samples = {
            "stitch": stitch.draw(rng, style="light", device="phone"),
            "regions": regions.draw(rng, device="phone"),
        }
        for name, sample in samples.items():
            paths.append(folder / f"{name}-{number:02d}.png")
            paths[-1].write_bytes(cv2.imencode(".png", sample.picture)[1].tobytes())
    return paths


def timed_floor(paths: Sequence[Path]) -> float:
    """Seconds for what cannot be done without."""
    sheet = np.full((400, 900), 255, np.uint8)
    for n in range(40):
        cv2.putText(sheet, str(n % 9 + 1), (40 + n % 10 * 80, 60 + n // 10 * 90), cv2.FONT_HERSHEY_SIMPLEX, 0.9, 0, 2)
    read = engine("auto")
    read(sheet)
    began = time.perf_counter()
    for path in paths:
        picture = load(path).photo.bgr
        read(sheet)
        cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    return time.perf_counter() - began


def timed_batch(paths: Sequence[Path], workers: int, kind: str | None) -> tuple[float, int]:
    """Seconds for a batch, once its workers are warm, and how many pictures it solved."""
    jobs = [Job(str(path), str(path.with_suffix(".solved.png")), Options(kind=kind)) for path in paths]
    with batch.pool(workers, batch.work) as submit:
        list(batch.run(jobs[: 2 * workers], submit, ahead=2 * workers))
        began = time.perf_counter()
        records = list(batch.run(jobs, submit, ahead=batch.AHEAD * workers))
        return time.perf_counter() - began, sum(record["status"] == "solved" for record in records)


if __name__ == "__main__":
    main()
