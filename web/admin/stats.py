"""The page of figures: filters, tables."""

from __future__ import annotations

import io
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from flask import Response, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from pipeline.ocr_providers import ALL_PROVIDERS
from pipeline.profiles import known_forms
from services.exports.contents import CsvTable
from services.stats.counts import DayCount
from services.stats.figures import MACHINE_OUTCOMES, Figure, FigureRow, StatsTable, Value
from services.stats.lists import COUNT_LIMIT, OrchestratorStats, list_counted, orchestrator_stats
from services.stats.occurrences import DEFAULT_DAYS, PERIODS, Kind, Period, StatsFilter
from web.access import get_context, whole_number
from web.admin import blueprint
from web.admin.stats_words import (
    KEYS,
    TABLE_OF,
    TABLES,
    Line,
    bars,
    column_title,
    key_label,
    spans,
    stacked_bars,
    stat_value,
)
from web.i18n import LANGUAGES, translated


@blueprint.get("/orchestrator_stats", "overseer")
def stats() -> ResponseReturnValue:
    wanted = wanted_filter()
    found = orchestrator_stats(get_context(), wanted)
    return render_template(
        "admin/stats.html",
        stats=found,
        wanted=wanted,
        filters=filter_parameters(wanted),
        periods=PERIODS,
        profiles=known_forms(),
        providers=[provider.name for provider in ALL_PROVIDERS],
        entry_languages=LANGUAGES,
        chart=stacked_bars([(day, day.outcomes) for day in found.by_day], MACHINE_OUTCOMES),
        outcome_words={outcome: key_label("outcome", outcome).lower() for outcome in MACHINE_OUTCOMES},
        day_links=day_links(wanted),
        tables={name: shown_table(table, wanted) for name, table in _tables(found).items()},
        count_limit=COUNT_LIMIT,
    )


