"""What a person wants to hear of by mail."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from core.errors import NotFoundError
from core.models import USUAL_NOTICES, NoticeKind, Profile
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
