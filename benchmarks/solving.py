"""Solving a picture and telling all that a judge must know of it, in this process or for another one.

As a script it reads the path of an array (``.npy``) a line and writes a record a line, after a first one that tells
where its code lies. It asks little of that code, so that it runs with older code as well: see
:mod:`benchmarks.paired`.
"""

import json
import sys
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

import solvepic

SECONDS = 120.0
"""The time limit: wide, so that a busy machine does not count against the reading."""

LIMIT: dict[str, Any] = {
    "time_limit" if "time_limit" in {f.name for f in fields(solvepic.Options)} else "seconds": SECONDS
}
"""The option of the time limit, which was renamed once."""

Record = dict[str, Any]


def record_of(outcome: Any) -> Record:
    """The record that ``--json`` prints, and of Stitch boards where cells lie and which cells patches cover.

    ``cell_centers`` holds ``[row, column, x, y]`` in pixels of the file, ``patches`` lists of ``[row, column]``.
    """
    record: Record = dict(outcome.record())
    if record["kind"] == "stitch" and outcome.reading is not None:
        cells = outcome.reading.puzzle.cells
        middles = outcome.reading.placement.to_photo([(col + 0.5, row + 0.5) for row, col in cells])
        pixels = (middles + 0.5) / outcome.scale - 0.5
        record["cell_centers"] = [[*cell, *at] for cell, at in zip(cells, pixels.tolist(), strict=True)]
        record["patches"] = [[list(cell) for cell in patch.block.cells] for patch in outcome.answer or ()]
    return record


def solved(picture: Any) -> Record:
    """What comes of a picture ``uint8 (H, W, 3)``, with ``spent``: seconds of processor time.

    An exception is a record as well, of status ``failed``: one fault must not end a long run.
    """
    began = time.process_time()
    try:
        record = record_of(solvepic.solve(picture, solvepic.Options(**LIMIT)))
    except Exception as fault:
        record = {"status": "failed", "kind": None, "puzzle": None, "solution": None, "message": repr(fault)}
    return {**record, "spent": time.process_time() - began}


def main() -> None:
    """Answer each line until there are no more."""
    print(json.dumps(str(Path(solvepic.__file__).resolve())), flush=True)
    for line in sys.stdin:
        print(json.dumps(solved(np.load(line.strip()))), flush=True)


if __name__ == "__main__":
    main()
