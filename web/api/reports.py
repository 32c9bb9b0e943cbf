"""The API's reports, their supervision and revisions."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any

from flask import Response, url_for
from flask.typing import ResponseReturnValue

from core.errors import ConflictError
from core.models import ExportStatus
from research.exports.formats import EXPORT_FORMATS
from services.items.holds import Hold, release_hold
from services.messages.entries import ExportRefused
from services.reports.files import version_file
from services.reports.progress import report_progress
from services.reports.request import ReportRequest, approve_plan, cancel_report, request_report, retry_report
from services.reports.versions import ReportFilter, list_reports, report_document, report_versions
from services.supervision.documents import editable_markdown, may_edit_whole, upload_document
from services.supervision.request import cancel_supervision, restore_version, retry_supervision, start_supervision
from services.supervision.revisions import decide_revision, list_revisions, revision_detail
from services.supervision.timeline import supervision_timeline, supervisions_of
from web.access import get_context, get_person
from web.api.escalations import HoldShape, take_own_hold
from web.api.operation import JSON, Media, if_changed, operation, version_seen
from web.api.protocol import PageQuery
from web.api.report_shapes import (
    ExportQuery,
    NewDocument,
    NewReport,
    NewSupervision,
    PlanGiven,
    ProgressShape,
    ReportFile,
    ReportList,
    ReportQuery,
    ReportShape,
    RevisionDecision,
    RevisionList,
    RevisionShape,
    SupervisionLines,
    SupervisionLineShape,
    SupervisionShape,
    VersionShape,
)
from web.office.exports import sent
from web.research.files import not_ready
from web.research.labels import why
from web.security.sent_form import sent_file

_supervision = partial(operation, tag="supervision")

# Supervisions of reports: start, follow, stop and retry them; upload a document for supervision.


@_supervision(
    "POST",
    "/documents",
    rule="researcher",
    multipart=True,
    answer=ReportShape,
    status=201,
    problems=(413, 415, 422),
)
def take_in_document(body: NewDocument) -> Any:
    """Upload a document as a report that can be supervised."""
    name, data = sent_file("file")
    report_id = upload_document(get_context(), get_person().id, name, data, library_only=body.library_only)
    return shown_report(report_id)


@_supervision("GET", "/reports/<uuid:report_id>/supervisions", rule="report_reader", answer=SupervisionLines)
def list_supervisions(report_id: uuid.UUID) -> Any:
    """List the supervisions of a report."""
    report_versions(get_context(), report_id)
    return {"rows": supervisions_of(get_context(), report_id)}


@_supervision(
    "POST",
    "/reports/<uuid:report_id>/supervisions",
    rule="researcher",
    answer=SupervisionShape,
    status=201,
    problems=(409,),
)
def begin_supervision(report_id: uuid.UUID, body: NewSupervision) -> Any:
    """Start a supervision, which looks for theoretical gaps in a report and closes them one at a time.

    409 says who has started one already.
    """
    budget = body.budget.model_dump(exclude_none=True)
    return _shown(start_supervision(get_context(), get_person().id, report_id, body.tier, body.mode, budget))


@_supervision(
    "GET", "/supervisions/<uuid:supervision_id>", rule="report_reader", answer=SupervisionShape, conditional=True
)
def get_supervision(supervision_id: uuid.UUID) -> Response:
    """Show a supervision with its attempts; 304 while nothing has changed."""
    timeline = supervision_timeline(get_context(), supervision_id)
    return if_changed(timeline, lambda: _shown(supervision_id))


@_supervision(
    "POST",
    "/supervisions/<uuid:supervision_id>/cancel",
    rule="researcher",
    answer=SupervisionShape,
    problems=(409,),
)
def cancel_one_supervision(supervision_id: uuid.UUID) -> Any:
    """Stop a supervision after its current step; the versions so far are kept."""
    cancel_supervision(get_context(), get_person().id, supervision_id)
    return _shown(supervision_id)


@_supervision(
    "POST",
    "/supervisions/<uuid:supervision_id>/retry",
    rule="researcher",
    answer=SupervisionShape,
    status=201,
    problems=(409,),
)
def retry_one_supervision(supervision_id: uuid.UUID) -> Any:
    """Retry a supervision that failed or was stopped."""
    return _shown(retry_supervision(get_context(), get_person().id, supervision_id))


def _shown(supervision_id: uuid.UUID) -> SupervisionShape:
    timeline = supervision_timeline(get_context(), supervision_id)
    line = SupervisionLineShape.model_validate(timeline.line)
    return SupervisionShape.model_validate(
        {**line.model_dump(), "budget": timeline.budget, "attempts": timeline.attempts}
    )


# Revisions of reports: the queue, one in full, the decision; versions and their restoration.


@_supervision("GET", "/revisions", rule="report_reader", answer=RevisionList)
def list_waiting_revisions(query: PageQuery) -> Any:
    """List the revisions that wait for a person."""
    return list_revisions(get_context(), query.cursor or None, query.limit)


@_supervision("GET", "/revisions/<uuid:revision_id>", rule="report_reader", answer=RevisionShape)
def get_revision(revision_id: uuid.UUID) -> Any:
    """Show one revision: the document before and after, and why."""
    return _shown_revision(revision_id)


@_supervision("PUT", "/revisions/<uuid:revision_id>/claim", rule="researcher", answer=HoldShape, problems=(409,))
def hold_one_revision(revision_id: uuid.UUID) -> Hold:
    """Hold a revision, or prolong the hold.

    409 says who holds it or who decided it.
    """
    return take_own_hold("revision", revision_id)


@_supervision("DELETE", "/revisions/<uuid:revision_id>/claim", rule="researcher", answer=None)
def release_one_revision(revision_id: uuid.UUID) -> None:
    """Release the hold on a revision.

    It is no error if there is none.
    """
    release_hold(get_context(), get_person().id, "revision", revision_id)


@_supervision("POST", "/revisions/<uuid:revision_id>/decision", rule="researcher", answer=RevisionShape)
def decide_one_revision(revision_id: uuid.UUID, body: RevisionDecision) -> Any:
    """Accept, edit or reject a revision; the supervision continues at once.

    If the guard refuses an edited text, `detail` says why.
    """
    decide_revision(
        get_context(),
        get_person().id,
        revision_id,
        version_seen(body),
        body.decided,
        edited_markdown=body.edited_markdown,
        reason=body.reason,
    )
    return _shown_revision(revision_id)


@_supervision(
    "GET",
    "/reports/<uuid:report_id>/versions/<int(min=1,max=999999):version_no>",
    rule="report_reader",
    answer=VersionShape,
)
def get_version(report_id: uuid.UUID, version_no: int) -> Any:
    """Show one version of a report, to be compared with another."""
    return {"version_no": version_no, "document": report_document(get_context(), report_id, version_no)}


@_supervision(
    "POST",
    "/reports/<uuid:report_id>/versions/<int(min=1,max=999999):version_no>/restore",
    rule="researcher",
    answer=ReportShape,
    problems=(409, 422),
)
def restore_one_version(report_id: uuid.UUID, version_no: int) -> Any:
    """Restore a version by adding a copy of it as the newest one."""
    restore_version(get_context(), get_person().id, report_id, version_no)
    return shown_report(report_id)


def _shown_revision(revision_id: uuid.UUID) -> RevisionShape:
    detail = revision_detail(get_context(), revision_id)
    fields = {name: getattr(detail, name) for name in RevisionShape.model_fields if hasattr(detail, name)}
    shown = detail.proposed if detail.proposed and may_edit_whole(detail.proposed) else None
    editable = editable_markdown(shown) if shown else None
    return RevisionShape.model_validate({**fields, "editable": editable})


# Reports: request them, follow them, approve their plans, fetch their versions.


@operation("GET", "/reports", rule="report_reader", answer=ReportList)
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


@operation("POST", "/reports", rule="researcher", answer=ReportShape, status=201)
def ask_for_report(body: NewReport) -> Any:
    """Request a report.

    It is researched in the background.
    """
    given = body.model_dump(exclude={"budget"})
    limits = body.budget.model_dump(exclude_none=True)
    return shown_report(request_report(get_context(), get_person().id, ReportRequest(**given, budget=limits)))


@operation("GET", "/reports/<uuid:report_id>", rule="report_reader", answer=ReportShape)
def get_report(report_id: uuid.UUID) -> Any:
    """Show one report: its request, its status and the addresses of its files."""
    return shown_report(report_id)


@operation(
    "GET", "/reports/<uuid:report_id>/progress", rule="report_reader", answer=ProgressShape, conditional=True
)
def get_report_progress(report_id: uuid.UUID) -> Response:
    """Show rounds, tasks, memos, gaps and sources; 304 while nothing has changed."""
    progress = report_progress(get_context(), report_id)
    return if_changed(progress, lambda: ProgressShape.model_validate(progress))


@operation("POST", "/reports/<uuid:report_id>/plan", rule="researcher", answer=ReportShape)
def approve_report_plan(report_id: uuid.UUID, body: PlanGiven) -> Any:
    """Approve the waiting plan, unchanged or changed."""
    version = version_seen(body)
    plan = body.model_dump(exclude={"version"}, exclude_none=True)
    approve_plan(get_context(), get_person().id, report_id, version, plan)
    return shown_report(report_id)


@operation("POST", "/reports/<uuid:report_id>/cancel", rule="researcher", answer=ReportShape, problems=(409,))
def cancel_one_report(report_id: uuid.UUID) -> Any:
    """Stop a report after its current step; its results so far are kept."""
    cancel_report(get_context(), get_person().id, report_id)
    return shown_report(report_id)


@operation("POST", "/reports/<uuid:report_id>/retry", rule="researcher", answer=ReportShape, problems=(409,))
def retry_one_report(report_id: uuid.UUID) -> Any:
    """Retry a report that failed or was stopped; only failed model calls are repeated."""
    retry_report(get_context(), get_person().id, report_id)
    return shown_report(report_id)


@operation(
    "GET",
    "/reports/<uuid:report_id>/export",
    rule="report_reader",
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
    report = report_versions(get_context(), report_id)
    facts = report.facts
    exports = {
        name: url_for("api.export_report", report_id=report_id, format=name)
        for name in EXPORT_FORMATS
        if report.versions
    }
    fields = {name: getattr(facts, name) for name in ReportShape.model_fields if hasattr(facts, name)}
    fields["error_message"] = why(facts.error_code) or None
    return ReportShape.model_validate({**fields, "versions": report.versions, "exports": exports})
