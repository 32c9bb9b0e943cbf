"""Words and charts of the page of figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Generic, TypeVar

from flask_babel import format_decimal, format_percent, ngettext

from core.messages import LabelledEnum, label_of
from core.models import DecisionKind, FieldDecision, SubmissionStatus
from pipeline.orchestrator.decisions import Step
from services.stats.figures import Value
from services.stats.occurrences import Kind, SettledBy, SuggestionOrigin
from web.i18n import heading_of_code, mark, translated
from web.labels import shown_reason, submission_field_label

#: Title and explanation of each table.
TABLES: Mapping[str, tuple[str, str]] = {
    "outcomes": (mark("Results of entries"), mark("Runs of the supervisor by outcome, and what people decided.")),
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
    "acceptance_by_field": (mark("Proposals by field"), mark("Share of decided proposals approved unchanged.")),
    "acceptance_by_origin": (mark("Proposals by origin"), mark("Share of decided proposals approved unchanged.")),
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
#: The table that shows a kind of figure, for the title of its entries.
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
    if name in FieldDecision.__members__.values():
        return translated(label_of(FieldDecision, name))
    if name in ("completed", "suggested", "escalated") or name not in COLUMNS:
        return translated(label_of(SubmissionStatus, name))
    return translated(COLUMNS[name])


def stat_value(column: str, value: Value) -> str:
    """Return a value as it is shown in this column; "–" for none."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return key_label(column, value)
    if column in _FORMATS:
        return _FORMATS[column](float(value))
    return str(format_decimal(value))


def key_label(column: str, key: str) -> str:
    """Return the label of a stored key in this column."""
    if column in ("reason", "why"):
        return heading_of_code(key) if key else translated(mark("No reason given"))
    if column == "field":
        return submission_field_label(key)
    if column == "doubt":
        return shown_reason(key).label
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
    return str(format_percent(value, "#,##0 %"))


def dollars(value: float) -> str:
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


# A bar, or a span between two values, beside each line of a table.


#: Width of the full value.
LINES_WIDTH = 100.0
#: Least width of a bar above zero, so that it stays visible.
_LEAST = 1.0


@dataclass(frozen=True)
class Line:
    """Where a bar begins, and how wide it is, of LINES_WIDTH."""

    x: float
    width: float


def bars(values: Sequence[float | None], top: float | None = None) -> list[Line]:
    """Return a bar for each value, the largest (or `top`) at full width; None and 0 have no width."""
    known = [value for value in values if value is not None]
    full = top or max(known, default=0.0)
    return [Line(0.0, max(LINES_WIDTH * value / full, _LEAST) if value and full else 0.0) for value in values]


def spans(values: Sequence[tuple[float | None, float | None]]) -> list[Line]:
    """Return a span from the lower to the higher value of each pair, on a log scale that begins at 1."""
    full = max((math.log1p(high) for _, high in values if high), default=0.0)
    return [_span(low, high, full) for low, high in values]


def _span(low: float | None, high: float | None, full: float) -> Line:
    if low is None or high is None or not full:
        return Line(0.0, 0.0)
    x, end = (LINES_WIDTH * math.log1p(value) / full for value in (low, high))
    # Keep a span without length inside the frame.
    x = min(x, LINES_WIDTH - _LEAST)
    return Line(x, max(end - x, _LEAST))


# Counts over time as a chart of stacked bars, an SVG without inline styles.


Span = TypeVar("Span")
WIDTH = 720.0
HEIGHT = 140.0
_GAP_SHARE = 0.25


@dataclass(frozen=True)
class Bar:
    """One segment of a stacked bar."""

    kind: str
    count: int
    #: Attributes of its SVG rectangle.
    box: str


@dataclass(frozen=True)
class Column(Generic[Span]):
    """The segments of one period, from the bottom."""

    of: Span
    bars: list[Bar]


@dataclass(frozen=True)
class StackedBars(Generic[Span]):
    """All columns that are not empty; `top` is the value of the full height."""

    columns: list[Column[Span]]
    top: int
    width: float = WIDTH
    height: float = HEIGHT


def stacked_bars(
    spans: Sequence[tuple[Span, Mapping[str, int]]], kinds: Sequence[str]
) -> StackedBars[Span] | None:
    """Return the chart of counts by kind, the first kind at the bottom; None if there is nothing to draw."""
    top = max((sum(counts.get(kind, 0) for kind in kinds) for _, counts in spans), default=0)
    if top == 0:
        return None
    step = WIDTH / len(spans)
    columns = [
        Column(span, _stacked(counts, kinds, index * step, step * (1 - _GAP_SHARE), HEIGHT / top))
        for index, (span, counts) in enumerate(spans)
    ]
    return StackedBars([column for column in columns if column.bars], top)


def _stacked(counts: Mapping[str, int], kinds: Sequence[str], x: float, width: float, unit: float) -> list[Bar]:
    bars: list[Bar] = []
    base = HEIGHT
    for kind in kinds:
        if count := counts.get(kind, 0):
            base -= unit * count
            box = f'x="{x:.2f}" y="{base:.2f}" width="{width:.2f}" height="{unit * count:.2f}"'
            bars.append(Bar(kind, count, box))
    return bars
