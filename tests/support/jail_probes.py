"""Try what a parser that was taken over would: `python -m tests.support.jail_probes <folder> <servers> <lacking>`.

Starts the embedded servers in the folder, has the system refuse this process what the protections named `lacking`
are made of, and makes each try twice: in a plain fork of this process, and in a child that parses files. Prints
JSON: the protections that children go without, and by each try both outcomes.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import os
import platform
import resource
import signal
import socket
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from core.auth.keys import key_path, secret_key
from core.config import load_settings
from core.confined import isolation
from core.confined.children import missing_protections, one_child
from core.confined.isolation import Protection, has_own_id, leave_root
from core.confined.limits import ConfinedLimits, impose
from core.errors import AppError
from core.tracing.log import configure_logging
from tests.support.embedded import KINDS

DONE, REFUSED = "done", "refused"
_NO_NEW_PRIVS, _SET_FILTER, _SEIZE = 38, 22, 0x4206
#: (name, its numbers as in `refused_calls`, the steps that refuse it), by protection.
_LACKING = {
    Protection.FILES: ("landlock_create_ruleset 444 444", isolation._step(isolation._RETURN, 0x50026)),
    Protection.CALLS: (
        "prctl 157 167",
        isolation._where(0, isolation._EQUAL, (_SET_FILTER,), 0x50016, isolation._ALLOW),
    ),
    Protection.NETWORK: ("unshare 272 97", isolation._step(isolation._RETURN, 0x50001)),
}


def read(path: str) -> None:
    Path(path).read_bytes()


def list_folder(path: str) -> None:
    list(Path(path).iterdir())


def overwrite(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_TRUNC))


def create(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT))


def delete(path: str) -> None:
    Path(path).unlink()


def open_to_all(path: str) -> None:
    Path(path).chmod(0o644)


def watch(path: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    _checked(libc.inotify_add_watch(_checked(libc.inotify_init1(0)), path.encode(), 2))


def connect_unix(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)


def connect_tcp(port: int) -> None:
    socket.create_connection(("127.0.0.1", port), timeout=5).close()


def listen() -> None:
    socket.create_server(("127.0.0.1", 0)).close()


def trace(pid: int) -> None:
    _checked(ctypes.CDLL(None, use_errno=True).ptrace(_SEIZE, pid, None, None))


def read_environment(pid: int) -> None:
    assert Path(f"/proc/{pid}/environ").read_bytes()


def read_memory(pid: int) -> None:
    with Path(f"/proc/{pid}/mem").open("rb") as memory:
        memory.seek(id(None))


def send_signal(pid: int) -> None:
    os.kill(pid, signal.SIGWINCH)


def signal_nursery() -> None:
    os.kill(os.getppid(), signal.SIGWINCH)


def signal_group() -> None:
    os.killpg(0, signal.SIGWINCH)


def have_signals_sent(pid: int) -> None:
    fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, pid)


def be_told_of_changes() -> None:
    folder = os.open(Path(os.__file__).parent, os.O_RDONLY)
    fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_CREATE)


def ask_for_lease() -> None:
    fcntl.fcntl(os.open(os.__file__, os.O_RDONLY), fcntl.F_GETLEASE)


def control_descriptor() -> None:
    fcntl.ioctl(os.pipe()[0], 0x5421, b"\1\0\0\0")


def sync_disks() -> None:
    _checked(ctypes.CDLL(None, use_errno=True).syncfs(os.pipe()[0]))


def use_what_is_inherited() -> None:
    """A line to who asks is one socket; nothing of the kernel's own is needed, as epoll is."""
    modes = []
    for number in range(64):
        with suppress(OSError):
            modes.append(os.fstat(number).st_mode)
    if sum(map(stat.S_ISSOCK, modes)) <= 1 and all(map(stat.S_IFMT, modes)):
        raise OSError(errno.EBADF, "nothing")


def lift_processor_time() -> None:
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    if hard != resource.RLIM_INFINITY:
        lifted = (ctypes.c_ulong * 2)(hard + 1, hard + 1)
        _checked(ctypes.CDLL(None, use_errno=True).setrlimit(resource.RLIMIT_CPU, lifted))


def start_threads(with_own_id: bool) -> None:
    """Of an ordinary id, in a fork of root."""
    leave_root()
    # A fork of a large process is as large.
    impose(ConfinedLimits(memory_bytes=1 << 40), with_own_id and has_own_id())
    end = threading.Event()
    threading.stack_size(1 << 16)
    try:
        for _ in range(300):
            threading.Thread(target=end.wait).start()
    except RuntimeError as error:
        raise OSError(errno.EAGAIN, "threads") from error
    finally:
        end.set()


def limit(pid: int) -> None:
    resource.prlimit(pid, resource.RLIMIT_CORE, resource.prlimit(pid, resource.RLIMIT_CORE))


def execute() -> None:
    os.execv("/bin/true", ["true"])


def start_process() -> None:
    if not (child := os.fork()):
        os._exit(0)
    os.waitpid(child, 0)


def make_namespace() -> None:
    _checked(ctypes.CDLL(None, use_errno=True).unshare(0x10000000))


