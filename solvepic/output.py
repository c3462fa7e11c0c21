"""Writing files: where they go, what may be written at all, in which format, and never half.

:class:`Outputs` is the one place that decides. Every file of a run is registered there before the first byte: an
input is never written, by whatever name, no file is written for two purposes, and what is there already is replaced
only where the user said so, or where the journal of a batch proves that it is the batch's own. What is written appears
whole or not at all: into a temporary file beside the target, to the disk, then under its name, without following a
link.
"""

import os
import re
import signal
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import current_thread, main_thread

import cv2

from solvepic.errors import UsageError
from vision.pictures.photo import Picture

SOLVED = ".solved"
"""What comes between a picture's name and its ending: ``capture.png`` becomes ``capture.solved.png``."""

HINT, CHECK = ".hint", ".check"
"""The same for a picture with hints on it, and for one on which is marked what was placed wrongly."""

READ = ".read.png"
"""How the name of a picture of what was read ends: ``capture.png`` becomes ``capture.read.png``."""

JPEG_SUFFIXES = (".jpg", ".jpeg", ".jpe", ".mpo", ".heic", ".heif", ".avif")
"""Pictures of a camera are written as JPEG again; everything else as PNG, which loses nothing."""

WRITTEN_SUFFIXES = (".png", ".jpg", ".jpeg", ".jpe")
"""How names of pictures end that are written: the contents are what the name says."""

JPEG_QUALITY = 92
PNG_EFFORT = 1
"""The level of zlib: 1 is three times as fast as the default and a tenth larger."""

# Rows told by how they differ from the row above. Trying all filters on each row takes three times as long on a
# screenshot, and twice as long on a photo, for files of the same size. OpenCV before 4.12 knows no other way.
_UP = [cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_UP] if hasattr(cv2, "IMWRITE_PNG_FILTER") else []
PNG_WAY = [cv2.IMWRITE_PNG_COMPRESSION, PNG_EFFORT, *_UP]

TEMPORARY = ".solvepic-"
"""How files begin that are not yet written to the end; sixteen digits by chance follow."""

STANDARD_INPUT = "-"


class OutputError(Exception):
    """A file cannot be written where it should go; the message is a sentence for people."""


class TakenError(OutputError):
    """Another file is there, which may not be replaced."""


# --- what may be written ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fingerprint:
    """What a file held at some time.

    Attributes:
        size: bytes.
        mtime_ns: when it was last written, in nanoseconds since 1970.
        sha256: of its contents, in hexadecimal digits.
    """

    size: int
    mtime_ns: int
    sha256: str

    @classmethod
    def of(cls, path: "str | Path") -> "Fingerprint | None":
        """Of the regular file at ``path``; None where there is none that can be read."""
        try:
            # Without waiting: nobody may ever write into a pipe.
            handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
            with os.fdopen(handle, "rb") as file:
                info = os.fstat(handle)
                if not stat.S_ISREG(info.st_mode):
                    return None
                return cls(info.st_size, info.st_mtime_ns, _sha256(file.read()))
        except (OSError, ValueError):
            return None

    @classmethod
    def written(cls, path: Path, data: bytes) -> "Fingerprint":
        """Of the file at ``path`` just after ``data`` was written there."""
        return cls(len(data), path.stat().st_mtime_ns, _sha256(data))

    def still(self, path: "str | Path") -> bool:
        """Whether the file at ``path`` holds the same contents."""
        try:
            info = Path(path).stat()
        except (OSError, ValueError):
            return False
        if info.st_size != self.size:
            return False
        now = None if info.st_mtime_ns == self.mtime_ns else Fingerprint.of(path)
        return info.st_mtime_ns == self.mtime_ns or (now is not None and now.sha256 == self.sha256)


def _sha256(data: bytes) -> str:
    from hashlib import sha256  # noqa: PLC0415  (a single picture needs none)

    return sha256(data).hexdigest()


