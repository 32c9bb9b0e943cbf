"""What annotations write on a page, with its words in reading order."""

from __future__ import annotations

from dataclasses import replace

from pipeline.mupdf.plain import PageParts, Paint
from pipeline.pages.geometry import Displayed, inside
from pipeline.pages.page_model import Note
from pipeline.pages.text_layer import TextLayer, read_text_layer

#: The lines of notes are numbered from here on: no page has as many lines of its own.
_FIRST_LINE = 10_000


def notes_of(parts: PageParts) -> list[Note]:
    """Return the notes of a page."""
    notes: list[Note] = []
    displayed, first_line = Displayed(parts.shape), _FIRST_LINE
    for note in parts.notes:
        written = PageParts(parts.shape, [], note.lines, [], Paint([], [], more=False))
        words = [word._replace(line=word.line + first_line) for word in read_text_layer(written).words]
        first_line += len(note.lines)
        notes.append(Note(words, inside(displayed.box(note.rect)), note.may_fill))
    return notes


def typed_in(layer: TextLayer, notes: list[Note]) -> TextLayer:
    """Return the text layer of a page; of one without words of its own, what was typed into its text boxes."""
    words = [] if layer.words else [word for note in notes if note.may_fill for word in note.words]
    return replace(layer, words=words, fonts=[""] * len(words)) if words else layer
