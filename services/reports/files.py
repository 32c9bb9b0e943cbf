"""Files of a report's versions, for all readers, and a person's own document of passages from it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, TextClause, and_, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.errors import InvalidInputError, NotFoundError, existing
from core.messages import Message
from core.models import Export, Report, ReportClaim, ReportExcerpt, ReportVersion
from core.models.base import error_columns
from core.models.operations import OF_REPORT, OWN_DOCUMENT, ExportStatus
from core.queue import forget_jobs
from research.document import Reference, ReportDocument, Section, section_key
from research.exports.formats import filename_of, report_media_type
from research.readers.findings import clean_quote
from research.text.language import phrases_for
from research.text.markdown import as_markdown
from services.context import Context
from services.exports.contents import key_of
from services.exports.request import wait_for_erasures
from services.recovery.kinds import EXPORTS
from services.recovery.work import queue_rows
from services.reports.request import ReportCode
from services.reports.versions import load_version

#: How long after a failure a request does not make the file again.
_FAILURE_HOLDS = timedelta(minutes=10)
#: Most passages of a document, and most characters of a note.
MOST_PASSAGES, LONGEST_NOTE = 200, 2000


@dataclass(frozen=True)
class VersionFile:
    """The file of one version, or of a person's document, in one format."""

    id: uuid.UUID
    report_id: uuid.UUID
    #: None for a person's document.
    version_no: int | None
    format: str
    status: ExportStatus
    #: Why it could not be made.
    error: Message | None
    filename: str

    @property
    def working(self) -> bool:
        """Whether it is waiting or being made."""
        return self.status in (ExportStatus.QUEUED, ExportStatus.RUNNING)

    @property
    def content_type(self) -> str:
        return report_media_type(self.format)


def version_file(
    context: Context, person_id: uuid.UUID, report_id: uuid.UUID, format: str, version_no: int | None = None
) -> VersionFile:
    """Return the file of a version, the latest by default; at the first request a job makes it.

    One that failed a while ago, or whose file is gone, is made again. Raises NotFoundError for an unknown version,
    InvalidInputError for an unknown format.
    """
    report_media_type(format)
    unique = ("report_id", "version_no", "format"), Export.report_id.is_not(None)
    with context.database.session() as session:
        season_id, version_no = _version(session, report_id, version_no)
        values = {"requested_by": person_id, "kind": OF_REPORT, "version_no": version_no, "filter": {}}
        new = _insert(
            session, {**values, "season_id": season_id, "report_id": report_id, "format": format}, *unique
        )
    if new is not None:
        queue_rows(context, EXPORTS, new)
    return _current(context, *_of(report_id, format, version_no))


def own_file(context: Context, person_id: uuid.UUID, report_id: uuid.UUID, format: str) -> VersionFile:
    """Return the file of a person's document, made by a job if that has changed. Raises as `version_file`."""
    report_media_type(format)
    own = {"requested_by": person_id, "kind": OWN_DOCUMENT, "version_no": None}
    # A literal, as in the index: PostgreSQL does not match a parameter with it.
    unique = ("report_id", "requested_by", "format"), text(f"kind = '{OWN_DOCUMENT}'")
    where = _own(report_id, format, person_id)
    with context.database.session() as session:
        # The row keeps what is read here, and an erasure must find it there.
        wait_for_erasures(session)
        made_of = as_report(_own_document(session, report_id, person_id)).model_dump(mode="json")
        season_id, _ = _version(session, report_id, None)
        values = {**own, "filter": made_of, "season_id": season_id, "report_id": report_id, "format": format}
        new = _insert(session, values, *unique)
        # A file that is being made is checked again when it is done.
        ended = Export.status.in_((ExportStatus.DONE.value, ExportStatus.FAILED.value))
        changed = _set_anew(session, *where, ended, Export.filter != made_of, filter=made_of)
    if (made := new or changed) is not None:
        queue_rows(context, EXPORTS, made, replace=made == changed)
    return _current(context, *where)


def remove_version_file(
    context: Context, person_id: uuid.UUID, report_id: uuid.UUID, format: str, version_no: int | None
) -> None:
    """Remove the file of a version, or for None of the person's document, or stop making it.

    It is no error if there is none. Raises StorageError.
    """
    where = _own(report_id, format, person_id) if version_no is None else _of(report_id, format, version_no)
    gone = context.database.scalars(delete(Export).where(*where).returning(Export.id))
    forget_jobs(context.redis, [EXPORTS.job_id(export_id) for export_id in gone])
    for export_id in gone:
        context.store.delete(key_of(export_id))


def _insert(
    session: Session, values: Mapping[str, Any], unique: Sequence[str], where: ColumnElement[bool] | TextClause
) -> uuid.UUID | None:
    """Insert the row of a file; return its id, None if there is one."""
    row = insert(Export).values(columns=[], **values)
    return session.scalar(
        row.on_conflict_do_nothing(index_elements=unique, index_where=where).returning(Export.id)
    )


