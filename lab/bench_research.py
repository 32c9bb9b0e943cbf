"""Measure the research desk: questions, memo, gaps, citations, and whole reports over scripted sources.

    .venv/bin/python lab/bench_research.py [--only brief,citations,…]

Writes docs/benchmarks/research.json and docs/benchmarks.md. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.bench import research
from lab.bench.measure import Measure
from lab.bench.results import write_results


def parts() -> list[str]:
    """Names of the modules that measure something, in the order they are run."""
    return sorted(module.name for module in pkgutil.iter_modules(research.__path__) if not module.ispkg)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, measure, write."""
    parser = argparse.ArgumentParser(description="Measure the research desk.")
    parser.add_argument("--only", help=f"some of {', '.join(parts())}, separated by commas")
    options = parser.parse_args(arguments)
    chosen = options.only.split(",") if options.only else parts()
    if unknown := set(chosen) - set(parts()):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(parts())}")
    measures: list[Measure] = []
    for name in chosen:
        print(f"measuring {name} …", file=sys.stderr)
        measures += importlib.import_module(f"{research.__name__}.{name}").measure()
    return 0 if write_results("research", measures, keep=bool(options.only)) else 1


if __name__ == "__main__":
    sys.exit(main())
