"""Accounts of the system: the one under which embedded servers run, what it owns, and giving up root."""

from __future__ import annotations

import hashlib
import hmac
import os
import pwd
import secrets
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from core.config import ROOT, Settings, change_home
from core.errors import EmbeddedServiceError
from core.tracing.log import get_logger

#: Users that every system has and that own nothing of value, in the order of preference.
UNPRIVILEGED = ("nobody", "daemon")


class SubprocessUser(TypedDict, total=False):
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
    def identity(self) -> SubprocessUser:
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


# The passwords of the embedded servers, derived from one secret that only the owner of the var folder reads.


FILE = "servers.secret"
_BYTES = 32


def password(var: Path, account: str) -> str:
    """Return the password of an account of a server: 64 hexadecimal digits. The secret is made when missing."""
    return hmac.new(_secret(var / FILE), account.encode(), hashlib.sha256).hexdigest()


def digest(text: str) -> str:
    """Return the hash of a password. It does not reveal the password, which has 256 random bits."""
    return hashlib.sha256(text.encode()).hexdigest()


def _secret(path: Path) -> bytes:
    """Read the secret. Processes that make it at the same time end up with the same one."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        make_once(path, secrets.token_bytes(_BYTES))
        return path.read_bytes()
    except PermissionError as exc:
        raise EmbeddedServiceError(
            f"{path} cannot be read. Start as the user whose it is, or set VAR_DIR to a folder of your own."
        ) from exc


# The operating system user of root's servers, which nothing else runs as; made where that is possible.


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


# Create files and folders below a server's home folder, with the owner of that folder.


def open_own(path: Path, flags: int) -> int:
    """Open or make a private file and return its descriptor.

    Raises EmbeddedServiceError when the file belongs to somebody else. A link is never followed: root must
    not be led to write elsewhere by a folder that an ordinary user owns.
    """
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except PermissionError as exc:
        raise EmbeddedServiceError(belongs_to_another(path)) from exc
    if os.geteuid() == 0:
        _like_its_folder(path, descriptor)
    return descriptor


def make_once(path: Path, content: bytes) -> None:
    """Write a private file with the owner of its folder; the first of several writers wins."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    with os.fdopen(open_own(draft, os.O_WRONLY | os.O_EXCL), "wb") as file:
        file.write(content)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def make_folder(path: Path, mode: int = 0o700) -> Path:
    """Create a folder, unless it exists, with the owner of its parent folder."""
    try:
        path.mkdir(mode=mode)
    except FileExistsError:
        return path
    except PermissionError as exc:
        raise EmbeddedServiceError(belongs_to_another(path.parent)) from exc
    if os.geteuid() == 0:
        above = path.parent.stat()
        os.chown(path, above.st_uid, above.st_gid)
    return path


def belongs_to_another(path: Path) -> str:
    """Return the error sentence for a file or folder of another user; names the innermost one that can be read."""
    for found in (path, *path.parents):
        try:
            owner = found.stat().st_uid
        except OSError:
            continue
        break
    return (
        f"{found} belongs to {user_name(owner)}, not to {user_name(os.geteuid())}. "
        "Start as that user, or set VAR_DIR to a folder of your own."
    )


def user_name(uid: int) -> str:
    """The login name of a user id, or the number where there is none."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _like_its_folder(path: Path, descriptor: int) -> None:
    above = path.parent.stat()
    os.fchown(descriptor, above.st_uid, above.st_gid)


# Giving up root: what reads files of strangers needs none of its rights.


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
    """Whether this user can import the program and read the settings next to it."""
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