@blueprint.get("/orchestrator_stats/<table>.csv", "overseer")
def stats_csv(table: str) -> ResponseReturnValue:
    """Send one table with stored keys and plain numbers, for programs."""
    found = _tables(orchestrator_stats(get_context(), wanted_filter())).get(table)
    if found is None:
        abort(404)
    text = io.StringIO()
    csv = CsvTable(text)
    csv.write(found.columns)
    for row in found.rows:
        csv.write(map(row.values.get, found.columns))
    response = Response(text.getvalue(), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f"attachment; filename={table}.csv"
    return response


@blueprint.get("/orchestrator_stats/submissions", "overseer")
def stats_submissions() -> ResponseReturnValue:
    wanted = wanted_filter()
    figure, within = wanted_figure()
    return render_template(
        "admin/stats_submissions.html",
        page=list_counted(get_context(), wanted, figure, within, request.args.get("page")),
        wanted=wanted,
        within=within,
        filters=filter_parameters(wanted),
        sent={**filter_parameters(wanted), **figure_as_sent(figure, within)},
        table=translated(TABLES[TABLE_OF[figure.kind]][0]),
        title=figure_title(figure),
    )


def _tables(found: OrchestratorStats) -> dict[str, StatsTable]:
    return {**found.tables, "days": days_table(found.by_day)}


# Tables of figures as pages show them: words, links and bars.


#: The column whose values are drawn as bars, by table, and the value of a full bar if it is fixed.
_BARS: dict[str, tuple[str, float | None]] = {
    "reasons": ("runs", None),
    "doubts": ("runs", None),
    "tools": ("uses", None),
    "models": ("cost_usd", None),
    "errors": ("requests", None),
    "acceptance_by_field": ("acceptance", 1.0),
    "acceptance_by_origin": ("acceptance", 1.0),
    "effort": ("decisions", None),
}
#: The columns between whose values a span is drawn, by table.
_SPANS = {"nodes": ("p50_ms", "p95_ms"), "settled": ("p50_s", "p95_s")}


@dataclass(frozen=True)
class Cell:
    """One value as it is shown, and the URL of the entries behind it."""

    text: str
    is_number: bool
    url: str | None = None


@dataclass(frozen=True)
class ChartLine:
    """One line of a chart: what it is about, its bar, its value."""

    label: str
    bar: Line
    value: Cell


@dataclass(frozen=True)
class ShownTable:
    """A table in the language of the request."""

    name: str
    title: str
    about: str
    columns: list[tuple[str, bool]]
    rows: list[list[Cell]]
    chart: list[ChartLine]
    csv_url: str


def shown_table(table: StatsTable, wanted: StatsFilter) -> ShownTable:
    """Return a table with its chart, every figure a link to its entries."""
    title, about = TABLES[table.name]
    rows = [[_cell(row, column, wanted) for column in table.columns] for row in table.rows]
    return ShownTable(
        name=table.name,
        title=translated(title),
        about=translated(about),
        columns=[(column_title(column), _holds_numbers(table, column)) for column in table.columns],
        rows=rows,
        chart=_chart(table, wanted),
        csv_url=url_for("admin.stats_csv", table=table.name, **filter_parameters(wanted)),
    )


def days_table(by_day: Sequence[DayCount]) -> StatsTable:
    rows = [FigureRow({"day": day.day.isoformat(), **day.outcomes}) for day in by_day]
    return StatsTable("days", ("day", *MACHINE_OUTCOMES), tuple(rows))


def day_links(wanted: StatsFilter) -> dict[str, str]:
    """Return {outcome: URL of its entries}, to which `&from=…&to=…` is added for a day or a month.

    One URL per outcome, because a page has hundreds of links.
    """
    return {outcome: figure_url(wanted, Figure(Kind.RUN, (outcome,))) for outcome in MACHINE_OUTCOMES}


def figure_title(figure: Figure) -> str:
    """Return in words what a figure counts, by its keys."""
    keys = zip(KEYS[figure.kind], figure.keys, strict=False)
    return ", ".join(key_label(column, key) for column, key in keys if key is not None)


def _cell(row: FigureRow, column: str, wanted: StatsFilter) -> Cell:
    value = row.values.get(column)
    figure = row.behind.get(column)
    url = figure_url(wanted, figure) if figure is not None and value not in (None, 0) else None
    return Cell(stat_value(column, value), _is_number(value), url)


def _chart(table: StatsTable, wanted: StatsFilter) -> list[ChartLine]:
    if table.name in _BARS:
        column, top = _BARS[table.name]
        drawn = bars([_float(row.values.get(column)) for row in table.rows], top)
    elif table.name in _SPANS:
        low, column = _SPANS[table.name]
        drawn = spans([(_float(row.values.get(low)), _float(row.values.get(column))) for row in table.rows])
    else:
        return []
    return [
        ChartLine(_label(table, row), bar, _cell(row, column, wanted))
        for row, bar in zip(table.rows, drawn, strict=True)
    ]


def _label(table: StatsTable, row: FigureRow) -> str:
    """Return the words of a line: its codes, joined."""
    named = [(column, row.values.get(column)) for column in table.columns]
    return " · ".join(stat_value(column, value) for column, value in named if isinstance(value, str))


def _holds_numbers(table: StatsTable, column: str) -> bool:
    return not any(isinstance(row.values.get(column), str) for row in table.rows)


def _is_number(value: Value) -> bool:
    return not isinstance(value, str)


def _float(value: Value) -> float | None:
    return None if value is None or isinstance(value, str) else float(value)


# The filters and figures of the statistics pages in URLs.


#: Filters for an unknown value; an empty value does not filter.
UNKNOWN = "-"
_ANY = "*"
#: Most keys that a kind of figure has.
_MOST_KEYS = 4


def wanted_filter(given: MultiDict[str, str] | None = None) -> StatsFilter:
    """Return the filters from the URL; invalid values are ignored."""
    given = request.args if given is None else given
    days = given.get("days", DEFAULT_DAYS, type=whole_number)
    return StatsFilter(
        days=days if days in PERIODS else DEFAULT_DAYS,
        profile=_text(given.get("form")),
        language=_text(given.get("language")),
        ocr_provider=_text(given.get("provider")),
        batch_id=given.get("batch", type=uuid.UUID),
        school_id=given.get("school", type=uuid.UUID),
    )


def filter_parameters(wanted: StatsFilter) -> dict[str, Any]:
    named = {
        "days": wanted.days,
        "form": _sent(wanted.profile),
        "language": _sent(wanted.language),
        "provider": _sent(wanted.ocr_provider),
        "batch": wanted.batch_id,
        "school": wanted.school_id,
    }
    return {name: str(value) for name, value in named.items() if value is not None}


def figure_url(wanted: StatsFilter, figure: Figure, within: Period | None = None) -> str:
    return url_for("admin.stats_submissions", **filter_parameters(wanted), **figure_as_sent(figure, within))


def figure_as_sent(figure: Figure, within: Period | None = None) -> dict[str, Any]:
    """Return a figure, and its own period if it has one, as URL parameters."""
    keys = [_ANY if key is None else key for key in figure.keys]
    own = {} if within is None else {"from": within.first.isoformat(), "to": within.last.isoformat()}
    return {"kind": figure.kind.value, "key": keys, **own}


def wanted_figure() -> tuple[Figure, Period | None]:
    """Return the figure in the URL, and its own period if it has one. Aborts with 404 for an unknown kind."""
    kinds: Mapping[str, Kind] = {kind.value: kind for kind in Kind}
    kind = kinds.get(request.args.get("kind", Kind.RUN.value))
    if kind is None:
        abort(404)
    keys = tuple(None if key == _ANY else key for key in request.args.getlist("key")[:_MOST_KEYS])
    first = request.args.get("from", type=date.fromisoformat)
    last = request.args.get("to", type=date.fromisoformat)
    within = Period(first, last) if first is not None and last is not None and first <= last else None
    return Figure(kind, keys), within


def _text(given: str | None) -> str | None:
    if given == UNKNOWN:
        return ""
    return given.strip() or None if given and "\0" not in given else None


def _sent(value: str | None) -> str | None:
    return UNKNOWN if value == "" else value
