"""Which OCR engines are there, and what is said when none is."""

import numpy as np
import pytest

from vision.numbers import ocr_engines
from vision.numbers.ocr_engines import EngineMissingError, engine, engines, start_early


def test_an_unknown_name_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="auto, tesserocr, tesseract"):
        engine("abbyy")


def test_what_is_missing_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr_engines.importlib.util, "find_spec", lambda name: None)
    assert [state.usable for state in engines()] == [False, False]
    with pytest.raises(EngineMissingError, match=r"tesserocr is missing .*pip install tesserocr.*pytesseract"):
        engine("auto")
    with pytest.raises(EngineMissingError, match="pip install pytesseract"):
        engine("tesseract")


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr_engines.shutil, "which", lambda name: None)
    state = next(state for state in engines() if state.name == "tesseract")
    assert not state.usable
    assert "tesseract" in state.missing
    assert state.advice


def test_a_blank_sheet_holds_no_words() -> None:
    usable = [state.name for state in engines() if state.usable]
    if not usable:
        pytest.skip("no OCR engine is installed")
    assert engine(usable[0])(np.full((80, 200), 255, np.uint8)) == []


def test_what_was_started_early_is_what_is_used_and_its_troubles_are_told_when_it_is_asked_for() -> None:
    start_early("abbyy")
    with pytest.raises(ValueError, match="abbyy"):
        engine("abbyy")
    if not any(state.usable for state in engines()):
        pytest.skip("no OCR engine is installed")
    start_early("auto")
    assert engine("auto") is engine("auto")
