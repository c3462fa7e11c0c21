"""Point it at a picture of a puzzle, get the picture back solved.

>>> import solvepic
>>> outcome = solvepic.solve("screenshot.png")  # doctest: +SKIP
>>> outcome.status, outcome.message  # doctest: +SKIP

:func:`solve` does one picture; :func:`solve_many` does many, on any executor. This is the only package that is meant to
be imported by others.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = [
    "BadPictureError",
    "Check",
    "OptionError",
    "Options",
    "Outcome",
    "OutputError",
    "Placed",
    "Record",
    "Status",
    "Step",
    "solve",
    "solve_many",
    "solve_text",
]

if TYPE_CHECKING:
    from solvepic.batch import solve_many
    from solvepic.checking import Check
    from solvepic.errors import OptionError
    from solvepic.options import Options
    from solvepic.outcome import Outcome, Status
    from solvepic.output import OutputError
    from solvepic.pipeline import solve
    from solvepic.record import Record
    from solvepic.texts import solve_text
    from solvers.steps.step import Placed, Step
    from vision.pictures.loading import BadPictureError

_HOME = {
    "BadPictureError": "vision.pictures.loading",
    "Check": "solvepic.checking",
    "OptionError": "solvepic.errors",
    "Options": "solvepic.options",
    "Outcome": "solvepic.outcome",
    "OutputError": "solvepic.output",
    "Placed": "solvers.steps.step",
    "Record": "solvepic.record",
    "Status": "solvepic.outcome",
    "Step": "solvers.steps.step",
    "solve": "solvepic.pipeline",
    "solve_many": "solvepic.batch",
    "solve_text": "solvepic.texts",
}


def __getattr__(name: str) -> Any:
    # Loaded when first used: asking for the version, or a broken installation's explanation, must not load OpenCV.
    if name not in _HOME:
        raise AttributeError(f"module 'solvepic' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
