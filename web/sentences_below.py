"""Babel extractor for the texts of labelled enums, in modules that do not use `gettext`.

A member is a tuple of the stored key and one or more texts: `QUEUED = "queued", "Queued"`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

#: Base classes of enums whose members are (key, text, …).
_ENUMS = {"LabelledEnum", "MessageCode"}

Found = tuple[int, None, str, list[str]]


def extract(
    file: BinaryIO, _keywords: Iterable[str], _comment_tags: Iterable[str], options: dict[str, Any]
) -> Iterator[Found]:
    """Yield (line, function, message, comments) of every text, as Babel expects; there are no options."""
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.ClassDef) and _base_names(node) & _ENUMS:
            for line in node.body:
                yield from _texts(line)


def _base_names(node: ast.ClassDef) -> set[str]:
    return {base.id for base in node.bases if isinstance(base, ast.Name)}


def _texts(line: ast.stmt) -> Iterator[Found]:
    """Yield the texts of a member: all constants after its key."""
    if isinstance(line, ast.Assign) and isinstance(line.value, ast.Tuple):
        for text in line.value.elts[1:]:
            if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value:
                yield text.lineno, None, text.value, []
