"""Read any Markdown text into a document: sections with stable keys, references, markers by key."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from research.document import Reference, ReportDocument, Section, section_key
from research.exports.reference_entries import Entry, entries_of, reference_of
from research.markdown_text.outline import Part, outline
from research.markdown_text.parsing import inline_text
from research.text import detect_language
from research.words import phrases_of

_REFERENCES = re.compile(
    r"(?:\d+[.)]?\s+)?(?:list of )?(?:references|bibliography|works cited|literature(?: cited)?|sources|citations"
    r"|endnotes|footnotes|(?:lista de )?referencias(?: bibliogr[áa]ficas)?|bibliograf[íi]a|obras citadas|fuentes"
    r"|literatura citada)\s*:?",
    re.IGNORECASE,
)
#: A definition of a footnote or numbered link, anywhere in the text.
_DEFINITION = re.compile(r"^[ ]{0,3}\[\^?\d{1,4}\]:[ \t]*\S.*(?:\n(?:[ \t]+\S.*))*", re.MULTILINE)
_LABELS = tuple(phrases_of("report", language) for language in ("en", "es"))
_CODE = re.compile(r"(```.*?```|~~~.*?~~~|`[^`\n]+`)", re.DOTALL)
_NUMBERS = re.compile(r"(?<![\\!])\[\^?(\d{1,4}(?:\s*[,;–—-]\s*\^?\d{1,4})*)\](?![(\[:])")
#: "[@ortiz2019]", "[@ortiz2019#c3]", Pandoc's "[@ortiz2019, p. 3; @lee2021]".
_KEYS = re.compile(r"(?<!\\)\[((?:see |cf\. )?-?@[A-Za-z][^\[\]\n]{0,200})\]")
_KEY = re.compile(r"@([A-Za-z][\w-]*)(#[a-z0-9_-]+)?")


def from_markdown(text: str) -> ReportDocument:
    """Return the document read from a Markdown text.

    Markers `[1]`, `[1, 2]`, `[1–3]`, `[^1]` and `[@key]` become `[@key]`; numbers without an entry remain text.
    """
    found = outline(text)
    parts, entries = _apart(found.parts)
    references, by_number = _references(entries)
    taken: set[str] = set()
    limits, extractive = list[str](), False
    sections: list[Section] = []
    for part in parts:
        if part.heading in {labels["limits"] for labels in _LABELS}:
            limits += [inline_text(line.lstrip("-*+ ")) for line in part.body.split("\n") if line.strip()]
            continue
        body = part.body
        for note in (f"*{labels['digest']}*" for labels in _LABELS):
            if body.startswith(note):
                body, extractive = body.removeprefix(note).strip("\n"), True
        if part.heading or body:
            key = section_key(part.heading, taken)
            heading = " ".join(_KEYS.sub("", _NUMBERS.sub("", part.heading)).split())
            marked = _with_markers(body, by_number)
            sections.append(Section(key=key, heading=heading, level=part.level, body=marked))
    # Cited keys that no list contains are references with the key as title.
    cited = [key.lower() for one in sections for key, _ in _KEY.findall(" ".join(_KEYS.findall(one.body)))]
    unlisted = dict.fromkeys(key for key in cited if key not in {reference.key for reference in references})
    references += [Reference(key=key, title=key, as_written=key) for key in unlisted]
    return ReportDocument(
        title=found.title or (sections[0].heading if sections else ""),
        front_matter=found.front,
        title_heading=found.titled or not found.title or not found.front,
        language=detect_language(text),
        extractive=extractive,
        sections=tuple(sections),
        references=tuple(references),
        limits=tuple(limits),
    )


def _apart(parts: Sequence[Part]) -> tuple[list[Part], list[Entry]]:
    """Return the parts without reference lists and definitions, and the entries of those."""
    kept: list[Part] = []
    entries: list[Entry] = []
    for part in parts:
        if _REFERENCES.fullmatch(part.heading) and (found := entries_of(part.body)):
            entries += found
        elif definitions := _DEFINITION.findall(part.body):
            entries += [entry for definition in definitions for entry in entries_of(definition)]
            kept.append(part._replace(body=_DEFINITION.sub("", part.body).strip("\n")))
        else:
            kept.append(part)
    return kept, entries


def _references(entries: Sequence[Entry]) -> tuple[list[Reference], dict[int, str]]:
    """Return the references in order, and their keys by number."""
    references: list[Reference] = []
    by_number: dict[int, str] = {}
    taken: set[str] = set()
    for entry in entries:
        if entry.key and entry.key.lower() in taken:
            continue
        references.append(reference_of(entry, taken))
        if entry.number is not None:
            by_number.setdefault(entry.number, references[-1].key)
    return references, by_number


def _with_markers(body: str, by_number: Mapping[int, str]) -> str:
    """Convert every marker to `[@key]`, except in code."""

    def numbered(found: re.Match[str]) -> str:
        keys = [by_number.get(number) for number in _expanded(found[1].replace("^", ""))]
        return " ".join(f"[@{key}]" for key in keys) if all(keys) else found[0]

    def keyed(found: re.Match[str]) -> str:
        return " ".join(f"[@{key.lower()}{claim}]" for key, claim in _KEY.findall(found[1]))

    pieces = _CODE.split(body)
    pieces[::2] = [_KEYS.sub(keyed, _NUMBERS.sub(numbered, text)) for text in pieces[::2]]
    return "".join(pieces)


def _expanded(told: str) -> list[int]:
    """Expand a list of numbers and ranges: "1, 2, 4–6" gives 1, 2, 4, 5, 6."""
    numbers: list[int] = []
    for piece in re.split(r"[,;]", told):
        first, *last = [int(number) for number in re.split(r"[–—-]", piece)]
        end = last[-1] if last else first
        numbers += range(first, end + 1) if first <= end <= first + 50 else [first, end]
    return numbers
