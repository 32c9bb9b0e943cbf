"""Measure how well names are taken out of essays before they enter the library.

    .venv/bin/python lab/bench_library.py [--show]

Writes docs/benchmarks/library.json and docs/benchmarks.md. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.bench.library.names_left import ESSAYS, SEEDS, count, measure
from lab.bench.library.planted import draw_essays
from lab.bench.results import write_results


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, measure, write."""
    parser = argparse.ArgumentParser(description="Measure how well names are taken out of essays.")
    parser.add_argument(
        "--show", action="store_true", help="print what was left and wrongly taken, of development"
    )
    options = parser.parse_args(arguments)
    if options.show:
        _show()
        return 0
    return 0 if write_results("library", measure()) else 1


def _show() -> None:
    found = count(draw_essays(SEEDS[False], ESSAYS, held_out=False))
    for mention in found.left:
        print("left", mention.language, mention.kind, *mention.words)
    for mention in found.held:
        print("held", mention.language, mention.kind, *mention.words)
    print("wrongly", found.wrongly.most_common(60))
    print("doubted", found.doubted.most_common(60))
    print(f"{found.mentions} mentions, {found.taken} taken, {found.waiting} of {found.essays} wait")


if __name__ == "__main__":
    sys.exit(main())
