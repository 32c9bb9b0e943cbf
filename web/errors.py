"""Error handlers: every error is answered here, with a page for people or JSON for clients."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from flask import Flask, Response, jsonify, make_response, render_template, request, url_for
from flask.globals import request_ctx
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError
from psycopg.errors import InvalidSchemaName, UndefinedColumn, UndefinedTable
from sqlalchemy.exc import OperationalError, ProgrammingError
from werkzeug.exceptions import HTTPException

from core.errors import (
    AppError,
    ConflictError,
    DatabaseAwayError,
    DatabaseNotReadyError,
    NotFailedError,
    StorageFullError,
    UploadQuotaError,
)
from core.file_store import NO_ROOM
from core.messages import Message
from core.tracing.log import get_logger
from services.audit import LONGEST_NOTE
from web.access import wants_json
from web.api.protocol import error_problem, is_api_request
from web.i18n import mark, say, translated
from web.security.requests import logged_path

_log = get_logger(__name__)


@dataclass(frozen=True)
class ErrorPage:
    """An error prepared for the answer."""

    status: int
    code: str
    title: str
    #: One sentence that says what to do.
    help: str
    #: What exactly is wrong, or who was faster, if the error has such a message.
    detail: str = ""
    #: Who was faster.
    who: str | None = None
    #: The detail as data.
    message: Message | None = None
    #: Seconds after which to try again.
    retry_after: float | None = None


_TITLES = {
    400: mark("Something was not valid"),
    401: mark("Please sign in"),
    403: mark("No access"),
    404: mark("Page not found"),
    405: mark("Not possible here"),
    409: mark("Already changed"),
    410: mark("This link has expired"),
    413: mark("Too large"),
    415: mark("Not a file we can read"),
    422: mark("Cannot be read"),
    429: mark("Too many attempts"),
    500: mark("Something went wrong"),
    503: mark("Not available at the moment"),
    507: mark("No room"),
}
_HTTP: dict[int, tuple[str, str]] = {
    400: ("bad_request", mark("The request was not understood. Go back and try again.")),
    401: ("sign_in_needed", mark("Your session has ended. Sign in, then send it again.")),
    403: ("forbidden", mark("Your account does not have permission to do this. If you need it, ask an admin.")),
    404: (
        "not_found",
        mark("This page does not exist or was removed. Check the address or go to the start page."),
    ),
    405: ("method_not_allowed", mark("This address cannot be used this way. Go to the start page.")),
    413: (
        "request_too_large",
        mark("This is more than an upload can have. Upload fewer or smaller files at a time."),
    ),
    415: ("unsupported_media_type", mark("This kind of content is not accepted here.")),
    429: ("too_many_requests", mark("Wait a few minutes, then try again.")),
}
_TITLES_BY_CODE = {
    str(NotFailedError.code): mark("Nothing to retry"),
    str(UploadQuotaError.code): mark("Daily limit reached"),
    str(DatabaseNotReadyError.code): mark("Not set up yet"),
}
#: Endpoint prefixes of areas whose forms have typed text.
_FORMS = ("review.", "submissions.", "research.")
#: PostgreSQL's errors if a migration is missing.
_NO_SUCH_THING = (UndefinedTable, UndefinedColumn, InvalidSchemaName)
_CSRF = ErrorPage(
    400,
    "form_expired",
    mark("This form has expired"),
    mark("Your session ended or cookies are off. Go back, reload the page and send the form again."),
)


def register_error_handlers(app: Flask) -> None:
    """Register handlers for application, HTTP and database errors. Flask logs all others and answers with 500."""
    app.register_error_handler(AppError, _app_error)
    app.register_error_handler(CSRFError, _csrf_error)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(ProgrammingError, _database_error)
    app.register_error_handler(OSError, _disk_error)
    app.register_error_handler(OperationalError, lambda error: _app_error(DatabaseAwayError(str(error.orig))))


def _app_error(error: AppError) -> ResponseReturnValue:
    if error.http_status >= 500:
        _log.error("request_failed", code=error.code, path=logged_path(), exc_info=error)
    title = _TITLES.get(error.http_status, _TITLES[500])
    title = _TITLES_BY_CODE.get(error.code, title)
    detail = say(error.message)
    who = error.who if isinstance(error, ConflictError) else None
    shown = ErrorPage(error.http_status, str(error.code), title, error.help_message, detail, who, error.message)
    return _answer(replace(shown, retry_after=error.retry_after))


def _disk_error(error: OSError) -> ResponseReturnValue:
    """Answer if the disk has no room for a request's files; raise any other error again."""
    if error.errno not in NO_ROOM:
        raise error
    return _app_error(StorageFullError(error.strerror or ""))


