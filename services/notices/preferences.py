"""What a person wants to hear of by mail."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from core.errors import NotFoundError
from core.models import USUAL_NOTICES, NoticeKind, Profile
from services.accounts.roles import Role
from services.context import Context


def notice_choices(context: Context, person_id: uuid.UUID) -> frozenset[NoticeKind]:
    """Return what the person hears of: what they chose, the usual kinds if they never chose.

    Raises NotFoundError.
    """
    with context.database.session() as session:
        found = session.get(Profile, person_id)
        if found is None:
            raise NotFoundError("profile")
        return chosen_of(found.notices)


def notice_kinds_for(role: Role) -> tuple[NoticeKind, ...]:
    """Return what a person of this role can hear of."""
    own = (NoticeKind.OWN_BATCH_DONE, NoticeKind.OWN_BATCH_WAITS) if role.may_upload else ()
    return (*own, NoticeKind.ANY_BATCH_WAITS) if role.may_review else own


def choose_notices(context: Context, person_id: uuid.UUID, kinds: Iterable[NoticeKind]) -> None:
    """Have the person hear of these kinds and no others. Raises NotFoundError."""
    wanted = set(kinds)
    with context.database.session() as session:
        found = session.get(Profile, person_id)
        if found is None:
            raise NotFoundError("profile")
        found.notices = [kind.value for kind in NoticeKind if kind in wanted]


def chosen_of(stored: list[str] | None) -> frozenset[NoticeKind]:
    """Return the kinds of the stored keys; keys of another version are left out."""
    return USUAL_NOTICES if stored is None else frozenset(kind for kind in NoticeKind if kind in stored)