def _current(context: Context, *where: ColumnElement[bool]) -> VersionFile:
    """Return the file; make it again if it failed a while ago or its bytes are gone."""
    found = _read(context, *where)
    same = [Export.id == found.id, Export.status == found.status.value]
    if found.status == ExportStatus.FAILED:
        same.append(Export.finished_at < func.now() - _FAILURE_HOLDS)
    elif found.status != ExportStatus.DONE or context.store.exists(key_of(found.id)):
        return found
    with context.database.session() as session:
        again = _set_anew(session, *same)
    if again is None:
        return found
    queue_rows(context, EXPORTS, again, replace=True)
    return _read(context, Export.id == found.id)


def _of(report_id: uuid.UUID, format: str, version_no: int) -> tuple[ColumnElement[bool], ...]:
    return Export.report_id == report_id, Export.format == format, Export.version_no == version_no


def _own(report_id: uuid.UUID, format: str, person_id: uuid.UUID) -> tuple[ColumnElement[bool], ...]:
    is_own = Export.kind == OWN_DOCUMENT, Export.requested_by == person_id
    return Export.report_id == report_id, Export.format == format, *is_own


def _version(session: Session, report_id: uuid.UUID, version_no: int | None) -> tuple[uuid.UUID, int]:
    """Return the season of the report and the number of the version. Raises NotFoundError."""
    query = (
        select(Report.season_id, ReportVersion.version_no)
        .join(ReportVersion, ReportVersion.report_id == Report.id)
        .where(Report.id == report_id)
    )
    if version_no is not None:
        query = query.where(ReportVersion.version_no == version_no)
    found = session.execute(query.order_by(ReportVersion.version_no.desc()).limit(1)).one_or_none()
    row = existing(found, "no such version")
    return row.season_id, row.version_no


def _read(context: Context, *where: ColumnElement[bool]) -> VersionFile:
    title = (
        select(ReportVersion.document["title"].astext)
        .where(
            ReportVersion.report_id == Export.report_id,
            func.coalesce(Export.version_no, ReportVersion.version_no) == ReportVersion.version_no,
        )
        .order_by(ReportVersion.version_no.desc())
        .limit(1)
        .scalar_subquery()
    )
    with context.database.reading() as session:
        found = existing(session.execute(select(Export, title).where(*where)).one_or_none(), "removed meanwhile")
        row, name = found[0], filename_of(found[1] or "", found[0].format)
        return VersionFile(
            row.id, row.report_id, row.version_no, row.format, ExportStatus(row.status), row.error, name
        )


def _set_anew(session: Session, *where: ColumnElement[bool], **changed: Any) -> uuid.UUID | None:
    """Set the file to waiting, with these columns changed; return its id if the row meets the conditions."""
    anew = {"status": ExportStatus.QUEUED.value, "attempts": 0, "finished_at": None, **error_columns(None)}
    return session.scalar(update(Export).where(*where).values(**anew, **changed).returning(Export.id))


@dataclass(frozen=True)
class Taken:
    """A passage of the document."""

    claim_id: str
    source_key: str
    quote: str
    page_no: int | None
    note: str
    #: None if its source is no longer among the report's references.
    reference: Reference | None


@dataclass(frozen=True)
class OwnDocument:
    """The passages in their order, and the report that they are from."""

    report_id: uuid.UUID
    title: str
    query: str
    language: str
    passages: tuple[Taken, ...]


def own_document(context: Context, report_id: uuid.UUID, person_id: uuid.UUID) -> OwnDocument:
    """Return what a person took from a report. Raises NotFoundError for an unknown report."""
    with context.database.reading() as session:
        return _own_document(session, report_id, person_id)


def _own_document(session: Session, report_id: uuid.UUID, person_id: uuid.UUID) -> OwnDocument:
    report = existing(session.get(Report, report_id), "no such report")
    found = load_version(session, report_id, None)
    references = {one.key: one for one in found[1].references} if found else {}
    same = (ReportClaim.report_id == ReportExcerpt.report_id, ReportClaim.claim_id == ReportExcerpt.claim_id)
    rows = session.execute(
        select(ReportExcerpt, ReportClaim)
        .join(ReportClaim, and_(*same))
        .where(_of_person(report_id, person_id))
        .order_by(ReportExcerpt.position, ReportExcerpt.claim_id)
    ).all()
    title = found[1].title if found else report.query
    passages = tuple(
        Taken(
            taken.claim_id,
            claim.source_key or "",
            clean_quote(claim.quote),
            claim.page_no,
            taken.note,
            references.get(claim.source_key or ""),
        )
        for taken, claim in rows
    )
    return OwnDocument(report_id, title, report.query, report.language, passages)


