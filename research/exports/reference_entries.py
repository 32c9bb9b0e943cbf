"""Read the entries of a reference list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from research.citations.identifiers import normal_doi, normal_isbn
from research.citations.keys import make_key
from research.document import Reference
from research.markdown_text.parsing import inline_text, safe_url

#: The mark at the start of an entry: "[3]", "[^3]:", "[@key]", "3.", "3)", "- ".
_BEGINS = re.compile(
    r"[ \t]*(?:[-*+][ \t]+)?(?:\\?\[\^?(?P<number>\d{1,4})\\?\]:?|\\?\[?@(?P<key>[A-Za-z][\w-]*)\\?\]?:?"
    r"|(?P<ordinal>\d{1,4})[.)](?=[ \t])|(?P<bullet>[-*+])(?=[ \t]))[ \t]*"
)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+[^\s\"<>.,;)\]]")
_URL = re.compile(r"https?://[^\s<>\"\])]+[^\s<>\"\]).,;]")
_ISBN = re.compile(r"\bISBN(?:-1[03])?:?\s*([\d-]{9,16}[\dXx])", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_LINK = re.compile(r"\[([^\]]{1,300})\]\(<?([^)\s>]{1,500})>?\)")
_QUOTED = re.compile(r"[“\"«]([^”\"»]{5,500})[”\"»]")
_SLANTED = re.compile(r"(?<![\w*])[*_]([^*_]{4,}?)[*_](?![\w*])")
_BEHIND_YEAR = re.compile(r"\(\s*(?:1[5-9]|20)\d\d[a-z]?\s*\)[.,:]?\s++([^.]{4,500}?)\.(?:\s|$)")
_MAX_TITLE = 200


@dataclass(frozen=True)
class Entry:
    """An entry of a list: its number or key, if any, and its text."""

    number: int | None
    key: str | None
    text: str


def entries_of(body: str) -> list[Entry]:
    """Return the entries of a list in order; if none has a mark, each paragraph is one."""
    found = list(_marked(body))
    if found:
        return found
    paragraphs = re.split(r"\n[ \t]*\n", body)
    return [Entry(None, None, " ".join(text.split())) for text in paragraphs if text.strip()]


def reference_of(entry: Entry, taken: set[str]) -> Reference:
    """Parse an entry into a reference; its key is the entry's own, else made from author and year."""
    written = _without_markup(entry.text)
    found_doi, found_url = _DOI.search(written), _URL.search(written)
    doi = normal_doi(found_doi[0]) if found_doi else None
    isbn = normal_isbn(found[1]) if (found := _ISBN.search(written)) else None
    url = safe_url(found_url[0]) if found_url else None
    title, year = _title(entry.text), _year(written)
    key = entry.key.lower() if entry.key else make_key(_first_author(written), year, None, title, taken)
    taken.add(key)
    kind = "book" if isbn else "academic" if doi else "web" if url else "other"
    return Reference(
        key=key, kind=kind, title=title, year=year, url=url, doi=doi, isbn=isbn, as_written=written or key
    )


def _marked(body: str) -> Iterator[Entry]:
    current: tuple[re.Match[str], list[str]] | None = None
    for line in body.split("\n"):
        begins = _BEGINS.match(line)
        if begins and line[begins.end() :].strip():
            if current:
                yield _entry(*current)
            current = (begins, [line[begins.end() :]])
        elif current and line.strip():
            current[1].append(line)
    if current:
        yield _entry(*current)


def _entry(begins: re.Match[str], lines: list[str]) -> Entry:
    number = begins["number"] or begins["ordinal"]
    return Entry(int(number) if number else None, begins["key"], " ".join(" ".join(lines).split()))


def _without_markup(text: str) -> str:
    linked = _LINK.sub(lambda found: f"{found[1]} {found[2]}" if found[1] != found[2] else found[2], text)
    return inline_text(re.sub(r"<(https?://[^<>\s]++)>", r"\1", _SLANTED.sub(r"\1", linked)))


def _title(text: str) -> str:
    """Return the part that is quoted, in italics, linked or after the year; else the whole entry."""
    for pattern in (_QUOTED, _SLANTED, _LINK, _BEHIND_YEAR):
        if found := pattern.search(text):
            return inline_text(found[1]).strip(" .,")[:_MAX_TITLE]
    return _without_markup(text)[:_MAX_TITLE]


def _year(text: str) -> int | None:
    without_addresses = _DOI.sub("", _URL.sub("", text))
    in_brackets = re.search(r"\(\s*((?:1[5-9]|20)\d\d)[a-z]?[,)\s]", without_addresses)
    found = in_brackets or _YEAR.search(without_addresses)
    return int(found[1]) if found else None


def _first_author(text: str) -> list[str]:
    """Return the words before the first separator, if they look like a name, else an empty list."""
    head = re.split(r"[,.;:(]|\s(?:and|y|&|et)\s", text, maxsplit=1)[0].strip()
    return [head] if 0 < len(head.split()) <= 4 and head[:1].isupper() else []
