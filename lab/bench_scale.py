"""Measure one office at a million entries: pages, fifty reviewers, uploads, workers, memory, migrations, start.

    .venv/bin/python lab/bench_scale.py [--only pages,reviewers,…] [--entries 1000000]

Writes docs/benchmarks/scale.json and docs/benchmarks.md. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event

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
    "fairness": lambda: (fairness.measure(), ()),
}
#: What is measured while the databases are filled: it asks how much, not how long.
BESIDE = "worker_memory"
_KNOWN = [*ALONE, BESIDE, *OVER_DATABASES]
_MINUTES = 45


class _Databases:
    """The two databases, which are filled in a thread, beside what needs no quiet."""

    def __init__(self, entries: int) -> None:
        self._sizes = min(FEW, entries // 2), entries
        self._quiet = Event()
        self._parts = ExitStack()
        self._beside = ThreadPoolExecutor(1)
        self._filling: Future[list[Scaled]] | None = None

    def begin(self) -> None:
        """Begin to fill them; what waits to be measured there waits for `filled`."""
        print(f"filling in {self._sizes[1]} entries …", file=sys.stderr)
        offices = scaled(*self._sizes, quiet=self._quiet)
        self._filling = self._beside.submit(self._parts.enter_context, offices)

    def filled(self) -> list[Scaled]:
        """Return them when they are filled; nothing else may run from now on."""
        if self._filling is None:
            self.begin()
        assert self._filling is not None
        self._quiet.set()
        return self._filling.result()

    def close(self) -> None:
        """Remove them."""
        self._quiet.set()
        self._beside.shutdown()
        self._parts.close()


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, measure part by part, write each part when it is done."""
    options = _parser().parse_args(arguments)
    chosen = options.only.split(",") if options.only else _KNOWN
    if unknown := set(chosen) - set(_KNOWN):
        print(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(_KNOWN)}", file=sys.stderr)
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

    for name in [name for name in chosen if name in ALONE]:
        take(name, ALONE[name]())
    over = [name for name in chosen if name in OVER_DATABASES]
    with closing(_Databases(options.entries)) as databases:
        if BESIDE in chosen:
            take(BESIDE, (work.memory(databases.begin if over else None), ()))
        if over:
            few, many = databases.filled()
            for name in over:
                take(name, OVER_DATABASES[name](few, many))
    if not options.only and not is_trial:
        how = "everything in this table, in one run, the filling of the databases included; two cores"
        minutes = measured("bench_minutes", (time.monotonic() - begun) / 60, "min", at_most(_MINUTES), how)
        take("all of it", ([minutes], ()))
    return 0 if all(measure.holds for measure in measures) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure one office at a million entries.")
    parser.add_argument("--only", help=f"some of {', '.join(_KNOWN)}, separated by commas")
    parser.add_argument("--entries", type=int, default=MANY, help="another number of entries; nothing is written")
    return parser


if __name__ == "__main__":
    sys.exit(main())
