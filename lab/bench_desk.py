"""Measure the review desk: its pages and decisions with 100,000 entries waiting, and what an entry costs a person.

    .venv/bin/python lab/bench_desk.py [--only server,browser,entries] [--pending 100000]

For `entries` forty drawn entries are read once, which takes some minutes, and kept in build/desk. Writes
docs/benchmarks/desk.json and docs/benchmarks.md. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.bench.desk import browser, reviewer, server
from lab.bench.desk.place import LONG, SHORT, desks
from lab.bench.measure import Measure
from lab.bench.results import Table, plain_table, write_results

PARTS = ("server", "browser", "entries")


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, fill two databases, measure, write."""
    options = _parser().parse_args(arguments)
    chosen = options.only.split(",") if options.only else PARTS
    if unknown := set(chosen) - set(PARTS):
        print(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    measures: list[Measure] = []
    tables: list[Table] = []
    if {"server", "browser"} & set(chosen):
        print(f"filling in {options.pending} entries …", file=sys.stderr)
        with desks(SHORT, options.pending) as (short, long):
            measures += server.measure(short, long) if "server" in chosen else []
            measures += browser.measure(long) if "browser" in chosen else []
    if "entries" in chosen:
        found, table = reviewer.measure()
        measures += found
        tables.append(table)
    if options.pending != LONG:
        # A trial of the measurement; its figures are not what is promised.
        print(plain_table([measure.as_json() for measure in measures]))
        return 0
    return 0 if write_results("desk", measures, tables, keep=bool(options.only)) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure the review desk.")
    parser.add_argument("--only", help=f"some of {', '.join(PARTS)}, separated by commas")
    parser.add_argument(
        "--pending", type=int, default=LONG, help="another length of the queue; nothing is written"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
