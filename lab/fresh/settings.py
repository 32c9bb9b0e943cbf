"""How this machine reaches its package sources: what its apt and pip are told, copied into a new userland."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_APT = ("sources.list", "sources.list.d", "auth.conf", "auth.conf.d", "keyrings", "trusted.gpg", "trusted.gpg.d")
_PIP = ("/etc/pip.conf", "/etc/xdg/pip/pip.conf", "~/.pip/pip.conf", "~/.config/pip/pip.conf")
#: Certificates beside Debian's own. Its package, which others bring along, makes its bundle of both.
_CERTIFICATES = Path("/usr/local/share/ca-certificates")
_PROXY = re.compile(r"(http|https|ftp|all|no)_proxy", re.IGNORECASE)
_PATH = re.compile(r"(?:(?<=file://)|(?<![\w:/.]))/[^\s\"',;\]]+")


@dataclass(frozen=True)
class Release:
    """What debootstrap is told."""

    suite: str
    mirror: str
    keyring: str | None


def release() -> Release:
    """This machine's own release, from where its apt takes it. Raises RuntimeError without such a source."""
    suite = dict(_os_release())["VERSION_CODENAME"]
    wanted = ["--format", "$(CODENAME)|$(COMPONENT)|$(REPO_URI)|$(SIGNED_BY)", "Created-By: Packages"]
    listed = subprocess.run(["apt-get", "indextargets", *wanted], capture_output=True, text=True, check=True)
    for line in listed.stdout.splitlines():
        codename, component, mirror, keyring = line.split("|", 3)
        if (codename, component) == (suite, "main"):
            return Release(suite, mirror, keyring if keyring.startswith("/") else None)
    raise RuntimeError(f"apt has no source for {suite}; run apt-get update")


def machine_environment() -> dict[str, str]:
    """The variables of this process: where pip and apt are told things besides their files."""
    return dict(os.environ)


def passed_on(given: Mapping[str, str]) -> dict[str, str]:
    """What a command in the new userland inherits: proxies and pip's settings, and nothing else of ours."""
    plain = {
        "HOME": "/root",
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "LANG": "C.UTF-8",
    }
    return plain | {
        name: value for name, value in given.items() if _PROXY.fullmatch(name) or name.startswith("PIP_")
    }


def copy_settings(root: Path) -> list[Path]:
    """Copy the settings into a userland; returns the folders that they name, which have to be mounted there."""
    copied = [*_copied_apt(root), *_copied_pip(root)]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in copied]
    texts += [value for name, value in machine_environment().items() if name.startswith("PIP_")]
    folders = []
    for path in sorted({path for text in texts for path in named_paths(text)}):
        if path.is_file():
            _copy(path, root)
        elif path.is_dir() and not _within(root, path).exists():
            # The pages of an index lead to files beside it.
            folders.append(path.parent if path.name == "simple" else path)
    for path in _files(_CERTIFICATES):
        _copy(path, root)
    for name in ("/etc/resolv.conf", "/etc/hosts"):
        _copy(Path(name).resolve(), root, as_path=Path(name))
    return folders


def named_paths(text: str) -> Iterator[Path]:
    """Absolute paths and file: addresses in the text of a setting, comments left out."""
    for line in text.splitlines():
        for found in _PATH.findall(line.partition("#")[0]):
            yield Path(found)


def _copied_apt(root: Path) -> Iterator[Path]:
    for name in _APT:
        for path in sorted(_files(Path("/etc/apt") / name)):
            yield _copy(path, root)
    # Only how to fetch: hooks of other programs would look for those programs.
    dumped = subprocess.run(["apt-config", "dump", "Acquire"], capture_output=True, text=True, check=True).stdout
    own = root / "etc/apt/apt.conf.d/99machine"
    own.write_text(dumped, encoding="utf-8")
    yield own


def _copied_pip(root: Path) -> Iterator[Path]:
    for name in (*_PIP, machine_environment().get("PIP_CONFIG_FILE", "")):
        path = Path(name).expanduser()
        if name and path.is_file():
            yield _copy(path, root)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return [file for file in path.rglob("*") if file.is_file()]
    return [path] if path.is_file() else []


def _copy(path: Path, root: Path, as_path: Path | None = None) -> Path:
    target = _within(root, as_path or path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    shutil.copyfile(path, target)
    return target


def _within(root: Path, path: Path) -> Path:
    return root / path.relative_to("/")


def _os_release() -> Iterator[tuple[str, str]]:
    for line in Path("/etc/os-release").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition("=")
        yield name, value.strip('"')
