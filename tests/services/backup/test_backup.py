"""A backup comes back whole: rows, rights, files; what was changed, or is no backup, is refused at once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import psycopg
import pyrage
import pytest
from click.testing import CliRunner

from commands.data import backup, restore
from core.auth.keys import secret_key
from core.config import Settings
from core.database import MIGRATIONS, Database, applied_migrations, require_upgraded, upgrade
from core.embedded.handles import PostgresHandle
from core.errors import InvalidInputError
from services.backup.backup import make_backup
from services.backup.restore import open_backup, restore_backup
from services.backup.seal import (
    CODE,
    DATABASE,
    FILES,
    FORMAT,
    IDENTITY,
    MANIFEST,
    BackupRefused,
    Manifest,
    seal_of,
)
from services.context import Context
from tests.services.backup.conftest import CONTENT, NAME, PASSPHRASE, STRETCHED, quiet, refused
from tests.support.factories import make_upload
from tests.support.services import empty_database, numbered_as_before_1_0

#: What a database holds beside rows, each as comparable tuples.
_ASPECTS = {
    "policies": "select * from pg_policies where schemaname = any(%(schemas)s) order by 1, 2, 3",
    "grants": "select table_schema, table_name, grantee, privilege_type from information_schema.role_table_grants"
    " where table_schema = any(%(schemas)s) and grantee <> current_user order by 1, 2, 3, 4",
    "column grants": "select table_schema, table_name, column_name, grantee, privilege_type from"
    " information_schema.role_column_grants where table_schema = any(%(schemas)s) and grantee <> current_user"
    " order by 1, 2, 3, 4, 5",
    "row security": "select relname, relrowsecurity, relforcerowsecurity from pg_class join pg_namespace n on"
    " n.oid = relnamespace where nspname = any(%(schemas)s) and relkind = 'r' order by 1",
    "functions": "select proname, prosrc, prosecdef, proacl::text from pg_proc join pg_namespace n on n.oid ="
    " pronamespace where nspname = any(%(schemas)s) order by 1, 2",
    "triggers": "select tgname, tgrelid::regclass::text, pg_get_triggerdef(oid) from pg_trigger where not"
    " tgisinternal order by 1, 2",
    "indexes": "select schemaname, tablename, indexdef from pg_indexes where schemaname = any(%(schemas)s)"
    " order by 1, 2, 3",
    "sequences": "select schemaname, sequencename, last_value from pg_sequences where schemaname ="
    " any(%(schemas)s) order by 1, 2",
    "schemas": "select nspname, nspacl::text from pg_namespace where nspname = any(%(schemas)s) order by 1",
}
_SCHEMAS = {"schemas": ["public", "langgraph", "supabase_migrations"]}


def kept_keys(context: Context) -> set[str]:
    """The keys of all files in the store but those that are made anew."""
    root = context.settings.var_dir / "files"
    keys = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    return {key for key in keys if not key.startswith("cache/")}


def aspects(dsn: str) -> dict[str, list[Any]]:
    with psycopg.connect(dsn) as connection:
        return {name: connection.execute(query, _SCHEMAS).fetchall() for name, query in _ASPECTS.items()}


@pytest.mark.parametrize("passphrase", [None, PASSPHRASE])
def test_rows_rights_and_files_come_back(
    filled: Context, elsewhere: Context, tmp_path: Path, passphrase: str | None
) -> None:
    folder = tmp_path / "backup"
    made = make_backup(filled, folder, passphrase, quiet)
    assert made.tables["public.submissions"] >= 1
    assert made.missing == []
    opened = open_backup(folder, passphrase)
    assert (opened.manifest, opened.authentic) == (made, passphrase is not None)
    assert restore_backup(elsewhere, opened, quiet) == []
    assert aspects(elsewhere.database.dsn) == aspects(filled.database.dsn)
    assert made.files
    for key in made.files:
        assert elsewhere.store.get(key) == filled.store.get(key)
    assert set(made.files) == kept_keys(filled) == kept_keys(elsewhere)
    whole = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert (CONTENT in whole) == (passphrase is None)
    assert NAME.encode() not in (folder / MANIFEST).read_bytes()


def test_what_was_changed_or_cannot_be_opened_restores_nothing(
    filled: Context, elsewhere: Context, tmp_path: Path
) -> None:
    folder = tmp_path / "backup"
    made = make_backup(filled, folder, PASSPHRASE, quiet)
    refused(BackupRefused.PASSPHRASE_NEEDED, elsewhere, folder)
    refused(BackupRefused.PASSPHRASE_WRONG, elsewhere, folder, "another")
    for name in (DATABASE, f"{FILES}/{next(iter(made.files))}"):
        changed = tmp_path / "changed"
        shutil.copytree(folder, changed)
        data = bytearray((changed / name).read_bytes())
        data[-9] ^= 1
        (changed / name).write_bytes(data)
        refused(BackupRefused.CHANGED, elsewhere, changed, PASSPHRASE)
        shutil.rmtree(changed)
    refused(BackupRefused.NO_BACKUP, elsewhere, tmp_path)
    for update in ({"migrations": [*made.migrations, "999"]}, {"format": FORMAT + 1}):
        written = made.model_copy(update=update).model_dump_json().encode()
        (folder / MANIFEST).write_bytes(written)
        (folder / CODE).write_text(seal_of((folder / IDENTITY).read_bytes(), PASSPHRASE).code(written))
        refused(BackupRefused.FORMAT_UNKNOWN, elsewhere, folder, PASSPHRASE)


def test_the_key_of_authenticators_is_in_an_encrypted_backup_alone(
    filled: Context, elsewhere: Context, tmp_path: Path
) -> None:
    def kept_in(context: Context, folder: str) -> Context:
        settings = context.settings.model_copy(update={"secret_key": None, "var_dir": tmp_path / folder})
        return replace(context, settings=settings)

    old, new = kept_in(filled, "old"), kept_in(elsewhere, "new")
    key = secret_key(old.settings)
    assert make_backup(old, tmp_path / "open", None, quiet).secret_key is None
    make_backup(old, tmp_path / "sealed", PASSPHRASE, quiet)
    assert secret_key(new.settings) != key
    restore_backup(new, open_backup(tmp_path / "sealed", PASSPHRASE), quiet)
    assert secret_key(new.settings) == key
    assert key.encode() not in b"".join(p.read_bytes() for p in (tmp_path / "sealed").rglob("*") if p.is_file())


def test_a_backup_overwrites_nothing(filled: Context, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    make_backup(filled, folder, None, quiet)
    before = (folder / MANIFEST).read_bytes()
    with pytest.raises(InvalidInputError, match="not empty"):
        make_backup(filled, folder, None, quiet)
    with pytest.raises(InvalidInputError, match="already has tables"):
        restore_backup(filled, open_backup(folder, None), quiet)
    assert (folder / MANIFEST).read_bytes() == before


def test_a_file_that_the_store_has_lost_is_named(filled: Context, tmp_path: Path) -> None:
    with filled.database.session() as session:
        key = make_upload(session).storage_key
    assert make_backup(filled, tmp_path / "backup", None, quiet).missing == [key]


def migrations_until(last: str, within: Path) -> Path:
    """A folder with the migrations up to a number."""
    folder = within / "migrations"
    folder.mkdir()
    for path in MIGRATIONS.glob("*.sql"):
        if path.name[:3] <= last:
            shutil.copy(path, folder)
    return folder


def test_a_backup_of_an_earlier_version_is_upgraded(
    context: Context, elsewhere: Context, postgres_server: PostgresHandle, slot: int, tmp_path: Path
) -> None:
    files = sorted(MIGRATIONS.glob("*.sql"))
    with empty_database(postgres_server.dsn, slot, "earlier") as url:
        upgrade(url, migrations_until(files[-4].name[:3], tmp_path))
        old = replace(context, database=Database(url))
        made: Manifest = make_backup(old, tmp_path / "backup", None, quiet)
        applied = restore_backup(elsewhere, open_backup(tmp_path / "backup", None), quiet)
    assert applied == [path.name[:3] for path in files[-3:]]
    assert made.migrations == [path.stem for path in files[:-3]]
    assert aspects(elsewhere.database.dsn)["policies"] == aspects(context.database.dsn)["policies"]


@pytest.fixture
def old(filled: Context, postgres_server: PostgresHandle, slot: int, tmp_path: Path) -> Iterator[Context]:
    """A database of the last version before 1.0: the schema of the baseline, without what came later."""
    with empty_database(postgres_server.dsn, slot, "old") as url:
        upgrade(url, migrations_until("020", tmp_path))
        with psycopg.connect(url) as connection:
            connection.execute("insert into seasons (name) values ('Season of 2024'), ('Season of 2025')")
        numbered_as_before_1_0(url)
        yield replace(filled, database=Database(url))


@pytest.mark.parametrize("by", ["a version before 1.0", "this version"])
def test_a_backup_of_the_numbering_before_1_0_is_taken_over(
    old: Context, filled: Context, elsewhere: Context, tmp_path: Path, by: str
) -> None:
    made = make_backup(old, tmp_path / "backup", None, quiet)
    if by != "this version":
        numbers = made.model_copy(update={"migrations": [key[:3] for key in made.migrations]})
        (tmp_path / "backup" / MANIFEST).write_text(numbers.model_dump_json())
    later = [path.name[:3] for path in sorted(MIGRATIONS.glob("*.sql")) if path.name[:3] > "020"]
    assert restore_backup(elsewhere, open_backup(tmp_path / "backup", None), quiet) == later
    require_upgraded(elsewhere.database.dsn)
    assert upgrade(elsewhere.database.dsn) == []
    with psycopg.connect(elsewhere.database.dsn) as restored, psycopg.connect(filled.database.dsn) as kept:
        assert applied_migrations(restored) == applied_migrations(kept)
        assert restored.execute("select count(*) from seasons").fetchone() == (2,)


def test_a_backup_of_an_earlier_one_before_1_0_is_refused(
    old: Context, elsewhere: Context, tmp_path: Path
) -> None:
    numbered_as_before_1_0(old.database.dsn, ("012", "library"))
    make_backup(old, tmp_path / "backup", None, quiet)
    refused(BackupRefused.BEFORE_BASELINE, elsewhere, tmp_path / "backup")


def test_the_commands_say_what_they_did(
    filled: Context, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("commands.data.get_settings", lambda: settings)
    monkeypatch.setattr(pyrage.passphrase, "encrypt", STRETCHED)
    secret = tmp_path / "passphrase"
    secret.write_text(f"{PASSPHRASE}\n")
    asked = [str(tmp_path / "made"), "--passphrase-file", str(secret)]
    done = CliRunner().invoke(backup, asked)
    assert done.exit_code == 0, done.output
    assert "tables with" in done.output
    again = CliRunner().invoke(restore, asked)
    assert again.exit_code == 1
    assert "already has tables" in again.output


@pytest.mark.parametrize("given", ["", "\n", "eleven long", "            \n", f"\n{PASSPHRASE}\n"])
def test_a_passphrase_that_protects_nothing_is_refused(
    context: Context, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setattr("commands.data.get_settings", lambda: settings)
    secret, made = tmp_path / "passphrase", tmp_path / "made"
    secret.write_text(given)
    typed = given.partition("\n")[0]
    for asked, answers in (
        (["--passphrase-file", str(secret)], None),
        (["--passphrase-file", "-"], given),
        (["--encrypt"], f"{typed}\n{typed}\n"),
    ):
        done = CliRunner().invoke(backup, [str(made), *asked], input=answers)
        assert done.exit_code == 1 and not made.exists(), asked
        # An empty line is asked for anew by the prompt, until there are no more.
        assert "at least 12 characters" in done.output or (typed == "" and asked == ["--encrypt"])


@pytest.mark.parametrize("command", [backup, restore])
@pytest.mark.parametrize("given", ["file", "-"])
def test_a_passphrase_that_is_no_text_is_said(
    filled: Context,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: click.Command,
    given: str,
) -> None:
    monkeypatch.setattr("commands.data.get_settings", lambda: settings)
    secret = tmp_path / "passphrase"
    secret.write_bytes("un mot de passe à garder\n".encode("latin-1"))
    asked = str(secret) if given != "-" else given
    done = CliRunner().invoke(
        command, [str(tmp_path / "made"), "--passphrase-file", asked], input=secret.read_bytes()
    )
    assert done.exit_code == 1 and "cannot be read as text" in done.output, done.output
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("passphrase", ["", "short"])
def test_a_backup_of_an_earlier_version_with_a_short_passphrase_is_restored(
    filled: Context, elsewhere: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, passphrase: str
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr("services.backup.backup.LEAST_PASSPHRASE", 0)
        make_backup(filled, tmp_path / "backup", passphrase, quiet)
    opened = open_backup(tmp_path / "backup", passphrase)
    assert opened.authentic
    restore_backup(elsewhere, opened, quiet)
    assert kept_keys(elsewhere) == set(opened.manifest.files)
