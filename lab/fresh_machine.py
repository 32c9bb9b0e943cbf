"""Try on a new machine what the README promises (`make fresh`): a new Debian userland, both commands from nothing,
and the steps of the image (`deploy/install.sh`).

The userland is of this machine's own release, made with its own apt and pip settings, in a scratch folder that is
removed at the end. Mounts and processes live in namespaces of their own, so nothing stays when this ends or is
killed. Needs root. The last line says what was proved.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.fresh.demo import try_demo
from lab.fresh.image import try_image
from lab.fresh.namespace import as_init, run_apart
from lab.fresh.userland import command_in, make_userland, put_checkout

CHECKOUT = Path(__file__).resolve().parent.parent


def main(arguments: Sequence[str] | None = None) -> int:
    """0 where all did what it should, 1 where one did not, 2 where it could not be tried."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--scratch", type=Path, default=Path("/var/tmp"), help="where the userland's folder is made"
    )
    parser.add_argument("--only", choices=["demo", "test", "image"], help="one of the three")
    parser.add_argument("--within", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.within is not None:
        return as_init(lambda: _reported(given.within, given.only))
    if os.geteuid() != 0:
        print("make fresh needs root: it mounts and changes its root folder.", file=sys.stderr)
        return 2
    if subprocess.run(
        ["sh", str(CHECKOUT / "scripts/ensure_packages.sh"), "debootstrap", "git"], check=False
    ).returncode:
        return 2
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    scratch = Path(tempfile.mkdtemp(prefix="second-reader-fresh-", dir=given.scratch))
    only = ["--only", given.only] if given.only else []
    try:
        return run_apart(Path(__file__), "--within", str(scratch), *only)
    finally:
        # The mounts were the namespace's: here these are plain folders.
        shutil.rmtree(scratch, ignore_errors=True)


def _reported(scratch: Path, only: str | None) -> int:
    begun = time.monotonic()
    try:
        proved = _prove(scratch / "root", only)
    except (RuntimeError, OSError, subprocess.SubprocessError) as exc:
        print(f"make fresh FAILED after {_minutes(begun)}: {exc}", flush=True)
        return 1
    print(f"make fresh: {'; '.join(proved)}; in {_minutes(begun)}.", flush=True)
    return 0


def _prove(root: Path, only: str | None) -> list[str]:
    _step("debootstrap: a new userland with python3 and make")
    make_userland(root)
    proved = [f"a new {_release(root)}"]
    # The demo first, and each in a checkout of its own: what the tests install must not help it.
    if only in (None, "demo"):
        _step("make demo")
        folder = put_checkout(CHECKOUT, root, "demo")
        read = try_demo(command_in(root, folder, "make demo", PORT=str(_free_port())))
        proved.append(f"make demo read {read} and left no process behind")
    if only in (None, "image"):
        _step("deploy/install.sh, and the program as its user on a read-only tree")
        proved.append(try_image(root, put_checkout(CHECKOUT, root, "image")))
    if only in (None, "test"):
        _step("make test")
        folder = put_checkout(CHECKOUT, root, "test")
        proved.append(f"make test: {_try_tests(command_in(root, folder, 'make test', CI='true'))}")
    return proved


def _try_tests(command: list[str]) -> str:
    """The line in which pytest sums up. Under CI=true whatever the machine lacks fails."""
    last = ""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(f"  | {line}", end="", flush=True)
            last = line.strip() or last
    if process.returncode:
        raise RuntimeError(f"make test ended with {process.returncode}: {last}")
    return last


def _release(root: Path) -> str:
    python = subprocess.run(command_in(root, "/", "python3 --version"), capture_output=True, text=True, check=True)
    debian = (root / "etc/debian_version").read_text(encoding="utf-8").strip()
    return f"Debian {debian} userland with {python.stdout.strip()}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _step(what: str) -> None:
    print(f"== {what}", flush=True)


def _minutes(begun: float) -> str:
    return "{:.0f} min {:02.0f} s".format(*divmod(time.monotonic() - begun, 60))


if __name__ == "__main__":
    raise SystemExit(main())
