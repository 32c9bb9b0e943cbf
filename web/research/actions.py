"""Stop a report, or retry one that failed or was stopped."""

from __future__ import annotations

import uuid

from flask import flash, redirect, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from services.reports.cancel_report import cancel_report
from services.reports.retry_report import retry_report
from web.access import access
from web.context import get_context, get_person
from web.research import blueprint


@blueprint.post("/<uuid:report_id>/cancel")
@access("researcher")
def cancel(report_id: uuid.UUID) -> ResponseReturnValue:
    cancel_report(get_context(), get_person().id, report_id)
    flash(_("The report will stop after the current step; everything found so far is kept."), "success")
    return redirect(url_for("research.report", report_id=report_id))


@blueprint.post("/<uuid:report_id>/retry")
@access("researcher")
def retry(report_id: uuid.UUID) -> ResponseReturnValue:
    retry_report(get_context(), get_person().id, report_id)
    flash(_("The report is resuming where it stopped."), "success")
    return redirect(url_for("research.report", report_id=report_id))
