"""How much a test tries: `make test` tries some of it, `make test-long` all of it, in the tests marked `long`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

Case = TypeVar("Case")
LONG = os.environ.get("TEST_LONG") == "1"


def examples(few: int, many: int) -> int:
    """How many examples of a property are tried."""
    return many if LONG else few


def some(cases: Sequence[Case], every: int) -> Sequence[Case]:
    """Each of the cases, or the first and every so many'th after it."""
    return cases if LONG else cases[::every]
