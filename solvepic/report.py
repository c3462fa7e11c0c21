"""What a batch came to, to look at: one HTML page with every picture before and after, and a contact sheet.

The page opens from the disk without a server; it holds small pictures, which lead to the files.
"""

import html
import os
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from string import Template
from urllib.parse import quote

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from solvepic.output import STANDARD_INPUT, encoded, write_whole
from solvepic.record import command_with
from solvepic.sentences import printable
from solvers.kind import Record
from vision.pictures.loading import BadPictureError, load
from vision.pictures.photo import Picture

SHEET_COLUMNS = 5
TILE_PX = 320
CAPTION_PX = 28
SHEET_MOST = 400
"""A contact sheet of more pictures than this is neither opened nor looked at by anybody."""

THUMBNAIL_BYTES, QUALITIES = 60_000, (85, 60, 30)
"""The size of a picture within the page, and the qualities of JPEG that are tried for it; the last makes noise of
:data:`TILE_PX` a side half as large."""

REMEMBERED = 1000
"""Pictures within the page that are not made again: 80 MB at most."""

COPY = '<button class="copy">copy</button>'

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
    # Refused pictures need somebody: they come first.
    ordered = sorted(records, key=lambda record: (record["status"] == "solved", str(record["image"])))
    figures = "\n".join(_figure(record, target.parent) for record in ordered)
    template = Template(PAGE.read_text(encoding="utf-8"))
    page = template.substitute(total=len(records), buttons="".join(buttons), figures=figures)
    data = page.encode(errors="backslashreplace")
    write_whole(target, data, replace=replace)
    return data


def _figure(record: Record, home: Path) -> str:
    status, image = str(record["status"]), str(record["image"])
    name = html.escape(printable(image))
    after = record.get("overlay") or record.get("read_picture")
    what = "solved" if record.get("overlay") else "what was read"
    shown = [_thumbnail(image, "before", name, home)]
    if after and after != STANDARD_INPUT:
        shown.append(_thumbnail(str(after), what, name, home, hidden=bool(shown[0])))
    shown = [picture for picture in shown if picture]
    toggle = '<button class="other" aria-pressed="false">' + f"{what}</button>" if len(shown) > 1 else ""
    remedy = record.get("remedy")
    command = f"<p><code>{html.escape(command_with(image, str(remedy)))}</code> {COPY}</p>" if remedy else ""
    tone = "done" if status == "solved" else "open"
    return (
        f'<li data-status="{html.escape(status)}"><figure>{"".join(shown)}<figcaption>'
        f'<h2><span class="{tone}">{html.escape(status)}</span> {name}</h2>'
        f"{toggle}<p>{html.escape(printable(str(record['message'])))}</p>{command}</figcaption></figure></li>"
    )


def _thumbnail(path: str, what: str, name: str, home: Path, *, hidden: bool = False) -> str:
    """A small picture, within the page, that leads to the file; nothing where the file cannot be opened."""
    try:
        changed = Path(path).stat().st_mtime_ns
    except (OSError, ValueError):
        return ""
    small = _small(path, changed)
    if small is None:
        return ""
    width, height, data = small
    return (
        f'<a href="{_link(path, home)}"{" hidden" if hidden else ""}><img loading="lazy" alt="{name}, {what}"'
        f' width="{width}" height="{height}" src="data:image/jpeg;base64,{data}"></a>'
    )


@lru_cache(REMEMBERED)
def _small(path: str, changed: int) -> tuple[int, int, str] | None:
    """Width, height and a JPEG in base64 of at most :data:`THUMBNAIL_BYTES` bytes; None where nothing can be opened.

    It is remembered as long as the file was not ``changed``: a watch writes its report again with every picture.
    """
    del changed
    tile = _tile(path)
    if tile is None:
        return None
    for quality in QUALITIES:
        data = cv2.imencode(".jpg", tile, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(data) <= THUMBNAIL_BYTES:
            break
    return tile.shape[1], tile.shape[0], b64encode(data).decode()


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
