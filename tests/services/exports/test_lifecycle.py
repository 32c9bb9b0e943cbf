"""An export from its request to its end: made once, stopped, tried again, removed, erased."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from core.errors import (
    ConflictError,
    InvalidInputError,
    LeaseLostError,
    NotFailedError,
    NotFoundError,
    StorageError,
    TooCostlyError,
)
from core.models import ErasureReason, Export, ExportKind
from core.work import JobKind
from research.exports.markdown import from_markdown
from research.supervision.revisions import add_version
from services.accounts.person import Person, person_of
from services.context import Context
from services.erasure.erase import erase_submissions
from services.erasure.held_export import find_held
from services.erasure.purge import remove_strays
from services.erasure.scope import HeldKind
from services.exports import making
from services.exports.contents import FOLDER, KEPT, ExportedSubmission, key_of, scratch_of
from services.exports.making import file_of, make_export, ready_export
from services.exports.request import (
    ExportRequest,
    find_export,
    list_exports,
    purge_exports,
    remove_export,
    request_export,
    retry_export,
)
from services.queue.failed_work import failed_work
from services.queue.jobs import cancel_job, retry_work
from services.recovery.kinds import EXPORTS
from services.recovery.work import fail_work
from services.reports.files import version_file
from tests.support.confined_limits import limited
from tests.support.full_disk import files_of_at_most
from tests.support.research.large_documents import LARGE
from tests.support.research.reports import make_finished_report
from tests.support.review import desk
from tests.support.site import person

CSV = ExportRequest(ExportKind.ENTRIES, "csv")


@pytest.fixture
def export_id(context: Context, reader: Person, entries: list[desk.Entry]) -> uuid.UUID:
    return request_export(context, reader, CSV)


def test_made_once(context: Context, reader: Person, export_id: uuid.UUID) -> None:
    assert find_export(context, reader, export_id).working
    with pytest.raises(ConflictError):
        ready_export(context, reader, export_id)
    assert make_export(context, export_id)
    assert not make_export(context, export_id)
    export = find_export(context, reader, export_id)
    path = file_of(context, export)
    assert isinstance(path, Path) and path.stat().st_size == export.byte_size
    assert (export.status, export.rows_done, export.rows_total) == ("done", 6, 6)
    assert export.kept_until == export.created_at + timedelta(days=7)


@pytest.mark.parametrize(
    "asked",
    [
        ExportRequest(ExportKind.JUDGES, "csv"),
        ExportRequest(ExportKind.ENTRIES, "pdf"),
        ExportRequest(ExportKind.ENTRIES, "csv", columns=["grade", "shoe_size"]),
        ExportRequest(ExportKind.ENTRIES, "csv", season_id=uuid.uuid4()),
    ],
)
def test_refused(context: Context, reader: Person, asked: ExportRequest) -> None:
    with pytest.raises(InvalidInputError):
        request_export(context, reader, asked)
    assert list_exports(context, reader).rows == []


def test_who_sees_it(context: Context, reader: Person, export_id: uuid.UUID) -> None:
    other, admin = (person_of(person(context, role)) for role in ("reviewer", "admin"))
    assert find_export(context, admin, export_id).requested_by == "Ben Okoro"
    assert list_exports(context, other).rows == []
    for refused in (find_export, remove_export):
        with pytest.raises(NotFoundError):
            refused(context, other, export_id)
    assert find_export(context, reader, export_id).status == "queued"


def test_removed_while_it_is_made(
    context: Context, reader: Person, export_id: uuid.UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    def removing(path: Path, entries: Sequence[str], *rest: object) -> None:
        path.write_text("names of children")
        remove_export(context, reader, export_id)

    monkeypatch.setattr(making, "write_export", lambda path, *rest: removing(path, *rest))
    with pytest.raises(LeaseLostError):
        make_export(context, export_id)
    assert not context.store.exists(key_of(export_id))
    assert list_exports(context, reader).rows == []


def test_the_file_of_another_worker_stays(
    context: Context, reader: Person, export_id: uuid.UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtaken(key: str, *given: object) -> None:
        context.store.put(key, b"whole")
        context.database.execute(update(Export).values(lease_owner="another", status="done"))

    monkeypatch.setattr(context.store, "put_file", overtaken)
    with pytest.raises(LeaseLostError):
        make_export(context, export_id)
    assert context.store.get(key_of(export_id)) == b"whole"


def test_a_file_that_cannot_be_stored_is_tried_again(
    context: Context, reader: Person, export_id: uuid.UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: object) -> None:
        raise StorageError("full")

    with monkeypatch.context() as patch:
        patch.setattr(context.store, "put_file", broken)
        with pytest.raises(StorageError):
            make_export(context, export_id)
    assert find_export(context, reader, export_id).status == "running"
    assert make_export(context, export_id)


@pytest.mark.parametrize("file_format", ["csv", "xlsx", "jsonl", "zip"])
def test_a_full_disk_leaves_nothing_behind(
    context: Context,
    reader: Person,
    entries: list[desk.Entry],
    file_format: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    export_id = request_export(context, reader, ExportRequest(ExportKind.ENTRIES, file_format))
    with files_of_at_most(600), pytest.raises(StorageError) as raised:
        make_export(context, export_id)
    assert raised.value.retryable and find_export(context, reader, export_id).status == "running"
    assert list(scratch_of(context).iterdir()) == [] and list(tmp_path.rglob("openpyxl*")) == []
    assert make_export(context, export_id)
    assert list(scratch_of(context).iterdir()) == [] and list(tmp_path.rglob("openpyxl*")) == []


def test_one_that_failed(context: Context, reader: Person, export_id: uuid.UUID) -> None:
    fail_work(context, EXPORTS, export_id, StorageError("full"))
    (work,) = failed_work(context, JobKind.EXPORT)
    assert work.key == str(export_id) and work.error is not None
    admin = person_of(person(context, "admin"))
    retry_work(context, admin.id, JobKind.EXPORT, str(export_id))
    assert find_export(context, reader, export_id).error is None
    assert make_export(context, export_id)
    with pytest.raises(NotFailedError):
        retry_export(context, export_id)


def test_taken_off_the_queue(context: Context, reader: Person, export_id: uuid.UUID) -> None:
    cancel_job(context, reader.id, JobKind.EXPORT, str(export_id))
    assert find_export(context, reader, export_id).status == "failed"


def test_kept_for_a_week(context: Context, reader: Person, export_id: uuid.UUID) -> None:
    make_export(context, export_id)
    assert purge_exports(context) == 0
    context.database.execute(update(Export).values(created_at=func.now() - KEPT - timedelta(minutes=1)))
    assert purge_exports(context) == 1
    assert not context.store.exists(key_of(export_id))
    assert list_exports(context, reader).rows == []


def test_an_erasure_takes_those_of_the_season_along(
    context: Context, reader: Person, export_id: uuid.UUID, entries: list[desk.Entry]
) -> None:
    make_export(context, export_id)
    waiting = request_export(context, reader, CSV)
    assert find_held(context, [entries[0].submission.id]).counts[HeldKind.EXPORTS] == 2
    erase_submissions(context, [entries[0].submission.id], None, ErasureReason.ASKED)
    assert not context.store.exists(key_of(export_id))
    assert not make_export(context, waiting)
    assert list_exports(context, reader).rows == []


def test_a_file_without_a_row_is_removed(
    context: Context, export_id: uuid.UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_export(context, export_id)
    stray = key_of(uuid.uuid4())
    context.store.put(stray, b"names of children")

    def old(prefix: str, seconds: float) -> Iterable[str]:
        return [stray, key_of(export_id)] if prefix == FOLDER else []

    monkeypatch.setattr(context.store, "older_keys", old)
    assert remove_strays(context) == 1
    assert not context.store.exists(stray) and context.store.exists(key_of(export_id))


def test_progress_is_noted(
    context: Context, reader: Person, export_id: uuid.UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "_NOTE_EVERY", 0.0)
    seen = []

    def watching(
        path: Path,
        kind: object,
        form: object,
        columns: object,
        entries: Iterable[ExportedSubmission],
        store: object,
    ) -> None:
        for _ in entries:
            with context.database.session() as session:
                seen.append(session.execute(select(Export.rows_done, Export.rows_total)).one())
        path.touch()

    monkeypatch.setattr(making, "write_export", watching)
    make_export(context, export_id)
    assert seen == [(number, 6) for number in range(6)]


def test_a_document_too_large_for_a_format_is_said(context: Context) -> None:
    with context.database.session() as session:
        report = make_finished_report(session)
        large = from_markdown(LARGE["table"])
        add_version(session, report.id, large, "edited", made_by=report.requested_by)
        asked_by, report_id = report.requested_by, report.id
    file = version_file(context, asked_by, report_id, "docx")
    with limited(memory_mb=1024, seconds=1), pytest.raises(TooCostlyError) as refused:
        make_export(context, file.id)
    assert refused.value.message is not None and refused.value.message.code == "export_too_large"
