"""A label with its value behind it, flowing as one paragraph over the lines of a column."""

from __future__ import annotations

from dataclasses import dataclass

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas, line_box
from lab.samples.hand import fonts


@dataclass(frozen=True)
class Column:
    """Where the paragraph flows."""

    x: float
    width: float
    size: float
    leading: float


def write(
    canvas: Canvas, column: Column, y: float, label: str, separator: str, value: str
) -> tuple[list[pymupdf.Rect], float]:
    """Write label, separator and value; returns the value's rectangles and the next line's baseline.

    Each line is one run of text, as word processors print it: nothing but the words tells label from value.
    """
    rects: list[pymupdf.Rect] = []
    start = len(label) + len(separator)
    for first, line in _lines(label + separator + value, column):
        canvas.text(column.x, y, line, column.size)
        inside = line[max(0, start - first) :].rstrip()
        if value and inside.strip():
            x = column.x + fonts.width("sans", line[: max(0, start - first)], column.size)
            rects.append(line_box(x, y, inside, column.size, "sans"))
        y += column.leading
    return rects, y


def _lines(text: str, column: Column) -> list[tuple[int, str]]:
    """Each line with the index of its first character, broken at spaces."""
    lines: list[tuple[int, str]] = []
    first = 0
    while first < len(text):
        last = len(text)
        while last > first and fonts.width("sans", text[first:last].rstrip(), column.size) > column.width:
            cut = text.rfind(" ", first, last - 1)
            if cut <= first:
                break
            last = cut + 1
        lines.append((first, text[first:last]))
        first = last
    return lines
