"""Look for dangerous calls in the code (bandit) and for known holes of the pinned packages (pip-audit).

    .venv-audit/bin/python -m scripts.audit.both_halves [--must-look]

Both halves run whatever the first finds. Ends with 0 where nothing was found, 1 where something was. Where the
database of holes cannot be reached, or knows none of the packages, as behind a mirror of the package index that
has files only, that is said, and ends with 3 if `--must-look` is given, else with what the code alone gave.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

CODE = ("core", "pipeline", "research", "services", "jobs", "web", "commands", "flask_app.py")
PINNED = "requirements.txt"
CLEAN, FOUND, NOT_LOOKED_UP = 0, 1, 3
#: Where both programs were installed.
_PROGRAMS = Path(sysconfig.get_path("scripts"))


@dataclass(frozen=True)
class Answer:
    """What the database of holes said."""

    #: Why nothing was looked up; "" where it was.
    failed: str = ""
    asked: int = 0
    #: A line for each hole.
    holes: list[str] = field(default_factory=list)
    #: Packages that it does not know, although it knows others.
    unknown: list[str] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None, programs: Path = _PROGRAMS) -> int:
    """Run both halves, say what they found, and return the exit code of the module's text."""
    must_look = "--must-look" in (sys.argv[1:] if arguments is None else arguments)
    code = FOUND if _run(programs / "bandit", "-q", "-ll", "-r", *CODE).returncode else CLEAN
    print(f"Dangerous calls in the code: {'found, see above.' if code else 'none.'}", flush=True)
    answer = holes_of(programs)
    _say(answer)
    if answer.holes or answer.unknown:
        return FOUND
    return NOT_LOOKED_UP if answer.failed and must_look and not code else code


def holes_of(programs: Path = _PROGRAMS) -> Answer:
    """Ask for the holes of every pinned package."""
    options = ("--disable-pip", "--no-deps", "--progress-spinner", "off", "--format", "json", "-r", PINNED)
    done = _run(programs / "pip-audit", *options, capture_output=True)
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        said = done.stderr.strip().splitlines() or [f"pip-audit ended with {done.returncode}"]
        return Answer(failed=said[-1])
    unknown = [one["name"] for one in packages if "skip_reason" in one]
    if len(unknown) == len(packages):
        return Answer(failed="the database knows none of these packages", asked=len(packages))
    holes = [
        f"{one['name']} {one['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'none'}"
        for one in packages
        for hole in one.get("vulns", ())
    ]
    return Answer(asked=len(packages), holes=holes, unknown=unknown)


def _say(answer: Answer) -> None:
    if answer.failed:
        print(
            f"Known holes of packages: NOT LOOKED UP ({answer.failed}).\n"
            f"That says nothing about the packages. Run this where pypi.org answers before you rely on it."
        )
        return
    for line in answer.holes:
        print(line)
    for name in answer.unknown:
        print(f"{name}: not in the database, so nobody can say")
    print(f"Known holes of packages: {len(answer.holes)} in {answer.asked} packages.")


def _run(program: Path, *arguments: str, capture_output: bool = False) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program, *arguments], capture_output=capture_output, text=True, check=False)


if __name__ == "__main__":
    sys.exit(main())
