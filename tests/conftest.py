"""Options and fixtures for all tests."""

import os

import pytest

# A sheet of digits is too small for threads to share, and the tests run in parallel anyway.
os.environ.setdefault("OMP_THREAD_LIMIT", "1")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew-goldens", action="store_true", help="write the golden pictures anew")
