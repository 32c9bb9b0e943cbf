"""A failed job on the page of the queue, tried again by an admin."""

from __future__ import annotations

from playwright.sync_api import expect

from core.messages import Message
from core.queue import job_ids
from core.work import JobKind
from services.queue.failed_work import failed_work, note_failure
from tests.browser.conftest import Site, Visit
from tests.support import factories

_WHERE = {
    "kind": "core.errors.StorageError",
    "code": "storage_error",
    "frames": [["core/file_store.py", 7, "put"]],
}


def test_a_failed_job_is_tried_again(site: Site, visit: Visit) -> None:
    site.context.redis.flushdb()
    with site.context.database.session() as session:
        key = f"{factories.make_submission(session, status='failed', error=Message('storage_error')).id}:1"
    note_failure(site.context, JobKind.RUN, key, [_WHERE])
    page = visit("admin")
    page.goto("/admin/queue")
    failed = page.get_by_role("region", name="Failed")
    expect(failed).to_contain_text("The file store is not responding.")
    failed.get_by_text("Where in the program").click()
    expect(failed.locator(".traceback")).to_contain_text("core.errors.StorageError: storage_error")
    failed.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("The job is back on the queue.")).to_be_visible()
    expect(page.get_by_text("Nothing has failed.")).to_be_visible()
    expect(page.get_by_role("region", name="Waiting")).to_contain_text("Read an entry")
    assert failed_work(site.context) == [] and len(job_ids(site.context.redis).queued) == 1