def is_folder(path: "str | Path") -> bool:
    """Whether a folder is there; what cannot be looked at is none."""
    try:
        return Path(path).is_dir()
    except OSError:
        return False


def is_link(path: "str | Path") -> bool:
    """Whether a link is there; what cannot be looked at is none."""
    try:
        return Path(path).is_symlink()
    except OSError:
        return False


def resolved(path: "str | Path") -> str:
    """A path that names the same file from everywhere: all links of its folders followed, a link in its place not."""
    folder, name = os.path.split(os.fspath(path))
    return os.path.join(os.path.realpath(folder or "."), name)  # noqa: PTH118  (Path would drop a trailing dot)


@dataclass
class Outputs:
    """The files that a run will write.

    Attributes:
        inputs: paths that the run reads.
        overwrite: whether the user allowed that files are replaced.
        proven: what a batch wrote before, by resolved path; may be replaced as long as nobody changed it.
        adopts: whether what stands in the way is found out when it comes to writing, picture by picture, and not here:
            a batch that was killed may have written pictures that it did not record, which will be the same again.
    """

    inputs: Collection[str]
    overwrite: bool = False
    proven: Mapping[str, Fingerprint] = field(default_factory=dict)
    adopts: bool = False
    _taken: dict[object, str] = field(default_factory=dict, repr=False)
    _inputs: set[object] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Learn which files the inputs are."""
        self._inputs = {one for path in self.inputs if path != STANDARD_INPUT for one in _identities(path)}

    def register(self, path: "str | Path", purpose: str) -> bool:
        """Whether what is at ``path`` may be replaced when it is written for ``purpose``.

        Raises:
            UsageError: it may not be written.
        """
        self.reserve(path, purpose)
        if not os.path.lexists(path):
            return self.overwrite
        if is_folder(path):
            raise UsageError(f"{path}: a folder; name a file for {purpose}")
        if self.overwrite:
            return True
        known = self.proven.get(resolved(path))
        if known is not None and not is_link(path) and known.still(path):
            return True
        if self.adopts:
            return False
        changed = ", and was changed since a batch wrote it" if known is not None else ""
        raise UsageError(
            f"{path}: exists already{changed}; replace it with --overwrite, or choose another place for {purpose}"
        )

    def gives_way(self, path: "str | Path", purpose: str) -> bool:
        """The same for what is written under another name where it may not be under this one."""
        try:
            return self.register(path, purpose)
        except UsageError:
            return False

    def reserve(self, path: "str | Path", purpose: str) -> None:
        """Keep ``path`` for ``purpose`` alone.

        Raises:
            UsageError: it is an input, or kept for something else.
        """
        identities = _identities(path)
        if not self._inputs.isdisjoint(identities):
            raise UsageError(f"{path}: the picture itself would be overwritten by {purpose}; choose another name")
        if other := next((self._taken[one] for one in identities if one in self._taken), None):
            raise UsageError(f"{path}: {other} and {purpose} would be one file; choose another name")
        self._taken |= dict.fromkeys(identities, purpose)

    def register_stages(self, folder: Path) -> None:
        """Make the folder of stage pictures; those of an earlier run are cleared away where the user allowed it.

        Raises:
            UsageError: it cannot be made, or holds stages already.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            earlier = [path for path in sorted(folder.iterdir()) if path.name == STAGE_LOG or _is_stage(path)]
            for path in earlier:
                if self.register(path, "a stage"):
                    path.unlink()
        except OSError as error:
            raise UsageError(f"--debug {folder}: cannot be used as a folder ({error.strerror}); name another") from None


STAGE_LOG = "solvepic.log"


def _is_stage(path: Path) -> bool:
    return path.suffix == ".png" and path.name[:2].isdigit() and path.name[2:3] == "-"


