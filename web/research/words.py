"""Sentences about gaps and researchers, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask_babel import gettext as _

from research.document import MARKER
from research.gap_messages import GapParts, gap_message
from research.memo_reading import read_gap
from services.reports.report_facts import ReportFacts
from web.i18n import say
from web.research import blueprint

_MARKERS = re.compile(rf"\s*{MARKER}")


@blueprint.app_template_filter("gap_words")
def gap_words(gap: GapParts | Mapping[str, Any]) -> str:
    """What a gap of a memo, or a row, is about, beside its type; its description where it has no parts."""
    found = read_gap(gap) if isinstance(gap, Mapping) else gap
    return say(gap_message(found)) or found.description


@blueprint.app_template_filter("without_markers")
def without_markers(text: str) -> str:
    """A sentence of a report without the markers of its sources."""
    return _MARKERS.sub("", text).strip()


@blueprint.app_template_filter("allocation_words")
def allocation_words(facts: ReportFacts) -> str:
    """Who decided how many researchers go, and what was changed for want of sources."""
    changed = [_("The person who approved the plan changed it.")] if facts.allocation_approved else []
    return " ".join([*changed, *(say(note) for note in facts.allocation_notes)])
