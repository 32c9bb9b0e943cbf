"""A report in full: one version of its document, its checked claims and its progress."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.models import ReportClaim
from research.document import ReportDocument
from services.context import Context
from services.reports.report_progress import ReportProgress, report_progress
from services.reports.report_version import VersionLine, load_version, version_lines


@dataclass(frozen=True)
class CheckedLine:
    """A claim with the result of its check."""

    claim_id: str
    sentence: str
    quote: str
    claimed_source_key: str | None
    source_key: str | None
    page_no: int | None
    #: "verified", "misattributed" or "fabricated".
    status: str
    #: Result of the third round: "confirmed", "contradicted", "not_found"; None if it was not examined there.
    verification: str | None


@dataclass(frozen=True)
class ReportDetail:
    """The data of the page of a report."""

    progress: ReportProgress
    #: None until the first version is written.
    version_no: int | None
    document: ReportDocument | None
    versions: tuple[VersionLine, ...]
    claims: tuple[CheckedLine, ...]

    def checked(self, status: str) -> list[CheckedLine]:
        """Return the claims with this status."""
        return [claim for claim in self.claims if claim.status == status]

    @property
    def verified_anew(self) -> list[CheckedLine]:
        """The claims that the third round verified with sources of other domains."""
        return [claim for claim in self.claims if claim.verification is not None]


def report_detail(context: Context, report_id: uuid.UUID, version_no: int | None = None) -> ReportDetail:
    """Return a report with one version, the latest by default. Raises NotFoundError."""
    progress = report_progress(context, report_id)
    with context.database.session() as session:
        found = load_version(session, report_id, version_no)
        if found is None and version_no is not None:
            raise NotFoundError("no such version")
        number, document = found or (None, None)
        return ReportDetail(
            progress, number, document, version_lines(session, report_id), _claims(session, report_id)
        )


def _claims(session: Session, report_id: uuid.UUID) -> tuple[CheckedLine, ...]:
    rows = session.execute(
        select(
            ReportClaim.claim_id,
            ReportClaim.sentence,
            ReportClaim.quote,
            ReportClaim.claimed_source_key,
            ReportClaim.source_key,
            ReportClaim.page_no,
            ReportClaim.status,
            ReportClaim.verification,
        )
        .where(ReportClaim.report_id == report_id)
        .order_by(ReportClaim.created_at, ReportClaim.claim_id)
    )
    return tuple(CheckedLine(*row) for row in rows)
