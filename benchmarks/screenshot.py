"""One screenshot, whole process, against the floor: ``python -m benchmarks.screenshot``.

The floor is what no program built on these libraries can do without: starting Python, importing OpenCV, decoding the
picture, one call of Tesseract on a sheet of digits, encoding the result. Both run in turn, so that a slow moment of the
machine hits both; the ratio of each pair counts. Beside the seconds stand those of the processor, which tell more on a
machine that others use as well. Both run with byte code that is compiled already, as an installation's is.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np

from samples import stitch

PAIRS = 9

FLOOR = """
import sys, cv2, numpy as np
from vision.numbers.ocr_engines import engine
picture = cv2.imdecode(np.fromfile(sys.argv[1], np.uint8), cv2.IMREAD_COLOR)
sheet = np.full((400, 900), 255, np.uint8)
for n in range(40):
    cv2.putText(sheet, str(n % 9 + 1), (40 + n % 10 * 80, 60 + n // 10 * 90), cv2.FONT_HERSHEY_SIMPLEX, 0.9, 0, 2)
engine("auto")(sheet)
open(sys.argv[2], "wb").write(cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes())
"""


def main() -> None:
    """Print both medians, the ratio and the peak memory."""
    with tempfile.TemporaryDirectory() as folder:
        shot, out = Path(folder) / "shot.png", Path(folder) / "out.png"
        sample = stitch.draw(np.random.default_rng(14), style="light", rows=14, cols=8, filled=0, device="phone")
        shot.write_bytes(cv2.imencode(".png", sample.picture)[1].tobytes())
        floor = [sys.executable, "-c", FLOOR, str(shot), str(out)]
        whole = [sys.executable, "-m", "solvepic", str(shot), "-o", str(out), "--overwrite"]
        compiled = Path(folder) / "compiled"
        timed(floor, compiled), timed(whole, compiled)
        pairs = [(timed(floor, compiled), timed(whole, compiled)) for _ in range(PAIRS)]
        size = sample.picture.shape
    print(f"a 14 x 8 board on a screenshot of {size[1]} x {size[0]}, {PAIRS} pairs, whole processes")
    for at, what in enumerate(("elapsed", "processor")):
        floors, wholes = ([pair[which][at] for pair in pairs] for which in (0, 1))
        ratio = statistics.median(w / f for f, w in zip(floors, wholes, strict=True))
        print(
            f"{what:<10} floor {statistics.median(floors):.3f} s, solvepic {statistics.median(wholes):.3f} s,"
            f" ratio {ratio:.2f}   (bar: 2)"
        )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MiB   (bar: 350)")


def timed(call: list[str], compiled: Path, *, check: bool = True) -> tuple[float, float]:
    """Seconds that passed and seconds of the processor for a whole process, which must succeed if ``check``.

    Its byte code is kept in the folder ``compiled``, whatever the environment says.
    """
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(compiled)
    before, began = _processor(), time.perf_counter()
    subprocess.run(call, check=check, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - began, _processor() - before


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
