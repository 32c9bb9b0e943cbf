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

_KEY = "awaits_code"
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
    session[_KEY] = [str(person.id), person.session_version, int(time.time())]
    return redirect(url_for("auth.code_page", next=page))


def who_awaits_code() -> tuple[uuid.UUID, int] | None:
    """Return whose password was given in this browser, with the number of their sessions; None if nobody's."""
    kept = session.get(_KEY)
    if kept is None or time.time() - kept[2] > _LASTS:
        return None
    return uuid.UUID(kept[0]), kept[1]
