"""Sentences that rows held before migration 016 are codes after it; what is not known keeps its words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg

from core.migrations import upgrade
from tests.core.test_migration_history import folder_with

BEFORE = """
with season as (insert into public.seasons (name) values ('of old') returning id),
  person as (insert into public.profiles (email) values ('ana@example.org') returning id),
  batch as (insert into public.upload_batches (season_id, uploaded_by)
    select season.id, person.id from season, person returning id, season_id, uploaded_by),
  upload as (insert into public.uploads (season_id, batch_id, uploaded_by, position, original_filename, byte_size,
      sha256, storage_key, status, error_code, error_message)
    select season_id, id, uploaded_by, 0, 'entry.pdf', 8, repeat('a', 64), 'originals/entry', 'failed',
      'damaged_document', 'This file is damaged.' from batch returning id, batch_id, season_id, uploaded_by),
  entry as (insert into public.submissions
      (season_id, batch_id, upload_id, owner_user_id, chunk_index, page_start, page_end, doc_class,
      doc_format)
    select season_id, batch_id, id, uploaded_by, 0, 1, 1, 'SINGLE_TYPED', 'native_text' from upload
    returning id, season_id),
  run as (insert into public.runs (run_id, submission_id, season_id, run_no, reason)
    select id || ':1', id, season_id, 1, 'No school, no grade: nothing to propose.' from entry
    returning run_id, submission_id, season_id),
  log as (insert into public.orchestrator_logs (submission_id, season_id, run_id, step, action_taken, reason)
    select submission_id, season_id, run_id, step, 'review_agent', reason from run, (values
      (1, 'Proposes: student name, grade.'), (2, 'The form is blank.'), (3, 'In its own words.'), (4, null))
    as said (step, reason) returning id),
  waits as (insert into public.escalations (submission_id, season_id, run_id, reason, payload)
    select submission_id, season_id, run_id, 'No school, no grade: nothing to propose.',
      '{"missing_fields": ["school_name", "grade"], "reason": "No school, no grade: nothing to propose."}' from run
    returning id),
  told as (insert into public.review_events (season_id, submission_id, actor_id, kind, reason)
    select run.season_id, run.submission_id, case by_person when true then person.id end, 'edited', reason
    from run, person, (values (true, 'seen on the envelope'), (false, 'Low confidence.'))
      as said (by_person, reason)
    returning id)
insert into public.orchestrator_daily (season_id, day, outcome, reason, runs, tools)
  select season.id, '2026-05-01', 'escalated', reason, runs, 1 from season, (values
    ('No school: nothing to propose.', 2), ('No grade: nothing to propose.', 3), ('The form is blank.', 1))
  as counted (reason, runs)
"""


def test_known_sentences_become_codes_and_others_are_kept(empty_database_url: str, tmp_path: Path) -> None:
    upgrade(empty_database_url, folder_with(tmp_path, until="015"))
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(BEFORE)
    upgrade(empty_database_url, folder_with(tmp_path, until="016"))
    with psycopg.connect(empty_database_url) as connection:
        counted = connection.execute(
            "select reason, runs from public.orchestrator_daily order by reason"
        ).fetchall()
    assert counted == [("blank_form", 1), ("nothing_to_propose", 5)]
    upgrade(empty_database_url)
    with psycopg.connect(empty_database_url) as connection:

        def rows(query: str) -> list[tuple[Any, ...]]:
            return connection.execute(query).fetchall()  # type: ignore[arg-type]

        assert [row[0] for row in rows("select reason from public.orchestrator_logs order by step")] == [
            {"code": "proposes", "params": {"fields": ["student_name", "grade"]}},
            {"code": "blank_form", "params": {}},
            {"code": "legacy", "params": {"text": "In its own words."}},
            None,
        ]
        ((reason, told),) = rows("select reason, payload -> 'reason' from public.escalations")
        assert reason == told and reason["code"] == "nothing_to_propose"
        assert reason["params"]["fields"] == ["school_name", "grade"]
        assert rows("select reason from public.runs") == [(reason,)]
        assert rows("select reason, message ->> 'code' from public.review_events order by id") == [
            ("seen on the envelope", None),
            (None, "unsure"),
        ]
        assert rows("select error_code, error_params from public.uploads") == [("damaged_document", {})]
