"""Text boxes that were laid over a page: answers where nothing else is written, somebody's remarks elsewhere.

Forms without fields are filled with text boxes, and teachers write their remarks with them. A box is an answer
where the place of a field is empty but for it, or where the whole page is; anywhere else it is for the reviewer,
who sees it on the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.tokens import Token, text_of, tokens_of
from pipeline.extraction.values.text import squeezed
from pipeline.pages.page_model import Box, Note, PageContent, Source
from pipeline.profiles import ZONE_KINDS, FieldKind

#: With fewer words a place for an essay is empty, and a box is no essay.
_ESSAY_WORDS = 15
#: Share of a box's words that lie in the place of a field.
_INSIDE = 0.7
#: How far (points) an answer lies outside its place.
_AROUND = 5.0
_TEXTS = (FieldKind.ESSAY, FieldKind.REACTION)


def filled_in(reading: PageReading) -> PageContent | None:
    """Return the page with the text boxes that are answers among its words; None where there are none.

    `reading`: of the page without them.
    """
    page = reading.page
    boxes = [note for note in page.notes if note.may_fill and note.words]
    answers = [note for note in boxes if _is_answer(reading, note)]
    if not answers:
        return None
    words = [*page.words, *(word for note in answers for word in note.words)]
    rest = [note for note in page.notes if note not in answers]
    return replace(page, words=words, notes=rest, source=page.source or Source.TEXT_LAYER)


def noted_fields(reading: PageReading) -> frozenset[str]:
    """Return the fields of a form that keeps its layout in whose places somebody wrote beside the value."""
    if not reading.fixed:
        return frozenset()
    found = set()
    for note in reading.page.notes:
        tokens = _on_form(reading, note)
        for name, zone, kind in _places(reading):
            if (
                kind not in _TEXTS
                and _share_inside(tokens, zone) >= _INSIDE
                and not _repeats(reading, zone, tokens)
            ):
                found.add(name)
    return frozenset(found)


def _is_answer(reading: PageReading, note: Note) -> bool:
    if reading.fixed:
        tokens = _on_form(reading, note)
        return any(
            _share_inside(tokens, zone) >= _INSIDE and _is_free(reading, zone, kind, len(tokens))
            for _, zone, kind in _places(reading)
        )
    return _fills_page(reading, note)


def _fills_page(reading: PageReading, note: Note) -> bool:
    """Whether nothing else is written on a page, or on that part, header or body, that a box is on."""
    written, bottom = reading.written_tokens(), reading.bottom
    if reading.profile is None or bottom is None:
        return len(written) < _ESSAY_WORDS
    in_header = all(token.box.cy < bottom for token in _as_tokens(reading.page, note))
    if in_header:
        return not any(c.isalnum() for token in written if token.box.cy < bottom for c in token.text)
    return len(note.words) >= _ESSAY_WORDS > sum(token.box.cy >= bottom for token in written)


def _places(reading: PageReading) -> Iterable[tuple[str, Box, FieldKind]]:
    """Yield the fields of a form with the places of their values."""
    assert reading.profile is not None
    for name, spec in reading.profile.fields.items():
        if spec.zone is not None and spec.kind in (*ZONE_KINDS, *_TEXTS):
            yield name, spec.zone, spec.kind


def _is_free(reading: PageReading, zone: Box, kind: FieldKind, words: int) -> bool:
    inside = [token for token in reading.form_tokens() if _is_inside(token.box, zone)]
    if any(
        widget.value and _is_inside(_widget_on_form(reading, widget.box), zone) for widget in reading.page.widgets
    ):
        return False
    if kind is FieldKind.ESSAY:
        return len(inside) < _ESSAY_WORDS <= words
    return not any(c.isalnum() for token in inside for c in token.text)


def _repeats(reading: PageReading, zone: Box, tokens: Sequence[Token]) -> bool:
    inside = [token for token in reading.form_tokens() if _is_inside(token.box, zone)]
    return not inside or squeezed(text_of(tokens)) in squeezed(text_of(inside))


def _as_tokens(page: PageContent, note: Note) -> list[Token]:
    return tokens_of(replace(page, words=list(note.words)))


def _on_form(reading: PageReading, note: Note) -> list[Token]:
    assert reading.placement is not None
    to_form = reading.placement.box_to_form
    return [token.moved(to_form(token.box)) for token in _as_tokens(reading.page, note)]


def _widget_on_form(reading: PageReading, box: Box) -> Box:
    assert reading.placement is not None
    width, height = reading.page.letter
    return reading.placement.box_to_form(Box(box.x0 * width, box.y0 * height, box.x1 * width, box.y1 * height))


def _share_inside(tokens: Sequence[Token], zone: Box) -> float:
    return sum(_is_inside(token.box, zone) for token in tokens) / max(len(tokens), 1)


def _is_inside(box: Box, zone: Box) -> bool:
    return zone.x0 - _AROUND <= box.cx <= zone.x1 + _AROUND and zone.y0 - _AROUND <= box.cy <= zone.y1 + _AROUND
