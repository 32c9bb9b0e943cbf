"""Guard the sign-in: limit attempts, recognise new devices, ask for the password again."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, wraps
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


def confirmed_where(wanted: Callable[[], bool]) -> Callable[[View], View]:
    """Return a decorator: where `wanted()`, a view needs a password given in its session within CONFIRM_MINUTES.

    Otherwise ask for it first. The form is sent again afterwards with its typed values, but without its files. A
    script gets 403. It is the first decorator below the route's.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def check(**values: Any) -> ResponseReturnValue:
            if get_session().is_confirmed or not wanted():
                return cast(ResponseReturnValue, view(**values))
            if wants_json():
                abort(403)
            if request.method == "GET":
                return redirect(url_for("auth.confirm_page", next=request.full_path.rstrip("?")))
            problem = problem_of_password(request.form[FIELD]) if FIELD in request.form else ""
            if problem or FIELD not in request.form:
                return ask_for_password(problem, kept=_kept()), 401
            return cast(ResponseReturnValue, view(**values))

        setattr(check, _ATTRIBUTE, True)
        return cast(View, check)

    return decorate


#: Asks for the password for every request of a view.
recently_confirmed = confirmed_where(lambda: True)


def asks_for_password(view: Callable[..., Any]) -> bool:
    """Return whether a view asks for the password again, at least for some requests."""
    return getattr(view, _ATTRIBUTE, False)


def problem_of_password(password: str) -> str:
    """Confirm the session with this password; return what is wrong with it, "" if it is right.

    Raises TooManyRequests after too many wrong ones.
    """
    try:
        with attempt("confirm", get_person().email, wrong=(WrongPasswordError,)):
            confirm_session(get_context(), get_session().id, password)
    except WrongPasswordError as error:
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
Counter = tuple[RateLimitItem, str]
BY_ADDRESS = parse("30 per 10 minutes")
#: Attempts at one account from one address, or from one known browser.
BY_PAIR = parse("10 per 15 minutes")
#: Attempts at one account from all addresses together; known browsers are exempt.
BY_ACCOUNT = parse("100 per 1 hour")


@contextmanager
def attempt(purpose: str, account: str = "", *, wrong: tuple[type[Exception], ...]) -> Iterator[None]:
    """Run an attempt that counts if it ends in one of `wrong`. `account` may be empty.

    It is counted before it is made and given back otherwise, so that many at once do not pass the limit. Raises
    TooManyRequests, with the time to wait, if there were too many; the one that reaches the limit is recorded.
    """
    counted = _take(_keys(purpose, account))
    try:
        yield
    except wrong:
        _record_last(counted, purpose, account)
        raise
    except BaseException:
        _give_back(counted)
        raise
    _give_back(counted)


def count_attempt(purpose: str, account: str) -> None:
    """Count an attempt whatever its end. Raises TooManyRequests, as `attempt` does."""
    _record_last(_take(_keys(purpose, account)), purpose, account)


def _take(keys: list[Counter]) -> list[Counter]:
    """Count one more for each key, or for none of them: return the keys. Raises TooManyRequests."""
    for number, (limit, key) in enumerate(keys):
        reset = _ask_counters(_hit, limit, key)
        if reset is not None:
            _give_back(keys[:number])
            raise TooManyRequests(retry_after=max(1, round(reset - time.time())))
    return keys


def _give_back(counted: list[Counter]) -> None:
    for limit, key in counted:
        _ask_counters(_forget_newest, limit, key)


def _record_last(counted: list[Counter], purpose: str, account: str) -> None:
    """Record a failure that has left no further attempt."""
    if not any(_ask_counters(_is_used_up, limit, key) for limit, key in counted):
        return
    with get_context().database.session() as session:
        record_event(
            session,
            SecurityEventKind.LOCKED_OUT,
            subject_id=account_of(session, account),
            network=network_of(request.remote_addr),
            what=purpose,
        )


def _keys(purpose: str, account: str) -> list[Counter]:
    """Return the limits that apply to the current request."""
    if not app_settings().rate_limits:
        return []
    account = account.strip().lower()[:320]
    address = f"{purpose}:{_address()}"
    if not account:
        return [(BY_ADDRESS, address)]
    device = device_of(account)
    if device is not None:
        return [(BY_PAIR, f"{purpose}:device:{device}:{account}")]
    return [(BY_ADDRESS, address), (BY_PAIR, f"{address}:{account}"), (BY_ACCOUNT, f"{purpose}:{account}")]


def _address() -> str:
    """Return the client's address; of IPv6 the /64 network, which belongs to one subscriber."""
    text = request.remote_addr or ""
    try:
        found = ip_address(text)
    except ValueError:
        return text
    return text if found.version == 4 else str(ip_network((found, 64), strict=False))


def _hit(limiter: MovingWindowRateLimiter, limit: RateLimitItem, key: str) -> float | None:
    """Count an attempt and return None; if none is allowed now, return when the next one is."""
    return None if limiter.hit(limit, key) else limiter.get_window_stats(limit, key).reset_time


def _is_used_up(limiter: MovingWindowRateLimiter, limit: RateLimitItem, key: str) -> bool:
    return not limiter.test(limit, key)


def _forget_newest(limiter: MovingWindowRateLimiter, limit: RateLimitItem, key: str) -> None:
    """Take one attempt back; which of those made at the same time makes no difference."""
    storage, name = limiter.storage, limit.key_for(key)
    if isinstance(storage, RedisStorage):
        get_context().redis.lpop(storage.prefixed_key(name))
    elif isinstance(storage, MemoryStorage):
        with storage.locks[name]:
            del storage.events.get(name, [])[:1]


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
