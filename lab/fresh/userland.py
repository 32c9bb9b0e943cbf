"""A Debian userland in a folder, made by debootstrap and told how to reach this machine's package sources."""

from __future__ import annotations

import subprocess
from pathlib import Path

from lab.fresh.settings import copy_settings, machine_environment, passed_on, release

#: All that the README asks for.
_PACKAGES = "python3,make"


def make_userland(root: Path) -> None:
    """Install the release's smallest userland and what the README asks for. Needs root and a mount namespace."""
    wanted = release()
    command = ["debootstrap", "--variant=minbase", f"--include={_PACKAGES}"]
    if wanted.keyring:
        command.append(f"--keyring={wanted.keyring}")
    log = root.parent / "debootstrap.log"
    with log.open("wb") as out:
        done = subprocess.run(
            [*command, wanted.suite, str(root), wanted.mirror],
            stdout=out,
            stderr=out,
            env=machine_environment() | _apt_proxy(),
            check=False,
        )
    if done.returncode:
        raise RuntimeError(f"debootstrap failed:\n{log.read_text(errors='replace')[-2000:]}")
    for folder in copy_settings(root):
        inside = root / folder.relative_to("/")
        inside.mkdir(parents=True)
        _mount("--bind", "-o", "ro", str(folder), str(inside))
    _mount_kernel(root)


def put_checkout(source: Path, root: Path, name: str) -> str:
    """What is committed, in a folder of the userland; returns its path there."""
    folder = root / "srv" / name
    folder.mkdir(parents=True)
    with subprocess.Popen(["git", "-C", str(source), "archive", "HEAD"], stdout=subprocess.PIPE) as archive:
        subprocess.run(["tar", "-x", "-C", str(folder)], stdin=archive.stdout, check=True)
    if archive.returncode:
        raise RuntimeError("git archive failed")
    return f"/srv/{name}"


def command_in(root: Path, folder: str, command: str, **variables: str) -> list[str]:
    """The argument list that runs a shell command in a folder of the userland."""
    told = [f"{name}={value}" for name, value in {**passed_on(machine_environment()), **variables}.items()]
    return ["chroot", str(root), "env", "-i", *told, "sh", "-c", f"cd {folder} && exec {command}"]


def read_only_view(root: Path, *writable: str) -> Path:
    """The userland at another place, where nothing can be written but a /tmp of its own and these folders."""
    view = root.with_name(f"{root.name}-read-only")
    view.mkdir()
    _mount("--rbind", str(root), str(view))
    _mount("-o", "remount,bind,ro", str(view))
    _mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", str(view / "tmp"))
    for folder in writable:
        _mount("--bind", str(root / folder.lstrip("/")), str(view / folder.lstrip("/")))
    return view


def _mount_kernel(root: Path) -> None:
    _mount("-t", "proc", "proc", str(root / "proc"))
    _mount("-t", "sysfs", "-o", "ro", "sysfs", str(root / "sys"))
    _mount("--bind", "/dev", str(root / "dev"))
    _mount("-t", "devpts", "-o", "newinstance,ptmxmode=0666", "devpts", str(root / "dev/pts"))
    _mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", str(root / "dev/shm"))


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)


def _apt_proxy() -> dict[str, str]:
    """debootstrap fetches by itself: it has to be told of the proxy that apt uses."""
    asked = ["apt-config", "shell", "found", "Acquire::http::Proxy"]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    return {"http_proxy": said.partition("=")[2].strip("'")} if said else {}
