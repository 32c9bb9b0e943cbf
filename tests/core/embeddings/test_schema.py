"""The schema of vectors: made once, made anew for vectors of another length, left out where it cannot be made."""

from __future__ import annotations

import psycopg
import pytest
from psycopg.errors import CheckViolation

from core.database import Database, upgrade
from core.errors import ConfigurationError
from core.llm import embeddings
from core.llm.embeddings import make_embeddings_schema, require_dimensions, stored_dimensions


def dimensions_of(dsn: str) -> int | None:
    database = Database(dsn)
    with database.session() as session:
        found = stored_dimensions(session)
    database.dispose()
    return found


def test_a_migrated_database_stores_vectors(empty_database_url: str) -> None:
    assert dimensions_of(empty_database_url) is None
    upgrade(empty_database_url)
    assert dimensions_of(empty_database_url) == 384
    with psycopg.connect(empty_database_url) as connection:
        insert = (
            "insert into embeddings.passage_embeddings"
            " values (sha256('a'), 'm', 384, array_fill(0.5, array[384])::vector)"
        )
        connection.execute(insert)
        with connection.transaction(force_rollback=True), pytest.raises(CheckViolation):
            connection.execute(insert.replace("'m', 384", "'n', 383"))
        assert make_embeddings_schema(connection, 384)
        assert connection.execute("select count(*) from embeddings.passage_embeddings").fetchone() == (1,)


def test_vectors_of_another_length_are_refused_until_the_table_is_made_anew(empty_database_url: str) -> None:
    upgrade(empty_database_url)
    require_dimensions(empty_database_url, 0)
    require_dimensions(empty_database_url, 384)
    with pytest.raises(ConfigurationError, match=r"1536 numbers .* 384: set EMBEDDINGS_DIMENSIONS"):
        require_dimensions(empty_database_url, 1536)
    upgrade(empty_database_url, dimensions=1536)
    require_dimensions(empty_database_url, 1536)
    assert dimensions_of(empty_database_url) == 1536


def test_without_the_extension_nothing_is_made(empty_database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "_EXTENSION", "no_such_extension")
    upgrade(empty_database_url)
    assert dimensions_of(empty_database_url) is None
    require_dimensions(empty_database_url, 1536)
