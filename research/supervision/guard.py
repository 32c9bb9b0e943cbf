"""Check a revision: no lost citations or required sections, no unknown sources, no shrunken document."""

from __future__ import annotations

import re
from collections.abc import Collection

from core.messages import Message
from research.document import MARKER, ReportDocument
from research.supervision.codes import RefusalCode

#: Least length of the bodies, as a share of that before the revision.
LEAST_LENGTH = 0.8
_MARKER = re.compile(MARKER)


def cited_keys(document: ReportDocument) -> set[str]:
    """Return the citation keys of all markers in the document."""
    return {found["key"] for section in document.sections for found in _MARKER.finditer(section.body)}


def problems_of(before: ReportDocument, after: ReportDocument, new_keys: Collection[str]) -> list[Message]:
    """Return the reasons to refuse a revision; empty if it passes.

    `new_keys`: sources found by the expansion; they may be cited, and at least one must support something new.
    """
    return [
        *_lost_citations(before, after),
        *_unknown_citations(before, after, new_keys),
        *_lost_sections(before, after),
        *_lost_references(before, after, new_keys),
        *_shrunk(before, after),
        *_nothing_new(before, after, new_keys),
    ]


def _lost_citations(before: ReportDocument, after: ReportDocument) -> list[Message]:
    lost = sorted(cited_keys(before) - cited_keys(after))
    return [Message.of(RefusalCode.CITATIONS_LOST, keys=lost)] if lost else []


def _unknown_citations(before: ReportDocument, after: ReportDocument, new_keys: Collection[str]) -> list[Message]:
    known = cited_keys(before) | {reference.key for reference in before.references} | set(new_keys)
    unknown = sorted(cited_keys(after) - known)
    return [Message.of(RefusalCode.CITATIONS_UNKNOWN, keys=unknown)] if unknown else []


def _lost_sections(before: ReportDocument, after: ReportDocument) -> list[Message]:
    stand = {section.key for section in after.sections if section.body.strip() or section.heading.strip()}
    lost = [section.heading for section in before.sections if section.required and section.key not in stand]
    emptied = [
        section.heading
        for section in before.sections
        if section.required
        and section.body.strip()
        and section.key in stand
        and not any(new.key == section.key and new.body.strip() for new in after.sections)
    ]
    headings = [*lost, *emptied]
    return [Message.of(RefusalCode.SECTIONS_LOST, headings=headings)] if headings else []


def _lost_references(before: ReportDocument, after: ReportDocument, new_keys: Collection[str]) -> list[Message]:
    listed = {reference.key for reference in after.references}
    lost = sorted({reference.key for reference in before.references} - listed)
    unlisted = sorted((cited_keys(after) & set(new_keys)) - listed)
    return [
        *([Message.of(RefusalCode.REFERENCES_LOST, keys=lost)] if lost else []),
        *([Message.of(RefusalCode.REFERENCES_MISSING, keys=unlisted)] if unlisted else []),
    ]


def _shrunk(before: ReportDocument, after: ReportDocument) -> list[Message]:
    was, is_now = _length(before), _length(after)
    if is_now >= LEAST_LENGTH * was:
        return []
    return [Message.of(RefusalCode.TEXT_SHRUNK, was=was, now=is_now, least=round(100 * LEAST_LENGTH))]


def _nothing_new(before: ReportDocument, after: ReportDocument, new_keys: Collection[str]) -> list[Message]:
    # A source may already be cited for something else.
    added = {key for key, _ in _markers(after) - _markers(before)}
    return [] if added & set(new_keys) else [Message.of(RefusalCode.NOTHING_NEW)]


def _markers(document: ReportDocument) -> set[tuple[str, str | None]]:
    found = (marker for section in document.sections for marker in _MARKER.finditer(section.body))
    return {(marker["key"], marker["claim"]) for marker in found}


def _length(document: ReportDocument) -> int:
    return sum(len(_MARKER.sub("", section.body).strip()) for section in document.sections)
