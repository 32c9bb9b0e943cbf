"""Who hands batches in and says what holds for them."""

from __future__ import annotations

import pytest

from services.accounts.person import Person, person_of
from services.context import Context
from tests.support.site import person


@pytest.fixture
def ana(context: Context) -> Person:
    return person_of(person(context, "reviewer", display_name="Ana Ruiz"))
