"""Imports point one way, and modules stay small enough to be read."""

import ast
import re
from pathlib import Path

import pytest

from solvepic.registry import KINDS

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ["solvers", "vision", "overlay", "solvepic"]
MODULES = sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))
LONGEST = 600


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tops = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            tops |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            tops.add((node.module or "").split(".")[0])
    return tops


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    above = set(LAYERS[LAYERS.index(layer) + 1 :]) | {"samples", "tests", "benchmarks"}
    assert not imported(path) & above


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_solvers_know_no_pixels(path: Path) -> None:
    if path.relative_to(ROOT).parts[0] == "solvers":
        assert not imported(path) & {"cv2", "PIL", "pytesseract", "tesserocr"}


def test_no_module_is_longer_than_a_reader_bears() -> None:
    long = {str(path.relative_to(ROOT)): n for path in MODULES if (n := len(path.read_text().splitlines())) > LONGEST}
    assert not long


def test_a_kind_has_the_same_file_name_in_each_layer() -> None:
    for kind in KINDS:
        assert (ROOT / "solvers" / f"{kind.name}.py").exists()
        assert (ROOT / "solvers" / "steps" / f"{kind.name}.py").exists()
        assert (ROOT / "solvers" / "formats" / f"{kind.name}.py").exists()
        assert (ROOT / "vision" / f"{kind.name}.py").exists()


def test_generic_code_names_no_kind() -> None:
    generic = [p for p in MODULES if p.parts[-2] in ("overlay", "solvepic") and p.name != "registry.py"]
    for path in generic:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = [
            ast.unparse(node)
            for node in ast.walk(tree)
            if isinstance(node, ast.Compare)
            and any(isinstance(c, ast.Constant) and c.value in {k.name for k in KINDS} for c in node.comparators)
        ]
        assert not named, f"{path.name} asks which kind it has: {named}"


@pytest.mark.parametrize("layer", ["solvers", "vision"])
def test_the_map_of_a_layer_names_every_module(layer: str) -> None:
    text = (ROOT / layer / "__init__.py").read_text(encoding="utf-8")
    drawn = set(re.findall(r"\w+", " ".join(re.findall(r"``(.*?)``", text))))
    modules = {path.stem for path in (ROOT / layer).rglob("*.py")} - {"__init__"}
    packages = {path.parent.name for path in (ROOT / layer).rglob("__init__.py")} - {layer}
    assert modules | packages <= drawn
