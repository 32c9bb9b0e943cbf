"""Entries that were there before migration 070 are found after it as new ones are."""

from __future__ import annotations

from pathlib import Path

import psycopg

from core.migrations import upgrade
from tests.core.test_migration_history import folder_with

BEFORE = """
with season as (insert into public.seasons (name) values ('of old') returning id),
  person as (insert into public.profiles (email) values ('ana@example.org') returning id),
  batch as (insert into public.upload_batches (season_id, uploaded_by)
    select season.id, person.id from season, person returning id, season_id, uploaded_by),
  upload as (insert into public.uploads (season_id, batch_id, uploaded_by, position, original_filename, byte_size,
      sha256, storage_key)
    select season_id, id, uploaded_by, 0, 'Kitchen table.pdf', 8, repeat('a', 64), 'originals/entry' from batch
    returning id, batch_id, season_id, uploaded_by),
  entry as (insert into public.submissions
      (season_id, batch_id, upload_id, owner_user_id, chunk_index, page_start, page_end, doc_class, doc_format,
      student_name, school_name)
    select season_id, batch_id, id, uploaded_by, 0, 1, 1, 'SINGLE_TYPED', 'native_text', 'Verónica O''Connell',
      'Juniper School' from upload returning id, season_id)
insert into public.submission_fields (submission_id, season_id, name, value)
  select id, season_id, name, value from entry, (values ('phone', '(212) 555-0143'), ('email', 'Vero@example.org'),
    ('essay_text', 'My father calls 555-0199'), ('grade', '4')) as written (name, value)
"""
FOUND = "select count(*) from public.submissions where search @@ public.search_query(%s, %s)"


def test_entries_of_before_are_found(empty_database_url: str, tmp_path: Path) -> None:
    upgrade(empty_database_url, folder_with(tmp_path, until="064"))
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(BEFORE)
    upgrade(empty_database_url)
    with psycopg.connect(empty_database_url) as connection:
        for looked_for in ("veronica", "oconnell", "555-0143", "vero@example.org", "kitchen table", "juniper"):
            assert connection.execute(FOUND, [looked_for, False]).fetchone() == (1,), looked_for
        assert connection.execute(FOUND, ["veronnica", True]).fetchone() == (1,)
        assert connection.execute(FOUND, ["555-0199", False]).fetchone() == (0,)
        words = connection.execute("select array_agg(word order by word) from public.search_words").fetchone()
    assert words == (["connell", "juniper", "oconnell", "school", "veronica"],)
