"""Starts the command, and explains an import that went wrong.

``solvers``, ``vision`` and ``overlay`` are common names. When another package shadows one of ours, Python's own message
misleads; this module finds out whose it is and says so.
"""

import gc
import os
import signal
import sys

from solvepic.threads import ask_for_one_each

SEARCHED_AFTER = 100_000
"""Objects that are made before Python searches for those that only hold each other. A run makes hundreds of thousands
that stay and hardly one of these; by default it searches after 700, which took a twelfth of a large photo's time and
left as much in memory."""

SIGNALLED = 128
"""What shells add to the number of the signal that ended a program."""

INTERRUPTED = SIGNALLED + signal.SIGINT
"""What shells expect of a program that was stopped by Ctrl-C."""

OURS = ("solvers", "vision", "overlay")


def main() -> None:
    """The entry point of the console script."""
    ask_for_one_each()
    gc.set_threshold(SEARCHED_AFTER)
    _fill_closed_streams()
    handled = [
        number
        for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM))
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler)  # else a shell has them ignored
    ]
    for number in handled:
        # Nothing has begun that would have to be ended, and an import may swallow what a handler raises.
        signal.signal(number, lambda caught, _: os._exit(SIGNALLED + caught))
    try:
        from solvepic.command import run  # noqa: PLC0415  (late, so that a failing import can be explained)
    except ImportError as error:
        sys.exit(explain(error))
    for number in handled:
        # Whoever ends us so finds our workers ended and the log of a batch whole. Python's own handler of Ctrl-C would
        # not do: an interrupt within exec(), as dataclasses have it, ends Python by the signal even when it is caught.
        signal.signal(number, lambda caught, _: sys.exit(SIGNALLED + caught))
    run()


def _fill_closed_streams() -> None:
    """Put nothing where a standard stream is closed: the next file that is opened would take its number, and what a
    library prints would go into it."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  (print() would take standard output)


def explain(error: ImportError) -> str:
    """Why an import failed, in a sentence."""
    top = (error.name or "").split(".")[0]
    if top in OURS:
        import importlib.metadata  # noqa: PLC0415  (with the parser of mails: only a failing start needs it)

        owners = importlib.metadata.packages_distributions().get(top, [])
        others = [owner for owner in owners if owner != "solvepic"]
        if others:
            return (
                f"solvepic: another package, {' and '.join(others)}, also installs a module called {top} and hides"
                " ours; install solvepic in an environment of its own: pipx install solvepic"
            )
    return (
        f"solvepic: the installation is incomplete ({error}); install it again: pip install --force-reinstall solvepic"
    )
