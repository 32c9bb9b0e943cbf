"""Store another version of a report with its claims."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.models import Report, ReportClaim, ReportVersion
from research.document import ReportDocument

Origin = Literal["uploaded", "revision", "restored", "edited"]


def add_version(
    session: Session,
    report_id: uuid.UUID,
    document: ReportDocument,
    origin: Origin,
    *,
    made_by: uuid.UUID | None = None,
    note: str = "",
    claims: Sequence[Mapping[str, Any]] = (),
) -> int:
    """Store the document as the newest version, make it current, and return its number.

    Locks the report's row, so that versions of a report are written one at a time.
    """
    session.execute(select(Report.id).where(Report.id == report_id).with_for_update(key_share=True)).one()
    last = session.scalar(select(func.max(ReportVersion.version_no)).where(ReportVersion.report_id == report_id))
    version_no = (last or 0) + 1
    session.add(
        ReportVersion(
            report_id=report_id,
            version_no=version_no,
            document=document.model_dump(mode="json"),
            origin=origin,
            made_by=made_by,
            note=note,
        )
    )
    session.flush()
    if claims:
        rows = [{"report_id": report_id, **claim} for claim in claims]
        session.execute(insert(ReportClaim).values(rows).on_conflict_do_nothing())
    session.execute(
        update(Report)
        .where(Report.id == report_id)
        .values(
            current_version=version_no, title=document.title, version=Report.version + 1, updated_at=func.now()
        )
    )
    return version_no
