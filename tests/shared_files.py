"""The labelled pictures and puzzle collections that may lie in a folder ``shared`` beside the checkout."""

import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared(way: str) -> Path:
    """The file or folder ``way`` below the shared folder; skips the test where it is absent."""
    path = SHARED / way
    if not path.exists():
        pytest.skip(f"needs {way} in a folder 'shared' beside the checkout")
    return path


def labelled(folder: str) -> list[tuple[Path, dict[str, Any]]]:
    """The pictures of a corpus folder with their labels; skips the test where the corpus is absent."""
    pairs = []
    for label in sorted(shared(f"corpus/{folder}").glob("*.json")):
        truth = json.loads(label.read_text(encoding="utf-8"))
        pairs.append((label.parent / truth["image"], truth))
    return pairs


def puzzles(name: str) -> list[dict[str, Any]]:
    """The puzzles of a collection, such as ``shikaku.jsonl``; skips the test where it is absent."""
    lines = shared(f"puzzles/{name}").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]
