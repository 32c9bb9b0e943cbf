"""Browsers that a person has signed in with before: strangers' attempts do not count against these.

A signed cookie holds, for the last few accounts of the browser, a number of its own. It opens nothing: it only
says by which counter wrong attempts at the account are counted.
"""

from __future__ import annotations

import hashlib
import secrets

from flask import Response, after_this_request, current_app, request
from itsdangerous import BadData, URLSafeTimedSerializer

from web.context import get_settings

_COOKIE = "known_device"
_SECONDS = 180 * 24 * 3600
#: Accounts of one browser, such as that of an office's front desk.
_MOST = 8


def device_of(account: str) -> str | None:
    """Return the number of this browser if somebody has signed in to the account with it, else None."""
    return dict(_kept()).get(_name(account))


def remember_device(account: str) -> None:
    """Have the answer to this request make the browser known for the account."""
    name = _name(account)
    others = [(known, number) for known, number in _kept() if known != name]
    number = device_of(account) or secrets.token_hex(8)
    signed = _serializer().dumps([(name, number), *others][:_MOST])
    secure = get_settings().cookie_secure

    @after_this_request
    def send(response: Response) -> Response:
        response.set_cookie(_COOKIE, signed, max_age=_SECONDS, httponly=True, samesite="Lax", secure=secure)
        return response


def _kept() -> list[tuple[str, str]]:
    try:
        kept = _serializer().loads(request.cookies.get(_COOKIE, ""), max_age=_SECONDS)
    except BadData:
        return []
    return [(str(name), str(number)) for name, number in kept]


def _name(account: str) -> str:
    # No address of a person in a cookie that outlives the session.
    return hashlib.sha256(account.strip().lower().encode()).hexdigest()[:32]


def _serializer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(str(current_app.secret_key), salt="known device")
