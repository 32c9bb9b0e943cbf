"""Faulty citation markers and lists of references of a document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from research.document import MARKER, ReportDocument

_MARKER = re.compile(MARKER)
#: Anything written as a marker, well-formed or not.
_MEANT = re.compile(r"\[\s*@[^\]\n]{0,120}\]?")
#: A bracketed number, which a reader would take for a reference; not a link, not escaped.
_LOOSE_NUMBER = re.compile(r"(?<!\\)\[\^?\d{1,3}(?:\s*[,;\u2013-]\s*\d{1,3})*\](?![(:])")


def marker_problems(document: ReportDocument) -> list[str]:
    """Return a sentence for each unknown or malformed marker and each uncited or repeated reference."""
    known = [reference.key for reference in document.references]
    cited = [match["key"] for body in _bodies(document) for match in _MARKER.finditer(body)]
    return [
        *(f"The reference {key} is listed more than once." for key, count in Counter(known).items() if count > 1),
        *(
            f"The marker [@{key}] names no reference of the list."
            for key in dict.fromkeys(cited)
            if key not in known
        ),
        *(f"The reference {key} is listed but never cited." for key in dict.fromkeys(known) if key not in cited),
        *(f"“{text}” is no marker that can be resolved." for text in dict.fromkeys(_malformed(document))),
    ]


def _malformed(document: ReportDocument) -> Iterator[str]:
    for body in _bodies(document):
        yield from (match[0] for match in _MEANT.finditer(body) if not _MARKER.fullmatch(match[0]))
        yield from (match[0] for match in _LOOSE_NUMBER.finditer(body))


def _bodies(document: ReportDocument) -> Iterator[str]:
    for section in document.sections:
        yield section.heading
        yield section.body
    yield from document.limits
