-- Invented runs with four rows of the log each, over the last 200 days. `bench.logs` says how many rows of the log.
create temp table sizes as
  select current_setting('bench.logs')::int / 4 as runs, gen_random_uuid() as season, gen_random_uuid() as person,
    gen_random_uuid() as upload;

insert into seasons (id, name, is_current) select season, 'Bench', true from sizes;
insert into profiles (id, email, role) select person, 'sender@example.org', 'uploader' from sizes;
insert into schools (season_id, name, name_key)
  select season, 'Foxglove School ' || n, 'foxglove school ' || n from sizes, generate_series(1, 300) n;
create temp table schools_numbered as select id, row_number() over (order by name) as n from schools;

-- An upload of fifty entries now and then.
create temp table batches_numbered as
  select gen_random_uuid() as id, n, now() - interval '200 days' * (1 - n::float / (s.runs / 50 + 1)) as came
  from sizes s, generate_series(0, s.runs / 50) n;
create unique index on batches_numbered (n);
insert into upload_batches (id, season_id, uploaded_by, file_count, created_at)
  select b.id, s.season, s.person, 1, b.came from batches_numbered b, sizes s;
insert into uploads (id, season_id, batch_id, uploaded_by, position, original_filename, byte_size, sha256, storage_key, status)
  select s.upload, s.season, b.id, s.person, 0, 'stack.pdf', 1, repeat('0', 64), 'originals/all', 'split'
  from sizes s join batches_numbered b on b.n = 0;

create temp table drawn as
  select g.n, gen_random_uuid() as id, b.id as batch, b.came + interval '1 minute' * (1 + g.n % 50) as ended,
    (array['completed', 'completed', 'completed', 'suggested', 'suggested', 'escalated', 'failed'])[1 + g.n % 7] as outcome,
    (array['ifi_2025', 'ifi_2026', 'freeform'])[1 + g.n % 11 % 3] as profile,
    (array['en', 'en', 'es'])[1 + g.n % 13 % 3] as language,
    (array['rapidocr', null])[1 + g.n % 17 % 2] as provider,
    1 + g.n % 300 as school, g.n % 5 = 0 as asks
  from sizes s, generate_series(0, s.runs - 1) g(n) join batches_numbered b on b.n = g.n / 50;

insert into submissions (id, season_id, batch_id, upload_id, owner_user_id, chunk_index, page_start, page_end, doc_class,
    doc_format, profile, language, status, needs_review, error_code, created_at)
  select d.id, s.season, d.batch, s.upload, s.person, d.n, 1, 1, 'SINGLE_TYPED', 'native_text', d.profile, d.language,
    d.outcome, d.outcome <> 'completed', case d.outcome when 'failed' then 'damaged_document' end, d.ended
  from drawn d, sizes s;
insert into runs (run_id, submission_id, season_id, run_no, status, outcome, settled_at)
  select d.id || ':1', d.id, s.season, 1, 'settled', d.outcome, d.ended from drawn d, sizes s;
insert into orchestrator_logs (submission_id, season_id, run_id, step, timestamp, action_taken, tools_used, duration_ms)
  select d.id, s.season, d.id || ':1', step, d.ended - interval '1 second' * (4 - step),
    (array['run_pipeline', 'retry_with_llm', 'review_agent', 'mark_for_human'])[step], '{run_pipeline}',
    (exp(3 + 2 * random()) * (5 - step))::int
  from drawn d, sizes s, generate_series(1, 4) step;
insert into model_calls (id, run_id, submission_id, purpose, provider, model, tokens_in, tokens_out, latency_ms, cost_usd,
    status, error_code, attempt, created_at)
  select gen_random_uuid(), d.id || ':1', d.id, 'missing_fields', 'groq', 'small', 300, 40, 600, 0.0002,
    case when n % 40 = 0 then 'failed' else 'ok' end, case when n % 40 = 0 then 'http_429' end, 1 + n % 2, d.ended
  from drawn d where asks;
insert into run_facts (run_id, submission_id, season_id, batch_id, ended_at, outcome, reason, fields, doubts, tools, profile,
    language, ocr_provider, school_id, steps)
  select d.id || ':1', d.id, s.season, d.batch, d.ended, d.outcome,
    case d.outcome when 'completed' then 'confident' when 'suggested' then 'proposed_because'
      when 'escalated' then (array['blank_form', 'nothing_to_propose', 'needs_decision'])[1 + d.n % 3]
      else 'damaged_document' end,
    case when d.outcome in ('suggested', 'escalated') then array[(array['grade', 'student_name', 'school_name'])[1 + d.n % 3]] else '{}' end,
    case when d.n % 3 = 0 then '{UNKNOWN_SCHOOL}'::text[] else '{}' end, '{run_pipeline,review_agent}', d.profile, d.language,
    d.provider, c.id, 4
  from drawn d join schools_numbered c on c.n = d.school, sizes s;
insert into review_suggestions (submission_id, season_id, run_id, proposed_updates, status, resolved_at)
  select d.id, s.season, d.id || ':1', '{}', 'superseded', d.ended from drawn d, sizes s where d.outcome = 'suggested';
insert into review_suggestion_fields (suggestion_id, name, proposed_value, source, method, reason)
  select id, (array['grade', 'student_name'])[1 + abs(hashtext(run_id)) % 2], 'x', 'ocr', 'zone', '{"code": "not_read_at_first"}'
  from review_suggestions;
