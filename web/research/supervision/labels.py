"""Template filters for the labels and messages in rows of supervisions."""

from __future__ import annotations

from functools import partial

from core.labels import LabelledEnum
from core.models import RevisionStatus, SupervisionStatus
from research.supervision import codes
from research.supervision.types import Ended, IssueType, Outcome, Severity
from web.labels import label
from web.research import blueprint

_FILTERS: dict[str, type[LabelledEnum]] = {
    "supervision_status_label": SupervisionStatus,
    "supervision_phase_label": codes.SupervisionPhase,
    "mode_label": codes.ModeLabel,
    "supervision_ended_label": Ended,
    "outcome_of_attempt_label": Outcome,
    "came_of_it": codes.CameOfIt,
    "revision_status_label": RevisionStatus,
    "issue_label": IssueType,
    "severity_label": Severity,
    "change_label": codes.Change,
}
for _name, _kind in _FILTERS.items():
    blueprint.add_app_template_filter(partial(label, _kind), _name)
