"""Checks of requests and answers: host, redirects, size, token, characters, headers, log lines."""

from __future__ import annotations

import hashlib
import io
import logging
import re
import sys
from collections.abc import Callable
from functools import wraps
from ipaddress import ip_address
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, current_app, redirect, request, send_file
from flask.typing import ResponseReturnValue
from flask_login import current_user

from core.config import STRANGERS_BYTES, Settings
from core.errors import HostRefusedError
from core.models import SecurityEventKind
from core.tracing.log import get_logger
from services.accounts.api_tokens import LiveToken, find_token
from services.event_log import ViewTarget, record_view
from services.uploads.submit import last_part
from web.access import app_settings, get_context, get_person, rule_of

# Answer only under the names of this server.
#
# Another site can point its own name to this machine (DNS rebinding); the browser then treats our answers as that
# site's. The Host header reveals the name.


_log = get_logger(__name__)
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
#: Values of HOST with which the server listens on all addresses.
_EVERYWHERE = frozenset({"0.0.0.0", "::", ""})  # nosec B104: compared with, never listened on


def require_own_host() -> None:
    """Raise HostRefusedError if the request names another server."""
    if not _is_own(app_settings(), _name(request.host)):
        _log.warning("host_refused", setting="ALLOWED_HOSTS")
        raise HostRefusedError("not a name of this server")


def _name(host: str) -> str:
    """Return the host without its port, in lower case; "" for an invalid one."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_own(settings: Settings, name: str) -> bool:
    if name in _LOOPBACK or name == settings.host.lower() or name in settings.hosts:
        return True
    # DNS rebinding needs a name; an IP address is safe.
    return settings.host in _EVERYWHERE and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


# Restrict redirects to this site.


def own_path(wanted: str | None, otherwise: str) -> str:
    """Return `wanted` if it is a path of this site, else `otherwise`.

    `//host`, `/\\host` and URLs with a scheme are not paths of this site.
    """
    if not wanted or not wanted.startswith("/") or wanted.startswith(("//", "/\\")):
        return otherwise
    if any(ord(char) < 32 for char in wanted):
        return otherwise
    parts = urlsplit(wanted)
    return otherwise if parts.scheme or parts.netloc else wanted


# Limit what people who are not signed in can make the server read, and the number of URL parameters.


def bound_body() -> None:
    """Refuse a body or form above STRANGERS_BYTES from somebody who is not signed in.

    Aborts with 413 on public pages and with 401 elsewhere, where it would be read after sign-in. A smaller form
    whose session has ended is read, so that the error page can return what was typed. Aborts with 400 for a URL
    with more parameters than a form may have fields.
    """
    if request.query_string.count(b"&") >= current_app.config["MAX_FORM_PARTS"]:
        abort(400)
    if request.method in ("GET", "HEAD") or current_user.is_authenticated:
        return
    request.max_content_length = request.max_form_memory_size = STRANGERS_BYTES
    if (request.content_length or 0) > STRANGERS_BYTES:
        view = current_app.view_functions.get(request.endpoint or "")
        abort(413 if view is None or rule_of(view) == "public" else 401)


# Identify API clients by their bearer token.


#: Limit of a token's length in characters; tokens have 46.
_LONGEST = 200


def token_of_request(request: Request) -> LiveToken | None:
    """Return the request's token, None without a valid one."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token.isascii() or len(token) > _LONGEST:
        return None
    return find_token(get_context(), token)


# Refuse text that PostgreSQL cannot store before any view sees it.


def refuse_unstorable_text() -> None:
    """Abort a request with 400 if its URL or a form value contains a NUL."""
    values = [*request.view_args.values()] if request.view_args else []
    values += [value for _, value in request.args.items(multi=True)]
    values += [value for _, value in request.form.items(multi=True)]
    if any(isinstance(value, str) and "\x00" in value for value in values):
        abort(400)


# Declare the pages, files and answers that show one child's entry, and record who opens them.


View = TypeVar("View", bound=Callable[..., Any])

_ATTRIBUTE = "recorded_as"
_NAMES = frozenset(ViewTarget.__dataclass_fields__)


