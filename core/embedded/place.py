"""Where a server keeps its data, locks, log and socket."""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
import tempfile
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from core.embedded.account import Account, is_shared, server_account
from core.embedded.files import belongs_to_another, make_folder
from core.embedded.locks import is_held
from core.errors import EmbeddedServiceError

#: Where root puts data that the unprivileged user could not reach below var/.
SYSTEM_FOLDERS = (Path("/var/lib"), Path("/var/tmp"))  # nosec B108 - folders of our own, checked, below it


@dataclass(frozen=True)
class Place:
    """The folders and files of one server."""

    name: str
    #: The requested folder; logs are always here.
    var: Path
    #: The folder that really holds the data: `var`, unless the server's user could not reach it.
    home: Path
    account: Account

    @classmethod
    def of(cls, var_dir: Path, name: str) -> Place:
        """Return the place of the server `name` in a var folder; folders that are missing are created."""
        var = _var_folder(var_dir)
        data = (var / name).resolve()
        account = server_account(var, data, os.geteuid() == 0 and _is_served(data))
        home = _home(var, name, account)
        make_folder(home / "run")
        make_folder(var / "log")
        place = cls(name, var, home, account)
        if place.data.exists() and place.data.stat().st_uid != account.uid and not place.is_inherited:
            raise _not_its_own(place)
        return place

    @property
    def data(self) -> Path:
        """The data folder, with every link resolved."""
        return self.home / self.name

    @property
    def is_inherited(self) -> bool:
        """Whether the data belong to a shared user that an earlier version ran its server as."""
        if os.geteuid() != 0 or not self.data.exists():
            return False
        owner = self.data.stat().st_uid
        return owner != self.account.uid and is_shared(owner)

    @property
    def exists(self) -> bool:
        """Whether the folder of the locks is still there; people remove var/ under a running server."""
        return self.lock.parent.is_dir()

    @property
    def lock(self) -> Path:
        """Lock file held while a process starts, attaches to, releases or stops the server."""
        return self.home / "run" / f"{self.name}.lock"

    @property
    def owners(self) -> Path:
        """Lock file of which every owner holds a share."""
        return self.home / "run" / f"{self.name}.owners"

    @property
    def alive(self) -> Path:
        """Lock file held by the server and its children for as long as they live."""
        return self.home / "run" / f"{self.name}.alive"

    @property
    def keeper(self) -> Path:
        """Lock file held by the keeper; contains its process id."""
        return self.home / "run" / f"{self.name}.keeper"

    @property
    def log(self) -> Path:
        """Log file of the server and its keeper."""
        return self.var / "log" / f"{self.name}.log"

    @property
    def tag(self) -> str:
        """The name that the server's processes and its socket folder carry; one for each data folder."""
        return f"second-reader-{_digest(self.data)}"

    def socket_folder(self) -> Path:
        """Return the socket's private folder, created when missing; short, as socket paths hold 100 bytes at most.

        It is found by its owner: where another user has taken the name that all could foresee, it has one that
        nobody can. Raises OSError where none can be made.
        """
        usable = os.access("/tmp", os.W_OK | os.X_OK)  # nosec B108 - a folder of our own below it
        above = Path("/tmp") if usable else Path(tempfile.gettempdir())  # nosec B108
        foreseen = [above / self.tag]
        ours = next(filter(self._is_ours, chain(foreseen, above.glob(f"{self.tag}-*"))), None)
        secret = (above / f"{self.tag}-{secrets.token_hex(8)}" for _ in count())
        return ours or next(filter(self._claim, chain(foreseen, secret)))

    def _is_ours(self, folder: Path) -> bool:
        try:
            found = folder.lstat()
        except FileNotFoundError:
            return False
        private = stat.S_ISDIR(found.st_mode) and stat.S_IMODE(found.st_mode) == 0o700
        return private and found.st_uid == self.account.uid

    def _claim(self, folder: Path) -> bool:
        """Create the folder; False when it exists and is not ours, perhaps planted by another user."""
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            return False
        os.chown(folder, self.account.uid, self.account.gid)
        return True


def _is_served(data: Path) -> bool:
    """Whether a server runs on this data folder."""
    alive = data.parent / "run" / f"{data.name}.alive"
    return alive.exists() and is_held(alive)


def _not_its_own(place: Place) -> EmbeddedServiceError:
    if os.geteuid() != 0:
        # Of root's folder the data belong to the user of its servers, as whom nobody can start.
        mine = place.var.stat().st_uid == os.geteuid()
        return EmbeddedServiceError(belongs_to_another(place.data if mine else place.var))
    return EmbeddedServiceError(f"{place.data} belongs to root, as whom no server runs. Move it away.")


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
    """Return the folder that holds the data. Decided once: a link in var/ records a folder outside it."""
    data = var / name
    if data.is_symlink():
        return _made(data.readlink().parent)
    if data.exists() or account.may_reach(var):
        return var
    home = _system_folder() / "second-reader" / _digest(var)
    data.symlink_to(_made(home) / name)
    return home


def _made(home: Path) -> Path:
    """Create the folder and its parent, with modes that let the server's user in whatever the umask."""
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
