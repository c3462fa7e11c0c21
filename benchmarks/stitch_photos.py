"""Photos of 12 megapixels of Stitch boards, whole processes, with the stages: ``python -m benchmarks.stitch_photos``.

Half pages, half screens, as :mod:`benchmarks.stages` draws them, solved by the command as people call it: the kind is
found out, the answer is drawn and written. What is printed is that of :mod:`benchmarks.balls`.
"""

import argparse
import statistics
import tempfile
from pathlib import Path

import cv2

from benchmarks.balls import measured, report
from benchmarks.stages import photo_of_a_board

PHOTO_WH = (4000, 3000)

QUALITY = 92
"""Of the JPEG, as phones write it."""


def main() -> None:
    """Print a line for each photo, then the medians."""
    summary = (__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stitch_photos", description=summary)
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0, help="of the first one")
    asked = parser.parse_args()
    spent: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as name:
        for seed in range(asked.seed, asked.seed + asked.count):
            photo = Path(name) / f"{seed}.jpg"
            drawn = photo_of_a_board(seed, PHOTO_WH).picture
            photo.write_bytes(cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes())
            spent.append(measured(photo, Path(name)))
            print(f"{seed:>6}: {report(spent[-1])}", flush=True)
    print(f"median: {report({key: statistics.median(one[key] for one in spent) for key in spent[0]})}   (bar: 1.5 s)")


if __name__ == "__main__":
    main()