def _identities(path: "str | Path") -> list[object]:
    """What tells that two paths are one file: where it lies, and which it is."""
    # Without case: some file systems hold a.png and A.png for the same.
    names: list[object] = [resolved(path).casefold(), os.path.realpath(path).casefold()]
    try:
        info = Path(path).stat()
    except (OSError, ValueError):
        return list(dict.fromkeys(names))
    return [*dict.fromkeys(names), (info.st_dev, info.st_ino)]


# --- names ------------------------------------------------------------------------------------------------------------


OURS = (SOLVED, HINT, CHECK, READ)
"""What the names of pictures have in them that were written by us."""

_NAMED = rf"({re.escape(SOLVED)}|{re.escape(HINT)}(-\d+)?|{re.escape(CHECK)})$"
"""What ends the stem of such a picture."""


def overlay_name(source: Path, word: str = SOLVED) -> str:
    """The name of the picture that is written for ``source``.

    Args:
        source: the picture's own name; a hint of ``capture.hint.png`` is ``capture.hint-2.png``.
        word: :data:`SOLVED`, :data:`HINT` or :data:`CHECK`. Hints are PNGs: what lies beneath them must not be lost.
    """
    begun = _HINTED.fullmatch(source.name) if word == HINT else None
    if begun is not None:
        return f"{begun[1]}{HINT}-{int(begun[2] or 1) + 1}.png"
    jpeg = source.suffix.lower() in JPEG_SUFFIXES and word != HINT
    return source.stem + word + (".jpg" if jpeg else ".png")


_HINTED = re.compile(rf"(.*){re.escape(HINT)}(?:-(\d+))?\.png")


def next_hint(target: Path, taken: Collection[Path] = ()) -> tuple[Path, list[Path]]:
    """Where a hint goes, and those that are there already, the last first.

    Args:
        target: the name of a hint picture; where hints of the same picture are there, the new one is numbered on.
        taken: names that are given to other pictures.
    """
    own = _HINTED.fullmatch(target.name)
    if own is None or not is_folder(target.parent):
        return target, []
    there = {path: _HINTED.fullmatch(path.name) for path in target.parent.iterdir()}
    numbers = {path: int(found[2] or 1) for path, found in there.items() if found and found[1] == own[1]}
    earlier = sorted(numbers, key=lambda path: -numbers[path])
    number, free = max([0, *numbers.values()]), target
    while os.path.lexists(free) or free in taken:
        number += 1
        free = target.with_name(f"{own[1]}{HINT}-{number}.png")
    return free, earlier


def readback_name(target: Path) -> Path:
    """The name of the picture of what was read, where the solved one would be ``target``."""
    return target.with_name(re.sub(_NAMED, "", target.stem) + READ)


def check_suffix(path: "str | Path", purpose: str) -> None:
    """Make sure that a picture will be what its name says.

    Raises:
        UsageError: the name ends otherwise.
    """
    if Path(path).suffix.lower() not in WRITTEN_SUFFIXES:
        raise UsageError(f"{path}: {purpose} is written as PNG or JPEG; end the name in .png or .jpg")


def targets(
    sources: Iterable[Path],
    roots: Iterable[Path | None],
    folder: Path | None,
    given: Mapping[str, str] | None = None,
    *,
    word: str = SOLVED,
) -> list[Path]:
    """Where each picture goes.

    Args:
        sources: the pictures.
        roots: for each picture the folder that was given on the command line, None where the picture itself was.
        folder: where all go (below it, a picture keeps its way from its root); None for beside each picture.
        word: what comes between a picture's name and its ending.
        given: names that were given out before, by the resolved path of their pictures: they keep them.

    Returns:
        As many paths, all different: pictures that would get the same name get a number.
    """
    given = given or {}
    taken = {name.casefold() for name in given.values()}
    result: list[Path] = []
    for source, root in zip(sources, roots, strict=True):
        if folder is None:
            parent = source.parent
        else:
            parent = folder / source.parent.relative_to(root) if root is not None else folder
        known = given.get(os.path.realpath(source), "")
        named = Path(known) if word in Path(known).name else None
        result.append(named or free_name(parent / overlay_name(source, word), taken, word))
    return result


