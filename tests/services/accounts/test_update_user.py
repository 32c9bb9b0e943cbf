from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import select

from core.errors import InvalidInputError, NotFoundError
from core.models import Profile
from services.accounts.roles import Role
from services.accounts.sign_in import person_of_session
from services.accounts.update_user import set_active, set_role
from services.context import Context
from tests.support.site import person


def test_a_change_ends_the_sessions_and_no_change_does_not(context: Context) -> None:
    profile = person(context, "reviewer")
    set_role(context, profile.id, Role.REVIEWER)
    assert person_of_session(context, profile.id, profile.session_version) is not None
    set_role(context, profile.id, Role.AUDITOR)
    assert person_of_session(context, profile.id, profile.session_version) is None
    renewed = person_of_session(context, profile.id, profile.session_version + 1)
    assert renewed is not None and renewed.role is Role.AUDITOR


def test_of_nobody(context: Context) -> None:
    with pytest.raises(NotFoundError):
        set_active(context, uuid.uuid4(), False)


def test_two_admins_who_shut_each_other_at_once(context: Context) -> None:
    admins = [person(context, "admin").id for _ in range(2)]
    together = Barrier(2)

    def shut(profile_id: uuid.UUID) -> bool:
        together.wait()
        try:
            set_active(context, profile_id, False)
        except InvalidInputError:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(shut, admins)) == [False, True]
    with context.database.session() as session:
        assert len(session.scalars(select(Profile.id).where(Profile.is_active)).all()) == 1
