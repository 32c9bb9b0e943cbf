"""References of a report: as text, as BibTeX and as CSL-JSON."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple
from urllib.parse import quote

from pybtex.database import BibliographyData, Entry, Person

from research.citations.claims import cited_references
from research.citations.references import normal_doi, split_name
from research.document import MARKER, Reference, ReportDocument
from research.text.markdown import clean_line, safe_url

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
        for number, one in cited_references(document)
    ]
    return json.dumps(items, ensure_ascii=False, indent=1) + "\n"


def to_bibtex(document: ReportDocument) -> str:
    """Return the cited references as BibTeX, in order of their numbers."""
    entries = [(reference.key, _entry(reference)) for _, reference in cited_references(document)]
    return str(BibliographyData(entries).to_string("bibtex")) if entries else ""


def _item(reference: Reference) -> dict[str, Any]:
    names = [clean_line(name) for name in reference.authors if name.strip()]
    # No given name for an essay's "M. R., grade 4".
    persons = [("", name) if reference.kind == "essay" else split_name(name) for name in names]
    item = {
        "title": clean_line(reference.title),
        "author": [{"given": given, "family": last} if given else {"literal": last} for given, last in persons],
        "issued": {"date-parts": [[reference.year]]} if reference.year else None,
        "container-title" if reference.kind == "academic" else "publisher": clean_line(reference.publisher or ""),
        "DOI": reference.doi,
        "ISBN": reference.isbn,
        "URL": reference_url(reference),
        "note": clean_line(reference.as_written or ""),
    }
    return {name: value for name, value in item.items() if value}


def _entry(reference: Reference) -> Entry:
    item = _item(reference)
    fields = {
        name: clean_line(item[known]).translate(_ESCAPED) for known, name in _FIELDS.items() if known in item
    }
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


# Common to all exports: references as text, and one marker for each source of a sentence.


#: Consecutive markers.
_RUN = re.compile(r"\[@[a-z][^\[\]\s]*\](?:[ \t]*\[@[a-z][^\[\]\s]*\])+")


class ReferenceText(NamedTuple):
    """The parts of a reference: text before the title, title (in italics where possible), text after it, link."""

    before: str
    title: str
    after: str
    link: str | None


def reference_url(reference: Reference) -> str | None:
    """Return the URL of a source, else the URL of its DOI, else None."""
    if url := safe_url(reference.url):
        return url
    doi = normal_doi(reference.doi)
    return f"https://doi.org/{quote(doi, safe='/().;:-_')}" if doi else None


def reference_text(reference: Reference) -> ReferenceText:
    """Return "Authors (year). Title. Publisher. ISBN", or the entry as it was written if there is one."""
    link = reference_url(reference)
    if reference.as_written:
        written = clean_line(reference.as_written)
        return ReferenceText("", written, "", None if link and link in written else link)
    authors = "; ".join(clean_line(author) for author in reference.authors)
    year = f"({reference.year})" if reference.year else ""
    isbn = f"ISBN {clean_line(reference.isbn)}" if reference.isbn else ""
    behind = ["" if authors else year, clean_line(reference.publisher or ""), isbn]
    return ReferenceText(
        before=_ended(f"{authors} {year}".strip()) if authors else "",
        title=_ended(clean_line(reference.title) or reference.key),
        after=" ".join(_ended(part) for part in behind if part),
        link=link,
    )


def each_source_once(body: str) -> tuple[str, dict[str, str]]:
    """Return Markdown with one marker for each source after a sentence, with all claims of that source.

    Otherwise several quotations of one source would repeat its number. The claims are separated by spaces.
    """
    every: dict[str, list[str]] = {}

    def joined(run: re.Match[str]) -> str:
        by_key: dict[str, list[str]] = {}
        for found in re.finditer(MARKER, run[0]):
            by_key.setdefault(found["key"], []).extend([found["claim"]] if found["claim"] else [])
        for claims in filter(None, by_key.values()):
            every.setdefault(claims[0], []).extend(claims)
        return " ".join(f"[@{'#'.join([key, *claims[:1]])}]" for key, claims in by_key.items()) or run[0]

    body = _RUN.sub(joined, body)
    return body, {claim: " ".join(dict.fromkeys(claims)) for claim, claims in every.items()}


def _ended(text: str) -> str:
    return text if not text or text[-1] in ".!?…" else f"{text}."
