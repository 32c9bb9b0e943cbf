"""Check a revision: no lost citations or required sections, no unknown sources, no shrunken document."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from core.messages import Message
from research.document import MARKER, ReportDocument
from research.supervision.codes import RefusalCode

#: Least length of the bodies, as a share of that before the revision.
LEAST_LENGTH = 0.8
_MARKER = re.compile(MARKER)


def cited_keys(document: ReportDocument) -> set[str]:
    """Return the citation keys of all markers in the document."""
    return {key for key, _ in _markers(document)}


def problems_of(before: ReportDocument, after: ReportDocument, new_keys: Collection[str]) -> list[Message]:
    """Return the reasons to refuse a revision; empty if it passes.

    `new_keys`: sources found by the expansion; they may be cited, and at least one must support something new.
    """
    was_cited, now_cited, new = cited_keys(before), cited_keys(after), set(new_keys)
    was_listed = {reference.key for reference in before.references}
    now_listed = {reference.key for reference in after.references}
    keys = {
        RefusalCode.CITATIONS_LOST: was_cited - now_cited,
        RefusalCode.CITATIONS_UNKNOWN: now_cited - was_cited - was_listed - new,
        RefusalCode.REFERENCES_LOST: was_listed - now_listed,
        RefusalCode.REFERENCES_MISSING: (now_cited & new) - now_listed,
    }
    problems = [Message.of(code, keys=sorted(some)) for code, some in keys.items() if some]
    if headings := [*_lost_sections(before, after)]:
        problems.append(Message.of(RefusalCode.SECTIONS_LOST, headings=headings))
    was, now = _length(before), _length(after)
    if now < LEAST_LENGTH * was:
        least = round(100 * LEAST_LENGTH)
        problems.append(Message.of(RefusalCode.TEXT_SHRUNK, was=was, now=now, least=least))
    # A source may already be cited for something else.
    if new.isdisjoint(key for key, _ in _markers(after) - _markers(before)):
        problems.append(Message.of(RefusalCode.NOTHING_NEW))
    return problems


def _lost_sections(before: ReportDocument, after: ReportDocument) -> Iterator[str]:
    """Yield the headings of required sections that are gone, or whose text is."""
    left = {section.key: section for section in after.sections}
    for section in before.sections:
        now = left.get(section.key)
        stands = now is not None and (now.body.strip() or (now.heading.strip() and not section.body.strip()))
        if section.required and not stands:
            yield section.heading


def _markers(document: ReportDocument) -> set[tuple[str, str | None]]:
    found = (marker for section in document.sections for marker in _MARKER.finditer(section.body))
    return {(marker["key"], marker["claim"]) for marker in found}


def _length(document: ReportDocument) -> int:
    return sum(len(_MARKER.sub("", section.body).strip()) for section in document.sections)
