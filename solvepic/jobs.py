"""What is to be done: the paths of the command line become one job a picture.

A folder stands for every picture below it. Our own outputs are not pictures to solve, a file named twice is done once,
and two pictures never share a target.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from glob import glob
from itertools import chain
from pathlib import Path

from solvepic.errors import UsageError
from solvepic.journal import NAME, Journal
from solvepic.options import Options
from solvepic.output import (
    CHECK,
    HINT,
    OURS,
    SOLVED,
    STANDARD_INPUT,
    Outputs,
    check_suffix,
    is_folder,
    next_hint,
    overlay_name,
    readback_name,
    targets,
)
from vision.pictures.loading import SUFFIXES


@dataclass(frozen=True)
class Job:
    """One picture to solve.

    Attributes:
        image: the path as it was given; for a picture of a folder, the folder joined with its way below it.
        target: where the solved picture goes, ``-`` for standard output, None for nowhere.
        options: how.
        data: the bytes of the picture where they do not come from the path.
        text: the puzzle itself where there is no picture of it.
        export: the text form in which the record shall hold what was read, None for none.
        film: where the film of the search goes, None for nowhere.
        earlier: hint pictures that are there already, the last first; a hint goes on from them.
        show: whether the record shall hold the board drawn for a terminal.
        replaceable: those of the files to be written that may take the place of others.
        journaled: whether the record shall prove what was read and written.
        clipboard: whether the solved picture goes to the clipboard.
    """

    image: str
    target: str | None
    options: Options
    data: bytes | None = None
    text: str | None = None
    export: str | None = None
    film: str | None = None
    earlier: tuple[str, ...] = ()
    show: bool = False
    replaceable: frozenset[str] = frozenset()
    journaled: bool = False
    clipboard: bool = False

    @property
    def readback(self) -> str | None:
        """Where the picture of what was read goes when the puzzle is not solved."""
        return None if self.target in (None, STANDARD_INPUT) else str(readback_name(Path(self.target or "")))


@dataclass(frozen=True)
class _Found:
    path: Path
    root: Path | None


def expand(paths: Sequence[str], output: Path | None) -> list[_Found]:
    """The pictures that the paths stand for, in order, each once.

    Raises:
        UsageError: a folder holds no picture or may not be read, or a name is empty.
    """
    found: dict[str, _Found] = {}
    for name in chain.from_iterable(map(_matching, paths)):
        if not name:
            raise UsageError("a picture without a name ('') was asked for; is a variable of the shell empty?")
        path = Path(name)
        if is_folder(path):
            if not os.access(path, os.R_OK | os.X_OK):
                raise UsageError(f"{name}: the folder may not be read; check its permissions")
            below = [_Found(file, path) for file in _pictures(path, output)]
            if not below:
                raise UsageError(_without_pictures(path))
        else:
            below = [_Found(path, None)]
        for one in below:
            found.setdefault(os.path.realpath(one.path), one)
    return list(found.values())


def _without_pictures(folder: Path) -> str:
    """Why a folder holds nothing to solve."""
    files = [Path(name) for _, _, names in os.walk(folder) for name in names]
    own = sum(file.suffix.lower() in SUFFIXES and any(word in file.name for word in OURS) for file in files)
    if own:
        return f"{folder}: no pictures in this folder but {own} that solvepic wrote itself; name another one"
    there = f"; it holds {len(files)} other file{'' if len(files) == 1 else 's'}" if files else ""
    return f"{folder}: no pictures in this folder{there}; name one with pictures ({', '.join(FORMATS)})"


FORMATS = ("PNG", "JPEG", "WebP", "GIF", "BMP", "TIFF", "PNM", "HEIC", "AVIF")
"""What people call the formats of :data:`vision.pictures.loading.SUFFIXES`."""


def _matching(name: str) -> list[str]:
    """The names that a pattern stands for where the shell has not said so; the name itself where none does."""
    if os.path.lexists(name):
        return [name]
    return sorted(glob(name)) or [name]  # noqa: PTH207  (patterns may begin at the root)


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
        and not any(word in path.name for word in OURS)
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
    many = len(paths) > 1 or is_folder(paths[0])
    folder = _as_folder(output, many)
    word = HINT if options.hint else CHECK if options.check else SOLVED
    if paths == [STANDARD_INPUT]:
        name = overlay_name(Path("stdin.png"), word)
        target = output if folder is None and output else str((folder or Path()) / name)
        return [Job(STANDARD_INPUT, target if write else None, options)], folder
    found = expand(paths, folder)
    if output is not None and folder is None:
        return [Job(str(found[0].path), output if write else None, options)], None
    given = Journal(folder / NAME).names() if folder is not None else {}
    places = targets([one.path for one in found], [one.root for one in found], folder, given, word=word)
    jobs = [Job(str(o.path), str(p) if write else None, options) for o, p in zip(found, places, strict=True)]
    if options.debug is not None and len(jobs) > 1:
        # Stages of different pictures have the same names.
        stages = [options.debug / place.name.replace(word, "") for place in places]
        jobs = [
            replace(job, options=replace(options, debug=stage.with_name(f"{number:04d}-{stage.stem}")))
            for number, (job, stage) in enumerate(zip(jobs, stages, strict=True), 1)
        ]
    return jobs, folder


def _as_folder(output: str | None, many: bool) -> Path | None:
    """The folder that ``-o`` names, None when it names a file or nothing."""
    if output is None:
        return None
    if not output:
        raise UsageError("-o '': name a file or a folder; is a variable of the shell empty?")
    path = Path(output)
    if is_folder(path) or output.endswith(("/", os.sep)):
        return path
    if not many and output == STANDARD_INPUT:
        return None
    if not many and path.suffix:
        check_suffix(path, "the solved picture")
        return None
    if output == STANDARD_INPUT:
        raise UsageError("several pictures cannot go to standard output; name a folder with -o")
    if os.path.lexists(path) or path.suffix.lower() in SUFFIXES:
        raise UsageError(
            f"{output}: a file; several pictures need a folder, name one with -o"
            + ("" if os.path.lexists(path) else f" (-o {output}/ if it is to be called so)")
        )
    return path


def going_on(jobs: Sequence[Job]) -> list[Job]:
    """The same jobs for hints that go on from those that lie beside them, and leave these alone."""
    result: list[Job] = []
    taken: set[Path] = set()
    for job in jobs:
        if job.target is not None:
            target, earlier = next_hint(Path(job.target), taken)
            taken.add(target)
            job = replace(job, target=str(target), earlier=tuple(map(str, earlier)))  # noqa: PLW2901
        result.append(job)
    return result


def permitted(jobs: Sequence[Job], outputs: Outputs) -> list[Job]:
    """The jobs, each knowing which of its files may take the place of others.

    Raises:
        UsageError: a file may not be written.
    """
    result = []
    for job in jobs:
        wanted = [(job.target, "the solved picture"), (job.film, "the film")]
        written = [(path, what) for path, what in wanted if path is not None and path != STANDARD_INPUT]
        replaceable = frozenset([path for path, what in written if outputs.register(path, what)])
        if job.readback is not None and outputs.gives_way(job.readback, "the picture of what was read"):
            replaceable |= {job.readback}
        result.append(replace(job, replaceable=replaceable))
        if job.options.debug is not None:
            outputs.register_stages(job.options.debug)
    return result
