"""Number the cited references of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research.document import MARKER, Reference, ReportDocument

_MARKER = re.compile(MARKER)


def numbers_of(document: ReportDocument) -> dict[str, int]:
    """Return the number of each cited reference, by key, in order of first citation; omit uncited ones."""
    known = {reference.key for reference in document.references}
    keys = dict.fromkeys(match["key"] for body in _bodies(document) for match in _MARKER.finditer(body))
    return {key: number for number, key in enumerate((key for key in keys if key in known), 1)}


def listed(document: ReportDocument) -> list[tuple[int, Reference]]:
    """Return the cited references with their numbers, in order."""
    by_key = {reference.key: reference for reference in document.references}
    return [(number, by_key[key]) for key, number in numbers_of(document).items()]


def _bodies(document: ReportDocument) -> Iterator[str]:
    for section in document.sections:
        yield section.heading
        yield section.body
    yield from document.limits
