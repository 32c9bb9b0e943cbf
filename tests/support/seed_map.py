"""Rows of `docs/seed_map.md`, and whether what one says is so."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from core.config import Settings
from core.models.base import Base
from tests.support.code import ROOT, syntax_tree

_CELLS = re.compile(r"^\| `([^`]+)` \|([^|]*)\|([^|]*)\|([^|]*)\|$")
_ADR = re.compile(r"\bADR (\d+)\b")
_CODE = re.compile(r"`([^`]+)`")


class Row(NamedTuple):
    """One name of a plan, and where it is."""

    seed: str
    name: str
    kind: str
    here: str
    note: str


def rows(page: str) -> list[Row]:
    """Rows of every table below a heading of second level."""
    found, seed = [], ""
    for line in page.splitlines():
        if line.startswith("## "):
            seed = line[3:]
        elif seed and (cells := _CELLS.match(line)):
            kind, here, note = (cell.strip() for cell in cells.groups()[1:])
            found.append(Row(seed, cells[1], kind, here.strip("`"), note))
    return found


def fault(row: Row, routes: frozenset[str]) -> str | None:
    """What is wrong with a row, None where it is right. `routes` are the addresses of the site."""
    checks: dict[str, Callable[[], bool]] = {
        "module": lambda: (ROOT / row.here).is_file(),
        "function": lambda: _defined(row.here, (ast.FunctionDef, ast.AsyncFunctionDef)),
        "class": lambda: _defined(row.here, (ast.ClassDef,)),
        "constant": lambda: _assigned(row.here, ast.Assign) or _assigned(row.here, ast.AnnAssign),
        "key": lambda: "." in row.here.partition(":")[2] and _assigned(row.here, ast.AnnAssign),
        "node": lambda: _name(row.here) in set(nodes(tree)) if (tree := _tree(row.here)) else False,
        "table": lambda: row.here in Base.metadata.tables,
        "column": lambda: _is_column(*row.here.partition(".")[::2]),
        "route": lambda: row.here in routes,
        "setting": lambda: _is_setting(row.name, row.here),
        "package": lambda: (
            f"\n{row.here}==" in "\n" + (ROOT / "requirements.txt").read_text(encoding="utf-8").lower()
        ),
        "dropped": lambda: not row.here and _is_decided(row),
    }
    if row.kind not in checks:
        return f"{row.name}: no kind {row.kind!r}"
    if not checks[row.kind]():
        return f"{row.name}: no {row.kind} {row.here or row.note!r}"
    if missing := [number for number in _ADR.findall(row.note) if _decision(number) is None]:
        return f"{row.name}: no ADR {missing}"
    if row.kind in {"function", "class", "constant"} and _last(row.name) != _last(row.here) and not row.note:
        return f"{row.name}: called {row.here} here, and no note says why"
    return None


def nodes(tree: ast.AST) -> Iterator[str]:
    """Names that are added to a graph: written out, or keys of a dictionary that a loop adds."""
    dictionaries = {
        target.id: [str(key.value) for key in node.value.keys if isinstance(key, ast.Constant)]
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _adds_a_node(node) and isinstance(node.args[0], ast.Constant):
            yield str(node.args[0].value)
        if isinstance(node, ast.For) and any(_adds_a_node(call) for call in ast.walk(node)):
            match node.iter:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="items")):
                    yield from dictionaries.get(name, [])


def _adds_a_node(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_node"


def _tree(here: str) -> ast.Module | None:
    path: Path = ROOT / here.partition(":")[0]
    return syntax_tree(path) if path.suffix == ".py" and path.is_file() else None


def _name(here: str) -> str:
    return here.partition(":")[2]


def _last(name: str) -> str:
    return re.split(r"[.:]", name)[-1]


def _defined(here: str, kinds: tuple[type[ast.stmt], ...]) -> bool:
    """Whether the file defines it, at its top or in the class that is named before the point."""
    body = _body(here)
    return any(isinstance(node, kinds) and getattr(node, "name", None) == _last(here) for node in body)


def _assigned(here: str, kind: type[ast.Assign] | type[ast.AnnAssign]) -> bool:
    for node in _body(here):
        if isinstance(node, kind):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == _last(here) for target in targets):
                return True
    return False


def _body(here: str) -> list[ast.stmt]:
    tree = _tree(here)
    if tree is None:
        return []
    owner, _, member = _name(here).rpartition(".")
    if not owner:
        return tree.body if member else []
    return next((node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == owner), [])


def _is_column(table: str, column: str) -> bool:
    return table in Base.metadata.tables and column in Base.metadata.tables[table].columns


def _is_setting(name: str, here: str) -> bool:
    """Whether there is the setting; a variable's name that is another must be read as well."""
    field = Settings.model_fields.get(here.lower())
    if field is None or here != here.upper():
        return False
    names = getattr(field.validation_alias, "choices", [here])
    return name in names or not name.isupper()


def _is_decided(row: Row) -> bool:
    """Whether an ADR that the note names speaks of the name, or of what the note says in its place."""
    spoken = [row.name, *_CODE.findall(row.note)]
    texts = [text for number in _ADR.findall(row.note) if (text := _decision(number))]
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for text in texts for name in spoken)


def _decision(number: str) -> str | None:
    found = sorted((ROOT / "docs" / "adr").glob(f"{int(number):04d}-*.md"))
    return found[0].read_text(encoding="utf-8") if found else None
