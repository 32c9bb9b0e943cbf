"""Export references as BibTeX in UTF-8, which biber and current bibtex8 read."""

from __future__ import annotations

from pybtex.database import BibliographyData, Entry, Person

from research.document import Reference, ReportDocument
from research.exports.links import link_of
from research.exports.names import split_name
from research.exports.numbering import listed
from research.exports.plain_text import one_line

_TYPES = {"web": "online", "academic": "article", "book": "book", "essay": "unpublished", "other": "misc"}
_ESCAPED = str.maketrans({"{": "(", "}": ")", "\\": "/", "$": r"\$", "^": r"\^{}"})


def to_bibtex(document: ReportDocument) -> str:
    """Return the cited references as BibTeX, in order of their numbers."""
    entries = [(reference.key, _entry(reference)) for _, reference in listed(document)]
    return str(BibliographyData(entries).to_string("bibtex")) if entries else ""


def _entry(reference: Reference) -> Entry:
    fields = {
        # Braces preserve the capitals of the title.
        "title": f"{{{_text(reference.title)}}}",
        "year": str(reference.year) if reference.year else "",
        "journal" if reference.kind == "academic" else "publisher": _text(reference.publisher or ""),
        "doi": _text(reference.doi or ""),
        "isbn": _text(reference.isbn or ""),
        "url": link_of(reference) or "",
        "note": _text(reference.as_written or ""),
    }
    persons = [_person(name, reference.kind) for name in reference.authors if name.strip()]
    held = [(name, value) for name, value in fields.items() if value]
    return Entry(_TYPES[reference.kind], fields=held, persons={"author": persons} if persons else {})


def _person(name: str, kind: str) -> Person:
    given, family = split_name(one_line(name))
    if not given or kind == "essay":
        return Person(last=f"{{{_text(name)}}}")
    return Person(first=_text(given), last=_text(family))


def _text(value: str) -> str:
    """Escape `$` and `^` and replace braces and backslashes, which pybtex does not escape itself."""
    return one_line(value).translate(_ESCAPED)
