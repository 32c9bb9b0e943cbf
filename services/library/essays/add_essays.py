"""Keep the library's essays equal to the approved entries of the season, with names removed."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import yaml
from sqlalchemy import ColumnElement, delete, exists, insert, or_, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.models import (
    COMPLETE_STATUSES,
    EssayWord,
    LibraryDocument,
    LibraryKind,
    LibraryPassage,
    LibraryStatus,
    Season,
    Submission,
    SubmissionField,
)
from core.models.leases import DOCUMENT_LEASES
from pipeline.supabase_db import get_field_values
from research.text import detect_language
from services.context import Context
from services.library.embed_document import embedding_columns
from services.library.essays.doubtful_words import decided_words, note_doubts, waiting_essays
from services.library.essays.without_names import NAMING_FIELDS, REACHING_FIELDS, clean_essay, initials
from services.library.media_type import MediaType
from services.library.passages import passages_of
from services.library.read_document import rows_of
from services.library.read_text_files import read_markdown
from services.seasons import current_season

_BATCH = 500
#: `error_code` of an essay removed because its entry is no longer approved; it is added again once it is.
WITHDRAWN = "entry_withdrawn"


@dataclass(frozen=True)
class Essays:
    """Numbers of essays that an update of the library changed, and of those that wait for a person."""

    written: int = 0
    removed: int = 0
    waiting: int = 0


def essay_fields() -> tuple[str, ...]:
    """Return the fields that an essay of the library is made of, or cleaned of."""
    return (*NAMING_FIELDS, *REACHING_FIELDS, "grade", "essay_text")


def add_essays(context: Context) -> Essays:
    """Add every approved essay of the current season to the library, and remove those no longer approved.

    An essay that a person removed from the library stays out of it. One with words that could be names waits until
    a person has decided on them.
    """
    with context.database.session() as session:
        season = current_season(session)
        removed = _withdraw_unapproved(session, season.id)
    written = 0
    while batch := _waiting(context, season.id):
        for submission_id, document_id in batch:
            written += _write(context, season, submission_id, document_id)
    return Essays(written, removed, waiting_essays(context))


def refresh_essays(context: Context) -> Essays:
    """Call `add_essays` if essays were brought into the library before; otherwise do nothing."""
    brought = LibraryDocument.submission_id.is_not(None)
    with context.database.session() as session:
        wanted = session.scalar(select(or_(exists().where(brought), exists(EssayWord.word))))
    return add_essays(context) if wanted else Essays()


def _withdraw_unapproved(session: Session, season_id: uuid.UUID) -> int:
    unapproved = select(Submission.id).where(
        Submission.season_id == season_id, Submission.status.not_in(COMPLETE_STATUSES)
    )
    return withdraw(session, LibraryDocument.submission_id.in_(unapproved))


def withdraw(session: Session, which: ColumnElement[bool]) -> int:
    """Withdraw essays until they are written anew; return how many stood in the library."""
    gone = session.scalars(
        update(LibraryDocument)
        .where(which, LibraryDocument.status != LibraryStatus.REMOVED.value)
        .values(status=LibraryStatus.REMOVED.value, error_code=WITHDRAWN, updated_at=utcnow())
        .returning(LibraryDocument.id)
        .execution_options(synchronize_session=False)
    ).all()
    session.execute(delete(LibraryPassage).where(LibraryPassage.document_id.in_(gone)))
    return len(gone)


def _waiting(context: Context, season_id: uuid.UUID) -> Sequence[tuple[uuid.UUID, uuid.UUID | None]]:
    """Return (entry, document) ids of approved essays whose document is missing, withdrawn or out of date.

    Without those that wait for a person.
    """
    essay = select(SubmissionField.id).where(
        SubmissionField.submission_id == Submission.id,
        SubmissionField.name == "essay_text",
        SubmissionField.value != "",
    )
    # Words were doubted in the essay as it is now.
    held = select(EssayWord.word).where(
        EssayWord.submission_id == Submission.id,
        EssayWord.taken_out.is_(None),
        EssayWord.created_at >= Submission.updated_at,
    )
    with context.database.session() as session:
        rows = session.execute(
            select(Submission.id, LibraryDocument.id)
            .outerjoin(LibraryDocument, LibraryDocument.submission_id == Submission.id)
            .where(
                Submission.season_id == season_id,
                Submission.status.in_(COMPLETE_STATUSES),
                essay.exists(),
                ~held.exists(),
                or_(
                    LibraryDocument.id.is_(None),
                    LibraryDocument.error_code == WITHDRAWN,
                    (LibraryDocument.status == LibraryStatus.READY.value)
                    & (LibraryDocument.updated_at < Submission.updated_at),
                ),
            )
            .order_by(Submission.created_at, Submission.id)
            .limit(_BATCH)
        ).all()
    return [(row[0], row[1]) for row in rows]


def _write(context: Context, season: Season, submission_id: uuid.UUID, document_id: uuid.UUID | None) -> int:
    seen_at = utcnow()
    with context.database.session() as session:
        # Held until the end: an entry that is being erased is waited for, and one that was erased is gone. So is
        # another who adds the same essay.
        here = select(Submission.id).where(Submission.id == submission_id)
        if session.scalar(here.with_for_update(key_share=True)) is None:
            return 0
        written = select(LibraryDocument.id).where(LibraryDocument.submission_id == submission_id)
        if document_id is None and session.scalar(written) is not None:
            return 0
        entry = get_field_values(session, submission_id, essay_fields())
        cleaned = clean_essay(essay_of(entry), entry, decided_words(session, submission_id))
        if note_doubts(session, submission_id, cleaned.doubts, seen_at):
            withdraw(session, LibraryDocument.submission_id == submission_id)
            return 0
        title = essay_title(entry)
        data = _original(title, season, cleaned.text)
        key_id = document_id or uuid.uuid4()
        context.store.put(f"library/{key_id}", data)
        _put(session, key_id, document_id is None, _values(season, submission_id, title, data, seen_at))
        text = read_markdown(data, context.settings.file_bounds)
        passages = passages_of(text.blocks)
        language = detect_language("".join(one.text for one in passages))
        session.execute(
            update(LibraryDocument)
            .where(LibraryDocument.id == key_id)
            .values(
                language=language,
                char_count=passages[-1].end_char if passages else 0,
                **embedding_columns(context),
                # Of a worker that computes the vectors of the text as it was.
                **DOCUMENT_LEASES.ended,
            )
        )
        session.execute(delete(LibraryPassage).where(LibraryPassage.document_id == key_id))
        if passages:
            session.execute(insert(LibraryPassage), rows_of(key_id, passages, language))
    return 1


def essay_title(entry: dict[str, str | None]) -> str:
    """ "M. Q., grade 4": the only information about the author that is kept."""
    grade = f"grade {entry['grade']}" if entry.get("grade") else ""
    return ", ".join(part for part in (initials(entry.get("student_name")), grade) if part) or "Essay"


def essay_of(entry: dict[str, str | None]) -> str:
    """Return the essay of an entry, each paragraph on one line."""
    paragraphs = (entry.get("essay_text") or "").replace("\r\n", "\n").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _original(title: str, season: Season, text: str) -> bytes:
    """Return the document as Markdown: front matter and the text without names; nothing leads to the entry."""
    about = yaml.safe_dump({"title": title, "collection": season.name}, allow_unicode=True, sort_keys=False)
    return f"---\n{about}---\n{_escaped(text)}\n".encode()


def _escaped(text: str) -> str:
    """Escape the text, so that nothing in it is parsed as Markdown."""
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#+-.!|~&()=:" else char for char in text)


def _values(season: Season, submission_id: uuid.UUID, title: str, data: bytes, at: datetime) -> dict[str, Any]:
    return {
        "kind": LibraryKind.ESSAY.value,
        "collection": season.name,
        "title": title,
        "year": at.year,
        "original_filename": "essay.md",
        "content_type": MediaType.MARKDOWN.value,
        "byte_size": len(data),
        # Of the entry too: two entries may have the same essay, and no two documents the same sum.
        "sha256": hashlib.sha256(submission_id.bytes + data).hexdigest(),
        "submission_id": submission_id,
        "status": LibraryStatus.READY.value,
        "error_code": None,
        "updated_at": at,
    }


def _put(session: Session, document_id: uuid.UUID, is_new: bool, values: dict[str, Any]) -> None:
    if is_new:
        session.execute(
            insert(LibraryDocument).values(id=document_id, storage_key=f"library/{document_id}", **values)
        )
    else:
        session.execute(update(LibraryDocument).where(LibraryDocument.id == document_id).values(**values))
