"""What a batch came to, to look at: one HTML page with every picture before and after, and a contact sheet.

The page opens from the disk without a server; pictures are linked, not copied, and shown small.
"""

import html
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from string import Template
from urllib.parse import quote

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from solvepic.output import encoded, write_whole
from solvers.kind import Record
from vision.pictures.loading import BadPictureError, load
from vision.pictures.photo import Picture

SHEET_COLUMNS = 5
TILE_PX = 320
CAPTION_PX = 28
SHEET_MOST = 400
"""A contact sheet of more pictures than this is neither opened nor looked at by anybody."""

PAGE = Path(__file__).with_name("report.html")
"""The page, with places for what a batch came to."""


def write_report(target: Path, records: Sequence[Record], *, replace: bool = False) -> bytes:
    """Write the HTML page of a batch; a file that is there only where it may be replaced. Returns its bytes."""
    counts = Counter(str(record["status"]) for record in records)
    buttons = [f'<button data-status="" aria-pressed="true">all {len(records)}</button>']
    buttons += [
        f'<button data-status="{html.escape(status)}" aria-pressed="false">{html.escape(status)} {count}</button>'
        for status, count in counts.most_common()
    ]
    ordered = sorted(records, key=lambda record: str(record["image"]))
    figures = "\n".join(_figure(record, target.parent) for record in ordered)
    template = Template(PAGE.read_text(encoding="utf-8"))
    page = template.substitute(total=len(records), buttons="".join(buttons), figures=figures)
    data = page.encode(errors="backslashreplace")
    write_whole(target, data, replace=replace)
    return data


def _figure(record: Record, home: Path) -> str:
    status = str(record["status"])
    pictures = [record["image"], record["overlay"]] if record["overlay"] else [record["image"]]
    shown = "".join(
        f'<a href="{_link(name, home)}"><img loading="lazy" src="{_link(name, home)}" alt="{word}"></a>'
        for name, word in zip(pictures, ("before", "after"), strict=False)
    )
    tone = "solved" if status == "solved" else "other"
    return (
        f'<figure data-status="{html.escape(status)}"><div>{shown}</div><figcaption>'
        f'<span class="status {tone}">{html.escape(status)}</span> {html.escape(str(record["image"]))}<br>'
        f"{html.escape(str(record['message']))}</figcaption></figure>"
    )


def _link(name: str, home: Path) -> str:
    # Bytes that are no text are told as they are: a browser finds the file by them.
    return quote(os.fsencode(os.path.relpath(name, home).replace(os.sep, "/")))


def write_sheet(target: Path, records: Iterable[Record], *, replace: bool = False) -> bytes:
    """Write a contact sheet: every picture small, solved where it was, with its name and how it ended."""
    ordered = sorted(records, key=lambda record: str(record["image"]))[:SHEET_MOST]
    columns = min(SHEET_COLUMNS, max(1, len(ordered)))
    rows = -(-len(ordered) // columns) or 1
    sheet = Image.new("RGB", (columns * TILE_PX, rows * (TILE_PX + CAPTION_PX)), (250, 250, 250))
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(CAPTION_PX * 0.45)
    for index, record in enumerate(ordered):
        left, top = index % columns * TILE_PX, index // columns * (TILE_PX + CAPTION_PX)
        tile = _tile(str(record["overlay"] or record["image"]))
        if tile is not None:
            sheet.paste(Image.fromarray(np.ascontiguousarray(tile[:, :, ::-1])), (left + 4, top + CAPTION_PX))
        caption = f"{record['status']}  {Path(str(record['image'])).name}"
        tone = (0, 120, 80) if record["status"] == "solved" else (170, 70, 0)
        draw.text((left + 6, top + CAPTION_PX // 4), caption[:44], fill=tone, font=font)
    pixels = np.ascontiguousarray(np.asarray(sheet)[:, :, ::-1])
    data = encoded(pixels, target.suffix)
    write_whole(target, data, replace=replace)
    return data


def _tile(path: str) -> Picture | None:
    try:
        photo = load(Path(path)).photo
    except BadPictureError:
        return None
    factor = (TILE_PX - 8) / max(photo.height, photo.width)
    size = (max(1, round(photo.width * factor)), max(1, round(photo.height * factor)))
    return np.asarray(cv2.resize(photo.bgr, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
