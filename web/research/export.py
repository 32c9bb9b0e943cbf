"""Download a version of a report, or a person's own document, as a file, or follow the making of it."""

from __future__ import annotations

import uuid

from flask import Response, abort, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import NotFoundError
from core.models import ExportStatus
from research.exports import EXPORT_FORMATS
from services.reports.version_file import VersionFile, own_file, remove_version_file, version_file
from web.access import access
from web.changing_part import changing_part
from web.context import get_context, get_person
from web.exports.download import sent
from web.research import blueprint
from web.whole_number import whole_number

#: Seconds after which a program may ask again for a file that is being made.
RETRY_AFTER = 2


@blueprint.get("/<uuid:report_id>/export/<export_format>")
@access("report_reader")
def export(report_id: uuid.UUID, export_format: str) -> ResponseReturnValue:
    """Send the file. While it is being made, and where it could not be, answer 202 with the page that says so."""
    file = _asked(report_id, export_format)
    if file.status is ExportStatus.DONE:
        return sent(file, file.content_type)
    return not_ready(render_template("research/export.html", file=file), file)


def not_ready(body: str, file: VersionFile) -> Response:
    """Return an answer that says where to ask again."""
    response = make_response(body, 202)
    if file.working:
        response.headers["Retry-After"] = str(RETRY_AFTER)
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/<uuid:report_id>/export/<export_format>/progress")
@access("report_reader")
def export_progress_part(report_id: uuid.UUID, export_format: str) -> ResponseReturnValue:
    """Return the changing part of the page; 304 while nothing has changed."""
    file = _asked(report_id, export_format)
    return changing_part(f"{file.id}-{file.status.value}", "research/_export.html", file=file)


@blueprint.post("/<uuid:report_id>/export/<export_format>/remove")
@access("report_reader")
def remove_export(report_id: uuid.UUID, export_format: str) -> ResponseReturnValue:
    """Stop the making of a file that is not wanted any more, or remove one that failed."""
    version_no = request.args.get("version", type=whole_number)
    if version_no is None and not _of_own():
        raise NotFoundError("no version named")
    remove_version_file(get_context(), get_person().id, report_id, export_format, version_no)
    flash(_("The file is not made any more."), "success")
    if version_no is None:
        return redirect(url_for("research.own", report_id=report_id))
    return redirect(url_for("research.report", report_id=report_id, version=version_no))


def _of_own() -> bool:
    """Whether the person's own document is asked for."""
    return request.args.get("own") == "yes"


def _asked(report_id: uuid.UUID, export_format: str) -> VersionFile:
    if export_format not in EXPORT_FORMATS:
        abort(404)
    if _of_own():
        return own_file(get_context(), get_person().id, report_id, export_format)
    version_no = request.args.get("version", type=whole_number)
    return version_file(get_context(), get_person().id, report_id, export_format, version_no)
