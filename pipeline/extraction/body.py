"""The essay and the parent's reaction: the text that remains after removing printed text and header."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pipeline.extraction.arranged.columns import in_columns
from pipeline.extraction.combine import RECOGNISED_ALONE
from pipeline.extraction.fields import evidence_of
from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.tokens import Line, Token, text_of, visual_lines
from pipeline.extraction.values.text import tidy
from pipeline.pages.page_model import Source
from pipeline.profiles import FieldKind, PrintedRole
from pipeline.schema import FieldReading


@dataclass(slots=True)
class Body:
    """Lines of the essay and of the reaction, over all pages of an entry."""

    essay: list[Line] = field(default_factory=list)
    reaction: list[Line] = field(default_factory=list)
    #: Whether the order of its lines is not sure.
    unsure: bool = False
    #: Whether the last page ended within the reaction, so that the next page continues it.
    in_reaction: bool = False


def add_fixed(body: Body, reading: PageReading) -> None:
    """Add the text of a page that keeps the form's layout, by the zones of the profile."""
    assert reading.profile is not None
    tokens = reading.form_tokens()
    for kind, lines in ((FieldKind.ESSAY, body.essay), (FieldKind.REACTION, body.reaction)):
        name = reading.profile.field_of_kind(kind)
        zone = reading.profile.fields[name].zone if name else None
        if zone is not None:
            inside = [t for t in tokens if zone.y0 - 3 <= t.box.cy <= zone.y1 + 4 and t.box.x1 > zone.x0 - 20]
            rows = visual_lines(inside)
            columns = in_columns(rows)
            lines += [line for line in (visual_lines(columns) if columns else rows) if _says_something(line)]


def add_flowing(body: Body, reading: PageReading, top: float = 0.0, used: Iterable[Token] = ()) -> None:
    """Add the text of a page without zones: a prompt begins the essay, the reaction's label the reaction."""
    taken = {id(t) for t in used}
    marks = [
        (at.found.box.cy, at.printed.role) for at in reading.of_role(PrintedRole.PROMPT, PrintedRole.REACTION)
    ]
    for line in visual_lines(t for t in reading.written_tokens() if id(t) not in taken):
        cy = min(t.box.cy for t in line)
        for at, role in list(marks):
            if at <= cy:
                body.in_reaction = role is PrintedRole.REACTION
                marks.remove((at, role))
        if cy > top and _says_something(line):
            (body.reaction if body.in_reaction else body.essay).append(line)
    for _, role in sorted(marks):
        body.in_reaction = role is PrintedRole.REACTION


def _says_something(line: Sequence[Token]) -> bool:
    return any(c.isalnum() for t in line for c in t.text)


def body_reading(lines: list[Line], method: str) -> FieldReading | None:
    """Return the text of lines, joined by line breaks, as one reading; None if it is empty."""
    tokens = [t for line in lines for t in line]
    text = "\n".join(tidy(text_of(line)) for line in lines).strip()
    if not text:
        return None
    confidence = sum(t.confidence * len(t.text) for t in tokens) / max(sum(len(t.text) for t in tokens), 1)
    sources = {t.source for t in tokens}
    source = Source.OCR if Source.OCR in sources else Source.TEXT_LAYER
    if len(sources) > 1:
        # What is written by hand beside type may be the entrant's or a teacher's.
        confidence = min(confidence, RECOGNISED_ALONE)
    return FieldReading(
        value=text, confidence=round(confidence, 4), source=source, evidence=evidence_of(tokens), method=method
    )
