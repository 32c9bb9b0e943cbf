"""Export references as BibTeX in UTF-8, and as CSL-JSON 1.0.2 (github.com/citation-style-language/schema)."""

from __future__ import annotations

import json
from typing import Any

from pybtex.database import BibliographyData, Entry, Person

from research.citations.authors import split_name
from research.citations.markers import listed
from research.document import Reference, ReportDocument
from research.exports.reference_text import link_of
from research.markdown_text.printable import one_line

#: The types of BibTeX (biblatex) and of CSL by kind of source.
_TYPES = {
    "web": ("online", "webpage"),
    "academic": ("article", "article-journal"),
    "book": ("book", "book"),
    "essay": ("unpublished", "manuscript"),
    "other": ("misc", "document"),
}
_ESCAPED = str.maketrans({"{": "(", "}": ")", "\\": "/", "$": r"\$", "^": r"\^{}"})


def to_bibtex(document: ReportDocument) -> str:
    """Return the cited references as BibTeX, in order of their numbers."""
    entries = [(reference.key, _entry(reference)) for _, reference in listed(document)]
    return str(BibliographyData(entries).to_string("bibtex")) if entries else ""


def to_csl(document: ReportDocument) -> str:
    """Return the cited references as JSON, in order of their numbers, each with its `citation-number`."""
    items = [_item(number, reference) for number, reference in listed(document)]
    return json.dumps(items, ensure_ascii=False, indent=1) + "\n"


def _entry(reference: Reference) -> Entry:
    fields = {
        # Braces preserve the capitals of the title.
        "title": f"{{{_text(reference.title)}}}",
        "year": str(reference.year or ""),
        "journal" if reference.kind == "academic" else "publisher": _text(reference.publisher or ""),
        "doi": _text(reference.doi or ""),
        "isbn": _text(reference.isbn or ""),
        "url": link_of(reference),
        "note": _text(reference.as_written or ""),
    }
    persons = [
        Person(first=_text(given), last=_text(family)) if given else Person(last=f"{{{_text(family)}}}")
        for given, family in _names(reference)
    ]
    held = [(name, value) for name, value in fields.items() if value]
    return Entry(_TYPES[reference.kind][0], fields=held, persons={"author": persons} if persons else {})


def _item(number: int, reference: Reference) -> dict[str, Any]:
    item = {
        "id": reference.key,
        "type": _TYPES[reference.kind][1],
        "citation-number": str(number),
        "title": one_line(reference.title),
        "author": [
            {"given": given, "family": family} if given else {"literal": family}
            for given, family in _names(reference)
        ],
        "issued": {"date-parts": [[reference.year]]} if reference.year else None,
        "container-title" if reference.kind == "academic" else "publisher": one_line(reference.publisher or ""),
        "DOI": reference.doi,
        "ISBN": reference.isbn,
        "URL": link_of(reference),
        "note": one_line(reference.as_written or ""),
    }
    return {name: value for name, value in item.items() if value}


def _names(reference: Reference) -> list[tuple[str, str]]:
    """Return given and family names; no given name for an organisation or an essay's "M. R., grade 4"."""
    names = [one_line(name) for name in reference.authors if name.strip()]
    return [("", name) if reference.kind == "essay" else split_name(name) for name in names]


def _text(value: str) -> str:
    """Escape `$` and `^` and replace braces and backslashes, which pybtex does not escape itself."""
    return one_line(value).translate(_ESCAPED)
