"""Revisions of reports: the queue, one in full, the decision; versions and their restoration."""

from __future__ import annotations

import uuid
from typing import Any

from services.reports.report_version import report_document
from services.review.hold import Hold, release_hold
from services.supervision.decide_revision import decide_revision
from services.supervision.edited_document import editable_markdown, may_edit_whole
from services.supervision.list_revisions import list_revisions
from services.supervision.restore_version import restore_version
from services.supervision.revision_detail import revision_detail
from web.api.holds import HoldShape, take
from web.api.protocol.operation import operation
from web.api.protocol.versions import version_seen
from web.api.protocol.wire import PageQuery
from web.api.reports import shown_report
from web.api.shapes.report_shapes import ReportShape
from web.api.shapes.supervision_shapes import RevisionDecision, RevisionList, RevisionShape, VersionShape
from web.context import get_context, get_person


@operation(
    "GET",
    "/revisions",
    tag="supervision",
    rule="report_reader",
    scope="read",
    query=PageQuery,
    answer=RevisionList,
)
def list_waiting_revisions(query: PageQuery) -> Any:
    """List the revisions that wait for a person."""
    return list_revisions(get_context(), query.cursor or None, query.limit)


@operation(
    "GET",
    "/revisions/<uuid:revision_id>",
    tag="supervision",
    rule="report_reader",
    scope="read",
    answer=RevisionShape,
)
def get_revision(revision_id: uuid.UUID) -> Any:
    """Show one revision: the document before and after, and why."""
    return _shown(revision_id)


@operation(
    "PUT",
    "/revisions/<uuid:revision_id>/claim",
    tag="supervision",
    rule="researcher",
    scope="write",
    answer=HoldShape,
    problems=(409,),
)
def hold_one_revision(revision_id: uuid.UUID) -> Hold:
    """Hold a revision, or prolong the hold.

    409 says who holds it or who decided it.
    """
    return take("revision", revision_id)


@operation(
    "DELETE",
    "/revisions/<uuid:revision_id>/claim",
    tag="supervision",
    rule="researcher",
    scope="write",
    answer=None,
)
def release_one_revision(revision_id: uuid.UUID) -> None:
    """Release the hold on a revision.

    It is no error if there is none.
    """
    release_hold(get_context(), get_person().id, "revision", revision_id)


@operation(
    "POST",
    "/revisions/<uuid:revision_id>/decision",
    tag="supervision",
    rule="researcher",
    scope="write",
    body=RevisionDecision,
    answer=RevisionShape,
    versioned=True,
)
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
    return _shown(revision_id)


@operation(
    "GET",
    "/reports/<uuid:report_id>/versions/<int(min=1,max=999999):version_no>",
    tag="supervision",
    rule="report_reader",
    scope="read",
    answer=VersionShape,
)
def get_version(report_id: uuid.UUID, version_no: int) -> Any:
    """Show one version of a report, to be compared with another."""
    return {"version_no": version_no, "document": report_document(get_context(), report_id, version_no)}


@operation(
    "POST",
    "/reports/<uuid:report_id>/versions/<int(min=1,max=999999):version_no>/restore",
    tag="supervision",
    rule="researcher",
    scope="write",
    answer=ReportShape,
    problems=(409, 422),
)
def restore_one_version(report_id: uuid.UUID, version_no: int) -> Any:
    """Restore a version by adding a copy of it as the newest one."""
    restore_version(get_context(), get_person().id, report_id, version_no)
    return shown_report(report_id)


def _shown(revision_id: uuid.UUID) -> RevisionShape:
    detail = revision_detail(get_context(), revision_id)
    fields = {name: getattr(detail, name) for name in RevisionShape.model_fields if hasattr(detail, name)}
    shown = detail.proposed if detail.proposed and may_edit_whole(detail.proposed) else None
    editable = editable_markdown(shown) if shown else None
    return RevisionShape.model_validate({**fields, "editable": editable})
