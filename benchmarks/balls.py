"""Photos of ball boards, whole processes, with the stages: ``python -m benchmarks.balls [--count N] [--seed S]``.

Drawn photos of 3 megapixels of the triangle and the 5 x 11 board, solved by the command as people call it: the kind is
found out, the answer is drawn and written. Beside the seconds stand those of the processor, which tell more on a
machine that others use as well; the floor is starting Python, importing OpenCV and Typer, decoding the photo and
encoding the result.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.screenshot import timed
from samples import balls
from samples.camera import photograph, random_shot

PHOTO_WH = (2048, 1536)

STAGES = ("load", "find", "read", "solve", "draw")

FLOOR = """
import sys, cv2, typer, numpy as np
picture = cv2.imdecode(np.fromfile(sys.argv[1], np.uint8), cv2.IMREAD_COLOR)
open(sys.argv[2], "wb").write(cv2.imencode(".jpg", picture)[1].tobytes())
"""


def main() -> None:
    """Print a line for each photo, then the medians."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.balls", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=6, help="photos of each board")
    parser.add_argument("--seed", type=int, default=0, help="of the first one")
    asked = parser.parse_args()
    spent: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for board in balls.BOARDS:
            for seed in range(asked.seed, asked.seed + asked.count):
                rng = np.random.default_rng([seed, *board.encode()])
                sample = photograph(balls.random_sample(rng, board), random_shot(rng, PHOTO_WH), rng)
                spent.append(measured(sample.save(folder, f"{board}-{seed}"), folder))
                print(f"{board:<9} {seed}: {report(spent[-1])}", flush=True)
    print(f"median   : {report({key: statistics.median(one[key] for one in spent) for key in spent[0]})}   (bar: 1 s)")


def measured(photo: Path, folder: Path) -> dict[str, float]:
    """Seconds of the stages as the program counts them; of the whole process, elapsed and processor's; the floor's."""
    out, compiled = folder / "out.jpg", folder / "compiled"
    whole = [sys.executable, "-m", "solvepic", str(photo), "-o", str(out), "--overwrite"]
    # The first call also says how long its stages took, and leaves its byte code for the second.
    completed = subprocess.run([*whole, "--json"], capture_output=True, text=True, check=False)
    stages = json.loads(completed.stdout)["seconds"]
    elapsed, processor = timed(whole, compiled, check=False)
    floor = timed([sys.executable, "-c", FLOOR, str(photo), str(out)], compiled)[1]
    return {**{stage: stages[stage] for stage in STAGES}, "elapsed": elapsed, "processor": processor, "floor": floor}


def report(seconds: dict[str, float]) -> str:
    """What was measured, in a line."""
    return ", ".join(f"{key} {value:.2f}" for key, value in seconds.items())


if __name__ == "__main__":
    main()
