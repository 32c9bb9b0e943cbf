"""Reports that quote an erased child, of whichever season: their files, own documents and vectors."""

from __future__ import annotations

import io
import json
import threading
import time
import uuid
import zipfile
from collections.abc import Callable
from datetime import timedelta

import numpy as np
import pytest
from sqlalchemy import delete, select, text, update

from core.errors import ConflictError
from core.llm.embeddings import stored_dimensions
from core.models import (
    ErasureReason,
    EssayWord,
    LibraryDocument,
    LibraryPassage,
    Report,
    ReportCall,
    ReportClaim,
    ReportExcerpt,
    ReportPassage,
    ReportSource,
    ReportSupervision,
    ReportVersion,
    Submission,
)
from core.models.leases import REPORT_LEASES, SUPERVISION_LEASES
from core.models.operations import ExportKind
from research.sources.base import Hit, SourceRefusedError
from research.sources.library import LibrarySource
from research.storage import LeasedReport, StoredSources
from research.text.stored_meaning import VectorStore, content_of
from services.accounts.person import person_of
from services.context import Context
from services.erasure import erase as erasing
from services.erasure.erase import erase_submissions
from services.erasure.held_export import export_held, find_held
from services.erasure.scope import HeldKind
from services.exports.contents import key_of
from services.exports.making import make_export
from services.exports.request import ExportRequest, request_export
from services.library.copies import WordRuns, copying_passages
from services.library.documents import remove_document
from services.library.essays.add_essays import add_essays, decide_word
from services.reports.files import own_file, take_passage, version_file, write_note
from services.reports.request import ReportRequest, request_report
from services.reports.run import run_report
from services.supervision.documents import original_key, upload_document
from tests.support import factories
from tests.support.erasure import child
from tests.support.erasure.library import added
from tests.support.erasure.scan import where_found
from tests.support.office import make_person
from tests.support.research.meaning import vectors_of_texts
from tests.support.research.reports import make_finished_report
from tests.support.research.supervisions import make_supervision
from tests.support.site import person

QUESTION = "What do this season's essays say fathers do for their children?"
#: Seconds that a test waits for what must come.
LONG = 60.0


@pytest.fixture
def entry(context: Context) -> Submission:
    child.hand_in(context, make_person(context), child.stack())
    return child.named(context, child.NAME)


@pytest.fixture
def officer(context: Context) -> uuid.UUID:
    return make_person(context, "officer")


@pytest.fixture
def report_id(context: Context, entry: Submission, officer: uuid.UUID) -> uuid.UUID:
    """A report that quotes the child; it is of another season than the entry."""
    reviewer = make_person(context, "reviewer")
    add_essays(context)
    waiting = context.database.scalars(select(EssayWord).where(EssayWord.taken_out.is_(None)))
    for one in waiting:
        decide_word(context, reviewer, one.submission_id, one.word, taken_out=False)
    add_essays(context)
    report_id = request_report(context, officer, ReportRequest(QUESTION, tier="quick"))
    assert run_report(context, report_id)
    with context.database.session() as session:
        other = factories.make_season(session, name="Another season")
        session.execute(update(Report).values(season_id=other.id))
        quoting = select(ReportClaim.claim_id, ReportClaim.quote).where(ReportClaim.source_key.is_not(None))
        claims = session.execute(quoting).all()
    traces = (*child.SENTENCES, child.QUOTED)
    taken = [claim.claim_id for claim in claims if any(one in claim.quote for one in traces)]
    assert taken, "the report quotes the child"
    take_passage(context, report_id, officer, taken[0])
    return report_id


def erase(context: Context, entry: Submission) -> None:
    erase_submissions(context, [entry.id], make_person(context, "admin"), ErasureReason.ASKED)


def test_files_of_the_report_and_own_documents_of_it_go(
    context: Context, entry: Submission, report_id: uuid.UUID, officer: uuid.UUID
) -> None:
    files = [
        version_file(context, officer, report_id, "markdown").id,
        own_file(context, officer, report_id, "markdown").id,
    ]
    for export_id in files:
        assert make_export(context, export_id)
    assert any("exports.filter" in one for one in where_found(context, child.TRACES))
    held = find_held(context, [entry.id])
    assert held.counts[HeldKind.EXPORTS] == 2
    erase(context, entry)
    assert [context.store.exists(key_of(export_id)) for export_id in files] == [False, False]
    assert where_found(context, child.TRACES) == []


