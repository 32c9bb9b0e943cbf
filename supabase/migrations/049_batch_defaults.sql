-- What somebody says of a whole batch, a season's deadline, dates received and entries typed in by hand:
-- docs/adr/0036-batch-defaults.md.

-- The values that stand where a page gives none: one row a change, the one of the highest version is in force.
create table public.batch_defaults (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  batch_id uuid not null references public.upload_batches (id) on delete cascade,
  -- Counts the changes of the batch; whoever changes them names the version that they saw.
  version integer not null check (version >= 1),
  given_by uuid not null references public.profiles (id),
  -- By name of field, and "language": {"school_name": "Juniper School", "grade": "4"}.
  given jsonb not null check (jsonb_typeof(given) = 'object'),
  -- The change that this one takes back; none is taken back twice.
  undoes uuid unique references public.batch_defaults (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (batch_id, version)
);
do $$
begin
  alter table public.batch_defaults enable row level security;
  revoke all on public.batch_defaults from public, anon, authenticated, service_role;
  create policy batch_defaults_service_role on public.batch_defaults to service_role using (true) with check (true);
  grant select, insert, update, delete on public.batch_defaults to service_role;
end
$$;

-- The last day on which an entry is received in time, in the time zone of the office.
alter table public.seasons add column deadline date;
alter table public.upload_batches
  -- The day that a person gave for the whole batch, as of a postmark.
  add column received_on date;
grant select (received_on) on public.upload_batches to authenticated;
alter table public.submissions
  add column received_on date not null default ((now() at time zone 'utc')::date),
  -- Whether a person gave the day for this very entry.
  add column received_given boolean not null default false,
  -- Whether its language is the batch's, because the words do not tell.
  add column language_given boolean not null default false;
update public.submissions s set received_on = (u.created_at at time zone 'utc')::date
  from public.uploads u where u.id = s.upload_id;
create index submissions_received on public.submissions (season_id, received_on);

alter table public.submission_fields drop constraint submission_fields_source_check;
alter table public.submission_fields add constraint submission_fields_source_check check (source in
  ('acroform', 'text_layer', 'ocr', 'model', 'school_list', 'person', 'batch_default'));

-- Kinds of events and statuses of files are added to those that there are.
do $$
declare
  stands text;
begin
  select substr(pg_get_constraintdef(oid), 7) into stands from pg_constraint
    where conrelid = 'public.review_events'::regclass and conname = 'review_events_kind_check';
  alter table public.review_events drop constraint review_events_kind_check;
  execute format('alter table public.review_events add constraint review_events_kind_check check (%s or kind in (%s))',
    stands, '''defaults_changed'', ''received_changed'', ''typed_in''');

  select substr(pg_get_constraintdef(oid), 7) into stands from pg_constraint
    where conrelid = 'public.uploads'::regclass and conname = 'uploads_status_check';
  alter table public.uploads drop constraint uploads_status_check;
  -- Typed in by hand: the file cannot be read, or is a slip that stands for paper.
  execute format('alter table public.uploads add constraint uploads_status_check check (%s or status = ''typed'')', stands);

  -- A file that was typed in keeps why it could not be read.
  select conname into stands from pg_constraint where conrelid = 'public.uploads'::regclass and contype = 'c'
    and pg_get_constraintdef(oid) like '%error_code IS NOT NULL%';
  execute format('alter table public.uploads drop constraint %I', stands);
  alter table public.uploads add constraint uploads_failed_check
    check (status = 'typed' or (status = 'failed') = (error_code is not null));
end
$$;
