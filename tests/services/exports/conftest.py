"""A reviewer and entries of two schools."""

from __future__ import annotations

import pytest

from services.accounts.person import Person, person_of
from services.context import Context
from tests.support.review import desk
from tests.support.site import person

NAMES = ("Ana Ruiz", "=SUM(A1:A9)", "Þóra Œuvré", "李小龍", "محمد علي", 'Zoë "Zo" O\'Neil, Jr.')


@pytest.fixture
def reader(context: Context) -> Person:
    return person_of(person(context, "reviewer", display_name="Ben Okoro"))


@pytest.fixture
def entries(context: Context) -> list[desk.Entry]:
    """One of each name; of the first school if its place is even."""
    made = []
    for place, name in enumerate(NAMES):
        with context.database.session() as session:
            school = ("Juniper Elementary School", "Escuela Río Claro")[place % 2]
            made.append(
                desk.make_entry(
                    context,
                    session,
                    status="completed",
                    student_name=name,
                    school_name=school,
                    grade=str(place + 1),
                )
            )
    return made
