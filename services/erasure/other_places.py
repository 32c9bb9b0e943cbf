"""The data of an erased child outside the entry: quotations, library, failed files, watched folders."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sqlalchemy import delete, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Session
from sqlalchemy.types import String, TypeDecorator

from core.errors import AppError, NotFoundError
from core.file_store import FileStore
from core.llm.embeddings import stored_dimensions
from core.messages import Message
from core.models import (
    Base,
    FormDraft,
    FormDraftStatus,
    FormDraftStep,
    FormProfile,
    LibraryDocument,
    LibraryPassage,
    PageFingerprint,
    Report,
    ReportCall,
    ReportClaim,
    ReportExcerpt,
    ReportGap,
    ReportPassage,
    ReportRevision,
    ReportRound,
    ReportSource,
    ReportSupervision,
    ReportTask,
    ReportVersion,
)
from core.models.base import in_array
from core.models.leases import DOCUMENT_LEASES
from core.queue import forget_jobs
from pipeline.duplicates.pictures import DPI, fingerprint, same_sheet
from pipeline.mupdf.file import open_pdf
from pipeline.mupdf.page_data import PageParts
from pipeline.recognition.page_contents import render_page
from research.readers.findings import clean_quote
from services.context import Context
from services.erasure.scope import ErasureScope
from services.erasure.search import is_called_after, is_named_in, strings_in, texts_of
from services.form_studio.draft import blank_key, blank_pdf_key, folder_of_draft
from services.library.copies import WITHDRAWN, WordRuns, copying_passages
from services.library.passages import embedding_columns
from services.recovery.kinds import BLANKS
from services.watching.places import Watched, WatchedFile, find_watched, remove_watched

# Files that show a child and that no entry refers to: filled-in forms taken for blanks, a scanner's folder.


#: Most pages of a blank that are looked at.
_MOST_PAGES = 8


@dataclass(frozen=True)
class Elsewhere:
    """What was found."""

    #: Drafts in the form studio.
    drafts: list[uuid.UUID]
    #: Keys of the blanks of saved forms.
    blanks: list[str]
    #: Number of versions of forms that print or quote the child's name. A version never changes.
    naming_forms: int = 0
    watched_folders: Watched = field(default_factory=Watched)

    @property
    def watched(self) -> list[WatchedFile]:
        """Files in watched folders."""
        return self.watched_folders.files

    @property
    def not_reached(self) -> list[str]:
        """Watched folders in which a person has to look."""
        return self.watched_folders.not_reached


@dataclass(frozen=True)
class _Child:
    """What a child is known by: names, and the maps of the pages."""

    names: list[str]
    pages: Sequence[bytes]


def find_elsewhere(context: Context, session: Session, scope: ErasureScope) -> Elsewhere:
    """Look through all drafts and blanks of forms, and all watched folders."""
    maps = select(PageFingerprint.ink).where(PageFingerprint.submission_id.in_(scope.submissions))
    columns = (maps, select(FormProfile.blank_key).distinct(), select(FormProfile.definition))
    pages, keys, definitions = session.execute(select(*map(in_array, columns))).one()
    child = _Child(scope.names, pages)
    steps = in_array(select(FormDraftStep.marks).where(FormDraftStep.draft_id == FormDraft.id))
    drafts = [
        draft.id
        for draft, before in session.execute(select(FormDraft, steps))
        if _is_of(context, draft, before, child)
    ]
    blanks = [key for key in keys if key is not None and _shows(_stored(context.store, key), child)]
    called = partial(is_called_after, children=scope.names)
    naming = sum(is_named_in(_print_of(form), scope.names) for form in definitions)
    return Elsewhere(drafts, sorted(blanks), naming, find_watched(session, scope.uploads, called))


def forget_elsewhere(context: Context, session: Session, elsewhere: Elsewhere) -> None:
    """Delete drafts in the caller's transaction, and take blanks from their forms, which stay in use."""
    forget_jobs(context.redis, [BLANKS.job_id(draft_id) for draft_id in elsewhere.drafts])
    session.execute(delete(FormDraft).where(FormDraft.id.in_(elsewhere.drafts)))
    session.execute(update(FormProfile).where(FormProfile.blank_key.in_(elsewhere.blanks)).values(blank_key=None))


