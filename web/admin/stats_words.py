"""How the statistics pages call tables and columns, and how they show values, in the language of the request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal

from flask_babel import format_decimal, format_percent, ngettext

from core.labels import LabelledEnum, label_of
from core.models import DecisionKind, FieldDecision, SubmissionStatus
from pipeline.orchestrator_state import Step
from services.stats.figures import Value
from services.stats.occurrences import Kind, SettledBy, SuggestionOrigin
from web.i18n import heading, mark, translated
from web.labels import field_label
from web.reasons import reason_info

#: Title of each table, and what it says.
TABLES: Mapping[str, tuple[str, str]] = {
    "outcomes": (
        mark("Results of entries"),
        mark("Runs of the supervisor by outcome, and what people decided."),
    ),
    "days": (mark("Outcomes over time"), mark("Runs that ended, by outcome.")),
    "reasons": (
        mark("Why it escalated"),
        mark("Runs that went to a person without a proposal, by reason and by what was missing."),
    ),
    "doubts": (mark("What was uncertain"), mark("Reasons found on entries, whatever their result.")),
    "tools": (mark("Tools per entry"), mark("What the supervisor used, and how often in a run.")),
    "nodes": (
        mark("Time of each step"),
        mark("The time within which half of them, and 95 percent of them, finished."),
    ),
    "models": (mark("Language models"), mark("Requests, including failed ones, with tokens and cost.")),
    "errors": (mark("Model errors"), mark("Requests without an answer.")),
    "proposals": (mark("Proposals"), mark("By field, reason and origin, and what people decided.")),
    "acceptance_by_field": (
        mark("Proposals by field"),
        mark("Share of decided proposals approved unchanged."),
    ),
    "acceptance_by_origin": (
        mark("Proposals by origin"),
        mark("Share of decided proposals approved unchanged."),
    ),
    "settled": (mark("From upload to settled"), mark("Entries completed by the machine, and settled by people.")),
    "effort": (mark("Work of reviewers"), mark("All reviewers' decisions together, and the time they took.")),
}
COLUMNS: Mapping[str, str] = {
    "outcome": mark("Outcome"),
    "runs": mark("Runs"),
    "share": mark("Share"),
    "before": mark("Previous period"),
    "reason": mark("Reason"),
    "field": mark("Field"),
    "doubt": mark("Uncertain"),
    "tool": mark("Tool"),
    "uses": mark("Uses"),
    "each": mark("In a run"),
    "node": mark("Step"),
    "times": mark("Times"),
    "p50_ms": mark("50 % within"),
    "p95_ms": mark("95 % within"),
    "p95_ms_before": mark("95 %, previously"),
    "provider": mark("Provider"),
    "model": mark("Model"),
    "requests": mark("Requests"),
    "failed": mark("Without answer"),
    "retries": mark("Retries"),
    "helped": mark("Retries that helped"),
    "mean_ms": mark("Average time"),
    "tokens_in": mark("Input tokens"),
    "tokens_out": mark("Output tokens"),
    "cost_usd": mark("Cost (USD)"),
    "error": mark("Error"),
    "why": mark("Why proposed"),
    "origin": mark("Origin"),
    "offered": mark("Proposed"),
    "acceptance": mark("Approved unchanged"),
    "acceptance_before": mark("Previous period"),
    "by": mark("By"),
    "settled": mark("Entries settled"),
    "p50_s": mark("50 % within"),
    "p95_s": mark("95 % within"),
    "p50_s_before": mark("50 %, previously"),
    "decision": mark("Decision"),
    "decisions": mark("Decisions"),
    "edits": mark("Values changed"),
    "undone": mark("Undone"),
    "day": mark("From"),
}
#: What the keys of each kind of figure are, by column.
KEYS: Mapping[Kind, tuple[str, ...]] = {
    Kind.RUN: ("outcome", "reason"),
    Kind.FIELD: ("outcome", "reason", "field"),
    Kind.DOUBT: ("outcome", "doubt"),
    Kind.TOOL: ("tool",),
    Kind.OFFERED: ("field", "why", "origin"),
    Kind.DECIDED: ("field", "why", "origin", "decided"),
    Kind.CALL: ("provider", "model", "error", "attempt"),
    Kind.NODE: ("node",),
    Kind.BY_PERSON: ("outcome", "reason"),
    Kind.SETTLED: ("by",),
    Kind.EFFORT: ("decision",),
    Kind.UNDONE: ("decision",),
}
#: The table that a kind of figure stands in, for the title of its entries.
TABLE_OF: Mapping[Kind, str] = {
    Kind.RUN: "outcomes",
    Kind.FIELD: "reasons",
    Kind.DOUBT: "doubts",
    Kind.TOOL: "tools",
    Kind.OFFERED: "proposals",
    Kind.DECIDED: "proposals",
    Kind.CALL: "models",
    Kind.NODE: "nodes",
    Kind.BY_PERSON: "outcomes",
    Kind.SETTLED: "settled",
    Kind.EFFORT: "effort",
    Kind.UNDONE: "effort",
}
_ENUMS: Mapping[str, type[LabelledEnum]] = {
    "outcome": SubmissionStatus,
    "tool": Step,
    "node": Step,
    "origin": SuggestionOrigin,
    "by": SettledBy,
    "decision": DecisionKind,
    "decided": FieldDecision,
}


def column_title(name: str) -> str:
    """Return the title of a column."""
    if name in FieldDecision.__members__.values():
        return translated(label_of(FieldDecision, name))
    if name in ("completed", "suggested", "escalated") or name not in COLUMNS:
        return translated(label_of(SubmissionStatus, name))
    return translated(COLUMNS[name])


def shown(column: str, value: Value) -> str:
    """Return a value as it is shown in this column; "–" for none."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return key_label(column, value)
    if column in _FORMATS:
        return _FORMATS[column](float(value))
    return str(format_decimal(value))


def key_label(column: str, key: str) -> str:
    """Return the label of a stored key that stands in this column."""
    if column in ("reason", "why"):
        return heading(key) if key else translated(mark("No reason given"))
    if column == "field":
        return field_label(key)
    if column == "doubt":
        return reason_info(key).label
    if column in _ENUMS:
        return translated(label_of(_ENUMS[column], key))
    return key


def milliseconds(value: float) -> str:
    """Return a time in milliseconds or seconds."""
    if value < 1000:
        return f"{format_decimal(round(value))} ms"
    return f"{format_decimal(round(value / 1000, 1))} s"


def seconds(value: float) -> str:
    """Return a time in seconds, minutes, hours or days, whichever has few digits."""
    if value < 120:
        return f"{format_decimal(round(value))} s"
    if value < 120 * 60:
        return f"{format_decimal(round(value / 60))} min"
    if value < 48 * 3600:
        return f"{format_decimal(round(value / 3600, 1))} h"
    days = round(value / 86400)
    return str(ngettext("%(num)d day", "%(num)d days", days))


def share(value: float) -> str:
    """Return a share in per cent."""
    return str(format_percent(value, "#,##0 %"))


def dollars(value: float) -> str:
    """Return an amount, also a small one."""
    return str(format_decimal(Decimal(str(value)), "#,##0.00##"))


_FORMATS: Mapping[str, Callable[[float], str]] = {
    "share": share,
    "acceptance": share,
    "acceptance_before": share,
    "each": lambda value: str(format_decimal(value, "#,##0.0")),
    "cost_usd": dollars,
    **dict.fromkeys(("p50_ms", "p95_ms", "p95_ms_before", "mean_ms"), milliseconds),
    **dict.fromkeys(("p50_s", "p95_s", "p50_s_before"), seconds),
}
