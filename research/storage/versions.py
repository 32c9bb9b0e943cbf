"""Store versions of the document, and the claims checked for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, update
from sqlalchemy.dialects.postgresql import insert

from core.models import Report, ReportClaim, ReportVersion
from research.document import CheckedClaim
from research.material import WrittenReport
from research.storage.held import Held

FIRST = 1


@dataclass(frozen=True)
class Versions:
    """The versions of a report."""

    held: Held

    def write_first(self, written: WrittenReport, round_index: int) -> None:
        """Store the report written after the rounds, with its claims; an existing version is kept."""
        with self.held.writing() as session:
            session.execute(
                insert(ReportVersion)
                .values(
                    report_id=self.held.report_id,
                    version_no=FIRST,
                    document=written.document.model_dump(mode="json"),
                    origin="synthesis",
                )
                .on_conflict_do_nothing()
            )
            if written.claims:
                rows = self._rows(written.claims, round_index)
                session.execute(insert(ReportClaim).values(rows).on_conflict_do_nothing())
            session.execute(
                update(Report)
                .where(Report.id == self.held.report_id)
                .values(
                    title=written.document.title,
                    current_version=func.coalesce(Report.current_version, FIRST),
                    updated_at=func.now(),
                )
            )

    def _rows(self, claims: Sequence[CheckedClaim], round_index: int) -> list[dict[str, object]]:
        return [
            {
                "report_id": self.held.report_id,
                "claim_id": claim.claim_id,
                "sentence": claim.sentence,
                "quote": claim.quote,
                "claimed_source_key": claim.claimed_source_key,
                "source_key": claim.source_key,
                "start_char": claim.start_char,
                "end_char": claim.end_char,
                "page_no": claim.page_no,
                "status": claim.status,
                "verification": claim.verification,
                "round_index": round_index,
            }
            for claim in claims
        ]
