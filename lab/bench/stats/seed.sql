-- Invented runs over the last 200 days: `bench.runs` of them, one in `bench.former` of them in the season before (0: none),
-- with about `bench.logs` rows of the log in all. Names come from the temporary table `names_drawn`. What the machine did not
-- complete was decided by a person. The current season is taken where there is one.
create temp table sizes as
  select current_setting('bench.runs')::int as runs, current_setting('bench.logs')::int as logs,
    current_setting('bench.former')::int as former,
    coalesce((select id from seasons where is_current), gen_random_uuid()) as season, gen_random_uuid() as season_before,
    gen_random_uuid() as person, (select count(*) from names_drawn) as names;

insert into seasons (id, name, is_current) select season, 'Bench', true from sizes on conflict do nothing;
insert into seasons (id, name, closed_at) select season_before, 'The year before', now() from sizes where former > 0;
insert into profiles (id, email, role) select person, 'sender@example.org', 'uploader' from sizes;
insert into schools (season_id, name, name_key)
  select season, 'Foxglove School ' || n, 'foxglove school ' || n from sizes, generate_series(1, 300) n;
create temp table schools_numbered as select id, row_number() over (order by name) as n from schools
  where name like 'Foxglove School %';

-- An upload of fifty entries now and then.
create temp table batches_numbered as
  select gen_random_uuid() as id, n, now() - interval '200 days' * (1 - n::float / (s.runs / 50 + 1)) as came
  from sizes s, generate_series(0, s.runs / 50) n;
create unique index on batches_numbered (n);
insert into upload_batches (id, season_id, uploaded_by, file_count, created_at, told)
  select b.id, s.season, s.person, 1, b.came, 'done' from batches_numbered b, sizes s;
insert into uploads (id, season_id, batch_id, uploaded_by, position, original_filename, byte_size, sha256, storage_key,
    pdf_key, status, page_count, entry_count)
  select b.id, s.season, b.id, s.person, 0, 'stack-' || b.n || '.pdf', 1, md5('stack a' || b.n) || md5('stack b' || b.n),
    'originals/stack-' || b.n, 'originals/all', 'split', 50, 50
  from sizes s, batches_numbered b;

create temp table drawn as
  select g.n, gen_random_uuid() as id, b.id as batch, w.name as student,
    case when s.former > 0 and g.n % s.former = s.former - 1 then s.season_before else s.season end as season,
    1 + s.logs / s.runs - case when g.n % 10 >= 10 * (s.logs % s.runs)::float / s.runs then 1 else 0 end as steps,
    b.came + interval '1 minute' * (1 + g.n % 50) as ended,
    (array['completed', 'completed', 'completed', 'suggested', 'suggested', 'escalated', 'failed'])[1 + g.n % 7] as outcome,
    (array['ifi_2025', 'ifi_2026', 'freeform'])[1 + g.n % 11 % 3] as profile,
    (array['en', 'en', 'es'])[1 + g.n % 13 % 3] as language,
    (array['rapidocr', null])[1 + g.n % 17 % 2] as provider,
    1 + g.n % 300 as school, g.n % 5 = 0 as asks
  from sizes s cross join generate_series(0, s.runs - 1) g(n) join batches_numbered b on b.n = g.n / 50
    join names_drawn w on w.n = g.n * 7919::bigint % s.names;

