"""After a password or a personal link: begin the session, or ask for the code of a second factor first."""

from __future__ import annotations

import time
import uuid

from flask import redirect, session, url_for
from flask.typing import ResponseReturnValue

from services.accounts.person import Person
from services.accounts.second_factor.set_up import has_second_factor
from web.auth.begin_session import begin_session
from web.context import get_context

_KEY = "whose_code"
#: Seconds for which the password counts until the code is given.
_LASTS = 300


def admit(person: Person, page: str) -> ResponseReturnValue:
    """Redirect to `page` with a session, or to the page that asks for the code."""
    context = get_context()
    with context.database.session() as database:
        wants_code = has_second_factor(database, person.id)
    if not wants_code:
        begin_session(person)
        return redirect(page)
    session.clear()
    granted = str(person.auth_session) if person.auth_session else None
    session[_KEY] = [str(person.id), person.session_version, granted, int(time.time())]
    return redirect(url_for("auth.code_page", next=page))


def who_awaits_code() -> tuple[uuid.UUID, int, uuid.UUID | None] | None:
    """Return whose password was given in this browser, the number of their sessions and what Auth granted.

    None if it is nobody's.
    """
    kept = session.get(_KEY)
    if kept is None or time.time() - kept[3] > _LASTS:
        return None
    return uuid.UUID(kept[0]), kept[1], uuid.UUID(kept[2]) if kept[2] else None