def delete_elsewhere(store: FileStore, elsewhere: Elsewhere) -> None:
    """Delete the files, those in watched folders first. Raises StorageError; deleting again does no harm."""
    remove_watched(elsewhere.watched_folders)
    for draft_id in elsewhere.drafts:
        store.delete_prefix(folder_of_draft(draft_id))
    for key in elsewhere.blanks:
        store.delete(key)


def _is_of(context: Context, draft: FormDraft, steps: Sequence[dict[str, Any]], child: _Child) -> bool:
    """Whether a draft names the child, or its blank shows a page of the child, or cannot be looked at.

    `steps`: its marks as they were before.
    """
    if is_called_after(draft.original_filename, child.names):
        return True
    if any(is_named_in(_print_of(marks), child.names) for marks in (draft.marks, *steps)):
        return True
    blank = _stored(context.store, blank_pdf_key(draft.id)) or _stored(context.store, blank_key(draft.id))
    if draft.status == FormDraftStatus.FAILED and not _can_be_read(blank):
        # As with samples, nobody knows whom it shows, and deleting it loses nothing.
        return True
    return _shows(blank, child)


def _print_of(form: dict[str, Any] | None) -> str:
    """Return the texts of a form's description; what it prints comes first, so that lines follow each other."""
    printed = (text for one in (form or {}).get("printed", ()) for text in one.get("texts", ()))
    return " ".join([*printed, *strings_in(form)])


def _stored(store: FileStore, key: str) -> bytes:
    try:
        return store.get(key)
    except NotFoundError:
        return b""


def _can_be_read(pdf: bytes) -> bool:
    try:
        with open_pdf(pdf) as file:
            return file.page_count > 0
    except AppError:
        return False


def _shows(pdf: bytes, child: _Child) -> bool:
    """Whether a page of the file has the child's name, or is one of the child's sheets."""
    try:
        with open_pdf(pdf) as file:
            count = min(file.page_count, _MOST_PAGES)
            texts = [_text(file.parts(number)) for number in range(1, count + 1)]
        if is_named_in(" ".join(texts), child.names):
            return True
        return bool(child.pages) and _has_sheet(pdf, count, child.pages)
    except AppError:
        return False


def _text(page: PageParts) -> str:
    words = [str(word[4]) for line in page.lines for word in line.words]
    return " ".join([*words, *(one.value for one in page.fields)])


def _has_sheet(pdf: bytes, count: int, pages: Collection[bytes]) -> bool:
    maps = [fingerprint(render_page(pdf, number, DPI)) for number in range(1, count + 1)]
    return any(same_sheet(one, other) for one in maps if one is not None for other in pages)


# Take an essay out of the reports that were researched from it. The reports stay; the source is withdrawn.


#: Tables of a report that may hold a sentence of a source, except the passages.
_TABLES: tuple[type[Base], ...] = (
    Report,
    ReportRound,
    ReportTask,
    ReportGap,
    ReportClaim,
    ReportExcerpt,
    ReportCall,
    ReportVersion,
    ReportSupervision,
    ReportRevision,
)


