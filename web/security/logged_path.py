"""Keep what addresses hold out of log lines: the token of a personal link signs in whoever has it."""

from __future__ import annotations

import logging
import re
import sys
from types import TracebackType

from flask import Flask, request

from core.log import get_logger

_log = get_logger(__name__)
_TOKEN = re.compile(r"(/(?:password-reset|invitation)/|[?&](?:token_hash|code)=)[^\s\"'?&]+")

ExcInfo = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]


def logged_path() -> str:
    """Return the rule of the request's address, such as `/password-reset/<token>`, in place of the address."""
    return request.url_rule.rule if request.url_rule is not None else "no route"


def keep_tokens_out_of_logs(app: Flask) -> None:
    """Log errors with the rule of their address, and blank tokens in the lines of Werkzeug's own server."""
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
