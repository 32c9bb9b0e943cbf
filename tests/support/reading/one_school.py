"""A scanned stack of one school, with the name spelled otherwise on some pages."""

from __future__ import annotations

import random
from collections.abc import Sequence

from core.confined.mupdf import pymupdf
from tests.support.reading.documents import ESSAY, scanned

#: The name as most have it, and as it stands on one page.
SCHOOL, OFF = "Juniper Hills Elementary School", "Junlper Hills Elementary School"
CHILDREN = (
    "Marisol Quintero",
    "Tomas Alder",
    "Ines Calloway",
    "Jonah Birch",
    "Petra Lindqvist",
    "Omar Haddad",
    "Lucia Ferrante",
    "Samuel Okafor",
    "Greta Holloway",
    "Mateo Barrios",
)


def stack_of(schools: Sequence[str]) -> bytes:
    """A scan of one-page entries, one for each school."""
    return scanned(typed_stack_of(schools))


def typed_stack_of(schools: Sequence[str]) -> bytes:
    """One-page entries, one for each school."""
    with pymupdf.open() as document:
        for child, school in zip(CHILDREN, schools, strict=False):
            page = document.new_page(width=612, height=792)
            page.insert_text((60, 55), "What my father means to me", fontsize=18)
            page.insert_text((60, 90), f"Student's Name: {child}", fontsize=13)
            page.insert_text((60, 115), f"School: {school}", fontsize=13)
            page.insert_text((60, 140), "Grade: 4", fontsize=13)
            page.insert_textbox(pymupdf.Rect(60, 220, 550, 560), essay_of(child), fontsize=12, lineheight=1.5)
        return bytes(document.tobytes())


def essay_of(child: str) -> str:
    """The same words for each child, in an order of its own: nobody's essay is another's."""
    words = ESSAY.split()
    random.Random(child).shuffle(words)
    return " ".join(words)
