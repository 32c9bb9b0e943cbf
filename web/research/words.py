"""Sentences about gaps and researchers, made anew in the reader's language from what is stored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask_babel import gettext as _

from research.document import MARKER
from services.reports.report_facts import ReportFacts
from web.labels import label
from web.research import blueprint
from web.research.labels import CATALOG_FIELDS, KINDS

_TWO_NUMBERS = re.compile(r"\D*(\d+)\D+(\d+)\D*")
#: The topic, as stored, of a gap that is about how many publishers there are.
_DIVERSE = "diverse_sources"
_MARKERS = re.compile(rf"\s*{MARKER}")
_UNAVAILABLE = re.compile(r"No source for (web|academic|book) research is available")


@blueprint.app_template_filter("gap_words")
def gap_words(gap: Any) -> str:
    """What a gap of a memo, or a row, is about, beside its type; its description where it has no parts."""
    name, fields = _part(gap, "candidate_name"), _part(gap, "missing_fields") or ()
    topic, description = _part(gap, "missing_topic"), str(_part(gap, "description") or "")
    if name and fields:
        return f"{name}: {', '.join(label(CATALOG_FIELDS, field) for field in fields)}"
    numbers = _TWO_NUMBERS.fullmatch(description)
    if numbers and _part(gap, "gap_type") == "missing_candidates":
        return _("Candidates: %(have)s found, %(want)s wanted", have=numbers[1], want=numbers[2])
    if numbers and topic == _DIVERSE:
        return _("Independent publishers: %(have)s found, %(want)s wanted", have=numbers[1], want=numbers[2])
    return topic or description


@blueprint.app_template_filter("without_markers")
def without_markers(text: str) -> str:
    """A sentence of a report without the markers of its sources."""
    return _MARKERS.sub("", text).strip()


@blueprint.app_template_filter("allocation_words")
def allocation_words(facts: ReportFacts) -> str:
    """Who decided how many researchers go, and what was changed for want of sources."""
    if facts.allocation_approved:
        said = [_("The person who approved the plan changed it.")]
    elif facts.allocation_user:
        said = [_("Sent as asked for.")]
    elif facts.allocation_model:
        said = [_("Nobody asked for numbers; sent as the model chose.")]
    else:
        said = [_("Nobody chose: one of each kind.")]
    said += [
        _("No source for %(kind)s is at hand; others take over.", kind=label(KINDS, kind))
        for kind in _UNAVAILABLE.findall(facts.allocation_explained)
    ]
    return " ".join(said)


def _part(gap: Any, name: str) -> Any:
    return gap.get(name) if isinstance(gap, Mapping) else getattr(gap, name, None)
