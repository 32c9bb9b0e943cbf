"""Write a report as Markdown, and read any Markdown into a document."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal

from research.citations.claims import citation_numbers, cited_references
from research.citations.references import isbns_of, make_key, normal_doi
from research.document import MARKER, Reference, ReportDocument, Section, section_key
from research.exports.bibliography import each_source_once, reference_text
from research.text.language import detect_language, phrases_for
from research.text.markdown import (
    as_markdown,
    clean_line,
    clean_text,
    inline_text,
    markdown_outline,
    safe_url,
    title_in,
)

#: A bracketed number from a source's text, escaped or not.
_FOREIGN = re.compile(r"\\?\[(\s*\d{1,4}(?:\s*[,;–—-]\s*\d{1,4})*\s*)\\?\](?![(:])")
#: Text that a viewer could mistake for a tag.
_TAG = re.compile(r"(?<!\\)<(?=[!/?a-zA-Z])(?!https?://[^\s<>]*>)")


def to_markdown(document: ReportDocument, *, keyed: bool = False) -> str:
    """Return the document as Markdown, with the line endings of its front matter.

    `keyed`: for editing, with markers and references by key, claims kept and no front matter. Otherwise markers
    are numbers, and the front matter precedes the text unchanged.
    """
    front = "" if keyed else document.front_matter
    # A title that the original file gave only in its front matter gets no heading.
    headed = not front or document.title_heading or document.title != title_in(front)
    text = _text(document, keyed=keyed, headed=headed)
    if not front:
        return text
    end = "\r\n" if "\r\n" in front else "\n"
    return f"{front}{'' if front.endswith(end) else end}{end}{text.replace(chr(10), end)}"


def _text(document: ReportDocument, *, keyed: bool, headed: bool) -> str:
    labels, numbers = phrases_for("report", document.language), citation_numbers(document)

    def mark(found: re.Match[str]) -> str:
        if found["key"] not in numbers:
            return ""
        return found[0] if keyed else f"[{numbers[found['key']]}]"

    parts = [f"# {_heading(document.title)}" if headed else ""]
    parts += [] if keyed else [f"*{as_markdown(line)}*" for line in asked_and_written(document)]
    if document.extractive:
        parts.append(f"*{labels['digest']}*")
    for section in document.sections:
        heading = _heading(section.heading)
        parts.append(f"{'#' * min(section.level + 1, 6)} {heading}" if heading else "")
        body = _FOREIGN.sub(r"(\1)", _TAG.sub(r"\\<", clean_text(section.body)))
        parts.append(re.sub(MARKER, mark, body if keyed else each_source_once(body)[0]).strip())
    if document.limits:
        limits = "\n".join(f"- {_heading(limit)}" for limit in document.limits)
        parts += [f"## {labels['limits']}", limits]
    if entries := cited_references(document):
        parts.append(f"## {labels['references']}")
        parts += [f"[{'@' + entry.key if keyed else number}] {_entry(entry)}" for number, entry in entries]
    return "\n\n".join(part for part in parts if part) + "\n"


def asked_and_written(document: ReportDocument) -> list[str]:
    """Return the lines below the title: the question, unless the title is it, and the day of the version."""
    labels, query = phrases_for("report", document.language), clean_line(document.query)
    asked = [labels["question"].format(query=query)] if query and query != clean_line(document.title) else []
    return [*asked, *([labels["written"].format(date=document.written_on)] if document.written_on else [])]


def _heading(text: str) -> str:
    return as_markdown(clean_line(text))


def _entry(reference: Reference) -> str:
    text = reference_text(reference)
    title = as_markdown(text.title)
    shown = title if reference.as_written else f"*{title}*"
    link = f"<{text.link}>" if text.link else ""
    return " ".join(part for part in (as_markdown(text.before), shown, as_markdown(text.after), link) if part)


# Read any Markdown text into a document: sections with stable keys, references, markers by key.


_LABELS = tuple(phrases_for("report", language) for language in ("en", "es"))
#: What `asked_and_written` writes, at the start of a text.
_LED = "|".join(re.escape(one[name].partition("{")[0]) for one in _LABELS for name in ("question", "written"))
_ASKED_AND_WRITTEN = re.compile(rf"\A\s*(?:\*(?:{_LED})[^\n]*\*\s*)+")
_REFERENCES = re.compile(
    r"(?:\d+[.)]?\s+)?(?:list of )?(?:references|bibliography|works cited|literature(?: cited)?|sources|citations"
    r"|endnotes|footnotes|(?:lista de )?referencias(?: bibliogr[áa]ficas)?|bibliograf[íi]a|obras citadas|fuentes"
    r"|literatura citada)\s*:?",
    re.IGNORECASE,
)
#: A definition of a footnote or numbered link, anywhere in the text.
_DEFINITION = re.compile(r"^[ ]{0,3}\[\^?\d{1,4}\]:[ \t]*\S.*(?:\n(?:[ \t]+\S.*))*", re.MULTILINE)
#: The mark at the start of an entry: "[3]", "[^3]:", "[@key]", "3.", "3)", "- ".
_BEGINS = re.compile(
    r"^[ \t]*+(?:[-*+][ \t]+)?(?:\\?\[\^?(?P<number>\d{1,4})\\?\]:?|\\?\[?@(?P<key>[A-Za-z][\w-]*)\\?\]?:?"
    r"|(?P<ordinal>\d{1,4})[.)](?=[ \t])|[-*+](?=[ \t]))[ \t]*(?=\S)",
    re.MULTILINE,
)
_CODE = re.compile(r"(```.*?```|~~~.*?~~~|`[^`\n]+`)", re.DOTALL)
_NUMBERS = re.compile(r"(?<![\\!])\[\^?(\d{1,4}(?:\s*[,;–—-]\s*\^?\d{1,4})*)\](?![(\[:])")
#: "[@ortiz2019]", "[@ortiz2019#c3]", Pandoc's "[@ortiz2019, p. 3; @lee2021]".
_KEYS = re.compile(r"(?<!\\)\[((?:see |cf\. )?-?@[A-Za-z][^\[\]\n]{0,200})\]")
_KEY = re.compile(r"@([A-Za-z][\w-]*)(#[a-z0-9_-]+)?")
_URL = re.compile(r"https?://[^\s<>\"\])]+[^\s<>\"\]).,;]")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_YEAR_IN_BRACKETS = re.compile(r"\(\s*((?:1[5-9]|20)\d\d)[a-z]?[,)\s]")
_LINK = re.compile(r"\[([^\]]{1,300})\]\(<?([^)\s>]{1,500})>?\)")
_SLANTED = re.compile(r"(?<![\w*])[*_]([^*_]{4,}?)[*_](?![\w*])")
#: Patterns of an entry's title, the first match counts: quoted, in italics, linked, after the year.
_TITLES = (
    re.compile(r"[“\"«]([^”\"»]{5,500})[”\"»]"),
    _SLANTED,
    _LINK,
    re.compile(r"\(\s*(?:1[5-9]|20)\d\d[a-z]?\s*\)[.,:]?\s++([^.]{4,500}?)\.(?:\s|$)"),
)
_MAX_TITLE = 200


def from_markdown(text: str, language: Literal["en", "es"] | None = None) -> ReportDocument:
    """Return the document read from a Markdown text; `language` None: detect it.

    Markers `[1]`, `[1, 2]`, `[1–3]`, `[^1]` and `[@key]` become `[@key]`; numbers without an entry remain text.
    """
    found = markdown_outline(text)
    lists, parts, limits, extractive = list[str](), [], list[str](), False
    for part in found.parts:
        body = part.body
        if part.heading in {labels["limits"] for labels in _LABELS}:
            limits += [inline_text(line.lstrip("-*+ ")) for line in body.split("\n") if line.strip()]
        elif _REFERENCES.fullmatch(part.heading) and body.strip():
            lists.append(body)
        else:
            lists += _DEFINITION.findall(body)
            body = _DEFINITION.sub("", body)
            body = _ASKED_AND_WRITTEN.sub("", body)
            for note in (f"*{labels['digest']}*" for labels in _LABELS):
                extractive = extractive or body.startswith(note)
                body = body.removeprefix(note)
            parts.append(part._replace(body=body.strip("\n")))
    references, by_number = _references(lists)
    taken: set[str] = set()
    sections = [
        Section(
            key=section_key(part.heading, taken),
            heading=" ".join(_KEYS.sub("", _NUMBERS.sub("", part.heading)).split()),
            level=part.level,
            body=_with_markers(part.body, by_number),
        )
        for part in parts
        if part.heading or part.body
    ]
    # Cited keys that no list contains are references with the key as title.
    for key, _ in (found for one in sections for found in _KEY.findall(" ".join(_KEYS.findall(one.body)))):
        references.setdefault(key.lower(), Reference(key=key.lower(), title=key.lower(), as_written=key.lower()))
    return ReportDocument(
        title=found.title or (sections[0].heading if sections else ""),
        front_matter=found.front,
        title_heading=found.titled or not found.title or not found.front,
        language=language or detect_language(text),
        extractive=extractive,
        sections=tuple(sections),
        references=tuple(references.values()),
        limits=tuple(limits),
    )


def _references(lists: Iterable[str]) -> tuple[dict[str, Reference], dict[int | None, str]]:
    """Return the references of lists by key, in order, and their keys by number."""
    references: dict[str, Reference] = {}
    by_number: dict[int | None, str] = {}
    for number, own_key, text in (entry for body in lists for entry in _entries(body)):
        if own_key not in references:
            reference = _reference(own_key, text, references)
            references[reference.key] = reference
            by_number.setdefault(number, reference.key)
    return references, by_number


def _entries(body: str) -> Iterator[tuple[int | None, str, str]]:
    """Yield number, key ("" for none) and text of each entry; in a list without marks, each paragraph is one."""
    marks = list(_BEGINS.finditer(body))
    if not marks:
        yield from ((None, "", " ".join(text.split())) for text in re.split(r"\n[ \t]*\n", body) if text.strip())
    ends = [*(mark.start() for mark in marks[1:]), len(body)]
    for mark, end in zip(marks, ends, strict=False):
        if text := " ".join(body[mark.end() : end].split()):
            number = mark["number"] or mark["ordinal"]
            yield int(number) if number else None, (mark["key"] or "").lower(), text


def _reference(own_key: str, text: str, taken: Collection[str]) -> Reference:
    """Parse an entry into a reference; its key is the entry's own, else made from author and year."""
    linked = _LINK.sub(lambda found: f"{found[1]} {found[2]}" if found[1] != found[2] else found[2], text)
    written = inline_text(linked)
    doi, isbn = normal_doi(written), next(iter(isbns_of(written.upper().partition("ISBN")[2])), None)
    url = safe_url(found_url[0]) if (found_url := _URL.search(written)) else None
    titles = (inline_text(found[1]).strip(" .,") for pattern in _TITLES if (found := pattern.search(text)))
    title = next(titles, written)[:_MAX_TITLE]
    # No part of a URL or DOI is a year.
    bare = re.sub(r"(?<!\S)[^\s/]*+/\S*+", "", written)
    found_year = _YEAR_IN_BRACKETS.search(bare) or _YEAR.search(bare)
    year = int(found_year[1]) if found_year else None
    # The words before the first separator, if they look like a name.
    head = re.split(r"[,.;:(]|\s(?:and|y|&|et)\s", written, maxsplit=1)[0].strip()
    author = [head] if 0 < len(head.split()) <= 4 and head[:1].isupper() else []
    return Reference(
        key=(key := own_key or make_key(author, year, None, title, taken)),
        kind="book" if isbn else "academic" if doi else "web" if url else "other",
        title=title,
        year=year,
        url=url,
        doi=doi,
        isbn=isbn,
        as_written=written or key,
    )


def _with_markers(body: str, by_number: Mapping[int | None, str]) -> str:
    """Convert every marker to `[@key]`, except in code."""

    def numbered(found: re.Match[str]) -> str:
        keys = [by_number.get(number) for number in _expanded(found[1].replace("^", ""))]
        return " ".join(f"[@{key}]" for key in keys) if all(keys) else found[0]

    def keyed(found: re.Match[str]) -> str:
        return " ".join(f"[@{key.lower()}{claim}]" for key, claim in _KEY.findall(found[1]))

    pieces = _CODE.split(body)
    pieces[::2] = [_KEYS.sub(keyed, _NUMBERS.sub(numbered, text)) for text in pieces[::2]]
    return "".join(pieces)


def _expanded(listed: str) -> list[int]:
    """Expand a list of numbers and ranges: "1, 2, 4–6" gives 1, 2, 4, 5, 6."""
    numbers: list[int] = []
    for piece in re.split(r"[,;]", listed):
        first, *last = [int(number) for number in re.split(r"[–—-]", piece)]
        end = last[-1] if last else first
        numbers += range(first, end + 1) if first <= end <= first + 50 else [first, end]
    return numbers
