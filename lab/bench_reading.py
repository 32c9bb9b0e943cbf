"""Measure reading: time, memory, and how much of unseen entries is right.

    .venv/bin/python lab/bench_reading.py [--only typed,orchestrator,…] [--reuse]

Writes docs/benchmarks/reading.json and docs/benchmarks.md. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.bench.measure import Measure, at_most, measured
from lab.bench.reading import (
    certainty,
    faint,
    first_entry,
    groq_pages,
    held_out,
    memory,
    model_calls,
    openings,
    orchestrator,
    overflow,
    page_truth,
    proposals,
    scans,
    second_reader,
    stacks,
    typed,
    wrapped,
)
from lab.bench.reading.corpora import (
    CONFIDENCE,
    DEVELOPMENT,
    FAINT,
    HEADERS,
    HELD_OUT,
    LONG_STACK,
    MODEL_PAGES,
    OVERFLOW,
    PAGE_TRUTH,
    POOR_COPIES,
    SAMPLES,
    STACKS,
    WRAPPED,
    corpus_of,
)
from lab.bench.reading.faults import silent_wrong_of_all
from lab.bench.results import stored_values, write_results
from lab.samples.sets.openings import EVERYDAY, OPENINGS, STRANGERS

#: Processes that draw what is read.
_DRAWING = 2
#: What can be measured by itself, with the part of the corpus that it reads.
MEASUREMENTS: dict[str, tuple[Callable[[Path], list[Measure]], str]] = {
    "typed": (typed.measure, DEVELOPMENT),
    "orchestrator": (orchestrator.measure, DEVELOPMENT),
    "scans": (scans.measure, DEVELOPMENT),
    "memory": (memory.measure, DEVELOPMENT),
    "held_out": (held_out.measure, HELD_OUT),
    "openings": (openings.measure, OPENINGS),
    "everyday": (openings.measure_everyday, EVERYDAY),
    "strangers": (openings.measure_strangers, STRANGERS),
    "wrapped": (wrapped.measure, WRAPPED),
    "overflow": (overflow.measure, OVERFLOW),
    "faint": (faint.measure, FAINT),
    "page_truth": (page_truth.measure, PAGE_TRUTH),
    "stacks": (stacks.measure, STACKS),
    "proposals": (proposals.measure, POOR_COPIES),
    "second_reader": (second_reader.measure, HEADERS),
    "confidence": (certainty.measure, CONFIDENCE),
    "model_calls": (model_calls.measure, SAMPLES),
    "groq_pages": (groq_pages.measure, MODEL_PAGES),
    "first_entry": (first_entry.measure, LONG_STACK),
}
#: Those that measure time: each has the machine to itself. The others measure what is right, or memory.
TIMED = ("typed", "orchestrator", "scans", "first_entry")
#: So many of the others at a time: where one waits for its last file, another reads.
_TOGETHER = 2


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, draw what is read, measure, write."""
    options = _parser().parse_args(arguments)
    chosen = options.only.split(",") if options.only else list(MEASUREMENTS)
    if unknown := set(chosen) - set(MEASUREMENTS):
        print(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(MEASUREMENTS)}", file=sys.stderr)
        return 2
    begun = time.monotonic()
    parts = dict.fromkeys(MEASUREMENTS[name][1] for name in chosen)
    with ProcessPoolExecutor(_DRAWING, multiprocessing.get_context("spawn")) as processes:
        drawn = processes.map(partial(corpus_of, reuse=options.reuse), parts)
        corpora = dict(zip(parts, drawn, strict=True))
    measures: list[Measure] = []
    for name, found in _measured(chosen, corpora):
        print(f"{_minutes_since(begun):5.1f} min  {name}", file=sys.stderr)
        measures += found
        # At once: a run that is stopped loses only what it was at.
        write_results("reading", found, keep=True)
    before = stored_values("reading") if options.only else {}
    measures += silent_wrong_of_all({**before, **{found.measure: found.value for found in measures}})
    if not (options.only or options.reuse):
        measures.append(_whole_run(_minutes_since(begun)))
    return 0 if write_results("reading", measures, keep=bool(options.only)) else 1


def _measured(chosen: Sequence[str], corpora: Mapping[str, Path]) -> Iterator[tuple[str, list[Measure]]]:
    """Yield the name and the measures of each measurement when it is done: the timed ones alone and first."""

    def measures_of(name: str) -> list[Measure]:
        measure, part = MEASUREMENTS[name]
        return measure(corpora[part])

    for name in chosen:
        if name in TIMED:
            yield name, measures_of(name)
    # Each reads in processes of its own; the threads only wait for them.
    with ThreadPoolExecutor(_TOGETHER) as threads:
        running = {threads.submit(measures_of, name): name for name in chosen if name not in TIMED}
        for done in as_completed(running):
            yield running[done], done.result()


def _minutes_since(begun: float) -> float:
    return (time.monotonic() - begun) / 60


def _whole_run(minutes: float) -> Measure:
    how = "everything in this table, in one run, the drawing of the corpora included; two cores"
    return measured("bench_minutes", minutes, "min", at_most(45), how)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure reading.")
    parser.add_argument("--only", help=f"some of {', '.join(MEASUREMENTS)}, separated by commas")
    parser.add_argument("--reuse", action="store_true", help="read the corpora that an earlier run has drawn")
    return parser


if __name__ == "__main__":
    sys.exit(main())
