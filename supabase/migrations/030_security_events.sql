-- The record of what happened: who signed in, who was given which right, who saw which entry. Rows are only added.
-- Ids refer to no table: the record outlives accounts and entries, and deleting those must not touch it.

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
  -- Of what is recorded once in some minutes: the number of these minutes.
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

alter table public.security_events enable row level security;
revoke all on public.security_events from public, anon, authenticated, service_role;
grant select, insert on public.security_events to service_role;

-- For a role that owns the table, to which grants mean nothing.
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

-- The one way out: what is older than the term of retention.
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
revoke all on function public.purge_security_events(interval) from public, anon, authenticated;
