"""Extensions, which only a superuser may make, are there for the application."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from core.embedded.handles import start_postgres
from core.embedded.place import ServerPaths
from core.embedded.servers import APPLICATION, EXTENSION_STATE, PostgresServer


def has_vectors(dsn: str) -> bool:
    with psycopg.connect(dsn) as connection:
        return connection.execute("select '[1,2]'::text::vector <#> '[3,4]' = -11").fetchone() == (True,)


@pytest.mark.usefixtures("from_nothing")
def test_databases_that_exist_get_them_too(var_dir: Path) -> None:
    place = ServerPaths.of(var_dir, PostgresServer.name)
    with start_postgres(var_dir) as handle:
        assert has_vectors(handle.dsn)
        with PostgresServer(place).connect(APPLICATION) as connection:
            connection.execute("drop extension vector")
    (place.data / EXTENSION_STATE).unlink()
    with start_postgres(var_dir) as handle:
        assert has_vectors(handle.dsn)
        with psycopg.connect(handle.dsn, autocommit=True) as connection:
            connection.execute("create database another")
        assert has_vectors(handle.dsn.replace(f"/{APPLICATION}?", "/another?"))
