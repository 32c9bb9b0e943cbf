"""Take from a process what a parser does not need: files, other processes, the network, rights, system calls.

None of it needs privileges: a kernel offers each part to every process, or to none. A nursery prepares a `Jail`
once, and each of its children locks itself in by a few calls. `held` lists what the kernel offers.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from core.config import ROOT, inherited
from core.confined.replies import OURS
from core.messages import LabelledEnum

#: From linux/sched.h, linux/prctl.h and linux/capability.h (version 3).
_NEW_USERS, _NEW_NETWORK = 0x10000000, 0x40000000
_SET_NO_NEW_PRIVS = 38
_CAPABILITIES_VERSION, _READ_ANY_FILE = 0x20080522, 1 << 2
#: Ids that no account has: the range that systemd gives to services without one (systemd.io, "UIDs and GIDs").
_FIRST, _LAST = 61184, 65519
#: Landlock's system calls, the same on all architectures, and their constants in linux/landlock.h.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION, _PATH_BENEATH = 1, 1
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
#: Kinds of access to files that a version knows: all are refused but for reading what is listed.
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
_FILE_RIGHTS_NOW = 16
#: To bind and connect TCP sockets; to reach abstract sockets and signal processes outside.
_TCP, _TCP_SINCE = 0b11, 4
_OUTSIDE, _OUTSIDE_SINCE = 0b11, 6
#: What parsers and Python read besides the folders of modules, if it exists.
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


#: The protections that are active in this process.
_held: list[Protection] = []


def held() -> tuple[str, ...]:
    """The keys of the protections that are active in this process."""
    return tuple(map(str, _held))


class Jail:
    """What a nursery prepares for its children."""

    def __init__(self) -> None:
        """Give up the network and new privileges for good. The process must have one thread only."""
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
        """The descriptors that `lock` needs open."""
        return () if self._rules is None else (self._rules,)

    def lock(self) -> None:
        """Lock this process in for good. It must be a child of the nursery with one thread only."""
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
    """Move this single-threaded process to its own network namespace; return whether the system allows it."""
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
    """Whether this process has given up root for its own user id."""
    return _FIRST <= os.getuid() < _LAST


def leave_root() -> None:
    """Change from root to a user id that no account and, nearly always, no process has. Raises OSError."""
    free = _FIRST + os.getpid() % (_LAST - _FIRST)
    os.setgroups([])
    os.setresgid(free, free, free)
    os.setresuid(free, free, free)


def _drop_capabilities() -> bool:
    """Give up all capabilities and return whether that worked; root keeps the one for reading any file."""
    if not sys.platform.startswith("linux"):
        return True
    kept = _READ_ANY_FILE if os.geteuid() == 0 else 0
    header = struct.pack("=Ii", _CAPABILITIES_VERSION, 0)
    return bool(LIBC.capset(header, struct.pack("=6I", kept, kept, 0, 0, 0, 0)) == 0)


def _rules(version: int) -> int | None:
    """Return a descriptor of Landlock's rules for a parser, None where they cannot be made."""
    files = (1 << _FILE_RIGHTS.get(version, _FILE_RIGHTS_NOW)) - 1
    handled = struct.pack(
        "=QQQ", files, _TCP if version >= _TCP_SINCE else 0, _OUTSIDE if version >= _OUTSIDE_SINCE else 0
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
    """Yield what a parser reads: modules, libraries, and of the program's folder the packages, not the data."""
    for package in OURS:
        # The folder itself cannot be listed afterwards, so that its packages are found now.
        with suppress(ImportError):
            import_module(package)
        yield ROOT / package
    libraries = inherited("LD_LIBRARY_PATH").get("LD_LIBRARY_PATH", "").split(os.pathsep)
    for place in (*sys.path, f"{sys.base_prefix}/lib", *filter(None, libraries)):
        if not ROOT.is_relative_to(found := Path(place).resolve()):
            yield found
    yield from map(Path, _OF_THE_SYSTEM)


def _call(number: int, *arguments: int | bytes) -> int:
    """Make a system call that the C library has no function for; -1 where it fails."""
    given = (one if isinstance(one, bytes) else ctypes.c_long(one) for one in arguments)
    return int(LIBC.syscall(ctypes.c_long(number), *given))


def _control(option: int, *arguments: int) -> int:
    given = [*arguments, 0, 0, 0, 0][:4]
    return int(LIBC.prctl(ctypes.c_int(option), *map(ctypes.c_ulong, given)))


# Refuse system calls that no parser needs: a seccomp filter, assembled here, on x86-64 and 64-bit ARM.
#
# A list of refused calls, since nobody maintains a list of those that parsers, NumPy and Python need. Calls that
# are newer than the lists are refused as unknown. Formats: linux/seccomp.h, linux/bpf_common.h,
# linux/audit.h; numbers: asm/unistd_64.h for x86-64, asm-generic/unistd.h for ARM.


#: Names of calls, each with its number on x86-64 and on 64-bit ARM; `-` where there is no such call.
_REFUSED = """
socket 41 198  socketpair 53 199  connect 42 203  bind 49 200  listen 50 201  accept 43 202  accept4 288 242

fork 57 -  vfork 58 -  execve 59 221  execveat 322 281  ptrace 101 117  process_vm_readv 310 270
process_vm_writev 311 271  process_madvise 440 440  process_mrelease 448 448  kcmp 312 272  pidfd_open 434 434
pidfd_getfd 438 438  pidfd_send_signal 424 424  tkill 200 130  rt_sigqueueinfo 129 138  rt_tgsigqueueinfo 297 240
setpriority 141 140  ioprio_set 251 30  sched_setaffinity 203 122  sched_setscheduler 144 119
sched_setparam 142 118  sched_setattr 314 274  migrate_pages 256 238  move_pages 279 239  get_robust_list 274 100

setuid 105 146  setgid 106 144  setreuid 113 145  setregid 114 143  setresuid 117 147  setresgid 119 149
setfsuid 122 151  setfsgid 123 152  setgroups 116 159  capset 126 91  personality 135 92  unshare 272 97
setns 308 268  keyctl 250 219  add_key 248 217  request_key 249 218

creat 85 -  unlink 87 -  unlinkat 263 35  rename 82 -  renameat 264 38  renameat2 316 276  link 86 -
linkat 265 37  symlink 88 -  symlinkat 266 36  mkdir 83 -  mkdirat 258 34  rmdir 84 -  mknod 133 -  mknodat 259 33
chmod 90 -  fchmod 91 52  fchmodat 268 53  chown 92 -  fchown 93 55  lchown 94 -  fchownat 260 54  truncate 76 45
ftruncate 77 46  fallocate 285 47  utime 132 -  utimes 235 -  utimensat 280 88  futimesat 261 -  setxattr 188 5
lsetxattr 189 6  fsetxattr 190 7  removexattr 197 14  lremovexattr 198 15  fremovexattr 199 16
open_by_handle_at 304 265  name_to_handle_at 303 264  inotify_init 253 -  inotify_init1 294 26
inotify_add_watch 254 27  fanotify_init 300 262  fanotify_mark 301 263  memfd_create 319 279  memfd_secret 447 447

mount 165 40  umount2 166 39  pivot_root 155 41  chroot 161 51  mount_setattr 442 442  move_mount 429 429
open_tree 428 428  fsopen 430 430  fsconfig 431 431  fsmount 432 432  fspick 433 433  swapon 167 224
swapoff 168 225  quotactl 179 60  quotactl_fd 443 443  sync 162 81  syncfs 306 267

shmget 29 194  shmat 30 196  shmctl 31 195  msgget 68 186  msgsnd 69 189  msgrcv 70 188  msgctl 71 187
semget 64 190  semop 65 193  semtimedop 220 192  semctl 66 191  mq_open 240 180  mq_unlink 241 181

bpf 321 280  perf_event_open 298 241  io_uring_setup 425 425  io_uring_enter 426 426  io_uring_register 427 427
io_setup 206 0  io_destroy 207 1  io_getevents 208 4  io_submit 209 2  io_cancel 210 3  io_pgetevents 333 292
userfaultfd 323 282  init_module 175 105  finit_module 313 273  delete_module 176 106  kexec_load 246 104
kexec_file_load 320 294  reboot 169 142  syslog 103 116  acct 163 89  settimeofday 164 170  clock_settime 227 112
clock_adjtime 305 266  adjtimex 159 171  iopl 172 -  ioperm 173 -  modify_ldt 154 -  lookup_dcookie 212 18
nfsservctl 180 42  vhangup 153 58  sethostname 170 161  setdomainname 171 162
"""
#: Calls of which some arguments are refused, see `_with_arguments`.
_LOOKED_AT = """
clone 56 220  open 2 -  openat 257 56  kill 62 129  tgkill 234 131  prlimit64 302 261  fcntl 72 25  ioctl 16 29
"""
#: Calls whose arguments a filter cannot see; libraries do without them where the kernel has none.
_UNKNOWN = "clone3 435 435  openat2 437 437"
#: The first number that neither list of calls has.
_NEWER = 451

#: By the machine's name: its number in linux/audit.h, and its column above.
_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_REFUSE, _NO_SUCH_CALL = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
#: Offsets in the input of a filter: the call's number, its architecture, the lower half of its first argument.
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_NEW_THREAD = 0x10000
#: Placeholder for the id of the filtered process.
_ITSELF = 0xFFFFFFFE
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
#: All that is allowed of fcntl: F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC; no signals, leases, locks.
_OF_FCNTL = (0, 1, 2, 3, 1030)
#: All that is allowed of ioctl: FIONCLEX, FIOCLEX, FIONREAD, and what asks for a terminal, TCGETS.
_OF_IOCTL = (0x5450, 0x5451, 0x541B, 0x5401)
_SET_FILTER = (22, 2)
#: The C library, opened once: a child that opens it takes longer to start.
LIBC = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def assembled(machine: str) -> bytes | None:
    """Return a filter for `refuse_calls`, None for an unknown machine."""
    if machine not in _MACHINES or ctypes.sizeof(ctypes.c_void_p) != 8:
        return None
    architecture, _ = _MACHINES[machine]
    steps = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, architecture, 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
        _step(_AT_LEAST, _NEWER, 0, 1),
        _step(_RETURN, _NO_SUCH_CALL),
        *(_on_call(number, _step(_RETURN, _NO_SUCH_CALL)) for number in _numbers(_UNKNOWN, machine).values()),
        *(_on_call(number, _step(_RETURN, _REFUSE)) for number in _numbers(_REFUSED, machine).values()),
        _with_arguments(machine),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(steps)


def refuse_calls(steps: bytes) -> bool:
    """Filter the calls of this single-threaded process for good by `assembled` steps; return whether it worked.

    The process must have given up new privileges (PR_SET_NO_NEW_PRIVS).
    """
    return set_filter(for_process(steps, os.getpid()))


def for_process(steps: bytes, process: int) -> bytes:
    """Return an assembled filter as that of one process."""
    return steps.replace(_step(_EQUAL, _ITSELF, 0, 1), _step(_EQUAL, process, 0, 1))


def set_filter(steps: bytes) -> bool:
    """Filter the calls of this process; return whether the system accepts the filter."""
    program = _Program(len(steps) // 8, steps)
    option, mode = map(ctypes.c_ulong, _SET_FILTER)
    return bool(LIBC.prctl(option, mode, ctypes.byref(program), ctypes.c_ulong(), ctypes.c_ulong()) == 0)


def _with_arguments(machine: str) -> bytes:
    """Allow new threads; refuse new processes, opening files to write, and signals and limits of other processes.

    Of fcntl and ioctl, allow only what is listed.
    """
    rules = {
        "clone": _where(0, _ANY_BIT, (_NEW_THREAD,), _ALLOW, _REFUSE),
        "open": _where(1, _ANY_BIT, (_WRITES,), _REFUSE, _ALLOW),
        "openat": _where(2, _ANY_BIT, (_WRITES,), _REFUSE, _ALLOW),
        "kill": _where(0, _EQUAL, (_ITSELF,), _ALLOW, _REFUSE),
        "tgkill": _where(0, _EQUAL, (_ITSELF,), _ALLOW, _REFUSE),
        "prlimit64": _where(0, _EQUAL, (0, _ITSELF), _ALLOW, _REFUSE),
        "fcntl": _where(1, _EQUAL, _OF_FCNTL, _ALLOW, _REFUSE),
        "ioctl": _where(1, _EQUAL, _OF_IOCTL, _ALLOW, _REFUSE),
    }
    return b"".join(_on_call(number, rules[name]) for name, number in _numbers(_LOOKED_AT, machine).items())


def _numbers(table: str, machine: str) -> dict[str, int]:
    words = table.split()
    numbers = words[1 + _MACHINES[machine][1] :: 3]
    return {name: int(number) for name, number in zip(words[::3], numbers, strict=True) if number != "-"}


def _on_call(number: int, then: bytes) -> bytes:
    """Steps for one call, which end with a verdict; other calls skip them."""
    return _step(_EQUAL, number, 0, len(then) // 8) + then


def _where(argument: int, test: int, values: tuple[int, ...], then: int, otherwise: int) -> bytes:
    """Steps that answer `then` where an argument, counted from 0, passes the test with any of the values."""
    tests = (_step(test, value, 0, 1) + _step(_RETURN, then) for value in values)
    return _step(_LOAD, _FIRST_ARGUMENT + 8 * argument) + b"".join(tests) + _step(_RETURN, otherwise)


def _step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    """One instruction (struct sock_filter); `if_so` and `if_not` are numbers of steps to skip."""
    return struct.pack("=HBBI", code, if_so, if_not, value)
