"""Measure the supervision loop: 10,000 schedules of decisions and failures.

    .venv/bin/python lab/bench_supervision.py

Writes docs/benchmarks/supervision.json and docs/benchmarks.md. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.bench.results import write_results
from lab.bench.supervision import schedules


def main() -> int:
    """Measure, write."""
    return 0 if write_results("supervision", schedules.measure()) else 1


if __name__ == "__main__":
    sys.exit(main())