def _database_error(error: ProgrammingError) -> ResponseReturnValue:
    """Answer with the command to run if a migration is missing; raise any other error again."""
    if not isinstance(error.orig, _NO_SUCH_THING):
        raise error
    return _app_error(DatabaseNotReadyError(str(error.orig)))


def _csrf_error(error: CSRFError) -> ResponseReturnValue:
    return _answer(_CSRF)


def _http_error(error: HTTPException) -> ResponseReturnValue:
    if error.code is None or error.code < 400:
        return error.get_response()
    code, help_sentence = _HTTP.get(error.code, (str(AppError.code), AppError.code.label))
    response = _answer(ErrorPage(error.code, code, _TITLES.get(error.code, _TITLES[500]), help_sentence))
    for name in ("Retry-After", "Allow"):
        for value in (value for key, value in error.get_headers() if key == name):
            response.headers[name] = value
    return response


def _answer(english: ErrorPage) -> Response:
    shown = replace(english, title=translated(english.title), help=translated(english.help))
    response = error_problem(shown) if is_api_request() else _page(shown)
    if shown.retry_after is not None:
        response.headers["Retry-After"] = str(ceil(shown.retry_after))
    return response


def _page(shown: ErrorPage) -> Response:
    if wants_json():
        body = {"code": shown.code, "message": shown.detail or shown.title, "help": shown.help}
        response = jsonify(error=body)
    elif request_ctx.url_adapter is None:
        # Without a valid host the page cannot build URLs.
        response = Response(f"{shown.title}. {shown.help}", mimetype="text/plain")
    else:
        response = make_response(render_template("error.html", error=shown, typed=_typed(), look_at=_look_at()))
    response.status_code = shown.status
    return response


def _look_at() -> str | None:
    """Return the URL of the page that the failed form belongs to, None without one."""
    if request.method != "POST" or not request.view_args:
        return None
    if request.endpoint == "review.decide":
        return url_for("review.suggestion", **request.view_args)
    if "report_id" in request.view_args:
        return url_for("research.report", report_id=request.view_args["report_id"])
    if "submission_id" in request.view_args:
        return url_for("submissions.detail", submission_id=request.view_args["submission_id"])
    return None


def _typed() -> dict[str, str]:
    """Return the values typed into the failed form, so that the error page can give them back."""
    if request.method != "POST" or not (request.endpoint or "").startswith(_FORMS):
        return {}
    if (request.content_length or 0) > min(1_000_000, request.max_content_length or 0):
        return {}
    kept = {key.removeprefix("value-"): value for key, value in request.form.items() if key.startswith("value-")}
    kept["essay_text"] = "\n".join(request.form.getlist("line")) or kept.get("essay_text", "")
    kept |= {key: value for key, value in request.form.items() if key.startswith("section-") or key == "document"}
    for name in ("reason", "query"):
        if request.form.get(name):
            kept[name] = request.form[name][:LONGEST_NOTE]
    kept["questions"] = "\n".join(request.form.getlist("question"))
    return {name: value for name, value in kept.items() if value.strip()}
