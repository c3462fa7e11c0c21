"""What is to be done: the paths of the command line become one job a picture.

A folder stands for every picture below it. Our own outputs are not pictures to solve, a file named twice is done once,
and two pictures never share a target.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from solvepic.options import Options
from solvepic.output import READ, SOLVED, STANDARD_INPUT, overlay_name, targets
from vision.pictures.loading import SUFFIXES


class UsageError(Exception):
    """The command line asks for something that cannot be; the message is a sentence for people."""


@dataclass(frozen=True)
class Job:
    """One picture to solve.

    Attributes:
        image: the path as it was given; for a picture of a folder, the folder joined with its way below it.
        target: where the solved picture goes, ``-`` for standard output, None for nowhere.
        options: how.
        data: the bytes of the picture where they do not come from the path.
        film: where the film of the search goes, None for nowhere.
        show: whether the record shall hold the board drawn for a terminal.
    """

    image: str
    target: str | None
    options: Options
    data: bytes | None = None
    film: str | None = None
    show: bool = False


@dataclass(frozen=True)
class _Found:
    path: Path
    root: Path | None


def expand(paths: Sequence[str], output: Path | None) -> list[_Found]:
    """The pictures that the paths stand for, in order, each once.

    Raises:
        UsageError: a folder holds no picture.
    """
    found: dict[str, _Found] = {}
    for name in paths:
        path = Path(name)
        if path.is_dir():
            below = [_Found(file, path) for file in _pictures(path, output)]
            if not below:
                raise UsageError(f"{name}: no pictures in this folder ({', '.join(SUFFIXES)}); name another one")
        else:
            below = [_Found(path, None)]
        for one in below:
            found.setdefault(os.path.realpath(one.path), one)
    return list(found.values())


def _pictures(folder: Path, output: Path | None) -> Iterator[Path]:
    """Pictures below a folder, sorted; links to folders are not followed, so that loops cannot be entered."""
    skipped = output.resolve() if output is not None else None
    for parent, folders, files in os.walk(folder):
        here = Path(parent)
        folders[:] = sorted(f for f in folders if not f.startswith(".") and (here / f).resolve() != skipped)
        for file in sorted(files):
            if is_capture(here / file):
                yield here / file


def is_capture(path: Path) -> bool:
    """Whether a file of a folder is a picture to solve, by its name: not hidden, and no output of ours."""
    return (
        path.suffix.lower() in SUFFIXES
        and SOLVED not in path.name
        and not path.name.endswith(READ)
        and not path.name.startswith(".")
    )


def plan(
    paths: Sequence[str], output: str | None, options: Options, write: bool = True
) -> tuple[list[Job], Path | None]:
    """The jobs for a command line, and the folder they write into when ``output`` names one.

    Raises:
        UsageError: the paths and the output do not go together.
    """
    if not paths:
        raise UsageError("no picture was named; try: solvepic screenshot.png")
    if STANDARD_INPUT in paths and len(paths) > 1:
        raise UsageError("standard input (-) stands for one picture and cannot be mixed with others")
    many = len(paths) > 1 or Path(paths[0]).is_dir()
    folder = _as_folder(output, many)
    if paths == [STANDARD_INPUT]:
        name = overlay_name(Path("stdin.png"))
        target = output if folder is None and output else str((folder or Path()) / name)
        return [Job(STANDARD_INPUT, target if write else None, options)], folder
    found = expand(paths, folder)
    if output is not None and folder is None:
        return [Job(str(found[0].path), output if write else None, options)], None
    places = targets([one.path for one in found], [one.root for one in found], folder)
    jobs = [Job(str(o.path), str(p) if write else None, options) for o, p in zip(found, places, strict=True)]
    return jobs, folder


def _as_folder(output: str | None, many: bool) -> Path | None:
    """The folder that ``-o`` names, None when it names a file or nothing."""
    if output is None:
        return None
    path = Path(output)
    if path.is_dir() or output.endswith(("/", os.sep)):
        return path
    if not many and (path.suffix or output == STANDARD_INPUT):
        return None
    if output == STANDARD_INPUT:
        raise UsageError("several pictures cannot go to standard output; name a folder with -o")
    if path.exists():
        raise UsageError(f"{output}: a file; several pictures need a folder, name one with -o")
    return path


def check_targets(jobs: Sequence[Job], overwrite: bool) -> None:
    """Make sure that nothing is lost.

    Raises:
        UsageError: a target is an input, or exists and may not be replaced.
    """
    inputs = {os.path.realpath(job.image) for job in jobs if job.image != STANDARD_INPUT}
    wanted = [job.target for job in jobs if job.target not in (None, STANDARD_INPUT)]
    for target in wanted:
        if target is not None and os.path.realpath(target) in inputs:
            raise UsageError(f"{target}: the picture itself would be overwritten; choose another name with -o")
    there = [target for target in wanted if target is not None and Path(target).exists()]
    if there and not overwrite:
        more = f" (and {len(there) - 1} more)" if len(there) > 1 else ""
        raise UsageError(
            f"{there[0]}{more}: exists already; replace it with --overwrite, or choose another place with -o"
        )
