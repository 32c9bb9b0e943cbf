-- Entries and their values, with every piece of a page that a value was read from, and the functions that turn an
-- entry into what it is found by.

-- A text in lower case, without accents.
create function public.folded(t text) returns text language plpgsql immutable parallel safe set search_path = '' as $$
begin
  if t ~ '[^ -~]' then
    t := regexp_replace(normalize(translate(t, '´ʼ‘’', ''''''''''), NFKD), '[\u0300-\u036f]', '', 'g');
    t := replace(replace(replace(translate(lower(t), 'øłđðı', 'olddi'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
  end if;
  return lower(replace(t, '`', ''''));
end
$$;

-- The words of a text, folded, between spaces: "O'Connell" is oconnell, o and connell, "Smith-Jones" is smith, jones
-- and smithjones.
create function public.search_words_of(t text) returns text language plpgsql immutable parallel safe
set search_path = '' as $$
begin
  t := public.folded(t);
  if t ~ '[''-]' then
    t := translate(t, '''', '') || ' ' || translate(t, '''', ' ') || ' ' || translate(t, '''-', '');
  end if;
  return regexp_replace(t, '[^[:alnum:]]+', ' ', 'g');
end
$$;

-- Everything that an entry is found by. People know the end of a phone number, so it is stored as "+" and its digits
-- from the last to the first; an e-mail address is stored whole, and by the words before its @.
create function public.search_vector(student text, school text, contacts text[], file text) returns tsvector
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  texts text := concat_ws(' ', student, school, file);
  whole text[] := '{}';
  one text;
begin
  foreach one in array contacts loop
    if position('@' in one) > 1 then
      texts := texts || ' ' || split_part(one, '@', 1);
      whole := whole || left(translate(public.folded(one), ' ''\', ''), 64);
    elsif length(regexp_replace(one, '\D', '', 'g')) > 3 then
      whole := whole || ('+' || left(reverse(regexp_replace(one, '\D', '', 'g')), 20));
    end if;
  end loop;
  return strip(to_tsvector('simple'::regconfig, left(public.search_words_of(texts), 4000))) || array_to_tsvector(whole);
end
$$;

revoke all on function
  public.folded(text), public.search_words_of(text), public.search_vector(text, text, text[], text)
  from public, anon, authenticated;
grant execute on function
  public.folded(text), public.search_words_of(text), public.search_vector(text, text, text[], text)
  to service_role;

-- One row an entry. The values of its fields are in `submission_fields`; what lists need is repeated here.
create table public.submissions (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  batch_id uuid not null references public.upload_batches (id),
  upload_id uuid not null references public.uploads (id),
  owner_user_id uuid not null references public.profiles (id),
  chunk_index integer not null check (chunk_index >= 0),
  -- Pages of the upload's PDF, from 1, both ends included.
  page_start integer not null check (page_start >= 1),
  page_end integer not null,
  doc_class text not null check (doc_class in ('SINGLE_TYPED', 'SINGLE_SCANNED', 'MULTI_PAGE_SINGLE')),
  doc_format text not null check (doc_format in ('native_text', 'image_only', 'hybrid')),
  -- The form that the entry was read by; the version only of a form that is kept in the database.
  profile text,
  profile_version integer check (profile_version >= 1),
  -- What the splitter found out about these pages (their roles and the like), for the reader.
  chunk_metadata jsonb not null default '{}'::jsonb,
  status text not null default 'queued' check (status in
    ('queued', 'processing', 'completed', 'suggested', 'escalated', 'resolved', 'rejected', 'superseded', 'failed')),
  run_no integer not null default 1 check (run_no >= 1),
  -- Raised by every change of a value or of the status; a decision names the version on which it was made.
  version integer not null default 1 check (version >= 1),
  needs_review boolean not null default true,
  review_reason_codes text[] not null default '{}',
  missing_fields text[] not null default '{}',
  -- Required fields that a person has accepted as they are; the reason is in the history.
  waived text[] not null default '{}',
  confidence real check (confidence between 0 and 1),
  ocr_confidence_avg real check (ocr_confidence_avg between 0 and 1),
  student_name text,
  school_name text,
  grade text,
  word_count integer check (word_count >= 0),
  -- The language that the entry is written in; null: not known. Given: it is the batch's, as the words do not tell.
  language text check (language in ('en', 'es')),
  language_given boolean not null default false,
  -- The day on which it was received. Given: a person gave the day for this very entry.
  received_on date not null default ((now() at time zone 'utc')::date),
  received_given boolean not null default false,
  -- Why the work failed; the sentence is made where it is shown.
  error_code text,
  error_params jsonb not null default '{}'::jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Phone numbers and e-mail addresses among the entry's values, and the name of its file, to be found by.
  contacts text[] not null default '{}',
  file_name text,
  search tsvector
    generated always as (public.search_vector(student_name, school_name, contacts, file_name)) stored,
  unique (upload_id, chunk_index),
  check (page_end >= page_start),
  -- What the machine completed needs nobody; what waits for somebody always says so.
  check (status <> 'completed' or not needs_review),
  check (status not in ('suggested', 'escalated', 'failed') or needs_review),
  check ((status = 'failed') = (error_code is not null))
);
-- Most names are rare and some are very common: the planner must know which.
alter table public.submissions alter column search set statistics 1000;
create index submissions_list on public.submissions (season_id, created_at desc, id desc);
create index submissions_status on public.submissions (season_id, status, created_at desc, id desc);
create index submissions_review on public.submissions (season_id, created_at desc, id desc) where needs_review;
create index submissions_school on public.submissions (season_id, school_name, id);
create index submissions_grade on public.submissions (season_id, grade, created_at desc, id desc);
create index submissions_batch on public.submissions (batch_id, status);
create index submissions_owner on public.submissions (owner_user_id, created_at desc, id desc);
create index submissions_received on public.submissions (season_id, received_on);
create index submissions_reasons on public.submissions using gin (review_reason_codes);
create index submissions_search on public.submissions using gin (search);
-- The orders of the list besides the newest first.
create index submissions_by_student on public.submissions (season_id, (coalesce(student_name, '')), id);
create index submissions_by_school on public.submissions (season_id, (coalesce(school_name, '')), id);
-- A filter of the review queue searches what waits, not all that there is.
create index submissions_suggested_school on public.submissions (season_id, school_name) where status = 'suggested';
create index submissions_suggested_grade on public.submissions (season_id, grade) where status = 'suggested';
-- What settled entries teach of the season's schools is counted by each run and each decision. No further columns, so
-- that equal names share one place in the index.
create index submissions_settled_school on public.submissions (season_id, school_name)
  where status in ('completed', 'resolved') and school_name is not null;
-- The list of failed work, newest first.
create index submissions_failed on public.submissions (updated_at) where status = 'failed';
alter table public.submissions enable row level security;
revoke all on public.submissions from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.submissions to service_role;
create policy submissions_service_role on public.submissions to service_role using (true) with check (true);
grant select on public.submissions to authenticated;
create policy submissions_select on public.submissions for select to authenticated
  using (owner_user_id = (select public.person_id()) or (select public.sees_all()));

-- The values of an entry, one row a field.
create table public.submission_fields (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  season_id uuid not null references public.seasons (id),
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  value text,
  -- Something is written in the field that is no value of its kind.
  unfit boolean not null default false,
  -- Decides whether the value may pass without a person. `probability`: how sure the machine is, shown to people.
  confidence real not null default 0 check (confidence between 0 and 1),
  probability real check (probability between 0 and 1),
  source text check (source in
    ('acroform', 'text_layer', 'ocr', 'model', 'school_list', 'person', 'batch_default')),
  method text,
  -- By what the value was respelled: a code and its parameters.
  way jsonb,
  -- The first piece of the evidence, for lists; all of them are in `field_evidence`.
  page integer check (page >= 1),
  x0 real, y0 real, x1 real, y1 real,
  run_no integer not null default 1,
  version integer not null default 1 check (version >= 1),
  -- Who gave or confirmed the value. A confirmed value keeps the source that it was read from.
  decided_by uuid references public.profiles (id),
  decided_at timestamptz,
  updated_at timestamptz not null default now(),
  unique (submission_id, name),
  check (value is not null or source is null or source = 'person'),
  constraint submission_fields_decided check (decided_by is null or decided_at is not null)
);
create index submission_fields_empty on public.submission_fields (season_id, name) where value is null;
alter table public.submission_fields enable row level security;
revoke all on public.submission_fields from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.submission_fields to service_role;
create policy submission_fields_service_role on public.submission_fields to service_role
  using (true) with check (true);
grant select on public.submission_fields to authenticated;
create policy submission_fields_select on public.submission_fields for select to authenticated
  using (exists (select from public.submissions s where s.id = submission_id));

-- Every piece of a page that a value was read from.
create table public.field_evidence (
  field_id uuid not null references public.submission_fields (id) on delete cascade,
  ordinal integer not null check (ordinal >= 0),
  page integer not null check (page >= 1),
  -- 0-1 in displayed-page space, origin top-left.
  x0 real not null, y0 real not null, x1 real not null, y1 real not null,
  primary key (field_id, ordinal),
  check (x0 <= x1 and y0 <= y1)
);
alter table public.field_evidence enable row level security;
revoke all on public.field_evidence from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.field_evidence to service_role;
create policy field_evidence_service_role on public.field_evidence to service_role using (true) with check (true);
grant select on public.field_evidence to authenticated;
create policy field_evidence_select on public.field_evidence for select to authenticated
  using (exists (select from public.submission_fields f where f.id = field_id));
