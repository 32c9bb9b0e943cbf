"""Whether there is room for further files: on the disk, in the queue, and with a store that is slow."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from redis.exceptions import RedisError

from core.errors import QueueFullError, StorageFullError, StorageSlowError
from core.queue import queued_count
from services.context import Context

#: Uploads that a process stores at a time: half of the web server's threads, so that a slow store leaves it the
#: others to answer.
AT_ONCE = 4
_STORING = BoundedSemaphore(AT_ONCE)


@contextmanager
def room_for(context: Context, size: int) -> Iterator[None]:
    """Store files of so many bytes in the block.

    Raises StorageFullError, QueueFullError, and StorageSlowError if too many others are being stored, before
    anything of them is. A queue that does not answer is no reason: files are queued when it is back.
    """
    _require_disk(context, size)
    _require_queue(context)
    if not _STORING.acquire(timeout=context.settings.store_wait_seconds):
        raise StorageSlowError(f"{AT_ONCE} uploads are being stored")
    try:
        yield
    finally:
        _STORING.release()


def _require_disk(context: Context, size: int) -> None:
    settings = context.settings
    if settings.supabase_url is not None or not settings.var_dir.is_dir():
        return
    left = shutil.disk_usage(settings.var_dir).free - size
    if left < settings.min_free_mb << 20:
        raise StorageFullError(f"{left} bytes would be left")


def _require_queue(context: Context) -> None:
    try:
        waiting = queued_count(context.redis)
    except RedisError:
        return
    if waiting >= context.settings.max_queued_jobs:
        raise QueueFullError(f"{waiting} jobs wait")
