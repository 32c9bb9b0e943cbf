"""Export references as CSL-JSON 1.0.2 (github.com/citation-style-language/schema), for Zotero and Pandoc."""

from __future__ import annotations

import json
from typing import Any

from research.document import Reference, ReportDocument
from research.exports.links import link_of
from research.exports.names import split_name
from research.exports.numbering import listed
from research.exports.plain_text import one_line

_TYPES = {
    "web": "webpage",
    "academic": "article-journal",
    "book": "book",
    "essay": "manuscript",
    "other": "document",
}


def to_csl(document: ReportDocument) -> str:
    """Return the cited references as JSON, in order of their numbers, each with its `citation-number`."""
    items = [_item(number, reference) for number, reference in listed(document)]
    return json.dumps(items, ensure_ascii=False, indent=1) + "\n"


def _item(number: int, reference: Reference) -> dict[str, Any]:
    item = {
        "id": reference.key,
        "type": _TYPES[reference.kind],
        "citation-number": str(number),
        "title": one_line(reference.title),
        "author": [_author(name, reference.kind) for name in reference.authors],
        "issued": {"date-parts": [[reference.year]]} if reference.year else None,
        "container-title" if reference.kind == "academic" else "publisher": one_line(reference.publisher or ""),
        "DOI": reference.doi,
        "ISBN": reference.isbn,
        "URL": link_of(reference),
        "note": one_line(reference.as_written) if reference.as_written else None,
    }
    return {name: value for name, value in item.items() if value}


def _author(name: str, kind: str) -> dict[str, str]:
    given, family = split_name(one_line(name))
    # Initials with a grade, or an organisation: a literal name, which no citation style splits.
    return {"given": given, "family": family} if given and kind != "essay" else {"literal": one_line(name)}
