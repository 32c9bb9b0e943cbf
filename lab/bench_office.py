"""Measure what the office does with a season: files of 10,000 entries, a form of its own, entries sent twice.

    .venv/bin/python lab/bench_office.py [--entries 10000] [--only studio|duplicates|strangers]

Writes docs/benchmarks/office.json and docs/benchmarks.md. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.bench.measure import at_most, measured
from lab.bench.results import plain_table, write_results
from lab.bench.season import duplicate_strangers, duplicates, exports, studio

_MINUTES = 45


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, measure, write."""
    parser = argparse.ArgumentParser(description="Measure what the office does with a season.")
    parser.add_argument("--entries", type=int, default=exports.ENTRIES, help="another number; nothing is written")
    parser.add_argument(
        "--only",
        choices=["studio", "duplicates", "strangers"],
        help="this part alone; the other measures stay as they are",
    )
    options = parser.parse_args(arguments)
    begun = time.monotonic()
    if options.only == "duplicates":
        return 0 if write_results("office", duplicates.measure(), keep=True) else 1
    if options.only == "strangers":
        return 0 if write_results("office", duplicate_strangers.measure(), keep=True) else 1
    if options.only:
        return 0 if write_results("office", *studio.measure(), keep=True) else 1
    measures = exports.measure(options.entries)
    if options.entries != exports.ENTRIES:
        # A trial of the measurement; its figures are not what is promised.
        print(plain_table([measure.as_json() for measure in measures]))
        return 0
    of_forms, tables = studio.measure()
    measures += of_forms + duplicates.measure() + duplicate_strangers.measure()
    minutes = (time.monotonic() - begun) / 60
    measures.append(measured("bench_minutes", minutes, "min", at_most(_MINUTES), "everything in this table"))
    return 0 if write_results("office", measures, tables) else 1


if __name__ == "__main__":
    sys.exit(main())
