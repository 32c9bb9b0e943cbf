"""Convert a document to plain text, without markers and Markdown."""

from __future__ import annotations

import re

from research.document import MARKER, ReportDocument

_MARKER = re.compile(rf"(?>(?:(?<!\s)\s++)?){MARKER}")
_MARKDOWN = re.compile(r"^[>#\s|*-]+|[*_`|]+", re.MULTILINE)


def plain_of(document: ReportDocument) -> str:
    """Return headings and bodies, with a blank line between sections."""
    return "\n\n".join(f"{section.heading}\n\n{plain(section.body)}" for section in document.sections)


def plain(body: str) -> str:
    """Return a body without markers and Markdown."""
    return _MARKDOWN.sub(" ", _MARKER.sub("", body))
