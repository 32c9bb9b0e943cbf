"""A document of a person's own: passages taken from a report, in order, with notes and references."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.errors import InvalidInputError, NotFoundError
from core.models import Report, ReportClaim, ReportExcerpt
from research.document import Reference, ReportDocument, Section, section_key
from research.markdown_text import as_markdown
from research.readers.shown import shown
from research.words import phrases_of
from services.context import Context
from services.reports.codes import ReportCode
from services.reports.report_version import load_version

#: Most passages of a document, and most characters of a note.
MOST_PASSAGES, LONGEST_NOTE = 200, 2000


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

    @property
    def claims(self) -> frozenset[str]:
        """The ids of the claims that were taken."""
        return frozenset(one.claim_id for one in self.passages)


def own_document(context: Context, report_id: uuid.UUID, person_id: uuid.UUID) -> OwnDocument:
    """Return what a person took from a report. Raises NotFoundError for an unknown report."""
    with context.database.session() as session:
        report = session.get(Report, report_id)
        if report is None:
            raise NotFoundError("no such report")
        found = load_version(session, report_id, None)
        references = {one.key: one for one in found[1].references} if found else {}
        same = (ReportClaim.report_id == ReportExcerpt.report_id, ReportClaim.claim_id == ReportExcerpt.claim_id)
        rows = session.execute(
            select(ReportExcerpt, ReportClaim)
            .join(ReportClaim, and_(*same))
            .where(_own(report_id, person_id))
            .order_by(ReportExcerpt.position, ReportExcerpt.claim_id)
        ).all()
        title = found[1].title if found else report.query
        passages = tuple(
            Taken(
                taken.claim_id,
                claim.source_key or "",
                shown(claim.quote),
                claim.page_no,
                taken.note,
                references.get(claim.source_key or ""),
            )
            for taken, claim in rows
        )
        return OwnDocument(report_id, title, report.query, report.language, passages)


def take_passage(context: Context, report_id: uuid.UUID, person_id: uuid.UUID, claim_id: str) -> None:
    """Add a passage at the end of the document; one that is there stays where it is.

    Raises NotFoundError for a passage that is in no version of the report, and InvalidInputError for one too many.
    """
    with context.database.session() as session:
        claim = session.get(ReportClaim, (report_id, claim_id))
        if claim is None or claim.source_key is None:
            raise NotFoundError("no such passage")
        held = session.execute(
            select(func.count(), func.coalesce(func.max(ReportExcerpt.position), 0)).where(
                _own(report_id, person_id)
            )
        ).one()
        if held[0] >= MOST_PASSAGES:
            raise InvalidInputError(ReportCode.OWN_DOCUMENT_FULL, most=MOST_PASSAGES)
        row = {"report_id": report_id, "person_id": person_id, "claim_id": claim_id, "position": held[1] + 1}
        session.execute(insert(ReportExcerpt).values(row).on_conflict_do_nothing())


def drop_passage(context: Context, report_id: uuid.UUID, person_id: uuid.UUID, claim_id: str) -> None:
    """Remove a passage from the document; nothing happens if it is not in it."""
    with context.database.session() as session:
        session.execute(
            delete(ReportExcerpt).where(_own(report_id, person_id), ReportExcerpt.claim_id == claim_id)
        )


def write_note(context: Context, report_id: uuid.UUID, person_id: uuid.UUID, claim_id: str, note: str) -> None:
    """Set the note of a passage. Raises InvalidInputError for one that is too long, and NotFoundError."""
    told = note.replace("\r\n", "\n").replace("\x00", "").strip()
    if len(told) > LONGEST_NOTE:
        raise InvalidInputError(ReportCode.NOTE_TOO_LONG, length=len(told), most=LONGEST_NOTE)
    with context.database.session() as session:
        changed = session.execute(
            update(ReportExcerpt)
            .where(_own(report_id, person_id), ReportExcerpt.claim_id == claim_id)
            .values(note=told)
            .returning(ReportExcerpt.claim_id)
        ).all()
    if not changed:
        raise NotFoundError("no such passage")


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
                .where(_own(report_id, person_id), ReportExcerpt.claim_id == one)
                .values(position=position)
            )


def as_report(own: OwnDocument) -> ReportDocument:
    """Return the document with its notes, quotations and references, for every export.

    A passage whose source is gone is left out, since nothing could be cited for it.
    """
    kept = [one for one in own.passages if one.reference is not None]
    taken: set[str] = set()
    sections = [
        Section(
            key=section_key(one.reference.title, taken),
            # Passages of one source that follow each other stand under one heading.
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
        .where(_own(report_id, person_id))
        .order_by(ReportExcerpt.position, ReportExcerpt.claim_id)
        .with_for_update()
    ).all()


def _own(report_id: uuid.UUID, person_id: uuid.UUID) -> ColumnElement[bool]:
    return and_(ReportExcerpt.report_id == report_id, ReportExcerpt.person_id == person_id)


def _noted(note: str) -> str:
    """Return a note as Markdown, its paragraphs kept; bracketed numbers and markers in it are only text."""
    return "\n\n".join(as_markdown(part.strip()) for part in note.split("\n\n") if part.strip())


def _quoted(one: Taken, language: str) -> str:
    words = phrases_of("wording", language)
    return f"> {words['left']}{as_markdown(one.quote)}{words['right']} [@{one.source_key}]"
