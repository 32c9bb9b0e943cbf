-- Invented entries that wait for a person, oldest first; `bench.count` says how many. One in five waits with an
-- escalation, the others with a proposal. One in twenty is held by somebody. The oldest fiftieth and one in fifty of the
-- others are set aside. Keys are made of numbers, so that rows find one another without a join.
insert into seasons (id, name, is_current) values (md5('season')::uuid, 'Season 2026', true);

insert into profiles (id, email, display_name, role)
select md5('profile' || n)::uuid, 'person-' || n || '@example.org', 'Person ' || n,
  case when n <= 20 then 'reviewer' else 'uploader' end
from generate_series(1, 60) n;

insert into schools (season_id, name, name_key)
select md5('season')::uuid, name, lower(name)
from (select (array['Lakeview', 'Juniper', 'Ashgrove', 'Riverbend', 'Maple Hollow', 'Sunfield', 'Northgate', 'Quail Run',
    'Cedar Point', 'Foxglove'])[1 + n % 10] || ' Elementary School ' || n as name from generate_series(1, 200) n) s;

-- People were told of all of it, and what was left over of finished runs is gone: an office in use has nothing to catch up.
insert into upload_batches (id, season_id, uploaded_by, file_count, told)
select md5('batch' || n)::uuid, md5('season')::uuid, md5('profile' || 21 + n % 40)::uuid, 50, 'waits'
from generate_series(0, current_setting('bench.count')::int / 50) n;

insert into uploads (id, season_id, batch_id, uploaded_by, position, original_filename, content_type, byte_size, sha256,
  storage_key, pdf_key, status, page_count, entry_count)
select md5('upload' || n)::uuid, md5('season')::uuid, md5('batch' || n / 50)::uuid, md5('profile' || 21 + n / 50 % 40)::uuid,
  n % 50, 'scan-' || n || '.pdf', 'application/pdf', 180000, md5('a' || n) || md5('b' || n), 'originals/' || n,
  'originals/all', 'split', 1, 1
from generate_series(1, current_setting('bench.count')::int) n;

insert into pages (upload_id, page_no, width, height, role)
select md5('upload' || n)::uuid, 1, 612, 792, 'header' from generate_series(1, current_setting('bench.count')::int) n;

insert into submissions (id, season_id, batch_id, upload_id, owner_user_id, chunk_index, page_start, page_end, doc_class,
  doc_format, status, review_reason_codes, missing_fields, confidence, student_name, school_name, grade, created_at, file_name)
select md5('submission' || n)::uuid, md5('season')::uuid, md5('batch' || n / 50)::uuid, md5('upload' || n)::uuid,
  md5('profile' || 21 + n / 50 % 40)::uuid, 0, 1, 1, 'SINGLE_SCANNED', 'image_only',
  case when n % 5 = 4 then 'escalated' else 'suggested' end,
  case n % 4 when 0 then array['MISSING_GRADE', 'UNKNOWN_SCHOOL'] when 1 then array['MISSING_GRADE']
    when 2 then array['UNKNOWN_SCHOOL'] else array['LOW_CONFIDENCE'] end,
  case when n % 4 < 2 then array['grade'] else '{}' end,
  0.5 + (n * 37 % 400) / 1000.0,
  (array['Marisol', 'Theo', 'Ana', 'Ivo', 'Noor', 'Lena', 'Tomás', 'Priya', 'Caleb', 'Rosa', 'Emil'])[1 + n % 11] || ' '
    || (array['Quintero', 'Okafor', 'Ruiz', 'Marin', 'Haddad', 'Vogel', 'Salas'])[1 + n % 7] || ' ' || n,
  (array['Lakeview', 'Juniper', 'Ashgrove', 'Riverbend', 'Maple Hollow', 'Sunfield', 'Northgate', 'Quail Run',
    'Cedar Point', 'Foxglove'])[1 + n % 10] || ' Elementary School ' || 1 + n % 200,
  case when n % 4 < 2 then null else (1 + n % 8)::text end,
  timestamptz '2026-03-01' + n * interval '20 seconds', 'scan-' || n || '.pdf'
from generate_series(1, current_setting('bench.count')::int) n;

insert into submission_fields (id, submission_id, season_id, name, value, confidence, source, page, x0, y0, x1, y1)
select md5('field' || n || f.name)::uuid, s.id, s.season_id, f.name, v.value, case when v.value is null then 0 else 0.8 end,
  case when v.value is null then null else 'ocr' end,
  case when v.value is null then null else 1 end, 0.28, f.y, 0.5, f.y + 0.02
