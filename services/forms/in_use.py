"""The contest's forms that are in use, as each process knows them."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from core.models import FormGeneration, FormProfile, FormStatus
from core.tracing.log import get_logger
from pipeline.profiles import FormSpec, use_profiles
from pipeline.profiles.catalogue import FILES_ALONE, generation
from services.context import Context

log = get_logger(__name__)


def load_forms(context: Context, name: str | None = None) -> None:
    """Use the forms that are in use in the database: one small query if nothing has changed.

    `name`: the generation in use, if the caller has just read it; no query is made if this process has it. Called
    at the start of each job and of each request of a signed-in person.
    """
    if name is not None and name == generation():
        return
    with context.database.reading() as session:
        load_from(session)


def load_from(session: Session) -> None:
    """Do as `load_forms`, in the caller's transaction."""
    name = session.scalar(select(FormGeneration.name)) or FILES_ALONE
    if name == generation():
        return
    rows = session.scalars(select(FormProfile).order_by(FormProfile.created_at.desc(), FormProfile.version.desc()))
    active: list[FormSpec] = []
    former: list[FormSpec] = []
    for row in rows:
        try:
            profile = form_profile_of(row)
        except ValidationError as error:
            # A newer program saved it; the other forms are used all the same.
            log.error("form_not_readable", form=row.key, version=row.version, faults=error.error_count())
            continue
        (active if row.status == FormStatus.ACTIVE else former).append(profile)
    use_profiles(active, name, former)


def form_profile_of(row: FormProfile) -> FormSpec:
    """Return the profile of a row. Raises ValidationError for one that this program does not take."""
    return FormSpec.model_validate(described(row))


def described(row: FormProfile) -> dict[str, Any]:
    """Return the definition of a row's form."""
    return {**row.definition, "key": row.key, "label": row.label, "version": row.version}
