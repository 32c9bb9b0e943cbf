-- What an admin sees of the queue: how deep it was, what the reconciler found, and how work failed (ADR 31). In tables,
-- because they are wanted most after the queue's server has lost what it held.

-- One row a minute, whichever machine's reconciler comes first; kept for some days.
create table public.queue_samples (
  sampled_at timestamptz primary key,
  queued integer not null check (queued >= 0),
  running integer not null check (running >= 0),
  scheduled integer not null check (scheduled >= 0),
  failed integer not null check (failed >= 0),
  workers integer not null check (workers >= 0)
);

-- One row a pass of the reconciler that found something.
create table public.reconciler_passes (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  -- Rows put on the queue again, and rows whose checkpoints were removed: numbers by kind of work.
  requeued jsonb not null default '{}',
  pruned jsonb not null default '{}',
  essays integer not null default 0 check (essays >= 0),
  accounts integer not null default 0 check (accounts >= 0)
);
create index reconciler_passes_created on public.reconciler_passes (created_at);

-- The last failure of a piece of work: classes and places in the code, and codes of our own errors. Never what an
-- exception says: it may quote an entry.
create table public.job_failures (
  kind text not null check (length(kind) between 1 and 40),
  key text not null check (length(key) between 1 and 200),
  failed_at timestamptz not null default now(),
  times integer not null default 1 check (times >= 1),
  errors jsonb not null default '[]' check (jsonb_typeof(errors) = 'array'),
  primary key (kind, key)
);
create index job_failures_failed on public.job_failures (failed_at);

-- The list of what failed, newest first.
create index submissions_failed on public.submissions (updated_at) where status = 'failed';
create index uploads_failed on public.uploads (updated_at) where status = 'failed';

alter table public.queue_samples enable row level security;
alter table public.reconciler_passes enable row level security;
alter table public.job_failures enable row level security;
revoke all on public.queue_samples, public.reconciler_passes, public.job_failures
  from public, anon, authenticated, service_role;
create policy queue_samples_service_role on public.queue_samples to service_role using (true) with check (true);
create policy reconciler_passes_service_role on public.reconciler_passes to service_role using (true) with check (true);
create policy job_failures_service_role on public.job_failures to service_role using (true) with check (true);
grant select, insert, update, delete on public.queue_samples, public.reconciler_passes, public.job_failures
  to service_role;
