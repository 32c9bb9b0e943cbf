-- What the entries of the other two seeds (lab/bench/desk, lab/bench/stats) do not have: values, history and views of
-- entries that are settled, pairs that may be duplicates, and audits.
create temp table settled as
  select s.id, s.season_id, s.upload_id, s.status, s.student_name, s.school_name, s.grade, s.profile, s.language, s.confidence,
    s.created_at, row_number() over (order by s.created_at, s.id) as n,
    md5('profile' || 1 + abs(hashtext(s.id::text)) % 20)::uuid as reviewer
  from submissions s where s.status not in ('suggested', 'escalated');
create unique index on settled (n);
analyze settled;

insert into submission_fields (submission_id, season_id, name, value, confidence, source, page, x0, y0, x1, y1)
  select s.id, s.season_id, f.name, case f.name when 'student_name' then s.student_name when 'grade' then s.grade
    else s.school_name end, 0.8, 'ocr', 1, 0.28, f.y, 0.5, f.y + 0.02
  from settled s cross join (values ('student_name', 0.1), ('school_name', 0.16), ('grade', 0.19)) f (name, y);

insert into review_events (season_id, submission_id, kind, message, run_no, created_at)
  select season_id, id, case status when 'failed' then 'failed' when 'completed' then 'completed' else 'suggested' end,
    '{"code": "missing", "params": {"fields": ["grade"]}}', 1, created_at
  from settled;
insert into review_events (season_id, submission_id, actor_id, kind, run_no, version, created_at)
  select season_id, id, reviewer, 'suggestion_decided', 1, 2, created_at + interval '1 day'
  from settled where status in ('resolved', 'rejected');
insert into review_decisions (season_id, submission_id, actor_id, kind, item_id, version, before, created_at)
  select s.season_id, s.id, s.reviewer, 'suggestion', g.id, 2, jsonb_build_object('run', jsonb_build_object('run_id', g.run_id)),
    s.created_at + interval '1 day'
  from settled s join review_suggestions g on g.submission_id = s.id;

-- Each entry was looked at once; people signed in now and then.
insert into security_events (created_at, kind, actor_id, submission_id, upload_id, network, slot)
  select created_at + interval '1 day', 'submission_viewed', reviewer, id, upload_id, '192.0.2.0/24',
    extract(epoch from created_at)::bigint / 600
  from settled;
insert into security_events (created_at, kind, actor_id, network)
  select created_at, 'sign_in', reviewer, '192.0.2.0/24' from settled where n % 50 = 0;

-- One in fifty entries may be the one before it, of the same season; a quarter of these pairs wait.
insert into duplicate_pairs (season_id, first_id, second_id, likenesses, strength, created_at, decision, decided_by,
    decided_at)
  select s.season_id, f.id, s.id, '{}', 'likely', s.created_at, case when s.n % 200 <> 5 then 'keep_both' end,
    case when s.n % 200 <> 5 then s.reviewer end, case when s.n % 200 <> 5 then s.created_at + interval '1 day' end
  from settled s join settled f on f.n = s.n - 1
  where s.n % 50 = 5 and f.season_id = s.season_id;

-- One in twenty of what the machine completed is audited, as AUDIT_SHARE is by default; one in twenty audits waits.
create temp table drawn_audits as
  select gen_random_uuid() as audit, s.*, row_number() over (order by s.n) % 20 > 0 as is_settled from settled s
  where s.status = 'completed' and s.n % 20 = 1;
insert into audits (id, season_id, submission_id, run_id, form, language, provider, band, confidence, probability, status,
    auditor_id, typed_at, settled_at)
  select audit, season_id, id, id || ':1', profile, language, 'text', 90, confidence, 0.02,
    case when is_settled then 'settled' else 'pending' end, case when is_settled then reviewer end,
    case when is_settled then created_at + interval '1 day' end, case when is_settled then created_at + interval '1 day' end
  from drawn_audits;
insert into audit_fields (audit_id, name, required, value, confidence, typed, finding)
  select a.audit, f.name, true, 'x', a.confidence, case when a.is_settled then 'x' end,
    case when a.is_settled then case when abs(hashtext(a.audit || f.name)) % 200 = 0 then 'auditor' else 'same' end end
  from drawn_audits a cross join (values ('student_name'), ('school_name'), ('grade')) f (name);
insert into audit_strata (season_id, form, language, provider, band, total, seen)
  select season_id, profile, language, 'text', 90, 0.05 * count(*), count(*) from settled where status = 'completed'
  group by season_id, profile, language;

-- Seeding without triggers leaves out the words that a search finds with one letter wrong.
insert into search_words (word, submission_id)
  select w, (min(n.id::text))::uuid
  from (select student_name, school_name, min(id::text) as id from submissions group by student_name, school_name) n,
    unnest(name_words(n.student_name, n.school_name)) w
  group by w on conflict do nothing;
