"""Take the leases on all rows of an erasure, so that no worker writes what is about to go, or writes it again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import Any

from core.errors import ConflictError
from core.lease import Leases, process_name
from core.models.leases import (
    BATCH_LEASES,
    DOCUMENT_LEASES,
    PAGE_RANGE_LEASES,
    REPORT_LEASES,
    RUN_LEASES,
    SUPERVISION_LEASES,
    UPLOAD_LEASES,
)
from services.context import Context
from services.erasure.scope import Scope
from services.messages.conflict import Conflict

#: How long the rows stay ours; after a crash others wait for so long.
_LASTING = timedelta(minutes=2)
_LOOK_SECONDS = 0.1


@contextmanager
def leases_taken(context: Context, scope: Scope, patience: float) -> Iterator[None]:
    """Hold the leases on everything of the scope while the block runs.

    A worker that has one is waited for, `patience` seconds in all: it writes files and checkpoints without asking
    for its lease, so that only its end is safe. Raises ConflictError when it takes longer, with nothing
    changed.
    """
    end = time.monotonic() + patience
    holder = process_name()
    with ExitStack() as taken:
        for leases, key in _wanted(scope):
            _take(context, leases, key, holder, end)
            taken.callback(_release, context, leases, key, holder)
        yield


def _wanted(scope: Scope) -> Iterator[tuple[Leases[Any], object]]:
    """Files before entries, as workers take them."""
    for leases, keys in (
        (BATCH_LEASES, scope.batches),
        (UPLOAD_LEASES, sorted(scope.uploads)),
        (PAGE_RANGE_LEASES, scope.ranges),
        (RUN_LEASES, scope.runs),
        (DOCUMENT_LEASES, scope.documents),
        (REPORT_LEASES, scope.reports),
        (SUPERVISION_LEASES, scope.supervisions),
    ):
        for key in keys:
            yield leases, key


def _take(context: Context, leases: Leases[Any], key: object, holder: str, end: float) -> None:
    while True:
        with context.database.session() as session:
            if leases.take(session, key, holder, _LASTING):
                return
        if time.monotonic() > end:
            raise ConflictError(Conflict.BEING_WORKED_ON)
        time.sleep(_LOOK_SECONDS)


def _release(context: Context, leases: Leases[Any], key: object, holder: str) -> None:
    with context.database.session() as session:
        leases.held_by(key, holder).release(session)