def withdraw_quotations(context: Context, session: Session, scope: ErasureScope) -> None:
    """Put "[withdrawn]" in place of what reports keep and quote of the essays; the citations stay listed.

    Of a source that copies an essay, the copies alone are withdrawn, and from its document in the library, so that
    no later report finds them; what other entries have too stays in such documents. In a report that was exported
    and uploaded again, quotations of the essays by any report are searched for.
    """
    if not scope.reports and not scope.copying:
        return
    texts, _ = texts_of(session, scope.submissions)
    essays = _sources(session, scope.documents)
    quoted = defaultdict[uuid.UUID, list[str]](list)
    for report_id, key in essays:
        quoted[report_id] += [*_quoted(session, report_id, key), _title(session, report_id, key)]
    words = WordRuns(texts, others=scope.shared)
    _withdraw_in_library(context, session, scope.copying, words)
    copying = _sources(session, scope.copying)
    for report_id, key in copying:
        quoted[report_id] += [quote for quote in _quoted(session, report_id, key) if words.holds(quote)]
    anywhere = [quote for quotes in quoted.values() for quote in quotes]
    for report_id in scope.reports:
        keys = {key for of, key in essays if of == report_id}
        quotes = anywhere if report_id in scope.copies else quoted[report_id]
        runs = WordRuns(texts, quotes, () if keys else scope.shared)
        for table in _TABLES:
            _rewrite(session, table, report_id, _Withdrawing(runs, keys))
        for key in keys:
            _empty_source(session, report_id, key)
        for key in (key for of, key in copying if of == report_id):
            _withdraw_passages(session, report_id, key, runs)
    _forget_vectors(session, scope.reports)


def _sources(session: Session, documents: Collection[uuid.UUID]) -> list[tuple[uuid.UUID, str]]:
    """Return (report, key) of each source that is one of these documents."""
    query = select(ReportSource.report_id, ReportSource.key).where(ReportSource.library_document_id.in_(documents))
    return [(row.report_id, row.key) for row in session.execute(query)]


def _title(session: Session, report_id: uuid.UUID, key: str) -> str:
    return session.get_one(ReportSource, (report_id, key)).title


def _withdraw_passages(session: Session, report_id: uuid.UUID, key: str, runs: WordRuns) -> None:
    """Withdraw the copies alone from a source that copies an essay. The rest of its text keeps its place."""
    source = session.get_one(ReportSource, (report_id, key))
    source.title = runs.without(source.title)
    of_source = (ReportPassage.report_id == report_id, ReportPassage.source_key == key)
    passages = session.scalars(select(ReportPassage).where(*of_source).order_by(ReportPassage.position)).all()
    for passage, left in zip(passages, runs.without_in_parts([one.text for one in passages]), strict=True):
        passage.text = left
    session.flush()


def _withdraw_in_library(
    context: Context, session: Session, document_ids: Collection[uuid.UUID], runs: WordRuns
) -> None:
    """Withdraw the copies from documents that the caller has locked, in the passages that reports read."""
    changed = defaultdict[uuid.UUID, set[int]](set)
    for found in list(copying_passages(session, runs)):
        of_them = (LibraryPassage.document_id == found.document_id, LibraryPassage.position.in_(found.positions))
        passages = session.scalars(select(LibraryPassage).where(*of_them).order_by(LibraryPassage.position)).all()
        for passage, left in zip(passages, runs.without_in_parts(found.texts), strict=True):
            if left != passage.text:
                passage.text, passage.run_keys = left, None
        changed[found.document_id].update(found.positions)
    concerned = LibraryDocument.id.in_({*document_ids, *changed})
    for document in session.scalars(select(LibraryDocument).where(concerned)).all():
        title, document.title = document.title, runs.without(document.title)
        positions = changed[document.id] | _withdraw_headings(session, document.id, runs)
        if stored_dimensions(session) is not None:
            # A vector is of the title, too.
            given = {"id": document.id, "whole": title != document.title, "positions": sorted(positions)}
            session.execute(_FORGET_PASSAGES, given)
        if positions:
            session.execute(
                update(LibraryDocument)
                .where(LibraryDocument.id == document.id)
                # End the lease of a worker that computes vectors of the former text.
                .values(**embedding_columns(context), **DOCUMENT_LEASES.ended)
            )
    session.flush()


def _withdraw_headings(session: Session, document_id: uuid.UUID, runs: WordRuns) -> set[int]:
    """Withdraw the copies from headings, which all passages below them have; return the positions of these."""
    of_it = LibraryPassage.document_id == document_id
    changed = set[int]()
    for heading in session.scalars(select(LibraryPassage.heading).where(of_it).distinct()).all():
        if heading is not None and (left := runs.without(heading)) != heading:
            below = update(LibraryPassage).where(of_it, LibraryPassage.heading == heading).values(heading=left)
            changed.update(session.scalars(below.returning(LibraryPassage.position)))
    return changed