def before_its_end(
    context: Context, entry: Submission, monkeypatch: pytest.MonkeyPatch, work: Callable[[], object]
) -> None:
    """Erase the entry; the work begins when exports are forgotten, and goes as far as it gets until the end."""
    real, works = erasing.delete_elsewhere, list[threading.Thread]()

    def late(*given: object) -> None:
        works.append(threading.Thread(target=work))
        works[0].start()
        end = time.monotonic() + LONG
        while works[0].is_alive() and not _is_waited_for(context) and time.monotonic() < end:
            time.sleep(0.05)
        real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(erasing, "delete_elsewhere", late)
    erase(context, entry)
    works[0].join(LONG)
    assert not works[0].is_alive()


def _is_waited_for(context: Context) -> bool:
    """Whether somebody waits for an advisory lock."""
    with context.database.session() as session:
        query = "select count(*) from pg_locks where locktype = 'advisory' and not granted"
        return bool(session.scalar(text(query)))


def test_an_export_that_is_made_meanwhile_has_nothing_of_the_child(
    context: Context, entry: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = person_of(person(context, "reviewer"))
    made = []

    def export() -> None:
        made.append(request_export(context, reader, ExportRequest(ExportKind.ENTRIES, "csv")))
        make_export(context, made[0])

    before_its_end(context, entry, monkeypatch, export)
    assert child.OTHERS[0] in context.store.get(key_of(made[0])).decode()
    assert where_found(context, child.TRACES) == []


@pytest.mark.parametrize("ask", [version_file, own_file])
def test_a_file_of_a_report_that_is_made_meanwhile_has_nothing_of_the_child(
    context: Context,
    entry: Submission,
    report_id: uuid.UUID,
    officer: uuid.UUID,
    ask: Callable[..., object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = []

    def export() -> None:
        made.append(ask(context, officer, report_id, "markdown").id)  # type: ignore[attr-defined]
        make_export(context, made[0])

    before_its_end(context, entry, monkeypatch, export)
    assert "withdrawn" in context.store.get(key_of(made[0])).decode()
    assert where_found(context, child.TRACES) == []


def test_short_quotations_and_notes_that_copy_the_essay_are_withdrawn(
    context: Context, entry: Submission, report_id: uuid.UUID, officer: uuid.UUID
) -> None:
    with context.database.session() as session:
        taken = session.scalars(select(ReportExcerpt.claim_id)).one()
        claim = session.get_one(ReportClaim, (report_id, taken))
        claim.quote = "tiny wooden otters"
        version = session.scalars(select(ReportVersion).limit(1)).one()
        version.document = {**version.document, "title": "On Tiny, *wooden* otters and more"}
    write_note(
        context, report_id, officer, taken, f"She should read this: {child.SENTENCES[1]} Wooden otters too."
    )
    erase(context, entry)
    assert where_found(context, (*child.TRACES, "tiny wooden otters")) == []
    with context.database.session() as session:
        assert session.scalars(select(ReportExcerpt.note)).one() == (
            "She should read this: [withdrawn]. Wooden otters too."
        )
        title = session.scalars(select(ReportVersion.document["title"].astext).limit(1)).one()
    assert title == "On [withdrawn] and more"


def test_vectors_of_what_the_report_read_of_the_child_go(
    context: Context, entry: Submission, report_id: uuid.UUID
) -> None:
    unrelated = content_of("a text of another report")
    with context.database.session() as session:
        other = make_finished_report(session).id
        passages = session.scalars(select(ReportPassage.text).where(ReportPassage.report_id == report_id))
        dimensions = stored_dimensions(session)
        assert dimensions is not None
        vectors = {content_of(passage): np.ones(dimensions, np.float32) for passage in passages}
        store = VectorStore(session, "a model")
        store.save({**vectors, unrelated: np.ones(dimensions, np.float32)})
        store.use_in_report(report_id, vectors)
        store.use_in_report(other, [unrelated])
    assert vectors_of_texts(context) == len(vectors) + 1
    erase(context, entry)
    assert vectors_of_texts(context) == 1
    with context.database.session() as session:
        assert set(VectorStore(session, "a model").load([*vectors, unrelated])) == {unrelated}


@pytest.mark.parametrize("format", ["markdown", "docx", "pdf"])
def test_a_report_that_was_uploaded_again_keeps_nothing_of_the_child(
    context: Context, entry: Submission, report_id: uuid.UUID, officer: uuid.UUID, format: str
) -> None:
    file = version_file(context, officer, report_id, format)
    assert make_export(context, file.id)
    again = upload_document(context, officer, file.filename, context.store.get(key_of(file.id)))
    other = upload_document(context, officer, "bridges.md", b"# Bridges\n\nThe bridge over the river was closed.")
    assert find_held(context, [entry.id]).scope.copies == [again]
    erase(context, entry)
    assert context.store.get(original_key(again)) == b"[withdrawn]", "a backup wants a file"
    assert context.store.get(original_key(other)).startswith(b"# Bridges")
    assert where_found(context, child.TRACES) == []
    with context.database.session() as session:
        left = session.scalars(select(ReportVersion.document).where(ReportVersion.report_id == again)).one()
        whole = session.scalars(select(ReportVersion.document).where(ReportVersion.report_id == other)).one()
    assert "[withdrawn]" in str(left) and "The bridge over the river was closed." in str(whole)


def test_a_document_of_the_library_with_sentences_of_the_child_is_named_for_a_person(
    context: Context, entry: Submission, report_id: uuid.UUID, officer: uuid.UUID
) -> None:
    text = f"# What children say\n\nOne child wrote this. {child.SENTENCES[1]} And more.\n"
    for name, data in (("copy.md", text.encode()), ("other.md", b"# Bridges\n\nThe bridge was closed.")):
        added(context, officer, name, data)
    assert find_held(context, [entry.id]).counts[HeldKind.STAYING_DOCUMENTS] == 1


def test_a_copy_in_the_library_is_withdrawn_from_its_text_and_the_file_stays(
    context: Context, entry: Submission, report_id: uuid.UUID, officer: uuid.UUID
) -> None:
    spelled = (
        child.SENTENCES[1].upper().replace("MARCHING", "march\u00ading[3]").replace("WHENEVER", "when-\never")
    )
    copy = added(context, officer, "copy.md", f"{spelled} And more.\n\nBridges close.\n".encode())
    with context.database.session() as session:
        vectors = VectorStore(session, "a model")
        vectors.use_in_library(copy, 0, [content_of("a text")])
        vectors.save({content_of("a text"): np.ones(stored_dimensions(session) or 0, np.float32)})
    assert vectors_of_texts(context) == 1
    erase(context, entry)
    with context.database.session() as session:
        texts = session.scalars(select(LibraryPassage.text).where(LibraryPassage.document_id == copy)).all()
        document = session.get_one(LibraryDocument, copy)
    kept = " ".join("".join(texts).split())
    assert kept.startswith("[withdrawn] . And more.") and kept.endswith("Bridges close.")
    assert "ferry" not in document.title.casefold() and "[withdrawn]" in document.title
    assert b"ferry" in context.store.get(document.storage_key).lower()
    assert vectors_of_texts(context) == 0
    assert still_copying(context) == []


def still_copying(context: Context) -> list[uuid.UUID]:
    """The documents of the library that copy what the child wrote."""
    with context.database.session() as session:
        return [one.document_id for one in copying_passages(session, WordRuns([child.ESSAY]))]


def test_a_report_stores_nothing_that_it_fetched_before_an_erasure(
    context: Context, entry: Submission, report_id: uuid.UUID, officer: uuid.UUID
) -> None:
    copy = added(context, officer, "copy.md", f"# Children\n\nOne wrote: {child.SENTENCES[1]}\n".encode())
    with context.database.session() as session:
        essay = session.scalars(select(LibraryDocument.id).where(LibraryDocument.submission_id == entry.id)).one()
        other = make_finished_report(session).id
        assert REPORT_LEASES.take(session, other, "a worker", timedelta(minutes=2))
    held = LeasedReport(context.database, other, REPORT_LEASES.held_by(other, "a worker"))
    library = LibrarySource(context.database)
    hits = [Hit("library", "book", child.SENTENCES[1], str(one)) for one in (copy, essay)]
    fetched = [library.fetch(hit).passages for hit in hits]
    assert child.SENTENCES[1] in str(fetched[0])
    erase(context, entry)
    sources = [
        ReportSource(
            key=f"t.{number}",
            kind="book",
            provider="library",
            status="read",
            round_index=1,
            title=hit.title,
            library_document_id=uuid.UUID(hit.locator),
        )
        for number, hit in enumerate(hits)
    ]
    StoredSources(held).add(sources[0], fetched[0])
    with pytest.raises(SourceRefusedError):
        StoredSources(held).add(sources[1], fetched[1])
    with context.database.session() as session:
        of_it = (ReportPassage.report_id == other, ReportPassage.source_key == "t.0")
        kept = session.scalars(select(ReportPassage.text).where(*of_it)).one()
        assert "One wrote: [withdrawn]" in kept
        assert session.get_one(ReportSource, (other, "t.0")).title == "Children"


def test_an_uploaded_document_with_a_common_phrase_of_the_essay_keeps_its_file(
    context: Context, entry: Submission, report_id: uuid.UUID, officer: uuid.UUID
) -> None:
    phrase = " ".join(child.SENTENCES[0].split()[5:13])
    own = upload_document(context, officer, "own.md", f"# Otters\n\nThey made {phrase}, someone said.".encode())
    held = find_held(context, [entry.id])
    assert (held.scope.copies, held.counts[HeldKind.STAYING_ORIGINALS]) == ([own], 1)
    erase(context, entry)
    assert phrase.encode() in context.store.get(original_key(own)), "a person looks at it"
    left = context.database.one(select(ReportVersion.document).where(ReportVersion.report_id == own))
    assert left["sections"][0]["body"] == "They made [withdrawn], someone said."


def test_a_run_of_words_over_two_kept_passages_is_withdrawn(
    context: Context, entry: Submission, report_id: uuid.UUID, officer: uuid.UUID
) -> None:
    copy = added(context, officer, "copy.md", f"# Children\n\nOne wrote: {child.SENTENCES[1]}\n".encode())
    words = child.SENTENCES[1].split()
    parts = ["One: " + " ".join(words[:4]) + " ", " ".join(words[4:8]) + " and not more."]
    with context.database.session() as session:
        quoting = make_finished_report(session).id
        source = session.scalars(select(ReportSource).where(ReportSource.report_id == quoting)).first()
        assert source is not None
        source.library_document_id = copy
        session.execute(delete(ReportPassage).where(ReportPassage.report_id == quoting))
        for at, part in enumerate(parts):
            where = {"report_id": quoting, "source_key": source.key, "position": at}
            session.add(ReportPassage(**where, start_char=0, end_char=len(part), text=part))
    remove_document(context, copy)
    erase(context, entry)
    kept = context.database.scalars(
        select(ReportPassage.text).where(ReportPassage.report_id == quoting).order_by(ReportPassage.position)
    )
    assert [len(one) for one in kept] == [len(part) for part in parts]
    assert kept[0].startswith("One: [withdrawn]") and kept[1].strip() == "and not more."


def test_what_reports_keep_and_quote_of_the_child_is_exported(
    context: Context, entry: Submission, report_id: uuid.UUID
) -> None:
    data = export_held(context, entry.id, make_person(context, "admin"))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        held = json.loads(archive.read("held.json"))
    assert {row["report_id"] for row in held["report_passages"] + held["report_claims"]} == {str(report_id)}
    assert held["report_passages"] and held["report_claims"]
    assert "bicycles" not in json.dumps(held)


def test_a_report_that_quotes_a_copy_of_the_library_withdraws_it(
    context: Context, entry: Submission, report_id: uuid.UUID, officer: uuid.UUID
) -> None:
    copy = added(context, officer, "copy.md", f"# Children\n\nOne wrote: {child.SENTENCES[1]}\n".encode())
    with context.database.session() as session:
        quoting = make_finished_report(session).id
        source = session.scalars(select(ReportSource).where(ReportSource.report_id == quoting)).first()
        assert source is not None
        source.library_document_id = copy
        words = f"One wrote: {child.SENTENCES[1]} Another: I like bridges."
        where = {"report_id": quoting, "source_key": source.key, "position": 0}
        session.execute(delete(ReportPassage).where(ReportPassage.report_id == quoting))
        session.add(ReportPassage(**where, start_char=0, end_char=len(words), text=words))
    assert quoting in find_held(context, [entry.id]).scope.reports
    erase(context, entry)
    kept = context.database.one(select(ReportPassage.text).where(ReportPassage.report_id == quoting))
    assert kept.startswith("One wrote: [withdrawn]") and kept.endswith("Another: I like bridges.")
    assert len(kept) == len(words), "what follows keeps its place"


def test_a_report_that_quotes_a_copy_which_was_removed_withdraws_it(
    context: Context, entry: Submission, report_id: uuid.UUID, officer: uuid.UUID
) -> None:
    copy = added(context, officer, "copy.md", f"# Children\n\nOne wrote: {child.SENTENCES[1]}\n".encode())
    with context.database.session() as session:
        quoting = make_finished_report(session).id
        source = session.scalars(select(ReportSource).where(ReportSource.report_id == quoting)).first()
        assert source is not None
        source.library_document_id = copy
        where = {"report_id": quoting, "source_key": source.key, "position": 0}
        session.execute(delete(ReportPassage).where(ReportPassage.report_id == quoting))
        session.add(ReportPassage(**where, start_char=0, end_char=90, text=child.SENTENCES[1]))
    remove_document(context, copy)
    held = find_held(context, [entry.id])
    assert quoting in held.scope.reports and held.scope.copying == [copy]
    erase(context, entry)
    kept = context.database.one(select(ReportPassage.text).where(ReportPassage.report_id == quoting))
    assert kept.strip(". ") == "[withdrawn]"


def test_documents_that_cannot_be_searched_are_counted(
    context: Context, entry: Submission, report_id: uuid.UUID, officer: uuid.UUID
) -> None:
    gone = added(context, officer, "copy.md", f"# Children\n\nOne wrote: {child.SENTENCES[1]}\n".encode())
    remove_document(context, gone)
    held = find_held(context, [entry.id])
    assert (held.counts.get(HeldKind.STAYING_DOCUMENTS), held.counts[HeldKind.UNSEARCHED_DOCUMENTS]) == (None, 1)


def test_a_part_of_a_sentence_is_a_copy_too(
    context: Context, entry: Submission, report_id: uuid.UUID, officer: uuid.UUID
) -> None:
    part = " ".join(child.SENTENCES[1].split()[1:14])
    found = added(context, officer, "part.md", f"# Children\n\nAnd so {part} it ends.\n".encode())
    assert find_held(context, [entry.id]).scope.copying == [found]


def test_a_source_that_is_stored_meanwhile_stops_the_erasure(
    context: Context, entry: Submission, report_id: uuid.UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report stores what it has read of the essay after the erasure has looked for reports."""
    with context.database.session() as session:
        document = session.scalars(
            select(ReportSource.library_document_id).where(ReportSource.library_document_id.is_not(None))
        ).first()
        other = make_finished_report(session).id
    stored, waits, real = threading.Event(), threading.Event(), erasing.lock_entries

    def store() -> None:
        with context.database.session() as session:
            source = session.scalars(select(ReportSource).where(ReportSource.report_id == other)).first()
            assert source is not None
            source.library_document_id = document
            session.flush()
            stored.set()
            waits.wait(2)

    def late(*given: object) -> None:
        thread.start()
        stored.wait(LONG)
        real(*given)  # type: ignore[arg-type]

    thread = threading.Thread(target=store)
    monkeypatch.setattr(erasing, "lock_entries", late)
    with pytest.raises(ConflictError):
        erase(context, entry)
    thread.join(LONG)
    monkeypatch.setattr(erasing, "lock_entries", real)
    assert other in find_held(context, [entry.id]).scope.reports
    erase(context, entry)


@pytest.fixture
def supervision_id(context: Context, report_id: uuid.UUID) -> uuid.UUID:
    """A supervision of a report that has no source of the child; its model was shown the library."""
    with context.database.session() as session:
        report = make_finished_report(session)
        return make_supervision(session, report, status="running").id


def test_a_reply_to_a_supervision_that_repeats_the_essay_is_withdrawn(
    context: Context, entry: Submission, supervision_id: uuid.UUID
) -> None:
    with context.database.session() as session:
        report_id = session.get_one(ReportSupervision, supervision_id).report_id
        for key, told in (("a", child.SENTENCES[1].upper()), ("b", "What is known of bridges is known of roads.")):
            given = {"reply": {"concepts": [{"name": told}]}, "provider": "", "model": "", "purpose": "concepts"}
            session.add(ReportCall(report_id=report_id, call_key=key, **given))
    erase(context, entry)
    replies = context.database.scalars(select(ReportCall.reply).where(ReportCall.report_id == report_id))
    assert sorted(one["concepts"][0]["name"].rstrip(".") for one in replies) == [
        "What is known of bridges is known of roads",
        "[withdrawn]",
    ]


def test_an_erasure_waits_for_a_supervision_that_may_have_read_the_essay(
    context: Context, entry: Submission, supervision_id: uuid.UUID
) -> None:
    with context.database.session() as session:
        assert SUPERVISION_LEASES.take(session, supervision_id, "a worker", timedelta(minutes=1))
    with pytest.raises(ConflictError):
        erase_submissions(context, [entry.id], None, ErasureReason.ASKED, patience=0)
    with context.database.session() as session:
        SUPERVISION_LEASES.held_by(supervision_id, "a worker").release(session)
    erase(context, entry)
