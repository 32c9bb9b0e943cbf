"""Run PostgreSQL's own programs against a database."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO

from psycopg.conninfo import conninfo_to_dict

from core.embedded.process import plain_environment
from core.embedded.programs import postgres_clients
from core.errors import InvalidInputError
from services.backup.codes import BackupRefused, refusal

#: libpq's variables for parts of a connection string. On the command line everybody could read a password.
_VARIABLES = {
    "host": "PGHOST",
    "hostaddr": "PGHOSTADDR",
    "port": "PGPORT",
    "dbname": "PGDATABASE",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "passfile": "PGPASSFILE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "options": "PGOPTIONS",
}


@contextmanager
def printed_by(program: str, arguments: Sequence[str], dsn: str) -> Iterator[IO[bytes]]:
    """Give what the program prints as a stream, and end the program with the block.

    Raises InvalidInputError with the last line that the program says where it fails.
    """
    process = _started(program, arguments, dsn, subprocess.DEVNULL)
    assert process.stdout is not None
    said: list[bytes] = []
    listening = _in_thread(lambda: said.append(process.stderr.read() if process.stderr else b""))
    try:
        yield process.stdout
        process.stdout.close()
    except BaseException:
        process.kill()
        raise
    finally:
        process.wait()
        listening.join()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
    _require_done(program, process.returncode, said[0])


def run_program(program: str, arguments: Sequence[str], dsn: str, feed: Callable[[IO[bytes]], None]) -> str:
    """Return what the program prints, to which `feed` writes what it reads.

    The program may end before it has read all of it. Where `feed` fails, the program finds too little. Raises
    InvalidInputError with the last line that it says where it fails.
    """
    process = _started(program, arguments, dsn, subprocess.PIPE)
    stdin, process.stdin = process.stdin, None
    assert stdin is not None
    feeding = _in_thread(lambda: _feed(feed, stdin))
    try:
        printed, said = process.communicate()
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        feeding.join()
    _require_done(program, process.returncode, said)
    return printed.decode()


def _started(program: str, arguments: Sequence[str], dsn: str, stdin: int) -> subprocess.Popen[bytes]:
    given = conninfo_to_dict(dsn).items()
    named = {_VARIABLES[key]: str(value) for key, value in given if key in _VARIABLES and value is not None}
    return subprocess.Popen(
        [postgres_clients() / program, *arguments],
        env=plain_environment() | named,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def _in_thread(do: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    return thread


def _feed(feed: Callable[[IO[bytes]], None], stdin: IO[bytes]) -> None:
    with suppress(OSError, InvalidInputError), stdin:
        feed(stdin)


def _require_done(program: str, code: int, said: bytes) -> None:
    if code:
        last = (said.decode(errors="replace").strip().splitlines() or [f"code {code}"])[-1]
        raise refusal(BackupRefused.PROGRAM_FAILED, program=program, said=last)
