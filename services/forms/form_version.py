"""One version of a form, as services and pages see it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.models import FormProfile, FormStatus
from pipeline.profiles import Profile, ProfileKind
from services.accounts.person_name import name_by_id
from services.context import Context


@dataclass(frozen=True)
class FormVersion:
    """One version of a form; it never changes but for its status."""

    id: uuid.UUID
    key: str
    version: int
    label: str
    kind: ProfileKind
    status: FormStatus
    #: With `version` set, as pages are matched with it.
    profile: Profile
    #: Key of the empty form in the file store, a PDF; None where nobody gave one.
    blank_key: str | None
    #: Who made it, by the name that is shown; None for the command line.
    made_by: str | None
    made_at: datetime
    #: Who gave it its status last, and when.
    status_by: str | None
    status_at: datetime


def form_version(context: Context, key: str, version: int | None = None) -> FormVersion:
    """Return a version of a form; None: the one in use, else the newest. Raises NotFoundError."""
    with context.database.session() as session:
        return shown(session, version_row(session, key, version))


def blank_pdf(context: Context, of: FormVersion) -> bytes | None:
    """Return the empty form, None where nobody gave one. Raises what the file store raises."""
    return context.store.get(of.blank_key) if of.blank_key else None


def version_row(session: Session, key: str, version: int | None) -> FormProfile:
    """Return the row of a version; None: the one in use, else the newest. Raises NotFoundError."""
    query = select(FormProfile).where(FormProfile.key == key)
    if version is None:
        query = query.order_by((FormProfile.status == FormStatus.ACTIVE.value).desc(), FormProfile.version.desc())
    else:
        query = query.where(FormProfile.version == version)
    row = session.scalars(query.limit(1)).first()
    if row is None:
        raise NotFoundError("no such form")
    return row


def profile_of(row: FormProfile) -> Profile:
    """Return the profile of a row. Raises ValidationError for one that this program does not take."""
    return Profile.model_validate(described(row))


def described(row: FormProfile) -> dict[str, Any]:
    """Return what a row says of its form."""
    return {**row.definition, "key": row.key, "label": row.label, "version": row.version}


def _shown_profile(row: FormProfile) -> Profile:
    """Return the profile of a row, an empty one of that name where this program does not take it."""
    try:
        return profile_of(row)
    except ValidationError:
        kind = ProfileKind(row.kind)
        return Profile.model_construct(
            key=row.key, label=row.label, kind=kind, version=row.version, fields={}, printed=()
        )


def shown(session: Session, row: FormProfile) -> FormVersion:
    """Return a row with the names of the people who made it."""
    return FormVersion(
        id=row.id,
        key=row.key,
        version=row.version,
        label=row.label,
        kind=ProfileKind(row.kind),
        status=FormStatus(row.status),
        profile=_shown_profile(row),
        blank_key=row.blank_key,
        made_by=name_by_id(session, row.made_by),
        made_at=row.created_at,
        status_by=name_by_id(session, row.status_by),
        status_at=row.status_at,
    )
