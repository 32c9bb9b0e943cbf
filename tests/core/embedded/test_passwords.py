"""Whoever reaches a socket without the secret of the var folder gets nothing, whatever user he is."""

from __future__ import annotations

import stat
from pathlib import Path

import psutil
import psycopg
import pytest
import redis
from psycopg.conninfo import make_conninfo

from core.embedded.account import FILE
from core.embedded.handles import start_postgres, start_valkey
from core.embedded.servers import APPLICATION, PASSWORD_STATE, SUPERUSER
from tests.support.embedded import KINDS, Kind, of_each

POSTGRES = KINDS["postgres"]


def refused(dsn: str, user: str, password: str) -> bool:
    try:
        psycopg.connect(make_conninfo(dsn, user=user, password=password)).close()
    except psycopg.OperationalError as error:
        return "password" in str(error)
    return False


def test_postgres_asks_everybody_for_the_password(var_dir: Path) -> None:
    with start_postgres(var_dir) as handle:
        for user in (SUPERUSER, APPLICATION):
            assert refused(handle.dsn, user, "") and refused(handle.dsn, user, "guess")
        with psycopg.connect(handle.dsn) as connection:
            word = connection.info.password
        assert refused(handle.dsn, SUPERUSER, word), "the application's password is not the superuser's"


@pytest.mark.usefixtures("from_nothing")
def test_valkey_asks_everybody_for_the_password(var_dir: Path) -> None:
    with start_valkey(var_dir) as handle:
        path = KINDS["valkey"].server(var_dir).place.socket_folder() / "valkey.sock"
        with (
            redis.Redis(unix_socket_path=str(path)) as client,
            pytest.raises(redis.AuthenticationError, match="authenticated"),
        ):
            client.ping()
        with redis.Redis.from_url(handle.url) as client:
            assert client.ping()


@pytest.mark.usefixtures("from_nothing")
def test_the_secret_is_its_owners_and_on_no_command_line(kind: Kind, var_dir: Path) -> None:
    with kind.start(var_dir) as handle:
        secret = var_dir / FILE
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600
        assert secret.stat().st_uid == var_dir.stat().st_uid
        word = kind.url(handle).partition("@")[0].rpartition(":")[2]
        assert len(word) == 64
        commands = of_each(kind.server(var_dir).processes(), psutil.Process.cmdline)
        assert word not in " ".join(part for command in commands for part in command)
        assert word not in (var_dir / "log" / f"{kind.name}.log").read_text()


def test_data_of_an_earlier_version_get_passwords(var_dir: Path) -> None:
    with start_postgres(var_dir) as handle:
        POSTGRES.write(handle.dsn, "kept")
        with POSTGRES.server(var_dir).connect() as connection:
            for role in (SUPERUSER, APPLICATION):
                connection.execute(f"ALTER ROLE {role} PASSWORD NULL")
    (var_dir / FILE).unlink()
    (var_dir / "postgres" / PASSWORD_STATE).unlink()
    (var_dir / "postgres" / "pg_hba.conf").write_text("local all all trust\n")
    with start_postgres(var_dir) as handle:
        assert POSTGRES.read(handle.dsn) == ["kept"]
        assert refused(handle.dsn, SUPERUSER, "")


def test_a_lost_secret_is_replaced(kind: Kind, var_dir: Path) -> None:
    with kind.start(var_dir) as handle:
        kind.write(kind.url(handle), "kept")
        before = kind.url(handle)
    (var_dir / FILE).unlink()
    with kind.start(var_dir) as handle:
        assert kind.url(handle) != before
        assert kind.read(kind.url(handle)) == ["kept"]


def test_the_application_is_no_superuser_and_cannot_become_one(var_dir: Path) -> None:
    with start_postgres(var_dir) as handle, psycopg.connect(handle.dsn, autocommit=True) as connection:
        row = connection.execute("SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user")
        assert row.fetchone() == (False, False)
        for statement in (
            f"SET ROLE {SUPERUSER}",
            f"ALTER ROLE {APPLICATION} SUPERUSER",
            "CREATE ROLE another SUPERUSER",
            f"ALTER ROLE {SUPERUSER} PASSWORD 'mine'",
            f"GRANT pg_execute_server_program TO {APPLICATION}",
            "COPY (SELECT 1) TO PROGRAM 'true'",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
