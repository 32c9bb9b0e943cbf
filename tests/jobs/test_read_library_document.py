"""Documents of the library through the real queue: read by a worker, and found again by the reconciler."""

from __future__ import annotations

import pytest

from core.models import LibraryDocument, LibraryKind
from services.context import Context
from services.library.documents import GivenMetadata, add_document
from services.reconcile import reconcile
from services.uploads.submit import IncomingFile
from tests.support.office import wait_until, working
from tests.support.research.library import document_of

pytestmark = pytest.mark.slow
SHELF = GivenMetadata(LibraryKind.BOOK, collection="Boats")


def test_a_worker_reads_what_was_queued_and_what_was_lost(context: Context) -> None:
    file = IncomingFile("boats.md", b"# Boats\n\nFathers build boats with their children.")
    queued = add_document(context, None, file, SHELF).document_id
    cut = add_document(context, None, IncomingFile("cut.pdf", b"%PDF-1.4 cut"), SHELF).document_id
    # A crash between the row and the queue.
    lost = add_document(context, None, IncomingFile("song.txt", b"Fathers sing."), SHELF, queue=False).document_id
    assert reconcile(context) == 1
    with working(context):
        for document_id in (queued, cut, lost):
            wait_until(lambda found=document_id: done(context, found), "the document")
    assert (document_of(context, queued).status, document_of(context, queued).title) == ("ready", "Boats")
    assert document_of(context, lost).status == "ready"
    failed: LibraryDocument = document_of(context, cut)
    assert (failed.status, failed.error_code, failed.attempts) == ("failed", "damaged_document", 1)


def done(context: Context, document_id: object) -> bool:
    return document_of(context, document_id).status in ("ready", "failed")  # type: ignore[arg-type]
