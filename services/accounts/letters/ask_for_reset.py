"""Ask for a link to choose a new password by. It is mailed; who asks learns nothing of whose address it is."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from core.models import Profile, ResetRequest
from services.accounts.person import may_sign_in
from services.context import Context
from services.recovery.kinds import RESETS
from services.recovery.work import enqueue


def ask_for_reset(context: Context, email: str, language: str) -> None:
    """Have a worker send the link, if the address has an account with a password.

    The same is done for every address: one row is looked for, one is written and one job is queued. Someone who
    asks again before the mail is sent gets one mail.
    """
    with context.database.session() as session:
        profile = session.scalar(select(Profile).where(func.lower(Profile.email) == email.strip().lower()))
        known = profile is not None and profile.password_hash is not None
        if profile is None or not known or not may_sign_in(profile, context.settings.demo_accounts):
            profile_id = None
        else:
            profile_id = profile.id
        made = session.scalar(
            insert(ResetRequest)
            .values(id=uuid.uuid4(), profile_id=profile_id, language=language)
            .on_conflict_do_update(index_elements=[ResetRequest.profile_id], set_={"language": language})
            .returning(ResetRequest.id)
        )
    enqueue(context, RESETS, made)
