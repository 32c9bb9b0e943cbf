"""Statistics of the supervisor: the page, its tables as CSV, and the entries behind a figure."""

from __future__ import annotations

import io

from flask import Response, abort, render_template, request
from flask.typing import ResponseReturnValue

from pipeline.ocr_providers import ALL_PROVIDERS
from pipeline.profiles import known_forms
from services.exports.cells import CsvTable
from services.stats.figures import MACHINE_OUTCOMES, StatsTable
from services.stats.list_counted import list_counted
from services.stats.orchestrator_stats import COUNT_LIMIT, OrchestratorStats, orchestrator_stats
from services.stats.period import PERIODS
from web.access import access
from web.admin import blueprint
from web.admin.charts.stacked import stacked_bars
from web.admin.stats_filters import as_sent, figure_as_sent, wanted_figure, wanted_filter
from web.admin.stats_tables import day_links, days_table, figure_title, shown_table
from web.admin.stats_words import TABLE_OF, TABLES, key_label
from web.context import get_context
from web.i18n import LANGUAGES, translated


@blueprint.get("/orchestrator_stats")
@access("overseer")
def stats() -> ResponseReturnValue:
    wanted = wanted_filter()
    found = orchestrator_stats(get_context(), wanted)
    return render_template(
        "admin/stats.html",
        stats=found,
        wanted=wanted,
        filters=as_sent(wanted),
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


@blueprint.get("/orchestrator_stats/<table>.csv")
@access("overseer")
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


@blueprint.get("/orchestrator_stats/submissions")
@access("overseer")
def stats_submissions() -> ResponseReturnValue:
    wanted = wanted_filter()
    figure, within = wanted_figure()
    return render_template(
        "admin/stats_submissions.html",
        page=list_counted(get_context(), wanted, figure, within, request.args.get("page")),
        wanted=wanted,
        within=within,
        filters=as_sent(wanted),
        sent={**as_sent(wanted), **figure_as_sent(figure, within)},
        table=translated(TABLES[TABLE_OF[figure.kind]][0]),
        title=figure_title(figure),
    )


def _tables(found: OrchestratorStats) -> dict[str, StatsTable]:
    return {**found.tables, "days": days_table(found.by_day)}
