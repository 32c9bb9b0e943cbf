"""The operating system user that a server runs as: the current one, or under root one without rights."""

from __future__ import annotations

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from core.embedded.system_user import own_user
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
        """Arguments for `subprocess` to run a program as this user; empty when it is the current user."""
        if self.uid == os.geteuid():
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def may_reach(self, path: Path) -> bool:
        """Whether this user can run the program, or enter the folder, at `path`."""
        if self.uid == os.geteuid():
            return os.access(path, os.X_OK)
        test = ["/bin/sh", "-c", 'test -x "$1"', "sh", str(path)]
        return subprocess.run(test, cwd="/", check=False, **self.identity).returncode == 0


def server_account(var: Path, data: Path, running: bool) -> Account:
    """Return the user for a server: the current one; under root, the owner of `var` or `data` if that is not root.

    Else a system user of its own; where none can be made, one that every system has. Data that an earlier version
    kept as such a user go to the system user, unless a server is `running` on them. Raises EmbeddedServiceError
    where there is no user at all.
    """
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid())
    for folder in (var, data):
        owner = folder.stat() if folder.exists() else None
        if owner is not None and owner.st_uid != 0 and (folder == var or running or not is_shared(owner.st_uid)):
            return Account(owner.st_uid, owner.st_gid)
    user = own_user()
    return _unprivileged() if user is None else Account(user.pw_uid, user.pw_gid)


def is_shared(uid: int) -> bool:
    """Whether programs that have nothing to do with each other run as this user."""
    try:
        return pwd.getpwuid(uid).pw_name in UNPRIVILEGED
    except KeyError:
        return False


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
