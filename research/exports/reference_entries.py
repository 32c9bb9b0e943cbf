"""Read the entries of a reference list."""

from __future__ import annotations

import re
from typing import NamedTuple

from research.citations.identifiers import normal_doi, normal_isbn
from research.citations.keys import make_key
from research.document import Reference
from research.markdown_text.parsing import inline_text, safe_url

#: The mark at the start of an entry: "[3]", "[^3]:", "[@key]", "3.", "3)", "- ".
_BEGINS = re.compile(
    r"^[ \t]*+(?:[-*+][ \t]+)?(?:\\?\[\^?(?P<number>\d{1,4})\\?\]:?|\\?\[?@(?P<key>[A-Za-z][\w-]*)\\?\]?:?"
    r"|(?P<ordinal>\d{1,4})[.)](?=[ \t])|[-*+](?=[ \t]))[ \t]*(?=\S)",
    re.MULTILINE,
)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+[^\s\"<>.,;)\]]")
_URL = re.compile(r"https?://[^\s<>\"\])]+[^\s<>\"\]).,;]")
_ISBN = re.compile(r"\bISBN(?:-1[03])?:?\s*([\d-]{9,16}[\dXx])", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_YEAR_IN_BRACKETS = re.compile(r"\(\s*((?:1[5-9]|20)\d\d)[a-z]?[,)\s]")
_LINK = re.compile(r"\[([^\]]{1,300})\]\(<?([^)\s>]{1,500})>?\)")
_SLANTED = re.compile(r"(?<![\w*])[*_]([^*_]{4,}?)[*_](?![\w*])")
#: What an entry's title is, the first that is found: quoted, in italics, linked, after the year.
_TITLES = (
    re.compile(r"[“\"«]([^”\"»]{5,500})[”\"»]"),
    _SLANTED,
    _LINK,
    re.compile(r"\(\s*(?:1[5-9]|20)\d\d[a-z]?\s*\)[.,:]?\s++([^.]{4,500}?)\.(?:\s|$)"),
)
_MAX_TITLE = 200


class Entry(NamedTuple):
    """An entry of a list: its number or key, if any, and its text."""

    number: int | None
    key: str | None
    text: str


def entries_of(body: str) -> list[Entry]:
    """Return the entries of a list in order; if none has a mark, each paragraph is one."""
    marks = list(_BEGINS.finditer(body))
    if not marks:
        paragraphs = (" ".join(text.split()) for text in re.split(r"\n[ \t]*\n", body))
        return [Entry(None, None, text) for text in paragraphs if text]
    ends = [*(mark.start() for mark in marks[1:]), len(body)]
    return [
        Entry(int(number) if (number := mark["number"] or mark["ordinal"]) else None, mark["key"], text)
        for mark, end in zip(marks, ends, strict=True)
        if (text := " ".join(body[mark.end() : end].split()))
    ]


def reference_of(entry: Entry, taken: set[str]) -> Reference:
    """Parse an entry into a reference; its key is the entry's own, else made from author and year."""
    written = _without_markup(entry.text)
    found_doi, found_url, found_isbn = (pattern.search(written) for pattern in (_DOI, _URL, _ISBN))
    doi = normal_doi(found_doi[0]) if found_doi else None
    isbn = normal_isbn(found_isbn[1]) if found_isbn else None
    url = safe_url(found_url[0]) if found_url else None
    titles = (inline_text(found[1]).strip(" .,") for pattern in _TITLES if (found := pattern.search(entry.text)))
    title = next(titles, written)[:_MAX_TITLE]
    bare = _DOI.sub("", _URL.sub("", written))
    found_year = _YEAR_IN_BRACKETS.search(bare) or _YEAR.search(bare)
    year = int(found_year[1]) if found_year else None
    key = entry.key.lower() if entry.key else make_key(_first_author(written), year, None, title, taken)
    taken.add(key)
    kind = "book" if isbn else "academic" if doi else "web" if url else "other"
    return Reference(
        key=key, kind=kind, title=title, year=year, url=url, doi=doi, isbn=isbn, as_written=written or key
    )


def _without_markup(text: str) -> str:
    linked = _LINK.sub(lambda found: f"{found[1]} {found[2]}" if found[1] != found[2] else found[2], text)
    return inline_text(re.sub(r"<(https?://[^<>\s]++)>", r"\1", _SLANTED.sub(r"\1", linked)))


def _first_author(text: str) -> list[str]:
    """Return the words before the first separator, if they look like a name, else an empty list."""
    head = re.split(r"[,.;:(]|\s(?:and|y|&|et)\s", text, maxsplit=1)[0].strip()
    return [head] if 0 < len(head.split()) <= 4 and head[:1].isupper() else []
