"""What lists, decisions and overviews take at a million entries, and how much more than at ten thousand."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Iterator, Sequence

from werkzeug.test import TestResponse

from lab.bench.desk.server import Call, decisions, in_turn, next_items, pages
from lab.bench.measure import Measure, at_most, measured
from lab.bench.scale.place import Scaled
from lab.bench.search.pages import PAGE, searches
from lab.bench.stats.pages import TRUST, addresses
from services.entries.listing import SubmissionFilter
from services.exports.contents import ChosenSubmissions, read_submissions
from services.seasons import current_season
from services.trust.figures import gather, renew_figures

TIMES = 60
_P95_MS, _RATIO = 100, 1.5
_BY_SCHOOL, _EVENTS, _DUPLICATES = "/submissions/by-school", "/admin/events", "/submissions/duplicates"
_NEXT = re.compile(r'rel="next" href="([^"]+)"')


def measure(few: Scaled, many: Scaled) -> list[Measure]:
    """Time each at both sizes, in turn."""
    how = (
        f"95th percentile of {TIMES} whole requests (session, queries, template) within one process at "
        f"{many.entries} entries, {many.pending} of them waiting, with about three rows of the log each, in the "
        f"embedded PostgreSQL, and {few.entries} in turn with them: "
    )
    found = []
    for name, (calls, what) in _kinds().items():
        print(f"  {name} …", file=sys.stderr)
        short, long = in_turn(calls(few), calls(many), TIMES)
        found += [
            measured(f"{name}_p95_ms", long, "ms", at_most(_P95_MS), how + what),
            measured(
                f"{name}_ratio_to_10k", long / short, "×", at_most(_RATIO), f"the same ({short:.1f} ms there)"
            ),
        ]
    with many.context.database.session() as session:
        seconds = gather(session, many.context.settings, current_season(session)).seconds
    found.append(
        measured(
            "trust_gathering_s", seconds, "s", None, "what the workforce takes for that, at most each ten minutes"
        )
    )
    return found


def _kinds() -> dict[str, tuple[Callable[[Scaled], Iterator[Call]], str]]:
    return {
        "entries_list": (
            _walk(
                PAGE,
                f"{PAGE}?status=resolved",
                f"{PAGE}?school=Foxglove+School+77",
                f"{PAGE}?grade=4",
                f"{PAGE}?sort=school",
            ),
            f"GET {PAGE} as it opens, by status, school and grade, and in the order of schools, page after page",
        ),
        "search": (
            _searches,
            f"GET {PAGE}?q=… for names, common, rare and misspelled, schools, phones, addresses, files and codes",
        ),
        "by_school": (_walk(_BY_SCHOOL), f"GET {_BY_SCHOOL}, page after page"),
        "queue": (pages, "GET /review, page after page"),
        "next_item": (next_items, "the next item that nobody else holds is looked up and its page is fetched"),
        "decide": (decisions, "POST of a decision that approves or fills in every field, to the redirect"),
        "statistics": (
            _statistics,
            "GET /admin/orchestrator_stats for 7, 30, 90 and 365 days, one form, one batch, one school",
        ),
        "trust": (
            _trust,
            f"GET {TRUST}; of so many entries it shows what the workforce gathered last, once before this",
        ),
        "events": (
            _walk(
                _EVENTS,
                f"{_EVENTS}?kind=sign_in",
                f"{_EVENTS}?kind=policy_changed",
                f"{_EVENTS}?person=person-7@example.org",
            ),
            f"GET {_EVENTS}, of a common kind, of one that there is none of, and of one person, page after page",
        ),
        "duplicates": (_walk(_DUPLICATES), f"GET {_DUPLICATES}, page after page"),
        "export_first_row": (
            _first_rows,
            "the entries of an export of the season are chosen and its first row is read",
        ),
    }


def _walk(*first: str) -> Callable[[Scaled], Iterator[Call]]:
    """Fetch these in turn, and of each the next page from one turn to the next."""

    def calls(site: Scaled) -> Iterator[Call]:
        client = site.client()
        following: dict[str, str] = {}
        for address in itertools.cycle(first):

            def call(address: str = address) -> TestResponse:
                response = client.get(following.get(address, address))
                match = _NEXT.search(response.text)
                following[address] = match[1].replace("&amp;", "&") if match else address
                return response

            yield call

    return calls


def _searches(site: Scaled) -> Iterator[Call]:
    by_kind: Sequence[Sequence[str]] = list(searches(site.url).values())
    client = site.client()
    for text in itertools.cycle(itertools.chain.from_iterable(zip(*by_kind, strict=True))):
        yield lambda text=text: client.get(PAGE, query_string={"q": text})  # type: ignore[misc]


def _statistics(site: Scaled) -> Iterator[Call]:
    client = site.client()
    for address in itertools.cycle(addresses(site.context)):
        yield lambda address=address: client.get(address)  # type: ignore[misc]


def _trust(site: Scaled) -> Iterator[Call]:
    # As the workforce does when it starts.
    renew_figures(site.context)
    return _walk(TRUST)(site)


def _first_rows(site: Scaled) -> Iterator[Call]:
    with site.context.database.session() as session:
        season_id = current_season(session).id

    def call() -> None:
        chosen = ChosenSubmissions(site.context, None, season_id, SubmissionFilter())
        next(read_submissions(site.context, chosen))

    while True:
        yield call
