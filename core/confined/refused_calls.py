"""Refuse system calls that no parser needs: a seccomp filter, assembled here, on x86-64 and 64-bit ARM.

A list of what is refused, since nobody keeps a list of what parsers, NumPy and Python need; whatever a kernel has
gained since the lists were written is refused as unknown. Formats: linux/seccomp.h, linux/bpf_common.h,
linux/audit.h; numbers: asm/unistd_64.h for x86-64, asm-generic/unistd.h for ARM.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

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
#: Places in what a filter is shown: the call's number, its architecture, the lower half of its first argument.
_NUMBER, _ARCHITECTURE, _FIRST = 0, 4, 16
_NEW_THREAD = 0x10000
#: Stands for the id of the process whose filter it is.
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
    """Return a filter for `refuse_calls`, None for a machine that is not known."""
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
        *(_call(number, _step(_RETURN, _NO_SUCH_CALL)) for number in _numbers(_UNKNOWN, machine).values()),
        *(_call(number, _step(_RETURN, _REFUSE)) for number in _numbers(_REFUSED, machine).values()),
        _with_arguments(machine),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(steps)


def refuse_calls(steps: bytes) -> bool:
    """Filter the calls of this process, of one thread, for good, by `assembled` steps; returns whether it holds.

    The process must have given up new rights (PR_SET_NO_NEW_PRIVS).
    """
    return set_filter(for_process(steps, os.getpid()))


def for_process(steps: bytes, process: int) -> bytes:
    """Return an assembled filter as that of one process."""
    return steps.replace(_step(_EQUAL, _ITSELF, 0, 1), _step(_EQUAL, process, 0, 1))


def set_filter(steps: bytes) -> bool:
    """Filter the calls of this process; returns whether the system takes it."""
    program = _Program(len(steps) // 8, steps)
    option, mode = map(ctypes.c_ulong, _SET_FILTER)
    return bool(LIBC.prctl(option, mode, ctypes.byref(program), ctypes.c_ulong(), ctypes.c_ulong()) == 0)


def _with_arguments(machine: str) -> bytes:
    """New threads but no processes, no file opened for writing, no signal and no limit for another process.

    Of fcntl and ioctl only what is listed.
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
    return b"".join(_call(number, rules[name]) for name, number in _numbers(_LOOKED_AT, machine).items())


def _numbers(table: str, machine: str) -> dict[str, int]:
    words = table.split()
    numbers = words[1 + _MACHINES[machine][1] :: 3]
    return {name: int(number) for name, number in zip(words[::3], numbers, strict=True) if number != "-"}


def _call(number: int, then: bytes) -> bytes:
    """Steps for one call, which end with an answer; for any other they are passed over."""
    return _step(_EQUAL, number, 0, len(then) // 8) + then


def _where(argument: int, test: int, values: tuple[int, ...], then: int, otherwise: int) -> bytes:
    """Steps that answer `then` where an argument, counted from 0, passes the test with any of the values."""
    tests = (_step(test, value, 0, 1) + _step(_RETURN, then) for value in values)
    return _step(_LOAD, _FIRST + 8 * argument) + b"".join(tests) + _step(_RETURN, otherwise)


def _step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    """One instruction (struct sock_filter); `if_so` and `if_not` are steps to pass over."""
    return struct.pack("=HBBI", code, if_so, if_not, value)
