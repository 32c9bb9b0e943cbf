"""Where a server keeps its data, locks, log and socket."""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from core.embedded.account import Account, server_account
from core.embedded.files import belongs_to_another, make_folder
from core.errors import EmbeddedServiceError

#: Where root puts data that the unprivileged user could not reach below var/.
SYSTEM_FOLDERS = (Path("/var/lib"), Path("/var/tmp"))


@dataclass(frozen=True)
class Place:
    """The folders and files of one server."""

    name: str
    #: The folder that was asked for; logs are always here.
    var: Path
    #: The folder that really holds the data: `var`, unless the server's user could not reach it.
    home: Path
    account: Account

    @classmethod
    def of(cls, var_dir: Path, name: str) -> Place:
        """Find, or make, the place of the server `name` of a var folder."""
        var = _var_folder(var_dir)
        account = server_account(var / name, var)
        home = _home(var, name, account)
        make_folder(home / "run")
        make_folder(var / "log")
        place = cls(name, var, home, account)
        if place.data.exists() and place.data.stat().st_uid != account.uid:
            raise _not_its_own(place.data)
        return place

    @property
    def data(self) -> Path:
        """The data folder, with every link resolved."""
        return self.home / self.name

    @property
    def exists(self) -> bool:
        """Whether the folder of the locks is still there; people remove var/ under a running server."""
        return self.lock.parent.is_dir()

    @property
    def lock(self) -> Path:
        """Held by whoever starts, attaches, releases or stops."""
        return self.home / "run" / f"{self.name}.lock"

    @property
    def owners(self) -> Path:
        """Every owner holds a share."""
        return self.home / "run" / f"{self.name}.owners"

    @property
    def alive(self) -> Path:
        """Held by the server and its children, from their first moment to their last."""
        return self.home / "run" / f"{self.name}.alive"

    @property
    def keeper(self) -> Path:
        """Held by the keeper, whose process id it contains."""
        return self.home / "run" / f"{self.name}.keeper"

    @property
    def log(self) -> Path:
        """What the server and its keeper have to say."""
        return self.var / "log" / f"{self.name}.log"

    @property
    def tag(self) -> str:
        """The name that the server's processes and its socket folder carry; one for each data folder."""
        return f"second-reader-{_digest(self.data)}"

    def socket_folder(self) -> Path:
        """The private folder of the socket, made when missing; short, for a socket's path has 100 bytes at most.

        Raises EmbeddedServiceError when others have taken every name that it could have.
        """
        above = Path("/tmp") if os.access("/tmp", os.W_OK | os.X_OK) else Path(tempfile.gettempdir())
        candidates = [above / self.tag, *(above / f"{self.tag}-{number}" for number in range(1, 10))]
        for folder in candidates:
            if self._is_ours(folder):
                return folder
        for folder in candidates:
            if self._claim(folder):
                return folder
        raise EmbeddedServiceError(f"{above / self.tag} belongs to another user. Remove it and start again.")

    def _is_ours(self, folder: Path) -> bool:
        try:
            found = folder.lstat()
        except FileNotFoundError:
            return False
        private = stat.S_ISDIR(found.st_mode) and stat.S_IMODE(found.st_mode) == 0o700
        return private and found.st_uid == self.account.uid

    def _claim(self, folder: Path) -> bool:
        """Make the folder unless somebody, perhaps on purpose, was quicker."""
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            return False
        os.chown(folder, self.account.uid, self.account.gid)
        return True


def _not_its_own(data: Path) -> EmbeddedServiceError:
    if os.geteuid() != 0:
        return EmbeddedServiceError(belongs_to_another(data))
    return EmbeddedServiceError(f"{data} belongs to root, as whom no server runs. Move it away.")


def _var_folder(var_dir: Path) -> Path:
    var = var_dir.expanduser().resolve()
    try:
        var.mkdir(mode=0o755, parents=True, exist_ok=True)
    except OSError as exc:
        raise EmbeddedServiceError(
            f"{var} cannot be made ({exc.strerror}). Set VAR_DIR to a folder of yours."
        ) from exc
    return var


def _home(var: Path, name: str, account: Account) -> Path:
    """The folder that holds the data, decided once; a link in var/ records it when it lies elsewhere."""
    data = var / name
    if data.is_symlink():
        return _made(data.readlink().parent)
    if data.exists() or account.may_reach(var):
        return var
    home = _system_folder() / "second-reader" / _digest(var)
    data.symlink_to(_made(home) / name)
    return home


def _made(home: Path) -> Path:
    """The folder and the one above, which our umask may have closed to the server's user."""
    for folder in (home.parent, home):
        if not folder.exists():
            folder.mkdir(parents=True)
            folder.chmod(0o755)
    return home


def _system_folder() -> Path:
    for folder in SYSTEM_FOLDERS:
        if os.access(folder, os.W_OK):
            return folder
    raise EmbeddedServiceError(
        "The user that PostgreSQL runs as cannot reach VAR_DIR. Set VAR_DIR to a folder that others may enter."
    )


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
