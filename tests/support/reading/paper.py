"""Pages as `read_pages` would give them, set word by word for tests."""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.pages.page_model import Box, PageContent, Source, Widget, Word

WIDTH, HEIGHT = 612.0, 792.0
#: Width of a letter, of the type's size.
LETTER = 0.5

#: (x, middle of the line, text) or with the type's size.
Set = tuple[float, float, str] | tuple[float, float, str, float]

FORM_2026: list[Set] = [
    (153, 62, "2026 IFI Fatherhood Essay Contest", 20),
    (533, 80, "Deadline:", 11),
    (533, 93, "March 19", 11),
    (35, 120, "Student’s Name / Nombre del Estudiante", 8.6),
    (35, 139, "Father/Father-Figure Name / Nombre del Padre/Figura Paterna", 8.4),
    (35, 157, "Email", 9),
    (215, 157, "Phone / Teléfono", 8.5),
    (424, 120, "Grade / Grado", 9),
    (424, 137, "School / Escuela", 8.4),
    (424, 153, "Writing About / Escribiendo Sobre:", 8.1),
    (444, 168, "Father / Padre", 8.3),
    (444, 183, "Grandfather / Abuelo", 8.4),
    (444, 198, "Stepdad / Padrasto", 8.5),
    (444, 213, "Father-Figure / Figura Paterna", 8.1),
    (36, 195, '"What my father or an important father-figure* means to me"', 9.8),
    (36, 212, '"Lo que mi padre o una figura paterna importante* significa para mí"', 9.8),
    (411, 653, "3000 Character Maximum / Máximo de Caracteres", 7),
    (31, 663, "Father/Grandfather/Step-Dad/Father-Figure reaction to this essay:", 10),
    (31, 682, "Reacción de padre/abuelo/padrastro/figura paterna a este ensayo:", 10),
    (414, 753, "2000 Character Maximum / Máximo de Caracteres", 7),
]

RULES: list[Set] = [
    (33, 74, "CONTEST DETAILS", 12),
    (33, 103, "Each student is asked to write a 3000 character (or less) essay", 12),
    (33, 204, "CRITERIA FOR ESSAY JUDGING", 12),
    (33, 233, "Submissions will be evaluated according to grade level.", 12),
    (33, 345, "JUDGING PROCESS", 12),
    (68, 374, "1. Essays will be divided into the 13 grade levels (K-12).", 12),
    (68, 388, "2. Volunteers will use the above judging criteria, reading every essay.", 12),
    (33, 511, "RULES", 12),
    (68, 535, "1. One entry per person.", 12),
    (68, 549, "2. All essays must be original, unaided by AI and created by the student.", 12),
    (68, 715, "8. Completed forms can be uploaded on 4dads.org or mailed to:", 12),
]

HEADER: list[Set] = [
    (203, 116, "Marisol Vega"),
    (291, 135, "Ernesto Vega"),
    (66, 153, "e.vega@example.org"),
    (290, 153, "312-555-0134"),
    (498, 116, "4th"),
    (499, 135, "Juniper School", 8),
]


def essay(top: float = 235, lines: int = 8, left: float = 36) -> list[Set]:
    """So many lines of ten words each."""
    line = "He helps me with my work and sings old songs."
    return [(left, top + 15 * n, line) for n in range(lines)]


def page(
    number: int,
    texts: Iterable[Set] = (),
    *,
    source: Source = Source.TEXT_LAYER,
    confidence: float = 1.0,
    widgets: list[Widget] | None = None,
    ink: float = 0.05,
) -> PageContent:
    """A letter page with these texts, each a line of its own in the stream."""
    words = [word for line, text in enumerate(texts) for word in _words(line, text, source, confidence)]
    return PageContent(
        number,
        WIDTH,
        HEIGHT,
        words,
        widgets or [],
        source if words else None,
        ocr_confidence=confidence if source is Source.OCR else None,
        ink=ink,
    )


def _words(line: int, text: Set, source: Source, confidence: float) -> Iterable[Word]:
    x, middle, content = text[:3]
    size = text[3] if len(text) == 4 else 10.0
    at = 0
    for part in content.split(" "):
        left = x + at * LETTER * size
        right = left + len(part) * LETTER * size
        box = Box(left / WIDTH, (middle - size / 2) / HEIGHT, right / WIDTH, (middle + size / 2) / HEIGHT)
        yield Word(part, box, confidence, source, line, size)
        at += len(part) + 1


def widget(name: str, value: str, box: tuple[float, float, float, float], kind: str = "text") -> Widget:
    """A field of an AcroForm; a radio button is on when it has a value."""
    x0, y0, x1, y1 = box
    share = Box(x0 / WIDTH, y0 / HEIGHT, x1 / WIDTH, y1 / HEIGHT)
    return Widget(name, kind, value, share, checked=kind == "radio" and bool(value))


def moved(content: PageContent, dx: float, dy: float, scale: float = 1.0, skew: float = 0.0) -> PageContent:
    """The same page as a scanner may lay it: shifted (points), scaled, and falling by `skew` points a point."""

    def at(box: Box) -> Box:
        x0, y0, x1, y1 = box.x0 * WIDTH, box.y0 * HEIGHT, box.x1 * WIDTH, box.y1 * HEIGHT
        fall = skew * (x0 + x1) / 2
        return Box(
            (x0 * scale + dx) / WIDTH,
            (y0 * scale + dy + fall) / HEIGHT,
            (x1 * scale + dx) / WIDTH,
            (y1 * scale + dy + fall) / HEIGHT,
        )

    content.words = [Word(w.text, at(w.box), w.confidence, w.source, w.line, w.size) for w in content.words]
    return content
