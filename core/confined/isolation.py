"""Take from a process what a parser does not need: files, other processes, the network, rights, system calls.

None of it needs rights: a kernel gives each part to any process, or to none. A nursery prepares a `Jail` once, and
each of its children locks itself in by a few calls. What the kernel does not give is missing from `held`.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from core.config import ROOT, python_environment
from core.confined.refused_calls import LIBC, assembled, refuse_calls
from core.confined.replies import OURS
from core.labels import LabelledEnum

#: From linux/sched.h, linux/prctl.h and linux/capability.h (version 3).
_NEW_USERS, _NEW_NETWORK = 0x10000000, 0x40000000
_SET_NO_NEW_PRIVS = 38
_CAPABILITIES_VERSION, _READ_ANY_FILE = 0x20080522, 1 << 2
#: Ids that no account has: the range that systemd gives to services without one (systemd.io, "UIDs and GIDs").
_FIRST, _LAST = 61184, 65519
#: Landlock's system calls, alike on all machines, and what linux/landlock.h has them told.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION, _PATH_BENEATH = 1, 1
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
#: Kinds of access to files that a version knows: all are refused but for reading what is listed.
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
_FILE_RIGHTS_NOW = 16
#: To bind and connect TCP sockets; to reach abstract sockets and signal processes outside.
_TCP, _TCP_SINCE = 0b11, 4
_OUTSIDE, _OUTSIDE_SINCE = 0b11, 6
#: What parsers and Python read beside the folders of modules, where there is such a place.
_OF_THE_SYSTEM = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share",
    "/usr/local/share/fonts",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/mime.types",
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    "/sys/devices/system/cpu",
)


class Protection(LabelledEnum, places=("protections",)):
    """A part of a child's jail, which a kernel may or may not give."""

    FILES = "files", "reading no other files (Landlock of Linux 5.13)"
    OUTSIDE = "outside", "signalling no other process (Landlock of Linux 6.12)"
    CALLS = "calls", "a filter of system calls (seccomp on x86-64 and 64-bit ARM)"
    NETWORK = "network", "an empty network (user namespaces)"
    RIGHTS = "rights", "not being root"


#: What holds in this process.
_held: list[Protection] = []


def held() -> tuple[str, ...]:
    """The keys of the protections that this process has locked itself into."""
    return tuple(map(str, _held))


class Jail:
    """What a nursery makes ready for its children."""

    def __init__(self) -> None:
        """Leave the network, and new rights for good; of a process of one thread."""
        self._leaves_root = os.geteuid() == 0 and can_leave_root()
        self._network = leave_network()
        self._rules: int | None = None
        self._scopes = False
        self._filter: bytes | None = None
        if sys.platform.startswith("linux") and _control(_SET_NO_NEW_PRIVS, 1) == 0:
            version = _call(_CREATE_RULESET, 0, 0, _ASK_VERSION)
            if version > 0:
                self._rules, self._scopes = _rules(version), version >= _OUTSIDE_SINCE
            self._filter = assembled(platform.machine())

    def descriptors(self) -> tuple[int, ...]:
        """What `lock` needs open."""
        return () if self._rules is None else (self._rules,)

    def lock(self) -> None:
        """Lock this process in, for good: a child of the nursery, of one thread."""
        if self._leaves_root:
            leave_root()
        if _drop_capabilities() and os.geteuid() != 0:
            _held.append(Protection.RIGHTS)
        if self._network:
            _held.append(Protection.NETWORK)
        if self._rules is not None and _call(_RESTRICT_SELF, self._rules, 0) == 0:
            _held.extend((Protection.FILES, Protection.OUTSIDE) if self._scopes else (Protection.FILES,))
        if self._rules is not None:
            os.close(self._rules)
        if self._filter is not None and refuse_calls(self._filter):
            _held.append(Protection.CALLS)


def leave_network() -> bool:
    """Move this process, of one thread, to a network namespace of its own; return whether the system allows it."""
    if not sys.platform.startswith("linux"):
        return False
    unshare = LIBC.unshare
    return bool(unshare(_NEW_NETWORK if os.geteuid() == 0 else _NEW_USERS | _NEW_NETWORK) == 0)


def can_leave_root() -> bool:
    """Whether a process that gives up root can still read the program and Python's libraries; tried in a child."""
    if (child := os.fork()) == 0:
        try:
            leave_root()
            reads = all(os.access(place, os.R_OK | os.X_OK) for place in sys.path if Path(place).is_dir())
            os._exit(0 if reads else 1)
        except BaseException:  # noqa: BLE001 - a fork must not run on in its parent's place
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def has_own_id() -> bool:
    """Whether this process has left root for an id of its own."""
    return _FIRST <= os.getuid() < _LAST


def leave_root() -> None:
    """Give up root for an id that no account and, nearly always, no other process has. Raises OSError."""
    free = _FIRST + os.getpid() % (_LAST - _FIRST)
    os.setgroups([])
    os.setresgid(free, free, free)
    os.setresuid(free, free, free)


def _drop_capabilities() -> bool:
    """Give up all capabilities, returns whether they are; what stays root reads all files, as only root can."""
    if not sys.platform.startswith("linux"):
        return True
    kept = _READ_ANY_FILE if os.geteuid() == 0 else 0
    header = struct.pack("=Ii", _CAPABILITIES_VERSION, 0)
    return bool(LIBC.capset(header, struct.pack("=6I", kept, kept, 0, 0, 0, 0)) == 0)


def _rules(version: int) -> int | None:
    """Return a descriptor of Landlock's rules for a parser, None where they cannot be made."""
    files = (1 << _FILE_RIGHTS.get(version, _FILE_RIGHTS_NOW)) - 1
    handled = struct.pack(
        "=QQQ",
        files,
        _TCP if version >= _TCP_SINCE else 0,
        _OUTSIDE if version >= _OUTSIDE_SINCE else 0,
    )
    rules = _call(_CREATE_RULESET, handled, len(handled), 0)
    if rules < 0:
        return None
    for place in _readable():
        with suppress(OSError):
            _allow_reading(rules, place)
    return rules


def _allow_reading(rules: int, place: Path) -> None:
    opened = os.open(place, os.O_PATH | os.O_CLOEXEC)
    try:
        access = _READ_FILE | (_READ_FOLDER if place.is_dir() else 0)
        _call(_ADD_RULE, rules, _PATH_BENEATH, struct.pack("=Qi", access, opened), 0)
    finally:
        os.close(opened)


def _readable() -> Iterator[Path]:
    """Yield what a parser reads: modules and libraries; of the program's folder, which may hold data, packages."""
    for package in OURS:
        # The folder itself cannot be listed afterwards, so that its packages are found now.
        with suppress(ImportError):
            import_module(package)
        yield ROOT / package
    libraries = python_environment().get("LD_LIBRARY_PATH", "").split(os.pathsep)
    for place in (*sys.path, f"{sys.base_prefix}/lib", *filter(None, libraries)):
        if not ROOT.is_relative_to(found := Path(place).resolve()):
            yield found
    yield from map(Path, _OF_THE_SYSTEM)


def _call(number: int, *arguments: int | bytes) -> int:
    """Make a system call that the C library has no function for; -1 where it fails."""
    given = (one if isinstance(one, bytes) else ctypes.c_long(one) for one in arguments)
    return int(LIBC.syscall(ctypes.c_long(number), *given))


def _control(option: int, *arguments: int) -> int:
    """Call prctl(2)."""
    given = [*arguments, 0, 0, 0, 0][:4]
    return int(LIBC.prctl(ctypes.c_int(option), *map(ctypes.c_ulong, given)))
