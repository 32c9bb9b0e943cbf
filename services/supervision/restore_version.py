"""Make an earlier version of a report the current one again."""

from __future__ import annotations

import uuid

from core.errors import InvalidInputError, NotFoundError
from core.models import Report, ReportVersion
from research.document import ReportDocument
from research.supervision.revisions import add_version
from services.context import Context
from services.supervision.codes import SupervisionCode
from services.supervision.start_supervision import refuse_while_under_way


def restore_version(context: Context, actor_id: uuid.UUID, report_id: uuid.UUID, version_no: int) -> int:
    """Add a copy of the version as the newest one and return its number. Versions are never changed or removed.

    Raises NotFoundError, InvalidInputError for the current version, and ConflictError during a supervision.
    """
    with context.database.session() as session:
        report = session.get(Report, report_id, with_for_update={"key_share": True})
        if report is None:
            raise NotFoundError("no such report")
        refuse_while_under_way(session, report_id)
        version = session.get(ReportVersion, (report_id, version_no))
        if version is None:
            raise NotFoundError("no such version")
        if version_no == report.current_version:
            raise InvalidInputError(SupervisionCode.VERSION_CURRENT)
        document = ReportDocument.model_validate(version.document)
        return add_version(session, report_id, document, "restored", made_by=actor_id, note=str(version_no))
