"""Split a Markdown body into pieces, each a sentence with its markers; joined, they give the body again."""

from __future__ import annotations

import re

from research.document import MARKER
from research.text import split_sentences

_MARKER = re.compile(rf"(?>(?:(?<![ \t])[ \t]++)?){MARKER}")


def cited_pieces(body: str, language: str) -> list[str]:
    """Return the pieces; a marker belongs to the sentence that contains or directly precedes it."""
    plain, places = "", list[int]()
    at = 0
    for found in [*_MARKER.finditer(body), None]:
        end = found.start() if found else len(body)
        plain += body[at:end]
        places += range(at, end)
        at = found.end() if found else end
    begins = [places[start] for start, _ in split_sentences(plain, language)[1:]]
    return [body[start:end] for start, end in zip([0, *begins], [*begins, len(body)], strict=True) if start < end]
