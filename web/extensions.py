"""Flask's extensions: sign-in sessions and form tokens."""

from __future__ import annotations

from datetime import timedelta

from flask import Flask, Request, request
from flask_login import LoginManager, UserMixin
from flask_wtf import CSRFProtect

from core.config import Settings
from services.accounts.api_tokens import Scope
from services.accounts.person import Person
from services.accounts.sessions import LiveSession, find_session
from web.access import API_ROOT, get_context
from web.security.requests import token_of_request

csrf = CSRFProtect()
login_manager = LoginManager()


class SignedIn(UserMixin):  # type: ignore[misc]
    """The user object of Flask-Login: the person who makes the request, and the session if there is one."""

    def __init__(
        self, person: Person, live: LiveSession | None = None, scopes: frozenset[Scope] | None = None
    ) -> None:
        self.person = person
        #: None for a request with a token.
        self.live = live
        #: The scopes of the token; None for a session, which is limited only by the person's role.
        self.scopes = scopes


@login_manager.user_loader  # type: ignore[untyped-decorator]
def _load(key: str) -> SignedIn | None:
    if request.path.startswith(API_ROOT):
        return None  # The API accepts no cookie: another site could have the browser send it.
    live = find_session(get_context(), key)
    return SignedIn(live.person, live) if live is not None else None


@login_manager.request_loader  # type: ignore[untyped-decorator]
def _load_by_token(request: Request) -> SignedIn | None:
    if not request.path.startswith(API_ROOT):
        return None
    token = token_of_request(request)
    return SignedIn(token.owner, scopes=token.scopes) if token is not None else None


def configure_extensions(app: Flask, settings: Settings) -> None:
    app.config.update(
        SESSION_COOKIE_NAME="second_reader",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.cookie_secure,
        PERMANENT_SESSION_LIFETIME=timedelta(hours=settings.session_hours),
        # Otherwise the late answer of a picture would overwrite a newer session and lose a notice.
        SESSION_REFRESH_EACH_REQUEST=False,
        # A form is valid as long as its session, so that text typed during a long break is not lost.
        WTF_CSRF_TIME_LIMIT=None,
    )
    csrf.init_app(app)
    # `web.templating` passes the person to templates, which works even while the database does not answer.
    login_manager.init_app(app, add_context_processor=False)
