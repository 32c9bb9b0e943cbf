"""Change the name under which others see a person."""

from __future__ import annotations

import uuid

from core.models import Profile, SecurityEventKind
from services.accounts.display_name import normal_name
from services.context import Context
from services.security_events import record_event


def change_name(context: Context, profile_id: uuid.UUID, name: str) -> str:
    """Set the name and return it in its stored form; without one, the address is shown.

    Raises InvalidInputError for a long name.
    """
    wanted = normal_name(name)
    with context.database.session() as session:
        profile = session.get_one(Profile, profile_id, with_for_update=True)
        if profile.display_name != wanted:
            profile.display_name = wanted
            record_event(session, SecurityEventKind.NAME_CHANGED, actor_id=profile_id)
    return wanted
