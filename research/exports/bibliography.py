"""Export references as BibTeX in UTF-8, and as CSL-JSON 1.0.2 (github.com/citation-style-language/schema)."""

from __future__ import annotations

import json
from typing import Any

from pybtex.database import BibliographyData, Entry, Person

from research.citations.keys import split_name
from research.citations.markers import listed
from research.document import Reference, ReportDocument
from research.exports.wording import link_of
from research.markdown_text.printable import one_line

#: The types of BibTeX (biblatex) and of CSL by kind of source.
_TYPES = {
    "web": ("online", "webpage"),
    "academic": ("article", "article-journal"),
    "book": ("book", "book"),
    "essay": ("unpublished", "manuscript"),
    "other": ("misc", "document"),
}
#: The field of BibTeX for each of CSL.
_FIELDS = {name: name.lower() for name in ("title", "publisher", "DOI", "ISBN", "URL", "note")} | {
    "container-title": "journal"
}
#: What pybtex does not escape itself.
_ESCAPED = str.maketrans({"{": "(", "}": ")", "\\": "/", "$": r"\$", "^": r"\^{}"})


def to_csl(document: ReportDocument) -> str:
    """Return the cited references as JSON, in order of their numbers, each with its `citation-number`."""
    items = [
        {"id": one.key, "type": _TYPES[one.kind][1], "citation-number": str(number), **_item(one)}
        for number, one in listed(document)
    ]
    return json.dumps(items, ensure_ascii=False, indent=1) + "\n"


def to_bibtex(document: ReportDocument) -> str:
    """Return the cited references as BibTeX, in order of their numbers."""
    entries = [(reference.key, _entry(reference)) for _, reference in listed(document)]
    return str(BibliographyData(entries).to_string("bibtex")) if entries else ""


def _item(reference: Reference) -> dict[str, Any]:
    names = [one_line(name) for name in reference.authors if name.strip()]
    # No given name for an essay's "M. R., grade 4".
    persons = [("", name) if reference.kind == "essay" else split_name(name) for name in names]
    item = {
        "title": one_line(reference.title),
        "author": [{"given": given, "family": last} if given else {"literal": last} for given, last in persons],
        "issued": {"date-parts": [[reference.year]]} if reference.year else None,
        "container-title" if reference.kind == "academic" else "publisher": one_line(reference.publisher or ""),
        "DOI": reference.doi,
        "ISBN": reference.isbn,
        "URL": link_of(reference),
        "note": one_line(reference.as_written or ""),
    }
    return {name: value for name, value in item.items() if value}


def _entry(reference: Reference) -> Entry:
    item = _item(reference)
    fields = {name: one_line(item[known]).translate(_ESCAPED) for known, name in _FIELDS.items() if known in item}
    if "title" in fields:
        # Braces preserve the capitals of the title.
        fields["title"] = f"{{{fields['title']}}}"
    if reference.year:
        fields["year"] = str(reference.year)
    names = [{part: text.translate(_ESCAPED) for part, text in one.items()} for one in item.get("author", ())]
    persons = [
        Person(first=one.get("given", ""), last=one.get("family") or f"{{{one['literal']}}}") for one in names
    ]
    return Entry(_TYPES[reference.kind][0], fields, {"author": persons} if persons else {})
