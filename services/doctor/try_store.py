"""Try the file store: write a file, read it, remove it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from uuid import uuid4

from core.errors import AppError
from services.context import Context
from services.doctor.findings import DoctorCode, Finding, fine, wrong


def try_store(context: Context) -> Iterator[Finding]:
    """Yield whether the store gives back what it took."""
    key, data, began = f"probe/{uuid4().hex}", uuid4().bytes, time.monotonic()
    try:
        context.store.put(key, data)
        same = context.store.get(key) == data
        context.store.delete(key)
    except AppError as error:
        yield wrong(DoctorCode.STORE_REFUSES, time.monotonic() - began, problem=error.told)
        return
    seconds = time.monotonic() - began
    yield fine(DoctorCode.STORE_ANSWERS, seconds) if same else wrong(DoctorCode.STORE_CHANGES, seconds)
