"""Tables of figures as pages show them: words, links and bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import url_for

from services.stats.figures import MACHINE_OUTCOMES, Figure, Row, StatsTable, Value
from services.stats.occurrences import Kind
from services.stats.period import StatsFilter
from services.stats.read_counts import DayCount
from web.admin.charts.lines import Line, bars, spans
from web.admin.stats_filters import as_sent, link_to
from web.admin.stats_words import KEYS, TABLES, column_title, key_label, shown
from web.i18n import translated

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
    """One value as it is shown, and the address of what is behind it."""

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
        csv_url=url_for("admin.stats_csv", table=table.name, **as_sent(wanted)),
    )


def days_table(by_day: Sequence[DayCount]) -> StatsTable:
    """Return the runs over time as a table."""
    rows = [Row({"day": day.day.isoformat(), **day.outcomes}) for day in by_day]
    return StatsTable("days", ("day", *MACHINE_OUTCOMES), tuple(rows))


def day_links(wanted: StatsFilter) -> dict[str, str]:
    """Return {outcome: address of its entries}, to which `&from=…&to=…` is added for a day or a month.

    A page has hundreds of them.
    """
    return {outcome: link_to(wanted, Figure(Kind.RUN, (outcome,))) for outcome in MACHINE_OUTCOMES}


def figure_title(figure: Figure) -> str:
    """Return in words what a figure counts, by its keys."""
    keys = zip(KEYS[figure.kind], figure.keys, strict=False)
    return ", ".join(key_label(column, key) for column, key in keys if key is not None)


def _cell(row: Row, column: str, wanted: StatsFilter) -> Cell:
    value = row.values.get(column)
    figure = row.behind.get(column)
    linked = figure is not None and value not in (None, 0)
    return Cell(shown(column, value), _is_number(value), link_to(wanted, figure) if linked and figure else None)


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


def _label(table: StatsTable, row: Row) -> str:
    """Return the words of a line: its codes, joined."""
    named = [(column, row.values.get(column)) for column in table.columns]
    return " · ".join(shown(column, value) for column, value in named if isinstance(value, str))


def _holds_numbers(table: StatsTable, column: str) -> bool:
    return not any(isinstance(row.values.get(column), str) for row in table.rows)


def _is_number(value: Value) -> bool:
    return not isinstance(value, str)


def _float(value: Value) -> float | None:
    return None if value is None or isinstance(value, str) else float(value)
