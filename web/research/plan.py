"""Change and approve the plan of a report."""

from __future__ import annotations

import uuid

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import ConflictError, InvalidInputError
from services.reports.approve_plan import approve_plan
from services.reports.report_detail import report_detail
from web.access import access
from web.context import get_context, get_person
from web.research import blueprint
from web.research.plan_form import checked, rearranged, typed_plan
from web.research.report import report_page
from web.told import told


@blueprint.post("/<uuid:report_id>/plan")
@access("researcher")
def plan(report_id: uuid.UUID) -> ResponseReturnValue:
    """Approve the typed plan, or only rearrange its lines; a refused plan is shown again as it was typed."""
    context = get_context()
    detail = report_detail(context, report_id)
    facts, form = detail.progress.facts, typed_plan(request.form)
    if rearranged(form, request.form.get("do", "")):
        return report_page(detail, form)
    if not checked(form):
        return report_page(detail, form), InvalidInputError.http_status
    try:
        approve_plan(context, get_person().id, report_id, form.version, form.plan())
    except (ConflictError, InvalidInputError) as error:
        form.version = facts.version
        return report_page(detail, form, told(error)), error.http_status
    flash(_("The plan was approved; the research continues."), "success")
    return redirect(url_for("research.report", report_id=report_id))
