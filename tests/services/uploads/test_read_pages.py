"""A long file whose pages are read by several jobs: the same entries as by one, in any order of the jobs."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import pytest
from sqlalchemy import select, update

from core.error_codes import Cost
from core.errors import InvalidInputError, NotFoundError, TooCostlyError
from core.messages import Message
from core.models import Page, PageRange, Submission, Upload
from core.queue import CROWD_QUEUE_NAME, FRONT, PAGES_QUEUE_NAME, open_queue
from jobs.attempts import UnexpectedError
from pipeline.runner import analyse
from services.context import Context
from services.recovery.kinds import PAGE_RANGES
from services.recovery.work import take_lease
from services.runs.settle import fail_upload
from services.seasons import current_season
from services.uploads.contents import retry_upload
from services.uploads.resplit import resplit_upload
from services.uploads.split import split_view
from services.uploads.submissions import READ_AT_ONCE, SplitChangedError, analyse_upload, divide, read_page_range
from services.uploads.submit import IncomingFile, submit_files
from tests.support.office import make_person, uploads_of
from tests.support.reading.one_school import CHILDREN, SCHOOL, typed_stack_of

STACK = typed_stack_of([SCHOOL] * len(CHILDREN))


@pytest.fixture
def upload(context: Context) -> Upload:
    """A stack of ten pages, one an entry, whose pages are still to be read."""
    context.redis.flushdb()
    batch = submit_files(context, make_person(context), [IncomingFile("stack.pdf", STACK)])
    (row,) = uploads_of(context, batch)
    assert analyse_upload(context, row.id) == []
    return row


def ranges(context: Context, upload: Upload) -> Sequence[PageRange]:
    with context.database.session() as session:
        of_upload = select(PageRange).where(PageRange.upload_id == upload.id)
        return session.scalars(of_upload.order_by(PageRange.first_page)).all()


def entries(context: Context, upload: Upload) -> list[tuple[int, int, int, str]]:
    with context.database.session() as session:
        rows = session.scalars(
            select(Submission).where(Submission.upload_id == upload.id).order_by(Submission.chunk_index)
        )
        return [(row.chunk_index, row.page_start, row.page_end, row.doc_format) for row in rows]


def state(context: Context, upload: Upload) -> Upload:
    return context.database.get_one(Upload, upload.id)


def expected(context: Context) -> list[tuple[int, int, int, str]]:
    analysis = analyse(STACK, context.settings, context.store)
    return [(chunk.index, chunk.page_start, chunk.page_end, analysis.format.value) for chunk in analysis.chunks]


def test_ranges_cover_each_page_once() -> None:
    for count in range(READ_AT_ONCE + 1, 40):
        found = [n for r in divide(uuid.uuid4(), count) for n in range(r.first_page, r.last_page + 1)]
        assert found == list(range(1, count + 1))


def take_all_time(context: Context, upload: Upload) -> None:
    """Note that earlier jobs have taken all the time that a file may take."""
    with context.database.session() as session:
        spent = context.settings.parse_file_seconds
        session.execute(update(Upload).where(Upload.id == upload.id).values(parse_seconds=spent))


def test_all_jobs_of_a_file_share_its_time(context: Context, upload: Upload) -> None:
    first, second, *_ = ranges(context, upload)
    before = state(context, upload).parse_seconds
    assert before > 0, "checking and opening it took some"
    read_page_range(context, first.id)
    assert state(context, upload).parse_seconds > before
    take_all_time(context, upload)
    with pytest.raises(TooCostlyError) as refused:
        read_page_range(context, second.id)
    fail_upload(context, upload.id, refused.value)
    failed = state(context, upload)
    assert failed.error == Message.of(Cost.TIME, seconds=round(context.settings.parse_file_seconds))
    assert context.store.get(failed.storage_key) == STACK, "it is kept"


def test_a_file_that_took_too_long_has_its_time_anew_when_somebody_retries_it(
    context: Context, upload: Upload
) -> None:
    take_all_time(context, upload)
    fail_upload(context, upload.id, TooCostlyError())
    retry_upload(context, upload.uploaded_by, upload.id)
    assert analyse_upload(context, upload.id) == [] and state(context, upload).status == "analysing"


def test_pages_wait_behind_entries_and_after_a_few_among_those_of_others(context: Context, upload: Upload) -> None:
    waiting = [open_queue(context.redis, name).job_ids for name in (PAGES_QUEUE_NAME, CROWD_QUEUE_NAME)]
    jobs = [f"pages-{pages.id}" for pages in ranges(context, upload)]
    assert waiting == [jobs[:FRONT], jobs[FRONT:]]
    assert analyse_upload(context, upload.id) == []
    assert state(context, upload).page_count == 10


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_entries_are_those_of_one_job(context: Context, upload: Upload, order: Sequence[int]) -> None:
    keys = [pages.id for pages in ranges(context, upload)]
    runs = [run for index in order for run in read_page_range(context, keys[index])]
    assert entries(context, upload) == expected(context)
    assert len(set(runs)) == len(runs) == 10
    found = state(context, upload)
    assert (found.status, found.entry_count, found.doc_format) == ("split", 10, "native_text")
    assert ranges(context, upload) == []
    with context.database.session() as session:
        pages = session.scalars(select(Page.page_no).where(Page.upload_id == upload.id).order_by(Page.page_no))
        assert pages.all() == list(range(1, 11))


def test_only_the_forms_of_the_season_are_looked_for(context: Context, upload: Upload) -> None:
    """By jobs of ranges, and where a short file is read at once."""
    with context.database.session() as session:
        current_season(session).form_profiles = ["freeform"]
    for pages in ranges(context, upload):
        read_page_range(context, pages.id)
    short = typed_stack_of([SCHOOL])
    (at_once,) = uploads_of(context, submit_files(context, make_person(context), [IncomingFile("a.pdf", short)]))
    assert len(analyse_upload(context, at_once.id)) == 1
    with context.database.session() as session:
        matched = select(Submission.profile).where(Submission.upload_id.in_([upload.id, at_once.id]))
        assert set(session.scalars(matched)) == {"freeform"}


def test_entries_are_made_as_soon_as_the_next_one_begins(context: Context, upload: Upload) -> None:
    first, second, third = (pages.id for pages in ranges(context, upload))
    assert len(read_page_range(context, first)) == 3
    assert state(context, upload).status == "analysing"
    assert read_page_range(context, third) == [], "the pages before are not read yet"
    assert len(read_page_range(context, second)) == 7


def test_pages_that_were_read_are_not_read_again(context: Context, upload: Upload) -> None:
    first = ranges(context, upload)[0].id
    assert read_page_range(context, first)
    assert read_page_range(context, first) == []


def test_pages_under_a_lease_are_left_alone(context: Context, upload: Upload) -> None:
    first = ranges(context, upload)[0].id
    assert take_lease(context, PAGE_RANGES, first)
    assert read_page_range(context, first) == []


def test_a_file_that_failed_goes_on_where_it_stood(context: Context, upload: Upload) -> None:
    first, second, _ = (pages.id for pages in ranges(context, upload))
    read_page_range(context, first)
    fail_upload(context, upload.id, UnexpectedError())
    assert read_page_range(context, second) == []
    assert (state(context, upload).status, len(entries(context, upload))) == ("failed", 3)
    retry_upload(context, upload.uploaded_by, upload.id)
    analyse_upload(context, upload.id)
    runs = [run for pages in ranges(context, upload) for run in read_page_range(context, pages.id)]
    assert len(runs) == 7
    assert entries(context, upload) == expected(context)


def test_an_entry_with_other_pages_than_in_an_earlier_attempt_is_an_error(
    context: Context, upload: Upload
) -> None:
    first, second, _ = (pages.id for pages in ranges(context, upload))
    read_page_range(context, first)
    with context.database.session() as session:
        of_upload = Submission.upload_id == upload.id
        session.execute(update(Submission).where(of_upload, Submission.chunk_index == 2).values(page_end=4))
    with pytest.raises(SplitChangedError):
        read_page_range(context, second)
    assert len(entries(context, upload)) == 3


def test_the_split_is_corrected_only_when_it_is_whole(context: Context, upload: Upload) -> None:
    read_page_range(context, ranges(context, upload)[0].id)
    with pytest.raises(NotFoundError):
        split_view(context, upload.id)
    with pytest.raises(InvalidInputError):
        resplit_upload(context, make_person(context, "reviewer"), [upload.id], {}, [])
