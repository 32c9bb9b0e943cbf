"""Real workers: an entry does not wait for all of somebody else's upload."""

from __future__ import annotations

import pytest

from services.context import Context
from services.uploads.submit import IncomingFile, submit_files
from tests.support.office import entries_of, make_person, settled, wait_until, working
from tests.support.reading.entries import COMPLETE, acroform

pytestmark = pytest.mark.slow
_MANY = 12


def test_one_entry_behind_many_of_somebody_else(context: Context) -> None:
    entry = acroform(COMPLETE)
    many = submit_files(
        context,
        make_person(context),
        [IncomingFile(f"{number}.pdf", entry + f"\n% {number}\n".encode()) for number in range(_MANY)],
    )
    one = submit_files(context, make_person(context), [IncomingFile("one.pdf", entry)])
    with working(context):
        wait_until(lambda: settled(context, one), "the one entry's end")
        under_way = not settled(context, many)
        wait_until(lambda: settled(context, many), "the end of the others")
    assert under_way and len(entries_of(context, many)) == _MANY and len(entries_of(context, one)) == 1
