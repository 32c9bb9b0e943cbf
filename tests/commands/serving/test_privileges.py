"""Root is given up for the owner of the data, or a sentence says why not."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from core.config import ROOT
from core.embedded.account import Account
from tests.support.embedded import ordinary_python
from tests.support.services import quick_folder

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root has anything to give up")
#: Prints what the process is in the end, and tries to become root again.
_TRY = """
import os
from core.embedded.account import drop_root
from core.config import load_settings
from core.tracing.log import configure_logging

settings = load_settings(_env_file=None)
configure_logging(settings)
drop_root(settings)
try:
    os.setuid(0)
except PermissionError:
    pass
print(os.getresuid(), sorted(os.getgroups()))
"""


def tried(var: Path, python: str = sys.executable, environment: Mapping[str, str] = os.environ) -> str:
    """What the program says."""
    done = subprocess.run(
        [python, "-c", _TRY],
        cwd=ROOT,
        env={**environment, "VAR_DIR": str(var)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def daemons(tmp_path: Path) -> Account:
    """The user whose `tmp_path` is."""
    daemon = pwd.getpwnam("daemon")
    os.chown(tmp_path, daemon.pw_uid, daemon.pw_gid)
    return Account(daemon.pw_uid, daemon.pw_gid)


def test_it_becomes_the_owner_of_the_data_for_good(tmp_path: Path, daemons: Account) -> None:
    python, environment = ordinary_python(daemons)
    # What `redis` wants of a system's Python that is older than the one that the packages were chosen for.
    with tempfile.TemporaryDirectory(dir=quick_folder()) as backports:
        Path(backports).chmod(0o755)
        (Path(backports) / "async_timeout.py").write_text("timeout = None\n")
        environment["PYTHONPATH"] += os.pathsep + backports
        said = tried(tmp_path, python, environment)
    assert f"{(daemons.uid,) * 3} {[daemons.gid]}" in said


def test_data_of_root_are_named_as_the_reason(tmp_path: Path) -> None:
    said = tried(tmp_path)
    assert "(0, 0, 0)" in said and f"{tmp_path} is root's" in said


def test_a_program_that_another_user_cannot_read(tmp_path: Path, daemons: Account) -> None:
    python = tmp_path.parent / "closed" / "python"
    python.parent.mkdir(mode=0o700)
    python.symlink_to(ordinary_python(daemons)[0])
    said = tried(tmp_path, str(python), ordinary_python(daemons)[1])
    assert "(0, 0, 0)" in said and "cannot read this program" in said
