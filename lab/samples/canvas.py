"""A page to draw on. Every method gives back the rectangles that it covered, in points of the page."""

from __future__ import annotations

from core.confined.mupdf import pymupdf
from lab.samples.hand import fonts

Colour = tuple[float, float, float]
BLACK: Colour = (0.0, 0.0, 0.0)
LETTER = (612.0, 792.0)


class Canvas:
    """One PDF page, origin top-left, y of a text is its baseline."""

    def __init__(self, doc: pymupdf.Document, size: tuple[float, float] = LETTER) -> None:
        self.page: pymupdf.Page = doc.new_page(width=size[0], height=size[1])
        self.number: int = doc.page_count
        self.width, self.height = size
        self._known: set[str] = set()

    @classmethod
    def over(cls, page: pymupdf.Page, number: int) -> Canvas:
        """A page that stands already."""
        canvas = cls.__new__(cls)
        canvas.page, canvas.number, canvas._known = page, number, set()
        canvas.width, canvas.height = page.rect.width, page.rect.height
        return canvas

    def text(
        self, x: float, y: float, text: str, size: float = 11, face: str = "sans", colour: Colour = BLACK
    ) -> pymupdf.Rect:
        """Write one line from x rightwards."""
        name = self.register(face)
        self.page.insert_text((x, y), text, fontname=name, fontsize=size, color=colour)
        return line_box(x, y, text, size, face)

    def text_right(self, x1: float, y: float, text: str, size: float = 11, face: str = "sans") -> pymupdf.Rect:
        """Write one line that ends at x1."""
        return self.text(x1 - fonts.width(face, text, size), y, text, size, face)

    def lines(
        self, x: float, y: float, lines: list[str], size: float, leading: float, face: str = "sans"
    ) -> list[pymupdf.Rect]:
        """Write lines below each other; y is the first baseline."""
        return [self.text(x, y + i * leading, line, size, face) for i, line in enumerate(lines) if line]

    def register(self, face: str) -> str:
        """Name under which the page knows the face."""
        name = "F" + face.replace("-", "").title()
        if face not in self._known:
            self.page.insert_font(fontname=name, fontfile=fonts.path(face))
            self._known.add(face)
        return name

    def box(
        self,
        rect: tuple[float, float, float, float],
        colour: Colour = BLACK,
        width: float = 0.5,
        fill: Colour | None = None,
    ) -> None:
        """Draw a rectangle."""
        self.page.draw_rect(pymupdf.Rect(rect), color=colour, width=width, fill=fill)

    def rule(self, x0: float, y0: float, x1: float, y1: float, colour: Colour = BLACK, width: float = 0.5) -> None:
        """Draw a line."""
        self.page.draw_line((x0, y0), (x1, y1), color=colour, width=width)


def line_box(x: float, y: float, text: str, size: float, face: str) -> pymupdf.Rect:
    """The rectangle that a line's ink stands in."""
    return pymupdf.Rect(x, y - 0.76 * size, x + fonts.width(face, text, size), y + 0.22 * size)


def wrap(text: str, width: float, size: float, face: str = "sans", first_indent: float = 0) -> list[str]:
    """Break a paragraph into lines no wider than the width."""
    lines: list[str] = []
    current = ""
    for word in text.split():
        candidate = f"{current} {word}".strip()
        room = width - (first_indent if not lines else 0)
        if current and fonts.width(face, candidate, size) > room:
            lines.append(current)
            current = word
        else:
            current = candidate
    return [*lines, current] if current else lines


def wrap_all(paragraphs: list[str], width: float, size: float, face: str = "sans", gap: bool = False) -> list[str]:
    """Break paragraphs into lines; with a gap an empty line stands between them."""
    lines: list[str] = []
    for paragraph in paragraphs:
        if gap and lines:
            lines.append("")
        lines += wrap(paragraph, width, size, face)
    return lines


def union(rects: list[pymupdf.Rect]) -> pymupdf.Rect | None:
    """The smallest rectangle around all of them."""
    if not rects:
        return None
    return pymupdf.Rect(
        min(r.x0 for r in rects), min(r.y0 for r in rects), max(r.x1 for r in rects), max(r.y1 for r in rects)
    )
