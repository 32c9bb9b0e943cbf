"""Inflict faults on real installations under a stream of entries, then account for every entry.

    .venv/bin/python lab/faults_run.py [--entries N] [--seed S] [--only KIND …] [--keep FOLDER]

Prints a ledger. A whole run also writes docs/benchmarks/faults.json and docs/benchmarks.md. Ends with 1 where a
target is missed. As root it works in namespaces of its own: mounts and processes end with it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.bench.results import plain_table, write_results
from lab.faults.course import Outcome, run_course
from lab.faults.installation import WORKERS
from lab.faults.kinds import KINDS
from lab.faults.ledger import ENTRIES, faults_table, measures, told_table, total
from lab.faults.material import Drawn, draw
from lab.faults.scene import Kind, Scene
from lab.fresh.namespace import as_init, run_apart

#: Of the entries, the share that goes to the installation whose files and model are over the network.
_NETWORK_SHARE = 0.27
#: An installation: its folder, its files, its faults, and whether its services are over the network.
Planned = tuple[str, Sequence[Drawn], list[Kind[Scene]], bool]


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, run, print and write."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(given)
    if os.geteuid() == 0 and not options.inside:
        return run_apart(Path(__file__), "--inside", *given)
    return as_init(lambda: _run(options)) if options.inside else _run(options)


def _run(options: argparse.Namespace) -> int:
    begun = time.monotonic()
    kinds = [kind for kind in KINDS if not options.only or kind.name in options.only]
    files = draw(options.entries, options.seed)
    with _folder(options.keep) as folder:
        outcomes = [
            run_course(_made(folder / name), share, chosen, options.seed, over_network)
            for name, share, chosen, over_network in _courses(files, kinds)
        ]
    found = measures(outcomes, options.entries, _about(options, outcomes), 14, (time.monotonic() - begun) / 60)
    tables = [faults_table(outcomes), told_table(outcomes)]
    _print(outcomes)
    if options.only or options.entries < ENTRIES:
        print(plain_table([measure.as_json() for measure in found]))
        return 0
    return 0 if write_results("faults", found, tables) else 1


def _courses(files: Sequence[Drawn], kinds: Sequence[Kind[Scene]]) -> list[Planned]:
    """Return the installations that are wanted."""
    near = [kind for kind in kinds if not kind.over_network]
    far = [kind for kind in kinds if kind.over_network]
    if not (near and far):
        return [("only", files, near or far, bool(far))]
    first = round(len(files) * (1 - _NETWORK_SHARE))
    return [("folder", files[:first], near, False), ("network", files[first:], far, True)]


def _about(options: argparse.Namespace, outcomes: Sequence[Outcome]) -> str:
    number = f"{len(outcomes)} installations of {WORKERS} workers with embedded servers"
    return f"{options.entries} entries, seed {options.seed}, {number}"


def _print(outcomes: Sequence[Outcome]) -> None:
    for table in (faults_table(outcomes), told_table(outcomes)):
        print(table["title"])
        for row in table["rows"]:
            print("  " + "  ".join(str(cell) for cell in row))
    for outcome in outcomes:
        print(*(f"stuck: {row}" for row in sorted(outcome.seen.stuck)), sep="\n")
    print(*total(outcomes).sentences, sep="\n")


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    """A folder for everything, removed afterwards unless one was named."""
    if kept is not None:
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        yield Path(name)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    # The servers may run as another user, who must get in.
    for above in (folder, folder.parent):
        above.chmod(0o755)
    return folder


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Inflict faults on real installations, and account for every entry."
    )
    parser.add_argument("--entries", type=int, default=ENTRIES, help="how many entries are sent")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other entries and another order")
    parser.add_argument(
        "--only", nargs="*", choices=[kind.name for kind in KINDS], help="only these; nothing is written to docs/"
    )
    parser.add_argument("--keep", type=Path, help="a new folder for data and logs, which stays")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
