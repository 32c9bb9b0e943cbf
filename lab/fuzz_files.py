"""Read hostile and broken files as the workers do: none may end a worker, hang it, or take more than its limits.

    .venv/bin/python lab/fuzz_files.py [--files N] [--seed S] [--only bombs|mutations] [--match TEXT]

Prints a ledger, and writes all of it to build/fuzz.tsv. Without options that leave files out, also writes
docs/benchmarks/fuzz.json and docs/benchmarks.md. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.config import Settings
from lab.bench.results import ROOT, plain_table, write_results
from lab.fuzz.catalogue import Bomb, bombs
from lab.fuzz.ledger import MUTATIONS, line_of, measures, outcomes, wrong
from lab.fuzz.overseer import Bounds, Result, elapsed_since, read_all
from lab.fuzz.site import site_under
from lab.fuzz.worker import Job

LEDGER = ROOT / "build" / "fuzz.tsv"
#: PARSE_SECONDS and PARSE_FILE_SECONDS for bombs: many are ended by their time.
_BOMB_SECONDS = 20.0
_NOTE_EVERY = 10.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, have all files read, print and write."""
    options = _parser().parse_args(arguments)
    defaults = Settings.model_fields
    bounds = Bounds(defaults["parse_memory_mb"].default, _BOMB_SECONDS, defaults["parse_seconds"].default)
    hostile, mutations = _bombs(options), _mutations(options)
    progress, site = _Progress(len(hostile) + len(mutations)), None
    results: list[Result] = []
    if hostile:
        with site_under(hostile) as site:
            results += read_all((Job(bomb=bomb.name) for bomb in hostile), bounds, progress.note)
    results += read_all(mutations, bounds, progress.note)
    LEDGER.parent.mkdir(exist_ok=True)
    LEDGER.write_text("\n".join(map(line_of, results)) + "\n", encoding="utf-8")
    print(*wrong(results, bounds), sep="\n")
    for row in outcomes(results)["rows"]:
        print("{:<30} {:>8} {:>8}".format(*row))
    found = measures(results, bounds, options.seed, site)
    if options.only or options.match or options.files < MUTATIONS:
        print(plain_table([measure.as_json() for measure in found]))
        return 0
    return 0 if write_results("fuzz", found, [outcomes(results)]) else 1


def _bombs(options: argparse.Namespace) -> list[Bomb]:
    return [bomb for bomb in bombs() if options.match in bomb.name] if options.only != "mutations" else []


def _mutations(options: argparse.Namespace) -> list[Job]:
    numbers = range(options.files) if options.only != "bombs" else range(0)
    return [Job(seed=options.seed, number=number) for number in numbers]


class _Progress:
    """A line on standard error now and then."""

    def __init__(self, count: int) -> None:
        self._count, self._begun, self._noted = count, time.monotonic(), 0.0
        self._codes: Counter[str] = Counter()

    def note(self, result: Result) -> None:
        """Count a result."""
        self._codes[result.outcome.code] += 1
        now = time.monotonic()
        if now - self._noted >= _NOTE_EVERY or self._codes.total() == self._count:
            self._noted = now
            counts = ", ".join(f"{code} {number}" for code, number in self._codes.most_common())
            print(
                f"{elapsed_since(self._begun)}  {self._codes.total()} of {self._count}: {counts}", file=sys.stderr
            )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Read hostile and broken files as the workers do.")
    parser.add_argument("--files", type=int, default=MUTATIONS, help="how many mutated files")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other mutated files")
    parser.add_argument("--only", choices=("bombs", "mutations"), help="only these; nothing is written to docs/")
    parser.add_argument(
        "--match", default="", help="only bombs whose names hold this; nothing is written to docs/"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
