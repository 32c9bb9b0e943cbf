"""The list of reports; its filters live in the URL."""

from __future__ import annotations

from flask import render_template, request
from flask.typing import ResponseReturnValue

from core.labels import keys_of
from core.models import ReportStatus
from research.labels import TierLabel
from research.report_type import ReportType
from services.reports.list_reports import ReportFilter, list_reports
from web.access import access
from web.context import get_context, get_person
from web.research import blueprint

_STATUSES, _TYPES, _TIERS = keys_of(ReportStatus), keys_of(ReportType), keys_of(TierLabel)


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
        report_statuses=_STATUSES,
        report_types=_TYPES,
        tiers=_TIERS,
    )


def _filter() -> ReportFilter:
    """Read the filter from the URL; invalid values are ignored."""
    args = request.args
    return ReportFilter(
        status=args.get("status") if args.get("status") in _STATUSES else None,
        report_type=args.get("type") if args.get("type") in _TYPES else None,
        tier=args.get("tier") if args.get("tier") in _TIERS else None,
        requested_by=get_person().id if args.get("mine") == "yes" else None,
        text=(args.get("q") or "").strip()[:200] or None,
    )
