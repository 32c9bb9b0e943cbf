"""Measure the statistics of the supervisor: pages, counts and what logging takes, at 1,000,000 rows of the log.

    .venv/bin/python lab/bench_stats.py [--only pages,counting,coverage] [--logs 1000000]

Writes docs/benchmarks/stats.json and docs/benchmarks.md. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.bench.measure import Measure, at_most, measured
from lab.bench.results import plain_table, write_results
from lab.bench.stats import counting, coverage, pages
from lab.bench.stats.place import FEW, MANY, Place, places

#: What is measured over the two databases.
OVER_DATABASES: dict[str, Callable[[Place, Place], list[Measure]]] = {
    "pages": pages.measure,
    "counting": counting.measure,
}
#: What is computed from drawn seasons alone.
OVER_SEASONS: dict[str, Callable[[], list[Measure]]] = {"coverage": coverage.measure}
_MINUTES = 45


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, fill what is needed, measure, write."""
    options = _parser().parse_args(arguments)
    known = [*OVER_DATABASES, *OVER_SEASONS]
    chosen = options.only.split(",") if options.only else known
    if unknown := set(chosen) - set(known):
        print(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    begun = time.monotonic()
    measures: list[Measure] = []
    with ExitStack() as parts:
        if not set(chosen).isdisjoint(OVER_DATABASES):
            print(f"filling in {options.logs} rows of the log …", file=sys.stderr)
            few, many = parts.enter_context(places(min(FEW, options.logs // 2), options.logs))
        for name in chosen:
            print(f"{(time.monotonic() - begun) / 60:5.1f} min  measuring {name} …", file=sys.stderr)
            measures += OVER_DATABASES[name](few, many) if name in OVER_DATABASES else OVER_SEASONS[name]()
    if options.logs != MANY:
        # A trial of the measurement; its figures are not what is promised.
        print(plain_table([measure.as_json() for measure in measures]))
        return 0
    if not options.only:
        minutes = (time.monotonic() - begun) / 60
        how = "everything in this table, in one run, the filling of the databases included; two cores"
        measures.append(measured("bench_minutes", minutes, "min", at_most(_MINUTES), how))
    return 0 if write_results("stats", measures, keep=bool(options.only)) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure the statistics of the supervisor.")
    parser.add_argument(
        "--only", help=f"some of {', '.join([*OVER_DATABASES, *OVER_SEASONS])}, separated by commas"
    )
    parser.add_argument("--logs", type=int, default=MANY, help="another length of the log; nothing is written")
    return parser


if __name__ == "__main__":
    sys.exit(main())
