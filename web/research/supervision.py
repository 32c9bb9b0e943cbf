"""Pages of supervisions: upload a document, follow the attempts, compare and restore versions."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from core.errors import (
    AppError,
    ConflictError,
    DocumentError,
    FileTooLargeError,
    InvalidInputError,
    NoFileError,
    NotFoundError,
)
from core.messages import keys_of
from research.supervision.types import TIERS, ModeLabel
from services.reports.versions import ReportVersions, report_document, report_versions
from services.supervision.documents import upload_document
from services.supervision.request import cancel_supervision, restore_version, retry_supervision, start_supervision
from services.supervision.timeline import supervision_timeline, supervisions_of
from web.access import app_settings, get_context, get_person, whole_number
from web.differences import document_diff
from web.labels import problem_sentence
from web.research import blueprint
from web.research.requests import LIMITS, typed_limits
from web.research.revisions import VIEWS
from web.security.sent_form import sent_file
from web.templating import changing_part

_REFUSED = (NoFileError, FileTooLargeError, DocumentError)


@blueprint.get("/documents/new", "researcher")
def new_document(problem: AppError | None = None) -> str:
    return render_template(
        "research/document_new.html",
        max_bytes=app_settings().max_upload_bytes,
        problem=problem_sentence(problem) if problem else None,
    )


@blueprint.post("/documents/new", "researcher")
def take_document() -> ResponseReturnValue:
    """Store the document and redirect to its page; show the form with the error if it cannot be read."""
    try:
        name, data = sent_file("file")
        if not name:
            raise NoFileError
        only = request.form.get("library_only") == "yes"
        report_id = upload_document(get_context(), get_person().id, name, data, library_only=only)
    except _REFUSED as error:
        return new_document(error), error.http_status
    flash(_("The document was read. Check that its sections and references were found."), "success")
    return redirect(url_for("research.report", report_id=report_id))


# Start a supervision of a report, follow its attempts, stop and retry it.


@blueprint.get("/<uuid:report_id>/supervision", "researcher")
def supervise(report_id: uuid.UUID) -> ResponseReturnValue:
    """Show the form, with the report's earlier supervisions."""
    return _supervision_page(report_id, MultiDict(request.args), {})


@blueprint.post("/<uuid:report_id>/supervision", "researcher")
def start(report_id: uuid.UUID) -> ResponseReturnValue:
    typed, errors = request.form, dict[str, str]()
    budget = typed_limits(typed, errors)
    tier, mode = typed.get("tier", ""), typed.get("mode", "")
    if tier not in TIERS:
        errors["tier"] = _("Choose how far it should go.")
    if mode not in keys_of(ModeLabel):
        errors["mode"] = _("Choose who decides the revisions.")
    if errors:
        return _supervision_page(report_id, typed, errors), InvalidInputError.http_status
    try:
        loop = start_supervision(get_context(), get_person().id, report_id, tier, mode, budget)
    except (ConflictError, InvalidInputError) as error:
        return _supervision_page(report_id, typed, {}, error), error.http_status
    flash(_("The report is being examined for its most important gap."), "success")
    return redirect(url_for("research.supervision", report_id=report_id, supervision_id=loop))


@blueprint.get("/<uuid:report_id>/supervision/<uuid:supervision_id>", "report_reader")
def supervision(report_id: uuid.UUID, supervision_id: uuid.UUID) -> ResponseReturnValue:
    timeline = supervision_timeline(get_context(), supervision_id, report_id)
    return render_template("research/supervision.html", timeline=timeline, loop=timeline.line, tiers=TIERS)


@blueprint.get("/<uuid:report_id>/supervision/<uuid:supervision_id>/timeline", "report_reader")
def supervision_part(report_id: uuid.UUID, supervision_id: uuid.UUID) -> ResponseReturnValue:
    timeline = supervision_timeline(get_context(), supervision_id, report_id)
    return changing_part(timeline, "research/_timeline.html", timeline=timeline, loop=timeline.line, tiers=TIERS)


