"""Read some pages of a long file, and make the entries that they complete."""

from __future__ import annotations

import uuid

from sqlalchemy import select, update

from core.lease import Lease
from core.models import PageRange, Upload, UploadStatus
from pipeline.records.outlines import RangeOutlines
from pipeline.runner import outline_pages
from services.context import Context
from services.recovery.kinds import PAGE_RANGES
from services.recovery.work import keeping, take
from services.seasons import forms_in_use
from services.uploads.analyse_upload import time_of_file
from services.uploads.make_submissions import make_submissions
from services.uploads.page_ranges import outlines_so_far


def read_pages(context: Context, range_id: uuid.UUID) -> list[str]:
    """Read a range of pages; return the ids of the runs of new entries, which the caller must queue.

    Safe to repeat: pages that were read, and those that another worker reads, are left unchanged. Raises
    DocumentError, RecognitionError, StorageError. No database session is open while pages are read.
    """
    lease = take(context, PAGE_RANGES, range_id)
    if lease is None:
        return []
    with keeping(context, lease):
        with context.database.session() as session:
            pages = lease.hold(session)
            upload = session.get_one(Upload, pages.upload_id)
            key, forms = upload.pdf_key, forms_in_use(session, upload.season_id)
        assert key is not None
        numbers = range(pages.first_page, pages.last_page + 1)
        with time_of_file(context, pages.upload_id):
            outlines = outline_pages(context.store.get(key), context.settings, context.store, numbers, forms)
        return _store(context, lease, pages.upload_id, outlines)


def _store(context: Context, lease: Lease[PageRange], upload_id: uuid.UUID, outlines: RangeOutlines) -> list[str]:
    """Keep the outlines and make entries in one transaction; write nothing if the file failed meanwhile."""
    with context.database.session() as session:
        # Locked before the range, and by each range: of two that end at once the later one sees both.
        upload = session.scalar(
            select(Upload)
            .where(Upload.id == upload_id, Upload.status == UploadStatus.ANALYSING.value)
            .with_for_update(key_share=True)
        )
        if upload is None:
            return []
        lease.hold(session)
        session.execute(update(PageRange).where(lease.is_mine()).values(outlines=outlines.model_dump(mode="json")))
        found, whole = outlines_so_far(session, upload_id)
        return make_submissions(session, context.settings, upload, found, whole)
