"""Judge and judged share nothing but how PyMuPDF is imported: the samples' generator and the reader are apart."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
GENERATOR = [ROOT / "lab" / "make_samples.py", *sorted((ROOT / "lab" / "samples").rglob("*.py"))]
#: PyMuPDF without what nobody here uses of it.
SHARED = "core.confined.mupdf"
READER = sorted((ROOT / "pipeline").rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Every module that a file imports, dotted."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


@pytest.mark.parametrize("path", GENERATOR, ids=lambda path: path.name)
def test_generator_knows_nothing_of_the_house(path: Path) -> None:
    house = {"pipeline", "core", "services", "web", "jobs", "commands", "research"}
    others = {name for name in imported(path) if name.removesuffix(".pymupdf") != SHARED}
    assert not {name for name in others if name.split(".")[0] in house}


def test_reader_knows_nothing_of_the_generator() -> None:
    guilty = [path.name for path in READER if any(name.startswith(("lab", "scripts")) for name in imported(path))]
    assert READER
    assert not guilty
