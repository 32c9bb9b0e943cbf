"""A page drawn as a WebP picture, once; kept in the file store."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import BusyError, TooCostlyError
from pipeline.recognition.page_contents import render_page
from services.context import Context

#: Pages that one process reads or draws at the same time, so that its other threads answer other requests.
_FEW = threading.BoundedSemaphore(2)
#: Those that read or draw or wait for it: fewer than the web server has threads (`commands.serving`), so that one
#: is left for others. More than a browser asks for at the same time.
_IN_LINE = threading.BoundedSemaphore(7)
#: Seconds that a request waits for its turn.
_PATIENCE = 10.0


@contextmanager
def one_of_few() -> Iterator[None]:
    """Wait until few others read documents or draw pages in this process.

    Raises BusyError, at once where many wait already.
    """
    if not _IN_LINE.acquire(blocking=False):
        raise BusyError
    try:
        if not _FEW.acquire(timeout=_PATIENCE):
            raise BusyError
        try:
            yield
        finally:
            _FEW.release()
    finally:
        _IN_LINE.release()


def drawn_page(context: Context, key: str, pdf_key: str, number: int, dpi: int) -> bytes:
    """Return page `number` of the PDF at `pdf_key` as WebP; it is kept at `key`.

    Raises TooCostlyError, also later without another try; DamagedDocumentError, BusyError.
    """
    store = context.store
    if store.exists(key):
        return store.get(key)
    refused = f"{key}.refused"
    if store.exists(refused):
        raise TooCostlyError
    with one_of_few():
        try:
            picture = render_page(store.get(pdf_key), number, dpi)
        except TooCostlyError:
            store.put(refused, b"", "text/plain")
            raise
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", quality=80, method=4)
    store.put(key, buffer.getvalue(), "image/webp")
    return buffer.getvalue()
