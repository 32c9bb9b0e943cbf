"""Set an installation up: the database, a school list, a person who hands in and one who reviews."""

from __future__ import annotations

from collections.abc import Mapping

from core.config import get_settings
from core.database import upgrade
from lab.bench.fresh import fresh
from lab.samples.part import DEVELOPMENT
from lab.samples.words.schools import schools_csv
from services.accounts.api_tokens import Scope, make_token
from services.accounts.people import create_user
from services.accounts.person import Role
from services.context import open_context
from services.school_lists import import_schools

_PASSWORD = "four quiet words here"


def set_up(settings: Mapping[str, str]) -> tuple[str, str]:
    """Do so in a process with these settings; return the tokens of the uploader and of the reviewer."""
    uploader, reviewer = fresh(f"{__name__}:make_people", settings=settings)
    return uploader, reviewer


def make_people() -> tuple[str, str]:
    """Upgrade the database, import the schools, make two people with a token each."""
    context = open_context(get_settings())
    try:
        upgrade(context.database.dsn)
        import_schools(context, schools_csv(DEVELOPMENT.schools))
        tokens = []
        for role in (Role.UPLOADER, Role.REVIEWER):
            person = create_user(context, f"{role.value}@example.org", role, _PASSWORD, role.value.title())
            tokens.append(make_token(context, person, "faults", 1, frozenset(Scope)))
        return tokens[0], tokens[1]
    finally:
        context.close()
