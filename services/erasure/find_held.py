"""Count what is held of a child, by kind: for the preview, the receipt and the export."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, or_, select, text
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.models import (
    Audit,
    BulkChangeItem,
    DuplicateKey,
    DuplicatePair,
    Escalation,
    EssayWord,
    Export,
    FieldEvidence,
    FormSample,
    LetterItem,
    LibraryPassage,
    ModelCallRow,
    OrchestratorLog,
    PageFingerprint,
    ReportPassage,
    ReportSource,
    RereadItem,
    ReviewDecision,
    ReviewEvent,
    ReviewSuggestion,
    Run,
    SetAside,
    SubmissionField,
    Upload,
)
from services.context import Context
from services.erasure.by_name import filters_naming
from services.erasure.elsewhere import Elsewhere, find_elsewhere
from services.erasure.held_kinds import HeldKind
from services.erasure.scope import Scope, came_to_nothing, find_scope

#: Kinds whose rows name the entry.
_OF_ENTRY: dict[HeldKind, InstrumentedAttribute[uuid.UUID] | InstrumentedAttribute[uuid.UUID | None]] = {
    HeldKind.FIELDS: SubmissionField.submission_id,
    HeldKind.RUNS: Run.submission_id,
    HeldKind.LOG_ROWS: OrchestratorLog.submission_id,
    HeldKind.MODEL_CALLS: ModelCallRow.submission_id,
    HeldKind.SUGGESTIONS: ReviewSuggestion.submission_id,
    HeldKind.ESCALATIONS: Escalation.submission_id,
    HeldKind.DECISIONS: ReviewDecision.submission_id,
    HeldKind.AUDITS: Audit.submission_id,
    HeldKind.EVENTS: ReviewEvent.submission_id,
    HeldKind.REREADS: RereadItem.submission_id,
    HeldKind.BULK_CHANGES: BulkChangeItem.submission_id,
    HeldKind.SET_ASIDES: SetAside.submission_id,
    HeldKind.LETTERS: LetterItem.submission_id,
    HeldKind.DUPLICATE_KEYS: DuplicateKey.submission_id,
    HeldKind.FINGERPRINTS: PageFingerprint.submission_id,
    HeldKind.ESSAY_WORDS: EssayWord.submission_id,
}


@dataclass(frozen=True)
class Held:
    """What is held, and how much of each kind; kinds of which there is nothing are left out."""

    scope: Scope
    counts: dict[HeldKind, int]
    #: Watched folders that cannot be searched from here, by their path.
    not_reached: list[str]


def find_held(context: Context, submission_ids: Sequence[uuid.UUID]) -> Held:
    """Return what is held of these entries. Raises what `find_scope` raises."""
    with context.database.session() as session:
        scope = find_scope(session, submission_ids)
        return count_held(session, scope, find_elsewhere(context, session, scope))


def count_held(session: Session, scope: Scope, elsewhere: Elsewhere) -> Held:
    """Count what a scope reaches."""
    counts = {
        HeldKind.ENTRIES: len(scope.asked),
        HeldKind.EARLIER_ENTRIES: len(scope.earlier),
        HeldKind.PAGES: len(scope.pages),
        HeldKind.FILES: len(scope.removed),
        HeldKind.UNREAD_FILES: len(scope.unread),
        HeldKind.CHANGED_FILES: len(scope.blanked),
        HeldKind.READINGS: len(scope.runs),
        HeldKind.ESSAYS: len(scope.documents),
        HeldKind.REPORTS: len(scope.reports),
        HeldKind.CHECKPOINTS: _checkpoints(session, scope.threads),
        HeldKind.EVIDENCE: _number(
            session,
            FieldEvidence.field_id.in_(
                select(SubmissionField.id).where(SubmissionField.submission_id.in_(scope.submissions))
            ),
        ),
        HeldKind.LIBRARY_PASSAGES: _number(session, LibraryPassage.document_id.in_(scope.documents)),
        HeldKind.REPORT_PASSAGES: _report_passages(session, scope.documents),
        HeldKind.SAMPLES: session.scalar(select(func.count()).select_from(FormSample)) or 0,
        HeldKind.DRAFTS: len(elsewhere.drafts),
        HeldKind.BLANKS: len(elsewhere.blanks),
        HeldKind.WATCHED_FILES: len(elsewhere.watched),
        HeldKind.STAYING_FILES: _number(
            session, came_to_nothing(scope.season_id) & Upload.id.not_in(scope.removed)
        ),
        HeldKind.SAVED_FILTERS: len(filters_naming(session, scope.submissions)),
        HeldKind.EXPORTS: _number(session, Export.season_id == scope.season_id),
        HeldKind.DUPLICATE_PAIRS: _number(
            session,
            or_(DuplicatePair.first_id.in_(scope.submissions), DuplicatePair.second_id.in_(scope.submissions)),
        ),
        **{kind: _number(session, column.in_(scope.submissions)) for kind, column in _OF_ENTRY.items()},
    }
    return Held(scope, {kind: counts[kind] for kind in HeldKind if counts[kind]}, elsewhere.not_reached)


def _number(session: Session, condition: ColumnElement[bool]) -> int:
    return session.scalar(select(func.count()).where(condition)) or 0


def _checkpoints(session: Session, threads: Collection[str]) -> int:
    query = text("select count(*) from langgraph.checkpoints where thread_id = any(:threads)")
    return int(session.scalar(query, {"threads": list(threads)}) or 0)


def _report_passages(session: Session, documents: Collection[uuid.UUID]) -> int:
    return (
        session.scalar(
            select(func.count())
            .select_from(ReportPassage)
            .join(
                ReportSource,
                (ReportSource.report_id == ReportPassage.report_id)
                & (ReportSource.key == ReportPassage.source_key),
            )
            .where(ReportSource.library_document_id.in_(documents))
        )
        or 0
    )
