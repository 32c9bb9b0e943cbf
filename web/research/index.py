"""The list of reports; its filters live in the URL."""

from __future__ import annotations

from flask import render_template, request
from flask.typing import ResponseReturnValue

from services.reports.list_reports import ReportFilter, list_reports
from web.access import access
from web.context import get_context, get_person
from web.research import blueprint
from web.research.labels import STATUSES, TIERS, TYPES


@blueprint.get("")
@access("report_reader")
def index() -> ResponseReturnValue:
    wanted = _filter()
    return render_template(
        "research/index.html",
        page=list_reports(get_context(), wanted, request.args.get("page")),
        wanted=wanted,
        narrowed=wanted != ReportFilter(),
        filters={key: value for key, value in request.args.items() if key != "page" and value},
        report_statuses=STATUSES,
        report_types=TYPES,
        tiers=TIERS,
    )


def _filter() -> ReportFilter:
    """Read the URL; what does not fit narrows nothing."""
    args = request.args
    return ReportFilter(
        status=args.get("status") if args.get("status") in STATUSES else None,
        report_type=args.get("type") if args.get("type") in TYPES else None,
        tier=args.get("tier") if args.get("tier") in TIERS else None,
        requested_by=get_person().id if args.get("mine") == "yes" else None,
        text=(args.get("q") or "").strip()[:200] or None,
    )
