"""What a caller may ask for; the one place where an option and its default are declared."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from overlay.paint import MoveStyle
from solvers.board import Cell
from vision.pictures.loading import MAX_MEGAPIXELS

DEFAULT_SECONDS = 20.0


@dataclass(frozen=True)
class Options:
    """How pictures are solved.

    Attributes:
        kind: the kind of puzzle, by name; None to find out.
        seconds: time that reading and solving one picture may take.
        ocr: the OCR engine: ``auto``, ``tesserocr`` or ``tesseract``.
        size: ``(rows, cols)`` of the grid, in either order; None to measure it.
        corners_px: the board's corners in pixels of the file; None to find them.
        given: what the user says stands on a cell.
        wishes: single words, such as ``closed`` for a closed tour.
        style: how moved pieces are shown: ``tray``, ``plan`` or ``both``.
        hint: show one step of the answer only.
        max_megapixels: the largest picture that is opened.
        debug: folder for stage pictures and a log; None for none.
    """

    kind: str | None = None
    seconds: float = DEFAULT_SECONDS
    ocr: str = "auto"
    size: tuple[int, int] | None = None
    corners_px: tuple[tuple[float, float], ...] | None = None
    given: Mapping[Cell, str] = field(default_factory=dict)
    wishes: frozenset[str] = frozenset()
    style: MoveStyle = "both"
    hint: bool = False
    max_megapixels: float = MAX_MEGAPIXELS
    debug: Path | None = None
