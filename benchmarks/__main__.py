"""The figures of ``docs/measured.md``: ``python -m benchmarks [PART…] [--count N] [--list]``.

A *part* is one of the commands beside this file, with what its tables there were made with: the sets, seeds and counts.
The parts run one after the other, each in a process of its own, and print what they print by themselves. Those that
need the labelled pictures in a folder ``shared`` beside the checkout are left out where it is missing, and it is said
so. ``--list`` prints the parts as a table. Exits with 1 where one fell short of its bars or failed.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.paired import NEW

CORPUS = "../shared/corpus"
"""The labelled pictures, from the checkout."""

OURS = ("stitch", "patches", "pyramid", "kanoodle", "triazzle", "queens", "knight", "queens_regions")
"""Folders of those that show a board of ours."""


@dataclass(frozen=True)
class Part:
    """What some tables come from.

    Attributes:
        section: the heading of ``docs/measured.md`` that they stand under.
        call: what follows ``python -m``; ``{count}`` stands for a number, and ``{last}`` for one less.
        count: the number, where none is asked for; 0 where ``call`` has none.
    """

    section: str
    call: str
    count: int = 0

    def words(self, count: int | None = None) -> list[str]:
        """The words of ``call`` with a number in place."""
        number = self.count if count is None else count
        return self.call.format(count=number, last=number - 1).split()

    @property
    def lacking(self) -> list[str]:
        """The folders that it needs and that are missing."""
        return [word for word in self.words() if word.startswith(CORPUS) and not (NEW / word).exists()]


PARTS: dict[str, Part] = {
    "labelled": Part("Labelled pictures of others", "pytest -q -m corpus"),
    "sets": Part("Drawn pictures", "benchmarks.sets --markdown --count {count}", 100),
    "misread": Part("Drawn pictures", "benchmarks.misreadings --seeds 0-{last}", 180),
    "misreader": Part("Drawn pictures", "benchmarks.misreadings --reader --seeds 0-{last}", 180),
    "shifted": Part("Drawn pictures", "benchmarks.shifted pyramid-photos kanoodle-photos --count {count}", 20),
    "resent": Part(
        "Drawn pictures", f"benchmarks.resent {CORPUS}/stitch {CORPUS}/patches {CORPUS}/queens_regions {CORPUS}/knight"
    ),
    "outlines": Part(
        "Boards of any outline, before they were read",
        "benchmarks.sets outlined-screens pages-screens outlined-photos pages-photos beside cut-off cut-off-photos"
        " wiped wiped-photos holes-lined --markdown --seed 300000 --count {count}",
        40,
    ),
    "figures": Part(
        "What stands on a cell",
        "benchmarks.sets queens-photos knight-photos queens-screens knight-screens standing-photos standing-others"
        " --markdown --seed 580000 --count {count}",
        20,
    ),
    "ball-doubts": Part(
        "Doubts about ball boards",
        "benchmarks.sets kanoodle-photos pyramid-photos --markdown --seed 940000 --count {count}",
        30,
    ),
    "lattices": Part("Lattices of cells", "benchmarks.lattices --seed 1910000 --count {count}", 16),
    "borders": Part("Borders of places", "benchmarks.borders --seed 2154100"),
    "stages": Part("Reading numbers", "benchmarks.stages --count {count}", 20),
    "screenshot": Part("Time", "benchmarks.screenshot"),
    "batch": Part("Time", "benchmarks.batch"),
    "memory": Part("Time", "benchmarks.memory --pictures {count}", 990),
    "photos": Part("Time", "benchmarks.stitch_photos --seed 90240 --count {count}", 36),
    "balls": Part("Time", "benchmarks.balls --seed 79000 --count {count}", 8),
    "steps": Part("Steps, checks and texts", "benchmarks.steps"),
    "page": Part("The phone page", "benchmarks.web --shots {count}", 40),
    "browser": Part("What a browser draws", "benchmarks.browser --count {count} --seed 300", 20),
    "refusals": Part(
        "Refusals",
        f"benchmarks.refusals {CORPUS}/nothing {CORPUS}/other_games_nothing --count {{count}} --boards "
        + " ".join(f"{CORPUS}/{folder}" for folder in OURS),
        20,
    ),
    "damaged": Part("Refusals", "benchmarks.damaged --files {count}", 5000),
    "named": Part("Refusals", "benchmarks.named_games --count {count}", 60),
    "small": Part("Refusals", "benchmarks.small --count {count}", 6),
}
"""By name, in the order of ``docs/measured.md``."""


def table() -> str:
    """The parts as a table in Markdown."""
    rows = [f"| `{name}` | {part.section} | `{' '.join(part.words())}` |" for name, part in PARTS.items()]
    return "\n".join(["| part | figures of | `python -m` |", "|---|---|---|", *rows])


def ran(name: str, count: int | None = None) -> int:
    """Run a part; its exit status, 0 where it is left out."""
    part = PARTS[name]
    print(f"\n## {part.section}: {name}\n", flush=True)
    if part.lacking:
        print(f"left out, as these are missing: {', '.join(part.lacking)}", flush=True)
        return 0
    return subprocess.run([sys.executable, "-m", *part.words(count)], cwd=NEW, check=False).returncode


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--count", type=int, help="pictures a part, where it has a count (default: as in the table)")
    parser.add_argument("--list", action="store_true", help="print the parts as a table, and end")
    asked = parser.parse_args(arguments)
    if asked.list:
        print(table())
        return
    unknown = sorted(set(asked.parts) - set(PARTS))
    if unknown:
        parser.error(f"there is no part called {', '.join(unknown)}; there are {', '.join(PARTS)}")
    short = [name for name in asked.parts or PARTS if ran(name, asked.count)]
    if short:
        raise SystemExit(f"fell short: {', '.join(short)}")


if __name__ == "__main__":
    main()
