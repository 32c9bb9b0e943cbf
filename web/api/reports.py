"""Reports: request them, follow them, approve their plans, fetch their versions."""

from __future__ import annotations

import uuid
from typing import Any

from flask import Response, request, url_for
from flask.typing import ResponseReturnValue

from core.errors import ConflictError
from core.models import ExportStatus
from research.exports import EXPORT_FORMATS
from services.messages.export import ExportRefused
from services.reports.approve_plan import approve_plan
from services.reports.cancel_report import cancel_report
from services.reports.list_reports import ReportFilter, list_reports
from services.reports.report_detail import report_detail
from services.reports.report_progress import report_progress
from services.reports.request_report import ReportRequest, request_report
from services.reports.retry_report import retry_report
from services.reports.version_file import version_file
from web.api.protocol.operation import JSON, Media, operation
from web.api.protocol.versions import version_seen
from web.api.shapes.report_shapes import (
    ExportQuery,
    NewReport,
    PlanGiven,
    ProgressShape,
    ReportFile,
    ReportList,
    ReportQuery,
    ReportShape,
)
from web.context import get_context, get_person
from web.exports.download import sent
from web.research.export import not_ready
from web.research.labels import why


@operation(
    "GET", "/reports", tag="reports", rule="report_reader", scope="read", query=ReportQuery, answer=ReportList
)
def list_all_reports(query: ReportQuery) -> Any:
    """List the reports of the season."""
    wanted = ReportFilter(
        status=query.status,
        report_type=query.report_type,
        tier=query.tier,
        requested_by=get_person().id if query.mine else None,
        text=query.q or None,
    )
    return list_reports(get_context(), wanted, query.cursor or None, query.limit)


@operation(
    "POST",
    "/reports",
    tag="reports",
    rule="researcher",
    scope="write",
    body=NewReport,
    answer=ReportShape,
    status=201,
)
def ask_for_report(body: NewReport) -> Any:
    """Request a report.

    It is researched in the background.
    """
    given = body.model_dump(exclude={"budget"})
    limits = body.budget.model_dump(exclude_none=True)
    return shown_report(request_report(get_context(), get_person().id, ReportRequest(**given, budget=limits)))


@operation(
    "GET", "/reports/<uuid:report_id>", tag="reports", rule="report_reader", scope="read", answer=ReportShape
)
def get_report(report_id: uuid.UUID) -> Any:
    """Show one report: its request, its status and the addresses of its files."""
    return shown_report(report_id)


@operation(
    "GET",
    "/reports/<uuid:report_id>/progress",
    tag="reports",
    rule="report_reader",
    scope="read",
    answer=ProgressShape,
    conditional=True,
)
def get_report_progress(report_id: uuid.UUID) -> Response:
    """Show rounds, tasks, memos, gaps and sources; 304 while nothing has changed."""
    progress = report_progress(get_context(), report_id)
    if progress.fingerprint in request.if_none_match:
        response = Response(status=304)
    else:
        response = Response(ProgressShape.model_validate(progress).model_dump_json(), content_type=JSON)
    response.set_etag(progress.fingerprint)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@operation(
    "POST",
    "/reports/<uuid:report_id>/plan",
    tag="reports",
    rule="researcher",
    scope="write",
    body=PlanGiven,
    answer=ReportShape,
    versioned=True,
)
def approve_report_plan(report_id: uuid.UUID, body: PlanGiven) -> Any:
    """Approve the waiting plan, unchanged or changed."""
    version = version_seen(body)
    plan = body.model_dump(exclude={"version"}, exclude_none=True)
    approve_plan(get_context(), get_person().id, report_id, version, plan)
    return shown_report(report_id)


@operation(
    "POST",
    "/reports/<uuid:report_id>/cancel",
    tag="reports",
    rule="researcher",
    scope="write",
    answer=ReportShape,
    problems=(409,),
)
def cancel_one_report(report_id: uuid.UUID) -> Any:
    """Stop a report after its current step; its results so far are kept."""
    cancel_report(get_context(), get_person().id, report_id)
    return shown_report(report_id)


@operation(
    "POST",
    "/reports/<uuid:report_id>/retry",
    tag="reports",
    rule="researcher",
    scope="write",
    answer=ReportShape,
    problems=(409,),
)
def retry_one_report(report_id: uuid.UUID) -> Any:
    """Retry a report that failed or was stopped; only failed model calls are repeated."""
    retry_report(get_context(), get_person().id, report_id)
    return shown_report(report_id)


@operation(
    "GET",
    "/reports/<uuid:report_id>/export",
    tag="reports",
    rule="report_reader",
    scope="read",
    query=ExportQuery,
    answer=Media("*/*", "The report, under the content type of its format."),
    meanwhile=ReportFile,
    problems=(409,),
)
def export_report(report_id: uuid.UUID, query: ExportQuery) -> ResponseReturnValue:
    """Fetch a version of the report as a file.

    It is made in the background when it is first asked for: 202 while it is being made, with where to ask again;
    409 for ten minutes after it could not be made, for example because the document is too large for the format.
    """
    file = version_file(get_context(), get_person().id, report_id, query.format, query.version)
    if file.status is ExportStatus.DONE:
        return sent(file, file.content_type)
    if file.error:
        raise ConflictError(ExportRefused.NOT_MADE, why=file.error)
    response = not_ready(ReportFile.model_validate(file).model_dump_json(), file)
    response.content_type = JSON
    return response


def shown_report(report_id: uuid.UUID) -> ReportShape:
    """Return one report, with the addresses of its files."""
    detail = report_detail(get_context(), report_id)
    facts = detail.progress.facts
    exports = {
        name: url_for("api.export_report", report_id=report_id, format=name)
        for name in EXPORT_FORMATS
        if detail.document
    }
    fields = {name: getattr(facts, name) for name in ReportShape.model_fields if hasattr(facts, name)}
    fields["error_message"] = why(facts.error_code) or None
    return ReportShape.model_validate({**fields, "versions": detail.versions, "exports": exports})
