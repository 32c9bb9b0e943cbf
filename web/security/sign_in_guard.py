"""Guard the sign-in: limit attempts, recognise new devices, ask for the password again."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from functools import lru_cache, partial, wraps
from ipaddress import ip_address, ip_network
from typing import Any, TypeVar, cast

from flask import Response, abort, after_this_request, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from itsdangerous import BadData, URLSafeTimedSerializer
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import MovingWindowRateLimiter
from redis import ConnectionPool
from redis.exceptions import RedisError
from werkzeug.exceptions import TooManyRequests

from core.errors import WrongPasswordError
from core.models import SecurityEventKind
from services.accounts.people import account_of
from services.accounts.sessions import confirm_session, network_of
from services.audit import record_event
from web.access import app_settings, get_context, get_person, get_session, wants_json
from web.i18n import say

# Ask for the password again before actions that a stranger at an unlocked computer must not take.


View = TypeVar("View", bound=Callable[..., Any])

#: Name of the password field; no other form uses it.
FIELD = "confirm_password"
_ATTRIBUTE = "asks_for_password"


def recently_confirmed(view: View) -> View:
    """Let a view run only if the session's password was given within CONFIRM_MINUTES.

    Otherwise ask for it first. The form is sent again afterwards with its typed values, but without its files. A
    script gets 403. Must be below `@access`.
    """
    return confirmed_where(lambda: True)(view)


def confirmed_where(wanted: Callable[[], bool]) -> Callable[[View], View]:
    """Return the decorator that does so for requests for which `wanted()` is true."""
    return partial(_confirmed, wanted)


def asks_for_password(view: Callable[..., Any]) -> bool:
    """Return whether a view asks for the password again, at least for some requests."""
    return getattr(view, _ATTRIBUTE, False)


def _confirmed(wanted: Callable[[], bool], view: View) -> View:
    @wraps(view)
    def check(**values: Any) -> ResponseReturnValue:
        if get_session().is_confirmed or not wanted():
            return cast(ResponseReturnValue, view(**values))
        if wants_json():
            abort(403)
        if request.method == "GET":
            return redirect(url_for("auth.confirm_page", next=request.full_path.rstrip("?")))
        if FIELD not in request.form:
            return ask_for_password(kept=_kept()), 401
        problem = problem_of_password(request.form[FIELD])
        if problem:
            return ask_for_password(problem, kept=_kept()), 401
        return cast(ResponseReturnValue, view(**values))

    setattr(check, _ATTRIBUTE, True)
    return cast(View, check)


def problem_of_password(password: str) -> str:
    """Confirm the session with this password; return what is wrong with it, "" if it is right.

    Raises TooManyRequests after too many wrong ones.
    """
    attempts = AttemptCounters("confirm", get_person().email)
    attempts.require_some_left()
    try:
        confirm_session(get_context(), get_session().id, password)
    except WrongPasswordError as error:
        attempts.count_failure()
        return say(error.told)
    return ""


def ask_for_password(problem: str = "", kept: tuple[tuple[str, str], ...] = ()) -> str:
    """Render the page that asks; `kept` are the fields to send again to the same URL."""
    return render_template("auth/confirm.html", problem=problem, kept=kept, field=FIELD)


def _kept() -> tuple[tuple[str, str], ...]:
    left_out = (FIELD, "csrf_token")
    return tuple((name, value) for name, value in request.form.items(multi=True) if name not in left_out)


# Rate limits against guessing passwords and codes, shared by all web processes in Redis.
#
# No stranger can use them to lock a person out (ADR 20): attempts at an account are counted per address, and those
# of a browser that has signed in to the account before are counted per browser.


Answer = TypeVar("Answer")
BY_ADDRESS = parse("30 per 10 minutes")
#: Attempts at one account from one address, or from one known browser.
BY_PAIR = parse("10 per 15 minutes")
#: Attempts at one account from all addresses together; known browsers are exempt.
BY_ACCOUNT = parse("100 per 1 hour")


class AttemptCounters:
    """The counters of failed attempts that apply to the current request. `account` may be empty."""

    def __init__(self, purpose: str, account: str = "") -> None:
        self._purpose, self._account = purpose, account
        known = _keys(purpose, account.strip().lower()[:320])
        self._keys = known if app_settings().rate_limits else []

    def require_some_left(self) -> None:
        """Raise TooManyRequests, with the time to wait, if there were too many recent failures."""
        for limit, key in self._keys:
            reset = _ask_counters(_reset_time, limit, key)
            if reset is not None:
                raise TooManyRequests(retry_after=max(1, round(reset - time.time())))

    def count_failure(self) -> None:
        """Count one failure; record the one that reaches the limit."""
        for limit, key in self._keys:
            if _ask_counters(_last_hit, limit, key):
                self._record()

    def _record(self) -> None:
        context = get_context()
        with context.database.session() as session:
            record_event(
                session,
                SecurityEventKind.LOCKED_OUT,
                subject_id=account_of(session, self._account),
                network=network_of(request.remote_addr),
                what=self._purpose,
            )


def _keys(purpose: str, account: str) -> list[tuple[RateLimitItem, str]]:
    address = f"{purpose}:{_address()}"
    if not account:
        return [(BY_ADDRESS, address)]
    device = device_of(account)
    if device is not None:
        return [(BY_PAIR, f"{purpose}:device:{device}:{account}")]
    return [
        (BY_ADDRESS, address),
        (BY_PAIR, f"{address}:{account}"),
        (BY_ACCOUNT, f"{purpose}:{account}"),
    ]


def _address() -> str:
    """Return the client's address; of IPv6 the /64 network, which belongs to one subscriber."""
    text = request.remote_addr or ""
    try:
        found = ip_address(text)
    except ValueError:
        return text
    return text if found.version == 4 else str(ip_network((found, 64), strict=False))


