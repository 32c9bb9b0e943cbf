from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import select

from core.errors import InvalidInputError, NotFoundError, SignInError
from core.models import Profile
from services.accounts.people import set_active, set_role
from services.accounts.person import Role, person_of
from services.accounts.sessions import AddressFamily, Client, create_session, find_session
from services.context import Context
from tests.support.site import person


def test_a_change_ends_the_sessions_and_no_change_does_not(context: Context) -> None:
    profile = person(context, "reviewer")
    seen, client = person_of(profile), Client(AddressFamily.UNKNOWN, "")
    secret = create_session(context, seen, client)
    set_role(context, profile.id, Role.REVIEWER)
    assert find_session(context, secret) is not None
    set_role(context, profile.id, Role.AUDITOR)
    assert find_session(context, secret) is None
    with pytest.raises(SignInError):
        create_session(context, seen, client)
    renewed = find_session(context, create_session(context, person_of(reread(context, profile)), client))
    assert renewed is not None and renewed.person.role is Role.AUDITOR


def reread(context: Context, profile: Profile) -> Profile:
    return context.database.get_one(Profile, profile.id)


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
    assert len(context.database.scalars(select(Profile.id).where(Profile.is_active))) == 1
