"""Supervisions of reports: start, follow, stop and retry them; upload a document for supervision."""

from __future__ import annotations

import uuid
from typing import Any

from flask import Response, request

from services.reports.report_detail import report_detail
from services.supervision.cancel_supervision import cancel_supervision
from services.supervision.retry_supervision import retry_supervision
from services.supervision.start_supervision import start_supervision
from services.supervision.supervision_timeline import supervision_timeline, supervisions_of
from services.supervision.upload_document import upload_document
from web.api.protocol.operation import JSON, operation
from web.api.reports import shown_report
from web.api.shapes.report_shapes import ReportShape
from web.api.shapes.supervision_shapes import (
    NewDocument,
    NewSupervision,
    SupervisionLines,
    SupervisionLineShape,
    SupervisionShape,
)
from web.context import get_context, get_person


@operation(
    "POST",
    "/documents",
    tag="supervision",
    rule="researcher",
    scope="write",
    body=NewDocument,
    multipart=True,
    answer=ReportShape,
    status=201,
    problems=(413, 415, 422),
)
def take_in_document(body: NewDocument) -> Any:
    """Upload a document as a report that can be supervised."""
    (file,) = body.file
    report_id = upload_document(
        get_context(), get_person().id, file.filename or "", file.read(), library_only=body.library_only
    )
    return shown_report(report_id)


@operation(
    "GET",
    "/reports/<uuid:report_id>/supervisions",
    tag="supervision",
    rule="report_reader",
    scope="read",
    answer=SupervisionLines,
)
def list_supervisions(report_id: uuid.UUID) -> Any:
    """List the supervisions of a report."""
    report_detail(get_context(), report_id)
    return {"rows": supervisions_of(get_context(), report_id)}


@operation(
    "POST",
    "/reports/<uuid:report_id>/supervisions",
    tag="supervision",
    rule="researcher",
    scope="write",
    body=NewSupervision,
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


@operation(
    "GET",
    "/supervisions/<uuid:supervision_id>",
    tag="supervision",
    rule="report_reader",
    scope="read",
    answer=SupervisionShape,
    conditional=True,
)
def get_supervision(supervision_id: uuid.UUID) -> Response:
    """Show a supervision with its attempts; 304 while nothing has changed."""
    timeline = supervision_timeline(get_context(), supervision_id)
    if timeline.fingerprint in request.if_none_match:
        response = Response(status=304)
    else:
        response = Response(_shown(supervision_id).model_dump_json(), content_type=JSON)
    response.set_etag(timeline.fingerprint)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@operation(
    "POST",
    "/supervisions/<uuid:supervision_id>/cancel",
    tag="supervision",
    rule="researcher",
    scope="write",
    answer=SupervisionShape,
    problems=(409,),
)
def cancel_one_supervision(supervision_id: uuid.UUID) -> Any:
    """Stop a supervision after its current step; the versions so far are kept."""
    cancel_supervision(get_context(), get_person().id, supervision_id)
    return _shown(supervision_id)


@operation(
    "POST",
    "/supervisions/<uuid:supervision_id>/retry",
    tag="supervision",
    rule="researcher",
    scope="write",
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
