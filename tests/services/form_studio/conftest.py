"""Forms that a test saves are forgotten after it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.small_form import files_alone_afterwards


@pytest.fixture(autouse=True)
def no_forms_left() -> Iterator[None]:
    with files_alone_afterwards():
        yield
