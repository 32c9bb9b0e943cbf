"""Store versions of the document, and the claims checked for them."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from sqlalchemy import func, update
from sqlalchemy.dialects.postgresql import insert

from core.models import Report, ReportClaim, ReportVersion
from research.material import WrittenReport
from research.storage.held import Held

FIRST = 1


@dataclass(frozen=True)
class Versions:
    """The versions of a report."""

    held: Held

    def write_first(self, written: WrittenReport, round_index: int) -> None:
        """Store the report written after the rounds, with its claims; an existing version is kept."""
        own = {"report_id": self.held.report_id}
        document = written.document.model_dump(mode="json")
        version = {**own, "version_no": FIRST, "document": document, "origin": "synthesis"}
        claims = [{**own, **asdict(claim), "round_index": round_index} for claim in written.claims]
        self.held.write(
            insert(ReportVersion).values(version).on_conflict_do_nothing(),
            *([insert(ReportClaim).values(claims).on_conflict_do_nothing()] if claims else []),
            update(Report)
            .where(Report.id == self.held.report_id)
            .values(
                title=written.document.title,
                current_version=func.coalesce(Report.current_version, FIRST),
                updated_at=func.now(),
            ),
        )
