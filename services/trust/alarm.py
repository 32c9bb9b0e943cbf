"""The alarm that a week has left the band of the month before, for the pages of the admin area.

What left it stands on the page of trust. Looking takes too long for every page, so it is done once a day.
"""

from __future__ import annotations

from dataclasses import dataclass

from redis.exceptions import RedisError

from services.context import Context
from services.seasons import current_season
from services.trust.trust_view import drift_of

_KEY = "second-reader:drift"
#: Longer than the day until it is looked for again.
_SECONDS = 2 * 24 * 3600


@dataclass(frozen=True)
class Drifted:
    """How much of the current season has left its band: in all, forms, schools and providers."""

    left: int


def note_drift(context: Context) -> Drifted:
    """Compare the last seven days with the four weeks before, and keep what was found. Raises RedisError."""
    with context.database.session() as session:
        left = drift_of(session, context.settings, current_season(session).id)
    if left:
        context.redis.set(_KEY, "1", ex=_SECONDS)
    else:
        context.redis.delete(_KEY)
    return Drifted(len(left))


def has_drifted(context: Context) -> bool:
    """Whether drift was found when it was last looked for; False where the queue does not answer."""
    try:
        return bool(context.redis.exists(_KEY))
    except RedisError:
        return False
