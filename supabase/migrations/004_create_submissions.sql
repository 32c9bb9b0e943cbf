-- One row an entry. Field values live in submission_fields; what lists need is projected here.
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
  profile text,
  -- What the split said of the chunk (page roles and the like), for the reader.
  chunk_metadata jsonb not null default '{}'::jsonb,
  status text not null default 'queued' check (status in
    ('queued', 'processing', 'completed', 'suggested', 'escalated', 'resolved', 'rejected', 'superseded', 'failed')),
  run_no integer not null default 1 check (run_no >= 1),
  -- Raised by every change of a value or status; a decision names the version it was made on.
  version integer not null default 1 check (version >= 1),
  needs_review boolean not null default true,
  review_reason_codes text[] not null default '{}',
  missing_fields text[] not null default '{}',
  confidence real check (confidence between 0 and 1),
  ocr_confidence_avg real check (ocr_confidence_avg between 0 and 1),
  student_name text,
  school_name text,
  grade text,
  word_count integer check (word_count >= 0),
  -- Drawn for blind audit when the machine completed it.
  audit_sample boolean not null default false,
  error_code text,
  error_message text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search tsvector generated always as
    (to_tsvector('simple', coalesce(student_name, '') || ' ' || coalesce(school_name, ''))) stored,
  unique (upload_id, chunk_index),
  check (page_end >= page_start),
  -- What the machine completed needs nobody; what waits for somebody always says so.
  check (status <> 'completed' or not needs_review),
  check (status not in ('suggested', 'escalated', 'failed') or needs_review),
  check ((status = 'failed') = (error_code is not null))
);
create index submissions_list on public.submissions (season_id, created_at desc, id desc);
create index submissions_status on public.submissions (season_id, status, created_at desc, id desc);
create index submissions_review on public.submissions (season_id, created_at desc, id desc) where needs_review;
create index submissions_school on public.submissions (season_id, school_name, id);
create index submissions_grade on public.submissions (season_id, grade, created_at desc, id desc);
create index submissions_batch on public.submissions (batch_id, status);
create index submissions_owner on public.submissions (owner_user_id, created_at desc, id desc);
create index submissions_reasons on public.submissions using gin (review_reason_codes);
create index submissions_search on public.submissions using gin (search);

alter table public.submissions enable row level security;
revoke all on public.submissions from anon, authenticated;
grant select on public.submissions to authenticated;
create policy submissions_select on public.submissions for select to authenticated
  using (owner_user_id = (select auth.uid())
    or (select auth.jwt() -> 'app_metadata' ->> 'role') in ('reviewer', 'auditor', 'admin'));
