"""Tokens that were made before a password was asked for lose what now needs one, and it is an event."""

from __future__ import annotations

from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from core.migrations import MIGRATIONS, upgrade

PERSON = "00000000-0000-0000-0000-000000000003"


def test_tokens_keep_what_needs_no_password(empty_database_url: str, tmp_path: Path) -> None:
    for path in MIGRATIONS.glob("*.sql"):
        if path.name[:3] < "087":
            (tmp_path / path.name).write_bytes(path.read_bytes())
    upgrade(empty_database_url, tmp_path)
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        connection.execute(
            "insert into profiles (id, email, role) values (%s, 'o@example.org', 'admin')", [PERSON]
        )
        for name, scopes, days in (
            ("all", ["read", "write", "uploads", "exports"], 7),
            ("strong", ["write", "exports"], 7),
            ("long", ["read"], 300),
            ("endless", ["read"], None),
            ("weak", ["read", "uploads"], 7),
            ("over", ["write"], -1),
        ):
            connection.execute(
                "insert into api_tokens (profile_id, name, token_hash, scopes, expires_at)"
                " values (%s, %s, md5(%s) || md5(%s), %s, now() + make_interval(days => %s))",
                [PERSON, name, name, name, scopes, days],
            )
        upgrade(make_conninfo(connection.info.dsn, password=connection.info.password))
        rows = connection.execute(
            "select name, scopes, revoked_at is not null,"
            " expires_at <= now() + interval '30 days' from api_tokens order by name"
        ).fetchall()
        events = connection.execute(
            "select kind, subject_id::text, details ->> 'token' from security_events order by 3"
        ).fetchall()
    assert rows == [
        ("all", ["read", "uploads"], False, True),
        ("endless", ["read"], False, True),
        ("long", ["read"], False, True),
        ("over", ["write"], False, True),
        ("strong", ["write", "exports"], True, True),
        ("weak", ["read", "uploads"], False, True),
    ]
    assert events == [
        ("token_narrowed", PERSON, "all"),
        ("token_narrowed", PERSON, "endless"),
        ("token_narrowed", PERSON, "long"),
        ("token_revoked", PERSON, "strong"),
    ]