def take_passage(context: Context, report_id: uuid.UUID, person_id: uuid.UUID, claim_id: str) -> None:
    """Add a passage at the end of the document; one that is there already stays in its place.

    Raises NotFoundError for a passage that is in no version of the report, and InvalidInputError for one too many.
    """
    with context.database.session() as session:
        claim = session.get(ReportClaim, (report_id, claim_id))
        if claim is None or claim.source_key is None:
            raise NotFoundError("no such passage")
        held = session.execute(
            select(func.count(), func.coalesce(func.max(ReportExcerpt.position), 0)).where(
                _of_person(report_id, person_id)
            )
        ).one()
        if held[0] >= MOST_PASSAGES:
            raise InvalidInputError(ReportCode.OWN_DOCUMENT_FULL, most=MOST_PASSAGES)
        row = {"report_id": report_id, "person_id": person_id, "claim_id": claim_id, "position": held[1] + 1}
        session.execute(insert(ReportExcerpt).values(row).on_conflict_do_nothing())


def drop_passage(context: Context, report_id: uuid.UUID, person_id: uuid.UUID, claim_id: str) -> None:
    """Remove a passage from the document; nothing happens if it is not in it."""
    context.database.execute(
        delete(ReportExcerpt).where(_of_person(report_id, person_id), ReportExcerpt.claim_id == claim_id)
    )


def write_note(context: Context, report_id: uuid.UUID, person_id: uuid.UUID, claim_id: str, note: str) -> None:
    """Set the note of a passage. Raises InvalidInputError for one that is too long, and NotFoundError."""
    cleaned = note.replace("\r\n", "\n").replace("\x00", "").strip()
    if len(cleaned) > LONGEST_NOTE:
        raise InvalidInputError(ReportCode.NOTE_TOO_LONG, length=len(cleaned), most=LONGEST_NOTE)
    changed = context.database.scalar(
        update(ReportExcerpt)
        .where(_of_person(report_id, person_id), ReportExcerpt.claim_id == claim_id)
        .values(note=cleaned)
        .returning(ReportExcerpt.claim_id)
    )
    existing(changed, "no such passage")


def move_passage(context: Context, report_id: uuid.UUID, person_id: uuid.UUID, claim_id: str, by: int) -> None:
    """Move a passage by so many places, up for a negative number. Raises NotFoundError if it is not there."""
    with context.database.session() as session:
        order = list(_order(session, report_id, person_id))
        if claim_id not in order:
            raise NotFoundError("no such passage")
        at = order.index(claim_id)
        order.insert(max(0, min(len(order) - 1, at + by)), order.pop(at))
        for position, one in enumerate(order, start=1):
            session.execute(
                update(ReportExcerpt)
                .where(_of_person(report_id, person_id), ReportExcerpt.claim_id == one)
                .values(position=position)
            )


def as_report(own: OwnDocument) -> ReportDocument:
    """Return the document with its notes, quotations and references, for every export.

    A passage whose source is gone is left out, since it could not be cited.
    """
    kept = [one for one in own.passages if one.reference is not None]
    taken: set[str] = set()
    sections = [
        Section(
            key=section_key(one.reference.title, taken),
            # Consecutive passages of one source share a heading.
            heading="" if at and one.source_key == kept[at - 1].source_key else one.reference.title,
            body="\n\n".join(filter(None, (_noted(one.note), _quoted(one, own.language)))),
        )
        for at, one in enumerate(kept)
        if one.reference
    ]
    references = {one.source_key: one.reference for one in kept if one.reference}
    return ReportDocument(
        title=own.title,
        query=own.query,
        language="es" if own.language == "es" else "en",
        sections=tuple(sections),
        references=tuple(references.values()),
    )


def _order(session: Session, report_id: uuid.UUID, person_id: uuid.UUID) -> Sequence[str]:
    """Return the ids of the passages in their order, locked until the transaction ends."""
    return session.scalars(
        select(ReportExcerpt.claim_id)
        .where(_of_person(report_id, person_id))
        .order_by(ReportExcerpt.position, ReportExcerpt.claim_id)
        .with_for_update()
    ).all()


def _of_person(report_id: uuid.UUID, person_id: uuid.UUID) -> ColumnElement[bool]:
    return and_(ReportExcerpt.report_id == report_id, ReportExcerpt.person_id == person_id)


def _noted(note: str) -> str:
    """Return a note as Markdown, its paragraphs kept; bracketed numbers and markers in it are escaped."""
    return "\n\n".join(as_markdown(part.strip()) for part in note.split("\n\n") if part.strip())


def _quoted(one: Taken, language: str) -> str:
    words = phrases_for("wording", language)
    return f"> {words['left']}{as_markdown(one.quote)}{words['right']} [@{one.source_key}]"
