"""The defaults of a batch that are in force."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.models import BatchDefault, Profile, Submission
from pipeline.validation.defaults import LANGUAGE, NO_DEFAULTS, Defaults
from services.accounts.person_name import name_of


def latest_row(session: Session, batch_id: uuid.UUID) -> BatchDefault | None:
    """Return the change that is in force, None where nothing was ever given."""
    return session.scalar(
        select(BatchDefault)
        .where(BatchDefault.batch_id == batch_id)
        .order_by(BatchDefault.version.desc())
        .limit(1)
    )


def defaults_in_force(session: Session, batch_id: uuid.UUID) -> Defaults:
    """Return the values that stand where a page of the batch gives none, with the name of whoever gave them."""
    row = latest_row(session, batch_id)
    return NO_DEFAULTS if row is None else defaults_by(session, row.given, row.given_by)


def defaults_by(session: Session, given: dict[str, str], person_id: uuid.UUID) -> Defaults:
    """Return values as given by this person."""
    name = session.scalars(select(name_of(Profile)).where(Profile.id == person_id)).one()
    values = {key: value for key, value in given.items() if key != LANGUAGE}
    return Defaults(values=values, language=given.get(LANGUAGE), given_by=name)


def defaults_of_submission(session: Session, submission_id: uuid.UUID) -> Defaults:
    """Return those of the batch that an entry came in."""
    return defaults_in_force(session, session.get_one(Submission, submission_id).batch_id)
