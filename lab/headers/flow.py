"""Text in the making: pieces in a row, in which a line feed ends a paragraph."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from lab.headers.drawn import Piece
from pipeline.extraction.labelling.labeller import Role

Flow = list[Piece]
Slot = Callable[[str], Flow]

_PART = re.compile(r"\{(\w+)\}|<(\w+):([^<>]*)>")


def one(text: str, role: Role) -> Flow:
    """A flow of one piece, or of none for an empty text."""
    return [Piece(text, role)] if text else []


def fill(template: str, role: Role, slot: Slot) -> Flow:
    """The template with each `{slot}` filled; `<role:text>` has that role, all other text the given one."""
    flow: Flow = []
    end = 0
    for found in _PART.finditer(template):
        flow += one(template[end : found.start()], role)
        flow += slot(found[1]) if found[1] else _marked(found[3], Role(found[2]), slot)
        end = found.end()
    return flow + one(template[end:], role)


def _marked(template: str, role: Role, slot: Slot) -> Flow:
    """The template filled, all of it in one role."""
    return one(text_of(fill(template, role, slot)), role)


def slots_of(template: str) -> set[str]:
    """The names of the slots in a template."""
    return {found[1] for found in _PART.finditer(template) if found[1]}


def joined(parts: list[Flow], separator: str, role: Role = Role.OTHER) -> Flow:
    """The parts with the separator between them."""
    flow: Flow = []
    for part in parts:
        if flow and part:
            flow += one(separator, role)
        flow += part
    return flow


def text_of(flow: Flow) -> str:
    """The text of all pieces."""
    return "".join(piece.text for piece in flow)


def mapped(flow: Flow, change: Callable[[str], str], but: frozenset[Role] = frozenset()) -> Flow:
    """The flow with each piece's text changed, except pieces of some roles."""
    return [piece if piece.role in but else replace(piece, text=change(piece.text)) for piece in flow]


def split_lines(flow: Flow) -> list[Flow]:
    """The paragraphs between line feeds."""
    lines: list[Flow] = [[]]
    for piece in flow:
        first, *rest = piece.text.split("\n")
        lines[-1] += one(first, piece.role)
        for text in rest:
            lines.append(one(text, piece.role))
    return lines


def cut(flow: Flow, start: int, end: int) -> Flow:
    """The pieces, cut to the characters from start to end."""
    kept: Flow = []
    begun = 0
    for piece in flow:
        kept += one(piece.text[max(0, start - begun) : max(0, end - begun)], piece.role)
        begun += len(piece.text)
    return kept


def wrapped(line: Flow, width: int) -> list[Flow]:
    """The paragraph in lines of at most so many characters, broken at spaces, which the break swallows."""
    text = text_of(line)
    rows: list[Flow] = []
    start = 0
    while len(text) - start > width:
        first = start + len(text[start:]) - len(text[start:].lstrip(" "))
        space = text.rfind(" ", first + 1, start + width + 1)
        if space < 0:
            break
        rows.append(cut(line, start, len(text[:space].rstrip(" "))))
        start = space + 1
    return [*rows, cut(line, start, len(text))]
