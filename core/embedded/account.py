"""The user that a server runs as: ourselves, or an unprivileged one when we are root."""

from __future__ import annotations

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from core.errors import EmbeddedServiceError

#: Users that every system has and that own nothing of worth, in the order of preference.
UNPRIVILEGED = ("nobody", "daemon")


class Identity(TypedDict, total=False):
    """The arguments of `subprocess` that start a program as another user."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True)
class Account:
    """A user and its first group."""

    uid: int
    gid: int

    @property
    def identity(self) -> Identity:
        """What `subprocess` needs to run a program as this user; nothing when we are that user."""
        if self.uid == os.geteuid():
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def may_reach(self, path: Path) -> bool:
        """Whether this user can run the program, or enter the folder, at `path`."""
        if self.uid == os.geteuid():
            return os.access(path, os.X_OK)
        test = ["/bin/sh", "-c", 'test -x "$1"', "sh", str(path)]
        return subprocess.run(test, cwd="/", check=False, **self.identity).returncode == 0


def server_account(*folders: Path) -> Account:
    """The user for a server: ourselves; for root the owner of the first folder that an ordinary user owns."""
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid())
    for folder in folders:
        if folder.exists() and folder.stat().st_uid != 0:
            return Account(folder.stat().st_uid, folder.stat().st_gid)
    return _unprivileged()


def _unprivileged() -> Account:
    for name in UNPRIVILEGED:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_uid, entry.pw_gid)
    raise EmbeddedServiceError(
        "PostgreSQL does not run as root and this system has no user `nobody`. "
        "Start as an ordinary user, or set DATABASE_URL and REDIS_URL."
    )
