"""Measure the supervision loop without a model: gaps that were planted, complete reports, 10,000 schedules.

    .venv/bin/python scripts/bench_supervision.py [--only gaps,schedules] [--show]

Writes docs/benchmarks/supervision.json and docs/benchmarks.md. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.bench.measure import Measure
from scripts.bench.results import write_results
from scripts.bench.supervision import gaps, schedules

_PARTS = ("gaps", "schedules")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, measure, write."""
    parser = argparse.ArgumentParser(description="Measure the supervision loop.")
    parser.add_argument("--only", choices=_PARTS, help="one part alone; the other's figures stay")
    parser.add_argument("--show", action="store_true", help="print what was named in the reports not held out")
    options = parser.parse_args(arguments)
    measures: list[Measure] = []
    if options.only != "schedules":
        found, outcomes = gaps.measure()
        measures += found
        if options.show:
            _show(outcomes)
    if options.only != "gaps":
        measures += schedules.measure()
    return 0 if write_results("supervision", measures, keep=bool(options.only)) else 1


def _show(outcomes: Sequence[gaps.Outcome]) -> None:
    for outcome in outcomes:
        if not outcome.topic.held_out:
            print(
                f"{outcome.topic.name}: {outcome.topic.gap}; found {outcome.found}, closed {outcome.closed}, "
                f"named {list(outcome.named)}, on the complete report {list(outcome.false)}"
            )


if __name__ == "__main__":
    sys.exit(main())
