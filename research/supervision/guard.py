"""What no integration may do: lose a citation or a required section, cite the unknown, or shrink the document."""

from __future__ import annotations

import re
from collections.abc import Collection

from research.document import MARKER, ReportDocument

#: Of the length before, in characters of the bodies.
LEAST_LENGTH = 0.8
_MARKER = re.compile(MARKER)
_NOTHING_NEW = "none of the sources that were found is cited for something new"


def cited_keys(document: ReportDocument) -> set[str]:
    """The citation keys of every marker in the document."""
    return {found["key"] for section in document.sections for found in _MARKER.finditer(section.body)}


def problems_of(before: ReportDocument, after: ReportDocument, new_keys: Collection[str]) -> list[str]:
    """What the guard refuses, in sentences that whoever integrates can act on; empty where it may pass.

    `new_keys`: sources that the expansion brought; they may be cited, and one must be for something new.
    """
    return [
        *_lost_citations(before, after),
        *_unknown_citations(before, after, new_keys),
        *_lost_sections(before, after),
        *_lost_references(before, after, new_keys),
        *_shrunk(before, after),
        *_nothing_new(before, after, new_keys),
    ]


def _lost_citations(before: ReportDocument, after: ReportDocument) -> list[str]:
    lost = sorted(cited_keys(before) - cited_keys(after))
    return [f"citations are gone: {', '.join(lost)}"] if lost else []


def _unknown_citations(before: ReportDocument, after: ReportDocument, new_keys: Collection[str]) -> list[str]:
    known = cited_keys(before) | {reference.key for reference in before.references} | set(new_keys)
    unknown = sorted(cited_keys(after) - known)
    return [f"these citations name no source: {', '.join(unknown)}"] if unknown else []


def _lost_sections(before: ReportDocument, after: ReportDocument) -> list[str]:
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
    return [f"sections are gone or empty: {', '.join([*lost, *emptied])}"] if lost or emptied else []


def _lost_references(before: ReportDocument, after: ReportDocument, new_keys: Collection[str]) -> list[str]:
    listed = {reference.key for reference in after.references}
    lost = sorted({reference.key for reference in before.references} - listed)
    unlisted = sorted((cited_keys(after) & set(new_keys)) - listed)
    return [
        *([f"references are gone: {', '.join(lost)}"] if lost else []),
        *([f"cited sources are not among the references: {', '.join(unlisted)}"] if unlisted else []),
    ]


def _shrunk(before: ReportDocument, after: ReportDocument) -> list[str]:
    was, is_now = _length(before), _length(after)
    if is_now >= LEAST_LENGTH * was:
        return []
    return [f"the text has shrunk from {was} to {is_now} characters; at least {LEAST_LENGTH:.0%} must stay"]


def _nothing_new(before: ReportDocument, after: ReportDocument, new_keys: Collection[str]) -> list[str]:
    # A source may be cited already, for something else.
    added = {key for key, _ in _markers(after) - _markers(before)}
    return [] if added & set(new_keys) else [_NOTHING_NEW]


def _markers(document: ReportDocument) -> set[tuple[str, str | None]]:
    found = (marker for section in document.sections for marker in _MARKER.finditer(section.body))
    return {(marker["key"], marker["claim"]) for marker in found}


def _length(document: ReportDocument) -> int:
    return sum(len(_MARKER.sub("", section.body).strip()) for section in document.sections)
