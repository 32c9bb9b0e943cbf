"""Give a browser a session."""

from __future__ import annotations

from flask import request, session
from flask_login import login_user

from services.accounts.person import Person
from services.accounts.sessions.begin_session import begin_session as begin
from services.accounts.sessions.client import client_of
from web.context import get_context
from web.extensions import SignedIn
from web.security.known_device import remember_device


def begin_session(person: Person) -> None:
    """Sign the person in, in a new session without data of the previous one. Raises SignInError."""
    client = client_of(request.remote_addr, request.headers.get("User-Agent", ""))
    secret = begin(get_context(), person, client)
    session.clear()
    user = SignedIn(person)
    user.id = secret
    login_user(user)
    session.permanent = True
    remember_device(person.email)
