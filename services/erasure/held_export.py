"""Find and hand over what is held of a child, and the receipts of erasures."""

from __future__ import annotations

import io
import json
import uuid
import zipfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select, sql, tuple_
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.errors import NotFoundError
from core.messages import Message
from core.models import (
    Audit,
    AuditField,
    Base,
    BulkChangeItem,
    DuplicateKey,
    DuplicatePair,
    Erasure,
    Escalation,
    EssayWord,
    FieldEvidence,
    FormSample,
    Letter,
    LetterItem,
    LibraryDocument,
    LibraryPassage,
    LibraryStatus,
    ModelCallRow,
    OrchestratorLog,
    OutgoingMail,
    PageFingerprint,
    Profile,
    ReportClaim,
    ReportPassage,
    ReportSource,
    RereadItem,
    ReviewDecision,
    ReviewEvent,
    ReviewSuggestion,
    ReviewSuggestionField,
    Run,
    Season,
    SetAside,
    Submission,
    SubmissionField,
    SubmissionStatus,
    Upload,
)
from core.plain_data import built
from pipeline.extraction.values.text import plain_text
from pipeline.mupdf.assembly import only_pages
from pipeline.orchestrator.artifacts import artifact_dir_of, first_key, reading_key, text_key
from services.accounts.person import name_of
from services.audit import record_export
from services.context import Context
from services.erasure.other_places import Elsewhere, find_elsewhere
from services.erasure.scope import ErasureScope, HeldKind, came_to_nothing, find_scope
from services.erasure.search import OF_SOURCE, filters_naming, page_keys_of
from services.exports.request import exports_showing
from services.keyset import RowPage, fetch_page

# Count the data held about a child, by kind: for the preview, the receipt and the export.


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
class HeldReport:
    """What is held, and how much of each kind; empty kinds are left out."""

    scope: ErasureScope
    counts: dict[HeldKind, int]
    #: Watched folders that cannot be searched from here, by their path.
    not_reached: list[str]


def find_held(context: Context, submission_ids: Sequence[uuid.UUID]) -> HeldReport:
    """Return what is held of these entries. Raises what `find_scope` raises."""
    with context.database.session() as session:
        scope = find_scope(session, submission_ids)
        return count_held(session, scope, find_elsewhere(context, session, scope))


def count_held(session: Session, scope: ErasureScope, elsewhere: Elsewhere) -> HeldReport:
    """Count what a scope reaches, its rows by one statement."""
    rows: dict[HeldKind, Select[int]] = {
        HeldKind.CHECKPOINTS: _number(_CHECKPOINTS.c.thread_id.in_(scope.threads)),
        HeldKind.EVIDENCE: _number(
            FieldEvidence.field_id.in_(
                select(SubmissionField.id).where(SubmissionField.submission_id.in_(scope.submissions))
            )
        ),
        HeldKind.LIBRARY_PASSAGES: _number(LibraryPassage.document_id.in_(scope.documents)),
        HeldKind.REPORT_PASSAGES: _number(OF_SOURCE & ReportSource.library_document_id.in_(scope.documents)),
        HeldKind.SAMPLES: select(func.count()).select_from(FormSample),
        HeldKind.UNSEARCHED_DOCUMENTS: _number(_is_unsearched(scope.copying)),
        HeldKind.STAYING_FILES: _number(came_to_nothing(scope.season_id) & Upload.id.not_in(scope.removed)),
        HeldKind.EXPORTS: _number(exports_showing(scope.season_id, scope.reports)),
        HeldKind.DUPLICATE_PAIRS: _number(_is_pair_of(scope.submissions)),
        **{kind: _number(column.in_(scope.submissions)) for kind, column in _OF_ENTRY.items()},
    }
    numbers = session.execute(select(*(query.scalar_subquery() for query in rows.values()))).one()
    counts: dict[HeldKind, int] = {
        **dict(zip(rows, numbers, strict=True)),
        HeldKind.ENTRIES: len(scope.asked),
        HeldKind.EARLIER_ENTRIES: len(scope.earlier),
        HeldKind.PAGES: len(scope.pages),
        HeldKind.FILES: len(scope.removed),
        HeldKind.UNREAD_FILES: len(scope.unread),
        HeldKind.CHANGED_FILES: len(scope.blanked),
        HeldKind.READINGS: len(scope.runs),
        HeldKind.ESSAYS: len(scope.documents),
        HeldKind.REPORTS: len(scope.reports),
        HeldKind.DRAFTS: len(elsewhere.drafts),
        HeldKind.BLANKS: len(elsewhere.blanks),
        HeldKind.WATCHED_FILES: len(elsewhere.watched),
        HeldKind.STAYING_DOCUMENTS: len(scope.copying),
        HeldKind.EMPTIED_ORIGINALS: len(scope.emptied),
        HeldKind.STAYING_ORIGINALS: len(scope.copies) - len(scope.emptied),
        HeldKind.STAYING_FORMS: elsewhere.naming_forms,
        HeldKind.SAVED_FILTERS: len(filters_naming(session, scope.submissions)),
    }
    return HeldReport(scope, {kind: counts[kind] for kind in HeldKind if counts[kind]}, elsewhere.not_reached)


