"""Download a report as a file."""

from __future__ import annotations

import uuid

from flask import Response, abort, request
from flask.typing import ResponseReturnValue

from research.exports import EXPORT_FORMATS, export_document
from services.reports.report_version import report_document
from web.access import access
from web.context import get_context
from web.research import blueprint
from web.security.security_headers import SANDBOX_POLICY
from web.whole_number import whole_number


@blueprint.get("/<uuid:report_id>/export/<export_format>")
@access("report_reader")
def export(report_id: uuid.UUID, export_format: str) -> ResponseReturnValue:
    if export_format not in EXPORT_FORMATS:
        abort(404)
    return exported(report_id, export_format, request.args.get("version", type=whole_number))


def exported(report_id: uuid.UUID, export_format: str, version_no: int | None) -> Response:
    """Return a version of the report as a download."""
    made = export_document(report_document(get_context(), report_id, version_no), export_format)
    response = Response(made.data, content_type=made.content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{made.filename}"'
    response.headers["Content-Security-Policy"] = SANDBOX_POLICY
    return response
