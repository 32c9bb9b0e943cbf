"""Sentences about gaps and researchers, in the language of the request."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask_babel import gettext as _

from research.document import MARKER
from research.memo import gap_from_json
from research.memo.gap_messages import gap_message
from services.reports.report_facts import ReportFacts
from services.reports.report_progress import GapProgress
from web.i18n import say
from web.research import blueprint

_MARKERS = re.compile(rf"(?>(?:(?<!\s)\s++)?){MARKER}")


@blueprint.app_template_filter("gap_words")
def gap_words(gap: GapProgress | Mapping[str, Any]) -> str:
    """Return the subject of a gap as a sentence, or its description if it has no structured parts."""
    if isinstance(gap, Mapping):
        stored = gap_from_json(gap)
        return say(gap_message(stored)) or stored.description
    return say(gap.message) or gap.description


@blueprint.app_template_filter("without_markers")
def without_markers(text: str) -> str:
    """Return a sentence of a report without its citation markers."""
    return _MARKERS.sub("", text).strip()


@blueprint.app_template_filter("allocation_words")
def allocation_words(facts: ReportFacts) -> str:
    """Return who decided on the numbers of researchers, and what was changed for lack of providers."""
    changed = [_("The person who approved the plan changed it.")] if facts.allocation_approved else []
    return " ".join([*changed, *(say(note) for note in facts.allocation_notes)])