insert into submissions (id, season_id, batch_id, upload_id, owner_user_id, chunk_index, page_start, page_end, doc_class,
    doc_format, profile, language, status, needs_review, error_code, created_at, updated_at, received_on, confidence,
    student_name, school_name, grade, contacts, file_name)
  select d.id, d.season, d.batch, d.batch, s.person, d.n % 50, 1 + d.n % 50, 1 + d.n % 50, 'SINGLE_TYPED', 'native_text',
    d.profile, d.language, case when d.outcome in ('completed', 'failed') then d.outcome
      when d.n % 23 = 0 then 'rejected' else 'resolved' end,
    d.outcome = 'failed', case d.outcome when 'failed' then 'damaged_document' end, d.ended, d.ended, d.ended::date,
    0.6 + (d.n * 37 % 400) / 1000.0, d.student, 'Foxglove School ' || d.school, (1 + d.n % 12)::text,
    array[lower(split_part(d.student, ' ', 1)) || '.' || d.n || '@example.org',
      '(' || 201 + d.n % 789 || ') 555-' || lpad((d.n % 10000)::text, 4, '0')], 'stack-' || d.n / 50 || '.pdf'
  from drawn d, sizes s;
insert into runs (run_id, submission_id, season_id, run_no, status, outcome, settled_at, pruned_at, confidence, ready)
  select d.id || ':1', d.id, d.season, 1, 'settled', d.outcome, d.ended, d.ended, 0.6 + (d.n * 37 % 400) / 1000.0,
    d.outcome in ('completed', 'suggested')
  from drawn d;
insert into orchestrator_logs (submission_id, season_id, run_id, step, timestamp, action_taken, tools_used, duration_ms)
  select d.id, d.season, d.id || ':1', step, d.ended - interval '1 second' * (d.steps - step),
    (array['run_pipeline', 'retry_with_llm', 'review_agent', 'mark_for_human'])[step], '{run_pipeline}',
    (exp(3 + 2 * random()) * (5 - step))::int
  from drawn d, generate_series(1, d.steps) step;
insert into model_calls (id, run_id, submission_id, purpose, provider, model, tokens_in, tokens_out, latency_ms, cost_usd,
    status, error_code, attempt, created_at)
  select gen_random_uuid(), d.id || ':1', d.id, 'missing_fields', 'groq', 'small', 300, 40, 600, 0.0002,
    case when n % 40 = 0 then 'failed' else 'ok' end, case when n % 40 = 0 then 'http_429' end, 1 + n % 2, d.ended
  from drawn d where asks;
insert into run_facts (run_id, submission_id, season_id, batch_id, ended_at, outcome, reason, fields, doubts, tools, profile,
    language, ocr_provider, school_id, steps)
  select d.id || ':1', d.id, d.season, d.batch, d.ended, d.outcome,
    case d.outcome when 'completed' then 'confident' when 'suggested' then 'proposed_because'
      when 'escalated' then (array['blank_form', 'nothing_to_propose', 'needs_decision'])[1 + d.n % 3]
      else 'damaged_document' end,
    case when d.outcome in ('suggested', 'escalated') then array[(array['grade', 'student_name', 'school_name'])[1 + d.n % 3]] else '{}' end,
    case when d.n % 3 = 0 then '{UNKNOWN_SCHOOL}'::text[] else '{}' end, '{run_pipeline,review_agent}', d.profile, d.language,
    d.provider, c.id, d.steps
  from drawn d join schools_numbered c on c.n = d.school;
insert into review_suggestions (submission_id, season_id, run_id, proposed_updates, status, created_at, resolved_at,
    resolved_by_user_id)
  select d.id, d.season, d.id || ':1', '{}', case when d.n % 23 = 0 then 'rejected' else 'approved' end, d.ended, d.ended,
    s.person
  from drawn d, sizes s where d.outcome = 'suggested';
insert into review_suggestion_fields (suggestion_id, name, current_value, proposed_value, final_value, confidence, source,
    method, reason, decision, decided_at)
  select id, (array['grade', 'student_name'])[1 + abs(hashtext(run_id)) % 2], 'y', 'x',
    case when hashtext(run_id) % 9 = 0 then 'y' else 'x' end, 0.6 + abs(hashtext(run_id)) % 400 / 1000.0, 'ocr', 'zone',
    '{"code": "not_read_at_first"}', case when hashtext(run_id) % 9 = 0 then 'kept' else 'approved' end, resolved_at
  from review_suggestions where status <> 'pending';
