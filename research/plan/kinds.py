"""Choose the kind of researcher for a task."""

from __future__ import annotations

from collections.abc import Sequence

from research.allocation import KINDS, ResearcherAllocation
from research.memo.worker_result import Kind


def available_kind(wanted: Sequence[Kind], allocation: ResearcherAllocation) -> Kind:
    """Return the first wanted kind that has a researcher, else any kind that has one."""
    counts: dict[Kind, int] = {
        "web": allocation["web_count"],
        "academic": allocation["academic_count"],
        "book": allocation["book_count"],
    }
    return next((kind for kind in (*wanted, *KINDS) if counts[kind]), wanted[0])
