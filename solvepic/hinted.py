"""What lies beneath a hint: kept in its picture's file, so that a hint of a hinted picture goes on where that ended.

A chunk of the PNG's own (private, not to be copied by programs that change the picture) holds how many steps are drawn
and the pixels that they cover. It counts only as long as the picture is what was written; when anybody drew on it or
cut it out, it is a picture like any other.
"""

import json
import zlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from solvepic.output import encoded
from vision.pictures.loading import PRIVATE_CHUNK, BadPictureError, Loaded, decode, load
from vision.pictures.photo import Photo, Picture

TAIL = 12
"""Bytes of the chunk that ends a PNG: length, name and check sum."""


def hinted_png(original: Picture, drawn: Picture, shown: int) -> bytes:
    """A PNG of the picture ``drawn``, on which so many steps are shown, with what of ``original`` lies beneath.

    Args:
        original: ``uint8 (H, W, 3)``.
        drawn: the same with marks, or wider where a second picture stands beside it.
        shown: steps.
    """
    height, width = original.shape[:2]
    covered = (original != drawn[:height, :width]).any(axis=2)
    rows, cols = np.flatnonzero(covered.any(axis=1)), np.flatnonzero(covered.any(axis=0))
    top, bottom, left, right = (0, 1, 0, 1) if not len(rows) else (rows[0], rows[-1] + 1, cols[0], cols[-1] + 1)
    header = {"shown": shown, "size": [width, height], "at": [int(left), int(top)], "sum": zlib.crc32(drawn.tobytes())}
    chunk = json.dumps(header).encode() + b"\n" + encoded(original[top:bottom, left:right], ".png")
    whole = PRIVATE_CHUNK + chunk
    png = encoded(drawn, ".png")
    return png[:-TAIL] + len(chunk).to_bytes(4) + whole + zlib.crc32(whole).to_bytes(4) + png[-TAIL:]


def beneath(loaded: Loaded) -> tuple[Loaded, int]:
    """The picture without the steps that are drawn on it, and how many these are; itself and 0 where it is no hint."""
    line, _, covered = loaded.private.partition(b"\n")
    drawn = loaded.photo.bgr
    try:
        header = json.loads(line or b"{}")
        width, height = header["size"]
        left, top = header["at"]
        shown = int(header["shown"])
        under = decode(covered, loaded.photo.path).photo.bgr
        fits = 0 < height <= drawn.shape[0] and 0 < width <= drawn.shape[1]
        if not fits or header["sum"] != zlib.crc32(drawn.tobytes()):
            return loaded, 0
        original = drawn[:height, :width].copy()
        original[top : top + under.shape[0], left : left + under.shape[1]] = under
    except (KeyError, TypeError, ValueError, RecursionError, BadPictureError):
        return loaded, 0
    return Loaded(Photo(original, loaded.photo.path), loaded.format, loaded.notes), shown


def steps_shown(earlier: Iterable[str], original: Picture) -> int:
    """How many steps the first of the files ``earlier`` shows that is a hint of the picture ``original``; else 0."""
    for name in earlier:
        try:
            under, shown = beneath(load(Path(name)))
        except BadPictureError:
            continue
        if shown and np.array_equal(under.photo.bgr, original):
            return shown
    return 0
