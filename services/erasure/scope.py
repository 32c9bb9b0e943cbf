"""What the product holds about a child, and where."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Row, or_, select
from sqlalchemy.orm import Session

from core.errors import ConflictError, NotFoundError
from core.messages import LabelledEnum
from core.models import (
    BatchDefault,
    DuplicatePair,
    PageRange,
    PairDecision,
    ReportSource,
    ReportSupervision,
    Run,
    Submission,
    SubmissionStatus,
    Upload,
    UploadSplit,
    UploadStatus,
)
from core.models.base import in_array
from core.models.leases import SUPERVISION_LEASES
from services.erasure.search import (
    covered_pages,
    find_copies,
    is_called_after,
    page_keys_of,
    supervised_copies,
    texts_of,
)
from services.library.copies import WordRun, WordRuns
from services.messages.entries import Conflict
from services.recovery.kinds import UNSPLIT
from services.uploads.split import PageKey


@dataclass(frozen=True)
class ErasureScope:
    """Ids of what is erased, by kind."""

    season_id: uuid.UUID
    #: The entries that were asked for.
    asked: list[uuid.UUID]
    #: Superseded entries that show a page of theirs, or an earlier scan of one.
    earlier: list[uuid.UUID]
    pages: set[PageKey]
    #: The children's names in the entries, which a worker that is waited for may still read.
    names: list[str] = field(compare=False)
    #: Files that are removed.
    removed: list[uuid.UUID]
    #: Those of them in which no entry was found, or that could not be read, and that are called after the child.
    unread: list[uuid.UUID]
    #: Files that keep pages of others: the numbers of the pages that are made blank.
    blanked: dict[uuid.UUID, list[int]]
    batches: list[uuid.UUID]
    #: The changes of their values, whose workers store the readings of entries.
    batch_changes: list[uuid.UUID]
    ranges: list[uuid.UUID]
    runs: list[str]
    #: Essays in the library.
    documents: list[uuid.UUID]
    #: Documents that people added to the library and that copy them; of those that were removed, by what reports
    #: keep of them. The copies are withdrawn from their passages; their files stay, and a person is told.
    copying: list[uuid.UUID]
    #: Reports that have one of these among their sources, or copy them.
    reports: list[uuid.UUID]
    #: Uploaded documents that copy them, such as a report that was exported and uploaded again.
    copies: list[uuid.UUID]
    #: Those of them that copy so much that their file is emptied. The others' may have only common phrases.
    emptied: list[uuid.UUID]
    #: Runs of words in these documents that other entries have too, or a form prints: they stay in them.
    shared: set[WordRun] = field(compare=False)
    supervisions: list[uuid.UUID]
    #: Supervisions of other reports at work while an essay is in the library. The erasure waits for them, because
    #: they have read the library.
    searching: list[uuid.UUID]

    @property
    def submissions(self) -> list[uuid.UUID]:
        """All entries that go."""
        return [*self.asked, *self.earlier]

    @property
    def uploads(self) -> list[uuid.UUID]:
        """All files that are removed or changed."""
        return [*self.removed, *self.blanked]

    @property
    def threads(self) -> list[str]:
        """Threads whose checkpoints go: of the runs, and of what was researched from the essays."""
        return [*self.runs, *map(str, self.reports), *map(str, self.supervisions)]


def find_scope(session: Session, submission_ids: Sequence[uuid.UUID]) -> ErasureScope:
    """Return what the erasure of these entries of one season reaches.

    Raises NotFoundError for an unknown entry, ConflictError if one was replaced by entries that are in force
    (those are to be erased), or if a file of theirs is still being divided into entries.
    """
    asked_ids = set(submission_ids)
    with_replaced = _with_replaced(session, asked_ids)
    asked = [submission for submission in with_replaced if submission.id in asked_ids]
    if not asked or len(asked) < len(asked_ids):
        raise NotFoundError("no such entry")
    pages, splits = covered_pages(session, with_replaced)
    main = {page.upload_id for page in pages}
    copied_to = {split.made_upload_id for split in splits if split.made_upload_id}
    in_files = session.scalars(select(Submission).where(Submission.upload_id.in_(main | copied_to))).all()
    others = [
        submission
        for submission in in_files
        if submission.id not in asked_ids and not pages.isdisjoint(page_keys_of(submission))
    ]
    if any(submission.status != SubmissionStatus.SUPERSEDED for submission in others):
        raise ConflictError(Conflict.REPLACED_BY_OTHERS)
    going = asked_ids | {submission.id for submission in others}
    kept = _kept(main, splits, {entry.upload_id for entry in in_files if entry.id not in going})
    names = sorted({entry.student_name for entry in (*asked, *others) if entry.student_name})
    unread = _unread(session, asked[0].season_id, names)
    files = _files(session, main | unread)
    uploads = {file.id for file in files}
    texts, documents = texts_of(session, sorted(going))
    copies = find_copies(session, asked[0].season_id, going, texts)
    in_library = [*documents, *copies.documents]
    quoting = supervised_copies(session, WordRuns(texts, others=copies.shared)) if in_library else set()
    reports = _reports(session, in_library, quoting | copies.reports)
    batches = sorted({file.batch_id for file in files})
    changes, ranges, runs, supervisions = session.execute(
        select(
            in_array(select(BatchDefault.id).where(BatchDefault.batch_id.in_(batches))),
            in_array(select(PageRange.id).where(PageRange.upload_id.in_(uploads))),
            in_array(select(Run.run_id).where(Run.submission_id.in_(going))),
            in_array(select(ReportSupervision.id).where(ReportSupervision.report_id.in_(reports))),
        )
    ).one()
    return ErasureScope(
        season_id=asked[0].season_id,
        asked=sorted(asked_ids),
        earlier=sorted(going - asked_ids),
        pages=pages,
        names=names,
        removed=sorted(uploads - kept),
        unread=sorted(unread),
        blanked={
            upload_id: sorted(page.page_no for page in pages if page.upload_id == upload_id)
            for upload_id in sorted(kept)
        },
        batches=batches,
        batch_changes=sorted(changes),
        ranges=sorted(ranges),
        runs=sorted(runs),
        documents=sorted(documents),
        copying=sorted(copies.documents),
        reports=reports,
        copies=sorted(copies.reports),
        emptied=sorted(copies.certain),
        shared=copies.shared,
        supervisions=sorted(supervisions),
        searching=_searching(session, reports) if in_library else [],
    )


def _with_replaced(session: Session, asked: set[uuid.UUID]) -> Sequence[Submission]:
    """Return these entries and those that they or their like replaced, as better scans of the same sheets."""
    is_replaced = DuplicatePair.decision == PairDecision.REPLACE.value
    by_asked = select(DuplicatePair.first_id.label("id")).where(DuplicatePair.second_id.in_(asked), is_replaced)
    replaced = by_asked.cte("replaced", recursive=True)
    before = select(DuplicatePair.first_id).join(replaced, DuplicatePair.second_id == replaced.c.id)
    replaced = replaced.union(before.where(is_replaced))
    superseded = Submission.status == SubmissionStatus.SUPERSEDED.value
    earlier = Submission.id.in_(select(replaced.c.id)) & superseded
    return session.scalars(select(Submission).where(or_(Submission.id.in_(asked), earlier))).all()


def _kept(
    main: set[uuid.UUID], splits: Collection[UploadSplit], with_others: Collection[uuid.UUID]
) -> set[uuid.UUID]:
    """Return the files that hold pages of entries that stay, or that such pages were copied from.

    `with_others`: the files of entries that stay.
    """
    kept = main.intersection(with_others)
    for split in splits:
        if split.made_upload_id in with_others:
            kept |= main & set(split.upload_ids)
    return kept


def came_to_nothing(season_id: uuid.UUID) -> ColumnElement[bool]:
    """Condition: the file is of this season, was looked at, and no entry came of it."""
    entries = select(Submission.id).where(Submission.upload_id == Upload.id)
    failed = Upload.status.in_((UploadStatus.FAILED.value, UploadStatus.SPLIT.value))
    return (Upload.season_id == season_id) & failed & ~entries.exists()


def _unread(session: Session, season_id: uuid.UUID, names: Collection[str]) -> set[uuid.UUID]:
    """Return the files without an entry that are called after one of the children."""
    files = session.execute(select(Upload.id, Upload.original_filename).where(came_to_nothing(season_id)))
    return {row.id for row in files if is_called_after(row.original_filename, names)}


def _files(session: Session, main: Collection[uuid.UUID]) -> Sequence[Row[uuid.UUID, uuid.UUID, str]]:
    """Return these files and those with the same bytes or joined into one of them, each with its batch.

    Raises ConflictError if one of them is still being divided into entries.
    """
    belongs = or_(Upload.id.in_(main), Upload.duplicate_of.in_(main), Upload.joined_into.in_(main))
    files = session.execute(select(Upload.id, Upload.batch_id, Upload.status).where(belongs)).all()
    if any(file.status in UNSPLIT for file in files):
        raise ConflictError(Conflict.FILE_BEING_READ)
    return files


def _reports(session: Session, documents: Collection[uuid.UUID], copies: Collection[uuid.UUID]) -> list[uuid.UUID]:
    if not documents:
        return sorted(copies)
    query = select(ReportSource.report_id).where(ReportSource.library_document_id.in_(documents))
    return sorted({*session.scalars(query), *copies})


def _searching(session: Session, reports: Collection[uuid.UUID]) -> list[uuid.UUID]:
    at_work = ReportSupervision.report_id.not_in(reports), SUPERVISION_LEASES.unexpired()
    return sorted(session.scalars(select(ReportSupervision.id).where(*at_work)))


# Kinds of what is held of a child, as previews and receipts count them.


class HeldKind(LabelledEnum, places=("held_kind",)):
    """Kinds, in the order in which they are shown."""

    ENTRIES = "entries", "Entries"
    EARLIER_ENTRIES = "earlier_entries", "Replaced entries with the same pages"
    PAGES = "pages", "Pages"
    FILES = "files", "Files removed completely, including duplicates and parts"
    UNREAD_FILES = "unread_files", "Files without an entry that are named after the child"
    CHANGED_FILES = "changed_files", "Files kept for other entries, with these pages blanked out"
    READINGS = "readings", "Stored readings, with the text of the pages"
    FIELDS = "fields", "Fields"
    EVIDENCE = "evidence", "Positions of values on the pages"
    RUNS = "runs", "Runs of the supervisor"
    LOG_ROWS = "log_rows", "Rows in the supervisor's log"
    CHECKPOINTS = "checkpoints", "Checkpoints of runs and reports"
    MODEL_CALLS = "model_calls", "Records of language model calls"
    SUGGESTIONS = "suggestions", "Proposals"
    ESCALATIONS = "escalations", "Escalations"
    DECISIONS = "decisions", "Decisions, with the values before them"
    AUDITS = "audits", "Blind audits, with the values typed"
    EVENTS = "events", "History events"
    SET_ASIDES = "set_asides", "Notes and dates of parked entries"
    LETTERS = "letters", "Letters asking for missing information, with their e-mails"
    DUPLICATE_KEYS = "duplicate_keys", "Fingerprints used to find duplicates"
    FINGERPRINTS = "fingerprints", "Page fingerprints"
    DUPLICATE_PAIRS = "duplicate_pairs", "Comparisons with another entry"
    ESSAY_WORDS = "essay_words", "Words in the essay that could be names"
    ESSAYS = "essays", "Essays in the library"
    LIBRARY_PASSAGES = "library_passages", "Passages of these essays"
    REPORTS = "reports", "Reports that quote these essays"
    REPORT_PASSAGES = "report_passages", "Passages of these essays that reports keep"
    SAMPLES = "samples", "Samples in the form studio that may show the child"
    DRAFTS = "drafts", "Drafts in the form studio that may show or name the child"
    BLANKS = "blanks", "Blank pages of saved forms that show or name the child"
    BULK_CHANGES = "bulk_changes", "Bulk edits that include it, with the values before and after"
    REREADS = "rereads", "New readings for comparison"
    SAVED_FILTERS = "saved_filters", "Saved filters that search for the name"
    WATCHED_FILES = "watched_files", "Files in watched folders"
    EMPTIED_ORIGINALS = "emptied_originals", "Files of uploaded research documents that copy these essays: emptied"
    EXPORTS = "exports", "Export files of the season, and of reports that quote these essays"
    STAYING_DOCUMENTS = (
        "staying_documents",
        "Not erased: files of documents in the library that contain sentences of these essays. The sentences are"
        " withdrawn from the text that reports use. Search the library for “withdrawn” and check the files.",
    )
    UNSEARCHED_DOCUMENTS = (
        "unsearched_documents",
        "Not searched: documents in the library that were removed or not read. Check whether they contain"
        " sentences of these essays.",
    )
    STAYING_ORIGINALS = (
        "staying_originals",
        "Not erased: files of uploaded research documents that share only a few words with these essays. The words"
        " are withdrawn from the text. Check the files.",
    )
    STAYING_FORMS = (
        "staying_forms",
        "Not erased: versions of forms whose printed text names the child; entries may have been read with them."
        " Describe the form again from a blank page without the name, and retire these versions.",
    )
    STAYING_FILES = (
        "staying_files",
        "Not erased: other files of the season without an entry. Check whether they show the child.",
    )