def share_memory() -> None:
    _checked(ctypes.CDLL(None, use_errno=True).shmget(0, 4096, 0o1600))


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def _tries(
    folder: Path, sockets: dict[str, Path], port: int
) -> Iterator[tuple[str, Callable[..., None], tuple[Any, ...]]]:
    key, beside, mine = str(key_path(_settings(folder))), str(folder / "beside"), os.getpid()
    yield "read the key", read, (key,)
    yield "list the folder of the key", list_folder, (str(folder),)
    yield "overwrite a file", overwrite, (beside,)
    yield "create a file", create, (str(folder / "created"),)
    yield "open a file to all", open_to_all, (key,)
    yield "watch a folder", watch, (str(folder),)
    for name, path in sockets.items():
        yield f"connect to {name}", connect_unix, (str(path),)
    yield "connect by TCP", connect_tcp, (port,)
    yield "listen", listen, ()
    yield "trace who asks", trace, (mine,)
    yield "read the environment of who asks", read_environment, (mine,)
    yield "read the memory of who asks", read_memory, (mine,)
    yield "signal who asks", send_signal, (mine,)
    yield "signal its own parent", signal_nursery, ()
    yield "signal its group", signal_group, ()
    yield "have signals sent", have_signals_sent, (mine,)
    yield "be told of changes", be_told_of_changes, ()
    yield "ask for a lease", ask_for_lease, ()
    yield "control a descriptor", control_descriptor, ()
    yield "sync disks", sync_disks, ()
    yield "use what is inherited", use_what_is_inherited, ()
    yield "lift its processor time", lift_processor_time, ()
    yield "limit who asks", limit, (mine,)
    yield "execute", execute, ()
    yield "start a process", start_process, ()
    yield "make a namespace", make_namespace, ()
    yield "share memory", share_memory, ()
    # Last, as the fork does delete it.
    yield "delete a file", delete, (beside,)


def attempt(act: Callable[..., None], arguments: tuple[Any, ...]) -> str:
    """Return `DONE`, or what was raised."""
    try:
        act(*arguments)
    except OSError as error:
        return f"{REFUSED}: {errno.errorcode[error.errno]}" if error.errno else repr(error)
    return DONE


def in_fork(act: Callable[..., None], arguments: tuple[Any, ...]) -> str:
    told, end = os.pipe()
    if not (child := os.fork()):
        with suppress(BaseException):
            os.write(end, attempt(act, arguments).encode())
        os._exit(0)
    os.close(end)
    with open(told, "rb") as told_by:  # noqa: PTH123
        # One that has become another program says nothing, since the pipe is closed for it.
        said = told_by.read().decode() or DONE
    os.waitpid(child, 0)
    return said


def _in_child(act: Callable[..., None], arguments: tuple[Any, ...]) -> str:
    with one_child(__name__) as child:
        try:
            return str(child.call(attempt, act, arguments))
        except AppError as error:
            return repr(error)
        finally:
            # One that traces this process would stop it at the next signal.
            child.close()


def _settings(folder: Path) -> Any:
    return load_settings(_env_file=None, var_dir=folder)


@contextmanager
def _prepared(folder: Path, servers: list[str]) -> Iterator[tuple[dict[str, Path], int]]:
    """A folder with a key and a file beside it, running servers; yields the sockets and a TCP port."""
    configure_logging(_settings(folder))
    secret_key(_settings(folder))
    (folder / "beside").write_text("x")
    with ExitStack() as running, socket.create_server(("127.0.0.1", 0)) as tcp:
        for name in servers:
            running.enter_context(KINDS[name].start(folder))
        places = {name: KINDS[name].server(folder).place.socket_folder() for name in servers}
        sockets = {name: next(filter(Path.is_socket, place.iterdir())) for name, place in places.items()}
        yield sockets, tcp.getsockname()[1]


def _have_refused(lacking: list[Protection]) -> None:
    """Have this process and all that it starts live on a system without what these protections are made of."""
    machine = platform.machine()
    calls = [isolation._step(isolation._LOAD, 0)]
    for protection in lacking:
        names, steps = _LACKING[protection]
        calls += [isolation._on_call(one, steps) for one in isolation._numbers(names, machine).values()]
    calls.append(isolation._step(isolation._RETURN, isolation._ALLOW))
    assert ctypes.CDLL(None).prctl(_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    assert isolation.set_filter(b"".join(calls))


def main() -> None:
    folder, servers, lacking = Path(sys.argv[1]), sys.argv[2].split(), sys.argv[3].split()
    with _prepared(folder, servers) as (sockets, port):
        if lacking:
            _have_refused([Protection(one) for one in lacking])
        outcomes = {
            name: (_in_child(act, arguments), in_fork(act, arguments))
            for name, act, arguments in _tries(folder, sockets, port)
        }
        print(json.dumps({"missing": missing_protections(), "outcomes": outcomes}))  # noqa: T201


if __name__ == "__main__":
    # By its name, so that children know what is pickled.
    from tests.support.jail_probes import main as named

    named()
