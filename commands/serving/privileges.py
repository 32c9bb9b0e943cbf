"""Giving up root: what reads files of strangers needs none of its rights."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from pathlib import Path

from core.config import ROOT, Settings, change_home
from core.embedded.account import Account
from core.log import get_logger

log = get_logger(__name__)


def drop_root(settings: Settings) -> None:
    """Become the owner of VAR_DIR for good, as root; where that is not possible, say why in one sentence.

    Call it after the port was taken and before anything is opened. No effect for an ordinary user.
    """
    if os.geteuid() != 0:
        return
    var = settings.var_dir
    owner = var.stat().st_uid if var.exists() else 0
    why = _obstacle(var, owner)
    if why is not None:
        log.warning("running as root", reason=why)
        return
    user = pwd.getpwuid(owner)
    os.initgroups(user.pw_name, user.pw_gid)
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)
    change_home(user.pw_dir)
    log.info("gave up root", user=user.pw_name)


def _obstacle(var: Path, owner: int) -> str | None:
    """Return why this process cannot go on as the owner of VAR_DIR; None if it can."""
    if owner == 0:
        return f"{var} is root's; give it to an ordinary user before the first start (docs/operations.md)"
    try:
        user = pwd.getpwuid(owner)
    except KeyError:
        return f"{var} belongs to user {owner}, who has no name on this machine"
    if not _may_run(Account(user.pw_uid, user.pw_gid)):
        return f"{user.pw_name}, who owns {var}, cannot read this program; move it to where others may read it"
    return None


def _may_run(account: Account) -> bool:
    """Whether this user can import the program, and read the settings that lie beside it."""
    settings = ROOT / ".env"
    test = ["/bin/sh", "-c", 'test ! -e "$2" || test -r "$2" && exec "$1" -c "import flask_app"', "sh"]
    tried = subprocess.run(
        [*test, sys.executable, str(settings)],
        cwd=ROOT if account.may_reach(ROOT) else "/",
        capture_output=True,
        check=False,
        **account.identity,
    )
    return tried.returncode == 0
