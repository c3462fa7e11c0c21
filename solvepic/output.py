"""Writing pictures and records: where they go, in which format, and never half.

Nothing is overwritten unasked, an input never is, and what is written appears whole or not at all: into a temporary
file beside the target, to the disk, then renamed.
"""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

import cv2

from vision.pictures.photo import Picture

SOLVED = ".solved"
"""What comes between a picture's name and its ending: ``capture.png`` becomes ``capture.solved.png``."""

READ = ".read.png"
"""How the name of a picture of what was read ends: ``capture.png`` becomes ``capture.read.png``."""

JPEG_SUFFIXES = (".jpg", ".jpeg", ".jpe", ".mpo", ".heic", ".heif", ".avif")
"""Pictures of a camera are written as JPEG again; everything else as PNG, which loses nothing."""

JPEG_QUALITY = 92
PNG_EFFORT = 1
"""The level of zlib: 1 is three times as fast as the default and a tenth larger."""

# Rows told by how they differ from the row above. Trying all filters on each row takes three times as long on a
# screenshot, and twice as long on a photo, for files of the same size. OpenCV before 4.12 knows no other way.
_UP = [cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_UP] if hasattr(cv2, "IMWRITE_PNG_FILTER") else []
PNG_WAY = [cv2.IMWRITE_PNG_COMPRESSION, PNG_EFFORT, *_UP]

STANDARD_INPUT = "-"


class OutputError(Exception):
    """A picture cannot be written where it should go; the message is a sentence for people."""


def overlay_name(source: Path) -> str:
    """The name of the picture that is written for ``source``."""
    return source.stem + SOLVED + (".jpg" if source.suffix.lower() in JPEG_SUFFIXES else ".png")


def readback_name(target: Path) -> Path:
    """The name of the picture of what was read, where the solved one would be ``target``."""
    return target.with_name(target.stem.removesuffix(SOLVED) + READ)


def encoded(picture: Picture, suffix: str) -> bytes:
    """The bytes of a picture file for names that end in ``suffix``."""
    if suffix.lower() in JPEG_SUFFIXES:
        ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    else:
        ok, data = cv2.imencode(".png", picture, PNG_WAY)
    if not ok:
        raise OutputError(f"the picture could not be encoded as {suffix}")
    return data.tobytes()


def saved(target: Path, picture: Picture | None, source: str, *, overwrite: bool) -> None:
    """Write a picture made from ``source``, which is never overwritten.

    Raises:
        OutputError: there is no picture, the target exists or is the source, or it cannot be written.
    """
    if picture is None:
        raise OutputError(f"{target}: there is no picture to be written: the puzzle was not solved")
    if source and Path(source).exists() and target.exists() and target.samefile(source):
        raise OutputError(f"{target}: the picture itself would be overwritten; choose another name")
    if target.exists() and not overwrite:
        raise OutputError(f"{target}: exists already; replace it with overwrite=True, or choose another name")
    write_whole(target, encoded(picture, target.suffix))


def write_whole(target: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all.

    Raises:
        OutputError: the folder is missing or read-only, or the disk is full.
    """
    temporary: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".solvepic-", dir=target.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files private; a picture gets the rights that any new file gets.
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise OutputError(
            f"{target}: cannot be written ({error.strerror or error}); choose another place with -o"
        ) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def targets(sources: Iterable[Path], roots: Iterable[Path | None], folder: Path | None) -> list[Path]:
    """Where each picture goes.

    Args:
        sources: the pictures.
        roots: for each picture the folder that was given on the command line, None where the picture itself was.
        folder: where all go (below it, a picture keeps its way from its root); None for beside each picture.

    Returns:
        As many paths, all different: pictures that would get the same name get a number.
    """
    taken: set[str] = set()
    result: list[Path] = []
    for source, root in zip(sources, roots, strict=True):
        if folder is None:
            parent = source.parent
        else:
            parent = folder / source.parent.relative_to(root) if root is not None else folder
        result.append(_free(parent / overlay_name(source), taken))
    return result


def _free(wanted: Path, taken: set[str]) -> Path:
    number, target = 1, wanted
    # Compared without case: some file systems hold a.png and A.png for the same.
    while str(target).casefold() in taken:
        number += 1
        target = wanted.with_name(wanted.name.replace(SOLVED, f"-{number}{SOLVED}"))
    taken.add(str(target).casefold())
    return target
