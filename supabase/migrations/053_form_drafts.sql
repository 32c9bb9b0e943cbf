-- Forms that are being described in the studio: docs/architecture.md, "The way of a form". A draft is a blank form with
-- marks on it; samples are filled forms on which it is tried. They may show children: they are kept for days, and
-- every erasure removes them.
create table public.form_drafts (
  id uuid primary key default gen_random_uuid(),
  created_by uuid not null references public.profiles (id),
  original_filename text not null,
  byte_size bigint not null check (byte_size >= 0),
  -- Which page of the file is the form, and which one is to be read as it next.
  page_no integer not null default 1 check (page_no > 0),
  wanted_page integer not null default 1 check (wanted_page > 0),
  page_count integer check (page_count > 0),
  -- Key of the form that its marks began as; without one the machine makes the first marks.
  start_key text,
  status text not null default 'queued' check (status in ('queued', 'reading', 'ready', 'failed')),
  -- See pipeline/blanks/marks.py; none before the blank was read.
  marks jsonb,
  version integer not null default 0 check (version >= 0),
  changed_by uuid references public.profiles (id),
  changed_at timestamptz,
  -- The version of the form that it was saved as last, and the version of the draft that was saved.
  saved_version integer check (saved_version > 0),
  saved_from integer,
  error_code text,
  error_params jsonb not null default '{}',
  attempts integer not null default 0 check (attempts >= 0),
  lease_owner text,
  lease_until timestamptz,
  enqueued_at timestamptz,
  created_at timestamptz not null default now()
);
create index form_drafts_list on public.form_drafts (created_at desc, id desc);
create index form_drafts_due on public.form_drafts (created_at) where status in ('queued', 'reading');

-- The marks as they stood before each change, to take changes back.
create table public.form_draft_steps (
  draft_id uuid not null references public.form_drafts (id) on delete cascade,
  version integer not null check (version > 0),
  page_no integer not null check (page_no > 0),
  marks jsonb not null,
  actor_id uuid references public.profiles (id),
  created_at timestamptz not null default now(),
  primary key (draft_id, version)
);

create table public.form_samples (
  id uuid primary key default gen_random_uuid(),
  draft_id uuid not null references public.form_drafts (id) on delete cascade,
  requested_by uuid not null references public.profiles (id),
  -- An entry that is read as a sample; without one the sample was uploaded.
  submission_id uuid references public.submissions (id) on delete cascade,
  original_filename text not null,
  byte_size bigint not null default 0 check (byte_size >= 0),
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
  -- The version of the draft that it was read by, and what was read; see services/form_studio/read_sample.py.
  draft_version integer,
  result jsonb,
  error_code text,
  error_params jsonb not null default '{}',
  attempts integer not null default 0 check (attempts >= 0),
  lease_owner text,
  lease_until timestamptz,
  enqueued_at timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index form_samples_draft on public.form_samples (draft_id, created_at);
create index form_samples_submission on public.form_samples (submission_id);
create index form_samples_due on public.form_samples (created_at) where status in ('queued', 'running');

do $$
declare
  name text;
begin
  foreach name in array array['form_drafts', 'form_draft_steps', 'form_samples'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on public.%I from public, anon, authenticated, service_role', name);
    execute format('create policy %I on public.%I to service_role using (true) with check (true)', name || '_service_role', name);
    execute format('grant select, insert, update, delete on public.%I to service_role', name);
  end loop;
end
$$;
