"""Labels of the keys in rows of reports, supervisions and the library, in the language of the request."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from flask_babel import gettext as _

from core.messages import LabelledEnum, Message
from core.models import (
    EmbeddingStatus,
    LibraryKind,
    LibraryStatus,
    ReportStatus,
    RevisionStatus,
    SupervisionStatus,
    TaskStatus,
)
from research import labels
from research.allocation import KindOfSource
from research.document import MARKER
from research.memo import FieldStatus, GapState, gap_from_json, gap_message
from research.questions.wording import common_field_label
from research.report_type import ReportType
from research.storage import Resource
from research.supervision import types
from research.supervision.types import AttemptOutcome, Ended, IssueSeverity, IssueType
from services.reports.progress import GapProgress, ReportFacts
from web.i18n import say, shown_language
from web.labels import label
from web.research import blueprint

_FILTERS: dict[str, type[LabelledEnum]] = {
    "report_status_label": ReportStatus,
    "phase_label": labels.Phase,
    "round_label": labels.Round,
    "skipped_label": labels.Skipped,
    "ended_label": labels.ReportEnded,
    "report_type_label": ReportType,
    "tier_label": labels.TierLabel,
    "kind_label": KindOfSource,
    "researcher_label": labels.Researcher,
    "provider_label": labels.SourceProviderName,
    "task_label": TaskStatus,
    "gap_state_label": GapState,
    "gap_type_label": labels.GapType,
    "priority_label": labels.Priority,
    "claim_confidence_label": labels.ClaimConfidence,
    "field_status_label": FieldStatus,
    "verification_label": labels.Verification,
    "version_origin_label": labels.VersionOrigin,
    "spent_label": Resource,
    "export_label": labels.ReportFormat,
    "report_language_label": labels.ReportLanguage,
    "library_kind_label": LibraryKind,
    "library_status_label": LibraryStatus,
    "embedding_label": EmbeddingStatus,
    "supervision_status_label": SupervisionStatus,
    "supervision_phase_label": types.SupervisionPhase,
    "mode_label": types.ModeLabel,
    "supervision_ended_label": Ended,
    "outcome_of_attempt_label": AttemptOutcome,
    "came_of_it": types.NoRevisionReason,
    "revision_status_label": RevisionStatus,
    "issue_label": IssueType,
    "severity_label": IssueSeverity,
    "change_label": types.SectionChange,
}
for _name, _kind in _FILTERS.items():
    blueprint.add_app_template_filter(partial(label, _kind), _name)


@blueprint.app_template_filter("catalog_field_label")
def catalog_field_label(field: str) -> str:
    """Return the label of a field of a catalog's items, in the language of the request."""
    return common_field_label(field, shown_language())


@blueprint.app_template_filter("why")
def why(code: str | None) -> str:
    """Return the sentence of an error's code; "" for None."""
    return say(Message(code)) if code else ""


# Sentences about gaps and researchers, in the language of the request.


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


#: Kinds that people can add; essays are added from entries.
ADDED_KINDS = (LibraryKind.WEB, LibraryKind.ACADEMIC, LibraryKind.BOOK)
