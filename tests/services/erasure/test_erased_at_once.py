"""Erased while somebody decides, takes a decision back, looks or reads: nothing of the child is left."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable

import pytest
from sqlalchemy import select

from core.errors import AppError, ConflictError, NotFoundError
from core.models import ErasureReason, ReviewDecision, Submission, Upload, UploadBatch
from services.context import Context
from services.entries.change import edit_record
from services.erasure.erase import erase_submissions
from services.pages import page_image, page_words
from services.review import undo as undoing
from services.review.undo import undo_decision
from services.uploads.contents import retry_upload
from tests.support import factories
from tests.support.erasure import child
from tests.support.erasure.scan import where_found
from tests.support.office import make_person

#: How often the two are let loose on each other.
ROUNDS = 3


def at_once(*works: Callable[[], object]) -> list[Exception | None]:
    """Do them at the same time; return what each has raised."""
    begin, raised = threading.Barrier(len(works)), list[Exception | None]([None] * len(works))

    def run(place: int, work: Callable[[], object]) -> None:
        begin.wait(60)
        try:
            work()
        except Exception as exc:
            raised[place] = exc

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive(), "they wait for each other"
    return raised


@pytest.fixture
def entry(context: Context) -> Submission:
    child.hand_in(context, make_person(context), child.of_child())
    return child.named(context, child.NAME)


def erase(context: Context, entry: Submission) -> None:
    """Erase it, again where something came to it meanwhile, as the person is told to."""
    for _ in range(20):
        try:
            erase_submissions(context, [entry.id], make_person(context, "admin"), ErasureReason.ASKED)
        except ConflictError:
            continue
        return
    raise AssertionError("it was never erased")


def only_refused(raised: Exception | None) -> bool:
    """Whether it was done, or refused with a sentence."""
    return raised is None or isinstance(raised, AppError)


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_while_somebody_corrects_it(context: Context, entry: Submission, _round: int) -> None:
    reviewer = make_person(context, "reviewer")
    values = {"email": child.EMAIL, "phone": child.PHONE}
    erased, edited = at_once(
        lambda: erase(context, entry),
        lambda: edit_record(context, reviewer, entry.id, entry.version, values, "As on paper"),
    )
    assert erased is None
    assert only_refused(edited), edited
    assert where_found(context, child.TRACES) == []


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_while_somebody_takes_a_decision_back(context: Context, entry: Submission, _round: int) -> None:
    reviewer = make_person(context, "reviewer")
    done = edit_record(context, reviewer, entry.id, entry.version, {"email": child.EMAIL}, "As on paper")
    erased, undone = at_once(
        lambda: erase(context, entry), lambda: undo_decision(context, reviewer, done.decision_id)
    )
    assert erased is None
    assert only_refused(undone), undone
    assert where_found(context, child.TRACES) == []


def test_a_decision_whose_entry_goes_as_it_is_taken_back_is_not_found(
    context: Context, entry: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewer = make_person(context, "reviewer")
    done = edit_record(context, reviewer, entry.id, entry.version, {"email": child.EMAIL}, "As on paper")
    real = undoing.lock_entry

    def late(session: object, submission_id: uuid.UUID) -> Submission:
        erase(context, entry)
        return real(session, submission_id)  # type: ignore[arg-type]

    monkeypatch.setattr(undoing, "lock_entry", late)
    with pytest.raises(NotFoundError):
        undo_decision(context, reviewer, done.decision_id)
    assert context.database.scalars(select(ReviewDecision)) == []


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_while_somebody_looks_at_its_page(context: Context, entry: Submission, _round: int) -> None:
    erased, drawn, said = at_once(
        lambda: erase(context, entry),
        lambda: page_image(context, entry.upload_id, 1, 240),
        lambda: page_words(context, entry.upload_id, 1),
    )
    assert erased is None
    assert only_refused(drawn) and only_refused(said), (drawn, said)
    files = context.settings.var_dir / "files"
    assert [path for path in files.rglob("*") if str(entry.upload_id) in str(path) and path.is_file()] == []
    assert where_found(context, child.TRACES) == []


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_while_a_failed_file_of_the_child_is_read_again(context: Context, entry: Submission, _round: int) -> None:
    """It goes, or it is read and becomes an entry of its own, which is erased as one."""
    with context.database.session() as session:
        upload = factories.make_upload(
            session,
            session.get_one(UploadBatch, entry.batch_id),
            position=7,
            original_filename=f"{child.NAME}.pdf",
            status="failed",
            error_code="damaged_document",
        )
    context.store.put(upload.storage_key, child.of_child())
    uploader = make_person(context)
    erased, again = at_once(lambda: erase(context, entry), lambda: retry_upload(context, uploader, upload.id))
    assert erased is None
    assert only_refused(again), again
    stays = context.database.get(Upload, upload.id) is not None
    assert context.store.exists(upload.storage_key) is stays
    if stays:
        child.read_all(context)
        erase(context, child.named(context, child.NAME))
    assert where_found(context, child.TRACES) == []
