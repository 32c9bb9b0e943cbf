"""What people read where a report's rows hold a key."""

from __future__ import annotations

from functools import cache, partial

from core.errors import AppError
from core.models import ReportStatus, TaskStatus
from research.allocation_codes import KindOfSource
from research.gap_messages import CatalogField
from web.i18n import mark, sentence
from web.labels import label
from web.research import blueprint

STATUSES: dict[str, str] = {
    ReportStatus.QUEUED: mark("Queued"),
    ReportStatus.RUNNING: mark("Under way"),
    ReportStatus.AWAITING_PLAN: mark("Plan waits for you"),
    ReportStatus.DONE: mark("Done"),
    ReportStatus.FAILED: mark("Failed"),
    ReportStatus.CANCELLED: mark("Cancelled"),
}
PHASES: dict[str, str] = {
    "planning": mark("Planning"),
    "awaiting_plan": mark("The plan waits for approval"),
    "researching": mark("Researching"),
    "round_1": mark("Round 1: discovery"),
    "round_2": mark("Round 2: filling gaps"),
    "round_3": mark("Round 3: verification"),
    "writing": mark("Writing"),
    "checking": mark("Checking the quotations"),
    "done": mark("Done"),
}
ROUNDS: dict[str, str] = {
    "1": mark("Discovery"),
    "2": mark("Filling gaps"),
    "3": mark("Verification"),
}
SKIPPED: dict[str, str] = {
    "no_gaps": mark("Skipped: no gap was open."),
    "no_claims": mark("Skipped: there was no claim to verify."),
    "no_tasks_left": mark("Skipped: the tier allows no more tasks."),
    "budget": mark("Skipped: the budget was used up."),
}
ENDED: dict[str, str] = {
    "complete": mark("All three rounds were done."),
    "no_evidence": mark("Nothing was found that could be quoted. The report says so, and claims nothing."),
    "budget": mark("The budget was used up; the report holds what was found until then."),
    "cancelled": mark("It was cancelled before the end."),
    "error": mark("It ended with an error."),
}
TYPES: dict[str, str] = {"narrative": mark("Narrative"), "catalog": mark("Catalog")}
TIERS: dict[str, str] = {
    "quick": mark("Quick"),
    "standard": mark("Standard"),
    "comprehensive": mark("Comprehensive"),
    "high_quality": mark("High quality"),
}
KINDS: dict[str, str] = {kind.value: kind.label for kind in KindOfSource}
RESEARCHERS: dict[str, str] = {
    "web": mark("Web researcher"),
    "academic": mark("Academic researcher"),
    "book": mark("Book researcher"),
}
PROVIDERS: dict[str, str] = {
    "library": mark("Own library"),
    "openalex": mark("OpenAlex"),
    "openlibrary": mark("Open Library"),
    "tavily": mark("Tavily"),
    "firecrawl": mark("Firecrawl"),
}
TASKS: dict[str, str] = {
    TaskStatus.QUEUED: mark("Waiting"),
    TaskStatus.RUNNING: mark("Searching"),
    TaskStatus.DONE: mark("Done"),
    TaskStatus.NOTHING_FOUND: mark("Nothing found"),
    TaskStatus.FAILED: mark("Failed"),
}
GAP_STATES: dict[str, str] = {
    "open": mark("Still open"),
    "closed": mark("Closed"),
    "unfillable": mark("Looked for, not found"),
}
GAP_TYPES: dict[str, str] = {
    "missing_field": mark("Missing detail"),
    "weak_evidence": mark("Weak evidence"),
    "missing_topic": mark("Missing topic"),
    "missing_candidates": mark("Too few items"),
}
PRIORITIES: dict[str, str] = {"1": mark("high"), "2": mark("medium"), "3": mark("low")}
CONFIDENCES: dict[str, str] = {"high": mark("high"), "medium": mark("medium"), "low": mark("low")}
FIELD_STATUSES: dict[str, str] = {
    "found": mark("found"),
    "partial": mark("without a verified quotation"),
    "missing": mark("missing"),
}
CATALOG_FIELDS: dict[str, str] = {field.value: field.label for field in CatalogField}
CLAIMS: dict[str, str] = {
    "verified": mark("Stands in its source"),
    "misattributed": mark("Stands in another source"),
    "fabricated": mark("Stands in no source"),
}
VERIFICATIONS: dict[str, str] = {
    "confirmed": mark("Confirmed by another source"),
    "contradicted": mark("Contradicted by another source"),
    "not_found": mark("No other source says it"),
}
ORIGINS: dict[str, str] = {
    "synthesis": mark("Written from the research"),
    "uploaded": mark("Uploaded"),
    "revision": mark("Revised"),
    "restored": mark("Restored"),
    "edited": mark("Edited"),
}
SPENT: dict[str, str] = {
    "minutes": mark("Minutes"),
    "calls": mark("Model calls"),
    "tokens": mark("Tokens"),
    "usd": mark("US dollars"),
}
EXPORTS: dict[str, str] = {
    "markdown": mark("Markdown"),
    "html": mark("HTML page"),
    "docx": mark("Word"),
    "pdf": mark("PDF"),
    "json": mark("JSON"),
    "bibtex": mark("BibTeX"),
    "csl": mark("CSL JSON"),
}
REPORT_LANGUAGES: dict[str, str] = {"en": mark("English"), "es": mark("Spanish")}

_FILTERS = {
    "report_status_label": STATUSES,
    "phase_label": PHASES,
    "round_label": ROUNDS,
    "skipped_label": SKIPPED,
    "ended_label": ENDED,
    "report_type_label": TYPES,
    "tier_label": TIERS,
    "kind_label": KINDS,
    "researcher_label": RESEARCHERS,
    "provider_label": PROVIDERS,
    "task_label": TASKS,
    "gap_state_label": GAP_STATES,
    "gap_type_label": GAP_TYPES,
    "priority_label": PRIORITIES,
    "claim_confidence_label": CONFIDENCES,
    "field_status_label": FIELD_STATUSES,
    "catalog_field_label": CATALOG_FIELDS,
    "claim_label": CLAIMS,
    "verification_label": VERIFICATIONS,
    "version_origin_label": ORIGINS,
    "spent_label": SPENT,
    "export_label": EXPORTS,
    "report_language_label": REPORT_LANGUAGES,
}
for _name, _table in _FILTERS.items():
    blueprint.add_app_template_filter(partial(label, _table), _name)


@blueprint.app_template_filter("why")
def why(code: str | None) -> str:
    """What an error's code means, in a sentence; empty for a code that no error has."""
    return sentence(_meanings().get(code or "", ""))


@cache
def _meanings() -> dict[str, str]:
    # Not at import: every module that has errors of its own is there by the first request.
    found: dict[str, str] = {}
    waiting: list[type[AppError]] = [AppError]
    while waiting:
        kind = waiting.pop()
        found.setdefault(str(kind.code), kind.code.label)
        waiting += kind.__subclasses__()
    return found
