"""What a Word file holds beside the text and pictures that are read."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Any

from pipeline.files.notes import FileNote, file_note
from pipeline.files.word.names import O, R, W
from pipeline.files.word.package import Package
from pipeline.reason_codes import ReasonCode

#: Relationships to files that the document carries with it.
_ATTACHED = ("oleObject", "package")


def held_notes(package: Package, parts: Sequence[str], documents: Sequence[str]) -> list[FileNote]:
    """Return notes of embedded files and further documents, before anything of the package was changed.

    `parts` are those that are displayed, `documents` all Word documents of the package.
    """
    notes = []
    if names := _attached(package, parts):
        notes.append(file_note(ReasonCode.ATTACHMENTS, len(names), names))
    others = [posixpath.basename(name) for name in documents if name != package.main]
    relations = package.relations(package.main).values()
    others += [relation.target for relation in relations if relation.kind == "subDocument"]
    if others:
        notes.append(file_note(ReasonCode.MORE_IN_FILE, len(others), others))
    return notes


def _attached(package: Package, parts: Sequence[str]) -> list[str]:
    """The files that are embedded: what program made each, or its name."""
    found: dict[str, str] = {}
    for part in parts:
        programs = {node.get(f"{R}id"): node.get("ProgID") for node in package.tree(part).iter(f"{O}OLEObject")}
        for key, relation in package.relations(part).items():
            if relation.kind in _ATTACHED:
                found.setdefault(relation.target, programs.get(key) or posixpath.basename(relation.target))
    return list(found.values())


def remarks(package: Package) -> int:
    """How many comments stand beside the text and say something."""
    return sum(_says_something(comment) for part in package.related("comments") for comment in package.tree(part))


def _says_something(comment: Any) -> bool:
    return any((text.text or "").strip() for text in comment.iter(f"{W}t"))
