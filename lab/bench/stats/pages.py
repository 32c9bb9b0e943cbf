"""What the server takes for the page of statistics, at many rows of the log and at few."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator

from sqlalchemy import select

from core.models import School, UploadBatch
from lab.bench.measure import Measure, at_most, measured
from lab.bench.statements import listed
from lab.bench.stats.place import Place
from services.context import Context

PAGE, TRUST = "/admin/orchestrator_stats", "/admin/trust"
#: Requests of the page that has a target, and of the one that is only reported.
TIMES, _FEW_TIMES = 140, 20
_WARM = 14
_P95_MS, _RATIO, _QUERIES = 100, 1.5, 8


def measure(few: Place, many: Place) -> list[Measure]:
    """Time the page and count its statements."""
    short, long = _in_turn(few, many)
    lists = _p95(
        _times(many, [f"{PAGE}/submissions?{figure}" for figure in ("kind=run&key=escalated", "kind=call")])
    )
    how = (
        f"95th percentile of {TIMES} whole requests (session, queries, template) in one process at {many.logs} "
        f"rows of the log in the embedded PostgreSQL, {few.logs} in turn with them: GET {PAGE} for 7, 30, 90 and "
        "365 days, one form, one batch, one school"
    )
    return [
        measured("stats_page_p95_ms", long, "ms", at_most(_P95_MS), how),
        measured("stats_page_ratio_to_10k", long / short, "×", at_most(_RATIO), f"the same ({short:.1f} there)"),
        measured("stats_submissions_p95_ms", lists, "ms", None, "as many requests for entries behind two figures"),
        measured(
            "trust_page_p95_ms",
            _p95(_times(many, [TRUST], _FEW_TIMES)),
            "ms",
            None,
            f"95th percentile of {_FEW_TIMES} whole requests at {many.logs} rows of the log: GET {TRUST}",
        ),
        measured(
            "queries_stats_page",
            max(_queries(many, address) for address in addresses(many.context)),
            "statements",
            at_most(_QUERIES),
            "SQL statements of the page, that of the session included; the most of these addresses",
        ),
    ]


def addresses(context: Context) -> list[str]:
    """Return addresses of the page of statistics: for periods, for one form, one upload and one school."""
    with context.database.session() as session:
        named = School.name.startswith("Foxglove School ")
        school = session.scalars(select(School.id).where(named).order_by(School.name).limit(1)).one()
        batch = session.scalars(select(UploadBatch.id).order_by(UploadBatch.created_at.desc()).limit(1)).one()
    given = ("", "days=7", "days=90", "days=365", "form=ifi_2026", f"batch={batch}", f"school={school}")
    return [f"{PAGE}?{parameters}" for parameters in given]


def _in_turn(few: Place, many: Place) -> tuple[float, float]:
    """Return the 95th percentiles in milliseconds."""
    calls = [_calls(place, addresses(place.context)) for place in (few, many)]
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(_WARM + TIMES):
        for times, call in zip(taken, calls, strict=True):
            spent = next(call)
            if number >= _WARM:
                times.append(spent)
    return _p95(taken[0]), _p95(taken[1])


def _times(place: Place, addresses: list[str], times: int = TIMES) -> list[float]:
    calls = _calls(place, addresses)
    return [next(calls) for _ in range(_WARM + times)][_WARM:]


def _calls(place: Place, addresses: list[str]) -> Iterator[float]:
    """Fetch one address after the other, for ever; yield the milliseconds of each."""
    client = place.client()
    for address in itertools.cycle(addresses):
        begun = time.perf_counter()
        response = client.get(address)
        spent = 1000 * (time.perf_counter() - begun)
        if response.status_code != 200:
            raise RuntimeError(f"{address} answered {response.status_code}")
        yield spent


def _p95(times: list[float]) -> float:
    return sorted(times)[int(0.95 * len(times))]


def _queries(place: Place, address: str) -> int:
    client = place.client()
    client.get(address)
    with listed(place.context.database.engine) as statements:
        client.get(address)
    return len(statements)