@blueprint.post("/<uuid:report_id>/supervision/<uuid:supervision_id>/cancel", "researcher")
def stop_supervision(report_id: uuid.UUID, supervision_id: uuid.UUID) -> ResponseReturnValue:
    supervision_timeline(get_context(), supervision_id, report_id)
    cancel_supervision(get_context(), get_person().id, supervision_id)
    flash(_("It will stop after the current step; changes made so far are kept."), "success")
    return redirect(url_for("research.supervision", report_id=report_id, supervision_id=supervision_id))


@blueprint.post("/<uuid:report_id>/supervision/<uuid:supervision_id>/retry", "researcher")
def begin_again(report_id: uuid.UUID, supervision_id: uuid.UUID) -> ResponseReturnValue:
    supervision_timeline(get_context(), supervision_id, report_id)
    loop = retry_supervision(get_context(), get_person().id, supervision_id)
    flash(_("Started over with the current version of the report."), "success")
    return redirect(url_for("research.supervision", report_id=report_id, supervision_id=loop))


def _supervision_page(
    report_id: uuid.UUID, typed: MultiDict[str, str], errors: dict[str, str], problem: AppError | None = None
) -> str:
    context = get_context()
    report = report_versions(context, report_id)
    return render_template(
        "research/supervise.html",
        facts=report.facts,
        document=report_document(context, report_id) if report.versions else None,
        loops=supervisions_of(context, report_id),
        typed=typed,
        errors=errors,
        problem=problem_sentence(problem) if problem else None,
        tiers=TIERS,
        modes=keys_of(ModeLabel),
        limits=LIMITS,
        budgeted=any(typed.get(f"budget_{name}") for name in LIMITS),
    )


# Versions of a report: compare any two, and restore an earlier one.


@blueprint.get("/<uuid:report_id>/compare", "report_reader")
def compare(report_id: uuid.UUID) -> ResponseReturnValue:
    """Compare the versions `from` and `to` of the URL, by default the latest version and the one before it."""
    report = _written(report_id)
    latest = report.versions[0].version_no
    first = request.args.get("from", max(1, latest - 1), type=whole_number)
    last = request.args.get("to", latest, type=whole_number)
    return _compared_page(report, first, last, "research/compare.html")


@blueprint.get("/<uuid:report_id>/versions/<int(min=1,max=999999):version_no>/restore", "researcher")
def restore(report_id: uuid.UUID, version_no: int) -> ResponseReturnValue:
    """Show what restoring the version would change, for confirmation."""
    report = _written(report_id)
    return _compared_page(report, report.versions[0].version_no, version_no, "research/restore.html")


@blueprint.post("/<uuid:report_id>/versions/<int(min=1,max=999999):version_no>/restore", "researcher")
def restore_it(report_id: uuid.UUID, version_no: int) -> ResponseReturnValue:
    try:
        made = restore_version(get_context(), get_person().id, report_id, version_no)
    except (ConflictError, InvalidInputError) as error:
        report = _written(report_id)
        page = _compared_page(report, report.versions[0].version_no, version_no, "research/restore.html", error)
        return page, error.http_status
    flash(_("Version %(old)d is current again, as version %(new)d.", old=version_no, new=made), "success")
    return redirect(url_for("research.report", report_id=report_id))


def _written(report_id: uuid.UUID) -> ReportVersions:
    report = report_versions(get_context(), report_id)
    if not report.versions:
        raise NotFoundError("no version yet")
    return report


def _compared_page(
    report: ReportVersions, first: int, last: int, template: str, problem: AppError | None = None
) -> str:
    context, facts = get_context(), report.facts
    before, after = (report_document(context, facts.id, number) for number in (first, last))
    return render_template(
        template,
        facts=facts,
        versions=report.versions,
        first=first,
        last=last,
        diff=document_diff(before, after),
        view=request.args.get("view") if request.args.get("view") in VIEWS else VIEWS[0],
        problem=problem_sentence(problem) if problem else None,
    )
