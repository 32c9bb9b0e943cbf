"""Sentences about gaps and researchers, made anew in the reader's language from what is stored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask_babel import gettext as _

from services.queries.reports.report_facts import ReportFacts
from web.labels import label
from web.research import blueprint
from web.research.labels import CATALOG_FIELDS, KINDS

_TWO_NUMBERS = re.compile(r"\D*(\d+)\D+(\d+)\D*")
_UNAVAILABLE = re.compile(r"No source for (web|academic|book) research is available")


@blueprint.app_template_filter("gap_words")
def gap_words(gap: Any) -> str:
    """What is to be found out; a gap of a memo, or a row. Its own description where it has no parts."""
    name, fields = _part(gap, "candidate_name"), _part(gap, "missing_fields") or ()
    kind, topic = _part(gap, "gap_type"), _part(gap, "missing_topic")
    if name and fields:
        named = ", ".join(label(CATALOG_FIELDS, field) for field in fields)
        if kind == "weak_evidence":
            return _("%(name)s: only weak evidence for: %(fields)s", name=name, fields=named)
        return _("%(name)s: still missing: %(fields)s", name=name, fields=named)
    if topic:
        return _("Too little about: %(topic)s", topic=topic)
    description: str = _part(gap, "description") or ""
    numbers = _TWO_NUMBERS.fullmatch(description)
    if numbers and kind == "missing_candidates":
        return _("Candidates: %(have)s found, %(want)s wanted", have=numbers[1], want=numbers[2])
    if numbers and kind == "weak_evidence":
        return _("Independent publishers: %(have)s found, %(want)s wanted", have=numbers[1], want=numbers[2])
    return description


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
