"""Take a form out of use, and put a version of it into use."""

from __future__ import annotations

import uuid

from sqlalchemy import select, update

from core.clock import utcnow
from core.errors import ConflictError
from core.models import FormGeneration, FormProfile, FormStatus, SecurityEventKind
from services.context import Context
from services.forms.check_form import check_form, checked_profile
from services.forms.form_version import FormVersion, described, shown, version_row
from services.forms.load_forms import load_forms
from services.forms.save_version import retire_active
from services.messages.form import FormConflict
from services.security_events import record_event


def retire_form(context: Context, actor_id: uuid.UUID | None, key: str) -> None:
    """Take a form out of use: no page is matched with it any more; its entries keep their fields and labels.

    Raises ConflictError where it is not in use.
    """
    with context.database.session() as session:
        version = retire_active(session, key, actor_id)
        if version is None:
            raise ConflictError(FormConflict.NOT_IN_USE)
        record_event(session, SecurityEventKind.FORM_RETIRED, actor_id=actor_id, form=key, version=version)
    load_forms(context)


def bring_back(context: Context, actor_id: uuid.UUID | None, key: str, version: int | None = None) -> FormVersion:
    """Put a version of a form into use, a draft or a retired one, in place of the one in use; None: the newest.

    Raises NotFoundError, ConflictError where it is in use, and InvalidInputError where it cannot be used any more.
    """
    load_forms(context)
    with context.database.session() as session:
        if version is None:
            newest = select(FormProfile.version).where(FormProfile.key == key).order_by(FormProfile.version.desc())
            version = session.scalar(newest.limit(1)) or 0
        given = described(version_row(session, key, version))
    check_form(checked_profile(given))
    with context.database.session() as session:
        session.execute(select(FormGeneration.name).with_for_update())
        row = version_row(session, key, version)
        if row.status == FormStatus.ACTIVE:
            raise ConflictError(FormConflict.IN_USE)
        retire_active(session, key, actor_id)
        session.execute(
            update(FormProfile)
            .where(FormProfile.id == row.id)
            .values(status=FormStatus.ACTIVE.value, status_by=actor_id, status_at=utcnow())
        )
        record_event(session, SecurityEventKind.FORM_BROUGHT_BACK, actor_id=actor_id, form=key, version=version)
        session.refresh(row)
        again = shown(session, row)
    load_forms(context)
    return again