def _reset_time(limiter: MovingWindowRateLimiter, limit: RateLimitItem, key: str) -> float | None:
    """Return when the next attempt is allowed; None if it is now."""
    return None if limiter.test(limit, key) else limiter.get_window_stats(limit, key).reset_time


def _last_hit(limiter: MovingWindowRateLimiter, limit: RateLimitItem, key: str) -> bool:
    """Count a failure; return whether it reaches the limit."""
    return limiter.hit(limit, key) and not limiter.test(limit, key)


def _ask_counters(
    ask: Callable[[MovingWindowRateLimiter, RateLimitItem, str], Answer], limit: RateLimitItem, key: str
) -> Answer:
    """Ask the counters in Redis; while it does not answer, use counters in this process."""
    try:
        return ask(_in_redis(get_context().redis.connection_pool), limit, key)
    except RedisError:
        return ask(_in_memory(), limit, key)


@lru_cache(maxsize=1)
def _in_memory() -> MovingWindowRateLimiter:
    return MovingWindowRateLimiter(MemoryStorage())


@lru_cache(maxsize=4)
def _in_redis(pool: ConnectionPool) -> MovingWindowRateLimiter:
    return MovingWindowRateLimiter(RedisStorage("redis://", connection_pool=pool))


# Browsers that a person has signed in with before: strangers' attempts do not count against them.
#
# A signed cookie holds a number for each of the browser's last few accounts. It grants no access: it only selects
# the counter of failed attempts.


_COOKIE = "known_device"
_SECONDS = 180 * 24 * 3600
#: Most accounts remembered for one browser, such as that of an office's front desk.
_MOST = 8


def device_of(account: str) -> str | None:
    """Return the number of this browser if somebody has signed in to the account with it, else None."""
    return dict(_kept_devices()).get(_name(account))


def remember_device(account: str) -> None:
    """Set a cookie in the answer to this request that makes the browser known for the account."""
    name = _name(account)
    others = [(known, number) for known, number in _kept_devices() if known != name]
    number = device_of(account) or secrets.token_hex(8)
    signed = _serializer().dumps([(name, number), *others][:_MOST])
    secure = app_settings().cookie_secure

    @after_this_request
    def send(response: Response) -> Response:
        response.set_cookie(_COOKIE, signed, max_age=_SECONDS, httponly=True, samesite="Lax", secure=secure)
        return response


def _kept_devices() -> list[tuple[str, str]]:
    try:
        kept = _serializer().loads(request.cookies.get(_COOKIE, ""), max_age=_SECONDS)
    except BadData:
        return []
    return [(str(name), str(number)) for name, number in kept]


def _name(account: str) -> str:
    # A cookie that outlives the session must not hold a person's e-mail address.
    return hashlib.sha256(account.strip().lower().encode()).hexdigest()[:32]


def _serializer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(str(current_app.secret_key), salt="known device")
