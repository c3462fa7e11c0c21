"""Options and fixtures for all tests, and the helpers that test modules share.

pytest imports test modules without touching ``sys.path`` (so that a module missing from the wheel is noticed), which is
why the shared helpers are made known here: ``import shared_files`` and ``import toy_kind`` work in every test.
"""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

HELPERS = {
    "shared_files": "shared_files.py",
    "toy_kind": "solvepic/toy_kind.py",
    "read_boards": "solvepic/read_boards.py",
}

# Sheets of digits and small matrices are too small for threads to share, and the tests run in parallel anyway.
os.environ.setdefault("OMP_THREAD_LIMIT", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

for name, file in HELPERS.items():
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / file)
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew-goldens", action="store_true", help="write the golden pictures anew")
