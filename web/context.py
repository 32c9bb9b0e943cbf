"""Access to the process context, the settings and the signed-in person."""

from __future__ import annotations

import atexit
import threading

from flask import Flask, current_app, request
from flask_login import current_user

from core.config import Settings
from services.accounts.person import Person
from services.accounts.sessions.find_session import LiveSession
from services.context import Context, open_context
from services.forms.load_forms import load_forms
from web.access import rule_of

#: What the holder is called among the extensions of the app.
EXTENSION = "second_reader"


class ContextHolder:
    """Opens the process context on first use, so that importing the app starts no server."""

    def __init__(self, settings: Settings, context: Context | None = None) -> None:
        self.settings = settings
        self._context = context
        self._lock = threading.Lock()

    def get(self) -> Context:
        with self._lock:
            if self._context is None:
                self._context = open_context(self.settings, current_app._get_current_object())  # type: ignore[attr-defined]
                atexit.register(self._context.close)
            return self._context


def keep_context(app: Flask, holder: ContextHolder) -> None:
    """Attach the holder to the app, and offer `context` in `flask shell`."""
    app.extensions[EXTENSION] = holder
    app.shell_context_processor(lambda: {"context": get_context()})


def get_context() -> Context:
    """Return the process context, which use cases work with."""
    holder: ContextHolder = current_app.extensions[EXTENSION]
    return holder.get()


def use_forms_of_now() -> None:
    """Use the forms that the database has in use, before each request of somebody who has signed in."""
    if request.endpoint is not None and rule_of(current_app.view_functions[request.endpoint]) != "public":
        # A request with a token has no session.
        live: LiveSession | None = getattr(current_user, "live", None)
        load_forms(get_context(), live.forms if live is not None else None)


def get_settings() -> Settings:
    """Return the settings of this app."""
    holder: ContextHolder = current_app.extensions[EXTENSION]
    return holder.settings


def get_session() -> LiveSession:
    """Return the session of the request; only for pages whose access rule requires sign-in."""
    live: LiveSession = current_user.live
    return live


def get_person() -> Person:
    """Return the signed-in person; only for routes whose access rule requires sign-in."""
    person: Person = current_user.person
    return person
