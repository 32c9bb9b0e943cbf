"""Erased while somebody changes its batch: nothing is written back, and nobody waits for ever."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from core.errors import ConflictError
from core.models import ErasureReason, Submission
from services.accounts.person import person_of
from services.batches.giving import apply_defaults, run_defaults
from services.batches.typed_in import receive_batch
from services.context import Context
from services.erasure import erase as erasing
from services.erasure.erase import erase_submissions
from tests.support.erasure import child
from tests.support.erasure.scan import where_found
from tests.support.office import entries_of, make_person, wait_until
from tests.support.reading.entries import acroform
from tests.support.site import person


class Interrupted:
    """A file store that calls `meanwhile` before the first file below `prefix` is written."""

    def __init__(self, store: Any, prefix: str, meanwhile: Any) -> None:
        self._store, self._prefix, self._meanwhile = store, prefix, [meanwhile]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def put(self, key: str, *args: Any, **named: Any) -> Any:
        if key.startswith(self._prefix) and self._meanwhile:
            self._meanwhile.pop()()
        return self._store.put(key, *args, **named)


def test_the_erasure_waits_for_the_worker(context: Context) -> None:
    ana, admin = person_of(person(context, "reviewer")), make_person(context, "admin")
    forms = [
        acroform({"Student's Name": name, "Grade": "", "School": child.SCHOOL}, essay)
        for name, essay in ((child.NAME, child.ESSAY), (child.OTHERS[0], child.OTHER_ESSAY))
    ]
    batch_id = child.hand_in(context, ana.id, *forms)
    entry = child.named(context, child.NAME)
    change_id = apply_defaults(context, ana, batch_id, {"grade": "4"}, 0)
    refused: list[bool] = []

    def erase() -> None:
        with pytest.raises(ConflictError):
            erase_submissions(context, [entry.id], admin, ErasureReason.ASKED, patience=0.2)
        refused.append(True)

    slow = replace(context, store=Interrupted(context.store, f"artifacts/{entry.id}", erase))
    assert run_defaults(slow, change_id) and refused
    child.read_all(context)
    erase_submissions(context, [entry.id], admin, ErasureReason.ASKED)
    assert where_found(context, child.TRACES) == []


def test_a_day_given_to_the_batch_waits_for_the_erasure(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, admin = person_of(person(context, "reviewer")), make_person(context, "admin")
    batch_id = child.hand_in(context, ana.id, child.stack())
    entry, lock = child.named(context, child.NAME), erasing.lock_entries

    def somebody_waits() -> bool:
        return bool(context.database.scalar(text("select count(*) from pg_locks where not granted")))

    with ThreadPoolExecutor() as pool:

        def then_the_day(*given: Any) -> dict[Any, Submission]:
            found = lock(*given)
            days.append(pool.submit(receive_batch, context, ana, batch_id, "2026-01-02"))
            wait_until(somebody_waits, "the day", 10)
            return found

        days: list[Any] = []
        monkeypatch.setattr(erasing, "lock_entries", then_the_day)
        erase_submissions(context, [entry.id], admin, ErasureReason.ASKED)
        days[0].result(30)
    rest = entries_of(context, batch_id)
    assert rest and {str(one.received_on) for one in rest} == {"2026-01-02"}