def _is_pair_of(submission_ids: Collection[uuid.UUID]) -> ColumnElement[bool]:
    """Condition: the pair compares one of these entries with another."""
    return or_(DuplicatePair.first_id.in_(submission_ids), DuplicatePair.second_id.in_(submission_ids))


def _is_unsearched(known: Collection[uuid.UUID]) -> ColumnElement[bool]:
    """Condition: another document of the library has no passages to search, but a file."""
    own = LibraryDocument.submission_id.is_(None) & LibraryDocument.id.not_in(known)
    return own & (LibraryDocument.status != LibraryStatus.READY.value)


def _number(condition: ColumnElement[bool]) -> Select[int]:
    return select(func.count()).where(condition)


#: The graphs' own table, which has no model.
_CHECKPOINTS = sql.table("checkpoints", sql.column("thread_id"), schema="langgraph")


# Find the entries of a child by name, for a person to choose from: names are not unique.


@dataclass(frozen=True)
class NamedSubmission:
    """One entry, with what tells children of one name apart."""

    submission_id: uuid.UUID
    student_name: str | None
    school_name: str | None
    grade: str | None
    status: str
    created_at: datetime


def find_child(context: Context, name: str, season: str) -> list[NamedSubmission]:
    """Return the season's entries of this name, written in any case, with or without accents; oldest first.

    Superseded ones are left out: they go with those that replaced them. Raises NotFoundError for an unknown
    season.
    """
    with context.database.session() as session:
        season_id = session.scalar(select(Season.id).where(Season.name == season))
        if season_id is None:
            raise NotFoundError(f"no season {season!r}")
        return _named(session, season_id, [name])


def with_namesakes(context: Context, scope: ErasureScope) -> tuple[list[NamedSubmission], list[NamedSubmission]]:
    """Return the entries that were asked for, and the season's other entries of the same names.

    The others may be the same child's, and are not erased.
    """
    with context.database.reading() as session:
        found = _named(session, scope.season_id, scope.names, scope.asked)
    asked = [one for one in found if one.submission_id in scope.asked]
    return asked, [one for one in found if one.submission_id not in scope.submissions]


def _named(
    session: Session, season_id: uuid.UUID, names: Collection[str], also: Collection[uuid.UUID] = ()
) -> list[NamedSubmission]:
    """Return the season's entries of these names that are not superseded, and the entries of the ids `also`."""
    named = Submission.student_name.is_not(None) & (Submission.status != SubmissionStatus.SUPERSEDED.value)
    rows = session.execute(
        select(
            Submission.id,
            Submission.student_name,
            Submission.school_name,
            Submission.grade,
            Submission.status,
            Submission.created_at,
        )
        .where(Submission.season_id == season_id, or_(named, Submission.id.in_(also)))
        .order_by(Submission.created_at, Submission.id)
    ).all()
    wanted = set(map(plain_text, names))
    return [
        NamedSubmission(*row) for row in rows if row.id in also or plain_text(row.student_name or "") in wanted
    ]


# Export all that is held on one child as a ZIP file: rows as JSON, the readings, and the child's own pages.


_COLUMNS_OF_ENTRY: tuple[InstrumentedAttribute[Any], ...] = (
    Submission.id,
    SubmissionField.submission_id,
    Run.submission_id,
    OrchestratorLog.submission_id,
    ModelCallRow.submission_id,
    ReviewSuggestion.submission_id,
    Escalation.submission_id,
    ReviewDecision.submission_id,
    ReviewEvent.submission_id,
    Audit.submission_id,
    EssayWord.submission_id,
    DuplicateKey.submission_id,
    PageFingerprint.submission_id,
    BulkChangeItem.submission_id,
    RereadItem.submission_id,
    LetterItem.submission_id,
    SetAside.submission_id,
    LibraryDocument.submission_id,
)
#: Rows of rows: the column that refers to the id of the other table.
_BELOW: tuple[tuple[InstrumentedAttribute[Any], type[Base]], ...] = (
    (FieldEvidence.field_id, SubmissionField),
    (ReviewSuggestionField.suggestion_id, ReviewSuggestion),
    (LibraryPassage.document_id, LibraryDocument),
    (AuditField.audit_id, Audit),
)
#: Only for searching; the name of a file that may have other children; the map of a page that the export has.
_LEFT_OUT = ("search", "file_name", "ink")


