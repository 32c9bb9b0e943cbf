"""The operating system user of root's servers, which nothing else runs as; made where that is possible."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess

NAME = "second-reader"
#: Where the program to make users lies; PATH may not name it.
_FOLDERS = os.pathsep.join(("/usr/sbin", "/sbin", "/usr/bin", "/bin"))
_OPTIONS = ("--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent")


def own_user() -> pwd.struct_passwd | None:
    """Return the user, made when missing; None where this machine has no `useradd`, or it fails. Only for root."""
    return _found() or _made()


def _found() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(NAME)
    except KeyError:
        return None


def _made() -> pwd.struct_passwd | None:
    program = shutil.which("useradd", path=_FOLDERS)
    if program is None:
        return None
    shell = shutil.which("nologin", path=_FOLDERS) or "/bin/false"
    # It also fails where another process has just made the user.
    subprocess.run([program, *_OPTIONS, "--shell", shell, NAME], capture_output=True, check=False)
    return _found()
