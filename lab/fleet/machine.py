"""A network in this process's own network namespace, and machines on it."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

_BRIDGE = "fleet0"
#: This process is the first address of the network.
_NETWORK = "10.77.0.{}"
HERE = _NETWORK.format(1)
_BOOT = Path(__file__).resolve().parent / "boot.sh"
_UNSHARE = (
    *("unshare", "--net", "--uts", "--ipc", "--mount", "--propagation", "private"),
    *("--pid", "--fork", "--kill-child"),
)
_START_SECONDS = 20.0
#: Seconds that a service has to end in order.
_GRACE_SECONDS = 60.0
#: No machine has this address: what is sent there is lost without an answer.
_NOWHERE = "02:77:00:00:00:ff"


def open_network() -> None:
    """Make the bridge that all machines are on. Raises CalledProcessError where that is not allowed."""
    _run("ip", "link", "set", "lo", "up")
    _run("ip", "link", "add", _BRIDGE, "type", "bridge")
    _run("ip", "addr", "add", f"{HERE}/24", "dev", _BRIDGE)
    _run("ip", "link", "set", _BRIDGE, "up")


@dataclass(frozen=True)
class Mount:
    """A file or folder of this machine at a place of the other."""

    source: Path
    place: str
    writable: bool = False


@dataclass
class Machine:
    """One service on an address of its own; its data stay in `mounts` when it dies."""

    name: str
    number: int
    folder: Path
    command: Sequence[str]
    environment: Mapping[str, str]
    mounts: Sequence[Mount]
    #: Contents by their place, copied at each start.
    files: Mapping[str, str]
    user: int
    read_only: bool
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Its address."""
        return _NETWORK.format(self.number)

    @property
    def runs(self) -> bool:
        """Whether it is up."""
        return self.process is not None and self.process.poll() is None

    def start(self, hosts: str) -> None:
        """Boot it and connect it with the network."""
        self._write(hosts)
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *(*_UNSHARE, "sh", str(_BOOT), str(self.folder), self.name, str(self.user)),
                    "ro" if self.read_only else "rw",
                    *(f"{name}={value}" for name, value in self.environment.items()),
                    *self.command,
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self._connect(self.process.pid)

    def die(self) -> None:
        """Take its power away: no process ends in order, no connection is closed."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def stop(self) -> None:
        """Have its service end in order; end it where it takes too long."""
        if self.process is None:
            return
        with suppress(psutil.NoSuchProcess, IndexError, subprocess.TimeoutExpired):
            psutil.Process(self.process.pid).children()[0].children()[0].terminate()
            self.process.wait(_GRACE_SECONDS)
            return
        self.die()

    def cut(self, other: Machine) -> None:
        """Lose everything that is sent between the two, silently, until `mend`."""
        for one, far in ((self, other), (other, self)):
            one._ip("neigh", "replace", far.address, "lladdr", _NOWHERE, "dev", "eth0", "nud", "permanent")

    def mend(self, other: Machine) -> None:
        """Undo `cut`; one of them may have been started anew meanwhile."""
        for one, far in ((self, other), (other, self)):
            with suppress(subprocess.CalledProcessError):
                one._ip("neigh", "del", far.address, "dev", "eth0")

    def _write(self, hosts: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(self.folder / "files", ignore_errors=True)
        (self.folder / "files").mkdir()
        (self.folder / "hosts").write_text(hosts)
        lines = [f"{one.source} {one.place} {'rw' if one.writable else 'ro'}\n" for one in self.mounts]
        (self.folder / "mounts").write_text("".join(lines))
        for place, content in self.files.items():
            path = self.folder / "files" / place.lstrip("/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)

    def _connect(self, pid: int) -> None:
        limit, own = time.monotonic() + _START_SECONDS, Path("/proc/self/ns/net").readlink()
        while Path(f"/proc/{pid}/ns/net").readlink() == own:
            if time.monotonic() > limit:
                raise TimeoutError(f"{self.name} has no network of its own")
            time.sleep(0.01)
        outside = f"to{self.number}"
        # The kernel takes its time to remove what a dead machine was connected by.
        subprocess.run(["ip", "link", "del", outside], check=False, stderr=subprocess.DEVNULL)
        # The same hardware address after each start, or the others would look for the old one for a while.
        inside = ("peer", "name", "eth0", "address", f"02:77:00:00:00:{self.number:02x}", "netns", str(pid))
        _run("ip", "link", "add", outside, "type", "veth", *inside)
        _run("ip", "link", "set", outside, "master", _BRIDGE, "up")
        self._ip("link", "set", "eth0", "up")
        self._ip("addr", "add", f"{self.address}/24", "dev", "eth0")

    def _ip(self, *arguments: str) -> None:
        assert self.process is not None
        _run("nsenter", f"--net=/proc/{self.process.pid}/ns/net", "ip", *arguments)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
