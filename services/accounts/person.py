"""A person with an account: name, address, what each role may do, and which entries it may see."""

from __future__ import annotations

import uuid
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from email_validator import EmailNotValidError, validate_email
from sqlalchemy import ColumnElement, func, select, true, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.database import Database
from core.errors import InvalidInputError
from core.messages import LabelledEnum
from core.models import ApiToken, BrowserSession, Profile
from core.plain_data import built
from services.messages.office import AccountRefused

#: No address is longer; a longer text is not looked into.
_LONGEST_ADDRESS = 320
MAX_LENGTH = 100


def name_of(profile: type[Profile]) -> ColumnElement[str | None]:
    """Return an SQL expression for the display name, or the e-mail address without one.

    It is null in an outer join that found no person.
    """
    return func.coalesce(func.nullif(profile.display_name, ""), profile.email)


def name_by_id(session: Session, person_id: uuid.UUID | None) -> str | None:
    """Return the name of a person; None for nobody, as where the command line did it."""
    return session.scalar(select(name_of(Profile)).where(Profile.id == person_id)) if person_id else None


def normal_email(email: str) -> str:
    """Return the address in its stored form, in lower case. Raises InvalidInputError if it is not valid."""
    try:
        return validate_email(email.strip(), check_deliverability=False).normalized.lower()
    except EmailNotValidError as exc:
        raise InvalidInputError(AccountRefused.NOT_AN_ADDRESS) from exc


def has_address(email: str) -> ColumnElement[bool]:
    """Return the condition that an account has this address, in any spelling that `normal_email` reads as it."""
    address = email.strip().lower()
    if len(address) <= _LONGEST_ADDRESS:
        with suppress(InvalidInputError):
            address = normal_email(address)
    return func.lower(Profile.email) == address


def normal_name(name: str) -> str:
    """Return the name on one line, without unprintable characters. Raises InvalidInputError if it is too long."""
    shown = "".join(char for char in " ".join(name.split()) if char.isprintable())
    if len(shown) > MAX_LENGTH:
        raise InvalidInputError(AccountRefused.NAME_TOO_LONG, limit=MAX_LENGTH)
    return shown


def visible_to(person: Person, owner: InstrumentedAttribute[Any]) -> ColumnElement[bool]:
    """Return a condition on the owner's column: uploaders see their own rows, all other roles every row."""
    return true() if person.role.sees_all else owner == person.id


class Role(LabelledEnum):
    """Role of a person; stored by key, shown by label."""

    #: Description of the role, for the person who assigns it.
    purpose: str

    def __new__(cls, key: str, label: str = "", purpose: str = "") -> Self:
        member = str.__new__(cls, key)
        member._value_, member.label, member.purpose = key, label, purpose
        return member

    UPLOADER = "uploader", "Uploader", "Uploads files and follows their own entries."
    OFFICER = (
        "officer",
        "Program officer",
        "Requests reports and decides on their revisions. Cannot see entries.",
    )
    REVIEWER = "reviewer", "Reviewer", "Sees every entry and decides on proposals and escalations."
    AUDITOR = (
        "auditor",
        "Auditor",
        "Sees everything, audits what passed without review, and corrects only what an audit finds.",
    )
    ADMIN = "admin", "Admin", "Does all of the above and manages people and the school list."

    @property
    def may_upload(self) -> bool:
        return self not in (Role.AUDITOR, Role.OFFICER)

    @property
    def sees_all(self) -> bool:
        """Whether the role sees the entries of other people."""
        return self not in (Role.UPLOADER, Role.OFFICER)

    @property
    def oversees(self) -> bool:
        """Whether the role sees the supervisor's statistics and traces."""
        return self in (Role.AUDITOR, Role.ADMIN)

    @property
    def may_review(self) -> bool:
        return self in (Role.REVIEWER, Role.ADMIN)

    @property
    def reads_reports(self) -> bool:
        return self is not Role.UPLOADER

    @property
    def may_research(self) -> bool:
        """Whether the role may request reports, approve their plans and decide on their revisions."""
        return self in (Role.OFFICER, Role.REVIEWER, Role.ADMIN)

    @property
    def may_administer(self) -> bool:
        return self is Role.ADMIN

    @property
    def permissions(self) -> frozenset[str]:
        """The names of what the role may: of those properties above that hold."""
        rights = (name for name, one in vars(Role).items() if isinstance(one, property) and name != "permissions")
        return frozenset(name for name in rights if getattr(self, name))


@dataclass(frozen=True)
class Person:
    """A person who is signed in or is signing in."""

    id: uuid.UUID
    email: str
    display_name: str
    role: Role
    #: Sessions that carry another number are no longer valid.
    session_version: int
    #: What Supabase Auth granted for signing in; None where it keeps no passwords, and within a session.
    auth_session: uuid.UUID | None = None
    #: "en" or "es", and a key of `web.templating.THEMES`; None: as the browser has it.
    language: str | None = None
    theme: str | None = None

    @property
    def name(self) -> str:
        return self.display_name or self.email


def note_use(
    database: Database, table: type[BrowserSession] | type[ApiToken], key: uuid.UUID, **when: Any
) -> None:
    """Write when a session or token was used last, unless another request is writing the same."""
    free = select(table.id).where(table.id == key).with_for_update(skip_locked=True).scalar_subquery()
    database.execute(update(table).where(table.id == free).values(**when))


def person_of(profile: Profile) -> Person:
    """Return the part of an account's row that requests work with."""
    return built(Person, profile, role=Role(profile.role), auth_session=None)


def may_sign_in(profile: Profile, demo_accounts: bool) -> bool:
    """Return whether the account is active. Demo accounts are not, unless demo accounts are on."""
    return profile.is_active and (demo_accounts or not profile.is_demo)
