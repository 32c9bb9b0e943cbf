"""Measure one office at a million entries: pages, fifty reviewers, uploads, workers, memory, migrations, start.

    .venv/bin/python lab/bench_scale.py [--only pages,reviewers,…] [--entries 1000000]

Writes docs/benchmarks/scale.json and docs/benchmarks.md. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.bench.measure import Measure, at_most, measured
from lab.bench.results import Table, plain_table, write_results
from lab.bench.scale import every_page, fairness, library, migrations, pages, reviewers, web_memory, work
from lab.bench.scale.place import FEW, MANY, Scaled, scaled

Found = tuple[Sequence[Measure], Sequence[Table]]
#: What is measured over the two databases. Decisions change them: what reads alone comes first.
OVER_DATABASES: dict[str, Callable[[Scaled, Scaled], Found]] = {
    "migrations": lambda few, many: migrations.measure(many.applied, many.entries),
    "pages": lambda few, many: (pages.measure(few, many), ()),
    "web_memory": lambda few, many: (web_memory.measure(many), ()),
    "reviewers": lambda few, many: (reviewers.measure(many), ()),
}
#: What is measured in installations of its own.
ALONE: dict[str, Callable[[], Found]] = {
    "every_page": every_page.measure,
    "library": lambda: (library.measure(), ()),
    "work": lambda: (work.measure(), ()),
    "worker_memory": lambda: (work.memory(), ()),
    "fairness": lambda: (fairness.measure(), ()),
}
_MINUTES = 45


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, measure part by part, write each part when it is done."""
    options = _parser().parse_args(arguments)
    known = [*OVER_DATABASES, *ALONE]
    chosen = options.only.split(",") if options.only else known
    if unknown := set(chosen) - set(known):
        print(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    begun = time.monotonic()
    #: A trial of the measurement writes nothing; its figures are not what is promised.
    is_trial = options.entries != MANY
    measures: list[Measure] = []

    def take(name: str, found: Found) -> None:
        print(f"{(time.monotonic() - begun) / 60:5.1f} min  {name}", file=sys.stderr)
        measures.extend(found[0])
        if is_trial:
            print(plain_table([measure.as_json() for measure in found[0]]))
        else:
            # At once: a run that is stopped loses only what it was at.
            write_results("scale", *found, keep=True)

    for name in chosen:
        if name in ALONE:
            take(name, ALONE[name]())
    if not set(chosen).isdisjoint(OVER_DATABASES):
        print(f"filling in {options.entries} entries …", file=sys.stderr)
        with scaled(min(FEW, options.entries // 2), options.entries) as (few, many):
            for name in chosen:
                if name in OVER_DATABASES:
                    take(name, OVER_DATABASES[name](few, many))
    if not options.only and not is_trial:
        how = "everything in this table, in one run, the filling of the databases included; two cores"
        minutes = measured("bench_minutes", (time.monotonic() - begun) / 60, "min", at_most(_MINUTES), how)
        take("all of it", ([minutes], ()))
    return 0 if all(measure.holds for measure in measures) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure one office at a million entries.")
    parser.add_argument("--only", help=f"some of {', '.join([*OVER_DATABASES, *ALONE])}, separated by commas")
    parser.add_argument("--entries", type=int, default=MANY, help="another number of entries; nothing is written")
    return parser


if __name__ == "__main__":
    sys.exit(main())
