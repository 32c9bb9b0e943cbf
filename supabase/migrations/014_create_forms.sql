-- Forms that admins describe (docs/adr/0035-forms-in-the-database.md), and the studio in which they describe them
-- (docs/architecture.md, "The way of a form").

-- A version of a form never changes; an entry names the version that read it.
create table public.form_profiles (
  id uuid primary key default gen_random_uuid(),
  key text not null check (key ~ '^[a-z][a-z0-9_]{1,39}$'),
  version integer not null check (version >= 1),
  label text not null check (length(label) between 1 and 100),
  kind text not null check (kind in ('form', 'essay_page')),
  -- The description of the form. Not jsonb, which does not keep the order of the fields.
  definition json not null check (json_typeof(definition) = 'object'),
  -- The empty form, a PDF in the file store.
  blank_key text,
  status text not null check (status in ('draft', 'active', 'retired')),
  -- Null: the command line.
  made_by uuid references public.profiles (id),
  created_at timestamptz not null default now(),
  -- Who changed the status last, and when.
  status_by uuid references public.profiles (id),
  status_at timestamptz not null default now(),
  unique (key, version)
);
-- Pages are matched with one version of a form.
create unique index form_profiles_active on public.form_profiles (key) where status = 'active';

create function public.keep_form_version() returns trigger
language plpgsql as $$
begin
  raise exception 'a version of a form never changes' using errcode = 'insufficient_privilege';
end
$$;
create trigger form_profiles_kept before update on public.form_profiles
  for each row when (old.key <> new.key or old.version <> new.version or old.definition::text <> new.definition::text)
  execute function public.keep_form_version();
alter table public.form_profiles enable row level security;
revoke all on public.form_profiles from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.form_profiles to service_role;
create policy form_profiles_service_role on public.form_profiles to service_role using (true) with check (true);

-- One row with a name that is new after every change of the forms: by it a process sees whether the forms that it has
-- read are still those of the database.
create table public.form_generation (
  id boolean primary key default true check (id),
  name text not null default ''
);
insert into public.form_generation default values;

create function public.begin_form_generation() returns trigger
language plpgsql as $$
begin
  insert into public.form_generation (name) values (gen_random_uuid()::text)
    on conflict (id) do update set name = excluded.name;
  return null;
end
$$;
create trigger form_profiles_changed after insert or update or delete or truncate on public.form_profiles
  for each statement execute function public.begin_form_generation();
alter table public.form_generation enable row level security;
revoke all on public.form_generation from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.form_generation to service_role;
create policy form_generation_service_role on public.form_generation to service_role using (true) with check (true);

-- A form that is being described: a blank form with marks on it. Drafts and samples may show children: they are kept
-- for days, and every erasure removes them.
create table public.form_drafts (
  id uuid primary key default gen_random_uuid(),
  created_by uuid not null references public.profiles (id),
  original_filename text not null,
  byte_size bigint not null check (byte_size >= 0),
  -- Which page of the file is the form, and which one is to be read as the form next.
  page_no integer not null default 1 check (page_no > 0),
  wanted_page integer not null default 1 check (wanted_page > 0),
  page_count integer check (page_count > 0),
  -- Key of the form whose marks it began with; without one the machine makes the first marks.
  start_key text,
  status text not null default 'queued' check (status in ('queued', 'reading', 'ready', 'failed')),
  -- Null before the blank was read.
  marks jsonb,
  version integer not null default 0 check (version >= 0),
  changed_by uuid references public.profiles (id),
  changed_at timestamptz,
  -- The version of the form as which it was saved last, and the version of the draft that was saved.
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
alter table public.form_drafts enable row level security;
revoke all on public.form_drafts from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.form_drafts to service_role;
create policy form_drafts_service_role on public.form_drafts to service_role using (true) with check (true);

-- The marks before each change, so that changes can be taken back.
create table public.form_draft_steps (
  draft_id uuid not null references public.form_drafts (id) on delete cascade,
  version integer not null check (version > 0),
  page_no integer not null check (page_no > 0),
  marks jsonb not null,
  actor_id uuid references public.profiles (id),
  created_at timestamptz not null default now(),
  primary key (draft_id, version)
);
alter table public.form_draft_steps enable row level security;
revoke all on public.form_draft_steps from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.form_draft_steps to service_role;
create policy form_draft_steps_service_role on public.form_draft_steps to service_role using (true) with check (true);

-- Filled forms on which a draft is tried.
create table public.form_samples (
  id uuid primary key default gen_random_uuid(),
  draft_id uuid not null references public.form_drafts (id) on delete cascade,
  requested_by uuid not null references public.profiles (id),
  -- The entry that is read as a sample; null: the sample was uploaded.
  submission_id uuid references public.submissions (id) on delete cascade,
  original_filename text not null,
  byte_size bigint not null default 0 check (byte_size >= 0),
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
  -- The version of the draft that read it, and what was read.
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
alter table public.form_samples enable row level security;
revoke all on public.form_samples from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.form_samples to service_role;
create policy form_samples_service_role on public.form_samples to service_role using (true) with check (true);
