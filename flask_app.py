"""The web application: `create_app(settings)` and `app`, which is made when it is first asked for."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from flask import Flask
from flask.cli import FlaskGroup

import commands
from core.config import Settings, get_settings
from core.database import register_database
from core.llm.providers import warn_of_ignored_settings
from core.tracing.log import configure_logging
from services.context import Context

_ROOT = Path(__file__).resolve().parent
#: Limit of fields of a form in addition to its files; a decision on every field of an entry needs far fewer.
_FORM_PARTS = 1000
#: Limit of bytes of a form in addition to its files: enough for a whole edited document in a browser's encoding.
_FORM_BYTES = 8 * 1024 * 1024


def create_app(settings: Settings | None = None, context: Context | None = None) -> Flask:
    """Create the app. Without a `context`, the process context is opened at the first request."""
    app = _Site(settings or get_settings(), context)
    app.add_pages()
    return app


class _Site(Flask):
    """The app with its commands. Its pages are added before the first request: most commands answer none, and a
    worker would wait a second for them to load.
    """

    def __init__(self, settings: Settings, context: Context | None = None) -> None:
        configure_logging(settings)
        warn_of_ignored_settings(settings)
        super().__init__("second_reader", root_path=str(_ROOT))
        register_database(self, settings)
        commands.register(self)
        self._settings, self._context = settings, context
        self._adding = threading.Lock()
        self._has_pages = False

    def __call__(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        """Answer a request. See `Flask.__call__`."""
        self.add_pages()
        return super().__call__(environ, start_response)

    def add_pages(self) -> None:
        """Add the pages, once."""
        with self._adding:
            if not self._has_pages:
                _add_pages(self, self._settings, self._context)
                self._has_pages = True


def _add_pages(app: Flask, settings: Settings, context: Context | None) -> None:
    from werkzeug.middleware.proxy_fix import ProxyFix

    from core.auth.keys import secret_key
    from web.access import ContextHolder, access, enforce_access, keep_context, use_forms_of_now
    from web.errors import register_error_handlers
    from web.extensions import configure_extensions
    from web.i18n import configure_languages
    from web.security.requests import (
        add_security_headers,
        bound_body,
        keep_tokens_out_of_logs,
        refuse_unstorable_text,
        require_own_host,
    )
    from web.security.sent_form import FormRequest
    from web.site import register_blueprints
    from web.templating import configure_templates

    app.request_class = FormRequest
    app.config.update(
        SECRET_KEY=secret_key(settings),
        MAX_CONTENT_LENGTH=settings.max_request_bytes,
        MAX_FORM_MEMORY_SIZE=_FORM_BYTES,
        MAX_FORM_PARTS=_FORM_PARTS + 10 * settings.max_files_per_upload,
    )
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
    keep_context(app, ContextHolder(settings, context))
    app.before_request(require_own_host)
    app.before_request(bound_body)
    app.before_request(enforce_access)
    app.before_request(use_forms_of_now)
    app.before_request(refuse_unstorable_text)
    configure_extensions(app, settings)
    configure_languages(app, settings)
    configure_templates(app, settings)
    register_blueprints(app)
    app.view_functions["static"] = access("public")(app.view_functions["static"])
    register_error_handlers(app)
    keep_tokens_out_of_logs(app)
    app.after_request(add_security_headers)


def __getattr__(name: str) -> Any:
    """Create `flask_app:app` when it is first accessed, for servers that need an app object and for `flask`."""
    if name != "app":
        raise AttributeError(name)
    app = _Site(get_settings())
    # `flask` asks for the app when it looks for a command of ours; its own (run, routes, shell) when they run.
    asking = click.get_current_context(silent=True)
    if asking is None or not isinstance(asking.command, FlaskGroup):
        app.add_pages()
    globals()["app"] = app
    return app