def viewed(kind: SecurityEventKind) -> Callable[[View], View]:
    """Return a decorator that records that a page was viewed, before the answer is sent.

    The variables of the route tell what was viewed. Must be the decorator next to the view.
    """

    def declare(view: View) -> View:
        @wraps(view)
        def show(**values: Any) -> Any:
            answer = view(**values)
            seen = ViewTarget(**{name: value for name, value in values.items() if name in _NAMES})
            record_view(get_context(), get_person().id, kind, seen)
            return answer

        setattr(show, _ATTRIBUTE, kind)
        return cast(View, show)

    return declare


def recorded_as(view: Callable[..., Any]) -> SecurityEventKind | None:
    """Return the kind under which a view is recorded, or None."""
    return getattr(view, _ATTRIBUTE, None)


# Keep the tokens in URLs out of the logs: whoever has the token of a personal link can sign in with it.


_TOKEN = re.compile(r"(/(?:password-reset|invitation)/|[?&](?:token_hash|code)=)[^\s\"'?&]+")

ExcInfo = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]


def logged_path() -> str:
    """Return the URL rule of the request, such as `/password-reset/<token>`, to be logged instead of the URL."""
    return request.url_rule.rule if request.url_rule is not None else "no route"


def keep_tokens_out_of_logs(app: Flask) -> None:
    """Log errors with their URL rule, and blank the tokens in the log lines of Werkzeug's server."""
    app.log_exception = _log_exception  # type: ignore[method-assign]
    logger = logging.getLogger("werkzeug")
    if not any(isinstance(known, _Blanked) for known in logger.filters):
        logger.addFilter(_Blanked())


def _log_exception(exc_info: ExcInfo) -> None:
    _log.error("unexpected_error", method=request.method, path=logged_path(), exc_info=exc_info or sys.exc_info())


class _Blanked(logging.Filter):
    """Blank the tokens of personal links."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = _TOKEN.sub(r"\1…", record.getMessage()), ()
        return True


# Send files with children's data as downloads that no cache keeps and no browser displays.


def sent_as_download(file: bytes | Path, content_type: str, filename: str) -> Response:
    """Return the file, given as bytes or path, as a download named by the last part of `filename`."""
    source = file if isinstance(file, Path) else io.BytesIO(file)
    response = send_file(source, content_type, as_attachment=True, download_name=last_part(filename), etag=False)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Security-Policy"] = SANDBOX_POLICY
    return response


def redirect_to_file_store(link: str) -> ResponseReturnValue:
    """Redirect the browser to a file's URL at the file store.

    The URL is valid for seconds; it is not cached, and no referrer is sent to the store.
    """
    elsewhere = redirect(link)
    elsewhere.headers["Cache-Control"] = "no-store"
    elsewhere.headers["Referrer-Policy"] = "no-referrer"
    return elsewhere


# Answers that the browser may store, but must ask for again each time, so that sign-out hides them.


def unless_known(state: object, answer: Callable[[], Response]) -> Response:
    """Return the answer; a 304 in its place to a client that has that of the same state.

    `state`: all that is shown, or its name; its `repr` is hashed to the ETag.
    """
    tag = hashlib.sha256(repr(state).encode()).hexdigest()[:32]
    response = Response(status=304) if tag in request.if_none_match else answer()
    response.set_etag(tag)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def picture(name: str, draw: Callable[[], bytes]) -> Response:
    """Return the picture of this name, which is drawn unless the client has it."""
    return unless_known(name, lambda: Response(draw(), content_type="image/webp"))


# Security headers of every answer: no inline code, nothing from other sites, no caching by default.


CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
#: Policy for original files: whatever the file is, it can neither run code nor load anything.
SANDBOX_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'"


def add_security_headers(response: Response) -> Response:
    """Set the headers that the view has not set itself."""
    headers = response.headers
    headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("X-Frame-Options", "DENY")
    # Flask-WTF checks the referrer of forms over https, so that none is no policy; it needs no path.
    has_token = _TOKEN.search(request.full_path) is not None
    headers.setdefault("Referrer-Policy", "strict-origin" if has_token else "same-origin")
    headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
    headers.setdefault("Cache-Control", "no-store")
    if app_settings().cookie_secure:
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    return response
