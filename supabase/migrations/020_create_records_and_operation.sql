-- Records that only grow, of what people did and of what was erased, and what runs the installation itself: its setting
-- up, its queue and its failed work.

-- Who signed in, who was given which right, who saw which entry. Rows are only added. Ids refer to no table: the record
-- outlives accounts and entries, and deleting those must not touch it.
create table public.security_events (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  kind text not null check (length(kind) between 1 and 40),
  -- Who did it; null for the command line and for somebody unknown.
  actor_id uuid,
  -- The account that it was done to.
  subject_id uuid,
  submission_id uuid,
  upload_id uuid,
  -- The network that it came from, such as 192.0.2.0/24; the address itself is not kept.
  network text not null default '',
  details jsonb not null default '{}'::jsonb check (jsonb_typeof(details) = 'object'),
  -- Of an event that is recorded once in some minutes: the number of these minutes.
  slot bigint
);
create index security_events_newest on public.security_events (created_at desc, id desc);
create index security_events_actor on public.security_events (actor_id, created_at desc, id desc);
create index security_events_subject on public.security_events (subject_id, created_at desc, id desc)
  where subject_id is not null;
create index security_events_submission on public.security_events (submission_id, created_at desc, id desc)
  where submission_id is not null;
create unique index security_events_once_a_slot
  on public.security_events (actor_id, kind, coalesce(submission_id, upload_id), slot) where slot is not null;

-- Grants mean nothing to the owner of a table: this keeps the app too from changing rows.
create function public.keep_security_events() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('second_reader.purging', true) = 'on' then
    return old;
  end if;
  raise exception 'security_events only grows' using errcode = 'insufficient_privilege';
end
$$;
create trigger security_events_kept before update or delete on public.security_events
  for each row execute function public.keep_security_events();
create trigger security_events_not_emptied before truncate on public.security_events
  for each statement execute function public.keep_security_events();

-- The one way out: events that are older than the term of retention.
create function public.purge_security_events(kept interval) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  gone bigint;
begin
  if kept is null or kept < interval '30 days' then
    raise exception 'security_events are kept for 30 days at least';
  end if;
  perform set_config('second_reader.purging', 'on', true);
  delete from public.security_events where created_at < now() - kept;
  get diagnostics gone = row_count;
  perform set_config('second_reader.purging', 'off', true);
  return gone;
end
$$;
revoke all on function public.purge_security_events(interval) from public, anon, authenticated, service_role;
alter table public.security_events enable row level security;
revoke all on public.security_events from public, anon, authenticated, service_role;
grant select, insert on public.security_events to service_role;
create policy security_events_service_role on public.security_events to service_role using (true) with check (true);

-- Receipts of what was erased of a child.
create table public.erasures (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  -- Null: the command line, or the nightly purge.
  actor_id uuid references public.profiles (id),
  reason text not null check (reason in ('asked', 'retention', 'mistake')),
  -- Of the entries that were erased; nothing else is left of them, and no name is kept here.
  submission_ids uuid[] not null check (cardinality(submission_ids) > 0),
  -- How much of each kind: {"fields": 14, …}.
  counts jsonb not null check (jsonb_typeof(counts) = 'object'),
  -- Watched folders that could not be reached.
  not_reached text[] not null default '{}',
  created_at timestamptz not null default now()
);
create index erasures_newest on public.erasures (created_at desc, id desc);

create function public.keep_erasures() returns trigger
language plpgsql as $$
begin
  raise exception 'erasures only grows' using errcode = 'insufficient_privilege';
end
$$;
create trigger erasures_kept before update or delete on public.erasures
  for each row execute function public.keep_erasures();
create trigger erasures_not_emptied before truncate on public.erasures
  for each statement execute function public.keep_erasures();
alter table public.erasures enable row level security;
revoke all on public.erasures from public, anon, authenticated, service_role;
grant select, insert on public.erasures to service_role;
create policy erasures_service_role on public.erasures to service_role using (true) with check (true);
grant select on public.erasures to authenticated;
create policy erasures_select on public.erasures for select to authenticated using ((select public.oversees()));

-- The steps by which a new installation is set up. The row 'whole' says that nobody is
-- led through the steps any more.
create table public.set_up_steps (
  step text primary key check (length(step) between 1 and 40),
  state text not null check (state in ('open', 'trying', 'done', 'passed')),
  -- What the last try found: {"code": …, "params": {…}}.
  result jsonb check (jsonb_typeof(result) = 'object'),
  -- How long the try took.
  seconds double precision check (seconds >= 0),
  -- What was read of the sample.
  read_text text,
  actor_id uuid references public.profiles (id),
  changed_at timestamptz not null default now(),
  attempts integer not null default 0 check (attempts >= 0),
  lease_owner text,
  lease_until timestamptz,
  enqueued_at timestamptz
);
alter table public.set_up_steps enable row level security;
revoke all on public.set_up_steps from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.set_up_steps to service_role;
create policy set_up_steps_service_role on public.set_up_steps to service_role using (true) with check (true);

-- What an admin sees of the queue is in tables, because it is wanted most after the queue's server has lost what it
-- held (docs/adr/0031-the-queue-is-watched-in-tables.md).

-- One row a minute, written by the first reconciler that comes, on whichever machine; kept for some days.
create table public.queue_samples (
  sampled_at timestamptz primary key,
  queued integer not null check (queued >= 0),
  running integer not null check (running >= 0),
  scheduled integer not null check (scheduled >= 0),
  failed integer not null check (failed >= 0),
  workers integer not null check (workers >= 0)
);
alter table public.queue_samples enable row level security;
revoke all on public.queue_samples from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.queue_samples to service_role;
create policy queue_samples_service_role on public.queue_samples to service_role using (true) with check (true);

-- One row a pass of the reconciler that found something.
create table public.reconciler_passes (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  -- Rows that were put on the queue again, and rows whose checkpoints were removed: numbers by kind of work.
  requeued jsonb not null default '{}',
  pruned jsonb not null default '{}',
  essays integer not null default 0 check (essays >= 0),
  accounts integer not null default 0 check (accounts >= 0)
);
create index reconciler_passes_created on public.reconciler_passes (created_at);
alter table public.reconciler_passes enable row level security;
revoke all on public.reconciler_passes from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.reconciler_passes to service_role;
create policy reconciler_passes_service_role on public.reconciler_passes to service_role
  using (true) with check (true);

-- The last failure of a piece of work: classes and places in the code, and codes of our own errors. Never the text of
-- an exception, which may quote an entry.
create table public.job_failures (
  kind text not null check (length(kind) between 1 and 40),
  key text not null check (length(key) between 1 and 200),
  failed_at timestamptz not null default now(),
  times integer not null default 1 check (times >= 1),
  errors jsonb not null default '[]' check (jsonb_typeof(errors) = 'array'),
  primary key (kind, key)
);
create index job_failures_failed on public.job_failures (failed_at);
alter table public.job_failures enable row level security;
revoke all on public.job_failures from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.job_failures to service_role;
create policy job_failures_service_role on public.job_failures to service_role using (true) with check (true);
