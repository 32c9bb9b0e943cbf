-- The rules of a season are changed by admins: what changed, who did it and when. Rows are only added.

alter table public.seasons
  -- Counts the changes; whoever changes the rules names the version that they saw.
  add column version integer not null default 1 check (version >= 1),
  -- Since when nothing is handed in any more.
  add column closed_at timestamptz;

create table public.policy_changes (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  -- The season's version that the change made.
  version integer not null check (version >= 2),
  kind text not null check (kind in ('changed', 'undone', 'opened', 'closed', 'rolled_over')),
  -- By rule, the value before and after: {"complete_confidence": 0.9}; null where the setting holds.
  before jsonb not null check (jsonb_typeof(before) = 'object'),
  after jsonb not null check (jsonb_typeof(after) = 'object'),
  -- Null: the command line.
  actor_id uuid references public.profiles (id),
  -- The change that this one takes back; none is taken back twice.
  undoes uuid unique references public.policy_changes (id),
  created_at timestamptz not null default now(),
  unique (season_id, version),
  check ((kind = 'undone') = (undoes is not null))
);

alter table public.policy_changes enable row level security;
revoke all on public.policy_changes from public, anon, authenticated, service_role;
create policy policy_changes_service_role on public.policy_changes to service_role using (true) with check (true);
grant select, insert on public.policy_changes to service_role;
create policy policy_changes_select on public.policy_changes for select to authenticated
  using ((select public.oversees()));
grant select on public.policy_changes to authenticated;

-- For a role that owns the table, to which grants mean nothing.
create function public.keep_policy_changes() returns trigger
language plpgsql as $$
begin
  raise exception 'policy_changes only grows' using errcode = 'insufficient_privilege';
end
$$;
create trigger policy_changes_kept before update or delete on public.policy_changes
  for each row execute function public.keep_policy_changes();
create trigger policy_changes_not_emptied before truncate on public.policy_changes
  for each statement execute function public.keep_policy_changes();