def free_name(wanted: Path, taken: set[str], word: str = SOLVED) -> Path:
    """The name, or with the first number that makes it one that is not taken; it is then."""
    number, target = 1, wanted
    while str(target).casefold() in taken:
        number += 1
        target = wanted.with_name(wanted.name.replace(word, f"-{number}{word}"))
    taken.add(str(target).casefold())
    return target


# --- bytes ------------------------------------------------------------------------------------------------------------


def encoded(picture: Picture, suffix: str) -> bytes:
    """The bytes of a picture file for names that end in ``suffix``."""
    if suffix.lower() in JPEG_SUFFIXES:
        ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    else:
        ok, data = cv2.imencode(".png", picture, PNG_WAY)
    if not ok:
        raise OutputError(f"the picture could not be encoded as {suffix}")
    return data.tobytes()


def saved(target: Path, data: bytes, source: str, *, overwrite: bool) -> None:
    """Write the file of a picture made from ``source``, which is never overwritten.

    Raises:
        OutputError: the target exists or is the source, or it cannot be written.
    """
    try:
        replace = Outputs([source] if source else [], overwrite).register(target, "the solved picture")
    except UsageError as error:
        raise OutputError(str(error).replace("--overwrite", "overwrite=True")) from None
    write_whole(target, data, replace=replace)


def write_whole(target: Path, data: bytes, *, replace: bool = False) -> None:
    """Write a file so that it is there whole or not at all.

    Args:
        target: where; a link there is replaced and not followed.
        data: what.
        replace: whether another file that is there may be replaced, as :meth:`Outputs.register` found.

    Raises:
        OutputError: the folder is missing or read-only, the disk is full, or something else is there.
    """
    # Named before it is made, as mkstemp does not: a signal that comes while it is made leaves nothing behind.
    temporary = target.parent / f"{TEMPORARY}{os.urandom(8).hex()}"
    with _removed_when_stopped(temporary):
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with temporary.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if replace:
                temporary.replace(target)
            else:
                _place(temporary, target, data)
        except OSError as error:
            raise OutputError(
                f"{target}: cannot be written ({error.strerror or error}); choose another place with -o"
            ) from None
        finally:
            with suppress(OSError):  # most often it has been given its name, or its folder is none
                temporary.unlink()


@contextmanager
def _removed_when_stopped(path: Path) -> Iterator[None]:
    """Remove a file first when SIGTERM, which ends a worker at once, comes while it is made."""
    at_once = current_thread() is main_thread() and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL

    def stopped(number: int, _: object) -> None:
        with suppress(OSError):
            path.unlink()
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    if at_once:
        signal.signal(signal.SIGTERM, stopped)
    try:
        yield
    finally:
        if at_once:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def write_numbered(wanted: Path, data: bytes, *, replace: bool = False) -> Path:
    """Write a file under its name or, where that is taken, under the first free one with a number; returns which."""
    number, target = 1, wanted
    while True:
        try:
            write_whole(target, data, replace=replace)
        except TakenError:
            number += 1
            name, *endings = wanted.name.split(".")
            target = wanted.with_name(".".join([f"{name}-{number}", *endings]))
        else:
            return target


def _place(temporary: Path, target: Path, data: bytes) -> None:
    """Give a file its name unless another file has it; one with the same contents may stay."""
    try:
        try:
            os.link(temporary, target, follow_symlinks=False)
        except FileExistsError:
            raise
        except (OSError, NotImplementedError):  # a file system without links
            if os.path.lexists(target):
                raise FileExistsError from None
            temporary.replace(target)
    except FileExistsError:
        if target.is_symlink() or target.stat().st_size != len(data) or target.read_bytes() != data:
            raise TakenError(
                f"{target}: exists already, and nothing says that this batch wrote it; replace it with --overwrite, or"
                " choose another place with -o"
            ) from None
