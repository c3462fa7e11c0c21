"""Stage pictures and notes for whoever wants to know why a board was misread (``--debug``).

A stage hands its picture over as a function, so that nothing is drawn when nobody is looking.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from vision.pictures.photo import Picture

log = logging.getLogger("solvepic")


@dataclass
class Trace:
    """Takes notes; writes numbered pictures into ``folder`` where one is given."""

    folder: Path | None = None
    _count: int = field(default=0, repr=False)

    def note(self, text: str) -> None:
        """Write a line into the log."""
        log.debug("%s", text)

    def picture(self, name: str, draw: Callable[[], Picture]) -> None:
        """Write the picture that ``draw`` returns as ``NN-name.png``."""
        if self.folder is None:
            return
        self._count += 1
        self.folder.mkdir(parents=True, exist_ok=True)
        target = self.folder / f"{self._count:02d}-{name}.png"
        # imencode and our own write: imwrite cannot open every path that Python can. What is there is not replaced.
        with target.open("xb") as file:
            file.write(cv2.imencode(".png", draw())[1].tobytes())
        log.debug("wrote %s", target)