def export_held(context: Context, submission_id: uuid.UUID, actor_id: uuid.UUID | None) -> bytes:
    """Return the ZIP file of one entry, with the replaced ones that show no page of another child.

    The export is recorded. Raises what `find_scope` raises.
    """
    with context.database.session() as session:
        scope = find_scope(session, [submission_id])
        entries = session.scalars(select(Submission).where(Submission.id.in_(scope.submissions))).all()
        own = [entry for entry in entries if scope.pages.issuperset(page_keys_of(entry))]
        held = _rows(session, [entry.id for entry in own])
        files = [*_readings(context, session, own), _pages(context, session, submission_id)]
    if actor_id is not None:
        record_export(context, actor_id, "entry", sum(map(len, held.values())))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README)
        archive.writestr("held.json", json.dumps(held, ensure_ascii=False, indent=2))
        for name, data in files:
            archive.writestr(name, data)
    return buffer.getvalue()


def _rows(session: Session, submission_ids: Sequence[uuid.UUID]) -> dict[str, list[dict[str, Any]]]:
    """Return {table: rows} of these entries."""
    found: dict[str, list[Any]] = {}
    for column in _COLUMNS_OF_ENTRY:
        table = column.class_
        found[table.__tablename__] = _in_order(session, table, column.in_(submission_ids))
    for column, above in _BELOW:
        keys = [row.id for row in found[above.__tablename__]]
        below = column.class_
        found[below.__tablename__] = _in_order(session, below, column.in_(keys))
    for table, condition in _beside(submission_ids, [row.id for row in found[LibraryDocument.__tablename__]]):
        found[table.__tablename__] = _in_order(session, table, condition)
    return {name: [_as_json(row) for row in rows] for name, rows in found.items()}


def _beside(
    submission_ids: Sequence[uuid.UUID], document_ids: Sequence[uuid.UUID]
) -> Iterator[tuple[type[Base], ColumnElement[bool]]]:
    """Yield (table, condition) for rows about these entries that do not name them.

    A letter that also asks about another child is left out, because its text is about that child too.
    """
    of_letter = select(LetterItem.letter_id)
    own = of_letter.where(LetterItem.submission_id.in_(submission_ids))
    shared = of_letter.where(LetterItem.submission_id.not_in(submission_ids))
    yield Letter, Letter.id.in_(own) & Letter.id.not_in(shared)
    yield OutgoingMail, OutgoingMail.letter_id.in_(own) & OutgoingMail.letter_id.not_in(shared)
    yield DuplicatePair, _is_pair_of(submission_ids)
    sources = select(ReportSource.report_id, ReportSource.key).where(
        ReportSource.library_document_id.in_(document_ids)
    )
    yield ReportPassage, tuple_(ReportPassage.report_id, ReportPassage.source_key).in_(sources)
    yield ReportClaim, tuple_(ReportClaim.report_id, ReportClaim.source_key).in_(sources)


def _in_order(session: Session, table: Any, condition: ColumnElement[bool]) -> list[Any]:
    return list(session.scalars(select(table).where(condition).order_by(*table.__mapper__.primary_key)))


def _as_json(row: Base) -> dict[str, Any]:
    names = [attribute.key for attribute in row.__mapper__.column_attrs if attribute.key not in _LEFT_OUT]
    return {name: _plain(getattr(row, name)) for name in names}


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return value.to_json()
    if value is None or isinstance(value, (bool, int, float, str, dict, list)):
        return value
    return str(value)


