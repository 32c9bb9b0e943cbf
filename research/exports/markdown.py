"""Export a report as Markdown, with numbers for readers or with keys for editing."""

from __future__ import annotations

import re

from research.citations.markers import listed, numbers_of
from research.document import MARKER, Reference, ReportDocument
from research.exports.wording import each_source_once, reference_text
from research.markdown_text import as_markdown
from research.markdown_text.parsing import title_in
from research.markdown_text.printable import clean, one_line
from research.words import phrases_of

#: A bracketed number from a source's text, escaped or not.
_FOREIGN = re.compile(r"\\?\[(\s*\d{1,4}(?:\s*[,;–—-]\s*\d{1,4})*\s*)\\?\](?![(:])")
#: What a viewer could take for a tag.
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
    labels, numbers = phrases_of("report", document.language), numbers_of(document)

    def mark(found: re.Match[str]) -> str:
        if found["key"] not in numbers:
            return ""
        return found[0] if keyed else f"[{numbers[found['key']]}]"

    parts = [f"# {_heading(document.title)}" if headed else ""]
    if document.extractive:
        parts.append(f"*{labels['digest']}*")
    for section in document.sections:
        heading = _heading(section.heading)
        parts.append(f"{'#' * min(section.level + 1, 6)} {heading}" if heading else "")
        body = _FOREIGN.sub(r"(\1)", _TAG.sub(r"\\<", clean(section.body)))
        parts.append(re.sub(MARKER, mark, body if keyed else each_source_once(body)[0]).strip())
    if document.limits:
        limits = "\n".join(f"- {_heading(limit)}" for limit in document.limits)
        parts += [f"## {labels['limits']}", limits]
    if entries := listed(document):
        parts.append(f"## {labels['references']}")
        parts += [f"[{'@' + entry.key if keyed else number}] {_entry(entry)}" for number, entry in entries]
    return "\n\n".join(part for part in parts if part) + "\n"


def _heading(text: str) -> str:
    return as_markdown(one_line(text))


def _entry(reference: Reference) -> str:
    text = reference_text(reference)
    title = as_markdown(text.title)
    shown = title if reference.as_written else f"*{title}*"
    link = f"<{text.link}>" if text.link else ""
    return " ".join(part for part in (as_markdown(text.before), shown, as_markdown(text.after), link) if part)
