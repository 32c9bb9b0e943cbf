"""Save a version of a form."""

from __future__ import annotations

import hashlib
import uuid

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import ConflictError, InvalidInputError
from core.models import FormGeneration, FormProfile, FormStatus, SecurityEventKind
from pipeline.profiles import Profile
from services.context import Context
from services.forms.check_form import check_form, definition_of
from services.forms.form_version import FormVersion, shown
from services.forms.load_forms import load_forms
from services.messages.form import FormConflict, FormRefused
from services.security_events import record_event

_PDF = "application/pdf"


def save_version(
    context: Context,
    actor_id: uuid.UUID | None,
    profile: Profile,
    blank: bytes | None = None,
    *,
    draft: bool = False,
    based_on: int | None = None,
) -> FormVersion:
    """Save the form as the next version of its key and return it; it is in use at once, unless it is a draft.

    `blank` is the empty form as a PDF; None keeps that of the version before. `based_on` is the version that the
    person changed (0 for a new form); None: whichever is the newest. `profile.version` is not read.

    Raises InvalidInputError for a form that cannot be used (see `check_form`) and for a `blank` that is no PDF,
    ConflictError where another version was saved meanwhile, and what the file store raises.
    """
    load_forms(context)
    check_form(profile)
    blank_key = None if blank is None else _store(context, profile.key, blank)
    with context.database.session() as session:
        # One after the other.
        session.execute(select(FormGeneration.name).with_for_update())
        before = _newest(session, profile.key)
        if based_on is not None and based_on != (before.version if before else 0):
            raise ConflictError(FormConflict.CHANGED)
        if not draft:
            retire_active(session, profile.key, actor_id)
        row = FormProfile(
            key=profile.key,
            version=before.version + 1 if before else 1,
            label=profile.label,
            kind=profile.kind.value,
            definition=definition_of(profile),
            blank_key=blank_key or (before.blank_key if before else None),
            status=(FormStatus.DRAFT if draft else FormStatus.ACTIVE).value,
            made_by=actor_id,
            status_by=actor_id,
        )
        session.add(row)
        record_event(session, SecurityEventKind.FORM_SAVED, actor_id=actor_id, form=row.key, version=row.version)
        session.flush()
        saved = shown(session, row)
    load_forms(context)
    return saved


def retire_active(session: Session, key: str, actor_id: uuid.UUID | None) -> int | None:
    """Retire the version of a form that is in use and return its number, None where none is."""
    return session.scalar(
        update(FormProfile)
        .where(FormProfile.key == key, FormProfile.status == FormStatus.ACTIVE.value)
        .values(status=FormStatus.RETIRED.value, status_by=actor_id, status_at=utcnow())
        .returning(FormProfile.version)
    )


def _newest(session: Session, key: str) -> FormProfile | None:
    query = select(FormProfile).where(FormProfile.key == key).order_by(FormProfile.version.desc()).limit(1)
    return session.scalars(query).first()


def _store(context: Context, key: str, blank: bytes) -> str:
    if not blank.startswith(b"%PDF-"):
        raise InvalidInputError(FormRefused.NO_PDF)
    stored = f"forms/{key}/{hashlib.sha256(blank).hexdigest()}.pdf"
    context.store.put(stored, blank, _PDF)
    return stored
