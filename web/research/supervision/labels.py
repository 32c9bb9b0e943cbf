"""What people read where a loop's rows hold a key, and what the guard said, in sentences."""

from __future__ import annotations

from functools import partial

from core.models import RevisionStatus, SupervisionStatus
from research.supervision.types import Ended, Outcome
from web.i18n import mark
from web.labels import label
from web.research import blueprint

STATUSES: dict[str, str] = {
    SupervisionStatus.QUEUED: mark("Queued"),
    SupervisionStatus.RUNNING: mark("Under way"),
    SupervisionStatus.AWAITING_DECISION: mark("A revision waits for you"),
    SupervisionStatus.DONE: mark("Done"),
    SupervisionStatus.FAILED: mark("Failed"),
    SupervisionStatus.CANCELLED: mark("Cancelled"),
}
PHASES: dict[str, str] = {
    "analyze_review": mark("Looking for the weightiest gap"),
    "expand_topic": mark("Researching the gap"),
    "integrate_content": mark("Working what was found into the document"),
    "await_decision": mark("Waiting for a decision"),
    "settle_attempt": mark("Writing down what came of it"),
    "finalize": mark("Finishing"),
}
MODES: dict[str, str] = {"supervised": mark("Supervised"), "automatic": mark("Automatic")}
ENDED: dict[str, str] = {
    Ended.APPROVED: mark("No gap of weight was found any more: the document is approved as it stands."),
    Ended.NOTHING_TO_COMPARE: mark("Nothing was examined, so this says nothing about the document."),
    Ended.MAX_ITERATIONS: mark("All attempts that its tier allows were made."),
    Ended.CIRCUIT_BREAKER: mark("Two attempts in a row failed, so it stopped. The last good version stays."),
    Ended.NO_EVIDENCE: mark("No source was found for any gap, so nothing was changed."),
    Ended.BUDGET: mark("The budget was used up. What was integrated until then stays."),
    Ended.CANCELLED: mark("It was cancelled. What was integrated until then stays."),
    Ended.INVALID_DECISION: mark("The analysis could not be used, so it stopped. The last good version stays."),
    Ended.ERROR: mark("It ended with an error. The last good version stays."),
}
OUTCOMES: dict[str, str] = {
    Outcome.INTEGRATED: mark("Integrated"),
    Outcome.NO_EVIDENCE: mark("Nothing found"),
    Outcome.REFUSED_BY_GUARD: mark("Refused by the guard"),
    Outcome.ALREADY_EXPLORED: mark("Already explored"),
    Outcome.FAILED: mark("Failed"),
}
CAME_OF_IT: dict[str, str] = {
    Outcome.NO_EVIDENCE: mark("Sources were looked for and none was found, so nothing was changed."),
    Outcome.REFUSED_BY_GUARD: mark("What was written for it was not taken; the document stays as it was:"),
    Outcome.ALREADY_EXPLORED: mark("This gap was looked into before; it was not researched again."),
    Outcome.FAILED: mark("The attempt failed; the document stays as it was."),
}
REVISIONS: dict[str, str] = {
    RevisionStatus.PENDING: mark("Waits for a decision"),
    RevisionStatus.ACCEPTED: mark("Accepted"),
    RevisionStatus.EDITED: mark("Edited and accepted"),
    RevisionStatus.REJECTED: mark("Rejected"),
    RevisionStatus.APPLIED: mark("Applied without a person"),
    RevisionStatus.WITHDRAWN: mark("Withdrawn: the loop ended while it waited"),
}
ISSUES: dict[str, str] = {
    "underlying_theory": mark("Underlying theory"),
    "methodological_foundation": mark("Methodological foundation"),
    "unifying_threads": mark("Unifying threads"),
    "foundational_concepts": mark("Foundational concepts"),
    "thin_section": mark("Thin section"),
    "unsupported_claim": mark("Unsupported claim"),
}
SEVERITIES: dict[str, str] = {
    "minor": mark("minor"),
    "moderate": mark("moderate"),
    "significant": mark("significant"),
}
CHANGES: dict[str, str] = {
    "same": mark("unchanged"),
    "changed": mark("changed"),
    "added": mark("new"),
    "removed": mark("removed"),
}

_FILTERS = {
    "supervision_status_label": STATUSES,
    "supervision_phase_label": PHASES,
    "mode_label": MODES,
    "supervision_ended_label": ENDED,
    "outcome_of_attempt_label": OUTCOMES,
    "came_of_it": CAME_OF_IT,
    "revision_status_label": REVISIONS,
    "issue_label": ISSUES,
    "severity_label": SEVERITIES,
    "change_label": CHANGES,
}
for _name, _table in _FILTERS.items():
    blueprint.add_app_template_filter(partial(label, _table), _name)
