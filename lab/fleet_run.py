"""Run the installation of `deploy/compose.yaml` in network namespaces, break it, account for every entry.

    .venv/bin/python lab/fleet_run.py [--entries N] [--seed S] [--only KIND … | --calm] [--keep FOLDER]

The course, the people and the ledger are those of `lab/faults_run.py`. A whole run also writes
docs/benchmarks/fleet.json and docs/benchmarks.md. Ends with 1 where a target is missed; with 0, and a sentence,
where this machine does not allow namespaces.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.bench.results import plain_table, write_results
from lab.faults.course import Course, Outcome
from lab.faults.deciding import Reviewer
from lab.faults.kinds.clock import wrong_clock
from lab.faults.ledger import ENTRIES, faults_table, measures, told_table, total
from lab.faults.material import draw
from lab.faults.network import SwitchedStorage
from lab.faults.people import set_up
from lab.faults.scene import NotHereError
from lab.faults.sending import Sender
from lab.faults.stored_files import FilesInMemory
from lab.fleet.compose import DEPLOY
from lab.fleet.fleet import CLOCKS, OFFICE, WITH_SESSIONS, Fleet
from lab.fleet.kinds import KINDS, FleetStage
from lab.fleet.machine import HERE, open_network
from lab.fresh.namespace import as_init, run_apart

PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


class _Storage(SwitchedStorage):
    """On the network of the machines."""

    host = HERE


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line; make the secrets; go on in namespaces."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(given)
    if options.inside is not None:
        return as_init(lambda: _run(options, options.inside))
    if why := _why_not():
        print(f"make test-fleet: skipped, {why}.")
        return 0
    with tempfile.TemporaryDirectory(prefix="fleet-", dir="/var/tmp") as made:
        folder = options.keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        secrets = folder / "secrets"
        subprocess.run(["sh", str(DEPLOY / "secrets.sh"), str(secrets), OFFICE], check=True)
        # The certificate is nobody's but ours: clients are told to trust it.
        trusted = {"SSL_CERT_FILE": str(secrets / "tls_certificate")}
        return run_apart(Path(__file__), "--inside", str(folder), *given, network=True, variables=trusted)


def _why_not() -> str:
    """Return why it cannot be tried here, "" if it can."""
    if os.geteuid() != 0:
        return "it needs root, for namespaces and mounts"
    wanted = ("ip", "nginx", "pgbouncer", "openssl", "setpriv", "pivot_root")
    if missing := [name for name in wanted if shutil.which(name, path=PATH) is None]:
        return f"this machine lacks {', '.join(missing)}"
    try:
        wrong_clock("+1m")
    except NotHereError as why:
        return str(why)
    tried = subprocess.run(
        ["unshare", "--net", "--mount", "--pid", "--fork", "ip", "link", "add", "fleet0", "type", "bridge"],
        capture_output=True,
        text=True,
        check=False,
    )
    return f"this machine makes no network namespaces ({tried.stderr.strip()})" if tried.returncode else ""


def _run(options: argparse.Namespace, folder: Path) -> int:
    begun = time.monotonic()
    kinds = [kind for kind in KINDS if not options.calm and (not options.only or kind.name in options.only)]
    files = draw(options.entries, options.seed)
    open_network()
    with ExitStack() as parts:
        storage = parts.enter_context(_Storage())
        keys = {"SUPABASE_URL": storage.url, "SUPABASE_SERVICE_ROLE_KEY": storage.key}
        fleet = Fleet(folder, folder / "secrets", {**keys, "SUPABASE_BUCKET": storage.bucket})
        parts.callback(fleet.stop)
        _know(fleet.hosts, folder)
        fleet.prepare()
        uploader, reviewer = set_up(fleet.settings)
        fleet.start()
        print(f"{len(fleet.machines) - 1} machines are up after {time.monotonic() - begun:.1f} s", file=sys.stderr)
        stage = FleetStage(fleet, Sender(uploader, options.seed), Random(f"fleet:{options.seed}"), storage=storage)
        course = Course(
            stage, Reviewer(reviewer, options.seed), FilesInMemory(storage.objects), storage.make_older
        )
        outcome = course.run(files, kinds)
        about = f"{options.entries} entries, seed {options.seed}, {_about(fleet)}"
    found = measures([outcome], options.entries, about, len(KINDS), (time.monotonic() - begun) / 60)
    _print(outcome)
    if options.only or options.calm or options.entries < ENTRIES:
        print(plain_table([measure.as_json() for measure in found]))
        return 0
    return 0 if write_results("fleet", found, [faults_table([outcome]), told_table([outcome])]) else 1


def _about(fleet: Fleet) -> str:
    clocks = " and ".join(f"{name}'s clock at {offset}" for name, offset in CLOCKS.items())
    return (
        f"{len(fleet.machines) - 1} machines in namespaces of one: nginx, 2 web servers, 4 workers, pgbouncer "
        f"(sessions for {', '.join(WITH_SESSIONS)}, transactions for the others), PostgreSQL, Valkey; {clocks}"
    )


def _know(hosts: str, folder: Path) -> None:
    """Have the names of the machines known here too; gone with this mount namespace."""
    (folder / "hosts").write_text(hosts, encoding="utf-8")
    subprocess.run(["mount", "--bind", str(folder / "hosts"), "/etc/hosts"], check=True)


def _print(outcome: Outcome) -> None:
    for table in (faults_table([outcome]), told_table([outcome])):
        print(table["title"])
        for row in table["rows"]:
            print("  " + "  ".join(str(cell) for cell in row))
    print(*(f"stuck: {row}" for row in sorted(outcome.seen.stuck)), sep="\n")
    print(*total([outcome]).sentences, sep="\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Break a fleet of machines, and account for every entry.")
    parser.add_argument("--entries", type=int, default=ENTRIES, help="how many entries are sent")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other entries and another order")
    parser.add_argument("--only", nargs="*", choices=[kind.name for kind in KINDS], help="only these faults")
    parser.add_argument("--calm", action="store_true", help="no faults at all")
    parser.add_argument("--keep", type=Path, help="a new folder for data and logs, which stays")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
