"""Bring the form profiles of this process up to those of the database."""

from __future__ import annotations

from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from core.log import get_logger
from core.models import FormGeneration, FormProfile, FormStatus
from pipeline.profiles import Profile, use_profiles
from pipeline.profiles.generation import FILES_ALONE, generation
from services.context import Context
from services.forms.form_version import profile_of

log = get_logger(__name__)


def load_forms(context: Context, name: str | None = None) -> None:
    """Use the forms that the database has in use now: one small query where nothing has changed.

    `name`: of the generation in use, where the caller has just read it; nothing is asked if it is that of this
    process. Called at the start of each job and of each request of somebody who has signed in.
    """
    if name is not None and name == generation():
        return
    with context.database.session() as session:
        load_from(session)


def load_from(session: Session) -> None:
    """Do as `load_forms`, in the caller's transaction."""
    name = session.scalar(select(FormGeneration.name)) or FILES_ALONE
    if name == generation():
        return
    rows = session.scalars(select(FormProfile).order_by(FormProfile.created_at.desc(), FormProfile.version.desc()))
    active: list[Profile] = []
    former: list[Profile] = []
    for row in rows:
        try:
            profile = profile_of(row)
        except ValidationError as error:
            # Of a newer program: the other forms are used all the same.
            log.error("form_not_readable", form=row.key, version=row.version, faults=error.error_count())
            continue
        (active if row.status == FormStatus.ACTIVE else former).append(profile)
    use_profiles(active, name, former)
