"""The models and the migrations say the same."""

from __future__ import annotations

from sqlalchemy import inspect
from sqlalchemy.dialects import postgresql

from core.database import Database
from core.models import Base

DIALECT = postgresql.dialect()  # type: ignore[no-untyped-call]


def test_models_agree_with_migrations(database_url: str) -> None:
    database = Database(database_url)
    inspector = inspect(database.engine)
    assert set(Base.metadata.tables) == set(inspector.get_table_names(schema="public"))
    for name, table in Base.metadata.tables.items():
        real = {column["name"]: column for column in inspector.get_columns(name)}
        assert {column.name for column in table.columns} == set(real), name
        for column in table.columns:
            there = real[column.name]
            where = f"{name}.{column.name}"
            assert column.type.compile(DIALECT) == there["type"].compile(DIALECT), where
            assert column.nullable == there["nullable"], where
            has_default = column.server_default is not None or column.identity is not None
            assert has_default == (
                there.get("default") is not None or "identity" in there or "computed" in there
            ), where
        keys = {
            (tuple(key["constrained_columns"]), key["referred_table"], key["options"].get("ondelete"))
            for key in inspector.get_foreign_keys(name)
        }
        ours = {
            (tuple(key.column_keys), key.referred_table.name, key.ondelete)
            for key in table.foreign_key_constraints
        }
        assert keys == ours, name
        assert inspector.get_pk_constraint(name)["constrained_columns"] == [c.name for c in table.primary_key], (
            name
        )
    database.dispose()