from generate_series(1, current_setting('bench.count')::int) n
join submissions s on s.id = md5('submission' || n)::uuid
cross join (values ('student_name', 0.1), ('father_figure_name', 0.13), ('school_name', 0.16), ('grade', 0.19),
  ('phone', 0.22), ('email', 0.25), ('teacher_name', 0.28), ('city_or_location', 0.31), ('writing_about', 0.34),
  ('parent_reaction', 0.37), ('essay_text', 0.4), ('word_count', 0.95)) f (name, y)
cross join lateral (select case f.name when 'student_name' then s.student_name when 'school_name' then s.school_name
  when 'grade' then s.grade when 'father_figure_name' then 'Ernesto Quintero' when 'phone' then '555-0142'
  when 'word_count' then '198' when 'essay_text' then rtrim(repeat(
    'My father drives the night bus and makes pancakes when he comes home, and he asks me what I dreamed about. ', 9))
  end as value) v;

insert into field_evidence (field_id, ordinal, page, x0, y0, x1, y1)
select id, 0, page, x0, y0, x1, y1 from submission_fields where page is not null;

insert into runs (run_id, submission_id, season_id, run_no, status, outcome, settled_at, pruned_at)
select id || ':1', id, season_id, 1, case when status = 'escalated' then 'interrupted' else 'settled' end, status,
  case when status = 'escalated' then null else created_at end,
  case when status = 'escalated' then null else created_at end from submissions;

insert into review_events (season_id, submission_id, kind, message, run_no)
select season_id, id, status, '{"code": "missing", "params": {"fields": ["grade"]}}', 1 from submissions;

insert into review_suggestions (id, submission_id, season_id, run_id, proposed_updates, reason, created_at, claimed_by,
  claimed_until)
select md5('suggestion' || n)::uuid, s.id, s.season_id, s.id || ':1', '{"grade": "4"}',
  '{"code": "proposes", "params": {"fields": ["grade"]}}', s.created_at,
  case when n % 20 = 7 then md5('profile' || 1 + n % 20)::uuid end,
  case when n % 20 = 7 then now() + interval '1 day' end
from generate_series(1, current_setting('bench.count')::int) n
join submissions s on s.id = md5('submission' || n)::uuid
where n % 5 <> 4;

insert into escalations (id, submission_id, season_id, run_id, reason, created_at, claimed_by, claimed_until)
select md5('escalation' || n)::uuid, s.id, s.season_id, s.id || ':1',
  '{"code": "nothing_to_propose", "params": {"fields": ["grade"], "problems": []}}', s.created_at,
  case when n % 20 = 9 then md5('profile' || 1 + n % 20)::uuid end,
  case when n % 20 = 9 then now() + interval '1 day' end
from generate_series(1, current_setting('bench.count')::int) n
join submissions s on s.id = md5('submission' || n)::uuid
where n % 5 = 4;

insert into set_asides (submission_id, season_id, kind, fields, note, until, created_by)
select md5('submission' || n)::uuid, md5('season')::uuid, case when n % 4 < 2 then 'asked' else 'parked' end,
  case when n % 4 < 2 then array['grade'] else '{}' end, case when n % 4 < 2 then null else 'Ask Ms. Reyes on Monday' end,
  now() + interval '9 days', md5('profile' || 1 + n % 20)::uuid
from generate_series(1, current_setting('bench.count')::int) n
where n <= current_setting('bench.count')::int / 50 or n % 50 = 13;

insert into review_suggestion_fields (suggestion_id, name, current_value, proposed_value, confidence, source, method, reason,
  preferred, page, x0, y0, x1, y1)
select md5('suggestion' || n)::uuid, f.name,
  case f.name when 'school_name' then s.school_name when 'student_name' then s.student_name else s.grade end,
  case f.name when 'school_name' then replace(s.school_name, ' School', '') when 'student_name' then s.student_name
    else (1 + n % 8)::text end,
  0.6 + (n % 39) / 100.0, 'ocr', 'zone',
  '{"code": "not_read_at_first", "params": {"way": {"code": "way_page_by_itself", "params": {"page": 1}}, "problems": []}}',
  'proposed', 1, 0.28, f.y, 0.5, f.y + 0.02
from generate_series(1, current_setting('bench.count')::int) n
join submissions s on s.id = md5('submission' || n)::uuid
cross join (values ('student_name', 0.1, 2), ('school_name', 0.16, 1), ('grade', 0.19, 1)) f (name, y, every)
where n % f.every = 0 and n % 5 <> 4;
