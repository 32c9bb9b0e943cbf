"""The web application: `create_app(settings)` and `app`, which is made when it is first asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

import commands
from core.auth.keys import secret_key
from core.config import Settings, get_settings
from core.database import register_database
from core.llm.providers import warn_of_ignored_settings
from core.tracing.log import configure_logging
from services.context import Context
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

_ROOT = Path(__file__).resolve().parent
#: Limit of fields of a form in addition to its files; a decision on every field of an entry needs far fewer.
_FORM_PARTS = 1000
#: Limit of bytes of a form in addition to its files: enough for a whole edited document in a browser's encoding.
_FORM_BYTES = 8 * 1024 * 1024


def create_app(settings: Settings | None = None, context: Context | None = None) -> Flask:
    """Create the app. Without a `context`, the process context is opened at the first request."""
    settings = settings or get_settings()
    configure_logging(settings)
    warn_of_ignored_settings(settings)
    app = Flask("second_reader", root_path=str(_ROOT))
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
    register_database(app, settings)
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
    commands.register(app)
    return app


def __getattr__(name: str) -> Any:
    """Create `flask_app:app` when it is first accessed, for servers that need an app object."""
    if name != "app":
        raise AttributeError(name)
    globals()["app"] = create_app()
    return globals()["app"]