_FORGET_PASSAGES = text(
    "delete from embeddings.passage_texts where document_id = :id and (:whole or position = any(:positions))"
)


def _quoted(session: Session, report_id: uuid.UUID, key: str) -> list[str]:
    """Return a report's quotations of a source, as they are and as they are printed."""
    of_source = ReportClaim.report_id == report_id, ReportClaim.source_key == key
    quotes = session.scalars(select(ReportClaim.quote).where(*of_source)).all()
    return [one(quote) for quote in quotes for one in (str, clean_quote)]


def _forget_vectors(session: Session, report_ids: Sequence[uuid.UUID]) -> None:
    """Delete the reports' texts that have vectors, and the vectors; both are made again when needed."""
    if stored_dimensions(session) is not None:
        query = text("delete from embeddings.passage_texts where report_id = any(:reports)")
        session.execute(query, {"reports": list(report_ids)})


class _Withdrawing:
    """Takes the copies out of the values of one report."""

    def __init__(self, runs: WordRuns, keys: set[str]) -> None:
        self._runs = runs
        self._keys = keys

    def value(self, given: Any) -> Any:
        """Return a value of a column, of any depth, without the copies in it."""
        if isinstance(given, str):
            return self._runs.without(given)
        if isinstance(given, list):
            return [self.value(one) for one in given]
        if isinstance(given, Message):
            return Message(given.code, self.value(dict(given.params)))
        if isinstance(given, dict):
            return {name: self.value(one) for name, one in self._reference(given).items()}
        return given

    def _reference(self, given: dict[str, Any]) -> dict[str, Any]:
        """Withdraw the title and the authors where this is an item of a list of references."""
        if given.get("key") not in self._keys or "title" not in given:
            return given
        return {**given, "title": WITHDRAWN, **({"authors": []} if "authors" in given else {})}


def _rewrite(session: Session, table: type[Base], report_id: uuid.UUID, withdrawing: _Withdrawing) -> None:
    of_report: Any = table.__mapper__.columns["id" if table is Report else "report_id"]
    names = _names(table)
    # No lock is needed: the leases on all of it are ours.
    for row in session.scalars(select(table).where(of_report == report_id)):
        for name in names:
            before = getattr(row, name)
            after = withdrawing.value(before)
            if after != before:
                setattr(row, name, after)
    session.flush()


def _names(table: type[Base]) -> Sequence[str]:
    """Return the attributes of a table that hold text of any form and are no key."""
    return [
        attribute.key
        for attribute in table.__mapper__.column_attrs
        if _is_text(attribute.columns[0].type)
        and not attribute.columns[0].primary_key
        and not attribute.columns[0].foreign_keys
    ]


def _is_text(kind: Any) -> bool:
    if isinstance(kind, TypeDecorator):
        kind = kind.impl_instance
    return isinstance(kind, (JSONB, String, ARRAY))


def _empty_source(session: Session, report_id: uuid.UUID, key: str) -> None:
    """Leave one passage that says that the source is withdrawn, and let the claims quote that."""
    of_source = (ReportPassage.report_id == report_id, ReportPassage.source_key == key)
    session.execute(delete(ReportPassage).where(*of_source))
    session.add(
        ReportPassage(
            report_id=report_id, source_key=key, position=0, start_char=0, end_char=len(WITHDRAWN), text=WITHDRAWN
        )
    )
    session.execute(
        update(ReportSource)
        .where(ReportSource.report_id == report_id, ReportSource.key == key)
        .values(title=WITHDRAWN, authors=[], char_count=len(WITHDRAWN))
    )
    session.execute(
        update(ReportClaim)
        .where(ReportClaim.report_id == report_id, ReportClaim.source_key == key)
        .values(quote=WITHDRAWN, start_char=0, end_char=len(WITHDRAWN), page_no=None)
    )
