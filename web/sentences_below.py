"""Finds, for Babel, the texts for people in code that knows no language: what labelled enums say of their keys.

A member is a tuple of the stored key and one or more texts: `QUEUED = "queued", "Queued"`. Texts of errors that
are not codes yet are found as well; an f-string becomes a sentence with places: `{0}`, `{1}`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

#: Names whose value is for people.
_TOLD: set[str] = set()
#: Bases of enums of (key, text, …).
_ENUMS = {"LabelledEnum", "MessageCode"}
#: Calls whose texts are for people; errors are told where a detail reaches a page.
_CALLS = {"ReasonInfo", "ConflictError", "HeldError", "InvalidInputError", "NotFailedError"}

Found = tuple[int, None, str, list[str]]


def extract(
    file: BinaryIO, _keywords: Iterable[str], _comment_tags: Iterable[str], options: dict[str, Any]
) -> Iterator[Found]:
    """(line, function, message, comments) of every such sentence; Babel passes options, and there are none."""
    for node in ast.walk(ast.parse(file.read())):
        for text in _texts(node):
            message = _message(text)
            # Without a word of its own it would fit everything.
            if message and re.search(r"[a-z]{2}", message):
                yield text.lineno, None, message, []


def _texts(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.ClassDef) and _base_names(node) & _ENUMS:
        return [text for line in node.body for text in _labels(line)]
    if isinstance(node, ast.Assign) and _names(node.targets) & _TOLD:
        return list(node.value.values) if isinstance(node.value, ast.Dict) else [node.value]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLS:
        return list(node.args)
    return []


def _base_names(node: ast.ClassDef) -> set[str]:
    return {base.id for base in node.bases if isinstance(base, ast.Name)}


def _labels(line: ast.stmt) -> list[ast.expr]:
    """The texts of a member, all but its key."""
    if isinstance(line, ast.Assign) and isinstance(line.value, ast.Tuple):
        return [text for text in line.value.elts[1:] if isinstance(text, ast.Constant)]
    return []


def _names(targets: Iterable[ast.expr]) -> set[str]:
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _message(text: ast.expr) -> str | None:
    if isinstance(text, ast.Constant):
        return text.value if isinstance(text.value, str) else None
    if not isinstance(text, ast.JoinedStr):
        return None
    parts, places = [], 0
    for part in text.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value))
        else:
            parts.append(f"{{{places}}}")
            places += 1
    return "".join(parts)
