"""Note how many entries a batch should have, to be held against those that came."""

from __future__ import annotations

import uuid

from sqlalchemy import update

from core.errors import InvalidInputError, NotFoundError
from core.models import UploadBatch
from services.accounts.person import Person
from services.context import Context
from services.messages.refused import Refused
from services.visibility import visible_to

MOST = 100_000


def expected_number(text: str) -> int | None:
    """Return the number that somebody typed, None for nothing.

    Raises InvalidInputError for what is no whole number between 1 and MOST.
    """
    typed = text.strip()
    if not typed:
        return None
    # `isdecimal` holds for digits of other scripts too, which `int` reads.
    number = int(typed) if typed.isdecimal() and len(typed) <= len(str(MOST)) else 0
    if not 1 <= number <= MOST:
        raise InvalidInputError(Refused.NUMBER_OF_ENTRIES, limit=MOST)
    return number


def expect_submissions(context: Context, person: Person, batch_id: uuid.UUID, number: int | None) -> None:
    """Note the number; None: nobody knows. Raises NotFoundError for a batch that this person does not see."""
    with context.database.session() as session:
        found = session.scalar(
            update(UploadBatch)
            .where(UploadBatch.id == batch_id, visible_to(person, UploadBatch.uploaded_by))
            .values(expected_entries=number)
            .returning(UploadBatch.id)
        )
    if found is None:
        raise NotFoundError("no such batch for this person")
