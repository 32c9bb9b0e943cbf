"""A migration on main never changes; databases made with the texts that once did are brought over."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import psycopg
import pytest

from core.config import ROOT
from core.errors import ConfigurationError
from core.migration_history import EARLIER_CHECKSUMS
from core.migrations import MIGRATIONS, upgrade
from tests.support.schema import schema_of

CHECKSUMS = ROOT / "supabase" / "checksums.sha256"
#: Taken from the history of `supabase/migrations/`: 013_reports.7beba0ed.sql is the text with that checksum.
EARLIER = sorted((ROOT / "tests" / "data" / "migrations").glob("*.sql"))
#: The first text that each of them had.
FIRST = [path for path in EARLIER if path.name.split(".")[1] in ("98d29a7d", "7beba0ed", "6a661e3c")]


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def folder_with(folder: Path, earlier: Sequence[Path] = (), until: str = "999") -> Path:
    """The migrations up to a number, some in an earlier text."""
    for path in MIGRATIONS.glob("*.sql"):
        if path.name[:3] <= until:
            (folder / path.name).write_bytes(path.read_bytes())
    for path in earlier:
        (folder / f"{path.name.split('.')[0]}.sql").write_bytes(path.read_bytes())
    return folder


def test_every_migration_has_its_committed_checksum() -> None:
    """A new file NNN is listed by `cd supabase && sha256sum migrations/NNN_*.sql >> checksums.sha256`."""
    lines = CHECKSUMS.read_text(encoding="utf-8").splitlines()
    committed = {name.removeprefix("migrations/"): digest for digest, name in (line.split() for line in lines)}
    assert committed == {path.name: sha256(path) for path in MIGRATIONS.glob("*.sql")}


def test_the_earlier_texts_are_those_that_the_ledger_accepts() -> None:
    kept: dict[str, set[str]] = {}
    for path in EARLIER:
        kept.setdefault(path.name[:3], set()).add(sha256(path))
    assert kept == {version: set(checksums) for version, checksums in EARLIER_CHECKSUMS.items()}


def test_what_015_adds_was_there_with_the_present_texts(
    database_url: str, empty_database_url: str, tmp_path: Path
) -> None:
    upgrade(empty_database_url, folder_with(tmp_path, until="014"))
    before = schema_of(empty_database_url)
    upgrade(empty_database_url, folder_with(tmp_path, until="015"))
    assert schema_of(empty_database_url) == before


@pytest.mark.parametrize("earlier", [*([path] for path in EARLIER), FIRST], ids=lambda paths: paths[0].name)
def test_a_database_of_an_earlier_text_becomes_equal_to_a_fresh_one(
    earlier: list[Path], database_url: str, empty_database_url: str, tmp_path: Path
) -> None:
    # In their order: later migrations build on what 015 mends.
    upgrade(empty_database_url, folder_with(tmp_path, earlier, until="014"))
    upgrade(empty_database_url)
    assert schema_of(empty_database_url) == schema_of(database_url)


#: Plain SQL: the models have columns that later migrations add.
PAGES_OF_THE_FIRST_TEXT = """
with season as (insert into public.seasons (name) values ('of old') returning id),
  person as (insert into public.profiles (email) values ('ana@example.org') returning id),
  batch as (insert into public.upload_batches (season_id, uploaded_by)
    select season.id, person.id from season, person returning id, season_id, uploaded_by),
  upload as (insert into public.uploads
      (season_id, batch_id, uploaded_by, position, original_filename, byte_size, sha256, storage_key)
    select season_id, id, uploaded_by, 0, 'entry.pdf', 8, repeat('a', 64), 'originals/entry' from batch
    returning id)
insert into public.pages (upload_id, page_no, width, height, role)
  select upload.id, number, 1, 1, role
  from upload, (values (1, 'header'), (2, 'essay'), (3, 'other')) as roles (number, role)
"""


def test_pages_of_the_first_text_keep_their_roles(empty_database_url: str, tmp_path: Path) -> None:
    upgrade(empty_database_url, folder_with(tmp_path, FIRST, until="014"))
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(PAGES_OF_THE_FIRST_TEXT)
    upgrade(empty_database_url)
    with psycopg.connect(empty_database_url) as connection:
        roles = connection.execute("select role from public.pages order by page_no").fetchall()
    assert roles == [("header",), ("essay_page",), ("continuation",)]


def test_an_unknown_text_of_an_edited_migration_is_refused(empty_database_url: str, tmp_path: Path) -> None:
    folder = folder_with(tmp_path, FIRST, until="014")
    path = folder / "013_reports.sql"
    path.write_text(path.read_text(encoding="utf-8") + "-- by hand\n", encoding="utf-8")
    upgrade(empty_database_url, folder)
    with pytest.raises(ConfigurationError, match="013_reports was changed"):
        upgrade(empty_database_url)
