"""Convert a document to plain text, without markers and Markdown, and look sentences up in it."""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from research.document import MARKER, ReportDocument

_MARKER = re.compile(rf"(?>(?:(?<!\s)\s++)?){MARKER}")
#: `rapidfuzz.fuzz.partial_ratio` from which a text already has a sentence.
_SAID = 90
_MARKDOWN = re.compile(r"^[>#\s|*-]+|[*_`|]+", re.MULTILINE)


def plain_of(document: ReportDocument) -> str:
    """Return headings and bodies, with a blank line between sections."""
    return "\n\n".join(f"{section.heading}\n\n{plain(section.body)}" for section in document.sections)


def plain(body: str) -> str:
    """Return a body without markers and Markdown."""
    return _MARKDOWN.sub(" ", _MARKER.sub("", body))


def is_said(sentence: str, text: str) -> bool:
    """Return whether a text has a sentence nearly word for word."""
    return fuzz.partial_ratio(sentence, text) >= _SAID
