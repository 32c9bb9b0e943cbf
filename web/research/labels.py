"""Template filters for the labels of the keys in rows of reports."""

from __future__ import annotations

from functools import partial

from core.labels import LabelledEnum
from core.messages import Message
from core.models import ReportStatus, TaskStatus
from research import labels
from research.allocation import KindOfSource
from research.budget import Resource
from research.memo.types import FieldStatus, GapState
from research.questions.field_names import field_label
from research.report_type import ReportType
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
    "provider_label": labels.Provider,
    "task_label": TaskStatus,
    "gap_state_label": GapState,
    "gap_type_label": labels.GapType,
    "priority_label": labels.Priority,
    "claim_confidence_label": labels.ClaimConfidence,
    "field_status_label": FieldStatus,
    "verification_label": labels.Verification,
    "version_origin_label": labels.VersionOrigin,
    "spent_label": Resource,
    "export_label": labels.ExportFormat,
    "report_language_label": labels.ReportLanguage,
}
for _name, _kind in _FILTERS.items():
    blueprint.add_app_template_filter(partial(label, _kind), _name)


@blueprint.app_template_filter("catalog_field_label")
def catalog_field_label(field: str) -> str:
    """Return the label of a field of a catalog's items, in the language of the request."""
    return field_label(field, shown_language())


@blueprint.app_template_filter("why")
def why(code: str | None) -> str:
    """Return the sentence of an error's code; "" for None."""
    return say(Message(code)) if code else ""
