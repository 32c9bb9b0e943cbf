"""Names that the product's code defines, and the words that they are made of."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.support.code import id_of, sources, syntax_tree

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
#: Not the plural of anything.
_WHOLE = {
    "process",
    "address",
    "class",
    "status",
    "bus",
    "is",
    "has",
    "was",
    "as",
    "this",
    "css",
    "less",
    "across",
}


class DefinedName(NamedTuple):
    """A module, class or function."""

    path: str
    name: str

    @property
    def words(self) -> frozenset[str]:
        """Its words in lower case and in the singular."""
        return frozenset(_singular(word) for word in _HUMP.sub("_", self.name).lower().split("_") if word)


def defined_names() -> Iterator[DefinedName]:
    """Every name that the product defines; its tools have words of their own."""
    for path in sources():
        where = id_of(path)
        if where.startswith(("lab/", "scripts/")):
            continue
        yield DefinedName(where, path.parent.name if path.stem == "__init__" else path.stem)
        for node in ast.walk(syntax_tree(path)):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield DefinedName(where, node.name)


def _singular(word: str) -> str:
    if word in _WHOLE:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") else word
