"""The schema of vectors: made where pgvector is there, made anew where its vectors have another length."""

from __future__ import annotations

import psycopg
from psycopg import sql
from psycopg.errors import FeatureNotSupported, InsufficientPrivilege, UndefinedFile
from sqlalchemy import text
from sqlalchemy.orm import Session

from core.config import ROOT
from core.errors import ConfigurationError

_SQL = ROOT / "supabase" / "embeddings.sql"
_EXTENSION = "vector"
#: Null where there is no table.
_DIMENSIONS = """
    select max(atttypmod) from pg_attribute
    where attrelid = to_regclass('embeddings.passage_embeddings') and attname = 'vector'
"""


def make_embeddings_schema(connection: psycopg.Connection, dimensions: int) -> bool:
    """Make what is missing for vectors of this length; return whether they can be stored.

    The extension is made where the role may do so; False where it is not there and may not be made. Vectors of
    another length are dropped: they can be computed anew.
    """
    if not _has_extension(connection):
        return False
    with connection.transaction():
        there = connection.execute(_DIMENSIONS).fetchone()
        if there is not None and there[0] not in (None, dimensions):
            connection.execute("drop schema embeddings cascade")
        connection.execute(_SQL.read_text(encoding="utf-8").replace(":dimensions", str(dimensions)).encode())
    return True


def stored_dimensions(session: Session) -> int | None:
    """Return the length of the vectors that can be stored; None where none can."""
    stored: int | None = session.scalar(text(_DIMENSIONS))
    return stored


def require_dimensions(dsn: str, dimensions: int) -> None:
    """Raise ConfigurationError if the embedder's vectors have another length than those that can be stored.

    0 dimensions, and a database without pgvector, fit everything: words alone decide.
    """
    with psycopg.connect(dsn) as connection:
        row = connection.execute(_DIMENSIONS).fetchone()
    stored = None if row is None else row[0]
    if dimensions and stored not in (None, dimensions):
        raise ConfigurationError(
            f"the embedder gives vectors of {dimensions} numbers and the database stores vectors of {stored}: "
            f"set EMBEDDINGS_DIMENSIONS to {stored}, or run `flask db-upgrade`, which makes room for the others"
        )


def _has_extension(connection: psycopg.Connection) -> bool:
    asked = "select exists (select from pg_extension where extname = %s)"
    if connection.execute(asked, [_EXTENSION]).fetchone() == (True,):
        return True
    try:
        with connection.transaction():
            connection.execute(sql.SQL("create extension {}").format(sql.Identifier(_EXTENSION)))
    except (InsufficientPrivilege, UndefinedFile, FeatureNotSupported):
        return False
    return True
