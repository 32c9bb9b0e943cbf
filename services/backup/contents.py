"""What a database holds that a backup must: its tables' rows, and the files that rows name."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import sql

#: Schemas that are ours: tables, checkpoints, the ledger of migrations.
SCHEMAS = ("public", "langgraph", "supabase_migrations")

#: Queries for the keys of files that rows name. What is kept below `cache/` is made anew when it is wanted.
_KEYS = (
    "select storage_key from public.uploads",
    "select pdf_key from public.uploads where pdf_key is not null",
    "select blank_key from public.form_profiles where blank_key is not null",
    "select 'form-drafts/' || id || '/blank' from public.form_drafts",
    "select storage_key from public.library_documents",
    "select 'reports/' || id || '/original' from public.reports where origin = 'uploaded'",
)
#: Keys of artifacts and of converted blanks; not every run has each of them, nor every draft.
_ARTIFACTS = """
    select 'artifacts/' || submission_id || '/' || run_no || '/' || name
    from public.runs, unnest(array['reading.json', 'text.txt', 'first.json']) as name
    union all select 'form-drafts/' || id || '/blank.pdf' from public.form_drafts
"""


def count_rows(connection: psycopg.Connection[Any]) -> dict[str, int]:
    """Return the number of rows of each table, "schema.table"."""
    tables = connection.execute(
        "select schemaname, tablename from pg_tables where schemaname = any(%s) order by 1, 2", [list(SCHEMAS)]
    ).fetchall()
    return {f"{schema}.{table}": _count(connection, schema, table) for schema, table in tables}


def _count(connection: psycopg.Connection[Any], schema: str, table: str) -> int:
    row = connection.execute(sql.SQL("select count(*) from {}").format(sql.Identifier(schema, table))).fetchone()
    return int(row[0]) if row else 0


def named_files(connection: psycopg.Connection[Any]) -> tuple[list[str], list[str]]:
    """Return the keys that must be there, and those that may be."""
    must = {row[0] for query in _KEYS for row in connection.execute(query).fetchall()}
    may = {row[0] for row in connection.execute(_ARTIFACTS).fetchall()}
    return sorted(must), sorted(may - must)
