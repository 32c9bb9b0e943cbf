"""What every export of a report says alike: references as text, and one marker for each source of a sentence."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote

from research.citations.identifiers import normal_doi
from research.document import MARKER, Reference
from research.markdown_text.parsing import safe_url
from research.markdown_text.printable import one_line

#: Markers that follow each other.
_RUN = re.compile(r"\[@[a-z][^\[\]\s]*\](?:[ \t]*\[@[a-z][^\[\]\s]*\])+")


class ReferenceText(NamedTuple):
    """The parts of a reference: text before the title, title (in italics where possible), text after it, link."""

    before: str
    title: str
    after: str
    link: str | None


def link_of(reference: Reference) -> str | None:
    """Return the URL of a source: its own, else that of its DOI, else None."""
    if url := safe_url(reference.url):
        return url
    doi = normal_doi(reference.doi)
    return f"https://doi.org/{quote(doi, safe='/().;:-_')}" if doi else None


def reference_text(reference: Reference) -> ReferenceText:
    """Return "Authors (year). Title. Publisher. ISBN", or the entry as it was written if there is one."""
    link = link_of(reference)
    if reference.as_written:
        written = one_line(reference.as_written)
        return ReferenceText("", written, "", None if link and link in written else link)
    authors = "; ".join(one_line(author) for author in reference.authors)
    year = f"({reference.year})" if reference.year else ""
    isbn = f"ISBN {one_line(reference.isbn)}" if reference.isbn else ""
    behind = ["" if authors else year, one_line(reference.publisher or ""), isbn]
    return ReferenceText(
        before=_ended(f"{authors} {year}".strip()) if authors else "",
        title=_ended(one_line(reference.title) or reference.key),
        after=" ".join(_ended(part) for part in behind if part),
        link=link,
    )


def each_source_once(body: str) -> tuple[str, dict[str, str]]:
    """Return Markdown with one marker for each source after a sentence, and by its claim all that it stands for.

    Several quotations of one source would otherwise repeat its number. The claims are separated by spaces.
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
