"""The product's modules as source: which there are, and what each imports."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from core.confined.limits import kept_for_good

ROOT = Path(__file__).resolve().parents[2]
#: Lower number: higher in the house. A layer may import its own and those below.
LAYERS = {
    "flask_app": 0,
    "lab": -1,
    "scripts": 0,
    "web": 1,
    "commands": 1,
    "jobs": 1,
    "services": 2,
    "pipeline": 3,
    "research": 3,
    "core": 4,
}


def sources(*layers: str) -> list[Path]:
    """Every Python file of the layers named, of all layers where none is."""
    wanted = layers or tuple(LAYERS)
    found = [ROOT / "flask_app.py"] if "flask_app" in wanted else []
    return found + [path for layer in wanted for path in sorted((ROOT / layer).rglob("*.py"))]


@cache
def syntax_tree(path: Path) -> ast.Module:
    """The parsed source of a file.

    It stays, and garbage collection leaves it alone, which would go through all nodes again and again.
    """
    with kept_for_good():
        return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Dotted names of the modules that a file imports, at any depth; of `from a import b` both `a` and `a.b`."""
    found: list[str] = []
    for node in ast.walk(syntax_tree(path)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(found)


def file_of(dotted: str) -> Path | None:
    """The file of one of the product's modules or packages; None for any other name."""
    base = ROOT.joinpath(*dotted.split("."))
    return next((p for p in (base.with_suffix(".py"), base / "__init__.py") if p.is_file()), None)


def layer_of(path: Path) -> str:
    """The layer that a file belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def id_of(path: Path) -> str:
    """A file's path from the root, for messages."""
    return str(path.relative_to(ROOT))
