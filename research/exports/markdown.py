"""Export a report as Markdown, with numbers for readers or with keys for editing."""

from __future__ import annotations

import re
from collections.abc import Callable

from research.citations.markers import listed, numbers_of
from research.document import MARKER, Reference, ReportDocument, Section
from research.exports.labels import LABELS
from research.exports.reference_text import reference_text
from research.markdown_text import as_markdown
from research.markdown_text.outline import title_in
from research.markdown_text.printable import clean, one_line

_MARKER = re.compile(MARKER)
#: A bracketed number from a source's text, escaped or not.
_FOREIGN = re.compile(r"\\?\[(\s*\d{1,4}(?:\s*[,;–—-]\s*\d{1,4})*\s*)\\?\](?![(:])")


def to_markdown(document: ReportDocument, *, keyed: bool = False) -> str:
    """Return the document as Markdown, with the line endings of its front matter.

    `keyed`: for editing, with markers and references by key, claims kept and no front matter. Otherwise markers
    are numbers, and the front matter precedes the text unchanged.
    """
    if keyed or not document.front_matter:
        return _text(document, keyed=keyed, headed=True)
    # A title that the original file gave only in its front matter gets no heading.
    headed = document.title_heading or document.title != title_in(document.front_matter)
    text = f"\n{_text(document, keyed=False, headed=headed)}"
    front = document.front_matter
    end = "\r\n" if "\r\n" in front else "\n"
    return f"{front}{'' if front.endswith(end) else end}{text.replace(chr(10), end)}"


def _text(document: ReportDocument, *, keyed: bool, headed: bool) -> str:
    labels, numbers = LABELS[document.language], numbers_of(document)
    marks = (lambda found: found[0] if found["key"] in numbers else "") if keyed else _numbered(numbers)
    parts = [f"# {_heading(document.title)}" if headed else ""]
    if document.extractive:
        parts.append(f"*{labels.digest}*")
    for section in document.sections:
        heading = _heading(section.heading)
        parts += [f"{'#' * min(section.level + 1, 6)} {heading}" if heading else "", _body(section, marks)]
    if document.limits:
        parts += [
            f"## {labels.limits}",
            "\n".join(f"- {as_markdown(one_line(limit))}" for limit in document.limits),
        ]
    if entries := listed(document):
        parts.append(f"## {labels.references}")
        parts += [f"[{'@' + entry.key if keyed else number}] {_entry(entry)}" for number, entry in entries]
    return "\n\n".join(part for part in parts if part) + "\n"


def _numbered(numbers: dict[str, int]) -> Callable[[re.Match[str]], str]:
    return lambda found: f"[{numbers[found['key']]}]" if found["key"] in numbers else ""


def _body(section: Section, marks: Callable[[re.Match[str]], str]) -> str:
    return _MARKER.sub(marks, _FOREIGN.sub(r"(\1)", _without_html(clean(section.body)))).strip()


def _without_html(body: str) -> str:
    """Escape each `<` that a viewer could take for a tag; block quotes (`>`) are kept."""
    return re.sub(r"(?<!\\)<(?=[!/?a-zA-Z])(?!https?://[^\s<>]*>)", r"\\<", body)


def _heading(text: str) -> str:
    return as_markdown(one_line(text))


def _entry(reference: Reference) -> str:
    text = reference_text(reference)
    title = as_markdown(text.title)
    shown = title if reference.as_written else f"*{title}*"
    link = f"<{text.link}>" if text.link else ""
    return " ".join(part for part in (as_markdown(text.before), shown, as_markdown(text.after), link) if part)
