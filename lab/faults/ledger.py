"""The ledger: measures with their targets, a table of the faults, and of what senders were told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lab.bench.measure import Measure, at_least, exactly, measured
from lab.bench.results import Table
from lab.faults.accounting import Account
from lab.faults.course import Outcome
from lab.faults.installation import LEASE_SECONDS

ENTRIES = 200


def total(outcomes: Sequence[Outcome]) -> Account:
    """Add up the accounts of all installations."""
    account = Account()
    for outcome in outcomes:
        account.add(outcome.account)
    return account


def measures(
    outcomes: Sequence[Outcome], entries: int, of: str, wanted_kinds: int, minutes: float
) -> list[Measure]:
    """Return the figures. `entries`: how many were sent; `of`: to what; `wanted_kinds`: of faults, at least."""
    account = total(outcomes)
    kinds = {one.kind for outcome in outcomes for one in outcome.inflicted}
    attempts = [attempt for outcome in outcomes for attempt in outcome.attempts]
    told = Counter(attempt.told for attempt in attempts)
    stuck = sum(len(outcome.seen.stuck) for outcome in outcomes)
    recovered = [one.recovered for outcome in outcomes for one in outcome.inflicted]
    strays = sum(outcome.strays_before_purge for outcome in outcomes)
    how_accounted = (
        f"one whole record, finished or before a person, or the error of a file that cannot be read; {of}"
    )
    return [
        measured("entries_accounted", account.accounted, "entries", exactly(entries), how_accounted),
        measured("entries_doubled", len(account.doubled), "entries", exactly(0), "more records than entries"),
        measured(
            "orphans",
            len(account.orphans),
            "rows or files",
            exactly(0),
            "rows that refer to nothing, files without a row, rows without their file, after one `flask purge`",
        ),
        measured("orphans_before_purge", strays, "rows or files", None, "the same before it"),
        measured(
            "half_decisions",
            len(account.half),
            "decisions",
            exactly(0),
            "decision, item, trail and entry disagree, or one that was acknowledged is not there",
        ),
        measured("fault_kinds", len(kinds), "kinds", at_least(wanted_kinds), "that were inflicted; see below"),
        measured(
            "stuck_beyond_lease_plus_60_s",
            stuck,
            "rows",
            exactly(0),
            f"neither leased nor queued nor waiting for others for longer than {LEASE_SECONDS} + 60 s, or leased "
            "for longer than a job may take, while nothing was broken; looked at each second",
        ),
        measured(
            "longest_idle_s",
            max((outcome.seen.longest_idle for outcome in outcomes), default=0.0),
            "s",
            None,
            "neither leased nor queued nor waiting for others, the longest",
        ),
        measured(
            "uploads_misreported",
            len(account.misreported),
            "files",
            exactly(0),
            "acknowledged and not there, refused and there, or there with other bytes",
        ),
        measured("left_over", len(account.left), "leases or jobs", exactly(0), "when nothing was under way"),
        measured("attempts_acknowledged", told["acknowledged"], "files", None, "each in one request"),
        measured("attempts_refused", told["refused"], "files", None, "sent again until acknowledged"),
        measured("attempts_unknown", told["unknown"], "files", None, "cut off, or not confirmed; sent again"),
        measured(
            "decisions_taken",
            sum(outcome.decisions for outcome in outcomes),
            "decisions",
            None,
            "by a reviewer over HTTP meanwhile",
        ),
        measured(
            "decisions_taken_back", sum(outcome.taken_back for outcome in outcomes), "decisions", None, "of these"
        ),
        measured(
            "slowest_recovery_s",
            max(recovered, default=0.0),
            "s",
            None,
            "from the end of a fault until the health check was well and every file of its turn acknowledged",
        ),
        measured("minutes", minutes, "min", None, "the whole run"),
    ]


def faults_table(outcomes: Sequence[Outcome]) -> Table:
    """Return each fault in the order in which they came."""
    return {
        "title": "Faults",
        "columns": ["at, s", "fault", "what was done", "lasted, s", "well after, s"],
        "rows": [
            [round(one.at), f"`{one.kind}`", one.what, round(one.lasted, 1), round(one.recovered, 1)]
            for outcome in outcomes
            for one in outcome.inflicted
        ]
        + [
            ["", f"`{name}`", f"not tried: {why}", "", ""]
            for outcome in outcomes
            for name, why in outcome.skipped.items()
        ],
    }


def told_table(outcomes: Sequence[Outcome]) -> Table:
    """Return what the senders of files were told."""
    told = Counter((attempt.told, attempt.answer) for outcome in outcomes for attempt in outcome.attempts)
    return {
        "title": "What senders were told",
        "columns": ["told", "answer", "files"],
        "rows": [[one, answer, count] for (one, answer), count in told.most_common()],
    }
