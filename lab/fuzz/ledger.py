"""What became of all files: measures, a table of outcomes, and the files that ended wrongly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lab.bench.measure import Measure, at_least, at_most, exactly, measured
from lab.bench.results import Table
from lab.fuzz.overseer import CRASHED, HUNG, Bounds, Result
from lab.fuzz.reading import UNTYPED
from lab.fuzz.site import Site

MUTATIONS = 10_000
_BOMBS, _WELL_MS = 330, 1_000


def measures(results: Sequence[Result], bounds: Bounds, seed: int, site: Site | None) -> list[Measure]:
    """Return the figures with their targets. `site`: what was seen of a site while bombs were read."""
    codes = Counter(result.outcome.code for result in results)
    bombs = [result for result in results if result.job.bomb]
    how = (
        "read by two processes as a worker does: converted and checked, then of the first 3 pages the text layer, "
        "fields, paint, small picture and drawing at OCR_DPI, entries and their fields without a recogniser, "
        "passages; texts by the library's readers; texts of forms "
        "as far as they are put into use; default limits, but PARSE_SECONDS and PARSE_FILE_SECONDS="
        f"{bounds.bomb_seconds:g} for bombs, {bounds.mutation_seconds:g} for others"
    )
    over = sum(result.megabytes > bounds.memory_mb for result in results)
    failed = sum(result.outcome.child_failed for result in results)
    return [
        measured(
            "files_tried", len(results) - len(bombs), "files", at_least(MUTATIONS), f"mutated, seed {seed}; {how}"
        ),
        measured("bombs_tried", len(bombs), "files", at_least(_BOMBS), "made by hand, in the same way"),
        measured("worker_crashes", codes[CRASHED], "files", exactly(0), "the worker itself ended"),
        measured(
            "hangs",
            codes[HUNG],
            "files",
            exactly(0),
            f"took longer than PARSE_FILE_SECONDS and {bounds.grace:g} s, all together",
        ),
        measured("over_memory", over, "files", exactly(0), _OVER.format(bounds.memory_mb)),
        measured("untyped", codes[UNTYPED], "files", exactly(0), "ended in an exception that is no AppError"),
        measured(
            "contained_failures", failed, "files", None, "a parser's own exception or crash, within its child"
        ),
        measured("slowest_s", max(result.outcome.seconds for result in results), "s", None, "one file"),
        measured(
            "largest_process_mb", max(result.megabytes for result in results), "MB", None, "the same samples"
        ),
        *(_of_site(site) if site is not None else ()),
    ]


def _of_site(site: Site) -> list[Measure]:
    how = (
        f"the longest of {site.answers} answers of /healthz, while two processes read bombs and the site beside "
        f"them, with a worker of its own, was sent {site.sent} of these"
    )
    return [measured("healthz_worst_ms", site.worst_ms, "ms", at_most(_WELL_MS), how)]


_OVER = "a process of the worker's tree had more than {} MB resident; sampled each tenth of a second"


def outcomes(results: Sequence[Result]) -> Table:
    """Return how the files ended, by the code of the error."""
    bombs = Counter(result.outcome.code for result in results if result.job.bomb)
    mutations = Counter(result.outcome.code for result in results if not result.job.bomb)
    codes = [code for code, _ in (bombs + mutations).most_common()]
    return {
        "title": "How they ended",
        "columns": ["outcome", "bombs", "mutated files"],
        "rows": [[f"`{code}`", bombs[code], mutations[code]] for code in codes],
    }


def wrong(results: Sequence[Result], bounds: Bounds) -> list[str]:
    """Return a paragraph on each file that ended wrongly, or whose parser failed within its child."""
    return [
        f"{result.job.name}: {result.outcome.code}, {result.megabytes:.0f} MB, {result.outcome.detail}"
        for result in results
        if result.outcome.code in (CRASHED, HUNG, UNTYPED)
        or result.megabytes > bounds.memory_mb
        or result.outcome.child_failed
    ]


def line_of(result: Result) -> str:
    """Return a file's line of the ledger: name, outcome, seconds, megabytes, what the error says."""
    outcome = result.outcome
    detail = " ".join(outcome.detail.split())
    return f"{result.job.name}\t{outcome.code}\t{outcome.seconds:.2f}\t{result.megabytes:.0f}\t{detail}"
