"""Links that Supabase Auth sends: for signing in, for a new password, and for invitations."""

from __future__ import annotations

from dataclasses import dataclass

from core.auth.people import Grant, LinkKind
from core.errors import LinkExpiredError, SignInError
from core.models import SecurityEventKind
from services.accounts.account_tokens import Purpose, issue_token
from services.accounts.at_auth.grants import auth_of, person_of_grant
from services.accounts.person import Person
from services.accounts.sign_in import note_sign_in
from services.context import Context
from services.security_events import record_event

#: Links after which a password is chosen, on the page of our own link for it.
_PURPOSES: dict[str, Purpose] = {"invite": "invitation", "recovery": "password_reset"}


@dataclass(frozen=True)
class Link:
    """What a browser brings from a letter: the hash of a token, or a code with its verifier."""

    kind: LinkKind
    token_hash: str = ""
    code: str = ""
    verifier: str = ""


@dataclass(frozen=True)
class OpenedLink:
    """Whose link it was, and what comes next."""

    person: Person
    #: What to choose a password for; None where the person is signed in by the link itself.
    purpose: Purpose | None = None
    #: Of our own link for that.
    token: str = ""


def open_link(context: Context, link: Link, network: str = "") -> OpenedLink:
    """Use a link up. Raises LinkExpiredError, also for a person who may not sign in here, which is recorded."""
    try:
        person = person_of_grant(context, _shown(context, link))
    except SignInError as exc:
        with context.database.session() as session:
            record_event(session, SecurityEventKind.SIGN_IN_FAILED, network=network)
        raise LinkExpiredError from exc
    purpose = _PURPOSES.get(link.kind)
    if purpose is None:
        note_sign_in(context, person.id)
        return OpenedLink(person)
    with context.database.session() as session:
        return OpenedLink(person, purpose, issue_token(session, person.id, purpose))


def _shown(context: Context, link: Link) -> Grant:
    people = auth_of(context).people
    if link.code:
        return people.by_code(link.code, link.verifier)
    return people.by_link(link.token_hash, link.kind)