def _readings(context: Context, session: Session, entries: Sequence[Submission]) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of what the machine has read, run by run."""
    runs = session.execute(
        select(Run.submission_id, Run.run_no).where(Run.submission_id.in_([entry.id for entry in entries]))
    )
    for run in runs.all():
        folder = artifact_dir_of(run.submission_id, run.run_no)
        for key in (text_key(folder), reading_key(folder), first_key(folder)):
            if context.store.exists(key):
                yield key.replace("artifacts", "readings", 1), context.store.get(key)


def _pages(context: Context, session: Session, submission_id: uuid.UUID) -> tuple[str, bytes]:
    entry = session.get_one(Submission, submission_id)
    key = session.get_one(Upload, entry.upload_id).pdf_key
    if key is None:
        raise NotFoundError("the pages are gone")
    return "pages.pdf", only_pages(context.store.get(key), range(entry.page_start, entry.page_end + 1))


# Receipts of erasures: what was erased, where, how much of it, when and by whom, without names of children.


#: Receipts a page.
PAGE_SIZE = 50


@dataclass(frozen=True)
class Receipt:
    """One erasure."""

    id: uuid.UUID
    created_at: datetime
    #: None: the command line, or the nightly purge.
    actor: str | None
    season: str
    reason: str
    submission_ids: list[uuid.UUID]
    #: Numbers by the keys of `HeldKind`, in its order.
    counts: dict[str, int]
    #: Watched folders that could not be searched: a person has to, by their path.
    not_reached: list[str]


def list_receipts(context: Context, cursor: str | None = None) -> RowPage[Receipt]:
    """Return one page, newest first. Raises InvalidInputError for a bad cursor."""
    with context.database.reading() as session:
        query = _query().add_columns(Erasure.created_at, Erasure.id)
        rows, after, before = fetch_page(session, query, Erasure.created_at, Erasure.id, cursor, PAGE_SIZE)
    return RowPage([_receipt(*row[:3]) for row in rows], after, before)


def erasure_receipt(context: Context, erasure_id: uuid.UUID) -> Receipt:
    """Return one receipt. Raises NotFoundError."""
    with context.database.reading() as session:
        row = session.execute(_query().where(Erasure.id == erasure_id)).first()
    if row is None:
        raise NotFoundError("no such receipt")
    return _receipt(*row)


def _query() -> Any:
    return (
        select(Erasure, Season.name, name_of(Profile))
        .join(Season, Season.id == Erasure.season_id)
        .outerjoin(Profile, Profile.id == Erasure.actor_id)
    )


def _receipt(row: Erasure, season: str, actor: str | None) -> Receipt:
    return built(Receipt, row, actor=actor, season=season, counts=_sorted_counts(row.counts))


def _sorted_counts(counts: dict[str, int]) -> dict[str, int]:
    """JSON objects come back in an order of their own."""
    known = [kind.value for kind in HeldKind if kind.value in counts]
    return {kind: counts[kind] for kind in [*known, *(set(counts) - set(known))]}


# The text that explains an export to a family.


README = """\
WHAT IS HELD ON ONE ENTRY

pages.pdf    The pages of the entry, as they came in.
readings/    What the machine read from the pages, each time that it read them.
held.json    Every row that the system stores about the entry:
             the values, and where they stand on the pages (submissions, submission_fields, field_evidence);
             what the machine did (runs, orchestrator_logs, model_calls);
             what was proposed and asked (review_suggestions, review_suggestion_fields, escalations, set_asides);
             what people decided, and the values before (review_decisions, review_events, bulk_change_items);
             new readings that were compared with it (reread_items);
             letters about this entry alone, and their e-mails (letters, letter_items, mails);
             what people typed to audit the machine (audits, audit_fields);
             the essay without names, for research (library_documents, library_passages, essay_words);
             what research reports keep and quote of it (report_passages, report_claims);
             what the same entry would be found by if it were sent again (duplicate_keys, page_fingerprints);
             which entries it was compared with, by their ids (duplicate_pairs).

People of the office are named by their ids. Of other entries nothing but ids is in this file.


LO QUE SE GUARDA DE UNA PARTICIPACIÓN

pages.pdf    Las páginas de la participación, tal como llegaron.
readings/    Lo que la máquina leyó de las páginas, cada vez que las leyó.
held.json    Cada fila que el sistema guarda sobre la participación:
             los valores y su lugar en las páginas (submissions, submission_fields, field_evidence);
             lo que hizo la máquina (runs, orchestrator_logs, model_calls);
             lo que se propuso y preguntó (review_suggestions, review_suggestion_fields, escalations, set_asides);
             lo que decidieron las personas, y los valores anteriores (review_decisions, review_events,
             bulk_change_items);
             las nuevas lecturas con que se comparó (reread_items);
             las cartas sobre esta participación sola, y sus correos (letters, letter_items, mails);
             lo que escribieron las personas para auditar a la máquina (audits, audit_fields);
             el ensayo sin nombres, para investigación (library_documents, library_passages, essay_words);
             lo que los informes guardan y citan de él (report_passages, report_claims);
             con qué se encontraría la misma participación si se enviara otra vez (duplicate_keys,
             page_fingerprints);
             con qué participaciones se comparó, por su número (duplicate_pairs).

Las personas de la oficina figuran con su número. De otras participaciones solo hay números en este archivo.
"""
