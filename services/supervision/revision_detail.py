"""One revision in full: the document before and after, the issue, its sources and the decision."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.lease import Held
from core.messages import Message
from core.models import Report, ReportRevision, ReportSupervision, RevisionStatus
from core.models.leases import REVISION_HOLDS
from research.document import MARKER, ReportDocument
from research.supervision.types import Issue
from services.accounts.person_name import name_by_id
from services.context import Context
from services.reports.report_facts import Spent, spent_of
from services.reports.report_version import load_version
from services.reports.source_panel import SourcePanel, source_panel
from services.supervision.supervision_timeline import BroughtSource, titles_of

#: Characters of a source shown on either side of a quotation.
_AROUND = 240
#: Limit of quotations shown for one revision.
_MOST_QUOTED = 20


@dataclass(frozen=True)
class RevisionDetail:
    """The data of the page of one revision."""

    id: uuid.UUID
    version: int
    status: str
    outcome: str
    #: Why the attempt failed.
    reasons: list[Message]
    report_id: uuid.UUID
    report_title: str
    language: str
    supervision_id: uuid.UUID
    #: Status of the supervision that made the revision.
    supervision_status: str
    mode: str
    tier: str
    iteration: int
    issue: Issue | None
    base_version: int
    before: ReportDocument
    #: The proposed document; None if the attempt failed.
    proposed: ReportDocument | None
    #: The document as a person changed it.
    edited: ReportDocument | None
    sources: tuple[BroughtSource, ...]
    made_version: int | None
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None
    spent: tuple[Spent, ...]
    created_at: datetime
    #: Id and name of the holder and end of the hold; None if it is free.
    held_by_id: uuid.UUID | None
    held_by: str | None
    held_until: datetime | None

    @property
    def pending(self) -> bool:
        return self.status == RevisionStatus.PENDING

    @property
    def after(self) -> ReportDocument | None:
        """The document that the revision makes or would make."""
        return self.edited or self.proposed


def revision_detail(context: Context, revision_id: uuid.UUID) -> RevisionDetail:
    """Return one revision. Raises NotFoundError."""
    with context.database.session() as session:
        revision = session.get(ReportRevision, revision_id)
        if revision is None:
            raise NotFoundError("no such revision")
        report = session.get_one(Report, revision.report_id)
        loop = session.get_one(ReportSupervision, revision.supervision_id)
        base = load_version(session, revision.report_id, revision.base_version)
        if base is None:
            raise NotFoundError("no such version")
        titles = titles_of(session, revision.report_id, revision.source_keys)
        held = _held(session, revision)
        return RevisionDetail(
            **{name: getattr(revision, name) for name in _AS_THEY_ARE},
            report_title=report.title or report.query,
            language=report.language,
            supervision_status=loop.status,
            mode=loop.mode,
            tier=loop.tier,
            issue=Issue.model_validate(revision.issue) if revision.issue else None,
            before=base[1],
            proposed=_document(revision.document),
            edited=_document(revision.edited_document),
            sources=tuple(BroughtSource(key, titles.get(key) or key) for key in revision.source_keys),
            decided_by=name_by_id(session, revision.decided_by),
            spent=spent_of({}, revision.spent),
            held_by_id=held.holder if held else None,
            held_by=name_by_id(session, held.holder if held else None),
            held_until=held.until if held else None,
        )


_AS_THEY_ARE = (
    "id",
    "version",
    "status",
    "outcome",
    "reasons",
    "report_id",
    "supervision_id",
    "iteration",
    "base_version",
    "made_version",
    "decided_at",
    "reason",
    "created_at",
)


def quoted_sources(context: Context, revision: RevisionDetail) -> list[SourcePanel]:
    """Return the newly cited quotations with their sources, and new sources that are not quoted."""
    return [*_panels(context, revision)]


def _panels(context: Context, revision: RevisionDetail) -> Iterator[SourcePanel]:
    if revision.after is None:
        return
    stood = set(_markers(revision.before))
    added = [marker for marker in dict.fromkeys(_markers(revision.after)) if marker not in stood]
    named = {key for key, _ in added}
    unquoted = [(one.key, None) for one in revision.sources if one.key not in named]
    for key, claim_id in [*added, *unquoted][:_MOST_QUOTED]:
        if (panel := _panel(context, revision, key, claim_id)) is not None:
            yield panel


def _panel(context: Context, revision: RevisionDetail, key: str, claim_id: str | None) -> SourcePanel | None:
    """Return the source with the claim, else the source alone; None if the report has no such source."""
    try:
        return source_panel(context, revision.report_id, key, claim_id, _AROUND, revision.id)
    except NotFoundError:
        return _panel(context, revision, key, None) if claim_id else None


def _markers(document: ReportDocument) -> Iterator[tuple[str, str | None]]:
    for section in document.sections:
        for found in re.finditer(MARKER, section.body):
            yield found["key"], found["claim"]


def _document(stored: dict[str, object] | None) -> ReportDocument | None:
    return None if stored is None else ReportDocument.model_validate(stored)


def _held(session: Session, revision: ReportRevision) -> Held | None:
    return REVISION_HOLDS.current(session, revision.id) if revision.status == RevisionStatus.PENDING else None
