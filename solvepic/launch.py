"""Starts the command, and explains an import that went wrong.

``solvers``, ``vision`` and ``overlay`` are common names. When another package shadows one of ours, Python's own message
misleads; this module finds out whose it is and says so.
"""

import gc
import sys

from solvepic.threads import ask_for_one_each

SEARCHED_AFTER = 100_000
"""Objects that are made before Python searches for those that only hold each other. A run makes hundreds of thousands
that stay and hardly one of these; by default it searches after 700, which took a twelfth of a large photo's time and
left as much in memory."""

OURS = ("solvers", "vision", "overlay")


def main() -> None:
    """The entry point of the console script."""
    ask_for_one_each()
    gc.set_threshold(SEARCHED_AFTER)
    try:
        from solvepic.command import run  # noqa: PLC0415  (late, so that a failing import can be explained)
    except ImportError as error:
        sys.exit(explain(error))
    run()


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
