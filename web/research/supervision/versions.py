"""Versions of a report: compare any two, and restore an earlier one."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import AppError, ConflictError, InvalidInputError, NotFoundError
from services.reports.report_detail import ReportDetail, report_detail
from services.reports.report_version import report_document
from services.supervision.restore_version import restore_version
from web.access import access
from web.context import get_context, get_person
from web.differences.document_diff import document_diff
from web.research import blueprint
from web.research.supervision.revisions import VIEWS
from web.told import told
from web.whole_number import whole_number


@blueprint.get("/<uuid:report_id>/compare")
@access("report_reader")
def compare(report_id: uuid.UUID) -> ResponseReturnValue:
    """Compare the versions `from` and `to` of the URL, by default the latest version and the one before it."""
    detail = _written(report_id)
    latest = detail.versions[0].version_no
    first = request.args.get("from", max(1, latest - 1), type=whole_number)
    last = request.args.get("to", latest, type=whole_number)
    return _page(detail, first, last, "research/compare.html")


@blueprint.get("/<uuid:report_id>/versions/<int(min=1,max=999999):version_no>/restore")
@access("researcher")
def restore(report_id: uuid.UUID, version_no: int) -> ResponseReturnValue:
    """Show what restoring the version would change, for confirmation."""
    detail = _written(report_id)
    return _page(detail, detail.versions[0].version_no, version_no, "research/restore.html")


@blueprint.post("/<uuid:report_id>/versions/<int(min=1,max=999999):version_no>/restore")
@access("researcher")
def restore_it(report_id: uuid.UUID, version_no: int) -> ResponseReturnValue:
    try:
        made = restore_version(get_context(), get_person().id, report_id, version_no)
    except (ConflictError, InvalidInputError) as error:
        detail = _written(report_id)
        page = _page(detail, detail.versions[0].version_no, version_no, "research/restore.html", error)
        return page, error.http_status
    flash(_("Version %(old)d is current again, as version %(new)d.", old=version_no, new=made), "success")
    return redirect(url_for("research.report", report_id=report_id))


def _written(report_id: uuid.UUID) -> ReportDetail:
    detail = report_detail(get_context(), report_id)
    if not detail.versions:
        raise NotFoundError("no version yet")
    return detail


def _page(detail: ReportDetail, first: int, last: int, template: str, problem: AppError | None = None) -> str:
    context, facts = get_context(), detail.progress.facts
    before, after = (report_document(context, facts.id, number) for number in (first, last))
    return render_template(
        template,
        facts=facts,
        versions=detail.versions,
        first=first,
        last=last,
        diff=document_diff(before, after),
        view=request.args.get("view") if request.args.get("view") in VIEWS else VIEWS[0],
        problem=told(problem) if problem else None,
    )
