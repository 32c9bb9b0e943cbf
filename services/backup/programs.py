"""Run PostgreSQL's own programs against a database."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from psycopg.conninfo import conninfo_to_dict

from core.embedded.process import plain_environment
from core.embedded.programs import postgres_clients
from core.errors import InvalidInputError
from services.backup.codes import BackupRefused

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


def run_program(program: str, arguments: Sequence[str], dsn: str) -> str:
    """Return what the program prints. Raises InvalidInputError with the last line that it says where it fails."""
    given = conninfo_to_dict(dsn).items()
    named = {_VARIABLES[key]: str(value) for key, value in given if key in _VARIABLES and value is not None}
    done = subprocess.run(
        [postgres_clients() / program, *arguments],
        env=plain_environment() | named,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        said = (done.stderr.strip().splitlines() or [f"code {done.returncode}"])[-1]
        raise InvalidInputError(BackupRefused.PROGRAM_FAILED, program=program, said=said)
    return done.stdout
