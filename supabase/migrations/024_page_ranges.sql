-- A long file is read by several jobs, each for a range of its pages. The rows are removed once the file is split.

create table public.page_ranges (
  id uuid primary key default gen_random_uuid(),
  upload_id uuid not null references public.uploads (id) on delete cascade,
  first_page integer not null check (first_page >= 1),
  last_page integer not null,
  -- What splitting needs to know of its pages; null until they are read.
  outlines jsonb,
  lease_owner text,
  lease_until timestamptz,
  enqueued_at timestamptz,
  attempts integer not null default 0 check (attempts >= 0),
  unique (upload_id, first_page),
  check (last_page >= first_page),
  check ((lease_owner is null) = (lease_until is null))
);
create index page_ranges_unread on public.page_ranges (enqueued_at nulls first) where outlines is null;

-- Names stand in the outlines, and nobody but the workers needs them.
alter table public.page_ranges enable row level security;
revoke all on public.page_ranges from anon, authenticated;

-- An entry that goes to a person anyway is shown before all entries of its file are read; the joint pass follows.
alter table public.runs add column shown_early boolean not null default false;
create index runs_shown_early on public.runs (submission_id) where shown_early;
