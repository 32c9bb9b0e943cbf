"""Start a supervision of a report, follow its attempts, stop and retry it."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from core.errors import AppError, ConflictError, InvalidInputError
from core.labels import keys_of
from research.supervision.codes import ModeLabel
from research.supervision.types import TIERS
from services.reports.report_detail import report_detail
from services.supervision.cancel_supervision import cancel_supervision
from services.supervision.retry_supervision import retry_supervision
from services.supervision.start_supervision import start_supervision
from services.supervision.supervision_timeline import supervision_timeline, supervisions_of
from web.access import access
from web.changing_part import changing_part
from web.context import get_context, get_person
from web.research import blueprint
from web.research.request_form import LIMITS, budget_of
from web.told import told


@blueprint.get("/<uuid:report_id>/supervision")
@access("researcher")
def supervise(report_id: uuid.UUID) -> ResponseReturnValue:
    """Show the form, with the report's earlier supervisions."""
    return _page(report_id, MultiDict(request.args), {})


@blueprint.post("/<uuid:report_id>/supervision")
@access("researcher")
def start(report_id: uuid.UUID) -> ResponseReturnValue:
    typed, errors = request.form, dict[str, str]()
    budget = budget_of(typed, errors)
    tier, mode = typed.get("tier", ""), typed.get("mode", "")
    if tier not in TIERS:
        errors["tier"] = _("Choose how far it should go.")
    if mode not in keys_of(ModeLabel):
        errors["mode"] = _("Choose who decides the revisions.")
    if errors:
        return _page(report_id, typed, errors), InvalidInputError.http_status
    try:
        loop = start_supervision(get_context(), get_person().id, report_id, tier, mode, budget)
    except (ConflictError, InvalidInputError) as error:
        return _page(report_id, typed, {}, error), error.http_status
    flash(_("The report is being examined for its most important gap."), "success")
    return redirect(url_for("research.supervision", report_id=report_id, supervision_id=loop))


@blueprint.get("/<uuid:report_id>/supervision/<uuid:supervision_id>")
@access("report_reader")
def supervision(report_id: uuid.UUID, supervision_id: uuid.UUID) -> ResponseReturnValue:
    timeline = supervision_timeline(get_context(), supervision_id, report_id)
    return render_template("research/supervision.html", timeline=timeline, loop=timeline.line, tiers=TIERS)


@blueprint.get("/<uuid:report_id>/supervision/<uuid:supervision_id>/timeline")
@access("report_reader")
def supervision_part(report_id: uuid.UUID, supervision_id: uuid.UUID) -> ResponseReturnValue:
    """Return the changing part of the page; 304 while nothing has changed."""
    timeline = supervision_timeline(get_context(), supervision_id, report_id)
    return changing_part(
        timeline.fingerprint, "research/_timeline.html", timeline=timeline, loop=timeline.line, tiers=TIERS
    )


@blueprint.post("/<uuid:report_id>/supervision/<uuid:supervision_id>/cancel")
@access("researcher")
def stop_supervision(report_id: uuid.UUID, supervision_id: uuid.UUID) -> ResponseReturnValue:
    supervision_timeline(get_context(), supervision_id, report_id)
    cancel_supervision(get_context(), get_person().id, supervision_id)
    flash(_("It will stop after the current step; changes made so far are kept."), "success")
    return redirect(url_for("research.supervision", report_id=report_id, supervision_id=supervision_id))


@blueprint.post("/<uuid:report_id>/supervision/<uuid:supervision_id>/retry")
@access("researcher")
def begin_again(report_id: uuid.UUID, supervision_id: uuid.UUID) -> ResponseReturnValue:
    supervision_timeline(get_context(), supervision_id, report_id)
    loop = retry_supervision(get_context(), get_person().id, supervision_id)
    flash(_("Started over with the current version of the report."), "success")
    return redirect(url_for("research.supervision", report_id=report_id, supervision_id=loop))


def _page(
    report_id: uuid.UUID, typed: MultiDict[str, str], errors: dict[str, str], problem: AppError | None = None
) -> str:
    context = get_context()
    detail = report_detail(context, report_id)
    return render_template(
        "research/supervise.html",
        facts=detail.progress.facts,
        document=detail.document,
        loops=supervisions_of(context, report_id),
        typed=typed,
        errors=errors,
        problem=told(problem) if problem else None,
        tiers=TIERS,
        modes=keys_of(ModeLabel),
        limits=LIMITS,
        budgeted=any(typed.get(f"budget_{name}") for name in LIMITS),
    )
