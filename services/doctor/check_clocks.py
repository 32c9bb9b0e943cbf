"""Compare the clocks of the database and the queue with this machine's."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from redis.exceptions import RedisError
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from core.clock import utcnow
from services.context import Context
from services.doctor.findings import Clock, DoctorCode, Finding, fine, wrong

#: Seconds that clocks may differ: leases last minutes, one-time codes half a minute.
_MAY_DIFFER = 5.0


def check_clocks(context: Context) -> Iterator[Finding]:
    """Yield how far the clocks are apart; one that does not answer is said elsewhere."""
    try:
        with context.database.session() as session:
            told = session.scalars(select(func.clock_timestamp())).one()
        yield compared(Clock.DATABASE, told, utcnow())
    except SQLAlchemyError:
        pass
    try:
        seconds, micros = context.redis.time()
        yield compared(Clock.QUEUE, datetime.fromtimestamp(seconds + micros / 1e6, UTC), utcnow())
    except RedisError:
        pass


def compared(clock: Clock, told: datetime, here: datetime) -> Finding:
    """Return whether two moments that were read together are close enough."""
    apart = abs((told - here).total_seconds())
    if apart > _MAY_DIFFER:
        return wrong(DoctorCode.CLOCK_APART, clock=clock, apart=round(apart))
    return fine(DoctorCode.CLOCK_AGREES, clock=clock)
