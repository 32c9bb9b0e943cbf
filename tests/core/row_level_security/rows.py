"""One row of every table for one person: their file and entry, and what hangs on these."""

from __future__ import annotations

import uuid

import psycopg

_NAMES = (
    *("person", "batch", "upload", "split", "submission", "field", "suggestion", "escalation"),
    *(
        "school",
        "document",
        "report",
        "supervision",
        "call",
        "audit",
        "decision",
        "bulk",
        "reread",
        "letter",
        "draft",
    ),
)

_ROWS = """
insert into profiles (id, email) values (%(person)s, %(text)s || '@example.org');
insert into account_tokens (profile_id, purpose, token_hash, expires_at)
  values (%(person)s, 'invitation', %(text)s, now());
insert into api_tokens (profile_id, name, token_hash) values (%(person)s, 'mine', %(text)s);
insert into sessions (profile_id, secret_hash, session_version) values (%(person)s, %(text)s, 1);
insert into auth_sessions (profile_id, sealed_refresh_token, expires_at) values (%(person)s, %(text)s, now());
insert into second_factors (profile_id, sealed_secret) values (%(person)s, 'sealed');
insert into recovery_codes (profile_id, code_hash) values (%(person)s, 'hash');
insert into security_events (kind, actor_id) values ('signed_in', %(person)s);

insert into reset_requests (profile_id, language) values (%(person)s, 'en');
insert into set_up_steps (step, state) values (%(text)s, 'open');

insert into schools (id, season_id, name, name_key) values (%(school)s, %(season)s, 'Eastside', %(text)s);
insert into school_aliases (school_id, alias, alias_key) values (%(school)s, 'East', 'east');
insert into school_spellings (season_id, spelling, school_key, school_id)
  values (%(season)s, %(text)s, 'eastside', %(school)s);

insert into upload_batches (id, season_id, uploaded_by) values (%(batch)s, %(season)s, %(person)s);
insert into batch_defaults (season_id, batch_id, version, given_by, given)
  values (%(season)s, %(batch)s, 1, %(person)s, '{"grade": "4"}');
insert into uploads
    (id, season_id, batch_id, uploaded_by, position, original_filename, byte_size, sha256, storage_key)
  values (%(upload)s, %(season)s, %(batch)s, %(person)s, 0, 'a.pdf', 1, %(sha256)s, 'originals/' || %(text)s);
insert into upload_splits (id, season_id, batch_id, actor_id, upload_ids, plan)
  values (%(split)s, %(season)s, %(batch)s, %(person)s, array[%(upload)s::uuid], '[]');
insert into pages (upload_id, page_no, width, height, role) values (%(upload)s, 1, 1, 1, 'header');
insert into page_ranges (upload_id, first_page, last_page) values (%(upload)s, 1, 1);

insert into submissions
    (id, season_id, batch_id, upload_id, owner_user_id, chunk_index, page_start, page_end, doc_class, doc_format,
    student_name)
  values (%(submission)s, %(season)s, %(batch)s, %(upload)s, %(person)s, 0, 1, 1, 'SINGLE_TYPED', 'native_text',
    left(translate(%(submission)s::text, '0123456789-', 'ghijklmnop'), 30));
insert into submission_fields (id, submission_id, season_id, name)
  values (%(field)s, %(submission)s, %(season)s, 'grade');
insert into field_evidence (field_id, ordinal, page, x0, y0, x1, y1) values (%(field)s, 0, 1, 0, 0, 1, 1);
insert into essay_words (submission_id, word) values (%(submission)s, 'grace');

insert into runs (run_id, submission_id, season_id, run_no) values (%(run)s, %(submission)s, %(season)s, 1);
insert into orchestrator_logs (submission_id, season_id, run_id, step, action_taken)
  values (%(submission)s, %(season)s, %(run)s, 1, 'read');
insert into model_calls (id, run_id, submission_id, purpose, provider, model, status)
  values (%(call)s, %(run)s, %(submission)s, 'field', 'none', 'none', 'ok');
insert into run_facts (run_id, submission_id, season_id, batch_id, outcome)
  values (%(run)s, %(submission)s, %(season)s, %(batch)s, 'completed');
insert into orchestrator_counts (season_id, scope, scope_id, day, kind, keys)
  values (%(season)s, 'batch', %(batch)s, now(), 'run', '{completed}');

insert into review_suggestions (id, submission_id, season_id, run_id, proposed_updates)
  values (%(suggestion)s, %(submission)s, %(season)s, %(run)s, '{}');
insert into review_suggestion_fields (suggestion_id, name) values (%(suggestion)s, 'grade');
insert into escalations (id, submission_id, season_id, run_id, reason)
  values (%(escalation)s, %(submission)s, %(season)s, %(run)s, '{"code": "unsure"}');
insert into review_decisions (id, season_id, submission_id, actor_id, kind, version, before)
  values (%(decision)s, %(season)s, %(submission)s, %(person)s, 'edit', 1, '{}');
insert into review_efforts (decision_id, edits) values (%(decision)s, 0);
insert into review_events (season_id, submission_id, kind) values (%(season)s, %(submission)s, 'read');

insert into queue_samples (sampled_at, queued, running, scheduled, failed, workers)
  values (clock_timestamp(), 1, 0, 0, 0, 1);
insert into reconciler_passes (requeued) values ('{"run": 1}');
insert into exports (season_id, requested_by, kind, format) values (%(season)s, %(person)s, 'entries', 'csv');
insert into mails (kind, person_id, season_id, batch_id, recipient, subject, body, language)
  values ('own_batch_done', %(person)s, %(season)s, %(batch)s, 'a@example.org', 'Done', 'Done.', 'en');
insert into form_profiles (key, version, label, kind, definition, status, made_by)
  values ('a' || replace(%(text)s, '-', '_'), 1, 'Camp', 'form', '{}', 'active', %(person)s);
insert into rereads (id, season_id, requested_by) values (%(reread)s, %(season)s, %(person)s);
insert into reread_items (reread_id, submission_id) values (%(reread)s, %(submission)s);
insert into saved_filters (person_id, name) values (%(person)s, %(text)s);
insert into bulk_changes (id, season_id, requested_by, kind, field_name)
  values (%(bulk)s, %(season)s, %(person)s, 'set', 'grade');
insert into bulk_change_items (bulk_id, submission_id) values (%(bulk)s, %(submission)s);
insert into letter_texts (season_id, changed_by) values (%(season)s, %(person)s) on conflict do nothing;
insert into letters (id, season_id, way, addressed_to, addressee, subject, body, language, answer_until, asked_by)
  values (%(letter)s, %(season)s, 'mail', 'school', 'Eastside', 'Missing', 'The grade.', 'en', now(), %(person)s);
insert into letter_items (letter_id, submission_id, fields) values (%(letter)s, %(submission)s, '{grade}');
insert into set_asides (submission_id, season_id, kind, until, created_by)
  values (%(submission)s, %(season)s, 'parked', now(), %(person)s);
insert into form_drafts (id, created_by, original_filename, byte_size)
  values (%(draft)s, %(person)s, 'blank.pdf', 1);
insert into form_draft_steps (draft_id, version, page_no, marks) values (%(draft)s, 1, 1, '{}');
insert into form_samples (draft_id, requested_by, submission_id, original_filename)
  values (%(draft)s, %(person)s, %(submission)s, 'sample.pdf');
insert into job_failures (kind, key) values ('run', %(run)s);
insert into audit_strata (season_id, form, language, provider, band, total, seen)
  values (%(season)s, %(text)s, '', 'text', 90, 0, 1);
insert into audits (id, season_id, submission_id, run_id, form, language, provider, band, confidence, probability,
    status, auditor_id, typed_at, settled_at)
  values (%(audit)s, %(season)s, %(submission)s, %(run)s, '', '', 'text', 90, 0.95, 0.05,
    'settled', %(person)s, now(), now());
insert into audit_fields (audit_id, name, required, confidence) values (%(audit)s, 'grade', true, 0.9);

insert into duplicate_keys (season_id, key, submission_id) values (%(season)s, 1, %(submission)s);
insert into page_fingerprints (submission_id, position, ink) values (%(submission)s, 1, '');
insert into duplicate_pairs (season_id, first_id, second_id, strength)
  select season_id, id, %(submission)s, 'likely' from submissions
  where season_id = %(season)s and id <> %(submission)s limit 1;

insert into erasures (season_id, reason, submission_ids, counts)
  values (%(season)s, 'asked', array[%(submission)s::uuid], '{}');

insert into watched_folders (id, path) values (%(upload)s, '/srv/scans');

insert into policy_changes (season_id, version, kind, before, after)
  values (%(season)s, (select count(*) + 2 from policy_changes), 'changed', '{}', '{"complete_confidence": 0.95}');

insert into library_documents (id, kind, original_filename, byte_size, sha256, storage_key, submission_id, status)
  values (%(document)s, 'essay', 'essay.md', 1, %(sha256)s, 'library/' || %(text)s, %(submission)s, 'ready');
insert into library_passages (document_id, position, start_char, end_char, text, language)
  values (%(document)s, 0, 0, 4, 'text', 'en');

insert into reports (id, season_id, requested_by, query) values (%(report)s, %(season)s, %(person)s, 'What?');
insert into report_rounds (report_id, round_index) values (%(report)s, 1);
insert into report_tasks (report_id, task_id, round_index, kind, question)
  values (%(report)s, 't', 1, 'web', 'What?');
insert into report_gaps (report_id, gap_id, gap_type, description, priority, opened_round)
  values (%(report)s, 'g', 'topic', '', 1, 1);
insert into report_sources (report_id, key, kind, provider, status, round_index)
  values (%(report)s, 's', 'web', 'library', 'read', 1);
insert into report_passages (report_id, source_key, position, start_char, end_char, text)
  values (%(report)s, 's', 0, 0, 4, 'text');
insert into report_claims (report_id, claim_id, sentence, quote, source_key, status)
  values (%(report)s, 'c', 'One.', 'One.', 's', 'verified');
insert into report_excerpts (report_id, claim_id, person_id, position) values (%(report)s, 'c', %(person)s, 1);
insert into report_calls (report_id, call_key, purpose, reply, provider, model)
  values (%(report)s, 'k', 'plan', '{}', 'none', 'none');
insert into report_versions (report_id, version_no, document, origin) values (%(report)s, 1, '{}', 'synthesis');
insert into report_supervisions (id, report_id, requested_by, first_version, last_version)
  values (%(supervision)s, %(report)s, %(person)s, 1, 1);
insert into report_revisions (supervision_id, report_id, season_id, iteration, outcome, base_version)
  values (%(supervision)s, %(report)s, %(season)s, 1, 'failed', 1);
"""


def add_season(connection: psycopg.Connection) -> uuid.UUID:
    """Add a season of any name and return its id."""
    season = uuid.uuid4()
    connection.execute("insert into seasons (id, name) values (%s, %s)", [season, str(season)])
    return season


def add_rows(connection: psycopg.Connection, season: uuid.UUID) -> dict[str, uuid.UUID]:
    """Add a person with a row in every table but `seasons`; return the ids that were drawn, by name."""
    ids = {name: uuid.uuid4() for name in _NAMES} | {"season": season}
    values = ids | {"run": f"{ids['submission']}:1", "text": str(ids["person"]), "sha256": ids["upload"].hex * 2}
    for statement in _ROWS.split(";\n"):
        if statement.strip():
            connection.execute(statement.encode(), values)
    return ids
