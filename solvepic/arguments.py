"""What may be said on the command line; every word of it is declared here, once.

With argparse, of the standard library: packages that make a command from a function's signature take half as long to
load as all of the rest of solving a screenshot does.
"""

import argparse
import contextlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar, get_args

from overlay.paint import MoveStyle
from solvepic import __version__
from solvepic.completion import SHELLS
from solvepic.options import DEFAULT_SECONDS, ENGINES
from solvepic.registry import KINDS
from solvepic.sentences import USAGE
from vision.pictures.loading import MAX_MEGAPIXELS

N = TypeVar("N", int, float)

ABOUT = "Point it at a picture of a puzzle, get the picture back solved: solvepic screenshot.png"

SOLVE = "solve"
"""The command that is meant where none is named."""


class _Parser(argparse.ArgumentParser):
    """Complains in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Leave with the status of a wrong call."""
        self.exit(USAGE, f"solvepic: {message}; see {self.prog} --help\n")


def parsers() -> dict[str, argparse.ArgumentParser]:
    """The commands by name, and how each is called."""
    made = {}
    for name, (about, declare) in _COMMANDS.items():
        made[name] = _Parser(f"solvepic {name}", description=about, allow_abbrev=False)
        declare(made[name].add_argument)
    return made


def parsed(words: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """The command that these words name and its arguments by name; leaves with help or a complaint where asked to."""
    top = _Parser(
        "solvepic",
        usage=f"solvepic [{SOLVE}] PICTURE... [options]\n       solvepic COMMAND [options]",
        description=ABOUT,
        epilog="commands:\n" + "\n".join(f"  {name:<12} {about}" for name, (about, _) in _COMMANDS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"solvepic {__version__}", help="Say the version and stop.")
    if not words:
        top.print_help(sys.stderr)
        top.exit(USAGE)
    if words[0] in ("-h", "--help", "--version"):
        top.parse_args(words[:1])
    name, rest = (words[0], words[1:]) if words[0] in _COMMANDS else (SOLVE, words)
    # Intermixed: options may stand between the pictures.
    return name, vars(parsers()[name].parse_intermixed_args(rest))


def _solve(add: Callable[..., Any]) -> None:
    add("pictures", nargs="+", metavar="PICTURE", help="Pictures, folders of pictures, or - for standard input.")
    add("-o", "--output", metavar="PATH", help="File or folder for the solved pictures; default: beside each.")
    _common(add)
    add("--debug", type=Path, metavar="DIR", help="Folder for stage pictures and a log.")
    add("--overwrite", action="store_true", help="Replace outputs that exist.")
    add("--size", metavar="SIZE", help="The grid's size, such as 14x8; default: measure it.")
    add(
        "--set",
        dest="correct",
        action="append",
        metavar="CELL=TEXT",
        help="What stands on a cell, such as r3c4=12; may be repeated.",
    )
    add(
        "--corners",
        metavar="POINTS",
        help='The board\'s corners in pixels: "x,y x,y x,y x,y", clockwise from top left.',
    )
    add("--closed", action="store_true", help="Ask for a closed knight's tour.")
    add("--style", choices=get_args(MoveStyle), default="both", help="How moved pieces are shown; default: both.")
    add("--hint", action="store_true", help="Show one step of the answer only.")
    add("--show", action="store_true", help="Draw the solved board in the terminal.")
    add("--animate", type=Path, metavar="FILE", help="Write a film of the search: .gif, or .png for an animated PNG.")
    add("--ocr", choices=ENGINES, default=ENGINES[0], help=f"The OCR engine; default: {ENGINES[0]}.")
    add("--workers", type=_at_least(1, int), metavar="N", help="Processes for many pictures; default: one a core.")
    add("--resume", action="store_true", help="Go on with an interrupted batch.")
    add("--fail-fast", action="store_true", help="Stop at the first picture that is not solved.")
    add("--dry-run", action="store_true", help="List what would be written, and stop.")
    add("--sheet", type=Path, metavar="FILE", help="Write a contact sheet of all pictures to this file.")
    add("--report", type=Path, metavar="FILE", help="Write an HTML page with before and after to this file.")
    add("--dask", metavar="ADDRESS", help="Work on a Dask cluster: its scheduler's address.")
    add(
        "--max-megapixels",
        type=_at_least(0.01, float),
        default=MAX_MEGAPIXELS,
        metavar="N",
        help=f"The largest picture that is opened; default: {MAX_MEGAPIXELS:g}.",
    )
    add("-q", "--quiet", action="store_true", help="No progress and no lines for solved pictures.")


def _watch(add: Callable[..., Any]) -> None:
    add("folder", type=Path, metavar="FOLDER", help="The folder where captures arrive.")
    add("-o", "--output", type=Path, metavar="FOLDER", help="Folder for the solved pictures.")
    _common(add)


def _common(add: Callable[..., Any]) -> None:
    """What both solving and watching understand."""
    add("--kind", metavar="KIND", help=f"Kind of puzzle: {', '.join(k.name for k in KINDS)}; default: find out.")
    add("--json", dest="as_json", action="store_true", help="Print one JSON object a picture.")
    add(
        "--time-limit",
        type=_at_least(0.1, float),
        default=DEFAULT_SECONDS,
        metavar="S",
        help=f"Seconds for reading and solving one picture; default: {DEFAULT_SECONDS:g}.",
    )
    add("-v", "--verbose", action="store_true", help="Say more about every stage.")


def _nothing(add: Callable[..., Any]) -> None:
    """A command without arguments of its own."""


def _completion(add: Callable[..., Any]) -> None:
    add("shell", choices=SHELLS, help="Whose script to print.")


def _at_least(least: N, number: Callable[[str], N]) -> Callable[[str], N]:
    """Reads a number that is not smaller than ``least``."""

    def read(text: str) -> N:
        with contextlib.suppress(ValueError):
            if (value := number(text)) >= least:
                return value
        raise argparse.ArgumentTypeError(f"{text}: write a number of {least:g} or more")

    return read


_COMMANDS: dict[str, tuple[str, Callable[[Callable[..., Any]], None]]] = {
    SOLVE: ("Solve the puzzles in pictures and write the pictures back with the solutions drawn on them.", _solve),
    "watch": ("Solve new captures as they arrive in a folder, until Ctrl-C.", _watch),
    "doctor": (
        "Say which OCR engines, data and versions are here, and what to install if something is missing.",
        _nothing,
    ),
    "completion": ("Print the script with which a shell completes the options.", _completion),
}
