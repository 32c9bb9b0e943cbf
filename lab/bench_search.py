"""Measure searching for entries, at 1,000,000 of them.

    .venv/bin/python lab/bench_search.py [--entries 1000000]

Writes docs/benchmarks/search.json and docs/benchmarks.md. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.bench.measure import measured
from lab.bench.results import plain_table, write_results
from lab.bench.search.pages import measure
from lab.bench.search.place import MANY, place


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, write the entries, measure, write the results."""
    parser = argparse.ArgumentParser(description="Measure searching for entries.")
    parser.add_argument("--entries", type=int, default=MANY, help="another number of entries; nothing is written")
    entries = parser.parse_args(arguments).entries
    print(f"writing {entries} entries …", file=sys.stderr)
    with place(entries) as (found, seconds):
        measures = measure(found)
    each = 1000 * seconds / entries
    measures.append(
        measured("search_fill_ms_an_entry", each, "ms", None, f"writing the {entries} entries at once")
    )
    if entries != MANY:
        # A trial of the measurement; its figures are not what is promised.
        print(plain_table([one.as_json() for one in measures]))
        return 0
    return 0 if write_results("search", measures) else 1


if __name__ == "__main__":
    sys.exit(main())
